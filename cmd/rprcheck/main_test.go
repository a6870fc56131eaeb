package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics/query"
)

// result is what a command line gives.
type result struct {
	code      int
	out, errs string
}

// rpr runs a command line with standard input.
func rpr(t testing.TB, in string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(in), &out, &errs)
	return result{code, out.String(), errs.String()}
}

// write writes a file for the test and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// lines joins lines as output has them.
func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

const sample = "../../testdata/sample/"

// The TR's ticker example (4.3, chapter 16 item 1) with a second symbol, whose
// only V is 22, 21, 18, 19, 24, 25 with the average 129/6.
func TestQueryTicker(t *testing.T) {
	got := rpr(t, "", "query", "--table", "ticker="+sample+"ticker.csv", "-f", sample+"ticker.sql")
	want := result{out: lines(
		"SYMBOL | MATCHNO | STARTP | BOTTOMP | ENDP | AVGP",
		"-------+---------+--------+---------+------+-----",
		"XYZ    |       1 |     60 |      35 |   45 | 45.8",
		"XYZ    |       2 |     45 |      43 |   70 | 51.4",
		"ACME   |       1 |     22 |      18 |   25 | 21.5",
		"(3 rows)")}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(result{})); diff != "" {
		t.Error(diff)
	}
}

func TestQueryFormats(t *testing.T) {
	const sql = `SELECT * FROM (VALUES (1, 'a|b'), (NULL, '')) AS t(n, s)`
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{nil, lines("   N | S", "-----+----", "   1 | a|b", "NULL |", "(2 rows)")},
		{[]string{"--types"}, lines("      N | S", "integer | varchar", "--------+--------", "      1 | a|b", "   NULL |", "(2 rows)")},
		{[]string{"--format", "csv"}, lines("N,S", "1,a|b", `,""`)},
		{[]string{"--format=jsonl"}, lines(`{"N":1,"S":"a|b"}`, `{"N":null,"S":""}`)},
	} {
		got := rpr(t, "", append([]string{"query", sql}, c.flags...)...)
		if got.code != 0 || got.errs != "" || trimLines(got.out) != trimLines(c.want) {
			t.Errorf("%v: code %d %s\n got %q\nwant %q", c.flags, got.code, got.errs, got.out, c.want)
		}
	}
	got := rpr(t, "", "query", sql, "--format", "markdown")
	if got.code != 0 || !strings.Contains(got.out, `a\|b`) {
		t.Errorf("markdown: code %d\n%s", got.code, got.out)
	}
}

// trimLines takes blanks off the ends of lines.
func trimLines(s string) string {
	list := strings.Split(s, "\n")
	for i := range list {
		list[i] = strings.TrimRight(list[i], " -")
	}
	return strings.Join(list, "\n")
}

// Exact decimals stay exact, dates and timestamps are found, an unquoted empty
// field is NULL, a quoted one is not (GRAM-10a, chapter 18).
func TestQueryInfersTypes(t *testing.T) {
	path := write(t, "t.csv", lines(`id,price,d,at,"a name"`, `1,0.10,2026-01-31,2026-01-31 12:00:00,`, `2,10.25,2026-02-01,2026-02-01 12:00:00.5,""`))
	got := rpr(t, "", "query", "--table", "t="+path, "--types", "--format", "markdown", `SELECT id, price, d, at, "a name" IS NULL AS n FROM t`)
	for _, want := range []string{"decimal(4,2)", "*date*", "*timestamp*", "0.10", "10.25", "| true", "| false"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing\n%s%s", want, got.out, got.errs)
		}
	}
}

