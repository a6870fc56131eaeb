package semantics

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// bound makes a clause with one measure over rows x = 10, 20, 30, ... and
// evaluates it on a match of the given variables that starts at a position.
func measured(t *testing.T, measure string, params map[string]scalar.Param, start int, vars string, current int) (value.Value, error) {
	t.Helper()
	rows := make([][]any, 6)
	for i := range rows {
		rows[i] = []any{10 * (i + 1)}
	}
	in, err := table.FromRows([]table.Field{{Name: "x", Type: value.TypeBigint}}, rows)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse("MATCH_RECOGNIZE (MEASURES "+measure+" AS m ALL ROWS PER MATCH PATTERN (A B C) SUBSET U = (A, C) DEFINE A AS TRUE)",
		RowTypeOf(in, ""), Options{Params: params})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := c.Partitions(in)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{clause: c, part: parts[0], at: none, reach: Reach{Hi: 6, MatchNumber: 3}, start: start, current: current}
	for _, r := range vars {
		s.vars = append(s.vars, c.varNamed(string(r)))
	}
	return c.Measures[0].Expr.Eval(s)
}

// varNamed returns the variable of a folded name.
func (c *Clause) varNamed(name string) VarID {
	for i := range c.Vars {
		if c.Vars[i].Name.Text == name {
			return VarID(i)
		}
	}
	return Universal
}

// Rows x = 10 ... 60; the match is 2A 3B 4A 5C (positions 1 to 4).
func TestMeasures(t *testing.T) {
	for _, tc := range []struct {
		rule, measure string
		current       int
		want          string
	}{
		{"COL-4", "x", 2, "30"}, {"COL-4", "A.x", 2, "20"}, {"COL-4", "A.x", 4, "40"}, {"COL-4", "C.x", 3, "NULL"}, {"COL-4", "U.x", 4, "50"},
		{"NAV-1", "FIRST(x)", 3, "20"}, {"NAV-1", "FIRST(x, 1)", 1, "NULL"}, {"NAV-1", "FIRST(x, 1)", 2, "30"},
		{"NAV-1", "FINAL FIRST(x, 3)", 1, "50"}, {"NAV-1", "FINAL FIRST(x, 4)", 1, "NULL"}, {"NAV-1", "LAST(A.x, 1)", 4, "20"}, {"NAV-1", "LAST(A.x, 1)", 2, "NULL"},
		{"NAV-1", "FINAL LAST(U.x, 1)", 1, "40"}, {"NAV-1", "LAST(x, 99999999999999999999)", 4, "NULL"},
		{"NAV-2", "PREV(x)", 1, "10"}, {"NAV-2", "PREV(x, 2)", 1, "NULL"}, {"NAV-2", "PREV(A.x, 3)", 4, "10"}, {"NAV-2", "NEXT(x)", 4, "60"}, {"NAV-2", "NEXT(x, 2)", 4, "NULL"},
		{"NAV-2", "PREV(C.x)", 3, "NULL"}, {"NAV-2", "PREV(x, 0)", 3, "40"}, {"NAV-2", "NEXT(x, 9223372036854775807)", 1, "NULL"}, {"NAV-2", "PREV(x, 99999999999999999999)", 4, "NULL"},
		{"NAV-3", "PREV(LAST(A.x, 1), 1)", 4, "10"}, {"NAV-3", "PREV(FINAL LAST(x))", 1, "40"}, {"NAV-3", "NEXT(FIRST(B.x), 3)", 2, "60"}, {"NAV-3", "NEXT(FIRST(B.x))", 1, "NULL"},
		{"NAV-6", "NEXT(CLASSIFIER())", 2, "A"}, {"MEA-9", "NEXT(CLASSIFIER())", 4, "NULL"}, {"DEF-10", "PREV(CLASSIFIER(A), 3)", 4, "NULL"}, {"NAV-6", "PREV(CLASSIFIER(A), 2)", 4, "A"}, {"NAV-6", "PREV(CLASSIFIER(C))", 4, "A"},
		{"MEA-4", "CLASSIFIER()", 3, "A"}, {"MEA-4", "CLASSIFIER(B)", 4, "B"}, {"MEA-4", "CLASSIFIER(C)", 3, "NULL"}, {"MEA-4", "CLASSIFIER(U)", 4, "C"},
		{"MEA-5", "MATCH_NUMBER()", 1, "3"},
		{"AGG-2", "COUNT(*)", 3, "3"}, {"AGG-2", "FINAL COUNT(*)", 1, "4"}, {"AGG-2", "COUNT(A.*)", 4, "2"}, {"AGG-2", "SUM(U.x)", 4, "110"}, {"AGG-3", "SUM(C.x)", 3, "NULL"}, {"AGG-3", "COUNT(C.x)", 3, "0"},
		{"AGG-5", "LISTAGG(CLASSIFIER(U))", 4, "AAC"}, {"AGG-5", "SUM(A.x + MATCH_NUMBER())", 4, "66"}, {"AGG-6", "COUNT(*) FILTER (WHERE A.x > 20)", 4, "1"},
	} {
		v, err := measured(t, tc.measure, nil, 1, "ABAC", tc.current)
		if err != nil {
			t.Errorf("%s: %s: %v", tc.rule, tc.measure, err)
			continue
		}
		typ := value.TypeBigint
		if v.Form() == value.FormString {
			typ = value.TypeVarchar
		}
		if got := value.Format(v, typ); got != tc.want {
			t.Errorf("%s: %s at position %d is %s, should be %s", tc.rule, tc.measure, tc.current, got, tc.want)
		}
	}
}

// MEA-6: in an empty match references are NULL and COUNT is 0.
func TestMeasuresOfEmptyMatch(t *testing.T) {
	for measure, want := range map[string]string{"x": "NULL", "A.x": "NULL", "FIRST(x)": "NULL", "PREV(x)": "NULL", "CLASSIFIER()": "NULL",
		"COUNT(*)": "0", "SUM(x)": "NULL", "MATCH_NUMBER()": "3", "1": "1", "COALESCE(x, 7)": "7", "FINAL LAST(x)": "NULL"} {
		v, err := measured(t, measure, nil, 2, "", none)
		if err != nil || value.Format(v, value.TypeBigint) != want {
			t.Errorf("%s is %s (%v), should be %s", measure, value.Format(v, value.TypeBigint), err, want)
		}
	}
}

// NAV-5: an offset that a host variable makes negative or NULL is 2202J.
func TestOffsetOfHostVariable(t *testing.T) {
	for name, p := range map[string]scalar.Param{"NULL": {Type: value.TypeBigint}, "negative": {Type: value.TypeBigint, Value: value.Int(-1)}} {
		_, err := measured(t, "PREV(x, :n)", map[string]scalar.Param{"N": p}, 1, "AB", 2)
		if e := diag.From(err); e == nil || e.Stage != diag.Runtime || e.Rule != "NAV-5" || e.SQLSTATE != diag.StateNavigation {
			t.Errorf("%s: %v, should be 2202J", name, err)
		}
	}
	v, err := measured(t, "PREV(x, :n)", map[string]scalar.Param{"N": {Type: value.TypeBigint, Value: value.Int(2)}}, 1, "AB", 2)
	if err != nil || v.Raw() != 10 {
		t.Errorf("PREV(x, 2) is %v (%v), should be 10", v, err)
	}
}
