package crosscheck

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher/reference"
)

// TestSomeStartingRows: only the rows of starts= are attempted and answered, by
// the rules that hold for all rows.
func TestSomeStartingRows(t *testing.T) {
	text := "# Shows.\n\nlabels id=x rule=MAT-1 starts=(1,3,4)\nPATTERN (A+ | ^)\nROWS - A A B\n----\n1: ()\n3: A\n4: -\n"
	f, err := corpus.ReadItems("testdata/rpr/theme/topic", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	cases, errs := corpus.Decode(f)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	c := cases[0]
	got, err := Local{Engine: reference.Engine{}}.Answer(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c.Answer, got); diff != "" {
		t.Errorf("should be (-) and is (+):\n%s", diff)
	}
	// An engine outside answers at every row.
	if !SameAnswer(c, c.Answer, []string{"1: ()", "2: A A", "3: A", "4: -"}) {
		t.Error("an answer at all rows does not count as the same")
	}
	for _, other := range [][]string{{"1: ()", "2: A A", "3: -", "4: -"}, {"1: ()", "3: A"}, {"1: ()", "3: A", "4: A"}} {
		if SameAnswer(c, c.Answer, other) {
			t.Errorf("%v counts as the same", other)
		}
	}
}
