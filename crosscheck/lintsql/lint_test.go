package lintsql

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

func lint(t *testing.T, sql string) []Remark {
	t.Helper()
	list, err := Lint(sql, readings.Set{})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return list
}

func statement(pattern, define string) string {
	return "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k MEASURES COUNT(*) AS n PATTERN (" + pattern + ") DEFINE " + define + ") AS m"
}

// Each remark is made where it belongs, and not on the query beside it.
func TestRemarks(t *testing.T) {
	for _, tt := range []struct {
		rule, hit, miss string
	}{
		{"PREF-8 other rows", statement("(A? | B)*", "A AS x > 0"), statement("(A+ | B)*", "A AS x > 0")},
		{"PREF-8 refused", statement("(A*){2}", "A AS x > 0"), statement("A*", "A AS x > 0")},
		{"PREF-4 other rows", statement("A*? B*", "A AS x > 0"), statement("A* B{2,2}?", "A AS x > 0")},
		{"PREF-2 other rows", statement("A | A B", "A AS x > 0"), statement("A | B A", "A AS x > 0")},
		{"PREF-11 other rows", statement("(A B?)+ (A B?)+", "A AS x > 0"), statement("(A B)+ (A B)+", "A AS x > 0")},
		{"PREF-11 other rows", statement("(A{2,3}){1,2}", "A AS x > 0"), statement("(A{1,3}){1,2}", "A AS x > 0")},
		{"PREF-10 other rows", statement("(A | B) C", "C AS PREV(CLASSIFIER()) = 'B'"), statement("A C", "C AS PREV(CLASSIFIER()) = 'B'")},
		{"PREF-10 other rows", statement("A+ B+", "B AS x > A.x"), statement("A+ B+", "B AS x > B.x")},
		{"PREF-10 other rows", statement("A+ B*", "B AS SUM(x) > 1"), statement("A+ B*", "B AS x > PREV(x)")},
		{"PREF-10 other rows", statement("(A B{1,2})+", "B AS SUM(x) > 1"), statement("(A B{2}){1,2} C", "B AS SUM(x) > 1")}, // one way to each place
		{"PREF-10 other rows", statement("PERMUTE(A, B)", "B AS x > A.x"), statement("A+ B", "B AS x > A.x")},
		{"PAT-4 refused", statement("A{201}", "A AS x > 0"), statement("A{200}", "A AS x > 0")},
		{"PAT-7 refused", statement("PERMUTE(A, B)", "A AS x > 0"), statement("A B", "A AS x > 0")},
		{"PAT-8 refused", statement("{- A -}", "A AS x > 0"), statement("(A)", "A AS x > 0")},
		{"ANCH-1 refused", statement("^ A", "A AS x > 0"), statement("A", "A AS x > 0")},
		{"PAT-6 refused", statement("A | ()", "A AS x > 0"), statement("A?", "A AS x > 0")},
		{"DEF-9 refused", statement("A", "A AS MATCH_NUMBER() < 3"), statement("A", "A AS x < 3")},
		{"DEF-13 refused", statement("A", "A AS x > (SELECT MAX(y) FROM u)"), statement("A", "A AS x > y")},
		{"DEF-15 choice", statement("A", "A AS x / y > 1"), statement("A", "A AS x * y > 1")},
		{"NAV-1 other rows", statement("A+", "A AS FIRST(x, 1) > 0"), statement("A+", "A AS FIRST(x) > 0")},
		{"NAV-2 other rows", statement("A B", "B AS PREV(A.x) > 0"), statement("A B", "B AS PREV(x) > 0")},
		{"NAV-2 other rows", statement("A B", "A AS x > 0, B AS x > PREV(A.x)"), statement("A B", "B AS B.x < PREV(B.x)")}, // its last row is the current one
		{"AGG-6 refused", statement("A", "A AS COUNT(DISTINCT x) > 0"), statement("A", "A AS COUNT(x) > 0")},
		{"AGG-1 refused", statement("A", "A AS STDDEV_POP(x) > 0"), statement("A", "A AS SUM(x) > 0")},
		{"NUL-4 choice", "SELECT * FROM t MATCH_RECOGNIZE (MEASURES 1 AS n PATTERN (A) DEFINE A AS x > 0)", statement("A", "A AS x > 0")},
		{"IMP-NULLS choice", "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k DESC MEASURES 1 AS n PATTERN (A) DEFINE A AS x > 0)",
			"SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k DESC NULLS LAST MEASURES 1 AS n PATTERN (A) DEFINE A AS x > 0)"},
		{"SUB-1 refused", "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k MEASURES COUNT(U.*) AS n PATTERN (A) SUBSET U = (A) DEFINE A AS x > 0)", statement("A", "A AS x > 0")},
		{"SKIP-2 other rows", "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k MEASURES 1 AS n AFTER MATCH SKIP TO LAST A PATTERN (B A) DEFINE A AS x > 0)", statement("A", "A AS x > 0")},
		{"WIN-10 choice", "SELECT COUNT(*) OVER w FROM t WINDOW w AS (ORDER BY k ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS PREV(x) > 0)",
			statement("A", "A AS PREV(x) > 0")},
		{"PAT-5 choice", statement("A{2}?", "A AS x > 0"), statement("A{2,2}?", "A AS x > 0")},
		{"IMP-AVG choice", "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k MEASURES AVG(x) AS n PATTERN (A) DEFINE A AS x > 0)", statement("A", "A AS x > 0")},
	} {
		has := func(sql string) bool {
			return slices.ContainsFunc(lint(t, sql), func(m Remark) bool {
				return m.Rule+" "+string(m.Kind) == tt.rule && m.Text != "" && m.Pos.Line > 0
			})
		}
		if !has(tt.hit) {
			t.Errorf("%s: no remark on %s", tt.rule, tt.hit)
		}
		if has(tt.miss) {
			t.Errorf("%s: a remark on %s", tt.rule, tt.miss)
		}
	}
}

