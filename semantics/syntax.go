package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
)

// Syntax is the syntax tree of a recognition before binding: of
// MATCH_RECOGNIZE ( ... ), or of a window specification (GRAM-14). It exists
// for the parser of the statement around the clause.
type Syntax struct {
	Source string
	Pos    diag.Pos // of MATCH_RECOGNIZE, or of the window specification
	End    diag.Pos // of the closing parenthesis
	Window bool

	Base        *Name // existing window that the specification extends
	PartitionBy []columnSyntax
	OrderBy     []sqlexpr.SortItem
	Measures    []measureSyntax
	Rows        RowsPerMatch
	Frame       *frameSyntax
	Exclude     string // what EXCLUDE of a window names: NO OTHERS, CURRENT ROW, GROUP, TIES
	ExcludePos  diag.Pos
	Skip        skipSyntax
	Seek        seekSyntax
	Pattern     *Pattern // nil: a window without row pattern recognition
	PatternPos  diag.Pos
	Subset      []subsetSyntax
	Define      []defineSyntax

	OutputName    *Name
	OutputColumns []Name
	OutputPos     diag.Pos

	late diag.List // semantic errors that the parser saw
}

// columnSyntax is a column of PARTITION BY (GRAM-4).
type columnSyntax struct {
	Parts   []Name
	Collate *Name
}

type measureSyntax struct {
	Expr *sqlexpr.Node
	Name Name
}

type skipSyntax struct {
	Written bool
	To      SkipTo
	Target  Name
	Pos     diag.Pos // of AFTER
}

type seekSyntax struct {
	Word string // INITIAL, SEEK or nothing
	Pos  diag.Pos
}

type subsetSyntax struct {
	Name    Name
	Members []Name
}

type defineSyntax struct {
	Name Name
	Cond *sqlexpr.Node
}

// frameSyntax is a frame clause of any kind; WIN-1 says which are allowed.
type frameSyntax struct {
	Pos        diag.Pos
	Unit       string // ROWS, RANGE, GROUPS
	Start, End frameBound
	Between    bool
}

type frameBound struct {
	Pos  diag.Pos
	Kind string // UNBOUNDED PRECEDING, PRECEDING, CURRENT ROW, FOLLOWING, UNBOUNDED FOLLOWING
	N    *sqlexpr.Node
}
