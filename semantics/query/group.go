package query

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// grouping turns rows into groups: a row of its table has the keys, then the
// aggregates.
type grouping struct {
	b       *binder
	keys    []scalar.Expr
	keyText map[string]int // by the text of the bound key
	sizes   map[int]bool   // node counts of the keys that are expressions
	bad     bool           // a key is in error: columns are not judged
	marks   map[*sqlexpr.Node]int
	aggs    []*aggregateColumn
	aggText map[string]*aggregateColumn
	all     bool // no GROUP BY: one group, even of no rows
}

// grouping binds GROUP BY; nil if the block is not grouped, which it is with
// GROUP BY, HAVING or any aggregate.
func (b *binder) grouping(n *selectNode, sc *scope, order []sqlexpr.SortItem) *grouping {
	grouped := n.groupPos.IsValid() || n.having != nil
	for _, it := range n.items {
		grouped = grouped || it.expr != nil && hasAggregate(it.expr)
	}
	for _, k := range order {
		grouped = grouped || hasAggregate(k.Expr)
	}
	if !grouped {
		return nil
	}
	g := &grouping{b: b, keyText: map[string]int{}, sizes: map[int]bool{}, marks: map[*sqlexpr.Node]int{},
		aggText: map[string]*aggregateColumn{}, all: !n.groupPos.IsValid()}
	l := &leaves{b: b, sc: sc, place: "GROUP BY"}
	for _, k := range n.groupBy {
		g.addKey(l, k)
	}
	return g
}

func (g *grouping) addKey(l *leaves, n *sqlexpr.Node) {
	if n.Kind == sqlexpr.Literal {
		g.bad = true
		g.b.fail(semantic(n.Pos, "GROUP BY the constant %s groups nothing", n.SQL()).
			WithHint("numbers of the select list, which PostgreSQL and others take here, are not in the standard: repeat the expression"))
		return
	}
	e := g.b.scalarBinder(l).Bind(n)
	if _, ok := e.(*scalar.Invalid); ok {
		g.bad = true
		return
	}
	text := e.String()
	if _, ok := g.keyText[text]; ok {
		return
	}
	if _, ok := e.(*column); !ok {
		g.sizes[size(n)] = true
	}
	g.keyText[text] = len(g.keys)
	g.keys = append(g.keys, e)
}

// hasAggregate reports an aggregate outside subqueries and windows.
func hasAggregate(n *sqlexpr.Node) bool {
	found := false
	walk(n, func(n *sqlexpr.Node) bool {
		if n.Kind == sqlexpr.Call && n.Over == nil && !patternOnly(n) {
			_, ok := scalar.LookupAggregate(callName(n))
			found = found || ok
		}
		return !found
	})
	return found
}

// size counts the nodes of an expression.
func size(n *sqlexpr.Node) int {
	count := 0
	walk(n, func(*sqlexpr.Node) bool { count++; return true })
	return count
}

// key makes a reference to a key.
func (g *grouping) key(k int, pos diag.Pos) scalar.Expr {
	e := g.keys[k]
	return &column{Base: scalar.Base{Place: pos, T: e.Type()}, index: k, text: e.String()}
}

// substitute returns a copy of an expression in which every part that repeats a
// key is a marked node. Only parts of the size of a key are compared, so that
// the work stays linear.
func (g *grouping) substitute(l *leaves, n *sqlexpr.Node) *sqlexpr.Node {
	if len(g.sizes) == 0 {
		return n // plain columns are found when they are bound
	}
	out, _ := g.replace(l, n)
	return out
}

