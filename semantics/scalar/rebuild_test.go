package scalar

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// TestRebuildReplacesEverywhere: a leaf is replaced in every kind of node, and
// the copy evaluates with what stands there; the original keeps its value.
func TestRebuildReplacesEverywhere(t *testing.T) {
	f := fixture{
		types: map[string]value.Type{"X": value.TypeBigint, "S": value.TypeVarchar, "B": value.TypeBoolean, "D": value.TypeDate},
		row:   row{"X": value.Int(1), "S": value.String("a"), "B": value.Bool(false), "D": value.DateOf(0)},
		query: &testQuery{types: []value.Type{value.TypeBigint}, rows: [][]value.Value{{value.Int(7)}}},
	}
	other := row{"X": value.Int(7), "S": value.String("zz"), "B": value.Bool(true), "D": value.DateOf(400)}
	for _, text := range []string{
		"x", "-x", "x + 1", "x = 7", "b AND x = 7", "NOT b", "x BETWEEN 2 AND 9", "5 BETWEEN 2 AND x", "x IN (3, 7)", "7 IN (3, x)",
		"s LIKE 'z%'", "'zz' LIKE s", "x IS NULL", "b IS TRUE", "x IS DISTINCT FROM 7", "CASE WHEN b THEN x ELSE 0 END",
		"CASE x WHEN 7 THEN 1 END", "CAST(x AS varchar)", "EXTRACT(YEAR FROM d)", "ABS(x)", "COALESCE(NULL, x)", "ARRAY[x, 2]",
		"s || 'q'", "x IN (SELECT q FROM t)", "x + 1.5", "(SELECT q FROM t)", "EXISTS (SELECT q FROM t)",
	} {
		e, err := f.bind(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want, err := e.Eval(other)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		before, err := e.Eval(f.row)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		copied := Rebuild(e, func(n Expr) Expr {
			if c, ok := n.(*column); ok {
				return &Const{Base: Base{T: c.T, Place: c.Place}, Value: other[c.name]}
			}
			return nil
		})
		if got, err := copied.Eval(row{}); err != nil || !value.Identical(got, want, value.Options{}) {
			t.Errorf("%s: the copy is %v (%v), should be %v", text, got, err, want)
		}
		if after, err := e.Eval(f.row); err != nil || !value.Identical(before, after, value.Options{}) {
			t.Errorf("%s: the original is %v (%v), was %v", text, after, err, before)
		}
		if !copied.Type().Equal(e.Type()) || copied.Pos() != e.Pos() {
			t.Errorf("%s: type or place changed", text)
		}
	}
}

// TestRebuildSharesWhatIsKept: what has no replaced part is not copied.
func TestRebuildSharesWhatIsKept(t *testing.T) {
	f := fixture{types: map[string]value.Type{"X": value.TypeBigint, "S": value.TypeVarchar}}
	bound, err := f.bind("CASE WHEN s LIKE 'a' THEN x + 1 END")
	if err != nil {
		t.Fatal(err)
	}
	e := bound.(*Case)
	if Rebuild(e, func(Expr) Expr { return nil }) != Expr(e) {
		t.Error("a tree without a replaced part was copied")
	}
	copied := Rebuild(e, func(n Expr) Expr {
		if c, ok := n.(*column); ok && c.name == "X" {
			return &Const{Base: Base{T: c.T}, Value: value.Int(3)}
		}
		return nil
	}).(*Case)
	if copied == e || copied.Whens[0].Cond != e.Whens[0].Cond || copied.Whens[0].Then == e.Whens[0].Then {
		t.Error("exactly the branch with x should be copied")
	}
}
