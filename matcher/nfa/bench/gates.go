package bench

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/table"
)

// gate is a bound that a figure must keep.
type gate struct {
	name string
	run  func(r *runner) error
}

// judge prints a gate's figure and whether it is met. A figure with a unit is a
// time, which depends on the machine; one without is a ratio or a count.
func (r *runner) judge(name string, got, bound float64, unit string) {
	word := "met"
	switch {
	case got <= bound:
	case unit != "":
		word = "NOT MET"
		r.report.Absolute++
	default:
		word = "NOT MET"
		r.report.Unmet++
	}
	r.printf("| %s | %.2f%s | %.2f%s | %s |\n", name, got, unit, bound, unit, word)
}

var gates = []gate{
	{"growth", growth},
	{"allocations", allocations},
	{"labels", labelMatching},
	{"no match", noMatch},
	{"memory", memory},
	{"end to end", endToEnd},
	{"match-dependent", matchDependent},
	{"peers", peers},
}

// shape is a query whose time must grow with the rows.
type shape struct {
	name, clause string
	input        func(n int) (*table.Table, error)
	from         int // rows; time(2 from) / time(from) is judged
}

func letters(f func(i, n int) string) func(n int) (*table.Table, error) {
	return func(n int) (*table.Table, error) {
		return columns(ints("I", seq), text("C", func(i int) string { return f(i, n) }))(n)
	}
}

const needsE = "ORDER BY i MEASURES 1 AS one PATTERN (A+ B+ C+ E) DEFINE A AS c = 'a', B AS c = 'b', C AS c = 'c', E AS c = 'e'"

var shapes = []shape{
	{"no match, quarters", needsE, letters(func(i, n int) string { return []string{"a", "b", "c", "a"}[min(4*i/n, 3)] }), 1_000_000},
	{"no match, thirds twice", needsE, letters(func(i, n int) string { return []string{"a", "b", "c"}[6*i/n%3] }), 1_000_000},
	{"no match, period 4", needsE, letters(func(i, _ int) string { return []string{"a", "b", "c", "a"}[i%4] }), 1_000_000},
	{"no match, E first", needsE, letters(func(i, n int) string {
		if i == 0 {
			return "e"
		}
		return []string{"a", "b", "c"}[3*i/n%3]
	}), 1_000_000},
	{"overlap", "ORDER BY i MEASURES 1 AS one PATTERN (A+ B+ C+ E) DEFINE A AS i >= 1, B AS i >= 1, C AS i >= 1, E AS i < 1",
		letters(func(int, int) string { return "x" }), 1_000_000},
	{"((A+)+ B) without B", "ORDER BY i MEASURES 1 AS one PATTERN ((A+)+ B) DEFINE A AS c <> 'b', B AS c = 'b' AND i > 1",
		letters(func(i, _ int) string {
			if i < 2 {
				return "b"
			}
			return "a"
		}), 1_000_000},
	{"(A?){30} A{30}", "ORDER BY i MEASURES COUNT(*) AS n PATTERN ((A?){30} A{30}) DEFINE A AS c = 'a'",
		letters(func(i, _ int) string {
			if i%59 == 58 {
				return "b"
			}
			return "a"
		}), 1_000_000},
	{"(A | B B)+", "ORDER BY i MEASURES COUNT(*) AS n PATTERN ((A | B B)+) DEFINE A AS i >= 0 AND c <> 'b', B AS c <> 'a'",
		letters(func(i, _ int) string { return []string{"a", "b", "x"}[random(i, 3)] }), 1_000_000},
	{"SKIP TO NEXT ROW, long matches", "ORDER BY i MEASURES COUNT(*) AS n, LAST(B.i) AS b, SUM(A.i) AS s, MAX(i) AS m AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ B) DEFINE A AS c = 'a', B AS c = 'b'",
		letters(func(i, n int) string {
			if i == n-1 {
				return "b"
			}
			return "a"
		}), 1_000_000},
	{"A{1,1000000}", "ORDER BY i MEASURES COUNT(*) AS n PATTERN (A{1,1000000} B) DEFINE A AS c = 'a', B AS c = 'b'",
		letters(func(i, n int) string {
			if i == n/2 {
				return "b"
			}
			return "a"
		}), 1_000_000},
	{"A{1000,1000000}?", "ORDER BY i MEASURES COUNT(*) AS n PATTERN (A{1000,1000000}? B | C) DEFINE A AS c = 'a', B AS c = 'b', C AS c = 'c'",
		letters(func(i, n int) string {
			if i%5000 == 4999 {
				return "b"
			}
			return "a"
		}), 1_000_000},
}

