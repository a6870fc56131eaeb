package explain_test

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rprcheck/rprcheck/crosscheck/explain"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

func options(t testing.TB, settings ...string) query.Options {
	t.Helper()
	set, err := readings.Parse(settings...)
	if err != nil {
		t.Fatal(err)
	}
	return query.Options{Readings: set, Recognizer: matcher.Using(reference.Engine{}, matcher.Limits{})}
}

// search returns the lines of Search.
func search(t testing.TB, sql string, number int, so explain.SearchOptions, settings ...string) ([]string, error) {
	t.Helper()
	o := options(t, settings...)
	st, err := query.Parse(sql, o.Readings)
	if err != nil {
		t.Fatal(err)
	}
	c, in, err := explain.Input(context.Background(), st, o, number)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = explain.Search(context.Background(), &out, c, in, so)
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), err
}

// wantLines checks that lines occur, in their order.
func wantLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	rest := want
	for _, line := range got {
		if len(rest) > 0 && line == rest[0] {
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		t.Errorf("missing from here on: %q\nin:\n%s", rest[0], strings.Join(got, "\n"))
	}
}

const falling = `SELECT * FROM (VALUES (1, 90), (2, 80), (3, 70), (4, 75)) AS t(day, price)
	MATCH_RECOGNIZE (ORDER BY day MEASURES COUNT(*) AS n PATTERN (X DOWN+) DEFINE DOWN AS price < PREV(price)) AS m`

// The search goes in preference order (PREF-4): as many DOWN as possible, until
// 75 < 70 fails.
func TestSearchInPreferenceOrder(t *testing.T) {
	got, err := search(t, falling, 1, explain.SearchOptions{Row: 1})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got,
		"PATTERN (X DOWN+), from row 1 of 4",
		"MATCH_NUMBER() is 1",
		"row 1 as X: TRUE (not defined, DEF-1)",
		"row 2 as DOWN: 80 < 90 true",
		"row 3 as DOWN: 70 < 80 true",
		"row 4 as DOWN: 75 < 70 false",
		"match of rows 1 to 3, the first feasible candidate (MAT-1): 1X 2DOWN 3DOWN; 4 conditions tested")
}

func TestSearchWithoutMatch(t *testing.T) {
	got, err := search(t, falling, 1, explain.SearchOptions{Row: 4})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got,
		"MATCH_NUMBER() is 2",
		"row 4 as X: TRUE (not defined, DEF-1)",
		"no row 5 for DOWN",
		"no match starts at row 4: no candidate is feasible (MAT-1); 1 condition tested")
}

// By default the search goes on after the last row of match 1, which is row 3:
// row 2 is no start (MAT-2, GRAM-3).
func TestSearchFromARowThatIsNotTried(t *testing.T) {
	got, err := search(t, falling, 1, explain.SearchOptions{Row: 2})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "the query does not try this row: match 1 starts at row 1, and after it the search goes on at row 4 (MAT-2)",
		"row 2 as X: TRUE (not defined, DEF-1)")
}

func TestSearchEmptyMatch(t *testing.T) {
	got, err := search(t, `SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (A?) DEFINE A AS x > 1) AS m`, 1, explain.SearchOptions{Row: 1})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "row 1 as A: 1 > 1 false", "empty match at row 1: the first feasible candidate takes no row (MAT-1); 1 condition tested")
}

// An UNKNOWN condition shows the NULL that it meets (DEF-5).
func TestSearchShowsNull(t *testing.T) {
	got, err := search(t, falling, 1, explain.SearchOptions{Row: 1, MaxLines: 0})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.Join(got, "\n"), "NULL") {
		t.Error("no NULL is met from row 1")
	}
	got, err = search(t, `SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (A) DEFINE A AS x > PREV(x)) AS m`, 1, explain.SearchOptions{Row: 1})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "row 1 as A: 1 > NULL unknown")
}