// Where no rewrite is safe, what was perhaps meant is shown beside it: another
// pattern, in which no iteration is empty.
func TestPerhapsMeant(t *testing.T) {
	for pattern, want := range map[string]string{
		"(A? | B)*": "(A | B)*", "(A | B?)+ C": "(A | B)+", "(A* | B | C?)*": "(A+ | B | C)*", "(A?? | B){2,}": "", "(A? B?)*": "", "(A?)*": "",
	} {
		got := ""
		for _, m := range lint(t, statement(pattern, "A AS x > 0")) {
			got += m.Meant
		}
		if got != want {
			t.Errorf("%s: perhaps meant is %q, not %q", pattern, got, want)
		}
		if want != "" {
			p, err := semantics.ParsePattern(want)
			if err != nil || p.Sub[0].CanBeEmpty() {
				t.Errorf("%s: %v, iterations can be empty", want, err)
			}
		}
	}
}

func TestErrorsAreTheStatements(t *testing.T) {
	if _, err := Lint("SELECT * FROM t MATCH_RECOGNIZE (PATTERN () DEFINE A AS TRUE)", readings.Set{}); err == nil || !strings.Contains(err.Error(), "PAT-6") {
		t.Errorf("the error is %v", err)
	}
}

// Every rewrite keeps the preferred match at every row, whatever follows and
// precedes: all rows of two variables up to four, in several surroundings.
func TestRewritesAreSafe(t *testing.T) {
	seen := 0
	for _, inner := range []string{"?", "*", "+", "{2}", "{0,2}", "??"} {
		for _, outer := range []string{"*", "+", "?", "{2,}", "{2,3}", "{1,2}", "{2}", "{0,3}", "*?", "{,2}"} {
			text := "(A" + inner + ")" + outer
			p, err := semantics.ParsePattern(text)
			if err != nil {
				t.Fatal(err)
			}
			other := withoutEmptyIterations(p)
			if other == "" {
				continue
			}
			seen++
			for _, around := range []string{"%s", "%s B", "B? %s", "%s A", "(%s | B) A?", "(%s B)*", "(B %s){1,2} A"} {
				same(t, fmt.Sprintf(around, text), fmt.Sprintf(around, other))
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d rewrites", seen)
	}
}

// same compares two patterns on all rows.
func same(t *testing.T, a, b string) {
	t.Helper()
	kinds := [][]string{{}, {"A"}, {"B"}, {"A", "B"}}
	for _, in := range gen.AllInputs(len(kinds), 4) {
		rows := make([][]string, len(in))
		for i, k := range in {
			rows[i] = kinds[k]
		}
		x, y := mapping(t, a, rows), mapping(t, b, rows)
		if x != y {
			t.Fatalf("%s and %s differ on %s: %s, %s", a, b, gen.RowsText(rows), x, y)
		}
	}
}

func mapping(t *testing.T, pattern string, rows [][]string) string {
	t.Helper()
	c, in, err := semantics.Labelled(pattern, "", rows)
	if err != nil {
		t.Fatal(err)
	}
	found, err := matcher.Map(context.Background(), reference.Engine{}, c, in, matcher.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range found {
		if m == nil {
			out = append(out, "-")
			continue
		}
		names := "()"
		for _, v := range m.Vars {
			names += c.Name(v)
		}
		out = append(out, names)
	}
	return strings.Join(out, " ")
}

func TestWriteEscapes(t *testing.T) {
	sql := "SELECT * FROM t MATCH_RECOGNIZE (\tORDER BY k MEASURES '\x1b[31m' AS n PATTERN ((A?)*) DEFINE A AS x > 0)"
	var b bytes.Buffer
	Write(&b, sql, lint(t, sql))
	if s := b.String(); strings.Contains(s, "\x1b") || !strings.Contains(s, "safe: write A* for (A?)*") {
		t.Errorf("written as %q", s)
	}
}

// No file that the query names is read: one that is there changes nothing.
func TestReadsNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("other\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sql := `SELECT * FROM "` + path + `" MATCH_RECOGNIZE (ORDER BY k MEASURES COUNT(*) AS n PATTERN ((A? | B)*) DEFINE A AS x > 0) AS m`
	if list := lint(t, sql); len(list) == 0 {
		t.Error("no remark")
	}
}