// growthBound is the largest time(2n) / time(n) of what counts as linear.
const growthBound = 2.3

// growthRepeats is how often sizes are measured again where the growth seems
// too large: other work on the machine makes a run longer, never shorter.
const growthRepeats = 2

// growthOf is time(2n) / time(n), from the times a row at sizes that double: at
// full size that of the worst step; at small ones, whose times other work on the
// machine disturbs, that of the mean step.
func (r *runner) growthOf(perRow []float64) float64 {
	last := len(perRow) - 1
	if r.o.Divide > 1 {
		return 2 * math.Pow(perRow[last]/perRow[0], 1/float64(last))
	}
	worst := 0.0
	for k := 1; k <= last; k++ {
		worst = max(worst, 2*perRow[k]/perRow[k-1])
	}
	return worst
}

// growing measures a query at sizes that double, from from rows on, and measures
// again while the growth seems too large. It returns the best times a row, in
// nanoseconds, and their growth.
func (r *runner) growing(clause string, input func(n int) (*table.Table, error), from, sizes int) (best []float64, growth float64, err error) {
	best = make([]float64, sizes)
	growth = math.Inf(1)
	for again := 0; again <= growthRepeats && growth > growthBound; again++ {
		for k := range best {
			n := from << k
			in, err := input(n)
			if err != nil {
				return nil, 0, err
			}
			cost, err := r.recognize(clause, in, func(*table.Table) {})
			if err != nil {
				return nil, 0, err
			}
			if now := perRow(cost, n); again == 0 || now < best[k] {
				best[k] = now
			}
		}
		growth = r.growthOf(best)
	}
	return best, growth, nil
}

func growth(r *runner) error {
	for _, s := range shapes {
		times, worst, err := r.growing(s.clause, s.input, s.from/r.o.Divide, 4) // 1M to 8M
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		r.judge(fmt.Sprintf("growth of %s (%.1f, %.1f, %.1f, %.1f ns/row)", s.name, times[0], times[1], times[2], times[3]), worst, growthBound, "")
	}
	return nil
}

// allocations counts those that grow with the rows.
func allocations(r *runner) error {
	for _, s := range shapes {
		var allocs [2]float64
		sizes := [2]int{1_000_000, 2_000_000}
		for k, n := range sizes {
			in, err := s.input(n)
			if err != nil {
				return err
			}
			cost, err := r.recognize(s.clause, in, func(*table.Table) {})
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			allocs[k] = float64(cost.Allocs)
		}
		r.judge("allocations a thousand rows, "+s.name, max(0, allocs[1]-allocs[0])/float64(sizes[1]-sizes[0])*1000, 1, "")
	}
	return nil
}

// funnelLabels are rows on which A, B, C or nothing holds: four a user, half of
// the users with a C.
func funnelLabels(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		switch i % 4 {
		case 0:
			out[i] = 'a'
		case 3:
			out[i] = 'x'
			if random(i/4, 2) == 0 {
				out[i] = 'c'
			}
		default:
			out[i] = 'b'
		}
	}
	return out
}

