package scalar

import (
	"cmp"
	"math"
	"math/big"
	"strconv"

	"github.com/cockroachdb/apd/v3"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// The numeric functions. Exact numbers stay exact where the function allows
// it; roots, powers and logarithms are computed in double precision.
func init() {
	register(&Function{Name: "ABS", MinArgs: 1, MaxArgs: 1, Usage: "ABS(number)",
		params: []param{{what: "a number or an interval", ok: func(t value.Type) bool { return t.IsNumeric() || t.IsInterval() }}},
		resolve: func(c *site) (value.Type, Impl) {
			t := c.typ(0)
			return t, Impl{One: func(a value.Value) (value.Value, error) { return absolute(t, a) }}
		}})
	register(&Function{Name: "MOD", MinArgs: 2, MaxArgs: 2, Usage: "MOD(dividend, divisor)", params: []param{aNumber}, resolve: resolveMod})
	register(&Function{Name: "SIGN", MinArgs: 1, MaxArgs: 1, Usage: "SIGN(number)", params: []param{aNumber}, resolve: resolveSign})

	register(&Function{Name: "FLOOR", MinArgs: 1, MaxArgs: 1, Usage: "FLOOR(number)", params: []param{aNumber},
		resolve: rounder{roundFloor, math.Floor}.resolve})
	register(&Function{Name: "CEILING", MinArgs: 1, MaxArgs: 1, Usage: "CEILING(number)", params: []param{aNumber},
		resolve: rounder{roundCeiling, math.Ceil}.resolve}, "CEIL")
	register(&Function{Name: "ROUND", MinArgs: 1, MaxArgs: 2, Usage: "ROUND(number [, digits])", params: []param{aNumber, anInteger},
		resolve: rounder{roundHalfUp, math.Round}.resolve})
	register(&Function{Name: "TRUNCATE", MinArgs: 1, MaxArgs: 2, Usage: "TRUNCATE(number [, digits])", params: []param{aNumber, anInteger},
		resolve: rounder{roundDown, math.Trunc}.resolve}, "TRUNC")

	registerDouble("SQRT", "number", func(x float64) (float64, error) {
		if x < 0 {
			return 0, runtimeError(statePower, "the square root of a negative number does not exist").
				WithHint("guard it: CASE WHEN x >= 0 THEN SQRT(x) END")
		}
		return math.Sqrt(x), nil
	})
	registerDouble("EXP", "number", plain(math.Exp))
	registerDouble("LN", "number", logarithm(math.Log))
	registerDouble("LOG10", "number", logarithm(math.Log10))
	registerDouble("SIN", "radians", plain(math.Sin))
	registerDouble("COS", "radians", plain(math.Cos))
	registerDouble("TAN", "radians", plain(math.Tan))
	registerDouble("ASIN", "number", within1(math.Asin))
	registerDouble("ACOS", "number", within1(math.Acos))
	registerDouble("ATAN", "number", plain(math.Atan))
	registerDouble("SINH", "number", plain(math.Sinh))
	registerDouble("COSH", "number", plain(math.Cosh))
	registerDouble("TANH", "number", plain(math.Tanh))
	registerDouble("DEGREES", "radians", plain(func(x float64) float64 { return x * 180 / math.Pi }))
	registerDouble("RADIANS", "degrees", plain(func(x float64) float64 { return x * math.Pi / 180 }))
	register(&Function{Name: "PI", Usage: "PI()", params: []param{aNumber},
		resolve: fixed(value.TypeDouble, Impl{Many: func([]value.Value) (value.Value, error) { return value.Float(math.Pi), nil }})})
	register(&Function{Name: "POWER", MinArgs: 2, MaxArgs: 2, Usage: "POWER(base, exponent)", params: []param{aDouble},
		resolve: fixed(value.TypeDouble, Impl{Two: power})}, "POW")
	register(&Function{Name: "LOG", MinArgs: 2, MaxArgs: 2, Usage: "LOG(base, number), LN(number) or LOG10(number)", params: []param{aDouble},
		resolve: fixed(value.TypeDouble, Impl{Two: logBase})})
}

// SQLSTATEs of numeric functions.
const (
	stateRange = "22003" // numeric value out of range
	stateLog   = "2201E" // invalid argument for natural logarithm
	statePower = "2201F" // invalid argument for power function
)

func absolute(t value.Type, v value.Value) (value.Value, error) {
	negative := false
	switch v.Form() {
	case value.FormDouble:
		return value.Float(math.Abs(v.AsFloat())), nil
	case value.FormDecimal:
		if n, _, ok := v.AsScaled(); ok {
			negative = n < 0
		} else {
			negative = v.AsDecimal().Negative
		}
	default:
		negative = v.Raw() < 0
	}
	if !negative {
		return v, nil
	}
	return value.Negate(t, v)
}

func resolveMod(c *site) (value.Type, Impl) {
	t, err := value.ModType(c.typ(0), c.typ(1))
	if err != nil {
		c.fail(c.pos, "write "+c.fn.Usage, "MOD cannot divide %s by %s", c.typ(0), c.typ(1))
	}
	return t, Impl{Two: func(a, b value.Value) (value.Value, error) { return value.Mod(t, a, b) }}
}

// resolveSign: an integer type and double keep their type, a decimal becomes decimal(1,0).
func resolveSign(c *site) (value.Type, Impl) {
	switch t := c.typ(0); {
	case t.IsApproximate():
		return t, Impl{One: func(a value.Value) (value.Value, error) {
			x := a.AsFloat()
			switch {
			case x > 0:
				x = 1
			case x < 0:
				x = -1
			}
			return value.Float(x), nil
		}}
	case t.Kind == value.Decimal:
		return value.DecimalType(1, 0), Impl{One: func(a value.Value) (value.Value, error) {
			return value.ScaledInt(int64(a.AsDecimal().Sign()), 0), nil
		}}
	default:
		return t, Impl{One: func(a value.Value) (value.Value, error) {
			return value.Int(int64(compare(a, value.Int(0), value.Options{}))), nil
		}}
	}
}

// mode is a direction of rounding.
type mode uint8

const (
	roundDown mode = iota // toward zero
	roundHalfUp
	roundFloor
	roundCeiling
)

// rounder is one way of rounding, for exact and for approximate numbers.
type rounder struct {
	mode  mode
	float func(float64) float64
}

// away reports whether a quotient that was truncated has to go one further
// away from zero: sign is that of the number, half compares the remainder with
// one half, exact means that there is no remainder.
func (m mode) away(sign, half int, exact bool) bool {
	switch m {
	case roundHalfUp:
		return half >= 0
	case roundFloor:
		return sign < 0 && !exact
	case roundCeiling:
		return sign > 0 && !exact
	}
	return false
}

// resolve finds type and implementation: integers and approximate numbers
// keep their type. A decimal(p,s) has room for one more digit before the
// point, and as many after it as a literal number of digits asks for.
func (r rounder) resolve(c *site) (value.Type, Impl) {
	t := c.typ(0)
	digits := len(c.args) == 2
	if t.Kind == value.Decimal && t.Precision > 0 {
		scale := 0
		if digits {
			scale = t.Scale
			if n, ok := literalInt(c.args[1]); ok {
				scale = int(min(max(n, 0), int64(t.Scale)))
			}
		}
		if digits || t.Scale > 0 {
			t = value.DecimalType(min(t.Precision-t.Scale+scale+1, value.MaxPrecision), scale)
		}
	}
	if !digits {
		return t, Impl{One: func(a value.Value) (value.Value, error) { return r.round(t, a, 0) }}
	}
	return t, Impl{Two: func(a, n value.Value) (value.Value, error) { return r.round(t, a, n.Raw()) }}
}

// round rounds to digits after the point (negative: before it), as type t.
func (r rounder) round(t value.Type, v value.Value, digits int64) (value.Value, error) {
	switch v.Form() {
	case value.FormDouble:
		return r.roundFloat(t, v.AsFloat(), digits)
	case value.FormInt:
		if digits >= 0 {
			return v, nil
		}
	}
	if n, scale, ok := v.AsScaled(); ok && digits >= 0 && digits < int64(scale) && int64(scale)-digits < int64(len(pow10)) && t.Precision > 0 {
		unit := pow10[int64(scale)-digits]
		q, rest := n/unit, n%unit
		if r.mode.away(cmp.Compare(n, 0), cmp.Compare(absolute64(rest), unit-absolute64(rest)), rest == 0) {
			q += int64(cmp.Compare(n, 0))
		}
		if digits == int64(t.Scale) {
			return value.ScaledInt(q, t.Scale), nil
		}
		return value.FitDecimal(apd.New(q, -int32(digits)), t)
	}
	d := r.quantize(v.AsDecimal(), digits)
	if t.IsInteger() {
		return value.Convert(value.BigDecimal(d), t)
	}
	return value.FitDecimal(d, t)
}

// pow10 holds the powers of ten that fit an int64.
var pow10 = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

func absolute64(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

// mostDigits bounds the digits that rounding looks at: beyond it lie no
// digits of any number.
const mostDigits = 400

// quantize rounds d to digits after the point; exponents above 0 are written out.
func (r rounder) quantize(d *apd.Decimal, digits int64) *apd.Decimal {
	digits = max(digits, -mostDigits)
	drop := -int(d.Exponent) - int(min(digits, mostDigits))
	if drop <= 0 {
		return d
	}
	unit := powerOf(10, drop)
	q, rest := new(big.Int).QuoRem(d.Coeff.MathBigInt(), unit, new(big.Int))
	sign := d.Sign()
	exact := rest.Sign() == 0
	if r.mode.away(sign, rest.Lsh(rest, 1).Cmp(unit), exact) {
		q.Add(q, big.NewInt(1))
	}
	scale := int(digits)
	if scale < 0 {
		q.Mul(q, powerOf(10, -scale))
		scale = 0
	}
	if sign < 0 {
		q.Neg(q)
	}
	return decimalOf(q, scale)
}

// literalInt returns the number that an integer literal with or without sign denotes.
func literalInt(e Expr) (int64, bool) {
	sign := int64(1)
	for {
		switch n := e.(type) {
		case *Const:
			return sign * n.Value.Raw(), n.Value.Form() == value.FormInt
		case *Unary:
			if n.Op == OpNegate {
				sign = -sign
			}
			e = n.X
		default:
			return 0, false
		}
	}
}

// roundFloat rounds the shortest decimal number that denotes x, so that
// ROUND(2.675e0, 2) is 2.68 as it reads.
func (r rounder) roundFloat(t value.Type, x float64, digits int64) (value.Value, error) {
	if digits == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return value.Float(r.float(x)), nil
	}
	bits := 64
	if t.Kind == value.Real {
		bits = 32
	}
	d, _, err := apd.NewFromString(strconv.FormatFloat(x, 'e', -1, bits))
	if err != nil {
		return value.Null, err
	}
	y, err := strconv.ParseFloat(r.quantize(d, digits).Text('e'), bits)
	if err != nil {
		return value.Null, outOfRange()
	}
	return value.Float(y), nil
}

func outOfRange() error {
	return runtimeError(stateRange, "the result is out of the range of double precision").
		WithHint("scale the numbers down before")
}

// registerDouble adds a function from double to double.
func registerDouble(name, arg string, f func(float64) (float64, error)) {
	register(&Function{Name: name, MinArgs: 1, MaxArgs: 1, Usage: name + "(" + arg + ")", params: []param{aDouble},
		resolve: fixed(value.TypeDouble, Impl{One: func(a value.Value) (value.Value, error) {
			y, err := f(a.AsFloat())
			if err != nil {
				return value.Null, err
			}
			return finite(y, a.AsFloat(), 0)
		}})})
}

// finite refuses an infinite result of finite arguments (22003).
func finite(y, a, b float64) (value.Value, error) {
	if math.IsInf(y, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return value.Null, outOfRange()
	}
	return value.Float(y), nil
}

func plain(f func(float64) float64) func(float64) (float64, error) {
	return func(x float64) (float64, error) { return f(x), nil }
}

func within1(f func(float64) float64) func(float64) (float64, error) {
	return func(x float64) (float64, error) {
		if x < -1 || x > 1 {
			return 0, runtimeError(stateRange, "the argument is not from -1 to 1").
				WithHint("guard it: CASE WHEN x BETWEEN -1 AND 1 THEN ... END")
		}
		return f(x), nil
	}
}

func logarithm(f func(float64) float64) func(float64) (float64, error) {
	return func(x float64) (float64, error) {
		if x <= 0 {
			return 0, runtimeError(stateLog, "the logarithm of zero or a negative number does not exist").
				WithHint("guard it: CASE WHEN x > 0 THEN LN(x) END")
		}
		return f(x), nil
	}
}

func logBase(base, x value.Value) (value.Value, error) {
	b, y := base.AsFloat(), x.AsFloat()
	switch {
	case b <= 0 || b == 1:
		return value.Null, runtimeError(stateLog, "the base of a logarithm is zero, negative or 1").
			WithHint("write LOG(base, number), for example LOG(2, x)")
	case y <= 0:
		return value.Null, runtimeError(stateLog, "the logarithm of zero or a negative number does not exist").
			WithHint("guard it: CASE WHEN x > 0 THEN LN(x) END")
	case b == 2:
		return value.Float(math.Log2(y)), nil
	case b == 10:
		return value.Float(math.Log10(y)), nil
	}
	return finite(math.Log(y)/math.Log(b), b, y)
}

func power(base, exponent value.Value) (value.Value, error) {
	x, y := base.AsFloat(), exponent.AsFloat()
	switch {
	case x == 0 && y < 0:
		return value.Null, runtimeError(statePower, "zero has no negative power").
			WithHint("guard the base: NULLIF(x, 0)")
	case x < 0 && y != math.Trunc(y):
		return value.Null, runtimeError(statePower, "a negative number has only integer powers").
			WithHint("take the absolute value, or an integer exponent")
	}
	return finite(math.Pow(x, y), x, y)
}
