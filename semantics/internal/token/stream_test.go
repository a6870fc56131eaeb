package token

import (
	"errors"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

func TestStream(t *testing.T) {
	src := `AFTER MATCH SKIP TO "Next" ROW (x, y)`
	s := NewStream(src, Lex(src))
	if !s.At("BEFORE", "AFTER") || s.At("MATCH") || !s.AtSeq("AFTER", "MATCH") || s.AtSeq("AFTER", "SKIP") {
		t.Error("At, AtSeq")
	}
	if !s.AcceptSeq("AFTER", "MATCH") || s.Accept("TO") || !s.Accept("SKIP") || s.Expect("TO", "") != nil {
		t.Error("Accept, Expect")
	}
	mark := s.Mark()
	if s.At("NEXT") || s.At("Next") { // a quoted name is no keyword
		t.Error("a quoted name counts as a keyword")
	}
	if w, err := s.Word("a name"); err != nil || w.Text != "Next" || !w.Quoted {
		t.Error(w, err)
	}
	s.Next()
	from := s.Index()
	if s.ExpectOp("(", "") != nil || s.AcceptOp(",") || !s.AtName() || s.Next().Text != "X" || !s.AcceptOp(",") {
		t.Error("operators")
	}
	if got := show(s.Slice(from, s.Index())); got != "( i:X ," {
		t.Error(got)
	}
	s.Next()
	s.Next()
	if !s.Done() || s.Next().Kind != EOF || s.Peek(5).Kind != EOF {
		t.Error("the end")
	}
	s.Reset(mark)
	if s.Peek(0).Text != "Next" || s.Source() != src || s.Pos().Offset != 20 {
		t.Error("Reset")
	}
}

func TestStreamErrors(t *testing.T) {
	check := func(err error, rule string, offset int, message, hint string) {
		t.Helper()
		var e *diag.Error
		if !errors.As(err, &e) || e.Stage != diag.Syntax || e.Rule != rule || e.Pos.Offset != offset || e.Message != message || e.Hint != hint {
			t.Errorf("got %v, want %s at %d: %s; %s", err, rule, offset, message, hint)
		}
	}
	src := `a (select != 1`
	s := NewStream(src, Lex(src))
	s.Rule = "GRAM-1"
	check(s.Expect("PATTERN", "add it"), "GRAM-1", 0, "expected PATTERN, found a", "add it")
	check(s.ExpectOp(")", "close it"), "GRAM-1", 0, "expected ), found a", "close it")
	check(s.Expected("PAT-6", "a row pattern", "write 100%"), "PAT-6", 0, "expected a row pattern, found a", "write 100%")
	s.Next()
	_, err := s.Word("the name of a measure")
	check(err, "GRAM-1", 2, "expected the name of a measure, found (", "write the name of a measure before it")
	s.Next()
	// GRAM-15: a reserved word is a name only in double quotes.
	_, err = s.Word("a name")
	check(err, "GRAM-15", 3, "expected a name, found the reserved word SELECT", `as a name the word stands in double quotes: "SELECT"`)
	s.Next()
	// The error of the lexer takes the place of the parser's.
	check(s.Expect("FROM", "add it"), "LEX-1", 10, "!= is the not-equal sign of PostgreSQL, MySQL and others, not of the standard", "write <>")
	if s.Next().Kind != Error || s.Index() != 3 {
		t.Error("Next moved over the Error token")
	}

	// A part of the tokens ends where its last token ends.
	src = "a\n 'b\nc' d"
	s = NewStream(src, Lex(src)[:2])
	s.Next()
	s.Next()
	check(s.Expect("X", "add it"), "SQL-1", 8, "expected X, found the end", "add it")
	if p := s.Pos(); p != diag.Locate(src, 8) {
		t.Errorf("%+v", p)
	}
	s = NewStream("", nil)
	check(s.Expect("X", "add it"), "SQL-1", 0, "expected X, found the end", "add it")
}

// Where a name is missing, the hint follows from what stands there instead.
func TestStreamNameHints(t *testing.T) {
	for src, want := range map[string]string{
		`'p'`:      `single quotes make a string; a name stands without quotes or in double ones: "p"`,
		`2`:        `a name begins with a letter; any other is written in double quotes: "2"`,
		`:n`:       `a host variable stands for a value, not for a name: write the name itself`,
		`, )`:      `remove the comma before it, or write one more name`,
		``:         `the text ends too early: go on with a name`,
		`+`:        `write a name before it`,
		`, DEFINE`: `remove the comma before DEFINE, or write what is missing between them; as a name the word stands in double quotes: "DEFINE"`,
		`define`:   `write a name before DEFINE; as a name the word stands in double quotes: "DEFINE"`,
		`all`:      `as a name the word stands in double quotes: "ALL"`,
	} {
		s := NewStream(src, Lex(src))
		s.AcceptOp(",")
		_, err := s.Word("a name")
		var e *diag.Error
		if !errors.As(err, &e) || e.Hint != want {
			t.Errorf("%s: got %v, want %s", src, err, want)
		}
	}
}

// GRAM-15: these are not names without quotes, most words of the standard are.
func TestReserved(t *testing.T) {
	for _, w := range []string{"SELECT", "DEFINE", "PATTERN", "SUBSET", "LIMIT", "MATCH_RECOGNIZE", "AS"} {
		if !Reserved(w) || !ISOReserved(w) {
			t.Errorf("%s is not reserved", w)
		}
	}
	for _, w := range []string{"VALUE", "DAY", "START", "MATCH", "DATE", "ROW", "RUNNING", "CLASSIFIER", "ONE", "MEASURES"} {
		if Reserved(w) {
			t.Errorf("%s is reserved", w)
		}
	}
	// GRAM-11
	for _, w := range []string{"CLASSIFIER", "DEFINE", "EMPTY", "INITIAL", "MATCH", "MATCHES", "MATCH_NUMBER",
		"OMIT", "ONE", "PER", "RUNNING", "SEEK", "SHOW", "SKIP", "VALUE", "DAY"} {
		if !ISOReserved(w) {
			t.Errorf("%s is not reserved in 9075-2", w)
		}
	}
	for _, w := range []string{"AFTER", "FINAL", "FIRST", "LAST", "MEASURES", "NEXT", "PAST", "PERMUTE", "PREV", "UNMATCHED"} {
		if ISOReserved(w) {
			t.Errorf("%s is reserved in 9075-2", w)
		}
	}
}

func TestWordString(t *testing.T) {
	for _, c := range []struct {
		w    Word
		want string
	}{
		{Word{Text: "PRICE"}, `PRICE`},
		{Word{Text: "PRICE", Quoted: true}, `"PRICE"`},
		{Word{Text: "price"}, `"price"`},
		{Word{Text: "A B"}, `"A B"`},
		{Word{Text: `A"B`, Quoted: true}, `"A""B"`},
		{Word{Text: "SELECT"}, `"SELECT"`},
		{Word{Text: "1A"}, `"1A"`},
		{Word{Text: "DAY"}, `DAY`},
	} {
		if got := c.w.String(); got != c.want {
			t.Errorf("%+v prints as %s, want %s", c.w, got, c.want)
		}
	}
}

func TestSQL(t *testing.T) {
	src := "a--c\n . \"b\"\"\"+1.5 /* */<'it''s'\n'x'||X'0A'=:n"
	if got, want := SQL(Lex(src)), `A . "b"""+1.5 <'it''sx'||X'0a'=:N`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
