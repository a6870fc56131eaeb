package semantics

import (
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// Name is an SQL identifier (GRAM-10). Two names are the same when their Text
// is equal; Quoted only says how the name was written.
type Name struct {
	Text   string // folded to upper case unless it was quoted
	Quoted bool
	Pos    diag.Pos
	End    int // byte offset after the name
}

// String returns the name as SQL text, in quotes where it needs them or had them.
func (n Name) String() string { return token.Word(n).String() }

// VarID identifies a row pattern variable of a clause: an index into
// Clause.Vars. Primary variables come first, in the order of their first
// occurrence in PATTERN; union variables follow, in the order of SUBSET.
type VarID int16

// Universal is the unnamed variable that holds all rows of the match (COL-1).
const Universal VarID = -1

// Op is the kind of a Pattern node.
type Op uint8

// The node kinds, in precedence order, tightest first (PAT-1).
const (
	OpVariable       Op = iota + 1 // a primary variable (PREF-1)
	OpEmpty                        // () (PREF-7)
	OpPartitionStart               // ^ (PREF-6)
	OpPartitionEnd                 // $ (PREF-6)
	OpGroup                        // ( P ): no meaning of its own, kept for printing and for the notation of candidates
	OpExclude                      // {- P -} (PREF-5)
	OpPermute                      // PERMUTE(P1, ..., Pn) (PAT-7)
	OpQuantified                   // P{n,m} (PREF-4, PREF-8)
	OpConcat                       // P1 P2 ... (PREF-3)
	OpAlternate                    // P1 | P2 | ... (PREF-2)
)

// Unbounded is the Max of a quantifier without upper bound.
const Unbounded = -1

// MaxBound is the largest bound of a quantifier (PAT-4, implementation-defined).
const MaxBound = 1<<31 - 1

// Limits of a pattern's size. They keep every walk over a pattern, recursive
// ones included, within a small stack; exceeding one is a limit error.
const (
	MaxPatternDepth = 1000    // nesting of groups, exclusions and permutations
	MaxPatternNodes = 200_000 // nodes of the tree
	MaxVariables    = 10_000  // primary and union variables
)

// Pattern is a node of the row pattern tree. A tree is immutable once its
// clause is bound, and may be shared.
type Pattern struct {
	Op        Op
	Sub       []*Pattern // operands: one for OpGroup, OpExclude, OpQuantified; the elements of OpPermute; two or more for OpConcat and OpAlternate
	Name      Name       // OpVariable
	Var       VarID      // OpVariable, once the pattern belongs to a clause
	Min, Max  int        // OpQuantified; Max is Unbounded where there is no upper bound
	Reluctant bool       // OpQuantified: fewer iterations are preferred
	Pos       diag.Pos   // of the first token; of an OpQuantified, of its operand
	BoundPos  diag.Pos   // of the quantifier of an OpQuantified
}

// String prints the pattern as SQL that parses to the same tree. Quantifiers
// are printed in their shortest spelling: {0,} as *, {1,} as +, {0,1} as ?.
func (p *Pattern) String() string {
	var b strings.Builder
	p.print(&b, OpAlternate)
	return b.String()
}

// print writes p where nodes up to the kind loosest may stand without brackets.
// A tree made by hand may lack the OpGroup that the grammar needs; print adds it.
func (p *Pattern) print(b *strings.Builder, loosest Op) {
	if p.Op > loosest {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch p.Op {
	case OpVariable:
		b.WriteString(p.Name.String())
	case OpEmpty:
		b.WriteString("()")
	case OpPartitionStart:
		b.WriteByte('^')
	case OpPartitionEnd:
		b.WriteByte('$')
	case OpGroup:
		b.WriteByte('(')
		p.Sub[0].print(b, OpAlternate)
		b.WriteByte(')')
	case OpExclude:
		b.WriteString("{- ")
		p.Sub[0].print(b, OpAlternate)
		b.WriteString(" -}")
	case OpPermute:
		b.WriteString("PERMUTE(")
		printList(b, p.Sub, ", ", OpAlternate)
		b.WriteByte(')')
	case OpQuantified:
		p.Sub[0].print(b, OpPermute)
		b.WriteString(p.Quantifier())
	case OpConcat:
		printList(b, p.Sub, " ", OpQuantified)
	case OpAlternate:
		printList(b, p.Sub, " | ", OpConcat)
	}
}

func printList(b *strings.Builder, list []*Pattern, sep string, loosest Op) {
	for i, sub := range list {
		if i > 0 {
			b.WriteString(sep)
		}
		sub.print(b, loosest)
	}
}

// Quantifier returns the text of an OpQuantified's quantifier (PAT-3).
func (p *Pattern) Quantifier() string {
	var q string
	switch {
	case p.Min == 0 && p.Max == Unbounded:
		q = "*"
	case p.Min == 1 && p.Max == Unbounded:
		q = "+"
	case p.Min == 0 && p.Max == 1:
		q = "?"
	case p.Max == Unbounded:
		q = "{" + strconv.Itoa(p.Min) + ",}"
	case p.Min == p.Max && !p.Reluctant:
		return "{" + strconv.Itoa(p.Min) + "}"
	default: // {n,n}? keeps both bounds: {n}? is no standard spelling (PAT-5)
		q = "{" + strconv.Itoa(p.Min) + "," + strconv.Itoa(p.Max) + "}"
	}
	if p.Reluctant {
		q += "?"
	}
	return q
}

// Equal reports whether two patterns are the same tree; places in the source
// and the spelling of names do not count.
func (p *Pattern) Equal(q *Pattern) bool {
	if p == nil || q == nil {
		return p == q
	}
	if p.Op != q.Op || len(p.Sub) != len(q.Sub) || p.Name.Text != q.Name.Text {
		return false
	}
	if p.Op == OpQuantified && (p.Min != q.Min || p.Max != q.Max || p.Reluctant != q.Reluctant) {
		return false
	}
	for i := range p.Sub {
		if !p.Sub[i].Equal(q.Sub[i]) {
			return false
		}
	}
	return true
}

// Walk calls f for p and every node below it, in source order.
func (p *Pattern) Walk(f func(*Pattern)) {
	f(p)
	for _, sub := range p.Sub {
		sub.Walk(f)
	}
}

// CanBeEmpty reports whether some candidate of the pattern consumes no row,
// anchors not considered to fail.
func (p *Pattern) CanBeEmpty() bool {
	switch p.Op {
	case OpVariable:
		return false
	case OpEmpty, OpPartitionStart, OpPartitionEnd:
		return true
	case OpQuantified:
		return p.Min == 0 || p.Sub[0].CanBeEmpty()
	case OpAlternate:
		for _, sub := range p.Sub {
			if sub.CanBeEmpty() {
				return true
			}
		}
		return false
	}
	for _, sub := range p.Sub {
		if !sub.CanBeEmpty() {
			return false
		}
	}
	return true
}

// Clone returns a copy of the tree that shares nothing with p.
func (p *Pattern) Clone() *Pattern {
	q := *p
	q.Sub = make([]*Pattern, len(p.Sub))
	for i, sub := range p.Sub {
		q.Sub[i] = sub.Clone()
	}
	if len(p.Sub) == 0 {
		q.Sub = nil
	}
	return &q
}
