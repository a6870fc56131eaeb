package columnar

import (
	"fmt"
	"math"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// arith makes + - * /, by the type of the result (TYPE-2, TYPE-3, TYPE-5, TYPE-6).
func (b *builder) arith(n *scalar.Binary) *node {
	x, y := b.expr(n.X), b.expr(n.Y)
	switch {
	case n.T.IsInteger() && x.kind == kindInt && y.kind == kindInt:
		return b.integerArith(n.Op, n.T, x, y)
	case n.T.Kind == value.Decimal && n.Op != scalar.OpDivide && x.kind == kindInt && y.kind == kindInt:
		if k, _ := b.heldAs(n.T); k == kindInt {
			return b.decimalArith(n.Op, n.T, x, y)
		}
	case n.T.IsApproximate() && x.kind != kindBoxed && y.kind != kindBoxed:
		return b.floatArith(n.Op, n.T, b.toDouble(x), b.toDouble(y))
	case n.T.IsDatetime() || n.T.IsInterval():
		if out := b.temporalArith(n.Op, n.T, x, y); out != nil {
			return out
		}
	}
	op := n.Op.String()
	return b.call(n.T, func(args []value.Value) (value.Value, error) {
		return value.Arith(op, n.T, args[0], args[1])
	}, x, y)
}

// loop computes integers; it reports whether 64 bits overflow on some row, NULL
// or not needed as it may be.
type loop func(z, x, y []int64) bool

// exactInt is one operation of a loop; false: the result does not fit 64 bits,
// or there is none.
type exactInt func(x, y int64) (int64, bool)

// integerArith computes integers. A result out of the range of its type, and a
// division by zero, is an error (TYPE-2, TYPE-3).
func (b *builder) integerArith(op scalar.Op, t value.Type, x, y *node) *node {
	all, one := intLoops(op)
	fits := func(x, y int64) bool {
		r, ok := one(x, y)
		return ok && inRange(r, t.Kind)
	}
	return b.checked(node{kind: kindInt, typ: t}, func(z, x, y []int64) bool { return all(z, x, y) || !allInRange(z, t.Kind) },
		fits, (*run).raise, x, y)
}

// checked makes the node of an operation on integers that does not have a
// result on all rows: those that fits refuses are reported.
func (b *builder) checked(n node, all loop, fits func(x, y int64) bool, report func(r *run, rows *mask, v *vec, on *mask), x, y *node) *node {
	n.eval = func(r *run, v *vec, on *mask) {
		a, c := r.eval(x, on), r.eval(y, on)
		v.strict(a, c)
		if !all(v.makeInts()[:r.n], a.ints[:r.n], c.ints[:r.n]) {
			return
		}
		bad := &v.own.rest
		*bad = mask{}
		for i := range r.n {
			bad[i>>6] |= bit(!fits(a.ints[i], c.ints[i])) << (i & 63)
		}
		report(r, bad, v, on)
	}
	return b.addPartial(n, x, y)
}

// intLoops returns an operation as a loop and for one row.
func intLoops(op scalar.Op) (loop, exactInt) {
	switch op {
	case scalar.OpAdd:
		return addInts, addInt
	case scalar.OpSubtract:
		return subInts, subInt
	case scalar.OpMultiply:
		return mulInts, mulInt
	}
	return divInts, divInt
}

func addInt(x, y int64) (int64, bool) {
	r := x + y
	return r, (x^r)&(y^r) >= 0
}

func subInt(x, y int64) (int64, bool) {
	r := x - y
	return r, (x^y)&(x^r) >= 0
}

func mulInt(x, y int64) (int64, bool) {
	hi, lo := mulWide(x, y)
	return int64(lo), hi == int64(lo)>>63
}

// divInt truncates toward zero (TYPE-3).
func divInt(x, y int64) (int64, bool) {
	if y == 0 || y == -1 && x == math.MinInt64 {
		return 0, false
	}
	return x / y, true
}

func addInts(z, x, y []int64) bool {
	x, y = x[:len(z)], y[:len(z)]
	var over int64
	for i := range z {
		r := x[i] + y[i]
		over |= (x[i] ^ r) & (y[i] ^ r)
		z[i] = r
	}
	return over < 0
}

func subInts(z, x, y []int64) bool {
	x, y = x[:len(z)], y[:len(z)]
	var over int64
	for i := range z {
		r := x[i] - y[i]
		over |= (x[i] ^ y[i]) & (x[i] ^ r)
		z[i] = r
	}
	return over < 0
}

func mulInts(z, x, y []int64) bool {
	x, y = x[:len(z)], y[:len(z)]
	var over int64
	for i := range z {
		hi, lo := mulWide(x[i], y[i])
		over |= hi ^ int64(lo)>>63
		z[i] = int64(lo)
	}
	return over != 0
}

func divInts(z, x, y []int64) bool {
	x, y = x[:len(z)], y[:len(z)]
	over := false
	for i := range z {
		d := y[i]
		if d == 0 || d == -1 && x[i] == math.MinInt64 {
			over, d = true, 1
		}
		z[i] = x[i] / d
	}
	return over
}

// modInts is the remainder with the sign of x.
func modInts(z, x, y []int64) bool {
	x, y = x[:len(z)], y[:len(z)]
	over := false
	for i := range z {
		d := y[i]
		if d == 0 {
			over, d = true, 1
		}
		z[i] = x[i] % d
	}
	return over
}

// allInRange reports whether an integer type can hold all of z.
func allInRange(z []int64, k value.Kind) bool {
	var over int64
	switch k {
	case value.Smallint:
		for _, r := range z {
			over |= r ^ int64(int16(r))
		}
	case value.Integer:
		for _, r := range z {
			over |= r ^ int64(int32(r))
		}
	}
	return over == 0
}

// decimalArith computes + - * on coefficients. A result of up to 18 digits
// cannot overflow; where a larger one does, the rows escape.
func (b *builder) decimalArith(op scalar.Op, t value.Type, x, y *node) *node {
	if op != scalar.OpMultiply {
		x, y = b.rescale(x, t.Scale), b.rescale(y, t.Scale)
	}
	all, one := intLoops(op)
	n := node{kind: kindInt, typ: t, scale: t.Scale}
	if digits(x.typ) > 0 && digits(y.typ) > 0 && t.Precision <= maxScale {
		n.eval = func(r *run, v *vec, on *mask) {
			a, c := r.eval(x, on), r.eval(y, on)
			v.strict(a, c)
			all(v.makeInts()[:r.n], a.ints[:r.n], c.ints[:r.n])
		}
		return b.add(n, "decimal"+op.String(), x, y)
	}
	b.escapes = true
	return b.checked(n, all, func(x, y int64) bool { _, ok := one(x, y); return ok }, (*run).escape, x, y)
}

// digits returns the number of digits of an exact type.
func digits(t value.Type) int {
	switch t.Kind {
	case value.Smallint:
		return 5
	case value.Integer:
		return 10
	case value.Bigint:
		return 19
	}
	return t.Precision
}

// rescale brings integers and decimals to a larger scale. The type of the node
// has the digits that are then needed.
func (b *builder) rescale(x *node, scale int) *node {
	by := scale - x.scale
	if by == 0 {
		return x
	}
	if by < 0 {
		return b.fail(value.DecimalType(maxScale, scale))
	}
	precision := min(digits(x.typ)+by, value.MaxPrecision)
	n := node{kind: kindInt, typ: value.DecimalType(precision, scale), scale: scale}
	factor := pow10[by]
	if precision <= maxScale {
		n.eval = func(r *run, v *vec, on *mask) {
			a := r.eval(x, on)
			v.nulls = a.nulls
			z := v.makeInts()[:r.n]
			for i, c := range a.ints[:r.n] {
				z[i] = c * factor
			}
		}
		return b.add(n, fmt.Sprint("scale", scale), x)
	}
	b.escapes = true
	return b.unaryChecked(n, func(c int64) (int64, bool) { return mulInt(c, factor) }, (*run).escape, x)
}

// unaryChecked makes the node of an operation on one integer that does not
// have a result on all rows.
func (b *builder) unaryChecked(n node, one func(int64) (int64, bool), report func(r *run, rows *mask, v *vec, on *mask), x *node) *node {
	n.eval = func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		v.nulls = a.nulls
		z := v.makeInts()[:r.n]
		bad, any := &v.own.rest, false
		*bad = mask{}
		for i, c := range a.ints[:r.n] {
			q, ok := one(c)
			z[i] = q
			if !ok {
				bad[i>>6] |= 1 << (i & 63)
				any = true
			}
		}
		if any {
			report(r, bad, v, on)
		}
	}
	return b.addPartial(n, x)
}

