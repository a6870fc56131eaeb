package nfa

import (
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
)

// TestBlocks: the row conditions of a large partition are evaluated block by
// block, which must not show where PREV and NEXT look into another block, nor
// when a condition is an error in a later one.
func TestBlocks(t *testing.T) {
	n := 2*blockRows + 5000
	for _, tc := range []struct {
		name, define string
		zero         int // row at which x is 0; nowhere: none
	}{
		{"neighbours", "A AS x <> PREV(x, 3), B AS NEXT(x, 2) > x", nowhere},
		{"division", "A AS 12 / x > 2, B AS PREV(x) > 1", nowhere},
		{"division by zero", "A AS 12 / x > 2, B AS 12 / x > 1", blockRows + 77},
		{"error as UNKNOWN", "A AS 12 / x > 2 OR x = 0, B AS 12 / PREV(x) > 1", blockRows + 77},
	} {
		xs := make([]int64, n)
		for i := range xs {
			xs[i] = 1 + int64(uint64(i)*2654435761%1000003%7)
			if i == tc.zero {
				xs[i] = 0
			}
		}
		in := ints(t, xs...)
		var settings []string
		if tc.name == "error as UNKNOWN" {
			settings = []string{"DEF-15=unknown"}
		}
		c, err := parse(in, "ORDER BY i MEASURES FIRST(i) AS a, COUNT(*) AS n, CLASSIFIER() AS c PATTERN (A B+ | B A) DEFINE "+tc.define, settings...)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		var texts [2]string
		for k, e := range []matcher.Engine{reference.Engine{}, Engine{Fallback: reference.Engine{}}} {
			out, err := matcher.Recognize(t.Context(), e, c, in, matcher.Limits{})
			texts[k], _ = outcome(out, err)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: nfa differs from the reference", tc.name)
		}
		if isError := tc.name == "division by zero"; isError != (len(texts[0]) < 1000) {
			t.Errorf("%s: the reference says %.100q", tc.name, texts[0])
		}
	}
}
