package value

import (
	"math"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
)

// number is a numeric text taken apart: mantissa * 10^(exponent - fraction),
// the mantissa without its point.
type number struct {
	negative bool
	point    bool
	hasExp   bool
	mantissa string // digits with a point or without
	small    uint64 // the mantissa, if it has at most 18 significant digits
	digits   int    // significant digits of the mantissa
	fraction int    // digits after the point
	exponent int    // saturated at ±maxExponent
}

const maxExponent = 10000

// scanNumber takes a numeric text apart: digits with at most one point, at
// least one digit, an exponent, and a sign if sign is set.
func scanNumber(s string, sign bool) (n number, ok bool) {
	if sign && s != "" && (s[0] == '-' || s[0] == '+') {
		n.negative = s[0] == '-'
		s = s[1:]
	}
	i, any := 0, false
	for ; i < len(s); i++ {
		c := s[i]
		if c == '.' && !n.point {
			n.point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		any = true
		if n.point {
			n.fraction++
		}
		if n.digits > 0 || c != '0' {
			n.digits++
			if n.digits < len(pow10) {
				n.small = n.small*10 + uint64(c-'0')
			}
		}
	}
	n.mantissa = s[:i]
	if !any {
		return n, false
	}
	if i == len(s) {
		return n, true
	}
	if s[i] != 'e' && s[i] != 'E' {
		return n, false
	}
	n.hasExp = true
	i++
	negative := i < len(s) && s[i] == '-'
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	if i == len(s) {
		return n, false
	}
	for ; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return n, false
		}
		n.exponent = min(n.exponent*10+int(s[i]-'0'), maxExponent)
	}
	if negative {
		n.exponent = -n.exponent
	}
	return n, true
}

// scaled returns coefficient and scale if the number is held in an int64.
func (n *number) scaled() (coefficient int64, scale int, ok bool) {
	coefficient, scale = int64(n.small), n.fraction-n.exponent
	if n.negative {
		coefficient = -coefficient
	}
	for scale < 0 && n.digits < len(pow10) && abs64(coefficient) < 1e17 && coefficient != 0 {
		coefficient *= 10
		scale++
	}
	return coefficient, max(scale, 0), n.digits < len(pow10) && scale <= MaxPrecision && (scale >= 0 || coefficient == 0)
}

// keptDigits is how many significant digits of a long number are looked at.
// Rounding half up depends on the digits kept and the first one dropped, and
// no exact type keeps so many.
const keptDigits = 1000

// decimal returns the number; exact is false if digits other than 0 beyond
// keptDigits were left out.
func (n *number) decimal() (d *apd.Decimal, exact bool) {
	digits := strings.TrimLeft(strings.Replace(n.mantissa, ".", "", 1), "0")
	exponent := n.exponent - n.fraction
	exact = true
	if len(digits) > keptDigits {
		exact = strings.Trim(digits[keptDigits:], "0") == ""
		exponent += len(digits) - keptDigits
		digits = digits[:keptDigits]
	}
	d = new(apd.Decimal)
	if digits != "" {
		d.Coeff.SetString(digits, 10)
		d.Negative = n.negative
		d.Exponent = int32(max(min(exponent, maxExponent), -maxExponent))
	}
	return d, exact
}

// float returns the number rounded once, to double or single precision.
func (n *number) float(t Type) (float64, bool) {
	text := n.mantissa + "e" + strconv.Itoa(n.exponent)
	if n.negative {
		text = "-" + text
	}
	size := 64
	if t.Kind == Real {
		size = 32
	}
	f, err := strconv.ParseFloat(text, size)
	return f, err == nil
}

// ParseNumber reads an unsigned numeric literal and gives its type by TYPE-2:
// integer, else bigint, else decimal for digits alone; decimal(p, s) with a
// point; double precision with an exponent. Leading zeros do not count as
// digits. The error is LEX-1: no literal, or more than 38 digits, or an
// exponent that is too large (22003).
func ParseNumber(text string) (Value, Type, error) {
	n, ok := scanNumber(text, false)
	if !ok {
		p := &problem{"42000", quote(text) + " is no numeric literal", "write digits with at most one point, and an exponent as in 1.5E3"}
		return Null, TypeUnknown, p.literal()
	}
	if n.hasExp {
		f, ok := n.float(TypeDouble)
		if !ok {
			p := &problem{stateOutOfRange, quote(text) + " is out of the range of double precision", "use an exponent of at most 308"}
			return Null, TypeUnknown, p.literal()
		}
		return Float(f), TypeDouble, nil
	}
	precision := max(n.digits, n.fraction, 1)
	if precision > MaxPrecision {
		p := &problem{stateOutOfRange, quote(text) + " has more than 38 digits", "write it with an exponent, as an approximate number"}
		return Null, TypeUnknown, p.literal()
	}
	t := DecimalType(precision, n.fraction)
	if n.digits < len(pow10) {
		if n.point {
			return ScaledInt(int64(n.small), n.fraction), t, nil
		}
		return integerLiteral(int64(n.small))
	}
	d, _ := n.decimal()
	if !n.point && d.Coeff.IsInt64() {
		return integerLiteral(d.Coeff.Int64())
	}
	return BigDecimal(d), t, nil
}

func integerLiteral(n int64) (Value, Type, error) {
	if n <= math.MaxInt32 {
		return Int(n), TypeInteger, nil
	}
	return Int(n), TypeBigint, nil
}

// scanNumberAs reads a signed number as a value of a numeric type, rounding
// half up. Approximate types have NaN and the infinities besides.
func scanNumberAs(s string, t Type) (Value, *problem) {
	if t.IsApproximate() {
		if f, ok := specialFloat(s); ok {
			return Float(f), nil
		}
	}
	n, ok := scanNumber(s, true)
	if !ok {
		return Null, &problem{stateBadCast, quote(s) + " is no number", "write digits with at most one point, as in -12.5"}
	}
	if t.IsApproximate() {
		f, ok := n.float(t)
		if !ok {
			return Null, rangeProblem(s, t)
		}
		return Float(f), nil
	}
	var v Value
	if c, scale, ok := n.scaled(); ok {
		v = ScaledInt(c, scale)
	} else {
		d, _ := n.decimal()
		v = Value{form: FormDecimal, ref: d}
	}
	r, err := Convert(v, t)
	if err != nil {
		return Null, rangeProblem(s, t)
	}
	return r, nil
}

func rangeProblem(s string, t Type) *problem {
	return &problem{stateOutOfRange, quote(s) + " is out of the range of " + t.String(), "use a larger numeric type"}
}

// specialFloat reads the values of approximate types that are no numbers.
func specialFloat(s string) (float64, bool) {
	switch {
	case strings.EqualFold(s, "NaN"):
		return math.NaN(), true
	case strings.EqualFold(s, "Infinity") || strings.EqualFold(s, "+Infinity"):
		return math.Inf(1), true
	case strings.EqualFold(s, "-Infinity"):
		return math.Inf(-1), true
	}
	return 0, false
}
