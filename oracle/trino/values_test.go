package trino

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Values keep what they are: digits of decimals, microseconds, NULLs, elements
// of arrays.
func TestValues(t *testing.T) {
	for _, x := range []struct{ typ, raw, want, wantType string }{
		{"bigint", "9223372036854775807", "9223372036854775807", "bigint"},
		{"tinyint", "-1", "-1", "smallint"},
		{"boolean", "true", "TRUE", "boolean"},
		{"decimal(38, 10)", `"12345678901234567890123456.0000000001"`, "12345678901234567890123456.0000000001", "decimal(38,10)"},
		{"decimal(3,0)", `"-7"`, "-7.", "decimal(3,0)"},
		{"double", "1.5", "1.5E0", "double precision"},
		{"double", `"NaN"`, "CAST('NaN' AS double precision)", "double precision"},
		{"varchar(1)", `"it's"`, "", ""},
		{"varchar", `"it's"`, "'it''s'", "varchar"},
		{"char(3)", `"a  "`, "'a  '", "char(3)"},
		{"date", `"2026-11-30"`, "DATE '2026-11-30'", "date"},
		{"timestamp(6)", `"2026-11-30 12:00:00.123456"`, "TIMESTAMP '2026-11-30 12:00:00.123456'", "timestamp"},
		{"time(1)", `"01:02:03.5"`, "TIME '01:02:03.5'", "time(1)"},
		{"INTERVAL DAY TO SECOND", `"1 02:03:04.500"`, "INTERVAL '1 02:03:04.5' DAY TO SECOND", "interval day to second"},
		{"INTERVAL DAY TO SECOND", `"-1 00:00:00.000"`, "INTERVAL '-1 00:00:00' DAY TO SECOND", "interval day to second"},
		{"INTERVAL YEAR TO MONTH", `"-0-3"`, "INTERVAL '-0-3' YEAR TO MONTH", "interval year to month"},
		{"array(array(integer))", "[[1,null],null]", "ARRAY[ARRAY[1, NULL], NULL]", "integer array array"},
		{"array(decimal(2,1))", `["0.5"]`, "ARRAY[0.5]", "decimal(2,1) array"},
		{"varbinary", `"yv4="`, "X'cafe'", "varbinary"},
		{"unknown", "null", "NULL", "unknown"},
		{"bigint", "null", "NULL", "bigint"},
		{"integer", `"x"`, "", ""},
		{"varbinary", `"%"`, "", ""},
		{"array(integer)", "1", "", ""},
	} {
		typ, err := parseType(x.typ)
		if err != nil {
			t.Errorf("%s: %v", x.typ, err)
			continue
		}
		v, err := parseValue(json.RawMessage(x.raw), typ)
		switch {
		case x.wantType == "":
			if err == nil {
				t.Errorf("%s %s is %s, want an error", x.typ, x.raw, value.SQL(v, typ))
			}
		case err != nil || value.SQL(v, typ) != x.want || typ.String() != x.wantType:
			t.Errorf("%s %s is %s of %s, %v; want %s of %s", x.typ, x.raw, value.SQL(v, typ), typ, err, x.want, x.wantType)
		}
	}
	for _, bad := range []string{"map(integer, integer)", "row(a integer)", "timestamp(3) with time zone", "timestamp(12)", "decimal(40, 1)", "decimal(x)", "varchar(x)", "array(json)", "hyperloglog"} {
		if typ, err := parseType(bad); err == nil {
			t.Errorf("%s is %s", bad, typ)
		}
	}
}

// A column takes the name and type of the standard where Trino's are the same
// but for letter case, a length or a width; otherwise the difference stays.
func TestColumnsOfAResult(t *testing.T) {
	res := func(name, typ string, cells ...string) *result {
		r := &result{columns: []column{{Name: name, Type: typ}}}
		for _, c := range cells {
			r.rows = append(r.rows, []json.RawMessage{json.RawMessage(c)})
		}
		return r
	}
	want := func(name string, typ value.Type) []semantics.Field { return []semantics.Field{{Name: name, Type: typ}} }
	for _, x := range []struct {
		about string
		res   *result
		want  []semantics.Field
		head  string
	}{
		{"letter case", res("price", "bigint", "1"), want("PRICE", value.TypeBigint), "PRICE bigint"},
		{"quoted name", res("a b", "bigint", "1"), want("a b", value.TypeBigint), "a b bigint"},
		{"generated name", res("_col0", "bigint", "1"), want("_COL1", value.TypeBigint), "_COL1 bigint"},
		{"other name", res("x", "bigint", "1"), want("Y", value.TypeBigint), "X bigint"},
		{"width", res("x", "integer", "1"), want("X", value.TypeBigint), "X bigint"},
		{"narrower", res("x", "bigint", "1"), want("X", value.TypeInteger), "X integer"},
		{"too wide", res("x", "bigint", "3000000000"), want("X", value.TypeInteger), "X bigint"},
		{"length", res("x", "varchar(1)", `"a"`), want("X", value.TypeVarchar), "X varchar"},
		{"only NULLs", res("x", "unknown", "null"), want("X", value.TypeDate), "X date"},
		{"precision of a decimal", res("x", "decimal(38,2)", `"1.50"`), want("X", value.DecimalType(10, 2)), "X decimal(10,2)"},
		{"decimal without scale (IMP-AVG)", res("x", "decimal(10,2)", `"1.50"`), want("X", value.TypeDecimal), "X decimal(10,2)"},
		{"double for decimal (IMP-AVG)", res("x", "double", "1.5"), want("X", value.TypeDecimal), "X double precision"},
		{"number for text", res("x", "bigint", "1"), want("X", value.TypeVarchar), "X bigint"},
		{"elements", res("x", "array(varchar(3))", `["a"]`), want("X", value.ArrayType(value.TypeVarchar)), "X varchar array"},
		{"nothing known", res("x", "integer", "1"), nil, "X integer"},
	} {
		tab, err := toTable(x.res, x.want)
		if err != nil {
			t.Errorf("%s: %v", x.about, err)
			continue
		}
		if c := tab.Column(0); c.Name+" "+c.Type.String() != x.head {
			t.Errorf("%s: %s %s, want %s", x.about, c.Name, c.Type, x.head)
		}
	}
}

