package query

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// from binds the factor of FROM and returns its columns with the name that may
// qualify them. env is the scope around the block: a derived table does not see
// the block's own columns.
func (b *binder) from(f *factorNode, env *scope) (*semantics.RowType, plan) {
	if f == nil {
		return nil, oneRow{}
	}
	rel := b.factor(f, env)
	row := &semantics.RowType{Fields: append([]semantics.Field(nil), rel.fields...), Untyped: rel.untyped}
	switch {
	case f.alias != nil:
		row.Correlation = f.alias.Text
	case f.query == nil:
		row.Correlation = f.name.Text
	}
	if f.recognition == nil {
		return row, rel.plan
	}
	c := b.recognition(f.recognition, row, env)
	out := c.Output // GRAM-12: outside, only the output name qualifies
	out.Fields = append([]semantics.Field(nil), out.Fields...)
	return &out, &recognitionPlan{input: rel.plan, clause: c}
}

// factor binds a table name or a derived table.
func (b *binder) factor(f *factorNode, env *scope) relation {
	of := f.name
	if f.alias != nil {
		of = *f.alias
	}
	if f.query != nil {
		return b.renamed(b.query(f.query, env), f.columns, of)
	}
	return b.renamed(b.named(f.name, env), f.columns, of)
}

// named finds a table: an item of WITH first, then those that are given.
func (b *binder) named(name semantics.Name, env *scope) relation {
	if rel, ok := env.with.find(name.Text); ok {
		return rel
	}
	if b.opt.Tables != nil {
		t, ok, err := b.opt.Tables(name.Text, name.Quoted)
		if err != nil {
			e := *diag.From(err)
			b.errs.Add(e.At(name.Pos).In(b.st.source))
			return unknownRelation()
		}
		if ok {
			return relation{fields: semantics.RowTypeOf(t, "").Fields, plan: tablePlan{t}}
		}
	}
	e := nameError(name.Pos, "there is no table %s", name).In(b.st.source)
	var names []string
	for w := env.with; w != nil; w = w.next {
		names = append(names, w.name)
	}
	if names = append(names, b.opt.Names...); len(names) > 0 {
		e.WithHint("%s", token.CaseHint(token.Word(name), names)).WithHint("%s", suggestion(name.Text, names, "the tables are: %s"))
	} else {
		e.WithHint("give the table with its data, or write its rows: FROM (VALUES (...)) AS %s (...)", name)
	}
	if b.opt.Untyped {
		if b.missing == nil {
			b.missing = e
		}
		return unknownRelation()
	}
	b.fail(e)
	return unknownRelation()
}

// recognition binds a recognition over an input: of MATCH_RECOGNIZE, or of a
// window. env is the scope around its query.
func (b *binder) recognition(syn *semantics.Syntax, input *semantics.RowType, env *scope) *semantics.Clause {
	var errs diag.List
	outer := &scope{parent: env}
	if env != nil {
		outer.with = env.with
	}
	c := semantics.Bind(syn, input, semantics.Options{Readings: b.opt.Readings, Params: b.opt.Params,
		Subquery: b.patternSubquery(input, outer)}, &errs)
	b.addNested(syn, &errs, env)
	at := syn.Pos
	if syn.Window {
		at = syn.PatternPos
	}
	b.recognitions = append(b.recognitions, boundRecognition{c, at.Offset})
	return c
}

// addNested takes over the errors of a recognition. An unknown column that an
// outer query has is an outer reference (NEST-2).
func (b *binder) addNested(syn *semantics.Syntax, errs *diag.List, env *scope) {
	var names map[int][]token.Word
	for _, e := range errs.All() {
		if e.Rule == "COL-1" && env != nil {
			if names == nil {
				names = namesOf(syn)
			}
			if words := names[e.Pos.Offset]; words != nil {
				if outer := outerReference(env, words, true); outer != nil {
					e = outer
				}
			}
		}
		b.fail(e)
	}
}

// namesOf returns the column references of a recognition by their byte offsets.
func namesOf(syn *semantics.Syntax) map[int][]token.Word {
	out := map[int][]token.Word{}
	for _, n := range expressionsOf(syn) {
		walk(n, func(n *sqlexpr.Node) bool {
			if n.Kind == sqlexpr.Name {
				out[n.Names[0].Pos.Offset] = n.Names
			}
			return true
		})
	}
	return out
}

// patternSubquery binds the subqueries of DEFINE and MEASURES (DEF-13). They do
// no recognition (NEST-1), refer to nothing of the enclosing one and to no
// outer query (NEST-2).
func (b *binder) patternSubquery(input *semantics.RowType, env *scope) semantics.SubqueryBinder {
	return func(n *sqlexpr.Node, outer func([]token.Word) *diag.Error, errs *diag.List) scalar.Query {
		q := b.st.subqueries[n]
		saved := b.errs
		b.errs = errs
		defer func() { b.errs = saved }()
		nested := b.recognitionsIn(q)
		for _, pos := range nested {
			b.fail(diag.New(diag.Semantic, "NEST-1", pos, "MATCH_RECOGNIZE cannot stand inside the MEASURES or DEFINE of another").
				WithHint("move the inner one to an item of WITH, and read the item in the subquery"))
		}
		if nested != nil {
			return nil
		}
		env.outer = func(words []token.Word) *diag.Error {
			if e := outer(words); e != nil {
				return e
			}
			if len(words) == 2 && words[0].Text == input.Correlation {
				return diag.New(diag.Semantic, "DEF-13", words[0].Pos, "the subquery refers to %s of the input table", join(words)).
					WithHint("take it out of the subquery, which in MEASURES and DEFINE must not depend on the match: compare with its result outside, as in x IN (SELECT ...)")
			}
			return nil
		}
		return b.subquery(q, env)
	}
}

// subquery binds the query of a scalar subquery, IN or EXISTS.
func (b *binder) subquery(q *queryNode, outer *scope) scalar.Query {
	before := b.errs.Len()
	rel := b.query(q, outer)
	if b.errs.Len() > before {
		return nil
	}
	s := &subquery{plan: rel.plan, x: b.x}
	for _, f := range rel.fields {
		s.types = append(s.types, f.Type)
	}
	if rel.untyped {
		s.types = []value.Type{value.TypeUnknown} // of a check without tables
	}
	return s
}

// subquery is a bound subquery; the expression that holds it asks for its rows once.
type subquery struct {
	plan  plan
	x     *execution
	types []value.Type
}

// Columns returns the types of the result's columns.
func (s *subquery) Columns() []value.Type { return s.types }

// Rows evaluates the query.
func (s *subquery) Rows() ([][]value.Value, error) {
	t, err := s.plan.run(s.x)
	if err != nil {
		return nil, err
	}
	out := make([][]value.Value, t.NumRows())
	cells := make([]value.Value, t.NumRows()*t.NumColumns())
	for r := range out {
		out[r], cells = cells[:t.NumColumns():t.NumColumns()], cells[t.NumColumns():]
		for c := range out[r] {
			out[r][c] = t.Value(r, c)
		}
	}
	return out, nil
}
