package scalar

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// aggregateOver binds a call of an aggregate and evaluates it over rows of (I, V, T).
func aggregateOver(t *testing.T, text string, nullsLast bool, rows []row) (string, error) {
	t.Helper()
	f := columns(t)
	n, err := sqlexpr.Parse(text, token.Lex(text), sqlexpr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := &Binder{Leaves: &testLeaves{types: f.types}, Errors: &diag.List{}, NullsLast: nullsLast}
	fn, ok := LookupAggregate(n.Names[0].Text)
	if !ok {
		t.Fatalf("%s is no aggregate", n.Names[0].Text)
	}
	a, ok := BindAggregation(b, n, fn, func(*sqlexpr.Node) bool { return true })
	if !ok || b.Errors.Len() > 0 {
		return "", b.Errors.First()
	}
	run := a.Start()
	for _, r := range rows {
		if err := run.Add(r); err != nil {
			return "", err
		}
	}
	v, err := run.Result()
	return value.Format(v, a.Type) + " " + a.Type.String(), err
}

// AGG-6, AGG-7: DISTINCT, FILTER and ORDER BY inside an aggregate.
func TestAggregation(t *testing.T) {
	of := func(i int64, v string, truth value.Truth) row {
		r := row{"I": value.Int(i), "V": value.String(v), "T": truth.Value()}
		if i < 0 {
			r["I"] = value.Null
		}
		return r
	}
	rows := []row{of(3, "c", value.True), of(1, "a", value.False), of(-1, "n", value.True), of(3, "b", value.UnknownTruth), of(2, "d", value.True)}
	for text, want := range map[string]string{
		"COUNT(*)":                                     "5 bigint",
		"COUNT(*) FILTER (WHERE T)":                    "3 bigint",
		"COUNT(I)":                                     "4 bigint",
		"COUNT(DISTINCT I)":                            "3 bigint",
		"SUM(I) FILTER (WHERE V <> 'd')":               "7 bigint",
		"SUM(DISTINCT I)":                              "6 bigint",
		"SUM(I) FILTER (WHERE FALSE)":                  "NULL bigint",
		"ARRAY_AGG(V)":                                 "[c, a, n, b, d] varchar array",
		"ARRAY_AGG(V ORDER BY V DESC)":                 "[n, d, c, b, a] varchar array",
		"ARRAY_AGG(V ORDER BY I)":                      "[a, d, c, b, n] varchar array", // NULL last, ties in row order
		"ARRAY_AGG(V ORDER BY I DESC)":                 "[n, c, b, d, a] varchar array", // IMP-NULLS: first when descending
		"ARRAY_AGG(V ORDER BY I DESC NULLS LAST)":      "[c, b, d, a, n] varchar array",
		"ARRAY_AGG(V ORDER BY I NULLS FIRST, V)":       "[n, a, d, b, c] varchar array",
		"LISTAGG(V, '-') WITHIN GROUP (ORDER BY V)":    "a-b-c-d-n varchar",
		"ARRAY_AGG(DISTINCT I ORDER BY I) ":            "[1, 2, 3, NULL] integer array",
		"SUM(1 / (I - 1)) FILTER (WHERE I > 1)":        "1 bigint", // 1/2, 1/2 and 1/1, truncated
		"SUM(1 / (I - 1))":                             "!EVAL-1 22012 1:7",
		"SUM(V)":                                       "!TYPE-1 42000 1:1",
		"SUM()":                                        "!AGG-2 42000 1:1",
		"COUNT(I) FILTER (WHERE I)":                    "!TYPE-1 42000 1:24",
		"SUM(Q)":                                       "!NAME-1 42000 1:5",
		"MAX_BY(V, I)":                                 "c varchar",
		"LISTAGG(V, ',') FILTER (WHERE I IS NOT NULL)": "c,a,b,d varchar",
	} {
		got, err := aggregateOver(t, text, false, rows)
		if want[0] == '!' {
			checkError(t, text, err, want[1:])
		} else if err != nil || got != want {
			t.Errorf("%s = %s %v, want %s", text, got, err, want)
		}
	}
	// IMP-NULLS=alternative: NULLs last always.
	if got, err := aggregateOver(t, "ARRAY_AGG(V ORDER BY I DESC)", true, rows); err != nil || got != "[c, b, d, a, n] varchar array" {
		t.Errorf("with NULLs last: %s %v", got, err)
	}
}
