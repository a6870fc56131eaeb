package query

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// outColumn is a column of a select list.
type outColumn struct {
	name string
	expr scalar.Expr
}

// blockPlan is SELECT ... with its ORDER BY. Its parts are evaluated in the
// order of the fields.
type blockPlan struct {
	input    plan
	where    scalar.Expr
	group    *grouping // nil: not grouped
	having   scalar.Expr
	windows  []*windowCall
	out      []outColumn
	distinct bool
	order    []sortKey
	opt      value.Options
}

// block binds a SELECT block; env is the scope of its query. The keys of ORDER
// BY see the block's columns besides its output, unless it is DISTINCT.
func (b *binder) block(n *selectNode, env *scope, order []sqlexpr.SortItem) relation {
	row, input := b.from(n.from, env)
	sc := &scope{row: row, noFrom: row == nil, parent: env, with: env.with}
	if row != nil {
		sc.known = len(row.Fields)
	}
	for _, it := range n.items {
		if it.alias != nil {
			sc.aliases = append(sc.aliases, it.alias.Text)
		}
	}
	sc.hints = hintsOf(n, input)
	p := &blockPlan{input: input, distinct: n.distinct, opt: b.value}
	if n.where != nil {
		p.where = b.condition(&leaves{b: b, sc: sc, place: "WHERE"}, n.where, "WHERE")
	}
	win := b.windows(n, sc, env)
	p.group = b.grouping(n, sc, order)
	if p.group != nil {
		win.refused = true
	}
	l := &leaves{b: b, sc: sc, place: "the select list", group: p.group, win: win}
	if n.having != nil {
		p.having = b.condition(&leaves{b: b, sc: sc, place: "HAVING", group: p.group}, n.having, "HAVING")
	}
	rel := relation{plan: p}
	for i := range n.items {
		b.item(l, &n.items[i], p, &rel)
	}
	for _, o := range p.out {
		rel.fields = append(rel.fields, semantics.Field{Name: o.name, Type: o.expr.Type()})
	}
	if n.distinct {
		p.order = b.outputOrder(order, rel, func(n *sqlexpr.Node) int { return b.repeats(l, n, p.out) }, env)
	} else {
		p.order = b.blockOrder(l, order, p.out, rel)
	}
	p.windows = win.calls
	return rel
}

// condition binds WHERE or HAVING.
func (b *binder) condition(l *leaves, n *sqlexpr.Node, what string) scalar.Expr {
	return b.scalarBinder(l).Condition(l.prepare(n), "SQL-1", "the condition of "+what)
}

// item binds one item of the select list.
func (b *binder) item(l *leaves, it *itemNode, p *blockPlan, rel *relation) {
	if it.expr != nil {
		e := b.scalarBinder(l).Bind(l.prepare(it.expr))
		name := generatedName(len(p.out))
		switch {
		case it.alias != nil:
			name = it.alias.Text
		case it.expr.Kind == sqlexpr.Name:
			name = it.expr.Names[len(it.expr.Names)-1].Text
		}
		p.out = append(p.out, outColumn{name, e})
		return
	}
	row := l.sc.row
	switch {
	case row == nil:
		b.fail(semantic(it.pos, "* stands for the columns of FROM, and there is no FROM").WithHint("add FROM, or list expressions"))
		rel.untyped = true
		return
	case it.qualifier != nil && it.qualifier.Text != row.Correlation:
		b.fail(l.sc.unknown([]token.Word{token.Word(*it.qualifier), {Text: "*", Quoted: true}}).At(it.pos))
		rel.untyped = true
		return
	}
	rel.untyped = rel.untyped || row.Untyped
	for i := range l.sc.known {
		p.out = append(p.out, outColumn{row.Fields[i].Name, l.columnAt(i, it.pos)})
	}
}

// leaves binds what is peculiar to the outer query: columns, aggregates, window
// functions and subqueries.
type leaves struct {
	b     *binder
	sc    *scope
	place string
	group *grouping   // not nil: rows are groups, and aggregates are allowed
	win   *windowSet  // not nil: OVER is allowed
	out   []outColumn // not nil: names of the select list come first (ORDER BY)
}

// column is a column of the rows that an expression is evaluated over.
type column struct {
	scalar.Base
	index int
	text  string
}

// Eval reads the column.
func (c *column) Eval(env scalar.Env) (value.Value, error) {
	e := env.(*rowEnv)
	return e.t.Value(e.row, c.index), nil
}

// Children returns nothing: a column has no operands.
func (*column) Children() []scalar.Expr { return nil }

// String returns the column's name; within one block it identifies the column.
func (c *column) String() string { return c.text }

