package columnar

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// branch is a value that a node takes on the rows where a condition is TRUE.
type branch struct {
	cond *node // nil: on all rows that are left
	then *node
}

// as makes x a node that is held like another one of its type; NULL without a
// type fits everywhere.
func (b *builder) as(x *node, k kind, t value.Type, scale int) *node {
	switch {
	case x.kind == k && x.scale == scale:
		return x
	case x.null():
		return b.null(k, t, scale)
	case x.kind == kindInt && k == kindInt:
		return b.rescale(x, scale)
	case k == kindBoxed:
		return b.boxed(x)
	case x.kind == kindBoxed:
		return b.unboxed(x, k, t, scale)
	}
	return b.fail(t)
}

// choice makes a node that takes the first branch that holds, and NULL if none
// does. No other branch is evaluated (DEF-15).
func (b *builder) choice(t value.Type, branches []branch) *node {
	k, scale := b.heldAs(t)
	var args []*node
	for i := range branches {
		branches[i].then = b.as(branches[i].then, k, t, scale)
		if branches[i].cond != nil {
			args = append(args, branches[i].cond)
		}
		args = append(args, branches[i].then)
	}
	return b.addPartial(node{kind: k, typ: t, scale: scale, eval: func(r *run, v *vec, on *mask) {
		v.start(k)
		rest, taken := &v.own.rest, &v.own.taken
		*rest = *on
		for _, br := range branches {
			*taken = *rest
			if br.cond != nil {
				c := r.eval(br.cond, rest)
				for w := range taken {
					taken[w] &= c.t[w]
				}
			}
			if taken.empty() {
				continue
			}
			v.take(r.eval(br.then, taken), k, taken)
			for w := range rest {
				rest[w] &^= taken[w]
			}
			if rest.empty() {
				return
			}
		}
		if k == kindBoxed {
			rest.each(func(i int) { v.vals[i] = value.Null })
		}
	}}, args...)
}

// start prepares a vec whose rows are NULL until they are taken from others.
func (v *vec) start(k kind) {
	switch k {
	case kindTruth:
		v.t, v.f = mask{}, mask{}
		return
	case kindBoxed:
		v.makeVals()
		return
	case kindInt:
		v.makeInts()
	case kindFloat:
		v.makeFloats()
	case kindText:
		v.makeText()
		v.column = nil
	}
	for w := range v.own.nulls {
		v.own.nulls[w] = ^uint64(0)
	}
	v.nulls = &v.own.nulls
}

// take copies rows of another vec of the same kind.
func (v *vec) take(x *vec, k kind, rows *mask) {
	switch k {
	case kindTruth:
		for w, m := range rows {
			v.t[w] |= x.t[w] & m
			v.f[w] |= x.f[w] & m
		}
		return
	case kindBoxed:
		rows.each(func(i int) { v.vals[i] = x.vals[i] })
		return
	}
	some := *rows
	for w, m := range rows {
		v.own.nulls[w] &^= m
		if x.nulls != nil {
			v.own.nulls[w] |= x.nulls[w] & m
			some[w] &^= x.nulls[w]
		}
	}
	switch k {
	case kindInt:
		takeInts(v.ints, x.ints, &some)
	case kindFloat:
		takeFloats(v.floats, x.floats, &some)
	case kindText:
		some.each(func(i int) { v.setText(i, x.text(i)) })
	}
}

// takeInts copies the elements of rows without a branch for each.
func takeInts(to, from []int64, rows *mask) {
	for w := 0; w<<6 < len(from); w++ {
		m := rows[w]
		if m == 0 {
			continue
		}
		x := from[w<<6 : min(w<<6+64, len(from))]
		z := to[w<<6:][:len(x)]
		for i, c := range x {
			z[i] ^= (z[i] ^ c) & -int64(m&1)
			m >>= 1
		}
	}
}

// takeFloats is takeInts for doubles.
func takeFloats(to, from []float64, rows *mask) {
	for w := 0; w<<6 < len(from); w++ {
		m := rows[w]
		if m == 0 {
			continue
		}
		x := from[w<<6 : min(w<<6+64, len(from))]
		z := to[w<<6:][:len(x)]
		for i, c := range x {
			old := math.Float64bits(z[i])
			z[i] = math.Float64frombits(old ^ (old^math.Float64bits(c))&-(m&1))
			m >>= 1
		}
	}
}

