package columnar

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// known turns the bits in t into truth values: UNKNOWN where x or y are NULL,
// and the opposite if negated.
func (v *vec) known(x, y *mask, negated bool) {
	flip := uint64(0)
	if negated {
		flip = ^flip
	}
	for w := range v.t {
		known := ^uint64(0)
		if x != nil {
			known &^= x[w]
		}
		if y != nil {
			known &^= y[w]
		}
		t := v.t[w] ^ flip
		v.t[w], v.f[w] = t&known, ^t&known
	}
}

// mirrored is the operator with its operands exchanged.
func mirrored(op scalar.Op) scalar.Op {
	switch op {
	case scalar.OpLess:
		return scalar.OpGreater
	case scalar.OpLessEqual:
		return scalar.OpGreaterEqual
	case scalar.OpGreater:
		return scalar.OpLess
	case scalar.OpGreaterEqual:
		return scalar.OpLessEqual
	}
	return op
}

// compare makes the node of x op y in three-valued logic (TYPE-1, TYPE-5).
func (b *builder) compare(op scalar.Op, x, y *node, o value.Options) *node {
	switch {
	case x.kind == kindTruth && y.kind == kindTruth:
		return b.compareTruth(op, x, y)
	case x.kind == kindInt && y.kind == kindInt:
		return b.compareInts(op, x, y)
	case x.typ.IsNumeric() && y.typ.IsNumeric() && x.kind != kindBoxed && y.kind != kindBoxed:
		return b.compareFloats(op, b.toDouble(x), b.toDouble(y))
	case x.kind == kindText && y.kind == kindText && !o.PadSpace:
		return b.compareText(op, x, y)
	}
	return b.compareBoxed(op, b.boxed(x), b.boxed(y), o)
}

// compareTruth compares booleans: FALSE < TRUE (TYPE-8).
func (b *builder) compareTruth(op scalar.Op, x, y *node) *node {
	negated := false
	switch op {
	case scalar.OpNotEqual:
		op, negated = scalar.OpEqual, true
	case scalar.OpGreater:
		op, x, y = scalar.OpLess, y, x
	case scalar.OpGreaterEqual:
		op, negated = scalar.OpLess, true
	case scalar.OpLessEqual:
		op, negated, x, y = scalar.OpLess, true, y, x
	}
	eval := func(r *run, v *vec, on *mask) {
		a, c := r.eval(x, on), r.eval(y, on)
		for w := range v.t {
			t := a.f[w] & c.t[w]
			f := a.t[w]&(c.t[w]|c.f[w]) | a.f[w]&c.f[w]
			if op == scalar.OpEqual {
				t, f = a.t[w]&c.t[w]|a.f[w]&c.f[w], a.t[w]&c.f[w]|a.f[w]&c.t[w]
			}
			if negated {
				t, f = f, t
			}
			v.t[w], v.f[w] = t, f
		}
	}
	return b.truthNode(eval, fmt.Sprintf("truth%s%t", op, negated), x, y)
}

// truthNode makes a node of a total operation that gives a truth value.
func (b *builder) truthNode(eval func(r *run, v *vec, on *mask), key string, args ...*node) *node {
	return b.add(node{kind: kindTruth, typ: value.TypeBoolean, eval: eval}, key, args...)
}

// vectors makes the node of a comparison of two vectors whose loop writes bits.
func (b *builder) vectors(loop func(out []uint64, x, y *vec, n int), negated bool, key string, x, y *node) *node {
	return b.truthNode(func(r *run, v *vec, on *mask) {
		a, c := r.eval(x, on), r.eval(y, on)
		loop(v.t[:], a, c, r.n)
		v.known(a.nulls, c.nulls, negated)
	}, fmt.Sprintf("%s%t", key, negated), x, y)
}

// withConst makes the node of a comparison with a constant.
func (b *builder) withConst(loop func(out []uint64, x *vec, n int), negated bool, key string, x *node) *node {
	return b.truthNode(func(r *run, v *vec, on *mask) {
		a := r.eval(x, on)
		loop(v.t[:], a, r.n)
		v.known(a.nulls, nil, negated)
	}, fmt.Sprintf("%s%t", key, negated), x)
}

// always makes the node of a comparison whose result is known where x is not NULL.
func (b *builder) always(x *node, result bool) *node {
	return b.withConst(func(out []uint64, _ *vec, _ int) { clear(out) }, result, "always", x)
}

// unknown makes the node of a predicate that is UNKNOWN once its operands are
// evaluated.
func (b *builder) unknown(args ...*node) *node {
	return b.truthNode(func(r *run, v *vec, on *mask) {
		for _, a := range args {
			r.eval(a, on)
		}
		v.t, v.f = mask{}, mask{}
	}, "unknown", args...)
}

