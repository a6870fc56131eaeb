package faux

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/rulebook"
)

// The tables of witnesses say, for each mutant, a smallest input on which it
// differs from what is right, both answers derived by hand, and near misses,
// where it is right: there wrong is empty.

// order is a pattern over rows of labels, seen from a row (the first if 0).
type order struct {
	id            lie
	pattern, rows string
	at            int
	right, wrong  string
}

// clause is what stands in MATCH_RECOGNIZE ( ) over a table of the columns i
// (the row's number) and x; rows are the values of x.
type clause struct {
	id           lie
	text, rows   string
	right, wrong string
}

// statement is a whole statement over tables.
type statement struct {
	id           lie
	sql          string
	tables       []string
	right, wrong string
}

func (o order) run(t *testing.T) {
	at := max(o.at, 1)
	compare(t, o.id, o.pattern+" on "+o.rows, o.right, o.wrong, func(m *Mutant) string {
		if m == nil {
			return matchAt(t, reference.Engine{}, o.pattern, o.rows, at)
		}
		return matchAt(t, m, o.pattern, o.rows, at)
	})
}

func (c clause) run(t *testing.T) {
	rows := make([]string, 0, 8)
	for i, x := range strings.Fields(c.rows) {
		rows = append(rows, string(rune('1'+i))+" "+x)
	}
	statement{c.id, "SELECT * FROM t MATCH_RECOGNIZE (" + c.text + ")",
		[]string{"t(i bigint, x bigint): " + strings.Join(rows, "; ")}, c.right, c.wrong}.run(t)
}

func (s statement) run(t *testing.T) {
	o := query.Options{Tables: tables(t, s.tables...)}
	compare(t, s.id, s.sql+" over "+strings.Join(s.tables, ", "), s.right, s.wrong, func(m *Mutant) string {
		if m == nil {
			return resultText(referenceRun(t, s.sql, o))
		}
		return resultText(m.Run(t.Context(), s.sql, o, matcher.Limits{}))
	})
}

// compare asks the reference, the honest engine and the mutant.
func compare(t *testing.T, id lie, input, right, wrong string, ask func(*Mutant) string) {
	t.Helper()
	if wrong == "" {
		wrong = right
	} else if wrong == "nothing" {
		wrong = ""
	}
	if got := ask(nil); got != right {
		t.Errorf("%s: the reference says %q of %s, should be %q", id, got, input, right)
	}
	if got := ask(mutant(t, "")); got != right {
		t.Errorf("%s: the honest engine says %q of %s, should be %q", id, got, input, right)
	}
	if got := ask(mutant(t, string(id))); got != wrong {
		t.Errorf("%s: the mutant says %q of %s, should be %q", id, got, input, wrong)
	}
}

// TestFaults: the list is complete and its entries are well formed.
func TestFaults(t *testing.T) {
	ids, names, lines := map[string]bool{}, map[string]bool{}, map[int]bool{}
	inexpressible := 0
	for _, f := range All() {
		if ids[f.ID] || names[f.Name] {
			t.Errorf("fault %s %s stands twice", f.ID, f.Name)
		}
		ids[f.ID], names[f.Name], lines[f.Line] = true, true, true
		if f.What == "" || !strings.HasSuffix(f.What, ".") || len(f.Rules) == 0 {
			t.Errorf("fault %s lacks a sentence or a rule", f.ID)
		}
		for _, r := range f.Rules {
			if _, ok := rulebook.Lookup(r); !ok {
				t.Errorf("fault %s names the rule %s, which the rulebook has not", f.ID, r)
			}
		}
		if f.Inexpressible != "" {
			inexpressible++
		}
	}
	for line := 1; line <= 87; line++ {
		if !lines[line] {
			t.Errorf("no fault of line %d", line)
		}
	}
	if inexpressible > 12 {
		t.Errorf("%d faults are inexpressible, at most a dozen may be", inexpressible)
	}
}

// TestEveryMutantHasWitness: each mutant has an input on which it is wrong and
// one on which it is right.
func TestEveryMutantHasWitness(t *testing.T) {
	wrong, near := map[lie]bool{}, map[lie]bool{}
	note := func(id lie, w string) {
		if w != "" {
			wrong[id] = true
		} else {
			near[id] = true
		}
	}
	for _, w := range orderWitnesses {
		note(w.id, w.wrong)
	}
	for _, w := range clauseWitnesses() {
		note(w.id, w.wrong)
	}
	for _, w := range statementWitnesses() {
		note(w.id, w.wrong)
	}
	for _, w := range acceptWitnesses {
		wrong[w.id] = true
		near[w.id] = near[w.id] || w.near != ""
	}
	for _, m := range Mutants() {
		if !wrong[m.lie] {
			t.Errorf("%s has no witness", m.Name())
		}
		if !near[m.lie] {
			t.Errorf("%s has no near miss", m.Name())
		}
	}
}

// TestNew: unknown and inexpressible faults have no mutant.
func TestNew(t *testing.T) {
	for _, id := range []string{"88", "1a", string(questionMarkApart), string(skipFirstLoops)} {
		if _, err := New(id); err == nil {
			t.Errorf("%s has a mutant", id)
		}
	}
	for _, id := range []string{"8", "empty-ranks-as-none"} {
		if m, err := New(id); err != nil || m.Name() != "faux-8-empty-ranks-as-none" {
			t.Errorf("%s gives %v, %v", id, m, err)
		}
	}
}
