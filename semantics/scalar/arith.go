package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Eval returns the literal.
func (n *Const) Eval(Env) (value.Value, error) { return n.Value, nil }

// Eval returns the value given for the host variable. Without one it fails
// with SQLSTATE 07001 (the using clause does not match the parameters).
func (n *HostVariable) Eval(Env) (value.Value, error) {
	if !n.Bound {
		return value.Null, runtimeError("07001", "host variable :%s has no value", n.Name).
			WithHint("give it one with --param %s=VALUE, or in params", n.Name).At(n.Place)
	}
	return n.Value, nil
}

// Eval reports a defect: a tree with errors must not be evaluated.
func (n *Invalid) Eval(Env) (value.Value, error) {
	return value.Null, diag.New(diag.Internal, "LIM-1", n.Place, "an expression with errors is evaluated")
}

// Eval negates the operand, or returns it.
func (n *Unary) Eval(env Env) (value.Value, error) {
	x, err := n.X.Eval(env)
	if err != nil || x.IsNull() || n.Op == OpPlus {
		return x, err
	}
	v, err := value.Negate(n.T, x)
	if err != nil {
		return value.Null, located(err, n.OpPos)
	}
	return v, nil
}

// Eval computes the operation; NULL if an operand is NULL.
func (n *Binary) Eval(env Env) (value.Value, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.Null, err
	}
	y, err := n.Y.Eval(env)
	if err != nil || x.IsNull() || y.IsNull() {
		return value.Null, err
	}
	if n.Op == OpConcat {
		v, err := concat(x, y)
		if err != nil {
			return value.Null, located(err, n.OpPos)
		}
		return v, nil
	}
	v, err := value.Arith(n.Op.String(), n.T, x, y)
	if err != nil {
		return value.Null, located(err, n.OpPos)
	}
	return v, nil
}

// maxString is the length in bytes up to which functions build strings.
const maxString = 64 << 20

// concat joins two strings, binary strings or arrays, none of them NULL.
func concat(x, y value.Value) (value.Value, error) {
	switch x.Form() {
	case value.FormArray:
		a, b := x.AsArray(), y.AsArray()
		out := make([]value.Value, 0, len(a)+len(b))
		return value.ArrayOf(append(append(out, a...), b...)), nil
	case value.FormBinary:
		if err := checkLength(len(x.AsString()) + len(y.AsString())); err != nil {
			return value.Null, err
		}
		return value.Bytes([]byte(x.AsString() + y.AsString())), nil
	}
	if err := checkLength(len(x.AsString()) + len(y.AsString())); err != nil {
		return value.Null, err
	}
	return value.String(x.AsString() + y.AsString()), nil
}

// checkLength refuses to build strings without bound.
func checkLength(bytes int) error {
	if bytes > maxString {
		return diag.New(diag.Limit, "LIM-1", diag.Pos{}, "the string would be longer than %d bytes", maxString).
			WithHint("build shorter strings")
	}
	return nil
}

// Eval converts the operand explicitly.
func (n *Cast) Eval(env Env) (value.Value, error) {
	x, err := n.X.Eval(env)
	if err != nil || x.IsNull() {
		return value.Null, err
	}
	v, err := value.Cast(x, n.X.Type(), n.T)
	if err != nil {
		return value.Null, located(err, n.Place)
	}
	return v, nil
}

// Eval converts the operand implicitly.
func (n *Coercion) Eval(env Env) (value.Value, error) {
	x, err := n.X.Eval(env)
	if err != nil || x.IsNull() {
		return value.Null, err
	}
	v, err := value.Convert(value.Pad(x, n.X.Type()), n.T)
	if err != nil {
		return value.Null, located(err, n.X.Pos())
	}
	return v, nil
}

// Eval takes the field out of a date, time, timestamp or interval.
func (n *Extract) Eval(env Env) (value.Value, error) {
	x, err := n.X.Eval(env)
	if err != nil || x.IsNull() {
		return value.Null, err
	}
	v, err := value.FieldOf(x, n.X.Type(), n.Field)
	if err != nil {
		return value.Null, located(err, n.Place)
	}
	return v, nil
}

// Eval makes the array; NULL elements are elements.
func (n *ArrayMaker) Eval(env Env) (value.Value, error) {
	elems := make([]value.Value, len(n.Elems))
	for i, e := range n.Elems {
		v, err := e.Eval(env)
		if err != nil {
			return value.Null, err
		}
		elems[i] = v
	}
	return value.ArrayOf(elems), nil
}
