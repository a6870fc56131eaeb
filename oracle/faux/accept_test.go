package faux

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// nameWitnesses: names that are confused.
var nameWitnesses = []statement{
	// 85: A is undefined and "a" defined; confused, both have the condition of "a".
	{quotedNamesConfused, `SELECT * FROM t MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS c PATTERN (A "a") DEFINE "a" AS x > 5)`,
		[]string{"t(i bigint, x bigint): 1 1; 2 9"}, "a", "nothing"},
	{quotedNamesConfused, `SELECT * FROM t MATCH_RECOGNIZE (MEASURES CLASSIFIER() AS c PATTERN (A "B") DEFINE b AS x > 5)`,
		[]string{"t(i bigint, x bigint): 1 1; 2 9"}, "B", ""},
	// 85: A.x is the x of the first row; captured, that of the current one.
	{aliasTakesVariable, "SELECT * FROM t AS a MATCH_RECOGNIZE (MEASURES A.x AS v PATTERN (A B) DEFINE B AS B.x > 5)",
		[]string{"t(i bigint, x bigint): 1 1; 2 9"}, "1", "9"},
	{aliasTakesVariable, "SELECT * FROM t AS z MATCH_RECOGNIZE (MEASURES A.x AS v PATTERN (A B) DEFINE B AS B.x > 5)",
		[]string{"t(i bigint, x bigint): 1 1; 2 9"}, "1", ""},
	// 22: the variable PERMUTE, which has no condition, takes the first row.
	{permuteOfOne, "SELECT * FROM t MATCH_RECOGNIZE (MEASURES COUNT(*) AS n PATTERN (PERMUTE(A)) DEFINE A AS x > 5)",
		[]string{"t(c bigint, x bigint): 1 1; 2 9"}, "1", "2"},
	{permuteOfOne, "SELECT * FROM t MATCH_RECOGNIZE (MEASURES COUNT(*) AS n PATTERN (PERMUTE(B, A)) DEFINE A AS x > 5, B AS x < 5)",
		[]string{"t(c bigint, x bigint): 1 1; 2 9"}, "2", ""},
}

// TestNameWitnesses: faults of names.
func TestNameWitnesses(t *testing.T) {
	for _, w := range nameWitnesses {
		w.run(t)
	}
}

// accepting is a clause that must be refused, what refuses it, and a near miss:
// another clause that the mutant refuses as well. Both give stage, rule and place.
type accepting struct {
	id            lie
	text, refused string
	near, error   string
}

