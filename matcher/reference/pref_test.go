package reference

import (
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
)

// TestPREF8Candidates checks the full lists of candidates of chapter 2: at most
// 3 rows for bounded, at most 2 for unbounded patterns, every row both A and B.
func TestPREF8Candidates(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		rows    int
		want    string // the rulebook's notation
	}{
		{"(A?){0,3}", 3, "[A][A][A]; [A][A][]; [A][A]; [A][]; [A]; []; none"},
		{"(A?){1,3}", 3, "[A][A][A]; [A][A][]; [A][A]; [A][]; [A]; []"},
		{"(A?){2,3}", 3, "[A][A][A]; [A][A][]; [A][A]; [A][]; [][A][A]; [][A][]; [][A]; [][]"},
		{"(A?){1,3}?", 3, "[A]; [A][A]; [A][A][A]; [A][A][]; [A][]; []"},
		{"(A?){2,3}?", 3, "[A][A]; [A][A][A]; [A][A][]; [A][]; [][A]; [][A][A]; [][A][]; [][]"},
		{"(A??){2,3}", 3, "[][]; [][A][]; [][A][A]; [][A]; [A][]; [A][A][]; [A][A][A]; [A][A]"},
		{"(A??){2,3}?", 3, "[][]; [][A]; [][A][]; [][A][A]; [A][]; [A][A]; [A][A][]; [A][A][A]"},
		{"(A*)*", 2, "[AA][]; [AA]; [A][A][]; [A][A]; [A][]; [A]; []; none"},
		{"(A?|B)*", 2, "[A][A][]; [A][A]; [A][]; [A][B][]; [A][B]; [A]; []; [B][A][]; [B][A]; [B][]; [B][B][]; [B][B]; [B]; none"},
		{"(A??)*", 2, "[]; [A][]; [A][A][]; [A][A]; [A]; none"},
		{"(A?)*?", 2, "none; [A]; [A][A]; [A][A][]; [A][]; []"},
		{"((A?){2}?)", 3, "[A][A]; [A][]; [][A]; [][]"},
		{"((A??){2})", 3, "[][]; [][A]; [A][]; [A][A]"},
		{"(){2,}", 3, "[][]"},
		{"^{3,10}", 3, "none"}, // three anchors, no row
		// PREF-2, PREF-3, PREF-4
		{"A{1,2} | B{2,3}", 3, "AA; A; BBB; BB"},
		{"(A | B) (C | D)", 3, "AC; AD; BC; BD"},
		{"(A|B){1,2}", 3, "AA; AB; A; BA; BB; B"},
		{"(A|B){1,2}?", 3, "A; AA; AB; B; BA; BB"},
		// PAT-7
		{"PERMUTE(A, B, C)", 3, "ABC; ACB; BAC; BCA; CAB; CBA"},
		{"PERMUTE(A, A)", 3, "AA; AA"},
		{"PERMUTE(A)", 3, "A"},
		{"PERMUTE(A, B?)", 3, "AB; A; BA; A"},
		{"PERMUTE(A | B, C)", 3, "AC; BC; CA; CB"},
		{"PERMUTE(A, B){2}", 4, "ABAB; ABBA; BAAB; BABA"},
		{"PERMUTE(A, PERMUTE(B, C))", 3, "ABC; ACB; BCA; CBA"},
	} {
		p, err := semantics.ParsePattern(tc.pattern)
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]string, tc.rows)
		for i := range rows {
			rows[i] = "ABCD"
		}
		got, complete := candidates(t, p, rows, 1000)
		var want []string
		for c := range strings.SplitSeq(tc.want, "; ") {
			want = append(want, strings.NewReplacer("[", "", "]", "", "none", "").Replace(c))
		}
		if !complete || !slices.Equal(got, want) {
			t.Errorf("%s:\n got  %q\n want %q", tc.pattern, got, want)
		}
	}
}

