package query

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// maxDepth is how deep queries can be nested: derived tables, subqueries, items
// of WITH and parentheses (LIM-1).
const maxDepth = 100

// Parse parses a statement; names and types are left to Bind. The error is a
// *diag.Error: the first syntax error in the source, or of stage unsupported or
// limit where parsing had to stop.
func Parse(sql string, r readings.Set) (*Statement, error) {
	toks := token.Lex(sql)
	p := newParser(sql, toks, r)
	err := p.statement()
	if err == nil {
		return p.st, nil
	}
	return nil, firstError(sql, toks, r, diag.From(err)).In(sql)
}

// parser is a recursive descent parser over the tokens of one statement. The
// first error ends it.
type parser struct {
	s     *token.Stream
	src   string
	toks  []token.Token
	st    *Statement
	depth int
}

func newParser(src string, toks []token.Token, r readings.Set) *parser {
	p := &parser{s: token.NewStream(src, toks), src: src, toks: toks,
		st: &Statement{source: src, readings: r, subqueries: map[*sqlexpr.Node]*queryNode{}, windows: map[*sqlexpr.Over]*windowNode{}}}
	p.s.IsReserved = p.reserved()
	return p
}

// reserved tells which words are no names without quotes (GRAM-15).
func (p *parser) reserved() func(string) bool {
	if p.st.readings.Is(readings.GRAM15) {
		return token.ISOReserved
	}
	return token.Reserved
}

// statement parses the whole text: one query and perhaps one semicolon.
func (p *parser) statement() error {
	if err := p.foreignStatement(); err != nil {
		return err
	}
	q, err := p.query()
	if err != nil {
		return err
	}
	p.st.query = q
	if p.s.AcceptOp(";") {
		if !p.s.Done() {
			return p.s.Errorf("SQL-1", "the statement ends with the semicolon, and %s follows", token.Describe(p.src, p.s.Peek(0))).
				WithHint("run one statement at a time, with one semicolon at its end")
		}
		return nil
	}
	if !p.s.Done() {
		return p.unexpected("the end of the statement")
	}
	return nil
}

// enter counts one level of nesting, which leave takes back.
func (p *parser) enter() error {
	if p.depth++; p.depth > maxDepth {
		return diag.New(diag.Limit, "LIM-1", p.s.Pos(), "queries are nested more than %d levels deep", maxDepth).In(p.src).
			WithHint("name the inner queries in WITH, one behind the other")
	}
	return nil
}

func (p *parser) leave() { p.depth-- }

// query parses a query expression up to what cannot continue it.
func (p *parser) query() (*queryNode, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	q := &queryNode{pos: p.s.Pos()}
	if p.s.At("WITH") {
		if err := p.with(q); err != nil {
			return nil, err
		}
	}
	if err := p.terms(q); err != nil {
		return nil, err
	}
	if p.s.At("ORDER") {
		var err error
		if q.orderBy, err = p.orderBy(); err != nil {
			return nil, err
		}
	}
	if err := p.rowCounts(q); err != nil {
		return nil, err
	}
	if err := p.afterQuery(q); err != nil {
		return nil, err
	}
	q.end = p.lastEnd()
	return q, nil
}

// lastEnd returns the byte offset after the token before the current one.
func (p *parser) lastEnd() int {
	if i := p.s.Index(); i > 0 {
		return p.toks[i-1].End
	}
	return 0
}

// with parses WITH [RECURSIVE] name [(column, ...)] AS (query), ...
func (p *parser) with(q *queryNode) error {
	p.s.Next()
	if p.s.At("RECURSIVE") && !p.s.Peek(1).Is("AS") && !p.s.Peek(1).IsOp("(") {
		q.recursive = p.s.Pos()
		p.s.Next()
	}
	for {
		w, err := p.s.Word("the name of an item of WITH")
		if err != nil {
			return err
		}
		item := withNode{name: nameOf(w)}
		if p.s.AtOp("(") {
			if item.columns, err = p.columnList(); err != nil {
				return err
			}
		}
		if err := p.s.Expect("AS", "write WITH "+item.name.String()+" AS (query)"); err != nil {
			return err
		}
		if p.s.At("MATERIALIZED") || p.s.AtSeq("NOT", "MATERIALIZED") {
			return p.s.Errorf("SQL-1", "MATERIALIZED is PostgreSQL's, not in the standard").WithHint("leave it out: an item is computed once")
		}
		if !p.s.AtOp("(") {
			return p.s.Expected("SQL-1", "( and a query after AS", "write WITH "+item.name.String()+" AS (query)")
		}
		if item.query, err = p.parenthesised(); err != nil {
			return err
		}
		q.with = append(q.with, item)
		if !p.s.AcceptOp(",") {
			break
		}
	}
	if p.s.At("SEARCH", "CYCLE") {
		return p.unsupported("%s in WITH is not supported", p.s.Peek(0).Text).WithHint("recursive queries are not run; prepare their result in a file")
	}
	return nil
}

