package query_test

import (
	"testing"
)

// NAME-1: unknown and ambiguous names, with suggestions.
func TestNAME1(t *testing.T) {
	refuse(t, []refusal{
		{"SELECT y FROM t", "semantic", "NAME-1", "y", "the columns are: ID, X"},
		{"SELECT idd FROM t", "semantic", "NAME-1", "idd", "did you mean ID?"},
		{`SELECT "x" FROM t`, "semantic", "NAME-1", `"x"`, "write X without quotes"}, // GRAM-10
		{"SELECT t.y FROM t", "semantic", "NAME-1", "y", "the columns are"},
		{"SELECT u.x FROM t", "semantic", "NAME-1", "u.x", "called T"},
		{"SELECT t.x FROM t AS a", "semantic", "NAME-1", "t.x", "called A"},
		{"SELECT t.x FROM (SELECT 1 AS x)", "semantic", "NAME-1", "t.x", "leave the qualifier out"},
		{"SELECT a.b.x FROM t", "semantic", "NAME-1", "a.b.x", "too many parts"},
		{"SELECT u.* FROM t", "semantic", "NAME-1", "u.*", "called T"},
		{"SELECT x FROM (SELECT 1 AS x, 2 AS x) AS d", "semantic", "NAME-1", "x FROM (", "ambiguous"},
		{"SELECT x", "semantic", "NAME-1", "x", "no FROM"},
		{"SELECT *", "semantic", "SQL-1", "*", "FROM"},
		{"VALUES (x)", "semantic", "NAME-1", "x", "no FROM"},
		{"SELECT x FROM tt", "semantic", "NAME-1", "tt", "did you mean T?"},
		{`SELECT x FROM "t"`, "semantic", "NAME-1", `"t"`, "write T without quotes"},
		{"WITH aaa AS (SELECT 1 AS x) SELECT x FROM zzzz", "semantic", "NAME-1", "zzzz", "the tables are: AAA, E, G, S, T"},
		{"SELECT x FROM (SELECT x FROM later) AS a", "semantic", "NAME-1", "later", "no table LATER"},
		{"SELECT x + 1 AS y FROM t WHERE y > 1", "semantic", "NAME-1", "y > 1", "alias"},
		{"SELECT x + 1 AS y FROM t GROUP BY y", "semantic", "NAME-1", "y", "alias"},
		{"SELECT x AS a, id AS a FROM t ORDER BY a", "semantic", "NAME-1", "a", "several times"},
		{"SELECT nosuch(x) FROM t", "semantic", "NAME-1", "nosuch", "no function NOSUCH"},
		{"SELECT x FROM t UNION ALL SELECT 1 ORDER BY id", "semantic", "NAME-1", "id", "of the result only: X"},
		{"SELECT DISTINCT x FROM t ORDER BY id", "semantic", "NAME-1", "id", "select list only"},
		{"SELECT t.x FROM t " + clause, "semantic", "NAME-1", "t.x", "leave the qualifier out"},
		{"SELECT m.q FROM t " + clause + " AS m", "semantic", "NAME-1", "q", "the columns are: M"},
	}) // the last two: only the output name qualifies (GRAM-12)
}

