package reference

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// wantLimit checks that an error is of stage limit, rule LIM-1, and says what to change.
func wantLimit(t *testing.T, err error, message string) {
	t.Helper()
	var e *diag.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want a limit error", err)
	}
	if e.Stage != diag.Limit || e.Rule != "LIM-1" || e.SQLSTATE != diag.StateLimit {
		t.Errorf("got %v, want stage limit, LIM-1, %s", e, diag.StateLimit)
	}
	if !strings.Contains(e.Message, message) || !strings.Contains(e.Hint, "--max-steps") {
		t.Errorf("got message %q, hint %q", e.Message, e.Hint)
	}
}

// TestLimitSteps: a search may make exactly as many condition tests as allowed.
// A+ B on A, A, A tests A three times, then B after 2 and after 1 rows (there is
// no row after 3): five tests.
func TestLimitSteps(t *testing.T) {
	rows := rowsOf("A, A, A")
	s := newSearch(t, "A+ B", rows, matcher.Limits{Steps: 5})
	if _, found, err := s.at(0); found || err != nil {
		t.Errorf("5 tests: got %v, %v, want no match", found, err)
	}
	if s.labels.tests != 5 {
		t.Errorf("%d tests made, want 5", s.labels.tests)
	}
	s = newSearch(t, "A+ B", rows, matcher.Limits{Steps: 4})
	_, _, err := s.at(0)
	wantLimit(t, err, "row 1 of its partition tested 4 conditions")

	// The budget is one attempt's: the next one has it again.
	if _, found, err := s.at(2); found || err != nil {
		t.Errorf("row 3: got %v, %v, want no match", found, err)
	}
}

// TestLimitRows: a match may map exactly as many rows as allowed.
func TestLimitRows(t *testing.T) {
	rows := rowsOf("A, A, A, A")
	s := newSearch(t, "A+", rows, matcher.Limits{Rows: 4})
	if got := s.text(t, 1); got != "1A 2A 3A 4A" {
		t.Errorf("got %s", got)
	}
	s = newSearch(t, "A+", rows, matcher.Limits{Rows: 3})
	_, _, err := s.at(0)
	wantLimit(t, err, "mapped 3 rows")
}

// TestLimitPermute: PERMUTE of more elements than allowed is refused when the
// pattern is compiled.
func TestLimitPermute(t *testing.T) {
	p, err := semantics.ParsePattern("A PERMUTE(B, C, D, E)")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err = compile(p, 4); err != nil {
		t.Errorf("4 elements allowed: %v", err)
	}
	_, _, _, err = compile(p, 3)
	wantLimit(t, err, "PERMUTE of 4 elements")
	if e := diag.From(err); e.Pos.Column != 3 {
		t.Errorf("error at %v, want column 3", e.Pos)
	}
}

// TestHugeBoundsEnd: bounds that no search could go through one by one end at
// once where the iterations are forced (PREF-8), and in a limit error elsewhere.
func TestHugeBoundsEnd(t *testing.T) {
	for _, tc := range []struct {
		pattern, rows, want string
	}{
		{"A{2000000000}", "A, A", "none"},
		{"A{,2000000000}", "A, A", "1A 2A"},
		{"(A?){2000000000}", "-", "empty"},
		{"(A?){2000000000}", "A, A, -", "1A 2A"},
		{"(A*){2000000000} B", "A, A, B", "1A 2A 3B"},
		{"(A??){2000000000} B", "B", "1B"},
		{"(){1000000}", "A", "empty"},
		{"((){1000}){1000} A", "A", "1A"},
		{"(((((){2000000000}){2000000000}){2000000000}){2000000000}){2000000000}", "A", "empty"},
		{"^{3,10}", "A", "empty"},
		{"(^{2000000000}){2000000000} A", "A", "1A"},
		{"(A{2000000000} | ()){2000000000}", "A", "empty"},
		{"(A? B?){2000000000} C", "AB, B, C", "1A 2B 3C"},
		{"(() | A){2000000000}", "A, A", "empty"},
		{"(A??){2000000000} B", "A, A, B", "1A 2A 3B"},
		{"(() | A){2000000000} B", "A, A, B", "1A 2A 3B"},
		{"(() | A){2000000000} $", "A, A, A", "1A 2A 3A"},
		{"PERMUTE((), (), ^, ^){2000000000} A", "A", "1A"},
		{"((){1,2000000000}? ()){2000000000} A", "A", "1A"},
		{"((() | A){2000000000} | B){2000000000} C", "A, C", "1A 2C"},
	} {
		s := newSearch(t, tc.pattern, rowsOf(tc.rows), matcher.Limits{})
		if got := s.text(t, 1); got != tc.want {
			t.Errorf("%s on %s: got %s, want %s", tc.pattern, tc.rows, got, tc.want)
		}
		if s.moves > 1000 {
			t.Errorf("%s on %s: %d steps", tc.pattern, tc.rows, s.moves)
		}
	}
	// Where the two rows can stand among 2*10^9 iterations is too much to try.
	s := newSearch(t, "(A?){2000000000} B", rowsOf("A, A, -"), matcher.Limits{Steps: 200_000})
	_, _, err := s.at(0)
	wantLimit(t, err, "tested 200000 conditions")
}

