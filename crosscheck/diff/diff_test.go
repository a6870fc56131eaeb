package diff

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/known"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

func decode(t *testing.T, text string) []*corpus.Case {
	t.Helper()
	f, err := corpus.ReadItems("testdata/rpr/theme/topic", strings.NewReader("# Shows.\n\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	cases, errs := corpus.Decode(f)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	return cases
}

const suite = `labels id=stop rule=PREF-8
PATTERN ((A? | B)* C?)
ROWS A B C
----
1: A
2: ()
3: C

table name=t cols=(id bigint, v bigint)
1 10
2 20
----
ok

recognize id=none rule=AGG-3
SELECT m.s FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES SUM(B.v) AS s PATTERN (A B?) DEFINE B AS v > 100) AS m
----
S bigint
NULL
NULL

refuse id=stranger rule=DEF-2
SELECT * FROM t MATCH_RECOGNIZE (MEASURES id AS i PATTERN (A) DEFINE B AS TRUE) AS m
----
semantic DEF-2 42000 1:70
`

// run holds engines against the small suite.
func run(t *testing.T, o Options, specs ...string) *Report {
	t.Helper()
	for _, s := range specs {
		e, err := Open(s, Settings{Timeout: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		o.Engines = append(o.Engines, e)
	}
	if o.Cases == nil {
		o.Cases = decode(t, suite)
	}
	return Run(context.Background(), o)
}

// Each mutant shows its one fault, with its rule, and nothing else.
func TestMutantsAreFound(t *testing.T) {
	r := run(t, Options{}, "faux:1", "faux:63a", "faux:81a", "faux:")
	if r.Code() != 1 || len(r.Findings) != 3 {
		t.Fatalf("code %d, %d findings", r.Code(), len(r.Findings))
	}
	for i, want := range []struct{ rule, mutant, smallest string }{
		{"PREF-8", "1", "PATTERN ((() | A)?)"},
		{"AGG-3", "63a", "SUM("},
		{"DEF-2", "81a", "DEFINE B AS TRUE"},
	} {
		f := r.Findings[i]
		if f.Rule != want.rule || !strings.Contains(strings.Join(f.Mutants, " "), want.mutant) || !strings.Contains(f.Case, want.smallest) || f.Count != 1 {
			t.Errorf("finding %d: rule %s, mutants %v, %d times\n%s", i, f.Rule, f.Mutants, f.Count, f.Case)
		}
	}
	if total := r.Stream.Count("faux")[oracle.Agrees.String()]; total != 3 {
		t.Errorf("the engine without a fault agrees on %d of 3 cases", total)
	}
}

// Random patterns and queries find a fault without the suite.
func TestGeneratedInputsFindFaults(t *testing.T) {
	r := run(t, Options{Cases: []*corpus.Case{}, N: 120, Seed: 1}, "faux:1", "faux:66a")
	rules := map[string]bool{}
	for _, f := range r.Findings {
		rules[f.Engine+" "+f.Rule] = true
		if f.Generated == 0 || len(f.Cases) > 0 {
			t.Errorf("finding %s comes from the suite, which was not asked", f.ID)
		}
	}
	for _, want := range []string{"faux-1-empty-iteration-discarded PREF-8", "faux-66a-running-is-final MEA-1"} {
		name, rule, _ := strings.Cut(want, " ")
		hit := false
		for k := range rules {
			hit = hit || strings.HasPrefix(k, name[:6]) && strings.HasSuffix(k, rule)
		}
		if !hit {
			t.Errorf("no finding %s among %v", want, rules)
		}
	}
	again := run(t, Options{Cases: []*corpus.Case{}, N: 120, Seed: 1}, "faux:1", "faux:66a")
	var a, b bytes.Buffer
	if WriteFindings(&a, r.Findings) != nil || WriteFindings(&b, again.Findings) != nil || a.String() != b.String() {
		t.Error("the same seed gives other findings")
	}
}

// What the list covers is no finding; what it covers no longer is stale.
func TestKnownDifferences(t *testing.T) {
	list, err := known.Read("known.txt", strings.NewReader(`class 1
  rule PREF-8
  why  discarded
  witness theme/topic#stop
case theme/topic#none
  rule AGG-3
  why  was so once
`))
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open("faux:1", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	e.Known = list
	r := Run(context.Background(), Options{Cases: decode(t, suite), Engines: []*Engine{e}, N: 60, Seed: 1})
	if len(r.Findings) != 0 {
		t.Errorf("%d findings, though all of them are known: %s", len(r.Findings), r.Findings[0].Case)
	}
	if len(r.Stale) != 1 || r.Stale[0].Name != "theme/topic#none" || r.Code() != 1 {
		t.Errorf("stale entries: %v, code %d", r.Stale, r.Code())
	}
	if n := r.Stream.Count(e.Name)[oracle.KnownDifference.String()]; n != 1 {
		t.Errorf("%d known differences in the suite", n)
	}
	known := 0
	for _, g := range r.Generated {
		known += g.Known
	}
	if known == 0 {
		t.Error("no known difference among generated inputs")
	}
}

// adapter writes an adapter in Python that goes wrong in some way on each
// question after hello.
func adapter(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "adapter.py")
	text := `import json, sys, time, os
for line in sys.stdin:
    q = json.loads(line)
    if q["op"] == "bye": break
    if q["op"] == "hello":
        print(json.dumps({"protocol": 1, "name": "bad", "version": "9", "ops": ["query", "check"]}), flush=True)
        continue
    id = q["id"]
` + body
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return "exec:python3 " + path
}

// Whatever an engine does, the report is complete and nothing counts as agreement.
func TestBadEngines(t *testing.T) {
	if _, err := os.Stat("/usr/bin/env"); err != nil {
		t.Skip("no Python here")
	}
	for _, tt := range []struct {
		name, body string
		want       oracle.Verdict
	}{
		{"dies", "    os._exit(3)\n", oracle.Failed},
		{"garbage", "    print('garbage', flush=True)\n", oracle.Failed},
		{"half a JSON object", "    print('{\"id\":\"' + id, flush=True)\n", oracle.Failed},
		{"hangs", "    time.sleep(60)\n", oracle.TimedOut},
		{"never ends its line", "    while True: sys.stdout.write('x' * 1000000)\n", oracle.TimedOut},
		{"wrong number of columns", "    print(json.dumps({'id': id, 'columns': [{'name': 'A', 'type': 'bigint'}], 'rows': [[1, 2]]}), flush=True)\n", oracle.Failed},
		{"refuses everything", "    print(json.dumps({'id': id, 'error': {'stage': 'syntax', 'message': 'no\\u001b[31m'}}), flush=True)\n", oracle.Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cases := decode(t, suite)[:2]
			r := run(t, Options{Cases: cases, Tries: 1}, adapter(t, tt.body))
			counts := r.Stream.Count("bad")
			if tt.want == oracle.TimedOut { // a fast machine reaches the largest line before the time is up
				counts[tt.want.String()] += counts[oracle.Failed.String()]
			}
			if counts[tt.want.String()] != 2 || len(r.Stream.Results) != 2 {
				t.Fatalf("verdicts %v", counts)
			}
			if len(r.Findings) == 0 || r.Code() != 1 {
				t.Errorf("%d findings, code %d", len(r.Findings), r.Code())
			}
			var b bytes.Buffer
			if err := Write(&b, r); err != nil || strings.Contains(b.String(), "\x1b") {
				t.Errorf("the report holds control characters, or fails: %v", err)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	r := run(t, Options{}, "exec:/no/such/program", "faux:")
	if r.Code() != 3 || len(r.Unreached) != 1 || r.Stream.Head.Opinions[0].Problem == "" {
		t.Errorf("code %d, unreached %v", r.Code(), r.Unreached)
	}
	if n := r.Stream.Count("faux")[oracle.Agrees.String()]; n != 3 {
		t.Errorf("the other engine agrees on %d cases", n)
	}
}

func TestInterrupted(t *testing.T) {
	e, err := Open("faux:1", Settings{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := Run(ctx, Options{Cases: decode(t, suite), Engines: []*Engine{e}, N: 10})
	if !r.Interrupted || r.Code() != 130 {
		t.Errorf("interrupted %v, code %d", r.Interrupted, r.Code())
	}
}

func TestWrongSpecs(t *testing.T) {
	for _, s := range []string{"", "oracle", "exec:", "faux:0815", "faux:71c", "trino:ftp://x", "exec:'open"} {
		if e, err := Open(s, Settings{}); err == nil {
			t.Errorf("%q opens %s", s, e.Name)
		}
	}
	if _, err := Open("faux:1", Settings{Readings: []string{"WIN-10=perhaps"}}); err == nil {
		t.Error("a reading that does not exist is accepted")
	}
}

// ours answers queries by the reference, so that only the translation of
// patterns to queries is tried.
type ours struct{}

func (ours) Name() string                            { return "ours" }
func (ours) Version(context.Context) (string, error) { return "ours 1", nil }
func (ours) Close() error                            { return nil }
func (ours) Supports(c *oracle.Case) string {
	if c.Op != oracle.Query {
		return "queries only"
	}
	return ""
}
func (ours) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	res, err := query.Run(ctx, c.SQL, query.Options{Recognizer: matcher.Using(reference.Engine{}, matcher.Limits{}),
		Tables: func(name string, _ bool) (*table.Table, bool, error) {
			for _, t := range c.Tables {
				if t.Name == name {
					return t.Data, true, nil
				}
			}
			return nil, false, nil
		}})
	if err != nil {
		return oracle.Answer{}, oracle.NoAnswer(oracle.Refused, "%v", err)
	}
	return oracle.Answer{Table: res.Table, Ordered: res.Ordered}, nil
}

// A pattern put as a query gives the mapping that the rules give.
func TestPatternsAsQueries(t *testing.T) {
	v := &viaQuery{ours{}}
	for _, text := range []string{
		"PATTERN ((A? | B)* C?)\nROWS A B C AB -", "PATTERN (^ A {- B+ -} C $)\nROWS A B B C", "PATTERN ({- A -} | A B)\nROWS A AB B",
		"PATTERN (())\nROWS - -", "PATTERN (\"b\" B)\nROWS \"b\" B", "PATTERN (UP DOWN+)\nROWS UP UP,DOWN DOWN", "PATTERN (PERMUTE(A, B?))\nSUBSET U = (A, B)\nROWS B A A",
	} {
		c := decode(t, "labels id=x rule=PREF-1\n"+text+"\n----\n1: -\n")[0]
		want, err := rules.Answer(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		got := (&crosscheck.OracleOpinion{Oracle: v}).Ask(context.Background(), []*corpus.Case{c})[0]
		if fmt.Sprint(got.Lines) != fmt.Sprint(want) {
			t.Errorf("%s: %v (%s), not %v", text, got.Lines, got.Reason, want)
		}
	}
}

func TestCompare(t *testing.T) {
	c := &corpus.Case{Kind: corpus.Recognize}
	for _, tt := range []struct {
		want, got string
		same      bool
		note      string
	}{
		{"N bigint|1|2", "N bigint|2|1", true, ""},
		{"N bigint|1|2", "N bigint|1|1", false, ""},
		{"N bigint|1", "N double precision|1e0", true, NoteTypes},
		{"N decimal|45.333333333333333333", "N double precision|45.3333333334e0", true, NotePrecision},
		{"N decimal|0.333333333333333333", "N decimal(10,2)|0.33", true, NotePrecision},
		{"N decimal|0.333333333333333333", "N bigint|0", false, ""},
		{"N decimal|45.8", "N bigint|46", false, ""},
		{"N bigint|1", "M bigint|1", false, ""},
		{"N bigint|NULL", "N bigint|0", false, ""},
		{"N bigint, S varchar|1 'a'|2 'b'", "N integer, S varchar|2 'b'|1 'a'", true, NoteTypes},
		{"S varchar|'1'", "S bigint|1", false, ""},
		{"D date|DATE '2026-01-02'", "D timestamp|TIMESTAMP '2026-01-02 00:00:00'", true, NoteTypes},
		{"D date|DATE '2026-01-02'", "D timestamp|TIMESTAMP '2026-01-02 00:00:01'", false, ""},
		{"N bigint|1|2|ordered", "N bigint|1|2|ordered", true, ""},
		{"N bigint|1|2|ordered", "N bigint|2|1|ordered", false, ""},
		{"N bigint", "N bigint|1", false, ""},
		{"error runtime SKIP-2 2202K", "error runtime EVAL-1 22000", true, NoteError},
		{"error runtime SKIP-2 2202K", "error semantic SKIP-1 42000", false, ""},
		{"error runtime SKIP-2 2202K", "N bigint|1", false, ""},
		{"N bigint|1", "error runtime SKIP-2 2202K", false, ""},
		{"N bigint|1", "", false, ""},
	} {
		same, note := Compare(c, strings.Split(tt.want, "|"), strings.Split(tt.got, "|"))
		if same != tt.same || note != tt.note {
			t.Errorf("%s and %s: %v, %q", tt.want, tt.got, same, note)
		}
	}
}

// NUL-3: an answer in any order of tied rows agrees, one in none of them differs.
func TestTies(t *testing.T) {
	cases := decode(t, `table name=t cols=(k bigint, id bigint)
1 10
1 20
2 30
----
ok

recognize id=tie rule=NUL-3
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k MEASURES FIRST(id) AS f, LAST(id) AS l PATTERN (A A A) DEFINE A AS TRUE)
----
F bigint, L bigint
10 30

recognize id=derived rule=NUL-3
SELECT * FROM (SELECT k AS o, id FROM t) MATCH_RECOGNIZE (ORDER BY o MEASURES FIRST(id) AS f, LAST(id) AS l PATTERN (A A A) DEFINE A AS TRUE)
----
F bigint, L bigint
10 30
`)
	o := &opinion{engine: &Engine{}}
	for _, c := range cases {
		for answer, want := range map[string]string{"20 30": NoteTies, "30 10": ""} {
			if got := o.tied(context.Background(), c, []string{"F bigint, L bigint", answer}); got != want {
				t.Errorf("%s: %s: %q, not %q", c.ID, answer, got, want)
			}
		}
	}
}

// What the rules do not decide is no difference: a refusal of ours, an error
// that lazy evaluation avoids, a host variable that is put as a literal.
func TestNotHeldAgainstAnEngine(t *testing.T) {
	o := &opinion{engine: &Engine{}}
	refused := crosscheck.Reply{Verdict: oracle.Refused, Reason: "no"}
	raised := crosscheck.Reply{Lines: []string{"error 22012 DEF-15"}}
	param := []corpus.Param{{Name: "N"}}
	for _, tt := range []struct {
		name string
		c    corpus.Case
		r    crosscheck.Reply
		want oracle.Verdict
	}{
		{"unsupported", corpus.Case{Kind: corpus.Refuse, Answer: []string{"unsupported AGG-4 0A000 1:1"}}, crosscheck.Reply{Lines: []string{"accepted"}}, oracle.NotComparable},
		{"avoidable", corpus.Case{Kind: corpus.Recognize, Rules: []string{"DEF-15"}, Answer: []string{"X bigint", "1"}}, raised, oracle.NotComparable},
		{"not avoidable", corpus.Case{Kind: corpus.Recognize, Rules: []string{"NAV-2"}, Answer: []string{"X bigint", "1"}}, raised, 0},
		{"parameter", corpus.Case{Kind: corpus.Recognize, Params: param, Answer: []string{"error 2202J NAV-5"}}, refused, oracle.NotComparable},
		{"refusal", corpus.Case{Kind: corpus.Recognize, Answer: []string{"X bigint", "1"}}, refused, oracle.Refused},
	} {
		if got := o.judge(t.Context(), &tt.c, tt.r); got.Verdict != tt.want {
			t.Errorf("%s: %v, not %v", tt.name, got.Verdict, tt.want)
		}
	}
}

func TestFindingsReadBack(t *testing.T) {
	r := run(t, Options{}, "faux:1")
	var b bytes.Buffer
	if err := WriteFindings(&b, r.Findings); err != nil {
		t.Fatal(err)
	}
	back, err := ReadFindings("f", bytes.NewReader(b.Bytes()))
	if err != nil || len(back) != 1 || back[0].Case != r.Findings[0].Case {
		t.Errorf("read back: %v, %v", back, err)
	}
	for _, text := range []string{"{", "{\"type\":\"head\"}", "[]"} {
		if _, err := ReadFindings("f", strings.NewReader(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// fake is an engine within the process that answers as a function says.
type fake func(n int, c *corpus.Case) crosscheck.Reply

// asFake makes an engine that is asked case by case; n counts the cases.
func asFake(answer fake) *Engine {
	e := &Engine{Spec: "fake", Name: "fake", Version: "1", fixed: true, hostile: true, Subject: newLocalSubject(reference.Engine{})}
	e.Opinion = &fakeOpinion{answer: answer}
	return e
}

type fakeOpinion struct {
	answer fake
	asked  int
}

func (f *fakeOpinion) Name() string                            { return "fake" }
func (f *fakeOpinion) Version(context.Context) (string, error) { return "1", nil }
func (f *fakeOpinion) Batch() int                              { return 50 }
func (f *fakeOpinion) Close() error                            { return nil }
func (f *fakeOpinion) Ask(_ context.Context, cases []*corpus.Case) []crosscheck.Reply {
	out := make([]crosscheck.Reply, len(cases))
	for i, c := range cases {
		out[i] = f.answer(f.asked, c)
		f.asked++
	}
	return out
}

// A fault that every query meets does not crowd out one that a single query
// meets, late in the run. Neither is laid to a rule.
func TestFrequentFaultDoesNotHideRareOne(t *testing.T) {
	const queries, rare = 450, 430
	var seen *corpus.Case
	e := asFake(func(n int, c *corpus.Case) crosscheck.Reply {
		if n == rare {
			seen = c
		}
		if seen != nil && c.Name == seen.Name {
			return crosscheck.Reply{Verdict: oracle.Failed, Reason: "a rare fault"}
		}
		return crosscheck.Reply{Verdict: oracle.Failed, Reason: fmt.Sprintf("the usual fault, for the time %d", n)}
	})
	r := Run(t.Context(), Options{Engines: []*Engine{e}, N: queries, Seed: 1, Tries: 1})
	counts := map[string]int{}
	for _, f := range r.Findings {
		key, _, _ := strings.Cut(f.Reason, ",")
		counts[key] += f.Count
		if f.Rule != corpus.Unexplained || !strings.Contains(f.Case, " rule=unexplained\n") {
			t.Errorf("a fault that no rule explains is laid to %s:\n%s", f.Rule, f.Case)
		}
	}
	if counts["a rare fault"] == 0 || counts["a rare fault"]+counts["the usual fault"] != queries || len(r.Findings) != 2 {
		t.Errorf("%d findings: %v", len(r.Findings), counts)
	}
	if r.Code() != 1 {
		t.Errorf("code %d", r.Code())
	}
	var b bytes.Buffer
	if err := Write(&b, r); err != nil || strings.Contains(b.String(), "MAT-1") || !strings.Contains(b.String(), "rule unexplained") {
		t.Errorf("%v\n%s", err, b.String())
	}
	if _, errs := corpus.Decode(items(t, r.Findings[0].Case)); len(errs) > 0 {
		t.Errorf("the case cannot be read back: %v", errs[0])
	}
}

func items(t *testing.T, text string) *corpus.File {
	t.Helper()
	f, err := corpus.ReadItems("theme/topic", strings.NewReader("# Shows.\n\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// After an interruption the differences that were found stand as they are, and
// what was cut off is no difference.
func TestInterruptedInTheSuite(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := asFake(func(n int, c *corpus.Case) crosscheck.Reply {
		switch n {
		case 0:
			return crosscheck.Reply{Lines: []string{"1: A", "2: B", "3: C"}}
		case 1:
			cancel()
		}
		return crosscheck.Reply{Verdict: oracle.Failed, Reason: "interrupted"}
	})
	r := Run(ctx, Options{Cases: decode(t, suite), Engines: []*Engine{e}, N: 10})
	if !r.Interrupted || r.Code() != 130 || len(r.Stream.Results) != 1 || len(r.Findings) != 1 {
		t.Fatalf("interrupted %v, code %d, %d results, %d findings", r.Interrupted, r.Code(), len(r.Stream.Results), len(r.Findings))
	}
	if f := r.Findings[0]; f.Rule != "PREF-8" || f.Count != 1 || !strings.Contains(f.Case, "ROWS A B C") {
		t.Errorf("rule %s\n%s", f.Rule, f.Case)
	}
}

// faces are cases on which an engine that reads PERMUTE of one element as a
// variable is wrong, each in another way (GRAM-11). A variable without a condition
// holds on every row (DEF-1).
const faces = `labels id=another-row rule=PREF-1
PATTERN (PERMUTE(A))
ROWS B A A
----
1: -
2: A
3: A

labels id=empty rule=PREF-8
PATTERN (PERMUTE(A?))
ROWS A B
----
1: A
2: ()

labels id=longer rule=PREF-4
PATTERN (B* PERMUTE(A*))
ROWS B A A
----
1: B A A
2: A A
3: A

labels id=branch rule=PREF-2
PATTERN (B | PERMUTE(A) | C)
ROWS C A
----
1: C
2: A

table name=t cols=(id bigint, v bigint)
1 1
2 9
3 1
----
ok

recognize id=statement rule=DEF-1
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES FIRST(id) AS f, COUNT(*) AS n PATTERN (PERMUTE(A)) DEFINE A AS v > 5)
----
F bigint, N bigint
2 1
`

// The answers are written by hand: PERMUTE takes the row before the group.
func TestFacesOfOneFault(t *testing.T) {
	answers := map[string]string{
		"another-row": "1: PERMUTE A|2: PERMUTE A|3: -", "empty": "1: PERMUTE|2: PERMUTE", "longer": "1: B PERMUTE A|2: PERMUTE A|3: PERMUTE",
		"branch": "1: PERMUTE A|2: -", "statement": "F bigint, N bigint|1 2",
	}
	mutants := NewMutants()
	e := asFake(func(_ int, c *corpus.Case) crosscheck.Reply {
		if lines, ok := answers[c.ID]; ok {
			return crosscheck.Reply{Lines: strings.Split(lines, "|")}
		}
		lines, ok := mutants.Answer(t.Context(), "22e", c) // smaller cases
		if !ok {
			return crosscheck.Reply{Verdict: oracle.Failed}
		}
		return crosscheck.Reply{Lines: lines}
	})
	r := Run(t.Context(), Options{Cases: decode(t, faces), Engines: []*Engine{e}})
	if len(r.Findings) != 1 {
		for _, f := range r.Findings {
			t.Errorf("rule %s, mutants %v, %d times\n%s%s", f.Rule, f.Mutants, f.Count, f.Case, strings.Join(f.Answer, "\n"))
		}
		t.Fatalf("%d findings", len(r.Findings))
	}
	f := r.Findings[0]
	if f.Rule != "GRAM-11" || fmt.Sprint(f.Mutants) != "[22e]" || f.Count != 5 || len(f.Cases) != 5 {
		t.Errorf("rule %s, mutants %v, %d times, %v", f.Rule, f.Mutants, f.Count, f.Cases)
	}
	var b bytes.Buffer
	WriteFinding(&b, f)
	if !strings.Contains(b.String(), "as mutant 22e permute-of-one-is-variable would: PERMUTE with one element is read as a variable") {
		t.Errorf("the finding does not say so:\n%s", b.String())
	}
}

// A finding that one mutant explains takes those that it explains among others,
// but none that it does not explain, and no failure or refusal.
func TestFaces(t *testing.T) {
	finding := func(verdict, view, rule string, size int, mutants ...string) *Finding {
		return &Finding{Verdict: verdict, View: view, Rule: rule, Mutants: mutants, Count: 1, size: size}
	}
	f := &finder{findings: []*Finding{
		finding("differs", ViewPattern, "PREF-2", 5, "22e", "10"),
		finding("differs", ViewQuery, "GRAM-11", 90, "22e"),
		finding("differs", ViewPattern, "PREF-8", 5, "1", "6"),
		finding("differs", ViewPattern, "GRAM-11", 20, "22e"),
		finding("refused", ViewPattern, "GRAM-11", 5),
		finding("differs", ViewPattern, "unexplained", 5),
		finding("differs", ViewPattern, "PREF-8", 5, "10"), // 10 breaks another rule
	}}
	f.faces()
	var got []string
	for _, x := range f.findings {
		got = append(got, fmt.Sprintf("%s %s %d", x.Rule, x.View, x.Count))
	}
	if want := "GRAM-11 pattern 3, PREF-8 pattern 1, GRAM-11 pattern 1, unexplained pattern 1, PREF-8 pattern 1"; strings.Join(got, ", ") != want {
		t.Errorf("%s", strings.Join(got, ", "))
	}
}
