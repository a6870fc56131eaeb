package dialect

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is the kind of a piece of a statement.
type tokenKind uint8

const (
	blank  tokenKind = iota // white space and comments
	word                    // an unquoted name or keyword
	quoted                  // a name in double quotes
	text                    // a character string
	number
	param // :n
	other // anything else, a character or two
)

// piece is a token of a statement, with its text as written.
type piece struct {
	kind tokenKind
	text string
}

// scan cuts a statement into pieces whose texts together are the statement. It
// knows no errors: a string that is not closed is a piece up to the end, and
// the product says what it thinks of that.
func scan(sql string) []piece {
	var out []piece
	for sql != "" {
		kind, n := next(sql)
		out = append(out, piece{kind, sql[:n]})
		sql = sql[n:]
	}
	return out
}

func next(s string) (tokenKind, int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case unicode.IsSpace(r):
		return blank, size
	case strings.HasPrefix(s, "--"):
		if i := strings.IndexByte(s, '\n'); i >= 0 {
			return blank, i + 1
		}
		return blank, len(s)
	case strings.HasPrefix(s, "/*"):
		if i := strings.Index(s[2:], "*/"); i >= 0 {
			return blank, i + 4
		}
		return blank, len(s)
	case r == '"':
		return quoted, enclosed(s, '"')
	case r == '\'':
		return text, enclosed(s, '\'')
	case isLetter(r):
		return word, span(s, isExtend)
	case r >= '0' && r <= '9':
		return number, span(s, func(r rune) bool { return isLetter(r) || r >= '0' && r <= '9' || r == '.' })
	case strings.HasPrefix(s, "::"):
		return other, 2
	case r == ':' && len(s) > 1 && isLetter(rune(s[1])):
		return param, 1 + span(s[1:], isExtend)
	}
	return other, size
}

// enclosed returns the length of a quoted piece, doubled quotes inside.
func enclosed(s string, quote byte) int {
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

func span(s string, in func(rune) bool) int {
	for i, r := range s {
		if !in(r) {
			return i
		}
	}
	return len(s)
}

func isLetter(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.Nl) }

func isExtend(r rune) bool { return isLetter(r) || unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc) }

// joined puts pieces together again.
func joined(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}
