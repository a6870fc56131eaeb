package semantics

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Step is the direction of a navigation.
type Step uint8

// The directions. A Navigation without FIRST or LAST has Logical NoStep, one
// without PREV or NEXT has Physical NoStep.
const (
	NoStep Step = iota
	First
	Last
	Prev
	Next
)

// Navigation is FIRST or LAST (NAV-1), PREV or NEXT (NAV-2), or PREV or NEXT
// directly around FIRST or LAST (NAV-3).
type Navigation struct {
	leaf
	Var            VarID       // the variable of the argument (COL-2)
	Arg            scalar.Expr // evaluated on the row reached (NAV-6)
	Logical        Step        // First, Last or NoStep
	LogicalOffset  scalar.Expr // nil: 0
	Final          bool        // FINAL FIRST, FINAL LAST (MEA-1)
	Physical       Step        // Prev, Next or NoStep
	PhysicalOffset scalar.Expr // nil: 1
}

// Children returns the argument and the offsets.
func (n *Navigation) Children() []scalar.Expr {
	out := []scalar.Expr{n.Arg}
	for _, o := range []scalar.Expr{n.LogicalOffset, n.PhysicalOffset} {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

// Eval goes to the row and evaluates the argument there; NULL if there is no such row.
func (n *Navigation) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	p, err := n.target(s)
	if err != nil || p == none {
		return value.Null, err
	}
	outer := s.at
	s.at = p
	v, err := n.Arg.Eval(s)
	s.at = outer
	return v, err
}

// target returns the position of the row reached, or none.
func (n *Navigation) target(s *scene) (int, error) {
	logical, err := offset(n.LogicalOffset, 0, s)
	if err != nil {
		return none, err
	}
	physical, err := offset(n.PhysicalOffset, 1, s)
	if err != nil {
		return none, err
	}
	var p int
	if n.Logical == First {
		p = s.first(n.Var, logical, n.Final)
	} else {
		// LAST, or the row from which PREV and NEXT start: the last row of running S(V).
		p = s.last(n.Var, logical, n.Final)
	}
	if p == none || n.Physical == NoStep {
		return p, nil
	}
	// Offsets beyond the partition are compared before they are added, so that they cannot wrap.
	switch {
	case n.Physical == Prev && physical <= int64(p-s.reach.Lo):
		p -= int(physical)
	case n.Physical == Next && physical <= int64(s.reach.Hi-1-p):
		p += int(physical)
	default:
		return none, nil
	}
	if p < s.reach.Lo || p >= s.reach.Hi {
		return none, nil
	}
	return p, nil
}

// offset evaluates the offset of a navigation. Negative and NULL are the data
// exception 2202J (NAV-5).
func offset(e scalar.Expr, def int64, s *scene) (int64, error) {
	if e == nil {
		return def, nil
	}
	v, err := e.Eval(s)
	if err != nil {
		return 0, err
	}
	if v.IsNull() || value.Compare(v, value.Int(0), value.Options{}) < 0 {
		what := "is NULL"
		if !v.IsNull() {
			what = "is negative: " + value.Format(v, e.Type())
		}
		return 0, diag.New(diag.Runtime, "NAV-5", e.Pos(), "the offset of a navigation %s", what).
			WithState(diag.StateNavigation).WithHint("give the host variable a number of rows, 0 or more")
	}
	if v.Form() == value.FormInt {
		return v.Raw(), nil
	}
	// An exact number of scale 0 that may be larger than any row number.
	if n, scale, ok := v.AsScaled(); ok && scale == 0 {
		return n, nil
	}
	return math.MaxInt64, nil
}

// AggregateCall is an aggregate over the rows of a variable (AGG-2).
type AggregateCall struct {
	leaf
	*scalar.Aggregation
	Var   VarID // whose rows are aggregated
	Final bool  // FINAL (MEA-1)
}

// Type returns the type of the result.
func (a *AggregateCall) Type() value.Type { return a.leaf.typ }

// Children returns arguments, filter and sort keys.
func (a *AggregateCall) Children() []scalar.Expr { return a.Operands() }

// Eval aggregates over S(V), recomputed from the mapping, so that rows which
// backtracking gave back are never counted (AGG-8).
func (a *AggregateCall) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	outer := s.at
	v, err := a.over(s)
	s.at = outer
	if err != nil {
		return value.Null, diag.From(err).At(a.pos)
	}
	return v, nil
}

func (a *AggregateCall) over(s *scene) (value.Value, error) {
	run := a.Start()
	for p, end := s.start, s.cut(a.Final); p < end; p++ {
		if !s.clause.Belongs(s.vars[p-s.start], a.Var) {
			continue
		}
		s.at = p
		if err := run.Add(s); err != nil {
			return value.Null, err
		}
	}
	return run.Result()
}
