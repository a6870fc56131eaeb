package scalar

import (
	"math"

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
	if v, ok := n.fast(x, y); ok {
		return v, nil
	}
	v, err := value.Arith(n.Op.String(), n.T, x, y)
	if err != nil {
		return value.Null, located(err, n.OpPos)
	}
	return v, nil
}

// fast computes the frequent cases that cannot fail: small operands of one
// form. Everything else is left to value.Arith, which knows all rules.
func (n *Binary) fast(x, y value.Value) (value.Value, bool) {
	if x.Form() != y.Form() {
		return value.Null, false
	}
	switch x.Form() {
	case value.FormInt:
		if !n.T.IsInteger() {
			return value.Null, false
		}
		r, ok := smallArith(n.Op, x.Raw(), y.Raw())
		if !ok || !fitsInteger(n.T.Kind, r) {
			return value.Null, false
		}
		return value.Int(r), true
	case value.FormDouble:
		if n.T.Kind != value.Double {
			return value.Null, false
		}
		a, b := x.AsFloat(), y.AsFloat()
		var r float64
		switch n.Op {
		case OpAdd:
			r = a + b
		case OpSubtract:
			r = a - b
		case OpMultiply:
			r = a * b
		default:
			return value.Null, false
		}
		if math.IsInf(r, 0) || math.IsNaN(r) {
			return value.Null, false
		}
		return value.Float(r), true
	case value.FormDecimal:
		return n.fastDecimal(x, y)
	}
	return value.Null, false
}

// fastDecimal computes with coefficients when the operands are of the scale
// that the result's type expects and the coefficient cannot exceed its precision.
func (n *Binary) fastDecimal(x, y value.Value) (value.Value, bool) {
	a, sa, okA := x.AsScaled()
	b, sb, okB := y.AsScaled()
	if !okA || !okB || n.T.Kind != value.Decimal || n.T.Precision == 0 {
		return value.Null, false
	}
	scale := sa
	switch n.Op {
	case OpAdd, OpSubtract:
		if sa != sb {
			return value.Null, false
		}
	case OpMultiply:
		scale = sa + sb
	default:
		return value.Null, false
	}
	r, ok := smallArith(n.Op, a, b)
	if !ok || scale != n.T.Scale {
		return value.Null, false
	}
	if n.T.Precision < 19 && (r >= pow10[n.T.Precision] || r <= -pow10[n.T.Precision]) {
		return value.Null, false
	}
	return value.ScaledInt(r, scale), true
}

// pow10 holds the powers of ten that fit an int64.
var pow10 = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// smallArith computes a op b if that surely does not overflow an int64.
func smallArith(op Op, a, b int64) (int64, bool) {
	switch op {
	case OpAdd:
		r := a + b
		return r, (a^r)&(b^r) >= 0
	case OpSubtract:
		r := a - b
		return r, (a^b)&(a^r) >= 0
	case OpMultiply:
		if a != int64(int32(a)) || b != int64(int32(b)) {
			return 0, false
		}
		return a * b, true
	case OpDivide:
		if b == 0 || b == -1 {
			return 0, false
		}
		return a / b, true // IMP: truncated toward zero
	}
	return 0, false
}

// fitsInteger reports whether r is in the range of an integer type (TYPE-2).
func fitsInteger(k value.Kind, r int64) bool {
	switch k {
	case value.Smallint:
		return r == int64(int16(r))
	case value.Integer:
		return r == int64(int32(r))
	}
	return true
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
		return diag.New(diag.Limit, "LIM-1", diag.Pos{}, "the string would be longer than %d bytes", maxString)
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