func TestQueryInputs(t *testing.T) {
	csvFile := write(t, "t.csv", lines("a", "1", "2"))
	jsonFile := write(t, "t.jsonl", lines(`{"a":1}`, `{"a":2}`))
	odd := write(t, "t.txt", lines("a", "1", "2"))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(lines("a", "1", "2")))
	z.Close()
	packedFile := write(t, "t.csv.gz", packed.String())
	for _, c := range []struct {
		name, in string
		args     []string
	}{
		{"csv", "", []string{"--table", "t=" + csvFile, "SELECT SUM(a) AS s FROM t"}},
		{"json lines", "", []string{"--table", "t=" + jsonFile, "SELECT SUM(a) AS s FROM t"}},
		{"gzip", "", []string{"--table", "t=" + packedFile, "SELECT SUM(a) AS s FROM t"}},
		{"format by flag", "", []string{"--table", "t=" + odd, "--input-format", "csv", "SELECT SUM(a) AS s FROM t"}},
		{"standard input, CSV", lines("a", "1", "2"), []string{"--table", "t=-", "SELECT SUM(a) AS s FROM t"}},
		{"standard input, JSON", `{"a":1}` + "\n" + `{"a":2}`, []string{"--table", "t=-", "SELECT SUM(a) AS s FROM t"}},
		{"standard input, format by flag", lines("a", "1", "2"), []string{"--table", "t=-", "--input-format", "csv", "SELECT SUM(a) AS s FROM t"}},
		{"file in FROM", "", []string{`SELECT SUM(a) AS s FROM "` + csvFile + `"`}},
		{"statement from standard input", "SELECT SUM(a) AS s FROM t", []string{"--table", "t=" + csvFile, "-f", "-"}},
		{"folded name", "", []string{"--table", "T=" + csvFile, "SELECT SUM(a) AS s FROM t"}},
		{"quoted name", "", []string{"--table", "my table=" + csvFile, `SELECT SUM(a) AS s FROM "my table"`}},
		{"twice in one statement", "", []string{"--table", "t=" + csvFile, "SELECT MAX(s) AS s FROM (SELECT SUM(a) AS s FROM t UNION ALL SELECT COUNT(*) FROM t) AS u"}},
		{"semicolon and comment", "", []string{"--table", "t=" + csvFile, "SELECT SUM(a) AS s FROM t; -- all\n"}},
	} {
		got := rpr(t, c.in, append([]string{"query", "--format", "csv"}, c.args...)...)
		if want := (result{out: "S\n3\n"}); got != want {
			t.Errorf("%s: code %d, %q, %s", c.name, got.code, got.out, got.errs)
		}
	}
}

func TestQuerySchema(t *testing.T) {
	path := write(t, "t.csv", lines("id,x", "1,7"))
	for _, schema := range []string{"t(id bigint, x decimal(10,2))", "t=id bigint, x decimal(10,2)", "T ( id bigint, X decimal(10,2) )"} {
		got := rpr(t, "", "query", "--table", "t="+path, "--schema", schema, "--types", "--format", "markdown", "SELECT id, x FROM t")
		if got.code != 0 || !strings.Contains(got.out, "bigint") || !strings.Contains(got.out, "decimal(10,2)") || !strings.Contains(got.out, "7.00") {
			t.Errorf("%s: code %d\n%s%s", schema, got.code, got.out, got.errs)
		}
	}
	got := rpr(t, "", "query", "--schema", `"`+path+`"(x varchar)`, "--format", "jsonl", `SELECT x FROM "`+path+`"`)
	if want := `{"X":"7"}` + "\n"; got.out != want {
		t.Errorf("schema of a file: code %d %q %s", got.code, got.out, got.errs)
	}
}

