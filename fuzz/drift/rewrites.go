package drift

import (
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/semantics"
)

// Rewrite is a change of patterns that an optimizer might make. Valid ones
// never change the preferred match.
type Rewrite struct {
	Name  string
	Says  string // what it does
	Valid bool
	// Apply returns the rewritten pattern, or its argument where there is
	// nothing to rewrite. It must not change its argument.
	Apply func(*semantics.Pattern) *semantics.Pattern
}

// Rewrites are the rewrites of PREF-11, wrong ones and right ones, and a few
// wrong ones that engines had, by name.
var Rewrites = []Rewrite{
	{"flatten", "(P{a,b}){c,d} becomes P{ac,bd}", false, everywhere(flatten(func(_, inner *semantics.Pattern) bool { return true }))},
	{"flatten-minimum", "(P{a,b}){c,d} becomes P{ac,bd} where a is at most 1", false,
		everywhere(flatten(func(_, inner *semantics.Pattern) bool { return inner.Min <= 1 }))},
	{"merge", "P{a,b} P{c,d} becomes P{a+c,b+d}", false, everywhere(neighbours(merge(func(*semantics.Pattern) bool { return true })))},
	{"unroll-nullable", "P{n,m} over a body that can be empty becomes independent copies, P P? P?", false, everywhere(unrollNullable)},
	{"nest-nullable", "P{n,m} over a body that can be empty becomes nested options, P (P)?", false, everywhere(nestNullable)},
	{"merge-greeds", "P? P?? becomes P{0,2}", false, everywhere(neighbours(mergeGreeds))},
	{"drop-minimum", "(P{n,})* becomes P*", false, everywhere(dropMinimum)},

	{"clear-reluctance", "P{n,n}? becomes P{n}", true, everywhere(clearReluctance)},
	{"repeat", "A A becomes A{2}", true, everywhere(repeat)},
	{"once", "P{1,1} becomes (P)", true, everywhere(once)},
	{"copies", "P{n} becomes n copies in a group", true, everywhere(writeCopies)},
	{"unroll", "P{n,m} over a body that cannot be empty becomes copies and nested options", true, everywhere(unroll)},
	{"flatten-fixed", "(P{a,b}){c,d} becomes P{ac,bd} where both have the same greed, a is at most 1 and P takes a fixed number of rows", true,
		everywhere(flatten(flattenable))},
	{"merge-fixed", "P{a,b} P{c,d}, or P{a,b} P, becomes one quantifier where P takes a fixed number of rows and the greeds are the same", true,
		everywhere(neighbours(merge(hasFixedRows)))},
	{"merge-leading", "P P{n,m} becomes P{n+1,m+1} where n is at least 1 or P cannot be empty", true, everywhere(neighbours(mergeLeading))},
	{"write-permute", "PERMUTE becomes the alternation of its orders", true, everywhere(writePermute)},
}

// LookupRewrite finds a rewrite by its name.
func LookupRewrite(name string) (Rewrite, bool) {
	for _, r := range Rewrites {
		if r.Name == name {
			return r, true
		}
	}
	return Rewrite{}, false
}

// everywhere applies a change of one node to all nodes, operands first. Where
// nothing changes, the pattern itself is returned.
func everywhere(change func(*semantics.Pattern) *semantics.Pattern) func(*semantics.Pattern) *semantics.Pattern {
	var walk func(p *semantics.Pattern) *semantics.Pattern
	walk = func(p *semantics.Pattern) *semantics.Pattern {
		var operands []*semantics.Pattern
		for i, sub := range p.Sub {
			other := walk(sub)
			if other != sub && operands == nil {
				operands = append(make([]*semantics.Pattern, 0, len(p.Sub)), p.Sub[:i]...)
			}
			if operands != nil {
				operands = append(operands, other)
			}
		}
		if operands != nil {
			p = gen.With(p, operands)
		}
		return change(p)
	}
	return walk
}

// neighbours applies a change of two neighbours of a concatenation, from the
// left; the change returns nil where it leaves them alone.
func neighbours(change func(a, b *semantics.Pattern) *semantics.Pattern) func(*semantics.Pattern) *semantics.Pattern {
	return func(p *semantics.Pattern) *semantics.Pattern {
		if p.Op != semantics.OpConcat {
			return p
		}
		out := []*semantics.Pattern{p.Sub[0]}
		for _, next := range p.Sub[1:] {
			last := len(out) - 1
			if both := change(out[last], next); both != nil {
				out[last] = both
			} else {
				out = append(out, next)
			}
		}
		if len(out) == len(p.Sub) {
			return p
		}
		return gen.Concat(out...)
	}
}

