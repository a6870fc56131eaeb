package scalar

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// Variance, standard deviation, covariance, correlation and regression. All
// sums are kept exactly, of exact numbers in powers of ten, of approximate
// ones in powers of two; the result is the double nearest to the exact value.
// Hence it does not depend on the order of the rows.
func init() {
	registerStat("VAR_POP", func(p *pairs) *big.Rat { return p.y.variance(p.n, p.n) })
	registerStat("VAR_SAMP", func(p *pairs) *big.Rat { return p.y.variance(p.n, p.n-1) }, "VARIANCE")
	registerRoot("STDDEV_POP", func(p *pairs) *big.Rat { return p.y.variance(p.n, p.n) })
	registerRoot("STDDEV_SAMP", func(p *pairs) *big.Rat { return p.y.variance(p.n, p.n-1) }, "STDDEV")
	registerPairs("COVAR_POP", func(p *pairs) *big.Rat { return p.covariance(p.n) })
	registerPairs("COVAR_SAMP", func(p *pairs) *big.Rat { return p.covariance(p.n - 1) })
	registerPairs("REGR_SLOPE", func(p *pairs) *big.Rat { return quotient(p.covariance(p.n), p.x.variance(p.n, p.n)) })
	registerPairs("REGR_INTERCEPT", intercept)
	registerPairs("REGR_R2", func(p *pairs) *big.Rat {
		x, y := p.x.variance(p.n, p.n), p.y.variance(p.n, p.n)
		if x == nil || x.Sign() == 0 {
			return nil
		}
		if y.Sign() == 0 {
			return big.NewRat(1, 1)
		}
		c := p.covariance(p.n)
		return quotient(c.Mul(c, c), x.Mul(x, y))
	})
	registerMoments(2, "CORR", "(y, x)", correlation)
	registerAggregate(&Aggregate{Name: "REGR_COUNT", MinArgs: 2, MaxArgs: 2, Usage: "REGR_COUNT(y, x)", params: []param{aNumber},
		result: func([]value.Type, value.Options) value.Type { return value.TypeBigint },
		create: func(args []value.Type, _ value.Options) Accumulator {
			return newPairs(args, func(p *pairs) (value.Value, error) { return value.Int(p.n), nil })
		}})
}

func registerMoments(args int, name, usage string, finish func(p *pairs) (value.Value, error), aliases ...string) {
	registerAggregate(&Aggregate{Name: name, MinArgs: args, MaxArgs: args, Usage: name + usage, params: []param{aNumber},
		result: func([]value.Type, value.Options) value.Type { return value.TypeDouble },
		create: func(args []value.Type, _ value.Options) Accumulator { return newPairs(args, finish) }}, aliases...)
}

// registerStat adds a function of one argument, registerPairs one of two; nil is NULL.
func registerStat(name string, f func(p *pairs) *big.Rat, aliases ...string) {
	registerMoments(1, name, "(number)", nearest(f), aliases...)
}

func registerPairs(name string, f func(p *pairs) *big.Rat) {
	registerMoments(2, name, "(y, x)", nearest(f))
}

// registerRoot adds the square root of a function of one argument.
func registerRoot(name string, f func(p *pairs) *big.Rat, aliases ...string) {
	registerMoments(1, name, "(number)", func(p *pairs) (value.Value, error) {
		r := f(p)
		if p.special() || r == nil {
			return nearest(f)(p)
		}
		return value.Float(float(root(r))), nil
	}, aliases...)
}

// nearest turns an exact result into the nearest double; NaN if NaN or an
// infinity was among the arguments.
func nearest(f func(p *pairs) *big.Rat) func(p *pairs) (value.Value, error) {
	return func(p *pairs) (value.Value, error) {
		r := f(p)
		switch {
		case r == nil:
			return value.Null, nil
		case p.special():
			return value.Float(math.NaN()), nil
		}
		y, _ := r.Float64()
		return finite(y, 0, 0)
	}
}

// precision is the precision in bits of square roots, before they are rounded to double.
const precision = 256

func root(r *big.Rat) *big.Float {
	f := new(big.Float).SetPrec(precision).SetRat(r)
	return f.Sqrt(f)
}

func float(f *big.Float) float64 {
	y, _ := f.Float64()
	return y
}

// quotient is a / b; nil if b is 0 or missing.
func quotient(a, b *big.Rat) *big.Rat {
	if a == nil || b == nil || b.Sign() == 0 {
		return nil
	}
	return new(big.Rat).Quo(a, b)
}

// moments holds the sums of one column: its values are integers times base^-scale.
type moments struct {
	base         int // 10 or 2
	scale        int
	sum, squares big.Int
	special      bool    // NaN or an infinity was added
	current      big.Int // the value added last
}

