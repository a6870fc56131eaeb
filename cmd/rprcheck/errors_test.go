package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// clause puts a recognition over a small table into a statement.
func clause(body string) string {
	return "SELECT * FROM (VALUES (1, 10, 'a'), (2, 20, 'b')) AS t(id, x, s) MATCH_RECOGNIZE (" + body + ") AS m"
}

// defined is clause with a measure and A undefined but for TRUE.
func defined(pattern, rest string) string {
	return clause("ORDER BY id MEASURES MATCH_NUMBER() AS n PATTERN (" + pattern + ") " + rest + " DEFINE A AS TRUE")
}

func measured(measure string) string {
	return clause("ORDER BY id MEASURES " + measure + " AS v PATTERN (A B?) SUBSET U = (A, B) DEFINE A AS TRUE")
}

func conditioned(condition string) string {
	return clause("ORDER BY id MEASURES MATCH_NUMBER() AS n PATTERN (A B?) SUBSET U = (A, B) DEFINE A AS " + condition)
}

func windowed(item, spec string) string {
	return "SELECT " + item + " AS v FROM (VALUES (1, 10), (2, 20)) AS t(id, x) WINDOW w AS (ORDER BY id " + spec + ")"
}

const frame = "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING "

// The error table of chapter 13: every row from the command line. The mark ^^
// stands before the place of the error; it is cut out.
var chapter13 = []struct{ rule, stage, state, sql string }{
	{"GRAM-1", "syntax", "42000", clause("PATTERN (A) ^^ORDER BY id DEFINE A AS TRUE")},
	{"GRAM-1", "syntax", "42000", clause("ORDER BY id ^^PARTITION BY s PATTERN (A) DEFINE A AS TRUE")},
	{"GRAM-1", "syntax", "42000", clause("ORDER BY id PATTERN (A) ^^PATTERN (A) DEFINE A AS TRUE")},
	{"GRAM-2", "syntax", "42000", clause("ORDER BY id MEASURES 1 AS n PATTERN (A)^^")},
	{"GRAM-2", "syntax", "42000", clause("ORDER BY id MEASURES 1 AS n DEFINE A AS TRUE")},
	{"GRAM-6", "syntax", "42000", clause("MEASURES A.x ^^v PATTERN (A) DEFINE A AS TRUE")},
	{"GRAM-7", "syntax", "42000", clause("MEASURES 1 AS n ONE ROW PER MATCH ^^OMIT EMPTY MATCHES PATTERN (A) DEFINE A AS TRUE")},
	{"PAT-6", "syntax", "42000", defined("^^", "")},
	{"PAT-6", "syntax", "42000", defined("A | ^^", "")},
	{"PAT-6", "syntax", "42000", defined("{- ^^-} A", "")},
	{"PAT-6", "syntax", "42000", defined("PERMUTE(^^) A", "")},
	{"PAT-5", "syntax", "42000", defined("A*^^*", "")},
	{"PAT-2", "syntax", "42000", defined("A^^||B", "")},
	{"", "syntax", "42000", defined("A{-1}", "")},
	{"PAT-4", "syntax", "42000", defined("A{^^1.5}", "")},
	{"MEA-1", "", "42000", measured("^^FINAL PREV(x)")},
	{"MEA-1", "", "42000", measured("^^FINAL CLASSIFIER()")},
	{"MEA-1", "", "42000", measured("^^RUNNING x")},
	{"GRAM-4", "syntax", "42000", clause("PARTITION BY ^^id + 1 MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE")},
	{"GRAM-5", "syntax", "42000", clause("ORDER BY ^^id + 1 MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE")},
	{"COL-1", "semantic", "42000", measured("^^nothing")},
	{"COL-1", "semantic", "42000", measured("^^Z.x")},
	{"GRAM-12", "semantic", "42000", measured("^^t.x")},
	{"PAT-4", "semantic", "42000", defined("A^^{0}", "")},
	{"PAT-4", "semantic", "42000", defined("A^^{5,2}", "")},
	{"PAT-4", "semantic", "42000", defined("A^^{9999999999}", "")},
	{"GRAM-8", "semantic", "42000", clause("MEASURES 1 AS n ^^SEEK PATTERN (A) DEFINE A AS TRUE")},
	{"SUB-1", "semantic", "42000", defined("A B", "SUBSET ^^B = (A)")},
	{"SUB-1", "semantic", "42000", defined("A B", "SUBSET U = (A), ^^U = (B)")},
	{"SUB-1", "semantic", "42000", defined("A B", "SUBSET U = (A, ^^C)")},
	{"SUB-1", "semantic", "42000", defined("A B", "SUBSET U = (A, ^^A)")},
	{"DEF-2", "semantic", "42000", clause("MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE, ^^B AS TRUE")},
	{"DEF-3", "semantic", "42000", clause("MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE, ^^A AS TRUE")},
	{"DEF-4", "semantic", "42000", clause("MEASURES 1 AS n PATTERN (A) SUBSET U = (A) DEFINE A AS TRUE, ^^U AS TRUE")},
	{"DEF-5", "semantic", "42000", conditioned("^^x")},
	{"DEF-7", "semantic", "42000", conditioned("^^FINAL LAST(x) > 1")},
	{"SKIP-1", "semantic", "42000", clause("MEASURES 1 AS n AFTER MATCH SKIP TO ^^Z PATTERN (A) DEFINE A AS TRUE")},
	{"MEA-4", "semantic", "42000", measured("CLASSIFIER(^^Z)")},
	{"MEA-5", "semantic", "42000", measured("^^MATCH_NUMBER(x)")},
	{"AGG-2", "semantic", "42000", measured("COUNT(^^Z.*)")},
	{"COL-2", "semantic", "42000", measured("SUM(A.x + ^^x)")},
	{"COL-2", "semantic", "42000", measured("LAST(A.x + ^^B.x)")},
	{"NAV-4", "semantic", "42000", measured("^^PREV(1)")},
	{"NAV-3", "semantic", "42000", measured("FIRST(^^PREV(x))")},
	{"NAV-3", "semantic", "42000", measured("PREV(1 + ^^FIRST(x))")},
	{"AGG-5", "semantic", "42000", measured("SUM(^^LAST(x))")},
	{"AGG-5", "semantic", "42000", measured("SUM(^^COUNT(*))")},
	{"NAV-5", "", "42000", measured("^^PREV(x, 1, 2)")},
	{"NAV-5", "", "42000", measured("PREV(x, ^^1.5)")},
	{"NAV-5", "", "42000", measured("PREV(x, ^^id)")},
	{"NAV-5", "", "", measured("PREV(x, ^^-1)")},
	{"NAV-5", "", "", measured("PREV(x, ^^NULL)")},
	{"OUT-7", "semantic", "42000", clause("ALL ROWS PER MATCH WITH UNMATCHED ROWS PATTERN (A ^^{- B -}) DEFINE A AS TRUE")},
	{"OUT-1", "semantic", "42000", clause("PATTERN (A) DEFINE A AS TRUE")},
	{"GRAM-6", "semantic", "42000", clause("MEASURES 1 AS n, 2 AS ^^n PATTERN (A) DEFINE A AS TRUE")},
	{"GRAM-12", "semantic", "42000", clause("MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE") + " (^^a, b)"},
	{"NEST-1", "semantic", "42000", conditioned("EXISTS (SELECT 1 FROM (VALUES (1)) AS v(y) ^^MATCH_RECOGNIZE (MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE) AS q)")},
	{"DEF-13", "semantic", "42000", conditioned("x > (SELECT MAX(y) FROM (VALUES (1)) AS v(y) WHERE y = ^^A.x)")},
	{"DEF-14", "semantic", "42000", measured("^^SUM(x) OVER (ORDER BY id)")},
	{"NEST-5", "semantic", "42000", "SELECT ^^CLASSIFIER() AS c FROM (VALUES (1)) AS t(x)"},
	{"NEST-5", "semantic", "42000", "SELECT ^^PREV(x) AS c FROM (VALUES (1)) AS t(x)"},
	{"WIN-1", "semantic", "42000", windowed("COUNT(*) OVER w", "^^RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS TRUE")},
	{"WIN-1", "semantic", "42000", windowed("COUNT(*) OVER w", "ROWS BETWEEN CURRENT ROW AND ^^CURRENT ROW PATTERN (A) DEFINE A AS TRUE")},
	{"WIN-1", "semantic", "", windowed("COUNT(*) OVER w", "ROWS BETWEEN CURRENT ROW AND ^^0 FOLLOWING PATTERN (A) DEFINE A AS TRUE")},
	{"WIN-1", "semantic", "42000", windowed("COUNT(*) OVER w", frame+"^^EXCLUDE CURRENT ROW PATTERN (A) DEFINE A AS TRUE")},
	{"WIN-9", "semantic", "42000", windowed("COUNT(*) OVER w", frame+"PATTERN (^^^ A) DEFINE A AS TRUE")},
	{"WIN-9", "semantic", "42000", windowed("m OVER w", "MEASURES ^^MATCH_NUMBER() AS m "+frame+"PATTERN (A) DEFINE A AS TRUE")},
	{"GRAM-14", "", "42000", windowed("COUNT(*) OVER w", frame+"^^DEFINE A AS TRUE")},
	{"WIN-7", "semantic", "42000", windowed("^^k OVER w", "MEASURES LAST(x) AS m "+frame+"PATTERN (A) DEFINE A AS TRUE")},
	{"SKIP-2", "runtime", "2202K", clause("MEASURES 1 AS n AFTER MATCH SKIP TO ^^B PATTERN (A B?) DEFINE A AS TRUE, B AS FALSE")},
	{"SKIP-3", "runtime", "2202L", clause("MEASURES 1 AS n AFTER MATCH SKIP TO ^^A PATTERN (A) DEFINE A AS TRUE")},
	{"EVAL-1", "runtime", "22012", conditioned("x ^^/ (x - x) > 1")},
	{"LIM-1", "limit", "54000", defined("^^PERMUTE(A, B, C, D, E, F, G, H, I, J, K)", "")},
	{"LEX-1", "syntax", "42000", conditioned("x ^^# 1")},
	{"TYPE-1", "semantic", "42000", conditioned("x ^^> s")},
	{"SQL-1", "syntax", "42000", "SELECT 1 AS a ^^a"},
	{"SQL-1", "unsupported", "0A000", "SELECT 1 AS a FROM a ^^JOIN b ON a.x = b.x"},
}

