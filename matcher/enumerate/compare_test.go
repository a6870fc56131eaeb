package enumerate_test

import (
	"testing"

	"github.com/rprcheck/rprcheck/matcher/enumerate"
)

// find returns the first candidate that prints as text.
func find(t *testing.T, pattern, text string) enumerate.Candidate {
	t.Helper()
	for c, err := range enumerate.Candidates(parse(t, pattern), 5) {
		if err != nil {
			t.Fatal(err)
		}
		if c.String() == text {
			return c
		}
	}
	t.Fatalf("%s has no candidate %q", pattern, text)
	return enumerate.Candidate{}
}

// TestDeparture: the rule that decides between two candidates, the first
// being ours and preferred.
func TestDeparture(t *testing.T) {
	for _, c := range []struct {
		pattern, ours, theirs string
		rule, says            string
	}{
		{"A | A B", "A", "AB", "PREF-2",
			"after 0 rows, the first takes A and the second A B"},
		{"A{1,2} | B{2,3}", "A", "BBB", "PREF-2",
			"after 0 rows, the first takes A{1,2} and the second B{2,3}"},
		{"A (B | C) D", "ABD", "ACD", "PREF-2",
			"after 1 row, the first takes B and the second C"},
		{"(A|B){1,2}", "[A]", "[B]", "PREF-2",
			"after 0 rows, in iteration 1 of (A | B){1,2}, the first takes A and the second B"},
		{"(A|B){1,2}", "[A][B]", "[A]", "PREF-4",
			"after 1 row, in iteration 2 of (A | B){1,2}, at (A | B){1,2}, the first iterates and the second stops"},
		{"(A{2,3}){1,2}", "[AAA]", "[AA][AA]", "PREF-4",
			"after 2 rows, in iteration 3 of A{2,3}, at A{2,3}, the first iterates and the second stops"},
		{"A*? B", "B", "AB", "PREF-4",
			"after 0 rows, in iteration 1 of A*?, at A*?, the first stops and the second iterates"},
		{"A? B?", "A", "B", "PREF-4",
			"after 0 rows, in iteration 1 of A?, at A?, the first iterates and the second stops"},
		// The published mistakes about empty iterations.
		{"(A? | B)*", "[A][]", "[A][B]", "PREF-8",
			"after 1 row, in iteration 2 of (A? | B)*, the first takes A? (the iteration is empty) and the second B"},
		{"(A??)*", "[]", "[A]", "PREF-8",
			"after 0 rows, in iteration 1 of (A??)*, at A??, the first stops and the second iterates"},
		{"((A? | B){3} C)", "[][][B]C", "[B][A][]C", "PREF-8",
			"after 0 rows, in iteration 1 of (A? | B){3}, the first takes A? (the iteration is empty) and the second B"},
		{"(A*)*", "[AA][]", "[AA]", "PREF-8",
			"after 2 rows, in iteration 2 of (A*)*, at (A*)*, the first iterates (the iteration is empty) and the second stops"},
		{"(^ | A)*", "[^]", "[A]", "PREF-8",
			"after 0 rows, in iteration 1 of (^ | A)*, the first takes ^ (the iteration is empty) and the second A"},
		{"(A?){1,3}?", "[A]", "[]", "PREF-4",
			"after 0 rows, in iteration 1 of (A?){1,3}?, at A?, the first iterates and the second stops"},
		{"PERMUTE(A, B, C)", "BAC", "BCA", "PAT-7",
			"after 0 rows, the first takes the element A of PERMUTE(A, B, C) next and the second C"},
		{"({- A -} | A)", "{A}", "A", "PREF-2",
			"after 0 rows, the first takes {- A -} and the second A"},
	} {
		ours, theirs := find(t, c.pattern, c.ours), find(t, c.pattern, c.theirs)
		d, differ := enumerate.Compare(ours.Derivation, theirs.Derivation)
		if !differ || d.Order >= 0 {
			t.Errorf("%s: %q is not preferred to %q (order %d)", c.pattern, c.ours, c.theirs, d.Order)
		}
		if d.Rule() != c.rule {
			t.Errorf("%s: %q and %q are decided by %s, should be %s", c.pattern, c.ours, c.theirs, d.Rule(), c.rule)
		}
		if d.String() != c.says {
			t.Errorf("%s: %q and %q:\n is     %s\n should %s", c.pattern, c.ours, c.theirs, d, c.says)
		}
		back, _ := enumerate.Compare(theirs.Derivation, ours.Derivation)
		if back.Order <= 0 || back.FirstEmpty != d.SecondEmpty || back.SecondEmpty != d.FirstEmpty || back.Kind != d.Kind {
			t.Errorf("%s: %q and %q the other way round: %+v", c.pattern, c.ours, c.theirs, back)
		}
	}
}

// TestSameDerivation: a derivation does not depart from itself, and two of the
// same string do.
func TestSameDerivation(t *testing.T) {
	c := find(t, "(A | B)* PERMUTE(A, C?)", "[A][B]CA")
	if d, differ := enumerate.Compare(c.Derivation, c.Derivation); differ {
		t.Errorf("departs from itself: %v", d)
	}
	var both []enumerate.Candidate
	for c, err := range enumerate.Candidates(parse(t, "A | A"), 1) {
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, c)
	}
	if len(both) != 2 {
		t.Fatalf("%d candidates, should be 2", len(both))
	}
	if d, differ := enumerate.Compare(both[0].Derivation, both[1].Derivation); !differ || d.Kind != enumerate.DifferentBranch {
		t.Errorf("two derivations of A: %+v", d)
	}
}
