package query

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// view is a selection of rows of a table, without copying them.
type view struct {
	t     *table.Table
	rows  []int32         // nil: all rows
	extra []*table.Column // results of window functions; rows is then nil
}

func (v view) len() int {
	if v.rows != nil {
		return len(v.rows)
	}
	return v.t.NumRows()
}

// at returns the row of the table at a position of the view.
func (v view) at(i int) int {
	if v.rows != nil {
		return int(v.rows[i])
	}
	return i
}

// table returns the selected rows as a table.
func (v view) table() *table.Table {
	if v.rows == nil {
		return v.t
	}
	return v.t.Gather(v.rows)
}

// rowEnv is what expressions of the outer query are evaluated in: one row.
type rowEnv struct {
	t     *table.Table
	row   int
	extra []*table.Column
}

// run evaluates a block.
func (p *blockPlan) run(x *execution) (*table.Table, error) {
	t, err := p.input.run(x)
	if err != nil {
		return nil, err
	}
	v := view{t: t}
	if p.where != nil {
		if v, err = v.filter(x, p.where); err != nil {
			return nil, err
		}
	}
	if len(p.windows) > 0 {
		v = view{t: v.table()}
		if v.extra, err = computeWindows(x, v.t, p.windows, p.opt); err != nil {
			return nil, err
		}
	}
	if p.group != nil {
		if v, err = p.group.run(x, v); err != nil {
			return nil, err
		}
	}
	if p.having != nil {
		if v, err = v.filter(x, p.having); err != nil {
			return nil, err
		}
	}
	out, err := v.project(x, p.out)
	if err != nil {
		return nil, err
	}
	if p.distinct {
		out = distinct(out, p.opt)
		v = view{t: out}
	}
	return sorted(x, out, v, p.order, p.opt)
}

// filter keeps the rows on which a condition is TRUE.
func (v view) filter(x *execution, cond scalar.Expr) (view, error) {
	env := &rowEnv{t: v.t, extra: v.extra}
	kept := make([]int32, 0, v.len()/4)
	for i := range v.len() {
		if err := x.alive(i); err != nil {
			return v, err
		}
		env.row = v.at(i)
		truth, err := scalar.EvalTruth(cond, env)
		if err != nil {
			return v, err
		}
		if truth == value.True {
			kept = append(kept, int32(env.row))
		}
	}
	if len(kept) == v.len() {
		return v, nil
	}
	v.rows = kept
	return v, nil
}

// project computes the select list. Plain columns are taken over: shared when
// all rows stay, else gathered.
func (v view) project(x *execution, out []outColumn) (*table.Table, error) {
	cols := make([]*table.Column, len(out))
	var plain []*table.Column // those to gather
	for i, o := range out {
		c := v.shared(o.expr)
		switch {
		case c == nil:
			var err error
			if cols[i], err = v.compute(x, o.name, o.expr); err != nil {
				return nil, err
			}
		case v.rows == nil:
			cols[i] = c.Named(o.name)
		default:
			plain = append(plain, c)
		}
	}
	if len(plain) > 0 {
		t, err := table.New(plain...)
		if err != nil {
			return nil, err
		}
		gathered := t.Gather(v.rows).Columns()
		for i := range cols {
			if cols[i] == nil {
				cols[i], gathered = gathered[0].Named(out[i].name), gathered[1:]
			}
		}
	}
	return table.NewRows(v.len(), cols...)
}

// shared returns the column that an expression is, nil if it is to be computed.
func (v view) shared(e scalar.Expr) *table.Column {
	switch e := e.(type) {
	case *column:
		return v.t.Column(e.index)
	case *aggregateColumn:
		return v.t.Column(len(e.g.keys) + e.index)
	case *windowValue:
		return v.extra[e.index]
	}
	return nil
}

