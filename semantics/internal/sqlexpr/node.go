// Package sqlexpr turns the tokens of one SQL expression into a tree. It is the
// only importer of TiDB's parser, which decides how operators group; names,
// literals, calls and everything else that MySQL sees differently never reach it.
//
// The way of an expression:
//
//  1. The rewriter (rewrite.go, operand.go, call.go, form.go, literal.go) walks
//     the tokens once. Every leaf (name, literal, host variable, subquery)
//     becomes a finished Node and is written as a quoted name of ours; every
//     bracketed form (call, CASE, CAST, ...) becomes a call of a quoted name;
//     operators are written as TiDB knows them. What was written is kept as a
//     list of items in source order.
//  2. bridge.go lets TiDB parse the text and walks its tree in the same order:
//     each node of TiDB must be the next item, else it is a defect of ours. The
//     places of operators come from the items.
//
// The rewriter refuses what the standard's grammar does not have, at its place.
// Two shape rules close the gap between MySQL's precedence and the standard's:
// a predicate is no operand without parentheses, and || and arithmetic do not
// mix without parentheses. Both can be read off the tokens between two boolean
// operators, so the rewriter applies them (see segment).
//
// hints.go names what other products have. print.go prints a tree as SQL.
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
	Literal         // Value, Type; Text is the literal as SQL
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

	// Call only, unless said.
	Semantics Semantics  // RUNNING or FINAL written before the call
	Distinct  bool       // f(DISTINCT x)
	OrderBy   []SortItem // f(x ORDER BY ...) or WITHIN GROUP (ORDER BY ...)
	Within    bool       // OrderBy was written with WITHIN GROUP
	Filter    *Node      // FILTER (WHERE ...)
	Over      *Over      // OVER name or OVER (...); also of a Name: a measure of a window (WIN-7)
	From      bool       // SUBSTRING(x FROM a FOR b), POSITION(a IN b), TRIM(LEADING a FROM b): arguments are in the order of the comma form; TRIM: string, then characters if given
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

// Operands returns the expressions directly below a node, in source order as
// far as the node knows it.
func (n *Node) Operands() []*Node {
	if n.Operand == nil && n.Else == nil && n.Filter == nil && len(n.OrderBy) == 0 {
		return n.Args
	}
	out := make([]*Node, 0, len(n.Args)+3)
	if n.Operand != nil {
		out = append(out, n.Operand)
	}
	out = append(out, n.Args...)
	if n.Else != nil {
		out = append(out, n.Else)
	}
	for _, k := range n.OrderBy {
		out = append(out, k.Expr)
	}
	if n.Filter != nil {
		out = append(out, n.Filter)
	}
	return out
}
