package faux

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
)

// rewrite returns the pattern as an engine with the fault sees it. source is
// the text that the places of the pattern refer to, for faults of spelling.
func rewrite(p *semantics.Pattern, l lie, source string) *semantics.Pattern {
	w := rewriter{lie: l, source: source}
	switch l {
	case greedyAsReluctant:
		p.Walk(func(n *semantics.Pattern) { w.mixed = w.mixed || n.Op == semantics.OpQuantified && n.Reluctant })
	case headNotSkipped:
		w.head = firstElement(p)
	case parenthesesLost:
		return reparsed(p, printBare(p))
	}
	return w.node(p)
}

type rewriter struct {
	lie    lie
	source string
	mixed  bool               // the pattern has a reluctant quantifier
	head   *semantics.Pattern // the first element of the pattern
}

// node rewrites from the leaves upwards.
func (w *rewriter) node(p *semantics.Pattern) *semantics.Pattern {
	n := *p
	n.Sub = make([]*semantics.Pattern, len(p.Sub))
	for i, sub := range p.Sub {
		n.Sub[i] = w.node(sub)
	}
	switch p.Op {
	case semantics.OpQuantified:
		return w.quantified(&n, p == w.head)
	case semantics.OpConcat:
		return w.concat(&n)
	case semantics.OpAlternate:
		if w.lie == branchLeaks {
			leak(&n)
		}
	case semantics.OpPermute:
		if w.lie == permuteDistinct {
			n.Sub = distinct(n.Sub)
		}
	case semantics.OpExclude:
		if w.lie == exclusionLost {
			n.Op = semantics.OpGroup
		}
	}
	return &n
}

// quantified rewrites one quantifier whose body is rewritten.
func (w *rewriter) quantified(n *semantics.Pattern, head bool) *semantics.Pattern {
	switch w.lie {
	case groupGreedDecides:
		if inner := inside(n.Sub[0]); n.Min == n.Max && inner.Op == semantics.OpQuantified {
			changed := *inner
			changed.Reluctant = n.Reluctant
			n.Sub[0] = group(&changed)
		}
	case flattened:
		return flatten(n)
	case flattenGate:
		if inner := inside(n.Sub[0]); inner.Op == semantics.OpQuantified && inner.Min <= 1 {
			return flatten(n)
		}
	case starOfAtLeast:
		inner := inside(n.Sub[0])
		if n.Min == 0 && n.Max == semantics.Unbounded && inner.Op == semantics.OpQuantified &&
			inner.Min > 1 && inner.Max == semantics.Unbounded && inner.Reluctant == n.Reluctant {
			star := *inner
			star.Min = 0
			return &star
		}
	case reluctantAsGreedy:
		n.Reluctant = false
	case reluctantWrapped:
		if n.Reluctant {
			n.Reluctant = false
			return &semantics.Pattern{Op: semantics.OpQuantified, Sub: []*semantics.Pattern{group(n)}, Min: 0, Max: 1}
		}
	case greedyAsReluctant:
		n.Reluctant = n.Reluctant || w.mixed
	case openLowerIsOne:
		if w.written(n, openLower) {
			n.Min = 1
		}
	case openLowerLiteral:
		if w.written(n, openLower) {
			// An alternation without branches is what no row matches.
			never := &semantics.Pattern{Op: semantics.OpAlternate}
			return group(&semantics.Pattern{Op: semantics.OpConcat, Sub: []*semantics.Pattern{n.Sub[0], never}})
		}
	case openUpperExact:
		if w.written(n, openUpper) {
			n.Max = n.Min
		}
	case permuteFixed:
		if n.Sub[0].Op == semantics.OpPermute && len(n.Sub[0].Sub) > 1 {
			return fixedOrder(n)
		}
	case headNotSkipped:
		if body := n.Sub[0]; head && n.Min == 0 && body.Op == semantics.OpGroup && body.Sub[0].Op != semantics.OpVariable {
			n.Min = 1
		}
	}
	return n
}

