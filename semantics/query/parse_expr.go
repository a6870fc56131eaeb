package query

import (
	"sort"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// expr parses the longest expression that begins here, with the subqueries and
// windows in it.
func (p *parser) expr() (*sqlexpr.Node, error) {
	if t := p.s.Peek(0); t.Kind == token.EOF || t.IsOp(",") || t.IsOp(")") {
		return nil, p.s.Expected("SQL-1", "an expression", p.operandHint())
	}
	n, used, err := sqlexpr.ParsePrefix(p.src, p.s.Rest(), sqlexpr.Options{Reserved: p.reserved()})
	if n == nil {
		return nil, err
	}
	if err != nil { // a type that does not exist: semantic, later
		p.st.late = append(p.st.late, diag.From(err))
	}
	p.s.Reset(p.s.Index() + used)
	return n, p.embedded(n)
}

// operandHint tells what to do where an expression is missing.
func (p *parser) operandHint() string {
	i := p.s.Index()
	if i == 0 {
		return "write an expression"
	}
	switch before := p.toks[i-1]; {
	case before.IsOp(","):
		return "remove the comma before it, or write one more expression"
	case before.Is("BY"):
		return "write behind " + p.toks[max(i-2, 0)].Text + " BY the columns or expressions to use"
	default:
		return "write an expression behind " + token.Describe(p.src, before)
	}
}

// cell parses a value of VALUES.
func (p *parser) cell() (cellNode, error) {
	t := p.s.Peek(0)
	if c, n := p.plainLiteral(); n > 0 {
		p.s.Reset(p.s.Index() + n)
		return c, nil
	}
	if t.Is("DEFAULT") {
		return cellNode{}, p.s.Errorf("SQL-1", "DEFAULT stands only in INSERT").WithHint("write NULL or a value")
	}
	n, err := p.expr()
	return cellNode{pos: t.Pos, expr: n}, err
}

// plainLiteral reads a literal that is a whole value of VALUES and returns the
// number of its tokens. It takes a hundredth of the time of an expression;
// whatever is not plain, 0 tokens, is left to that.
func (p *parser) plainLiteral() (c cellNode, tokens int) {
	t, tokens := p.s.Peek(0), 1
	c.pos = t.Pos
	negative := t.IsOp("-") && p.s.Peek(1).Kind == token.Number
	if negative {
		t, tokens = p.s.Peek(1), 2
	}
	var err error
	switch text := p.s.Peek(1); {
	case t.Kind == token.Str:
		c.value, c.typ = value.String(t.Text), value.TypeVarchar
	case t.Kind == token.Number && len(t.Text) <= value.MaxPrecision:
		c.value, c.typ, err = value.ParseNumber(t.Text)
		if negative && err == nil {
			c.value, err = value.Negate(c.typ, c.value)
		}
	case t.Is("NULL"):
	case t.Is("TRUE"), t.Is("FALSE"):
		c.value, c.typ = value.Bool(t.Is("TRUE")), value.TypeBoolean
	case t.Is("DATE") && text.Kind == token.Str:
		c.value, err = value.ParseDate(text.Text)
		c.typ, tokens = value.TypeDate, 2
	case t.Is("TIMESTAMP") && text.Kind == token.Str:
		c.value, c.typ, err = value.ParseTimestamp(text.Text)
		tokens = 2
	default:
		return c, 0
	}
	if next := p.s.Peek(tokens); err != nil || !next.IsOp(",") && !next.IsOp(")") {
		return c, 0
	}
	return c, tokens
}

// one makes the literal 1: the number of rows of FETCH FIRST ROW ONLY.
func (p *parser) one(pos diag.Pos) (*sqlexpr.Node, error) {
	v, t, err := value.ParseNumber("1")
	return &sqlexpr.Node{Kind: sqlexpr.Literal, Pos: pos, Text: "1", Value: v, Type: t}, err
}

// embedded parses the subqueries and in-line windows of an expression from
// their tokens.
func (p *parser) embedded(n *sqlexpr.Node) error {
	var err error
	walk(n, func(n *sqlexpr.Node) bool {
		if err == nil && (n.Kind == sqlexpr.Subquery || n.Kind == sqlexpr.Exists) {
			err = p.subquery(n)
		}
		if err == nil && n.Over != nil && n.Over.Inline {
			err = p.inlineWindow(n.Over)
		}
		return err == nil
	})
	return err
}

// embeddedIn does the same for the expressions of a recognition.
func (p *parser) embeddedIn(syn *semantics.Syntax) error {
	for _, n := range expressionsOf(syn) {
		if err := p.embedded(n); err != nil {
			return err
		}
	}
	return nil
}

// expressionsOf returns the expressions of a recognition, in source order.
func expressionsOf(syn *semantics.Syntax) []*sqlexpr.Node {
	var out []*sqlexpr.Node
	add := func(n *sqlexpr.Node) {
		if n != nil {
			out = append(out, n)
		}
	}
	for _, k := range syn.OrderBy {
		add(k.Expr)
	}
	for _, m := range syn.Measures {
		add(m.Expr)
	}
	if syn.Frame != nil {
		add(syn.Frame.Start.N)
		add(syn.Frame.End.N)
	}
	for _, d := range syn.Define {
		add(d.Cond)
	}
	return out
}

// index returns the index of the token at a byte offset of the source.
func (p *parser) index(offset int) int {
	return sort.Search(len(p.toks), func(i int) bool { return p.toks[i].Pos.Offset >= offset })
}

// subquery parses the query inside the parentheses of a subquery node.
func (p *parser) subquery(n *sqlexpr.Node) error {
	back := p.s.Mark()
	p.s.Reset(p.index(n.Tokens[0].Pos.Offset))
	q, err := p.query()
	if err != nil {
		return err
	}
	if !p.s.AtOp(")") || p.s.Peek(0).End != n.End {
		return p.unexpected(")")
	}
	p.st.subqueries[n] = q
	p.s.Reset(back)
	return nil
}

// inlineWindow parses the specification of OVER ( ... ).
func (p *parser) inlineWindow(o *sqlexpr.Over) error {
	if err := p.enter(); err != nil {
		return err
	}
	defer p.leave()
	back := p.s.Mark()
	p.s.Reset(p.index(o.Pos.Offset) + 2) // OVER (
	win, err := p.windowSpecification()
	if err != nil {
		return err
	}
	p.st.windows[o] = win
	p.s.Reset(back)
	return nil
}
