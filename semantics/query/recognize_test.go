package query_test

import (
	"context"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// The data of table T: 90 80 70 80 90 50 40 60. Rising runs behind a fall, by
// A B+ C+: rows 1 to 5 and 6 to 8.
const vShape = "MATCH_RECOGNIZE (ORDER BY id MEASURES MATCH_NUMBER() AS mn, FIRST(id) AS f, LAST(id) AS l " +
	"PATTERN (A B+ C+) DEFINE B AS x < PREV(x), C AS x > PREV(x))"

// Recognition inside a query (GRAM-12, GRAM-13, OUT-1, OUT-2).
func TestRecognitionInQuery(t *testing.T) {
	results{
		{"SELECT * FROM t " + vShape, "MN F L | 1 1 5 | 2 6 8"},
		{"SELECT m.*, m.l - f AS len FROM t " + vShape + " AS m WHERE mn > 1", "MN F L LEN | 2 6 8 2"},
		{"SELECT \"m\".a FROM t " + vShape + ` "m" (a, b, c) ORDER BY c DESC`, "A | 2 | 1"},
		{"SELECT SUM(l - f), MAX(mn) FROM t " + vShape, "_COL1 _COL2 | 6 2"},
		{"SELECT * FROM t AS i " + "MATCH_RECOGNIZE (PARTITION BY i.x ORDER BY i.id MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS TRUE) ORDER BY x LIMIT 2",
			"X N | 40 1 | 50 1"},
		{"SELECT * FROM (SELECT id, x FROM t WHERE id > 5) " + vShape, "MN F L | 1 6 8"},
		{"SELECT l FROM (VALUES (1, 9), (2, 8), (3, 9)) AS v (id, x) " + vShape, "L | 3"},
		{"WITH w AS (SELECT * FROM t WHERE id < 6) SELECT l FROM w " + vShape, "L | 5"},
		{"SELECT * FROM t AS q (a, b) MATCH_RECOGNIZE (ORDER BY q.a MEASURES b AS b ALL ROWS PER MATCH PATTERN (Z) DEFINE Z AS b < 50) AS m (k, v, w)", "K V W | 7 40 40"},
		{"SELECT f, 'x' FROM t " + vShape + " UNION ALL SELECT mn, 'y' FROM t " + vShape, "F _COL2 | 1 x | 6 x | 1 y | 2 y"},
	}.check(t)
}

// GRAM-13: recognition over recognition, through a derived table or WITH; and a
// window over a recognition.
func TestGRAM13Recognitions(t *testing.T) {
	const second = " MATCH_RECOGNIZE (ORDER BY mn MEASURES COUNT(*) AS n, LAST(l) AS last PATTERN (M+) DEFINE M AS f > 0)"
	results{
		{"SELECT * FROM (SELECT * FROM t " + vShape + ") AS d" + second, "N LAST | 2 8"},
		{"SELECT * FROM (SELECT * FROM t " + vShape + ")" + second, "N LAST | 2 8"},
		{"WITH d AS (SELECT * FROM t " + vShape + ") SELECT z.last FROM d" + second + " AS z", "LAST | 8"},
		{"SELECT mn, COUNT(*) OVER (ORDER BY mn ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (P+) DEFINE P AS l > 0) AS n FROM t " + vShape, "MN N | 1 2 | 2 0"},
	}.check(t)
	refuse(t, []refusal{
		{"SELECT * FROM t " + vShape + second, "syntax", "GRAM-13", "MATCH_RECOGNIZE (ORDER BY mn", "FROM (SELECT * FROM t MATCH_RECOGNIZE (...)) AS m MATCH_RECOGNIZE"},
		{"SELECT * FROM t " + vShape + " AS m" + second, "syntax", "GRAM-13", "MATCH_RECOGNIZE (ORDER BY mn", "derived table"},
		{"SELECT * FROM t " + vShape + " AS m (a)", "semantic", "GRAM-12", "a)", "3 columns"},
		{"SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id PATTERN (A) DEFINE A AS TRUE)", "semantic", "OUT-1", "MATCH_RECOGNIZE", ""},
		{"SELECT * FROM t AS i MATCH_RECOGNIZE (ORDER BY t.id MEASURES LAST(x) AS m PATTERN (A) DEFINE A AS TRUE)", "semantic", "GRAM-12", "t.id", ""},
		{"SELECT * FROM t AS i MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(x) AS m PATTERN (A) DEFINE A AS i.x > 1)", "semantic", "GRAM-12", "i.x", ""},
		{"SELECT x FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(id) AS x ALL ROWS PER MATCH PATTERN (A) DEFINE A AS TRUE)", "semantic", "NAME-1", "x FROM", "ambiguous"}, // GRAM-6
	})
}

// DEF-13: a subquery in MEASURES or DEFINE is a constant.
func TestDEF13Subqueries(t *testing.T) {
	with := func(measure, cond string) string {
		return "SELECT * FROM t AS i MATCH_RECOGNIZE (ORDER BY id MEASURES " + measure + " AS m PATTERN (A+) SUBSET U = (A) DEFINE A AS " + cond + ")"
	}
	results{
		{with("LAST(id)", "x > (SELECT AVG(x) FROM t)"), "M | 2 | 5"}, // average 70: rows 1, 2 and 4, 5
		{with("LAST(id)", "x IN (SELECT x FROM s WHERE x < 75)"), "M | 3 | 6 | 8"},
		{with("LAST(id)", "EXISTS (SELECT * FROM e) OR id > 7"), "M | 8"},
		{with("COUNT(*) + (SELECT MAX(id) FROM s)", "id > 5"), "M | 8"},
		{with("(SELECT x FROM s AS a WHERE a.id = 1)", "id = 1"), "M | 50"}, // A names a table there
		{"WITH q AS (SELECT MAX(l) AS l FROM t " + vShape + ") " + with("LAST(id)", "id = (SELECT l FROM q)"), "M | 8"},
		{"SELECT COUNT(*) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS x < (SELECT MIN(x) + 11 FROM t)) FROM t WHERE id > 4",
			"_COL1 | 0 | 2 | 0 | 0"},
	}.check(t)
	refuse(t, []refusal{
		{with("1", "x > (SELECT MAX(v) FROM g WHERE v < A.x)"), "semantic", "DEF-13", "A.x", "A.X"},
		{with("1", "x > (SELECT MAX(v) FROM g WHERE v < U.x)"), "semantic", "DEF-13", "U.x", "U.X"},
		{with("1", "x > (SELECT MAX(v) FROM g WHERE v < x)"), "semantic", "DEF-13", "x))", ""},
		{with("1", "x > (SELECT MAX(v) FROM g WHERE v < i.x)"), "semantic", "DEF-13", "i.x", "input table"},
		{with("(SELECT CLASSIFIER())", "TRUE"), "semantic", "DEF-13", "CLASSIFIER", "CLASSIFIER"},
		{with("(SELECT MATCH_NUMBER() FROM s)", "TRUE"), "semantic", "DEF-13", "MATCH_NUMBER", ""},
		{with("(SELECT MAX(PREV(v)) FROM g)", "TRUE"), "semantic", "DEF-13", "PREV", ""},
		{with("(SELECT MAX(v) FROM g WHERE v = NEXT(v))", "TRUE"), "semantic", "DEF-13", "NEXT", ""},
		{with("(SELECT FIRST(v) FROM g)", "TRUE"), "semantic", "DEF-13", "FIRST", ""},
		{with("(SELECT LAST(A.x) FROM g)", "TRUE"), "semantic", "DEF-13", "LAST", ""},
		{with("(SELECT COUNT(A.*) FROM g)", "TRUE"), "semantic", "DEF-13", "COUNT(A.*)", "COUNT(A.*)"},
		{with("(SELECT FINAL COUNT(*) FROM g)", "TRUE"), "semantic", "DEF-13", "FINAL", "FINAL"},
		{with("1", "EXISTS (SELECT * FROM (SELECT v FROM g WHERE v = A.x) AS d)"), "semantic", "DEF-13", "A.x", ""}, // at any depth
		{with("1", "x > (SELECT nosuch FROM g)"), "semantic", "NAME-1", "nosuch", "column"},
	})
}

// NEST-1 to NEST-4.
func TestNEST1To4(t *testing.T) {
	define := func(cond string) string {
		return "MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(x) AS m PATTERN (A) DEFINE A AS " + cond + ")"
	}
	window := "COUNT(*) OVER (ORDER BY x ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (A) DEFINE A AS TRUE)"
	refuse(t, []refusal{
		{"SELECT * FROM t " + define("x > (SELECT MAX(l) FROM t "+vShape+")"), "semantic", "NEST-1", vShape, "WITH"},
		{"SELECT * FROM t " + define("x > (SELECT 1 FROM (SELECT l FROM (SELECT * FROM t) "+vShape+") AS d)"), "semantic", "NEST-1", vShape, "WITH"},
		{"SELECT * FROM t " + define("EXISTS (SELECT "+window+" FROM s)"), "semantic", "NEST-1", "PATTERN", "WITH"},
		{"SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES (SELECT MAX(l) FROM t " + vShape + ") AS m PATTERN (A) DEFINE A AS TRUE)", "semantic", "NEST-1", vShape, "WITH"},
		{"SELECT * FROM g WHERE EXISTS (SELECT * FROM t " + define("x > g.v") + ")", "semantic", "NEST-2", "g.v", "column of the input"},
		{"SELECT * FROM g WHERE EXISTS (SELECT * FROM t " + define("x > w") + ")", "semantic", "NEST-2", "w)", "outer query"},
		{"SELECT * FROM g WHERE EXISTS (SELECT * FROM t " + define("x > (SELECT MAX(id) FROM s WHERE s.x > g.v)") + ")", "semantic", "NEST-2", "g.v", "outer query"},
		{"SELECT * FROM g WHERE EXISTS (SELECT * FROM t MATCH_RECOGNIZE (MEASURES k AS m PATTERN (A) DEFINE A AS TRUE))", "semantic", "NEST-2", "k AS", "outer query"},
		{"SELECT * FROM g WHERE EXISTS (SELECT * FROM t " + define("x > nosuch") + ")", "semantic", "COL-1", "nosuch", ""},
		{"SELECT (SELECT COUNT(*) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (A) DEFINE A AS g.v > 1) FROM t) FROM g", "semantic", "NEST-2", "g.v", "outer query"},
		{"WITH RECURSIVE r AS (SELECT * FROM t " + vShape + ") SELECT * FROM r", "semantic", "NEST-4", vShape, "RECURSIVE"},
		{"WITH RECURSIVE r AS (SELECT 1), q AS (SELECT " + window + " FROM s) SELECT * FROM r", "semantic", "NEST-4", "PATTERN", "RECURSIVE"},
		{"WITH RECURSIVE r AS (SELECT 1 AS x) SELECT * FROM r " + vShape, "unsupported", "SQL-1", "RECURSIVE", "RECURSIVE"},
	})
}

// Host variables: in expressions, as row counts, as size of a frame.
func TestHostVariables(t *testing.T) {
	runWith := func(sql string, params map[string]scalar.Param) (string, error) {
		o := options(t)
		o.Params = params
		res, err := query.Run(context.Background(), sql, o)
		if err != nil {
			return "", err
		}
		return show(res.Table), nil
	}
	n := func(v value.Value) map[string]scalar.Param {
		return map[string]scalar.Param{"N": {Type: value.TypeBigint, Value: v}}
	}
	for _, c := range []struct{ sql, want string }{
		{"SELECT id FROM t WHERE id > :n LIMIT :n", "ID | 3 | 4"},
		{"SELECT id FROM t OFFSET :n ROWS FETCH FIRST :n ROWS ONLY", "ID | 3 | 4"},
		{"SELECT COUNT(*) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND :n FOLLOWING PATTERN (A+) DEFINE A AS TRUE) AS n FROM s", "N | 3 | 0 | 0 | 2 | 0"},
	} {
		if got, err := runWith(c.sql, n(value.Int(2))); err != nil || got != c.want {
			t.Errorf("%s: %s %v, want %s", c.sql, got, err, c.want)
		}
	}
	for _, c := range []struct {
		sql   string
		v     value.Value
		state string
	}{
		{"SELECT id FROM t LIMIT :n", value.Int(-1), "2201W"},
		{"SELECT id FROM t FETCH FIRST :n ROWS ONLY", value.Null, "2201W"},
		{"SELECT id FROM t OFFSET :n ROWS", value.Int(-1), "2201X"},
	} {
		_, err := runWith(c.sql, n(c.v))
		e := asError(t, err)
		if e.SQLSTATE != c.state || e.Stage.String() != "runtime" || e.Pos.Offset == 0 {
			t.Errorf("%s: %v, want %s", c.sql, e, c.state)
		}
	}
	if e := asError(t, func() error {
		_, err := runWith("SELECT id FROM t LIMIT :n", map[string]scalar.Param{"N": {Type: value.TypeVarchar, Value: value.String("1")}})
		return err
	}()); e.Rule != "TYPE-1" {
		t.Errorf("a string as LIMIT: %v", e)
	}
}
