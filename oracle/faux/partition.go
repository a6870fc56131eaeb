package faux

import (
	"slices"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// partitions divides a table (NUL-1) and orders each partition (NUL-2), ties as
// they come (NUL-3).
func (p *program) partitions(in *table.Table) ([]*semantics.Partition, error) {
	opt := p.clause.Readings.ValueOptions()
	var parts []*semantics.Partition
rows:
	for row := range in.NumRows() {
		for _, part := range parts {
			if p.samePartition(in, int(part.Rows[0]), row, opt) {
				part.Rows = append(part.Rows, int32(row))
				continue rows
			}
		}
		parts = append(parts, &semantics.Partition{Table: in, Rows: []int32{int32(row)}})
	}
	if len(p.clause.OrderBy) == 0 {
		return parts, nil
	}
	keys, err := p.keys(in)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		slices.SortStableFunc(part.Rows, func(a, b int32) int { return p.compare(keys[a], keys[b], opt) })
	}
	return parts, nil
}

func (p *program) samePartition(in *table.Table, a, b int, opt value.Options) bool {
	for _, c := range p.clause.PartitionBy {
		x, y := in.Value(a, c), in.Value(b, c)
		if !value.Identical(x, y, opt) || p.lie == nullKeysSplit && x.IsNull() {
			return false
		}
	}
	return true
}

// keys evaluates the ordering keys of all rows. Keys that are expressions
// belong to a reading of GRAM-5.
func (p *program) keys(in *table.Table) ([][]value.Value, error) {
	t := translator{lie: p.lie, clause: p.clause}
	out := make([][]value.Value, in.NumRows())
	exprs := make([]scalar.Expr, len(p.clause.OrderBy))
	for i, k := range p.clause.OrderBy {
		if k.Expr != nil {
			exprs[i] = t.expr(k.Expr)
		}
	}
	for row := range out {
		s := &scene{clause: p.clause, part: &semantics.Partition{Table: in, Rows: []int32{int32(row)}}, on: 0, testing: measuring}
		for i, k := range p.clause.OrderBy {
			if exprs[i] == nil {
				out[row] = append(out[row], in.Value(row, k.Column))
				continue
			}
			v, err := exprs[i].Eval(s)
			if err != nil {
				return nil, diag.From(err).In(p.clause.Source)
			}
			out[row] = append(out[row], v)
		}
	}
	return out, nil
}

// compare orders two rows by their keys.
func (p *program) compare(a, b []value.Value, opt value.Options) int {
	for i, k := range p.clause.OrderBy {
		descending, nullsFirst := k.Descending, k.NullsFirst
		switch {
		case p.lie == nullsFirstAlways:
			nullsFirst = true
		case p.lie == secondKeyAscending && i > 0:
			descending = false
		}
		switch {
		case a[i].IsNull() && b[i].IsNull():
			continue
		case a[i].IsNull() == nullsFirst && a[i].IsNull() != b[i].IsNull():
			return -1
		case a[i].IsNull() != b[i].IsNull():
			return 1
		}
		c := value.Compare(a[i], b[i], opt)
		if descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}