func TestSearchCappedByLines(t *testing.T) {
	got, err := search(t, falling, 1, explain.SearchOptions{Row: 1, MaxLines: 2})
	if err != nil {
		t.Fatal(err)
	}
	all, err := search(t, falling, 1, explain.SearchOptions{Row: 1})
	if err != nil {
		t.Fatal(err)
	}
	const around = 3 // two lines before the steps, one after them
	if len(got) != around+2+1 {
		t.Errorf("%d lines\n%s", len(got), strings.Join(got, "\n"))
	}
	if want := "... " + strconv.Itoa(len(all)-around-2) + " more steps (--max-lines shows more)"; got[4] != want {
		t.Errorf("%q, want %q", got[4], want)
	}
	if got[5] != all[len(all)-1] {
		t.Errorf("the ending is %q", got[5])
	}
}

const partitioned = `SELECT * FROM (VALUES ('a', DATE '2026-01-01', 1), ('b', DATE '2026-01-01', 2), ('b', DATE '2026-01-01', 3), (NULL, DATE '2026-01-02', 4)) AS t(p, d, x)
	MATCH_RECOGNIZE (PARTITION BY p, d ORDER BY x MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS x > 0) AS m`

func TestSearchPartition(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string
	}{
		{nil, "PATTERN (A+), partition P = a, D = 2026-01-01, from row 1 of 1"},
		{[]string{"b", "2026-01-01"}, "PATTERN (A+), partition P = b, D = 2026-01-01, from row 1 of 2"},
		{[]string{"NULL", "2026-01-02"}, "PATTERN (A+), partition P = NULL, D = 2026-01-02, from row 1 of 1"},
	} {
		got, err := search(t, partitioned, 1, explain.SearchOptions{Row: 1, Partition: c.values})
		if err != nil || got[0] != c.want {
			t.Errorf("%v: %v %v", c.values, got, err)
		}
	}
	for _, c := range []struct {
		o    explain.SearchOptions
		n    int
		part string
	}{
		{explain.SearchOptions{Row: 1, Partition: []string{"c", "2026-01-01"}}, 1, "the partitions are: a,2026-01-01; b,2026-01-01; NULL,2026-01-02"},
		{explain.SearchOptions{Row: 1, Partition: []string{"a"}}, 1, "PARTITION BY has 2 columns"},
		{explain.SearchOptions{Row: 2}, 1, "the partition has 1 rows, there is no row 2"},
		{explain.SearchOptions{Row: 0}, 1, "there is no row 0"},
		{explain.SearchOptions{Row: 1}, 2, "has 1 recognitions, there is no number 2"},
	} {
		_, err := search(t, partitioned, c.n, c.o)
		var e *diag.Error
		if !errors.As(err, &e) || !strings.Contains(e.Error(), c.part) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	if _, err := search(t, `SELECT * FROM (SELECT 1 AS x FROM (VALUES (1)) AS v(y) WHERE y > 1) AS t MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (A) DEFINE A AS TRUE) AS m`, 1, explain.SearchOptions{Row: 1}); err == nil || !strings.Contains(err.Error(), "no rows") {
		t.Errorf("empty input: %v", err)
	}
}

// The second recognition reads the output of the first (GRAM-13): one row with
// n = 4.
func TestSearchSecondRecognition(t *testing.T) {
	got, err := search(t, `WITH a AS (SELECT m.n FROM (VALUES (1), (2), (3), (4)) AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS TRUE) AS m)
		SELECT * FROM a MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (B) DEFINE B AS n = 4) AS r`, 2, explain.SearchOptions{Row: 1})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "PATTERN (B), from row 1 of 1", "row 1 as B: 4 = 4 true", "match of row 1, the first feasible candidate (MAT-1): 1B; 1 condition tested")
}

