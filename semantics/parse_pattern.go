package semantics

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// ParsePattern parses a row pattern as it stands between the parentheses of
// PATTERN ( ). Its variables have no VarID yet.
func ParsePattern(src string) (*Pattern, error) { return parsePattern(src, readings.Set{}) }

func parsePattern(src string, r readings.Set) (*Pattern, error) {
	s := token.NewStream(src, token.Lex(src))
	p := patternParser{s: s, readings: r}
	tree, err := p.rowPattern(0)
	if err != nil {
		return nil, err
	}
	if !s.Done() {
		return nil, p.unexpected()
	}
	if err := p.bounds.First(); err != nil {
		return nil, diag.From(err).In(src)
	}
	return tree, nil
}

// patternParser parses the grammar of section 1.2 by recursive descent. Its
// depth is capped, so that recursion over a pattern is safe everywhere.
type patternParser struct {
	s        *token.Stream
	readings readings.Set
	clause   bool // the pattern stands in PATTERN ( ), whose closing parenthesis ends it
	nodes    int
	open     []token.Token // brackets that are not closed yet, for messages
	bounds   diag.List     // semantic errors: quantifier bounds (PAT-4)
}

func (p *patternParser) node(n *Pattern) (*Pattern, error) {
	if p.nodes++; p.nodes > MaxPatternNodes {
		return nil, p.limit("the pattern has more than %d parts", MaxPatternNodes)
	}
	return n, nil
}

func (p *patternParser) limit(format string, args ...any) error {
	return diag.New(diag.Limit, "LIM-1", p.s.Pos(), format, args...).In(p.s.Source()).
		WithHint("shorten the pattern; a quantifier such as A{3,7} stands for repetitions")
}

// rowPattern parses an alternation (PAT-1).
func (p *patternParser) rowPattern(depth int) (*Pattern, error) {
	if depth > MaxPatternDepth {
		return nil, p.limit("the pattern is nested more than %d levels deep", MaxPatternDepth)
	}
	pos := p.s.Pos()
	var branches []*Pattern
	for {
		term, err := p.rowTerm(depth)
		if err != nil {
			return nil, err
		}
		branches = append(branches, term)
		if !p.s.AcceptOp("|") {
			break
		}
	}
	if len(branches) == 1 {
		return branches[0], nil
	}
	return p.node(&Pattern{Op: OpAlternate, Sub: branches, Pos: pos})
}

// rowTerm parses a concatenation; it must not be empty (PAT-6).
func (p *patternParser) rowTerm(depth int) (*Pattern, error) {
	pos := p.s.Pos()
	var factors []*Pattern
	for p.atPrimary() {
		f, err := p.rowFactor(depth)
		if err != nil {
			return nil, err
		}
		factors = append(factors, f)
	}
	switch len(factors) {
	case 0:
		return nil, p.missing()
	case 1:
		return factors[0], nil
	}
	return p.node(&Pattern{Op: OpConcat, Sub: factors, Pos: pos})
}

func (p *patternParser) atPrimary() bool {
	return p.s.AtName() || p.s.AtOp("(") || p.s.AtOp("{-") || p.s.AtOp("^") || p.s.AtOp("$")
}

// rowFactor parses a primary with at most one quantifier (PAT-5).
func (p *patternParser) rowFactor(depth int) (*Pattern, error) {
	prim, err := p.primary(depth)
	if err != nil {
		return nil, err
	}
	q, err := p.quantifier()
	if err != nil || q == nil {
		return prim, err
	}
	q.Sub, q.Pos = []*Pattern{prim}, prim.Pos
	if p.s.AtOp("*") || p.s.AtOp("+") || p.s.AtOp("?") || p.s.AtOp("{") {
		second := p.quantifierText()
		return nil, p.s.Errorf("PAT-5", "the quantifier %s follows another quantifier", second).
			WithHint("put what it repeats in parentheses: (%s)%s", q.String(), second)
	}
	return p.node(q)
}

// quantifierText returns the quantifier at the current token as it was written.
func (p *patternParser) quantifierText() string {
	text := p.s.Peek(0).Text
	for k := 1; text[0] == '{' && !strings.HasSuffix(text, "}"); k++ {
		t := p.s.Peek(k)
		if t.Kind != token.Number && !t.IsOp(",") && !t.IsOp("}") {
			return "{...}"
		}
		text += t.Text
	}
	return text
}

func (p *patternParser) primary(depth int) (*Pattern, error) {
	t := p.s.Peek(0)
	switch {
	case p.s.AtOp("^"):
		p.s.Next()
		return p.node(&Pattern{Op: OpPartitionStart, Pos: t.Pos})
	case p.s.AtOp("$"):
		p.s.Next()
		return p.node(&Pattern{Op: OpPartitionEnd, Pos: t.Pos})
	case p.s.AtOp("("):
		p.s.Next()
		if p.s.AcceptOp(")") {
			return p.node(&Pattern{Op: OpEmpty, Pos: t.Pos})
		}
		sub, err := p.enclosed(t, ")", depth)
		if err != nil {
			return nil, err
		}
		return p.node(&Pattern{Op: OpGroup, Sub: []*Pattern{sub}, Pos: t.Pos})
	case p.s.AtOp("{-"):
		p.s.Next()
		sub, err := p.enclosed(t, "-}", depth)
		if err != nil {
			return nil, err
		}
		return p.node(&Pattern{Op: OpExclude, Sub: []*Pattern{sub}, Pos: t.Pos})
	case t.Is("PERMUTE") && p.s.Peek(1).IsOp("("): // GRAM-11
		return p.permute(depth)
	}
	w, err := p.s.Word("a row pattern variable")
	if err != nil {
		return nil, err
	}
	return p.node(&Pattern{Op: OpVariable, Name: Name(w), Pos: t.Pos})
}

