// Package bench measures the optimised matcher on the workloads that peers
// publish figures for, checks the answers, and says which gates are met.
package bench

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Workload is a query over generated rows. The input and the answer depend on
// the number of rows only.
type Workload struct {
	Name   string
	Rows   int                               // the published size
	Input  func(n int) (*table.Table, error) // the table of n rows
	Clause string                            // what stands in MATCH_RECOGNIZE ( )
	Answer func(out *table.Table) []int64    // what is checked of the output
	Want   []int64                           // at the published size; nil: compared with the reference at Small
	Small  int                               // the size at which the reference is asked as well; 0: it is not
	Sizes  []int                             // other sizes, for growth
}

// hash is H of the workloads.
func hash(i int) int64 { return int64(uint64(i) * 2654435761 % 1000003) }

// random is R of the workloads: one step of splitmix64 from state i.
func random(i int, m uint64) int64 {
	z := uint64(i) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int64((z ^ z>>31) % m)
}

// column describes a generated column: exactly one function is set.
type column struct {
	name string
	typ  value.Type
	ints func(i int) int64
	text func(i int) string
}

func ints(name string, f func(i int) int64) column { return column{name, value.TypeBigint, f, nil} }

func text(name string, f func(i int) string) column { return column{name, value.TypeVarchar, nil, f} }

// columns makes a table of n rows.
func columns(cols ...column) func(n int) (*table.Table, error) {
	return func(n int) (*table.Table, error) { return build(n, func(i int) int { return i }, cols) }
}

// shuffled makes the same table with its rows in another order.
func shuffled(cols ...column) func(n int) (*table.Table, error) {
	return func(n int) (*table.Table, error) {
		step := 7368787 // a prime: every row occurs once unless it divides n
		return build(n, func(i int) int { return int(uint64(i) * uint64(step) % uint64(n)) }, cols)
	}
}

func build(n int, order func(int) int, cols []column) (*table.Table, error) {
	var out []*table.Column
	for _, c := range cols {
		b := table.NewBuilder(c.name, c.typ)
		b.Reserve(n)
		for i := range n {
			if c.ints != nil {
				b.AppendInt64(c.ints(order(i)))
			} else {
				b.AppendString(c.text(order(i)))
			}
		}
		out = append(out, b.Column())
	}
	return table.New(out...)
}

func seq(i int) int64 { return int64(i) }

func cycle(words ...string) func(int) string {
	return func(i int) string { return words[i%len(words)] }
}

// rows counts the rows of the output.
func rows(out *table.Table) []int64 { return []int64{int64(out.NumRows())} }

// total adds a measure up.
func total(out *table.Table, name string) int64 {
	var sum int64
	col := out.Column(out.Index(name))
	for i := range col.Len() {
		sum += col.Value(i).Raw()
	}
	return sum
}

// largest is the greatest value of a measure.
func largest(out *table.Table, name string) int64 {
	var most int64
	col := out.Column(out.Index(name))
	for i := range col.Len() {
		most = max(most, col.Value(i).Raw())
	}
	return most
}

// matchesAndRows are the number of matches and of the rows mapped.
func matchesAndRows(out *table.Table) []int64 {
	return []int64{int64(out.NumRows()), total(out, "N")}
}

func visitors(make func(...column) func(int) (*table.Table, error)) func(int) (*table.Table, error) {
	return make(ints("VISITOR", func(i int) int64 { return int64(i / 10) }), ints("SEQ", seq), text("ACTION", cycle("browse", "select", "checkout", "idle")))
}

