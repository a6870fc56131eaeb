package enumerate_test

import (
	"context"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// prices is a clause over a table of two columns: t counts the rows, x is given.
func prices(t *testing.T, text string, xs ...int64) labelled {
	t.Helper()
	at, x := table.NewBuilder("T", value.TypeBigint), table.NewBuilder("X", value.TypeBigint)
	for i, v := range xs {
		at.AppendInt64(int64(i + 1))
		x.AppendInt64(v)
	}
	in, err := table.New(at.Column(), x.Column())
	if err != nil {
		t.Fatal(err)
	}
	c, err := semantics.Parse("MATCH_RECOGNIZE (ORDER BY t MEASURES 1 AS one "+text+")", semantics.RowTypeOf(in, ""), semantics.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return labelled{c, whole(in)}
}

// TestConditionsThatReadTheMatch: a candidate's conditions are tested on the
// mapping that the candidate itself begins with.
func TestConditionsThatReadTheMatch(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		xs         []int64
		want       string
	}{
		{"MAT-1", "PATTERN (A? B+) DEFINE A AS x > 100", []int64{60, 70, 40}, "1B 2B 3B"},
		{"PREF-10", "PATTERN ((A | B) C) DEFINE C AS PREV(CLASSIFIER()) = 'B'", []int64{0, 0}, "1B 2C"},
		{"DEF-6", "PATTERN (A+) DEFINE A AS COUNT(*) <= 2", []int64{1, 1, 1}, "1A 2A"},
		{"DEF-8", "PATTERN ((A | B)* X) DEFINE X AS x = A.x", []int64{1, 1}, "1A 2X"},
		{"DEF-9", "PATTERN (A) DEFINE A AS MATCH_NUMBER() = 1", []int64{7}, "1A"},
		{"DEF-9", "PATTERN (A) DEFINE A AS MATCH_NUMBER() = 2", []int64{7}, "none"},
		{"DEF-12", "PATTERN (A+) DEFINE A AS A.x >= AVG(A.x)", []int64{10, 16, 13, 9}, "1A 2A 3A"},
		// One row given back, because the sum is that of the path.
		{"PREF-3", "PATTERN (A+ B) DEFINE A AS SUM(A.x) <= 6, B AS SUM(A.x) = 3", []int64{1, 2, 3, 4}, "1A 2A 3B"},
		// Through a row that is B here, though A was tried there before.
		{"PREF-2", "PATTERN ((A | B){2} C) DEFINE C AS COUNT(B.*) = 1 AND LAST(B.x) = 1", []int64{1, 2, 3}, "1B 2A 3C"},
	} {
		l := prices(t, c.text, c.xs...)
		m, found, err := l.finder(t, matcher.Limits{}).Find(context.Background(), l.attempt(0))
		if err != nil {
			t.Errorf("%s: %s: %v", c.rule, c.text, err)
			continue
		}
		if got := l.show(m, found); got != c.want {
			t.Errorf("%s: %s on %v is %s, should be %s", c.rule, c.text, c.xs, got, c.want)
		}
	}
}

// TestDEF15RunTimeErrors: an error is raised if preference order meets its
// condition, and only then.
func TestDEF15RunTimeErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		want string // SQLSTATE, or the match
	}{
		{"PATTERN (A | B) DEFINE A AS 1 / x = 1", "22012"},
		{"PATTERN (B | A) DEFINE A AS 1 / x = 1", "1B"},
		{"PATTERN (B* A) DEFINE A AS 1 / x = 1, B AS x > 0", "22012"},
		{"PATTERN ($ A | B) DEFINE A AS 1 / x = 1", "1B"},
		// The pattern needs more rows than there are; A is tested all the same.
		{"PATTERN (A B{5}) DEFINE A AS 1 / x = 1", "22012"},
		{"PATTERN (B{5} A | B) DEFINE A AS 1 / x = 1", "1B"},
	} {
		l := prices(t, c.text, 0, 0)
		m, found, err := l.finder(t, matcher.Limits{}).Find(context.Background(), l.attempt(0))
		got := l.show(m, found)
		if err != nil {
			e := diag.From(err)
			if got = e.SQLSTATE; e.Stage != diag.Runtime {
				t.Errorf("%s: %v", c.text, err)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, should be %s", c.text, got, c.want)
		}
	}
}