const window = `SELECT m OVER w FROM (VALUES (1, 50), (2, 80), (3, 70), (4, 60)) AS t(id, x)
	WINDOW w AS (ORDER BY id MEASURES COUNT(*) AS m ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING SEEK PATTERN (B+) DEFINE B AS x > NEXT(x))`

// WIN-3: SEEK goes on to the next row of the frame; the frame of row 1 is
// matched by rows 2 and 3.
func TestSearchWindowSeek(t *testing.T) {
	got, err := search(t, window, 1, explain.SearchOptions{Row: 1})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "the full window frame is rows 1 to 4 (WIN-2)", "row 1 as B: 50 > 80 false",
		"no match starts at row 1; SEEK goes on at row 2 (WIN-3)", "row 2 as B: 80 > 70 true", "row 3 as B: 70 > 60 true", "row 4 as B: 60 > NULL unknown",
		"match of rows 2 to 3, the first feasible candidate (MAT-1): 2B 3B; 4 conditions tested")
	got, err = search(t, window, 1, explain.SearchOptions{Row: 4})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "no match starts at row 4: no candidate is feasible (MAT-1); 1 condition tested")
}

// WIN-10: PREV reads the frame alone, or the partition under the other reading.
func TestSearchWindowReach(t *testing.T) {
	const sql = `SELECT m OVER w FROM (VALUES (1, 9), (2, 8)) AS t(id, x)
		WINDOW w AS (ORDER BY id MEASURES COUNT(*) AS m ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (B) DEFINE B AS x < PREV(x))`
	got, err := search(t, sql, 1, explain.SearchOptions{Row: 2})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "the full window frame is rows 2 to 2 (WIN-2)", "row 2 as B: 8 < NULL unknown")
	got, err = search(t, sql, 1, explain.SearchOptions{Row: 2}, "WIN-10=alternative")
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, got, "row 2 as B: 8 < 9 true")
}

