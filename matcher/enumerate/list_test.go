package enumerate_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func parse(t testing.TB, src string) *semantics.Pattern {
	t.Helper()
	p, err := semantics.ParsePattern(src)
	if err != nil {
		t.Fatalf("pattern %s: %v", src, err)
	}
	return p
}

// list returns the candidates in the rulebook's notation, at most 10,000.
func list(t testing.TB, src string, maxRows int) []string {
	t.Helper()
	var out []string
	for c, err := range enumerate.Candidates(parse(t, src), maxRows) {
		if err != nil {
			t.Fatalf("pattern %s: %v", src, err)
		}
		if out = append(out, c.String()); len(out) == 10_000 {
			break
		}
	}
	return out
}

// split reads a list of the rulebook: entries separated by semicolons or
// commas, "none" for zero iterations.
func split(list, separator string) []string {
	if list == "" {
		return nil
	}
	out := strings.Split(list, separator)
	for i, s := range out {
		if out[i] = strings.TrimSpace(s); out[i] == "none" {
			out[i] = ""
		}
	}
	return out
}

func diffLists(got, want []string) string {
	for i := range max(len(got), len(want)) {
		at := func(l []string) string {
			if i < len(l) {
				return fmt.Sprintf("%q", l[i])
			}
			return "nothing"
		}
		if at(got) != at(want) {
			return fmt.Sprintf("candidate %d is %s, should be %s\n is     %q\n should %q", i+1, at(got), at(want), got, want)
		}
	}
	return ""
}

// TestPREF8FullLists holds the rulebook's table of full lists: at most 3 rows
// for bounded patterns, at most 2 for unbounded ones.
func TestPREF8FullLists(t *testing.T) {
	for _, c := range []struct {
		pattern string
		rows    int
		want    string
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
		{"(){2,}", 2, "[][]"},
		{"^{3,10}", 3, "^^^"},
	} {
		if d := diffLists(list(t, c.pattern, c.rows), split(c.want, ";")); d != "" {
			t.Errorf("%s: %s", c.pattern, d)
		}
	}
}