// concat rewrites a concatenation whose elements are rewritten.
func (w *rewriter) concat(n *semantics.Pattern) *semantics.Pattern {
	switch w.lie {
	case neighboursMerged:
		n.Sub = mergeNeighbours(n.Sub, func(a, b *semantics.Pattern) bool { return a.Reluctant == b.Reluctant })
	case optionalsMerged:
		n.Sub = mergeNeighbours(n.Sub, func(a, b *semantics.Pattern) bool {
			return a.Min == 0 && a.Max == 1 && b.Min == 0 && b.Max == 1 && a.Reluctant != b.Reluctant
		})
	case trailingFolded:
		n.Sub = foldTrailing(n.Sub)
	}
	if len(n.Sub) == 1 {
		return group(n.Sub[0])
	}
	return n
}

// inside looks through parentheses.
func inside(p *semantics.Pattern) *semantics.Pattern {
	for p.Op == semantics.OpGroup {
		p = p.Sub[0]
	}
	return p
}

func group(p *semantics.Pattern) *semantics.Pattern {
	return &semantics.Pattern{Op: semantics.OpGroup, Sub: []*semantics.Pattern{p}, Pos: p.Pos}
}

// firstElement is the first element of a pattern, looked for through
// parentheses and concatenations.
func firstElement(p *semantics.Pattern) *semantics.Pattern {
	for p.Op == semantics.OpGroup || p.Op == semantics.OpConcat {
		p = p.Sub[0]
	}
	return p
}

// leak appends what ends a branch to the branches, if it is a quantified group
// or an alternation and not the whole branch.
func leak(n *semantics.Pattern) {
	for _, branch := range n.Sub {
		if branch.Op != semantics.OpConcat {
			continue
		}
		last := branch.Sub[len(branch.Sub)-1]
		body := last
		if last.Op == semantics.OpQuantified {
			body = last.Sub[0]
		}
		if body.Op == semantics.OpGroup && (body != last || inside(body).Op == semantics.OpAlternate) {
			n.Sub = append(n.Sub, last)
		}
	}
}

