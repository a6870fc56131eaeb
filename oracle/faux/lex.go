package faux

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// script is a statement that is being changed, and knows where each of its
// bytes comes from: errors are reported at places of the original.
type script struct {
	original string
	text     string
	origin   []int // by byte of text, and one for its end: the offset in original
}

func newScript(sql string) *script {
	s := &script{original: sql, text: sql, origin: make([]int, len(sql)+1)}
	for i := range s.origin {
		s.origin[i] = i
	}
	return s
}

// replace puts other text in place of the bytes from, to. It is placed where
// they were.
func (s *script) replace(from, to int, with string) {
	at := s.origin[from]
	origin := append([]int(nil), s.origin[:from]...)
	for range len(with) {
		origin = append(origin, at)
	}
	s.origin = append(origin, s.origin[to:]...)
	s.text = s.text[:from] + with + s.text[to:]
}

// back returns an error about text as one about the original.
func (s *script) back(err error) error {
	if err == nil || s.text == s.original {
		return err
	}
	e := *diag.From(err)
	if e.Pos.IsValid() && e.Pos.Offset <= len(s.text) {
		e.Pos = diag.Locate(s.original, s.origin[e.Pos.Offset])
	}
	if e.Source == s.text {
		e.Source = s.original
	}
	return &e
}

// lexeme is a token of a statement. The lexer takes anything: what is no SQL is
// found by the parser.
type lexeme struct {
	text     string // words folded; quoted names without their quotes
	kind     byte   // w word, q quoted name, n number, s string, o operator
	from, to int
}

func (l lexeme) is(words ...string) bool {
	for _, w := range words {
		if l.kind == 'w' && l.text == w {
			return true
		}
	}
	return false
}

func (l lexeme) op(ops ...string) bool {
	for _, o := range ops {
		if l.kind == 'o' && l.text == o {
			return true
		}
	}
	return false
}

// lex splits a statement.
func lex(src string) []lexeme {
	var out []lexeme
	for i := 0; i < len(src); {
		from, rest := i, src[i:]
		switch c := src[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case strings.HasPrefix(rest, "--"):
			i += upTo(rest, "\n")
			continue
		case strings.HasPrefix(rest, "/*"):
			i += upTo(rest, "*/")
			continue
		case c == '\'' || c == '"':
			i += quotedLength(rest, c)
			out = append(out, quotedLexeme(src[from:i], c, from, i))
			continue
		case isWord(c) && (c < '0' || c > '9'):
			for i < len(src) && isWord(src[i]) {
				i++
			}
			out = append(out, lexeme{strings.ToUpper(src[from:i]), 'w', from, i})
			continue
		case c >= '0' && c <= '9':
			for i < len(src) && (isWord(src[i]) || src[i] == '.') {
				i++
			}
			out = append(out, lexeme{src[from:i], 'n', from, i})
			continue
		case strings.HasPrefix(rest, "{-"), strings.HasPrefix(rest, "-}"), strings.HasPrefix(rest, "||"):
			i += 2
		default:
			i++
		}
		out = append(out, lexeme{src[from:i], 'o', from, i})
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
}

func upTo(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

// quotedLength is the length of what begins with a quote; a doubled quote is one.
func quotedLength(s string, quote byte) int {
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

func quotedLexeme(s string, quote byte, from, to int) lexeme {
	kind := byte('s')
	if quote == '"' {
		kind = 'q'
	}
	q := string(quote)
	return lexeme{strings.ReplaceAll(strings.TrimSuffix(s[1:], q), q+q, q), kind, from, to}
}

// at returns the index of the lexeme at an offset, -1 if none begins there.
func at(list []lexeme, offset int) int {
	for i, l := range list {
		if l.from == offset {
			return i
		}
	}
	return -1
}

// closing returns the index of the bracket that closes the one at i, -1 if none does.
func closing(list []lexeme, i int) int {
	depth := 0
	for ; i < len(list); i++ {
		switch {
		case list[i].op("(", "{", "{-"):
			depth++
		case list[i].op(")", "}", "-}"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// opening returns the index of the bracket around the lexeme i, -1 if none is.
func opening(list []lexeme, i int) int {
	depth := 0
	for i--; i >= 0; i-- {
		switch {
		case list[i].op(")", "}", "-}"):
			depth++
		case list[i].op("(", "{", "{-"):
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// before returns the last index up to i of one of the words, at the depth of i
// or further out; -1 if there is none.
func before(list []lexeme, i int, words ...string) int {
	depth := 0
	for ; i >= 0; i-- {
		switch {
		case list[i].op(")"):
			depth++
		case list[i].op("("):
			depth = max(0, depth-1)
		case depth == 0 && list[i].is(words...):
			return i
		}
	}
	return -1
}

// after returns the first index from i of one of the words, at the depth of i;
// len(list) or the bracket that ends the depth if there is none.
func after(list []lexeme, i int, words ...string) int {
	depth := 0
	for ; i < len(list); i++ {
		switch {
		case list[i].op("("):
			depth++
		case list[i].op(")"):
			if depth--; depth < 0 {
				return i
			}
		case depth == 0 && list[i].is(words...):
			return i
		}
	}
	return i
}