// TestOrderOfCandidates holds lists derived by hand from the rule named.
func TestOrderOfCandidates(t *testing.T) {
	for _, c := range []struct {
		rule, pattern string
		rows          int
		want          string
	}{
		{"PREF-1", "A", 3, "A"},
		{"PREF-1", "A", 0, ""},
		{"PREF-2", "A{1,2} | B{2,3}", 3, "AA, A, BBB, BB"},
		{"PREF-2", "A | A B", 2, "A, AB"},
		{"PREF-2", "A | B | A", 1, "A, B, A"},
		{"PREF-2", "A | (B | C) | ()", 1, "A, B, C, none"},
		{"PREF-2", "A A A | B", 2, "B"},
		{"PREF-3", "(A | B) (C | D)", 2, "AC, AD, BC, BD"},
		{"PREF-3", "A?? B?", 2, "B, none, AB, A"},
		{"PREF-3", "A? B? C", 2, "AC, BC, C"},
		{"PREF-3", "A* B*", 2, "AA, AB, A, BB, B, none"},
		{"PREF-4", "(A|B){1,2}", 2, "[A][A], [A][B], [A], [B][A], [B][B], [B]"},
		{"PREF-4", "(A|B){1,2}?", 2, "[A], [A][A], [A][B], [B], [B][A], [B][B]"},
		{"PREF-4", "(A{2,3}){1,2}", 4, "[AAA], [AA][AA], [AA]"},
		{"PREF-4", "A{2,6}", 4, "AAAA, AAA, AA"},
		{"PREF-4", "A{2,4}?", 4, "AA, AAA, AAAA"},
		{"PREF-4", "A{2,2}?", 4, "AA"},
		{"PREF-4", "A*?", 2, "none, A, AA"},
		{"PREF-4", "A+?", 2, "A, AA"},
		{"PREF-4", "A{,2}", 3, "AA, A, none"},
		{"PREF-4", "(A B?)+", 3, "[AB][A], [AB], [A][AB], [A][A][A], [A][A], [A]"},
		{"PREF-4", "((A)*)+?", 1, "[[A]], [[A]][], []"},
		{"PREF-5", "({- A -} | A)", 1, "{A}, A"},
		{"PREF-5", "(A | {- A -})", 1, "A, {A}"},
		{"PREF-5", "{- A? -} B", 2, "{A}B, {}B"},
		{"PREF-5", "{- A | B -}*", 2, "[{A}][{A}], [{A}][{B}], [{A}], [{B}][{A}], [{B}][{B}], [{B}], none"},
		{"PREF-5", "{- A {- B -}?? -}", 2, "{A}, {A[{B}]}"},
		{"PREF-6", "^ A $", 1, "^A$"},
		{"PREF-6", "(A | ^)*", 1, "[A][^], [A], [^], none"},
		{"PREF-6", "^? A", 1, "^A, A"},
		{"PREF-6", "^* $??", 0, "^, ^$, none, $"},
		{"PREF-7", "()", 1, "none"},
		{"PREF-7", "() A ()", 1, "A"},
		{"PREF-7", "()*", 1, "[], none"},
		{"PREF-7", "()+?", 1, "[]"},
		{"PREF-7", "(){3}", 1, "[][][]"},
		{"PREF-8", "(A? | B)*", 1, "[A][], [A], [], [B][], [B], none"},
		{"PREF-8", "(() | A){2,}", 1, "[][], [][A][], [][A], [A][]"},
		{"PREF-8", "(A | ()){2,3}?", 1, "[A][], [][A], [][A][], [][]"},
		{"PREF-8", "(^ | A){3}", 1, "[^][^][^], [^][^][A], [^][A][^], [A][^][^]"},
		{"PREF-8", "((A?){2})?", 1, "[[A][]], [[][A]], [[][]], none"},
		{"PREF-8", "(A??)+?", 1, "[], [A], [A][]"},
		{"PAT-7", "PERMUTE(A, B, C)", 3, "ABC, ACB, BAC, BCA, CAB, CBA"},
		{"PAT-7", "PERMUTE(A, B?)", 2, "AB, A, BA, A"},
		{"PAT-7", "PERMUTE(A)", 1, "A"},
		{"PAT-7", "PERMUTE(A, A)", 2, "AA, AA"},
		{"PAT-7", "PERMUTE(A, B){2}", 4, "[AB][AB], [AB][BA], [BA][AB], [BA][BA]"},
		{"PAT-7", "PERMUTE(A | B, C)", 2, "AC, BC, CA, CB"},
		{"PAT-7", "PERMUTE(A+, B)?", 3, "[AAB], [AB], [BAA], [BA], none"},
		{"PAT-7", "PERMUTE(A, PERMUTE(B, C))", 3, "ABC, ACB, BCA, CBA"},
	} {
		if d := diffLists(list(t, c.pattern, c.rows), split(c.want, ",")); d != "" {
			t.Errorf("%s %s: %s", c.rule, c.pattern, d)
		}
	}
}

// TestNotation: names of more than one letter are separated by a space.
func TestNotation(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"UP{2} DOWN", "UP UP DOWN"},
		{"(UP DOWN){2} $", "[UP DOWN] [UP DOWN]$"},
		{"^ UP (DOWN??){2} {- A -} $", "^UP[][] {A}$"},
		{"^{2} UP ((DOWN)){1,2} {- {- A -} -}", "^^UP [DOWN] [DOWN] {{A}}"},
		{"up", "UP"},
		{`"u" A`, "uA"},
		{`"up" A`, "up A"},
		{`"a b" "q""[" A`, `"a b" "q""[" A`},
		{`"+" A`, `"+" A`},
		{`é a`, "ÉA"},
		{"A??", ""},
		{"UP??", ""},
	} {
		got := "no candidate"
		for s, err := range enumerate.Candidates(parse(t, c.pattern), 5) {
			if err != nil {
				t.Fatal(err)
			}
			got = s.String()
			break
		}
		if got != c.want {
			t.Errorf("%s: first candidate %q, should be %q", c.pattern, got, c.want)
		}
	}
}

