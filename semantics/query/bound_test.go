package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

func bind(t testing.TB, sql string, o query.Options) (*query.Bound, error) {
	t.Helper()
	st, err := query.Parse(sql, o.Readings)
	if err != nil {
		return nil, err
	}
	if st.Source() != sql {
		t.Errorf("source %q", st.Source())
	}
	return query.Bind(st, o)
}

func header(b *query.Bound) string {
	var out []string
	for _, f := range b.Columns() {
		out = append(out, f.Name+" "+f.Type.String())
	}
	return strings.Join(out, ", ")
}

// Types of the result (chapter 18).
func TestColumns(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT id, x + 1, COUNT(*), SUM(x), AVG(x), MIN(x) FROM t GROUP BY id, x", "ID integer, _COL2 integer, _COL3 bigint, _COL4 bigint, _COL5 decimal, _COL6 integer"},
		{"SELECT mn, m.l AS l, NULL FROM t " + vShape + " AS m", "MN bigint, L integer, _COL3 unknown"},
		{"SELECT COUNT(*) OVER w, FIRST_VALUE(x) OVER w, c OVER w FROM t WINDOW w AS (ORDER BY id MEASURES CLASSIFIER() AS c " + falling + ")",
			"_COL1 bigint, _COL2 integer, C varchar"},
		{"SELECT 1 AS a UNION ALL SELECT 2.5", "A decimal(11,1)"},
	} {
		b, err := bind(t, c.sql, options(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := header(b); got != c.want || b.Untyped {
			t.Errorf("%s\n got %s\nwant %s", c.sql, got, c.want)
		}
	}
}

// A check without tables accepts what could be right and says so; what is wrong
// whatever the tables hold is refused.
func TestUntypedCheck(t *testing.T) {
	o := query.Options{Untyped: true}
	for _, c := range []struct{ sql, columns string }{
		{"SELECT a, b + 1, c || 'x', nosuch.d FROM nosuch WHERE a > 1 AND a = DATE '2026-01-01'", "A unknown, _COL2 unknown, _COL3 varchar, D unknown"},
		{"SELECT * FROM nosuch", ""},
		{"SELECT *, 1 AS one FROM nosuch AS n ORDER BY zz, n.k, 5", "ONE integer"},
		{"SELECT a, COUNT(*) FROM nosuch GROUP BY a HAVING MAX(b) > 1 ORDER BY c_ount", ""},
		{"SELECT n, cls FROM ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY ts MEASURES COUNT(*) AS n, CLASSIFIER() AS cls ALL ROWS PER MATCH PATTERN (A B+) DEFINE B AS B.p < PREV(B.p))", "N bigint, CLS varchar"},
		{"SELECT m.*, more FROM ticks MATCH_RECOGNIZE (ORDER BY ts MEASURES COUNT(*) AS n ALL ROWS PER MATCH PATTERN (A B+) DEFINE B AS B.p < PREV(B.p)) AS m", "TS unknown, N bigint, P unknown, MORE unknown"},
		{"SELECT k FROM (SELECT * FROM nosuch) AS d (k, l)", "K unknown"},
		{"SELECT k FROM a UNION ALL SELECT j FROM b", "K unknown"},
		{"WITH w AS (SELECT * FROM nosuch) SELECT q FROM w WHERE q IN (SELECT z FROM other) AND EXISTS (SELECT * FROM third)", "Q unknown"},
		{"SELECT COUNT(*) OVER w, mm OVER w FROM nosuch WINDOW w AS (ORDER BY k MEASURES LAST(z) AS mm " + toEnd + "PATTERN (A+) DEFINE A AS z > 1)", "_COL1 bigint, MM unknown"},
		{"SELECT x FROM t MATCH_RECOGNIZE (ORDER BY t MEASURES A.p AS x PATTERN (A) DEFINE A AS p > (SELECT MAX(v) FROM g))", "X unknown"},
	} {
		b, err := bind(t, c.sql, o)
		if c.columns == "" && strings.Contains(c.sql, "c_ount") {
			if e := asError(t, err); e.Rule != "SQL-1" || !strings.HasPrefix(c.sql[e.Pos.Offset:], "c_ount") {
				t.Errorf("%s: %v", c.sql, e)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s\n%v", c.sql, err)
			continue
		}
		if got := header(b); got != c.columns || !b.Untyped {
			t.Errorf("%s\n got %s, untyped %t\nwant %s", c.sql, got, b.Untyped, c.columns)
		}
		if e := asError(t, func() error { _, err := b.Run(context.Background()); return err }()); e.Rule != "NAME-1" {
			t.Errorf("%s: run says %v", c.sql, e)
		}
	}
	for sql, rule := range map[string]string{
		"SELECT b.x FROM nosuch AS a":                    "NAME-1",
		"SELECT a + 'x' - DATE '2026-01-01' FROM nosuch": "TYPE-1",
		"SELECT PREV(a) FROM nosuch":                     "NEST-5",
		"SELECT SUM(a) OVER (ORDER BY a) FROM nosuch":    "SQL-1",
		"SELECT x FROM n MATCH_RECOGNIZE (MEASURES A.a + B.q AS x PATTERN (A) DEFINE A AS p > (SELECT MAX(v) FROM g WHERE g.q = A.p))": "COL-1",
		"SELECT x FROM n MATCH_RECOGNIZE (MEASURES A.a AS x PATTERN (A) DEFINE A AS p > (SELECT MAX(v) FROM g WHERE g.q = A.p))":       "DEF-13",
	} {
		_, err := bind(t, sql, o)
		if e := asError(t, err); e.Rule != rule {
			t.Errorf("%s: %v, want %s", sql, e, rule)
		}
	}
	if b, err := bind(t, "SELECT x FROM t", func() query.Options { o := options(t); o.Untyped = true; return o }()); err != nil || b.Untyped {
		t.Errorf("with its table: %v, untyped %t", err, b != nil && b.Untyped)
	}
}

// Recognitions come in source order, windows included.
func TestRecognitions(t *testing.T) {
	sql := "WITH a AS (SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES 1 AS one PATTERN (P1) DEFINE P1 AS TRUE)) " +
		"SELECT COUNT(*) OVER (ORDER BY id " + toEnd + "PATTERN (P2) DEFINE P2 AS TRUE), COUNT(*) OVER w FROM " +
		"(SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES 2 AS two ALL ROWS PER MATCH PATTERN (P3) DEFINE P3 AS TRUE)) AS d " +
		"WINDOW w AS (ORDER BY id " + toEnd + "PATTERN (P4) DEFINE P4 AS TRUE)"
	b, err := bind(t, sql, options(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range b.Recognitions() {
		got = append(got, c.Vars[0].Name.Text)
	}
	if s := strings.Join(got, " "); s != "P1 P2 P3 P4" {
		t.Errorf("got %s", s)
	}
}

// A bound statement can be run several times, also at once.
func TestRunTwice(t *testing.T) {
	b, err := bind(t, "WITH w AS (SELECT MAX(x) AS x FROM t) SELECT id FROM t WHERE x = (SELECT x FROM w)", options(t))
	if err != nil {
		t.Fatal(err)
	}
	dead, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Run(dead); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled run: %v", err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			res, err := b.Run(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			if got := show(res.Table); got != "ID | 1 | 5" {
				t.Error(got)
			}
		})
	}
	wg.Wait()
}

