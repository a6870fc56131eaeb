package table

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func TestReadJSONLines(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"numbers", `{"a":1}` + "\n" + `{"a":-20}`, "A:bigint\n1\n-20"},
		{"exact decimals", `{"a":1.50}` + "\n" + `{"a":100}`, "A:decimal(5,2)\n1.50\n100.00"},
		{"digits beyond a double", `{"a":12345678901234567.89}`, "A:decimal(19,2)\n12345678901234567.89"},
		{"exponent", `{"a":15e-1}`, "A:double precision\n1.5"},
		{"booleans", `{"a":true}` + "\n" + `{"a":false}`, "A:boolean\nTRUE\nFALSE"},
		{"strings stay strings", `{"a":"2026-11-30"}` + "\n" + `{"a":"1"}`, "A:varchar\n'2026-11-30'\n'1'"},
		{"NULL and missing", `{"a":1,"b":null}` + "\n" + `{"b":2}` + "\n{}", "A:bigint B:bigint\n1 NULL\nNULL 2\nNULL NULL"},
		{"columns by first appearance", `{"b":1}` + "\n" + `{"a":2,"b":3}` + "\n" + `{"c":"","a":4}`,
			"B:bigint A:bigint C:varchar\n1 NULL NULL\n3 2 NULL\nNULL 4 ''"},
		{"GRAM-10a", `{"price":1,"day of trade":2}`, "PRICE:bigint day of trade:bigint\n1 2"},
		{"escapes", `{"a":"x\n\"\\\/\u00e9\ud83d\ude00\b\f\r\t"}`, "A:varchar\n'x\n\"\\/é😀\b\f\r\t'"},
		{"escaped key", `{"\u0061":1}` + "\n" + `{"\u0061":2}`, "A:bigint\n1\n2"},
		{"blanks and CRLF", " { \"a\" :\t1 , \"b\" : [ 1 , 2 ] } \r\n\r\n{}\r\n", "A:bigint B:bigint array\n1 ARRAY[1, 2]\nNULL NULL"},
		{"mixed kinds are text", `{"a":1.50}` + "\n" + `{"a":"x"}` + "\n" + `{"a":true}` + "\n" + `{"a":[1, 2]}`,
			"A:varchar\n'1.50'\n'x'\n'true'\n'[1, 2]'"},
		{"NULLs only", `{"a":null}`, "A:varchar\nNULL"},
		{"arrays of decimals", `{"a":[1.5,20]}` + "\n" + `{"a":[]}` + "\n" + `{"a":[null,0.25]}`,
			"A:decimal(4,2) array\nARRAY[1.50, 20.00]\nARRAY[]\nARRAY[NULL, 0.25]"},
		{"arrays of arrays", `{"a":[["x]"],[]]}`, "A:varchar array array\nARRAY[ARRAY['x]'], ARRAY[]]"},
		{"arrays of different kinds are text", `{"a":[1,"x"]}`, "A:varchar\n'[1,\"x\"]'"},
		{"no line", "", ""},
		{"byte order mark", "\ufeff{\"a\":1}", "A:bigint\n1"},
		{"line separators are characters", `{"a":"` + "\u2028" + `"}`, "A:varchar\n'\u2028'"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab, err := ReadJSONLines(strings.NewReader(test.in), ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := dump(tab); got != test.want {
				t.Errorf("got\n%s\nshould be\n%s", got, test.want)
			}
			tab, err = ReadJSONLines(iotest.OneByteReader(strings.NewReader(test.in)), ReadOptions{})
			if err != nil || dump(tab) != test.want {
				t.Errorf("read byte by byte: %v", err)
			}
		})
	}
}

