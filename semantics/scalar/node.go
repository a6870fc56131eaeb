package scalar

import (
	"sync"
	"sync/atomic"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Const is a literal.
type Const struct {
	Base
	Value value.Value
}

// HostVariable is a host variable. Without a value (Bound false) its type is
// unknown and its evaluation an error.
type HostVariable struct {
	Base
	Name  string // folded, without the colon
	Value value.Value
	Bound bool
}

// Unary is + x or - x.
type Unary struct {
	Base
	Op    Op // OpPlus, OpNegate
	X     Expr
	OpPos diag.Pos
}

// Binary is an arithmetic operation or a concatenation.
type Binary struct {
	Base
	Op    Op // OpAdd, OpSubtract, OpMultiply, OpDivide, OpConcat
	X, Y  Expr
	OpPos diag.Pos
}

// Compare is a comparison predicate.
type Compare struct {
	Base
	Op      Op // OpEqual to OpGreaterEqual
	X, Y    Expr
	OpPos   diag.Pos
	Options value.Options // how strings compare, blank padding of char(n) included
}

// Logical is AND, OR or NOT. AND and OR have two operands or more: a chain of
// one operator is one node.
type Logical struct {
	Base
	Op   Op // OpAnd, OpOr, OpNot
	Args []Expr
}

// Between is x [NOT] BETWEEN low AND high.
type Between struct {
	Base
	X, Low, High Expr
	Negated      bool
	Options      value.Options
}

// In is x [NOT] IN (list).
type In struct {
	Base
	X       Expr
	List    []Expr
	Negated bool
	Options value.Options
}

// Like is x [NOT] LIKE pattern [ESCAPE escape].
type Like struct {
	Base
	X, Pattern Expr
	Escape     Expr // nil: no escape character
	Negated    bool
	OpPos      diag.Pos
	last       atomic.Pointer[likePattern]
}

// IsNull is x IS [NOT] NULL.
type IsNull struct {
	Base
	X       Expr
	Negated bool
}

// IsTruth is x IS [NOT] TRUE, FALSE or UNKNOWN.
type IsTruth struct {
	Base
	X       Expr
	Value   value.Truth
	Negated bool
}

// IsDistinct is x IS DISTINCT FROM y; Negated is IS NOT DISTINCT FROM.
type IsDistinct struct {
	Base
	X, Y    Expr
	Negated bool
	Options value.Options
}

// When is one branch of a Case.
type When struct {
	Cond Expr // searched: a condition; simple: what the operand is compared with
	Then Expr
}

// Case is a searched CASE, or a simple one when Operand is not nil.
type Case struct {
	Base
	Operand Expr
	Whens   []When
	Else    Expr // nil: NULL
	Options value.Options
}

// Cast is CAST(x AS type); the target is the node's type.
type Cast struct {
	Base
	X Expr
}

// Extract is EXTRACT(field FROM x).
type Extract struct {
	Base
	Field string // YEAR MONTH DAY HOUR MINUTE SECOND
	X     Expr
}

// Func is a call of a scalar function.
type Func struct {
	Base
	Name string // as called; aliases have the same Fn
	Args []Expr
	Fn   *Function
	Form string // TRIM only: LEADING, TRAILING, BOTH; empty: not written
	Impl Impl   // the implementation for the types of Args; empty for lazy functions
	// Options are the readings that GREATEST, LEAST and NULLIF compare by.
	Options value.Options
}

// ArrayMaker is ARRAY[elements].
type ArrayMaker struct {
	Base
	Elems []Expr
}

// Coercion is an implicit conversion to the node's type (TYPE-1: only
// between types that assignment allows). It prints as its operand.
type Coercion struct {
	Base
	X Expr
}

// Subquery is a scalar subquery. It is evaluated when its value is first
// needed, and once: it is a constant (DEF-13).
type Subquery struct {
	Base
	Query Query
	Text  string // SQL text without the parentheses
	once  sync.Once
	value value.Value
	err   error
}

// InSubquery is x [NOT] IN (SELECT ...).
type InSubquery struct {
	Base
	X       Expr
	Query   Query
	Text    string // SQL text without the parentheses
	Negated bool
	Options value.Options
	common  value.Type // what the values of the subquery are converted to
	once    sync.Once
	set     *valueSet
	err     error
}

// Exists is EXISTS (SELECT ...).
type Exists struct {
	Base
	Query Query
	Text  string // SQL text without the parentheses
	once  sync.Once
	found value.Truth
	err   error
}

// Invalid stands where binding failed; the error is in the Binder's list. Its
// type is unknown, so that no further errors follow from it.
type Invalid struct {
	Base
}

// Children returns no operands.
func (*Const) Children() []Expr { return nil }

// Children returns no operands.
func (*HostVariable) Children() []Expr { return nil }

// Children returns the operand.
func (n *Unary) Children() []Expr { return []Expr{n.X} }

// Children returns both operands.
func (n *Binary) Children() []Expr { return []Expr{n.X, n.Y} }

// Children returns both operands.
func (n *Compare) Children() []Expr { return []Expr{n.X, n.Y} }

// Children returns the operands.
func (n *Logical) Children() []Expr { return n.Args }

// Children returns operand, lower and upper bound.
func (n *Between) Children() []Expr { return []Expr{n.X, n.Low, n.High} }

// Children returns the operand and the list.
func (n *In) Children() []Expr { return append([]Expr{n.X}, n.List...) }

// Children returns operand, pattern and escape character, if there is one.
func (n *Like) Children() []Expr {
	if n.Escape == nil {
		return []Expr{n.X, n.Pattern}
	}
	return []Expr{n.X, n.Pattern, n.Escape}
}

// Children returns the operand.
func (n *IsNull) Children() []Expr { return []Expr{n.X} }

// Children returns the operand.
func (n *IsTruth) Children() []Expr { return []Expr{n.X} }

// Children returns both operands.
func (n *IsDistinct) Children() []Expr { return []Expr{n.X, n.Y} }

// Children returns operand, branches and ELSE, as far as they are there.
func (n *Case) Children() []Expr {
	var out []Expr
	if n.Operand != nil {
		out = append(out, n.Operand)
	}
	for _, w := range n.Whens {
		out = append(out, w.Cond, w.Then)
	}
	if n.Else != nil {
		out = append(out, n.Else)
	}
	return out
}

// Children returns the operand.
func (n *Cast) Children() []Expr { return []Expr{n.X} }

// Children returns the operand.
func (n *Extract) Children() []Expr { return []Expr{n.X} }

// Children returns the arguments.
func (n *Func) Children() []Expr { return n.Args }

// Children returns the elements.
func (n *ArrayMaker) Children() []Expr { return n.Elems }

// Children returns the operand.
func (n *Coercion) Children() []Expr { return []Expr{n.X} }

// Children returns no operands: an uncorrelated subquery is a constant.
func (*Subquery) Children() []Expr { return nil }

// Children returns the operand.
func (n *InSubquery) Children() []Expr { return []Expr{n.X} }

// Children returns no operands: an uncorrelated subquery is a constant.
func (*Exists) Children() []Expr { return nil }

// Children returns no operands.
func (*Invalid) Children() []Expr { return nil }