// largest bounds what written out patterns may become: a rewrite leaves larger
// ones as they are.
const largest = 400

func flatten(allowed func(outer, inner *semantics.Pattern) bool) func(*semantics.Pattern) *semantics.Pattern {
	return func(p *semantics.Pattern) *semantics.Pattern {
		if p.Op != semantics.OpQuantified {
			return p
		}
		inner := gen.Bare(p.Sub[0])
		if inner.Op != semantics.OpQuantified || !allowed(p, inner) {
			return p
		}
		hi := semantics.Unbounded
		if p.Max != semantics.Unbounded && inner.Max != semantics.Unbounded {
			hi = p.Max * inner.Max
		}
		return gen.Quantify(inner.Sub[0], p.Min*inner.Min, hi, p.Reluctant)
	}
}

func flattenable(outer, inner *semantics.Pattern) bool {
	return outer.Reluctant == inner.Reluctant && inner.Min <= 1 && hasFixedRows(inner.Sub[0])
}

// asQuantified sees P as P{1,1}.
func asQuantified(p *semantics.Pattern) (q *semantics.Pattern, plain bool) {
	if p.Op == semantics.OpQuantified {
		return p, false
	}
	return &semantics.Pattern{Op: semantics.OpQuantified, Sub: []*semantics.Pattern{p}, Min: 1, Max: 1}, true
}

// merge merges two quantifiers over the same body, or a quantifier and a
// trailing copy of its body.
func merge(allowed func(body *semantics.Pattern) bool) func(a, b *semantics.Pattern) *semantics.Pattern {
	return func(p, q *semantics.Pattern) *semantics.Pattern {
		a, plainA := asQuantified(p)
		b, plainB := asQuantified(q)
		body := gen.Bare(a.Sub[0])
		if plainA || !body.Equal(gen.Bare(b.Sub[0])) || !plainB && a.Reluctant != b.Reluctant || !allowed(body) {
			return nil
		}
		return gen.Quantify(a.Sub[0], a.Min+b.Min, addBounds(a.Max, b.Max), a.Reluctant)
	}
}

func mergeLeading(p, q *semantics.Pattern) *semantics.Pattern {
	_, plain := asQuantified(p)
	if !plain || q.Op != semantics.OpQuantified || !gen.Bare(p).Equal(gen.Bare(q.Sub[0])) || q.Min == 0 && p.CanBeEmpty() {
		return nil
	}
	return gen.Quantify(q.Sub[0], q.Min+1, addBounds(q.Max, 1), q.Reluctant)
}

func addBounds(a, b int) int {
	if a == semantics.Unbounded || b == semantics.Unbounded {
		return semantics.Unbounded
	}
	return a + b
}

func mergeGreeds(a, b *semantics.Pattern) *semantics.Pattern {
	if a.Op != semantics.OpQuantified || b.Op != semantics.OpQuantified || a.Reluctant || !b.Reluctant || !a.Sub[0].Equal(b.Sub[0]) {
		return nil
	}
	return gen.Quantify(a.Sub[0], a.Min+b.Min, addBounds(a.Max, b.Max), false)
}

func dropMinimum(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpQuantified || p.Min != 0 || p.Max != semantics.Unbounded {
		return p
	}
	inner := gen.Bare(p.Sub[0])
	if inner.Op != semantics.OpQuantified || inner.Min < 2 || inner.Max != semantics.Unbounded || inner.Reluctant != p.Reluctant {
		return p
	}
	return gen.Quantify(inner.Sub[0], 0, semantics.Unbounded, p.Reluctant)
}

func clearReluctance(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpQuantified || !p.Reluctant || p.Min != p.Max {
		return p
	}
	return gen.Quantify(p.Sub[0], p.Min, p.Max, false)
}

func repeat(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpConcat {
		return p
	}
	var out []*semantics.Pattern
	for i := 0; i < len(p.Sub); {
		n := 1
		for i+n < len(p.Sub) && p.Sub[i].Op == semantics.OpVariable && p.Sub[i].Equal(p.Sub[i+n]) {
			n++
		}
		if n > 1 {
			out = append(out, gen.Quantify(p.Sub[i], n, n, false))
		} else {
			out = append(out, p.Sub[i])
		}
		i += n
	}
	if len(out) == len(p.Sub) {
		return p
	}
	return gen.Concat(out...)
}

