package scalar

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/cockroachdb/apd/v3"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// COUNT, SUM and AVG.
func init() {
	registerAggregate(&Aggregate{Name: "COUNT", R010: true, MinArgs: 0, MaxArgs: 1, Usage: "COUNT(*) or COUNT(x)", params: []param{anything},
		result: func([]value.Type, value.Options) value.Type { return value.TypeBigint },
		create: func([]value.Type, value.Options) Accumulator { return &count{} }})
	registerAggregate(&Aggregate{Name: "COUNT_IF", MinArgs: 1, MaxArgs: 1, Usage: "COUNT_IF(condition)", params: []param{aBoolean},
		result: func([]value.Type, value.Options) value.Type { return value.TypeBigint },
		create: func([]value.Type, value.Options) Accumulator { return &countIf{} }})
	registerAggregate(&Aggregate{Name: "SUM", R010: true, MinArgs: 1, MaxArgs: 1, Usage: "SUM(number)", params: []param{aQuantity},
		result: sumType,
		create: func(args []value.Type, o value.Options) Accumulator {
			if args[0].IsApproximate() {
				return &floatSum{}
			}
			return &exactSum{arg: args[0], result: sumType(args, o)}
		}})
	registerAggregate(&Aggregate{Name: "AVG", R010: true, MinArgs: 1, MaxArgs: 1, Usage: "AVG(number)", params: []param{aQuantity},
		result: avgType,
		create: func(args []value.Type, o value.Options) Accumulator {
			if args[0].IsApproximate() {
				return &floatSum{average: true}
			}
			return &exactAvg{exactSum{arg: args[0], result: avgType(args, o)}}
		}})
}

var aQuantity = param{what: "a number or an interval", ok: func(t value.Type) bool { return t.IsNumeric() || t.IsInterval() }}

// sumType is TYPE-4: bigint for integers, decimal(38, s) for decimal(p, s),
// double for approximate numbers; intervals keep their type.
func sumType(args []value.Type, _ value.Options) value.Type {
	switch t := args[0]; {
	case t.IsInteger():
		return value.TypeBigint
	case t.Kind == value.Decimal && t.Precision > 0:
		return value.DecimalType(value.MaxPrecision, t.Scale)
	case t.IsApproximate():
		return value.TypeDouble
	default:
		return t
	}
}

// avgType is IMP-AVG for exact numbers.
func avgType(args []value.Type, o value.Options) value.Type {
	switch t := args[0]; {
	case t.IsApproximate():
		return value.TypeDouble
	case !t.IsExact():
		return t
	case o.Avg == value.AvgDouble:
		return value.TypeDouble
	case o.Avg == value.AvgArgument:
		return t
	}
	return value.TypeDecimal
}

// count counts rows, or values that are not NULL.
type count struct{ n int64 }

func (a *count) Add(args []value.Value) error {
	if len(args) == 0 || !args[0].IsNull() {
		a.n++
	}
	return nil
}

func (a *count) Result() (value.Value, error) { return value.Int(a.n), nil }

// countIf counts TRUE.
type countIf struct{ n int64 }

func (a *countIf) Add(args []value.Value) error {
	if args[0].AsBool() {
		a.n++
	}
	return nil
}

func (a *countIf) Result() (value.Value, error) { return value.Int(a.n), nil }

// floatSum adds approximate numbers from left to right in double precision,
// without compensation: the result depends on the order, as the standard allows.
type floatSum struct {
	average  bool
	n        int64
	sum      float64
	infinite bool // an argument was infinite
}

func (a *floatSum) Add(args []value.Value) error {
	if args[0].IsNull() {
		return nil
	}
	x := args[0].AsFloat()
	a.infinite = a.infinite || math.IsInf(x, 0)
	a.sum += x
	a.n++
	return nil
}

func (a *floatSum) Result() (value.Value, error) {
	switch {
	case a.n == 0:
		return value.Null, nil
	case !a.infinite && (math.IsInf(a.sum, 0)):
		return value.Null, outOfRange()
	case a.average:
		return value.Float(a.sum / float64(a.n)), nil
	}
	return value.Float(a.sum), nil
}

// exactSum adds exact numbers and intervals without rounding and without
// overflow: only the total must fit the type (TYPE-4). Numbers of the scale
// of the first one are added in 128 bits; others, which only the unscaled
// decimal has, and coefficients beyond int64 in rest.
type exactSum struct {
	arg, result value.Type
	n           int64
	hi, lo      uint64 // two's complement, times 10^-scale
	scale       int
	rest        *big.Int // nil: 0; times 10^-restScale
	restScale   int
}

func (a *exactSum) Add(args []value.Value) error {
	v := args[0]
	if v.IsNull() {
		return nil
	}
	coefficient, scale := v.Raw(), 0
	if v.Form() == value.FormDecimal {
		var ok bool
		if coefficient, scale, ok = v.AsScaled(); !ok {
			a.n++
			a.addRest(v.AsDecimal())
			return nil
		}
	}
	a.n++
	if a.hi|a.lo == 0 {
		a.scale = scale
	}
	if scale != a.scale {
		a.addRest(v.AsDecimal())
		return nil
	}
	var carry uint64
	a.lo, carry = bits.Add64(a.lo, uint64(coefficient), 0)
	a.hi, _ = bits.Add64(a.hi, uint64(coefficient>>63), carry)
	return nil
}

