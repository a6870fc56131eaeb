package matcher_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

const vShape = " DEFINE B AS B.x < PREV(B.x), C AS C.x > PREV(C.x)"

// ticker is partition XYZ of chapter 16.
var ticker = []int64{50, 60, 49, 40, 35, 45, 45, 45, 43, 47, 52, 70, 60}

// TestScan checks the scan of MAT-2 by the examples of chapters 2 and 8.
func TestScan(t *testing.T) {
	for _, tc := range []struct {
		rule, clause string
		xs           []int64
		want         string
	}{
		{"MAT-1", "PATTERN (A? B+) DEFINE A AS x > 100, B AS TRUE", []int64{60, 70, 40}, "1: 1B 2B 3B"},
		{"MAT-2", "PATTERN (A B+ C+)" + vShape, ticker, "1: 2A 3B 4B 5B 6C; 2: 8A 9B 10C 11C 12C"},
		{"MAT-3", "PATTERN (A*) DEFINE A AS x > PREV(x)", ticker,
			"1: empty@1; 2: 2A; 3: empty@3; 4: empty@4; 5: empty@5; 6: 6A; 7: empty@7; 8: empty@8; 9: empty@9; 10: 10A 11A 12A; 11: empty@13"},
		{"MAT-4", "PATTERN (() | A) DEFINE A AS TRUE", []int64{1, 2}, "1: empty@1; 2: empty@2"},
		{"MAT-4", "PATTERN (A?) DEFINE A AS TRUE", nil, ""},
		{"MAT-5", "AFTER MATCH SKIP TO NEXT ROW PATTERN (A B | ()) DEFINE A AS x = 1, B AS x = 2", []int64{1, 2},
			"1: 1A 2B; 2: empty@2"},
		{"DEF-9", "PATTERN (A) DEFINE A AS MATCH_NUMBER() <= 2", []int64{0, 0, 0, 0, 0, 0}, "1: 1A; 2: 2A"},
		{"DEF-9", "PATTERN (A+ | B+) DEFINE A AS MOD(MATCH_NUMBER(), 2) = 1 AND x > PREV(x), B AS MOD(MATCH_NUMBER(), 2) = 0 AND x < PREV(x)",
			[]int64{10, 20, 15, 12, 18, 25}, "1: 2A; 2: 3B 4B; 3: 5A 6A"},
		{"DEF-12", "PATTERN (A+) DEFINE A AS A.x >= AVG(A.x)", []int64{10, 16, 13, 9}, "1: 1A 2A 3A; 2: 4A"},
		{"DEF-8", "PATTERN ((A | B)* X) DEFINE X AS x = A.x", []int64{1, 1}, "1: 1A 2X"},
		{"DEF-8", "PATTERN (A B) DEFINE A AS B.x > 0", []int64{1, 1}, ""},
		{"PREF-10", "PATTERN ((A | B) C) DEFINE C AS PREV(CLASSIFIER()) = 'B'", []int64{1, 1}, "1: 1B 2C"},
		{"PREF-5", "PATTERN (A {- B+ -} C+)" + vShape, []int64{90, 80, 70, 80, 90, 50, 40, 60},
			"1: 1A 2{B} 3{B} 4C 5C; 2: 6A 7{B} 8C"},
		{"ANCH-1", "PATTERN (^ A) DEFINE A AS TRUE", []int64{1, 1, 1, 1}, "1: 1A"},
		{"ANCH-1", "PATTERN (A ^) DEFINE A AS TRUE", []int64{1, 1, 1, 1}, ""},
		{"ANCH-1", "PATTERN ($ A) DEFINE A AS TRUE", []int64{1, 1, 1, 1}, ""},
		{"ANCH-1", "PATTERN (A $) DEFINE A AS TRUE", []int64{1, 1, 1, 1}, "1: 4A"},
		{"ANCH-1", "PATTERN (^ A* $) DEFINE A AS x = 1", []int64{1, 1}, "1: 1A 2A"},
		{"ANCH-1", "PATTERN (^ A* $) DEFINE A AS x = 1", []int64{1, 0}, ""},
		{"ANCH-1", "PATTERN (A* $) DEFINE A AS x = 1", []int64{1, 0, 1}, "1: 3A"},
		{"ANCH-1", "PATTERN (^* A B) DEFINE A AS x = 1, B AS x = 2", []int64{0, 1, 2, 1, 2}, "1: 2A 3B; 2: 4A 5B"},
		{"SKIP-4", "AFTER MATCH SKIP TO A PATTERN (() | A) DEFINE A AS TRUE", []int64{1, 2}, "1: empty@1; 2: empty@2"},
		{"SKIP-5", "AFTER MATCH SKIP TO B PATTERN (A {- B -} C) DEFINE B AS TRUE", []int64{1, 2, 3, 4},
			"1: 1A 2{B} 3C; 2: 2A 3{B} 4C"},
	} {
		in := prices(t, tc.xs...)
		c := clause(t, in, "ORDER BY i MEASURES 1 AS m "+tc.clause)
		got, err := scan(t, c, in)
		if err != nil {
			t.Errorf("%s: %s: %v", tc.rule, tc.clause, err)
		}
		if got != tc.want {
			t.Errorf("%s: %s on %v:\n got  %s\n want %s", tc.rule, tc.clause, tc.xs, got, tc.want)
		}
	}
}