func distinct(list []*semantics.Pattern) []*semantics.Pattern {
	var out []*semantics.Pattern
next:
	for _, p := range list {
		for _, q := range out {
			if p.Equal(q) {
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}

// flatten turns (P{a,b}){c,d} into P{ac,bd} if both are of the same greed.
func flatten(n *semantics.Pattern) *semantics.Pattern {
	inner := inside(n.Sub[0])
	if inner.Op != semantics.OpQuantified || inner.Reluctant != n.Reluctant {
		return n
	}
	flat := *inner
	flat.Min, flat.Max = inner.Min*n.Min, semantics.Unbounded
	if inner.Max != semantics.Unbounded && n.Max != semantics.Unbounded {
		flat.Max = inner.Max * n.Max
	}
	return &flat
}

// mergeNeighbours adds quantifiers over equal bodies.
func mergeNeighbours(list []*semantics.Pattern, may func(a, b *semantics.Pattern) bool) []*semantics.Pattern {
	var out []*semantics.Pattern
	for _, p := range list {
		if len(out) > 0 {
			if q := out[len(out)-1]; p.Op == semantics.OpQuantified && q.Op == semantics.OpQuantified &&
				inside(p.Sub[0]).Equal(inside(q.Sub[0])) && may(q, p) {
				out[len(out)-1] = sum(q, p.Min, p.Max)
				continue
			}
		}
		out = append(out, p)
	}
	return out
}

// sum adds bounds to those of a quantifier.
func sum(q *semantics.Pattern, low, high int) *semantics.Pattern {
	s := *q
	s.Min += low
	if s.Max == semantics.Unbounded || high == semantics.Unbounded {
		s.Max = semantics.Unbounded
	} else {
		s.Max += high
	}
	return &s
}

// foldTrailing counts a copy of a group's body behind the group as an iteration.
func foldTrailing(list []*semantics.Pattern) []*semantics.Pattern {
	var out []*semantics.Pattern
	for i := 0; i < len(list); i++ {
		p := list[i]
		if p.Op == semantics.OpQuantified && p.Sub[0].Op == semantics.OpGroup {
			body := inside(p.Sub[0])
			copies := []*semantics.Pattern{body}
			if body.Op == semantics.OpConcat {
				copies = body.Sub
			}
			if n := len(copies); n <= len(list)-i-1 && sameList(copies, list[i+1:i+1+n]) {
				p, i = sum(p, 1, 1), i+n
			} else if i+1 < len(list) && list[i+1].Op == semantics.OpGroup && inside(list[i+1]).Equal(body) {
				p, i = sum(p, 1, 1), i+1
			}
		}
		out = append(out, p)
	}
	return out
}

func sameList(a, b []*semantics.Pattern) bool {
	for i := range a {
		if !inside(a[i]).Equal(inside(b[i])) {
			return false
		}
	}
	return true
}

// fixedOrder takes the choice of an order out of a quantifier's iterations.
func fixedOrder(n *semantics.Pattern) *semantics.Pattern {
	out := &semantics.Pattern{Op: semantics.OpAlternate}
	eachOrder(len(n.Sub[0].Sub), false, func(order []int) bool {
		c := &semantics.Pattern{Op: semantics.OpConcat}
		for _, i := range order {
			c.Sub = append(c.Sub, group(n.Sub[0].Sub[i]))
		}
		q := *n
		q.Sub = []*semantics.Pattern{group(c)}
		out.Sub = append(out.Sub, &q)
		return len(out.Sub) >= maxFixedOrders
	})
	return group(out)
}

// maxFixedOrders bounds what fixedOrder makes: 6! orders.
const maxFixedOrders = 720

// openLower and openUpper recognise a spelling of bounds (PAT-3).
func openLower(bounds string) bool { return strings.HasPrefix(bounds, ",") }
func openUpper(bounds string) bool { return strings.HasSuffix(bounds, ",") && bounds != "," }

// written reports whether the bounds of a quantifier are written in braces in
// the given way.
func (w *rewriter) written(n *semantics.Pattern, how func(string) bool) bool {
	at := n.BoundPos.Offset
	if !n.BoundPos.IsValid() || at >= len(w.source) || w.source[at] != '{' {
		return false
	}
	bounds, _, ok := strings.Cut(w.source[at+1:], "}")
	return ok && how(strings.Join(strings.Fields(bounds), ""))
}

// printBare prints a pattern without the parentheses around alternations.
func printBare(p *semantics.Pattern) string {
	var parts []string
	for _, sub := range p.Sub {
		parts = append(parts, printBare(sub))
	}
	switch p.Op {
	case semantics.OpGroup:
		if p.Sub[0].Op == semantics.OpAlternate {
			return parts[0]
		}
		return "(" + parts[0] + ")"
	case semantics.OpExclude:
		return "{- " + parts[0] + " -}"
	case semantics.OpPermute:
		return "PERMUTE(" + strings.Join(parts, ", ") + ")"
	case semantics.OpQuantified:
		return parts[0] + p.Quantifier()
	case semantics.OpConcat:
		return strings.Join(parts, " ")
	case semantics.OpAlternate:
		return strings.Join(parts, " | ")
	}
	return p.String()
}

// reparsed parses a printed pattern; its variables are those of p. Text that
// does not parse, such as two quantifiers in a row, leaves the pattern as it was.
func reparsed(p *semantics.Pattern, text string) *semantics.Pattern {
	q, err := semantics.ParsePattern(text)
	if err != nil {
		return p
	}
	vars := map[string]semantics.VarID{}
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable {
			vars[n.Name.Text] = n.Var
		}
	})
	q.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable {
			n.Var = vars[n.Name.Text]
		}
	})
	return q
}
