package diff

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/known"
	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
)

// faulty is an engine with two faults, one at odd rows, one at even ones. It
// counts the inputs that it is asked.
type faulty struct {
	oracle.Oracle
	even  oracle.Oracle
	asked int
}

func newFaulty(t *testing.T, odd, even string) *faulty {
	t.Helper()
	subject := func(name string) oracle.Oracle {
		m, err := faux.New(name)
		if err != nil {
			t.Fatal(err)
		}
		return drift.FromEngine(m, matcher.Limits{})
	}
	return &faulty{Oracle: subject(odd), even: subject(even)}
}

func (f *faulty) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	f.asked++
	a, err := f.Oracle.Ask(ctx, c)
	b, err2 := f.even.Ask(ctx, c)
	for i := 1; i < len(a.Mappings) && i < len(b.Mappings); i += 2 {
		a.Mappings[i] = b.Mappings[i]
	}
	if err == nil {
		err = err2
	}
	return a, err
}

// patternsOf runs random patterns on an engine.
func patternsOf(t *testing.T, f *faulty, list string, o Options) (*Report, Generated) {
	t.Helper()
	e := &Engine{Name: "faulty", fixed: true, sets: 6, together: 20}
	e.outside(f, false)
	if list != "" {
		l, err := known.Read("known.txt", strings.NewReader(list))
		if err != nil {
			t.Fatal(err)
		}
		e.Known = l
	}
	o.Cases, o.Engines = []*corpus.Case{}, []*Engine{e}
	r := &runner{Options: o, ctx: t.Context(), late: t.Context(), mutants: NewMutants(), report: &Report{}}
	r.connect()
	find := &finder{engine: e, mutants: r.mutants, late: r.late}
	r.patterns(e, find, 0)
	r.report.Findings = find.findings
	return r.report, r.report.Generated[0]
}

// The differences of two faults are two piles: the smallest input of each is
// reduced, and stands for all. Inputs with a difference of either are taken apart
// row by row.
func TestPilesOfDifferences(t *testing.T) {
	f := newFaulty(t, "permute-reversed", "reluctant-as-greedy")
	r, g := patternsOf(t, f, "", Options{N: 200, Seed: 3})
	if len(r.Findings) != 2 || g.Known != 0 || g.Differing < 30 {
		t.Fatalf("%d findings, %s", len(r.Findings), g.differing())
	}
	rules := []string{r.Findings[0].Rule, r.Findings[1].Rule}
	slices.Sort(rules)
	if !slices.Equal(rules, []string{"PAT-7", "PREF-4"}) {
		t.Errorf("rules %v", rules)
	}
	count := g.Left
	for _, x := range r.Findings {
		if lines := strings.Split(strings.TrimSpace(x.Case), "\n"); len(lines) > 7 || x.Generated != x.Count {
			t.Errorf("a finding that is not small, of %d and %d inputs:\n%s", x.Count, x.Generated, x.Case)
		}
		count += x.Count
	}
	// Inputs that were mixed of both faults belong to neither finding.
	if count > g.Differing || count < g.Differing/2 {
		t.Errorf("findings stand for %d of %d inputs", count, g.Differing)
	}
	again, h := patternsOf(t, newFaulty(t, "permute-reversed", "reluctant-as-greedy"), "", Options{N: 200, Seed: 3})
	if g.differing() != h.differing() || len(again.Findings) != 2 || again.Findings[0].Case != r.Findings[0].Case || again.Findings[1].Case != r.Findings[1].Case {
		t.Error("the same seed gives other findings")
	}
}

// What the list covers is asked once and no more, whole inputs and those in
// which two classes share the rows.
func TestKnownIsNotReduced(t *testing.T) {
	f := newFaulty(t, "permute-reversed", "reluctant-as-greedy")
	list := "class permute-reversed\n  rule PAT-7\n  why a\n  witness x/y#a\nclass reluctant-as-greedy\n  rule PREF-4\n  why b\n  witness x/y#b\n"
	r, g := patternsOf(t, f, list, Options{N: 200, Seed: 3})
	if len(r.Findings) != 0 || g.Known != g.Differing || g.Known < 30 || g.Reduced != 0 || g.Left != 0 {
		t.Errorf("%d findings, %s", len(r.Findings), g.differing())
	}
	const probes = 7 // one for each part of the language
	if f.asked != 200*6-notAsked(g)+probes {
		t.Errorf("%d inputs were asked, %d have an answer", f.asked, g.Tried)
	}
}

// notAsked counts the inputs of which the rules' own answer is not known.
func notAsked(g Generated) int {
	n := 0
	for _, k := range g.Passed {
		n += k
	}
	return n
}

// When the time for reductions is over, a pile is still a finding, as it was
// drawn.
func TestLatePilesAreFindings(t *testing.T) {
	e := &Engine{Name: "faulty", fixed: true}
	e.outside(newFaulty(t, "permute-reversed", "permute-reversed"), false)
	r := &runner{Options: Options{Engines: []*Engine{e}}, ctx: t.Context(), late: t.Context(), mutants: NewMutants(), report: &Report{}}
	s := &sorter{runner: r, engine: e, finder: &finder{engine: e, mutants: r.mutants, late: r.late}, count: &Generated{}, asked: map[string]*asked{}}
	o := drift.Options{N: 200, Seed: 3, All: true, Differs: s.add}
	report, err := drift.Run(t.Context(), o, e.Subject)
	if err != nil || report.Differing == 0 {
		t.Fatalf("%v %v", report, err)
	}
	s.reduce(o, 1)
	if s.count.Reduced != 0 || len(s.finder.findings) != 1 {
		t.Fatalf("%d were reduced, %d findings", s.count.Reduced, len(s.finder.findings))
	}
	f := s.finder.findings[0]
	if f.Rule != "PAT-7" || f.Count != report.Differing || !strings.Contains(f.Case, "PERMUTE(") {
		t.Errorf("rule %s, %d times of %d:\n%s", f.Rule, f.Count, report.Differing, f.Case)
	}
}

// A pile keeps its smallest inputs, no pattern twice, in an order that does not
// depend on when they came.
func TestPileKeepsTheSmallest(t *testing.T) {
	p := &pile{}
	for _, x := range []struct {
		pattern string
		weight  int
	}{{"A", 5}, {"B", 3}, {"A", 4}, {"C", 3}, {"D", 9}, {"B", 8}, {"E", 1}} {
		tree, err := (&oracle.Case{Pattern: x.pattern}).ParsePattern()
		if err != nil {
			t.Fatal(err)
		}
		d := drifted{Difference: &drift.Difference{}, weight: x.weight}
		d.Pattern = tree
		p.take(d, 3)
	}
	got := ""
	for _, x := range p.smallest {
		got += x.Pattern.String()
	}
	if got != "EBC" || p.count != 7 {
		t.Errorf("%s of %d", got, p.count)
	}
}
