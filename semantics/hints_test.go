package semantics

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// hinted is a clause with what its error must say and tell to change.
type hinted struct{ sql, message, hint string }

func checkHints(t *testing.T, cases []hinted) {
	t.Helper()
	for _, c := range cases {
		_, err := Parse(c.sql, ticks(), Options{})
		e := diag.From(err)
		if e == nil || !strings.Contains(e.Message, c.message) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s\nsays: %v\nmust say %q and tell %q", c.sql, err, c.message, c.hint)
		}
	}
}

// GRAM-1, GRAM-2: forms of other products are named, with the standard's form.
func TestForeignForms(t *testing.T) {
	checkHints(t, []hinted{
		{recognition("PARTITION BY sym PATTERN (A) WITHIN INTERVAL '1' HOUR DEFINE A AS TRUE"), "Flink and RisingWave", "FIRST(A.ts) + INTERVAL"},
		{recognition("LIMIT DURATION(minute, 5) PATTERN (A) DEFINE A AS TRUE"), "Azure Stream Analytics", "condition"},
		{recognition("PARTITION BY sym PATTERN (A) DEFINE A AS TRUE OPTIONS (x = 1)"), "BigQuery", "reluctant"},
		{recognition("PARTITION BY sym PATTERN (A) DEFINE AUTO"), "DEFINE AUTO is DuckDB's", "DEFINE A AS condition"},
		{recognition("MEASURES LAST(price) AS p ALL MATCHES PATTERN (A) DEFINE A AS TRUE"), "ALL MATCHES is Esper's", "SKIP TO NEXT ROW"},
		{recognition("PATTERN (A) ORDER BY day DEFINE A AS TRUE"), "ORDER BY stands behind PATTERN", "move ORDER BY before PATTERN: only DuckDB"},
		{recognition("PARTITION BY sym PATTERN (A)"), "DEFINE is missing", "DEFINE A AS TRUE keeps the meaning"},
		{recognition("MEASURES LAST(price) p PATTERN (A) DEFINE A AS TRUE"), "AS is missing", "write LAST(price) AS p; Oracle and Snowflake"},
		{recognition("PARTITION BY day + 1 PATTERN (A) DEFINE A AS TRUE"), "not expressions", "DuckDB, Snowflake and BigQuery"},
		{recognition("PARTITION BY sym ORDER BY day + 1 PATTERN (A) DEFINE A AS TRUE"), "not expressions", "DuckDB"},
		{pattern("A{:n}"), "quantifier", "BigQuery"},
		{define("A AS price != 1"), "!= is the not-equal sign of PostgreSQL", "write <>"},
		{define("A AS price::int = 1"), "PostgreSQL's and DuckDB's cast", "CAST(value AS type)"},
		{define("A AS sym ILIKE 'x'"), "ILIKE is PostgreSQL's", "LOWER"},
		{define("A AS `sym` = 'x'"), "MySQL's and BigQuery's", "double quotes"},
		{define("A AS sym = '5' || INTERVAL '5 minutes'"), "found )", "INTERVAL '5' MINUTE; INTERVAL '5 minutes' is PostgreSQL's"},
		{define("A AS sym = '5' || INTERVAL '3' days"), "found days", "INTERVAL '3' DAY;"},
	})
}