// parenthesised parses ( query ); the stream stands at the parenthesis.
func (p *parser) parenthesised() (*queryNode, error) {
	p.s.Next()
	q, err := p.query()
	if err != nil {
		return nil, err
	}
	if !p.s.AcceptOp(")") {
		return nil, p.unexpected(")")
	}
	return q, nil
}

// terms parses term {UNION ALL term}.
func (p *parser) terms(q *queryNode) error {
	for {
		t, err := p.term()
		if err != nil {
			return err
		}
		q.terms = append(q.terms, t)
		switch {
		case p.s.AtSeq("UNION", "ALL"):
			p.s.Next()
			p.s.Next()
			if p.s.At("CORRESPONDING") || p.s.AtSeq("BY", "NAME") {
				return p.unsupported("UNION by column names is not supported").WithHint("list the columns in the same order in both queries")
			}
			continue
		case p.s.At("UNION"):
			return p.unsupported("UNION without ALL is not supported").
				WithHint("write SELECT DISTINCT * FROM (... UNION ALL ...) AS u")
		case p.s.At("INTERSECT", "EXCEPT"):
			return p.unsupported("%s is not supported", p.s.Peek(0).Text).
				WithHint("compare with WHERE x IN (SELECT ...) or NOT IN, or prepare the rows in a file")
		case p.s.At("MINUS"):
			return p.s.Errorf("SQL-1", "MINUS is Oracle's word for EXCEPT").
				WithHint("compare with WHERE x NOT IN (SELECT ...), or prepare the rows in a file; EXCEPT is not supported either")
		}
		return nil
	}
}

// term parses SELECT, VALUES, TABLE name or a query in parentheses.
func (p *parser) term() (termNode, error) {
	t := termNode{pos: p.s.Pos()}
	var err error
	switch {
	case p.s.At("SELECT"):
		t.block, err = p.selectBlock()
	case p.s.At("VALUES"):
		t.values, err = p.values()
	case p.s.At("TABLE") && p.s.Peek(1).Kind == token.Ident:
		t.block, err = p.explicitTable()
	case p.s.AtOp("("):
		t.query, err = p.parenthesised()
	default:
		err = p.notAQuery()
	}
	return t, err
}

// explicitTable parses TABLE name, which means SELECT * FROM name.
func (p *parser) explicitTable() (*selectNode, error) {
	pos := p.s.Next().Pos
	name, err := p.tableName()
	if err != nil {
		return nil, err
	}
	return &selectNode{pos: pos, items: []itemNode{{pos: pos}}, from: &factorNode{pos: name.Pos, name: name}}, nil
}

// values parses VALUES (cell, ...), ...
func (p *parser) values() (*valuesNode, error) {
	v := &valuesNode{pos: p.s.Next().Pos}
	for {
		row := valuesRow{pos: p.s.Pos()}
		if !p.s.AcceptOp("(") {
			if t := p.s.Peek(0); t.Kind == token.Number || t.Kind == token.Str || t.Is("NULL") || t.Is("ROW") {
				return nil, p.s.Errorf("SQL-1", "a row of VALUES is not in parentheses").WithHint("write VALUES (1), (2)")
			}
			return nil, p.s.Expected("SQL-1", "( and a row of VALUES", "write VALUES (1, 'a'), (2, 'b'), with a comma between two rows and none behind the last")
		}
		for {
			c, err := p.cell()
			if err != nil {
				return nil, err
			}
			row.cells = append(row.cells, c)
			if !p.s.AcceptOp(",") {
				break
			}
		}
		if !p.s.AcceptOp(")") {
			return nil, p.unexpected("a comma or )")
		}
		v.rows = append(v.rows, row)
		if !p.s.AcceptOp(",") {
			return v, nil
		}
	}
}

// orderBy parses ORDER BY with its keys.
func (p *parser) orderBy() ([]sqlexpr.SortItem, error) {
	if err := p.s.ExpectSeq("write ORDER BY and the columns", "ORDER", "BY"); err != nil {
		return nil, err
	}
	var keys []sqlexpr.SortItem
	for {
		if p.s.At("ALL") {
			return nil, p.s.Errorf("SQL-1", "ORDER BY ALL is DuckDB's, not in the standard").WithHint("list the columns")
		}
		n, err := p.expr()
		if err != nil {
			return nil, err
		}
		k := sqlexpr.SortItem{Expr: n}
		switch {
		case p.s.Accept("DESC"):
			k.Descending = true
		case p.s.Accept("ASC"):
		case p.s.At("USING"):
			return nil, p.s.Errorf("SQL-1", "ORDER BY ... USING is PostgreSQL's, not in the standard").WithHint("write ASC or DESC")
		}
		if p.s.Accept("NULLS") {
			first := p.s.Accept("FIRST")
			if !first && !p.s.Accept("LAST") {
				return nil, p.s.Expected("SQL-1", "FIRST or LAST after NULLS", "write NULLS FIRST or NULLS LAST")
			}
			k.NullsFirst = &first
		}
		keys = append(keys, k)
		if !p.s.AcceptOp(",") {
			return keys, nil
		}
	}
}

