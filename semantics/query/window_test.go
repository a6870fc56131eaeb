package query_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/query"
)

const (
	toEnd   = "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING "
	falling = toEnd + "PATTERN (A B+ C+) DEFINE B AS x < PREV(x), C AS x > PREV(x)"
)

// columns are select items over a window w with the column that they give.
type columns []struct{ item, want string }

func (cs columns) check(t *testing.T, from, window string, settings ...string) {
	t.Helper()
	for _, c := range cs {
		sql := "SELECT " + c.item + " FROM " + from + " WINDOW w AS (" + window + ")"
		if got := columnOf(t, sql, settings...); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", sql, got, c.want)
		}
	}
}

// WIN-6: window functions see the reduced frame; WIN-7: measures.
func TestWIN6WIN7Functions(t *testing.T) {
	columns{
		{"COUNT(*) OVER w", "5 0 0 0 0 3 0 0"},
		{"FIRST_VALUE(id) OVER w", "1 NULL NULL NULL NULL 6 NULL NULL"},
		{"LAST_VALUE(x) OVER w", "90 NULL NULL NULL NULL 60 NULL NULL"},
		{"NTH_VALUE(x, 3) OVER w", "70 NULL NULL NULL NULL 60 NULL NULL"},
		{"NTH_VALUE(id, 4) OVER w", "4 NULL NULL NULL NULL NULL NULL NULL"},
		{"NTH_VALUE(id, NULL) OVER w", "NULL NULL NULL NULL NULL NULL NULL NULL"},
		{"SUM(x) OVER w", "410 NULL NULL NULL NULL 150 NULL NULL"},
		{"COUNT(x) OVER w", "5 0 0 0 0 3 0 0"},
		{"COUNT(DISTINCT x) OVER w", "3 0 0 0 0 3 0 0"},
		{"MAX(id) FILTER (WHERE x < 80) OVER w", "3 NULL NULL NULL NULL 8 NULL NULL"},
		{"lst OVER w", "90 NULL NULL NULL NULL 60 NULL NULL"},
		{"cls OVER w", "C NULL NULL NULL NULL C NULL NULL"},
		{"fin OVER w", "90 NULL NULL NULL NULL 60 NULL NULL"}, // WIN-7: RUNNING and FINAL coincide
		{"COALESCE(lst OVER w, 0) + COUNT(*) OVER w", "95 0 0 0 0 63 0 0"},
		{"id * (COUNT(*) OVER w)", "5 0 0 0 0 18 0 0"},
		{"DISTINCT COUNT(*) OVER w", "5 0 3"},
	}.check(t, "t", "ORDER BY id MEASURES LAST(x) AS lst, CLASSIFIER() AS cls, FINAL LAST(x) AS fin "+falling)
	results{
		{"SELECT id, lst OVER w FROM t WINDOW w AS (ORDER BY id MEASURES LAST(x) AS lst " + falling + ") ORDER BY COUNT(*) OVER w DESC, id LIMIT 3",
			"ID LST | 1 90 | 6 60 | 2 NULL"},
		{"SELECT COUNT(*) OVER (ORDER BY id " + falling + ") AS n FROM t WHERE id > 4", "N | 4 | 0 | 0 | 0"}, // 90 50 40 60
	}.check(t)
}

