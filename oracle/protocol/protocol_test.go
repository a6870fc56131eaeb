package protocol_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// questions are messages as another program may write them, with the same
// message as Append writes it.
var questions = []struct{ name, line, same string }{
	{"hello", `{"op":"hello","protocol":1}`, ""},
	{"hello", `{ "protocol" : 1 , "readings":["WIN-10=alternative"], "op":"hello" }`,
		`{"op":"hello","protocol":1,"readings":["WIN-10=alternative"]}`},
	{"query", `{"op":"query","id":"q1","sql":"SELECT 1","params":{"n":3,"x":null},"max_steps":1000000}`,
		`{"op":"query","id":"q1","sql":"SELECT 1","params":{"N":3,"X":null},"max_steps":1000000}`},
	{"query", `{"op":"query","id":"q1","sql":"TABLE t","tables":[{"name":"t","columns":[{"name":"id","type":"bigint"},{"name":"a b","type":"varchar"}],"rows":[[1,"A"],[null,"é"]]}]}`,
		`{"op":"query","id":"q1","sql":"TABLE t","tables":[{"name":"T","columns":[{"name":"ID","type":"bigint"},{"name":"a b","type":"varchar"}],"rows":[[1,"A"],[null,"é"]]}]}`},
	// Rows may stand before the columns that say how they are read.
	{"query", `{"op":"query","sql":"","tables":[{"rows":[[0.10]],"columns":[{"name":"p","type":"decimal(10,2)"}],"name":"t"}]}`,
		`{"op":"query","sql":"","tables":[{"name":"T","columns":[{"name":"P","type":"decimal(10,2)"}],"rows":[[0.10]]}]}`},
	{"check", `{"op":"check","id":"c1","sql":"SELECT \"x\"\nFROM t","tables":[]}`,
		`{"op":"check","id":"c1","sql":"SELECT \"x\"\nFROM t"}`},
	{"map", `{"op":"map","id":"m1","pattern":"(A? | B)*","rows":["A","B","AB","-",[],["A","B"]],"subset":"U = (A, B)"}`,
		`{"op":"map","id":"m1","pattern":"(A? | B)*","subset":"U = (A, B)","rows":["A","B","AB","-",[],["A","B"]]}`},
	{"prefer", `{"op":"prefer","id":"p1","pattern":"(A?){2,3}","max_rows":3}`, ""},
	{"bye", `{"op":"bye"}`, ""},
}

func TestQuestionsRoundTripAndHoldToSchema(t *testing.T) {
	s := schemas(t)
	for _, c := range questions {
		if err := valid(s["question-"+c.name], []byte(c.line)); err != nil {
			t.Errorf("%s: %v", c.line, err)
		}
		q, _, err := protocol.ParseQuestion([]byte(c.line))
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		want := c.same
		if want == "" {
			want = c.line
		}
		got := q.Append(nil)
		if string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, want)
		}
		if err := valid(s["question-"+c.name], got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
		if q.Op() != c.name {
			t.Errorf("%s: operation %s", c.line, q.Op())
		}
	}
}