func once(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpQuantified || p.Min != 1 || p.Max != 1 {
		return p
	}
	return gen.Group(gen.Bare(p.Sub[0]))
}

// writeCopies writes P{n} as n copies of P in a group.
func writeCopies(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpQuantified || p.Min != p.Max || p.Min*gen.Weight(p.Sub[0]) > largest {
		return p
	}
	return gen.Group(gen.Concat(copies(p.Sub[0], p.Min)...))
}

func copies(p *semantics.Pattern, n int) []*semantics.Pattern {
	out := make([]*semantics.Pattern, n)
	for i := range out {
		out[i] = p
	}
	return out
}

func unroll(p *semantics.Pattern) *semantics.Pattern {
	if p.Op == semantics.OpQuantified && p.Sub[0].CanBeEmpty() {
		return p
	}
	return nestOptions(p)
}

func nestNullable(p *semantics.Pattern) *semantics.Pattern {
	if p.Op == semantics.OpQuantified && !p.Sub[0].CanBeEmpty() {
		return p
	}
	return nestOptions(p)
}

// nestOptions writes P{n,m} as n copies of P and nested options: P (P (P)?)?
// for P{1,3}; a quantifier without upper bound keeps a star behind the copies.
// It changes nothing if P cannot be empty, and something if it can (PREF-8).
func nestOptions(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpQuantified || p.Max == semantics.Unbounded && p.Min == 0 || max(p.Min, p.Max)*gen.Weight(p.Sub[0]) > largest {
		return p
	}
	body := p.Sub[0]
	out := copies(body, p.Min)
	switch {
	case p.Max == semantics.Unbounded:
		out = append(out, gen.Quantify(body, 0, semantics.Unbounded, p.Reluctant))
	case p.Max > p.Min:
		var options *semantics.Pattern
		for range p.Max - p.Min {
			if options == nil {
				options = body
			} else {
				options = gen.Concat(body, options)
			}
			options = gen.Quantify(options, 0, 1, p.Reluctant)
		}
		out = append(out, options)
	}
	return gen.Group(gen.Concat(out...))
}

func unrollNullable(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpQuantified || p.Max == semantics.Unbounded || p.Max < 2 || !p.Sub[0].CanBeEmpty() || p.Max*gen.Weight(p.Sub[0]) > largest {
		return p
	}
	out := copies(p.Sub[0], p.Min)
	for range p.Max - p.Min {
		out = append(out, gen.Quantify(p.Sub[0], 0, 1, p.Reluctant))
	}
	return gen.Group(gen.Concat(out...))
}

// writePermute writes PERMUTE as the alternation of its orders (PAT-7).
func writePermute(p *semantics.Pattern) *semantics.Pattern {
	if p.Op != semantics.OpPermute || len(p.Sub) > 5 {
		return p
	}
	var orders []*semantics.Pattern
	var choose func(rest, chosen []*semantics.Pattern)
	choose = func(rest, chosen []*semantics.Pattern) {
		if len(rest) == 0 {
			orders = append(orders, gen.Group(gen.Concat(chosen...)))
			return
		}
		for i, element := range rest {
			others := append(append([]*semantics.Pattern{}, rest[:i]...), rest[i+1:]...)
			choose(others, append(chosen[:len(chosen):len(chosen)], gen.Group(element)))
		}
	}
	choose(p.Sub, nil)
	return gen.Group(gen.Alternate(orders...))
}

func hasFixedRows(p *semantics.Pattern) bool {
	_, ok := fixedRows(p)
	return ok
}

// fixedRows returns the number of rows that every string of p has, if there is one.
func fixedRows(p *semantics.Pattern) (rows int, ok bool) {
	switch p.Op {
	case semantics.OpVariable:
		return 1, true
	case semantics.OpQuantified:
		n, ok := fixedRows(p.Sub[0])
		return n * p.Min, ok && (p.Min == p.Max || n == 0)
	case semantics.OpAlternate:
		for i, sub := range p.Sub {
			n, ok := fixedRows(sub)
			if !ok || i > 0 && n != rows {
				return 0, false
			}
			rows = n
		}
		return rows, true
	}
	for _, sub := range p.Sub {
		n, ok := fixedRows(sub)
		if !ok {
			return 0, false
		}
		rows += n
	}
	return rows, true
}
