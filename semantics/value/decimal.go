package value

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/cockroachdb/apd/v3"
)

// maxFraction is the number of digits after the point that an unscaled
// decimal can have: enough for the digits of every double. Digits beyond it
// are rounded away, so that no number costs unbounded space.
const maxFraction = 400

// pow10 holds the powers of ten that fit an int64; uint64 has one more.
var pow10 = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
	1e15, 1e16, 1e17, 1e18}

// round38 computes with the 38 significant digits, half up, of TYPE-3; wide
// computes exact sums and products of any two decimals of ours.
var (
	round38 = newContext(MaxPrecision)
	wide    = newContext(2000)
)

func newContext(precision uint32) *apd.Context {
	c := apd.BaseContext.WithPrecision(precision)
	c.Rounding = apd.RoundHalfUp
	c.Traps = 0
	return c
}

// abs64 returns the magnitude of n, also of the smallest int64.
func abs64(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// signed returns mag with a sign, and whether it fits an int64.
func signed(mag uint64, negative bool) (int64, bool) {
	if negative {
		return -int64(mag), mag <= 1<<63
	}
	return int64(mag), mag < 1<<63
}

// add64 and mul64 report in ok whether the result is exact.
func add64(x, y int64) (r int64, ok bool) {
	r = x + y
	return r, (x^r)&(y^r) >= 0
}

func sub64(x, y int64) (r int64, ok bool) {
	r = x - y
	return r, (x^y)&(x^r) >= 0
}

func mul64(x, y int64) (r int64, ok bool) {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x)
	return int64(lo), hi == uint64(int64(lo)>>63)
}

// exact returns coefficient and scale of an exact number held in an int64.
func exact(v Value) (n int64, scale int, ok bool) {
	return v.n, int(v.scale), v.form == FormInt || v.form == FormDecimal && v.ref == nil
}

// isExact reports a value of an exact numeric type.
func isExact(v Value) bool { return v.form == FormInt || v.form == FormDecimal }

// isNumber reports a value of a numeric type.
func isNumber(v Value) bool { return isExact(v) || v.form == FormDouble }

// readDecimal returns an exact number to be read only.
func readDecimal(v Value) *apd.Decimal {
	if d, ok := v.ref.(*apd.Decimal); ok {
		return d
	}
	return apd.New(v.n, -int32(v.scale))
}

// rescale changes the scale of n, half up; ok is false if it does not fit.
func rescale(n int64, from, to int) (r int64, ok bool) {
	switch {
	case from == to || n == 0:
		return n, true
	case from < to:
		if to-from >= len(pow10) {
			return 0, false
		}
		return mul64(n, pow10[to-from])
	case from-to >= len(pow10):
		// |n| < 10^19: half of 10^19 or more is rounded up.
		if from-to == len(pow10) && abs64(n) >= 5e18 {
			return int64(cmp.Compare(n, 0)), true
		}
		return 0, true
	}
	return roundQuotient(n, pow10[from-to]), true
}

// roundQuotient is n / d for positive d, half away from zero.
func roundQuotient(n, d int64) int64 {
	q, r := n/d, n%d
	if abs64(r) >= uint64(d)-abs64(r) {
		q += int64(cmp.Compare(n, 0))
	}
	return q
}

// divRound is num / den, half away from zero.
func divRound(num, den *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	if r.Abs(r).Lsh(r, 1).CmpAbs(den) >= 0 {
		q.Add(q, big.NewInt(int64(num.Sign()*den.Sign())))
	}
	return q
}

// fitsPrecision reports |n| < 10^p.
func fitsPrecision(n int64, p int) bool {
	return p >= len(pow10) || abs64(n) < uint64(pow10[p])
}

// stripZeros drops zeros at the end of a fraction, as unscaled decimals do.
func stripZeros(n int64, scale int) Value {
	for scale > 0 && n%10 == 0 {
		n /= 10
		scale--
	}
	return ScaledInt(n, scale)
}

// FitDecimal rounds a finite d half up to the decimal type t: to its scale, or
// to 38 significant digits for the unscaled decimal (TYPE-3). A number that
// does not fit the precision is error 22003. d may be changed.
func FitDecimal(d *apd.Decimal, t Type) (Value, error) {
	if d.Form != apd.Finite {
		return Null, outOfRange(d.String(), t)
	}
	if d.IsZero() {
		return ScaledInt(0, t.Scale), nil
	}
	whole := int(d.NumDigits()) + int(d.Exponent) // digits before the point
	if t.Precision > 0 {
		if whole > t.Precision-t.Scale {
			return Null, outOfRange(d.Text('g'), t)
		}
		var r apd.Decimal
		wide.Quantize(&r, d, -int32(t.Scale))
		if r.NumDigits() > int64(t.Precision) {
			return Null, outOfRange(d.Text('g'), t)
		}
		return BigDecimal(&r), nil
	}
	if whole > MaxPrecision {
		return Null, outOfRange(d.Text('g'), t)
	}
	round38.Round(d, d)
	if d.Exponent < -maxFraction {
		wide.Quantize(d, d, -maxFraction)
	}
	d.Reduce(d)
	if int(d.NumDigits())+int(d.Exponent) > MaxPrecision {
		return Null, outOfRange(d.Text('g'), t)
	}
	return BigDecimal(d), nil
}

// outOfRange is error 22003 for a number, given as text, that t cannot hold.
func outOfRange(number string, t Type) error {
	e := runtimeError(stateOutOfRange, "%s is out of the range of %s", number, t)
	switch {
	case t.IsInteger():
		e.Hint = "use a larger type, for example CAST(... AS decimal(38, 0))"
	case t.Kind == Decimal && t.Precision > 0 && t.Precision < MaxPrecision:
		e.Hint = "use a type with more digits, at most decimal(38, s)"
	case t.IsApproximate():
		e.Hint = "real reaches about 3.4E38, double precision about 1.8E308"
	default:
		e.Hint = "exact numbers have at most 38 digits; double precision holds larger ones approximately"
	}
	return e
}

// ToFloat returns any numeric value as the nearest double.
func ToFloat(v Value) float64 {
	switch {
	case v.form == FormDouble:
		return v.AsFloat()
	case v.form == FormInt:
		return float64(v.n)
	case v.form != FormDecimal:
		return math.NaN()
	case v.ref == nil && v.scale <= 22 && abs64(v.n) <= 1<<53:
		// Both operands are exact doubles, so that the quotient is rounded once.
		return float64(v.n) / math.Pow10(int(v.scale))
	}
	f, _ := strconv.ParseFloat(readDecimal(v).Text('e'), 64)
	return f
}