// SQL-1 and TYPE-1: rules of the outer query.
func TestOuterRules(t *testing.T) {
	refuse(t, []refusal{
		{"SELECT x, COUNT(*) FROM t", "semantic", "SQL-1", "x,", "neither grouped"},
		{"SELECT * FROM t GROUP BY id", "semantic", "SQL-1", "*", "X is neither"},
		{"SELECT id + x FROM t GROUP BY id", "semantic", "SQL-1", "x FROM", "MIN(X)"},
		{"SELECT x + 2 FROM t GROUP BY x + 1", "semantic", "SQL-1", "x + 2", "grouped"},
		{"SELECT id FROM t GROUP BY id HAVING x > 1", "semantic", "SQL-1", "x > 1", "grouped"},
		{"SELECT id FROM t GROUP BY id ORDER BY x", "semantic", "SQL-1", "x", "grouped"},
		{"SELECT SUM(SUM(x)) FROM t", "semantic", "SQL-1", "SUM(x)", "not allowed here"},
		{"SELECT id FROM t WHERE SUM(x) > 1", "semantic", "SQL-1", "SUM", "WHERE"},
		{"SELECT 1 FROM t GROUP BY SUM(x)", "semantic", "SQL-1", "SUM", "GROUP BY"},
		{"SELECT x FROM t WHERE x", "semantic", "SQL-1", "x", "boolean"},
		{"SELECT 1 FROM t HAVING COUNT(*)", "semantic", "SQL-1", "COUNT", "boolean"},
		{"SELECT x FROM t ORDER BY 2", "semantic", "SQL-1", "2", "1 column;"},
		{"SELECT x FROM t ORDER BY 0", "semantic", "SQL-1", "0", "from 1"},
		{"SELECT x FROM t AS a (b)", "semantic", "GRAM-12", "b", "1 name, the table 2 columns"},
		{"SELECT b FROM t AS a (b, b)", "semantic", "GRAM-12", "b)", "twice"},
		{"WITH a (b, c, d) AS (SELECT * FROM t) SELECT 1 FROM a", "semantic", "GRAM-12", "b, c", "3 names"},
		{"WITH a AS (SELECT 1), a AS (SELECT 2) SELECT 1", "semantic", "SQL-1", "a AS (SELECT 2", "two items"},
		{"VALUES (1, 2), (3)", "semantic", "SQL-1", "(3)", "2"},
		{"VALUES (1), ('a')", "semantic", "TYPE-1", "'a'", "CAST"},
		{"SELECT 1 UNION ALL SELECT 1, 2", "semantic", "SQL-1", "SELECT 1, 2", "2 columns"},
		{"SELECT 1 UNION ALL SELECT DATE '2026-01-01'", "semantic", "TYPE-1", "SELECT DATE", "CAST"},
		{"SELECT (SELECT id, x FROM t)", "semantic", "SQL-1", "(SELECT", "2 columns"},
		{"SELECT 1 WHERE 1 IN (SELECT 'a')", "semantic", "TYPE-1", "IN", ""},
		{"SELECT x + 'a' FROM t", "semantic", "TYPE-1", "+", ""},
		{"SELECT m FROM t WHERE CURRENT_DATE > DATE '2026-01-01'", "semantic", "NAME-1", "m", ""},
		{"SELECT 1 / (id - 1) FROM t", "runtime", "EVAL-1", "/", ""},
		{"SELECT x FROM t ORDER BY 1 / (x - 50)", "runtime", "EVAL-1", "/", ""},
		{"SELECT SUM(1 / (id - 1)) FROM t", "runtime", "EVAL-1", "/", ""},
	})
}

// NEST-5: what belongs to MEASURES and DEFINE stands nowhere else.
func TestNEST5(t *testing.T) {
	refuse(t, []refusal{
		{"SELECT PREV(x) FROM t", "semantic", "NEST-5", "PREV", "MEASURES and DEFINE"},
		{"SELECT x FROM t WHERE NEXT(x) > 1", "semantic", "NEST-5", "NEXT", "MEASURES and DEFINE"},
		{"SELECT FIRST(x) FROM t", "semantic", "NEST-5", "FIRST", "MEASURES and DEFINE"},
		{"SELECT x FROM t ORDER BY LAST(x)", "semantic", "NEST-5", "LAST", "MEASURES and DEFINE"},
		{"SELECT CLASSIFIER() FROM t " + clause, "semantic", "NEST-5", "CLASSIFIER", "MEASURES and DEFINE"},
		{"SELECT MATCH_NUMBER() FROM t " + clause, "semantic", "NEST-5", "MATCH_NUMBER", "MEASURES and DEFINE"},
		{"SELECT RUNNING SUM(x) FROM t", "semantic", "NEST-5", "RUNNING", "MEASURES and DEFINE"},
		{"SELECT FINAL COUNT(*) FROM t", "semantic", "NEST-5", "FINAL", "MEASURES and DEFINE"},
		{"SELECT COUNT(t.*) FROM t", "semantic", "NEST-5", "COUNT", "MEASURES and DEFINE"},
		{"SELECT 1 FROM t GROUP BY PREV(x)", "semantic", "NEST-5", "PREV", "MEASURES and DEFINE"},
		{"SELECT SUM(PREV(x)) FROM t", "semantic", "NEST-5", "PREV", "MEASURES and DEFINE"},
		{"VALUES (CLASSIFIER())", "semantic", "NEST-5", "CLASSIFIER", "MEASURES and DEFINE"},
	})
}
