package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rprcheck/rprcheck/crosscheck/serve"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
)

const hello = `{"op":"hello","protocol":1}`

var engines = []matcher.Engine{reference.Engine{}, enumerate.Engine{}}

// ask sends lines after hello and returns the answers behind the greeting.
func ask(t testing.TB, s *serve.Server, lines ...string) []string {
	t.Helper()
	if s.Engine == nil {
		s.Engine = reference.Engine{}
	}
	var out bytes.Buffer
	in := hello + "\n" + strings.Join(lines, "\n") + "\n"
	if err := s.Serve(context.Background(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if !strings.Contains(answers[0], `"ops":`) {
		t.Fatalf("the greeting is %s", answers[0])
	}
	return answers[1:]
}

func quote(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}

// The results that follow from the lists of chapter 2, first match at row 1.
func TestMapOfChapter2(t *testing.T) {
	for _, c := range []struct{ rule, pattern, rows, want string }{
		{"PREF-8", `(A? | B)*`, `"A","B"`, `[["A"],[]]`}, // at row 2 the preferred A? is empty: the star stops
		{"PREF-8", `(A? | B)* C`, `"A","B","C"`, `[["A","B","C"],["B","C"],["C"]]`},
		{"PREF-8", `(A | ())+`, `"A","A","-"`, `[["A","A"],["A"],[]]`},
		{"PREF-8", `(() | A)*`, `"A"`, `[[]]`},
		{"PREF-8", `(() | A){2,}`, `"A","A"`, `[[],[]]`},
		{"PREF-8", `((() | A)+ B)`, `"A","A","B"`, `[["A","A","B"],["A","B"],["B"]]`},
		{"PREF-8", `(A??)* B`, `"B"`, `[["B"]]`},
		{"PREF-8", `(A??)* B`, `"A","B"`, `[["A","B"],["B"]]`},
		{"PREF-8", `(A??)+`, `"A","A"`, `[[],[]]`},
		{"PREF-8", `(A*?){2,}`, `"A","A"`, `[[],[]]`},
		{"PREF-8", `(A?){2,3}`, `"A","A","A","A"`, `[["A","A","A"],["A","A","A"],["A","A"],["A"]]`},
		{"PREF-8", `(A?){2,3}`, `"-"`, `[[]]`},
		{"PREF-4", `(A+ | B){2}`, `"A","A","A"`, `[["A","A","A"],["A","A"],null]`},
		{"PREF-8", `(A* B*)*`, `"A","B","A","B"`, `[["A","B","A","B"],["B","A","B"],["A","B"],["B"]]`},
		{"PREF-8", `((A? | B){3} C)`, `"B","AC","C"`, `[["B","C"],["A","C"],["C"]]`}, // [][][B] C before [B][A][] C; at row 2 [A][][] C
		{"ANCH-1", `(A | ^)*`, `"A","A"`, `[["A","A"],["A"]]`},
		{"ANCH-1", `(^ | A)*`, `"A","A"`, `[[],["A"]]`}, // at row 2 the anchor fails, so A is taken
		{"PREF-8", `(A?)+?`, `"A","A"`, `[["A"],["A"]]`},
		{"PREF-8", `(A?)*?`, `"A","A"`, `[[],[]]`},
		{"PREF-2", `A{1,2} | B{2,3}`, `"AB","AB","B","B","B"`, `[["A","A"],["A"],["B","B","B"],["B","B"],null]`},
		{"PREF-4", `(A|B){1,2}`, `"AB","B"`, `[["A","B"],["B"]]`},
		{"PREF-4", `(A|B){1,2}?`, `"AB","B"`, `[["A"],["B"]]`},
		{"PREF-4", `(A{2,3}){1,2}`, `"A","A","A","A"`, `[["A","A","A"],["A","A","A"],["A","A"],null]`},
		{"PREF-5", `({- A -} | A)`, `"A"`, `[["{A}"]]`},
		{"PREF-5", `(A | {- A -})`, `"A"`, `[["A"]]`},
		{"PAT-7", `PERMUTE(A, B?)`, `"B","A"`, `[["B","A"],["A"]]`},
		{"PAT-7", `PERMUTE(A, B?)`, `"AB","AB"`, `[["A","B"],["A"]]`},
		{"GRAM-2", `()`, `"-","-"`, `[[],[]]`}, // a pattern alone needs no variable
		{"MAT-4", `$`, `"A","A"`, `[null,null]`},
		{"MAT-4", `A`, ``, `[]`},
	} {
		for _, e := range engines {
			q := fmt.Sprintf(`{"op":"map","id":"1","pattern":%s,"rows":[%s]}`, quote(c.pattern), c.rows)
			got := ask(t, &serve.Server{Engine: e}, q)
			if want := []string{`{"id":"1","mappings":` + c.want + `}`}; !cmp.Equal(got, want) {
				t.Errorf("%s %s on %s by %s\n got %s\nwant %s", c.rule, c.pattern, c.rows, e.Name(), got, want)
			}
		}
	}
}

// The forms of a row, and how names are compared (GRAM-10).
func TestMapRows(t *testing.T) {
	for _, c := range []struct{ name, question, want string }{
		{"letters", `"pattern":"A | B","rows":["A","AB","B","BA"]`, `[["A"],["A"],["B"],["A"]]`},
		{"arrays", `"pattern":"A | B","rows":[["A"],["A","B"],["B"]]`, `[["A"],["A"],["B"]]`},
		{"nothing holds", `"pattern":"A?","rows":["-","",[]]`, `[[],[],[]]`},
		{"commas", `"pattern":"UP | DOWN","rows":["UP","UP,DOWN","DOWN","-",""]`, `[["UP"],["UP"],["DOWN"],null,null]`},
		{"array of words", `"pattern":"UP | DOWN","rows":[["DOWN","UP"],["DOWN"]]`, `[["UP"],["DOWN"]]`},
		{"folded", `"pattern":"a | B","rows":["A","b",["a"]]`, `[["A"],["B"],["A"]]`},
		{"quoted", `"pattern":"\"up\" | UP","rows":["up","UP"]`, `[["UP"],["UP"]]`}, // labels fold as names from outside do (GRAM-10a)
		{"unknown names", `"pattern":"A","rows":["XAZ","X",["A","NOBODY"]]`, `[["A"],null,["A"]]`},
		{"long subset name", `"pattern":"A | B","subset":"ANY_ = (A, B)","rows":["B","A,B"]`, `[["B"],["A"]]`},
		{"subset", `"pattern":"A | B","subset":"U = (A, B)","rows":["B","AB"]`, `[["B"],["A"]]`},
	} {
		got := ask(t, &serve.Server{}, `{"op":"map",`+c.question+`}`)
		if want := []string{`{"mappings":` + c.want + `}`}; !cmp.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, want)
		}
	}
}

