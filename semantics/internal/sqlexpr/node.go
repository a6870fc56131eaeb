package sqlexpr

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Kind is the kind of a Node.
type Kind uint8

// The kinds of nodes. Args holds the operands in written order.
const (
	Invalid    Kind = iota
	Literal         // Value, Type
	Param           // host variable; Text is its name without the colon, folded
	Name            // Names: column, or qualifier.column
	Star            // * or qualifier.*; only as argument of a call (COUNT(*), COUNT(A.*))
	Call            // function call; Names[0] the function, see the fields below
	Unary           // Text: "-", "+", "NOT"
	Binary          // Text: + - * / || AND OR = <> < > <= >=
	Between         // Args: operand, low, high; Negated. SYMMETRIC is not supported.
	In              // Args: operand, elements...; Negated. One element of kind Subquery: IN (SELECT ...)
	Like            // Args: operand, pattern [, escape]; Negated
	IsNull          // Args: operand; Negated
	IsTruth         // Args: operand; Text: TRUE, FALSE, UNKNOWN; Negated
	IsDistinct      // Args: a, b for a IS [NOT] DISTINCT FROM b; Negated for IS NOT DISTINCT FROM
	Case            // Operand (nil: searched), When pairs in Args (when, then, when, then ...), Else (nil: NULL)
	Cast            // Args: operand; Type
	Extract         // Args: operand; Text: YEAR MONTH DAY HOUR MINUTE SECOND
	ArrayMaker      // ARRAY[...]: Args are the elements
	Subquery        // scalar subquery: Tokens of the query without the parentheses
	Exists          // EXISTS (subquery): Tokens
)

// Node is one node of a syntactic expression tree: names are not resolved and
// types not known.
type Node struct {
	Kind    Kind
	Pos     diag.Pos // of the first token
	End     int      // byte offset after the last token
	OpPos   diag.Pos // of the operator of Unary, Binary and the predicates
	Args    []*Node
	Names   []token.Word // Name, Star (qualifier), Call (function name)
	Text    string       // operator, field, parameter name, see Kind
	Negated bool
	Parens  bool // stood in parentheses of its own
	Value   value.Value
	Type    value.Type
	Operand *Node // Case
	Else    *Node // Case
	Tokens  []token.Token

	// Call only.
	Semantics Semantics  // RUNNING or FINAL written before the call
	Distinct  bool       // f(DISTINCT x)
	OrderBy   []SortItem // f(x ORDER BY ...) or WITHIN GROUP (ORDER BY ...)
	Filter    *Node      // FILTER (WHERE ...)
	Over      *Over      // OVER name or OVER (...)
	From      bool       // SUBSTRING(x FROM a FOR b), POSITION(a IN b), TRIM(LEADING a FROM b): arguments are in the order of the comma form
	Trim      string     // LEADING, TRAILING or BOTH of TRIM; empty if not written
	NoParens  bool       // CURRENT_DATE and the like: a call without parentheses
}

// Semantics is the keyword before a call.
type Semantics uint8

// The keywords RUNNING and FINAL (MEA-1).
const (
	NoSemantics Semantics = iota
	Running
	Final
)

// SortItem is one sort specification.
type SortItem struct {
	Expr       *Node
	Descending bool
	NullsFirst *bool // nil: not written
}

// Over is the window of a call: a name, or the tokens of an in-line
// specification without its parentheses.
type Over struct {
	Name   *token.Word
	Spec   []token.Token
	Pos    diag.Pos
	Inline bool
}
