package scalar

import (
	"sort"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// call binds a call: what the leaves do not know is a scalar function, or
// stands where it must not.
func (b *Binder) call(n *sqlexpr.Node) Expr {
	if e, ok := b.Leaves.Call(b, n); ok {
		if e == nil {
			return &Invalid{Base{Place: n.Pos}}
		}
		return e
	}
	name := n.Names[0].Text
	if err := misplaced(name, n); err != nil {
		return b.Fail(err)
	}
	fn, ok := LookupFunction(name)
	if !ok {
		e := b.Fail(unknownFunction(n.Names[0], n.Pos))
		b.BindAll(n.Args) // for their own errors
		return e
	}
	if err := decorated(name, n); err != nil {
		return b.Fail(err)
	}
	return b.function(fn, name, n)
}

// misplaced returns the error for a function that exists, but not here.
func misplaced(name string, n *sqlexpr.Node) *diag.Error {
	if n.Semantics != sqlexpr.NoSemantics {
		word := "RUNNING"
		if n.Semantics == sqlexpr.Final {
			word = "FINAL"
		}
		return diag.New(diag.Semantic, "NEST-5", n.Pos, "%s stands only before an aggregate, FIRST or LAST in MEASURES and DEFINE", word).
			WithHint("leave out %s, or compute the value as a measure, MEASURES ... AS name", word)
	}
	if len(n.Args) == 1 && n.Args[0].Kind == sqlexpr.Star && len(n.Args[0].Names) > 0 {
		return diag.New(diag.Semantic, "NEST-5", n.Pos, "%s(%s.*) is allowed only in MEASURES and DEFINE", name, n.Args[0].Names[0].String()).
			WithHint("compute it as a measure, MEASURES ... AS name, or write COUNT(*)")
	}
	if hint, ok := nonDeterministic[name]; ok {
		return diag.New(diag.Semantic, "DEF-15", n.Pos, "%s is refused: its result is not determined by the input", name).
			WithHint("%s", hint)
	}
	if rowPattern[name] && !n.Names[0].Quoted {
		return diag.New(diag.Semantic, "NEST-5", n.Pos, "%s is allowed only in MEASURES and DEFINE", name).
			WithHint("compute it as a measure, MEASURES ... AS name, and refer to the name here")
	}
	if windowOnly[name] && !n.Names[0].Quoted {
		return diag.New(diag.Semantic, "SQL-1", n.Pos, "the window function %s is not allowed here", name).
			WithHint("window functions stand in the select list and in ORDER BY, with OVER; in MEASURES and DEFINE PREV, NEXT, FIRST and LAST reach other rows")
	}
	if hint, ok := unsupported[name]; ok {
		return diag.New(diag.Unsupported, "AGG-1", n.Pos, "the aggregate function %s is not supported", name).WithHint("%s", hint)
	}
	if _, ok := LookupAggregate(name); ok {
		if n.Over != nil {
			return diag.New(diag.Semantic, "SQL-1", n.Pos, "%s with OVER is not allowed here", name).
				WithHint("window functions stand in the select list and in ORDER BY: compute it in a derived table, and use its name here")
		}
		return diag.New(diag.Semantic, "SQL-1", n.Pos, "the aggregate function %s is not allowed here", name).
			WithHint("aggregates stand in the select list, HAVING and ORDER BY, not in an aggregate's argument, WHERE or GROUP BY")
	}
	return nil
}

// decorated returns the error for a scalar function with what only aggregates
// and window functions have.
func decorated(name string, n *sqlexpr.Node) *diag.Error {
	what := ""
	switch {
	case n.Over != nil:
		what = "OVER"
	case n.Filter != nil:
		what = "FILTER"
	case n.Distinct:
		what = "DISTINCT"
	case len(n.OrderBy) > 0:
		what = "ORDER BY"
	default:
		return nil
	}
	return diag.New(diag.Semantic, "SQL-1", n.Pos, "%s is no aggregate function and does not take %s", name, what).
		WithHint("leave out %s", what)
}

// function binds a call of a scalar function.
func (b *Binder) function(fn *Function, name string, n *sqlexpr.Node) Expr {
	c := &site{b: b, fn: fn, name: name, pos: n.Pos, args: b.BindAll(n.Args)}
	if err := c.special(n); err != nil {
		return b.Fail(err)
	}
	if !c.check() {
		return &Invalid{Base{Place: n.Pos}}
	}
	t, impl := fn.resolve(c)
	if c.bad {
		return &Invalid{Base{Place: n.Pos}}
	}
	return &Func{Base: Base{n.Pos, t}, Name: name, Args: c.args, Fn: fn, Form: c.form, Impl: impl,
		Options: b.Options}
}

// special handles the notations with words between the arguments.
func (c *site) special(n *sqlexpr.Node) *diag.Error {
	switch c.fn.Name {
	case "POSITION":
		if !n.From {
			return diag.New(diag.Semantic, "TYPE-1", n.Pos, "POSITION is written with IN").
				WithHint("write POSITION(part IN string), or STRPOS(string, part)")
		}
	case "TRIM":
		if c.form = n.Trim; c.form == "" && n.From {
			c.form = "BOTH"
		}
		if len(n.Args) == 2 && !n.From {
			return diag.New(diag.Semantic, "TYPE-1", n.Pos, "the characters that TRIM removes are written with FROM").
				WithHint("write TRIM(BOTH 'c' FROM string), or BTRIM(string, characters)")
		}
	}
	return nil
}

// unknownFunction is the error for a name that nothing has; it suggests one.
func unknownFunction(word token.Word, pos diag.Pos) *diag.Error {
	name := word.Text
	err := diag.New(diag.Semantic, "NAME-1", pos, "there is no function %s", word)
	if known := token.Fold(name); word.Quoted && isFunction(known) {
		return err.WithHint("leave the quotes out: %s(...); a function of SQL has no quoted name", known)
	}
	if hint, ok := elsewhere[name]; ok {
		return err.WithHint("%s", hint)
	}
	if s := similar(name); s != "" {
		return err.WithHint("did you mean %s?", s)
	}
	return err.WithHint("use a function of the standard, or prepare its result as a column of the input")
}

// isFunction reports a name that can be called somewhere.
func isFunction(name string) bool {
	_, isScalar := functions[name]
	_, isAggregate := aggregates[name]
	return isScalar || isAggregate || rowPattern[name] || windowOnly[name]
}

// similar returns the known function whose name is nearest, if one is near.
func similar(name string) string {
	best, bestDistance := "", 3
	if len(name) <= 4 {
		bestDistance = 2
	}
	var names []string
	for f := range functions {
		names = append(names, f)
	}
	for a := range aggregates {
		names = append(names, a)
	}
	for r := range rowPattern {
		names = append(names, r)
	}
	sort.Strings(names)
	for _, candidate := range names {
		if d := diag.Distance(name, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}