// The lists of PREF-8.
func TestPreferOfChapter2(t *testing.T) {
	for _, c := range []struct {
		pattern string
		rows    int
		want    string
	}{
		{`(A?){0,3}`, 3, `[A][A][A]; [A][A][]; [A][A]; [A][]; [A]; []; `},
		{`(A?){2,3}`, 3, `[A][A][A]; [A][A][]; [A][A]; [A][]; [][A][A]; [][A][]; [][A]; [][]`},
		{`(A?){1,3}?`, 3, `[A]; [A][A]; [A][A][A]; [A][A][]; [A][]; []`},
		{`(A*)*`, 2, `[AA][]; [AA]; [A][A][]; [A][A]; [A][]; [A]; []; `},
		{`(A??)*`, 2, `[]; [A][]; [A][A][]; [A][A]; [A]; `},
		{`(){2,}`, 2, `[][]`},
		{`^{3,10}`, 3, `^^^`},
		{`(UP | DOWN) B`, 2, `UP B; DOWN B`},
	} {
		got := ask(t, &serve.Server{}, fmt.Sprintf(`{"op":"prefer","id":"1","pattern":%s,"max_rows":%d}`, quote(c.pattern), c.rows))
		list, _ := json.Marshal(strings.Split(c.want, "; "))
		if want := []string{`{"id":"1","candidates":` + string(list) + `}`}; !cmp.Equal(got, want) {
			t.Errorf("%s\n got %s\nwant %s", c.pattern, got, want)
		}
	}
}

// reply is what the tests of errors look at.
type reply struct {
	ID    string
	Error *struct {
		Stage, Rule, SQLSTATE, Message string
		Line, Column                   int
	}
}

func decode(t testing.TB, line string) reply {
	t.Helper()
	var r reply
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return r
}

