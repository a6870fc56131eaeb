package dialect

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func column(t *testing.T, name string, typ value.Type, vals ...value.Value) *table.Column {
	t.Helper()
	b := table.NewBuilder(name, typ)
	for _, v := range vals {
		if err := b.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	return b.Column()
}

func ints(t *testing.T, name string, vals ...int64) *table.Column {
	t.Helper()
	out := make([]value.Value, len(vals))
	for i, v := range vals {
		out[i] = value.Int(v)
	}
	return column(t, name, value.TypeBigint, out...)
}

func tableOf(t *testing.T, cols ...*table.Column) *table.Table {
	t.Helper()
	out, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What goes in comes out, whatever the text; quotes and comments hide words.
func TestScan(t *testing.T) {
	for _, sql := range []string{"", "SELECT 'it''s' -- c\n FROM \"a\"\"b\" /* x */ WHERE y=:n", "'open", "\"open", "/* open", "-- open", "x::varchar", "\xff\xfe", "1.5e3 .5"} {
		if got := joined(scan(sql)); got != sql {
			t.Errorf("%q becomes %q", sql, got)
		}
	}
	var kinds []tokenKind
	for _, p := range scan(`a "b" 'c' 1 :n --d`) {
		if p.kind != blank {
			kinds = append(kinds, p.kind)
		}
	}
	want := []tokenKind{word, quoted, text, number, param}
	if len(kinds) != len(want) {
		t.Fatalf("kinds %v", kinds)
	}
	for i := range want {
		if kinds[i] != want[i] {
			t.Errorf("kinds %v, want %v", kinds, want)
		}
	}
}

func TestStatement(t *testing.T) {
	ticks := oracle.Table{Name: "TICKS", Data: tableOf(t, ints(t, "DAY", 1, 2), ints(t, "a b", 3, 4))}
	empty := oracle.Table{Name: "NONE", Data: tableOf(t, ints(t, "X"))}
	params := []oracle.Param{{Name: "N", Type: value.TypeInteger, Value: value.Int(3)}}
	const inlined = "ticks (day, \"a b\") AS (\nSELECT CAST(c1 AS bigint), CAST(c2 AS bigint) FROM (VALUES\n  (1, 3),\n  (2, 4)\n) AS v (c1, c2)\n)"
	for _, x := range []struct{ name, sql, want string }{
		{"no table", "SELECT 1;", "SELECT 1"},
		{"only what is mentioned", "SELECT * FROM ticks", "WITH " + inlined + "\nSELECT * FROM ticks"},
		{"a name in a string is no mention", "SELECT 'ticks'", "SELECT 'ticks'"},
		{"no rows", "SELECT * FROM none", "WITH none (x) AS (\nSELECT CAST(NULL AS bigint) WHERE 1 = 0\n)\nSELECT * FROM none"},
		{"WITH of its own", "WITH a AS (SELECT * FROM ticks) SELECT * FROM a", "WITH " + inlined + ", a AS (SELECT * FROM ticks) SELECT * FROM a"},
		{"WITH RECURSIVE", "WITH RECURSIVE a AS (SELECT * FROM ticks) SELECT * FROM a", "WITH RECURSIVE " + inlined + ", a AS (SELECT * FROM ticks) SELECT * FROM a"},
		{"an item hides a table", "WITH ticks AS (SELECT * FROM ticks) SELECT * FROM ticks", "WITH " + inlined + "\nSELECT * FROM (WITH ticks AS (SELECT * FROM ticks) SELECT * FROM ticks)"},
		{"function", "SELECT CHAR_LENGTH('a')", "SELECT length('a')"},
		{"a column of a function's name", "SELECT char_length", "SELECT char_length"},
		{"reserved there, a name here (GRAM-15)", "SELECT 1 AS drop", `SELECT 1 AS "DROP"`},
		{"large number (TYPE-2)", "SELECT 9223372036854775807, 9223372036854775808", "SELECT 9223372036854775807, DECIMAL '9223372036854775808'"},
		{"host variable", "SELECT :n", "SELECT 3"},
		{"cast of another product", "SELECT 1::varchar", "SELECT 1::varchar"},
	} {
		got, reason := Trino().Statement(&oracle.Case{SQL: x.sql, Tables: []oracle.Table{ticks, empty}, Params: params})
		if reason != "" || got != x.want {
			t.Errorf("%s: %s\n%s\nwant\n%s", x.name, reason, got, x.want)
		}
	}
	stamps := oracle.Table{Name: "T", Data: tableOf(t, column(t, "X", value.TypeBoolean, value.Bool(true)))}
	for _, x := range []struct {
		name string
		p    *Product
		sql  string
		want string
	}{
		{"unknown variable", Trino(), "SELECT :m", ":m has no value"},
		{"a function that is not there", Trino(), "SELECT OCTET_LENGTH('a')", "no function OCTET_LENGTH"},
		{"LISTAGG alone", Trino(), "SELECT LISTAGG(x, ',') FROM t", "WITHIN GROUP"},
		{"a type that is not there", Oracle(), "SELECT * FROM t", "Oracle has no type boolean"},
		{"the clause in FROM", PostgreSQL(), "SELECT * FROM t MATCH_RECOGNIZE (PATTERN (A) DEFINE A AS x)", "no MATCH_RECOGNIZE"},
		{"the clause in a window", DuckDB(), "SELECT 1 OVER (PATTERN (A) DEFINE A AS x)", "no patterns in windows"},
		{"hidden and ordered", Trino(), "WITH t AS (SELECT * FROM t) SELECT * FROM t ORDER BY x", "orders its rows"},
	} {
		if _, reason := x.p.Statement(&oracle.Case{SQL: x.sql, Tables: []oracle.Table{stamps}}); !strings.Contains(reason, x.want) {
			t.Errorf("%s: %q, want %q", x.name, reason, x.want)
		}
	}
	if _, reason := Trino().Statement(&oracle.Case{SQL: "SELECT LISTAGG(x, ',') WITHIN GROUP (ORDER BY x) FROM t"}); reason != "" {
		t.Errorf("LISTAGG with WITHIN GROUP: %s", reason)
	}
}

// OUT-8: the order of rows counts only by an ORDER BY of the statement's own.
func TestOrdered(t *testing.T) {
	for sql, want := range map[string]bool{
		"SELECT * FROM t ORDER BY x":                                      true,
		"SELECT * FROM t MATCH_RECOGNIZE (ORDER BY x PATTERN (A))":        false,
		"SELECT COUNT(*) OVER (ORDER BY x) FROM t":                        false,
		"SELECT * FROM (SELECT * FROM t ORDER BY x)":                      false,
		"SELECT ')' FROM t MATCH_RECOGNIZE (PATTERN (A)) order /**/ by x": true,
	} {
		if got := Ordered(sql); got != want {
			t.Errorf("%s: %t", sql, got)
		}
	}
}

func TestMapping(t *testing.T) {
	for _, x := range []struct {
		pattern, subset, want, define string
		size                          int
	}{
		{"A | B", "U = (A, b)", "A | B", "A AS is_a, B AS is_b", 2},
		{`"b" B`, "", `"b" B`, `"b" AS is_b, B AS is_2`, 2},
		{"() | ^", "", "() | ^ | RPR_NEVER", "RPR_NEVER AS is_rpr_never", 0}, // GRAM-2
		{"(A{3} B?){2,5}", "", "(A{3} B?){2,5}", "A AS is_a, B AS is_b", 20},
		{"PERMUTE(A, B, C)", "", "PERMUTE(A, B, C)", "A AS is_a, B AS is_b, C AS is_c", 18},
		{"TABLE", "", `"TABLE"`, `"TABLE" AS is_1`, 1},
		{"(((A{60000}){60000}){60000}){60000}", "", "(((A{60000}){60000}){60000}){60000}", "A AS is_a", MaxSize},
	} {
		m, reason := Trino().Mapping(&oracle.Case{Op: oracle.Map, Pattern: x.pattern, Subset: x.subset, Rows: [][]string{{"A", `"b"`}}})
		if reason != "" {
			t.Errorf("%s: %s", x.pattern, reason)
			continue
		}
		if m.Pattern != x.want || m.Define != x.define || m.Size != x.size {
			t.Errorf("%s: %s DEFINE %s size %d", x.pattern, m.Pattern, m.Define, m.Size)
		}
		if x.subset != "" && m.Subset != "U = (A, B)" {
			t.Errorf("SUBSET %s", m.Subset)
		}
	}
	for pattern, want := range map[string]string{"A{201}": "at most 200", "(A?)*": "can be empty", "PERMUTE(A,B,C,D,E,F,G,H)": "at most 7"} {
		if _, reason := Oracle().Mapping(&oracle.Case{Op: oracle.Map, Pattern: pattern}); !strings.Contains(reason, want) {
			t.Errorf("%s: %q, want %q", pattern, reason, want)
		}
	}
	if _, reason := Trino().Mapping(&oracle.Case{Op: oracle.Map, Pattern: "A", Subset: "U = (A); DROP"}); reason == "" {
		t.Error("a SUBSET that is none is written")
	}
}

func TestMappingSQL(t *testing.T) {
	c := &oracle.Case{Op: oracle.Map, Pattern: "A? B", Rows: [][]string{{"A"}, {"A", "B"}}}
	trino, _ := Trino().Mapping(c)
	for _, want := range []string{"VALUES\n    (1, TRUE, FALSE),\n    (2, TRUE, TRUE)\n) AS t (id, is_a, is_b)", "AFTER MATCH SKIP TO NEXT ROW", "DEFINE A AS is_a, B AS is_b"} {
		if sql := Trino().SQL(trino); !strings.Contains(sql, want) {
			t.Errorf("Trino lacks %s:\n%s", want, sql)
		}
	}
	oracle, _ := Oracle().Mapping(c)
	for _, want := range []string{"SELECT 1 AS id, 1 AS is_a, 0 AS is_b FROM dual UNION ALL", "DEFINE A AS is_a = 1"} {
		if sql := Oracle().SQL(oracle); !strings.Contains(sql, want) {
			t.Errorf("Oracle lacks %s:\n%s", want, sql)
		}
	}
}

// NUL-3: rows equal in all keys within a partition; NUL-4: without ORDER BY all
// rows of a partition. Rows that are the same in every column settle nothing.
func TestTies(t *testing.T) {
	in := tableOf(t, ints(t, "P", 1, 1, 1, 2, 2), ints(t, "K", 7, 7, 8, 7, 7), ints(t, "ID", 1, 2, 3, 4, 4))
	for _, x := range []struct {
		clause string
		ties   int
		orders int
	}{
		{"PARTITION BY p ORDER BY k", 1, 2},
		{"PARTITION BY p ORDER BY k, id", 0, 1},
		{"PARTITION BY p", 1, 6},
		{"ORDER BY k", 1, 24},
	} {
		c, err := semantics.Parse("MATCH_RECOGNIZE ("+x.clause+" MEASURES 1 AS one PATTERN (A) DEFINE A AS TRUE)", semantics.RowTypeOf(in, ""), semantics.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ties := Ties(c, in)
		if len(ties) != x.ties || Count(ties, 100) != x.orders {
			t.Errorf("%s: %v, %d orders", x.clause, ties, Count(ties, 100))
		}
		seen := map[string]bool{}
		for n := range x.orders {
			var key strings.Builder
			for _, r := range Order(in.NumRows(), ties, n) {
				key.WriteByte(byte('0' + r))
			}
			seen[key.String()] = true
		}
		if len(seen) != x.orders || !seen["01234"] {
			t.Errorf("%s: orders %v", x.clause, seen)
		}
	}
	if n := Count([][]int32{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}}, 50); n != 51 {
		t.Errorf("too many orders count as %d", n)
	}
}

// IMP-AVG, TYPE-3: a decimal without fixed scale may have been rounded to a
// scale, half up, or be a double. Anything else is another value.
func TestSameUpToPrecision(t *testing.T) {
	dec := func(s string) value.Value {
		v, _, err := value.ParseNumber(s)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(s, "-") {
			t.Fatal("no sign here")
		}
		return v
	}
	third := dec("0.33333333333333333333333333333333333333")
	one := func(typ value.Type, v value.Value) *table.Table { return tableOf(t, column(t, "X", typ, v)) }
	for _, x := range []struct {
		name      string
		want, got *table.Table
		same      bool
	}{
		{"double", one(value.TypeDecimal, third), one(value.TypeDouble, value.Float(1.0/3)), true},
		{"another double", one(value.TypeDecimal, third), one(value.TypeDouble, value.Float(0.333)), false},
		{"rounded", one(value.TypeDecimal, third), one(value.DecimalType(10, 2), dec("0.33")), true},
		{"half up", one(value.TypeDecimal, dec("0.125")), one(value.DecimalType(10, 2), dec("0.13")), true},
		{"half down", one(value.TypeDecimal, dec("0.125")), one(value.DecimalType(10, 2), dec("0.12")), false},
		{"not for a scale that the standard fixes", one(value.DecimalType(10, 3), dec("0.125")), one(value.DecimalType(10, 2), dec("0.13")), false},
		{"NULL is no number", one(value.TypeDecimal, value.Null), one(value.TypeDouble, value.Float(0)), false},
		{"NULLs", one(value.TypeDecimal, value.Null), one(value.TypeDouble, value.Null), true},
		{"text", one(value.TypeVarchar, value.String("1")), one(value.TypeBigint, value.Int(1)), false},
	} {
		if got := Same(x.want, x.got, false); got != x.same {
			t.Errorf("%s: %t", x.name, got)
		}
	}
	a, b := tableOf(t, ints(t, "X", 1, 2, 2)), tableOf(t, ints(t, "X", 2, 1, 2))
	if !Same(a, b, false) || Same(a, b, true) || Same(a, tableOf(t, ints(t, "X", 1, 1, 2)), false) || Same(a, tableOf(t, ints(t, "Y", 1, 2, 2)), false) {
		t.Error("bags, orders, names")
	}
}

func TestConflict(t *testing.T) {
	p := &Profile{Unknown: []string{"AGG-7"}}
	if err := p.Readings.Apply("IMP-NULLS=alternative"); err != nil {
		t.Fatal(err)
	}
	for setting, want := range map[string]string{"IMP-NULLS=alternative": "", "WIN-10=default": "", "WIN-10=alternative": "reads it differently", "IMP-NULLS=default": "reads it differently", "AGG-7=default": "not known", "X=y": "in error"} {
		got := p.Conflict("Trino", []string{setting})
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q", setting, got)
		}
	}
}
