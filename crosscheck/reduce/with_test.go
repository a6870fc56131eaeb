package reduce

import "testing"

// What a recognition's source can name: the items of WITH before it, of the
// queries around it.
func TestRecognitionsSources(t *testing.T) {
	const mr = " MATCH_RECOGNIZE (PARTITION BY k, x.v ORDER BY o DESC, p MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE) AS m"
	for _, tt := range []struct{ sql, with, source, alias string }{
		{"SELECT * FROM t" + mr, "", "t", "t"},
		{"SELECT * FROM c.s.t AS x" + mr, "", "c.s.t AS x", "x"},
		{"SELECT * FROM a, b x" + mr, "", "b x", "x"},
		{"SELECT * FROM a JOIN (SELECT 1 FROM c, d) AS x" + mr + " ON TRUE", "", "(SELECT 1 FROM c, d) AS x", "x"},
		{"WITH a AS (SELECT 1), b (x) AS (SELECT 2) SELECT * FROM b" + mr, "WITH a AS (SELECT 1),\n  b (x) AS (SELECT 2)", "b", "b"},
		{"WITH a AS (SELECT 1), b AS (SELECT * FROM a" + mr + "), c AS (SELECT 3) SELECT * FROM b, c", "WITH a AS (SELECT 1)", "a", "a"},
		{"WITH a AS (SELECT * FROM t" + mr + ") SELECT * FROM a", "", "t", "t"},
		{"WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT * FROM a" + mr, "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a)", "a", "a"},
		{"WITH a AS (SELECT 1) SELECT * FROM (WITH b AS (SELECT ')' FROM a) SELECT * FROM b" + mr + ") AS z", "WITH a AS (SELECT 1),\n  b AS (SELECT ')' FROM a)", "b", "b"},
		{"SELECT (WITH b AS (SELECT 1) SELECT * FROM b), x FROM a" + mr, "", "a", "a"},
		{"SELECT CAST(x AS timestamp WITH time zone) FROM a" + mr, "", "a", "a"},
	} {
		list, windows := Recognitions(tt.sql)
		if len(list) != 1 || windows != 0 {
			t.Errorf("%s: %d recognitions, %d windows", tt.sql, len(list), windows)
			continue
		}
		if r := list[0]; r.With != tt.with || r.Source != tt.source || r.Alias != tt.alias || len(r.Keys) != 2 || r.Keys[1] != "x.v" || len(r.Order) != 2 || r.Order[0] != "o DESC" {
			t.Errorf("%s: %+v", tt.sql, r)
		}
	}
}
