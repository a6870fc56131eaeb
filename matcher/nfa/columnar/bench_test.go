package columnar

import (
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

const benchRows = 1 << 20

// benchTable has temp, x and y as integers, price as decimal(10,2), event as one of five strings.
func benchTable(b testing.TB, n int) *table.Table {
	b.Helper()
	g := newGenerator(1)
	events := []string{"view", "click", "select", "checkout", "purchase order"}
	temp, x, price, f, event := table.NewBuilder("TEMP", value.TypeInteger), table.NewBuilder("X", value.TypeBigint), table.NewBuilder("PRICE", value.DecimalType(10, 2)),
		table.NewBuilder("F", value.TypeDouble), table.NewBuilder("EVENT", value.TypeVarchar)
	nullable := table.NewBuilder("N", value.TypeInteger)
	for range n {
		temp.AppendInt64(int64(g.IntN(100)))
		x.AppendInt64(int64(g.IntN(1000)))
		price.AppendInt64(int64(g.IntN(100000)))
		f.AppendFloat64(g.Float64())
		event.AppendString(events[g.IntN(len(events))])
		if g.IntN(10) == 0 {
			nullable.AppendNull()
		} else {
			nullable.AppendInt64(int64(g.IntN(100)))
		}
	}
	in, err := table.New(temp.Column(), x.Column(), price.Column(), f.Column(), event.Column(), nullable.Column())
	if err != nil {
		b.Fatal(err)
	}
	return in
}

var benchConditions = []struct{ name, cond string }{
	{"int", "temp > 50"},
	{"nullable", "n > 50"},
	{"prev", "x > PREV(x)"},
	{"string", "event = 'click'"},
	{"longstring", "event = 'purchase order'"},
	{"like", "event LIKE '%ck%'"},
	{"decimal", "price > 500"},
	{"scales", "price > x"},
	{"double", "f > 0.5"},
	{"three", "temp > 50 AND price < 500.5 AND x > PREV(x)"},
	{"sum", "x + temp > 700"},
	{"total", "price * x > 100000"},
	{"between", "temp BETWEEN 20 AND 70"},
	{"in", "event IN ('view', 'click', 'select')"},
	{"case", "CASE WHEN temp > 50 THEN x ELSE temp END > 60"},
	{"quotient", "price / NULLIF(x, 0) > 50"},
	{"fall", "price < 0.9 * PREV(price)"},
}

func orders(n int) map[string][]int32 {
	ordered, random := make([]int32, n), make([]int32, n)
	for i := range ordered {
		ordered[i], random[i] = int32(i), int32(i)
	}
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(n, func(i, j int) { random[i], random[j] = random[j], random[i] })
	return map[string][]int32{"ordered": ordered, "random": random}
}

// measure reports the processor time of a row in the best run.
func measure(b *testing.B, f func()) {
	b.ReportAllocs()
	best := math.Inf(1)
	for b.Loop() {
		before := processorTime()
		f()
		best = min(best, processorTime()-before)
	}
	b.ReportMetric(best/benchRows, "cpu-ns/row")
}

func processorTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkEval(b *testing.B) {
	in := benchTable(b, benchRows)
	rows := orders(benchRows)
	out := make([]uint64, benchRows/64)
	for _, order := range []string{"ordered", "random"} {
		for _, c := range benchConditions {
			b.Run(c.name+"/"+order, func(b *testing.B) {
				clause, err := parse(in, c.cond)
				if err != nil {
					b.Fatal(err)
				}
				k, ok := Compile(clause.Vars[0].Define, 0)
				if !ok {
					b.Fatal("not supported")
				}
				p := &semantics.Partition{Table: in, Rows: rows[order]}
				if err := k.Eval(p, 0, benchRows, out); err != nil {
					b.Fatal(err)
				}
				measure(b, func() { k.Eval(p, 0, benchRows, out) })
			})
		}
	}
}

// Partitions of four rows, and three conditions that share their column.
func BenchmarkSet(b *testing.B) {
	in := benchTable(b, benchRows)
	rows := orders(benchRows)
	for _, order := range []string{"ordered", "random"} {
		for _, size := range []int{4, 1000, benchRows} {
			for _, name := range []string{"events", "prev"} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, order, size), func(b *testing.B) {
					conds := []string{"event = 'view'", "event = 'click'", "event = 'select'"}
					if name == "prev" {
						conds = []string{"x > PREV(x)", "x < PREV(x)", "x = PREV(x)"}
					}
					set := &Set{}
					var out [][]uint64
					for _, cond := range conds {
						clause, err := parse(in, cond)
						if err != nil {
							b.Fatal(err)
						}
						if _, ok := set.Add(clause.Vars[0].Define, Leaves(clause, 0)); !ok {
							b.Fatal("not supported")
						}
						out = append(out, make([]uint64, benchRows/64))
					}
					input := Input{Table: in, Rows: rows[order]}
					for at := 0; at <= benchRows; at += size {
						input.Bounds = append(input.Bounds, int32(at))
					}
					if last := input.Bounds[len(input.Bounds)-1]; last < benchRows {
						input.Bounds = append(input.Bounds, benchRows)
					}
					measure(b, func() {
						if err := set.Eval(input, 0, benchRows, out, nil); err != nil {
							b.Fatal(err)
						}
					})
				})
			}
		}
	}
}