// labelMatching compares matching alone with what a regular expression takes
// for the same labels.
func labelMatching(r *runner) error {
	scanner, ok := r.o.Engine.(interface {
		ScanMasks(pattern string, masks []byte) (matches int, tier string, err error)
	})
	if !ok {
		return nil
	}
	n := 10_000_000 / r.o.Divide
	labels := funnelLabels(n)
	masks := make([]byte, n) // each side is given the rows as it takes them
	for i, l := range labels {
		masks[i] = map[byte]byte{'a': 1, 'b': 2, 'c': 4}[l]
	}
	var matches int
	var tier string
	both := []func() error{func() (err error) {
		matches, tier, err = scanner.ScanMasks("A B* C", masks)
		return err
	}}
	if pcre2 != nil {
		both = append(both, func() error {
			count, err := pcre2("ab*c", labels)
			if err == nil && count != matches {
				r.report.Wrong++
			}
			return err
		})
	}
	costs, err := inTurns(3*r.o.Times, both...)
	if err != nil {
		return err
	}
	ours := costs[0]
	want := 0
	re := regexp.MustCompile("ab*c")
	small := labels[:n/10]
	theirs, err := measure(1, func() error {
		want = len(re.FindAllIndex(small, -1))
		return nil
	})
	if err != nil {
		return err
	}
	if got, _, err := scanner.ScanMasks("A B* C", masks[:len(small)]); err != nil || got != want {
		r.report.Wrong++
		r.printf("| labels of the funnel | WRONG: %d matches, Go's regexp finds %d | | |\n", got, want)
	}
	goRegexp := perRow(theirs, len(small))
	r.printf("| %s on labels: %.1f ns/row, Go's regexp %.1f, %d matches | | | |\n", tier, perRow(ours, n), goRegexp, matches)
	r.judge("labels of the funnel against an eighth of Go's regexp", perRow(ours, n)/goRegexp, 1.0/8, "")
	if pcre2 != nil {
		r.funnelPCRE = perRow(costs[1], n)
		r.judge(fmt.Sprintf("labels of the funnel against PCRE2's JIT (%.1f ns/row)", r.funnelPCRE), perRow(ours, n)/r.funnelPCRE, 1, "")
	} else {
		r.printf("| PCRE2's JIT: not built in (build tag pcre2) | | | |\n")
	}
	return nil
}

// pcre2 counts the matches of a pattern with PCRE2's JIT; nil: not built in.
var pcre2 func(pattern string, subject []byte) (int, error)

// noMatch matches A+ B+ C+ E where every row satisfies A, B and C, and one E
// stands before them all.
func noMatch(r *runner) error {
	scanner, ok := r.o.Engine.(interface {
		ScanMasks(pattern string, masks []byte) (matches int, tier string, err error)
	})
	if !ok {
		return nil
	}
	n := 10_000_000 / r.o.Divide
	masks := []byte(strings.Repeat("\x07", n))
	masks[0] = 8
	cost, err := measure(r.o.Times, func() error {
		matches, _, err := scanner.ScanMasks("A+ B+ C+ E", masks)
		if err == nil && matches != 0 {
			r.report.Wrong++
		}
		return err
	})
	if err != nil {
		return err
	}
	got := perRow(cost, n)
	bound := 1.2 * 5.4 // where the figures were published
	if r.funnelPCRE > 0 {
		bound = 1.2 * r.funnelPCRE
	}
	r.judge("no match, every row A, B and C", got, bound, " ns/row")
	return nil
}

// endToEnd compares whole queries with the sort of their keys alone, and with
// a pass over the key columns where the input is in order.
func endToEnd(r *runner) error {
	if r.o.Divide > 1 {
		r.printf("| end to end: judged at full size only | | | |\n")
		return nil
	}
	for _, name := range []string{"funnel_two_step", "funnel_three_step", "skew", "funnel_ordered"} {
		w := named(name)
		n := w.Rows / r.o.Divide
		in, err := w.Input(n)
		if err != nil {
			return err
		}
		whole, err := r.recognizer(w.Clause, in, func(*table.Table) {})
		if err != nil {
			return err
		}
		keys := [2][]int64{in.Column(0).Int64s(), in.Column(1).Int64s()}
		what, bound, yardstick := "its sort", 1.5, func() error { sortAlone(keys[0], keys[1]); return nil }
		if name == "funnel_ordered" {
			what, bound, yardstick = "a pass over its keys", 4, func() error {
				for _, k := range keys {
					if !slices.IsSorted(k) {
						return errors.New("the rows are not in order")
					}
				}
				return nil
			}
		}
		costs, err := inTurns(r.o.Times, whole, yardstick)
		if err != nil {
			return err
		}
		r.judge(fmt.Sprintf("%s (%.0f ms) against %s (%.0f ms)", name, ms(costs[0]), what, ms(costs[1])), float64(costs[0].CPU)/float64(costs[1].CPU), bound, "")
	}
	return nil
}

