package query_test

import (
	"strings"
	"testing"
)

const clause = "MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(x) AS m PATTERN (A+) DEFINE A AS x > 60)"

// SQL-1: other statements and what is outside, stage unsupported.
func TestSQL1Unsupported(t *testing.T) {
	refuse(t, []refusal{
		{"CREATE TABLE a (b int)", "unsupported", "SQL-1", "CREATE", "--table"},
		{"INSERT INTO t VALUES (1)", "unsupported", "SQL-1", "INSERT", "queries only"},
		{"  EXPLAIN SELECT 1", "unsupported", "SQL-1", "EXPLAIN", "explain"},
		{"update t set x = 1", "unsupported", "SQL-1", "update", "UPDATE"},
		{"SHOW TABLES", "unsupported", "SQL-1", "SHOW", "query"},
		{"SELECT * FROM t JOIN s ON t.id = s.id", "unsupported", "SQL-1", "JOIN", "joins"},
		{"SELECT * FROM t LEFT OUTER JOIN s ON 1 = 1", "unsupported", "SQL-1", "LEFT", "joins"},
		{"SELECT * FROM t, s", "unsupported", "SQL-1", ", s", "one table"},
		{"SELECT * FROM t CROSS JOIN s", "unsupported", "SQL-1", "CROSS", "joins"},
		{"SELECT * FROM t NATURAL JOIN s", "unsupported", "SQL-1", "NATURAL", "joins"},
		{"SELECT * FROM t a JOIN s " + clause, "unsupported", "SQL-1", "JOIN", "GRAM-13"},
		{"SELECT * FROM t " + clause + " AS m JOIN s ON 1 = 1", "unsupported", "SQL-1", "JOIN", "file"},
		{"SELECT * FROM (SELECT * FROM t, s) AS d", "unsupported", "SQL-1", ", s", "joins"},
		{"SELECT 1 UNION SELECT 2", "unsupported", "SQL-1", "UNION", "SELECT DISTINCT"},
		{"SELECT 1 UNION DISTINCT SELECT 2", "unsupported", "SQL-1", "UNION", "SELECT DISTINCT"},
		{"SELECT 1 INTERSECT SELECT 2", "unsupported", "SQL-1", "INTERSECT", "IN (SELECT"},
		{"SELECT 1 EXCEPT SELECT 2", "unsupported", "SQL-1", "EXCEPT", "IN"},
		{"SELECT 1 UNION ALL BY NAME SELECT 2", "unsupported", "SQL-1", "BY NAME", "column names"},
		{"SELECT * FROM t TABLESAMPLE BERNOULLI (10)", "unsupported", "SQL-1", "TABLESAMPLE", "sample"},
		{"SELECT * FROM t AS a TABLESAMPLE SYSTEM (10)", "unsupported", "SQL-1", "TABLESAMPLE", "sample"},
		{"SELECT * FROM LATERAL (SELECT 1)", "unsupported", "SQL-1", "LATERAL", "derived table"},
		{"SELECT * FROM UNNEST(ARRAY[1, 2])", "unsupported", "SQL-1", "UNNEST", "table function"},
		{"SELECT * FROM generate_series(1, 9) AS g", "unsupported", "SQL-1", "generate_series", "table function"},
		{"SELECT * FROM public.t", "unsupported", "SQL-1", "public", "schema"},
		{"SELECT * FROM t FOR SYSTEM_TIME AS OF DATE '2026-01-01'", "unsupported", "SQL-1", "FOR", "SYSTEM_TIME"},
		{"SELECT x FROM t GROUP BY GROUPING SETS ((x), ())", "unsupported", "SQL-1", "GROUPING", "UNION ALL"},
		{"SELECT x FROM t GROUP BY ROLLUP (x)", "unsupported", "SQL-1", "ROLLUP", "UNION ALL"},
		{"SELECT x FROM t GROUP BY x, CUBE (id)", "unsupported", "SQL-1", "CUBE", "UNION ALL"},
		{"SELECT COUNT(*) FROM t GROUP BY ()", "unsupported", "SQL-1", "()", "grouping sets"},
		{"SELECT x FROM t GROUP BY DISTINCT x", "unsupported", "SQL-1", "DISTINCT", "GROUP BY"},
		{"SELECT x FROM t FETCH FIRST 3 ROWS WITH TIES", "unsupported", "SQL-1", "WITH TIES", "ONLY"},
		{"SELECT x FROM t FETCH FIRST 3 PERCENT ROWS ONLY", "unsupported", "SQL-1", "PERCENT", "number of rows"},
		{"SELECT x FROM t FOR UPDATE", "unsupported", "SQL-1", "FOR", "UPDATE"},
		{"SELECT x INTO y FROM t", "unsupported", "SQL-1", "INTO", "INTO"},
		{"WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a", "unsupported", "SQL-1", "RECURSIVE", "RECURSIVE"},
		{"SELECT t.* AS (a, b) FROM t", "unsupported", "SQL-1", "AS (", "column list"},
		{"SELECT x FROM t AS a (x int)", "unsupported", "SQL-1", "int", "types"},
		{"SELECT (SELECT s.x FROM s WHERE s.id = t.id) FROM t", "unsupported", "SQL-1", "t.id", "correlated"},
		{"SELECT x FROM t WHERE EXISTS (SELECT * FROM g WHERE v = id)", "unsupported", "SQL-1", "id)", "correlated"},
		{"SELECT x FROM t WHERE EXISTS (SELECT 1 FROM (SELECT * FROM g WHERE v = t.x) AS d)", "unsupported", "SQL-1", "t.x", "correlated"},
		{"SELECT x FROM t WHERE x > ALL (SELECT x FROM s)", "unsupported", "SQL-1", "ALL", "EXISTS"},
	})
}