func TestQueryParams(t *testing.T) {
	for _, c := range []struct{ literal, json, typ string }{
		{"3", "3", "integer"}, {"-3", "-3", "integer"}, {"+3", "3", "integer"},
		{"3000000000", "3000000000", "bigint"},
		{"2.50", "2.50", "decimal(3,2)"},
		{"1e3", "1000", "double precision"},
		{"'x'", `"x"`, "varchar"}, {"'it''s'", `"it's"`, "varchar"}, {"''", `""`, "varchar"},
		{"NULL", "null", "unknown"}, {"true", "true", "boolean"},
		{"DATE '2026-01-31'", `"2026-01-31"`, "date"},
		{"timestamp '2026-01-31 12:00:00'", `"2026-01-31 12:00:00"`, "timestamp(0)"},
		{"TIME '12:00:00'", `"12:00:00"`, "time(0)"},
		{"INTERVAL '30' MINUTE", `"0 00:30:00"`, "interval day to second"},
		{"INTERVAL '1-2' year to month", `"1-2"`, "interval year to month"},
		{"X'0aFF'", `"0aff"`, "varbinary"},
	} {
		got := rpr(t, "", "query", "--format", "jsonl", "--param", "n="+c.literal, "SELECT :n AS x")
		if want := `{"X":` + c.json + "}\n"; got.out != want || got.code != 0 {
			t.Errorf("%s: code %d, %q, %s", c.literal, got.code, got.out, got.errs)
		}
		got = rpr(t, "", "query", "--check", "--param", "n="+c.literal, "SELECT :n AS x")
		if want := "accepted\n  X  " + c.typ + "\n"; got.out != want {
			t.Errorf("%s: %q, want %q", c.literal, got.out, want)
		}
	}
	for _, wrong := range []string{"n", "n=", "=3", "n=abc", "n=3x", "n=--3", "n='x", "n='x'y", "n=DATE 2026", "n=DATE '2026-02-30'", "n=INTERVAL '3'", "n=X'0'", "n=1+1", "n=FOO 'x'"} {
		if got := rpr(t, "", "query", "--param", wrong, "SELECT 1"); got.code != exitUsage || got.errs == "" {
			t.Errorf("%s: code %d %s", wrong, got.code, got.errs)
		}
	}
	// 2202J: a negative offset can only come from a host variable at run time (NAV-5).
	got := rpr(t, "", "query", "--param", "n=-1", `SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (MEASURES PREV(x, :n) AS p PATTERN (A) DEFINE A AS TRUE) AS m`)
	if got.code != exitDifferent || !strings.Contains(got.errs, "2202J") {
		t.Errorf("code %d\n%s", got.code, got.errs)
	}
}

