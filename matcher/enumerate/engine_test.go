package enumerate_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// labelled is a pattern over rows that say which variables hold.
type labelled struct {
	clause *semantics.Clause
	part   *semantics.Partition
}

// labels reads "A, AB, -": a row of labels each.
func labels(text string) [][]string {
	if text == "" {
		return nil
	}
	var rows [][]string
	for _, row := range strings.Split(text, ",") {
		row = strings.TrimSpace(row)
		if row == "-" {
			rows = append(rows, nil)
		} else {
			rows = append(rows, strings.Split(row, ""))
		}
	}
	return rows
}

func whole(in *table.Table) *semantics.Partition {
	p := &semantics.Partition{Table: in, Rows: make([]int32, in.NumRows())}
	for i := range p.Rows {
		p.Rows[i] = int32(i)
	}
	return p
}

func label(t testing.TB, pattern string, rows [][]string) labelled {
	t.Helper()
	c, in, err := semantics.Labelled(pattern, "", rows)
	if err != nil {
		t.Fatalf("pattern %s: %v", pattern, err)
	}
	return labelled{c, whole(in)}
}

func (l labelled) attempt(start int) matcher.Attempt {
	return matcher.Attempt{Start: start, End: l.part.Len(), Hi: l.part.Len(), MatchNumber: 1}
}