// Name binds a column, or a measure of a window.
func (l *leaves) Name(_ *scalar.Binder, n *sqlexpr.Node) scalar.Expr {
	if n.Over != nil {
		return l.measure(n)
	}
	if l.group != nil {
		if k, ok := l.group.marks[n]; ok {
			return l.group.key(k, n.Pos)
		}
	}
	if len(n.Names) == 1 {
		if e, ok := l.outputNamed(n); ok {
			return e
		}
	}
	i := l.b.resolve(l.sc, n.Names)
	if i < 0 {
		return invalid(n.Pos)
	}
	return l.columnAt(i, n.Pos)
}

// columnAt makes a reference to a column of FROM. Where rows are groups it is
// an error, unless the column is grouped.
func (l *leaves) columnAt(i int, pos diag.Pos) scalar.Expr {
	f := l.sc.row.Fields[i]
	c := &column{Base: scalar.Base{Place: pos, T: f.Type}, index: i, text: (token.Word{Text: f.Name}).String()}
	if l.group == nil {
		return c
	}
	if k, ok := l.group.keyText[c.text]; ok {
		return l.group.key(k, pos)
	}
	if l.group.bad {
		return invalid(pos)
	}
	l.b.fail(semantic(pos, "the column %s is neither grouped nor inside an aggregate", c.text).
		WithHint("add it to GROUP BY, or take one value, for example MIN(%s)", c.text))
	return invalid(pos)
}

// outputNamed finds a column of the select list by its name, for ORDER BY.
func (l *leaves) outputNamed(n *sqlexpr.Node) (scalar.Expr, bool) {
	found := -1
	for i, o := range l.out {
		if o.name != n.Names[0].Text {
			continue
		}
		if found >= 0 && l.out[found].expr.String() != o.expr.String() {
			l.b.fail(nameError(n.Pos, "%s is ambiguous: the select list has it several times", n.Names[0]).
				WithHint("give the columns different aliases, or order by their number"))
			return invalid(n.Pos), true
		}
		if found < 0 {
			found = i
		}
	}
	if found < 0 {
		return nil, false
	}
	return l.out[found].expr, true
}

func invalid(pos diag.Pos) scalar.Expr { return &scalar.Invalid{Base: scalar.Base{Place: pos}} }

// Call binds aggregates and window functions, and refuses what belongs to a
// recognition.
func (l *leaves) Call(sb *scalar.Binder, n *sqlexpr.Node) (scalar.Expr, bool) {
	name := callName(n)
	if patternOnly(n) {
		if l.sc.inPattern() {
			l.b.fail(diag.New(diag.Semantic, "DEF-13", n.Pos, "%s is not allowed in a subquery of MEASURES or DEFINE", describe(n)).
				WithHint("take it out of the subquery, which must not depend on the match: compare with its result outside, as in x IN (SELECT ...)"))
			return invalid(n.Pos), true
		}
		return nil, false // NEST-5, by package scalar
	}
	if n.Over != nil {
		return l.windowFunction(sb, n)
	}
	fn, ok := scalar.LookupAggregate(name)
	if !ok || l.group == nil {
		return nil, false
	}
	return l.aggregate(n, fn), true
}

// patternOnly reports a call that stands only in MEASURES and DEFINE (NEST-5).
func patternOnly(n *sqlexpr.Node) bool {
	switch callName(n) {
	case "PREV", "NEXT", "FIRST", "LAST", "CLASSIFIER", "MATCH_NUMBER":
		return true
	}
	return n.Semantics != sqlexpr.NoSemantics || len(n.Args) == 1 && n.Args[0].Kind == sqlexpr.Star && len(n.Args[0].Names) > 0
}

// describe names a call of patternOnly.
func describe(n *sqlexpr.Node) string {
	switch {
	case n.Semantics == sqlexpr.Running:
		return "RUNNING"
	case n.Semantics == sqlexpr.Final:
		return "FINAL"
	case len(n.Args) == 1 && n.Args[0].Kind == sqlexpr.Star && len(n.Args[0].Names) > 0:
		return callName(n) + "(" + join(n.Args[0].Names) + ".*)"
	}
	return callName(n)
}

// Subquery binds an uncorrelated subquery.
func (l *leaves) Subquery(_ *scalar.Binder, n *sqlexpr.Node) scalar.Query {
	return l.b.subquery(l.b.st.subqueries[n], l.sc)
}

// inner returns leaves for the arguments of an aggregate or window function:
// plain columns.
func (l *leaves) inner(place string) *leaves { return &leaves{b: l.b, sc: l.sc, place: place} }

// prepare marks what stands for a grouping key.
func (l *leaves) prepare(n *sqlexpr.Node) *sqlexpr.Node {
	if l.group == nil {
		return n
	}
	return l.group.substitute(l, n)
}
