package reference

import (
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
)

// TestTrace: the tracer sees every step, in order, and its lines name the rules.
func TestTrace(t *testing.T) {
	for _, tc := range []struct{ pattern, rows, want string }{
		{"(A? | B)*", "A, B", `
row 1: iteration 1 of (A? | B)* (PREF-4)
row 1: alternative 1 of 2: A? (PREF-2)
row 1: iteration 1 of A? (PREF-4)
row 1 as A: holds
row 2: leave A? after 1 iterations (PREF-4)
row 2: iteration 2 of (A? | B)* (PREF-4)
row 2: alternative 1 of 2: A? (PREF-2)
row 2: iteration 1 of A? (PREF-4)
row 2 as A: fails
back to row 2, A?
row 2: leave A? after 0 iterations (PREF-4)
row 2: iteration 2 of (A? | B)* is empty: stop (PREF-8)
match of 1 rows (MAT-1)`},
		{"^ PERMUTE(A, B) $", "B, A", `
anchor ^ before row 1: holds (PREF-6)
row 1: order A B (PAT-7)
row 1 as A: fails
back to row 1, PERMUTE(A, B)
row 1: order B A (PAT-7)
row 1 as B: holds
row 2 as A: holds
anchor $ before row 3: holds (PREF-6)
match of 2 rows (MAT-1)`},
		{"A+? B", "A", `
row 1: iteration 1 of A+? (PREF-4)
row 1 as A: holds
row 2: leave A+? after 1 iterations (PREF-4)
no row 2 for B
back to row 2, A+?
row 2: iteration 2 of A+? (PREF-4)
no row 2 for A
no candidate is left: no match starts at row 1 (MAT-1)`},
		// Three empty iterations; then, from the last to the first, each with its
		// other string. The third with A is followed by $, which holds.
		{"(() | A){3} $", "A", `
row 1: iteration 1 of (() | A){3} (PREF-4)
row 1: alternative 1 of 2: () (PREF-2)
row 1: iteration 1 of (() | A){3} is empty, and so are all up to the lower bound 3 (PREF-8)
anchor $ before row 1: fails (PREF-6)
back to row 1, (() | A){3}
row 1: iteration 3 of (() | A){3} (PREF-4)
row 1: alternative 1 of 2: () (PREF-2)
row 1: iteration 3 of (() | A){3}: the empty string has been tried
back to row 1, () | A
row 1: alternative 2 of 2: A (PREF-2)
row 1 as A: holds
row 2: leave (() | A){3} after 3 iterations (PREF-4)
anchor $ before row 2: holds (PREF-6)
match of 1 rows (MAT-1)`},
		// A second string of an iteration that is empty too does not repeat: the
		// next iteration begins with its own first string.
		{"(A | ()){2} B", "AB", `
row 1: iteration 1 of (A | ()){2} (PREF-4)
row 1: alternative 1 of 2: A (PREF-2)
row 1 as A: holds
row 2: iteration 2 of (A | ()){2} (PREF-4)
row 2: alternative 1 of 2: A (PREF-2)
no row 2 for A
back to row 2, A | ()
row 2: alternative 2 of 2: () (PREF-2)
row 2: iteration 2 of (A | ()){2} is empty: stop (PREF-8)
no row 2 for B
back to row 1, A | ()
row 1: alternative 2 of 2: () (PREF-2)
row 1: iteration 1 of (A | ()){2} is empty, below the lower bound: go on (PREF-8)
row 1: iteration 2 of (A | ()){2} (PREF-4)
row 1: alternative 1 of 2: A (PREF-2)
row 1 as A: holds
row 2: leave (A | ()){2} after 2 iterations (PREF-4)
no row 2 for B
back to row 1, A | ()
row 1: alternative 2 of 2: () (PREF-2)
row 1: iteration 2 of (A | ()){2} is empty: stop (PREF-8)
row 1 as B: holds
match of 1 rows (MAT-1)`},
	} {
		s := newSearch(t, tc.pattern, rowsOf(tc.rows), matcher.Limits{})
		var got []string
		var tried []string
		s.trace = func(e Event) {
			got = append(got, e.String())
			if e.Kind == Try { // the row under test counts as mapped
				tried = append(tried, s.names[e.Vars[e.Row-e.Start]])
			}
		}
		s.at(0)
		want := strings.Split(strings.TrimPrefix(tc.want, "\n"), "\n")
		if !slices.Equal(got, want) {
			t.Errorf("%s on %s:\n%s\nwant\n%s", tc.pattern, tc.rows, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if len(tried) != s.labels.tests {
			t.Errorf("%s: %d tests reported, %d made", tc.pattern, len(tried), s.labels.tests)
		}
	}
}