// SQL-1: what the standard's grammar does not have, by the name of the product
// that has it.
func TestSQL1ForeignForms(t *testing.T) {
	refuse(t, []refusal{
		{"SELECT TOP 10 x FROM t", "syntax", "SQL-1", "TOP", "FETCH FIRST"},
		{"SELECT TOP (10) x FROM t", "syntax", "SQL-1", "TOP", "FETCH FIRST"},
		{"SELECT x FROM t LIMIT 5, 10", "syntax", "SQL-1", ", 10", "OFFSET a ROWS FETCH FIRST b ROWS ONLY"},
		{"SELECT x FROM t QUALIFY x > 1", "syntax", "SQL-1", "QUALIFY", "derived table"},
		{"SELECT x FROM t WHERE x > 0 QUALIFY ROW_NUMBER() OVER (ORDER BY x) = 1", "syntax", "SQL-1", "QUALIFY", "derived table"},
		{"SELECT m FROM t " + clause + " QUALIFY m > 1", "syntax", "SQL-1", "QUALIFY", "derived table"},
		{"SELECT DISTINCT ON (x) x FROM t", "syntax", "SQL-1", "ON", "PostgreSQL"},
		{"SELECT x FROM t WHERE x != 1", "syntax", "LEX-1", "!=", "<>"},
		{"SELECT x::bigint FROM t", "syntax", "LEX-1", "::", "CAST"},
		{"SELECT `x` FROM t", "syntax", "LEX-1", "`", "double quotes"},
		{"FROM t SELECT x", "syntax", "SQL-1", "FROM", "DuckDB"},
		{"SELECT * EXCEPT (x) FROM t", "syntax", "SQL-1", "EXCEPT", "list the columns"},
		{"SELECT * EXCLUDE x FROM t", "syntax", "SQL-1", "EXCLUDE", "list the columns"},
		{"SELECT x FROM t MINUS SELECT x FROM s", "syntax", "SQL-1", "MINUS", "Oracle"},
		{"SELECT x FROM t GROUP BY ALL", "syntax", "SQL-1", "ALL", "list the columns"},
		{"SELECT x FROM t ORDER BY ALL", "syntax", "SQL-1", "ALL", "DuckDB"},
		{"SELECT x FROM t GROUP BY x WITH ROLLUP", "syntax", "SQL-1", "WITH ROLLUP", "MySQL"},
		{"SELECT x FROM 't.csv'", "syntax", "SQL-1", "'t.csv'", `"t.csv"`},
		{"SELECT x AS 'y' FROM t", "syntax", "SQL-1", "'y'", `"y"`},
		{"SELECT x FROM VALUES (1)", "syntax", "SQL-1", "VALUES", "FROM (VALUES"},
		{"SELECT x FROM SELECT 1", "syntax", "SQL-1", "SELECT 1", "FROM (SELECT"},
		{"VALUES 1, 2", "syntax", "SQL-1", "1", "VALUES (1), (2)"},
		{"VALUES (DEFAULT)", "syntax", "SQL-1", "DEFAULT", "INSERT"},
		{"SELECT x FROM t PIVOT (SUM(x) FOR y IN (1))", "syntax", "SQL-1", "PIVOT", "CASE"},
		{"SELECT x FROM t ASOF JOIN s ON 1 = 1", "syntax", "SQL-1", "ASOF", "joins"},
		{"SELECT x FROM t WITH (NOLOCK)", "syntax", "SQL-1", "WITH", "SQL Server"},
		{"SELECT x FROM t CONNECT BY PRIOR x = id", "syntax", "SQL-1", "CONNECT", "Oracle"},
		{"SELECT x FROM t LIMIT 3 BY id", "syntax", "SQL-1", "BY", "FETCH FIRST"},
		{"WITH a AS MATERIALIZED (SELECT 1) SELECT * FROM a", "syntax", "SQL-1", "MATERIALIZED", "PostgreSQL"},
		{"SELECT x FROM t WHERE ts > INTERVAL '5 minutes'", "syntax", "SQL-1", "", "INTERVAL '5' MINUTE"},
		{"SELECT x FROM t ORDER BY x USING <", "syntax", "SQL-1", "USING", "ASC"},
		{"SELECT x FROM t GROUP BY 1", "semantic", "SQL-1", "1", "repeat the expression"},
		{"SELECT x FROM t ORDER BY 'x'", "semantic", "SQL-1", "'x'", "name a column"},
	})
}

