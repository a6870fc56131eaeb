package columnar

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// truth makes a node of truth values of one that may be NULL without a type.
func (b *builder) truth(x *node) *node {
	switch {
	case x.kind == kindTruth:
		return x
	case x.kind != kindBoxed:
		return b.fail(value.TypeBoolean)
	case x.null():
		return b.null(kindTruth, value.TypeBoolean, 0)
	}
	return b.addPartial(node{kind: kindTruth, typ: value.TypeBoolean, eval: func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		v.t, v.f = mask{}, mask{}
		on.each(func(i int) { v.setTruth(i, value.TruthOf(a.vals[i])) })
	}}, x)
}

// logical makes AND, OR and NOT. The operands of AND and OR are evaluated from
// left to right, for the rows that are not determined yet (DEF-15).
func (b *builder) logical(n *scalar.Logical) *node {
	args := make([]*node, len(n.Args))
	for i, e := range n.Args {
		args[i] = b.truth(b.expr(e))
	}
	if n.Op == scalar.OpNot {
		return b.not(args[0])
	}
	and := n.Op == scalar.OpAnd
	return b.truthNode(func(r *run, v *vec, on *mask) { junction(r, v, on, args, and) }, "logical"+n.Op.String(), args...)
}

func junction(r *run, v *vec, on *mask, args []*node, and bool) {
	rest := &v.own.rest
	*rest = *on
	for k, arg := range args {
		a := r.eval(arg, rest)
		if k == 0 {
			v.t, v.f = a.t, a.f
		}
		var open uint64
		if and {
			for w := range rest {
				v.t[w] &= a.t[w]
				v.f[w] |= a.f[w]
				rest[w] &^= a.f[w]
				open |= rest[w]
			}
		} else {
			for w := range rest {
				v.t[w] |= a.t[w]
				v.f[w] &= a.f[w]
				rest[w] &^= a.t[w]
				open |= rest[w]
			}
		}
		if open == 0 {
			return
		}
	}
}

func (b *builder) not(x *node) *node {
	return b.truthNode(func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		v.t, v.f = a.f, a.t
	}, "not", x)
}

func (b *builder) negated(x *node, negated bool) *node {
	if negated {
		return b.not(x)
	}
	return x
}

// between makes x >= low AND x <= high; x is evaluated once.
func (b *builder) between(n *scalar.Between) *node {
	x := b.expr(n.X)
	both := []*node{
		b.compare(scalar.OpGreaterEqual, x, b.expr(n.Low), n.Options),
		b.compare(scalar.OpLessEqual, x, b.expr(n.High), n.Options),
	}
	out := b.truthNode(func(r *run, v *vec, on *mask) { junction(r, v, on, both, true) }, "logicalAND", both...)
	return b.negated(out, n.Negated)
}

// in makes x = e1 OR x = e2 ... Neighbouring constants are one operand.
func (b *builder) in(n *scalar.In) *node {
	x := b.expr(n.X)
	var args []*node
	var ints []int64
	var texts []string
	flush := func() {
		switch {
		case len(ints) > 0:
			args = append(args, b.inInts(x, ints))
		case len(texts) > 0:
			args = append(args, b.inTexts(x, texts))
		}
		ints, texts = nil, nil
	}
	for _, e := range n.List {
		y := b.expr(e)
		plain := y.constant && !y.null() && !x.constant
		switch {
		case plain && x.kind == kindInt && y.kind == kindInt:
			c, _ := unboxInt(y.value, y.typ, y.scale)
			if scaled, ok := sameScale(c, y.scale, x.scale); ok {
				ints = append(ints, scaled)
				continue
			}
			args = append(args, b.always(x, false))
			continue
		case plain && x.kind == kindText && y.kind == kindText && !n.Options.PadSpace:
			texts = append(texts, y.value.AsString())
			continue
		}
		flush()
		args = append(args, b.compare(scalar.OpEqual, x, y, n.Options))
	}
	flush()
	out := b.truthNode(func(r *run, v *vec, on *mask) { junction(r, v, on, args, false) }, "logicalOR", args...)
	return b.negated(out, n.Negated)
}

// sameScale brings a number to another scale; false if no number of that scale
// that fits 64 bits is equal to it.
func sameScale(c int64, from, to int) (int64, bool) {
	if to >= from {
		return mulInt(c, pow10[to-from])
	}
	p := pow10[from-to]
	return c / p, c%p == 0
}

