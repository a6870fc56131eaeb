package reduce

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind uint8

const (
	word kind = iota // also a name in quotes
	text             // a string
	number
	other // one character of anything else
)

// token is a piece of a statement.
type token struct {
	kind       kind
	start, end int
	depth      int // of the parentheses around it; a parenthesis stands at the depth outside it
	text       string
}

// is reports a word, without regard to case.
func (t token) is(words ...string) bool {
	for _, w := range words {
		if (t.kind == word || t.kind == other) && strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// scan splits a statement. What it cannot read it gives character by character:
// what comes of it is checked by the parser.
func scan(sql string) []token {
	var out []token
	depth := 0
	for i := 0; i < len(sql); {
		r, size := utf8.DecodeRuneInString(sql[i:])
		start := i
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case strings.HasPrefix(sql[i:], "--") && !strings.HasPrefix(sql[i:], "--}"):
			if n := strings.IndexByte(sql[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(sql)
			}
			continue
		case r == '\'' || r == '"':
			i += 1 + quoted(sql[i+1:], byte(r))
			k := text
			if r == '"' {
				k = word
			}
			out = append(out, token{k, start, i, depth, sql[start:i]})
			continue
		case r == '_' || unicode.IsLetter(r):
			i += run(sql[i:], func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
			out = append(out, token{word, start, i, depth, sql[start:i]})
			continue
		case unicode.IsDigit(r):
			i += run(sql[i:], func(r rune) bool { return r == '.' || unicode.IsDigit(r) || unicode.IsLetter(r) })
			out = append(out, token{number, start, i, depth, sql[start:i]})
			continue
		}
		i += size
		if r == ')' || r == ']' {
			depth--
		}
		out = append(out, token{other, start, i, depth, sql[start:i]})
		if r == '(' || r == '[' {
			depth++
		}
	}
	return out
}

// quoted returns the length of a quoted text without its first quote.
func quoted(s string, q byte) int {
	for i := 0; i < len(s); i++ {
		if s[i] != q {
			continue
		}
		if i+1 < len(s) && s[i+1] == q {
			i++
			continue
		}
		return i + 1
	}
	return len(s)
}

func run(s string, in func(rune) bool) int {
	for i, r := range s {
		if !in(r) {
			return i
		}
	}
	return len(s)
}

// closing returns the index of the token that closes the parenthesis at i; -1
// if none does.
func closing(toks []token, i int) int {
	for k := i + 1; k < len(toks); k++ {
		if toks[k].depth == toks[i].depth && (toks[k].text == ")" || toks[k].text == "]") {
			return k
		}
	}
	return -1
}
