package enumerate

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics"
)

// term is a pattern node prepared for listing. A group has no meaning of its
// own and is left out: the term of ( P ) is that of P.
type term struct {
	op        semantics.Op
	pattern   *semantics.Pattern
	sub       []*term
	min, max  int // OpQuantified; max is semantics.Unbounded where there is none
	reluctant bool
	rows      int // fewest rows of a string, at most manyRows; 0 everywhere if the lister is not to look ahead
	excludes  bool
}

// manyRows is where the fewest rows of a string stop being counted: more than
// any partition has, and small enough to be added up without overflow.
const manyRows = math.MaxInt / 4

// newTerm prepares a pattern. With lookahead a string is not begun where its
// fewest rows, and those of what must follow, do not fit. The depth of the
// recursion is the pattern's, which semantics.MaxPatternDepth bounds.
func newTerm(p *semantics.Pattern, lookahead bool) *term {
	for p.Op == semantics.OpGroup {
		p = p.Sub[0]
	}
	t := &term{op: p.Op, pattern: p, excludes: p.Op == semantics.OpExclude}
	for _, sub := range p.Sub {
		s := newTerm(sub, lookahead)
		t.sub = append(t.sub, s)
		t.excludes = t.excludes || s.excludes
	}
	if p.Op == semantics.OpQuantified {
		t.min, t.max, t.reluctant = p.Min, p.Max, p.Reluctant
	}
	if lookahead {
		t.countRows()
	}
	return t
}

// countRows sets the fewest rows of a string of t; those of the operands are set.
func (t *term) countRows() {
	switch t.op {
	case semantics.OpVariable:
		t.rows = 1
	case semantics.OpExclude:
		t.rows = t.sub[0].rows
	case semantics.OpQuantified:
		t.rows = t.required(t.min)
	case semantics.OpConcat, semantics.OpPermute:
		for _, s := range t.sub {
			t.rows = min(t.rows+s.rows, manyRows)
		}
	case semantics.OpAlternate:
		t.rows = manyRows
		for _, s := range t.sub {
			t.rows = min(t.rows, s.rows)
		}
	}
}

// required returns the fewest rows of n iterations of a quantifier's operand.
func (t *term) required(n int) int {
	if n <= 0 || t.sub[0].rows == 0 {
		return 0
	}
	if n > manyRows/t.sub[0].rows {
		return manyRows
	}
	return n * t.sub[0].rows
}