// caseOf makes CASE. The operand of a simple CASE is evaluated once.
func (b *builder) caseOf(n *scalar.Case) *node {
	var operand *node
	if n.Operand != nil {
		operand = b.expr(n.Operand)
	}
	var branches []branch
	for _, w := range n.Whens {
		var cond *node
		if operand == nil {
			cond = b.truth(b.expr(w.Cond))
		} else {
			cond = b.compare(scalar.OpEqual, operand, b.expr(w.Cond), n.Options)
		}
		branches = append(branches, branch{cond, b.expr(w.Then)})
	}
	if n.Else != nil {
		branches = append(branches, branch{nil, b.expr(n.Else)})
	}
	return b.choice(n.T, branches)
}

// coalesce makes COALESCE: the first operand that is not NULL.
func (b *builder) coalesce(t value.Type, args []*node) *node {
	k, scale := b.heldAs(t)
	for i := range args {
		args[i] = b.as(args[i], k, t, scale)
	}
	return b.addPartial(node{kind: k, typ: t, scale: scale, eval: func(r *run, v *vec, on *mask) {
		v.start(k)
		rest, taken := &v.own.rest, &v.own.taken
		*rest = *on
		for _, arg := range args {
			a := r.eval(arg, rest)
			null := a.isNull(k, rest)
			*taken = *rest
			for w := range taken {
				taken[w] &^= null[w]
				rest[w] &= null[w]
			}
			v.take(a, k, taken)
			if rest.empty() {
				return
			}
		}
		if k == kindBoxed {
			rest.each(func(i int) { v.vals[i] = value.Null })
		}
	}}, args...)
}

// nullIf makes NULLIF: the second operand is needed where the first is not NULL.
func (b *builder) nullIf(n *scalar.Func) *node {
	x, y := b.expr(n.Args[0]), b.expr(n.Args[1])
	same := b.compare(scalar.OpEqual, x, y, n.Options)
	k, scale := b.heldAs(n.T)
	if x.kind != k || x.scale != scale {
		return b.fail(n.T)
	}
	return b.addPartial(node{kind: k, typ: n.T, scale: scale, eval: func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		some := &v.own.rest
		*some = *on
		null := a.isNull(k, on)
		for w := range some {
			some[w] &^= null[w]
		}
		v.start(k)
		if k == kindBoxed {
			on.each(func(i int) { v.vals[i] = value.Null })
		}
		if some.empty() {
			return
		}
		e := r.eval(same, some)
		for w := range some {
			some[w] &^= e.t[w]
		}
		v.take(a, k, some)
	}}, x, same)
}

// extreme makes GREATEST (sign 1) and LEAST (sign -1) of operands held as
// integers or doubles; nil for others. NaN is the greatest number (TYPE-5).
func (b *builder) extreme(t value.Type, sign int64, args []*node) *node {
	k, scale := b.heldAs(t)
	if k != kindInt && k != kindFloat {
		return nil
	}
	out := b.as(args[0], k, t, scale)
	for _, next := range args[1:] {
		x, y := out, b.as(next, k, t, scale)
		n := node{kind: k, typ: t, scale: scale}
		n.eval = func(r *run, v *vec, on *mask) {
			a, c := r.eval(x, on), r.eval(y, on)
			v.strict(a, c)
			if k == kindInt {
				z, p, q := v.makeInts()[:r.n], a.ints[:r.n], c.ints[:r.n]
				for i := range z {
					if z[i] = max(p[i], q[i]); sign < 0 {
						z[i] = min(p[i], q[i])
					}
				}
				return
			}
			z, p, q := v.makeFloats()[:r.n], a.floats[:r.n], c.floats[:r.n]
			for i := range z {
				z[i] = extremeFloat(p[i], q[i], sign)
			}
		}
		key := "greatest"
		if sign < 0 {
			key = "least"
		}
		out = b.add(n, key, x, y)
	}
	return out
}

func extremeFloat(x, y float64, sign int64) float64 {
	greater := y > x || y != y && x == x
	if sign < 0 {
		greater = y < x || y == y && x != x
	}
	if greater {
		return y
	}
	return x
}