// enclosed parses a row pattern behind an opening bracket up to its closing one.
func (p *patternParser) enclosed(opening token.Token, bracket string, depth int) (*Pattern, error) {
	p.open = append(p.open, opening)
	sub, err := p.rowPattern(depth + 1)
	if err != nil {
		return nil, err
	}
	if !p.s.AcceptOp(bracket) {
		return nil, p.unexpected()
	}
	p.open = p.open[:len(p.open)-1]
	return sub, nil
}

// permute parses PERMUTE ( P1, ..., Pn ) (PAT-7).
func (p *patternParser) permute(depth int) (*Pattern, error) {
	n := &Pattern{Op: OpPermute, Pos: p.s.Pos()}
	p.open = append(p.open, p.s.Next())
	p.s.Next()
	for {
		sub, err := p.rowPattern(depth + 1)
		if err != nil {
			return nil, err
		}
		n.Sub = append(n.Sub, sub)
		if !p.s.AcceptOp(",") {
			break
		}
	}
	if !p.s.AcceptOp(")") {
		return nil, p.unexpected()
	}
	p.open = p.open[:len(p.open)-1]
	return p.node(n)
}

// quantifier parses PAT-3; nil if there is none.
func (p *patternParser) quantifier() (*Pattern, error) {
	pos := p.s.Pos()
	q := &Pattern{Op: OpQuantified, BoundPos: pos}
	exact := false
	switch {
	case p.trigraph():
		return nil, p.s.Errorf("PAT-2", "%s is the trigraph of a closing bracket, under this reading of PAT-2", "??)").
			WithHint("write a space between the quantifier and the parenthesis, ?? ), or leave the reading PAT-2 out")
	case p.s.AcceptOp("*"):
		q.Min, q.Max = 0, Unbounded
	case p.s.AcceptOp("+"):
		q.Min, q.Max = 1, Unbounded
	case p.s.AcceptOp("?"):
		q.Min, q.Max = 0, 1
	case p.s.AcceptOp("{"):
		var err error
		if exact, err = p.interval(q, pos); err != nil {
			return nil, err
		}
	default:
		return nil, nil
	}
	if p.s.AtOp("?") {
		if exact && p.readings.Is(readings.PAT5) {
			return nil, p.s.Errorf("PAT-5", "the quantifier {n} has no reluctant form").
				WithHint("write {%d,%d}?, or leave the ? out: with equal bounds it changes nothing", q.Min, q.Max)
		}
		p.s.Next()
		q.Reluctant = true
	}
	return q, nil
}

// trigraph reports ??) under the readings of PAT-2 that give it a meaning.
func (p *patternParser) trigraph() bool {
	b, c := p.s.Peek(1), p.s.Peek(2)
	return p.readings.Is(readings.PAT2) && p.s.AtOp("?") && b.IsOp("?") && c.IsOp(")") && !b.Space && !c.Space
}

// interval parses what follows { up to }.
func (p *patternParser) interval(q *Pattern, pos diag.Pos) (exact bool, err error) {
	q.Max = Unbounded
	lower, upper := p.s.Peek(0), token.Token{}
	if lower.Kind == token.Number {
		if q.Min, err = p.bound(); err != nil {
			return false, err
		}
	}
	if p.s.AcceptOp(",") {
		if upper = p.s.Peek(0); upper.Kind == token.Number {
			if q.Max, err = p.bound(); err != nil {
				return false, err
			}
		}
	} else if lower.Kind == token.Number && p.s.AtOp("}") {
		q.Max, exact = q.Min, true
	}
	if !p.s.AtOp("}") || lower.IsOp("}") {
		return false, p.s.Expected("PAT-4", "a quantifier such as {2}, {2,}, {,3} or {2,3} with unsigned integers", p.boundHint())
	}
	p.s.Next()
	switch {
	case q.Min > MaxBound || q.Max > MaxBound:
		p.wrong(pos, "the bound of a quantifier is larger than %d", "a quantifier without upper bound, such as {2,}, has no limit", MaxBound)
	case q.Max == 0:
		p.wrong(pos, "the upper bound of a quantifier is 0", "write an upper bound of 1 or more, or leave the part out of the pattern")
	case q.Max != Unbounded && q.Min > q.Max:
		p.wrong(pos, "the lower bound %d of the quantifier is larger than its upper bound %d", fmt.Sprintf("exchange the bounds: {%d,%d}", q.Max, q.Min), q.Min, q.Max)
	}
	return exact, nil
}

// wrong notes a semantic error of PAT-4: grammatical, but against a syntax rule.
func (p *patternParser) wrong(pos diag.Pos, format, hint string, args ...any) {
	p.bounds.Add(diag.New(diag.Semantic, "PAT-4", pos, format, args...).WithHint("%s", hint).In(p.s.Source()))
}

// bound parses an unsigned integer; one that is too large becomes MaxBound + 1.
func (p *patternParser) bound() (int, error) {
	t := p.s.Peek(0)
	if strings.Trim(t.Text, "0123456789") != "" {
		return 0, p.s.Errorf("PAT-4", "%s is no unsigned integer", t.Text).
			WithHint("write the bounds of a quantifier as digits alone, for example {2,3}")
	}
	p.s.Next()
	n, err := strconv.Atoi(t.Text)
	if err != nil || n > MaxBound {
		return MaxBound + 1, nil
	}
	return n, nil
}