// WIN-3: where the match of a row is sought. WIN-4: which rows are skipped.
func TestWIN3WIN4SeekAndSkip(t *testing.T) {
	const pattern = " PATTERN (B+) DEFINE B AS x > NEXT(x)"
	for _, c := range []struct{ how, want string }{
		{"AFTER MATCH SKIP TO NEXT ROW SEEK", "[2, 3, 4] [2, 3, 4] [3, 4] [4] NULL"},
		{"AFTER MATCH SKIP TO NEXT ROW INITIAL", "NULL [2, 3, 4] [3, 4] [4] NULL"},
		{"AFTER MATCH SKIP TO NEXT ROW", "NULL [2, 3, 4] [3, 4] [4] NULL"},
		{"SEEK", "[2, 3, 4] NULL NULL NULL NULL"},
		{"AFTER MATCH SKIP PAST LAST ROW SEEK", "[2, 3, 4] NULL NULL NULL NULL"},
		{"", "NULL [2, 3, 4] NULL NULL NULL"},
		{"AFTER MATCH SKIP TO LAST B", "NULL [2, 3, 4] NULL [4] NULL"}, // at row 4 the only row is the first: see below
	} {
		if strings.HasSuffix(c.how, "LAST B") {
			// SKIP-3: the match at row 4 would resume at its own first row.
			e := failure(t, "SELECT ARRAY_AGG(id) OVER w FROM s WINDOW w AS (ORDER BY id "+toEnd+c.how+pattern+")")
			if e.Rule != "SKIP-3" || e.SQLSTATE != "2202L" {
				t.Errorf("%s: %v", c.how, e)
			}
			continue
		}
		columns{{"ARRAY_AGG(id) OVER w", c.want}}.check(t, "s", "ORDER BY id "+toEnd+c.how+pattern)
	}
}

// WIN-8: only a constant measure tells an empty match from none.
func TestWIN8EmptyMatch(t *testing.T) {
	columns{
		{"COUNT(*) OVER w", "0 3 0 0 0"},
		{"m OVER w", "x x NULL NULL x"},
		{"n OVER w", "0 3 NULL NULL 0"},
		{"l OVER w", "NULL 60 NULL NULL NULL"},
	}.check(t, "s", "ORDER BY id MEASURES 'x' AS m, COUNT(*) AS n, LAST(x) AS l "+toEnd+"PATTERN (B*) DEFINE B AS x > NEXT(x)")
}

// WIN-2: the match lies inside the full window frame. WIN-1: n FOLLOWING.
func TestWIN2FullFrame(t *testing.T) {
	columns{{"COUNT(*) OVER w", "1 1 1 1 1"}}.check(t, "s",
		"ORDER BY id ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (A{3} | A) DEFINE A AS TRUE")
	columns{{"COUNT(*) OVER w", "3 0 0 1 1"}}.check(t, "s",
		"ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING PATTERN (A{3} | A) DEFINE A AS TRUE")
}

// WIN-10: how far PREV and NEXT reach.
func TestWIN10Reach(t *testing.T) {
	const from = "(VALUES (1, 10), (2, 20), (3, 30), (4, 30), (5, 40)) AS v (id, x)"
	const measures = "ORDER BY id MEASURES PREV(B.x, 1) AS p1, PREV(B.x, 2) AS p2, NEXT(B.x) AS n "
	const pattern = " PATTERN (A B) DEFINE A AS A.x = NEXT(A.x)"
	columns{
		{"p1 OVER w", "NULL NULL 30 NULL NULL"},
		{"p2 OVER w", "NULL NULL NULL NULL NULL"},
		{"n OVER w", "NULL NULL 40 NULL NULL"},
	}.check(t, from, measures+toEnd+pattern)
	columns{{"p2 OVER w", "NULL NULL 20 NULL NULL"}}.check(t, from, measures+toEnd+pattern, "WIN-10=alternative")
	columns{{"n OVER w", "NULL NULL NULL NULL NULL"}}.check(t, from, measures+"ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING"+pattern)
	const four = "(VALUES (1, 90), (2, 80), (3, 70), (4, 70)) AS v (id, x)"
	const either = "ORDER BY id MEASURES CLASSIFIER() AS c " + toEnd + "PATTERN (B | A) DEFINE B AS x < PREV(x)"
	columns{{"c OVER w", "A A A A"}}.check(t, four, either)
	columns{{"c OVER w", "A B B A"}}.check(t, four, either, "WIN-10=alternative")
}

