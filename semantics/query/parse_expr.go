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

// cell parses an expression of VALUES. Plain literals, of which there may be
// very many, go a shorter way.
func (p *parser) cell() (*sqlexpr.Node, error) {
	t, next := p.s.Peek(0), p.s.Peek(1)
	if next.IsOp(",") || next.IsOp(")") {
		n := &sqlexpr.Node{Kind: sqlexpr.Literal, Pos: t.Pos, End: t.End, Text: t.Text}
		switch {
		case t.Kind == token.Str:
			n.Value, n.Type, n.Text = value.String(t.Text), value.TypeVarchar, token.QuoteString(t.Text)
			p.s.Next()
			return n, nil
		case t.Kind == token.Number && len(t.Text) <= value.MaxPrecision:
			var err error
			if n.Value, n.Type, err = value.ParseNumber(t.Text); err == nil {
				p.s.Next()
				return n, nil
			}
		}
	}
	if p.s.At("DEFAULT") {
		return nil, p.s.Errorf("SQL-1", "DEFAULT stands only in INSERT").WithHint("write NULL or a value")
	}
	return p.expr()
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
