package explain

import (
	"fmt"
	"strconv"

	"github.com/rprcheck/rprcheck/semantics"
)

// maxTree is how many levels of a tree are shown.
const maxTree = 40

// pattern writes a node of the row pattern and what is below it.
func (p *printer) pattern(depth int, n *semantics.Pattern) {
	if depth > maxTree {
		p.line(depth, "", "...")
		return
	}
	switch n.Op {
	case semantics.OpVariable:
		p.line(depth, "PREF-1", "primary variable %s", n.Name)
	case semantics.OpEmpty:
		p.line(depth, "PREF-7", "empty pattern ()")
	case semantics.OpPartitionStart:
		p.line(depth, "PREF-6", "anchor ^: before the first row of the partition")
	case semantics.OpPartitionEnd:
		p.line(depth, "PREF-6", "anchor $: after the last row of the partition")
	case semantics.OpGroup:
		p.line(depth, "", "group ( )")
	case semantics.OpExclude:
		p.line(depth, "PREF-5", "exclusion {- -}: its rows are not output")
	case semantics.OpPermute:
		p.line(depth, "PAT-7", "permutation of %d elements, the written order first", len(n.Sub))
	case semantics.OpQuantified:
		p.line(depth, "PREF-4", "quantifier %s: %s", n.Quantifier(), iterations(n))
		if n.Sub[0].CanBeEmpty() {
			p.line(depth+1, "PREF-8", "an iteration can be empty; %s", stops(n.Min))
		}
	case semantics.OpConcat:
		p.line(depth, "PREF-3", "concatenation: the left operand decides first")
	case semantics.OpAlternate:
		p.line(depth, "PREF-2", "alternation of %d: the left operand is preferred", len(n.Sub))
	}
	for _, sub := range n.Sub {
		p.pattern(depth+1, sub)
	}
}

// iterations says how often a quantified operand is repeated, and which number
// is preferred.
func iterations(n *semantics.Pattern) string {
	text := ""
	switch {
	case n.Max == semantics.Unbounded:
		text = strconv.Itoa(n.Min) + " or more"
	case n.Min == n.Max:
		return fmt.Sprintf("exactly %d times", n.Min)
	default:
		text = fmt.Sprintf("%d to %d", n.Min, n.Max)
	}
	if n.Reluctant {
		return text + " times, fewer are preferred"
	}
	return text + " times, more are preferred"
}

// stops says when an empty iteration is the last one (PREF-8).
func stops(lower int) string {
	if lower <= 1 {
		return "then it is the last"
	}
	return fmt.Sprintf("from number %d on it is then the last", lower)
}
