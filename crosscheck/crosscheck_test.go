package crosscheck

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

const file = `# Two cases and a table.

table name=t cols=(id bigint, x bigint)
1 10
2 20
----
ok

# The second row rises.
recognize id=rise rule=NAV-2 tr=5.6.2 by=hand
SELECT n FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n PATTERN (A B) DEFINE B AS x > PREV(x))
----
N bigint
2

labels id=stop rule=(PREF-8,PREF-4) tr=7.2.8
PATTERN ((A? | B)*)
ROWS A B
----
1: A
2: ()

refuse id=twice rule=PAT-5 over=t by=hand
MATCH_RECOGNIZE (ORDER BY id MEASURES 1 AS m PATTERN (A**) DEFINE A AS TRUE)
----
syntax PAT-5 42000 1:57
`

func suite(t *testing.T, text string) *Suite {
	t.Helper()
	s, err := LoadFS(fstest.MapFS{"c/demo/one": {Data: []byte(text)}}, "c")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fixed is an opinion that always says the same.
type fixed struct {
	name  string
	reply Reply
	batch int
}

func (f fixed) Name() string                            { return f.name }
func (f fixed) Version(context.Context) (string, error) { return "1", nil }
func (f fixed) Batch() int                              { return max(1, f.batch) }
func (f fixed) Close() error                            { return nil }
func (f fixed) Ask(_ context.Context, cases []*corpus.Case) []Reply {
	out := make([]Reply, len(cases))
	for i := range out {
		out[i] = f.reply
	}
	return out
}

func TestRunJudges(t *testing.T) {
	s := suite(t, file)
	if len(s.Errs) > 0 || len(s.Cases) != 3 {
		t.Fatalf("%d cases, errors %v", len(s.Cases), s.Errs)
	}
	opinions := []Opinion{NewLocalOpinion(reference.Engine{}, "1"), NewLocalOpinion(enumerate.Engine{}, "1"),
		fixed{name: "liar", reply: Reply{Lines: []string{"1: -"}}}, fixed{name: "mute", reply: Reply{Verdict: oracle.NotComparable, Reason: "limit: 7 steps"}, batch: 2}}
	results, interrupted := Run(context.Background(), s.Cases, opinions, Options{Jobs: 2})
	if interrupted || len(results) != 12 {
		t.Fatalf("%d results, interrupted %v", len(results), interrupted)
	}
	want := []string{"agrees", "agrees", "differs", "not-comparable"}
	for i, r := range results {
		if r.Verdict != want[i%4] || r.Case != s.Cases[i/4].Name {
			t.Errorf("%d: %s, should be %s of %s", i, r, want[i%4], s.Cases[i/4].Name)
		}
	}
	stream := &Stream{Head: Head{Opinions: []Speaker{{Name: "liar"}}}, Results: results}
	if stream.Worst() != 1 {
		t.Error("differences do not show in the exit code")
	}
	if n := len(Failed(stream)); n != 3 {
		t.Errorf("%d failed cases, should be 3", n)
	}
}

// A run that is interrupted returns what it has.
func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	results, interrupted := Run(ctx, suite(t, file).Cases, []Opinion{fixed{name: "a"}}, Options{})
	if !interrupted || len(results) != 0 {
		t.Errorf("%d results, interrupted %v", len(results), interrupted)
	}
	if (&Stream{Foot: Foot{Interrupted: true}}).Worst() != 130 {
		t.Error("the exit code of an interrupted run is 130")
	}
}