// addRest adds a number to rest, at the larger of both scales.
func (a *exactSum) addRest(d *apd.Decimal) {
	x := new(big.Int).Set(d.Coeff.MathBigInt())
	if d.Negative {
		x.Neg(x)
	}
	scale := -int(d.Exponent)
	if scale < 0 {
		x.Mul(x, powerOf(10, -scale))
		scale = 0
	}
	if a.rest == nil {
		a.rest, a.restScale = x, scale
		return
	}
	if scale > a.restScale {
		a.rest.Mul(a.rest, powerOf(10, scale-a.restScale))
		a.restScale = scale
	}
	a.rest.Add(a.rest, x.Mul(x, powerOf(10, a.restScale-scale)))
}

// powerOf is base^exponent.
func powerOf(base, exponent int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(exponent)), nil)
}

// small returns the total if it is held in an int64.
func (a *exactSum) small() (n int64, ok bool) {
	n = int64(a.lo)
	return n, a.rest == nil && a.hi == uint64(n>>63)
}

// total returns coefficient and scale of the exact sum.
func (a *exactSum) total() (*big.Int, int) {
	t := new(big.Int).SetInt64(int64(a.hi))
	t.Lsh(t, 64).Add(t, new(big.Int).SetUint64(a.lo))
	switch {
	case a.rest == nil:
		return t, a.scale
	case a.scale < a.restScale:
		t.Mul(t, powerOf(10, a.restScale-a.scale))
		return t.Add(t, a.rest), a.restScale
	}
	return t.Add(t, new(big.Int).Mul(a.rest, powerOf(10, a.scale-a.restScale))), a.scale
}

// decimalOf makes a decimal of coefficient and scale.
func decimalOf(coefficient *big.Int, scale int) *apd.Decimal {
	return apd.NewWithBigInt(new(apd.BigInt).SetMathBigInt(coefficient), -int32(scale))
}

func (a *exactSum) Result() (value.Value, error) {
	if a.n == 0 {
		return value.Null, nil
	}
	n, ok := a.small()
	if a.result.Kind == value.Decimal {
		if ok && a.result.Precision > 0 && a.scale == a.result.Scale {
			return value.ScaledInt(n, a.scale), nil
		}
		return value.FitDecimal(decimalOf(a.total()), a.result)
	}
	if !ok {
		if a.arg.IsInterval() {
			return value.Null, runtimeError(stateInterval, "the sum of intervals is out of range").
				WithHint("sum fewer rows, or numbers of a coarser unit")
		}
		total, _ := a.total()
		return value.Null, runtimeError(stateRange, "the sum %s is out of the range of %s", total, a.result).
			WithHint("sum decimals: SUM(CAST(x AS decimal(38,0)))")
	}
	return a.likeArgument(n), nil
}

const stateInterval = "22015" // interval field overflow

// likeArgument makes a value of the form of the argument.
func (a *exactSum) likeArgument(n int64) value.Value {
	switch a.arg.Kind {
	case value.IntervalDay:
		return value.IntervalOf(n)
	case value.IntervalYear:
		return value.MonthsOf(n)
	}
	return value.Int(n)
}

// exactAvg divides the exact sum once.
type exactAvg struct{ exactSum }

func (a *exactAvg) Result() (value.Value, error) {
	switch {
	case a.n == 0:
		return value.Null, nil
	case a.result.Kind == value.Double:
		coefficient, scale := a.total()
		f, _ := new(big.Rat).SetFrac(coefficient, new(big.Int).Mul(big.NewInt(a.n), powerOf(10, scale))).Float64()
		return value.Float(f), nil
	case a.result.Kind == value.Decimal && a.result.Precision == 0:
		if n, ok := a.small(); ok {
			return value.Arith("/", value.TypeDecimal, value.ScaledInt(n, a.scale), value.Int(a.n))
		}
		return value.Arith("/", value.TypeDecimal, value.BigDecimal(decimalOf(a.total())), value.Int(a.n))
	}
	// IMP-AVG=argument, and intervals: rounded half up to the argument's type.
	coefficient, scale := a.total()
	coefficient = divideHalfUp(coefficient, big.NewInt(a.n))
	if a.result.Kind == value.Decimal {
		return value.FitDecimal(decimalOf(coefficient, scale), a.result)
	}
	return a.likeArgument(coefficient.Int64()), nil
}

// divideHalfUp is num / den for positive den, half away from zero.
func divideHalfUp(num, den *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(num, den, new(big.Int))
	if r.Abs(r).Lsh(r, 1).Cmp(den) >= 0 {
		q.Add(q, big.NewInt(int64(num.Sign())))
	}
	return q
}
