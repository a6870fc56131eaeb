package token

import (
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Stream is a cursor over tokens. Where an Error token is met, the error of the
// lexer is reported instead of the parser's.
type Stream struct {
	// Rule is the rule id of the errors of Expect and ExpectOp. NewStream sets
	// SQL-1; a parser changes it for the clause that it is in.
	Rule string
	// IsReserved tells which words Word refuses. NewStream sets Reserved (GRAM-15).
	IsReserved func(word string) bool

	src  string
	toks []Token
	at   int
	eof  Token // what stands after the last token
}

// NewStream returns a cursor before the first of toks. The slice need not end
// with an EOF token: it may be a part of a longer one.
func NewStream(src string, toks []Token) *Stream {
	s := &Stream{Rule: "SQL-1", IsReserved: Reserved, src: src, toks: toks, eof: Token{Pos: diag.Pos{Line: 1, Column: 1}}}
	if n := len(toks); n > 0 {
		s.eof = After(src, toks[n-1])
	}
	return s
}

// After returns an EOF token placed at the end of t; t itself if it is EOF or Error.
func After(src string, t Token) Token {
	if t.Kind == EOF || t.Kind == Error {
		return t
	}
	text := src[t.Pos.Offset:t.End]
	pos := diag.Pos{Offset: t.End, Line: t.Pos.Line, Column: t.Pos.Column + utf8.RuneCountInString(text)}
	if n := strings.Count(text, "\n"); n > 0 {
		pos.Line += n
		pos.Column = 1 + utf8.RuneCountInString(text[strings.LastIndexByte(text, '\n')+1:])
	}
	return Token{Kind: EOF, Pos: pos, End: t.End}
}

// Source returns the text that the tokens come from.
func (s *Stream) Source() string { return s.src }

// Index returns the number of tokens before the current one.
func (s *Stream) Index() int { return s.at }

// Mark returns a place to come back to with Reset.
func (s *Stream) Mark() int { return s.at }

// Reset goes back, or forward, to a place that Mark or Index gave.
func (s *Stream) Reset(mark int) { s.at = max(0, min(mark, len(s.toks))) }

// Slice returns the tokens from index from up to, not including, index to.
func (s *Stream) Slice(from, to int) []Token { return s.toks[from:to:to] }

// Rest returns the tokens from the current one on.
func (s *Stream) Rest() []Token { return s.toks[min(s.at, len(s.toks)):] }

// Peek returns the token k places after the current one, Peek(0) the current
// one; after the last token it returns an EOF or Error token.
func (s *Stream) Peek(k int) Token {
	if i := s.at + k; i < len(s.toks) {
		return s.toks[i]
	}
	return s.eof
}

// Next returns the current token and moves behind it; it does not move past the end.
func (s *Stream) Next() Token {
	t := s.Peek(0)
	if t.Kind != EOF && t.Kind != Error {
		s.at++
	}
	return t
}

// Pos returns the place of the current token.
func (s *Stream) Pos() diag.Pos { return s.Peek(0).Pos }

// Done reports whether all tokens are used up.
func (s *Stream) Done() bool { return s.Peek(0).Kind == EOF }

// At reports whether the current token is one of these words, unquoted; the
// words are in upper case.
func (s *Stream) At(words ...string) bool {
	t := s.Peek(0)
	for _, w := range words {
		if t.Is(w) {
			return true
		}
	}
	return false
}

// AtSeq reports whether the words, unquoted, stand here one after the other.
func (s *Stream) AtSeq(words ...string) bool {
	for k, w := range words {
		if !s.Peek(k).Is(w) {
			return false
		}
	}
	return true
}

// AtOp reports whether the current token is the operator op.
func (s *Stream) AtOp(op string) bool { return s.Peek(0).IsOp(op) }

// Accept moves behind the word if it stands here.
func (s *Stream) Accept(word string) bool {
	if s.At(word) {
		s.at++
		return true
	}
	return false
}

// AcceptSeq moves behind the words if all stand here.
func (s *Stream) AcceptSeq(words ...string) bool {
	if s.AtSeq(words...) {
		s.at += len(words)
		return true
	}
	return false
}

// AcceptOp moves behind the operator if it stands here.
func (s *Stream) AcceptOp(op string) bool {
	if s.AtOp(op) {
		s.at++
		return true
	}
	return false
}

// Expect moves behind the word, or is a syntax error of rule Rule. The hint
// tells what to write, here and below: no error comes without one.
func (s *Stream) Expect(word, hint string) error {
	if s.Accept(word) {
		return nil
	}
	return s.Expected(s.Rule, word, hint)
}

// ExpectSeq moves behind the words, or is a syntax error at the first that is missing.
func (s *Stream) ExpectSeq(hint string, words ...string) error {
	for _, w := range words {
		if err := s.Expect(w, hint); err != nil {
			return err
		}
	}
	return nil
}

// ExpectOp moves behind the operator, or is a syntax error of rule Rule.
func (s *Stream) ExpectOp(op, hint string) error {
	if s.AcceptOp(op) {
		return nil
	}
	return s.Expected(s.Rule, op, hint)
}

// Word takes a name; what says of what, for example "the name of a measure". A
// reserved word without double quotes is a syntax error of GRAM-15, anything
// else one of rule Rule.
func (s *Stream) Word(what string) (Word, error) {
	t := s.Peek(0)
	switch {
	case t.Kind != Ident:
		return Word{}, s.Expected(s.Rule, what, s.nameHint(t, what))
	case !t.Quoted && s.IsReserved(t.Text):
		return Word{}, s.ReservedError(what)
	}
	s.at++
	return t.Word(), nil
}

// nameHint tells what to change where a name should stand.
func (s *Stream) nameHint(t Token, what string) string {
	switch {
	case t.Kind == Str && t.Text != "":
		return "single quotes make a string; a name stands without quotes or in double ones: " + Quote(shorten(t.Text))
	case t.Kind == Number:
		return "a name begins with a letter; any other is written in double quotes: " + Quote(shorten(t.Text))
	case t.Kind == HostVar:
		return "a host variable stands for a value, not for a name: write the name itself"
	case s.afterComma():
		return "remove the comma before it, or write one more name"
	case t.Kind == EOF:
		return "the text ends too early: go on with " + what
	}
	return "write " + what + " before it"
}

// afterComma reports a comma before the current token.
func (s *Stream) afterComma() bool { return s.at > 0 && s.toks[s.at-1].IsOp(",") }

// AtName reports whether Word would succeed.
func (s *Stream) AtName() bool {
	t := s.Peek(0)
	return t.Kind == Ident && (t.Quoted || !s.IsReserved(t.Text))
}

// Errorf makes a syntax error at the current token; if that is an Error token,
// its own error is returned.
func (s *Stream) Errorf(rule, format string, args ...any) *diag.Error {
	t := s.Peek(0)
	if t.Kind == Error {
		return t.Err
	}
	return diag.New(diag.Syntax, rule, t.Pos, format, args...).In(s.src)
}

// Expected makes the syntax error "expected what, found ..." at the current
// token, with the hint that tells what to change.
func (s *Stream) Expected(rule, what, hint string) *diag.Error {
	return s.Errorf(rule, "expected %s, found %s", what, Describe(s.src, s.Peek(0))).WithHint("%s", hint)
}

// ReservedError is the syntax error of a reserved word, the current token,
// where a name, or what wanted says, should stand (GRAM-15).
func (s *Stream) ReservedError(wanted string) *diag.Error {
	t := s.Peek(0)
	e := s.Errorf("GRAM-15", "expected %s, found the reserved word %s", wanted, t.Text)
	switch {
	case s.afterComma():
		return e.WithHint("remove the comma before %s, or write what is missing between them; as a name the word stands in double quotes: %s", t.Text, Quote(t.Text))
	case continues[t.Text]:
		return e.WithHint("write %s before %s; as a name the word stands in double quotes: %s", wanted, t.Text, Quote(t.Text))
	}
	return e.WithHint("as a name the word stands in double quotes: %s", Quote(t.Text))
}

// continues holds the reserved words that go on with what stands before them:
// where one of them is found, most likely something before it is missing.
var continues = set(`AND AS BETWEEN BY CROSS DEFINE ELSE EXCEPT FROM GROUP HAVING INNER INTERSECT IS JOIN
MATCH_RECOGNIZE NATURAL ON OR ORDER PATTERN SUBSET THEN UNION USING WHEN WHERE WINDOW WITH`)

// Describe names a token in a message: its text as written, cut if it is long.
func Describe(src string, t Token) string {
	switch t.Kind {
	case EOF:
		return "the end"
	case Error:
		return "text that is no SQL"
	case Op:
		switch t.Text { // signs that a reader takes for those of the sentence
		case ".":
			return "a point"
		case ",":
			return "a comma"
		case ";":
			return "a semicolon"
		}
	}
	return shorten(src[t.Pos.Offset:t.End])
}