// rowCounts parses OFFSET, LIMIT and FETCH FIRST. LIMIT may stand before
// OFFSET, as most products write it.
func (p *parser) rowCounts(q *queryNode) error {
	for {
		var err error
		switch {
		case p.s.At("OFFSET") && q.offset == nil:
			q.offset, err = p.count(p.s.Next().Text)
			if err == nil && !p.s.Accept("ROWS") {
				p.s.Accept("ROW")
			}
		case p.s.At("LIMIT") && q.limit == nil:
			p.s.Next()
			if p.s.Accept("ALL") {
				continue
			}
			if q.limit, err = p.count("LIMIT"); err == nil {
				err = p.limitForms()
			}
		case p.s.At("FETCH") && q.limit == nil:
			q.limit, err = p.fetch()
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// limitForms refuses what other products write behind LIMIT n.
func (p *parser) limitForms() error {
	switch {
	case p.s.AtOp(","):
		return p.s.Errorf("SQL-1", "LIMIT with two numbers is MySQL's, not in the standard").
			WithHint("write OFFSET a ROWS FETCH FIRST b ROWS ONLY for LIMIT a, b")
	case p.s.At("BY"), p.s.At("PERCENT"):
		return p.s.Errorf("SQL-1", "LIMIT n %s is not in the standard", p.s.Peek(0).Text).WithHint("write FETCH FIRST n ROWS ONLY")
	case p.s.AtSeq("WITH", "TIES"):
		return p.unsupported("WITH TIES is not supported").WithHint("write FETCH FIRST n ROWS ONLY")
	}
	return nil
}

const fetchForm = "write FETCH FIRST 10 ROWS ONLY"

// fetch parses FETCH FIRST [n] ROWS ONLY.
func (p *parser) fetch() (*countNode, error) {
	pos := p.s.Next().Pos
	if !p.s.Accept("FIRST") && !p.s.Accept("NEXT") {
		return nil, p.s.Expected("SQL-1", "FIRST or NEXT after FETCH", fetchForm)
	}
	c := &countNode{what: "FETCH FIRST"}
	if p.s.At("ROW", "ROWS") {
		n, err := p.one(pos)
		if err != nil {
			return nil, err
		}
		c.expr = n
	} else {
		var err error
		if c, err = p.count("FETCH FIRST"); err != nil {
			return nil, err
		}
	}
	if p.s.At("PERCENT") {
		return nil, p.unsupported("FETCH FIRST n PERCENT is not supported").WithHint("write a number of rows")
	}
	if !p.s.Accept("ROWS") && !p.s.Accept("ROW") {
		return nil, p.s.Expected("SQL-1", "ROWS", fetchForm)
	}
	if p.s.AtSeq("WITH", "TIES") {
		return nil, p.unsupported("FETCH FIRST n ROWS WITH TIES is not supported").WithHint("write FETCH FIRST n ROWS ONLY")
	}
	return c, p.s.Expect("ONLY", fetchForm)
}

// count parses a number of rows: an unsigned integer or a host variable.
func (p *parser) count(what string) (*countNode, error) {
	t := p.s.Peek(0)
	switch {
	case t.Kind == token.HostVar:
	case t.Kind == token.Number:
		for i := range len(t.Text) {
			if t.Text[i] < '0' || t.Text[i] > '9' {
				return nil, p.s.Errorf("SQL-1", "the number of rows of %s is no integer: %s", what, t.Text).WithHint("write a whole number of rows, or a host variable")
			}
		}
	case t.IsOp("-"), t.IsOp("+"):
		return nil, p.s.Errorf("SQL-1", "the number of rows of %s has a sign", what).WithHint("write an unsigned integer")
	default:
		return nil, p.s.Expected("SQL-1", "a number of rows or a host variable after "+what, "write "+what+" and a whole number of rows, or a host variable such as :n")
	}
	n, err := p.expr()
	if err != nil {
		return nil, err
	}
	if n.Kind != sqlexpr.Literal && n.Kind != sqlexpr.Param {
		return nil, diag.New(diag.Syntax, "SQL-1", n.Pos, "the number of rows of %s is an expression", what).In(p.src).
			WithHint("write an integer or a host variable")
	}
	return &countNode{what: what, expr: n}, nil
}

// columnList parses ( name, ... ).
func (p *parser) columnList() ([]semantics.Name, error) {
	if err := p.s.ExpectOp("(", "write the names of the columns in parentheses"); err != nil {
		return nil, err
	}
	var out []semantics.Name
	for {
		w, err := p.s.Word("the name of a column")
		if err != nil {
			return nil, err
		}
		out = append(out, nameOf(w))
		if p.s.Peek(0).Kind == token.Ident {
			return nil, p.unsupported("a column list with types is not supported").WithHint("list the names only; types come from the data, or from CAST")
		}
		if !p.s.AcceptOp(",") {
			return out, p.s.ExpectOp(")", "separate the names by commas and close the list with )")
		}
	}
}

func (p *parser) unsupported(format string, args ...any) *diag.Error {
	return diag.New(diag.Unsupported, "SQL-1", p.s.Pos(), format, args...).In(p.src)
}
