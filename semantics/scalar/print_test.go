package scalar

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// The printed text has the parentheses that the tree needs, and no others.
func TestString(t *testing.T) {
	f := columns(t)
	f.query = &testQuery{types: []value.Type{value.TypeInteger}}
	for text, want := range map[string]string{
		"((I)) + (1*2)":                       "I + 1 * 2",
		"(I + 1) * 2":                         "(I + 1) * 2",
		"I - (1 - 2)":                         "I - (1 - 2)",
		"I - 1 - 2":                           "I - 1 - 2",
		"I / (2 * 3)":                         "I / (2 * 3)",
		"-(-I)":                               "-(-I)",
		"-(I + 1)":                            "-(I + 1)",
		"I * -1":                              "I * -1",
		"i<>1 and not (t or f)":               "I <> 1 AND NOT (T OR F)",
		"T AND (F OR T)":                      "T AND (F OR T)",
		"(T AND F) OR T":                      "T AND F OR T",
		"T AND (F AND T)":                     "T AND (F AND T)",
		"NOT (NOT T)":                         "NOT (NOT T)",
		"(I = 1) = T":                         "(I = 1) = T",
		"(I = 1) IS NOT TRUE":                 "(I = 1) IS NOT TRUE",
		"NOT I IS NULL":                       "NOT I IS NULL",
		"V || ('a' || 'b')":                   "V || ('a' || 'b')",
		"(I + 1) BETWEEN 2 * 3 AND 9":         "I + 1 BETWEEN 2 * 3 AND 9",
		"I NOT IN (1, 2 + 3)":                 "I NOT IN (1, 2 + 3)",
		"V NOT LIKE 'it''s%' ESCAPE '#'":      "V NOT LIKE 'it''s%' ESCAPE '#'",
		"I IS NOT DISTINCT FROM N":            "I IS NOT DISTINCT FROM N",
		"CASE I WHEN 1 THEN 'a' ELSE 'b' END": "CASE I WHEN 1 THEN 'a' ELSE 'b' END",
		"CASE WHEN I > 1 AND T THEN 1 END":    "CASE WHEN I > 1 AND T THEN 1 END",
		"CASE WHEN T THEN 1 ELSE 2.5 END":     "CASE WHEN T THEN 1 ELSE 2.5 END", // no trace of the coercion
		"CAST(I AS decimal(10,2))":            "CAST(I AS decimal(10,2))",
		"EXTRACT(YEAR FROM DT)":               "EXTRACT(YEAR FROM DT)",
		"SUBSTRING(V FROM 1 FOR 2)":           "SUBSTRING(V, 1, 2)",
		"POSITION('a' IN V)":                  "POSITION('a' IN V)",
		"TRIM(LEADING 'x' FROM V)":            "TRIM(LEADING 'x' FROM V)",
		"TRIM(BOTH FROM V)":                   "TRIM(BOTH FROM V)",
		"TRIM(V)":                             "TRIM(V)",
		"ARRAY[1, 2]":                         "ARRAY[1, 2]",
		"DATE '2026-01-02' < DT":              "DATE '2026-01-02' < DT",
		"ceil(X)":                             "CEIL(X)",
		":p > 1":                              ":P > 1",
		"I IN (SELECT \"a b\" FROM t WHERE x = 'y''')": "I IN (SELECT \"a b\" FROM T WHERE X = 'y''')",
		"EXISTS (SELECT 1 FROM t)":                     "EXISTS (SELECT 1 FROM T)",
		"(SELECT max(a) FROM t) + 1":                   "(SELECT MAX(A) FROM T) + 1",
	} {
		e, err := f.bind(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.String(); got != want {
			t.Errorf("%s prints as %s, want %s", text, got, want)
		}
		again, err := f.bind(e.String())
		if err != nil || again.String() != want {
			t.Errorf("%s is printed as %s, which does not bind to the same: %v", text, e, err)
		}
	}
}

// Render puts values in the place of leaves, for the trace of a search.
func TestRender(t *testing.T) {
	f := columns(t)
	f.params["P"] = Param{value.TypeInteger, value.Int(3)}
	leaf := func(e Expr) (string, bool) {
		if c, ok := e.(*column); ok && c.name == "B" {
			return "<bigint>", true
		}
		return "", false
	}
	for text, want := range map[string]string{
		"I < B":                       "42 < <bigint>",
		"V = 'x' OR N IS NULL":        "'abc' = 'x' OR NULL IS NULL",
		"E * (I + :p)":                "-0.05 * (42 + 3)",
		"DT > DATE '2026-01-01'":      "DATE '2026-03-15' > DATE '2026-01-01'",
		"ABS(I) BETWEEN B AND 2 * :q": "ABS(42) BETWEEN <bigint> AND 2 * :Q",
	} {
		e, err := f.bind(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := Render(e, f.row, leaf); got != want {
			t.Errorf("%s is rendered as %s, want %s", text, got, want)
		}
	}
}