// A limit is never agreement, and a panic is a failure of that case alone.
func TestLimitsAndPanics(t *testing.T) {
	c := suite(t, file).Cases
	limit := &LocalOpinion{Label: "limit", Answer: answerFunc(func(*corpus.Case) ([]string, error) {
		return nil, diag.New(diag.Limit, "LIM-1", diag.Pos{}, "too many steps")
	})}
	panics := &LocalOpinion{Label: "panics", Answer: answerFunc(func(*corpus.Case) ([]string, error) { panic("ouch") })}
	if r := limit.Ask(context.Background(), c[:1])[0]; r.Verdict != oracle.NotComparable || !strings.HasPrefix(r.Reason, "limit") {
		t.Errorf("%+v", r)
	}
	if r := panics.Ask(context.Background(), c[:1])[0]; r.Verdict != oracle.Refused || !strings.Contains(r.Reason, "internal error") {
		t.Errorf("%+v", r)
	}
}

type answerFunc func(*corpus.Case) ([]string, error)

func (f answerFunc) Answer(_ context.Context, c *corpus.Case) ([]string, error) { return f(c) }

func demoStream(t *testing.T) *Stream {
	t.Helper()
	results, _ := Run(context.Background(), suite(t, file).Cases, []Opinion{NewLocalOpinion(reference.Engine{}, "1"), fixed{name: "li|ar", reply: Reply{Lines: []string{"\x1b[31m"}}}}, Options{})
	return &Stream{Head: Head{Version: "1", Corpus: "c", Cases: 3, Opinions: []Speaker{{Name: "reference", Version: "1"}, {Name: "li|ar"}}}, Results: results}
}

// A stream is read back as it was written; every line fits the schema.
func TestStreamRoundTrip(t *testing.T) {
	s := demoStream(t)
	var b bytes.Buffer
	if err := s.Replay(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	back, err := ReadStream("s", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := back.Replay(&again); err != nil || again.String() != text {
		t.Errorf("reading and writing changes the stream: %v", err)
	}
	schema, err := jsonschema.NewCompiler().Compile("stream.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestStreamErrors(t *testing.T) {
	var b bytes.Buffer
	if err := demoStream(t).Replay(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSpace(b.String()), "\n")
	last := len(lines) - 1
	for name, text := range map[string]string{
		"no footer":     strings.Join(lines[:last], ""),
		"a case twice":  strings.Join(lines[:2], "") + lines[1] + strings.Join(lines[2:], ""),
		"a wrong count": strings.Join(lines[:1], "") + strings.Join(lines[2:], ""),
		"no head":       strings.Join(lines[1:], ""),
		"garbage":       strings.Join(lines[:2], "") + "{\n" + strings.Join(lines[2:], ""),
		"two footers":   strings.Join(lines, "") + "\n" + lines[last],
		"a new schema":  strings.Replace(b.String(), `"schema":1`, `"schema":9`, 1),
		"a new verdict": strings.Replace(b.String(), `"verdict":"agrees"`, `"verdict":"perhaps"`, 1),
		"nothing":       "",
	} {
		if _, err := ReadStream("s", strings.NewReader(text)); err == nil || diag.From(err).Rule != "DATA-1" {
			t.Errorf("%s: %v, should be DATA-1", name, err)
		}
	}
}

// Reports show each failure and escape what an engine sent.
func TestReports(t *testing.T) {
	s := demoStream(t)
	var term, md, gh, ju bytes.Buffer
	WriteTerminal(&term, s)
	WriteMarkdown(&md, s)
	WriteGitHub(&gh, s)
	if err := WriteJUnit(&ju, s); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"terminal": term.String(), "Markdown": md.String(), "GitHub": gh.String(), "JUnit": ju.String()} {
		if strings.Contains(text, "\x1b") {
			t.Errorf("%s: a control character gets through", name)
		}
		if !strings.Contains(text, "demo/one#rise") {
			t.Errorf("%s does not name the case:\n%s", name, text)
		}
	}
	for _, part := range []string{"demo   3      3          0, 3 differs", "should be: N bigint", "is:        \\x1b[31m", "rprcheck corpus show 'demo/one#rise'"} {
		if !strings.Contains(term.String(), part) {
			t.Errorf("the table lacks %q:\n%s", part, term.String())
		}
	}
	if !strings.Contains(md.String(), `li\|ar`) {
		t.Error("a bar in a name breaks the Markdown table")
	}
	if n := strings.Count(gh.String(), "::error "); n != 3 {
		t.Errorf("%d errors for GitHub, should be 3", n)
	}
	var doc junitSuites
	if err := xml.Unmarshal(ju.Bytes(), &doc); err != nil || len(doc.Suites) != 2 || doc.Suites[1].Failures != 3 || doc.Suites[0].Tests != 3 {
		t.Errorf("JUnit: %v %+v", err, doc)
	}
}

// A broken file or case is an error with file and line; the others are loaded.
func TestLoadBrokenCases(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		line int
	}{
		"unknown directive":  {"nosuch id=a rule=PAT-1\nx\n----\n", 1},
		"unknown argument":   {"\nlabels id=a rule=PAT-1 nosuch=1\nPATTERN (A)\nROWS A\n----\n1: A\n", 2},
		"unknown rule":       {"labels id=a rule=PAT-99\nPATTERN (A)\nROWS A\n----\n1: A\n", 1},
		"no id":              {"labels rule=PAT-1\nPATTERN (A)\nROWS A\n----\n1: A\n", 1},
		"id twice":           {"labels id=a rule=PAT-1\nPATTERN (A)\nROWS A\n----\n1: A\n\nlabels id=a rule=PAT-1\nPATTERN (A)\nROWS A\n----\n1: A\n", 7},
		"no dashes":          {"# x\nlabels id=a rule=PAT-1\nPATTERN (A)\nROWS A\n", 2},
		"open parenthesis":   {"labels id=a rule=(PAT-1\nPATTERN (A)\n----\n", 1},
		"ragged table":       {"table name=t cols=(a bigint, b bigint)\n1\n----\nok\n", 1},
		"no number of rows":  {"prefer id=a rule=PREF-1\nPATTERN (A)\n----\nA\n", 1},
		"an unknown reading": {"labels id=a rule=PAT-1 reading=NO-1=x\nPATTERN (A)\nROWS A\n----\n1: A\n", 1},
	} {
		s, err := LoadFS(fstest.MapFS{"c/demo/bad": {Data: []byte(tc.text)}, "c/demo/good": {Data: []byte(file)}}, "c")
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Errs) != 1 || diag.From(s.Errs[0]).Pos.Line != tc.line || !strings.Contains(diag.From(s.Errs[0]).File, "demo/bad") {
			t.Errorf("%s: %v, should be one error in line %d", name, s.Errs, tc.line)
		}
		if len(s.Cases) < 3 {
			t.Errorf("%s: the other file was not loaded", name)
		}
	}
}

