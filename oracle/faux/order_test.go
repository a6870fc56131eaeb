package faux

import (
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics"
)

func repeated(s string, n int) string { return strings.TrimSpace(strings.Repeat(s+" ", n)) }

// orderWitnesses, by line of the list. What an iteration takes stands in brackets.
var orderWitnesses = []order{
	// 1: the second iteration of (A? | B)* is empty and should stop; discarded, B is tried. So it is at once on B alone.
	{emptyDiscarded, "(A? | B)*", "A B", 0, "A", "A B"},
	{emptyDiscarded, "(A? | B)*", "B", 0, "()", "B"},
	{emptyDiscarded, "(A? | B)* C", "A B C", 0, "A B C", ""},
	{emptyDiscarded, "(A?){2,3}", "A A", 0, "A A", ""},
	// 2: [][B] C is preferred to [B][A] C; stopping at the first [] leaves only the latter.
	{emptyStopsEarly, "(A? | B){2} C", "B AC C", 0, "B C", "B A C"},
	{emptyStopsEarly, "(A? | B){1,2} C", "B AC C", 0, "B A C", ""},
	{emptyStopsEarly, "(A?){2,3}", "A A", 0, "A A", ""},
	// 3: [] meets the bound 1 and should stop, so [B][A] C; going on, [][B] C comes first.
	{emptyAtBoundGoes, "(A? | B){1,2} C", "B AC C", 0, "B A C", "B C"},
	{emptyAtBoundGoes, "(A? | B){0,2} C", "B AC C", 0, "B A C", ""},
	// 4: copied out, [][B] A is preferred to [B][A] A.
	{boundsUnrolled, "(A? | B){1,2} A", "B A A", 0, "B A A", "B A"},
	{boundsUnrolled, "(A? | B){0,2} C", "B AC C", 0, "B A C", "B C"},
	{boundsUnrolled, "(A? | B)*", "A B", 0, "A", ""},
	// 5: the second iteration comes back to A before the next row.
	{guardWithoutCount, "(A+ | B){2}", "A A A", 0, "A A A", "-"},
	{guardWithoutCount, "(A B){2}", "A B A B", 0, "A B A B", ""},
	// 6: the empty second iteration is lost, the empty first one is not.
	{emptyPathLost, "(A? | B)*", "A B", 0, "A", "A B"},
	{emptyPathLost, "(A? | B)*", "B", 0, "()", ""},
	// 7
	{noForcedEmpty, "(A?){2,3}", "-", 0, "()", "-"},
	{noForcedEmpty, "(A?){2,3}", "A A", 0, "A A", ""},
	// 8: [] is the most preferred string; ranked as none it comes behind [A].
	{emptyRanksAsNone, "(A??)+", "A A", 0, "()", "A"},
	{emptyRanksAsNone, "(A??)+?", "A A", 0, "()", "A"},
	{emptyRanksAsNone, "(A?)+", "A A", 0, "A A", ""},
	{emptyRanksAsNone, "(A??)*?", "A A", 0, "()", ""},
	// 9: ((A?){2}?) becomes ((A??){2}?), of which [][] is first.
	{groupGreedDecides, "((A?){2}?)", "A A", 0, "A A", "()"},
	{groupGreedDecides, "((A??){2})", "A A", 0, "()", "A A"},
	{groupGreedDecides, "(A?){2}", "A A", 0, "A A", ""},
	// 10
	{longestWins, "A | A B", "A B", 0, "A", "A B"},
	{longestWins, "A B | A", "A B", 0, "A B", ""},
	// 11: the second branch ends a row earlier.
	{earliestEndWins, "A B | A", "A B", 0, "A B", "A"},
	{earliestEndWins, "A | A B", "A B", 0, "A", ""},
	{earliestEndWins, "A* B", "A A B", 0, "A A B", ""},
	// 12: (D E)+ becomes a third branch.
	{branchLeaks, "A | (B C)+ (D E)+", "D E", 0, "-", "D E"},
	{branchLeaks, "A | B (C | D)", "D", 0, "-", "D"},
	{branchLeaks, "A | B C", "C", 0, "-", ""},
	// 13: the first iteration takes three rows and leaves too few for another; A{2,6} takes four.
	{flattened, "(A{2,3}){1,2}", "A A A A", 0, "A A A", "A A A A"},
	{flattened, "(A{1,2}){1,2}", "A A A A", 0, "A A A A", ""},
	// 14: [A][A] leaves nothing for the second group, [A][BB] does; {2,} is content with [A][A].
	{neighboursMerged, "(A | B B)+ (A | B B)+", "A AB B A", 0, "A B B A", "A A"},
	{neighboursMerged, "A+ A+", "A A A", 0, "A A A", ""},
	// 14: the first group takes B AB and leaves nothing for the second, then B B, which leaves B; {2,6} is content with [B][AB].
	{flattenGate, "((A* B){1,3}){2,2}", "B AB B", 0, "B B B", "B A B"},
	{flattenGate, "(A{2,3}){1,2}", "A A A A", 0, "A A A", ""},
	// 15: as 14, with one trailing copy.
	{trailingFolded, "(A | B B)+ (A | B B)", "A AB B A", 0, "A B B A", "A A"},
	{trailingFolded, "(A B)+ A B", "A B A B", 0, "A B A B", ""},
	// 16
	{optionalsMerged, "A? A??", "A A", 0, "A", "A A"},
	{optionalsMerged, "A? A?", "A A", 0, "A A", ""},
	// 17
	{starOfAtLeast, "(A{2,})*", "A", 0, "()", "A"},
	{starOfAtLeast, "(A{2,})*", "A A", 0, "A A", ""},
	// 18
	{reluctantAsGreedy, "A*?", "A", 0, "()", "A"},
	{reluctantAsGreedy, "A+?", "-", 0, "-", ""},
	{reluctantWrapped, "A+?", "-", 0, "-", "()"},
	{reluctantWrapped, "A*?", "A", 0, "()", "A"},
	{reluctantWrapped, "A+", "-", 0, "-", ""},
	// 19
	{greedyAsReluctant, "A* B??", "A A", 0, "A A", "()"},
	{greedyAsReluctant, "A* B?", "A A B", 0, "A A B", ""},
	// 20
	{tailTakesRow, "A B*?", "A B B", 0, "A", "A B"},
	{tailTakesRow, "A B*? C", "A C", 0, "A C", ""},
	{lastRowTaken, "A*? B?", "AB", 0, "B", "A"},
	{lastRowTaken, "A*? B?", "AB AB", 0, "B", ""},
	// 21
	{openLowerIsOne, "A{,2} B", "B", 0, "B", "-"},
	{openLowerIsOne, "A{0,2} B", "B", 0, "B", ""},
	{openLowerLiteral, "A{ ,2} B", "A B", 0, "A B", "-"},
	{openLowerLiteral, "A{0,2} B", "A B", 0, "A B", ""},
	{openUpperExact, "A{2,}", "A A A", 0, "A A A", "A A"},
	{openUpperExact, "A+ A{2,4}", "A A A", 0, "A A A", ""},
	// 22
	{permuteReversed, "PERMUTE(A, B)", "AB AB", 0, "A B", "B A"},
	{permuteReversed, "PERMUTE(A, B)", "B A", 0, "B A", ""},
	{permuteDistinct, "PERMUTE(A, A)", "A A", 0, "A A", "A"},
	{permuteDistinct, "PERMUTE(A, B)", "A B", 0, "A B", ""},
	{permuteFixed, "PERMUTE(A, B){2}", "A B B A", 0, "A B B A", "-"},
	{permuteFixed, "PERMUTE(A, B){2}", "B A B A", 0, "B A B A", ""},
	{permuteSkipsOnce, "PERMUTE(A?, B?, C)", "C", 0, "C", "-"},
	{permuteSkipsOnce, "PERMUTE(A?, B?, C)", "A C", 0, "A C", ""},
	// 23
	{headNotSkipped, "(A B)? C", "C", 0, "C", "-"},
	{headNotSkipped, "A? C", "C", 0, "C", ""},
	{headNotSkipped, "(A B)? C", "A B C", 0, "A B C", ""},
	// 25: both branches wait for C at row 2.
	{threadsMerged, "(A | B) C", "AB C", 0, "A C", "B C"},
	{threadsMerged, "(A | B) C", "A C", 0, "A C", ""},
	{threadsMerged, "(A? | B)*", "A B", 0, "A", ""},
	// 26: the attempt at row 2 is in A{5,}, as that of row 1 is, and has found C.
	{absorbed, "A{5,} | C", "A AC", 2, "C", "-"},
	{absorbed, "A{5,} | C", "- AC", 2, "C", ""},
	{absorbed, "A{2,} | C", "A AC A", 2, "A A", ""},
	// 27
	{lastDerivation, "({- A -} | A)", "A", 0, "{A}", "A"},
	{lastDerivation, "{- A -} | B", "A", 0, "{A}", ""},
	// 28: all ways to cut 16 rows into iterations fail before the second branch is tried.
	{budgetIsNoMatch, "(A+)+ B | A", repeated("A", 16), 0, "A", "-"},
	{budgetIsNoMatch, "(A+)+ B | A", "A A A", 0, "A", ""},
	{depthIsNoMatch, "A{300}", repeated("A", 300), 0, repeated("A", 300), "-"},
	{depthIsNoMatch, "A{5}", "A A A A A", 0, "A A A A A", ""},
	// 29
	{anchorAtAttempt, "^ A", "A A", 2, "-", "A"},
	{anchorAtAttempt, "A ^", "A A", 0, "-", ""},
	// 87: (A | B) C is read back as A | B C; {- A -} as A.
	{parenthesesLost, "(A | B) C", "A", 0, "-", "A"},
	{parenthesesLost, "(A B)* C", "A B C", 0, "A B C", ""},
	{exclusionLost, "{- A -}", "A", 0, "{A}", "A"},
	{exclusionLost, "(A)", "A", 0, "A", ""},
}

