package nfa

import (
	"math"
	"math/bits"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Conditions that T3 tests are compiled to nodes over int64, in which most
// types are held. What such a node cannot say for some values, a number out of
// range for instance, it leaves to the general evaluation of the same expression.

// number is an expression held as an integer.
type number interface {
	number(s *scene) (int64, numberState)
}

// numberState qualifies the integer of a number.
type numberState uint8

const (
	isNumber numberState = iota
	isNull
	isOdd // the general evaluation must say it
)

// predicate is a condition. ok is false where the general evaluation must say it.
type predicate interface {
	truth(s *scene) (t value.Truth, ok bool)
}

// unit says what an integer stands for. Numbers of one unit compare as integers.
type unit struct {
	kind  unitKind
	scale int // exact: the number is the integer times 10^-scale
}

type unitKind uint8

const (
	exact unitKind = iota
	days
	instants
	durations
)

// vector is a column held as integers.
type vector struct {
	ints  []int64
	nulls []uint64
}

// vectorsOf returns the vectors of a table's columns.
func vectorsOf(t *table.Table) []vector {
	out := make([]vector, t.NumColumns())
	for i := range out {
		out[i] = vector{t.Column(i).Int64s(), t.Column(i).NullBits()}
	}
	return out
}

// at reads a row.
func (v *vector) at(row int32) (int64, numberState) {
	switch {
	case int(row) >= len(v.ints):
		return 0, isOdd
	case v.nulls != nil && v.nulls[row>>6]>>(row&63)&1 != 0:
		return 0, isNull
	}
	return v.ints[row], isNumber
}

func unitOf(t value.Type) (unit, bool) {
	switch {
	case t.IsInteger():
		return unit{exact, 0}, true
	case t.Kind == value.Decimal && t.Precision > 0:
		return unit{exact, t.Scale}, true
	case t.Kind == value.Date:
		return unit{kind: days}, true
	case t.Kind == value.Timestamp:
		return unit{kind: instants}, true
	case t.Kind == value.IntervalDay:
		return unit{kind: durations}, true
	}
	return unit{}, false
}

// typedNumber compiles a rewritten expression; nil if it is not held as an integer.
func typedNumber(e scalar.Expr) (number, unit) {
	u, ok := unitOf(e.Type())
	if !ok {
		return nil, u
	}
	switch n := e.(type) {
	case *scalar.Const:
		return constantOf(n.Value, u)
	case *columnAt:
		return columnNumber(n.column), u
	case *jump:
		if n.column != nil {
			return &jumpColumn{n, n.column.column}, u
		}
		if x, xu := typedNumber(n.arg); x != nil && xu == u {
			return &jumpNumber{n, x}, u
		}
	case *length:
		return lengthNumber{}, u
	case *matchNumber:
		return matchNumberNumber{}, u
	case *aggregateAt:
		switch {
		case n.spec.kind == counted:
			return &countNumber{n.reg, n.spec.track}, u
		case n.spec.typed != nil && n.spec.unit == u && (n.spec.kind == extreme || n.spec.kind == summed && n.Fn.Name == "SUM"):
			return &aggregateNumber{n.reg, n.spec.track, n.spec.kind == extreme}, u
		}
	case *scalar.Unary:
		if x, xu := typedNumber(n.X); x != nil && xu == u {
			if n.Op == scalar.OpPlus {
				return x, u
			}
			return &negated{x, rangeFor(n.T)}, u
		}
	case *scalar.Func:
		if n.Fn.Name == "ABS" {
			if x, xu := typedNumber(n.Args[0]); x != nil && xu == u {
				return &absolute{x, rangeFor(n.T)}, u
			}
		}
	case *scalar.Coercion:
		if x, xu := typedNumber(n.X); x != nil && xu.kind == exact && u.kind == exact && xu.scale <= u.scale {
			return scaled(x, u.scale-xu.scale, rangeFor(n.T)), u
		}
	case *scalar.Binary:
		return typedBinary(n, u)
	}
	return nil, u
}

// constantOf makes a literal a number of a unit.
func constantOf(v value.Value, u unit) (number, unit) {
	if v.IsNull() {
		return constantNumber{0, isNull}, u
	}
	n := v.Raw()
	if v.Form() == value.FormDecimal {
		var scale int
		var ok bool
		if n, scale, ok = v.AsScaled(); !ok || scale > u.scale {
			return nil, u
		}
		if n, ok = timesTen(n, u.scale-scale); !ok {
			return nil, u
		}
	}
	return constantNumber{n, isNumber}, u
}

func timesTen(n int64, power int) (int64, bool) {
	for range power {
		if n > math.MaxInt64/10 || n < math.MinInt64/10 {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

func typedBinary(n *scalar.Binary, u unit) (number, unit) {
	x, xu := typedNumber(n.X)
	y, yu := typedNumber(n.Y)
	if x == nil || y == nil {
		return nil, u
	}
	limits := rangeFor(n.T)
	switch {
	case n.Op == scalar.OpAdd || n.Op == scalar.OpSubtract:
		switch {
		case xu.kind == exact && yu.kind == exact && u.kind == exact:
			if xu.scale > u.scale || yu.scale > u.scale {
				return nil, u
			}
			x, y = scaled(x, u.scale-xu.scale, wide), scaled(y, u.scale-yu.scale, wide)
		case xu.kind == days || yu.kind == days:
			return nil, u
		}
		return &sum{x, y, n.Op == scalar.OpSubtract, limits}, u
	case n.Op == scalar.OpMultiply && n.T.IsInteger() && xu.kind == exact && yu.kind == exact:
		return &product{x, y, limits}, u
	}
	return nil, u
}

// limits are the integers that a type holds, or those that are surely in its range.
type limits struct{ lo, hi int64 }

var wide = limits{math.MinInt64, math.MaxInt64}

func rangeFor(t value.Type) limits {
	switch t.Kind {
	case value.Smallint:
		return limits{math.MinInt16, math.MaxInt16}
	case value.Integer:
		return limits{math.MinInt32, math.MaxInt32}
	case value.Decimal:
		if n, ok := timesTen(1, t.Precision); ok {
			return limits{-n + 1, n - 1}
		}
	case value.Timestamp:
		return limits{-60_000_000_000_000_000, 60_000_000_000_000_000}
	}
	return wide
}

func (l limits) check(n int64) (int64, numberState) {
	if n < l.lo || n > l.hi {
		return 0, isOdd
	}
	return n, isNumber
}

// scaled multiplies a number by a power of ten.
func scaled(x number, power int, l limits) number {
	if power == 0 {
		return x
	}
	factor, ok := timesTen(1, power)
	if !ok {
		return constantNumber{0, isOdd}
	}
	if c, isConst := x.(constantNumber); isConst && c.state == isNumber {
		if n, ok := timesTen(c.n, power); ok {
			return constantNumber{n, isNumber}
		}
	}
	return &product{x, constantNumber{factor, isNumber}, l}
}

type constantNumber struct {
	n     int64
	state numberState
}

func (c constantNumber) number(*scene) (int64, numberState) { return c.n, c.state }

type columnNumber int

func (c columnNumber) number(s *scene) (int64, numberState) { return s.vectors[c].at(s.rows[s.at]) }

type jumpColumn struct {
	j      *jump
	column int
}

func (c *jumpColumn) number(s *scene) (int64, numberState) {
	p := c.j.row(s)
	if p == nowhere {
		return 0, isNull
	}
	return s.vectors[c.column].at(s.rows[p])
}

type jumpNumber struct {
	j   *jump
	arg number
}

func (c *jumpNumber) number(s *scene) (int64, numberState) {
	p := c.j.row(s)
	if p == nowhere {
		return 0, isNull
	}
	outer := s.at
	s.at = p
	n, state := c.arg.number(s)
	s.at = outer
	return n, state
}

type lengthNumber struct{}

func (lengthNumber) number(s *scene) (int64, numberState) {
	return int64(s.current - s.start + 1), isNumber
}

type matchNumberNumber struct{}

func (matchNumberNumber) number(s *scene) (int64, numberState) { return s.number, isNumber }

// countNumber is a COUNT.
type countNumber struct{ reg, track int }

func (c *countNumber) number(s *scene) (int64, numberState) {
	if l := s.regs.layout; l != nil {
		return s.regs.words[s.regs.top+l.aggs[c.reg]], isNumber
	}
	a := &s.regs.aggs[c.reg]
	rows := s.regs.tracks[c.track].rows
	if a.upToDate(s, rows) != nil {
		return 0, isOdd
	}
	if len(rows) == 0 {
		return 0, isNumber
	}
	return a.states[len(a.states)-1].n, isNumber
}

// aggregateNumber is a SUM, MIN or MAX of a number.
type aggregateNumber struct {
	reg, track int
	extreme    bool
}

func (c *aggregateNumber) number(s *scene) (int64, numberState) {
	if l := s.regs.layout; l != nil {
		words := s.regs.words[s.regs.top+l.aggs[c.reg]:]
		switch {
		case words[0] == 0:
			return 0, isNull
		case words[0] == oddCount, !c.extreme && words[2] != words[1]>>63:
			return 0, isOdd
		}
		return words[1], isNumber
	}
	a := &s.regs.aggs[c.reg]
	rows := s.regs.tracks[c.track].rows
	if len(rows) == 0 {
		return 0, isNull
	}
	if a.upToDate(s, rows) != nil || a.odd {
		return 0, isOdd
	}
	st := &a.states[len(a.states)-1]
	switch {
	case st.n == 0:
		return 0, isNull
	case !c.extreme && st.hi != uint64(int64(st.lo)>>63):
		return 0, isOdd
	}
	return int64(st.lo), isNumber
}

type negated struct {
	x number
	l limits
}

func (c *negated) number(s *scene) (int64, numberState) {
	n, state := c.x.number(s)
	if state != isNumber {
		return 0, state
	}
	if n == math.MinInt64 {
		return 0, isOdd
	}
	return c.l.check(-n)
}

type absolute struct {
	x number
	l limits
}

func (c *absolute) number(s *scene) (int64, numberState) {
	n, state := c.x.number(s)
	if state != isNumber {
		return 0, state
	}
	if n == math.MinInt64 {
		return 0, isOdd
	}
	return c.l.check(max(n, -n))
}

type sum struct {
	x, y     number
	subtract bool
	l        limits
}

func (c *sum) number(s *scene) (int64, numberState) {
	x, xs := c.x.number(s)
	y, ys := c.y.number(s)
	if xs != isNumber || ys != isNumber {
		return 0, max(xs, ys)
	}
	r := x + y
	overflow := (x^r)&(y^r) < 0
	if c.subtract {
		r = x - y
		overflow = (x^y)&(x^r) < 0
	}
	if overflow {
		return 0, isOdd
	}
	return c.l.check(r)
}

type product struct {
	x, y number
	l    limits
}

func (c *product) number(s *scene) (int64, numberState) {
	x, xs := c.x.number(s)
	y, ys := c.y.number(s)
	if xs != isNumber || ys != isNumber {
		return 0, max(xs, ys)
	}
	if x == math.MinInt64 || y == math.MinInt64 {
		return 0, isOdd
	}
	hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, isOdd
	}
	r := int64(lo)
	if (x < 0) != (y < 0) {
		r = -r
	}
	return c.l.check(r)
}
