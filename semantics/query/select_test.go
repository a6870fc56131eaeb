package query_test

import (
	"testing"
)

// results are statements with their result, by hand, as show writes it.
type results []struct{ sql, want string }

func (rs results) check(t *testing.T, settings ...string) {
	t.Helper()
	for _, r := range rs {
		if got := run(t, r.sql, settings...); got != r.want {
			t.Errorf("%s\n got %s\nwant %s", r.sql, got, r.want)
		}
	}
}

// Result columns are called by alias, column or place.
func TestSelectListAndNames(t *testing.T) {
	results{
		{"SELECT 1", "_COL1 | 1"},
		{"SELECT 1 AS one, 'a' \"b c\", NULL;", "ONE b c _COL3 | 1 a NULL"},
		{"SELECT x + 1, x AS y, x, s.x FROM s WHERE id = 1", "_COL1 Y X X | 51 50 50 50"},
		{"SELECT * FROM s WHERE id <= 2", "ID X | 1 50 | 2 80"},
		{"SELECT s.*, 7 FROM s WHERE id = 3", "ID X _COL3 | 3 70 7"},
		{"SELECT a.*, * FROM s AS a (i, p) WHERE i = 3", "I P I P | 3 70 3 70"},
		{"select all x from s a where a.x > 70", "X | 80"},
		{"TABLE s ORDER BY id FETCH FIRST ROW ONLY", "ID X | 1 50"},
		{"SELECT * FROM (TABLE s) WHERE id = 5", "ID X | 5 50"},
		{"SELECT qualify, top, minus FROM (VALUES (1, 2, 3)) AS v (qualify, top, minus)", "QUALIFY TOP MINUS | 1 2 3"},
		{"SELECT date, start FROM (VALUES (DATE '2026-01-31', 2)) AS v (date, start)", "DATE START | 2026-01-31 2"}, // GRAM-15
		{`SELECT m."MATCH" FROM s AS m (id, match) WHERE m.match = 80`, "MATCH | 80"},
		{`SELECT "a b" FROM (SELECT x AS "a b" FROM s) AS d WHERE "a b" > 75`, "a b | 80"}, // GRAM-10
	}.check(t)
}

func TestWhereThreeValued(t *testing.T) {
	results{
		{"SELECT v FROM g WHERE w > 20", "V | 3 | 4 | 5 | NULL"},
		{"SELECT v FROM g WHERE NOT w > 20", "V | 1"}, // NULL w is UNKNOWN both times
		{"SELECT v FROM g WHERE w IS NULL OR v IS NULL", "V | 2 | NULL"},
		{"SELECT v FROM g WHERE FALSE", "V"},
		{"SELECT v FROM g WHERE NULL", "V"},
		{"SELECT k FROM g WHERE k LIKE 'a%' AND v BETWEEN 2 AND 9", "K | a"},
	}.check(t)
}

// DISTINCT, GROUP BY: two NULLs are identical.
func TestDistinctAndGroupBy(t *testing.T) {
	results{
		{"SELECT DISTINCT k FROM g", "K | a | b | NULL"},
		{"SELECT DISTINCT k FROM g ORDER BY k DESC NULLS LAST", "K | b | a | NULL"},
		{"SELECT DISTINCT v + 1 FROM g WHERE v < 3 ORDER BY v + 1 DESC", "_COL1 | 3 | 2"},
		{"SELECT DISTINCT k AS v FROM g ORDER BY v", "V | a | b | NULL"},
		{"SELECT k, COUNT(*), COUNT(v), SUM(w), AVG(v) FROM g GROUP BY k",
			"K _COL2 _COL3 _COL4 _COL5 | a 2 2 40 2 | b 2 2 50 3.5 | NULL 2 1 100 4"},
		{"SELECT g.k, MAX(v) FROM g GROUP BY k HAVING COUNT(v) = 2 AND g.k > 'a'", "K _COL2 | b 5"},
		{"SELECT COUNT(*), SUM(v), MIN(k) FROM e", "_COL1 _COL2 _COL3 | 0 NULL NULL"},
		{"SELECT k, COUNT(*) FROM e GROUP BY k", "K _COL2"},
		{"SELECT COUNT(*) FROM g HAVING COUNT(*) > 6", "_COL1"},
		{"SELECT 1 FROM g HAVING COUNT(*) > 5", "_COL1 | 1"},
		{"SELECT 2 FROM e GROUP BY k", "_COL1"},
		{"SELECT MOD(v, 2) AS odd, COUNT(*) FROM g WHERE v IS NOT NULL GROUP BY MOD(v, 2)", "ODD _COL2 | 1 3 | 0 2"},
		{"SELECT MOD(v, 2) + 10 * MOD(v, 2), k FROM g WHERE v IS NOT NULL GROUP BY k, MOD(v, 2) ORDER BY k, 1",
			"_COL1 K | 11 a | 0 b | 11 b | 0 NULL"},
		{"SELECT COUNT(DISTINCT k), COUNT(*) FILTER (WHERE v > 2), ARRAY_AGG(v ORDER BY v DESC) FROM g WHERE v > 1",
			"_COL1 _COL2 _COL3 | 2 3 [5, 4, 3, 2]"},
		{"SELECT k, SUM(v) FROM g GROUP BY k ORDER BY SUM(v) DESC, COUNT(*)", "K _COL2 | b 7 | a 4 | NULL 4"},
		{"SELECT k AS name, SUM(v) AS total FROM g GROUP BY k ORDER BY total, name NULLS FIRST", "NAME TOTAL | NULL 4 | a 4 | b 7"},
		{"SELECT COUNT(*) FROM g GROUP BY MOD(v, 2) HAVING MOD(v, 2) >= 0 ORDER BY (MOD(v, 2)) DESC", "_COL1 | 3 | 2"},
		{"SELECT 1 + (v + w), w + v FROM g WHERE v = 1 GROUP BY v + w, v, w", "_COL1 _COL2 | 12 11"},
		{"SELECT DISTINCT COUNT(*) FROM g GROUP BY k", "_COL1 | 2"},
		{"SELECT * FROM (SELECT k FROM g) GROUP BY k HAVING k IS NOT NULL", "K | a | b"},
		{"SELECT CASE WHEN k = 'a' THEN SUM(v) ELSE 0 END FROM g GROUP BY k", "_COL1 | 4 | 0 | 0"},
	}.check(t)
}