// TestCandidateContents: rows, exclusion, anchors and derivation say what the
// notation says.
func TestCandidateContents(t *testing.T) {
	var c enumerate.Candidate
	for s, err := range enumerate.Candidates(parse(t, "^ (A {- B $? -} | C)+ $"), 3) {
		if err != nil {
			t.Fatal(err)
		}
		if s.String() == "^[A{B}][C]$" {
			c = s
			break
		}
	}
	if got := strings.Join(c.Names(), ""); got != "ABC" {
		t.Fatalf("names %q, should be ABC", got)
	}
	if fmt.Sprint(c.Excluded) != "[false true false]" {
		t.Errorf("excluded %v", c.Excluded)
	}
	want := []enumerate.Anchor{{Op: semantics.OpPartitionStart}, {Op: semantics.OpPartitionEnd, Rows: 3}}
	if fmt.Sprint(c.Anchors) != fmt.Sprint(want) {
		t.Errorf("anchors %v, should be %v", c.Anchors, want)
	}
	for _, p := range []struct {
		start, rows int
		want        bool
	}{{0, 3, true}, {0, 4, false}, {1, 4, false}} {
		if got := c.AnchorsHold(p.start, p.rows); got != p.want {
			t.Errorf("anchors at start %d of %d rows: %v", p.start, p.rows, got)
		}
	}
	loop := c.Derivation.Parts[1]
	if loop.Pattern.Op != semantics.OpQuantified || len(loop.Parts) != 2 || loop.Parts[0].Branch != 0 || loop.Parts[1].Branch != 1 {
		t.Errorf("derivation of the loop: %+v", loop)
	}
	if loop.Start != 0 || loop.End != 3 || loop.Parts[1].Start != 2 {
		t.Errorf("places of the loop: %d to %d, second iteration from %d", loop.Start, loop.End, loop.Parts[1].Start)
	}
}

// TestClosedFormulas counts lists whose length a formula gives.
func TestClosedFormulas(t *testing.T) {
	for _, c := range []struct {
		pattern string
		rows    int
		want    int
	}{
		{"(A | B){10}", 10, 1 << 10},
		{"(A | B){10}", 9, 0},
		{"A*", 50, 51},
		{"(A | B)*", 9, 1<<10 - 1},
		{"A* B*", 20, 21 * 22 / 2},
		{"PERMUTE(A, B, C, D, E, F)", 6, 720},
		{"(A?){8}", 8, 1 << 8},
		{"(A*)*", 10, 1 << 11},              // 2^(r-1) compositions of r rows, each with and without an empty iteration at the end
		{"(A? B? C?)", 3, 8},                // subsets
		{"(A{2,3}){4}", 12, 16},             // two choices an iteration
		{"(() | ()){5}", 0, 32},             // below the bound empty iterations go on
		{"(() | ()){2,5}", 0, 4},            // at the bound they stop
		{"(A | ()) (B | ()) (C | D)", 2, 6}, // 8 without the two of three rows
	} {
		n := 0
		for _, err := range enumerate.Candidates(parse(t, c.pattern), c.rows) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != c.want {
			t.Errorf("%s of at most %d rows: %d candidates, should be %d", c.pattern, c.rows, n, c.want)
		}
	}
}

// TestLazy: the head of a list that nobody could make in full.
func TestLazy(t *testing.T) {
	n := 0
	for c, err := range enumerate.Candidates(parse(t, "((A | B | C)* D?)* PERMUTE(A,B,C,D,E,F,G,H,I,J,K,L,M,N)"), 500) {
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Rows) > 500 {
			t.Fatalf("%d rows", len(c.Rows))
		}
		if n++; n == 1000 {
			break
		}
	}
	if n != 1000 {
		t.Errorf("the list ends after %d", n)
	}
}

// TestLIM1 meets each limit, and stays within it just below.
func TestLIM1(t *testing.T) {
	first := func(src string, maxRows int) error {
		for _, err := range enumerate.Candidates(parse(t, src), maxRows) {
			return err
		}
		return nil
	}
	isLimit := func(err error) bool {
		var e *diag.Error
		return errors.As(err, &e) && e.Stage == diag.Limit && e.Rule == "LIM-1" && e.Hint != ""
	}
	for _, src := range []string{"(){1000000}", "(A?){100000}", "((A*){100}){1000}"} {
		if err := first(src, 2); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	for _, src := range []string{"^{2147483647}", "((){2000}){2000}", "(A{2000000} | (){2000000})"} {
		if err := first(src, 2); !isLimit(err) {
			t.Errorf("%s: %v, should be a limit error", src, err)
		}
	}
	var err error
	for _, err = range enumerate.Where(parse(t, "(A|B)*"), 20, 1000, enumerate.Filter{}) {
	}
	if !isLimit(err) {
		t.Errorf("1000 steps: %v, should be a limit error", err)
	}
	// Bounds too large for the rows allowed are no work at all.
	if err := first("A{2147483647} | (A B C){900000000,} (A A){2147483647}", 1000); err != nil {
		t.Errorf("large bounds: %v", err)
	}
}
