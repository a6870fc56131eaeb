package scalar

import (
	"cmp"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// integral are the forms that are held as one integer and ordered as such.
const integral = 1<<value.FormInt | 1<<value.FormBool | 1<<value.FormDate | 1<<value.FormTime | 1<<value.FormStamp |
	1<<value.FormInterval | 1<<value.FormMonths

// compare orders two values that are not NULL. The forms that are held as one
// integer are compared here; value.Compare knows the rest.
func compare(x, y value.Value, o value.Options) int {
	if x.Form() == y.Form() && integral>>x.Form()&1 != 0 {
		return cmp.Compare(x.Raw(), y.Raw())
	}
	return value.Compare(x, y, o)
}

// equal is x = y in three-valued logic.
func equal(x, y value.Value, o value.Options) value.Truth { return holds(OpEqual, &x, &y, &o) }

func truthOf(b bool) value.Truth {
	if b {
		return value.True
	}
	return value.False
}

// negate applies the NOT of a negated predicate.
func negate(t value.Truth, negated bool) value.Truth {
	if negated {
		return t.Not()
	}
	return t
}

// holds is x op y in three-valued logic. It takes pointers because a Value is
// large and this is the innermost step of most conditions.
func holds(op Op, x, y *value.Value, o *value.Options) value.Truth {
	var c int
	switch {
	case x.Form() == y.Form() && integral>>x.Form()&1 != 0:
		c = cmp.Compare(x.Raw(), y.Raw())
	case x.IsNull() || y.IsNull():
		return value.UnknownTruth
	case x.Form() == value.FormArray && op <= OpNotEqual:
		t := value.Equal(*x, *y, *o) // NULL elements can make it UNKNOWN
		return negate(t, op == OpNotEqual)
	default:
		c = value.Compare(*x, *y, *o)
	}
	switch op {
	case OpEqual:
		return truthOf(c == 0)
	case OpNotEqual:
		return truthOf(c != 0)
	case OpLess:
		return truthOf(c < 0)
	case OpLessEqual:
		return truthOf(c <= 0)
	case OpGreater:
		return truthOf(c > 0)
	}
	return truthOf(c >= 0)
}

// Truth compares: UNKNOWN if an operand is NULL.
func (n *Compare) Truth(env Env) (value.Truth, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	y, err := n.Y.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	return holds(n.Op, &x, &y, &n.Options), nil
}

// Eval is Truth as a value.
func (n *Compare) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Truth evaluates from left to right and stops when the result is determined (DEF-15).
func (n *Logical) Truth(env Env) (value.Truth, error) {
	if n.Op == OpNot {
		t, err := EvalTruth(n.Args[0], env)
		return t.Not(), err
	}
	stop, result := value.False, value.True
	if n.Op == OpOr {
		stop, result = value.True, value.False
	}
	for _, a := range n.Args {
		t, err := EvalTruth(a, env)
		switch {
		case err != nil:
			return value.UnknownTruth, err
		case t == stop:
			return t, nil
		case t == value.UnknownTruth:
			result = t
		}
	}
	return result, nil
}

// Eval is Truth as a value.
func (n *Logical) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Truth is x >= low AND x <= high, with x evaluated once.
func (n *Between) Truth(env Env) (value.Truth, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	low, err := n.Low.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	t := holds(OpGreaterEqual, &x, &low, &n.Options)
	if t != value.False {
		high, err := n.High.Eval(env)
		if err != nil {
			return value.UnknownTruth, err
		}
		t = t.And(holds(OpLessEqual, &x, &high, &n.Options))
	}
	return negate(t, n.Negated), nil
}

// Eval is Truth as a value.
func (n *Between) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Truth is x = e1 OR x = e2 OR ..., with x evaluated once.
func (n *In) Truth(env Env) (value.Truth, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	result := value.False
	for _, e := range n.List {
		y, err := e.Eval(env)
		if err != nil {
			return value.UnknownTruth, err
		}
		if result = result.Or(equal(x, y, n.Options)); result == value.True {
			break
		}
	}
	return negate(result, n.Negated), nil
}

// Eval is Truth as a value.
func (n *In) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Truth is never UNKNOWN.
func (n *IsNull) Truth(env Env) (value.Truth, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	return truthOf(x.IsNull() != n.Negated), nil
}

// Eval is Truth as a value.
func (n *IsNull) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Truth is never UNKNOWN.
func (n *IsTruth) Truth(env Env) (value.Truth, error) {
	t, err := EvalTruth(n.X, env)
	if err != nil {
		return value.UnknownTruth, err
	}
	return truthOf((t == n.Value) != n.Negated), nil
}

// Eval is Truth as a value.
func (n *IsTruth) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Truth is never UNKNOWN: two NULLs are not distinct.
func (n *IsDistinct) Truth(env Env) (value.Truth, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	y, err := n.Y.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	return truthOf(value.Identical(x, y, n.Options) == n.Negated), nil
}

// Eval is Truth as a value.
func (n *IsDistinct) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Eval takes the first branch that holds; no other THEN is evaluated (DEF-15).
func (n *Case) Eval(env Env) (value.Value, error) {
	branch, err := n.branch(env)
	if err != nil || branch == nil {
		return value.Null, err
	}
	return branch.Eval(env)
}

// branch returns the result expression that applies; nil for the missing ELSE.
func (n *Case) branch(env Env) (Expr, error) {
	var operand value.Value
	if n.Operand != nil {
		var err error
		if operand, err = n.Operand.Eval(env); err != nil {
			return nil, err
		}
	}
	for _, w := range n.Whens {
		var t value.Truth
		if n.Operand == nil {
			var err error
			if t, err = EvalTruth(w.Cond, env); err != nil {
				return nil, err
			}
		} else {
			v, err := w.Cond.Eval(env)
			if err != nil {
				return nil, err
			}
			t = equal(operand, v, n.Options)
		}
		if t == value.True {
			return w.Then, nil
		}
	}
	return n.Else, nil
}