func (l labelled) finder(t testing.TB, lim matcher.Limits) matcher.Finder {
	t.Helper()
	p, err := enumerate.Engine{}.Compile(l.clause, lim)
	if err != nil {
		t.Fatal(err)
	}
	f, err := p.Partition(l.part)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// show writes a mapping as the rulebook does: 1A 2B, {2B} for an excluded row,
// "empty" and "none".
func (l labelled) show(m semantics.Mapping, found bool) string {
	switch {
	case !found:
		return "none"
	case m.IsEmpty():
		return "empty"
	}
	var out []string
	for i, v := range m.Vars {
		s := fmt.Sprintf("%d%s", m.Start+i+1, l.clause.Name(v))
		if m.IsExcluded(i) {
			s = "{" + s + "}"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestMAT1FirstFeasibleCandidate holds the rulebook's examples, and others
// derived by hand from the rule named: the match at a starting row.
func TestMAT1FirstFeasibleCandidate(t *testing.T) {
	for _, c := range []struct {
		rule, pattern, rows string
		start               int // from 1; 0: 1
		want                string
	}{
		// "Results that follow" from PREF-8.
		{"PREF-8", "(A? | B)*", "A, B", 1, "1A"},
		{"PREF-8", "(A? | B)* C", "A, B, C", 1, "1A 2B 3C"},
		{"PREF-8", "(A | ())+", "A, A, -", 1, "1A 2A"},
		{"PREF-8", "(() | A)*", "A", 1, "empty"},
		{"PREF-8", "(() | A){2,}", "A, A", 1, "empty"},
		{"PREF-8", "((() | A)+ B)", "A, A, B", 1, "1A 2A 3B"},
		{"PREF-8", "(A??)* B", "B", 1, "1B"},
		{"PREF-8", "(A??)* B", "A, B", 1, "1A 2B"},
		{"PREF-8", "(A??)+", "A, A", 1, "empty"},
		{"PREF-8", "(A*?){2,}", "A, A", 1, "empty"},
		{"PREF-8", "(A?){2,3}", "A, A, A, A", 1, "1A 2A 3A"},
		{"PREF-8", "(A?){2,3}", "A, A", 1, "1A 2A"},
		{"PREF-8", "(A?){2,3}", "A", 1, "1A"},
		{"PREF-8", "(A?){2,3}", "-", 1, "empty"},
		{"PREF-8", "(A+ | B){2}", "A, A, A", 1, "1A 2A 3A"},
		{"PREF-8", "(A* B*)*", "A, B, A, B", 1, "1A 2B 3A 4B"},
		{"PREF-8", "((A? | B){3} C)", "B, AC, C", 1, "1B 2C"},
		{"PREF-8", "(A | ^)*", "A, A", 1, "1A 2A"},
		{"PREF-8", "(^ | A)*", "A, A", 1, "empty"},
		{"PREF-8", "(A?)+?", "A, A", 1, "1A"},
		{"PREF-8", "(A?)*?", "A, A", 1, "empty"},
		// Where regular expression engines go wrong.
		{"PREF-8", "((A? ())|(B|B|B??)){1,3} A", "B, A, A", 1, "1B 2A 3A"},
		{"PREF-8", "(B?|A){3} (B|A A)", "A, B, B", 1, "1A 2B"},
		{"PREF-8", "(A?|B|B){3,4} A", "A, B, A, A, A", 1, "1A 2B 3A 4A"},
		{"PREF-11", "(A? | B){1,2} A", "B, A, A", 1, "1B 2A 3A"},
		{"PREF-11", "(A? | B) (A? | B)? A", "B, A, A", 1, "1B 2A"},
		{"PREF-11", "(A | B B)+ (A | B B)+", "A, AB, B, A", 1, "1A 2B 3B 4A"},
		{"PREF-11", "(A | B B){2,}", "A, AB, B, A", 1, "1A 2A"},
		{"PREF-11", "((A* B){1,3}){2,2}", "B, AB, B", 1, "1B 2B 3B"},
		{"PREF-11", "(A* B){2,6}", "B, AB, B", 1, "1B 2A 3B"},

		{"PREF-2", "A{1,2} | B{2,3}", "AB, AB, B, B, B", 1, "1A 2A"},
		{"PREF-2", "A | A B", "A, B", 1, "1A"},
		{"PREF-2", "X* A B | X* X*", "X, X, A", 1, "1X 2X"},
		{"PREF-4", "(A|B){1,2}", "AB, B", 1, "1A 2B"},
		{"PREF-4", "(A|B){1,2}?", "AB, B", 1, "1A"},
		{"PREF-4", "(A{2,3}){1,2}", "A, A, A, A", 1, "1A 2A 3A"},
		{"PREF-4", "A{2,6}", "A, A, A, A", 1, "1A 2A 3A 4A"},
		{"PREF-4", "((A?){2}?)", "A, A", 1, "1A 2A"},
		{"PREF-4", "((A??){2})", "A, A", 1, "empty"},
		{"PREF-4", "(A{2,})*", "A", 1, "empty"},
		{"PREF-5", "({- A -} | A)", "A", 1, "{1A}"},
		{"PREF-5", "(A | {- A -})", "A", 1, "1A"},
		{"PREF-5", "A {- B+ -} C", "A, B, B, C", 1, "1A {2B} {3B} 4C"},
		{"PREF-5", "({- A -} | A) C | A B", "A, B", 1, "1A 2B"},
		{"PAT-7", "PERMUTE(A, B?)", "B, A", 1, "1B 2A"},
		{"PAT-7", "PERMUTE(A, B?)", "AB, AB", 1, "1A 2B"},
		{"MAT-1", "A? B+", "B, B, B", 1, "1B 2B 3B"},
		{"MAT-1", "A", "-, A", 1, "none"},
		{"MAT-1", "A", "-, A", 2, "2A"},
		{"MAT-1", "A A", "A", 1, "none"},
		{"MAT-6", "A B?", "B, A", 2, "2A"},

		{"ANCH-1", "^ A", "A, A, A, A", 1, "1A"},
		{"ANCH-1", "^ A", "A, A, A, A", 2, "none"},
		{"ANCH-1", "A ^", "A, A, A, A", 1, "none"},
		{"ANCH-1", "$ A", "A, A, A, A", 4, "none"},
		{"ANCH-1", "A $", "A, A, A, A", 3, "none"},
		{"ANCH-1", "A $", "A, A, A, A", 4, "4A"},
		{"ANCH-1", "^ A* $", "A, A", 1, "1A 2A"},
		{"ANCH-1", "^ A* $", "A, -", 1, "none"},
		{"ANCH-1", "A* $", "A, -, A", 1, "none"},
		{"ANCH-1", "A* $", "A, -, A", 2, "none"},
		{"ANCH-1", "A* $", "A, -, A", 3, "3A"},
		{"ANCH-1", "^* A B", "-, A, B", 2, "2A 3B"},
		{"MAT-4", "$", "-, -", 2, "none"},
		{"MAT-4", "^", "-, -", 1, "empty"},
		{"MAT-4", "^", "-, -", 2, "none"},
	} {
		l := label(t, c.pattern, labels(c.rows))
		m, found, err := l.finder(t, matcher.Limits{}).Find(context.Background(), l.attempt(max(c.start, 1)-1))
		if err != nil {
			t.Errorf("%s on %s: %v", c.pattern, c.rows, err)
			continue
		}
		if got := l.show(m, found); got != c.want {
			t.Errorf("%s: %s on %s from row %d is %s, should be %s", c.rule, c.pattern, c.rows, c.start, got, c.want)
		}
	}
}

// firstFeasible is MAT-1 word by word: no candidate is passed over untested.
func (l labelled) firstFeasible(t testing.TB, start int) (semantics.Mapping, bool) {
	t.Helper()
	holds := l.clause.Conditions(l.part)
	a := l.attempt(start)
	for c, err := range enumerate.Candidates(l.clause.Pattern, l.part.Len()-start) {
		if err != nil {
			t.Fatal(err)
		}
		if !c.AnchorsHold(start, l.part.Len()) {
			continue
		}
		m, feasible := c.Mapping(start), true
		for i := range m.Vars {
			ok, err := holds.Holds(a.Reach(), start, m.Vars[:i+1])
			if err != nil {
				t.Fatal(err)
			}
			feasible = feasible && ok
		}
		if feasible {
			return m, true
		}
	}
	return semantics.Mapping{}, false
}

// TestPassingOverLosesNothing: giving up a candidate at its first row that
// fails, with all that begin alike, finds the same match as testing every
// candidate in full.
func TestPassingOverLosesNothing(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	for range 4000 {
		p := randomPattern(r, 2+r.IntN(7))
		if total(countStrings(p, 3)) > 2000 {
			continue
		}
		var rows [][]string
		for range r.IntN(4) {
			var row []string
			for _, v := range []string{"A", "B", "C"} {
				if r.IntN(2) == 0 {
					row = append(row, v)
				}
			}
			rows = append(rows, row)
		}
		c, in, err := semantics.LabelledTree(p, rows)
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, p, err)
		}
		l := labelled{c, whole(in)}
		f := l.finder(t, matcher.Limits{})
		for start := range l.part.Len() {
			got, found, err := f.Find(context.Background(), l.attempt(start))
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, p, err)
			}
			want, exists := l.firstFeasible(t, start)
			if found != exists || found && !got.Equal(want) {
				t.Fatalf("seed %d: %s on %v from row %d is %s, should be %s", seed, p, rows, start+1,
					l.show(got, found), l.show(want, exists))
			}
		}
	}
}

