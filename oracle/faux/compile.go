package faux

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// exprs are the expressions of a clause with leaves of this package, which are
// evaluated in a scene.
type exprs struct {
	conditions []scalar.Expr // by variable; nil: none
	measures   []scalar.Expr
}

func (m *Mutant) compileExprs(c *semantics.Clause) exprs {
	t := translator{lie: m.lie, clause: c}
	out := exprs{conditions: make([]scalar.Expr, len(c.Vars))}
	for i, v := range c.Vars {
		if v.Define != nil {
			out.conditions[i] = t.expr(v.Define)
		}
	}
	for _, measure := range c.Measures {
		out.measures = append(out.measures, t.expr(measure.Expr))
	}
	return out
}

// translator replaces the leaves that the binder made by leaves of ours.
type translator struct {
	lie    lie
	clause *semantics.Clause
}

func (t translator) expr(e scalar.Expr) scalar.Expr { return scalar.Rebuild(e, t.leaf) }

func (t translator) leaf(e scalar.Expr) scalar.Expr {
	switch n := e.(type) {
	case *semantics.ColumnRef:
		return &column{origin: origin{n}, v: t.variable(n.Var), column: n.Column}
	case *semantics.Classifier:
		return &classifier{origin: origin{n}, v: n.Var}
	case *semantics.MatchNumber:
		return &matchNumber{origin{n}}
	case *semantics.Navigation:
		return t.navigation(n)
	case *semantics.AggregateCall:
		return t.aggregate(n)
	}
	return nil
}

// variable returns the variable that a qualifier means.
func (t translator) variable(v semantics.VarID) semantics.VarID {
	if t.lie == aliasTakesVariable && v != semantics.Universal && t.clause.Input != nil && t.clause.Name(v) == t.clause.Input.Correlation {
		return semantics.Universal
	}
	return v
}

func (t translator) navigation(n *semantics.Navigation) scalar.Expr {
	nav := &navigation{origin: origin{n}, v: t.variable(n.Var), arg: t.expr(n.Arg), logical: n.Logical, physical: n.Physical, final: n.Final}
	if n.LogicalOffset != nil {
		nav.offset = t.expr(n.LogicalOffset)
	}
	if n.PhysicalOffset != nil {
		nav.step = t.expr(n.PhysicalOffset)
	}
	return nav
}

func (t translator) aggregate(n *semantics.AggregateCall) scalar.Expr {
	spec := *n.Aggregation
	a := &aggregate{origin: origin{n}, spec: &spec, v: t.variable(n.Var), final: n.Final}
	a.star = len(spec.Args) == 0 && spec.Filter == nil
	spec.Args = make([]scalar.Expr, len(n.Args))
	for i, arg := range n.Args {
		spec.Args[i] = t.expr(arg)
	}
	spec.OrderBy = nil
	for _, k := range n.OrderBy {
		k.Expr = t.expr(k.Expr)
		spec.OrderBy = append(spec.OrderBy, k)
	}
	if n.Filter != nil {
		spec.Filter = t.expr(n.Filter)
	}
	switch t.lie {
	case distinctDropped:
		spec.Distinct = false
	case filterDropped:
		spec.Filter = nil
	case aggregateUnordered:
		spec.OrderBy = nil
	}
	return a
}

// origin is the leaf that one of ours stands for: its type, place and text.
type origin struct{ of scalar.Expr }

func (o origin) Type() value.Type        { return o.of.Type() }
func (o origin) Pos() diag.Pos           { return o.of.Pos() }
func (o origin) String() string          { return o.of.String() }
func (o origin) Children() []scalar.Expr { return nil }

// column is A.x, or x (COL-1).
type column struct {
	origin
	v      semantics.VarID
	column int
}

// Eval gives the value on the row reached (NAV-6), outside of navigation and
// aggregates that of the last row of the variable so far (COL-4).
func (c *column) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	if s.on != nowhere {
		return s.valueAt(s.on, c.column), nil
	}
	v := c.v
	if s.lie == lastOfAnyVariable {
		v = semantics.Universal
	}
	rows := s.rowsOf(v, false)
	if len(rows) == 0 {
		return value.Null, nil
	}
	return s.valueAt(rows[len(rows)-1], c.column), nil
}

// classifier is CLASSIFIER() or CLASSIFIER(V) (MEA-4).
type classifier struct {
	origin
	v semantics.VarID
}

// Eval gives the classifier of the row reached, or of the last row of the variable.
func (c *classifier) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	if s.on != nowhere {
		return s.classifierAt(s.on), nil
	}
	if s.now == nowhere && s.lie == emptyClassifierText && !s.defining() {
		return value.String(""), nil
	}
	union := c.v != semantics.Universal && s.clause.Vars[c.v].IsUnion()
	v := c.v
	if union && s.lie == classifierAnyRow {
		v = semantics.Universal
	}
	rows := s.rowsOf(v, false)
	switch {
	case len(rows) == 0:
		return value.Null, nil
	case union && s.lie == classifierOfUnion:
		return value.String(s.clause.Name(c.v)), nil
	case s.lie == classifierFirst && !s.defining() && c.v == semantics.Universal && s.clause.Rows == semantics.OneRow:
		return s.classifierAt(rows[0]), nil
	}
	return s.classifierAt(rows[len(rows)-1]), nil
}

// matchNumber is MATCH_NUMBER() (MEA-5, DEF-9).
type matchNumber struct{ origin }

// Eval gives the number of the match.
func (*matchNumber) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	if s.lie == emptyNumberNull && s.now == nowhere {
		return value.Null, nil
	}
	return value.Int(s.number), nil
}