func TestExitCodes(t *testing.T) {
	ragged := write(t, "bad.csv", lines("a,b", "1,2", "3"))
	syntax := write(t, "x.sql", "SELECT 1 AS a\n\nFRM x")
	for _, c := range []struct {
		name string
		code int
		part string // of what stands on standard error
		args []string
	}{
		{"syntax", 1, "syntax error SQL-1", []string{"query", "SELECT 1 AS a FRM x"}},
		{"place in a file", 1, syntax + " 3, column 1\n  3 | FRM x\n    | ^", []string{"query", "-f", syntax}},
		{"semantic", 1, "semantic error NAME-1 (SQLSTATE 42000)", []string{"query", "SELECT nothing FROM (VALUES (1)) AS t(x)"}},
		{"runtime", 1, "SQLSTATE 22012", []string{"query", "SELECT 1 / 0 AS x"}},
		{"unsupported", 1, "unsupported error", []string{"query", "SELECT * FROM a JOIN b ON a.x = b.x"}},
		{"limit", 1, "limit error LIM-1 (SQLSTATE 54000)", []string{"query", "--matcher", "reference", "--max-steps", "5",
			"SELECT * FROM (VALUES (1), (2), (3), (4)) AS t(x) MATCH_RECOGNIZE (ORDER BY x ALL ROWS PER MATCH PATTERN ((A+)+ B) DEFINE A AS TRUE, B AS FALSE) AS m"}},
		{"unknown table", 1, "--table name=path", []string{"query", "SELECT * FROM t"}},
		{"missing file", 2, "cannot be read: no such file", []string{"query", "--table", "t=nowhere.csv", "SELECT * FROM t"}},
		{"missing statement file", 2, "nowhere.sql", []string{"query", "-f", "nowhere.sql"}},
		{"empty file", 2, "empty.csv 1, column 1\n", []string{"query", "--table", "t=" + write(t, "empty.csv", ""), "SELECT * FROM t"}},
		{"ragged row", 2, "bad.csv 3", []string{"query", "--table", "t=" + ragged, "SELECT * FROM t"}},
		{"directory", 2, "DATA-1", []string{"query", "--table", "t=" + t.TempDir(), "--input-format", "csv", "SELECT * FROM t"}},
		{"unknown format of a file", 2, "--input-format", []string{"query", "--table", "t=" + syntax, "SELECT * FROM t"}},
		{"file that is not there and not used", 2, "no such file", []string{"query", "--table", "t=missing.csv", "SELECT 1"}},
		{"no statement", 2, "a statement is missing", []string{"query"}},
		{"two statements", 2, "one statement", []string{"query", "SELECT 1", "SELECT 2"}},
		{"statement twice", 2, "twice", []string{"query", "SELECT 1", "-f", "x"}},
		{"table without path", 2, "name=path", []string{"query", "--table", "t", "SELECT 1"}},
		{"table twice", 2, "twice", []string{"query", "--table", "t=a.csv", "--table", "T=b.csv", "SELECT 1"}},
		{"input twice", 2, "standard input", []string{"query", "--table", "t=-", "--table", "u=-", "SELECT 1"}},
		{"input and statement", 2, "standard input", []string{"query", "--table", "t=-", "-f", "-"}},
		{"schema without brackets", 2, "--schema", []string{"query", "--schema", "t", "SELECT 1"}},
		{"schema not closed", 2, "--schema", []string{"query", "--schema", "t(a bigint", "SELECT 1"}},
		{"schema of unknown type", 2, "bigit", []string{"query", "--schema", "t(a bigit)", "SELECT 1"}},
		{"input format", 2, "--input-format", []string{"query", "--input-format", "xml", "SELECT 1"}},
		{"format", 2, "one of table, csv, jsonl, markdown", []string{"query", "--format", "xml", "SELECT 1"}},
		{"types of CSV", 2, "--types", []string{"query", "--format", "csv", "--types", "SELECT 1"}},
		{"reading", 2, "no reading belongs", []string{"query", "--reading", "WIN-99=alternative", "SELECT 1"}},
		{"reading's value", 2, "the values of WIN-10", []string{"query", "--reading", "WIN-10=x", "SELECT 1"}},
		{"matcher", 2, "reference, enumerate", []string{"query", "--matcher", "x", "SELECT 1"}},
		{"negative limit", 2, "not negative", []string{"query", "--max-steps=-1", "SELECT 1"}},
		{"flag", 2, "unknown flag", []string{"query", "--nope"}},
		{"command", 2, "unknown command", []string{"nope"}},
		{"command nearly", 2, "query", []string{"qury"}},
		{"argument of readings", 2, "readings", []string{"readings", "x"}},
		{"rule", 2, "there is no rule", []string{"rule", "XYZ-1"}},
		{"rule nearly", 2, "did you mean COL-2?", []string{"rule", "COLL-2"}},
		{"partition without at", 2, "--at", []string{"explain", "--partition", "x", "SELECT 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := rpr(t, "", c.args...)
			if got.code != c.code || !strings.Contains(got.errs, c.part) || c.name == "empty file" && strings.Contains(got.errs, "SELECT") || got.out != "" {
				t.Errorf("code %d, want %d; %q is not in\n%s\nout: %s", got.code, c.code, c.part, got.errs, got.out)
			}
		})
	}
}

// A reading under which a refused statement is accepted is named.
func TestRefusalNamesTheReading(t *testing.T) {
	const sql = `SELECT * FROM (VALUES (1, 2)) AS t(x, y) MATCH_RECOGNIZE (ORDER BY x + y MEASURES A.x AS m PATTERN (A) DEFINE A AS TRUE) AS r`
	got := rpr(t, "", "query", sql)
	if got.code != 1 || !strings.Contains(got.errs, "--reading GRAM-5=alternative") {
		t.Errorf("code %d\n%s", got.code, got.errs)
	}
	got = rpr(t, "", "query", "--reading", "GRAM-5=alternative", "--format", "csv", sql)
	if want := (result{out: "M\n1\n"}); got != want {
		t.Errorf("%+v", got)
	}
}