// acceptWitnesses stand between the parentheses of SELECT * FROM t
// MATCH_RECOGNIZE ( ), or, for windows, of SELECT COUNT(*) OVER ( ) FROM t. The
// places count from there.
var acceptWitnesses = []accepting{
	{patternDropped, "MEASURES 1 AS k PATTERN (A | ) DEFINE A AS x > 1", "syntax PAT-6 30", "MEASURES 1 AS k PATTERN (A{0}) DEFINE A AS x > 1", "semantic PAT-4 27"},
	{patternDropped, "MEASURES 1 AS k PATTERN (A** B) SUBSET U = (A, B) DEFINE A AS x > 1, B AS x = (2)", "syntax PAT-5 28", "MEASURES 1 AS k PATTERN (A) DEFINE A x > 1", "syntax GRAM-1 38"},
	{secondQuantifier, "MEASURES 1 AS k PATTERN (A*+?) DEFINE A AS x > 1", "syntax PAT-5 28", "MEASURES 1 AS k PATTERN (A{2} B | *) DEFINE A AS x > 1", "syntax PAT-5 35"},
	{quantifiersMultiplied, "MEASURES 1 AS k PATTERN (A{2}{3}) DEFINE A AS x > 1", "syntax PAT-5 30", "MEASURES 1 AS k PATTERN (A*? B | *) DEFINE A AS x > 1", "syntax PAT-5 34"},
	{zeroBoundAccepted, "MEASURES 1 AS k PATTERN (A{0}) DEFINE A AS x > 1", "semantic PAT-4 27", "MEASURES 1 AS k PATTERN (A{5,2}) DEFINE A AS x > 1", "semantic PAT-4 27"},
	{crossedBoundsAccepted, "MEASURES 1 AS k PATTERN (A{5,2}) DEFINE A AS x > 1", "semantic PAT-4 27", "MEASURES 1 AS k PATTERN (A{,0}) DEFINE A AS x > 1", "semantic PAT-4 27"},
	{strangerDefined, "MEASURES 1 AS k PATTERN (A) DEFINE B AS x > 1, A AS x > 1", "semantic DEF-2 36", "MEASURES 1 AS k PATTERN (A) DEFINE A AS x > 1, A AS x > 2", "semantic DEF-3 48"},
	{strangerDefined, "MEASURES 1 AS k PATTERN (()) DEFINE A AS x > 1", "semantic DEF-2 37", "MEASURES 1 AS k PATTERN (A) DEFINE A AS y", "semantic COL-1 41"},
	{definedTwice, "MEASURES 1 AS k PATTERN (A) DEFINE A AS x > 1, A AS x > 2", "semantic DEF-3 48", "MEASURES 1 AS k PATTERN (A) DEFINE A AS x > 1, B AS x > 2", "semantic DEF-2 48"},
	{unionDefined, "MEASURES 1 AS k PATTERN (A) SUBSET U = (A) DEFINE U AS x > 1", "semantic DEF-4 51", "MEASURES 1 AS k PATTERN (A) SUBSET U = (A) DEFINE V AS x > 1", "semantic DEF-2 51"},
	{finalInDefine, "MEASURES 1 AS k PATTERN (A) DEFINE A AS FINAL LAST(x) > 1", "semantic DEF-7 41", "MEASURES FINAL PREV(x) AS k PATTERN (A) DEFINE A AS x > 1", "syntax MEA-1 10"},
	{mixedNavigation, "MEASURES LAST(A.x + B.x + x) AS k PATTERN (A B) DEFINE A AS x > 1", "semantic COL-2 21", "MEASURES SUM(A.x + B.x) AS k PATTERN (A B) DEFINE A AS x > 1", "semantic COL-2 20"},
	{mixedNavigation, "MEASURES LAST(CLASSIFIER() || CLASSIFIER(A)) AS k PATTERN (A B) DEFINE A AS x > 1", "semantic COL-2 31", "MEASURES SUM(x + B.x) AS k PATTERN (A B) DEFINE A AS x > 1", "semantic COL-2 18"},
	{mixedAggregate, "MEASURES SUM(A.x + B.x) AS k PATTERN (A B) DEFINE A AS x > 1", "semantic COL-2 20", "MEASURES LAST(A.x + B.x) AS k PATTERN (A B) DEFINE A AS x > 1", "semantic COL-2 21"},
	{nestedNavigation, "MEASURES FIRST(PREV(x), 2) AS k PATTERN (A) DEFINE A AS x > 1", "semantic NAV-3 16", "MEASURES PREV(SUM(x)) AS k PATTERN (A) DEFINE A AS x > 1", "semantic AGG-5 15"},
	{nestedNavigation, "MEASURES PREV(1 + FIRST(x)) AS k PATTERN (A) DEFINE A AS x > 1", "semantic NAV-3 19", "MEASURES PREV(1) AS k PATTERN (A) DEFINE A AS x > 1", "semantic NAV-4 10"},
	{nestedAggregate, "MEASURES SUM(x + COUNT(*)) AS k PATTERN (A) DEFINE A AS x > 1", "semantic AGG-5 18", "MEASURES PREV(PREV(x)) AS k PATTERN (A) DEFINE A AS x > 1", "semantic NAV-3 15"},
	{nestedAggregate, "MEASURES LAST(SUM(x), 1) AS k PATTERN (A) DEFINE A AS x > 1", "semantic AGG-5 15", "MEASURES SUM(y) AS k PATTERN (A) DEFINE A AS x > 1", "semantic COL-1 14"},
	{nestedAggregate, "MEASURES FINAL COUNT(DISTINCT FIRST(x)) FILTER (WHERE x > 1) AS k PATTERN (A) DEFINE A AS x > 1", "semantic AGG-5 31", "", ""},
	{nestedAggregate, "MEASURES COUNT(*) FILTER (WHERE LAST(x) > 1) AS k PATTERN (A) DEFINE A AS x > 1", "semantic AGG-5 33", "", ""},
	{measureTwice, "MEASURES 1 AS k, x AS K PATTERN (A) DEFINE A AS x > 1", "semantic GRAM-6 23", "MEASURES 1 k PATTERN (A) DEFINE A AS x > 1", "syntax GRAM-6 12"},
	{skipTargetUnknown, "MEASURES 1 AS k AFTER MATCH SKIP TO FIRST C PATTERN (A) DEFINE A AS x > 1", "semantic SKIP-1 43", "MEASURES 1 AS k AFTER MATCH SKIP TO A PATTERN (A) DEFINE B AS x > 1", "semantic DEF-2 58"},
	{unionOfUnions, "MEASURES 1 AS k PATTERN (A B) SUBSET U = (A, B), V = (A, U) DEFINE A AS x > 1", "semantic SUB-1 58", "MEASURES 1 AS k PATTERN (A B) SUBSET U = (A, B), V = (A, C) DEFINE A AS x > 1", "semantic SUB-1 58"},
	{unionOfUnions, "MEASURES 1 AS k PATTERN (A B) SUBSET U = (A, B), V = (U) DEFINE A AS x > 1", "semantic SUB-1 55", "MEASURES 1 AS k PATTERN (A B) SUBSET A = (B) DEFINE A AS x > 1", "semantic SUB-1 38"},
	{exclusionUnmatched, "MEASURES 1 AS k ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (A {- B -}) DEFINE A AS x > 1", "semantic OUT-7 67", "PATTERN (A {- B -}) DEFINE A AS x > 1", "semantic OUT-1 0"},
	{framesAccepted, "ORDER BY i RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS x > 1", "semantic WIN-1 12", "ORDER BY i ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (^ A) DEFINE A AS x > 1", "semantic WIN-9 62"},
	{framesAccepted, "ORDER BY i ROWS BETWEEN CURRENT ROW AND 0 FOLLOWING PATTERN (A) DEFINE A AS x > 1", "semantic WIN-1 41", "", ""},
	{framesAccepted, "ORDER BY i PATTERN (A) DEFINE A AS x > 1", "semantic WIN-1 12", "", ""},
	{framesAccepted, "ORDER BY i ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING EXCLUDE CURRENT ROW AFTER MATCH SKIP TO NEXT ROW PATTERN (A) DEFINE A AS x > 1", "semantic WIN-1 53", "", ""},
	{anchorsAccepted, "ORDER BY i ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING PATTERN (^ A $) DEFINE A AS x > 1", "semantic WIN-9 62", "ORDER BY i ROWS BETWEEN CURRENT ROW AND 1 PRECEDING PATTERN (^ A) DEFINE A AS x > 1", "semantic WIN-1 41"},
}