// negate makes - x.
func (b *builder) negate(n *scalar.Unary) *node {
	x := b.expr(n.X)
	switch x.kind {
	case kindInt:
		report := (*run).raise
		if n.T.Kind == value.Decimal {
			report = (*run).escape
			b.escapes = true
		}
		return b.unaryChecked(node{kind: kindInt, typ: n.T, scale: x.scale}, func(c int64) (int64, bool) {
			return -c, c != math.MinInt64 && inRange(-c, n.T.Kind)
		}, report, x)
	case kindFloat:
		return b.mapFloats(n.T, "negate", func(f float64) float64 { return -f }, x)
	}
	return b.call(n.T, func(args []value.Value) (value.Value, error) { return value.Negate(n.T, args[0]) }, x)
}

// absolute makes ABS of a number or interval; nil if the general call has to do it.
func (b *builder) absolute(t value.Type, x *node) *node {
	switch x.kind {
	case kindInt:
		report := (*run).raise
		if t.Kind == value.Decimal {
			report = (*run).escape
			b.escapes = true
		}
		return b.unaryChecked(node{kind: kindInt, typ: t, scale: x.scale}, func(c int64) (int64, bool) {
			s := c >> 63
			c = (c ^ s) - s
			return c, c >= 0 && inRange(c, t.Kind)
		}, report, x)
	case kindFloat:
		return b.mapFloats(t, "abs", math.Abs, x)
	}
	return nil
}

// remainder makes MOD; nil if the general call has to do it. Division by zero
// is an error.
func (b *builder) remainder(t value.Type, x, y *node) *node {
	if !t.IsInteger() || !x.typ.IsInteger() || !y.typ.IsInteger() {
		return nil
	}
	return b.checked(node{kind: kindInt, typ: t}, modInts, func(x, y int64) bool { return y != 0 }, (*run).raise, x, y)
}