// answers are answers to the question of the same name.
var answers = []struct{ question, schema, line, same string }{
	{`{"op":"hello","protocol":1}`, "hello",
		`{"protocol":1,"name":"rprcheck","version":"1","dialect":"iso","ops":["query","check","map","prefer"],"features":["R010","R020","R030"]}`, ""},
	{`{"op":"hello","protocol":1}`, "hello", `{"protocol":1,"name":"tiny","ops":["map"],"comment":"more","version":null}`,
		`{"protocol":1,"name":"tiny","version":"","dialect":"","ops":["map"],"features":[]}`},
	{`{"op":"query","id":"q1","sql":""}`, "query",
		`{"id":"q1","columns":[{"name":"ID","type":"bigint"},{"name":"ID","type":"varchar"}],"rows":[[1,"A"],[null,null]],"ordered":true}`, ""},
	{`{"op":"check","id":"c1","sql":""}`, "check", `{"id":"c1","accepted":true,"columns":[{"name":"X","type":"unknown"}],"untyped":true}`,
		`{"id":"c1","accepted":true,"untyped":true,"columns":[{"name":"X","type":"unknown"}]}`},
	{`{"op":"map","id":"m1","pattern":"A","rows":[]}`, "map", `{"id":"m1","mappings":[["A","{B}"],[],null]}`, ""},
	{`{"op":"prefer","id":"p1","pattern":"A","max_rows":1}`, "prefer", `{"id":"p1","candidates":["[A][A][A]","[A][A][]",""]}`, ""},
	{`{"op":"query","id":"q1","sql":""}`, "error",
		`{"id":"q1","error":{"stage":"semantic","rule":"COL-2","sqlstate":"42000","line":3,"column":14,"message":"no"}}`, ""},
	{`{"op":"map","id":"m1","pattern":"A","rows":[]}`, "error", `{"id":"m1","error":{"stage":"unsupported","message":"no"}}`, ""},
}

func TestAnswersRoundTripAndHoldToSchema(t *testing.T) {
	s := schemas(t)
	for _, c := range answers {
		q, _, err := protocol.ParseQuestion([]byte(c.question))
		if err != nil {
			t.Fatal(err)
		}
		a, err := protocol.ParseAnswer(q, []byte(c.line))
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		want := c.same
		if want == "" {
			want = c.line
			if err := valid(s["answer-"+c.schema], []byte(c.line)); err != nil {
				t.Errorf("%s: %v", c.line, err)
			}
		}
		got := a.Append(nil, 0)
		if string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", c.line, got, want)
		}
		if err := valid(s["answer-"+c.schema], got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	for question, lines := range map[string][]string{
		`{"op":"map","id":"m1","pattern":"A","rows":["A"]}`: {
			``, `[]`, `{"id":"m2","mappings":[null]}`, `{"mappings":[null]}`, `{"id":"m1"}`, `{"id":"m1","mappings":[["A",1]]}`,
			`{"id":"m1","mappings":["A"]}`, `{"id":"m1","error":{"stage":"bad","message":"x"}}`, `{"id":"m1","error":{"stage":"limit"}}`,
			`{"id":"m1","error":"x"}`, `{"id":"m1","mappings":[]} x`, `{"id":"m1","error":{"stage":"limit","message":"x","line":-1}}`,
		},
		`{"op":"hello","protocol":1}`:                         {`{}`, `{"protocol":"1","name":"x","ops":[]}`, `{"protocol":1,"ops":[]}`, `{"protocol":1,"name":"x","ops":["a",2]}`},
		`{"op":"query","id":"q","sql":"x"}`:                   {`{"id":"q","columns":[]}`, `{"id":"q","columns":[{"name":"a","type":"bigint"}],"rows":[[1,2]]}`, `{"id":"q","columns":[{"name":"a","type":"bigint"}],"rows":[[1.5]],"ordered":false}`},
		`{"op":"check","id":"q","sql":"x"}`:                   {`{"id":"q","accepted":false}`, `{"id":"q"}`},
		`{"op":"prefer","id":"q","pattern":"A","max_rows":1}`: {`{"id":"q","candidates":null}`},
		`{"op":"bye"}`: {`{}`},
	} {
		q, _, err := protocol.ParseQuestion([]byte(question))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if a, err := protocol.ParseAnswer(q, []byte(line)); err == nil {
				t.Errorf("%s answered by %s gives %v", question, line, a)
			}
		}
	}
}