// NULLs sort by IMP-NULLS: last ascending, first descending, unless said.
func TestOrderBy(t *testing.T) {
	results{
		{"SELECT k FROM g ORDER BY k", "K | a | a | b | b | NULL | NULL"},
		{"SELECT k, v FROM g ORDER BY k DESC, 2 DESC", "K V | NULL NULL | NULL 4 | b 5 | b 2 | a 3 | a 1"},
		{"SELECT v FROM g ORDER BY w NULLS FIRST", "V | 2 | 1 | 3 | 4 | 5 | NULL"},
		{"SELECT v FROM g ORDER BY w DESC NULLS LAST", "V | NULL | 5 | 4 | 3 | 1 | 2"},
		{"SELECT -v AS v FROM g ORDER BY v", "V | -5 | -4 | -3 | -2 | -1 | NULL"}, // the alias, not the column
		{"SELECT v AS a FROM g ORDER BY -a", "A | 5 | 4 | 3 | 2 | 1 | NULL"},
		{"SELECT v FROM g ORDER BY g.w - 2 * g.v DESC NULLS LAST", "V | 5 | 4 | 3 | 1 | 2 | NULL"},
		{"SELECT v FROM g ORDER BY k", "V | 1 | 3 | 2 | 5 | 4 | NULL"}, // ties keep the order of the input
		{"VALUES (2, 'x'), (1, 'y') ORDER BY 1", "_COL1 _COL2 | 1 y | 2 x"},
		{"SELECT v FROM g UNION ALL SELECT 9 ORDER BY v DESC NULLS LAST LIMIT 2", "V | 9 | 5"},
		{"(SELECT v FROM g ORDER BY v LIMIT 1) UNION ALL (SELECT v FROM g ORDER BY v DESC NULLS LAST LIMIT 1) ORDER BY -v", "V | 5 | 1"},
	}.check(t)
	results{{"SELECT k FROM g ORDER BY k DESC", "K | b | b | a | a | NULL | NULL"}}.check(t, "IMP-NULLS=alternative")
}

func TestRowCounts(t *testing.T) {
	results{
		{"SELECT id FROM s ORDER BY id OFFSET 3 ROWS", "ID | 4 | 5"},
		{"SELECT id FROM s ORDER BY id OFFSET 1 ROW FETCH NEXT 2 ROWS ONLY", "ID | 2 | 3"},
		{"SELECT id FROM s ORDER BY id LIMIT 2 OFFSET 4", "ID | 5"},
		{"SELECT id FROM s LIMIT 0", "ID"},
		{"SELECT id FROM s ORDER BY 1 LIMIT ALL OFFSET 4", "ID | 5"},
		{"SELECT id FROM s OFFSET 99 ROWS", "ID"},
		{"SELECT id FROM s LIMIT 9999999999", "ID | 1 | 2 | 3 | 4 | 5"},
		{"SELECT id FROM s FETCH FIRST ROW ONLY", "ID | 1"},
		{"SELECT id FROM s FETCH FIRST 2 ROWS ONLY", "ID | 1 | 2"},
	}.check(t)
}

