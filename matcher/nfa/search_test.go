package nfa

import (
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
)

// TestFailures: what is remembered of a path that failed must not stop another
// one, or another start, that reads other values (PREF-10). Each case has a
// state that fails first and then has to succeed at the same place and row.
func TestFailures(t *testing.T) {
	const pattern = "PATTERN ((A | B){2} C) DEFINE C AS "
	for _, tc := range []struct {
		clause string
		xs     []int64
		start  int
		want   string
	}{
		// A A and A B come before B A, and fail: the rows of A have a 5.
		{pattern + "x = MAX(A.x)", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		{pattern + "x = SUM(A.x)", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		{pattern + "x = AVG(A.x)", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		{pattern + "x = FIRST(A.x)", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		{pattern + "COUNT(A.x) = 1 AND LAST(B.x) = 5", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		{pattern + "x = MAX(A.x + 0) AND PREV(CLASSIFIER()) = 'A'", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		// A frame does not hold the count of an expression: rows are kept instead.
		{pattern + "x = MAX(A.x) AND COUNT(x + 0) = 3", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		{pattern + "LAST(B.x) = 5", []int64{5, 1, 1}, 0, "1B 2A 3C"},
		{pattern + "LAST(B.x, 1) = 5", []int64{5, 1, 1}, 0, "1B 2B 3C"},
		{pattern + "COUNT(A.*) = 0", []int64{5, 1, 1}, 0, "1B 2B 3C"},
		// A on row 3 fails for the start at row 1, with the same greatest value.
		{"PATTERN (S A+ C) DEFINE C AS x > FIRST(x) AND x = MAX(A.x)", []int64{9, 1, 5, 5}, 0, "none"},
		{"PATTERN (S A+ C) DEFINE C AS x > FIRST(x) AND x = MAX(A.x)", []int64{9, 1, 5, 5}, 1, "2S 3A 4C"},
		{"PATTERN (S A+ C) DEFINE C AS COUNT(*) = 3 AND x = MAX(A.x)", []int64{5, 5, 5, 5}, 1, "2S 3A 4C"},
		{"PATTERN (S A+ C) DEFINE C AS x > FIRST(x)", []int64{9, 1, 5, 5}, 1, "2S 3A 4C"},
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
		f := finderOf(t, Engine{Force: Search, MemoAfter: -1}, c, parts[0], matcher.Limits{})
		for start, a := range wholeAttempts(in.NumRows())[:tc.start+1] {
			m, found, err := f.Find(t.Context(), a)
			if got := mappingText(c, m, found); start == tc.start && (got != tc.want || err != nil) {
				t.Errorf("%s on %v, row %d: got %s, %v, want %s", tc.clause, tc.xs, start+1, got, err, tc.want)
			}
		}
	}
}

// TestForward: T1 follows the first way only if it has a match for sure.
func TestForward(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		masks   []byte
		want    int
	}{
		{"A B* C", []byte{1, 2, 2, 4, 1, 2, 0, 1, 4}, 2},
		{"A B* C", []byte{1, 3, 4}, 1}, // the B of the first attempt is no start: the match has it
		{"A B* C", []byte{1, 3, 1, 4}, 1},
		{"A B", []byte{1, 3, 2}, 1},      // A at rows 1 and 2: the match is that of row 1
		{"A A B", []byte{1, 1, 1, 2}, 1}, // the match starts at row 2
		{"(A $ | B)", []byte{3, 0}, 1},   // A is preferred, but no end of the partition
		{"(A $ | B)", []byte{3}, 1},
		{"A*", []byte{1, 0, 1}, 3},
	} {
		got, _, err := Engine{}.ScanMasks(tc.pattern, tc.masks)
		if err != nil || got != tc.want {
			t.Errorf("%s on %v: %d matches, %v, want %d", tc.pattern, tc.masks, got, err, tc.want)
		}
	}
}