// read takes a value to the column's scale and into current. If the scale has
// to grow, the sums grow with it; the factor is returned, else nil.
func (m *moments) read(v value.Value) *big.Int {
	scale := 0
	switch v.Form() {
	case value.FormDouble:
		scale = m.readFloat(v.AsFloat())
	case value.FormDecimal:
		if n, s, ok := v.AsScaled(); ok {
			m.current.SetInt64(n)
			scale = s
			break
		}
		d := v.AsDecimal()
		m.current.Set(d.Coeff.MathBigInt())
		if d.Negative {
			m.current.Neg(&m.current)
		}
		scale = -int(d.Exponent)
	default:
		m.current.SetInt64(v.Raw())
	}
	if scale <= m.scale {
		if scale < m.scale {
			m.current.Mul(&m.current, powerOf(m.base, m.scale-scale))
		}
		return nil
	}
	factor := powerOf(m.base, scale-m.scale)
	m.scale = scale
	m.sum.Mul(&m.sum, factor)
	m.squares.Mul(&m.squares, factor).Mul(&m.squares, factor)
	return factor
}

// readFloat takes a double apart: it is current times 2^-scale.
func (m *moments) readFloat(f float64) (scale int) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		m.special = true
		m.current.SetInt64(0)
		return 0
	}
	fraction, exponent := math.Frexp(f)
	n := int64(fraction * (1 << 53))
	zeros := 0
	if n != 0 {
		zeros = bits.TrailingZeros64(uint64(n))
	}
	m.current.SetInt64(n >> zeros)
	return 53 - exponent - zeros
}

// add adds current to the sums.
func (m *moments) add() {
	m.sum.Add(&m.sum, &m.current)
	var square big.Int
	m.squares.Add(&m.squares, square.Mul(&m.current, &m.current))
}

// variance is (n * squares - sum^2) / (n * divisor); nil if the divisor is not positive.
func (m *moments) variance(n, divisor int64) *big.Rat {
	if divisor <= 0 {
		return nil
	}
	return new(big.Rat).SetFrac(
		spread(n, &m.squares, &m.sum, &m.sum),
		product(n, divisor, powerOf(m.base, 2*m.scale)))
}

// spread is n * products - a * b.
func spread(n int64, products, a, b *big.Int) *big.Int {
	s := new(big.Int).Mul(big.NewInt(n), products)
	return s.Sub(s, new(big.Int).Mul(a, b))
}

func product(n, m int64, factor *big.Int) *big.Int {
	p := new(big.Int).Mul(big.NewInt(n), big.NewInt(m))
	return p.Mul(p, factor)
}

// pairs accumulates the rows in which no argument is NULL. Functions of one
// argument use y alone; of two arguments the first is y, the second x.
type pairs struct {
	n      int64
	y, x   moments
	xy     big.Int // sum of products
	finish func(*pairs) (value.Value, error)
}

func newPairs(args []value.Type, finish func(*pairs) (value.Value, error)) *pairs {
	p := &pairs{finish: finish}
	for i, m := range []*moments{&p.y, &p.x} {
		m.base = 10
		if i < len(args) && args[i].IsApproximate() {
			m.base = 2
		}
	}
	return p
}

func (p *pairs) special() bool { return p.y.special || p.x.special }

func (p *pairs) Add(args []value.Value) error {
	if args[0].IsNull() || len(args) == 2 && args[1].IsNull() {
		return nil
	}
	p.n++
	if f := p.y.read(args[0]); f != nil {
		p.xy.Mul(&p.xy, f)
	}
	p.y.add()
	if len(args) == 2 {
		if f := p.x.read(args[1]); f != nil {
			p.xy.Mul(&p.xy, f)
		}
		p.x.add()
		var xy big.Int
		p.xy.Add(&p.xy, xy.Mul(&p.x.current, &p.y.current))
	}
	return nil
}

func (p *pairs) Result() (value.Value, error) { return p.finish(p) }

// covariance is (n * xy - x * y) / (n * divisor); nil if the divisor is not positive.
func (p *pairs) covariance(divisor int64) *big.Rat {
	if divisor <= 0 {
		return nil
	}
	unit := powerOf(p.x.base, p.x.scale)
	return new(big.Rat).SetFrac(
		spread(p.n, &p.xy, &p.x.sum, &p.y.sum),
		product(p.n, divisor, unit.Mul(unit, powerOf(p.y.base, p.y.scale))))
}

// intercept is avg(y) - slope * avg(x).
func intercept(p *pairs) *big.Rat {
	slope := quotient(p.covariance(p.n), p.x.variance(p.n, p.n))
	if slope == nil {
		return nil
	}
	return p.y.mean(p.n).Sub(p.y.mean(p.n), slope.Mul(slope, p.x.mean(p.n)))
}

func (m *moments) mean(n int64) *big.Rat {
	return new(big.Rat).SetFrac(&m.sum, product(n, 1, powerOf(m.base, m.scale)))
}

// correlation is covariance / root(variance of x * variance of y); NULL if a variance is 0.
func correlation(p *pairs) (value.Value, error) {
	c, x, y := p.covariance(p.n), p.x.variance(p.n, p.n), p.y.variance(p.n, p.n)
	switch {
	case c == nil || x.Sign() == 0 && !p.x.special || y.Sign() == 0 && !p.y.special:
		return value.Null, nil
	case p.special():
		return value.Float(math.NaN()), nil
	}
	f := new(big.Float).SetPrec(precision).SetRat(c)
	return value.Float(float(f.Quo(f, root(x.Mul(x, y))))), nil
}
