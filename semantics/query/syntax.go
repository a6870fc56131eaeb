package query

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Statement is a parsed statement. It is immutable and may be bound several times.
type Statement struct {
	source   string
	readings readings.Set
	query    *queryNode
	// subqueries and windows hold what was parsed from the tokens inside
	// expressions: the query of each subquery node, and each in-line window.
	subqueries map[*sqlexpr.Node]*queryNode
	windows    map[*sqlexpr.Over]*windowNode
	// recognitions are the places of all recognitions, in source order (NEST-1, NEST-4).
	recognitions []diag.Pos
	late         []*diag.Error // semantic errors that the parser met
}

// Source returns the text of the statement.
func (st *Statement) Source() string { return st.source }

// queryNode is a query expression.
type queryNode struct {
	pos       diag.Pos
	end       int // byte offset after its last token
	with      []withNode
	recursive diag.Pos // of RECURSIVE; invalid if it is not written
	terms     []termNode
	orderBy   []sqlexpr.SortItem
	offset    *countNode
	limit     *countNode
}

// withNode is an item of WITH.
type withNode struct {
	name    semantics.Name
	columns []semantics.Name
	query   *queryNode
}

// termNode is one operand of UNION ALL: exactly one of the fields is not nil.
type termNode struct {
	pos    diag.Pos
	block  *selectNode
	values *valuesNode
	query  *queryNode // in parentheses
}

// valuesNode is VALUES (...), ...
type valuesNode struct {
	pos  diag.Pos
	rows []valuesRow
}

type valuesRow struct {
	pos   diag.Pos
	cells []cellNode
}

// cellNode is a value of VALUES. There may be very many, so that plain literals
// are held without a node.
type cellNode struct {
	pos   diag.Pos
	expr  *sqlexpr.Node // nil: the literal
	value value.Value
	typ   value.Type
}

// countNode is a number of rows: a literal or a host variable.
type countNode struct {
	what string // OFFSET, LIMIT or FETCH FIRST
	expr *sqlexpr.Node
}

// selectNode is SELECT ... up to WINDOW.
type selectNode struct {
	pos      diag.Pos
	distinct bool
	items    []itemNode
	from     *factorNode // nil: no FROM
	where    *sqlexpr.Node
	groupBy  []*sqlexpr.Node
	groupPos diag.Pos // of GROUP; invalid if it is not written
	having   *sqlexpr.Node
	windows  []windowNode
}

// itemNode is an item of the select list: an expression, or [qualifier.]*.
type itemNode struct {
	pos       diag.Pos
	expr      *sqlexpr.Node // nil: *
	qualifier *semantics.Name
	alias     *semantics.Name
}

// factorNode is the table factor of FROM.
type factorNode struct {
	pos         diag.Pos
	name        semantics.Name // of a named table
	query       *queryNode     // of a derived table; nil: a named one
	alias       *semantics.Name
	columns     []semantics.Name
	recognition *semantics.Syntax
}

// windowNode is an item of WINDOW, or an in-line window specification.
type windowNode struct {
	name   semantics.Name // empty for an in-line one
	pos    diag.Pos       // of the specification
	syntax *semantics.Syntax
	text   string      // tokens of the specification: equal in-line windows are one (WIN-11)
	lacks  *diag.Error // parts that need a PATTERN, which is not there (GRAM-14)
}

// walk calls f for a node and, while f returns true, for all nodes below it.
func walk(n *sqlexpr.Node, f func(*sqlexpr.Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, c := range n.Operands() {
		walk(c, f)
	}
}

// callName returns the name of a call that has one part, else "".
func callName(n *sqlexpr.Node) string {
	if n.Kind != sqlexpr.Call || len(n.Names) != 1 {
		return ""
	}
	return n.Names[0].Text
}

// nameOf turns an identifier token into a name.
func nameOf(w token.Word) semantics.Name { return semantics.Name(w) }
