package nfa

import (
	"math"
	"sync"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// raising tells whether evaluating a rewritten expression may be a run-time
// error on the rows of a table. It errs on the side of yes. Arithmetic is no
// error where the values of its columns leave room: it is followed through the
// expression in intervals.
type raising struct {
	table  *table.Table // nil: whatever the data
	ranges map[int]interval
}

// interval holds the values that a numeric or temporal expression can have:
// numbers, microseconds or days. Its ends are a little uncertain, for which
// fits leaves room.
type interval struct {
	lo, hi float64
	known  bool // it cannot be an error either
}

var nothing = interval{}

// raises reports whether evaluation may be an error.
func (r *raising) raises(e scalar.Expr) bool {
	switch n := e.(type) {
	case *scalar.Const, *columnAt, *classifierAt, *matchNumber, *length, *fixed:
		return false
	case *scalar.HostVariable:
		return !n.Bound
	case *jump:
		return r.raises(n.arg)
	case *aggregateAt:
		return r.aggregate(n)
	case *scalar.Unary, *scalar.Binary:
		return !r.interval(e).known
	case *scalar.Like:
		if n.Escape != nil {
			return true
		}
	case *scalar.Func:
		if n.Fn.Name == "ABS" {
			return !r.interval(e).known
		}
		if !n.Fn.Lazy && !safeFunctions[n.Fn.Name] {
			return true
		}
	case *scalar.Coercion:
		return !r.interval(e).known
	case *scalar.Compare, *scalar.Logical, *scalar.Between, *scalar.In, *scalar.IsNull, *scalar.IsTruth, *scalar.IsDistinct,
		*scalar.Case, *scalar.ArrayMaker:
	default:
		return true
	}
	for _, c := range e.Children() {
		if r.raises(c) {
			return true
		}
	}
	return false
}

// safeFunctions are never a run-time error, whatever their arguments are.
var safeFunctions = map[string]bool{"UPPER": true, "LOWER": true, "CHAR_LENGTH": true, "GREATEST": true, "LEAST": true}

func (r *raising) aggregate(n *aggregateAt) bool {
	for _, x := range n.spec.agg.Operands() {
		if r.raises(x) {
			return true
		}
	}
	switch n.spec.kind {
	case counted, extreme:
		return false
	case summed:
		t := n.Args[0].Type()
		// 2^31 rows of 32 bits fit 64 bits, and the average of integers fits.
		if t.IsInteger() && (n.Fn.Name == "AVG" || t.Kind != value.Bigint) {
			return false
		}
	}
	return !r.interval(n).known
}

// interval follows values through an expression. It is not known if they are
// not followed, or if computing them may be an error.
func (r *raising) interval(e scalar.Expr) interval {
	switch n := e.(type) {
	case *scalar.Const:
		return pointOf(n.Value, n.T)
	case *scalar.HostVariable:
		if n.Bound {
			return pointOf(n.Value, n.T)
		}
	case *columnAt:
		return r.column(n.column)
	case *jump:
		return r.interval(n.arg)
	case *length, *matchNumber:
		return interval{0, math.MaxInt32, true}
	case *aggregateAt:
		return r.aggregated(n)
	case *scalar.Coercion:
		if numeric(n.X.Type()) && numeric(n.T) && n.T.Kind != value.Real {
			return fits(n.T, r.interval(n.X))
		}
	case *scalar.Unary:
		x := r.interval(n.X)
		if n.Op == scalar.OpNegate {
			x.lo, x.hi = -x.hi, -x.lo
		}
		return fits(n.T, x)
	case *scalar.Func:
		if n.Fn.Name == "ABS" && len(n.Args) == 1 {
			x := r.interval(n.Args[0])
			most := max(math.Abs(x.lo), math.Abs(x.hi))
			return fits(n.T, interval{0, most, x.known})
		}
		if n.Fn.Name == "COALESCE" {
			return r.union(n.Args)
		}
	case *scalar.Case:
		return r.cases(n)
	case *scalar.Binary:
		return r.binary(n)
	}
	return nothing
}

func (r *raising) union(list []scalar.Expr) interval {
	out := interval{math.Inf(1), math.Inf(-1), true}
	for _, e := range list {
		x := r.interval(e)
		if !x.known {
			return nothing
		}
		out.lo, out.hi = min(out.lo, x.lo), max(out.hi, x.hi)
	}
	return out
}

func (r *raising) cases(n *scalar.Case) interval {
	if n.Operand != nil && r.raises(n.Operand) {
		return nothing
	}
	var results []scalar.Expr
	for _, w := range n.Whens {
		if r.raises(w.Cond) {
			return nothing
		}
		results = append(results, w.Then)
	}
	if n.Else != nil {
		results = append(results, n.Else)
	}
	return r.union(results)
}

func (r *raising) binary(n *scalar.Binary) interval {
	x, y := r.interval(n.X), r.interval(n.Y)
	if !x.known || !y.known {
		return nothing
	}
	const day = 86400e6
	xt, yt := n.X.Type(), n.Y.Type()
	scale := 1.0
	switch {
	case numeric(xt) && numeric(yt):
	case n.Op == scalar.OpMultiply || n.Op == scalar.OpDivide || xt.Kind == value.IntervalYear || yt.Kind == value.IntervalYear ||
		xt.Kind == value.Time || yt.Kind == value.Time:
		return nothing
	case xt.Kind == value.Date && yt.Kind == value.IntervalDay:
		y.lo, y.hi = y.lo/day-1, y.hi/day+1
	case xt.Kind == value.IntervalDay && yt.Kind == value.Date:
		x.lo, x.hi = x.lo/day-1, x.hi/day+1
	case xt.Kind == value.Date && yt.Kind == value.Date:
		scale = day
	case xt.Kind != value.Timestamp && xt.Kind != value.IntervalDay || yt.Kind != value.Timestamp && yt.Kind != value.IntervalDay:
		return nothing
	}
	var out interval
	switch n.Op {
	case scalar.OpAdd:
		out = interval{x.lo + y.lo, x.hi + y.hi, true}
	case scalar.OpSubtract:
		out = interval{(x.lo - y.hi) * scale, (x.hi - y.lo) * scale, true}
	case scalar.OpMultiply:
		out = corners(x, y, func(a, b float64) float64 { return a * b })
	case scalar.OpDivide:
		if !(y.lo > 0 || y.hi < 0) {
			return nothing
		}
		out = corners(x, y, func(a, b float64) float64 { return a / b })
	default:
		return nothing
	}
	return fits(n.T, out)
}

// corners is the interval of a monotone operation.
func corners(x, y interval, f func(a, b float64) float64) interval {
	out := interval{math.Inf(1), math.Inf(-1), true}
	for _, a := range [...]float64{x.lo, x.hi} {
		for _, b := range [...]float64{y.lo, y.hi} {
			v := f(a, b)
			if v != v {
				return nothing
			}
			out.lo, out.hi = min(out.lo, v), max(out.hi, v)
		}
	}
	return out
}

func (r *raising) aggregated(n *aggregateAt) interval {
	if n.spec.kind == counted {
		return interval{0, math.MaxInt32, true}
	}
	if r.table == nil || len(n.spec.agg.Args) != 1 {
		return nothing
	}
	x := r.interval(n.spec.agg.Args[0])
	switch {
	case n.spec.kind == extreme:
		return x
	case n.spec.kind != summed && n.spec.kind != floating:
		return nothing
	case n.Fn.Name == "AVG" && x.known:
		return interval{x.lo, x.hi, fits(value.TypeDecimal, x).known}
	}
	rows := float64(r.table.NumRows())
	return fits(n.Type(), interval{min(x.lo*rows, 0), max(x.hi*rows, 0), x.known})
}

func numeric(t value.Type) bool { return t.IsExact() || t.IsApproximate() }

// pointOf is the interval of a constant.
func pointOf(v value.Value, t value.Type) interval {
	f, ok := floatOf(v, t)
	return interval{f, f, ok}
}

// floatOf returns a value as a number; NULL is 0, since it makes no number.
func floatOf(v value.Value, t value.Type) (float64, bool) {
	switch v.Form() {
	case value.FormNull:
		return 0, true
	case value.FormDouble:
		f := v.AsFloat()
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	case value.FormDecimal:
		if n, scale, ok := v.AsScaled(); ok {
			return float64(n) / math.Pow10(scale), true
		}
		return 0, false
	case value.FormInt, value.FormDate, value.FormStamp, value.FormInterval:
		return float64(v.Raw()), true
	}
	return 0, false
}

// fits returns x if a result of type t that lies in it is no error.
func fits(t value.Type, x interval) interval {
	most := 0.0
	switch t.Kind {
	case value.Smallint:
		most = math.MaxInt16
	case value.Integer:
		most = math.MaxInt32
	case value.Bigint, value.IntervalDay:
		most = 9e18
	case value.Decimal:
		most = 1e30
		if t.Precision > 0 {
			most = min(most, 0.9*math.Pow10(t.Precision-t.Scale))
		}
	case value.Double:
		most = 1e300
	case value.Timestamp:
		most = 6e16 // microseconds: the years 70 to 3870
	case value.Date:
		most = 690_000 // days
	}
	if !x.known || !(x.lo >= -most && x.hi <= most) {
		return nothing
	}
	return x
}

// column returns the values of a column.
func (r *raising) column(i int) interval {
	if r.table == nil {
		return nothing
	}
	x, ok := r.ranges[i]
	if !ok {
		x = rangeOf(r.table.Column(i))
		r.ranges[i] = x
	}
	return x
}

func rangeOf(c *table.Column) interval {
	unit := 1.0
	switch {
	case c.Type.Kind == value.Decimal:
		unit = math.Pow10(-c.Type.Scale)
	case c.Type.IsApproximate():
		lo, hi := 0.0, 0.0
		for _, f := range c.Float64s() {
			if f != f || f-f != 0 {
				return nothing
			}
			lo, hi = min(lo, f), max(hi, f)
		}
		return interval{lo, hi, true}
	case c.Type.IsInteger(), c.Type.Kind == value.Date, c.Type.Kind == value.Timestamp, c.Type.Kind == value.IntervalDay:
	default:
		return nothing
	}
	ints := c.Int64s()
	if ints == nil && c.Len() > 0 {
		return nothing
	}
	lo, hi := int64(0), int64(0) // NULL rows hold 0
	for _, n := range ints {
		lo, hi = min(lo, n), max(hi, n)
	}
	return interval{float64(lo) * unit, float64(hi) * unit, true}
}

// plans are the search plans of the tables that a program has met.
type plans struct {
	mu    sync.Mutex
	table *table.Table
	plan  *searchPlan
}

// searchPlanFor returns the plan for the rows of a table: where its values
// exclude errors, the search may be cut.
func (p *program) searchPlanFor(t *table.Table) *searchPlan {
	if !p.search.raising {
		return &p.search
	}
	p.plans.mu.Lock()
	defer p.plans.mu.Unlock()
	if p.plans.table != t {
		plan := p.searchPlan(p.raisingVars(&raising{table: t, ranges: map[int]interval{}}))
		p.plans.table, p.plans.plan = t, &plan
	}
	return p.plans.plan
}

// raisingVars reports, by primary variable, whether its condition may be an error.
func (p *program) raisingVars(r *raising) []bool {
	out := make([]bool, p.clause.Primaries)
	for v, d := range p.defs {
		for _, j := range d.conjuncts {
			out[v] = out[v] || j.class != rowLocal && r.raises(j.expr)
		}
	}
	return out
}
