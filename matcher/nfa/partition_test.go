package nfa

import (
	"slices"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// TestPartitions compares partitions, and the order of their rows, with those
// that the clause makes: keys of all kinds, NULLs, ties, tables in order and
// not, few and many partitions.
func TestPartitions(t *testing.T) {
	g := newGenerator(seedOf(t))
	for round := range 300 {
		n := g.IntN(40)
		if round%10 == 0 {
			n = 3000 + g.IntN(3000)
		}
		spread := []int64{1, 3, 40, 5000, 1 << 40}[g.IntN(5)]
		ordered := g.IntN(3) == 0
		cols := []*table.Builder{table.NewBuilder("P", value.TypeBigint), table.NewBuilder("Q", value.TypeVarchar),
			table.NewBuilder("X", value.TypeBigint), table.NewBuilder("D", value.TypeDouble), table.NewBuilder("Y", value.TypeInteger)}
		nulls := g.IntN(3)
		key := int64(0)
		for i := range n {
			key = g.Int64N(spread)
			if ordered {
				key = int64(i) / 7
			}
			for c, draw := range []func(){
				func() { cols[0].AppendInt64(key) },
				func() { cols[1].AppendString(string(rune('a' + key%3))) },
				func() {
					if ordered {
						cols[2].AppendInt64(int64(i / 2))
					} else {
						cols[2].AppendInt64(g.Int64N(2*spread) - spread)
					}
				},
				func() { cols[3].AppendFloat64(float64(g.IntN(5))) },
				func() { cols[4].AppendInt64(int64(g.IntN(5))) },
			} {
				if nulls > 0 && (nulls > 1 || c == g.IntN(5)) && g.IntN(5) == 0 {
					cols[c].AppendNull()
				} else {
					draw()
				}
			}
		}
		var done []*table.Column
		for _, b := range cols {
			done = append(done, b.Column())
		}
		in, err := table.New(done...)
		if err != nil {
			t.Fatal(err)
		}
		text := []string{"", "PARTITION BY p ", "PARTITION BY q ", "PARTITION BY q, p "}[g.IntN(4)] +
			[]string{"", "ORDER BY x ", "ORDER BY x DESC ", "ORDER BY y, x NULLS FIRST ", "ORDER BY d, y ", "ORDER BY y DESC NULLS LAST, x DESC "}[g.IntN(6)] +
			"MEASURES 1 AS m PATTERN (A) DEFINE A AS TRUE"
		c, err := parse(in, text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Partitions(in)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&program{clause: c}).partition(in)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.bounds)-1 != len(want) {
			t.Fatalf("%s: %d partitions, want %d", text, len(got.bounds)-1, len(want))
		}
		for k, p := range want {
			if rows, _ := got.chunk(chunk{k, k + 1}, nil); !slices.Equal(rows, p.Rows) {
				t.Fatalf("%s: partition %d of %d rows: %v, want %v", text, k, n, rows, p.Rows)
			}
		}
	}
}
