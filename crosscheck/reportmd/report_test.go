package reportmd

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
)

var ours = []matcher.Engine{reference.Engine{}, enumerate.Engine{}}

const small = `# Shows a stop.

labels id=stop rule=PREF-8
PATTERN ((A? | B)*)
ROWS A B
----
1: A
2: ()

prefer id=list rule=PREF-2 rows=1
PATTERN (A | B)
----
A
B
`

func suite(t *testing.T) *crosscheck.Suite {
	t.Helper()
	s, err := crosscheck.LoadFS(fstest.MapFS{"rpr/empty/stop": {Data: []byte(small)}}, "rpr")
	if err != nil || len(s.Errs) > 0 {
		t.Fatal(err, s.Errs)
	}
	return s
}

// Every case of the cross-check is what our matchers say.
func TestSeedsAgree(t *testing.T) {
	seeds, err := Seeds()
	if err != nil {
		t.Fatal(err)
	}
	if len(seeds) < 30 {
		t.Errorf("%d cases", len(seeds))
	}
	for _, e := range ours {
		for i, r := range crosscheck.NewLocalOpinion(e, "").Ask(context.Background(), seeds[:]) {
			if r.Verdict != 0 && r.Verdict != oracle.NotComparable || r.Verdict == 0 && !crosscheck.SameAnswer(seeds[i], seeds[i].Answer, r.Lines) {
				t.Errorf("%s on %s: %v %s", e.Name(), seeds[i].Name, r.Lines, r.Reason)
			}
		}
	}
}

// record asks a mutant, and keeps and loads what it says.
func record(t *testing.T, s *crosscheck.Suite) (string, []*Recording) {
	t.Helper()
	seeds, err := Seeds()
	if err != nil {
		t.Fatal(err)
	}
	e, err := diff.Open("faux:1", diff.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	cases := append(slices.Clone(s.Cases), seeds...)
	r := diff.Run(context.Background(), diff.Options{Cases: cases, Head: crosscheck.Head{Corpus: s.Hash}, Engines: []*diff.Engine{e}})
	dir := t.TempDir()
	if _, err := Save(dir, r, cases, "2026-12-31"); err != nil {
		t.Fatal(err)
	}
	list, err := Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	return dir, list
}

// Made twice the report is the same, and it has what it promises.
func TestReport(t *testing.T) {
	s := suite(t)
	dir, list := record(t, s)
	generate := func() []byte {
		text, err := Generate(context.Background(), Options{Suite: s, Matchers: ours, Recordings: list, Jobs: 2, Patterns: 60})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	text := generate()
	if !bytes.Equal(text, generate()) {
		t.Error("made twice it is not the same")
	}
	for _, want := range []string{
		"| faux-1-empty-iteration-discarded | ", "- PREF-8: Empty iterations (", "| the standard | A; () |\n| faux-1-empty-iteration-discarded | **A B; B** |",
		"hash " + s.Hash, "| empty | 2 agrees |", "## Differences, by rule", "### faux-1-empty-iteration-discarded", "PATTERN ((() | A)?)",
		"`(A? \\| B)*` on A B | PREF-8 | A; () | **A B; B** |", "the same", "flatten-minimum", "| 1 | An empty iteration", "## Coverage", "WIN-10", "## What our matchers share",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	_, again := record(t, s)
	if len(again) != 1 || len(again[0].Findings) != len(list[0].Findings) || again[0].Findings[0].Case != list[0].Findings[0].Case {
		t.Error("recorded twice it is not the same")
	}
	// A recording that was cut off is an error that names it.
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".gz") {
			data, _ := os.ReadFile(dir + "/" + e.Name())
			if err := os.WriteFile(dir+"/"+e.Name(), data[:len(data)/2], 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := Load(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), "faux") {
		t.Errorf("half a recording: %v", err)
	}
}

// A recording is an opinion on cases as they were: agreement is agreement, a
// difference a known one, and a case that has changed is not comparable. A live
// run that answers otherwise is a change.
func TestRecordingAsOpinion(t *testing.T) {
	s := suite(t)
	_, list := record(t, s)
	o := list[0].Opinion()
	if !strings.HasSuffix(o.Name(), " recorded 2026-12-31") {
		t.Errorf("%s does not say that it is recorded", o.Name())
	}
	verdicts := map[oracle.Verdict]int{}
	for i, r := range o.Ask(t.Context(), s.Cases) {
		verdicts[r.Verdict]++
		if r.Verdict == 0 && !slices.Equal(r.Lines, s.Cases[i].Answer) {
			t.Errorf("%s: %q", s.Cases[i].Name, r.Lines)
		}
	}
	if verdicts[0] == 0 || verdicts[oracle.KnownDifference] == 0 {
		t.Errorf("verdicts %v", verdicts)
	}
	changed := *s.Cases[0]
	changed.Answer = append(slices.Clone(changed.Answer), "more")
	if r := o.Ask(t.Context(), []*corpus.Case{&changed})[0]; r.Verdict != oracle.NotComparable {
		t.Errorf("a changed case: %v", r.Verdict)
	}
	live := slices.Clone(list[0].Stream.Results)
	if lines := list[0].Changes(live, s.Cases); len(lines) > 0 {
		t.Errorf("the same answers are changes: %q", lines)
	}
	for i := range live {
		if live[i].Verdict == oracle.Differs.String() {
			live[i].Verdict = oracle.Agrees.String()
			break
		}
	}
	if lines := list[0].Changes(live, s.Cases); len(lines) != 1 || !strings.Contains(lines[0], "recorded as differs, now agrees") {
		t.Errorf("changes: %q", lines)
	}
}

// The recordings that the program is built with can be read.
func TestEmbedded(t *testing.T) {
	list, err := Load(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if len(r.Stream.Results) == 0 {
			t.Errorf("%s has no results", r.Engine().Name)
		}
	}
}

// What an engine says comes into the report as text: no control characters, no
// markup, no way out of a fence or a table.
func TestReportEscapes(t *testing.T) {
	s := suite(t)
	_, list := record(t, s)
	const nasty = "\x1b[31m<script> | `x` *y*\n```\n# title"
	list[0].Stream.Head.Opinions[0].Version = nasty
	for i := range list[0].Stream.Results {
		list[0].Stream.Results[i].Reason = nasty
		list[0].Stream.Results[i].Answer = []string{nasty}
	}
	for _, f := range list[0].Findings {
		f.Reason, f.Why, f.Answer = nasty, nasty, []string{nasty}
	}
	text, err := Generate(context.Background(), Options{Suite: s, Matchers: ours, Recordings: list, Jobs: 2, Patterns: 60})
	if err != nil {
		t.Fatal(err)
	}
	fences := 0
	for line := range strings.Lines(string(text)) {
		if strings.ContainsRune(line, '\x1b') || strings.Contains(line, "<script>") && fences%2 == 0 || strings.HasPrefix(line, "# title") && fences%2 == 0 {
			t.Errorf("what an engine says is not escaped: %q", line)
		}
		if strings.HasPrefix(line, "```") {
			fences++
		}
	}
	if fences == 0 || fences%2 != 0 {
		t.Errorf("%d lines open or close a fence", fences)
	}
}