// TestSearchArea: rows at and after End are never mapped (WIN-2), while $
// still means the end of the partition.
func TestSearchArea(t *testing.T) {
	for _, c := range []struct {
		pattern    string
		start, end int
		want       string
	}{
		{"A+", 1, 3, "2A 3A"},
		{"A+ $", 1, 3, "none"},
		{"A+ $", 1, 4, "2A 3A 4A"},
		{"A*", 4, 4, "empty"},
		{"A{3}", 1, 3, "none"},
	} {
		l := label(t, c.pattern, labels("A,A,A,A"))
		a := l.attempt(c.start)
		a.End = c.end
		m, found, err := l.finder(t, matcher.Limits{}).Find(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.show(m, found); got != c.want {
			t.Errorf("%s from row %d before row %d is %s, should be %s", c.pattern, c.start+1, c.end+1, got, c.want)
		}
	}
}

// TestEngineLimits: each budget ends in an error of stage limit, and the
// finder can be used again.
func TestEngineLimits(t *testing.T) {
	isLimit := func(err error) bool {
		var e *diag.Error
		return errors.As(err, &e) && e.Stage == diag.Limit && e.Rule == "LIM-1" && e.Hint != ""
	}
	rows := strings.TrimSuffix(strings.Repeat("A,", 40), ",")
	for _, c := range []struct {
		pattern string
		lim     matcher.Limits
	}{
		{"(A+)+ B", matcher.Limits{Steps: 10_000}},
		{"(() | () | ()){30} B", matcher.Limits{Steps: 10_000}},
		{"(^? $? (){3,}){40} B", matcher.Limits{Steps: 10_000}},
		{"A*", matcher.Limits{Rows: 39}},
		{"(){2000000}", matcher.Limits{}},
	} {
		l := label(t, c.pattern, labels(rows))
		f := l.finder(t, c.lim)
		for range 2 {
			if _, _, err := f.Find(context.Background(), l.attempt(0)); !isLimit(err) {
				t.Errorf("%s: %v, should be a limit error", c.pattern, err)
			}
		}
	}
	l := label(t, "PERMUTE(A, A, A, A)", labels("A, A, A, A"))
	if _, err := (enumerate.Engine{}).Compile(l.clause, matcher.Limits{Permute: 3}); !isLimit(err) {
		t.Errorf("PERMUTE of 4 with a limit of 3: %v", err)
	}
	if m, found, err := l.finder(t, matcher.Limits{Permute: 4, Steps: 4, Rows: 4}).Find(context.Background(), l.attempt(0)); err != nil || !found || len(m.Vars) != 4 {
		t.Errorf("exactly within the limits: %v %v %v", m, found, err)
	}
	// Without limits the same finder goes on after an error.
	l = label(t, "A* B", labels("A, A, B"))
	f := l.finder(t, matcher.Limits{Steps: 3})
	if _, _, err := f.Find(context.Background(), l.attempt(0)); !isLimit(err) {
		t.Errorf("3 of 4 tests: %v", err)
	}
	if m, found, err := f.Find(context.Background(), l.attempt(2)); err != nil || l.show(m, found) != "3B" {
		t.Errorf("after an error: %v %v", l.show(m, found), err)
	}
}

// TestCancel: a search ends soon after its context.
func TestCancel(t *testing.T) {
	l := label(t, "(A+)+ B", labels(strings.TrimSuffix(strings.Repeat("A,", 60), ",")))
	f := l.finder(t, matcher.Limits{Steps: -1})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := f.Find(ctx, l.attempt(0)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20_000_000)
	defer cancel()
	if _, _, err := f.Find(ctx, l.attempt(0)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled during the search: %v", err)
	}
}

// BenchmarkRandomPatterns is the cost of a random pattern of chapter 2's kind
// on four rows, all starting rows, the compilation included.
func BenchmarkRandomPatterns(b *testing.B) {
	r := rand.New(rand.NewPCG(6, 0))
	var cases []labelled
	for range 1000 {
		var rows [][]string
		for range 4 {
			rows = append(rows, []string{string(rune('A' + r.IntN(3))), string(rune('A' + r.IntN(3)))})
		}
		c, in, err := semantics.LabelledTree(randomPattern(r, 2+r.IntN(8)), rows)
		if err != nil {
			b.Fatal(err)
		}
		cases = append(cases, labelled{c, whole(in)})
	}
	i := 0
	for b.Loop() {
		l := cases[i%len(cases)]
		f := l.finder(b, matcher.Limits{})
		for start := range l.part.Len() {
			if _, _, err := f.Find(context.Background(), l.attempt(start)); err != nil {
				b.Fatal(err)
			}
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "patterns/s")
}
