package query

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// firstError returns the error that chapter 13 puts first when parsing ended
// with err: syntax errors come before others, and of several the one with the
// smallest position. The parser reads an expression as a whole before the
// queries and windows inside it, and a recognition before the expressions in
// it, so that an earlier error may hide there.
func firstError(src string, toks []token.Token, r readings.Set, err *diag.Error) *diag.Error {
	if err.Stage != diag.Syntax && err.Stage != diag.Unsupported {
		return err
	}
	best := err
	closing := matching(toks)
	for i := 0; i < len(toks) && toks[i].Pos.Offset < best.Pos.Offset; i++ {
		end, ok := closing[i]
		if !ok || toks[end].Pos.Offset > best.Pos.Offset {
			continue
		}
		p := newParser(src, toks, r)
		p.s.Reset(i + 1)
		var inner error
		switch {
		case startsQuery(toks[i+1]):
			if _, inner = p.query(); inner == nil && p.s.Index() != end {
				inner = p.unexpected(")")
			}
		case i > 0 && toks[i-1].Is("OVER"):
			_, inner = p.windowSpecification()
		default:
			continue
		}
		if inner != nil {
			e := diag.From(inner)
			earlier := e.Pos.Offset < best.Pos.Offset
			if e.Stage == diag.Syntax && (earlier || best.Stage != diag.Syntax) {
				best = e
			}
			continue // look inside as well: there may be an earlier one
		}
		i = end
	}
	return best
}

// matching maps the index of each opening parenthesis to that of its closing one.
func matching(toks []token.Token) map[int]int {
	out := map[int]int{}
	var open []int
	for i, t := range toks {
		switch {
		case t.IsOp("("):
			open = append(open, i)
		case t.IsOp(")") && len(open) > 0:
			out[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return out
}