// TestPreferredMatch checks single matches: the table "Results that follow" of
// PREF-8 and the examples of the other rules.
func TestPreferredMatch(t *testing.T) {
	for _, tc := range []struct {
		rule, pattern, rows string
		start               int
		want                string
	}{
		{"PREF-2", "A{1,2} | B{2,3}", "AB, AB, B, B, B", 1, "1A 2A"},
		{"PREF-2", "A | A B", "A, B", 1, "1A"},
		{"PREF-2", "A B | A", "A, B", 1, "1A 2B"},
		{"PREF-3", "(A | B) (C | D)", "AB, CD", 1, "1A 2C"},
		{"PREF-3", "(A | B) (C | D)", "B, CD", 1, "1B 2C"},
		{"PREF-4", "(A|B){1,2}", "AB, B", 1, "1A 2B"},
		{"PREF-4", "(A|B){1,2}?", "AB, B", 1, "1A"},
		{"PREF-4", "(A{2,3}){1,2}", "A, A, A, A", 1, "1A 2A 3A"},
		{"PREF-4", "A{2,6}", "A, A, A, A", 1, "1A 2A 3A 4A"},
		{"PREF-4", "((A?){2}?)", "A, A", 1, "1A 2A"},
		{"PREF-4", "((A??){2})", "A, A", 1, "empty"},
		{"PREF-4", "A+? B", "A, A, B", 1, "1A 2A 3B"},
		{"PREF-4", "A+?", "A, A", 1, "1A"},
		{"PREF-4", "A{2,4}?", "A, A, A", 1, "1A 2A"},
		{"PREF-4", "A{2}", "A, A, A", 2, "2A 3A"},
		{"PREF-4", "A{2}", "A, A, A", 3, "none"},
		{"PREF-4", "A{,2}", "A, A, A", 1, "1A 2A"},
		{"PREF-5", "{- A -} | A", "A", 1, "1{A}"},
		{"PREF-5", "A | {- A -}", "A", 1, "1A"},
		{"PREF-5", "({- A -} | A) B", "A, B", 1, "1{A} 2B"},
		{"PREF-5", "({- A -} B | A C)", "A, C", 1, "1A 2C"},
		{"PREF-5", "{- A {- B -} C -} D", "A, B, C, D", 1, "1{A} 2{B} 3{C} 4D"},
		{"PREF-5", "A {- B+ -} C+", "A, B, B, C, C", 1, "1A 2{B} 3{B} 4C 5C"},
		{"PREF-5", "{- A+ -} A", "A, A, A", 1, "1{A} 2{A} 3A"},
		{"PREF-5", "({- A -} | B)+", "A, B, A, -", 1, "1{A} 2B 3{A}"},
		{"PREF-6", "^ A", "A, A", 1, "1A"},
		{"PREF-6", "^ A", "A, A", 2, "none"},
		{"PREF-6", "A $", "A, A", 1, "none"},
		{"PREF-6", "A $", "A, A", 2, "2A"},
		{"PREF-7", "()", "A", 1, "empty"},
		{"PREF-7", "A () B", "A, B", 1, "1A 2B"},

		{"PREF-8", "(A? | B)*", "A, B", 1, "1A"},
		{"PREF-8", "(A? | B)* C", "A, B, C", 1, "1A 2B 3C"},
		{"PREF-8", "(A | ())+", "A, A, -", 1, "1A 2A"},
		{"PREF-8", "(() | A)*", "A", 1, "empty"},
		{"PREF-8", "(() | A){2,}", "A, A", 1, "empty"},
		{"PREF-8", "((() | A)+ B)", "A, A, B", 1, "1A 2A 3B"},
		{"PREF-8", "(A??)* B", "B", 1, "1B"},
		{"PREF-8", "(A??)* B", "A, B", 1, "1A 2B"},
		{"PREF-8", "(A??)+", "A, A", 1, "empty"},
		{"PREF-8", "(A*?){2,}", "A, A", 1, "empty"},
		{"PREF-8", "(A?){2,3}", "A, A, A, A", 1, "1A 2A 3A"},
		{"PREF-8", "(A?){2,3}", "A, A", 1, "1A 2A"},
		{"PREF-8", "(A?){2,3}", "A", 1, "1A"},
		{"PREF-8", "(A?){2,3}", "-", 1, "empty"},
		{"PREF-8", "(A+ | B){2}", "A, A, A", 1, "1A 2A 3A"},
		{"PREF-8", "(A* B*)*", "A, B, A, B", 1, "1A 2B 3A 4B"},
		{"PREF-8", "((A? | B){3} C)", "B, AC, C", 1, "1B 2C"},
		{"PREF-8", "(A | ^)*", "A, A", 1, "1A 2A"},
		{"PREF-8", "(^ | A)*", "A, A", 1, "empty"},
		{"PREF-8", "(A?)+?", "A, A", 1, "1A"},
		{"PREF-8", "(A?)*?", "A, A", 1, "empty"},
		// The engines that are no analogues get these wrong.
		{"PREF-8", "((A? ()) | (B|B|B??)){1,3} A", "B, A, A", 1, "1B 2A 3A"},
		{"PREF-8", "(B?|A){3} (B|A A)", "A, B, B", 1, "1A 2B"},
		{"PREF-8", "(A?|B|B){3,4} A", "A, B, A, A, A", 1, "1A 2B 3A 4A"},

		{"PREF-10a", "(A+ | B){2}", "A, A, A", 1, "1A 2A 3A"},
		{"PREF-11", "(A | B B)+ (A | B B)+", "A, AB, B, A", 1, "1A 2B 3B 4A"},
		{"PREF-11", "(A | B B){2,}", "A, AB, B, A", 1, "1A 2A"},
		{"PREF-11", "(A? | B){1,2} A", "B, A, A", 1, "1B 2A 3A"},
		{"PREF-11", "(A? | B) (A? | B)? A", "B, A, A", 1, "1B 2A"},
		{"PREF-11", "((A* B){1,3}){2,2}", "B, AB, B", 1, "1B 2B 3B"},
		{"PREF-11", "(A* B){2,6}", "B, AB, B", 1, "1B 2A 3B"},

		{"PAT-7", "PERMUTE(A, B?)", "B, A", 1, "1B 2A"},
		{"PAT-7", "PERMUTE(A, B?)", "AB, AB", 1, "1A 2B"},
		{"PAT-7", "PERMUTE(A, B, C)", "C, A, B", 1, "1C 2A 3B"},
		{"PAT-7", "PERMUTE(A, B){2}", "A, B, B, A", 1, "1A 2B 3B 4A"},
		{"PAT-7", "PERMUTE(A, B)+", "B, A, A, B, A", 1, "1B 2A 3A 4B"},
		// The first order whose string fits, not the first element that fits:
		// A B C with A on row 1 and C needing row 3 fails, A C B is next.
		{"PAT-7", "PERMUTE(A, B, C)", "AC, AC, B", 1, "1A 2C 3B"},

		{"ANCH-1", "^ A", "A, A, A, A", 1, "1A"},
		{"ANCH-1", "A ^", "A, A, A, A", 1, "none"},
		{"ANCH-1", "$ A", "A, A, A, A", 4, "none"},
		{"ANCH-1", "A $", "A, A, A, A", 4, "4A"},
		{"ANCH-1", "^ A* $", "A, A", 1, "1A 2A"},
		{"ANCH-1", "^ A* $", "A, -", 1, "none"},
		{"ANCH-1", "A* $", "A, -, A", 1, "none"},
		{"ANCH-1", "A* $", "A, -, A", 2, "none"},
		{"ANCH-1", "A* $", "A, -, A", 3, "3A"},
		{"ANCH-1", "^* A B", "A, A, B", 2, "2A 3B"},
		{"ANCH-1", "^+ A B", "A, A, B", 2, "none"},
		{"ANCH-1", "A $+ ()", "A", 1, "1A"},
		{"MAT-4", "$", "A, A", 2, "none"},
		{"MAT-4", "^", "A, A", 1, "empty"},
		{"MAT-4", "^", "A, A", 2, "none"},
		{"MAT-5", "A B | ()", "A, B", 1, "1A 2B"},
		{"MAT-5", "A B | ()", "A, B", 2, "empty"},
	} {
		s := newSearch(t, tc.pattern, rowsOf(tc.rows), matcher.Limits{})
		if got := s.text(t, tc.start); got != tc.want {
			t.Errorf("%s: %s on %s at row %d: got %s, want %s", tc.rule, tc.pattern, tc.rows, tc.start, got, tc.want)
		}
	}
}

