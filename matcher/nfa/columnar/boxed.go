package columnar

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// boxed makes the values of a node.
func (b *builder) boxed(x *node) *node {
	switch {
	case x.kind == kindBoxed:
		return x
	case x.constant:
		return b.constant(kindBoxed, x.typ, 0, x.value)
	}
	return b.addPartial(node{kind: kindBoxed, typ: x.typ, eval: func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		to := v.makeVals()
		on.each(func(i int) { to[i] = x.box(a, i) })
	}}, x)
}

// unboxed makes a node of another kind from values. A decimal that does not
// fit 64 bits escapes.
func (b *builder) unboxed(x *node, k kind, t value.Type, scale int) *node {
	if k == kindTruth {
		return b.truth(x)
	}
	if t.Kind == value.Decimal {
		b.escapes = true
	}
	return b.addPartial(node{kind: k, typ: t, scale: scale, eval: func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		v.start(k)
		var bad mask
		on.each(func(i int) {
			y := a.vals[i]
			if y.IsNull() {
				return
			}
			w, m := i>>6, uint64(1)<<(i&63)
			v.own.nulls[w] &^= m
			switch k {
			case kindInt:
				n, ok := unboxInt(y, t, scale)
				v.ints[i] = n
				if !ok {
					bad[w] |= m
				}
			case kindFloat:
				v.floats[i] = y.AsFloat()
			case kindText:
				v.setText(i, y.AsString())
			}
		})
		r.escape(&bad, v, on)
	}}, x)
}

// call makes a function of values that is NULL if an argument is, and may be
// an error.
func (b *builder) call(t value.Type, f func(args []value.Value) (value.Value, error), args ...*node) *node {
	return b.callAny(node{typ: t}, func(list []value.Value) (value.Value, error) {
		for _, a := range list {
			if a.IsNull() {
				return value.Null, nil
			}
		}
		return f(list)
	}, args...)
}

// callAny makes a function of values that sees NULLs; n gives its type.
func (b *builder) callAny(n node, f func(args []value.Value) (value.Value, error), args ...*node) *node {
	list := make([]*node, len(args))
	for i, a := range args {
		list[i] = b.boxed(a)
	}
	n.kind = kindBoxed
	n.eval = func(r *run, v *vec, on *mask) {
		in := make([]*vec, len(list))
		for k, a := range list {
			in[k] = r.eval(a, on)
		}
		to := v.makeVals()
		row := make([]value.Value, len(list))
		var bad mask
		on.each(func(i int) {
			for k := range in {
				row[k] = in[k].vals[i]
			}
			var err error
			if to[i], err = f(row); err != nil {
				to[i] = value.Null
				bad[i>>6] |= 1 << (i & 63)
			}
		})
		r.raise(&bad, v, on)
	}
	out := b.addPartial(n, list...)
	k, scale := b.heldAs(n.typ)
	if k == kindBoxed {
		return out
	}
	return b.as(out, k, n.typ, scale)
}

// maxString is the length in bytes up to which strings are joined (LIM-1).
const maxString = 64 << 20

// concat makes ||.
func (b *builder) concat(n *scalar.Binary) *node {
	return b.call(n.T, func(args []value.Value) (value.Value, error) {
		x, y := args[0], args[1]
		if x.Form() == value.FormArray {
			joined := append([]value.Value(nil), x.AsArray()...)
			return value.ArrayOf(append(joined, y.AsArray()...)), nil
		}
		s, t := x.AsString(), y.AsString()
		switch {
		case len(s)+len(t) > maxString:
			return value.Null, ErrRaised
		case x.Form() == value.FormBinary:
			return value.Bytes([]byte(s + t)), nil
		}
		return value.String(s + t), nil
	}, b.expr(n.X), b.expr(n.Y))
}

// cast makes CAST.
func (b *builder) cast(n *scalar.Cast) *node {
	x := b.expr(n.X)
	from := n.X.Type()
	switch {
	case x.kind == kindInt && from.IsInteger() && n.T.IsInteger():
		return b.toInteger(x, n.T)
	case x.kind == kindInt && from.IsNumeric() && n.T.Kind == value.Double:
		return b.toDouble(x)
	}
	return b.call(n.T, func(args []value.Value) (value.Value, error) { return value.Cast(args[0], from, n.T) }, x)
}

// toInteger changes the integer type.
func (b *builder) toInteger(x *node, t value.Type) *node {
	if t.Kind >= x.typ.Kind {
		n := node{kind: kindInt, typ: t, eval: func(r *run, v *vec, on *mask) { v.share(r.eval(x, on)) }}
		return b.add(n, "cast"+t.String(), x)
	}
	return b.unaryChecked(node{kind: kindInt, typ: t}, func(c int64) (int64, bool) { return c, inRange(c, t.Kind) }, (*run).raise, x)
}

