// Package value holds SQL types, values and three-valued logic: chapter 18 of
// the rulebook (TYPE-1 to TYPE-8). It knows nothing of tables, expressions or
// patterns.
package value

import (
	"math"

	"github.com/cockroachdb/apd/v3"
)

// Form is how a Value is held. A Value does not carry its full SQL type: the
// expression or column that it comes from knows it.
type Form uint8

// The forms.
const (
	FormNull     Form = iota
	FormBool          // n is 0 or 1
	FormInt           // n; smallint, integer, bigint
	FormDecimal       // n * 10^-scale, or ref is a *apd.Decimal when it does not fit
	FormDouble        // n holds the bits of a float64; real and double precision
	FormString        // s; char and varchar
	FormBinary        // s holds the bytes
	FormDate          // n days since 1970-01-01
	FormTime          // n microseconds since midnight
	FormStamp         // n microseconds since 1970-01-01 00:00:00 (UTC, no leap seconds)
	FormInterval      // n microseconds (day to second)
	FormMonths        // n months (year to month)
	FormArray         // ref is a []Value
)

// Value is one SQL value or NULL. The zero Value is NULL. Values are immutable.
type Value struct {
	form  Form
	scale uint8
	n     int64
	s     string
	ref   any
}

// Null is the NULL value.
var Null = Value{}

// Bool returns a boolean.
func Bool(b bool) Value {
	if b {
		return Value{form: FormBool, n: 1}
	}
	return Value{form: FormBool}
}

// Int returns a value of an integer type.
func Int(n int64) Value { return Value{form: FormInt, n: n} }

// ScaledInt returns the decimal n * 10^-scale, scale at most MaxPrecision.
func ScaledInt(n int64, scale int) Value { return Value{form: FormDecimal, n: n, scale: uint8(scale)} }

// BigDecimal returns a decimal; d must be finite and is kept, not copied. It is
// held with an exponent of at most 0, and in an int64 if it fits. FitDecimal
// checks the range of a type besides.
func BigDecimal(d *apd.Decimal) Value {
	if d.Exponent > 0 && d.Exponent <= maxFraction || d.Exponent < -MaxPrecision && d.IsZero() {
		var r apd.Decimal
		wide.Quantize(&r, d, 0)
		d = &r
	}
	if d.Exponent <= 0 && d.Exponent >= -MaxPrecision && d.Coeff.IsUint64() {
		if n, ok := signed(d.Coeff.Uint64(), d.Negative); ok {
			return ScaledInt(n, int(-d.Exponent))
		}
	}
	return Value{form: FormDecimal, ref: d}
}

// Float returns a value of type double precision or real.
func Float(f float64) Value { return Value{form: FormDouble, n: int64(math.Float64bits(f))} }

// String returns a character string.
func String(s string) Value { return Value{form: FormString, s: s} }

// Bytes returns a binary string.
func Bytes(b []byte) Value { return Value{form: FormBinary, s: string(b)} }

// DateOf returns a date from days since 1970-01-01.
func DateOf(days int64) Value { return Value{form: FormDate, n: days} }

// TimeOf returns a time of day from microseconds since midnight.
func TimeOf(micros int64) Value { return Value{form: FormTime, n: micros} }

// TimestampOf returns a timestamp from microseconds since 1970-01-01 00:00:00.
func TimestampOf(micros int64) Value { return Value{form: FormStamp, n: micros} }

// IntervalOf returns an interval day to second from microseconds.
func IntervalOf(micros int64) Value { return Value{form: FormInterval, n: micros} }

// MonthsOf returns an interval year to month.
func MonthsOf(months int64) Value { return Value{form: FormMonths, n: months} }

// ArrayOf returns an array; elems is kept, not copied.
func ArrayOf(elems []Value) Value { return Value{form: FormArray, ref: elems} }

// Form returns how the value is held.
func (v Value) Form() Form { return v.form }

// IsNull reports NULL.
func (v Value) IsNull() bool { return v.form == FormNull }

// Raw returns the integer behind every form that is held as one: booleans,
// integers, small decimals (the coefficient), dates, times, intervals.
func (v Value) Raw() int64 { return v.n }

// AsBool returns a boolean value; false for NULL.
func (v Value) AsBool() bool { return v.form == FormBool && v.n != 0 }

// AsFloat returns the number held in a FormDouble.
func (v Value) AsFloat() float64 { return math.Float64frombits(uint64(v.n)) }

// AsString returns the characters or bytes of a string.
func (v Value) AsString() string { return v.s }

// AsArray returns the elements of an array. They must not be changed.
func (v Value) AsArray() []Value { a, _ := v.ref.([]Value); return a }

// AsScaled returns coefficient and scale of a decimal that fits an int64.
func (v Value) AsScaled() (n int64, scale int, ok bool) {
	return v.n, int(v.scale), v.form == FormDecimal && v.ref == nil
}

// AsDecimal returns an exact number (FormInt or FormDecimal) as a decimal of its own.
func (v Value) AsDecimal() *apd.Decimal {
	if d, ok := v.ref.(*apd.Decimal); ok {
		return new(apd.Decimal).Set(d)
	}
	return apd.New(v.n, -int32(v.scale))
}

// Truth is a value of three-valued logic.
type Truth uint8

// The truth values. UNKNOWN is the boolean NULL.
const (
	UnknownTruth Truth = iota
	False
	True
)

// TruthOf returns the truth value of a boolean Value.
func TruthOf(v Value) Truth {
	switch {
	case v.form != FormBool:
		return UnknownTruth
	case v.n != 0:
		return True
	}
	return False
}

// Value returns the boolean Value of a truth value.
func (t Truth) Value() Value {
	switch t {
	case True:
		return Bool(true)
	case False:
		return Bool(false)
	}
	return Null
}

// And is three-valued conjunction.
func (t Truth) And(u Truth) Truth {
	switch {
	case t == False || u == False:
		return False
	case t == True && u == True:
		return True
	}
	return UnknownTruth
}

// Or is three-valued disjunction.
func (t Truth) Or(u Truth) Truth {
	switch {
	case t == True || u == True:
		return True
	case t == False && u == False:
		return False
	}
	return UnknownTruth
}

// Not is three-valued negation.
func (t Truth) Not() Truth {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return UnknownTruth
}
