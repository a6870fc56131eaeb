package scalar

import (
	"sort"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// SortKey is one key of an ORDER BY inside an aggregate.
type SortKey struct {
	Expr       Expr
	Descending bool
	NullsFirst bool
}

// Aggregation is a bound aggregate call: what is aggregated, not over which
// rows. DEFINE, MEASURES, GROUP BY and windows choose the rows.
type Aggregation struct {
	Fn       *Aggregate
	Args     []Expr // none for COUNT(*)
	Distinct bool   // AGG-6
	Filter   Expr   // AGG-6; nil: none
	OrderBy  []SortKey
	Type     value.Type
	Options  value.Options
	types    []value.Type
}

// BindAggregation binds a call of an aggregate function. A star argument is
// put to star, which reports an error itself and then returns false. False is
// returned after any error of the call.
func BindAggregation(b *Binder, n *sqlexpr.Node, fn *Aggregate, star func(*sqlexpr.Node) bool) (*Aggregation, bool) {
	a := &Aggregation{Fn: fn, Distinct: n.Distinct, Options: b.Options}
	ok := true
	if len(n.Args) == 1 && n.Args[0].Kind == sqlexpr.Star {
		ok = star(n.Args[0])
		if fn.MinArgs > 0 || n.Distinct || len(n.OrderBy) > 0 {
			b.Fail(diag.New(diag.Semantic, "AGG-2", n.Args[0].Pos, "only COUNT takes a *, without DISTINCT and ORDER BY").WithHint("write a column or another expression instead of the *"))
			ok = false
		}
	} else {
		if len(n.Args) == 0 {
			b.Fail(diag.New(diag.Semantic, "AGG-2", n.Pos, "%s has no argument", fn.Name).WithHint("write %s", fn.Usage))
			ok = false
		}
		a.Args = b.BindAll(n.Args)
	}
	if n.Filter != nil {
		a.Filter = b.Condition(n.Filter, "TYPE-1", "the condition of FILTER")
	}
	for _, k := range n.OrderBy {
		key := SortKey{Expr: b.Bind(k.Expr), Descending: k.Descending, NullsFirst: k.Descending && !b.NullsLast}
		if k.NullsFirst != nil {
			key.NullsFirst = *k.NullsFirst
		}
		a.OrderBy = append(a.OrderBy, key)
	}
	for _, e := range a.Args {
		a.types = append(a.types, e.Type())
	}
	if !ok {
		return a, false
	}
	t, err := fn.ResultType(a.types, b.Options)
	if err != nil {
		b.Fail(diag.From(err).At(n.Pos))
		return a, false
	}
	a.Type = t
	return a, true
}

// Operands returns arguments, filter and sort keys.
func (a *Aggregation) Operands() []Expr {
	out := append([]Expr(nil), a.Args...)
	if a.Filter != nil {
		out = append(out, a.Filter)
	}
	for _, k := range a.OrderBy {
		out = append(out, k.Expr)
	}
	return out
}

// Run is one evaluation of an Aggregation.
type Run struct {
	of     *Aggregation
	acc    Accumulator
	args   []value.Value
	sorted []sortedRow
}

type sortedRow struct{ keys, args []value.Value }

// Start begins an evaluation over no rows.
func (a *Aggregation) Start() *Run {
	acc := a.Fn.New(a.types, a.Options)
	if a.Distinct {
		acc = Distinct(acc, a.Options)
	}
	return &Run{of: a, acc: acc, args: make([]value.Value, len(a.Args))}
}

// Add adds the row that env stands for, if the filter is TRUE on it.
func (r *Run) Add(env Env) error {
	a := r.of
	if a.Filter != nil {
		truth, err := EvalTruth(a.Filter, env)
		if err != nil || truth != value.True {
			return err
		}
	}
	for i, e := range a.Args {
		v, err := e.Eval(env)
		if err != nil {
			return err
		}
		r.args[i] = v
	}
	if len(a.OrderBy) == 0 {
		return r.acc.Add(r.args)
	}
	row := sortedRow{args: append([]value.Value(nil), r.args...)}
	for _, k := range a.OrderBy {
		v, err := k.Expr.Eval(env)
		if err != nil {
			return err
		}
		row.keys = append(row.keys, v)
	}
	r.sorted = append(r.sorted, row)
	return nil
}

// Result returns the aggregate of the rows added. Rows equal in all sort keys
// keep the order in which they were added (NUL-3).
func (r *Run) Result() (value.Value, error) {
	sort.SliceStable(r.sorted, func(i, j int) bool { return r.less(r.sorted[i], r.sorted[j]) })
	for _, row := range r.sorted {
		if err := r.acc.Add(row.args); err != nil {
			return value.Null, err
		}
	}
	r.sorted = nil
	return r.acc.Result()
}

func (r *Run) less(x, y sortedRow) bool {
	for i, k := range r.of.OrderBy {
		if c := CompareKeys(x.keys[i], y.keys[i], k.Descending, k.NullsFirst, r.of.Options); c != 0 {
			return c < 0
		}
	}
	return false
}

// CompareKeys compares two values of a sort key, NULLs included.
func CompareKeys(x, y value.Value, descending, nullsFirst bool, o value.Options) int {
	switch {
	case x.IsNull() && y.IsNull():
		return 0
	case x.IsNull():
		if nullsFirst {
			return -1
		}
		return 1
	case y.IsNull():
		return -CompareKeys(y, x, descending, nullsFirst, o)
	}
	c := value.Compare(x, y, o)
	if descending {
		return -c
	}
	return c
}