// compute evaluates an expression on every row.
func (v view) compute(x *execution, name string, e scalar.Expr) (*table.Column, error) {
	b := table.NewBuilder(name, e.Type())
	b.Reserve(v.len())
	env := &rowEnv{t: v.t, extra: v.extra}
	for i := range v.len() {
		if err := x.alive(i); err != nil {
			return nil, err
		}
		env.row = v.at(i)
		if err := appendValue(b, e, e.Type(), env); err != nil {
			return nil, err
		}
	}
	return b.Column(), nil
}

// distinct keeps the first of identical rows; two NULLs are identical.
func distinct(t *table.Table, o value.Options) *table.Table {
	all := make([]int, t.NumColumns())
	for i := range all {
		all[i] = i
	}
	ids, counts := t.GroupIDs(all, o)
	if len(counts) == t.NumRows() {
		return t
	}
	first := make([]int32, 0, len(counts))
	for r, id := range ids {
		if int(id) == len(first) {
			first = append(first, int32(r))
		}
	}
	return t.Gather(first)
}

// sorted orders the output rows by keys, stably: expressions are evaluated over
// v, whose rows correspond to those of out.
func sorted(x *execution, out *table.Table, v view, keys []sortKey, o value.Options) (*table.Table, error) {
	if len(keys) == 0 {
		return out, nil
	}
	cols := append([]*table.Column(nil), out.Columns()...)
	by := make([]table.SortKey, len(keys))
	for i, k := range keys {
		by[i] = table.SortKey{Col: k.output, Descending: k.descending, NullsFirst: k.nullsFirst}
		if k.output >= 0 {
			continue
		}
		c, err := v.compute(x, "", k.expr)
		if err != nil {
			return nil, err
		}
		by[i].Col, cols = len(cols), append(cols, c)
	}
	t, err := table.NewRows(out.NumRows(), cols...)
	if err != nil {
		return nil, err
	}
	rows := t.AllRows()
	t.Sort(rows, by, o)
	return out.Gather(rows), nil
}

// run makes the table of groups: the keys, then the aggregates.
func (g *grouping) run(x *execution, v view) (view, error) {
	keys := make([]outColumn, len(g.keys))
	for i, k := range g.keys {
		keys[i] = outColumn{"", k}
	}
	kt, err := v.project(x, keys)
	if err != nil {
		return v, err
	}
	ids, first := make([]int32, v.len()), []int32{0}
	groups := 1
	if !g.all {
		all := make([]int, len(keys))
		for i := range all {
			all[i] = i
		}
		var counts []int32
		ids, counts = kt.GroupIDs(all, g.b.value)
		first, groups = make([]int32, 0, len(counts)), len(counts)
		for r, id := range ids {
			if int(id) == len(first) {
				first = append(first, int32(r))
			}
		}
	}
	var cols []*table.Column
	if len(keys) > 0 {
		cols = kt.Gather(first).Columns()
	}
	cols = append([]*table.Column(nil), cols...)
	for _, a := range g.aggs {
		c, err := a.run(x, v, ids, groups)
		if err != nil {
			return v, err
		}
		cols = append(cols, c)
	}
	t, err := table.NewRows(groups, cols...)
	return view{t: t}, err
}

// run computes one aggregate for all groups.
func (a *aggregateColumn) run(x *execution, v view, ids []int32, groups int) (*table.Column, error) {
	runs := make([]*scalar.Run, groups)
	for i := range runs {
		runs[i] = a.agg.Start()
	}
	env := &rowEnv{t: v.t, extra: v.extra}
	for i := range v.len() {
		if err := x.alive(i); err != nil {
			return nil, err
		}
		env.row = v.at(i)
		if err := runs[ids[i]].Add(env); err != nil {
			return nil, diag.From(err).At(a.Place)
		}
	}
	b := table.NewBuilder("", a.agg.Type)
	for _, r := range runs {
		val, err := r.Result()
		if err == nil {
			err = b.Append(val)
		}
		if err != nil {
			return nil, diag.From(err).At(a.Place)
		}
	}
	return b.Column(), nil
}