// TestAcceptWitnesses: mutants accept what must be refused, and only that.
func TestAcceptWitnesses(t *testing.T) {
	o := query.Options{Tables: tables(t, "t(i bigint, x bigint): 1 1")}
	ask := func(m *Mutant, text string, window bool) string {
		head, tail := "SELECT * FROM t MATCH_RECOGNIZE (", ")"
		if window {
			head, tail = "SELECT COUNT(*) OVER (", ") FROM t"
		}
		err := m.Check(head+text+tail, o)
		if err == nil {
			return "accepted"
		}
		e := diag.From(err)
		return fmt.Sprintf("%s %s %d", e.Stage, e.Rule, max(0, e.Pos.Column-len(head)))
	}
	for _, w := range acceptWitnesses {
		window := w.id == framesAccepted || w.id == anchorsAccepted
		m := mutant(t, string(w.id))
		if got := ask(mutant(t, ""), w.text, window); got != w.refused {
			t.Errorf("%s: the honest engine says %q of %s, should be %q", w.id, got, w.text, w.refused)
		}
		if got := ask(m, w.text, window); got != "accepted" {
			t.Errorf("%s: the mutant says %q of %s, should accept it", w.id, got, w.text)
		}
		if w.near == "" {
			continue
		}
		for _, e := range []*Mutant{mutant(t, ""), m} {
			if got := ask(e, w.near, window); got != w.error {
				t.Errorf("%s: %s says %q of %s, should be %q", w.id, e.Name(), got, w.near, w.error)
			}
		}
	}
}

