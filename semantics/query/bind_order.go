package query

import (
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/scalar"
)

// sortKey is a bound key of ORDER BY: an output column, or an expression.
type sortKey struct {
	output     int         // -1: expr
	expr       scalar.Expr // over the rows that the output is computed from
	descending bool
	nullsFirst bool
}

// blockOrder binds the ORDER BY of a block that is not DISTINCT. A name means a
// column of the select list if there is one, else a column of FROM.
func (b *binder) blockOrder(l *leaves, items []sqlexpr.SortItem, out []outColumn, rel relation) []sortKey {
	if len(items) == 0 {
		return nil
	}
	ol := *l
	ol.place, ol.out = "ORDER BY", out
	var keys []sortKey
	for _, item := range items {
		k := b.sortKey(item)
		if i, ok := b.ordinal(item.Expr, rel); ok {
			k.output = i
		} else {
			k.expr = b.scalarBinder(&ol).Bind(ol.prepare(item.Expr))
			k.output = indexOf(out, k.expr)
		}
		keys = append(keys, k)
	}
	return keys
}

// indexOf finds an expression in the select list; -1 if it is not there.
func indexOf(out []outColumn, e scalar.Expr) int {
	for i, o := range out {
		if o.expr == e {
			return i
		}
	}
	return -1
}

// repeats finds the column of the select list that a key of ORDER BY repeats,
// for SELECT DISTINCT; -1 if there is none, or if the key is a name of the
// select list, which comes first.
func (b *binder) repeats(l *leaves, n *sqlexpr.Node, out []outColumn) int {
	if n.Kind == sqlexpr.Name && len(n.Names) == 1 && n.Over == nil {
		for _, o := range out {
			if o.name == n.Names[0].Text {
				return -1
			}
		}
	}
	var e scalar.Expr
	if b.quietly(func() { e = b.scalarBinder(l).Bind(l.prepare(n)) }) {
		return -1
	}
	text := e.String()
	for i, o := range out {
		if o.expr.String() == text {
			return i
		}
	}
	return -1
}