func (g *grouping) replace(l *leaves, n *sqlexpr.Node) (*sqlexpr.Node, int) {
	switch n.Kind {
	case sqlexpr.Name, sqlexpr.Literal, sqlexpr.Param, sqlexpr.Star, sqlexpr.Subquery, sqlexpr.Exists:
		return n, 1
	case sqlexpr.Call:
		if _, ok := scalar.LookupAggregate(callName(n)); ok {
			return n, size(n) // inside an aggregate rows are not grouped
		}
	}
	count := 1
	c := *n
	sub := func(x *sqlexpr.Node) *sqlexpr.Node {
		if x == nil {
			return nil
		}
		y, k := g.replace(l, x)
		count += k
		return y
	}
	c.Operand = sub(n.Operand)
	c.Args = make([]*sqlexpr.Node, len(n.Args))
	for i, a := range n.Args {
		c.Args[i] = sub(a)
	}
	c.Else = sub(n.Else)
	c.Filter = sub(n.Filter)
	if g.sizes[count] {
		var e scalar.Expr
		plain := &leaves{b: l.b, sc: l.sc, place: l.place}
		failed := l.b.quietly(func() { e = l.b.scalarBinder(plain).Bind(n) })
		if k, ok := g.keyText[e.String()]; ok && !failed {
			mark := &sqlexpr.Node{Kind: sqlexpr.Name, Pos: n.Pos, End: n.End}
			g.marks[mark] = k
			return mark, count
		}
	}
	return &c, count
}

// aggregateColumn is an aggregate over the rows of a group.
type aggregateColumn struct {
	scalar.Base
	index int // among the aggregates
	g     *grouping
	agg   *scalar.Aggregation
	text  string
}

// Eval reads the column of the aggregate.
func (a *aggregateColumn) Eval(env scalar.Env) (value.Value, error) {
	e := env.(*rowEnv)
	return e.t.Value(e.row, len(a.g.keys)+a.index), nil
}

// Children returns nothing: the operands are evaluated over other rows.
func (*aggregateColumn) Children() []scalar.Expr { return nil }

// String returns the call; equal calls of a block are computed once.
func (a *aggregateColumn) String() string { return a.text }

// aggregate binds an aggregate call of a grouped block.
func (l *leaves) aggregate(n *sqlexpr.Node, fn *scalar.Aggregate) scalar.Expr {
	agg, ok := l.aggregation(n, fn)
	if !ok {
		return invalid(n.Pos)
	}
	text := aggregationText(agg)
	g := l.group
	known, ok := g.aggText[text]
	if !ok {
		known = &aggregateColumn{Base: scalar.Base{Place: n.Pos, T: agg.Type}, index: len(g.aggs), g: g, agg: agg, text: text}
		g.aggs = append(g.aggs, known)
		g.aggText[text] = known
	}
	return known
}

// aggregation binds an aggregate over the rows of FROM.
func (l *leaves) aggregation(n *sqlexpr.Node, fn *scalar.Aggregate) (*scalar.Aggregation, bool) {
	sb := l.b.scalarBinder(l.inner("an aggregate"))
	before := l.b.errs.Len()
	agg, ok := scalar.BindAggregation(sb, n, fn, func(*sqlexpr.Node) bool { return true })
	return agg, ok && l.b.errs.Len() == before
}

// aggregationText identifies a bound aggregate: equal calls have equal texts.
func aggregationText(a *scalar.Aggregation) string {
	var s strings.Builder
	s.WriteString(a.Fn.Name + "(")
	if a.Distinct {
		s.WriteString("DISTINCT ")
	}
	if len(a.Args) == 0 {
		s.WriteString("*")
	}
	s.WriteString(texts(a.Args))
	for i, k := range a.OrderBy {
		if i == 0 {
			s.WriteString(" ORDER BY")
		}
		fmt.Fprintf(&s, " %s desc=%t first=%t,", k.Expr, k.Descending, k.NullsFirst)
	}
	s.WriteString(")")
	if a.Filter != nil {
		s.WriteString(" FILTER (WHERE " + a.Filter.String() + ")")
	}
	return s.String()
}

// texts prints expressions, separated by commas.
func texts(list []scalar.Expr) string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.String()
	}
	return strings.Join(out, ", ")
}
