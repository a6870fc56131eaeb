package dialect

import (
	"slices"

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

// Order returns the rows 0 to rows-1 with the tied ones in the n-th of their
// orders; the 0th is the given one. A table of rows in this order, sorted stably
// by the clause's keys, has the order that ORDER BY allows as well as any. The
// numbers go up to Count.
func Order(rows int, ties [][]int32, n int) []int32 {
	out := make([]int32, rows)
	for i := range out {
		out[i] = int32(i)
	}
	for _, g := range ties {
		rest := slices.Clone(g)
		for i := range g {
			// The digit of n in the base of what is left chooses the next row.
			left := len(rest)
			at := n % left
			n /= left
			out[g[i]] = rest[at]
			rest = slices.Delete(rest, at, at+1)
		}
	}
	return out
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
