package matcher_test

import (
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// series makes n rows in partitions of the given size: P, I, X, where X is
// scattered over 0 to 999.
func series(b *testing.B, n, size int) *table.Table {
	b.Helper()
	p, i, x := table.NewBuilder("P", value.TypeBigint), table.NewBuilder("I", value.TypeBigint), table.NewBuilder("X", value.TypeBigint)
	for r := range n {
		p.AppendInt64(int64(r / size))
		i.AppendInt64(int64(r))
		x.AppendInt64(int64(uint64(r) * 2654435761 % 1000003 % 1000))
	}
	in, err := table.New(p.Column(), i.Column(), x.Column())
	if err != nil {
		b.Fatal(err)
	}
	return in
}

// BenchmarkRecognize measures columns to output table.
func BenchmarkRecognize(b *testing.B) {
	for _, bc := range []struct {
		name, clause string
		rows, size   int
	}{
		{"rising", "PARTITION BY p ORDER BY i MEASURES A.x AS a, LAST(B.x) AS z PATTERN (A B+) DEFINE B AS x > PREV(x)", 1_000_000, 1000},
		{"rising-small-partitions", "PARTITION BY p ORDER BY i MEASURES A.x AS a, LAST(B.x) AS z PATTERN (A B+) DEFINE B AS x > PREV(x)", 1_000_000, 4},
		{"v-all-rows", "PARTITION BY p ORDER BY i MEASURES CLASSIFIER() AS c ALL ROWS PER MATCH PATTERN (A B+ C+) DEFINE B AS x < PREV(x), C AS x > PREV(x)", 200_000, 1000},
		{"one-match", "ORDER BY i MEASURES FINAL COUNT(*) AS n PATTERN (A+) DEFINE A AS x >= 0", 1_000_000, 1_000_000},
	} {
		in := series(b, bc.rows, bc.size)
		c := clause(b, in, bc.clause)
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := matcher.Recognize(b.Context(), reference.Engine{}, c, in, matcher.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(bc.rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
