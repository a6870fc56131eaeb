package audit

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// shape is the columns of a result with our types. A type of the server's
// without counterpart is read as text: it is passed on and compared as it is.
type shape struct {
	names   []string
	types   []value.Type
	known   []bool   // the type has a counterpart
	servers []string // the server's types
}

func shapeOf(columns []trino.Column) *shape {
	s := &shape{}
	for _, c := range columns {
		t, ok := c.ValueType()
		if !ok || t.Kind == value.Binary || t.Kind == value.Unknown {
			t, ok = value.TypeVarchar, false
		}
		s.names, s.types = append(s.names, table.FoldName(c.Name)), append(s.types, t)
		s.known, s.servers = append(s.known, ok), append(s.servers, c.Type)
	}
	return s
}

// cell reads a value of column i.
func (s *shape) cell(raw json.RawMessage, i int) (value.Value, error) {
	return trino.Value(raw, s.types[i], s.known[i])
}

// table makes a table of rows.
func (s *shape) table(rows [][]json.RawMessage) (*table.Table, error) {
	cols := make([]*table.Column, len(s.names))
	for i := range cols {
		b := table.NewBuilder(s.names[i], s.types[i])
		b.Reserve(len(rows))
		for _, r := range rows {
			v, err := s.cell(r[i], i)
			if err == nil {
				err = b.Append(v)
			}
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", s.names[i], err)
			}
		}
		cols[i] = b.Column()
	}
	return table.New(cols...)
}

// named gives the columns of a result the names of the clause's output, where
// the server's are the same but for letter case: its names have none.
func (s *shape) named(out []semantics.Field) {
	if len(out) != len(s.names) {
		return
	}
	for i, f := range out {
		s.names[i] = trino.ColumnName(s.names[i], f.Name)
	}
}

// computable refuses a clause that computes with columns whose types have no
// counterpart: their text is not their value. To be passed on, looked at by a
// navigation, or compared for equality as a partition column does not compute.
func computable(c *semantics.Clause, in *shape) error {
	refuse := func(column int, pos diag.Pos, does string) error {
		return diag.New(diag.Unsupported, "TYPE-1", pos, "%s column %s, whose type %s has no counterpart here", does, in.names[column], in.servers[column]).
			WithHint("audit a query whose source casts it, such as FROM (SELECT ..., CAST(%s AS timestamp(6)) ... FROM ...) AS t", in.names[column])
	}
	for _, k := range c.OrderBy {
		if k.Column >= 0 && !in.known[k.Column] {
			return refuse(k.Column, k.Name.Pos, "ORDER BY has")
		}
	}
	for _, at := range c.PartitionBy {
		if !in.known[at] && isZoned(in.servers[at]) {
			return refuse(at, diag.Pos{}, "PARTITION BY has")
		}
	}
	var err error
	refs := func(e scalar.Expr) {
		scalar.Walk(e, func(e scalar.Expr) bool {
			if r, ok := e.(*semantics.ColumnRef); ok && err == nil && !in.known[r.Column] {
				err = refuse(r.Column, r.Pos(), "a condition or measure computes with")
			}
			return err == nil
		})
	}
	for _, v := range c.Vars {
		if v.Define != nil {
			refs(v.Define)
		}
	}
	for _, m := range c.Measures {
		e := m.Expr
		if n, ok := e.(*semantics.Navigation); ok {
			e = n.Arg
		}
		if _, plain := e.(*semantics.ColumnRef); !plain {
			refs(e)
		}
	}
	return err
}

// isZoned reports a type whose values are equal although their text is not.
func isZoned(servers string) bool { return strings.Contains(servers, "with time zone") }