func TestCheck(t *testing.T) {
	const sql = `SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY s MEASURES LAST(A.x) AS l PATTERN (A+) DEFINE A AS x > 1) AS m`
	for _, c := range []struct {
		name, want string
		code       int
		flags      []string
	}{
		{"without tables", lines("accepted", "no tables were given: their columns have no types, so what needs types was not checked", "  S  unknown", "  L  unknown"), 0, nil},
		{"with a schema", lines("accepted", "  S  varchar", "  L  bigint"), 0, []string{"--schema", "t(s varchar, x bigint)"}},
		{"with a wrong schema", "", 1, []string{"--schema", "t(s varchar, x varchar)"}},
		{"with the schema of another table", "", 1, []string{"--schema", "u(s varchar, x bigint)"}},
	} {
		got := rpr(t, "", append([]string{"query", "--check", sql}, c.flags...)...)
		if got.code != c.code || got.out != c.want {
			t.Errorf("%s: code %d\n%s%s", c.name, got.code, got.out, got.errs)
		}
	}
	// Nothing is run: the division by zero is not met.
	if got := rpr(t, "", "query", "--check", "SELECT x / (x - x) AS y FROM (VALUES (1)) AS t(x)"); got.code != 0 {
		t.Errorf("code %d %s", got.code, got.errs)
	}
	if got := rpr(t, "", "query", "--schema", "t(x bigint)", "SELECT x FROM t"); got.code != 1 {
		t.Errorf("a schema without a file is a table: code %d\n%s", got.code, got.out)
	}
}

// Control characters of names and data never reach a terminal.
func TestControlCharactersAreEscaped(t *testing.T) {
	path := write(t, "t.jsonl", `{"a\u001b[31m":"x\u001b[2J\u202e","p":1}`+"\n")
	for _, format := range []string{"table", "markdown"} {
		got := rpr(t, "", "query", "--table", "t="+path, "--format", format, "SELECT * FROM t")
		if got.code != 0 || strings.ContainsAny(got.out, "\x1b\u202e") || !strings.Contains(got.out, `x\x1b[2J\u202e`) {
			t.Errorf("%s: code %d %q %s", format, got.code, got.out, got.errs)
		}
	}
	for _, args := range [][]string{
		{"query", "SELECT \"\x1b[31m\" FROM (VALUES (1)) AS t(x)"},
		{"query", "--table", "t=\x1b[31m.csv", "SELECT * FROM t"},
		{"query", "--param", "n=\x1b[31m", "SELECT 1"},
		{"query", "--format", "\x1b[31m", "SELECT 1"},
		{"\x1b[31m"},
		{"rule", "\x1b[31m"},
		{"query", "--\x1b[31m"},
		{"query", "--reading", "\x1b[31m=1", "SELECT 1"},
	} {
		got := rpr(t, "", args...)
		if got.code == 0 || strings.Contains(got.errs+got.out, "\x1b") {
			t.Errorf("%q: code %d\n%q", args, got.code, got.errs)
		}
	}
	got := rpr(t, "", "explain", "--table", "t="+path, `SELECT * FROM t MATCH_RECOGNIZE (PARTITION BY "a`+"\x1b[31m"+`" MEASURES 1 AS "`+"\x1b"+`" PATTERN (A) DEFINE A AS p > 0) AS m`, "--at", "1")
	if got.code != 0 || strings.Contains(got.out+got.errs, "\x1b") {
		t.Errorf("explain: code %d\n%q\n%q", got.code, got.out, got.errs)
	}
}