// Lines that are refused, with the stage, the id that could be read, and a
// piece of the text.
var refused = []struct {
	name, line string
	stage      diag.Stage
	id, part   string
}{
	{"empty", ``, diag.Syntax, "", "a line holds a JSON object, not the end"},
	{"array", `[1]`, diag.Syntax, "", "a JSON object, not '['"},
	{"number", `1`, diag.Syntax, "", "a JSON object"},
	{"words", `SELECT 1`, diag.Syntax, "", "a JSON object"},
	{"not closed", `{"op":"bye"`, diag.Syntax, "", "a comma or } is expected, not the end"},
	{"behind", `{"op":"bye"} {}`, diag.Syntax, "", "goes on behind the object"},
	{"comma", `{"op":"bye",}`, diag.Syntax, "", "a key"},
	{"key", `{op:"bye"}`, diag.Syntax, "", "a key in quotation marks is expected, not 'o'"},
	{"invalid UTF-8", "{\"op\":\"by\xffe\"}", diag.Syntax, "", "not UTF-8"},
	{"control character", "{\"op\":\"b\x01\"}", diag.Syntax, "", `write it as \u0001`},
	{"half a pair", `{"op":"\ud800x"}`, diag.Syntax, "", "surrogate"},
	{"half a pair last", `{"op":"\ud800\u0041"}`, diag.Syntax, "", "surrogate"},
	{"escape", `{"op":"\x"}`, diag.Syntax, "", "escape"},
	{"number form", `{"id":"a","op":"hello","protocol":01}`, diag.Syntax, "a", "a comma or }"},
	{"number point", `{"id":"a","op":"hello","protocol":1.}`, diag.Syntax, "a", "a digit"},
	{"word", `{"id":"a","op":nil}`, diag.Syntax, "a", "a value is expected"},
	{"duplicate key", `{"op":"map","id":"a","pattern":"A","pattern":"B","rows":[]}`, diag.Syntax, "a", `"pattern" stands twice`},
	{"duplicate escaped", `{"op":"map","id":"a","pattern":"A","\u0070attern":"B","rows":[]}`, diag.Syntax, "a", `"pattern" stands twice`},
	{"duplicate inner", `{"op":"check","id":"a","sql":"","params":{"n":1,"n":2}}`, diag.Syntax, "a", `"n" stands twice`},
	{"no op", `{"id":"a"}`, diag.Syntax, "a", `"op" of the message is missing`},
	{"unknown op", `{"op":"frobnicate","id":"a"}`, diag.Unsupported, "a", "the operations are hello, query"},
	{"op in capitals", `{"op":"MAP","id":"a"}`, diag.Unsupported, "a", "no operation"},
	{"op not text", `{"op":1,"id":"a"}`, diag.Syntax, "a", `"op" of the message must be a string`},
	{"id not text", `{"op":"map","id":7,"pattern":"A","rows":[]}`, diag.Syntax, "", `"id" of the message must be a string`},
	{"unknown key", `{"op":"query","id":"a","sql":"x","maxsteps":1}`, diag.Syntax, "a", `unknown key "maxsteps"`},
	{"null", `{"op":"query","id":"a","sql":null}`, diag.Syntax, "a", `"sql" of the message query must be a string`},
	{"no sql", `{"op":"check","id":"a"}`, diag.Syntax, "a", `"sql" of the message check is missing`},
	{"protocol text", `{"op":"hello","protocol":"1"}`, diag.Syntax, "", "must be an integer"},
	{"protocol fraction", `{"op":"hello","protocol":1.0}`, diag.Syntax, "", "must be an integer"},
	{"readings", `{"op":"hello","protocol":1,"readings":"WIN-10"}`, diag.Syntax, "", "must be an array"},
	{"negative steps", `{"op":"query","id":"a","sql":"x","max_steps":-1}`, diag.Syntax, "a", "must not be negative"},
	{"huge steps", `{"op":"query","id":"a","sql":"x","max_steps":99999999999999999999}`, diag.Syntax, "a", "must be an integer"},
	{"params", `{"op":"query","id":"a","sql":"x","params":[1]}`, diag.Syntax, "a", "must be an object"},
	{"param object", `{"op":"query","id":"a","sql":"x","params":{"n":{}}}`, diag.Runtime, "a", `host variable "n"`},
	{"params folded", `{"op":"query","id":"a","sql":"x","params":{"n":1,"N":2}}`, diag.Semantic, "a", `"N" and "n" are the same`},
	{"rows missing", `{"op":"map","id":"a","pattern":"A"}`, diag.Syntax, "a", `"rows" of the message map is missing`},
	{"row number", `{"op":"map","id":"a","pattern":"A","rows":[1]}`, diag.Syntax, "a", "row 1"},
	{"row of numbers", `{"op":"map","id":"a","pattern":"A","rows":["A",[1]]}`, diag.Syntax, "a", "row 2"},
	{"max_rows", `{"op":"prefer","id":"a","pattern":"A"}`, diag.Syntax, "a", `"max_rows"`},
	{"negative rows", `{"op":"prefer","id":"a","pattern":"A","max_rows":-1}`, diag.Syntax, "a", `"max_rows"`},
	{"tables", `{"op":"query","id":"a","sql":"x","tables":{}}`, diag.Syntax, "a", `"tables"`},
	{"table", `{"op":"query","id":"a","sql":"x","tables":[1]}`, diag.Syntax, "a", "table 1 must be an object"},
	{"table name", `{"op":"query","id":"a","sql":"x","tables":[{"name":"","columns":[]}]}`, diag.Semantic, "a", "empty name"},
	{"table key", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[],"row":[]}]}`, diag.Syntax, "a", `unknown key "row"`},
	{"tables folded", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[]},{"name":"T","columns":[]}]}`, diag.Semantic, "a", `"t" and "T" are the same name`},
	{"columns missing", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","rows":[]}]}`, diag.Syntax, "a", `"columns" of table "t" is missing`},
	{"columns folded", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"bigint"},{"name":"A","type":"bigint"}]}]}`, diag.Semantic, "a", `table "t"`},
	{"type", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"bigit"}]}]}`, diag.Semantic, "a", `column "a" of table "t"`},
	{"short row", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"bigint"}],"rows":[[1],[]]}]}`, diag.Runtime, "a", "row 2 of table \"t\" has 0 values"},
	{"long row", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"bigint"}],"rows":[[1,2]]}]}`, diag.Runtime, "a", "row 1 of table \"t\" has 2 values"},
	{"row object", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"bigint"}],"rows":[{"a":1}]}]}`, diag.Syntax, "a", "row 1 of table \"t\" must be an array"},
	{"value type", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"bigint"}],"rows":[["1"]]}]}`, diag.Runtime, "a", "row 1, column \"A\""},
	{"value range", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"smallint"}],"rows":[[32768]]}]}`, diag.Runtime, "a", "row 1, column \"A\""},
	{"value digits", `{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[{"name":"a","type":"decimal(10,2)"}],"rows":[[0.125]]}]}`, diag.Runtime, "a", "row 1, column \"A\""},
}

func TestRefusedLines(t *testing.T) {
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			_, id, err := protocol.ParseQuestion([]byte(c.line))
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("no *diag.Error but %v", err)
			}
			if e.Stage != c.stage || id != c.id || !strings.Contains(e.Error(), c.part) {
				t.Errorf("stage %s id %q: %s\nwant stage %s id %q: ...%s...", e.Stage, id, e, c.stage, c.id, c.part)
			}
			if e.Pos.IsValid() {
				t.Errorf("the place %v is not one in an SQL text", e.Pos)
			}
			line := (&protocol.Refused{ID: id, Error: e}).Append(nil, 0)
			if err := valid(schemas(t)["answer-error"], line); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDeepNesting(t *testing.T) {
	for _, c := range []struct {
		depth int
		ok    bool
	}{{60, true}, {1000, false}, {5_000_000, false}} {
		line := `{"op":"query","sql":"x","params":{"n":` + strings.Repeat("[", c.depth) + strings.Repeat("]", c.depth) + `}}`
		_, _, err := protocol.ParseQuestion([]byte(line))
		e := diag.From(err)
		if !c.ok && (e == nil || e.Stage != diag.Limit || e.Rule != "LIM-1") {
			t.Errorf("depth %d: %v, want a limit error", c.depth, err)
		}
		if c.ok && e != nil && e.Stage == diag.Limit {
			t.Errorf("depth %d: %v", c.depth, err)
		}
	}
}

// Exact numbers keep every digit: 2^53+1 and 38 nines have no binary double.
func TestExactDigits(t *testing.T) {
	line := `{"op":"query","sql":"x","tables":[{"name":"T","columns":[{"name":"A","type":"bigint"},{"name":"B","type":"decimal(38,0)"},{"name":"C","type":"decimal(3,2)"}],` +
		`"rows":[[9007199254740993,99999999999999999999999999999999999999,0.10]]}],"params":{"N":9007199254740993,"P":0.1000000000000000055511151231257827}}`
	q, _, err := protocol.ParseQuestion([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	got := string(q.Append(nil))
	for _, digits := range []string{"[9007199254740993,99999999999999999999999999999999999999,0.10]", `"N":9007199254740993`, `"P":0.1000000000000000055511151231257827`} {
		if !strings.Contains(got, digits) {
			t.Errorf("%s is missing in %s", digits, got)
		}
	}
}

func TestEscapes(t *testing.T) {
	q, id, err := protocol.ParseQuestion([]byte(`{"op":"check","id":"\u00e9\ud83d\ude00\/\"\\\b\f\n\r\t","sql":"\u0041é"}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := "é😀/\"\\\b\f\n\r\t"; id != want {
		t.Errorf("id %q, want %q", id, want)
	}
	if sql := q.(*protocol.Check).SQL; sql != "Aé" {
		t.Errorf("sql %q", sql)
	}
}

