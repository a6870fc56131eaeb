package semantics

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/rulebook"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// ticks is the input of most tests.
func ticks() *RowType {
	return &RowType{Correlation: "T", Fields: []Field{
		{"SYM", value.TypeVarchar}, {"DAY", value.TypeBigint}, {"PRICE", value.DecimalType(10, 2)}, {"TAX", value.TypeInteger}}}
}

// The place that an error must point to is marked by « in front of it.
const mark = "«"

// clauseError is one line of the error table of chapter 13, or a near miss of
// one, which has no stage.
type clauseError struct {
	sql     string
	stage   diag.Stage
	rule    string
	reading string
}

// recognition fills in what a test does not care about.
func recognition(body string) string { return "MATCH_RECOGNIZE (" + body + ")" }

var clauseErrors = []clauseError{
	// clauses out of order or repeated; PATTERN or DEFINE missing; measure without AS
	{recognition("PATTERN (A) «ORDER BY day DEFINE A AS TRUE"), diag.Syntax, "GRAM-1", ""},
	{recognition("ORDER BY day «PARTITION BY sym PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-1", ""},
	{recognition("PARTITION BY sym PATTERN (A) DEFINE A AS TRUE «SUBSET U = (A)"), diag.Syntax, "GRAM-1", ""},
	{recognition("PARTITION BY sym PATTERN (A) DEFINE A AS price > 1 «MEASURES 1 AS x"), diag.Syntax, "GRAM-1", ""},
	{recognition("PARTITION BY sym «PARTITION BY day PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-1", ""},
	{recognition("PARTITION BY sym PATTERN (A) DEFINE A AS TRUE «WITHIN INTERVAL '1' HOUR"), diag.Syntax, "GRAM-1", ""},
	{recognition("PARTITION BY sym PATTERN (A) «WITHIN INTERVAL '1' HOUR DEFINE A AS TRUE"), diag.Syntax, "GRAM-1", ""},
	{recognition("PARTITION BY sym PATTERN (A)«"), diag.Syntax, "GRAM-2", ""},
	{recognition("PARTITION BY sym«"), diag.Syntax, "GRAM-2", ""},
	{recognition("PARTITION BY sym DEFINE A AS TRUE«"), diag.Syntax, "GRAM-2", ""},
	{recognition("MEASURES price «PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-6", ""},
	{recognition("MEASURES price«, day AS d PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-6", ""},
	{recognition("MEASURES price AS p PATTERN (A) DEFINE A AS TRUE"), 0, "", ""},
	// option after ONE ROW PER MATCH
	{recognition("PARTITION BY sym ONE ROW PER MATCH «OMIT EMPTY MATCHES PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-7", ""},
	{recognition("PARTITION BY sym ONE ROW PER MATCH «WITH UNMATCHED ROWS PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-7", ""},
	{recognition("ALL ROWS PER MATCH OMIT EMPTY MATCHES PATTERN (A) DEFINE A AS TRUE"), 0, "", ""},
	// empty patterns
	{pattern("«"), diag.Syntax, "PAT-6", ""},
	{pattern("A |«"), diag.Syntax, "PAT-6", ""},
	{pattern("«| A"), diag.Syntax, "PAT-6", ""},
	{pattern("(A |«) B"), diag.Syntax, "PAT-6", ""},
	{pattern("A {- «-}"), diag.Syntax, "PAT-6", ""},
	{pattern("A PERMUTE(«)"), diag.Syntax, "PAT-6", ""},
	{pattern("PERMUTE(A, «)"), diag.Syntax, "PAT-6", ""},
	{pattern("A | ()"), 0, "", ""},
	{pattern("A {- () -}"), 0, "", ""},
	// quantifiers
	{pattern("A*«*"), diag.Syntax, "PAT-5", ""},
	{pattern("A+«*"), diag.Syntax, "PAT-5", ""},
	{pattern("A{2}«{3}"), diag.Syntax, "PAT-5", ""},
	{pattern("A??«?"), diag.Syntax, "PAT-5", ""},
	{pattern("A*?«?"), diag.Syntax, "PAT-5", ""},
	{pattern("(A*)*"), 0, "", ""},
	{pattern("(A{2}){3}"), 0, "", ""},
	{pattern("A * ?"), 0, "", ""},
	{pattern("A«||B"), diag.Syntax, "PAT-2", ""},
	{pattern("A{-«1}"), diag.Syntax, "PAT-2", ""},
	{pattern("A{«1.5}"), diag.Syntax, "PAT-4", ""},
	{pattern("A{«2.0}"), diag.Syntax, "PAT-4", ""},
	{pattern("A{«n}"), diag.Syntax, "PAT-4", ""},
	{pattern("A{«}"), diag.Syntax, "PAT-4", ""},
	{pattern("A{2}?"), 0, "", ""},
	{pattern("A{2}«?"), diag.Syntax, "PAT-5", "PAT-5=alternative"},
	{pattern("A{2,2}?"), 0, "", "PAT-5=alternative"},
	{pattern("(A??)"), 0, "", ""},
	{pattern("(A«??)"), diag.Syntax, "PAT-2", "PAT-2=error"},
	{pattern("(A?? )"), 0, "", "PAT-2=error"},
	// bounds
	{pattern("A«{0}"), diag.Semantic, "PAT-4", ""},
	{pattern("A«{,0}"), diag.Semantic, "PAT-4", ""},
	{pattern("A«{0,0}"), diag.Semantic, "PAT-4", ""},
	{pattern("A«{5,2}"), diag.Semantic, "PAT-4", ""},
	{pattern("A«{2147483648}"), diag.Semantic, "PAT-4", ""},
	{pattern("A«{99999999999999999999,}"), diag.Semantic, "PAT-4", ""},
	{pattern("A{,}"), 0, "", ""}, {pattern("A{0,}"), 0, "", ""}, {pattern("A{0,1}"), 0, "", ""},
	{pattern("A{3,3}"), 0, "", ""}, {pattern("A{2147483647}"), 0, "", ""},
	// RUNNING and FINAL
	{measure("«FINAL PREV(price)"), diag.Syntax, "MEA-1", ""},
	{measure("«RUNNING CLASSIFIER()"), diag.Syntax, "MEA-1", ""},
	{measure("«FINAL MATCH_NUMBER()"), diag.Syntax, "MEA-1", ""},
	{measure("«FINAL ABS(price)"), diag.Syntax, "MEA-1", ""},
	{measure("«FINAL A.price"), diag.Syntax, "MEA-1", ""},
	{measure("PREV(FINAL LAST(A.price))"), 0, "", ""},
	{measure("FINAL COUNT(*)"), 0, "", ""},
	{measure("RUNNING FIRST(A.price)"), 0, "", ""},
	// expressions in PARTITION BY and ORDER BY
	{recognition("PARTITION BY «day + 1 PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-4", ""},
	{recognition("PARTITION BY «1 PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-4", ""},
	{recognition("PARTITION BY sym, «UPPER(sym) PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-4", ""},
	{recognition("PARTITION BY sym ORDER BY «day + 1 PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-5", ""},
	{recognition("PARTITION BY sym ORDER BY «1 PATTERN (A) DEFINE A AS TRUE"), diag.Syntax, "GRAM-5", ""},
	{recognition("PARTITION BY sym ORDER BY day + 1 PATTERN (A) DEFINE A AS TRUE"), 0, "", "GRAM-5=alternative"},
	{recognition("PARTITION BY T.sym ORDER BY T.day DESC NULLS FIRST, price PATTERN (A) DEFINE A AS TRUE"), 0, "", ""},
	// columns and qualifiers
	{recognition("PARTITION BY «nosuch PATTERN (A) DEFINE A AS TRUE"), diag.Semantic, "COL-1", ""},
	{recognition("PARTITION BY «x.sym PATTERN (A) DEFINE A AS TRUE"), diag.Semantic, "GRAM-12", ""},
	{define("A AS «nosuch > 1"), diag.Semantic, "COL-1", ""},
	{define("A AS A.«nosuch > 1"), diag.Semantic, "COL-1", ""},
	{define("A AS «X.price > 1"), diag.Semantic, "COL-1", ""},
	{define("A AS «T.price > 1"), diag.Semantic, "GRAM-12", ""},
	{define("A AS T.price > 1"), 0, "", "GRAM-12=alternative"},
	{measure("«T.price"), diag.Semantic, "GRAM-12", ""},
	{define("A AS A.price > 1"), 0, "", ""},
	// INITIAL and SEEK
	{recognition("PARTITION BY sym «INITIAL PATTERN (A) DEFINE A AS TRUE"), diag.Semantic, "GRAM-8", ""},
	{recognition("PARTITION BY sym AFTER MATCH SKIP TO NEXT ROW «SEEK PATTERN (A) DEFINE A AS TRUE"), diag.Semantic, "GRAM-8", ""},
	// SUBSET
	{subset("«A = (B)"), diag.Semantic, "SUB-1", ""},
	{subset("U = (A), «U = (B)"), diag.Semantic, "SUB-1", ""},
	{subset("U = (A, «C)"), diag.Semantic, "SUB-1", ""},
	{subset("U = (A), V = («U, B)"), diag.Semantic, "SUB-1", ""},
	{subset("U = («U, B)"), diag.Semantic, "SUB-1", ""},
	{subset("U = (A, B, «A)"), diag.Semantic, "SUB-1", ""},
	{subset("U = (A, B, A)"), 0, "", "SUB-1=alternative"},
	{subset("U = (A)"), 0, "", ""},
	// DEFINE
	{define("«C AS TRUE"), diag.Semantic, "DEF-2", ""},
	{define("A AS TRUE, «A AS FALSE"), diag.Semantic, "DEF-3", ""},
	{define("A AS TRUE, «\"A\" AS FALSE"), diag.Semantic, "DEF-3", ""},
	{define("A AS TRUE, B AS FALSE"), 0, "", ""},
	{recognition("PARTITION BY sym PATTERN (A B) SUBSET U = (A, B) DEFINE «U AS TRUE"), diag.Semantic, "DEF-4", ""},
	{define("A AS «price"), diag.Semantic, "DEF-5", ""},
	{define("A AS «1"), diag.Semantic, "DEF-5", ""},
	{define("A AS NULL"), 0, "", ""},
	{define("A AS «FINAL LAST(price) > 1"), diag.Semantic, "DEF-7", ""},
	{define("A AS PREV(«FINAL LAST(price)) > 1"), diag.Semantic, "DEF-7", ""},
	{define("A AS «FINAL SUM(price) > 1"), diag.Semantic, "DEF-7", ""},
	{define("A AS RUNNING LAST(price) > 1"), 0, "", ""},
	// SKIP
	{skip("TO «C"), diag.Semantic, "SKIP-1", ""},
	{skip("TO LAST «C"), diag.Semantic, "SKIP-1", ""},
	{skip("TO FIRST «FIRST"), diag.Semantic, "SKIP-1", ""},
	{skip("TO «FIRST"), diag.Semantic, "SKIP-1", ""},
	{skip("TO «NEXT"), diag.Semantic, "SKIP-1", ""},
	{skip("TO LAST A"), 0, "", ""},
	// CLASSIFIER, COUNT(V.*), MATCH_NUMBER
	{measure("CLASSIFIER(«C)"), diag.Semantic, "MEA-4", ""},
	{measure("CLASSIFIER(«price)"), diag.Semantic, "MEA-4", ""},
	{measure("CLASSIFIER(«A.price)"), diag.Semantic, "MEA-4", ""},
	{measure("CLASSIFIER(«A, B)"), diag.Semantic, "MEA-4", ""},
	{measure("CLASSIFIER(A)"), 0, "", ""},
	{measure("COUNT(«C.*)"), diag.Semantic, "AGG-2", ""},
	{measure("COUNT(«T.*)"), diag.Semantic, "AGG-2", ""},
	{measure("COUNT(A.*)"), 0, "", ""},
	{measure("«MATCH_NUMBER(1)"), diag.Semantic, "MEA-5", ""},
	{measure("«MATCH_NUMBER(A)"), diag.Semantic, "MEA-5", ""},
	// consistency
	{measure("LAST(A.price + «B.price)"), diag.Semantic, "COL-2", ""},
	{measure("LAST(A.price + «price)"), diag.Semantic, "COL-2", ""},
	{measure("SUM(A.price + «price)"), diag.Semantic, "COL-2", ""},
	{measure("LAST(CLASSIFIER(A) || «sym)"), diag.Semantic, "COL-2", ""},
	{measure("PREV(LAST(A.price + «B.price), 2)"), diag.Semantic, "COL-2", ""},
	{measure("MAX_BY(A.price, «B.day)"), diag.Semantic, "COL-2", ""},
	{measure("SUM(A.price) FILTER (WHERE «B.price > 1)"), diag.Semantic, "COL-2", ""},
	{measure("A.price + B.price"), 0, "", ""},
	{measure("LAST(CLASSIFIER(A) || A.sym)"), 0, "", ""},
	{measure("COUNT(*) FILTER (WHERE B.price > 1)"), 0, "", ""},
	// first argument of a navigation
	{measure("«PREV(1)"), diag.Semantic, "NAV-4", ""},
	{measure("«LAST(MATCH_NUMBER())"), diag.Semantic, "NAV-4", ""},
	{measure("«FIRST(1 + 1, 2)"), diag.Semantic, "NAV-4", ""},
	{measure("LAST(CLASSIFIER())"), 0, "", ""},
	{measure("PREV(COALESCE(price, 0))"), 0, "", ""},
	// nesting
	{measure("FIRST(«PREV(price))"), diag.Semantic, "NAV-3", ""},
	{measure("PREV(«PREV(price))"), diag.Semantic, "NAV-3", ""},
	{measure("FIRST(«LAST(price))"), diag.Semantic, "NAV-3", ""},
	{measure("PREV(1 + «FIRST(price))"), diag.Semantic, "NAV-3", ""},
	{measure("PREV(«FIRST(price) + LAST(price))"), diag.Semantic, "NAV-3", ""},
	{measure("PREV(FIRST(«PREV(price)))"), diag.Semantic, "NAV-3", ""},
	{measure("PREV(«SUM(price))"), diag.Semantic, "AGG-5", ""},
	{measure("LAST(«COUNT(*))"), diag.Semantic, "AGG-5", ""},
	{measure("SUM(«LAST(price))"), diag.Semantic, "AGG-5", ""},
	{measure("SUM(«SUM(price))"), diag.Semantic, "AGG-5", ""},
	{measure("SUM(price) FILTER (WHERE «COUNT(*) > 1)"), diag.Semantic, "AGG-5", ""},
	{measure("PREV(LAST(price, 1), 2)"), 0, "", ""},
	{measure("SUM(price + MATCH_NUMBER())"), 0, "", ""},
	// arguments and offsets of a navigation
	{measure("«PREV()"), diag.Syntax, "NAV-5", ""},
	{measure("«PREV(price, 1, 2)"), diag.Syntax, "NAV-5", ""},
	{measure("PREV(price, «1.5)"), diag.Syntax, "NAV-5", ""},
	{measure("PREV(price, «'1')"), diag.Syntax, "NAV-5", ""},
	{measure("PREV(price, «tax)"), diag.Syntax, "NAV-5", ""},
	{measure("PREV(price, «1 + 1)"), diag.Syntax, "NAV-5", ""},
	{measure("FIRST(price, «-1)"), diag.Semantic, "NAV-5", ""},
	{measure("FIRST(price, «NULL)"), diag.Semantic, "NAV-5", ""},
	{measure("FIRST(price, «:half)"), diag.Semantic, "NAV-5", ""},
	{measure("FIRST(price, :n)"), 0, "", ""},
	{measure("PREV(price, 0)"), 0, "", ""},
	// exclusion and output
	{recognition("ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (A «{- B -}) DEFINE A AS TRUE"), diag.Semantic, "OUT-7", ""},
	{recognition("ALL ROWS PER MATCH PATTERN (A {- B -}) DEFINE A AS TRUE"), 0, "", ""},
	{"«" + recognition("ORDER BY day PATTERN (A) DEFINE A AS TRUE"), diag.Semantic, "OUT-1", ""},
	{recognition("MEASURES 1 AS a, 2 AS b, 3 AS «a PATTERN (A) DEFINE A AS TRUE"), diag.Semantic, "GRAM-6", ""},
	{recognition("MEASURES 1 AS a, 2 AS \"a\" PATTERN (A) DEFINE A AS TRUE"), 0, "", ""},
	{recognition("MEASURES 1 AS «price ALL ROWS PER MATCH PATTERN (A) DEFINE A AS TRUE"), diag.Semantic, "GRAM-6", "GRAM-6=alternative"},
	{recognition("MEASURES 1 AS price ALL ROWS PER MATCH PATTERN (A) DEFINE A AS TRUE"), 0, "", ""},
	{recognition("PARTITION BY sym MEASURES 1 AS a PATTERN (A) DEFINE A AS TRUE") + " AS m («x)", diag.Semantic, "GRAM-12", ""},
	{recognition("PARTITION BY sym MEASURES 1 AS a PATTERN (A) DEFINE A AS TRUE") + " AS m (x, «x)", diag.Semantic, "GRAM-12", ""},
	{recognition("PARTITION BY sym MEASURES 1 AS a PATTERN (A) DEFINE A AS TRUE") + " m (x, y)", 0, "", ""},
	// window function inside
	{define("A AS «SUM(price) OVER (PARTITION BY sym) > 1"), diag.Semantic, "DEF-14", ""},
	{define("A AS «price OVER w > 1"), diag.Semantic, "DEF-14", ""},
	{define("A AS «RANDOM() > 1"), diag.Semantic, "DEF-15", ""},
	// types
	{define("A AS price «> 'x'"), diag.Semantic, "TYPE-1", ""},
	{define("A AS «NOSUCH(price) > 1"), diag.Semantic, "NAME-1", ""},
	// order of errors: syntax before semantic, then the smallest position
	{recognition("PARTITION BY nosuch PATTERN (A |«) DEFINE B AS TRUE"), diag.Syntax, "PAT-6", ""},
	{recognition("PARTITION BY «nosuch PATTERN (A) DEFINE B AS nosuch"), diag.Semantic, "COL-1", ""},
	{recognition("MEASURES 1 AS a, «nosuch AS a PATTERN (A{0}) DEFINE B AS TRUE"), diag.Semantic, "COL-1", ""},
}

func pattern(p string) string {
	return recognition("PARTITION BY sym PATTERN (" + p + ") DEFINE A AS TRUE")
}
func measure(e string) string {
	return recognition("MEASURES " + e + " AS m PATTERN (A B+) DEFINE A AS TRUE")
}
func define(d string) string {
	return recognition("PARTITION BY sym PATTERN (A B+) DEFINE " + d)
}
func subset(s string) string {
	return recognition("PARTITION BY sym PATTERN (A B+) SUBSET " + s + " DEFINE A AS TRUE")
}
func skip(s string) string {
	return recognition("PARTITION BY sym AFTER MATCH SKIP " + s + " PATTERN (A B+) DEFINE A AS TRUE")
}

// Every row of the error table that a clause alone can violate, with near misses.
func TestClauseErrors(t *testing.T) {
	params := map[string]scalar.Param{"HALF": {Type: value.DecimalType(2, 1), Value: value.ScaledInt(5, 1)},
		"N": {Type: value.TypeBigint, Value: value.Int(1)}}
	for _, tc := range clauseErrors {
		t.Run(tc.sql, func(t *testing.T) {
			at := strings.Index(tc.sql, mark)
			sql := strings.Replace(tc.sql, mark, "", 1)
			var r readings.Set
			if tc.reading != "" {
				if err := r.Apply(tc.reading); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Parse(sql, ticks(), Options{Readings: r, Params: params})
			if tc.stage == 0 {
				if err != nil {
					t.Fatalf("should be accepted: %v", err)
				}
				return
			}
			if err == nil {
				t.Fatalf("accepted, should be refused by %s", tc.rule)
			}
			e := diag.From(err)
			if e.Stage != tc.stage || e.Rule != tc.rule {
				t.Fatalf("is %v, should be stage %s rule %s", e, tc.stage, tc.rule)
			}
			if want := diag.Locate(sql, at); e.Pos != want {
				t.Errorf("%s: points to %+v, should be %+v", e.Message, e.Pos, want)
			}
			if e.Hint == "" {
				t.Errorf("no hint: %v", e)
			}
			if e.SQLSTATE == "" || e.Source != sql {
				t.Errorf("SQLSTATE %q, source %q", e.SQLSTATE, e.Source)
			}
			if _, ok := rulebook.Lookup(e.Rule); !ok {
				t.Errorf("the rulebook has no %s", e.Rule)
			}
		})
	}
}