func TestEngine(t *testing.T) {
	in := lines(`{"op":"hello","protocol":1}`, `{"op":"map","id":"1","pattern":"(A? | B)*","rows":["A","B"]}`,
		`{"op":"query","id":"2","sql":"SELECT COUNT(*) AS n FROM \"`+sample+`ticker.csv\""}`)
	got := rpr(t, in, "engine")
	answers := strings.Split(got.out, "\n")
	if got.code != 0 || len(answers) != 4 || answers[1] != `{"id":"1","mappings":[["A"],[]]}` {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(answers[2], `"rule":"NAME-1"`) { // no question makes an engine read a file
		t.Errorf("%s", answers[2])
	}
	for _, name := range matcherNames() {
		if got := rpr(t, in, "engine", "--matcher", name); !strings.Contains(got.out, `[["A"],[]]`) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := rpr(t, `{"op":"hello","protocol":7}`, "engine"); got.code != exitUsage || !strings.Contains(got.out, `"error"`) {
		t.Errorf("%+v", got)
	}
	if got := rpr(t, lines(`{"op":"hello","protocol":1}`, `{"op":"map","pattern":"A","rows":[]}`), "engine", "--max-line", "30"); !strings.Contains(got.out, `"limit"`) {
		t.Errorf("%+v", got)
	}
	if got := rpr(t, "", "engine", "--max-line", "0"); got.code != exitUsage {
		t.Errorf("%+v", got)
	}
}

func TestReadings(t *testing.T) {
	got := rpr(t, "", "readings")
	for _, rule := range []string{"PAT-2=bracket", "WIN-10=alternative", "IMP-AVG=double", "DEF-15=unknown", "IMP-NULLS=default"} {
		if !strings.Contains(got.out, rule) {
			t.Errorf("%s is missing", rule)
		}
	}
}

func TestRule(t *testing.T) {
	got := rpr(t, "", "rule", "col-2")
	if got.code != 0 || !strings.HasPrefix(got.out, "COL-2  ") || !strings.Contains(got.out, "TR 5.2") {
		t.Errorf("%+v", got)
	}
	got = rpr(t, "", "rule", "col")
	if got.code != 0 || strings.Count(got.out, "\n") != 4 || !strings.Contains(got.out, "COL-4") {
		t.Errorf("chapter: %+v", got)
	}
	if got = rpr(t, "", "rule"); got.code != 0 || strings.Count(got.out, "\n") < 100 {
		t.Errorf("all: %d lines", strings.Count(got.out, "\n"))
	}
	if got = rpr(t, "", "rule", "COL-1", "COL-2"); strings.Count(got.out, "clause ") != 2 {
		t.Errorf("two: %s", got.out)
	}
}

func TestVersionAndHelp(t *testing.T) {
	if got := rpr(t, "", "--version"); got.code != 0 || !strings.HasPrefix(got.out, "rprcheck ") {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"--help"}, {"query", "--help"}, {"explain", "--help"}, {"engine", "-h"}, {"completion", "bash"}} {
		if got := rpr(t, "", args...); got.code != 0 || got.out == "" {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"__complete", "query", "--matcher", ""}, "enumerate"},
		{[]string{"__complete", "query", "--format", ""}, "markdown"},
		{[]string{"__complete", "query", "--reading", "WIN-1"}, "WIN-10=alternative"},
		{[]string{"__complete", "rule", "COL"}, "COL-2"},
		{[]string{"__complete", ""}, "explain"},
	} {
		if got := rpr(t, "", c.args...); !strings.Contains(got.out, c.want) {
			t.Errorf("%v: %s", c.args, got.out)
		}
	}
}

// A search without end is interrupted on every matcher: the reference goes
// through the ways to split a run, nfa through those to reach a sum (PREF-10).
func TestInterrupted(t *testing.T) {
	rows := make([]string, 60)
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d)", 1<<(i%30)+i)
	}
	from := "SELECT * FROM (VALUES " + strings.Join(rows, ",") + ") AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES COUNT(*) AS n "
	for matcher, rest := range map[string]string{
		"reference": "PATTERN ((A+)+ B) DEFINE B AS FALSE) AS m",
		"nfa":       "PATTERN ((A | B)* C) DEFINE C AS SUM(A.x) = -1) AS m",
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		var out, errs bytes.Buffer
		code := run(ctx, []string{"query", "--matcher", matcher, "--max-steps", "0", from + rest}, strings.NewReader(""), &out, &errs)
		if code != exitInterrupted || out.Len() > 0 {
			t.Errorf("%s: code %d, %s%s", matcher, code, out.String(), errs.String())
		}
	}
}