// SQL-1: the shape of a statement.
func TestSQL1Syntax(t *testing.T) {
	refuse(t, []refusal{
		{"", "syntax", "SQL-1", "", "empty"},
		{" -- nothing\n", "syntax", "SQL-1", "", "empty"},
		{";", "syntax", "SQL-1", ";", "semicolon"},
		{"SELECT 1;;", "syntax", "SQL-1", ";", "one semicolon"},
		{"SELECT 1; SELECT 2", "syntax", "SQL-1", "SELECT 2", "one statement"},
		{"SELECT 1 SELECT 2", "syntax", "SQL-1", "SELECT 2", "UNION ALL"},
		{"SELEC 1", "syntax", "SQL-1", "SELEC", "a query"},
		{"SELECT", "syntax", "SQL-1", "", "expression"},
		{"SELECT x, FROM t", "syntax", "SQL-1", "FROM", "comma"},
		{"SELECT FROM t", "syntax", "GRAM-15", "FROM", "FROM"},
		{"SELECT x FROM", "syntax", "SQL-1", "", "the name of a table"},
		{"SELECT x FROM WHERE x = 1", "syntax", "GRAM-15", "WHERE", "name"},
		{"SELECT x FROM t ORDER BY x WHERE x = 1", "syntax", "SQL-1", "WHERE", "the order is"},
		{"SELECT x FROM t WHERE x = 1 WHERE x = 2", "syntax", "SQL-1", "WHERE x = 2", "at most once"},
		{"SELECT x FROM t LIMIT 1 LIMIT 2", "syntax", "SQL-1", "LIMIT 2", "at most once"},
		{"SELECT x FROM t GROUP x", "syntax", "SQL-1", "x", "BY"},
		{"SELECT x FROM (SELECT x FROM t", "syntax", "SQL-1", "", ")"},
		{"SELECT x FROM (t)", "syntax", "SQL-1", "t)", "a query after"},
		{"SELECT (SELECT x FROM t", "syntax", "SQL-1", "(SELECT", "not closed"},
		{"SELECT x FROM t)", "syntax", "SQL-1", ")", "too many"},
		{"SELECT x FROM t LIMIT -1", "syntax", "SQL-1", "-1", "sign"},
		{"SELECT x FROM t LIMIT 1.5", "syntax", "SQL-1", "1.5", "integer"},
		{"SELECT x FROM t LIMIT x", "syntax", "SQL-1", "x", "number of rows"},
		{"SELECT x FROM t OFFSET 1 + 1 ROWS", "syntax", "SQL-1", "1 + 1", "expression"},
		{"SELECT x FROM t FETCH 3 ROWS ONLY", "syntax", "SQL-1", "3", "FIRST"},
		{"SELECT x FROM t FETCH FIRST 3 ROWS", "syntax", "SQL-1", "", "ONLY"},
		{"SELECT x FROM t ORDER BY x NULLS", "syntax", "SQL-1", "", "FIRST or LAST"},
		{"SELECT x FROM t ORDER BY x UNION ALL SELECT 1", "syntax", "SQL-1", "UNION", "parentheses"},
		{"SELECT x AS order FROM t", "syntax", "GRAM-15", "order", `"ORDER"`},
		{"SELECT x select FROM t", "syntax", "SQL-1", "select", "UNION ALL"},
		{"WITH a SELECT 1", "syntax", "SQL-1", "SELECT", "AS"},
		{"WITH a AS SELECT 1", "syntax", "SQL-1", "SELECT", "( and a query"},
		{"WITH a AS (SELECT 1)", "syntax", "SQL-1", "", "a query"},
		{"SELECT x FROM t WINDOW w (ORDER BY x)", "syntax", "SQL-1", "(", "AS"},
		{"SELECT x FROM t WINDOW w AS ORDER BY x", "syntax", "SQL-1", "ORDER", "window specification"},
		{clause, "syntax", "SQL-1", "MATCH_RECOGNIZE", "SELECT * FROM table"},
		{"SELECT * FROM " + clause, "syntax", "SQL-1", "MATCH_RECOGNIZE", "no table before it"},
		{"SELECT * FROM t WHERE x > 1 " + clause, "syntax", "GRAM-13", "MATCH_RECOGNIZE", "derived table"},
		{"SELECT * FROM t " + strings.TrimSuffix(clause, " DEFINE A AS x > 60)") + " DEFINE A AS TRUE) DEFINE B AS TRUE", "syntax", "GRAM-1", "DEFINE B", "inside the parentheses"},
		{"SELECT * FROM t WHERE (VALUES (1), (2)", "syntax", "SQL-1", "(VALUES", "not closed"},
	})
	if e := failure(t, "VALUES (DATE '2026-02-30')"); e.Rule != "LEX-1" || e.SQLSTATE != "22008" || e.Pos.Offset != 8 {
		t.Errorf("%v", e)
	}
	refuse(t, []refusal{{"SELECT value FROM t", "syntax", "GRAM-15", "value", `"VALUE"`}}, "GRAM-15=alternative")
}