// TestOrderWitnesses: faults of the candidate order show on labelled rows.
func TestOrderWitnesses(t *testing.T) {
	for _, w := range orderWitnesses {
		w.run(t)
	}
}

// TestListWitnesses: the faults of the order show in the list of candidates as
// well. The right lists are those of the rulebook.
func TestListWitnesses(t *testing.T) {
	for _, c := range []struct {
		id           lie
		pattern      string
		rows         int
		right, wrong string
	}{
		// 1: what is empty with the bound met is gone.
		{emptyDiscarded, "(A?){0,3}", 3, "[A][A][A]; [A][A][]; [A][A]; [A][]; [A]; []; ", "[A][A][A]; [A][A]; [A]; "},
		// 2: [] stops although two iterations are due.
		{emptyStopsEarly, "(A?){2,3}", 2, "[A][A][]; [A][A]; [A][]; [][A][A]; [][A][]; [][A]; [][]", "[A][A][]; [A][A]; [A][]; []"},
		// 3: [] meets the bound of 1 and does not stop.
		{emptyAtBoundGoes, "(A?)+", 1, "[A][]; [A]; []", "[A][]; [A]; [][A][]; [][A]; [][]; []"},
		// 4
		{boundsUnrolled, "(A?){0,2}", 1, "[A][]; [A]; []; ", "[A][]; [A]; [][A]; [][]; []; "},
		// 6: the second iteration cannot be empty, the first can.
		{emptyPathLost, "(A?)*", 1, "[A][]; [A]; []; ", "[A]; []; "},
		// 7
		{noForcedEmpty, "(A?){1,2}", 1, "[A][]; [A]; []", "[A][]; [A]"},
		// 8
		{emptyRanksAsNone, "(A??)*", 1, "[]; [A][]; [A]; ", "[A][]; [A]; []; "},
		// 10
		{longestWins, "A | A B", 2, "A; AB", "AB; A"},
		// 22
		{permuteReversed, "PERMUTE(A, B)", 2, "AB; BA", "BA; AB"},
		{permuteSkipsOnce, "PERMUTE(A?, B)", 2, "AB; B; BA; B", "AB; B; BA; B"},
		{permuteSkipsOnce, "PERMUTE(A?, B?)", 2, "AB; A; B; ; BA; B; A; ", "AB; A; B; BA; B; A"},
		// 87
		{exclusionLost, "{- A -}", 1, "{A}", "A"},
	} {
		p, err := semantics.ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []struct{ id, want string }{{"", c.right}, {string(c.id), c.wrong}} {
			got, err := mutant(t, x.id).Candidates(p, c.pattern, c.rows)
			if err != nil || !slices.Equal(got, strings.Split(x.want, "; ")) {
				t.Errorf("fault %q, %s: %q (%v), should be %q", x.id, c.pattern, got, err, x.want)
			}
		}
	}
}