func TestReadJSONLinesErrorsDATA1(t *testing.T) {
	for _, test := range []struct {
		in     string
		column int
		part   string
	}{
		{`{"a":1,"a":2}`, 8, `"a" is twice`},
		{`{"a":1,"\u0061":2}`, 8, `"a" is twice`},
		{`{"a":{"b":1}}`, 6, "object within an object"},
		{`{"a":[{}]}`, 7, "object within an array"},
		{`[{"a":1}]`, 1, "not a JSON object"},
		{`1`, 1, "not a JSON object"},
		{`{`, 2, "line ends"},
		{`{"a"`, 5, "line ends"},
		{`{"a":`, 6, "line ends"},
		{`{"a":1`, 7, "line ends"},
		{`{"a":"x`, 8, "line ends within a string"},
		{`{"a":1,}`, 8, "a key in quotation marks"},
		{`{a:1}`, 2, "a key in quotation marks"},
		{`{"a" 1}`, 6, "a colon"},
		{`{"a":1 2}`, 8, "a comma or a closing brace"},
		{`{"a":1}}`, 8, "the end of the line"},
		{`{"a":01}`, 6, "leading zeros"},
		{`{"a":1.}`, 8, "a digit"},
		{`{"a":1e}`, 8, "a digit"},
		{`{"a":-}`, 7, "a digit"},
		{`{"a":+1}`, 6, "a JSON value"},
		{`{"a":NaN}`, 6, "a JSON value"},
		{`{"a":nul}`, 6, "a JSON value"},
		{`{"a":[1,]}`, 9, "a JSON value"},
		{`{"a":[1`, 8, "line ends"},
		{`{"a":"\x"}`, 7, "unknown escape"},
		{`{"a":"\u12"}`, 7, "no character"},
		{`{"a":"\ud83d"}`, 7, "no character"},
		{`{"a":"\ude00\ud83d"}`, 7, "no character"},
		{"{\"a\":\"x\ty\"}", 8, "control character"},
		{`{"é":1,"x":?}`, 12, "a JSON value"},
		{`{"":1}`, 2, "empty"},
		{"{\"a\":\"\xff\"}", 7, "not UTF-8"},
		{`{"A":1}`, 2, `"a" and "A"`},
	} {
		t.Run(test.in, func(t *testing.T) {
			// The blank line is a line, too.
			in := "{\"first\":1}\n\n" + test.in + "\n{\"last\":2}\n"
			if strings.Contains(test.part, "and") {
				in = strings.Replace(in, "first", "a", 1)
			}
			_, err := ReadJSONLines(strings.NewReader(in), ReadOptions{})
			e := diag.From(err)
			if e == nil || e.Rule != "DATA-1" || e.Pos.Line != 3 || e.Pos.Column != test.column || !strings.Contains(e.Message, test.part) || e.Hint == "" {
				t.Errorf("got %v, should be DATA-1 at 3:%d with %q, and a hint", err, test.column, test.part)
			}
		})
	}
}

func TestReadJSONLinesLimitsLIM1(t *testing.T) {
	deep := `{"a":` + strings.Repeat("[", 1_000_000) + "}"
	_, err := ReadJSONLines(strings.NewReader(deep), ReadOptions{})
	wantError(t, err, diag.Limit, "LIM-1", 1, "nested")
	_, err = ReadJSONLines(strings.NewReader(`{"a":1,"b":2}`), ReadOptions{MaxColumns: 1})
	wantError(t, err, diag.Limit, "LIM-1", 1, "columns")
	_, err = ReadJSONLines(strings.NewReader("{}\n{\"a\":\""+strings.Repeat("x", 1000)+"\"}"), ReadOptions{MaxLine: 100})
	wantError(t, err, diag.Limit, "LIM-1", 2, "longer")

	// A small file must not make a huge table: a million rows, and in the last
	// one a thousand columns.
	var keys []string
	for i := range 1000 {
		keys = append(keys, fmt.Sprintf(`"c%d":1`, i))
	}
	sparse := strings.Repeat("{}\n", 1_000_000) + "{" + strings.Join(keys, ",") + "}"
	_, err = ReadJSONLines(strings.NewReader(sparse), ReadOptions{})
	wantError(t, err, diag.Limit, "LIM-1", 1_000_001, "missing")
}

func TestReadJSONLinesSchema(t *testing.T) {
	schema, err := ParseSchema("day date, n smallint, tags varchar array, never double")
	if err != nil {
		t.Fatal(err)
	}
	in := `{"more":1,"n":7,"Day":"2026-11-30","tags":["x","y"]}` + "\n" + `{"n":null}`
	tab, err := ReadJSONLines(strings.NewReader(in), ReadOptions{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	want := "DAY:date N:smallint TAGS:varchar array NEVER:double precision MORE:bigint\n" +
		"DATE '2026-11-30' 7 ARRAY['x', 'y'] NULL 1\nNULL NULL NULL NULL NULL"
	if got := dump(tab); got != want {
		t.Errorf("got\n%s\nshould be\n%s", got, want)
	}
	_, err = ReadJSONLines(strings.NewReader("\n{}\n"+`{"n":40000}`), ReadOptions{Schema: schema})
	wantError(t, err, diag.Runtime, "DATA-1", 3, `"40000" is not a value of type smallint`)
	if tab.Column(3).Float64s() == nil || tab.Column(3).Type != value.TypeDouble {
		t.Error("a declared column of NULLs has no vector")
	}
}