// TestMAT4AnchorAlone: there is no attempt behind the last row.
func TestMAT4AnchorAlone(t *testing.T) {
	for _, tc := range []struct{ pattern, want string }{{"$", ""}, {"^", "1: empty@1"}, {"^*", "1: empty@1; 2: empty@2; 3: empty@3"}, {"$+", ""}} {
		c, in := labelled(t, tc.pattern, "-, -, -")
		got, err := scan(t, c, in)
		if err != nil || got != tc.want {
			t.Errorf("%s: got %q, %v, want %q", tc.pattern, got, err, tc.want)
		}
	}
}

// TestSKIP6 is the worked table.
func TestSKIP6(t *testing.T) {
	in := prices(t, 90, 80, 70, 80, 70, 80)
	for _, tc := range []struct{ skip, want, state string }{
		{"PAST LAST ROW", "1: 1A 2B 3B 4C", ""},
		{"TO NEXT ROW", "1: 1A 2B 3B 4C; 2: 2A 3B 4C; 3: 4A 5B 6C", ""},
		{"TO FIRST C", "1: 1A 2B 3B 4C; 2: 4A 5B 6C", ""},
		{"TO FIRST B", "1: 1A 2B 3B 4C; 2: 2A 3B 4C; 3: 4A 5B 6C", ""},
		{"TO LAST B", "1: 1A 2B 3B 4C; 2: 4A 5B 6C", ""},
		{"TO B", "1: 1A 2B 3B 4C; 2: 4A 5B 6C", ""},
		{"TO U", "1: 1A 2B 3B 4C; 2: 4A 5B 6C", ""},
		{"TO A", "1: 1A 2B 3B 4C", "2202L"},
		{"TO D", "1: 1A 2B 3B 4C", "2202K"},
	} {
		c := clause(t, in, "ORDER BY i MEASURES 1 AS m AFTER MATCH SKIP "+tc.skip+
			" PATTERN (A B+ C+ D?) SUBSET U = (C, D) DEFINE B AS x < PREV(x), C AS x > PREV(x), D AS FALSE")
		got, err := scan(t, c, in)
		if got != tc.want {
			t.Errorf("SKIP %s: got %s, want %s", tc.skip, got, tc.want)
		}
		state := ""
		if err != nil {
			e := diag.From(err)
			state = e.SQLSTATE
			if e.Stage != diag.Runtime {
				t.Errorf("SKIP %s: %v is not of stage runtime", tc.skip, e)
			}
		}
		if state != tc.state {
			t.Errorf("SKIP %s: error %v, want SQLSTATE %q", tc.skip, err, tc.state)
		}
	}
	// SKIP-2, SKIP-3: no match, no error.
	c := clause(t, in, "ORDER BY i MEASURES 1 AS m AFTER MATCH SKIP TO A PATTERN (A B) DEFINE B AS x > 100")
	if got, err := scan(t, c, in); got != "" || err != nil {
		t.Errorf("without a match: got %q, %v", got, err)
	}
}

