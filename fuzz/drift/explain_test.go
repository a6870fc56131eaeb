package drift_test

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
)

// mapping reads "A B", "A {B}", "()" and "-" as case files write them.
func mapping(text string) oracle.Mapping {
	switch text {
	case "-":
		return oracle.Mapping{}
	case "()":
		return oracle.Mapping{Found: true}
	}
	m := oracle.Mapping{Found: true}
	for _, name := range strings.Fields(text) {
		bare := strings.Trim(name, "{}")
		m.Vars = append(m.Vars, bare)
		m.Excluded = append(m.Excluded, bare != name)
	}
	return m
}

func rows(text string) (out [][]string) {
	for _, row := range strings.Fields(text) {
		out = append(out, strings.Split(strings.Trim(row, "-"), ""))
	}
	return out
}

func parse(t testing.TB, text string) *semantics.Pattern {
	t.Helper()
	p, err := semantics.ParsePattern(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// TestExplain: the rule that decides, derived from the lists of chapter 2.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		pattern, rows string
		start         int
		ours, theirs  string
		rule          string
		first, second string // the candidates
	}{
		// A before A B: another branch.
		{"A | A B", "A B", 0, "A", "A B", "PREF-2", "A", "AB"},
		{"(A | B){1,2}", "AB B", 0, "A B", "B B", "PREF-2", "[A][B]", "[B][B]"},
		// One goes on where the other stops.
		{"A*", "A A", 0, "A A", "A", "PREF-4", "AA", "A"},
		{"A*?", "A A", 0, "()", "A", "PREF-4", "", "A"},
		// The first iteration takes three, and no second is possible.
		{"(A{2,3}){1,2}", "A A A A", 0, "A A A", "A A A A", "PREF-4", "[AAA]", "[AA][AA]"},
		// The iteration that is empty is preferred to B, and stops.
		{"(A? | B)*", "A B", 0, "A", "A B", "PREF-8", "[A][]", "[A][B][]"},
		{"(() | A)*", "A", 0, "()", "A", "PREF-8", "[]", "[A][]"},
		{"(A??)+", "A A", 0, "()", "A", "PREF-8", "[]", "[A][]"},
		// Below the lower bound the empty iteration counts and the quantifier goes on.
		{"(B? | A){3} (B | A A)", "A B B", 0, "A B", "A B B", "PREF-8", "[][][A]B", "[][A][B]B"},
		// The forced iterations are empty; without them there is no candidate.
		{"(A?){2,3}", "-", 0, "()", "-", "PREF-8", "[][]", ""},
		{"(A?){2,3} B", "B", 0, "B", "-", "PREF-8", "[][]B", ""},
		{"^ A", "A", 0, "A", "-", "PREF-6", "^A", ""},
		{"(A+ | B){2}", "A A A", 0, "A A A", "-", "MAT-1", "[AA][A]", ""},
		// The written order comes first.
		{"PERMUTE(A, B)", "AB AB", 0, "A B", "B A", "PAT-7", "AB", "BA"},
		// Other rows in {- -}.
		{"(A | {- A -})", "A", 0, "A", "{A}", "PREF-5", "A", "{A}"},
		{"({- A -} | A)", "A", 0, "{A}", "A", "PREF-5", "{A}", "A"},
		{"{- A -} B", "A B", 0, "{A} B", "A B", "PREF-5", "{A}B", ""},
		// A row that is not B; a row that is not there; an anchor that does not hold.
		{"A B?", "A A", 0, "A", "A B", "MAT-1", "A", "AB"},
		{"A+", "A", 0, "A", "A A", "MAT-1", "A", "AA"},
		{"A | ^ B", "A AB", 1, "A", "B", "MAT-1", "A", "^B"},
		{"^ A", "A A", 1, "-", "A", "MAT-1", "", "^A"},
		// No candidate at all.
		{"(A{2,})*", "A", 0, "()", "A", "PREF-1", "", ""},
		{"A B", "A B", 0, "A B", "B A", "PREF-1", "AB", ""},
		{"A", "-", 0, "-", "()", "PREF-1", "", ""},
	} {
		got := drift.Explain(parse(t, c.pattern), rows(c.rows), c.start, mapping(c.ours), mapping(c.theirs))
		if got.Rule != c.rule || got.Ours.Text != c.first || got.Theirs.Text != c.second {
			t.Errorf("%s on %s, %s and not %s: %s by %q and %q, should be %s by %q and %q (%s)", c.pattern, c.rows, c.ours, c.theirs,
				got.Rule, got.Ours.Text, got.Theirs.Text, c.rule, c.first, c.second, got.Why)
		}
		if rule := drift.Rule(parse(t, c.pattern), rows(c.rows), c.start, mapping(c.ours), mapping(c.theirs)); rule != c.rule {
			t.Errorf("%s on %s, %s and not %s: %s without the places, should be %s", c.pattern, c.rows, c.ours, c.theirs, rule, c.rule)
		}
	}
}