// Chapter 13: syntax errors come first, then the smallest position; a later
// syntax error hides a semantic one, an earlier one inside a subquery a later one.
func TestOrderOfErrors(t *testing.T) {
	refuse(t, []refusal{
		{"SELECT nosuch FROM t ORDER x", "syntax", "SQL-1", "x", "BY"},
		{"SELECT COUNT(*), nosuch FROM nowhere", "semantic", "SQL-1", "nosuch", "grouped"},
		{"SELECT bad1 FROM t WHERE bad2 = 1", "semantic", "NAME-1", "bad1", "bad1"[:0]},
		{"SELECT x FROM t WHERE bad2 = 1 ORDER BY bad3", "semantic", "NAME-1", "bad2", "column"},
		{"SELECT (SELECT x FROM), x FROM t ORDER x", "syntax", "SQL-1", "), x", "the name of a table"},
		{"SELECT * FROM t MATCH_RECOGNIZE (MEASURES (SELECT 1 1) AS m PATTERN () DEFINE A AS TRUE)", "syntax", "SQL-1", "1)", ")"},
		{"SELECT * FROM t MATCH_RECOGNIZE (MEASURES LAST(nosuch) AS m PATTERN () DEFINE A AS TRUE)", "syntax", "PAT-6", ")", ""},
		{"SELECT COUNT(*) OVER (ORDER id), x x x FROM t", "syntax", "GRAM-1", "ORDER", ""},
		{"SELECT (SELECT 1 FROM), x FROM t JOIN s ON 1 = 1", "syntax", "SQL-1", "), x", "the name of a table"},
		{"SELECT CAST(x AS nosuch), bad FROM t", "semantic", "TYPE-1", "nosuch", ""},
		{"SELECT CAST(x AS nosuch) FROM t ORDER x", "syntax", "SQL-1", "x", "BY"},
		{"SELECT x FROM t WHERE x = 'a' AND nosuch = 1", "semantic", "TYPE-1", "=", ""},
	})
}

// Errors do not cascade: an input in error makes its columns untyped.
func TestNoCascades(t *testing.T) {
	refuse(t, []refusal{
		{"SELECT x + 1, y FROM (SELECT bad AS x FROM t) AS d WHERE x > 'a'", "semantic", "NAME-1", "y FROM", "the columns are: X"},
		{"SELECT a, SUM(b) FROM nowhere", "semantic", "SQL-1", "a,", "neither grouped"},
		{"SELECT * FROM nowhere " + clause, "semantic", "NAME-1", "nowhere", "the tables are: E, G, S, T"},
		{"WITH RECURSIVE a AS (SELECT 1) SELECT b FROM a", "unsupported", "SQL-1", "RECURSIVE", ""},
	})
}
