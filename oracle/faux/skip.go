package faux

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
)

// plainSkip reports that AFTER MATCH is written SKIP TO v, without FIRST or LAST.
func plainSkip(c *semantics.Clause) bool {
	at := c.Skip.Pos.Offset
	if !c.Skip.Pos.IsValid() || at > len(c.Source) {
		return false
	}
	words := strings.Fields(strings.ToUpper(c.Source[:at]))
	return len(words) > 0 && words[len(words)-1] == "TO"
}

// mayMiss reports whether a candidate with rows may have no row of the target,
// or have it as the first row: what an engine can find without data. Conditions
// are not considered, and exclusion does not count.
func mayMiss(c *semantics.Clause) (missing, first bool) {
	target := func(v semantics.VarID) bool { return c.Belongs(v, c.Skip.Target) }
	missing = withRows(c.Pattern, target)
	for _, p := range firsts(c.Pattern) {
		if !target(p.Var) {
			continue
		}
		// The first row is the one that LAST finds if no other of the target follows.
		first = first || c.Skip.To == semantics.ToFirst || countTargets(c.Pattern, target) == 1 && !repeats(c.Pattern, p)
	}
	return missing, first
}

// without reports whether a pattern has a string without a row of the target.
func without(p *semantics.Pattern, target func(semantics.VarID) bool) bool {
	switch p.Op {
	case semantics.OpVariable:
		return !target(p.Var)
	case semantics.OpAlternate:
		for _, sub := range p.Sub {
			if without(sub, target) {
				return true
			}
		}
		return false
	case semantics.OpQuantified:
		return p.Min == 0 || without(p.Sub[0], target)
	}
	for _, sub := range p.Sub {
		if !without(sub, target) {
			return false
		}
	}
	return true
}

// withRows reports whether a pattern has a string with rows, none of the target.
func withRows(p *semantics.Pattern, target func(semantics.VarID) bool) bool {
	switch p.Op {
	case semantics.OpVariable:
		return !target(p.Var)
	case semantics.OpAlternate, semantics.OpGroup, semantics.OpExclude, semantics.OpQuantified:
		for _, sub := range p.Sub {
			if withRows(sub, target) {
				return true
			}
		}
		return false
	}
	some := false
	for _, sub := range p.Sub {
		if !without(sub, target) {
			return false
		}
		some = some || withRows(sub, target)
	}
	return some
}

// firsts returns the variables that may take the first row.
func firsts(p *semantics.Pattern) []*semantics.Pattern {
	switch p.Op {
	case semantics.OpVariable:
		return []*semantics.Pattern{p}
	case semantics.OpConcat:
		var out []*semantics.Pattern
		for _, sub := range p.Sub {
			out = append(out, firsts(sub)...)
			if !sub.CanBeEmpty() {
				break
			}
		}
		return out
	}
	var out []*semantics.Pattern
	for _, sub := range p.Sub {
		out = append(out, firsts(sub)...)
	}
	return out
}

func countTargets(p *semantics.Pattern, target func(semantics.VarID) bool) int {
	n := 0
	p.Walk(func(q *semantics.Pattern) {
		if q.Op == semantics.OpVariable && target(q.Var) {
			n++
		}
	})
	return n
}

// repeats reports whether a quantifier makes every string have v twice.
func repeats(p, v *semantics.Pattern) bool {
	found := false
	p.Walk(func(q *semantics.Pattern) {
		if q.Op == semantics.OpQuantified && q.Min > 1 {
			q.Sub[0].Walk(func(r *semantics.Pattern) { found = found || r == v })
		}
	})
	return found
}
