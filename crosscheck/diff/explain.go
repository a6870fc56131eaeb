package diff

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/reduce"
	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics"
)

// Cause is why an answer is wrong.
type Cause struct {
	Rule    string   // the rule that decides, or drift.Unexplained
	Why     string   // a sentence; may be empty
	Mutants []string // faults that alone give the same answer, by id
}

// Mutants answers cases as the mutants do. It implements known.Mutants.
type Mutants struct {
	opinions []crosscheck.Opinion
	faults   []faux.Fault
}

// NewMutants returns all mutants.
func NewMutants() *Mutants {
	m := &Mutants{}
	for _, o := range crosscheck.Mutants() {
		id, _, _ := strings.Cut(strings.TrimPrefix(o.Name(), "faux-"), "-")
		f, _ := faux.Lookup(id)
		m.opinions, m.faults = append(m.opinions, o), append(m.faults, f)
	}
	return m
}

// mutantPatience is how long one mutant may think about one case.
const mutantPatience = 2 * time.Second

// Answer is what one mutant says of a case.
func (m *Mutants) Answer(ctx context.Context, id string, c *corpus.Case) ([]string, bool) {
	for i, f := range m.faults {
		if f.ID == id || f.Name == id {
			return m.ask(ctx, i, c)
		}
	}
	return nil, false
}

func (m *Mutants) ask(ctx context.Context, i int, c *corpus.Case) ([]string, bool) {
	ctx, cancel := context.WithTimeout(ctx, mutantPatience)
	defer cancel()
	r := m.opinions[i].Ask(ctx, []*corpus.Case{c})[0]
	return r.Lines, r.Verdict == 0
}

// Reproduce returns the faults whose mutants give an answer that is not the
// expected one.
func (m *Mutants) Reproduce(ctx context.Context, c *corpus.Case, got []string) []faux.Fault {
	var out []faux.Fault
	for i := range m.opinions {
		if ctx.Err() != nil {
			break
		}
		lines, ok := m.ask(ctx, i, c)
		if !ok || crosscheck.SameAnswer(c, c.Answer, lines) {
			continue
		}
		if same, _ := Compare(c, lines, got); same {
			out = append(out, m.faults[i])
		}
	}
	return out
}

// Explain finds the rule by which an answer to a case is wrong. If a mutant gives
// exactly this answer, and no other one or only some that break the same rule, it
// is that rule: what looks like another order of candidates may be, say, another
// reading of the pattern. Else a pattern over rows of labels is explained by the
// candidate order, and anything by the first of several mutants. It never guesses.
func (m *Mutants) Explain(ctx context.Context, c *corpus.Case, got []string) Cause {
	if c.Kind == corpus.Refuse {
		// What must be refused is accepted: the rule is the expected error's.
		words := strings.Fields(strings.Join(c.Answer, " "))
		if len(words) > 1 && words[0] != "accepted" {
			return Cause{Rule: words[1], Why: "what the rule forbids is accepted", Mutants: ids(m.Reproduce(ctx, c, got))}
		}
	}
	faults := m.Reproduce(ctx, c, got)
	cause := Cause{Rule: drift.Unexplained, Mutants: ids(faults)}
	rule, why := "", ""
	if c.Kind == corpus.Labels {
		rule, why = explainLabels(c, got)
	}
	shared := sharedRule(faults)
	switch {
	case shared != "" && shared == rule:
		cause.Rule, cause.Why = rule, why
	case shared != "":
		cause.Rule, cause.Why = shared, faults[0].What
	case rule != "":
		cause.Rule, cause.Why = rule, why
	case len(faults) > 0:
		cause.Rule, cause.Why = faults[0].Rules[0], faults[0].What
	}
	return cause
}

// sharedRule is the first rule that all of the faults break; "" if there is none.
func sharedRule(faults []faux.Fault) string {
	if len(faults) == 0 {
		return ""
	}
	for _, rule := range faults[0].Rules {
		if !slices.ContainsFunc(faults, func(f faux.Fault) bool { return !slices.Contains(f.Rules, rule) }) {
			return rule
		}
	}
	return ""
}

func ids(faults []faux.Fault) []string {
	var out []string
	for _, f := range faults {
		out = append(out, f.ID)
	}
	return out
}

// explainLabels compares the mappings of the first row on which they differ.
func explainLabels(c *corpus.Case, got []string) (rule, why string) {
	if c.Starts != nil || len(c.Reading) > 0 || len(c.Answer) != len(c.Rows) || len(got) != len(c.Rows) {
		return "", ""
	}
	p, err := semantics.ParsePattern(c.Pattern)
	if err != nil {
		return "", ""
	}
	rows, err := reduce.Rows(c)
	if err != nil {
		return "", ""
	}
	for i := range c.Answer {
		if c.Answer[i] == got[i] {
			continue
		}
		ours, ok1 := parseMapping(c.Answer[i])
		theirs, ok2 := parseMapping(got[i])
		if !ok1 || !ok2 {
			return "", ""
		}
		cause := drift.Explain(p, rows, i, ours, theirs)
		if cause.Rule == drift.Unexplained {
			return "", ""
		}
		return cause.Rule, cause.Why
	}
	return "", ""
}

// parseMapping reads a line such as "2: A {B}".
func parseMapping(line string) (oracle.Mapping, bool) {
	_, text, ok := strings.Cut(line, ": ")
	switch {
	case !ok:
		return oracle.Mapping{}, false
	case text == "-":
		return oracle.Mapping{}, true
	case text == "()":
		return oracle.Mapping{Found: true}, true
	}
	m := oracle.Mapping{Found: true}
	for i, name := range strings.Fields(text) {
		if inner, ok := strings.CutPrefix(name, "{"); ok {
			name = strings.TrimSuffix(inner, "}")
			if m.Excluded == nil {
				m.Excluded = make([]bool, len(strings.Fields(text)))
			}
			m.Excluded[i] = true
		}
		m.Vars = append(m.Vars, name)
	}
	return m, true
}
