package enumerate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics"
)

// Candidate is one string of a pattern's parenthesised language.
type Candidate struct {
	Rows       []*semantics.Pattern // the OpVariable node that each row is mapped by, in order
	Excluded   []bool               // the row lies in {- -}; nil: none does (PREF-5)
	Anchors    []Anchor             // in order
	Derivation *Derivation          // how the string is derived: the brackets

	spaced bool // the pattern has a name of more than one letter
}

// Anchor is a ^ or $ in a candidate, which consumes no row (PREF-6).
type Anchor struct {
	Op   semantics.Op // OpPartitionStart or OpPartitionEnd
	Rows int          // number of rows before it
}

// Derivation says how a string is derived from a pattern: which operand, which
// order, which iterations. Groups leave no trace of their own.
type Derivation struct {
	Pattern *semantics.Pattern // the node that the string belongs to; never an OpGroup
	Branch  int                // OpAlternate: index of the operand chosen
	Order   []int              // OpPermute: indices of the elements in the order chosen
	Parts   []*Derivation      // OpConcat: one an operand; OpPermute: one an element, in the order chosen; OpQuantified: one an iteration; OpAlternate, OpExclude: one
	Start   int                // rows Start <= i < End of the candidate are the string's
	End     int
}

// IsEmpty reports a string without variables; it may have anchors (PREF-8).
func (d *Derivation) IsEmpty() bool { return d.Start == d.End }

// newCandidate copies what the lister stands at.
func newCandidate(l *lister, root *cursor, spaced bool) Candidate {
	c := Candidate{Rows: append([]*semantics.Pattern(nil), l.rows...), spaced: spaced}
	if root.t.excludes {
		c.Excluded = root.exclusion(len(l.rows))
	}
	c.Derivation = c.derive(root)
	return c
}

func (c *Candidate) derive(at *cursor) *Derivation {
	d := &Derivation{Pattern: at.t.pattern, Branch: at.branch, Start: at.start, End: at.end}
	switch at.t.op {
	case semantics.OpPartitionStart, semantics.OpPartitionEnd:
		c.Anchors = append(c.Anchors, Anchor{Op: at.t.op, Rows: at.start})
	case semantics.OpPermute:
		d.Order = append(d.Order, at.order...)
	}
	if len(at.parts) > 0 {
		d.Parts = make([]*Derivation, len(at.parts))
		for i, part := range at.parts {
			d.Parts[i] = c.derive(part)
		}
	}
	return d
}

// exclusion returns which of the first n rows lie in {- -}, nil if none does.
func (c *cursor) exclusion(n int) []bool {
	var out []bool
	var mark func(c *cursor)
	mark = func(c *cursor) {
		switch {
		case !c.t.excludes || c.start == c.end:
		case c.t.op == semantics.OpExclude:
			if out == nil {
				out = make([]bool, n)
			}
			for i := c.start; i < c.end; i++ {
				out[i] = true
			}
		default:
			for _, part := range c.parts {
				mark(part)
			}
		}
	}
	mark(c)
	return out
}

// Vars returns the variables of the rows, by their ids in the clause that the
// pattern belongs to.
func (c Candidate) Vars() []semantics.VarID {
	out := make([]semantics.VarID, len(c.Rows))
	for i, leaf := range c.Rows {
		out[i] = leaf.Var
	}
	return out
}

// Names returns the variables of the rows by their names.
func (c Candidate) Names() []string {
	out := make([]string, len(c.Rows))
	for i, leaf := range c.Rows {
		out[i] = leaf.Name.Text
	}
	return out
}

// IsExcluded reports whether the i-th row lies in {- -}.
func (c Candidate) IsExcluded(i int) bool { return c.Excluded != nil && c.Excluded[i] }

// Mapping returns the mapping that the candidate stands for at a start row.
func (c Candidate) Mapping(start int) semantics.Mapping {
	return semantics.Mapping{Start: start, Vars: c.Vars(), Excluded: append([]bool(nil), c.Excluded...)}
}

// AnchorsHold reports whether every anchor of the candidate holds if it starts
// at a position of a partition of the given number of rows (ANCH-1).
func (c Candidate) AnchorsHold(start, partitionRows int) bool {
	for _, a := range c.Anchors {
		if !anchorHolds(a.Op, start+a.Rows, partitionRows) {
			return false
		}
	}
	return true
}

func anchorHolds(op semantics.Op, position, partitionRows int) bool {
	if op == semantics.OpPartitionStart {
		return position == 0
	}
	return position == partitionRows
}

// String prints the candidate in the rulebook's notation: the rows one after
// another, without a separator if every name of the pattern is one letter, else
// with a space between two rows; brackets around each iteration of a quantified
// group, exclusion, PERMUTE or (), none around those of a variable or an
// anchor; braces around what is excluded. The candidate without anything is "".
func (c Candidate) String() string {
	n := notation{spaced: c.spaced}
	n.print(c.Derivation)
	return n.b.String()
}

type notation struct {
	b       strings.Builder
	spaced  bool
	row     bool   // a row has been written
	opening string // brackets and braces not yet written: a space goes before those that open on a row
}

func (n *notation) print(d *Derivation) {
	switch d.Pattern.Op {
	case semantics.OpVariable:
		if n.spaced && n.row {
			n.b.WriteByte(' ')
		}
		n.flush()
		n.b.WriteString(n.name(d.Pattern.Name.Text))
		n.row = true
	case semantics.OpPartitionStart:
		n.write("^")
	case semantics.OpPartitionEnd:
		n.write("$")
	case semantics.OpExclude:
		n.opening += "{"
		n.print(d.Parts[0])
		n.write("}")
	case semantics.OpQuantified:
		bracketed := hasBrackets(d.Pattern.Sub[0].Op)
		for _, iteration := range d.Parts {
			if bracketed {
				n.opening += "["
			}
			n.print(iteration)
			if bracketed {
				n.write("]")
			}
		}
	default:
		for _, part := range d.Parts {
			n.print(part)
		}
	}
}

func hasBrackets(operand semantics.Op) bool {
	switch operand {
	case semantics.OpVariable, semantics.OpPartitionStart, semantics.OpPartitionEnd:
		return false
	}
	return true
}

func (n *notation) write(s string) {
	n.flush()
	n.b.WriteString(s)
}

func (n *notation) flush() {
	n.b.WriteString(n.opening)
	n.opening = ""
}

// name writes names as they compare. In a list with spaces, one that could be
// mistaken for something else stands in quotes.
func (n *notation) name(text string) string {
	if n.spaced && strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// oneLetterNames reports whether every variable's name is one letter.
func oneLetterNames(p *semantics.Pattern) bool {
	ok := true
	p.Walk(func(q *semantics.Pattern) {
		if q.Op == semantics.OpVariable {
			r, size := utf8.DecodeRuneInString(q.Name.Text)
			ok = ok && size == len(q.Name.Text) && unicode.IsLetter(r)
		}
	})
	return ok
}
