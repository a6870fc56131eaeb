package dialect

import (
	"iter"
	"slices"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Ties finds the rows of a table that the ORDER BY of a recognition leaves in
// no order (NUL-3): rows of one partition that are equal in every key. Each
// group has at least two rows, which are not the same in all columns.
func Ties(c *semantics.Clause, t *table.Table) [][]int32 {
	o := c.Readings.ValueOptions()
	cols := slices.Clone(c.PartitionBy)
	for _, k := range c.OrderBy {
		if k.Column < 0 {
			return nil // ordered by an expression: no key to group by
		}
		if !slices.Contains(cols, k.Column) {
			cols = append(cols, k.Column)
		}
	}
	var out [][]int32
	for _, g := range t.Groups(cols, o) {
		if len(g) > 1 && !allSame(t, g, o) {
			out = append(out, g)
		}
	}
	return out
}

// allSame reports rows that do not differ at all: their order changes nothing.
func allSame(t *table.Table, rows []int32, o value.Options) bool {
	for _, r := range rows[1:] {
		for i := range t.NumColumns() {
			if !value.Identical(t.Value(int(rows[0]), i), t.Value(int(r), i), o) {
				return false
			}
		}
	}
	return true
}

// Orders yields the table once for every order of its tied rows, the given one
// first. A stable sort of such a table by the clause's keys gives every order
// that ORDER BY allows. The orders are numbered by factorials: check Count
// before going through them.
func Orders(t *table.Table, ties [][]int32) iter.Seq[*table.Table] {
	return func(yield func(*table.Table) bool) {
		rows := make([]int32, t.NumRows())
		for i := range rows {
			rows[i] = int32(i)
		}
		var walk func(g int) bool
		walk = func(g int) bool {
			if g == len(ties) {
				return yield(t.Gather(rows))
			}
			return permute(slices.Clone(ties[g]), 0, func(order []int32) bool {
				for i, r := range order {
					rows[ties[g][i]] = r
				}
				return walk(g + 1)
			})
		}
		walk(0)
	}
}

// permute calls f for every order of list, which it changes; the given order
// comes first.
func permute(list []int32, from int, f func([]int32) bool) bool {
	if from >= len(list)-1 {
		return f(list)
	}
	for i := from; i < len(list); i++ {
		x := list[i]
		copy(list[from+1:i+1], list[from:i])
		list[from] = x
		if !permute(list, from+1, f) {
			return false
		}
		copy(list[from:i], list[from+1:i+1])
		list[i] = x
	}
	return true
}

// Count returns the number of orders, at most limit+1.
func Count(ties [][]int32, limit int) int {
	n := 1
	for _, g := range ties {
		for k := 2; k <= len(g); k++ {
			if n *= k; n > limit {
				return limit + 1
			}
		}
	}
	return n
}

// WithTable returns a copy of the case in which the i-th table has other rows.
func WithTable(c *oracle.Case, i int, t *table.Table) *oracle.Case {
	d := *c
	d.Tables = slices.Clone(c.Tables)
	d.Tables[i].Data = t
	return &d
}
