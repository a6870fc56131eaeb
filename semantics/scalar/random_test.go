package scalar

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// generator writes random expressions over the columns of the tests. Most are
// wrongly typed: what matters is that none ends in an internal error, and that
// those which bind mean the same after printing.
type generator struct {
	*rand.Rand
	functions []string
}

func newGenerator(seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7))}
	for name := range functions {
		if name != "POSITION" {
			g.functions = append(g.functions, name)
		}
	}
	slices.Sort(g.functions)
	return g
}

func (g *generator) of(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) leaf() string {
	return g.of("S", "I", "B", "N", "D", "E", "X", "V", "C", "NV", "DT", "TS", "TM", "T", "F", "U", "SMAX", "IMAX", "BMAX", "A",
		"0", "1", "-3", "2.50", "1e2", "''", "'a'", "'b%'", "NULL", "TRUE", "X'00ff'", "INTERVAL '3' HOUR", "INTERVAL '1' YEAR", "DATE '2024-02-29'", ":P")
}

func (g *generator) expr(depth int) string {
	if depth == 0 {
		return g.leaf()
	}
	sub := func() string { return g.expr(g.IntN(depth)) }
	in := func() string { return "(" + sub() + ")" }
	switch g.IntN(16) {
	case 0, 1:
		return in() + g.of(" + ", " - ", " * ", " / ", " || ") + in()
	case 2, 3:
		return in() + g.of(" = ", " <> ", " < ", " <= ", " > ", " >= ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM ") + in()
	case 4:
		return in() + g.of(" AND ", " OR ") + in()
	case 5:
		return g.of("NOT ", "-", "+") + in()
	case 6:
		return in() + g.of(" IS NULL", " IS NOT NULL", " IS TRUE", " IS NOT UNKNOWN")
	case 7:
		return in() + g.of(" BETWEEN ", " NOT BETWEEN ") + in() + " AND " + in()
	case 8:
		return in() + g.of(" IN (", " NOT IN (") + sub() + ", " + sub() + ")"
	case 9:
		return in() + g.of(" LIKE ", " NOT LIKE ") + in() + g.of("", " ESCAPE '#'")
	case 10:
		return "CASE " + g.of("", in()) + " WHEN " + sub() + " THEN " + sub() + g.of("", " ELSE "+sub()) + " END"
	case 11:
		return "CAST(" + sub() + " AS " + g.of("smallint", "integer", "bigint", "decimal(5,2)", "decimal", "real", "double", "varchar", "varchar(3)",
			"char(4)", "date", "time", "timestamp(3)", "boolean", "interval day to second", "bigint array") + ")"
	case 12:
		return "EXTRACT(" + g.of("YEAR", "DAY", "SECOND") + " FROM " + sub() + ")"
	case 13:
		return "ARRAY[" + sub() + ", " + sub() + "]"
	}
	name := g.of(g.functions...)
	fn := functions[name]
	most := fn.MaxArgs
	if most < 0 {
		most = 3
	}
	args := make([]string, fn.MinArgs+g.IntN(most-fn.MinArgs+1))
	for i := range args {
		args[i] = sub()
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

func TestRandomExpressions(t *testing.T) {
	f := columns(t)
	f.params["P"] = Param{value.TypeInteger, value.Int(5)}
	g := newGenerator(1)
	bound, evaluated := 0, 0
	for range 60_000 {
		text := g.expr(3)
		e, err := f.bind(text)
		if err != nil {
			expected(t, text, err)
			continue
		}
		bound++
		if got, want := walked(e), named(f, e.String()); !slices.Equal(got, want) {
			t.Fatalf("%s: Walk finds the columns %v, the text has %v", text, got, want)
		}
		v, err := e.Eval(f.row)
		if err != nil {
			expected(t, text, err)
		} else {
			evaluated++
			fits(t, text, v, e.Type())
		}
		again, bindErr := f.bind(e.String())
		if bindErr != nil {
			t.Fatalf("%s prints as %s: %v", text, e, bindErr)
		}
		w, err2 := again.Eval(f.row)
		if (err == nil) != (err2 == nil) || value.Format(v, e.Type()) != value.Format(w, again.Type()) || again.String() != e.String() {
			t.Fatalf("%s is %s %v, but printed as %s it is %s %v", text, value.Format(v, e.Type()), err, e, value.Format(w, again.Type()), err2)
		}
	}
	if bound < 4000 || evaluated < 3000 {
		t.Errorf("only %d expressions bound and %d evaluated", bound, evaluated)
	}
}

// walked returns the columns below e in order of evaluation.
func walked(e Expr) (names []string) {
	Walk(e, func(x Expr) bool {
		if c, ok := x.(*column); ok {
			names = append(names, c.name)
		}
		return true
	})
	slices.Sort(names)
	return names
}

// named returns the columns that a text names.
func named(f *fixture, text string) (names []string) {
	for _, tok := range token.Lex(text) {
		if _, ok := f.types[tok.Text]; ok && tok.Kind == token.Ident {
			names = append(names, tok.Text)
		}
	}
	slices.Sort(names)
	return names
}

// fits checks that a value has the form that its static type promises.
func fits(t *testing.T, text string, v value.Value, typ value.Type) {
	t.Helper()
	if v.IsNull() {
		return
	}
	if typ.Kind == value.Unknown {
		t.Fatalf("%s: a value of unknown type is %s", text, value.Format(v, typ))
	}
	w, err := value.Convert(v, typ)
	if err != nil || w.Form() != v.Form() || value.Compare(v, w, value.Options{}) != 0 {
		t.Fatalf("%s: %s does not fit its type %s: %v", text, value.Format(v, typ), typ, err)
	}
	if n, scale, ok := v.AsScaled(); ok && typ.Precision > 0 && scale != typ.Scale {
		t.Fatalf("%s: %d*10^-%d is not of scale %d", text, n, scale, typ.Scale)
	}
	if typ.IsInteger() && v.Form() != value.FormInt || typ.Kind == value.Decimal && v.Form() != value.FormDecimal {
		t.Fatalf("%s: the form %d does not fit %s", text, v.Form(), typ)
	}
}