func TestLoadPaths(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine", "cases"), []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "mine", "cases")} {
		if s, err := LoadPaths([]string{path}); err != nil || len(s.Cases) != 3 {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := LoadPaths([]string{filepath.Join(dir, "none")}); diag.From(err) == nil || diag.From(err).Rule != "DATA-1" {
		t.Errorf("%v, should be DATA-1", err)
	}
}

func TestSelect(t *testing.T) {
	all := suite(t, file).Cases
	for name, tc := range map[string]struct {
		sel  Select
		want string
	}{
		"all": {Select{}, "rise stop twice"}, "run": {Select{Run: []string{"*#st*"}}, "stop"}, "skip": {Select{Skip: []string{"demo/one#r*"}}, "stop twice"},
		"rule": {Select{Rules: []string{"pref-4"}}, "stop"}, "chapter": {Select{Rules: []string{"PAT"}}, "twice"}, "clause": {Select{Clauses: []string{"7.2"}}, "stop"},
		"one shard": {Select{Shard: 1, Shards: 2}, "rise twice"}, "other shard": {Select{Shard: 2, Shards: 2}, "stop"}, "failed": {Select{Names: map[string]bool{"demo/one#twice": true}}, "twice"},
	} {
		var ids []string
		for _, c := range tc.sel.Cases(all) {
			ids = append(ids, c.ID)
		}
		if got := strings.Join(ids, " "); got != tc.want {
			t.Errorf("%s: %q, should be %q", name, got, tc.want)
		}
	}
}

// Glob takes linear space and quadratic time, so hostile patterns end.
func TestGlob(t *testing.T) {
	for _, tc := range []struct {
		pattern, name string
		want          bool
	}{{"", "", true}, {"*", "a/b#c", true}, {"a*c", "abc", true}, {"a?c", "abc", true}, {"a?c", "ac", false}, {"*b*", "abc", true}, {"a", "ab", false}, {"*/x#*", "t/x#1", true}} {
		if Glob(tc.pattern, tc.name) != tc.want {
			t.Errorf("Glob(%q, %q) is not %v", tc.pattern, tc.name, tc.want)
		}
	}
	if Glob(strings.Repeat("*a", 2000)+"b", strings.Repeat("a", 20000)) { // exponential if it went back to more than the last star
		t.Error("a pattern that ends in b matches a name without b")
	}
}

// The lint finds inert cases, repeated ones, and what each case rests on.
func TestLint(t *testing.T) {
	text := file + `
labels id=again rule=PREF-8 tr=7.2.8
PATTERN ((X? | Y)*)
ROWS X Y
----
1: X
2: ()
`
	s := suite(t, text)
	liar := fixed{name: "liar", reply: Reply{Lines: []string{"1: -"}}}
	m, err := KillMatrix(context.Background(), s.Cases[1:], []Opinion{liar, fixed{name: "limit", reply: Reply{Verdict: oracle.NotComparable}}}, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Survivors(); len(got) != 1 || got[0] != "limit" {
		t.Errorf("survivors %v, should be the engine that only meets limits", got)
	}
	confirm, _ := Run(context.Background(), s.Cases, []Opinion{NewLocalOpinion(reference.Engine{}, ""), liar}, Options{})
	l := NewLint(s.Cases, m, confirm)
	if len(l.Inert) != 1 || l.Inert[0] != "demo/one#rise" {
		t.Errorf("inert %v, should be the case that nobody was asked", l.Inert)
	}
	if len(l.Same) != 1 || strings.Join(l.Same[0], " ") != "demo/one#stop demo/one#again" {
		t.Errorf("equal after renaming: %v", l.Same)
	}
	if strings.Join(l.Alone, " ") != "demo/one#stop demo/one#again" {
		t.Errorf("alone %v: pattern cases need two opinions, those by hand none", l.Alone)
	}
	if l.Counted["labels"] != 1 || l.Counted["refuse"] != 1 || l.Counted["recognize"] != 0 {
		t.Errorf("counted %v", l.Counted)
	}
}

func TestCoverage(t *testing.T) {
	list := NewCoverage(suite(t, file).Cases)
	by := map[string]Coverage{}
	for _, c := range list {
		by[c.Rule.ID] = c
	}
	if c := by["PREF-8"]; c.Hits != 1 || c.Miss != 1 || c.Missing() != "" {
		t.Errorf("PREF-8: %+v", c)
	}
	if c := by["PAT-5"]; c.Missing() != "no near miss" {
		t.Errorf("PAT-5: %q", c.Missing())
	}
	if by["PREF-9"].Missing() != "" || by["COL-2"].Missing() != "no case" {
		t.Error("which rules lack a case")
	}
	if WriteCoverage(io.Discard, list) == 0 {
		t.Error("nothing is missing in three cases")
	}
}

// Expected texts of tables are compared as bags unless the order is promised.
func TestSameAnswer(t *testing.T) {
	c := &corpus.Case{Kind: corpus.Recognize}
	for _, tc := range []struct {
		a, b []string
		want bool
	}{
		{[]string{"X bigint", "1", "2"}, []string{"X bigint", "2", "1"}, true},
		{[]string{"X bigint", "1", "2", "ordered"}, []string{"X bigint", "2", "1", "ordered"}, false},
		{[]string{"X bigint", "1", "1"}, []string{"X bigint", "1"}, false},
		{[]string{"X bigint", "1   'a  b'"}, []string{"X bigint", "1 'a  b'"}, true},
		{[]string{"X bigint", "'a  b'"}, []string{"X bigint", "'a b'"}, false},
		{[]string{"X bigint"}, []string{"X integer"}, false},
	} {
		if SameAnswer(c, tc.a, tc.b) != tc.want {
			t.Errorf("%q and %q: should be %v", tc.a, tc.b, tc.want)
		}
	}
}

// What is sent to an engine outside holds all that the case rests on.
func TestQuestions(t *testing.T) {
	cases := suite(t, file+`
match id=local rule=MAT-1 over=t order=-id
PATTERN (A B?)
DEFINE A AS x > 10, B AS PREV(x) > x
----
1: A B
2: -

match id=reads rule=MAT-1 over=t order=id
PATTERN (A B)
DEFINE B AS PREV(CLASSIFIER()) = 'A'
----
1: A B
2: -
`).Cases
	q, reason := newQuestion(cases[3])
	if reason != "" || len(q.cases) != 1 {
		t.Fatal(reason)
	}
	rows, _ := json.Marshal(q.cases[0].Rows)
	if string(rows) != `[["A"],["B"]]` {
		t.Errorf("labels %s: row 2 (x = 20) is A, then x = 10 is B", rows)
	}
	if _, reason := newQuestion(cases[4]); reason == "" {
		t.Error("a condition that reads the match is asked as labels")
	}
	if q, _ := newQuestion(cases[2]); q.cases[0].Op != oracle.Check || !strings.HasPrefix(q.cases[0].SQL, "SELECT * FROM t MATCH") {
		t.Errorf("%+v", q.cases[0])
	}
}

// A file is of the same theme, and its cases have the same names, whether the
// suite is loaded as a whole, by a theme, or by the file; so are a person's own.
func TestThemeOfPaths(t *testing.T) {
	const text = "# Shows.\n\nlabels id=x rule=PREF-1\nPATTERN (A)\nROWS A\n----\n1: A\n"
	dir := t.TempDir()
	for _, f := range []string{"testdata/rpr/hostile/deep", "own/skip/to-last", "own/loose", "flat/one"} {
		path := filepath.Join(dir, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ in, path, want string }{
		{"", "testdata/rpr", "hostile/deep#x"},
		{"", "testdata/rpr/hostile", "hostile/deep#x"},
		{"", "testdata/rpr/hostile/deep", "hostile/deep#x"},
		{"", "testdata", "hostile/deep#x"},
		{"testdata/rpr/hostile", "deep", "hostile/deep#x"},
		{"testdata/rpr/hostile", ".", "hostile/deep#x"},
		{"testdata/rpr", "./hostile/../hostile/deep", "hostile/deep#x"},
		{"", "own", "own/loose#x skip/to-last#x"},
		{"", "own/skip", "skip/to-last#x"},
		{"", "own/skip/to-last", "skip/to-last#x"},
		{"own/skip", "to-last", "skip/to-last#x"},
		{"", "flat", "flat/one#x"},
		{"flat", "one", "flat/one#x"},
	} {
		t.Chdir(filepath.Join(dir, filepath.FromSlash(tt.in)))
		s, err := LoadPaths([]string{filepath.FromSlash(tt.path)})
		if err != nil || len(s.Errs) > 0 {
			t.Fatalf("%s in %q: %v %v", tt.path, tt.in, err, s)
		}
		var names []string
		for _, c := range s.Cases {
			names = append(names, c.Name)
			if theme, _, _ := strings.Cut(c.Name, "/"); c.Theme() != theme || c.IsHostile() != (theme == "hostile") {
				t.Errorf("%s is of the theme %s", c.Name, c.Theme())
			}
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s in %q: %s, not %s", tt.path, tt.in, got, tt.want)
		}
	}
}