func TestTooManyColumns(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"op":"query","id":"a","sql":"x","tables":[{"name":"t","columns":[`)
	for range 5000 {
		b.WriteString(`{"name":"a","type":"bigint"},`)
	}
	b.WriteString(`{"name":"a","type":"bigint"}]}]}`)
	_, _, err := protocol.ParseQuestion(b.Bytes())
	if e := diag.From(err); e == nil || e.Stage != diag.Limit {
		t.Errorf("%v, want a limit error", err)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	in := "one\n\n" + long + "\nfour\r\n" + strings.Repeat("y", 10) + "\n" + strings.Repeat("z", 11) + "\nlast"
	r := protocol.NewReader(strings.NewReader(in), 10)
	var got []string
	for {
		line, err := r.Next()
		if err == io.EOF {
			break
		}
		if e := diag.From(err); e != nil {
			if e.Stage != diag.Limit || e.Rule != "LIM-1" {
				t.Fatal(err)
			}
			got = append(got, "too long")
			continue
		}
		got = append(got, string(line))
	}
	want := []string{"one", "", "too long", "four\r", "yyyyyyyyyy", "too long", "last"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLastLineTooLong(t *testing.T) {
	r := protocol.NewReader(strings.NewReader("abcdef"), 5)
	if _, err := r.Next(); diag.From(err).Stage != diag.Limit {
		t.Errorf("%v, want a limit error", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("%v, want the end", err)
	}
}

func FuzzParseQuestion(f *testing.F) {
	for _, c := range questions {
		f.Add([]byte(c.line))
	}
	for _, c := range refused {
		f.Add([]byte(c.line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		q, _, err := protocol.ParseQuestion(line)
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) || e.Stage == diag.Internal {
				t.Fatalf("%q: %v", line, err)
			}
			return
		}
		// What was understood can be said, and is understood the same way again.
		once := q.Append(nil)
		again, _, err := protocol.ParseQuestion(once)
		if err != nil {
			t.Fatalf("%q\nis written %q: %v", line, once, err)
		}
		if twice := again.Append(nil); !bytes.Equal(once, twice) {
			t.Fatalf("%q\n%q", once, twice)
		}
	})
}