// TestLimitDecisions: open decisions are counted too, since they take memory.
// Each row leaves forty alternatives open.
func TestLimitDecisions(t *testing.T) {
	pattern := strings.Repeat("(", 41) + "A" + strings.Repeat(" | Z)", 40) + ")+"
	m := longSearch(t, pattern, 1000)
	if found, err := m.run(t.Context(), matcher.Attempt{End: 1000, Hi: 1000}); !found || err != nil {
		t.Errorf("default budget: got %v, %v", found, err)
	}
	m.budget.tests = 1000
	_, err := m.run(t.Context(), matcher.Attempt{End: 1000, Hi: 1000})
	wantLimit(t, err, "decisions open")
}

// TestLimitStepsWithoutTests: steps that test nothing are counted as well.
func TestLimitStepsWithoutTests(t *testing.T) {
	// Ten orders of empty elements, each ten times: 10!^2 candidates that all
	// end at the failing anchor, and no condition is ever tested.
	e := strings.Repeat("(), ", 9) + "()"
	s := newSearch(t, "PERMUTE("+e+") PERMUTE("+e+") $", rowsOf("A"), matcher.Limits{Steps: 10_000})
	_, _, err := s.at(0)
	wantLimit(t, err, "steps without an end")
	if s.labels.tests != 0 {
		t.Errorf("%d conditions tested, want none", s.labels.tests)
	}
}

// TestNoLimit: negative limits are none.
func TestNoLimit(t *testing.T) {
	s := newSearch(t, "(A+)+ B", rowsOf("A, A, A, A, A, A, A, A, A, A, A, A"), matcher.Limits{Steps: -1, Rows: -1, Permute: -1})
	if got := s.text(t, 1); got != "none" {
		t.Errorf("got %s", got)
	}
}

// TestExponential: (A+)+ B on n rows of A tries all 2^(n-1) ways to cut them.
// Let f(r) be the tests of the group's iterations and all that follows, begun
// with r rows of A left and no other row. It tests A on each of them; then for
// each end of the iteration with j rows left, from j = 0 to r-1, the next
// iteration and then, when j > 0, B: f(r) = r + sum of (f(j) + [j > 0]) for j < r.
// Hence f(0) = 0, f(1) = 1, f(r+1) = 2 f(r) + 2.
func TestExponential(t *testing.T) {
	want := 1
	for n := 1; n <= 14; n++ {
		s := newSearch(t, "(A+)+ B", rowsOf("A"+strings.Repeat(", A", n-1)), matcher.Limits{})
		if got := s.text(t, 1); got != "none" {
			t.Fatalf("%d rows: got %s", n, got)
		}
		if s.labels.tests != want {
			t.Errorf("%d rows: %d tests, want %d", n, s.labels.tests, want)
		}
		want = 2*want + 2
	}
}

