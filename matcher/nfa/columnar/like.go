package columnar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/scalar"
)

// like makes LIKE with a constant pattern.
func (b *builder) like(n *scalar.Like) *node {
	x, pattern := b.expr(n.X), b.expr(n.Pattern)
	if !pattern.constant {
		return b.fail(n.T)
	}
	escape, unknown := "", pattern.null()
	if n.Escape != nil {
		e := b.expr(n.Escape)
		if !e.constant {
			return b.fail(n.T)
		}
		unknown = unknown || e.null()
		if !unknown {
			if escape = e.value.AsString(); utf8.RuneCountInString(escape) != 1 {
				return b.fail(n.T) // 22019, where x is not NULL
			}
		}
	}
	if unknown || x.null() {
		return b.unknown(x)
	}
	if x.kind != kindText {
		return b.fail(n.T)
	}
	p, ok := parseLike(pattern.value.AsString(), escape)
	if !ok {
		return b.fail(n.T) // 22025, where x is not NULL
	}
	key := fmt.Sprintf("like%q%q", pattern.value.AsString(), escape)
	if !strings.ContainsAny(pattern.value.AsString(), "%_") && escape == "" {
		c := pattern.value.AsString()
		return b.withConst(func(out []uint64, x *vec, n int) { equalText(out, x, n, c) }, n.Negated, fmt.Sprintf("t=%q", c), x)
	}
	return b.withConst(func(out []uint64, x *vec, n int) {
		for w := range (n + 63) / 64 {
			out[w] = ^uint64(0)
		}
		if n&63 != 0 {
			out[n>>6] = 1<<(n&63) - 1
		}
		some(out, x, nil, n, func(i int) bool { return p.match(x.text(i)) })
	}, n.Negated, key, x)
}

// likePiece is a piece of a pattern: literal text, any one character, or any
// number of them.
type likePiece struct {
	text string
	kind likeKind
}

type likeKind uint8

const (
	literal likeKind = iota
	anyOne
	anyNumber
)

type likePattern []likePiece

// parseLike reads a pattern; false if the escape character stands before
// something else than %, _ or itself.
func parseLike(pattern, escape string) (likePattern, bool) {
	var p likePattern
	var text []byte
	add := func(k likeKind) {
		if len(text) > 0 {
			p = append(p, likePiece{string(text), literal})
			text = nil
		}
		if k == anyNumber && len(p) > 0 && p[len(p)-1].kind == anyNumber {
			return
		}
		if k != literal {
			p = append(p, likePiece{"", k})
		}
	}
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		switch {
		case escape != "" && strings.HasPrefix(rest, escape):
			rest = rest[len(escape):]
			switch {
			case strings.HasPrefix(rest, "%"), strings.HasPrefix(rest, "_"):
				text = append(text, rest[0])
				i += len(escape)
			case strings.HasPrefix(rest, escape):
				text = append(text, escape...)
				i += 2*len(escape) - 1
			default:
				return nil, false
			}
		case rest[0] == '%':
			add(anyNumber)
		case rest[0] == '_':
			add(anyOne)
		default:
			text = append(text, rest[0])
		}
	}
	add(literal)
	return p, true
}

// match reports whether the whole of s fits. A piece behind % is tried at one
// character after the other; only the last % needs to be remembered, for what
// an earlier one could still take in, it can as well.
func (p likePattern) match(s string) bool {
	piece, at := 0, 0
	retry, from := -1, 0 // the piece behind the last %, and where it was tried
	for {
		switch {
		case piece == len(p) && at == len(s):
			return true
		case piece < len(p) && p[piece].kind == anyNumber:
			piece++
			switch {
			case piece == len(p):
				return true
			case piece == len(p)-1 && p[piece].kind == literal:
				return strings.HasSuffix(s[at:], p[piece].text)
			}
			retry, from = piece, at
			continue
		case piece < len(p) && p[piece].kind == anyOne && at < len(s):
			_, size := utf8.DecodeRuneInString(s[at:])
			piece, at = piece+1, at+size
			continue
		case piece < len(p) && p[piece].kind == literal && strings.HasPrefix(s[at:], p[piece].text):
			at += len(p[piece].text)
			piece++
			continue
		}
		if retry < 0 || from >= len(s) {
			return false
		}
		if p[retry].kind == literal {
			// Go to where the literal is next.
			next := strings.Index(s[from+1:], p[retry].text)
			if next < 0 {
				return false
			}
			from += 1 + next
		} else {
			_, size := utf8.DecodeRuneInString(s[from:])
			from += size
		}
		piece, at = retry, from
	}
}