// WIN-11: all functions over one window, and over equal in-line ones, share
// its matches.
func TestWIN11MatchedOnce(t *testing.T) {
	for sql, want := range map[string]int{
		"SELECT COUNT(*) OVER w, MAX(x) OVER w, m OVER w FROM t WINDOW w AS (ORDER BY id MEASURES LAST(x) AS m " + falling + ") ORDER BY m OVER w": 1,
		"SELECT COUNT(*) OVER (ORDER BY id " + falling + "), SUM(x) OVER (ORDER BY id " + falling + ") FROM t":                                     1,
		"SELECT COUNT(*) OVER (ORDER BY id " + falling + "), SUM(x) OVER (ORDER BY id DESC " + falling + ") FROM t":                                2,
		"SELECT id FROM t WINDOW w AS (ORDER BY id " + falling + ")":                                                                               0,
	} {
		o := options(t)
		r := &recognizer{}
		o.Recognizer = r
		if _, err := query.Run(context.Background(), sql, o); err != nil {
			t.Fatal(err)
		}
		if r.frames != want {
			t.Errorf("%s: matched %d times, want %d", sql, r.frames, want)
		}
	}
}

// GRAM-14: a window takes over partitioning and ordering of one without frame.
func TestGRAM14BaseWindow(t *testing.T) {
	const from = "(VALUES ('a', 1), ('b', 1), ('a', 2), ('b', 3), ('a', 0)) AS v (k, i)"
	const pattern = " " + toEnd + "PATTERN (A+) DEFINE A AS i > 0)"
	results{
		{"SELECT i, COUNT(*) OVER w FROM " + from + " WINDOW p AS (PARTITION BY k ORDER BY i), w AS (p" + pattern, "I _COL2 | 1 2 | 1 2 | 2 0 | 3 0 | 0 0"},
		{"SELECT i, COUNT(*) OVER (p ORDER BY i" + pattern + " FROM " + from + " WINDOW p AS (PARTITION BY k)", "I _COL2 | 1 2 | 1 2 | 2 0 | 3 0 | 0 0"},
		{"SELECT i, COUNT(*) OVER (p" + pattern + " FROM " + from + " WINDOW p AS ()", "I _COL2 | 1 4 | 1 0 | 2 0 | 3 0 | 0 0"},
		{"SELECT i, COUNT(*) OVER w FROM " + from + " AS q (k, i) WINDOW w AS (PARTITION BY q.k ORDER BY q.i" + pattern, ""},
	}[:3].check(t)
	results{{"SELECT COUNT(*) OVER w FROM g AS q WINDOW w AS (PARTITION BY q.k ORDER BY q.v ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS TRUE)",
		"_COL1 | 2 | 2 | 0 | 2 | 0 | 0"}}.check(t) // NUL-1: the two NULLs of K are one partition
}

// WIN-6=alternative: what ignores the frame is evaluated over the partition.
func TestWIN6Alternative(t *testing.T) {
	const from = "(VALUES (1, 10), (2, 20), (3, 20), (4, 30), (5, 30)) AS v (id, x)"
	columns{
		{"ROW_NUMBER() OVER w", "1 2 3 4 5"},
		{"RANK() OVER w", "1 2 2 4 4"},
		{"DENSE_RANK() OVER w", "1 2 2 3 3"},
		{"PERCENT_RANK() OVER w", "0 0.25 0.25 0.75 0.75"},
		{"CUME_DIST() OVER w", "0.2 0.6 0.6 1 1"},
		{"NTILE(2) OVER w", "1 1 1 2 2"},
		{"NTILE(7) OVER w", "1 2 3 4 5"},
		{"LAG(id) OVER w", "NULL 1 2 3 4"},
		{"LEAD(id, 2) OVER w", "3 4 5 NULL NULL"},
		{"LAG(id, 3, -1) OVER w", "-1 -1 -1 1 2"},
		{"LEAD(id, 0) OVER w", "1 2 3 4 5"},
		{"COUNT(*) OVER w", "2 0 2 0 0"},
	}.check(t, from, "ORDER BY x "+toEnd+"PATTERN (A B) DEFINE B AS x > PREV(x) OR id = 5", "WIN-6=alternative")
	refuse(t, []refusal{
		{"SELECT NTILE(0) OVER w FROM t WINDOW w AS (ORDER BY id " + falling + ")", "runtime", "EVAL-1", "0)", "positive"},
		{"SELECT LAG(x, -1) OVER w FROM t WINDOW w AS (ORDER BY id " + falling + ")", "runtime", "EVAL-1", "-1", "offset"},
		{"SELECT LAG(x, 1, 'a') OVER w FROM t WINDOW w AS (ORDER BY id " + falling + ")", "semantic", "TYPE-1", "'a'", "default"},
		{"SELECT LEAD() OVER w FROM t WINDOW w AS (ORDER BY id " + falling + ")", "semantic", "SQL-1", "LEAD", "LEAD(x, offset, default)"},
		{"SELECT NTILE('a') OVER w FROM t WINDOW w AS (ORDER BY id " + falling + ")", "semantic", "TYPE-1", "'a'", "integer"},
	}, "WIN-6=alternative")
}