var (
	headLine  = regexp.MustCompile(`^(\w+) error ([A-Z]+-[0-9A-Za-z]+) \(SQLSTATE ([0-9A-Z]{5})\): \S.*\n`)
	placeLine = regexp.MustCompile(`\n  --> line 1, column (\d+)\n  1 \| .*\n    \| *\^\n`)
	helpLine  = regexp.MustCompile(`\n  help: \S.*\n|^[^\n]*: expected .*, found `)
)

func TestChapter13(t *testing.T) {
	for i, c := range chapter13 {
		t.Run(fmt.Sprintf("%d/%s", i, c.rule), func(t *testing.T) {
			before, after, marked := strings.Cut(c.sql, "^^")
			got := rpr(t, "", "query", before+after)
			head := headLine.FindStringSubmatch(got.errs)
			place := placeLine.FindStringSubmatch(got.errs)
			switch {
			case got.code != exitDifferent || got.out != "":
				t.Errorf("code %d %s", got.code, got.out)
			case head == nil:
				t.Error("no first line with stage, rule and SQLSTATE")
			case c.stage != "" && head[1] != c.stage, c.rule != "" && head[2] != c.rule, c.state != "" && head[3] != c.state:
				t.Errorf("%s %s %s, want %s %s %s", head[1], head[2], head[3], c.stage, c.rule, c.state)
			case place == nil:
				t.Error("no place with the source line and a caret")
			case marked && place[1] != fmt.Sprint(len([]rune(before))+1):
				t.Errorf("column %s, want %d", place[1], len([]rune(before))+1)
			case !helpLine.MatchString(got.errs):
				t.Error("nothing says what to change")
			default:
				return
			}
			t.Logf("%s\n%s", before+after, got.errs)
		})
	}
}