// Slips of the pen: what is missing, too many or misspelt is told.
func TestSyntaxHints(t *testing.T) {
	checkHints(t, []hinted{
		{recognition("PARTITION BY sym PATTERN ((A B) DEFINE A AS TRUE"), "the pattern is not closed before DEFINE", "a closing parenthesis is missing"},
		{pattern("A {- B "), "expected -} at the end of the exclusion", "the exclusion is not closed"},
		{pattern("({- A) -}"), "expected -}", "not closed"},
		{pattern("{- (A -} B"), "before the parenthesis inside it is closed", "write ) before -}"},
		{pattern("A -}"), "-} closes nothing", "write {- where it begins"},
		{pattern("A, B"), "found a comma", "without a sign: A B"},
		{pattern("PERMUTE(A ; B)"), "found a semicolon", "by commas: PERMUTE(A, B)"},
		{pattern("A.x"), "found a point", "name the variable alone"},
		{pattern("A 'b'"), "found 'b'", "without single quotes: B"},
		{pattern("A OR B"), "OR", "A | B"},
		{pattern("A{2}{3,}"), "the quantifier {3,} follows another", "(A{2}){3,}"},
		{pattern("A{5,2}"), "larger", "{2,5}"},
		{pattern("A | "), "expected a pattern", "write a branch behind |"},
		{subset("U = (A), "), "expected the name of a union variable", "remove the comma before DEFINE"},
		{subset("U = A, B"), "expected (", "write U = (A, B)"},
		{subset("U = (A) V = (B)"), "found V", "a comma is missing before V"},
		{define("A AS price > 1 AND B AS price > 2"), "found AS", "write a comma instead of AND before B AS"},
		{define("A AS price > 1 B AS price > 2"), "found B", "a comma is missing before B AS"},
		{define("A = price > 1"), "expected AS", "AS instead of ="},
		{define("A AS "), "expected an expression", "write the condition of A behind AS"},
		{define("A AS TRUE,"), "found )", "remove the comma"},
		{measure("price AS 'p', 1"), "expected the name of a measure", `in double ones: "p"`},
		{recognition("MEASURES price AS p, PATTERN (A) DEFINE A AS TRUE"), "PATTERN", "remove the comma before PATTERN"},
		{recognition("MEASURES price AS p day AS d PATTERN (A) DEFINE A AS TRUE"), "found day", "a comma is missing before day"},
		{recognition("PARTITION BY sym PATERN (A) DEFINE A AS TRUE"), "found PATERN", "did you mean PATTERN?"},
		{recognition("PARTITION BY sym ORDER day PATTERN (A) DEFINE A AS TRUE"), "found ORDER", "write ORDER BY"},
		{recognition("PARTITION BY sym PATTERN (A) DEFINE A AS TRUE DEFINE B AS TRUE"), "DEFINE stands twice", "separated by commas"},
		{recognition("PARTITION BY sym ALL ROWS PER MATCH OMIT EMPTY MATCHES WITH UNMATCHED ROWS PATTERN (A) DEFINE A AS TRUE"),
			"WITH UNMATCHED ROWS is a second option", "write one of"},
		{recognition("PARTITION BY sym ONE ROW PER MATCH OMIT EMPTY MATCHES PATTERN (A) DEFINE A AS TRUE"),
			"OMIT EMPTY MATCHES stands only directly behind", "in place of ONE ROW PER MATCH"},
		{skip("TO PAST LAST ROW"), "found LAST", "SKIP PAST LAST ROW, without TO"},
		{skip("TO A, B"), "found a comma", "name one variable"},
		{skip("NEXT ROW"), "expected TO", "SKIP TO NEXT ROW"},
	})
}