// coercion makes an implicit conversion (TYPE-1).
func (b *builder) coercion(n *scalar.Coercion) *node {
	x := b.expr(n.X)
	from := n.X.Type()
	k, _ := b.heldAs(n.T)
	switch {
	case x.null():
		return b.literal(value.Null, n.T)
	case x.kind == kindInt && from.IsInteger() && n.T.IsInteger():
		return b.toInteger(x, n.T)
	case x.kind == kindInt && from.IsNumeric() && n.T.Kind == value.Double:
		return b.toDouble(x)
	case x.kind == kindInt && k == kindInt && n.T.Kind == value.Decimal && n.T.Scale >= x.scale &&
		digits(from) > 0 && digits(from)-x.scale <= n.T.Precision-n.T.Scale:
		return b.retyped(b.rescale(x, n.T.Scale), n.T)
	case x.kind == kindFloat && n.T.Kind == value.Double:
		return x
	case x.kind == kindText && from.Kind == value.Varchar && n.T.Kind == value.Varchar && n.T.Precision == 0:
		return x
	}
	return b.call(n.T, func(args []value.Value) (value.Value, error) {
		return value.Convert(value.Pad(args[0], from), n.T)
	}, x)
}

// retyped makes a node with another decimal type of the same scale.
func (b *builder) retyped(x *node, t value.Type) *node {
	if x.constant && !x.null() {
		c, _ := unboxInt(x.value, x.typ, x.scale)
		return b.constant(x.kind, t, x.scale, value.ScaledInt(c, x.scale))
	}
	n := node{kind: x.kind, typ: t, scale: x.scale, eval: func(r *run, v *vec, on *mask) { v.share(r.eval(x, on)) }}
	return b.add(n, "type"+t.String(), x)
}

// extract makes EXTRACT.
func (b *builder) extract(n *scalar.Extract) *node {
	from := n.X.Type()
	return b.call(n.T, func(args []value.Value) (value.Value, error) { return value.FieldOf(args[0], from, n.Field) }, b.expr(n.X))
}

// function makes the call of a scalar function.
func (b *builder) function(n *scalar.Func) *node {
	switch n.Fn.Name {
	case "COALESCE":
		return b.coalesce(n.T, b.exprs(n.Args))
	case "NULLIF":
		return b.nullIf(n)
	case "IF":
		branches := []branch{{b.truth(b.expr(n.Args[0])), b.expr(n.Args[1])}}
		if len(n.Args) == 3 {
			branches = append(branches, branch{nil, b.expr(n.Args[2])})
		}
		return b.choice(n.T, branches)
	}
	if n.Fn.Lazy {
		return b.fail(n.T)
	}
	args := b.exprs(n.Args)
	var out *node
	switch n.Fn.Name {
	case "ABS":
		out = b.absolute(n.T, args[0])
	case "MOD":
		out = b.remainder(n.T, args[0], args[1])
	case "GREATEST":
		out = b.extreme(n.T, 1, args)
	case "LEAST":
		out = b.extreme(n.T, -1, args)
	case "CHAR_LENGTH":
		out = b.length(args[0])
	}
	if out != nil {
		return out
	}
	impl := n.Impl
	return b.call(n.T, func(list []value.Value) (value.Value, error) {
		switch {
		case impl.One != nil:
			return impl.One(list[0])
		case impl.Two != nil:
			return impl.Two(list[0], list[1])
		}
		return impl.Call(list)
	}, args...)
}

// length makes CHAR_LENGTH of a character string; nil for binary ones.
func (b *builder) length(x *node) *node {
	if x.kind != kindText {
		return nil
	}
	return b.add(node{kind: kindInt, typ: value.TypeBigint, eval: func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		v.nulls = a.nulls
		z := v.makeInts()
		for i := range r.n {
			if a.nulls == nil || a.nulls[i>>6]>>(i&63)&1 == 0 {
				z[i] = int64(strings.Count(a.text(i), "") - 1)
			} else {
				z[i] = 0
			}
		}
	}}, "length", x)
}

// array makes ARRAY[...]; NULL elements are elements.
func (b *builder) array(n *scalar.ArrayMaker) *node {
	return b.callAny(node{typ: n.T}, func(args []value.Value) (value.Value, error) {
		return value.ArrayOf(append([]value.Value(nil), args...)), nil
	}, b.exprs(n.Elems)...)
}

// subquery makes an uncorrelated subquery. It is a constant that is evaluated
// when a row needs it (DEF-13).
func (b *builder) subquery(e scalar.Expr) *node {
	if n, ok := e.(*scalar.InSubquery); ok {
		return b.callAny(node{typ: n.T, late: true}, func(args []value.Value) (value.Value, error) {
			t, err := n.Contains(args[0])
			return t.Value(), err
		}, b.expr(n.X))
	}
	return b.callAny(node{typ: e.Type(), late: true}, func([]value.Value) (value.Value, error) { return e.Eval(nil) })
}
