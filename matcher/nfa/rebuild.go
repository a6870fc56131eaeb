package nfa

import (
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// rebuild returns a copy of an expression's node whose operands are those that
// sub returns for the original ones. Constants are returned as they are; nodes
// that package scalar does not know are not for this function: ok is false.
func rebuild(e scalar.Expr, sub func(scalar.Expr) scalar.Expr) (_ scalar.Expr, ok bool) {
	all := func(list []scalar.Expr) []scalar.Expr {
		out := make([]scalar.Expr, len(list))
		for i, x := range list {
			out[i] = sub(x)
		}
		return out
	}
	opt := func(x scalar.Expr) scalar.Expr {
		if x == nil {
			return nil
		}
		return sub(x)
	}
	switch n := e.(type) {
	case *scalar.Const, *scalar.HostVariable, *scalar.Subquery, *scalar.Exists, *scalar.Invalid:
		return e, true
	case *scalar.Unary:
		c := *n
		c.X = sub(n.X)
		return &c, true
	case *scalar.Binary:
		c := *n
		c.X, c.Y = sub(n.X), sub(n.Y)
		return &c, true
	case *scalar.Compare:
		c := *n
		c.X, c.Y = sub(n.X), sub(n.Y)
		return &c, true
	case *scalar.Logical:
		c := *n
		c.Args = all(n.Args)
		return &c, true
	case *scalar.Between:
		c := *n
		c.X, c.Low, c.High = sub(n.X), sub(n.Low), sub(n.High)
		return &c, true
	case *scalar.In:
		c := *n
		c.X, c.List = sub(n.X), all(n.List)
		return &c, true
	case *scalar.Like:
		return &scalar.Like{Base: n.Base, X: sub(n.X), Pattern: sub(n.Pattern), Escape: opt(n.Escape), Negated: n.Negated, OpPos: n.OpPos}, true
	case *scalar.IsNull:
		c := *n
		c.X = sub(n.X)
		return &c, true
	case *scalar.IsTruth:
		c := *n
		c.X = sub(n.X)
		return &c, true
	case *scalar.IsDistinct:
		c := *n
		c.X, c.Y = sub(n.X), sub(n.Y)
		return &c, true
	case *scalar.Case:
		c := *n
		c.Operand, c.Else = opt(n.Operand), opt(n.Else)
		c.Whens = make([]scalar.When, len(n.Whens))
		for i, w := range n.Whens {
			c.Whens[i] = scalar.When{Cond: sub(w.Cond), Then: sub(w.Then)}
		}
		return &c, true
	case *scalar.Cast:
		c := *n
		c.X = sub(n.X)
		return &c, true
	case *scalar.Extract:
		c := *n
		c.X = sub(n.X)
		return &c, true
	case *scalar.Func:
		c := *n
		c.Args = all(n.Args)
		return &c, true
	case *scalar.ArrayMaker:
		c := *n
		c.Elems = all(n.Elems)
		return &c, true
	case *scalar.Coercion:
		c := *n
		c.X = sub(n.X)
		return &c, true
	case *scalar.InSubquery:
		return &inSubquery{InSubquery: n, x: sub(n.X)}, true
	}
	return nil, false
}

// inSubquery is x IN (subquery) with another operand; the subquery is shared,
// and evaluated once for both.
type inSubquery struct {
	*scalar.InSubquery
	x scalar.Expr
}

// Truth tests membership.
func (n *inSubquery) Truth(env scalar.Env) (value.Truth, error) {
	x, err := n.x.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	return n.Contains(x)
}

// Eval is Truth as a value.
func (n *inSubquery) Eval(env scalar.Env) (value.Value, error) {
	t, err := n.Truth(env)
	return t.Value(), err
}

// Children returns the operand.
func (n *inSubquery) Children() []scalar.Expr { return []scalar.Expr{n.x} }