// TestMAT3Partitions: numbers start at 1 in every partition.
func TestMAT3Partitions(t *testing.T) {
	in := ints(t, []string{"P", "X"}, [][]int64{{2, 1}, {1, 1}, {2, 2}, {1, 2}, {2, 3}})
	c := clause(t, in, "PARTITION BY p ORDER BY x PATTERN (A) DEFINE A AS x <> 2")
	type found struct {
		part   int
		number int64
		start  int
	}
	var got []found
	for m, err := range matcher.Matches(t.Context(), reference.Engine{}, c, in, matcher.Limits{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, found{m.Partition, m.Number, m.Start})
	}
	want := []found{{0, 1, 0}, {0, 2, 2}, {1, 1, 0}}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("match %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

// TestMap gives each row its own match, whatever matches contain it.
func TestMap(t *testing.T) {
	for _, tc := range []struct{ pattern, rows, want string }{
		{"(A? | B)*", "A, B", "1A; empty@2"},
		{"A+", "A, A, -, A", "1A 2A; 2A; none; 4A"},
		{"(A* B*)*", "A, B, A, B", "1A 2B 3A 4B; 2B 3A 4B; 3A 4B; 4B"},
		{"({- A -} | B)+", "A, B", "1{A} 2B; 2B"},
		{"A", "", ""},
	} {
		c, in := labelled(t, tc.pattern, tc.rows)
		maps, err := matcher.Map(t.Context(), reference.Engine{}, c, in, matcher.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range maps {
			if m == nil {
				got = append(got, "none")
				continue
			}
			got = append(got, text(c, *m))
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("%s on %s: got %s, want %s", tc.pattern, tc.rows, s, tc.want)
		}
	}
	// Every attempt is the first match.
	in := prices(t, 1, 2, 3)
	c := clause(t, in, "ORDER BY i MEASURES 1 AS m PATTERN (A) DEFINE A AS MATCH_NUMBER() = 1")
	maps, err := matcher.Map(t.Context(), reference.Engine{}, c, in, matcher.Limits{})
	if err != nil || len(maps) != 3 || maps[0] == nil || maps[1] == nil || maps[2] == nil {
		t.Errorf("MATCH_NUMBER: got %v, %v, want a match at each row", maps, err)
	}
}

// TestRecognize is item 1 of chapter 16.
func TestRecognize(t *testing.T) {
	in := prices(t, ticker...)
	c := clause(t, in, `ORDER BY i
		MEASURES MATCH_NUMBER() AS n, A.x AS start_x, LAST(B.x) AS bottom, LAST(C.x) AS end_x, AVG(U.x) AS average
		PATTERN (A B+ C+) SUBSET U = (A, B, C)`+vShape)
	out, err := matcher.Recognize(t.Context(), reference.Engine{}, c, in, matcher.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got := rowsText(out)
	if want := "1 60 35 45 45.8; 2 45 43 70 51.4"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// rowsText writes a table as values, trailing zeros of decimals cut.
func rowsText(t *table.Table) string {
	var rows []string
	for r := range t.NumRows() {
		var cells []string
		for c := range t.NumColumns() {
			s := value.Format(t.Value(r, c), t.Column(c).Type)
			if strings.Contains(s, ".") {
				s = strings.TrimRight(s, "0")
			}
			cells = append(cells, s)
		}
		rows = append(rows, strings.Join(cells, " "))
	}
	return strings.Join(rows, "; ")
}

// TestMatchesAreKept: a match that was yielded does not change when the search
// goes on, and the sequence can be left early.
func TestMatchesAreKept(t *testing.T) {
	c, in := labelled(t, "A B | {- B -} C", "A, B, B, C, A, B")
	var kept []semantics.Match
	for m, err := range matcher.Matches(t.Context(), reference.Engine{}, c, in, matcher.Limits{}) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, m)
	}
	var got []string
	for _, m := range kept {
		got = append(got, text(c, m.Mapping))
	}
	if s, want := strings.Join(got, "; "), "1A 2B; 3{B} 4C; 5A 6B"; s != want {
		t.Errorf("got %s, want %s", s, want)
	}
	n := 0
	for _, err := range matcher.Matches(t.Context(), reference.Engine{}, c, in, matcher.Limits{}) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d matches before the break, want 2", n)
	}
}

// TestErrors: limits, run-time errors of conditions and the end of the context
// come out of every entry, and are never taken for "no match".
func TestErrors(t *testing.T) {
	in := prices(t, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	slow := clause(t, in, "ORDER BY i MEASURES 1 AS m PATTERN ((A+)+ B) DEFINE A AS x = 1, B AS x = 2")
	division := clause(t, in, "ORDER BY i MEASURES 1 AS m PATTERN (A) DEFINE A AS 1 / (x - 1) = 1")
	permute := clause(t, in, "ORDER BY i MEASURES 1 AS m PATTERN (PERMUTE(A, B, C)) DEFINE A AS TRUE")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	isStage := func(s diag.Stage, rule string) func(error) bool {
		return func(err error) bool {
			var e *diag.Error
			return errors.As(err, &e) && e.Stage == s && e.Rule == rule
		}
	}
	for _, tc := range []struct {
		name string
		ctx  context.Context
		c    *semantics.Clause
		lim  matcher.Limits
		want func(error) bool
	}{
		{"steps", t.Context(), slow, matcher.Limits{Steps: 1000}, isStage(diag.Limit, "LIM-1")},
		{"rows", t.Context(), slow, matcher.Limits{Rows: 5}, isStage(diag.Limit, "LIM-1")},
		{"permute", t.Context(), permute, matcher.Limits{Permute: 2}, isStage(diag.Limit, "LIM-1")},
		{"division by zero", t.Context(), division, matcher.Limits{}, isStage(diag.Runtime, "EVAL-1")},
		{"cancelled", ended, slow, matcher.Limits{}, func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		var matches error
		for _, err := range matcher.Matches(tc.ctx, reference.Engine{}, tc.c, in, tc.lim) {
			matches = err
		}
		_, recognize := matcher.Recognize(tc.ctx, reference.Engine{}, tc.c, in, tc.lim)
		_, mapped := matcher.Map(tc.ctx, reference.Engine{}, tc.c, in, tc.lim)
		_, frames := matcher.Frames(tc.ctx, reference.Engine{}, window(tc.c, -1, false), in, tc.lim)
		for entry, err := range map[string]error{"Matches": matches, "Recognize": recognize, "Map": mapped, "Frames": frames} {
			if !tc.want(err) {
				t.Errorf("%s, %s: got error %v", tc.name, entry, err)
			}
		}
	}
}

// TestLimitsDefaults: zero is the default, a negative limit is none.
func TestLimitsDefaults(t *testing.T) {
	if got, want := (matcher.Limits{}).WithDefaults(), (matcher.Limits{Steps: 10_000_000, Rows: 100_000_000, Permute: 10}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := (matcher.Limits{Steps: 7, Rows: 8, Permute: 9}).WithDefaults(), (matcher.Limits{Steps: 7, Rows: 8, Permute: 9}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got := (matcher.Limits{Steps: -1, Rows: -1, Permute: -1}).WithDefaults()
	if got.Steps < 1<<62 || got.Rows < 1<<62 || got.Permute < 1<<30 {
		t.Errorf("negative limits: got %+v", got)
	}
}