// Names that resolve to nothing: COL-1, DEF-2, SKIP-1, SUB-1, MEA-4, AGG-2, MEA-8, GRAM-10.
func TestNameHints(t *testing.T) {
	const folded = "a name in double quotes keeps its case"
	checkHints(t, []hinted{
		{measure("A.prize"), "no column PRIZE", "did you mean PRICE?"},
		{measure(`A."price"`), `no column "price"`, "write PRICE without quotes: " + folded},
		{measure(`price = "x y"`), `no column "x y"`, "single quotes, 'x y'; the columns are: SYM, DAY"},
		{recognition("MEASURES price AS p, p * 2 AS q PATTERN (A) DEFINE A AS TRUE"), "no column P", "P is a measure, and measures see input columns and variables only (MEA-8)"},
		{measure("MATCH_NUMBER"), "no column MATCH_NUMBER", "MATCH_NUMBER()"},
		{measure("A"), "no column A", "A is a row pattern variable"},
		{measure("price.A"), "PRICE is no row pattern variable", "write A.PRICE"},
		{measure(`"a".price`), `"a" is no row pattern variable`, "write A without quotes"},
		{measure(`CLASSIFIER("a")`), "CLASSIFIER", "write A without quotes"},
		{measure(`COUNT("b".*)`), `"b" is no row pattern variable`, "write B without quotes"},
		{measure("COUNT(T.*)"), "T is no row pattern variable", "T is the name of the input table"},
		{measure(`"PREV"(price)`), `no function "PREV"`, "leave the quotes out: PREV(...)"},
		{skip(`TO "a"`), `names "a"`, "write A without quotes: " + folded},
		{skip("TO price"), "names PRICE", "PRICE is a column"},
		{skip("TO NEXT"), "names NEXT", "SKIP TO NEXT ROW"},
		{recognition(`PARTITION BY sym PATTERN (Up DN) DEFINE "Dn" AS TRUE`), `"Dn" is defined`, "write DN without quotes"},
		{recognition(`PARTITION BY sym PATTERN (Up "Dn") DEFINE dn AS TRUE`), "DN is defined", `write "Dn": ` + folded},
		{recognition(`PARTITION BY sym PATTERN (DOWN) DEFINE DWN AS TRUE`), "DWN is defined", "did you mean DOWN?"},
		{subset("U = (a, C)"), "C is no primary variable", "occur in PATTERN: A, B"},
		{subset("U = (A), V = (U)"), "U is no primary variable", "U is a union itself"},
		{recognition("PARTITION BY A.sym PATTERN (A) DEFINE A AS TRUE"), "not the name of the input", "A is a row pattern variable"},
	})
}

// TYPE-1, DEF-5, NAV-5: the hint is text that can be written.
func TestValueHints(t *testing.T) {
	checkHints(t, []hinted{
		{measure("CASE WHEN day = 1 THEN price ELSE 'none' END"), "need one type", "CAST(price AS varchar)"},
		{define("A AS INTERVAL '1' DAY < 30"), "cannot compare", "write INTERVAL '30' MINUTE"},
		{define("A AS INTERVAL '1' DAY < tax + 1"), "cannot compare", "(tax + 1) * INTERVAL '1' MINUTE"},
		{define("A AS sym = 5"), "cannot compare", "write the number as a string, '5'"},
		{define("A AS price"), "must be boolean", "price <> 0"},
		{define("B AS B.price - PREV(B.price)"), "must be boolean", "B.price - PREV(B.price) <> 0"},
		{define("A AS 'true'"), "must be boolean", "write TRUE without quotes"},
		{define("A AS DATE '2026-02-30' IS NULL"), "does not exist", "2026-02 has the days 01 to 28"},
		{define("A AS DATE '2026-13-01' IS NULL"), "does not exist", "months go from 01 to 12"},
		{define("A AS DATE '0000-01-01' IS NULL"), "does not exist", "years go from 0001 to 9999"},
		{measure("PREV(price, -1)"), "offset of PREV is -1", "NEXT"},
		{measure("PREV(PREV(price))"), "cannot stand inside PREV", "PREV(x, 2)"},
		{measure("FIRST(PREV(price))"), "cannot stand inside FIRST", "PREV(FIRST(x))"},
	})
}

// Conditions and measures are printed as they were written, on one line.
func TestPrintedSpelling(t *testing.T) {
	c, err := Parse("MATCH_RECOGNIZE (MEASURES Last(b.Price)\n - a . price /* first */ AS m PATTERN (A B+) DEFINE B AS b.price < Prev( B.price ))", ticks(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Measures[0].Expr.String(); got != "Last(b.Price) - a . price" {
		t.Errorf("the measure is printed as %s", got)
	}
	if got := c.Vars[1].Define.String(); got != "b.price < Prev( B.price )" {
		t.Errorf("the condition is printed as %s", got)
	}
}