// OUT-8: only an outer ORDER BY promises an order.
func TestOrdered(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT id FROM t": false, "SELECT id FROM t ORDER BY id": true,
		"SELECT id FROM (SELECT id FROM t ORDER BY id) AS d": false, "VALUES (1) ORDER BY 1": true,
	} {
		res, err := query.Run(context.Background(), sql, options(t))
		if err != nil {
			t.Fatal(err)
		}
		if res.Ordered != want {
			t.Errorf("%s: ordered %t", sql, res.Ordered)
		}
	}
}

// LIM-1: nesting is capped, at any of its forms.
func TestLIM1Nesting(t *testing.T) {
	nest := func(n int, open, core, close string) string {
		return strings.Repeat(open, n) + core + strings.Repeat(close, n)
	}
	for _, c := range []struct{ open, core, close string }{
		{"SELECT * FROM (", "SELECT 1 AS x", ") AS d"},
		{"(", "SELECT 1", ")"},
		{"SELECT (", "SELECT 1", ")"},
		{"SELECT 1 WHERE EXISTS (", "SELECT 1", ")"},
		{"WITH a AS (", "SELECT 1", ") SELECT 2"},
	} {
		if got := run(t, nest(90, c.open, c.core, c.close)); !strings.Contains(got, " | ") {
			t.Errorf("%s: %s", c.open, got)
		}
		for _, n := range []int{110, 5_000} {
			e := failure(t, nest(n, c.open, c.core, c.close))
			if e.Stage != diag.Limit || e.Rule != "LIM-1" {
				t.Errorf("%s: %v", c.open, e)
			}
		}
	}
	open := strings.Repeat("SELECT * FROM (", 5_000)
	if e := failure(t, open); e.Stage != diag.Limit {
		t.Errorf("unclosed: %v", e)
	}
	window := nest(110, "COUNT(*) OVER (ORDER BY id MEASURES (SELECT ", "1", " FROM t) AS m "+toEnd+"PATTERN (A) DEFINE A AS TRUE)")
	if e := failure(t, "SELECT "+window+" FROM t"); e.Stage != diag.Limit {
		t.Errorf("windows: %v", e)
	}
}