// TestExplainPlaces: places count from 1 in the lists of chapter 2.
func TestExplainPlaces(t *testing.T) {
	// [A][A][]; [A][A]; [A][]; [A][B][]; [A][B]; ...
	got := drift.Explain(parse(t, "(A? | B)*"), rows("A B"), 0, mapping("A"), mapping("A B"))
	if got.Ours.Place != 3 || got.Theirs.Place != 4 {
		t.Errorf("places %d and %d, should be 3 and 4", got.Ours.Place, got.Theirs.Place)
	}
}

// TestEmptyIterationsAddNoStrings is the claim on which Explain rests: a
// mapping that is no candidate does not become one if empty iterations are
// discarded, or gone on after, whether they count or not.
func TestEmptyIterationsAddNoStrings(t *testing.T) {
	const most = 4
	words := 0
	for operators := range 3 {
		for p := range gen.All(operators) {
			strict := language(p, most, false)
			for w := range language(p, most, true) {
				words++
				if !strict[w] {
					t.Fatalf("%s gets %q by free empty iterations only", p, w)
				}
			}
		}
	}
	t.Logf("%d strings", words)
}

// language returns the strings of variables of a pattern, of at most so many
// rows. Free empty iterations may stand anywhere and need not be counted.
func language(p *semantics.Pattern, most int, free bool) map[string]bool {
	out := map[string]bool{}
	switch p.Op {
	case semantics.OpVariable:
		out[p.Name.Text] = true
	case semantics.OpEmpty:
		out[""] = true
	case semantics.OpGroup:
		return language(p.Sub[0], most, free)
	case semantics.OpAlternate:
		for _, sub := range p.Sub {
			for w := range language(sub, most, free) {
				out[w] = true
			}
		}
	case semantics.OpConcat:
		out[""] = true
		for _, sub := range p.Sub {
			out = product(out, language(sub, most, free), most)
		}
	case semantics.OpQuantified:
		// PREF-8: an empty iteration stands before the lower bound or last.
		body := language(p.Sub[0], most, free)
		upper := p.Max
		if upper == semantics.Unbounded {
			upper = p.Min + most + 1
		}
		full := map[string]bool{}
		for w := range body {
			full[w] = w != ""
		}
		delete(full, "")
		ends := map[string]bool{"": true} // sequences that may go on
		for i := 0; i <= upper; i++ {
			if i >= p.Min || free && body[""] {
				for w := range ends {
					out[w] = true
				}
			}
			if i >= p.Min-1 && i < upper && body[""] {
				for w := range ends {
					out[w] = true
				}
			}
			longer := product(ends, full, most)
			if body[""] && (free || i+1 < p.Min) {
				for w := range ends {
					longer[w] = true
				}
			}
			ends = longer
		}
	}
	return out
}

func product(a, b map[string]bool, most int) map[string]bool {
	out := map[string]bool{}
	for v := range a {
		for w := range b {
			if len(v)+len(w) <= most {
				out[v+w] = true
			}
		}
	}
	return out
}
