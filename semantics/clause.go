package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Field is one column of a row type.
type Field struct {
	Name string // folded (GRAM-10)
	Type value.Type
}

// RowType names and types the columns of a table. Correlation is the name that
// may qualify them in PARTITION BY and ORDER BY (GRAM-12); empty if there is none.
type RowType struct {
	Correlation string
	Fields      []Field
	// Untyped accepts every column name, with unknown type: the row type of a
	// check without tables.
	Untyped bool
}

// RowTypeOf returns the row type of a table.
func RowTypeOf(t *table.Table, correlation string) *RowType {
	r := &RowType{Correlation: correlation}
	for _, c := range t.Columns() {
		r.Fields = append(r.Fields, Field{Name: c.Name, Type: c.Type})
	}
	return r
}

// RowsPerMatch is the ROWS PER MATCH option (chapter 7).
type RowsPerMatch uint8

// The options. OneRow is the default, and ShowEmpty that of ALL ROWS PER MATCH (GRAM-3).
const (
	OneRow RowsPerMatch = iota
	ShowEmpty
	OmitEmpty
	WithUnmatched
)

// IsAll reports ALL ROWS PER MATCH.
func (r RowsPerMatch) IsAll() bool { return r != OneRow }

// String returns the option as SQL.
func (r RowsPerMatch) String() string {
	return [...]string{"ONE ROW PER MATCH", "ALL ROWS PER MATCH SHOW EMPTY MATCHES",
		"ALL ROWS PER MATCH OMIT EMPTY MATCHES", "ALL ROWS PER MATCH WITH UNMATCHED ROWS"}[r]
}

// SkipTo is the form of AFTER MATCH SKIP (chapter 8).
type SkipTo uint8

// The forms. PastLastRow is the default (GRAM-3).
const (
	PastLastRow SkipTo = iota
	ToNextRow
	ToFirst
	ToLast
)

// Skip is a bound AFTER MATCH clause.
type Skip struct {
	To     SkipTo
	Target VarID    // ToFirst, ToLast: a primary or a union variable (SKIP-1)
	Pos    diag.Pos // of the target, or of the clause
}

// Variable is a row pattern variable of a clause.
type Variable struct {
	Name    Name
	Define  scalar.Expr // condition of a primary variable; nil: always TRUE (DEF-1)
	Members []VarID     // of a union variable, in the order of SUBSET; nil for a primary variable
	member  []bool      // by primary variable: does it belong to the union?
}

// IsUnion reports a variable declared in SUBSET.
func (v *Variable) IsUnion() bool { return v.Members != nil }

// Measure is one item of MEASURES.
type Measure struct {
	Name Name
	Expr scalar.Expr
}

// OrderKey is one key of the clause's ORDER BY. NullsFirst is resolved (NUL-2).
type OrderKey struct {
	Column     int         // input column, or -1 where Expr is an expression (GRAM-5=alternative)
	Expr       scalar.Expr // only where Column is -1
	Descending bool
	NullsFirst bool
	Name       Name
}

// FrameEnd is the end of a window frame with row pattern recognition (WIN-1).
type FrameEnd struct {
	Unbounded bool
	Rows      scalar.Expr // n of n FOLLOWING; nil when Unbounded. CURRENT ROW is 0 (WIN-1=alternative)
}

// Clause is a bound, valid recognition: a MATCH_RECOGNIZE clause, or the
// row pattern part of a window (Window != nil). It is immutable and safe for
// concurrent use.
type Clause struct {
	Source      string // text of the statement, for error messages
	Input       *RowType
	PartitionBy []int
	OrderBy     []OrderKey
	Measures    []Measure
	Rows        RowsPerMatch
	Skip        Skip
	Pattern     *Pattern
	Vars        []Variable
	Primaries   int       // Vars[:Primaries] are the primary variables
	Window      *FrameEnd // R020; nil for the FROM form (R010)
	Seek        bool      // WIN-3
	Output      RowType   // of the FROM form, output column list applied (OUT-1, OUT-2)
	Readings    readings.Set

	columns []outputColumn // where each output column comes from
	names   []string       // of the primary variables, as CLASSIFIER gives them
}

// Name returns the name of a variable as CLASSIFIER gives it (GRAM-10).
func (c *Clause) Name(v VarID) string { return c.Vars[v].Name.Text }

// Belongs reports whether rows mapped to the primary variable p are rows of v:
// of the universal variable, of p itself, or of a union that has p (SUB-2).
func (c *Clause) Belongs(p, v VarID) bool {
	if v == Universal || p == v {
		return true
	}
	m := c.Vars[v].member
	return m != nil && m[p]
}

// HasExclusion reports whether the pattern has {- -} anywhere.
func (c *Clause) HasExclusion() bool { return c.Pattern.Has(OpExclude) }

// Has reports whether a node of the given kind occurs in the pattern.
func (p *Pattern) Has(op Op) bool {
	found := false
	p.Walk(func(n *Pattern) { found = found || n.Op == op })
	return found
}
