package columnar

import (
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// expr makes the node of an expression.
func (b *builder) expr(e scalar.Expr) *node {
	switch n := e.(type) {
	case *scalar.Const:
		return b.literal(n.Value, n.T)
	case *scalar.HostVariable:
		if !n.Bound {
			return b.fail(n.T)
		}
		return b.literal(n.Value, n.T)
	case *scalar.Unary:
		if n.Op == scalar.OpPlus {
			return b.expr(n.X)
		}
		return b.negate(n)
	case *scalar.Binary:
		if n.Op == scalar.OpConcat {
			return b.concat(n)
		}
		return b.arith(n)
	case *scalar.Compare:
		if out := b.quotient(n); out != nil {
			return out
		}
		return b.compare(n.Op, b.expr(n.X), b.expr(n.Y), n.Options)
	case *scalar.Logical:
		return b.logical(n)
	case *scalar.Between:
		return b.between(n)
	case *scalar.In:
		return b.in(n)
	case *scalar.Like:
		return b.like(n)
	case *scalar.IsNull:
		return b.isNull(n)
	case *scalar.IsTruth:
		return b.isTruth(n)
	case *scalar.IsDistinct:
		return b.isDistinct(n)
	case *scalar.Case:
		return b.caseOf(n)
	case *scalar.Cast:
		return b.cast(n)
	case *scalar.Coercion:
		return b.coercion(n)
	case *scalar.Extract:
		return b.extract(n)
	case *scalar.Func:
		return b.function(n)
	case *scalar.ArrayMaker:
		return b.array(n)
	case *scalar.Subquery, *scalar.Exists, *scalar.InSubquery:
		return b.subquery(e)
	case *scalar.Invalid:
		return b.fail(n.T)
	}
	return b.leaf(e)
}

// exprs makes the nodes of a list.
func (b *builder) exprs(list []scalar.Expr) []*node {
	out := make([]*node, len(list))
	for i, e := range list {
		out[i] = b.expr(e)
	}
	return out
}

// leaf makes the node of a leaf.
func (b *builder) leaf(e scalar.Expr) *node {
	l, ok := b.leaves(e)
	if !ok {
		return b.fail(e.Type())
	}
	switch l.what {
	case columnLeaf:
		return b.column(l.column, e.Type())
	case constantLeaf:
		return b.literal(l.value, e.Type())
	case shiftLeaf:
		return b.shifted(l, e.Type())
	}
	return b.fail(e.Type())
}

// shifted makes the node of a navigation: its argument on another row, and NULL
// where one of the steps leads out of the partition. A column is NULL there by
// itself.
func (b *builder) shifted(l Leaf, t value.Type) *node {
	outer := b.shift
	var inner []int // the distances behind each step
	for _, s := range l.steps {
		if s > maxSteps || s < -maxSteps || b.shift+s > maxSteps || b.shift+s < -maxSteps {
			b.shift = outer
			k, scale := b.heldAs(t)
			return b.null(k, t, scale)
		}
		b.shift += s
		if b.shift != 0 {
			inner = append(inner, b.shiftOf(b.shift))
		}
	}
	arg, isLeaf := b.leaves(l.arg)
	n := b.expr(l.arg)
	if isLeaf && arg.what == columnLeaf && len(inner) > 0 && b.shift != 0 {
		inner = inner[:len(inner)-1]
	}
	b.shift = outer
	for _, shift := range inner {
		n = b.within(n, shift)
	}
	return n
}

// within makes NULL what is evaluated at a distance that leads out of the partition.
func (b *builder) within(x *node, shift int) *node {
	n := node{kind: x.kind, typ: x.typ, scale: x.scale}
	n.eval = func(r *run, v *vec, on *mask) {
		outside := r.outside(shift)
		if outside == nil {
			v.share(r.eval(x, on))
			return
		}
		inside := &v.own.rest
		*inside = *on
		for w := range inside {
			inside[w] &^= outside[w]
		}
		a := r.eval(x, inside)
		v.share(a)
		switch n.kind {
		case kindTruth:
			for w := range inside {
				v.t[w] &^= outside[w]
				v.f[w] &^= outside[w]
			}
		case kindBoxed:
			to := v.makeVals()
			copy(to, a.vals[:r.n])
			outside.each(func(i int) { to[i] = value.Null })
		default:
			v.own.nulls = *outside
			if a.nulls != nil {
				for w := range inside {
					v.own.nulls[w] |= a.nulls[w]
				}
			}
			v.nulls = &v.own.nulls
		}
	}
	if x.total {
		// A constant argument must not be folded: it is NULL at the ends.
		n.total = true
		return b.place(n, "", nil)
	}
	return b.addPartial(n, x)
}
