package value

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
)

// Convert brings v, of a type assignable to `to`, to that type: numbers are
// rounded half up (22003 if out of range), a string longer than its type is
// error 22001 unless only blanks are lost, seconds are rounded half up.
//
// A value of type char(n) is held without the blanks at its end; Format, SQL
// and AppendJSON pad it. Where a char(n) value becomes a varchar, Pad it first
// (Cast does so itself).
func Convert(v Value, to Type) (Value, error) {
	if v.form == FormNull {
		return Null, nil
	}
	switch to.Kind {
	case Unknown:
		return v, nil
	case Smallint, Integer, Bigint:
		if isNumber(v) {
			return toInteger(v, to)
		}
	case Decimal:
		if isNumber(v) {
			return toDecimal(v, to)
		}
	case Real, Double:
		if isNumber(v) {
			return toApproximate(v, to)
		}
	case Char, Varchar:
		if v.form == FormString {
			return toString(v, to)
		}
	case Time, Timestamp:
		if v.form == heldAs[to.Kind] {
			return roundSeconds(v, to.Precision)
		}
	case Array:
		if v.form == FormArray {
			return convertArray(v, to, Convert)
		}
	default:
		if v.form == heldAs[to.Kind] {
			return v, nil
		}
	}
	return Null, typeError("a value of another type cannot be stored as %s", to).
		WithHint("CAST the value to %s", to)
}

// heldAs is the form of the kinds whose values convert to no other kind.
var heldAs = [...]Form{Boolean: FormBool, Binary: FormBinary, Date: FormDate, Time: FormTime,
	Timestamp: FormStamp, IntervalDay: FormInterval, IntervalYear: FormMonths, Array: FormArray}

// toInteger rounds half up.
func toInteger(v Value, to Type) (Value, error) {
	n, ok := v.n, true
	switch {
	case v.form == FormDouble:
		f := math.Round(v.AsFloat())
		ok = f >= -1<<63 && f < 1<<63
		n = int64(f)
	case v.form == FormDecimal && v.ref == nil:
		n, ok = rescale(v.n, int(v.scale), 0)
	case v.form == FormDecimal:
		r, err := FitDecimal(v.AsDecimal(), DecimalType(MaxPrecision, 0))
		if err != nil || r.ref != nil {
			ok = false
		}
		n = r.n
	}
	if !ok || !inRange(n, to.Kind) {
		return Null, outOfRange(string(v.appendNumber(nil)), to)
	}
	return Int(n), nil
}

// toDecimal takes a double for the shortest decimal number that denotes it.
func toDecimal(v Value, to Type) (Value, error) {
	if v.form == FormDouble {
		f := v.AsFloat()
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return Null, outOfRange(string(v.appendNumber(nil)), to)
		}
		var d apd.Decimal
		if _, err := d.SetFloat64(f); err != nil {
			return Null, outOfRange(string(v.appendNumber(nil)), to)
		}
		return FitDecimal(&d, to)
	}
	n, scale, ok := exact(v)
	switch {
	case !ok:
		return FitDecimal(v.AsDecimal(), to)
	case to.Precision > 0 && scale == to.Scale && v.form == FormDecimal && fitsPrecision(n, to.Precision):
		return v, nil
	}
	return fitScaled(n, scale, to)
}

// toApproximate rounds to single precision for real.
func toApproximate(v Value, to Type) (Value, error) {
	f := ToFloat(v)
	if to.Kind == Real {
		r := float64(float32(f))
		if math.IsInf(r, 0) && !math.IsInf(f, 0) {
			return Null, outOfRange(string(v.appendNumber(nil)), to)
		}
		f = r
	}
	return Float(f), nil
}

// toString applies the length of a string type as an assignment does.
func toString(v Value, to Type) (Value, error) {
	if to.Kind == Char {
		v.s = strings.TrimRight(v.s, " ")
	}
	limit := lengthOf(to)
	if limit == 0 || len(v.s) <= limit {
		return v, nil
	}
	cut := cutRunes(v.s, limit)
	if strings.Trim(v.s[len(cut):], " ") != "" {
		return Null, runtimeError(stateTruncation, "%s is longer than %s", quote(v.s), to).
			WithHint("CAST it to %s to cut it off", to)
	}
	v.s = cut
	return v, nil
}

// lengthOf returns the largest number of characters of a string type, 0 for no limit.
func lengthOf(t Type) int {
	if t.Kind == Char {
		return max(t.Precision, 1)
	}
	return t.Precision
}

// cutRunes returns the first n characters of s.
func cutRunes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Pad returns a value of type char(n) with the blanks at its end, which it is
// not held with (TYPE-7); a value of any other type is returned unchanged. The
// operands of ||, LIKE and the string functions are padded ones.
func Pad(v Value, t Type) Value {
	if t.Kind != Char || v.form != FormString {
		return v
	}
	if missing := lengthOf(t) - utf8.RuneCountInString(v.s); missing > 0 {
		v.s += strings.Repeat(" ", missing)
	}
	return v
}

// roundSeconds rounds a time or timestamp to digits of a second, half up; a
// time goes round the clock.
func roundSeconds(v Value, digits int) (Value, error) {
	if digits >= 6 || digits < 0 {
		return v, nil
	}
	unit := pow10[6-digits]
	q, r := floorDiv(v.n, unit)
	if r == 0 {
		return v, nil
	}
	if r >= unit/2 {
		q++
	}
	v.n = q * unit
	if v.form == FormTime {
		v.n %= perDay
		return v, nil
	}
	return checkTimestamp(v.n)
}

// convertArray converts all elements.
func convertArray(v Value, to Type, convert func(Value, Type) (Value, error)) (Value, error) {
	elem := elemOf(to)
	elems := v.AsArray()
	out := make([]Value, len(elems))
	for i, e := range elems {
		c, err := convert(e, elem)
		if err != nil {
			return Null, err
		}
		out[i] = c
	}
	return ArrayOf(out), nil
}