func TestWindowRefusals(t *testing.T) {
	w := func(spec string) string { return " FROM t WINDOW w AS (" + spec + ")" }
	good := "ORDER BY id MEASURES LAST(x) AS m " + falling
	refuse(t, []refusal{
		{"SELECT z OVER w" + w(good), "semantic", "WIN-7", "z OVER", "its measures are: M"},
		{"SELECT w.m OVER w" + w(good), "semantic", "WIN-7", "w.m", "no measure"},
		{"SELECT m OVER w" + w("ORDER BY id "+falling), "semantic", "WIN-7", "m OVER", "add MEASURES"},
		{"SELECT m OVER w" + w("ORDER BY id"), "semantic", "WIN-7", "m OVER", "row pattern"},
		{"SELECT m OVER v" + w(good), "semantic", "NAME-1", "v FROM", "the windows are: W"},
		{"SELECT m OVER v FROM t", "semantic", "NAME-1", "v FROM", "WINDOW V AS"},
		{"SELECT SUM(x) OVER (ORDER BY id) FROM t", "unsupported", "SQL-1", "OVER (ORDER", "row pattern"},
		{"SELECT SUM(x) OVER () FROM t", "unsupported", "SQL-1", "OVER ()", "row pattern"},
		{"SELECT ROW_NUMBER() OVER (PARTITION BY x) FROM t", "unsupported", "SQL-1", "OVER (", "row pattern"},
		{"SELECT LAG(x) OVER w" + w("ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"), "unsupported", "SQL-1", "OVER w", "row pattern"},
		{"SELECT ROW_NUMBER() OVER w" + w(good), "semantic", "WIN-6", "ROW_NUMBER", "WIN-6=alternative"},
		{"SELECT LEAD(x) OVER w" + w(good), "semantic", "WIN-6", "LEAD", "frame"},
		{"SELECT COUNT(*) OVER (w ORDER BY id)" + w(good), "semantic", "WIN-11", "w ORDER", "row pattern"},
		{"SELECT COUNT(*) OVER (w)" + w(good), "semantic", "WIN-11", "w)", "OVER W"},
		{"SELECT id" + w("ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING") + ", v AS (w)", "semantic", "WIN-11", "w)", "frame"},
		{"SELECT id" + w("PARTITION BY id") + ", v AS (w PARTITION BY x)", "semantic", "GRAM-14", "x)", "takes over"},
		{"SELECT id" + w("ORDER BY id") + ", v AS (w ORDER BY x)", "semantic", "GRAM-14", "x)", "takes over"},
		{"SELECT id" + w("v ORDER BY id"), "semantic", "NAME-1", "v ORDER", "no window V"},
		{"SELECT id" + w("ORDER BY id") + ", w AS (ORDER BY x)", "semantic", "SQL-1", "w AS (ORDER BY x)", "twice"},
		{"SELECT id" + w("ORDER BY id MEASURES LAST(x) AS m ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING"), "semantic", "GRAM-14", "MEASURES", "PATTERN"},
		{"SELECT id" + w("ORDER BY id SEEK"), "semantic", "GRAM-14", "SEEK", "PATTERN"},
		{"SELECT id" + w("AFTER MATCH SKIP TO NEXT ROW"), "semantic", "GRAM-14", "AFTER", "PATTERN"},
		{"SELECT id" + w("ORDER BY id DEFINE A AS TRUE"), "semantic", "GRAM-14", "DEFINE", "PATTERN"},
		{"SELECT id" + w("ORDER BY id SUBSET U = (A)"), "semantic", "GRAM-14", "SUBSET", "PATTERN"},
		{"SELECT id" + w("ORDER BY id PATTERN (A) DEFINE A AS TRUE"), "semantic", "WIN-1", "PATTERN", "frame"},
		{"SELECT id" + w("ORDER BY id RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS TRUE"), "semantic", "WIN-1", "RANGE", "ROWS BETWEEN"},
		{"SELECT id" + w("ORDER BY id "+toEnd+"PATTERN (^ A) DEFINE A AS TRUE"), "semantic", "WIN-9", "^", "anchor"},
		{"SELECT id" + w("ORDER BY id "+toEnd+"ALL ROWS PER MATCH PATTERN (A) DEFINE A AS TRUE"), "syntax", "GRAM-14", "ALL ROWS", "ROWS PER MATCH"},
		{"SELECT id" + w("ORDER BY id MEASURES MATCH_NUMBER() AS m "+falling), "semantic", "WIN-9", "MATCH_NUMBER", "MATCH_RECOGNIZE"},
		{"SELECT id FROM t WHERE COUNT(*) OVER w > 1 WINDOW w AS (" + good + ")", "semantic", "SQL-1", "COUNT(*)", "not allowed here"},
		{"SELECT id FROM t WHERE m OVER w > 1 WINDOW w AS (" + good + ")", "semantic", "SQL-1", "OVER w", "WHERE"},
		{"SELECT id FROM t WHERE FIRST_VALUE(x) OVER w > 1 WINDOW w AS (" + good + ")", "semantic", "SQL-1", "FIRST_VALUE", "select list"},
		{"SELECT SUM(COUNT(*) OVER w) FROM t WINDOW w AS (" + good + ")", "semantic", "SQL-1", "COUNT", "not allowed here"},
		{"SELECT FIRST_VALUE(m OVER w) OVER w FROM t WINDOW w AS (" + good + ")", "semantic", "SQL-1", "OVER w) OVER", "a window function"},
		{"SELECT x, COUNT(*) OVER w FROM t GROUP BY x WINDOW w AS (" + good + ")", "unsupported", "SQL-1", "OVER w", "derived table"},
		{"SELECT NTH_VALUE(x, 0) OVER w" + w(good), "runtime", "EVAL-1", "0)", "positive"},
		{"SELECT NTH_VALUE(x, 1.5) OVER w" + w(good), "semantic", "TYPE-1", "1.5", "integer"},
		{"SELECT NTH_VALUE(x) OVER w" + w(good), "semantic", "SQL-1", "NTH_VALUE", "NTH_VALUE(x, n)"},
		{"SELECT NTH_VALUE(x, 2) FROM LAST OVER w" + w(good), "unsupported", "SQL-1", "FROM LAST", "first row"},
		{"SELECT FIRST_VALUE(x) IGNORE NULLS OVER w" + w(good), "unsupported", "SQL-1", "IGNORE", "NULLS"},
		{"SELECT PREV(x) OVER w" + w(good), "semantic", "NEST-5", "PREV", "MEASURES and DEFINE"},
		{"SELECT RUNNING SUM(x) OVER w" + w(good), "semantic", "NEST-5", "RUNNING", "MEASURES and DEFINE"},
		{"SELECT ABS(x) OVER w" + w(good), "semantic", "SQL-1", "ABS", "OVER"},
		{"SELECT NOSUCH(x) OVER w" + w(good), "semantic", "NAME-1", "NOSUCH", "no function NOSUCH"},
		{"SELECT COUNT(nosuch) OVER w" + w(good), "semantic", "NAME-1", "nosuch", "no column"},
	})
	if e := failure(t, "SELECT NTH_VALUE(x, 0) OVER w"+w(good)); e.SQLSTATE != "22016" {
		t.Errorf("SQLSTATE %s", e.SQLSTATE)
	}
}
