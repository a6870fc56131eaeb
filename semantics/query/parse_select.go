package query

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// selectBlock parses SELECT ... up to WINDOW.
func (p *parser) selectBlock() (*selectNode, error) {
	b := &selectNode{pos: p.s.Next().Pos}
	if err := p.quantifier(b); err != nil {
		return nil, err
	}
	for {
		item, err := p.item()
		if err != nil {
			return nil, err
		}
		b.items = append(b.items, item)
		if !p.s.AcceptOp(",") {
			break
		}
		if p.s.At("FROM") {
			return nil, p.s.Errorf("SQL-1", "a comma stands before FROM").WithHint("remove the comma behind the last item of the select list")
		}
	}
	if p.s.At("INTO") {
		return nil, p.unsupported("SELECT ... INTO is not supported").WithHint("leave INTO out: the result is printed, and can be sent to a file")
	}
	if p.s.Accept("FROM") {
		f, err := p.from()
		if err != nil {
			return nil, err
		}
		b.from = f
	}
	if err := p.blockTail(b); err != nil {
		return nil, err
	}
	return b, nil
}

// quantifier parses DISTINCT or ALL behind SELECT, and refuses what other
// products write there.
func (p *parser) quantifier(b *selectNode) error {
	switch {
	case p.s.Accept("DISTINCT"):
		b.distinct = true
		if p.s.At("ON") && p.s.Peek(1).IsOp("(") {
			return p.s.Errorf("SQL-1", "DISTINCT ON is PostgreSQL's, not in the standard").WithHint("write GROUP BY with aggregates such as MIN_BY, or MATCH_RECOGNIZE with a pattern that takes one row")
		}
	case p.s.Accept("ALL"):
	case p.s.At("TOP") && (p.s.Peek(1).Kind == token.Number || p.s.Peek(1).IsOp("(") || p.s.Peek(1).Kind == token.HostVar):
		return p.s.Errorf("SQL-1", "TOP is SQL Server's, not in the standard").WithHint("write FETCH FIRST n ROWS ONLY at the end of the query")
	case p.s.At("STRAIGHT_JOIN", "SQL_CALC_FOUND_ROWS"):
		return p.s.Errorf("SQL-1", "%s is MySQL's, not in the standard", p.s.Peek(0).Text).WithHint("leave it out")
	}
	return nil
}

// item parses one item of the select list.
func (p *parser) item() (itemNode, error) {
	it := itemNode{pos: p.s.Pos()}
	switch {
	case p.s.AcceptOp("*"):
		return it, p.starForms()
	case p.s.Peek(0).Kind == token.Ident && p.s.Peek(1).IsOp(".") && p.s.Peek(2).IsOp("*"):
		w, err := p.s.Word("the name of a table")
		if err != nil {
			return it, err
		}
		name := nameOf(w)
		it.qualifier = &name
		p.s.Next()
		p.s.Next()
		return it, p.starForms()
	}
	n, err := p.expr()
	if err != nil {
		return it, err
	}
	it.expr = n
	if n.Kind == sqlexpr.Call && p.s.At("FROM") && p.s.Peek(1).Kind == token.Ident && p.s.Peek(2).Is("OVER") {
		return it, p.unsupported("%s ... FROM %s is not supported", callName(n), p.s.Peek(1).Text).WithHint("leave it out: NTH_VALUE counts from the first row")
	}
	it.alias, err = p.itemAlias()
	return it, err
}

// itemAlias parses [AS] name behind an item.
func (p *parser) itemAlias() (*semantics.Name, error) {
	as := p.s.Accept("AS")
	t := p.s.Peek(0)
	if t.Kind == token.Str {
		return nil, p.s.Errorf("SQL-1", "an alias is a name, not a string").WithHint("write it in double quotes: %s", token.Quote(t.Text))
	}
	if !as && (!p.s.AtName() || p.s.At("INTO") || p.clauseWord()) {
		return nil, nil
	}
	w, err := p.s.Word("an alias")
	if err != nil {
		return nil, err
	}
	name := nameOf(w)
	return &name, nil
}

// starForms refuses what other products write behind *.
func (p *parser) starForms() error {
	t := p.s.Peek(0)
	next := p.s.Peek(1)
	switch {
	case t.Is("EXCEPT") && next.IsOp("("), t.Is("EXCLUDE"), t.Is("REPLACE"), t.Is("RENAME"), t.Is("ILIKE"):
		return p.s.Errorf("SQL-1", "* %s is DuckDB's, BigQuery's and others', not in the standard", t.Text).WithHint("list the columns")
	case t.Is("AS"):
		return p.unsupported("* AS (names) is not supported").WithHint("list the columns, or give the table a column list: FROM t AS t (a, b)")
	}
	return nil
}

