package columnar

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// toDouble converts numbers to double precision (TYPE-5).
func (b *builder) toDouble(x *node) *node {
	n := node{kind: kindFloat, typ: value.TypeDouble}
	switch {
	case x.kind == kindFloat:
		return x
	case x.kind != kindInt || !x.typ.IsNumeric():
		return b.fail(value.TypeDouble)
	case x.scale == 0:
		n.eval = func(r *run, v *vec, on *mask) {
			a := r.eval(x, on)
			v.nulls = a.nulls
			z := v.makeFloats()[:r.n]
			for i, c := range a.ints[:r.n] {
				z[i] = float64(c)
			}
		}
	default:
		// Up to 2^53 both operands are exact, so that the quotient is rounded once.
		unit := math.Pow10(x.scale)
		n.eval = func(r *run, v *vec, on *mask) {
			a := r.eval(x, on)
			v.nulls = a.nulls
			z := v.makeFloats()[:r.n]
			for i, c := range a.ints[:r.n] {
				if c <= 1<<53 && c >= -1<<53 {
					z[i] = float64(c) / unit
				} else {
					z[i] = value.ToFloat(value.ScaledInt(c, x.scale))
				}
			}
		}
	}
	return b.add(n, "double", x)
}

// mapFloats makes a total function of one double.
func (b *builder) mapFloats(t value.Type, key string, f func(float64) float64, x *node) *node {
	return b.add(node{kind: kindFloat, typ: t, eval: func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		v.nulls = a.nulls
		z := v.makeFloats()[:r.n]
		for i, c := range a.floats[:r.n] {
			z[i] = f(c)
		}
	}}, key, x)
}

// floatArith computes in double precision, and rounds once more for real. A
// division by zero is an error, and an infinite result of finite operands.
func (b *builder) floatArith(op scalar.Op, t value.Type, x, y *node) *node {
	single := t.Kind == value.Real
	return b.addPartial(node{kind: kindFloat, typ: t, eval: func(r *run, v *vec, on *mask) {
		a, c := r.eval(x, on), r.eval(y, on)
		v.strict(a, c)
		z := v.makeFloats()[:r.n]
		floatLoop(op, z, a.floats, c.floats)
		odd := false
		for i, q := range z {
			if single {
				q = float64(float32(q))
				z[i] = q
			}
			if q > math.MaxFloat64 || q < -math.MaxFloat64 {
				odd = true
			}
		}
		if !odd && op != scalar.OpDivide {
			return
		}
		var bad mask
		for i, q := range z {
			p, d := a.floats[i], c.floats[i]
			bad[i>>6] |= bit(op == scalar.OpDivide && d == 0 || math.IsInf(q, 0) && !math.IsInf(p, 0) && !math.IsInf(d, 0)) << (i & 63)
		}
		r.raise(&bad, v, on)
	}}, x, y)
}

func floatLoop(op scalar.Op, z, x, y []float64) {
	x, y = x[:len(z)], y[:len(z)]
	switch op {
	case scalar.OpAdd:
		for i := range z {
			z[i] = x[i] + y[i]
		}
	case scalar.OpSubtract:
		for i := range z {
			z[i] = x[i] - y[i]
		}
	case scalar.OpMultiply:
		for i := range z {
			z[i] = x[i] * y[i]
		}
	default:
		for i := range z {
			z[i] = x[i] / y[i]
		}
	}
}
