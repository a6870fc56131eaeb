package nfa

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics"
)

// TestLists: lists hold each position once, and accept at the end only (c).
func TestLists(t *testing.T) {
	g := newGenerator(seedOf(t))
	for range 3000 {
		g.vars = 1 + g.IntN(4)
		p := g.pattern(1 + g.IntN(10))
		c, _, err := semantics.LabelledTree(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		a := compilePattern(c.Pattern, g.IntN(2) == 0)
		if a == nil {
			continue
		}
		for _, list := range append(a.follow, a.start[:]...) {
			seen := map[int32]bool{}
			for i, q := range list {
				if seen[q] || q == accept && i != len(list)-1 {
					t.Fatalf("%s: list %v", c.Pattern, list)
				}
				seen[q] = true
			}
		}
	}
}

// TestUnroll: how many places patterns have.
func TestUnroll(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		runs    bool
		want    int // -1: too large
	}{
		{"A", false, 1},
		{"A*", false, 1},
		{"A+", false, 1},
		{"A{3,}", false, 3},
		{"A{2,5}", false, 5},
		{"(A B){2}", false, 4},
		{"(){1000000}", false, 0},
		{"PERMUTE(A, B, C)", false, 12},  // 3 * 2^2: each element behind each set of others
		{"PERMUTE(A+, B, C)", false, 18}, // 3! orders of 3
		{"PERMUTE(A, B, C, D, E, F, G, H, I, J)", false, 5120},
		{"PERMUTE(A+, B, C, D, E, F, G, H, I, J)", false, -1},
		{"A{1000000}", false, -1},
		{"A{1000000}", true, 1},
		{"A{0,2000000000}? B", true, 2},
		{"(A{1,100} B){2}", true, 4},
		{"(A | B){100000}", true, -1},
		{"^{2000000000}", true, -1},
		{"A{8}", true, 8}, // small enough to be unrolled
	} {
		c, _, err := semantics.Labelled(tc.pattern, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		got := -1
		if a := compilePattern(c.Pattern, tc.runs); a != nil {
			got = len(a.positions)
		}
		if got != tc.want {
			t.Errorf("%s: %d places, want %d", tc.pattern, got, tc.want)
		}
	}
}
