package scalar

import (
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// likePattern is a compiled LIKE pattern: segments that stand between % signs.
// The first and the last segment are tied to the ends of the string, the ones
// between are found from left to right, each at its first possible place; so
// there is no backtracking, and the time is at most string times segment length.
type likePattern struct {
	pattern, escape string // what it was compiled from
	escaped         bool   // an escape character was given
	segments        []likeSegment
}

// likeSegment is a piece of pattern without %: literal chunks, the empty chunk
// standing for _, any one character.
type likeSegment []string

// compileLike compiles a pattern. 22019: the escape is not one character;
// 22025: the escape character stands before something else than %, _ or itself.
func compileLike(pattern, escape string, escaped bool) (*likePattern, error) {
	if escaped && utf8.RuneCountInString(escape) != 1 {
		return nil, runtimeError("22019", "the escape character %s is not one character", value.SQL(value.String(escape), value.TypeVarchar)).
			WithHint("write ESCAPE with exactly one character")
	}
	p := &likePattern{pattern: pattern, escape: escape, escaped: escaped}
	var segment likeSegment
	var chunk strings.Builder
	flush := func() {
		if chunk.Len() > 0 {
			segment = append(segment, chunk.String())
			chunk.Reset()
		}
	}
	for rest := pattern; rest != ""; {
		if escaped && strings.HasPrefix(rest, escape) {
			rest = rest[len(escape):]
			switch {
			case rest != "" && (rest[0] == '%' || rest[0] == '_'):
				chunk.WriteByte(rest[0])
				rest = rest[1:]
			case strings.HasPrefix(rest, escape):
				chunk.WriteString(escape)
				rest = rest[len(escape):]
			default:
				return nil, runtimeError("22025", "in the pattern the escape character stands before neither %%, _ nor itself").
					WithHint("double the escape character where it is meant as itself")
			}
			continue
		}
		switch rest[0] {
		case '%':
			flush()
			p.segments = append(p.segments, segment)
			segment = nil
		case '_':
			flush()
			segment = append(segment, "")
		default:
			chunk.WriteByte(rest[0])
		}
		rest = rest[1:]
	}
	flush()
	p.segments = append(p.segments, segment)
	return p, nil
}

// match reports whether the whole of s fits the pattern.
func (p *likePattern) match(s string) bool {
	first, last := p.segments[0], p.segments[len(p.segments)-1]
	n, ok := first.prefix(s)
	if !ok {
		return false
	}
	s = s[n:]
	if len(p.segments) == 1 {
		return s == ""
	}
	end, ok := last.suffix(s)
	if !ok {
		return false
	}
	s = s[:end]
	for _, seg := range p.segments[1 : len(p.segments)-1] {
		n, ok := seg.find(s)
		if !ok {
			return false
		}
		s = s[n:]
	}
	return true
}

// prefix returns how many bytes at the start of s the segment takes.
func (g likeSegment) prefix(s string) (int, bool) {
	at := 0
	for _, chunk := range g {
		switch {
		case chunk != "":
			if !strings.HasPrefix(s[at:], chunk) {
				return 0, false
			}
			at += len(chunk)
		case at == len(s):
			return 0, false
		default:
			_, size := utf8.DecodeRuneInString(s[at:])
			at += size
		}
	}
	return at, true
}

// suffix returns where the segment starts when it takes the end of s.
func (g likeSegment) suffix(s string) (int, bool) {
	for i := len(g) - 1; i >= 0; i-- {
		switch chunk := g[i]; {
		case chunk != "":
			if !strings.HasSuffix(s, chunk) {
				return 0, false
			}
			s = s[:len(s)-len(chunk)]
		case s == "":
			return 0, false
		default:
			_, size := utf8.DecodeLastRuneInString(s)
			s = s[:len(s)-size]
		}
	}
	return len(s), true
}

// find returns the end of the first place in s where the segment fits.
func (g likeSegment) find(s string) (int, bool) {
	if len(g) == 0 {
		return 0, true
	}
	if len(g) == 1 && g[0] != "" {
		at := strings.Index(s, g[0])
		return at + len(g[0]), at >= 0
	}
	for at := 0; at <= len(s); {
		if n, ok := g.prefix(s[at:]); ok {
			return at + n, true
		}
		if at == len(s) {
			break
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return 0, false
}

// Truth matches: UNKNOWN if an operand is NULL. The pattern compiled last is
// kept, so a constant one is compiled once.
func (n *Like) Truth(env Env) (value.Truth, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	pattern, err := n.Pattern.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	escape, escaped := value.Null, n.Escape != nil
	if escaped {
		if escape, err = n.Escape.Eval(env); err != nil {
			return value.UnknownTruth, err
		}
	}
	if x.IsNull() || pattern.IsNull() || escaped && escape.IsNull() {
		return value.UnknownTruth, nil
	}
	p := n.last.Load()
	if p == nil || p.pattern != pattern.AsString() || p.escape != escape.AsString() {
		if p, err = compileLike(pattern.AsString(), escape.AsString(), escaped); err != nil {
			return value.UnknownTruth, located(err, n.OpPos)
		}
		n.last.Store(p)
	}
	return negate(truthOf(p.match(x.AsString())), n.Negated), nil
}

// Eval is Truth as a value.
func (n *Like) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }
