package query

import (
	"strconv"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// binder is the state of Bind. It goes on after an error; what is in error has
// unknown type, so that no further errors follow from it.
type binder struct {
	st           *Statement
	opt          Options
	value        value.Options
	errs         *diag.List
	x            *execution
	recognitions []boundRecognition
	missing      *diag.Error
}

// boundRecognition is a recognition with the byte offset at which it begins.
type boundRecognition struct {
	clause *semantics.Clause
	at     int
}

// fail records an error.
func (b *binder) fail(e *diag.Error) { b.errs.Add(e.In(b.st.source)) }

// semantic makes a semantic error of rule SQL-1.
func semantic(pos diag.Pos, format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "SQL-1", pos, format, args...)
}

// columnList makes a semantic error of a column list (GRAM-12).
func columnList(pos diag.Pos, format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "GRAM-12", pos, format, args...)
}

// quietly runs f and forgets the errors and recognitions that it adds.
func (b *binder) quietly(f func()) (failed bool) {
	errs, n := b.errs, len(b.recognitions)
	var scratch diag.List
	b.errs = &scratch
	f()
	b.errs, b.recognitions = errs, b.recognitions[:n]
	return scratch.Len() > 0
}

// scalarBinder returns a binder of expressions.
func (b *binder) scalarBinder(l scalar.Leaves) *scalar.Binder {
	return &scalar.Binder{Leaves: l, Errors: b.errs, Options: b.value, Params: b.opt.Params,
		NullsLast: b.opt.Readings.Is(readings.IMPNulls)}
}

// unknownRelation stands for a query in error.
func unknownRelation() relation { return relation{untyped: true, plan: nothing{}} }

// query binds a query expression. outer is the scope around it, with the items
// of WITH in view; nil for the statement.
func (b *binder) query(q *queryNode, outer *scope) relation {
	env := &scope{parent: outer}
	if outer != nil {
		env.with = outer.with
	}
	b.with(q, env)
	var rel relation
	if block := q.terms[0].block; len(q.terms) == 1 && block != nil {
		rel = b.block(block, env, q.orderBy)
	} else {
		rel = b.union(q, env)
		if keys := b.outputOrder(q.orderBy, rel, nil, env); len(keys) > 0 {
			rel.plan = &orderPlan{input: rel.plan, keys: keys, opt: b.value}
		}
	}
	if q.offset != nil || q.limit != nil {
		rel.plan = &cutPlan{input: rel.plan, offset: b.count(q.offset), limit: b.count(q.limit)}
	}
	return rel
}

// with binds the items of WITH into env.
func (b *binder) with(q *queryNode, env *scope) {
	if q.recursive.IsValid() {
		b.recursiveWith(q, env)
		return
	}
	seen := map[string]bool{}
	for i := range q.with {
		item := &q.with[i]
		if seen[item.name.Text] {
			b.fail(semantic(item.name.Pos, "WITH has two items called %s", item.name).WithHint("give each item a name of its own"))
		}
		seen[item.name.Text] = true
		rel := b.renamed(b.query(item.query, env), item.columns, item.name)
		rel.plan = &withPlan{input: rel.plan}
		env.with = &withItem{name: item.name.Text, rel: rel, next: env.with}
	}
}

// recursiveWith refuses WITH RECURSIVE: a recognition in it by NEST-4, the rest
// as unsupported.
func (b *binder) recursiveWith(q *queryNode, env *scope) {
	nested := false
	for i := range q.with {
		item := &q.with[i]
		for _, pos := range b.recognitionsIn(item.query) {
			nested = true
			b.fail(diag.New(diag.Semantic, "NEST-4", pos, "MATCH_RECOGNIZE is not allowed in an item of WITH RECURSIVE").
				WithHint("leave RECURSIVE out, or write MATCH_RECOGNIZE in the query behind WITH"))
		}
		env.with = &withItem{name: item.name.Text, rel: unknownRelation(), next: env.with}
	}
	if !nested {
		b.fail(diag.New(diag.Unsupported, "SQL-1", q.recursive, "WITH RECURSIVE is not supported").
			WithHint("leave RECURSIVE out where no item refers to itself; else prepare the rows in a file"))
	}
}