// memory measures what T2 allocates a row, of which the numbers of the ordered
// rows are no part. Eight conditions hold on every row, so that nothing is
// skipped, and nothing is found, since only the first row is an E.
func memory(r *runner) error {
	var define []string
	for _, v := range []string{"A", "B", "C", "D", "F", "G", "H"} {
		define = append(define, fmt.Sprintf("%s AS v < %d", v, 1000+len(define)))
	}
	clause := "ORDER BY i MEASURES 1 AS one PATTERN (A+ B* C* D* F* G* H* E) DEFINE E AS v < 0, " + strings.Join(define, ", ")
	const rowNumber = 4
	var bytes [2]float64
	n := 2_000_000 / r.o.Divide
	for k := range bytes {
		in, err := columns(ints("I", seq), ints("V", func(i int) int64 {
			if i == 0 {
				return -1
			}
			return int64(i % 100)
		}))(n << k)
		if err != nil {
			return err
		}
		cost, err := r.recognize(clause, in, func(out *table.Table) {
			if out.NumRows() > 0 {
				r.report.Wrong++
			}
		})
		if err != nil {
			return err
		}
		bytes[k] = float64(cost.Bytes)
	}
	r.judge("bytes a row of T2, eight variables", (bytes[1]-bytes[0])/float64(n)-rowNumber, 4, "")
	return nil
}

func ms(c Cost) float64 { return float64(c.CPU.Microseconds()) / 1000 }

func named(name string) *Workload {
	for i := range Workloads {
		if Workloads[i].Name == name {
			return &Workloads[i]
		}
	}
	return nil
}

// sortAlone sorts row numbers by two keys: an LSD radix sort of 11 bits a digit
// over keys packed into one word.
func sortAlone(first, second []int64) []int32 {
	type entry struct {
		key uint64
		row int32
	}
	low, high := int64(0), int64(0)
	for _, v := range second {
		low, high = min(low, v), max(high, v)
	}
	width := bits.Len64(uint64(high - low))
	from, to := make([]entry, len(first)), make([]entry, len(first))
	most := uint64(0)
	for i := range first {
		from[i] = entry{uint64(first[i])<<width | uint64(second[i]-low), int32(i)}
		most = max(most, from[i].key)
	}
	const digit = 11
	for shift := 0; most>>shift != 0; shift += digit {
		var counts [1 << digit]int
		for i := range from {
			counts[from[i].key>>shift&(1<<digit-1)]++
		}
		at := 0
		for d, c := range counts {
			counts[d] = at
			at += c
		}
		for i := range from {
			p := &counts[from[i].key>>shift&(1<<digit-1)]
			to[*p] = from[i]
			*p++
		}
		from, to = to, from
	}
	rows := make([]int32, len(from))
	for i := range from {
		rows[i] = from[i].row
	}
	return rows
}

// matchDependent judges the workloads whose conditions read the match.
func matchDependent(r *runner) error {
	for _, name := range []string{"aggregate_define", "bin_packing", "merge_ranges", "shoulders", "union_skip"} {
		w := named(name)
		times, worst, err := r.growing(w.Clause, w.Input, w.Rows/r.o.Divide, 2)
		if err != nil {
			return err
		}
		r.judge(name, times[0], 150, " ns/row")
		r.judge("growth of "+name, worst, growthBound, "")
	}
	w := named("path_dependent")
	var cpu [2]float64
	for k, n := range []int{w.Rows / 2, w.Rows} {
		in, err := w.Input(n)
		if err != nil {
			return err
		}
		cost, err := r.recognize(w.Clause, in, func(*table.Table) {})
		if err != nil {
			return err
		}
		cpu[k] = cost.CPU.Seconds()
	}
	r.judge(fmt.Sprintf("path_dependent, %d rows (growth %.2f)", w.Rows, cpu[1]/cpu[0]), cpu[1], 3, " s")
	return nil
}
