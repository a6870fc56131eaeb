package scalar

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// One pass reports all errors, and an error causes no others.
func TestAllErrorsAreCollected(t *testing.T) {
	for text, want := range map[string][]string{
		"Q + 1 > R AND V = 1":              {"NAME-1 1:1", "NAME-1 1:9", "TYPE-1 1:17"},
		"ABS(Q) + FLOOR(V)":                {"NAME-1 1:5", "TYPE-1 1:16"},
		"ABSS(Q)":                          {"NAME-1 1:1", "NAME-1 1:6"},
		"CASE WHEN I THEN 1 ELSE 'a' END":  {"TYPE-1 1:11", "TYPE-1 1:25"},
		"COALESCE(Q, 1) = 'a'":             {"NAME-1 1:10", "TYPE-1 1:16"},
		"I IN ('a', Q, DT)":                {"TYPE-1 1:7", "NAME-1 1:12", "TYPE-1 1:15"},
		"I BETWEEN 'a' AND 'b'":            {"TYPE-1 1:11", "TYPE-1 1:19"},
		"(V = 1) IS TRUE AND NOT (DT > 2)": {"TYPE-1 1:4", "TYPE-1 1:29"},
	} {
		_, err := columns(t).bind(text)
		var got []string
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, err := range joined.Unwrap() {
				var e *diag.Error
				errors.As(err, &e)
				got = append(got, e.Rule+" "+strings.TrimSpace(strings.Split(e.Error(), ": ")[0]))
			}
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// The unknown type fits everything: NULL, host variables without a type,
// columns of a check without tables.
func TestUnknownTypeFitsEverything(t *testing.T) {
	f := columns(t)
	f.types["Q"], f.row["Q"] = value.TypeUnknown, value.Null
	f.params["P"] = Param{}
	f.run(t, [][2]string{
		{"Q + 1", "NULL unknown"},
		{"Q || 'a'", "NULL varchar"},
		{"Q = DT", "NULL boolean"},
		{"Q AND T", "NULL boolean"},
		{"Q AND F", "false boolean"},
		{"Q LIKE 'a'", "NULL boolean"},
		{"Q BETWEEN 1 AND 2", "NULL boolean"},
		{"Q IN (1, 2)", "NULL boolean"},
		{"ABS(Q)", "NULL unknown"},
		{"SQRT(Q)", "NULL double precision"},
		{"UPPER(Q)", "NULL varchar"},
		{"ROUND(Q, 2)", "NULL unknown"},
		{"MOD(Q, 2)", "NULL integer"},
		{"SUBSTRING(Q FROM 1)", "NULL unknown"},
		{"CARDINALITY(Q)", "NULL bigint"},
		{"ELEMENT_AT(Q, 1)", "NULL unknown"},
		{"EXTRACT(YEAR FROM Q)", "NULL bigint"},
		{"COALESCE(Q, 1)", "1 integer"},
		{"CASE WHEN Q THEN 1 ELSE Q END", "NULL integer"},
		{"GREATEST(Q, 1)", "NULL integer"},
		{"CAST(Q AS date)", "NULL date"},
		{"-Q", "NULL unknown"},
		{":p + 1", "NULL unknown"},
		{"NULL + 1", "NULL unknown"},
	})
}

func TestHostVariables(t *testing.T) {
	f := columns(t)
	f.params["N"] = Param{value.TypeInteger, value.Int(3)}
	f.params["S"] = Param{Value: value.String("abc")}
	f.params["D"] = Param{Value: value.ScaledInt(125, 2)}
	f.params["F"] = Param{Value: value.Float(0.5)}
	f.params["B"] = Param{Value: value.Bool(true)}
	f.params["A"] = Param{Value: value.ArrayOf([]value.Value{value.Null, value.Int(2)})}
	f.params["T"] = Param{Value: value.TimestampOf(0)}
	f.params["NULL"] = Param{Type: value.TypeDate}
	f.run(t, [][2]string{
		{":d * 2", "2.5 decimal"},
		{":f * 2", "1 double precision"},
		{":b AND T", "true boolean"},
		{":a", "[NULL, 2] bigint array"},
		{":t + INTERVAL '1' DAY", "1970-01-02 00:00:00 timestamp"},
		{":null - DT", "NULL interval day to second"},
		{":n + 1", "4 integer"},
		{":s = V", "true boolean"},
		{":s + 1", "!TYPE-1 42000 1:4"},
		{"1 + :missing", "!EVAL-1 07001 1:5"},
	})
	n, err := sqlexpr.Parse(":missing", token.Lex(":missing"), sqlexpr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := Binder{Leaves: &testLeaves{}, Errors: &diag.List{}, Strict: true}
	b.Bind(n)
	checkError(t, ":missing when strict", b.Errors.First(), "NAME-1 42000 1:1")
}

// Impl can be called without a tree, NULLs included.
func TestImplCall(t *testing.T) {
	f := columns(t)
	for text, want := range map[string]string{"ABS(I)": "5", "MOD(I, 3)": "1", "LPAD(V, I)": "    5", "SUBSTRING(Q, 1)": "NULL"} {
		f.types["Q"] = value.TypeUnknown
		e, err := f.bind(text)
		if err != nil {
			t.Fatal(err)
		}
		call := e.(*Func)
		args := map[string][]value.Value{"ABS(I)": {value.Int(-5)}, "MOD(I, 3)": {value.Int(7), value.Int(3)},
			"LPAD(V, I)": {value.String("5"), value.Int(5)}, "SUBSTRING(Q, 1)": {value.Null, value.Int(1)}}[text]
		if v, err := call.Impl.Call(args); err != nil || value.Format(v, call.T) != want {
			t.Errorf("%s of %v = %s %v, want %s", text, args, value.Format(v, call.T), err, want)
		}
		args[0] = value.Null
		if v, err := call.Impl.Call(args); err != nil || !v.IsNull() {
			t.Errorf("%s of NULL = %v %v", text, v, err)
		}
	}
}

// DEF-5: a condition is boolean or unknown; the error has the caller's rule.
func TestCondition(t *testing.T) {
	f := columns(t)
	for text, want := range map[string]string{"I > 1": "", "T": "", "NULL": "", "Q": "NAME-1 42000 1:1", "I": "DEF-5 42000 1:1", "V || 'a'": "DEF-5 42000 1:1"} {
		n, err := sqlexpr.Parse(text, token.Lex(text), sqlexpr.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := Binder{Leaves: &testLeaves{types: f.types}, Errors: &diag.List{}}
		e := b.Condition(n, "DEF-5", "the condition of A")
		if err := b.Errors.First(); want == "" {
			if err != nil || e == nil {
				t.Errorf("%s: %v", text, err)
			}
		} else {
			checkError(t, text, err, want)
		}
	}
}

// DEF-13: subqueries are constants, evaluated once and only if needed.
func TestSubqueries(t *testing.T) {
	ints := func(rows ...value.Value) *testQuery {
		q := &testQuery{types: []value.Type{value.TypeInteger}}
		for _, v := range rows {
			q.rows = append(q.rows, []value.Value{v})
		}
		return q
	}
	one, two := value.Int(1), value.Int(42)
	for _, c := range []struct {
		query      *testQuery
		text, want string
	}{
		{ints(), "(SELECT a FROM t)", "NULL integer"},
		{ints(one), "(SELECT a FROM t) + 1", "2 integer"},
		{ints(one, two), "1 + (SELECT a FROM t)", "!EVAL-1 21000 1:5"},
		{ints(), "I IN (SELECT a FROM t)", "false boolean"},
		{ints(), "N IN (SELECT a FROM t)", "false boolean"},
		{ints(), "N NOT IN (SELECT a FROM t)", "true boolean"},
		{ints(one, two), "I IN (SELECT a FROM t)", "true boolean"},
		{ints(one), "I IN (SELECT a FROM t)", "false boolean"},
		{ints(one, value.Null), "I IN (SELECT a FROM t)", "NULL boolean"},
		{ints(one, value.Null), "I NOT IN (SELECT a FROM t)", "NULL boolean"},
		{ints(two, value.Null), "I NOT IN (SELECT a FROM t)", "false boolean"},
		{ints(one), "N IN (SELECT a FROM t)", "NULL boolean"},
		{ints(two), "42.0 IN (SELECT a FROM t)", "true boolean"},
		{ints(two), "42e0 IN (SELECT a FROM t)", "true boolean"},
		{&testQuery{types: []value.Type{value.TypeDouble}, rows: [][]value.Value{{value.Float(42)}}}, "I IN (SELECT a FROM t)", "true boolean"},
		{&testQuery{types: []value.Type{value.ArrayType(value.TypeInteger)}, rows: [][]value.Value{{value.ArrayOf([]value.Value{one, value.Null})}}},
			"ARRAY[1, 2] IN (SELECT a FROM t)", "NULL boolean"},
		{ints(), "EXISTS (SELECT a FROM t)", "false boolean"},
		{ints(value.Null), "EXISTS (SELECT a FROM t)", "true boolean"},
		{ints(), "NOT EXISTS (SELECT a FROM t)", "true boolean"},
		{ints(one), "V IN (SELECT a FROM t)", "!TYPE-1 42000 1:3"},
		{&testQuery{types: []value.Type{value.TypeInteger, value.TypeInteger}}, "(SELECT a, b FROM t)", "!SQL-1 42000 1:1"},
		{&testQuery{types: []value.Type{value.TypeInteger, value.TypeInteger}}, "I IN (SELECT a, b FROM t)", "!SQL-1 42000 1:6"},
		{&testQuery{types: []value.Type{value.TypeInteger, value.TypeInteger}, rows: [][]value.Value{{one, two}}}, "EXISTS (SELECT a, b FROM t)", "true boolean"},
		{&testQuery{types: []value.Type{value.TypeInteger}, err: runtimeError("22012", "division by zero")}, "(SELECT a FROM t)", "!EVAL-1 22012 1:1"},
		{nil, "(SELECT a FROM t)", "!DEF-13 0A000 1:1"},
	} {
		f := columns(t)
		f.query = c.query
		f.run(t, [][2]string{{c.text, c.want}})
	}
}

func TestSubqueryIsEvaluatedOnceAndLazily(t *testing.T) {
	for _, text := range []string{"I = (SELECT a FROM t)", "I IN (SELECT a FROM t)", "EXISTS (SELECT a FROM t)"} {
		f := columns(t)
		f.query = &testQuery{types: []value.Type{value.TypeInteger}, rows: [][]value.Value{{value.Int(42)}}}
		e, err := f.bind("F AND " + text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Eval(f.row); err != nil || f.query.runs != 0 {
			t.Errorf("%s: evaluated %d times though not needed: %v", text, f.query.runs, err)
		}
		if e, err = f.bind(text); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if v, err := e.Eval(f.row); err != nil || !v.AsBool() {
					t.Errorf("%s: %v %v", text, v, err)
				}
			})
		}
		wait.Wait()
		if f.query.runs != 1 {
			t.Errorf("%s: evaluated %d times", text, f.query.runs)
		}
	}
}

func TestIsConstant(t *testing.T) {
	f := columns(t)
	f.params["N"] = Param{value.TypeInteger, value.Int(3)}
	for text, want := range map[string]bool{"1 + ABS(:n) * 2": true, "CASE WHEN TRUE THEN 'a' || 'b' END": true, "I": false, "1 + ABS(I)": false,
		"'a' IN ('b', V)": false} {
		e, err := f.bind(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := IsConstant(e); got != want {
			t.Errorf("IsConstant(%s) = %v", text, got)
		}
	}
}

// Long chains are bound and evaluated without trouble.
func TestLongChains(t *testing.T) {
	const n = 5000
	f := columns(t)
	for op, want := range map[string]string{" AND ": "true boolean", " OR ": "true boolean"} {
		got, err := f.eval("T" + strings.Repeat(op+"T", n))
		if err != nil || got != want {
			t.Errorf("%s: %s %v", op, got, err)
		}
	}
	if got, err := f.eval("0" + strings.Repeat(" + 1", n)); err != nil || got != "5000 integer" {
		t.Errorf("sum: %s %v", got, err)
	}
	e, err := f.bind("''" + strings.Repeat(" || 'ab'", n))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := e.Eval(f.row); err != nil || len(v.AsString()) != 2*n {
		t.Errorf("concatenation of %d characters: %v", len(v.AsString()), err)
	}
	if e, err = f.bind("T" + strings.Repeat(" AND T", n)); err != nil || len(e.Children()) != n+1 {
		t.Errorf("an AND chain is one node: %v", err)
	}
}
