package matcher_test

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// frames returns the reduced frames, row by row: the match, "empty@n", "-" for unmatched.
func frames(t *testing.T, c *semantics.Clause, f *semantics.Frames) string {
	t.Helper()
	var out []string
	for i, p := range f.Partitions {
		if len(f.Frames[i]) != p.Len() {
			t.Fatalf("partition %d: %d frames for %d rows", i, len(f.Frames[i]), p.Len())
		}
		for _, fr := range f.Frames[i] {
			switch {
			case fr.Kind == semantics.FrameUnmatched:
				out = append(out, "-")
			case (fr.Kind == semantics.FrameEmpty) != fr.Match.IsEmpty():
				t.Errorf("kind %d with match %s", fr.Kind, text(c, fr.Match))
			default:
				out = append(out, text(c, fr.Match))
			}
		}
	}
	return strings.Join(out, "; ")
}

// TestFrames checks the procedure of WIN-5 by the examples of chapter 10.
func TestFrames(t *testing.T) {
	win3 := []int64{50, 80, 70, 60, 50}
	const falling = "PATTERN (B+) DEFINE B AS x > NEXT(x)"
	for _, tc := range []struct {
		rule, clause string
		xs           []int64
		following    int64 // -1: UNBOUNDED
		seek         bool
		reading      string
		want         string
	}{
		{"WIN-2", "PATTERN (A{3} | A) DEFINE A AS TRUE", []int64{1, 2, 3}, 1, false, "", "1A; 2A; 3A"},
		{"WIN-2", "PATTERN (A{3} | A) DEFINE A AS TRUE", []int64{1, 2, 3}, 2, false, "", "1A 2A 3A; -; -"},
		{"WIN-2", "PATTERN (A+) DEFINE A AS TRUE", []int64{1, 2, 3, 4, 5}, 1, false, "", "1A 2A; -; 3A 4A; -; 5A"},
		{"WIN-2", "PATTERN (A+) DEFINE A AS TRUE", []int64{1, 2, 3}, 1 << 62, false, "", "1A 2A 3A; -; -"},
		{"WIN-3", "AFTER MATCH SKIP TO NEXT ROW " + falling, win3, -1, true, "", "2B 3B 4B; 2B 3B 4B; 3B 4B; 4B; -"},
		{"WIN-3", "AFTER MATCH SKIP TO NEXT ROW " + falling, win3, -1, false, "", "-; 2B 3B 4B; 3B 4B; 4B; -"},
		{"WIN-3", "PATTERN (A B | () C) DEFINE A AS x = 1, B AS x = 2, C AS x = 3", []int64{0, 3, 1, 2}, -1, true, "", "2C; -; 3A 4B; -"},
		// SEEK: an empty match counts, and R + 1 is next.
		{"WIN-3", "PATTERN (A B | C??) DEFINE A AS x = 1, B AS x = 2", []int64{0, 1, 2}, -1, true, "", "empty@1; 2A 3B; -"},
		// SEEK never leaves F(R): row 3 is no row of the frame of row 1.
		{"WIN-3", "PATTERN (A) DEFINE A AS x = 1", []int64{0, 0, 1}, 1, true, "", "-; 3A; -"},
		{"WIN-4", falling, win3, -1, true, "", "2B 3B 4B; -; -; -; -"},
		{"WIN-4", "AFTER MATCH SKIP TO NEXT ROW " + falling, win3, -1, true, "WIN-4=alternative", "2B 3B 4B; -; 3B 4B; 4B; -"},
		// SEEK with a variable: row 1 finds 2A 3B, row 3 is next.
		{"WIN-4", "AFTER MATCH SKIP TO B PATTERN (A B) DEFINE A AS x = 1, B AS x = 2", []int64{0, 1, 2, 1, 2}, -1, true, "", "2A 3B; -; 4A 5B; -; -"},
		{"WIN-4", "PATTERN (A B) DEFINE A AS x = 1, B AS x = 2", []int64{0, 1, 2, 1, 2}, -1, true, "", "2A 3B; -; -; 4A 5B; -"},
		{"WIN-5", "PATTERN (A B+ C+)" + vShape, []int64{90, 80, 70, 80, 90, 50, 40, 60}, -1, false, "",
			"1A 2B 3B 4C 5C; -; -; -; -; 6A 7B 8C; -; -"},
		{"WIN-5", "PATTERN (A*) DEFINE A AS x = 1", []int64{0, 1, 1, 0}, -1, false, "", "empty@1; 2A 3A; -; empty@4"},
		// WIN-10: PREV and NEXT read the full window frame.
		{"WIN-10", "PATTERN (B | A) DEFINE B AS x < PREV(x)", []int64{90, 80, 70, 70}, -1, false, "", "1A; 2A; 3A; 4A"},
		{"WIN-10", "PATTERN (B | A) DEFINE B AS x < PREV(x)", []int64{90, 80, 70, 70}, -1, false, "WIN-10=alternative", "1A; 2B; 3B; 4A"},
		{"WIN-10", "PATTERN (A B) DEFINE A AS A.x = NEXT(A.x)", []int64{10, 20, 30, 30, 40}, -1, false, "", "-; -; 3A 4B; -; -"},
		{"WIN-10", "PATTERN (A B) DEFINE B AS NEXT(B.x) > 0", []int64{1, 1, 1}, 1, false, "", "-; -; -"},
		{"WIN-10", "PATTERN (A B) DEFINE B AS NEXT(B.x) > 0", []int64{1, 1, 1}, 1, false, "WIN-10=alternative", "1A 2B; -; -"},
	} {
		in := prices(t, tc.xs...)
		var settings []string
		if tc.reading != "" {
			settings = append(settings, tc.reading)
		}
		c := window(clause(t, in, "ORDER BY i MEASURES 1 AS m "+tc.clause, settings...), tc.following, tc.seek)
		f, err := matcher.Frames(t.Context(), reference.Engine{}, c, in, matcher.Limits{})
		if err != nil {
			t.Errorf("%s: %s: %v", tc.rule, tc.clause, err)
			continue
		}
		if got := frames(t, c, f); got != tc.want {
			t.Errorf("%s: %s on %v (%s): got %s, want %s", tc.rule, tc.clause, tc.xs, tc.reading, got, tc.want)
		}
	}
}