// TestCancel: a search that would take years ends when its context does.
func TestCancel(t *testing.T) {
	s := newSearch(t, "(A+)+ B", rowsOf("A"+strings.Repeat(", A", 99)), matcher.Limits{Steps: -1})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := s.run(ctx, matcher.Attempt{End: 100, Hi: 100})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the context's error", err)
	}
	if d := time.Since(began); d > 2*time.Second {
		t.Errorf("ended after %v", d)
	}
	// A context that has ended stops even a search of one step.
	if _, err := s.run(ctx, matcher.Attempt{Start: 99, End: 100, Hi: 100}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("one step: got %v, want the context's error", err)
	}
}

// always is TRUE for every row and variable below never.
type always struct{ never semantics.VarID }

func (a always) Holds(_ semantics.Reach, _ int, vars []semantics.VarID) (bool, error) {
	return vars[len(vars)-1] != a.never, nil
}

// longSearch is a search over n rows that hold every variable except the last one.
func longSearch(t testing.TB, pattern string, n int) *machine {
	t.Helper()
	p, err := semantics.ParsePattern(pattern)
	if err != nil {
		t.Fatal(err)
	}
	names := bind(p)
	nodes, root, exclusion, err := compile(p, 10)
	if err != nil {
		t.Fatal(err)
	}
	return &machine{nodes: nodes, root: root, exclusion: exclusion, conds: always{semantics.VarID(len(names) - 1)},
		length: n, budget: newBudget(matcher.Limits{}, "", diag.Pos{})}
}

// TestMillionRows maps a million rows in one match: no stack overflows, and the
// working memory stays under 200 bytes a row. The last variable never holds.
func TestMillionRows(t *testing.T) {
	const n = 1_000_000
	for _, tc := range []struct {
		pattern string
		rows    int
	}{
		{"A+ | Z", n},
		{"A+? $ | Z", n},
		{"(A B)+ | Z", n},
		{"(A | B)* | Z", n},
		{"(Z | B)* | A", n},
		{"({- A -} | B)+ | Z", n},
		{"((A | B) (A | B)?)+ | Z", n},
		{"PERMUTE(A, B)+ | Z", n},
		{"A{1000000} | Z", n},
		{"A{2000000000} | A | Z", 1},
		{"((A+)+)+ | Z", n},
		{"(A? B??){500000,} | Z", n},
	} {
		m := longSearch(t, tc.pattern, n)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		found, err := m.run(t.Context(), matcher.Attempt{End: n, Hi: n})
		runtime.ReadMemStats(&after)
		if err != nil || !found {
			t.Fatalf("%s: %v, %v", tc.pattern, found, err)
		}
		if got := len(m.mapping().Vars); got != tc.rows {
			t.Errorf("%s: %d rows mapped, want %d", tc.pattern, got, tc.rows)
		}
		// All that was allocated, slices outgrown included.
		perRow := float64(after.TotalAlloc-before.TotalAlloc) / n
		t.Logf("%-28s %5.1f bytes a row", tc.pattern, perRow)
		if perRow > 200 {
			t.Errorf("%s: %.1f bytes a row", tc.pattern, perRow)
		}
	}
}

// TestSearchReusesMemory: further attempts in a partition allocate nothing.
func TestSearchReusesMemory(t *testing.T) {
	m := longSearch(t, "(A | {- B -})+ C | PERMUTE(A, B) | Z", 200)
	attempt := matcher.Attempt{End: 200, Hi: 200}
	if _, err := m.run(t.Context(), attempt); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	if n := testing.AllocsPerRun(10, func() { m.run(ctx, attempt) }); n != 0 {
		t.Errorf("%v allocations an attempt, want none", n)
	}
}

// TestBacktrackingReturnsMemory: what a failed path used is free again. Each of
// the 2^13 ways to cut the rows enters a permutation and a group.
func TestBacktrackingReturnsMemory(t *testing.T) {
	rows := rowsOf("A" + strings.Repeat(", A", 13))
	s := newSearch(t, "(A+)+ PERMUTE(Z, (Y | X)+, W)", rows, matcher.Limits{})
	if got := s.text(t, 1); got != "none" {
		t.Fatalf("got %s", got)
	}
	if got := workingMemory(&s.machine); got > 10_000 {
		t.Errorf("%d bytes of working memory, want a few thousand", got)
	}
}