// Workloads are those of the published figures, in their shapes and sizes.
var Workloads = []Workload{
	{Name: "scan", Rows: 2_000_000, Small: 20_000,
		Input:  columns(ints("I", seq), ints("V", func(i int) int64 { return int64(i % 5) })),
		Clause: "ORDER BY i MEASURES A.i AS a, B.i AS b PATTERN (A B) DEFINE A AS v = 0, B AS v = 1",
		Answer: rows, Want: []int64{400_000}},
	{Name: "partitions", Rows: 2_000_000, Small: 20_000,
		Input:  columns(ints("P", func(i int) int64 { return int64(i / 100) }), ints("I", seq), ints("V", func(i int) int64 { return int64(i % 5) })),
		Clause: "PARTITION BY p ORDER BY i MEASURES A.i AS a, B.i AS b PATTERN (A B) DEFINE A AS v = 0, B AS v = 1",
		Answer: rows, Want: []int64{400_000}},
	{Name: "quantifier", Rows: 500_000, Small: 20_000,
		Input:  columns(ints("I", seq), ints("V", func(i int) int64 { return int64(i % 17) })),
		Clause: "ORDER BY i MEASURES MATCH_NUMBER() AS m, CLASSIFIER() AS c ALL ROWS PER MATCH PATTERN (A+ B+ A+) DEFINE A AS v < 12, B AS v >= 12",
		Answer: rows, Want: []int64{426_474}},
	{Name: "navigation", Rows: 200_000, Small: 5_000,
		Input:  columns(ints("I", seq), ints("V", func(i int) int64 { return int64(uint64(i) * 2654435761 % 1000) })),
		Clause: "ORDER BY i MEASURES A.v AS a, LAST(B.v) AS b PATTERN (A B+) DEFINE B AS B.v > LAST(A.v)",
		Answer: rows, Want: []int64{200}},
	{Name: "no_match", Rows: 200_000, Small: 400,
		Input: columns(ints("I", seq), text("ACTION", func(i int) string {
			switch m := i % 3000; {
			case m < 1000:
				return "browse"
			case m < 2000:
				return "select"
			}
			return "checkout"
		})),
		Clause: "ORDER BY i MEASURES 1 AS one PATTERN (BROWSE+ SELECT_IT+ CHECKOUT+ REFUND) DEFINE BROWSE AS action = 'browse', SELECT_IT AS action = 'select', CHECKOUT AS action = 'checkout', REFUND AS action = 'refund'",
		Answer: rows, Want: []int64{0}},
	{Name: "nested_quantifier", Rows: 2_000_000, Small: 12,
		Input:  columns(ints("I", seq), text("C", cycle("a"))),
		Clause: "ORDER BY i MEASURES 1 AS one PATTERN ((A+)+ B) DEFINE A AS c = 'a', B AS c = 'b'",
		Answer: rows, Want: []int64{0}},
	{Name: "optional_prefix", Rows: 4000,
		Input:  columns(ints("I", seq), text("C", cycle("a"))),
		Clause: "ORDER BY i MEASURES 1 AS one PATTERN ((A{0,1}){4000} A{4000}) DEFINE A AS c = 'a'",
		Answer: rows, Want: []int64{1}},
	{Name: "funnel_two_step", Rows: 10_000_000, Small: 20_000, Input: visitors(shuffled),
		Clause: "PARTITION BY visitor ORDER BY seq MEASURES FIRST(BROWSE.seq) AS a, LAST(SELECT_IT.seq) AS b PATTERN ((BROWSE SELECT_IT) | BROWSE) DEFINE BROWSE AS action = 'browse', SELECT_IT AS action = 'select'",
		Answer: rows, Want: []int64{2_500_000}},
	{Name: "funnel_three_step", Rows: 10_000_000, Small: 20_000, Input: visitors(shuffled),
		Clause: "PARTITION BY visitor ORDER BY seq MEASURES FIRST(BROWSE.seq) AS a, LAST(CHECKOUT.seq) AS b PATTERN (BROWSE SELECT_IT CHECKOUT) DEFINE BROWSE AS action = 'browse', SELECT_IT AS action = 'select', CHECKOUT AS action = 'checkout'",
		Answer: rows, Want: []int64{2_000_000}},
	{Name: "funnel_ordered", Rows: 10_000_000, Small: 20_000, Input: visitors(columns),
		Clause: "PARTITION BY visitor ORDER BY seq MEASURES FIRST(BROWSE.seq) AS a, LAST(CHECKOUT.seq) AS b PATTERN (BROWSE SELECT_IT CHECKOUT) DEFINE BROWSE AS action = 'browse', SELECT_IT AS action = 'select', CHECKOUT AS action = 'checkout'",
		Answer: rows, Want: []int64{2_000_000}},
	{Name: "sessionize", Rows: 10_000_000, Small: 20_000,
		Input: columns(ints("VISITOR", func(i int) int64 { return int64(i / 1000) }), ints("SEQ", seq),
			ints("TS", func(i int) int64 { return int64(10*i + 1000*(i/50)) })),
		Clause: "PARTITION BY visitor ORDER BY seq MEASURES FIRST(ts) AS t0, LAST(ts) AS t1, COUNT(*) AS n PATTERN (A B*) DEFINE B AS B.ts - PREV(B.ts) <= 100",
		Answer: func(out *table.Table) []int64 { return []int64{int64(out.NumRows()), largest(out, "N")} }, Want: []int64{200_000, 50}},
	{Name: "streak", Rows: 10_000_000, Small: 100_000,
		Input: columns(ints("SENSOR", func(i int) int64 { return int64(i / 1000) }), ints("I", seq),
			ints("V", func(i int) int64 { return random(i, 1000) })),
		Clause: "PARTITION BY sensor ORDER BY i MEASURES FIRST(i) AS a, COUNT(*) AS n PATTERN (A B*) DEFINE B AS B.v > PREV(B.v)",
		Answer: matchesAndRows},
	selectivity("low", 1), selectivity("mid", 25), selectivity("high", 99),
	{Name: "aggregate_define", Rows: 1_000_000, Small: 5_000,
		Input:  columns(ints("I", seq), ints("V", func(i int) int64 { return hash(i) % 100 })),
		Clause: "ORDER BY i MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS A.v >= AVG(A.v)",
		Answer: rows, Want: []int64{804_494}},
	{Name: "bin_packing", Rows: 1_000_000, Small: 10_000,
		Input:  columns(ints("BIN", func(i int) int64 { return int64(i / 1000) }), ints("I", seq), ints("W", func(i int) int64 { return 1 + hash(i)%9 })),
		Clause: "PARTITION BY bin ORDER BY i MEASURES SUM(X.w) AS w, COUNT(X.*) AS n PATTERN ((X | {- REST -})+) DEFINE X AS SUM(X.w) <= 20",
		Answer: func(out *table.Table) []int64 {
			return []int64{int64(out.NumRows()), total(out, "W"), total(out, "N")}
		}, Want: []int64{1_000, 20_000, 5_371}},
	{Name: "merge_ranges", Rows: 1_000_000, Small: 5_000,
		Input:  columns(ints("S", func(i int) int64 { return int64(2*i) + hash(i)%3 }), ints("E", func(i int) int64 { return int64(2*i) + hash(i)%3 + 1 + hash(i)%4 })),
		Clause: "ORDER BY s, e MEASURES FIRST(s) AS s, MAX(e) AS e, COUNT(*) AS n, MAX(e) - FIRST(s) AS span PATTERN (J* L) DEFINE J AS NEXT(s) <= MAX(e)",
		Answer: func(out *table.Table) []int64 {
			return []int64{int64(out.NumRows()), total(out, "N"), largest(out, "SPAN")}
		}, Want: []int64{285_650, 1_000_000, 12}},
	{Name: "union_skip", Rows: 1_000_000, Small: 20_000,
		Input:  columns(ints("I", seq), ints("V", func(i int) int64 { return hash(i) % 5 })),
		Clause: "ORDER BY i MEASURES FIRST(i) AS a, COUNT(*) AS n AFTER MATCH SKIP TO LAST ups PATTERN (S (DN | SAME)+ (UP | SAME)+) SUBSET ups = (UP, SAME) DEFINE DN AS v < PREV(v), SAME AS v = PREV(v), UP AS v > PREV(v)",
		Answer: matchesAndRows, Want: []int64{456_677, 1_456_674}},
	{Name: "shoulders", Rows: 1_000_000, Small: 10_000,
		Input: columns(ints("I", seq), ints("V", func(i int) int64 {
			bend := int64(i%25 - 12)
			return 100 + 2*int64(i/25%7) - max(bend, -bend)*int64(1+i/25%3) + hash(i)%3
		})),
		Clause: "ORDER BY i MEASURES FIRST(i) AS a, COUNT(*) AS n PATTERN (S UP+ DOWN+ UP2+ DOWN+ UP+ DOWN2+) DEFINE UP AS v > PREV(v), DOWN AS v < PREV(v), UP2 AS v > MAX(UP.v), DOWN2 AS v < MIN(DOWN.v)",
		Answer: matchesAndRows, Want: []int64{4_919, 168_258}},
	{Name: "path_dependent", Rows: 20_000, Small: 2_000, Sizes: []int{4_000},
		Input: columns(ints("I", seq), text("TYPE", cycle("R", "Z", "Z", "B", "Z", "M", "Z", "Z", "Z", "Z")),
			column{"LON", value.DecimalType(9, 3), func(i int) int64 { return 10_000 + random(3*i, 100) }, nil},
			column{"LAT", value.DecimalType(9, 3), func(i int) int64 { return 50_000 + random(3*i+1, 100) }, nil},
			column{"TS", value.TypeTimestamp, func(i int) int64 { return int64(i) * 30_000_000 }, nil}),
		Clause: "ORDER BY i MEASURES FIRST(i) AS a, COUNT(*) AS n AFTER MATCH SKIP TO NEXT ROW PATTERN (S Z* B Z* M) DEFINE S AS type = 'R', " +
			"B AS type = 'B' AND ABS(lon - S.lon) <= 0.05 AND ABS(lat - S.lat) <= 0.02, " +
			"M AS type = 'M' AND ABS(lon - S.lon) <= 0.05 AND ABS(lat - S.lat) <= 0.02 AND ts <= S.ts + INTERVAL '30' MINUTE",
		Answer: matchesAndRows},
	{Name: "skew", Rows: 5_000_000, Small: 20_000,
		Input: shuffled(ints("USER_ID", func(i int) int64 {
			if b := i / 4; random(b, 10) < 9 {
				return int64(b % 1000)
			} else {
				return 1000 + random(b+1, 125000)
			}
		}), ints("SEQ", seq), text("EVENT", cycle("view", "x", "click", "buy"))),
		Clause: "PARTITION BY user_id ORDER BY seq MEASURES FIRST(seq) AS a, LAST(BUY.seq) AS b PATTERN (VIEW_IT X* CLICK Y* BUY) DEFINE VIEW_IT AS event = 'view', X AS event = 'x', CLICK AS event = 'click', Y AS event = 'y', BUY AS event = 'buy'",
		Answer: rows, Want: []int64{1_250_000}},
}

func selectivity(name string, below int) Workload {
	return Workload{Name: "selectivity_" + name, Rows: 10_000_000, Small: 100_000,
		Input:  columns(ints("I", seq), ints("V", func(i int) int64 { return random(i, 100) })),
		Clause: fmt.Sprintf("ORDER BY i MEASURES FIRST(i) AS a, COUNT(*) AS n PATTERN (A B{2}) DEFINE A AS v < %d, B AS v < 50", below),
		Answer: matchesAndRows}
}