// TestWIN10Reach: measures read what the conditions read.
func TestWIN10Reach(t *testing.T) {
	in := prices(t, 1, 2, 3, 4)
	text := "ORDER BY i MEASURES 1 AS m AFTER MATCH SKIP TO NEXT ROW PATTERN (A) DEFINE A AS TRUE"
	for reading, want := range map[string][2]int{"WIN-10=default": {1, 3}, "WIN-10=alternative": {0, 4}} {
		c := window(clause(t, in, text, reading), 1, false)
		f, err := matcher.Frames(t.Context(), reference.Engine{}, c, in, matcher.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if r := f.Frames[0][1].Reach; r.Lo != want[0] || r.Hi != want[1] {
			t.Errorf("%s: row 2 reaches %d to %d, want %v", reading, r.Lo, r.Hi, want)
		}
	}
}

// TestWIN4SkipErrors: 2202L is relative to the first row of the match, not to R.
func TestWIN4SkipErrors(t *testing.T) {
	in := prices(t, 0, 1, 2)
	for _, tc := range []struct{ skip, state string }{{"A", "2202L"}, {"C", "2202K"}, {"B", ""}} {
		c := window(clause(t, in, "ORDER BY i MEASURES 1 AS m AFTER MATCH SKIP TO "+tc.skip+
			" PATTERN (A B C?) DEFINE A AS x = 1, B AS x = 2, C AS x = 3"), -1, true)
		_, err := matcher.Frames(t.Context(), reference.Engine{}, c, in, matcher.Limits{})
		state := ""
		if err != nil {
			state = diag.From(err).SQLSTATE
		}
		if state != tc.state {
			t.Errorf("SKIP TO %s: got %v, want SQLSTATE %q", tc.skip, err, tc.state)
		}
	}
}