// fewAlternatives is up to how many constants are compared one after the other.
const fewAlternatives = 12

func (b *builder) inInts(x *node, list []int64) *node {
	key := fmt.Sprint("in", list)
	if len(list) <= fewAlternatives {
		return b.withConst(func(out []uint64, x *vec, n int) {
			var sum, one mask
			for _, c := range list {
				equalConst(one[:], x.ints[:n], c)
				for w := range sum {
					sum[w] |= one[w]
				}
			}
			copy(out, sum[:])
		}, false, key, x)
	}
	set := make(map[int64]struct{}, len(list))
	for _, c := range list {
		set[c] = struct{}{}
	}
	return b.withConst(func(out []uint64, x *vec, n int) {
		clear(out)
		for i, c := range x.ints[:n] {
			_, ok := set[c]
			out[i>>6] |= bit(ok) << (i & 63)
		}
	}, false, key, x)
}

func (b *builder) inTexts(x *node, list []string) *node {
	key := fmt.Sprintf("in%q", list)
	if len(list) <= fewAlternatives {
		return b.withConst(func(out []uint64, x *vec, n int) {
			var sum, one mask
			for _, s := range list {
				equalText(one[:], x, n, s)
				for w := range sum {
					sum[w] |= one[w]
				}
			}
			copy(out, sum[:])
		}, false, key, x)
	}
	set := make(map[string]struct{}, len(list))
	for _, s := range list {
		set[s] = struct{}{}
	}
	return b.withConst(func(out []uint64, x *vec, n int) {
		clear(out)
		for i := range n {
			if x.nulls != nil && x.nulls[i>>6]>>(i&63)&1 != 0 {
				continue
			}
			_, ok := set[x.text(i)]
			out[i>>6] |= bit(ok) << (i & 63)
		}
	}, false, key, x)
}

// isNull makes x IS [NOT] NULL.
func (b *builder) isNull(n *scalar.IsNull) *node {
	x := b.expr(n.X)
	eval := func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		v.t = a.isNull(x.kind, on)
		v.known(nil, nil, n.Negated)
	}
	if x.kind == kindBoxed && !x.constant { // of these only the rows in on are known
		return b.addPartial(node{kind: kindTruth, typ: value.TypeBoolean, eval: eval}, x)
	}
	return b.truthNode(eval, fmt.Sprint("null", n.Negated), x)
}

// isTruth makes x IS [NOT] TRUE, FALSE or UNKNOWN.
func (b *builder) isTruth(n *scalar.IsTruth) *node {
	x := b.truth(b.expr(n.X))
	return b.truthNode(func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		switch n.Value {
		case value.True:
			v.t = a.t
		case value.False:
			v.t = a.f
		default:
			v.t = a.isNull(kindTruth, on)
		}
		v.known(nil, nil, n.Negated)
	}, fmt.Sprint("is", n.Value, n.Negated), x)
}

// isDistinct makes x IS [NOT] DISTINCT FROM y: two NULLs are not distinct.
func (b *builder) isDistinct(n *scalar.IsDistinct) *node {
	x, y := b.expr(n.X), b.expr(n.Y)
	if x.kind == kindBoxed || y.kind == kindBoxed {
		x, y := b.boxed(x), b.boxed(y)
		return b.addPartial(node{kind: kindTruth, typ: value.TypeBoolean, eval: func(r *run, v *vec, on *mask) {
			a, c := r.eval(x, on), r.eval(y, on)
			v.t, v.f = mask{}, mask{}
			on.each(func(i int) {
				v.setTruth(i, value.TruthOf(value.Bool(value.Identical(a.vals[i], c.vals[i], n.Options) == n.Negated)))
			})
		}}, x, y)
	}
	same := b.compare(scalar.OpEqual, x, y, n.Options)
	return b.truthNode(func(r *run, v *vec, on *mask) {
		a, c, e := r.eval(x, on), r.eval(y, on), r.eval(same, on)
		left, right := a.isNull(x.kind, on), c.isNull(y.kind, on)
		for w := range v.t {
			v.t[w] = e.t[w] | left[w]&right[w]
		}
		v.known(nil, nil, !n.Negated)
	}, fmt.Sprint("distinct", n.Negated), x, y, same)
}