// recognitionsIn returns the places of the recognitions inside a query.
func (b *binder) recognitionsIn(q *queryNode) []diag.Pos {
	var out []diag.Pos
	for _, pos := range b.st.recognitions {
		if pos.Offset >= q.pos.Offset && pos.Offset < q.end {
			out = append(out, pos)
		}
	}
	return out
}

// renamed applies a column list to a relation.
func (b *binder) renamed(rel relation, columns []semantics.Name, of semantics.Name) relation {
	if columns == nil {
		return rel
	}
	if len(columns) != len(rel.fields) && !rel.untyped {
		b.fail(columnList(columns[0].Pos, "the column list of %s has %s, the table %s", of, diag.Counted(len(columns), "name"), diag.Counted(len(rel.fields), "column")).
			WithHint("name every column: %s", suggestion("", names(rel.fields), "%s")))
		return unknownRelation()
	}
	fields := make([]semantics.Field, len(columns))
	copy(fields, rel.fields)
	seen := map[string]bool{}
	for i, c := range columns {
		if seen[c.Text] {
			b.fail(columnList(c.Pos, "the column list of %s names %s twice", of, c).WithHint("give each column a name of its own"))
			return unknownRelation()
		}
		seen[c.Text] = true
		fields[i].Name = c.Text
	}
	return relation{fields: fields, plan: &renamePlan{input: rel.plan, fields: fields}}
}

// union binds the terms of UNION ALL; one term alone stands for itself.
func (b *binder) union(q *queryNode, env *scope) relation {
	rels := make([]relation, len(q.terms))
	for i := range q.terms {
		rels[i] = b.term(&q.terms[i], env)
	}
	if len(rels) == 1 {
		return rels[0]
	}
	out := relation{fields: append([]semantics.Field(nil), rels[0].fields...)}
	p := &unionPlan{}
	for i, r := range rels {
		p.inputs, p.pos = append(p.inputs, r.plan), append(p.pos, q.terms[i].pos)
		out.untyped = out.untyped || r.untyped
	}
	for i, r := range rels[1:] {
		b.unite(&out, r, q.terms[i+1].pos, i+2)
	}
	p.fields, out.plan = out.fields, p
	return out
}

// unite brings the columns of the n-th operand of UNION ALL and those before it
// to common types (TYPE-1).
func (b *binder) unite(out *relation, r relation, pos diag.Pos, n int) {
	if out.untyped {
		return
	}
	if len(r.fields) != len(out.fields) {
		b.fail(semantic(pos, "query %d of UNION ALL has %s, those before it have %d", n, diag.Counted(len(r.fields), "column"), len(out.fields)).
			WithHint("select the same number of columns in each"))
		return
	}
	for i, f := range r.fields {
		t, ok := value.CommonType(out.fields[i].Type, f.Type)
		if !ok {
			b.fail(diag.New(diag.Semantic, "TYPE-1", pos, "column %d of UNION ALL is %s before and %s in query %d", i+1, out.fields[i].Type, f.Type, n).
				WithHint("bring them to one type, for example with CAST(x AS varchar)"))
		}
		out.fields[i].Type = t
	}
}

// term binds one operand of UNION ALL.
func (b *binder) term(t *termNode, env *scope) relation {
	switch {
	case t.block != nil:
		return b.block(t.block, env, nil)
	case t.values != nil:
		return b.values(t.values, env)
	}
	return b.query(t.query, env)
}

// values binds VALUES: each column has the common type of its cells.
func (b *binder) values(v *valuesNode, env *scope) relation {
	l := &leaves{b: b, sc: &scope{noFrom: true, parent: env, with: env.with}}
	sb := b.scalarBinder(l)
	p := &valuesPlan{rows: v.rows, exprs: map[cellAt]scalar.Expr{}}
	for r, row := range v.rows {
		if len(row.cells) != len(v.rows[0].cells) {
			b.fail(semantic(row.pos, "row %d of VALUES has %s, the first one has %d", r+1, diag.Counted(len(row.cells), "value"), len(v.rows[0].cells)).
				WithHint("give every row the same number of values"))
			return unknownRelation()
		}
		for i, c := range row.cells {
			typ := c.typ
			if c.expr != nil {
				e := sb.Bind(c.expr)
				p.exprs[cellAt{r, i}] = e
				typ = e.Type()
			}
			if r == 0 {
				p.fields = append(p.fields, semantics.Field{Name: generatedName(i), Type: typ})
				continue
			}
			common, ok := value.CommonType(p.fields[i].Type, typ)
			if !ok {
				b.fail(diag.New(diag.Semantic, "TYPE-1", c.pos, "column %d of VALUES is %s in the rows before and %s here", i+1, p.fields[i].Type, typ).
					WithHint("write values of one type in each column, or bring them to one type with CAST"))
				continue
			}
			p.fields[i].Type = common
		}
	}
	return relation{fields: p.fields, plan: p}
}