func TestSearchErrors(t *testing.T) {
	got, err := search(t, `SELECT * FROM (VALUES (1, 0)) AS t(x, y) MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (A) DEFINE A AS x / y > 1) AS m`, 1, explain.SearchOptions{Row: 1})
	if e := diag.From(err); e == nil || e.SQLSTATE != "22012" {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
	got, err = search(t, falling, 1, explain.SearchOptions{Row: 1, Limits: matcher.Limits{Steps: 2}})
	if e := diag.From(err); e == nil || e.Stage != diag.Limit {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
	// SKIP-3 ends the query at match 1; row 2 can be looked at all the same.
	got, err = search(t, `SELECT * FROM (VALUES (1), (2)) AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES 1 AS o AFTER MATCH SKIP TO A PATTERN (A) DEFINE A AS x > 0) AS m`, 1, explain.SearchOptions{Row: 2})
	if err != nil || !strings.HasPrefix(got[1], "the query never tries this row, since it ends before with an error: ") {
		t.Errorf("%v\n%s", err, strings.Join(got, "\n"))
	}
}

func tree(t testing.TB, sql string, settings ...string) []string {
	t.Helper()
	o := options(t, settings...)
	o.Untyped = true
	st, err := query.Parse(sql, o.Readings)
	if err != nil {
		t.Fatal(err)
	}
	b, err := query.Bind(st, o)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := explain.Tree(&out, b.Recognitions()); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// Every node has the rule and the clause of the rulebook.
func TestTree(t *testing.T) {
	got := tree(t, `SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY p ORDER BY d DESC
		MEASURES PREV(FIRST(A.x, 1), 2) AS f, FINAL COUNT(U.*) AS n, CLASSIFIER() AS c
		ALL ROWS PER MATCH WITH UNMATCHED ROWS AFTER MATCH SKIP TO LAST A
		PATTERN (^ (A?){2,3} (B | ())*? PERMUTE(A, B)) SUBSET U = (A, B)
		DEFINE A AS A.x > NEXT(x) AND MATCH_NUMBER() < 3) AS m`)
	wantLines(t, got,
		"recognition 1: MATCH_RECOGNIZE, pattern in line 4 GRAM-1 9075-2 7.7 to 7.9; TR 4.5",
		"PARTITION BY P GRAM-4 9075-2 7.7; TR 4.8",
		"ORDER BY D: descending, NULLs first NUL-2 TR 4.9",
		"ALL ROWS PER MATCH WITH UNMATCHED ROWS OUT-6 TR 4.12.3",
		"AFTER MATCH SKIP TO LAST A SKIP-1 TR 4.13",
		"PATTERN (^ (A?){2,3} (B | ())*? PERMUTE(A, B)) MAT-1 TR 7.3",
		"concatenation: the left operand decides first PREF-3 TR 7.2.3",
		"anchor ^: before the first row of the partition PREF-6 TR 7.2.6",
		"quantifier {2,3}: 2 to 3 times, more are preferred PREF-4 TR 7.2.4",
		"an iteration can be empty; from number 2 on it is then the last PREF-8 TR 7.2.8",
		"group ( )",
		"quantifier ?: 0 to 1 times, more are preferred PREF-4 TR 7.2.4",
		"primary variable A PREF-1 TR 7.2 (7.2.1 inferred)",
		"quantifier *?: 0 or more times, fewer are preferred PREF-4 TR 7.2.4",
		"alternation of 2: the left operand is preferred PREF-2 TR 7.2.2",
		"empty pattern () PREF-7 TR 7.2.7 (inferred)",
		"permutation of 2 elements, the written order first PAT-7 TR 4.14.2",
		"SUBSET U = (A, B): rows mapped to any of them SUB-2 TR 4.15 (inferred)",
		"MATCH_NUMBER(): the number that the match would get DEF-9 TR 5.8, 5.9",
		"B is not defined: TRUE on every row DEF-1 TR 4.16",
		"PREV(FIRST(A.x, 1), 2): 1 row after the first of the rows mapped to A, up to the current row NAV-1 TR 5.6.3",
		"PREV(FIRST(A.x, 1), 2): 2 rows back from there NAV-3 TR 5.6.4",
		"CLASSIFIER(): the variable of the last of all rows of the match so far MEA-4 TR 5.9")
	wantLines(t, tree(t, window), "recognition 1: window, pattern in line 2 GRAM-14 9075-2 7.15",
		"frame ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING WIN-1 TR 6.10.2 (EXCLUDE 6.10.3 inferred)",
		"SEEK: the first match that starts in the frame WIN-3 TR 6.12")
	wantLines(t, tree(t, `SELECT 1 AS x`), "the statement has no row pattern recognition")
}

// A pattern that is nested as deep as the parser allows is shown to some depth.
func TestTreeOfDeepPattern(t *testing.T) {
	got := tree(t, `SELECT * FROM t MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (`+strings.Repeat("(", 900)+"A"+strings.Repeat(")", 900)+`) DEFINE A AS TRUE)`)
	wantLines(t, got, "...")
	if len(got) > 100 {
		t.Errorf("%d lines", len(got))
	}
}

// effects returns RULE=VALUE: what, for the readings that matter.
func effects(t testing.TB, sql string, run bool, settings ...string) map[string]string {
	t.Helper()
	list, untried, err := explain.Effects(context.Background(), sql, options(t, settings...), run, time.Minute)
	if err != nil || untried != nil {
		t.Fatal(untried, err)
	}
	out := map[string]string{}
	for _, e := range list {
		what := e.What
		if e.OtherData {
			what = "other data: " + what
		}
		out[e.Reading.Rule+"="+e.Reading.Value(e.Choice)] = what
	}
	return out
}

func TestEffects(t *testing.T) {
	const nulls = `SELECT * FROM (VALUES (1), (NULL)) AS t(x) MATCH_RECOGNIZE (ORDER BY x DESC MEASURES FIRST(x) AS f PATTERN (A+) DEFINE A AS TRUE) AS m`
	for _, c := range []struct {
		name, sql string
		run       bool
		settings  []string
		want      map[string]string
	}{
		{"none", `SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (A) DEFINE A AS x > 0) AS m`, true, nil, map[string]string{}},
		{"types", `SELECT AVG(x) AS a FROM (VALUES (1)) AS t(x)`, true, nil, map[string]string{
			"IMP-AVG=double": "column A is double precision instead of decimal", "IMP-AVG=argument": "column A is integer instead of decimal"}},
		{"back to the default", `SELECT AVG(x) AS a FROM (VALUES (1)) AS t(x)`, true, []string{"IMP-AVG=double"}, map[string]string{
			"IMP-AVG=default": "column A is decimal instead of double precision", "IMP-AVG=argument": "column A is integer instead of double precision"}},
		{"rows", nulls, true, nil, map[string]string{"IMP-NULLS=alternative": "another result, of as many rows"}},
		{"without a run", nulls, false, nil, map[string]string{"IMP-NULLS=alternative": "other data: NULLs in the ordering columns are sorted elsewhere"}},
		{"number of rows", `SELECT * FROM (VALUES (1, 9), (2, 8)) AS t(id, x) MATCH_RECOGNIZE (ORDER BY id ALL ROWS PER MATCH PATTERN ({- B* -}) DEFINE B AS x < PREV(x)) AS m`, true, nil,
			map[string]string{"OUT-7=alternative": "another result: 0 rows instead of 1"}},
		{"reach in windows", window, true, nil, map[string]string{"WIN-10=alternative": "other data: what PREV and NEXT read beyond the frame"}},
	} {
		if diff := cmp.Diff(c.want, effects(t, c.sql, c.run, c.settings...)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	got := effects(t, `SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES 1 AS o PATTERN (A{2}?) DEFINE A AS TRUE) AS m`, true)
	if what := got["PAT-5=alternative"]; len(got) != 1 || !strings.HasPrefix(what, "refused by PAT-5: ") {
		t.Errorf("%v", got)
	}
	got = effects(t, `SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (ORDER BY x + 1 MEASURES 1 AS o PATTERN (A) DEFINE A AS TRUE) AS m`, true)
	if what := got["GRAM-5=alternative"]; what != "accepted" {
		t.Errorf("%v", got)
	}
}

func TestEffectsEndWithTheBudget(t *testing.T) {
	const slow = `SELECT * FROM (VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10),(11),(12),(13),(14),(15),(16),(17),(18),(19),(20),(21),(22),(23),(24),(25)) AS t(x)
		MATCH_RECOGNIZE (ORDER BY x MEASURES COUNT(*) AS n PATTERN ((A+)+ B) DEFINE B AS FALSE) AS m`
	o := options(t)
	o.Recognizer = matcher.Using(reference.Engine{}, matcher.Limits{Steps: -1})
	list, untried, err := explain.Effects(context.Background(), slow, o, true, 100*time.Millisecond)
	if err != nil || len(list) > 0 || len(untried) < 20 {
		t.Errorf("%v %v %v", list, untried, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, _, err := explain.Effects(ctx, slow, o, true, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	var out bytes.Buffer
	if err := explain.WriteEffects(&out, o.Readings, list, untried, true); err != nil || !strings.Contains(out.String(), "not tried, for lack of time: PAT-2=bracket") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestAcceptable(t *testing.T) {
	got := explain.Acceptable(`SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (MEASURES 1 AS o PATTERN (A B) SUBSET U = (A, A) DEFINE A AS TRUE) AS m`, options(t))
	if diff := cmp.Diff([]string{"SUB-1=alternative"}, got); diff != "" {
		t.Error(diff)
	}
	if got := explain.Acceptable(`SELECT nothing FROM (VALUES (1)) AS t(x)`, options(t)); got != nil {
		t.Errorf("%v", got)
	}
}
