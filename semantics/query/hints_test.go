package query_test

import (
	"strings"
	"testing"
)

// Names that a block does not know, though the statement has them elsewhere.
func TestScopeHints(t *testing.T) {
	const recognition = " MATCH_RECOGNIZE (ORDER BY id MEASURES LAST(x) AS m PATTERN (A+) DEFINE A AS x > 60)"
	const window = "(ORDER BY id MEASURES LAST(x) AS m ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS TRUE)"
	for _, c := range []struct{ sql, message, hint string }{
		// WIN-7
		{"SELECT m FROM t WINDOW w AS " + window, "no column M", "M is a measure of the window W: write M OVER W"},
		{"SELECT m OVER w FROM t WINDOW w AS (ORDER BY id)", "defines no measure M", "MEASURES expression AS M"},
		// GRAM-14
		{"SELECT 1 AS a FROM t WINDOW w AS (b ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING PATTERN (A) DEFINE A AS TRUE), b AS (ORDER BY id)",
			"there is no window B", "move the definition of B before this one"},
		// OUT-1, GRAM-12
		{"SELECT x FROM t" + recognition, "no column X", "ONE ROW PER MATCH"},
		{"SELECT t.m FROM t" + recognition + " AS r", "T is not the name", "not in view outside (GRAM-12): write R"},
		{"SELECT A.x FROM t" + recognition, "A is not the name", "A is a row pattern variable"},
		// WIN-1
		{"SELECT COUNT(*) OVER w FROM t WINDOW w AS (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING PATTERN (A) DEFINE A AS TRUE)",
			"must begin at the current row, not at 3 PRECEDING", "ROWS BETWEEN CURRENT ROW"},
		{"SELECT COUNT(*) OVER w FROM t WINDOW w AS (ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING EXCLUDE CURRENT ROW PATTERN (A) DEFINE A AS TRUE)",
			"EXCLUDE CURRENT ROW is not allowed", "EXCLUDE NO OTHERS"},
		// DEF-13
		{"SELECT m FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES 1 AS m PATTERN (A) DEFINE A AS EXISTS (SELECT 1 FROM s WHERE A.x > 1))",
			"A.X of the row pattern", "take A.X out of the subquery"},
	} {
		e := failure(t, c.sql)
		if !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s\nsays: %v\nmust say %q and tell %q", c.sql, e, c.message, c.hint)
		}
	}
}

// SQL-1: misspelt and missing keywords around the clause.
func TestKeywordHints(t *testing.T) {
	for sql, hint := range map[string]string{
		"SELECT x FORM t":                               "did you mean FROM for FORM?",
		"SELECT x FROM t WERE x > 1":                    "did you mean WHERE for WERE?",
		"SELCT x FROM t":                                "did you mean SELECT?",
		"SELECT x FROM t ORDERBY x":                     "ORDER BY as two words",
		"SELECT x FROM t ORDER x":                       "write ORDER BY",
		"SELECT x FROM t a b":                           "a comma or a keyword before it",
		"SELECT x FROM t ORDER BY":                      "write behind ORDER BY",
		"SELECT x, x, FROM t":                           "remove the comma",
		"SELECT , x FROM t":                             "behind SELECT",
		"SELECT x FROM t WHERE x >":                     "behind >",
		"SELECT x FROM t WHERE (x > 1":                  "closing parenthesis",
		"SELECT x FROM t WHERE x > 1)":                  "one closing parenthesis too many",
		"SELECT x FROM t UNION ALL":                     "one more query behind UNION ALL",
		"WITH a AS (SELECT 1)":                          "SELECT behind the items of WITH",
		"SELECT x FROM t FETCH 3 ROWS":                  "FETCH FIRST 10 ROWS ONLY",
		"SELECT CASE WHEN x > 1 THEN 1 FROM t":          "CASE WHEN condition THEN value",
		"SELECT x FROM t MATCH_RECOGNISE (PATTERN (A))": "did you mean MATCH_RECOGNIZE?",
		"SELECT x FROM t MATCH RECOGNIZE (PATTERN (A))": "one word",
		"SELECT NTH_VALUE(x) OVER w FROM t WINDOW w AS (ORDER BY id ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING PATTERN (A) DEFINE A AS TRUE)": "NTH_VALUE(x, n)",
	} {
		if e := failure(t, sql); !strings.Contains(e.Hint, hint) {
			t.Errorf("%s\nsays: %v\nmust tell %q", sql, e, hint)
		}
	}
}