// TestRepairedPlaces: what is wrong besides is reported at its own place.
func TestRepairedPlaces(t *testing.T) {
	o := query.Options{Tables: tables(t, "t(i bigint, x bigint): 1 1")}
	for _, c := range []struct {
		id            lie
		clause, wrong string
	}{
		{secondQuantifier, "MEASURES 1 AS k PATTERN (A{2}{3}) DEFINE A AS y > 1", "y"},
		{quantifiersMultiplied, "MEASURES 1 AS k PATTERN (A*+) DEFINE A AS y > 1", "y"},
		{zeroBoundAccepted, "MEASURES 1 AS k PATTERN (A{0}) DEFINE A AS y > 1", "y"},
		{strangerDefined, "MEASURES 1 AS k PATTERN (A) DEFINE B AS x > 1, A AS y > 1", "y"},
		{finalInDefine, "MEASURES 1 AS k PATTERN (A) DEFINE A AS FINAL LAST(x) > 1 AND y > 1", "y"},
		{mixedNavigation, "MEASURES LAST(A.x + B.x) AS k PATTERN (A B) DEFINE A AS y > 1", "y"},
		{nestedAggregate, "MEASURES SUM(SUM(x)) AS k PATTERN (A B) DEFINE A AS y > 1", "y"},
		{measureTwice, "MEASURES 1 AS k, 2 AS k PATTERN (A B) DEFINE A AS y > 1", "y"},
		{skipTargetUnknown, "MEASURES 1 AS k AFTER MATCH SKIP TO C PATTERN (A B) DEFINE A AS y > 1", "y"},
		{unionOfUnions, "MEASURES 1 AS k PATTERN (A B) SUBSET U = (A), V = (U) DEFINE A AS y > 1", "y"},
		{exclusionUnmatched, "MEASURES 1 AS k ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN ({- A -}) DEFINE A AS y > 1", "y"},
		{patternDropped, "MEASURES 1 AS k PATTERN (A |) DEFINE A AS y > 1", "y"},
	} {
		sql := "SELECT *\nFROM t MATCH_RECOGNIZE (" + c.clause + ")"
		err := mutant(t, string(c.id)).Check(sql, o)
		if err == nil {
			t.Errorf("%s accepts %s", c.id, c.clause)
			continue
		}
		at := strings.LastIndex(sql, c.wrong+" > 1")
		if e := diag.From(err); e.Rule != "COL-1" || e.Pos != diag.Locate(sql, at) || e.Source != sql {
			t.Errorf("%s: %v of %s, should be COL-1 at offset %d", c.id, err, sql, at)
		}
	}
}

// TestDroppedPattern: the input comes back as it is.
func TestDroppedPattern(t *testing.T) {
	o := query.Options{Tables: tables(t, "t(i bigint, x bigint): 1 1; 2 9")}
	sql := "SELECT * FROM t MATCH_RECOGNIZE (MEASURES 1 AS k ALL ROWS PER MATCH PATTERN (A |) DEFINE A AS x > 5)"
	got := resultText(mutant(t, string(patternDropped)).Run(t.Context(), sql, o, matcher.Limits{}))
	if want := "NULL 1 1; NULL 2 9"; got != want {
		t.Errorf("is %q, should be %q", got, want)
	}
}

// TestClause: a clause alone is judged like a statement.
func TestClause(t *testing.T) {
	in, _, _ := tables(t, "t(i bigint, x bigint): 1 1")("T", false)
	row := semantics.RowTypeOf(in, table.FoldName("t"))
	text := "MATCH_RECOGNIZE (MEASURES 1 AS k PATTERN (A) DEFINE B AS x > 1, A AS x > 1)"
	if _, err := mutant(t, "").Clause(text, row, semantics.Options{}); err == nil || diag.From(err).Rule != "DEF-2" {
		t.Errorf("the honest engine says %v, should be DEF-2", err)
	}
	if c, err := mutant(t, string(strangerDefined)).Clause(text, row, semantics.Options{}); err != nil || c.Primaries != 1 {
		t.Errorf("the mutant says %v, should accept it", err)
	}
	text = "MATCH_RECOGNIZE (MEASURES 1 AS k AFTER MATCH SKIP TO B PATTERN (A B?) DEFINE A AS x > 1)"
	if _, err := mutant(t, string(skipErrorsEarly)).Clause(text, row, semantics.Options{}); err == nil || diag.From(err).Pos.Column != len("MATCH_RECOGNIZE (MEASURES 1 AS k AFTER MATCH SKIP TO B") {
		t.Errorf("the mutant says %v, should refuse the target at its place", err)
	}
}