// ordered brings a comparison to < or =, perhaps negated.
func ordered(op scalar.Op, x, y *node) (lessThan, negated bool, _, _ *node) {
	switch op {
	case scalar.OpNotEqual:
		return false, true, x, y
	case scalar.OpLess:
		return true, false, x, y
	case scalar.OpGreaterEqual:
		return true, true, x, y
	case scalar.OpGreater:
		return true, false, y, x
	case scalar.OpLessEqual:
		return true, true, y, x
	}
	return false, false, x, y
}

// compareInts compares integers, decimals of any scales, dates, times and intervals.
func (b *builder) compareInts(op scalar.Op, x, y *node) *node {
	if x.constant && !y.constant {
		op, x, y = mirrored(op), y, x
	}
	if y.constant && !x.constant {
		if y.null() {
			return b.unknown(x)
		}
		c, _ := unboxInt(y.value, y.typ, y.scale)
		return b.compareIntConst(op, x, c, y.scale)
	}
	lessThan, negated, x, y := ordered(op, x, y)
	switch diff := x.scale - y.scale; {
	case diff == 0 && lessThan:
		return b.vectors(func(out []uint64, x, y *vec, n int) { less(out, x.ints[:n], y.ints[:n]) }, negated, "<", x, y)
	case diff == 0:
		return b.vectors(func(out []uint64, x, y *vec, n int) { equal(out, x.ints[:n], y.ints[:n]) }, negated, "=", x, y)
	case diff < 0:
		factor := pow10[-diff]
		return b.vectors(func(out []uint64, x, y *vec, n int) {
			compareWide(out, x.ints[:n], y.ints[:n], factor, lessThan, false)
		}, negated, fmt.Sprint("scaled ", lessThan), x, y)
	default:
		factor := pow10[diff]
		return b.vectors(func(out []uint64, x, y *vec, n int) {
			compareWide(out, y.ints[:n], x.ints[:n], factor, lessThan, true)
		}, negated, fmt.Sprint("scaled ", lessThan), x, y)
	}
}

// compareWide compares x * factor with y in 128 bits: x * factor < y, or
// y < x * factor if swapped, or equality.
func compareWide(out []uint64, x, y []int64, factor int64, lessThan, swapped bool) {
	for w := 0; len(x) > 0; w++ {
		n := min(len(x), 64)
		var m uint64
		for i, a := range x[:n] {
			hi, lo := mulWide(a, factor)
			c := y[i]
			// The difference y - x * factor in 128 bits.
			dlo, borrow := bits.Sub64(uint64(c), lo, 0)
			dhi, _ := bits.Sub64(uint64(c>>63), uint64(hi), borrow)
			var t uint64
			switch {
			case !lessThan:
				t = bit(dlo|dhi == 0)
			case swapped:
				t = dhi >> 63
			default:
				t = bit(dlo|dhi != 0) &^ (dhi >> 63)
			}
			m |= t << (i & 63)
		}
		out[w] = m
		x, y = x[n:], y[n:]
	}
}

// mulWide is the product in 128 bits.
func mulWide(x, y int64) (hi int64, lo uint64) {
	h, l := bits.Mul64(uint64(x), uint64(y))
	return int64(h) - (x>>63)&y - (y>>63)&x, l
}

// compareIntConst compares with c * 10^-scale. The constant is brought to the
// scale of x, rounded down where x has fewer digits.
func (b *builder) compareIntConst(op scalar.Op, x *node, c int64, scale int) *node {
	exact := true
	if diff := x.scale - scale; diff >= 0 {
		p, ok := mulInt(c, pow10[diff])
		if !ok { // beyond every x
			above := c > 0
			switch op {
			case scalar.OpEqual:
				return b.always(x, false)
			case scalar.OpNotEqual:
				return b.always(x, true)
			case scalar.OpLess, scalar.OpLessEqual:
				return b.always(x, above)
			}
			return b.always(x, !above)
		}
		c = p
	} else {
		q, rest := c/pow10[-diff], c%pow10[-diff]
		if rest < 0 {
			q--
		}
		c, exact = q, rest == 0
	}
	// x < c + fraction is x <= c, and x <= c is x < c+1.
	switch op {
	case scalar.OpEqual, scalar.OpNotEqual:
		if !exact {
			return b.always(x, op == scalar.OpNotEqual)
		}
		return b.withConst(func(out []uint64, x *vec, n int) { equalConst(out, x.ints[:n], c) }, op == scalar.OpNotEqual,
			fmt.Sprint("=", c), x)
	case scalar.OpLess, scalar.OpGreaterEqual:
		if exact {
			return b.lessIntConst(x, c, op == scalar.OpGreaterEqual)
		}
	}
	negated := op == scalar.OpGreater || op == scalar.OpGreaterEqual
	if c == math.MaxInt64 {
		return b.always(x, !negated)
	}
	return b.lessIntConst(x, c+1, negated)
}

func (b *builder) lessIntConst(x *node, c int64, negated bool) *node {
	return b.withConst(func(out []uint64, x *vec, n int) { lessConst(out, x.ints[:n], c) }, negated, fmt.Sprint("<", c), x)
}