// What is an error of the statement as a literal is one of the data as a host
// variable: a navigation offset (NAV-5), the size of a frame (WIN-1).
func TestErrorsOfHostVariables(t *testing.T) {
	size := windowed("COUNT(*) OVER w", "ROWS BETWEEN CURRENT ROW AND :n FOLLOWING PATTERN (A) DEFINE A AS TRUE")
	for _, c := range []struct{ rule, state, sql, param string }{
		{"NAV-5", "2202J", measured("PREV(x, :n)"), "n=-1"},
		{"NAV-5", "2202J", measured("LAST(x, :n)"), "n=NULL"},
		{"WIN-1", "22013", size, "n=0"},
		{"WIN-1", "22013", size, "n=-1"},
		{"WIN-1", "22013", size, "n=NULL"},
	} {
		got := rpr(t, "", "query", c.sql, "--param", c.param)
		head := headLine.FindStringSubmatch(got.errs)
		if got.code != exitDifferent || head == nil || head[1] != "runtime" || head[2] != c.rule || head[3] != c.state {
			t.Errorf("%s %s: code %d\n%s", c.sql, c.param, got.code, got.errs)
		}
		if got := rpr(t, "", "query", c.sql, "--param", "n=1"); got.code != exitOK {
			t.Errorf("%s: %s", c.sql, got.errs)
		}
	}
}