func TestErrorsOfPatterns(t *testing.T) {
	for _, c := range []struct {
		name, question, stage, rule string
		line, column                int
	}{
		{"empty middle branch", `"op":"map","pattern":"(A | | B)","rows":[]`, "syntax", "PAT-6", 1, 6},
		{"empty branch", `"op":"map","pattern":"(A |)","rows":[]`, "syntax", "PAT-6", 1, 5},
		{"two quantifiers", `"op":"map","pattern":"A**","rows":[]`, "syntax", "PAT-5", 1, 3},
		{"second line", `"op":"map","pattern":"A\n  B**","rows":[]`, "syntax", "PAT-5", 2, 5},
		{"bound", `"op":"map","pattern":"A{0}","rows":[]`, "semantic", "PAT-4", 1, 2},
		{"subset member", `"op":"map","pattern":"A","subset":"U = (B)","rows":[]`, "semantic", "SUB-1", 1, 6},
		{"prefer", `"op":"prefer","pattern":"A{5,2}","max_rows":1`, "semantic", "PAT-4", 1, 2},
		{"permute", `"op":"map","pattern":"PERMUTE(A,B,C,D,E,F,G,H,I,J,K,L)","rows":[]`, "limit", "LIM-1", 1, 1},
	} {
		r := decode(t, ask(t, &serve.Server{}, `{"id":"x",`+c.question+`}`)[0])
		if r.ID != "x" || r.Error == nil || r.Error.Stage != c.stage || r.Error.Rule != c.rule || r.Error.Line != c.line || r.Error.Column != c.column {
			t.Errorf("%s: %+v %+v", c.name, r, r.Error)
		}
	}
}

func TestLineAfterABadOneIsRead(t *testing.T) {
	good := `{"op":"map","id":"good","pattern":"A","rows":["A"]}`
	s := &serve.Server{MaxLine: 1000}
	got := ask(t, s, `not JSON`, good, ``, `[]`, "\xff", `{"op":"map","id":"`+strings.Repeat("x", 2000)+`"}`, good,
		`{"op":"fly","id":"f"}`, strings.Repeat("[", 900), `{"op":"map","id":"d","id":"d","pattern":"A","rows":[]}`, good)
	var stages []string
	for _, line := range got {
		if r := decode(t, line); r.Error != nil {
			stages = append(stages, r.Error.Stage)
		} else {
			stages = append(stages, r.ID)
		}
	}
	want := []string{"syntax", "good", "syntax", "syntax", "syntax", "limit", "good", "unsupported", "syntax", "syntax", "good"}
	if diff := cmp.Diff(want, stages); diff != "" {
		t.Error(diff)
	}
}

// talk runs a whole conversation.
func talk(s *serve.Server, in string) (answers []string, err error) {
	var out bytes.Buffer
	s.Engine = reference.Engine{}
	err = s.Serve(context.Background(), strings.NewReader(in), &out)
	if out.Len() > 0 {
		answers = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	}
	return answers, err
}

func TestHello(t *testing.T) {
	got, err := talk(&serve.Server{Version: "v9"}, `{"op":"map","id":"early","pattern":"A","rows":[]}`+"\n"+
		`{"op":"hello","protocol":1,"readings":["WIN-99=alternative"]}`+"\n"+
		`{"op":"map","id":"still","pattern":"A","rows":[]}`+"\n"+hello)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 || !strings.Contains(got[0], `"id":"early","error"`) || !strings.Contains(got[1], `"rule":"NAME-1"`) ||
		!strings.Contains(got[2], `"id":"still","error"`) {
		t.Fatalf("%q", got)
	}
	want := `{"protocol":1,"name":"rprcheck","version":"v9","dialect":"iso","ops":["query","check","map","prefer"],"features":["R010","R020","R030"]}`
	if got[3] != want {
		t.Errorf("greeting %s", got[3])
	}
}

// An engine that does not speak the version answers with an error and ends.
func TestOtherVersion(t *testing.T) {
	got, err := talk(&serve.Server{}, `{"op":"hello","protocol":2}`+"\n"+hello+"\n")
	if !errors.Is(err, serve.ErrVersion) || len(got) != 1 || !strings.Contains(got[0], `"stage":"unsupported"`) {
		t.Errorf("%q, %v", got, err)
	}
}

