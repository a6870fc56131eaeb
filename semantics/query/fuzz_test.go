package query_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
)

// FuzzStatement: no text makes a statement panic or hang, and every error says
// stage, rule and a place inside the text.
func FuzzStatement(f *testing.F) {
	data, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if _, rest, ok := strings.Cut(line, `"sql": "`); ok {
			sql, _, _ := strings.Cut(rest, `", "`)
			f.Add(sql)
		}
	}
	for _, sql := range []string{
		"WITH a (b) AS (VALUES (1), (2.5)) SELECT DISTINCT b + 1 AS c FROM a WHERE b > 0 ORDER BY c DESC NULLS LAST OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY",
		"SELECT k, SUM(v) FILTER (WHERE v > 1) AS s FROM g GROUP BY k HAVING COUNT(*) > 1 ORDER BY SUM(v)",
		"SELECT MOD(v, 2) FROM g GROUP BY MOD(v, 2) UNION ALL SELECT NULL LIMIT 3",
		"SELECT COUNT(*) OVER w, m OVER w FROM t WINDOW p AS (ORDER BY id), w AS (p MEASURES LAST(x) AS m " + falling + ")",
		"SELECT * FROM t AS i " + vShape + " AS o (a, b, c) WHERE a IN (SELECT id FROM s) AND EXISTS (SELECT 1)",
		"SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES A.x AS m ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (^ A B*? | PERMUTE(A, B)) SUBSET U = (A, B) DEFINE A AS x > (SELECT MIN(x) FROM s WHERE s.id > 1))",
		"SELECT (SELECT x FROM s WHERE s.id = t.id) FROM t", "SELECT x FROM t JOIN s", "SELECT COUNT(t.*), PREV(x) FROM t;", "TABLE t; TABLE s",
		"WITH RECURSIVE a AS (SELECT 1) SELECT * FROM a, b LIMIT 1, 2", "SELECT SUM(x) OVER (PARTITION BY id RANGE CURRENT ROW) FROM t",
	} {
		f.Add(sql)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		for _, untyped := range []bool{false, true} {
			o := options(t)
			o.Untyped = untyped
			if untyped {
				o.Tables = nil
			}
			_, err := query.Run(ctx, sql, o)
			if err == nil {
				continue
			}
			if errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("takes more than 5 seconds: %q", sql)
			}
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %T %v", sql, err, err)
			}
			if e.Stage == 0 || e.Stage == diag.Internal || e.Rule == "" || !e.Pos.IsValid() || e.Pos.Offset > len(sql) || e.Source != sql {
				t.Fatalf("%q: %+v", sql, e)
			}
		}
	})
}
