package serve

import (
	"context"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// options gives a statement the tables and host variables of its question, and
// nothing else: a file named in quotes is an unknown table.
func (c *conversation) options(tables []protocol.Table, params map[string]protocol.Param, lim matcher.Limits) query.Options {
	o := query.Options{Readings: c.readings, Recognizer: matcher.Using(c.Engine, lim), Params: map[string]scalar.Param{}}
	for name, p := range params {
		o.Params[name] = scalar.Param{Type: p.Type, Value: p.Value}
	}
	byName := map[string]*table.Table{}
	for _, t := range tables {
		byName[t.Name] = t.Table
		o.Names = append(o.Names, t.Name)
	}
	o.Tables = func(name string, _ bool) (*table.Table, bool, error) {
		t, ok := byName[name]
		return t, ok, nil
	}
	return o
}

// query answers query: the rows of the result.
func (c *conversation) query(ctx context.Context, q *protocol.Query) (protocol.Answer, error) {
	lim := c.Limits
	if q.MaxSteps != nil {
		if lim.Steps = *q.MaxSteps; lim.Steps == 0 {
			lim.Steps = -1 // no limit
		}
	}
	r, err := query.Run(ctx, q.SQL, c.options(q.Tables, q.Params, lim))
	if err != nil {
		return nil, err
	}
	return &protocol.Rows{ID: q.ID, Table: r.Table, Ordered: r.Ordered}, nil
}

// check answers check: the columns of a statement that breaks no rule.
func (c *conversation) check(q *protocol.Check) (protocol.Answer, error) {
	st, err := query.Parse(q.SQL, c.readings)
	if err != nil {
		return nil, err
	}
	o := c.options(q.Tables, q.Params, c.Limits)
	o.Untyped = len(q.Tables) == 0
	b, err := query.Bind(st, o)
	if err != nil {
		return nil, err
	}
	return &protocol.Accepted{ID: q.ID, Columns: fields(b.Columns()), Untyped: b.Untyped}, nil
}

func fields(in []semantics.Field) []table.Field {
	out := make([]table.Field, len(in))
	for i, f := range in {
		out[i] = table.Field{Name: f.Name, Type: f.Type}
	}
	return out
}