// TestPREF10ConditionReadsPath: C needs a B before it, so that a failure of C
// after A says nothing about C after B.
func TestPREF10ConditionReadsPath(t *testing.T) {
	s := newSearch(t, "((A | B) C)", rowsOf("ABC, ABC"), matcher.Limits{})
	s.also = func(_ int, vars []semantics.VarID) bool {
		last := len(vars) - 1
		return s.names[vars[last]] != "C" || last > 0 && s.names[vars[last-1]] == "B"
	}
	if got := s.text(t, 1); got != "1B 2C" {
		t.Errorf("got %s, want 1B 2C", got)
	}
}

// TestMAT1Feasibility is the example of MAT-1: A? B+ with A AS price > 100.
func TestMAT1Feasibility(t *testing.T) {
	s := newSearch(t, "A? B+", rowsOf("B, B, B"), matcher.Limits{})
	if got := s.text(t, 1); got != "1B 2B 3B" {
		t.Errorf("got %s, want 1B 2B 3B", got)
	}
}

// TestWIN2SearchArea: rows at and after the end of the search area are never
// mapped, while $ keeps to the partition.
func TestWIN2SearchArea(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		end     int
		want    string
	}{
		{"A{3} | A", 2, "1A"},
		{"A{3} | A", 3, "1A 2A 3A"},
		{"A+", 3, "1A 2A 3A"},
		{"A+ $", 3, "none"},
		{"A+ $", 4, "1A 2A 3A 4A"},
	} {
		s := newSearch(t, tc.pattern, rowsOf("A, A, A, A"), matcher.Limits{})
		found, err := s.run(t.Context(), matcher.Attempt{End: tc.end, Hi: 4, MatchNumber: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if found {
			got = mappingText(s.mapping(), s.names)
		}
		if got != tc.want {
			t.Errorf("%s with end %d: got %s, want %s", tc.pattern, tc.end, got, tc.want)
		}
	}
}