// Errors of the server: which are answers, which are refusals, which are none.
func TestErrorsOfStatements(t *testing.T) {
	for _, x := range []struct {
		name, typ, message, location string
		want                         oracle.Verdict // Agrees: an answer with an error
		rule                         string
	}{
		{"GENERIC_USER_ERROR", "USER_ERROR", "AFTER MATCH SKIP failed: pattern variable is not present in match", "", oracle.Agrees, "SKIP-2 2202K"},
		{"GENERIC_USER_ERROR", "USER_ERROR", "AFTER MATCH SKIP failed: cannot skip to first row of match", "", oracle.Agrees, "SKIP-3 2202L"},
		{"DIVISION_BY_ZERO", "USER_ERROR", "Division by zero", "", oracle.Agrees, "EVAL-1 22012"},
		{"NUMERIC_VALUE_OUT_OF_RANGE", "USER_ERROR", "bigint addition overflow: 1 + 2", "", oracle.Agrees, "EVAL-1 22003"},
		{"NUMERIC_VALUE_OUT_OF_RANGE", "USER_ERROR", "line 1:2: bound", `,"errorLocation":{"lineNumber":1,"columnNumber":2}`, oracle.Refused, ""},
		{"INVALID_CAST_ARGUMENT", "USER_ERROR", "Cannot cast", "", oracle.Agrees, "EVAL-1 22018"},
		{"SYNTAX_ERROR", "USER_ERROR", "line 1:2: mismatched", `,"errorLocation":{"lineNumber":1,"columnNumber":2}`, oracle.Refused, ""},
		{"NOT_SUPPORTED", "USER_ERROR", "no", "", oracle.Refused, ""},
		{"FUNCTION_NOT_FOUND", "USER_ERROR", "no", "", oracle.NotComparable, ""},
		{"GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "NullPointerException", "", oracle.Failed, ""},
		{"STACK_OVERFLOW", "INSUFFICIENT_RESOURCES", "deep", "", oracle.Failed, ""},
	} {
		f := newFake(t)
		e := `{"errorName":"` + x.name + `","errorType":"` + x.typ + `","message":"` + x.message + `"` + x.location + `}`
		f.answer = func(string) string { return `{"id":"q","stats":{"state":"FAILED"},"error":` + e + `}` }
		o := f.oracle(t, Options{})
		a, v, reason := verdict(t, o, statement("SELECT 2"))
		rule := ""
		if a.Err != nil {
			rule = a.Err.Rule + " " + a.Err.SQLSTATE
		}
		if v != x.want || rule != x.rule {
			t.Errorf("%s %s: %v %s (%s), want %v %s", x.name, x.message, v, rule, reason, x.want, x.rule)
		}
		if v != oracle.Agrees && !strings.Contains(reason, x.name) {
			t.Errorf("%s: the reason %q does not say it", x.name, reason)
		}
	}
}

// A check is analysed, not run; a refusal is an answer.
func TestChecks(t *testing.T) {
	f := newFake(t)
	f.answer = func(sql string) string {
		if strings.Contains(sql, "{0}") {
			return failed("SYNTAX_ERROR", "USER_ERROR", "no")
		}
		return onePage(`{"name":"Valid","type":"boolean"}`, "[true]")
	}
	o := f.oracle(t, Options{})
	for _, x := range []struct {
		sql      string
		accepted bool
	}{{"SELECT 2", true}, {"SELECT {0}", false}} {
		a, v, reason := verdict(t, o, &oracle.Case{ID: "x", Op: oracle.Check, SQL: x.sql})
		if v != oracle.Agrees || a.Accepted != x.accepted || (a.Err == nil) != x.accepted {
			t.Errorf("%s: %v %s %+v", x.sql, v, reason, a)
		}
	}
	for _, sql := range f.sent()[1:] {
		if !strings.HasPrefix(sql, "EXPLAIN (TYPE VALIDATE) ") {
			t.Errorf("%q is run", sql)
		}
	}
}
