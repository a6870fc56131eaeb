package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Env is what an expression is evaluated in: a row, a mapping and a current
// row. This package hands it to the leaves untouched.
type Env any

// Expr is a bound expression. It is immutable after binding, and Eval may be
// called from several goroutines at once when the leaves allow it.
type Expr interface {
	// Type is the static type; Unknown is compatible with every type.
	Type() value.Type
	// Eval gives the value, NULL included. Its errors are *diag.Error of
	// stage runtime and rule EVAL-1 with the place of the operator or call.
	Eval(env Env) (value.Value, error)
	// Pos is the place of the first token.
	Pos() diag.Pos
	// Children returns the operands in evaluation order. Callers must not change it.
	Children() []Expr
	// String is SQL text that binds to an equal expression.
	String() string
}

// Predicate is an expression that yields a truth value without the detour
// over a Value. All boolean nodes of this package are Predicates.
type Predicate interface {
	Expr
	Truth(env Env) (value.Truth, error)
}

// Base holds what every node has. Leaves of other packages may embed it.
type Base struct {
	Place diag.Pos
	T     value.Type
}

// Type returns the static type.
func (b *Base) Type() value.Type { return b.T }

// Pos returns the place of the first token.
func (b *Base) Pos() diag.Pos { return b.Place }

// Op is an operator.
type Op uint8

// The operators of Unary, Binary, Compare and Logical.
const (
	OpPlus     Op = iota + 1 // unary
	OpNegate                 // unary
	OpAdd                    // +
	OpSubtract               // -
	OpMultiply               // *
	OpDivide                 // /
	OpConcat                 // ||
	OpEqual                  // =
	OpNotEqual               // <>
	OpLess                   // <
	OpLessEqual
	OpGreater
	OpGreaterEqual
	OpAnd
	OpOr
	OpNot
)

var opText = [...]string{OpPlus: "+", OpNegate: "-", OpAdd: "+", OpSubtract: "-", OpMultiply: "*", OpDivide: "/",
	OpConcat: "||", OpEqual: "=", OpNotEqual: "<>", OpLess: "<", OpLessEqual: "<=", OpGreater: ">", OpGreaterEqual: ">=",
	OpAnd: "AND", OpOr: "OR", OpNot: "NOT"}

// String returns the operator as SQL writes it.
func (o Op) String() string {
	if int(o) < len(opText) {
		return opText[o]
	}
	return "?"
}

// EvalTruth evaluates a condition: UNKNOWN for NULL. AND and OR evaluate from
// left to right and stop when determined (DEF-15).
func EvalTruth(e Expr, env Env) (value.Truth, error) {
	if p, ok := e.(Predicate); ok {
		return p.Truth(env)
	}
	v, err := e.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	return value.TruthOf(v), nil
}

// truthValue turns the result of a Truth method into that of an Eval method.
func truthValue(t value.Truth, err error) (value.Value, error) { return t.Value(), err }

// Walk calls f for e and, while f returns true, for everything below it,
// operands in evaluation order.
func Walk(e Expr, f func(Expr) bool) {
	if !f(e) {
		return
	}
	for _, c := range e.Children() {
		Walk(c, f)
	}
}

// IsConstant reports whether e has the same value in every Env: it contains
// no leaf of another package. Uncorrelated subqueries are constants (DEF-13).
func IsConstant(e Expr) bool {
	constant := true
	Walk(e, func(x Expr) bool {
		constant = constant && isOwn(x)
		return constant
	})
	return constant
}

// isOwn tells the nodes of this package from the leaves of others.
func isOwn(e Expr) bool {
	switch e.(type) {
	case *Const, *HostVariable, *Unary, *Binary, *Compare, *Logical, *Between, *In, *Like, *IsNull, *IsTruth, *IsDistinct,
		*Case, *Cast, *Extract, *Func, *ArrayMaker, *Coercion, *Subquery, *InSubquery, *Exists, *Invalid:
		return true
	}
	return false
}

// located gives a run-time error the place of the operator or call that
// raised it. The error is copied, so that one kept elsewhere stays as it is.
func located(err error, pos diag.Pos) error {
	e := *diag.From(err)
	return e.At(pos)
}

// runtimeError makes a data exception of rule EVAL-1.
func runtimeError(state, format string, args ...any) *diag.Error {
	return diag.New(diag.Runtime, "EVAL-1", diag.Pos{}, format, args...).WithState(state)
}
