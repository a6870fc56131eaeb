package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// none is the position of a row that does not exist.
const none = -1

// scene is what an expression of DEFINE or MEASURES is evaluated in: a mapping,
// complete or under construction, and a current row. Everything else is
// recomputed from these each time, as the rules say it.
type scene struct {
	clause  *Clause
	part    *Partition
	reach   Reach
	start   int     // position of the match's first row
	vars    []VarID // row start+i is mapped to vars[i]
	current int     // position of the current row (COL-3); none in an empty match (MEA-6)
	at      int     // inside a navigation or aggregate: the row its argument is evaluated on (NAV-6); none outside
}

// last returns the position of the last row of S(v): the rows mapped to v, cut
// at the current row unless final (chapter 5). skip rows of S(v) are passed over.
func (s *scene) last(v VarID, skip int64, final bool) int {
	for p := s.cut(final) - 1; p >= s.start; p-- {
		if s.clause.Belongs(s.vars[p-s.start], v) {
			if skip == 0 {
				return p
			}
			skip--
		}
	}
	return none
}

// first returns the position of the (skip+1)-th row of S(v).
func (s *scene) first(v VarID, skip int64, final bool) int {
	for p, end := s.start, s.cut(final); p < end; p++ {
		if s.clause.Belongs(s.vars[p-s.start], v) {
			if skip == 0 {
				return p
			}
			skip--
		}
	}
	return none
}

// cut returns the position after the last row that S(v) may hold.
func (s *scene) cut(final bool) int {
	switch {
	case s.current == none:
		return s.start // an empty match has no rows (MEA-6)
	case final:
		return s.start + len(s.vars)
	}
	return s.current + 1
}

// classifierAt returns the classifier of the row at a position, NULL if the row
// is not mapped in the match as far as it is known (DEF-10, MEA-9).
func (s *scene) classifierAt(p int) value.Value {
	if p < s.start || p >= s.start+len(s.vars) {
		return value.Null
	}
	return value.String(s.clause.names[s.vars[p-s.start]])
}

// column returns the value of an input column on the row at a position.
func (s *scene) column(p, col int) value.Value {
	return s.part.Table.Value(int(s.part.Rows[p]), col)
}

// leaf is what the nodes of this package have in common: they have no operands
// of their own kind and are evaluated in a *scene.
type leaf struct {
	typ  value.Type
	pos  diag.Pos
	text string
}

func (l *leaf) Type() value.Type        { return l.typ }
func (l *leaf) Pos() diag.Pos           { return l.pos }
func (l *leaf) String() string          { return l.text }
func (l *leaf) Children() []scalar.Expr { return nil }

// ColumnRef is a row pattern column reference (COL-1): A.x, or x for the
// universal variable.
type ColumnRef struct {
	leaf
	Var    VarID
	Column int // input column
}

// Eval gives the value on the row that a navigation or aggregate has reached
// (NAV-6); outside of those the reference means RUNNING LAST (COL-4).
func (r *ColumnRef) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	p := s.at
	if p == none {
		if p = s.last(r.Var, 0, false); p == none {
			return value.Null, nil
		}
	}
	return s.column(p, r.Column), nil
}

// Classifier is CLASSIFIER() or CLASSIFIER(V) (MEA-4).
type Classifier struct {
	leaf
	Var VarID
}

// Eval gives the classifier of the row reached (NAV-6), or of the last row of
// S(V) up to the current row.
func (c *Classifier) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	p := s.at
	if p == none {
		if p = s.last(c.Var, 0, false); p == none {
			return value.Null, nil
		}
	}
	return s.classifierAt(p), nil
}

// MatchNumber is MATCH_NUMBER() (MEA-5).
type MatchNumber struct{ leaf }

// Eval gives the number of the match, in DEFINE the number it would get (DEF-9).
func (*MatchNumber) Eval(env scalar.Env) (value.Value, error) {
	return value.Int(env.(*scene).reach.MatchNumber), nil
}

// Conditions tests the DEFINE conditions of a clause on the rows of one
// partition, by the book: everything a condition reads is recomputed from the
// mapping at each test. It must be used by one goroutine at a time.
type Conditions struct {
	clause  *Clause
	unknown bool // DEF-15=unknown: a run-time error counts as UNKNOWN
	scene   scene
}

// Conditions returns the tester for a partition.
func (c *Clause) Conditions(p *Partition) *Conditions {
	return &Conditions{clause: c, unknown: c.Readings.Is(readings.DEF15),
		scene: scene{clause: c, part: p, at: none}}
}

// Holds reports whether the last of vars may be mapped to its row, when the
// rows from start on are mapped to vars: its condition is TRUE (DEF-5) while
// the row under test counts as mapped (DEF-6). The running semantics of DEFINE
// (DEF-7) follow from there being no row after it.
func (x *Conditions) Holds(r Reach, start int, vars []VarID) (bool, error) {
	cond := x.clause.Vars[vars[len(vars)-1]].Define
	if cond == nil {
		return true, nil // DEF-1
	}
	s := &x.scene
	s.reach, s.start, s.vars, s.current = r, start, vars, start+len(vars)-1
	truth, err := scalar.EvalTruth(cond, s)
	if err != nil {
		if e := diag.From(err); x.unknown && e.Stage == diag.Runtime {
			return false, nil
		}
		return false, diag.From(err).In(x.clause.Source)
	}
	return truth == value.True, nil
}

// Outcome is the truth value of the condition that Holds tests, and its text as
// Describe gives it.
func (x *Conditions) Outcome(r Reach, start int, vars []VarID) (value.Truth, string) {
	cond := x.clause.Vars[vars[len(vars)-1]].Define
	if cond == nil {
		return value.True, "TRUE"
	}
	s := &scene{clause: x.clause, part: x.scene.part, at: none, reach: r, start: start, vars: vars, current: start + len(vars) - 1}
	truth, err := scalar.EvalTruth(cond, s)
	if err != nil {
		truth = value.UnknownTruth
	}
	return truth, x.Describe(r, start, vars)
}

// Describe prints the condition that Holds tests, with values in place of what
// it reads, such as "80 < 90". It is "TRUE" for an undefined variable (DEF-1).
func (x *Conditions) Describe(r Reach, start int, vars []VarID) string {
	cond := x.clause.Vars[vars[len(vars)-1]].Define
	if cond == nil {
		return "TRUE"
	}
	s := &scene{clause: x.clause, part: x.scene.part, at: none, reach: r, start: start, vars: vars, current: start + len(vars) - 1}
	return scalar.Render(cond, s, func(scalar.Expr) (string, bool) { return "", false })
}
