package nfa

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// ints makes a table of one partition of bigint columns I, X from the values of X.
func ints(t testing.TB, xs ...int64) *table.Table {
	t.Helper()
	i, x := table.NewBuilder("I", value.TypeBigint), table.NewBuilder("X", value.TypeBigint)
	for n, v := range xs {
		i.AppendInt64(int64(n + 1))
		x.AppendInt64(v)
	}
	in, err := table.New(i.Column(), x.Column())
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestTiers: which tier a clause takes, and how its conditions are classified.
func TestTiers(t *testing.T) {
	in := ints(t)
	for _, tc := range []struct {
		clause string
		tier   Tier
		says   string
	}{
		{"PATTERN (A B* C) DEFINE A AS x = 1, B AS x = 2, C AS x = 3", Deterministic, "A AS x = 1: row-local"},
		{"PATTERN (A B* A) DEFINE B AS x > PREV(x)", States, "A is not defined"},
		{"PATTERN (A B) DEFINE B AS B.x > A.x", Deterministic, "B.x > A.x: row-local"}, // A is the row before
		{"PATTERN (A B+) DEFINE B AS B.x > LAST(B.x)", Deterministic, "row-local"},
		{"PATTERN (A B+) DEFINE B AS CLASSIFIER() = 'B' AND CLASSIFIER(A) = 'A'", Deterministic, "CLASSIFIER(A) = 'A': row-local"},
		{"PATTERN (A B+) DEFINE B AS B.x > A.x", Search, "start-determined, it reads A.x"},
		{"PATTERN (A B+) DEFINE B AS MATCH_NUMBER() < 3", Search, "start-determined, it reads MATCH_NUMBER()"},
		{"PATTERN (A+ B) DEFINE B AS B.x > A.x", States, "row-local"},
		{"PATTERN ((A | B)+ C) DEFINE C AS x > A.x", Search, "match-dependent, it reads A.x"},
		{"PATTERN (A+) DEFINE A AS x >= AVG(x)", Search, "match-dependent, it reads AVG(x)"},
		{"PATTERN (A B+) DEFINE B AS PREV(CLASSIFIER()) = 'B'", Search, "match-dependent"},
		{"PATTERN (A B*) DEFINE B AS i <= FIRST(i) + 3", Windowed, "start-determined"},
		{"PATTERN (A B*) DEFINE B AS COUNT(*) <= 3", Windowed, "start-determined"},
		{"PATTERN (A B*) DEFINE B AS i <= FIRST(i) + 3 AND x > FIRST(x)", Search, "window of a condition bounds the search"},
		{"PATTERN (A{3,1000000} B) DEFINE A AS x > 0", Runs, "2 places"},
		{"PATTERN ((A B){300} A*) DEFINE A AS x > 0", Deterministic, "601 places"},
		{"PATTERN ((A B){1000} A*) DEFINE A AS x > 0", Bits, "2001 places"},
		{"PATTERN ((A B){100000}) DEFINE A AS x > 0", Delegated, "more than 8192 places"},
	} {
		c, err := parse(in, "ORDER BY i MEASURES 1 AS m "+tc.clause)
		if err != nil {
			t.Fatalf("%s: %v", tc.clause, err)
		}
		prog, err := Engine{Fallback: reference.Engine{}}.Compile(c, matcher.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", tc.clause, err)
		}
		p := prog.(*program)
		if p.tier != tc.tier || !strings.Contains(p.Explain(), tc.says) {
			t.Errorf("%s: tier %s, want %s and %q in:\n%s", tc.clause, p.tier, tc.tier, tc.says, p.Explain())
		}
	}
}

// TestForce: forcing a tier that does not apply is an error.
func TestForce(t *testing.T) {
	in := ints(t)
	for _, tc := range []struct {
		clause string
		force  Tier
		ok     bool
	}{
		{"PATTERN (A B) DEFINE A AS x = 1", States, true},
		{"PATTERN (A B) DEFINE A AS x = 1", Bits, true},
		{"PATTERN (A B) DEFINE A AS x = 1", Runs, false},
		{"PATTERN (A B) DEFINE A AS x = 1", Search, false},
		{"PATTERN (A B) DEFINE A AS x = 1", Windowed, false},
		{"PATTERN (A B) DEFINE A AS x = 1", Carried, false},
		{"AFTER MATCH SKIP TO NEXT ROW PATTERN (A B) DEFINE A AS x = 1", Carried, true},
		{"PATTERN (A+) DEFINE A AS x >= AVG(x)", Search, true},
		{"PATTERN (A+) DEFINE A AS x >= AVG(x)", States, false},
		{"PATTERN (A B*) DEFINE B AS COUNT(*) <= 3", Search, true},
		{"PATTERN (A B*) DEFINE B AS COUNT(*) <= 3", Windowed, true},
		{"PATTERN (A{3,1000000} B) DEFINE A AS x > 0", Runs, true},
		{"PATTERN (A{3,1000000} B) DEFINE A AS x > 0", States, false},
	} {
		c, err := parse(in, "ORDER BY i MEASURES 1 AS m "+tc.clause)
		if err != nil {
			t.Fatalf("%s: %v", tc.clause, err)
		}
		if _, err := (Engine{Fallback: reference.Engine{}, Force: tc.force}).Compile(c, matcher.Limits{}); (err == nil) != tc.ok {
			t.Errorf("%s, %s: %v", tc.clause, tc.force, err)
		}
	}
}