// compareFloats compares doubles: NaN equals itself and is greater than every
// number (TYPE-5).
func (b *builder) compareFloats(op scalar.Op, x, y *node) *node {
	if x.constant && !y.constant {
		op, x, y = mirrored(op), y, x
	}
	if y.constant && !x.constant {
		if y.null() {
			return b.unknown(x)
		}
		return b.compareFloatConst(op, x, y.value.AsFloat())
	}
	lessThan, negated, x, y := ordered(op, x, y)
	if lessThan {
		return b.vectors(func(out []uint64, x, y *vec, n int) { lessFloats(out, x.floats[:n], y.floats[:n]) }, negated, "f<", x, y)
	}
	return b.vectors(func(out []uint64, x, y *vec, n int) { equalFloats(out, x.floats[:n], y.floats[:n]) }, negated, "f=", x, y)
}

// compareFloatConst uses that a comparison with NaN is false: as the greatest
// number NaN is neither below nor equal to c, and so not (x <= c) is x > c.
func (b *builder) compareFloatConst(op scalar.Op, x *node, c float64) *node {
	if c != c {
		isNumber := func(out []uint64, x *vec, n int) { equal(out, x.floats[:n], x.floats[:n]) }
		switch op {
		case scalar.OpLess:
			return b.withConst(isNumber, false, "number", x)
		case scalar.OpNotEqual:
			return b.withConst(isNumber, false, "number", x)
		case scalar.OpEqual, scalar.OpGreaterEqual:
			return b.withConst(isNumber, true, "number", x)
		}
		return b.always(x, op == scalar.OpLessEqual)
	}
	switch op {
	case scalar.OpEqual, scalar.OpNotEqual:
		return b.withConst(func(out []uint64, x *vec, n int) { equalConst(out, x.floats[:n], c) }, op == scalar.OpNotEqual, fmt.Sprint("f=", c), x)
	case scalar.OpLess, scalar.OpGreaterEqual:
		return b.withConst(func(out []uint64, x *vec, n int) { lessConst(out, x.floats[:n], c) }, op == scalar.OpGreaterEqual, fmt.Sprint("f<", c), x)
	}
	return b.withConst(func(out []uint64, x *vec, n int) { lessEqualConst(out, x.floats[:n], c) }, op == scalar.OpGreater, fmt.Sprint("f<=", c), x)
}

// lessFloats is x < y with NaN above all.
func lessFloats(out []uint64, x, y []float64) {
	y = y[:len(x)]
	for w := 0; len(x) > 0; w++ {
		n := min(len(x), 64)
		var m uint64
		for i, a := range x[:n] {
			c := y[i]
			m |= (bit(a < c) | bit(a == a)&bit(c != c)) << (i & 63)
		}
		out[w] = m
		x, y = x[n:], y[n:]
	}
}

// equalFloats is x = y with NaN equal to itself.
func equalFloats(out []uint64, x, y []float64) {
	y = y[:len(x)]
	for w := 0; len(x) > 0; w++ {
		n := min(len(x), 64)
		var m uint64
		for i, a := range x[:n] {
			c := y[i]
			m |= (bit(a == c) | bit(a != a)&bit(c != c)) << (i & 63)
		}
		out[w] = m
		x, y = x[n:], y[n:]
	}
}

// compareBoxed compares value by value. Arrays are equal or not by their
// elements, which can be NULL.
func (b *builder) compareBoxed(op scalar.Op, x, y *node, o value.Options) *node {
	return b.addPartial(node{kind: kindTruth, typ: value.TypeBoolean, eval: func(r *run, v *vec, on *mask) {
		a, c := r.eval(x, on), r.eval(y, on)
		v.t, v.f = mask{}, mask{}
		on.each(func(i int) { v.setTruth(i, compareValues(op, a.vals[i], c.vals[i], o)) })
	}}, x, y)
}

// setTruth writes the truth value of a row whose bits are clear.
func (v *vec) setTruth(i int, t value.Truth) {
	switch t {
	case value.True:
		v.t[i>>6] |= 1 << (i & 63)
	case value.False:
		v.f[i>>6] |= 1 << (i & 63)
	}
}

func compareValues(op scalar.Op, x, y value.Value, o value.Options) value.Truth {
	if x.IsNull() || y.IsNull() {
		return value.UnknownTruth
	}
	if x.Form() == value.FormArray && (op == scalar.OpEqual || op == scalar.OpNotEqual) {
		t := value.Equal(x, y, o)
		if op == scalar.OpNotEqual {
			t = t.Not()
		}
		return t
	}
	c := value.Compare(x, y, o)
	holds := false
	switch op {
	case scalar.OpEqual:
		holds = c == 0
	case scalar.OpNotEqual:
		holds = c != 0
	case scalar.OpLess:
		holds = c < 0
	case scalar.OpLessEqual:
		holds = c <= 0
	case scalar.OpGreater:
		holds = c > 0
	case scalar.OpGreaterEqual:
		holds = c >= 0
	}
	return value.TruthOf(value.Bool(holds))
}