// generatedName names the i-th column, from 0, where nothing else does.
func generatedName(i int) string { return "_COL" + strconv.Itoa(i+1) }

// count binds a number of rows; nil stays nil.
func (b *binder) count(c *countNode) *rowCount {
	if c == nil {
		return nil
	}
	e := b.scalarBinder(&leaves{b: b, sc: &scope{noFrom: true}}).Bind(c.expr)
	if t := e.Type(); !t.IsInteger() && t.Kind != value.Unknown {
		b.fail(diag.New(diag.Semantic, "TYPE-1", e.Pos(), "the number of rows of %s is %s, no integer", c.what, t).
			WithHint("give a whole number of rows"))
	}
	return &rowCount{what: c.what, expr: e}
}

// outputOrder binds the keys of an ORDER BY that sees only the output columns:
// that of VALUES, UNION ALL and SELECT DISTINCT. same, if not nil, finds the
// column of the select list that an expression repeats.
func (b *binder) outputOrder(items []sqlexpr.SortItem, rel relation, same func(*sqlexpr.Node) int, env *scope) []sortKey {
	if len(items) == 0 {
		return nil
	}
	row := &semantics.RowType{Fields: append([]semantics.Field(nil), rel.fields...), Untyped: rel.untyped}
	note := "behind VALUES and UNION ALL, ORDER BY sees the columns of the result only: " + suggestion("", names(rel.fields), "%s")
	if same != nil {
		note = "with SELECT DISTINCT, ORDER BY sees the select list only: add it there"
	}
	l := &leaves{b: b, sc: &scope{row: row, parent: env, with: env.with, note: note}, place: "ORDER BY"}
	var keys []sortKey
	for _, item := range items {
		k := b.sortKey(item)
		if i, ok := b.ordinal(item.Expr, rel); ok {
			k.output = i
		} else if i := -1; same != nil {
			if i = same(item.Expr); i >= 0 {
				k.output = i
			} else {
				k.expr = b.scalarBinder(l).Bind(item.Expr)
			}
		} else {
			k.expr = b.scalarBinder(l).Bind(item.Expr)
		}
		keys = append(keys, k)
	}
	return keys
}

// sortKey makes a key without what it sorts by.
func (b *binder) sortKey(item sqlexpr.SortItem) sortKey {
	k := sortKey{output: -1, descending: item.Descending, nullsFirst: semantics.NullsFirst(item.Descending, b.opt.Readings)}
	if item.NullsFirst != nil {
		k.nullsFirst = *item.NullsFirst
	}
	return k
}

// ordinal takes a key that is the number of an output column. True is returned
// for every literal: others are errors.
func (b *binder) ordinal(n *sqlexpr.Node, rel relation) (int, bool) {
	if n.Kind != sqlexpr.Literal {
		return -1, false
	}
	i := n.Value.Raw()
	switch {
	case !n.Type.IsInteger():
		b.fail(semantic(n.Pos, "ORDER BY the constant %s orders nothing", n.SQL()).WithHint("name a column, without single quotes, or give its number in the select list"))
	case (i < 1 || i > int64(len(rel.fields))) && !rel.untyped:
		b.fail(semantic(n.Pos, "ORDER BY %d names no column: the select list has %s", i, diag.Counted(len(rel.fields), "column")).WithHint("give the number of a column, from 1, or its name"))
	case i >= 1 && i <= int64(len(rel.fields)):
		return int(i) - 1, true
	}
	return 0, true
}