// explain --plan says how the default matcher goes about a recognition.
func TestPlan(t *testing.T) {
	const from = "SELECT * FROM (VALUES (1), (2)) AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES COUNT(*) AS n "
	for rest, want := range map[string]string{
		"PATTERN (A B) DEFINE A AS x = 1, B AS x = 2) AS m": "T1: ",
		"PATTERN (A+) DEFINE A AS x >= AVG(x)) AS m":        "Because a condition is match-dependent: ",
	} {
		if got := rpr(t, "", "explain", "--plan", from+rest); got.code != 0 || !strings.Contains(got.out, want) {
			t.Errorf("%s: %+v", rest, got)
		}
	}
	if got := rpr(t, "", "explain", "--plan", "SELECT * FROM (VALUES (1)) AS t(x)"); got.code != 0 || !strings.Contains(got.out, "no row pattern recognition") {
		t.Errorf("%+v", got)
	}
	if got := rpr(t, "", "explain", "--plan", "--at", "1", from); got.code != exitUsage {
		t.Errorf("%+v", got)
	}
}

// bench checks answers and prints gates; names that fit nothing are told.
func TestBench(t *testing.T) {
	if got := rpr(t, "", "bench", "--quick", "--times", "1", "--only", "quantifier"); got.code != 0 ||
		!strings.Contains(got.out, "| quantifier |") || !strings.Contains(got.out, "as the reference at 20000 rows") || !strings.Contains(got.out, "0 wrong answers") {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"--only", "nothing like it"}, {"--times", "0"}, {"--only", ""}} {
		if got := rpr(t, "", append([]string{"bench"}, args...)...); got.code != exitUsage {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestShownProgress(t *testing.T) {
	var out lockedBuffer
	m := startMeter(&out, 0, time.Millisecond)
	m.phase("matching", "rows", 10)
	m.done.Store(5)
	deadline := time.Now().Add(5 * time.Second)
	for !strings.Contains(out.String(), "matching: 5 of 10 rows (50%), 0 s") && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	m.finish()
	m.finish()
	if s := out.String(); !strings.Contains(s, "matching: 5 of 10 rows (50%), 0 s") || !strings.HasSuffix(s, "\r") {
		t.Errorf("%q", s)
	}
	var none *meter // no terminal: nothing is shown, and nothing is in the way
	none.finish()
	if in := strings.NewReader("x"); none.reading("f", 1, in) != in {
		t.Error("a reader is wrapped for nothing")
	}
	if newMeter(&bytes.Buffer{}) != nil {
		t.Error("a buffer is taken for a terminal")
	}
}

// A watched engine gives the same answer, and counts rows over all partitions.
func TestWatchedEngine(t *testing.T) {
	m := startMeter(io.Discard, time.Hour, time.Hour)
	defer m.finish()
	r, err := query.Run(context.Background(), `SELECT * FROM (VALUES ('a', 1), ('a', 2), ('b', 3), ('b', 4), ('b', 5)) AS t(p, x)
		MATCH_RECOGNIZE (PARTITION BY p ORDER BY x MEASURES COUNT(*) AS n ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A+) DEFINE A AS TRUE) AS m`,
		query.Options{Recognizer: matcher.Using(m.watch(matchers[0]), matcher.Limits{})})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Table.NumRows(); n != 5 {
		t.Errorf("%d matches", n)
	}
	if m.total != 5 || m.done.Load() != 4 { // the last row is number 4, from 0
		t.Errorf("row %d of %d", m.done.Load(), m.total)
	}
}

// lockedBuffer may be read while another goroutine writes.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// The start of the program is measured as a process of its own: it must stay
// under 50 ms.
func BenchmarkVersion(b *testing.B) {
	program := filepath.Join(b.TempDir(), "rprcheck")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for b.Loop() {
		if err := exec.Command(program, "--version").Run(); err != nil {
			b.Fatal(err)
		}
	}
	if per := b.Elapsed() / time.Duration(b.N); b.N > 1 && per > 50*time.Millisecond {
		b.Errorf("the start takes %s", per)
	}
}
