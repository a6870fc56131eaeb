package known

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
)

const list = `# of a test engine
case skip/errors#no-row
  versions <=483
  rule     SKIP-2
  why      the target is ignored

class 1
  rule     PREF-8
  why      empty iterations are discarded
  issue    https://issues/1
  witness  empty/discarding#star

refusal DISTINCT in
  versions >=470 <500
  rule     AGG-6
  why      not implemented
  witness  aggregate/distinct#count

failure COMPILER_ERROR: no slot
  rule     WIN-1
  why      the engine's compiler fails
  witness  window/frames#constant
`

func read(t *testing.T, text string) *List {
	t.Helper()
	l, err := Read("known.txt", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// lying answers for one mutant, on every case alike.
type lying map[string][]string

func (m lying) Answer(_ context.Context, mutant string, _ *corpus.Case) ([]string, bool) {
	lines, ok := m[mutant]
	return lines, ok
}

func TestCovers(t *testing.T) {
	l := read(t, list)
	right, wrong, other := []string{"1: A"}, []string{"1: A B"}, []string{"1: -"}
	for _, tt := range []struct {
		name, version string
		reply         crosscheck.Reply
		mutant        []string
		want          string // the entry's name
	}{
		{"skip/errors#no-row", "483", crosscheck.Reply{Lines: other}, right, "skip/errors#no-row"},
		{"skip/errors#no-row", "484", crosscheck.Reply{Lines: other}, right, ""},
		{"any/case#x", "483", crosscheck.Reply{Verdict: oracle.Failed, Reason: "COMPILER_ERROR: no slot 3"}, nil, "COMPILER_ERROR: no slot"},
		{"any/case#x", "483", crosscheck.Reply{Verdict: oracle.Refused, Reason: "COMPILER_ERROR: no slot 3"}, nil, ""},
		{"any/case#x", "483", crosscheck.Reply{Verdict: oracle.Failed, Reason: "OUT_OF_MEMORY"}, nil, ""},
		{"x/y#z", "483", crosscheck.Reply{Lines: wrong}, wrong, "1"},
		{"x/y#z", "483", crosscheck.Reply{Lines: other}, wrong, ""}, // in the class, but not as the mutant
		{"x/y#z", "483", crosscheck.Reply{Lines: wrong}, right, ""}, // not in the class
		{"x/y#z", "483", crosscheck.Reply{Lines: nil}, nil, ""},     // no mutant's answer
		{"x/y#z", "471", crosscheck.Reply{Verdict: oracle.Refused, Reason: "no DISTINCT in aggregates"}, right, "DISTINCT in"},
		{"x/y#z", "469", crosscheck.Reply{Verdict: oracle.Refused, Reason: "no DISTINCT in aggregates"}, right, ""},
		{"x/y#z", "500", crosscheck.Reply{Verdict: oracle.Refused, Reason: "no DISTINCT in aggregates"}, right, ""},
		{"x/y#z", "471", crosscheck.Reply{Verdict: oracle.Refused, Reason: "no aggregates"}, right, ""},
	} {
		m := lying{}
		if tt.mutant != nil {
			m["1"] = tt.mutant
		}
		c := &corpus.Case{Name: tt.name, Answer: right}
		e, ok := l.Covers(context.Background(), tt.version, c, tt.reply, m, slices.Equal[[]string])
		got := ""
		if ok {
			got = e.Name
		}
		if got != tt.want {
			t.Errorf("%s in version %s with %v: covered by %q, not %q", tt.name, tt.version, tt.reply, got, tt.want)
		}
	}
}

func TestStale(t *testing.T) {
	l := read(t, list)
	results := []crosscheck.Result{
		{Case: "skip/errors#no-row", Verdict: "agrees"},
		{Case: "empty/discarding#star", Verdict: "known-difference"},
		{Case: "aggregate/distinct#count", Verdict: "agrees"},
	}
	names := func(list []*Entry) string {
		var out []string
		for _, e := range list {
			out = append(out, e.Name)
		}
		return strings.Join(out, ", ")
	}
	if got := names(l.Stale("480", results)); got != "skip/errors#no-row, DISTINCT in" {
		t.Errorf("stale in 480: %s", got)
	}
	if got := names(l.Stale("500", results)); got != "" {
		t.Errorf("stale in 500, to which no agreeing entry applies: %s", got)
	}
	if got := names(l.Missing(func(name string) bool { return name == "empty/discarding#star" })); got != "skip/errors#no-row, DISTINCT in, COMPILER_ERROR: no slot" {
		t.Errorf("missing: %s", got)
	}
}

func TestVersions(t *testing.T) {
	for _, tt := range []struct {
		text, version string
		want          bool
	}{
		{"*", "1", true}, {"", "x", true}, {"483", "483", true}, {"483", "484", false},
		{"<478", "477", true}, {"<478", "1000", false}, {">=0.2.5", "0.2.10", true}, {">0.2", "0.2.0", false},
		{">=470 <478", "478", false}, {">=470 <478", "470", true}, {"=1.0", "1", true}, {"<2", "1-beta", true},
	} {
		r, err := ParseRange(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Holds(tt.version); got != tt.want {
			t.Errorf("version %s in %q: %v", tt.version, tt.text, got)
		}
	}
	for _, text := range []string{"<", "<=", "a=b", "<<1"} {
		if _, err := ParseRange(text); err == nil {
			t.Errorf("the range %q is accepted", text)
		}
	}
}

func TestBrokenLists(t *testing.T) {
	for text, want := range map[string]string{
		"  rule A\n":                                     "before the first entry",
		"cases x\n":                                      "begins with case",
		"case\n":                                         "names nothing",
		"case x\n  rule PREF-8\n":                        "needs rule and why",
		"class 1\n  rule PREF-8\n  why so\n":             "needs a witness",
		"case x\n  rule PREF-800\n  why so\n":            "no rule",
		"case x\n  rule PREF-8\n  rule PREF-8\n":         "stands twice",
		"case x\n  colour red\n":                         "has the fields",
		"case x\n  versions <\n  rule PREF-8\n  why a\n": "range",
	} {
		_, err := Read("known.txt", strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected an error with %q", text, err, want)
		}
	}
	if _, err := ReadFile(t.TempDir() + "/none"); err == nil {
		t.Error("a file that does not exist is read")
	}
}

// Each row of a pattern over labels is an attempt of its own: two classes may
// cover a case together, if they cover every row that differs.
func TestClassesShareRows(t *testing.T) {
	l := read(t, "class 1\n  rule PREF-8\n  why  a\n  witness x/y#a\nclass 2\n  rule PREF-8\n  why  b\n  witness x/y#b\n")
	right := []string{"1: A", "2: A", "3: A"}
	m := lying{"1": {"1: -", "2: A", "3: ()"}, "2": {"1: A", "2: A", "3: A B"}}
	for _, tt := range []struct {
		name, kind string
		got        []string
		want       string
	}{
		{"a row each", corpus.Labels, []string{"1: -", "2: A", "3: A B"}, "1"},
		{"some rows of one", corpus.Labels, []string{"1: A", "2: A", "3: ()"}, "1"},
		{"a row of none", corpus.Labels, []string{"1: -", "2: -", "3: A B"}, ""},
		{"another answer on a row", corpus.Labels, []string{"1: -", "2: A", "3: B"}, ""},
		{"a row less", corpus.Labels, []string{"1: -", "2: A"}, ""},
		{"no rows of labels", corpus.Recognize, []string{"1: -", "2: A", "3: A B"}, ""},
	} {
		c := &corpus.Case{Name: "x/y#z", Kind: tt.kind, Answer: right}
		e, ok := l.Covers(context.Background(), "1", c, crosscheck.Reply{Lines: tt.got}, m, slices.Equal[[]string])
		got := ""
		if ok {
			got = e.Name
		}
		if got != tt.want {
			t.Errorf("%s: covered by %q, not %q", tt.name, got, tt.want)
		}
	}
}