// blockTail parses WHERE, GROUP BY, HAVING and WINDOW.
func (p *parser) blockTail(b *selectNode) error {
	var err error
	if p.s.Accept("WHERE") {
		if b.where, err = p.expr(); err != nil {
			return err
		}
	}
	if p.s.At("GROUP") {
		if err := p.groupBy(b); err != nil {
			return err
		}
	}
	if p.s.Accept("HAVING") {
		if b.having, err = p.expr(); err != nil {
			return err
		}
	}
	if p.s.At("WINDOW") {
		return p.windowClause(b)
	}
	return nil
}

// groupBy parses GROUP BY expression, ...
func (p *parser) groupBy(b *selectNode) error {
	b.groupPos = p.s.Pos()
	p.s.Next()
	if err := p.s.Expect("BY", "write GROUP BY and the columns"); err != nil {
		return err
	}
	switch {
	case p.s.At("DISTINCT"), p.s.At("ALL") && p.s.Peek(1).Kind == token.Ident && p.s.AtName():
		return p.unsupported("GROUP BY %s is not supported", p.s.Peek(0).Text).WithHint("leave the word out")
	case p.s.At("ALL"):
		return p.s.Errorf("SQL-1", "GROUP BY ALL is DuckDB's and Snowflake's, not in the standard").WithHint("list the columns")
	}
	for {
		switch {
		case p.s.AtSeq("GROUPING", "SETS"), p.s.At("ROLLUP", "CUBE") && p.s.Peek(1).IsOp("("), p.s.AtOp("(") && p.s.Peek(1).IsOp(")"):
			return p.unsupported("grouping sets, ROLLUP and CUBE are not supported").
				WithHint("write one query for each grouping and join them with UNION ALL")
		}
		n, err := p.expr()
		if err != nil {
			return err
		}
		b.groupBy = append(b.groupBy, n)
		if !p.s.AcceptOp(",") {
			break
		}
	}
	if p.s.AtSeq("WITH", "ROLLUP") {
		return p.s.Errorf("SQL-1", "WITH ROLLUP is MySQL's, not in the standard").WithHint("write one query for each grouping and join them with UNION ALL")
	}
	return nil
}

// windowClause parses WINDOW name AS ( specification ), ...
func (p *parser) windowClause(b *selectNode) error {
	p.s.Next()
	for {
		w, err := p.s.Word("the name of a window")
		if err != nil {
			return err
		}
		form := "write WINDOW " + w.String() + " AS (...)"
		if err := p.s.Expect("AS", form); err != nil {
			return err
		}
		if !p.s.AtOp("(") {
			return p.s.Expected("SQL-1", "( and a window specification", form)
		}
		p.s.Next()
		win, err := p.windowSpecification()
		if err != nil {
			return err
		}
		win.name = nameOf(w)
		b.windows = append(b.windows, *win)
		if !p.s.AcceptOp(",") {
			return nil
		}
	}
}

// windowSpecification parses a window specification and its closing
// parenthesis; the stream stands behind the opening one.
func (p *parser) windowSpecification() (*windowNode, error) {
	from := p.s.Index()
	win := &windowNode{pos: p.s.Pos()}
	syn, err := semantics.ParseWindow(p.s, p.st.readings)
	if err != nil {
		return nil, err
	}
	win.syntax, win.text = syn, token.SQL(p.toks[from:p.s.Index()])
	if syn.Pattern != nil {
		p.st.recognitions = append(p.st.recognitions, syn.PatternPos)
	} else {
		win.lacks = p.needsPattern(syn)
	}
	return win, p.embeddedIn(syn)
}

// needsPattern returns the error of the parts of row pattern recognition in a
// window without PATTERN (GRAM-14): a semantic one, since each part may stand
// in a window. nil if there is none.
func (p *parser) needsPattern(syn *semantics.Syntax) *diag.Error {
	pos, what := diag.Pos{}, ""
	switch {
	case len(syn.Measures) > 0:
		pos, what = p.before(syn.Measures[0].Expr.Pos), "MEASURES"
	case syn.Skip.Written:
		pos, what = syn.Skip.Pos, "AFTER MATCH"
	case syn.Seek.Word != "":
		pos, what = syn.Seek.Pos, syn.Seek.Word
	case len(syn.Subset) > 0:
		pos, what = p.before(syn.Subset[0].Name.Pos), "SUBSET"
	case len(syn.Define) > 0:
		pos, what = p.before(syn.Define[0].Name.Pos), "DEFINE"
	default:
		return nil
	}
	return diag.New(diag.Semantic, "GRAM-14", pos, "%s needs a PATTERN, and the window has none", what).In(p.src).
		WithHint("add PATTERN (...) and DEFINE behind the frame, or leave %s out", what)
}

// before returns the place of the token before another one.
func (p *parser) before(pos diag.Pos) diag.Pos { return p.toks[max(p.index(pos.Offset)-1, 0)].Pos }
