package query

import (
	"context"
	"sync"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// relation is a bound query: the columns of its result, and how to compute it.
type relation struct {
	fields  []semantics.Field
	untyped bool // there are more columns, of which nothing is known
	plan    plan
}

// plan computes a table. The plans of a statement form a tree; an item of WITH
// is computed when it is first needed, and once.
type plan interface {
	run(x *execution) (*table.Table, error)
}

// execution is what running a statement needs.
type execution struct {
	ctx        context.Context
	recognizer Recognizer
}

// pulse is how many rows are evaluated between two looks at the context.
const pulse = 4096

func (x *execution) alive(row int) error {
	if row%pulse == 0 {
		return x.ctx.Err()
	}
	return nil
}

// tablePlan is a named table.
type tablePlan struct{ t *table.Table }

func (p tablePlan) run(*execution) (*table.Table, error) { return p.t, nil }

// nothing stands where an error was found; it is never run.
type nothing struct{}

func (nothing) run(*execution) (*table.Table, error) {
	return nil, diag.New(diag.Internal, "SQL-1", diag.Pos{}, "a query with errors is run").WithHint("run a query only if Bind gave no error")
}

// oneRow is the input of a block without FROM: one row without columns.
type oneRow struct{}

func (oneRow) run(*execution) (*table.Table, error) { return table.NewRows(1) }

// renamePlan gives the columns other names.
type renamePlan struct {
	input  plan
	fields []semantics.Field
}

func (p *renamePlan) run(x *execution) (*table.Table, error) {
	t, err := p.input.run(x)
	if err != nil {
		return nil, err
	}
	cols := make([]*table.Column, t.NumColumns())
	for i, c := range t.Columns() {
		cols[i] = c.Named(p.fields[i].Name)
	}
	return table.NewRows(t.NumRows(), cols...)
}

// withPlan is an item of WITH.
type withPlan struct {
	input plan
	once  sync.Once
	t     *table.Table
	err   error
}

func (p *withPlan) run(x *execution) (*table.Table, error) {
	p.once.Do(func() { p.t, p.err = p.input.run(x) })
	return p.t, p.err
}

// recognitionPlan is MATCH_RECOGNIZE over its input.
type recognitionPlan struct {
	input  plan
	clause *semantics.Clause
}

func (p *recognitionPlan) run(x *execution) (*table.Table, error) {
	t, err := p.input.run(x)
	if err != nil {
		return nil, err
	}
	if x.recognizer == nil {
		return nil, noRecognizer()
	}
	return x.recognizer.Recognize(x.ctx, p.clause, t)
}

func noRecognizer() error {
	return diag.New(diag.Internal, "SQL-1", diag.Pos{}, "the query needs a Recognizer, and Options have none").WithHint("set Options.Recognizer, for example to what matcher.Using returns")
}

// valuesPlan is VALUES; exprs holds the cells that are no plain literals.
type valuesPlan struct {
	rows   []valuesRow
	exprs  map[cellAt]scalar.Expr
	fields []semantics.Field
}

// cellAt is the place of a cell, from 0.
type cellAt struct{ row, column int }

func (p *valuesPlan) run(x *execution) (*table.Table, error) {
	cols := make([]*table.Column, len(p.fields))
	for i, f := range p.fields {
		b := table.NewBuilder(f.Name, f.Type)
		b.Reserve(len(p.rows))
		for r, row := range p.rows {
			if err := x.alive(r); err != nil {
				return nil, err
			}
			var err error
			if c := &row.cells[i]; c.expr != nil {
				err = appendValue(b, p.exprs[cellAt{r, i}], f.Type, nil)
			} else if err = b.Append(c.value); err != nil {
				err = diag.From(err).At(c.pos)
			}
			if err != nil {
				return nil, err
			}
		}
		cols[i] = b.Column()
	}
	return table.NewRows(len(p.rows), cols...)
}

// appendValue evaluates an expression and appends the value to a column of
// type to. A char(n) that becomes a varchar keeps its blanks (TYPE-7).
func appendValue(b *table.Builder, e scalar.Expr, to value.Type, env scalar.Env) error {
	v, err := e.Eval(env)
	if err != nil {
		return err
	}
	if to.Kind == value.Varchar {
		v = value.Pad(v, e.Type())
	}
	if err := b.Append(v); err != nil {
		return diag.From(err).At(e.Pos())
	}
	return nil
}

// unionPlan is UNION ALL.
type unionPlan struct {
	inputs []plan
	fields []semantics.Field
	pos    []diag.Pos // of the inputs
}

func (p *unionPlan) run(x *execution) (*table.Table, error) {
	tables := make([]*table.Table, len(p.inputs))
	rows := 0
	for i, in := range p.inputs {
		t, err := in.run(x)
		if err != nil {
			return nil, err
		}
		tables[i] = t
		rows += t.NumRows()
	}
	if rows > table.MaxRows {
		return nil, diag.New(diag.Limit, "LIM-1", p.pos[0], "UNION ALL gives %d rows; at most %d are possible", rows, table.MaxRows).
			WithHint("take parts of it")
	}
	cols := make([]*table.Column, len(p.fields))
	for c, f := range p.fields {
		b := table.NewBuilder(f.Name, f.Type)
		b.Reserve(rows)
		for i, t := range tables {
			from := t.Column(c)
			for r := range t.NumRows() {
				if err := x.alive(r); err != nil {
					return nil, err
				}
				v := from.Value(r)
				if f.Type.Kind == value.Varchar {
					v = value.Pad(v, from.Type) // TYPE-7, as in appendValue
				}
				if err := b.Append(v); err != nil {
					return nil, diag.From(err).At(p.pos[i])
				}
			}
		}
		cols[c] = b.Column()
	}
	return table.NewRows(rows, cols...)
}

// orderPlan sorts a table by its own columns and computed ones.
type orderPlan struct {
	input plan
	keys  []sortKey
	opt   value.Options
}

func (p *orderPlan) run(x *execution) (*table.Table, error) {
	t, err := p.input.run(x)
	if err != nil {
		return nil, err
	}
	return sorted(x, t, view{t: t}, p.keys, p.opt)
}

// cutPlan is OFFSET with LIMIT or FETCH FIRST.
type cutPlan struct {
	input         plan
	offset, limit *rowCount // nil: none
}

// rowCount is a bound number of rows.
type rowCount struct {
	what string
	expr scalar.Expr
}

func (p *cutPlan) run(x *execution) (*table.Table, error) {
	from, err := p.offset.value(0)
	if err != nil {
		return nil, err
	}
	most, err := p.limit.value(1<<63 - 1)
	if err != nil {
		return nil, err
	}
	t, err := p.input.run(x)
	if err != nil {
		return nil, err
	}
	n := int64(t.NumRows())
	from = min(from, n)
	to := from + min(most, n-from)
	if from == 0 && to == n {
		return t, nil
	}
	rows := make([]int32, 0, to-from)
	for r := from; r < to; r++ {
		rows = append(rows, int32(r))
	}
	return t.Gather(rows), nil
}

// value evaluates the number of rows. NULL and a negative number, which only a
// host variable can give, are data exceptions.
func (c *rowCount) value(none int64) (int64, error) {
	if c == nil {
		return none, nil
	}
	v, err := c.expr.Eval(nil)
	if err != nil {
		return 0, err
	}
	if n := v.Raw(); !v.IsNull() && n >= 0 {
		return n, nil
	}
	state := "2201W" // invalid row count in fetch first clause
	if c.what == "OFFSET" {
		state = "2201X" // invalid row count in result offset clause
	}
	return 0, diag.New(diag.Runtime, "EVAL-1", c.expr.Pos(), "the number of rows of %s is %s", c.what, value.Format(v, c.expr.Type())).
		WithState(state).WithHint("give a number of rows, 0 or more")
}
