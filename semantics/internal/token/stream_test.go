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
	if !s.AcceptSeq("AFTER", "MATCH") || s.Accept("TO") || !s.Accept("SKIP") || s.Expect("TO") != nil {
		t.Error("Accept, Expect")
	}
	mark := s.Mark()
	if s.At("NEXT") || s.At("Next") { // a quoted name is no keyword
		t.Error("a quoted name counts as a keyword")
	}
	if w, err := s.Word(); err != nil || w.Text != "Next" || !w.Quoted {
		t.Error(w, err)
	}
	s.Next()
	from := s.Index()
	if s.ExpectOp("(") != nil || s.AcceptOp(",") || !s.AtName() || s.Next().Text != "X" || !s.AcceptOp(",") {
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
	check := func(err error, rule string, offset int, message string) {
		t.Helper()
		var e *diag.Error
		if !errors.As(err, &e) || e.Stage != diag.Syntax || e.Rule != rule || e.Pos.Offset != offset || e.Message != message {
			t.Errorf("got %v, want %s at %d: %s", err, rule, offset, message)
		}
	}
	src := `a (select != 1`
	s := NewStream(src, Lex(src))
	s.Rule = "GRAM-1"
	check(s.Expect("PATTERN"), "GRAM-1", 0, "expected PATTERN, found a")
	check(s.ExpectOp(")"), "GRAM-1", 0, "expected ), found a")
	check(s.Expected("PAT-6", "a row pattern"), "PAT-6", 0, "expected a row pattern, found a")
	s.Next()
	_, err := s.Word()
	check(err, "GRAM-1", 2, "expected a name, found (")
	s.Next()
	// GRAM-15: a reserved word is a name only in double quotes.
	_, err = s.Word()
	check(err, "GRAM-15", 3, "expected a name, found the reserved word SELECT")
	s.Next()
	// The error of the lexer takes the place of the parser's.
	check(s.Expect("FROM"), "LEX-1", 10, "!= is not in the standard")
	if s.Next().Kind != Error || s.Index() != 3 {
		t.Error("Next moved over the Error token")
	}

	// A part of the tokens ends where its last token ends.
	src = "a\n 'b\nc' d"
	s = NewStream(src, Lex(src)[:2])
	s.Next()
	s.Next()
	check(s.Expect("X"), "SQL-1", 8, "expected X, found the end")
	if p := s.Pos(); p != diag.Locate(src, 8) {
		t.Errorf("%+v", p)
	}
	s = NewStream("", nil)
	check(s.Expect("X"), "SQL-1", 0, "expected X, found the end")
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