func TestByeEnds(t *testing.T) {
	got, err := talk(&serve.Server{}, hello+"\n"+`{"op":"bye"}`+"\n"+hello+"\n")
	if err != nil || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestAnswerTooLong(t *testing.T) {
	rows := strings.TrimSuffix(strings.Repeat(`"A",`, 100), ",")
	got := ask(t, &serve.Server{MaxLine: 500}, `{"op":"map","id":"m","pattern":"A*","rows":[`+rows+`]}`,
		`{"op":"prefer","id":"p","pattern":"(A|B|C|D){4}","max_rows":4}`)
	for i, id := range []string{"m", "p"} {
		if r := decode(t, got[i]); r.ID != id || r.Error == nil || r.Error.Stage != "limit" || r.Error.Rule != "LIM-1" {
			t.Errorf("%s", got[i])
		}
	}
}

// A pattern of many variables on many rows would need their product in memory.
func TestTooManyLabels(t *testing.T) {
	var pattern strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&pattern, "V%d ", i)
	}
	rows := strings.TrimSuffix(strings.Repeat(`[],`, 100_000), ",")
	got := ask(t, &serve.Server{}, `{"op":"map","id":"m","pattern":"`+pattern.String()+`","rows":[`+rows+`]}`)
	if r := decode(t, got[0]); r.Error == nil || r.Error.Stage != "limit" {
		t.Errorf("%.200s", got[0])
	}
}

func TestBudgetOfSteps(t *testing.T) {
	rows := strings.TrimSuffix(strings.Repeat(`"A",`, 40), ",")
	got := ask(t, &serve.Server{Limits: matcher.Limits{Steps: 1000}}, `{"op":"map","id":"m","pattern":"(A+)+ B","rows":[`+rows+`]}`)
	if r := decode(t, got[0]); r.Error == nil || r.Error.Stage != "limit" {
		t.Errorf("%s", got[0])
	}
}

// Cancelling ends the conversation also while it waits for a line, and while
// it searches; no answer is written for what was cut short.
func TestCancel(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	err := (&serve.Server{Engine: reference.Engine{}}).Serve(ctx, in, io.Discard)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for a line: %v", err)
	}

	rows := strings.TrimSuffix(strings.Repeat(`"A",`, 60), ",")
	slow := hello + "\n" + `{"op":"map","pattern":"(A+)+ B","rows":[` + rows + `]}` + "\n"
	ctx2, cancel2 := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel2()
	var answers bytes.Buffer
	s := &serve.Server{Engine: reference.Engine{}, Limits: matcher.Limits{Steps: -1}}
	if err := s.Serve(ctx2, strings.NewReader(slow), &answers); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("searching: %v", err)
	}
	if n := strings.Count(answers.String(), "\n"); n != 1 {
		t.Errorf("%d answers, want the greeting alone", n)
	}
}

func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		hello,
		hello + "\n" + `{"op":"map","id":"1","pattern":"(A? | B)*","rows":["A","B"]}`,
		hello + "\n" + `{"op":"map","id":"1","pattern":"PERMUTE(A, B?)*","subset":"U=(A,B)","rows":[["A"],"AB","-"]}` + "\nx\n",
		hello + "\n" + `{"op":"prefer","id":"1","pattern":"(A??){2,3}|^$","max_rows":2}`,
		hello + "\n" + `{"op":"query","id":"1","sql":"SELECT * FROM (VALUES (1),(2)) AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES LAST(x) AS l ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS x > PREV(x)) AS m","params":{"n":1.50}}`,
		hello + "\n" + `{"op":"check","id":"1","sql":"SELECT a FROM t","tables":[{"name":"t","columns":[{"name":"a","type":"decimal(3,1)"}],"rows":[[1.5]]}]}` + "\n" + `{"op":"bye"}`,
		"{}\n[]\n\"\\ud800\"\n{\"op\":1}\n\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		var out bytes.Buffer
		s := &serve.Server{Engine: reference.Engine{}, Limits: matcher.Limits{Steps: 1000, Rows: 1000, Permute: 4}, MaxLine: 1 << 16}
		err := s.Serve(ctx, bytes.NewReader(in), &out)
		if err != nil && !errors.Is(err, serve.ErrVersion) {
			t.Fatal(err)
		}
		questions := bytes.Count(in, []byte("\n"))
		if len(in) > 0 && in[len(in)-1] != '\n' {
			questions++
		}
		answers := bytes.Count(out.Bytes(), []byte("\n"))
		if answers > questions || answers < questions && err == nil && !bytes.Contains(in, []byte("bye")) && !bytes.Contains(in, []byte(`\u`)) {
			t.Fatalf("%d answers to %d lines\n%s", answers, questions, out.Bytes())
		}
		for line := range bytes.Lines(out.Bytes()) {
			var a struct {
				Error struct{ Stage, Message string }
			}
			if err := json.Unmarshal(line, &a); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if a.Error.Stage == "internal" {
				t.Fatalf("%s", line)
			}
		}
	})
}
