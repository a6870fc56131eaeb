package columnar

import (
	"math"
	"math/bits"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// A quotient of exact numbers is rounded to 38 digits (TYPE-3). Conditions such
// as price / PREV(price) > 1.1 need its comparison only, and for that not even
// the quotient: with a * 10^-sa / (b * 10^-sb) against c * 10^-sc, the products
// a * 10^(sb+sc) and c * b * 10^sa tell.
//
// Rounding changes nothing. It is monotone, and c has less than 38 digits, so it
// could only make a quotient equal to c that is not. The two differ by at least
// 1 / (b * 10^(sa+sc)), and rounding moves a quotient by at most half of its
// 10^-37th part. The former is more if a * 10^(sb+sc) is less than 2 * 10^37: with
// 64 bits for a, that is so if sb+sc is at most 18. The quotient then also has
// at most 38 digits before the point, so that division by zero is the only error.

// quotient makes the comparison of a quotient with a constant; nil if the
// general one has to do it.
func (b *builder) quotient(n *scalar.Compare) *node {
	op, divide, with := n.Op, n.X, n.Y
	d, ok := divide.(*scalar.Binary)
	if !ok || d.Op != scalar.OpDivide {
		op, divide, with = mirrored(op), n.Y, n.X
		if d, ok = divide.(*scalar.Binary); !ok || d.Op != scalar.OpDivide {
			return nil
		}
	}
	if d.T.Kind != value.Decimal || d.T.Precision != 0 || !isConstant(with) {
		return nil
	}
	c := b.expr(with)
	xKind, xScale := b.heldAs(d.X.Type())
	yKind, yScale := b.heldAs(d.Y.Type())
	if !c.constant || c.null() || c.kind != kindInt || xKind != kindInt || yKind != kindInt || yScale+c.scale > maxScale {
		return nil
	}
	k, _ := unboxInt(c.value, c.typ, c.scale)
	// Only the difference of the two powers of ten matters.
	left := yScale + c.scale - xScale
	factor := int64(1)
	if left >= 0 {
		factor = pow10[left]
	} else if k, ok = mulInt(k, pow10[-left]); !ok {
		return nil
	}
	if k == math.MinInt64 {
		return nil
	}
	// The operands are compiled once it is certain that they serve here: twice
	// would be twice at every depth.
	x, y := b.expr(d.X), b.expr(d.Y)
	negated := false
	switch op {
	case scalar.OpNotEqual:
		op, negated = scalar.OpEqual, true
	case scalar.OpGreaterEqual:
		op, negated = scalar.OpLess, true
	case scalar.OpLessEqual:
		op, negated = scalar.OpGreater, true
	}
	return b.addPartial(node{kind: kindTruth, typ: value.TypeBoolean, eval: func(r *run, v *vec, on *mask) {
		a, d := r.eval(x, on), r.eval(y, on)
		v.strict(a, d)
		if compareQuotients(v.t[:], a.ints[:r.n], d.ints[:r.n], factor, k, op) {
			bad := &v.own.rest
			equalConst(bad[:], d.ints[:r.n], 0)
			r.raise(bad, v, on)
		}
		v.known(v.nulls, nil, negated)
	}}, x, y)
}

// isConstant reports that an expression is a literal or a host variable,
// perhaps with signs: it is compiled to be looked at.
func isConstant(e scalar.Expr) bool {
	switch n := e.(type) {
	case *scalar.Const:
		return true
	case *scalar.HostVariable:
		return n.Bound
	case *scalar.Unary:
		return isConstant(n.X)
	}
	return false
}

// compareQuotients compares x / y with k / factor by the sign of
// x * factor - k * y, which has less than 127 bits. It reports a y that is 0.
func compareQuotients(out []uint64, x, y []int64, factor, k int64, op scalar.Op) (zero bool) {
	for w := 0; len(x) > 0; w++ {
		n := min(len(x), 64)
		var m uint64
		for i, a := range x[:n] {
			d := y[i]
			hi, lo := mulWide(a, factor)
			khi, klo := mulWide(k, d)
			dlo, borrow := bits.Sub64(lo, klo, 0)
			dhi, _ := bits.Sub64(uint64(hi), uint64(khi), borrow)
			same := bit(dlo|dhi == 0)
			below := dhi>>63 ^ uint64(d)>>63 // of a negative divisor it is the other way round
			t := same
			switch op {
			case scalar.OpLess:
				t = below &^ same
			case scalar.OpGreater:
				t = 1 &^ (below | same)
			}
			m |= t << (i & 63)
			zero = zero || d == 0
		}
		out[w] = m
		x, y = x[n:], y[n:]
	}
	return zero
}