// Tables may fail to open: the error gets the place of the name.
func TestTableErrors(t *testing.T) {
	o := query.Options{Tables: func(name string, quoted bool) (*table.Table, bool, error) {
		return nil, false, diag.New(diag.Semantic, "DATA-1", diag.Pos{}, "cannot read %s, quoted %t", name, quoted).WithHint("look")
	}}
	_, err := query.Run(context.Background(), `SELECT x FROM "a.csv"`, o)
	if e := asError(t, err); e.Rule != "DATA-1" || e.Pos.Offset != 14 || e.Message != "cannot read a.csv, quoted true" {
		t.Errorf("%v", e)
	}
	_, err = query.Run(context.Background(), "SELECT x FROM t", query.Options{})
	if e := asError(t, err); e.Rule != "NAME-1" || !strings.Contains(e.Hint, "VALUES") {
		t.Errorf("%v", e)
	}
	_, err = query.Run(context.Background(), "SELECT * FROM (VALUES (1, 2)) AS t (id, x) "+clause, query.Options{})
	if e := asError(t, err); e.Stage != diag.Internal {
		t.Errorf("no recognizer: %v", e)
	}
}

// A query over many rows: plain columns are taken over, not copied.
func TestSharesColumns(t *testing.T) {
	big := make([]string, 0, 20_000)
	for i := range 20_000 {
		big = append(big, fmt.Sprintf("(%d)", i))
	}
	sql := "SELECT x AS y FROM (VALUES " + strings.Join(big, ", ") + ") AS v (x)"
	res, err := query.Run(context.Background(), sql, query.Options{Readings: readings.Set{}})
	if err != nil || res.Table.NumRows() != 20_000 {
		t.Fatal(err)
	}
	tab := res.Table.Column(0).Named("A")
	in, err := table.New(tab)
	if err != nil {
		t.Fatal(err)
	}
	o := query.Options{Tables: func(string, bool) (*table.Table, bool, error) { return in, true, nil }}
	res, err = query.Run(context.Background(), "SELECT d.b FROM (SELECT a AS b FROM big) AS d", o)
	if err != nil {
		t.Fatal(err)
	}
	if &res.Table.Column(0).Int64s()[0] != &tab.Int64s()[0] {
		t.Error("the column was copied")
	}
}
