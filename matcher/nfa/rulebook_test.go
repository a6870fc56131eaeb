package nfa

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// labelSets splits "A, AB, -" into label sets.
func labelSets(rows string) [][]string {
	var out [][]string
	for row := range strings.SplitSeq(rows, ",") {
		out = append(out, strings.Split(strings.Trim(row, " -"), ""))
	}
	return out
}

// TestRulebook: the examples of chapters 2 and 9, whose answers the rulebook gives.
func TestRulebook(t *testing.T) {
	for _, tc := range []struct{ rule, pattern, rows, want string }{
		{"PREF-2", "A{1,2} | B{2,3}", "AB, AB, B, B, B", "1A 2A"},
		{"PREF-2", "A | A B", "A, B", "1A"},
		{"PREF-4", "(A|B){1,2}", "AB, B", "1A 2B"},
		{"PREF-4", "(A|B){1,2}?", "AB, B", "1A"},
		{"PREF-4", "(A{2,3}){1,2}", "A, A, A, A", "1A 2A 3A"},
		{"PREF-4", "A{2,6}", "A, A, A, A", "1A 2A 3A 4A"},
		{"PREF-4", "((A?){2}?)", "A, A", "1A 2A"},
		{"PREF-4", "((A??){2})", "A, A", "empty@1"},
		{"PREF-5", "({- A -} | A)", "A", "1{A}"},
		{"PREF-5", "(A | {- A -})", "A", "1A"},
		{"PREF-8", "(A? | B)*", "A, B", "1A"},
		{"PREF-8", "(A? | B)* C", "A, B, C", "1A 2B 3C"},
		{"PREF-8", "(A | ())+", "A, A, -", "1A 2A"},
		{"PREF-8", "(() | A)*", "A", "empty@1"},
		{"PREF-8", "(() | A){2,}", "A, A", "empty@1"},
		{"PREF-8", "((() | A)+ B)", "A, A, B", "1A 2A 3B"},
		{"PREF-8", "(A??)* B", "B", "1B"},
		{"PREF-8", "(A??)* B", "A, B", "1A 2B"},
		{"PREF-8", "(A??)+", "A, A", "empty@1"},
		{"PREF-8", "(A*?){2,}", "A, A", "empty@1"},
		{"PREF-8", "(A?){2,3}", "A, A, A, A", "1A 2A 3A"},
		{"PREF-8", "(A?){2,3}", "-", "empty@1"},
		{"PREF-8", "(A* B*)*", "A, B, A, B", "1A 2B 3A 4B"},
		{"PREF-8", "((A? | B){3} C)", "B, AC, C", "1B 2C"},
		{"PREF-8", "(A | ^)*", "A, A", "1A 2A"},
		{"PREF-8", "(^ | A)*", "A, A", "empty@1"},
		{"PREF-8", "(A?)+?", "A, A", "1A"},
		{"PREF-8", "(A?)*?", "A, A", "empty@1"},
		{"PREF-8", "((A? ())|(B|B|B??)){1,3} A", "B, A, A", "1B 2A 3A"},
		{"PREF-8", "(B?|A){3} (B|A A)", "A, B, B", "1A 2B"},
		{"PREF-8", "(A?|B|B){3,4} A", "A, B, A, A, A", "1A 2B 3A 4A"},
		{"PREF-10a", "(A+ | B){2}", "A, A, A", "1A 2A 3A"},
		{"PREF-11", "(A | B B)+ (A | B B)+", "A, AB, B, A", "1A 2B 3B 4A"},
		{"PREF-11", "(A | B B){2,}", "A, AB, B, A", "1A 2A"},
		{"PREF-11", "(A? | B){1,2} A", "B, A, A", "1B 2A 3A"},
		{"PREF-11", "((A* B){1,3}){2,2}", "B, AB, B", "1B 2B 3B"},
		{"PREF-11", "(A* B){2,6}", "B, AB, B", "1B 2A 3B"},
		{"PAT-7", "PERMUTE(A, B?)", "B, A", "1B 2A"},
		{"PAT-7", "PERMUTE(A, B?)", "AB, AB", "1A 2B"},
		{"ANCH-1", "^ A* $", "A, A", "1A 2A"},
		{"ANCH-1", "^ A* $", "A, -", "none"},
		{"ANCH-1", "A* $", "A, -, A", "none"},
		{"ANCH-1", "A ^", "A, A", "none"},
		{"ANCH-1", "^* A B", "A, B", "1A 2B"},
		{"PAT-4", "A{2000000000}", "A, A", "none"},
		{"PAT-4", "A{0,2000000000}", "A, A, -", "1A 2A"},
		{"PAT-4", "A{1,2000000000}? B", "A, AB, B", "1A 2B"},
		{"PAT-4", "A{1,2000000000} B", "A, AB, B", "1A 2A 3B"},
	} {
		c, in, err := semantics.Labelled(tc.pattern, "", labelSets(tc.rows))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := c.Partitions(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, force := range []Tier{Auto, States, Bits, Runs} {
			prog, err := Engine{Fallback: reference.Engine{}, Force: force}.Compile(c, matcher.Limits{})
			if err != nil {
				continue
			}
			f, err := prog.Partition(parts[0])
			if err != nil {
				t.Fatal(err)
			}
			m, found, err := f.Find(t.Context(), wholeAttempts(in.NumRows())[0])
			if got := mappingText(c, m, found); got != tc.want || err != nil {
				t.Errorf("%s: %s on %s (%s): got %s, %v, want %s", tc.rule, tc.pattern, tc.rows, force, got, err, tc.want)
			}
		}
	}
}

// TestRulebookConditions: examples of chapters 2 to 6 whose conditions read the match.
func TestRulebookConditions(t *testing.T) {
	for _, tc := range []struct {
		rule, clause string
		xs           []int64
		want         string
	}{
		{"PREF-10", "PATTERN ((A | B) C) DEFINE C AS PREV(CLASSIFIER()) = 'B'", []int64{1, 1}, "1B 2C"},
		{"DEF-6", "PATTERN (A+) DEFINE A AS x >= LAST(A.x, 1) OR LAST(A.x, 1) IS NULL", []int64{1, 2, 1}, "1A 2A"},
		{"DEF-8", "PATTERN ((A | B)* X) DEFINE X AS x = A.x", []int64{1, 1}, "1A 2X"},
		{"DEF-8", "PATTERN (A B) DEFINE A AS B.x > 0", []int64{1, 1}, "none"},
		{"DEF-12", "PATTERN (A+) DEFINE A AS x >= AVG(x)", []int64{10, 16, 13, 9}, "1A 2A 3A"},
		{"AGG-4", "PATTERN (A+ C) DEFINE A AS SUM(A.x) < 30", []int64{7, 9, 10, 5, 10, 7, 14}, "1A 2A 3A 4C"},
		{"AGG-8", "PATTERN (A{1,2} B+) DEFINE B AS MIN(B.x) > 0", []int64{8, 11, -2}, "1A 2B"},
		{"EVAL-1", "PATTERN (A B) DEFINE B AS x / (A.x - A.x) > 0 OR TRUE", []int64{1, 1}, "22012"},
		{"EVAL-1", "PATTERN (A+ B | C) DEFINE B AS SUM(A.x) > 9223372036854775807 AND FALSE", []int64{1, 9223372036854775807, 1}, "22003"},
	} {
		in := ints(t, tc.xs...)
		c, err := parse(in, "ORDER BY i MEASURES 1 AS m "+tc.clause)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := c.Partitions(in)
		if err != nil {
			t.Fatal(err)
		}
		f := finderOf(t, Engine{Fallback: reference.Engine{}}, c, parts[0], matcher.Limits{})
		m, found, err := f.Find(t.Context(), wholeAttempts(in.NumRows())[0])
		got := mappingText(c, m, found)
		if err != nil && strings.Contains(err.Error(), tc.want) {
			continue
		}
		if got != tc.want || err != nil {
			t.Errorf("%s: %s on %v: got %s, %v, want %s", tc.rule, tc.clause, tc.xs, got, err, tc.want)
		}
	}
}

// TestRandomFrames compares the reduced frames of random clauses in windows:
// every end of the frame, SEEK, both readings of what PREV and NEXT can reach.
func TestRandomFrames(t *testing.T) {
	g := newGenerator(seedOf(t))
	g.anchors = false
	compared := 0
	for range *queries {
		g.vars = 1 + g.IntN(3)
		p := g.pattern(1 + g.IntN(6))
		if !hasVariable(p) {
			continue
		}
		in := g.input(t, 1+g.IntN(14))
		var settings []string
		if g.IntN(4) == 0 {
			settings = append(settings, "WIN-10=alternative")
		}
		skip := []string{"", "AFTER MATCH SKIP TO NEXT ROW ", "AFTER MATCH SKIP PAST LAST ROW "}[g.IntN(3)]
		text := "PARTITION BY p ORDER BY i MEASURES 1 AS m " + skip + "PATTERN (" + p.String() + ")" + g.definitions(p, g.IntN(3))
		if strings.Contains(text, "MATCH_NUMBER") {
			continue
		}
		c, err := parse(in, text, settings...)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		w := *c
		w.Seek = g.IntN(2) == 0
		w.Window = &semantics.FrameEnd{Unbounded: g.IntN(2) == 0}
		following := int64(1 + g.IntN(5))
		if !w.Window.Unbounded {
			w.Window.Rows = &scalar.Const{Base: scalar.Base{T: value.TypeBigint}, Value: value.Int(following)}
		}
		var texts [2]string
		limit := false
		for i, e := range []matcher.Engine{reference.Engine{}, Engine{Fallback: reference.Engine{}}} {
			f, err := matcher.Frames(t.Context(), e, &w, in, referenceLimits)
			if err != nil {
				texts[i], limit = outcome(nil, err)
				if limit {
					break
				}
				continue
			}
			var out []string
			for k := range f.Partitions {
				for _, fr := range f.Frames[k] {
					out = append(out, fmt.Sprintf("%d %s", fr.Kind, mappingText(&w, fr.Match, fr.Kind != semantics.FrameUnmatched)))
				}
			}
			texts[i] = strings.Join(out, "; ")
		}
		if limit {
			continue
		}
		if compared++; texts[0] != texts[1] {
			t.Fatalf("%s, seek %v, unbounded %v, %d following on%s\n got %s\nwant %s", text, w.Seek, w.Window.Unbounded, following, tableText(in), texts[1], texts[0])
		}
	}
	t.Logf("%d tables of frames compared", compared)
}

// WIN-10: NEXT does not read past the end of the frame. B is its last row, at
// every row but the last, whose frame is too short for A and B.
func TestNextAtTheEndOfTheFrame(t *testing.T) {
	in := ints(t, 7, 7, 7, 7, 7, 7)
	c, err := parse(in, "ORDER BY i MEASURES 1 AS m AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ B) DEFINE B AS NEXT(i) IS NULL")
	if err != nil {
		t.Fatal(err)
	}
	const following = 2
	c.Window = &semantics.FrameEnd{Rows: &scalar.Const{Base: scalar.Base{T: value.TypeBigint}, Value: value.Int(following)}}
	f, err := matcher.Frames(t.Context(), Engine{Fallback: reference.Engine{}}, c, in, matcher.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	n := in.NumRows()
	for row, fr := range f.Frames[0] {
		if want := min(following+1, n-row); want < 2 {
			if fr.Kind != semantics.FrameUnmatched {
				t.Errorf("row %d: a match in a frame of one row", row+1)
			}
		} else if fr.Kind == semantics.FrameUnmatched || len(fr.Match.Vars) != want {
			t.Errorf("row %d: no match of %d rows: %+v", row+1, want, fr)
		}
	}
}
