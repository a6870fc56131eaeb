package columnar

import (
	"math"
	"time"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

const perDay = 24 * 60 * 60 * 1_000_000 // microseconds

// The dates are those of the years 0001 to 9999.
var (
	minDay = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60)
	maxDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60)
)

// temporalArith computes with dates, times, timestamps and intervals (TYPE-6);
// nil if the general call has to do it: months, and intervals times what is no
// integer.
func (b *builder) temporalArith(op scalar.Op, t value.Type, x, y *node) *node {
	if op == scalar.OpAdd && x.typ.IsInterval() && y.typ.IsDatetime() || op == scalar.OpMultiply && y.typ.IsInterval() {
		x, y = y, x
	}
	n := node{kind: kindInt, typ: t}
	all, one := intLoops(op)
	switch {
	case op == scalar.OpMultiply && x.typ.IsInterval() && y.typ.IsInteger():
		fits := func(x, y int64) bool { _, ok := one(x, y); return ok }
		return b.checked(n, all, fits, (*run).raise, x, y)
	case op == scalar.OpMultiply || op == scalar.OpDivide:
		return nil
	case x.typ.IsInterval() && y.typ.Kind == x.typ.Kind:
		fits := func(x, y int64) bool { _, ok := one(x, y); return ok }
		return b.checked(n, all, fits, (*run).raise, x, y)
	case x.typ.IsDatetime() && y.typ.Kind == x.typ.Kind:
		return b.difference(n, x, y)
	case y.typ.Kind != value.IntervalDay || !x.typ.IsDatetime():
		return nil
	}
	move := movers[x.typ.Kind]
	sign := int64(1)
	if op == scalar.OpSubtract {
		sign = -1
	}
	return b.checked(n, func(z, x, y []int64) bool {
		bad := false
		for i := range z {
			q, ok := move(x[i], sign*y[i])
			z[i] = q
			bad = bad || !ok || y[i] == math.MinInt64
		}
		return bad
	}, func(x, y int64) bool {
		_, ok := move(x, sign*y)
		return ok && y != math.MinInt64
	}, (*run).raise, x, y)
}

// movers add microseconds to a date, time or timestamp; false: 22008.
var movers = map[value.Kind]func(x, micros int64) (int64, bool){
	// A date has no time of day.
	value.Date: func(x, micros int64) (int64, bool) {
		x += micros / perDay
		return x, micros%perDay == 0 && x >= minDay && x <= maxDay
	},
	// A time of day goes round the clock.
	value.Time: func(x, micros int64) (int64, bool) {
		x = (x + micros%perDay) % perDay
		if x < 0 {
			x += perDay
		}
		return x, true
	},
	value.Timestamp: func(x, micros int64) (int64, bool) {
		x, ok := addInt(x, micros)
		return x, ok && x >= minDay*perDay && x < (maxDay+1)*perDay
	},
}

// difference is the interval between two dates, times or timestamps.
func (b *builder) difference(n node, x, y *node) *node {
	unit := int64(1)
	if x.typ.Kind == value.Date {
		unit = perDay
	}
	n.eval = func(r *run, v *vec, on *mask) {
		a, c := r.eval(x, on), r.eval(y, on)
		v.strict(a, c)
		z, p, q := v.makeInts()[:r.n], a.ints[:r.n], c.ints[:r.n]
		for i := range z {
			z[i] = (p[i] - q[i]) * unit
		}
	}
	return b.add(n, "difference", x, y)
}
