package value

import (
	"math"
	"strings"
)

// Cast computes CAST (v AS to) for v of type from; CastAllowed says which
// types are possible. NULL stays NULL. Run-time errors (EVAL-1): 22018 a
// string that is no number or boolean, 22007 no date, time, timestamp or
// interval, 22008 a date that does not exist, 22003 out of range, 22001 a
// number or date too long for the string type. A string is cut to the length
// of the new type. Numbers are rounded half up.
func Cast(v Value, from, to Type) (Value, error) {
	switch {
	case v.form == FormNull:
		return Null, nil
	case to.Kind == Unknown:
		return v, nil
	case v.form == FormString:
		return castString(Pad(v, from), to)
	case to.IsString():
		return castToString(v, from, to)
	case v.form == FormArray && to.Kind == Array:
		elem := elemOf(from)
		return convertArray(v, to, func(e Value, t Type) (Value, error) { return Cast(e, elem, t) })
	case v.form == FormDate && to.Kind == Timestamp:
		return TimestampOf(v.n * perDay), nil
	case v.form == FormStamp && to.Kind == Date:
		days, _ := floorDiv(v.n, perDay)
		return DateOf(days), nil
	case v.form == FormStamp && to.Kind == Time:
		_, micros := floorDiv(v.n, perDay)
		return roundSeconds(TimeOf(micros), to.Precision)
	}
	r, err := Convert(v, to)
	if err != nil && !CastAllowed(from, to) {
		return Null, noCast(from, to)
	}
	return r, err
}

func noCast(from, to Type) error {
	return typeError("a value of type %s cannot be cast to %s", from, to).
		WithHint("write a CASE or another expression that says what is meant")
}

// castString reads a string as a value of another type, blanks around it
// ignored, or cuts it to the length of another string type.
func castString(v Value, to Type) (Value, error) {
	if to.IsString() {
		if limit := lengthOf(to); limit > 0 {
			v.s = cutRunes(v.s, limit)
		}
		return toString(v, to)
	}
	r, p := scanText(strings.Trim(v.s, " "), to)
	if p != nil {
		return Null, p.cast()
	}
	return r, nil
}

// scanText reads the text of a value of type `to`, as CAST from a string does.
func scanText(s string, to Type) (Value, *problem) {
	switch to.Kind {
	case Boolean:
		switch {
		case strings.EqualFold(s, "TRUE"):
			return Bool(true), nil
		case strings.EqualFold(s, "FALSE"):
			return Bool(false), nil
		case strings.EqualFold(s, "UNKNOWN"):
			return Null, nil
		}
		return Null, &problem{stateBadCast, quote(s) + " is no boolean", "write TRUE, FALSE or UNKNOWN"}
	case Smallint, Integer, Bigint, Decimal, Real, Double:
		return scanNumberAs(s, to)
	case Date:
		return scanDate(s)
	case Time:
		v, _, p := scanTime(s)
		return roundScanned(v, to.Precision, p)
	case Timestamp:
		v, _, p := scanTimestamp(s)
		return roundScanned(v, to.Precision, p)
	case IntervalDay:
		return scanInterval(s, fieldDay, fieldSecond)
	case IntervalYear:
		return scanInterval(s, fieldYear, fieldMonth)
	}
	return Null, &problem{stateBadCast, "a string cannot be cast to " + to.String(), "write a value of the type itself"}
}

func roundScanned(v Value, digits int, p *problem) (Value, *problem) {
	if p != nil {
		return Null, p
	}
	r, err := roundSeconds(v, digits)
	if err != nil {
		return Null, &problem{stateDateOverflow, "rounded, the timestamp lies after the year 9999", "use a type with more digits of a second"}
	}
	return r, nil
}

// castToString writes a value as the standard's CAST does: booleans in upper
// case, approximate numbers with an exponent, everything else as Format.
func castToString(v Value, from, to Type) (Value, error) {
	var text string
	switch {
	case v.form == FormBool && v.n != 0:
		text = "TRUE"
	case v.form == FormBool:
		text = "FALSE"
	case v.form == FormDouble && !math.IsNaN(v.AsFloat()) && !math.IsInf(v.AsFloat(), 0):
		text = string(appendExponent(nil, v.AsFloat(), from))
	case v.form == FormBinary || v.form == FormArray:
		return Null, noCast(from, to)
	default:
		text = Format(v, from)
	}
	if limit := lengthOf(to); limit > 0 && len(text) > limit {
		return Null, runtimeError(stateTruncation, "%s is longer than %s", quote(text), to).
			WithHint("cast to a longer string type")
	}
	return String(text), nil
}
