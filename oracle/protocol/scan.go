package protocol

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// maxDepth is how deep the objects and arrays of a message may be nested.
const maxDepth = 64

// scanner reads JSON by RFC 8259 and nothing else. It keeps no tree: what a
// caller does not take apart it gets as a piece of the source.
type scanner struct {
	src   []byte
	pos   int
	depth int
}

// fail makes the error of a message that is no JSON. The place goes into the
// text: line and column of an error belong to the SQL text of a question.
func (s *scanner) fail(format string, args ...any) error {
	return malformed("at byte %d %s", s.pos+1, fmt.Sprintf(format, args...))
}

func malformed(format string, args ...any) *diag.Error {
	return diag.New(diag.Syntax, "DATA-1", diag.Pos{}, "the message is not valid: %s", fmt.Sprintf(format, args...))
}

func (s *scanner) blank() {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek returns the next byte that is not blank, 0 at the end.
func (s *scanner) peek() byte {
	s.blank()
	if s.pos == len(s.src) {
		return 0
	}
	return s.src[s.pos]
}

// found describes what stands at the current place.
func (s *scanner) found() string {
	if s.peek() == 0 && s.pos == len(s.src) {
		return "the end"
	}
	r, _ := utf8.DecodeRune(s.src[s.pos:])
	return strconv.QuoteRune(r)
}

func (s *scanner) expect(c byte, what string) error {
	if s.peek() != c {
		return s.fail("%s is expected, not %s", what, s.found())
	}
	s.pos++
	return nil
}

// end checks that nothing follows.
func (s *scanner) end() error {
	if s.blank(); s.pos < len(s.src) {
		return s.fail("the line goes on behind the object with %s", s.found())
	}
	return nil
}

func (s *scanner) enter() error {
	if s.depth++; s.depth > maxDepth {
		return diag.New(diag.Limit, "LIM-1", diag.Pos{}, "the message is nested more than %d levels deep", maxDepth).
			WithHint("send flat rows of values")
	}
	return nil
}

// object reads an object and calls member at the value of each key, which
// member must read. The same key twice is an error.
func (s *scanner) object(member func(key string) error) error {
	if err := s.expect('{', "an object"); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for first := true; s.peek() != '}'; first = false {
		if !first {
			if err := s.expect(',', "a comma or }"); err != nil {
				return err
			}
		}
		if s.peek() != '"' {
			return s.fail("a key in quotation marks is expected, not %s", s.found())
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if seen[key] {
			return s.fail("the key %.60q stands twice in one object", key)
		}
		seen[key] = true
		if err := s.expect(':', "a colon"); err != nil {
			return err
		}
		if err := member(key); err != nil {
			return err
		}
	}
	s.pos++
	s.depth--
	return nil
}

// array reads an array and calls element at each element, which it must read.
func (s *scanner) array(element func() error) error {
	if err := s.expect('[', "an array"); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	for first := true; s.peek() != ']'; first = false {
		if !first {
			if err := s.expect(',', "a comma or ]"); err != nil {
				return err
			}
		}
		if err := element(); err != nil {
			return err
		}
	}
	s.pos++
	s.depth--
	return nil
}

// raw reads any value and returns its piece of the source.
func (s *scanner) raw() ([]byte, error) {
	s.blank()
	start := s.pos
	if err := s.skip(); err != nil {
		return nil, err
	}
	return s.src[start:s.pos], nil
}

func (s *scanner) skip() error {
	switch c := s.peek(); {
	case c == '{':
		return s.object(func(string) error { return s.skip() })
	case c == '[':
		return s.array(s.skip)
	case c == '"':
		_, _, err := s.rawText()
		return err
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	}
	for _, word := range []string{"null", "true", "false"} {
		if len(s.src)-s.pos >= len(word) && string(s.src[s.pos:s.pos+len(word)]) == word {
			s.pos += len(word)
			return nil
		}
	}
	return s.fail("a value is expected, not %s", s.found())
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.src) && s.src[s.pos] >= '0' && s.src[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

func (s *scanner) accept(any string) bool {
	if s.pos < len(s.src) {
		for i := range len(any) {
			if s.src[s.pos] == any[i] {
				s.pos++
				return true
			}
		}
	}
	return false
}

func (s *scanner) number() error {
	s.accept("-")
	if !s.accept("0") && !s.digits() {
		return s.fail("a digit is expected, not %s", s.found())
	}
	if s.accept(".") && !s.digits() {
		return s.fail("a digit is expected, not %s", s.found())
	}
	if s.accept("eE") {
		s.accept("+-")
		if !s.digits() {
			return s.fail("a digit is expected, not %s", s.found())
		}
	}
	return nil
}

// text reads a string.
func (s *scanner) text() (string, error) {
	piece, escaped, err := s.rawText()
	if err != nil || !escaped {
		return string(piece), err
	}
	out := make([]byte, 0, len(piece))
	for in := (scanner{src: piece}); in.pos < len(piece); {
		if c := piece[in.pos]; c != '\\' {
			out = append(out, c)
			in.pos++
			continue
		}
		r, err := in.escape()
		if err != nil {
			return "", err
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out), nil
}

// rawText reads a string and returns what stands between its quotation marks.
func (s *scanner) rawText() (piece []byte, escaped bool, err error) {
	s.pos++ // the quotation mark
	start := s.pos
	for s.pos < len(s.src) {
		switch c := s.src[s.pos]; {
		case c == '"':
			s.pos++
			return s.src[start : s.pos-1], escaped, nil
		case c < 0x20:
			return nil, false, s.fail("a string holds the control character %q; write it as \\u%04x", c, c)
		case c == '\\':
			escaped = true
			if _, err := s.escape(); err != nil {
				return nil, false, err
			}
		default:
			s.pos++
		}
	}
	return nil, false, s.fail("a string is never closed")
}

// escape reads an escape. Half a surrogate pair is an error: no character is
// replaced by another one silently.
func (s *scanner) escape() (rune, error) {
	s.pos++ // the backslash
	if s.pos == len(s.src) {
		return 0, s.fail("a string is never closed")
	}
	c := s.src[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, err := s.hex()
		if err != nil || !utf16.IsSurrogate(r) {
			return r, err
		}
		if s.accept("\\") && s.accept("u") {
			low, err := s.hex()
			if err != nil {
				return 0, err
			}
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, nil
			}
		}
		return 0, s.fail("a string holds half a surrogate pair")
	}
	s.pos--
	return 0, s.fail("a string holds an unknown escape \\%c", c)
}

func (s *scanner) hex() (rune, error) {
	if len(s.src)-s.pos < 4 {
		return 0, s.fail("four hexadecimal digits are expected")
	}
	n, err := strconv.ParseUint(string(s.src[s.pos:s.pos+4]), 16, 16)
	if err != nil {
		return 0, s.fail("four hexadecimal digits are expected")
	}
	s.pos += 4
	return rune(n), nil
}