// VALUES and UNION ALL bring their columns to common types (TYPE-5).
func TestValuesAndUnionAll(t *testing.T) {
	results{
		{"VALUES (1, 'a'), (NULL, 'b'), (2.5, NULL)", "_COL1 _COL2 | 1.0 a | NULL b | 2.5 NULL"},
		{"SELECT b + 1 FROM (VALUES (1 + 1, -2), (3, CAST('4' AS integer))) AS v (a, b)", "_COL1 | -1 | 5"},
		{"SELECT 1 AS a UNION ALL SELECT 2.50 UNION ALL VALUES (NULL)", "A | 1.00 | 2.50 | NULL"},
		{"SELECT k FROM g WHERE v = 1 UNION ALL SELECT 'zz'", "K | a | zz"},
		{"SELECT CAST('a' AS char(3)) UNION ALL SELECT 'b'", "_COL1 | a   | b"}, // char(3) becomes varchar with its blanks (TYPE-7)
		{"SELECT _col2 FROM (VALUES (1, 2))", "_COL2 | 2"},
		{"SELECT v || '.' FROM (VALUES (CAST('a' AS char(2))), ('b')) AS t (v)", "_COL1 | a . | b."},
		{"SELECT DISTINCT a FROM (VALUES (ARRAY[1, NULL]), (ARRAY[1, NULL]), (NULL), (ARRAY[0])) AS t (a) ORDER BY a", "A | [0] | [1, NULL] | NULL"},
		{"VALUES (-1, DATE '2026-02-28', TRUE, TIMESTAMP '2026-02-28 01:02:03'), (+2, NULL, FALSE, NULL), (-1.5, DATE '2026-01-01' + INTERVAL '1' DAY, 1 = 2, NULL)",
			"_COL1 _COL2 _COL3 _COL4 | -1.0 2026-02-28 true 2026-02-28 01:02:03 | 2.0 NULL false NULL | -1.5 2026-01-02 false NULL"},
		{"SELECT DISTINCT NULL FROM s ORDER BY 1", "_COL1 | NULL"},
	}.check(t)
}

func TestWith(t *testing.T) {
	results{
		{"WITH a AS (SELECT x FROM s WHERE id < 3), b (y) AS (SELECT x + 1 FROM a) SELECT y FROM b", "Y | 51 | 81"},
		{"WITH s AS (SELECT 1 AS one) SELECT * FROM s", "ONE | 1"}, // hides the table
		{"WITH a AS (SELECT 1 AS x) SELECT * FROM (WITH a AS (SELECT x + 1 AS x FROM a) SELECT * FROM a)", "X | 2"},
		{"WITH a AS (SELECT 5 AS x) SELECT (SELECT MAX(x) FROM a), x FROM a", "_COL1 X | 5 5"},
		{"WITH a AS (VALUES (1), (2)) SELECT _COL1 FROM a UNION ALL SELECT _COL1 + 2 FROM a", "_COL1 | 1 | 2 | 3 | 4"},
	}.check(t)
}

func TestSubqueries(t *testing.T) {
	results{
		{"SELECT id FROM s WHERE x = (SELECT MAX(x) FROM s)", "ID | 2"},
		{"SELECT id FROM s WHERE id IN (SELECT v FROM g WHERE k = 'b')", "ID | 2 | 5"},
		{"SELECT id FROM s WHERE id NOT IN (SELECT v FROM g WHERE k = 'b')", "ID | 1 | 3 | 4"},
		{"SELECT id FROM s WHERE id NOT IN (SELECT v FROM g)", "ID"}, // a NULL in the list: never TRUE
		{"SELECT id FROM s WHERE EXISTS (SELECT * FROM e) OR id = 1", "ID | 1"},
		{"SELECT (SELECT v FROM e), (VALUES (3))", "_COL1 _COL2 | NULL 3"},
		{"SELECT k, COUNT(*) + (SELECT 10 FROM s WHERE id = 1) FROM g GROUP BY k HAVING COUNT(*) > (SELECT 1)", "K _COL2 | a 12 | b 12 | NULL 12"},
		{"SELECT x FROM (SELECT id, x FROM s) AS d WHERE d.x > 70", "X | 80"},
	}.check(t)
	refuse(t, []refusal{{"SELECT (SELECT x FROM s) FROM s", "runtime", "EVAL-1", "(SELECT x FROM s)", "5 rows"}})
	if e := failure(t, "SELECT (SELECT x FROM s) FROM s"); e.SQLSTATE != "21000" {
		t.Errorf("SQLSTATE %s", e.SQLSTATE)
	}
}
