package nfa

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// class says what a conjunct of a condition depends on.
type class uint8

// The classes, each containing the ones before it.
const (
	// rowLocal: the row, and rows at constant distances from it. One bit a row.
	rowLocal class = iota
	// startLocal: besides, where the match starts and its number.
	startLocal
	// dependent: how the rows before are mapped.
	dependent
)

func (c class) String() string {
	return [...]string{"row-local", "start-determined", "match-dependent"}[c]
}

// conjunct is a rewritten part of a condition.
type conjunct struct {
	expr   scalar.Expr // rewritten; evaluated in a *scene
	text   string      // as the user wrote it
	class  class
	why    string // what put it into its class
	back   int    // rows before the current one that PREV reads, when row-local
	ahead  int    // rows after it that NEXT reads
	raises bool   // evaluating it may be a run-time error, whatever the data
}

// definition is a classified condition.
type definition struct {
	conjuncts []conjunct
}

// rewriter turns bound expressions into expressions over a scene.
type rewriter struct {
	clause *semantics.Clause
	auto   *automaton
	regs   *registerPlan
	facts  map[factKey][]fact
	// of the condition being rewritten
	x       semantics.VarID // variable whose condition it is; measure: none is
	final   *[]scalar.Expr  // of measures: what is computed once a match, from all its rows
	class   class
	why     string
	back    int
	ahead   int
	failed  bool // an offset cannot be evaluated: the reference raises that
	nesting int  // inside a navigation or aggregate
}

// measure is the x of expressions that are no conditions.
const measure semantics.VarID = -2

type factKey struct {
	v     semantics.VarID
	first bool
}

// maxReach bounds the distances that count as row-local.
const maxReach = 1 << 20

// define classifies the condition of a variable, conjunct by conjunct. A
// condition that is undefined has none (DEF-1).
func (w *rewriter) define(x semantics.VarID) definition {
	cond := w.clause.Vars[x].Define
	if cond == nil {
		return definition{}
	}
	var d definition
	for _, part := range conjuncts(cond) {
		w.x, w.class, w.why, w.back, w.ahead, w.failed = x, rowLocal, "", 0, 0, false
		c := conjunct{expr: w.expr(part), text: part.String()}
		c.class, c.why, c.back, c.ahead, c.raises = w.class, w.why, w.back, w.ahead, w.failed
		d.conjuncts = append(d.conjuncts, c)
	}
	return d
}

// conjuncts splits a condition at its ANDs.
func conjuncts(e scalar.Expr) []scalar.Expr {
	if n, ok := e.(*scalar.Logical); ok && n.Op == scalar.OpAnd {
		var out []scalar.Expr
		for _, arg := range n.Args {
			out = append(out, conjuncts(arg)...)
		}
		return out
	}
	return []scalar.Expr{e}
}

// expr rewrites an expression.
func (w *rewriter) expr(e scalar.Expr) scalar.Expr {
	switch n := e.(type) {
	case *semantics.ColumnRef:
		arg := &columnAt{n, n.Column}
		if w.nesting > 0 {
			return arg
		}
		return w.jump(&jump{Expr: n, arg: arg, column: arg}, n.Var, semantics.NoStep, 0, false)
	case *semantics.Classifier:
		if w.nesting > 0 {
			return &classifierAt{n}
		}
		if w.x != measure && w.clause.Belongs(w.x, n.Var) {
			return &fixed{n, value.String(w.clause.Name(w.x))} // DEF-6
		}
		return w.classifier(n)
	case *semantics.MatchNumber:
		w.raise(startLocal, "MATCH_NUMBER()")
		return &matchNumber{n}
	case *semantics.Navigation:
		return w.navigation(n)
	case *semantics.AggregateCall:
		return w.aggregate(n)
	}
	if out, ok := rebuild(e, w.expr); ok {
		return out
	}
	w.failed = true
	return e
}

// classifier rewrites CLASSIFIER of a variable that the current row does not
// belong to, or of a measure. In a condition, that of a primary variable is its
// name or NULL.
func (w *rewriter) classifier(n *semantics.Classifier) scalar.Expr {
	j := &jump{Expr: n, arg: &classifierAt{n}}
	if w.x == measure {
		return w.jump(j, n.Var, semantics.NoStep, 0, false)
	}
	f := w.fact(n.Var, false)
	switch {
	case !f.known, f.none:
		return &fixed{n, value.Null}
	case !f.any && !w.clause.Vars[n.Var].IsUnion():
		return &fixed{n, value.String(w.clause.Name(n.Var))}
	}
	w.tracked(j, n.Var, false, 0)
	return j
}

// raise notes that the condition is at least of a class.
func (w *rewriter) raise(c class, why string) {
	if c > w.class {
		w.class, w.why = c, why
	}
}

// offset evaluates the offset of a navigation. It is a constant; an error is
// left to the reference (NAV-5).
func (w *rewriter) offset(e scalar.Expr, without int64) int64 {
	if e == nil {
		return without
	}
	v, err := e.Eval(nil)
	if err != nil || v.IsNull() || v.Raw() < 0 {
		w.failed = true
		return without
	}
	return v.Raw()
}

func (w *rewriter) navigation(n *semantics.Navigation) scalar.Expr {
	w.nesting++
	arg := w.expr(n.Arg)
	w.nesting--
	j := &jump{Expr: n, arg: arg, physical: n.Physical}
	j.column, _ = arg.(*columnAt)
	k := w.offset(n.LogicalOffset, 0)
	j.steps = w.offset(n.PhysicalOffset, 1)
	out := w.jump(j, n.Var, n.Logical, k, n.Final)
	if out == j && j.column == nil && w.x != measure {
		w.classifierInside(n, j)
	}
	return out
}

// classifierInside classifies a navigation by the CLASSIFIER calls of its
// argument (DEF-10).
func (w *rewriter) classifierInside(n *semantics.Navigation, j *jump) {
	found := false
	scalar.Walk(n.Arg, func(e scalar.Expr) bool {
		switch e.(type) {
		case *semantics.Classifier:
			found = true
		case *semantics.MatchNumber:
			w.raise(startLocal, "MATCH_NUMBER()")
		}
		return true
	})
	switch {
	case !found:
	case j.from == atCurrent && j.k == 0 && (j.physical == semantics.NoStep || j.steps == 0):
		j.arg = w.withClassifier(n.Arg, value.String(w.clause.Name(w.x)))
	case j.from == atCurrent && j.physical == semantics.Next && j.steps > j.k:
		j.arg = w.withClassifier(n.Arg, value.Null)
	default:
		w.raise(dependent, "CLASSIFIER of a row before, in "+n.String())
	}
}

// withClassifier rewrites the argument of a navigation, CLASSIFIER being known.
func (w *rewriter) withClassifier(e scalar.Expr, name value.Value) scalar.Expr {
	var walk func(e scalar.Expr) scalar.Expr
	walk = func(e scalar.Expr) scalar.Expr {
		switch n := e.(type) {
		case *semantics.ColumnRef:
			return &columnAt{n, n.Column}
		case *semantics.MatchNumber:
			return &matchNumber{n}
		case *semantics.Classifier:
			return &fixed{n, name}
		}
		out, ok := rebuild(e, walk)
		if !ok {
			w.failed = true
			return e
		}
		return out
	}
	return walk(e)
}

// jump places a jump: step and k are its logical part on variable v. It
// returns the jump, or what stands for it.
func (w *rewriter) jump(j *jump, v semantics.VarID, step semantics.Step, k int64, final bool) scalar.Expr {
	if w.x == measure {
		return w.measured(j, v, step, k, final)
	}
	inside := v == semantics.Universal || w.clause.Belongs(w.x, v)
	switch {
	case step == semantics.First && v == semantics.Universal && k == 0:
		j.from = atStart
		w.raise(startLocal, j.String())
	case step == semantics.First && v == semantics.Universal:
		j.from, j.k = atNth, k
		w.raise(startLocal, j.String())
	case step != semantics.First && k == 0 && inside:
		j.from = atCurrent // DEF-6: the row under test is the last of v
	case step != semantics.First && v == semantics.Universal:
		j.from, j.k = atBack, k
		w.raise(startLocal, j.String())
	case k == 0:
		w.byFact(j, v, step == semantics.First)
	default:
		w.tracked(j, v, step == semantics.First, k)
	}
	w.reach(j)
	return j
}

// byFact places a jump to the first or the last row of a variable by what all
// paths have in common.
func (w *rewriter) byFact(j *jump, v semantics.VarID, first bool) {
	switch f := w.fact(v, first); {
	case !f.known, f.none: // never tested, or never with a row of v before
		j.from = atNone
	case f.any:
		w.tracked(j, v, first, 0)
	case f.back != unknownDistance:
		j.from, j.k = atCurrent, int64(f.back)
	case f.start:
		j.from = atStart
		w.raise(startLocal, j.String()+", whose row is the first of the match")
	default:
		w.tracked(j, v, first, 0)
	}
}

// fact is what all paths to the variable have in common about the first or the
// last row of another one.
func (w *rewriter) fact(v semantics.VarID, first bool) fact {
	return w.auto.factOf(w.factsOf(v, first), w.x)
}

// factsOf returns the facts about a variable at each position.
func (w *rewriter) factsOf(v semantics.VarID, first bool) []fact {
	key := factKey{v, first}
	facts, ok := w.facts[key]
	if !ok {
		facts = w.auto.facts(w.clause, v, first)
		w.facts[key] = facts
	}
	return facts
}

// tracked places a jump to a row that only the path knows.
func (w *rewriter) tracked(j *jump, v semantics.VarID, first bool, k int64) {
	j.from, j.k = atLast, k
	if first {
		j.from = atFirst
	}
	j.track = w.regs.track(v)
	w.raise(dependent, j.String())
}

// reach notes which rows around the current one a row-local jump reads.
func (w *rewriter) reach(j *jump) {
	if j.from != atCurrent {
		return
	}
	back := j.k
	switch j.physical {
	case semantics.Prev:
		if j.steps > maxReach {
			back = maxReach
		} else {
			back += j.steps
		}
	case semantics.Next:
		if j.steps > maxReach {
			back = -maxReach
		} else {
			back -= j.steps
		}
	case semantics.NoStep:
		return // a mapped row: always within reach
	}
	w.back = max(w.back, int(back))
	w.ahead = max(w.ahead, int(-back))
}

func (w *rewriter) aggregate(n *semantics.AggregateCall) scalar.Expr {
	if n.Fn.Name == "COUNT" && len(n.Args) == 0 && n.Filter == nil && n.Var == semantics.Universal {
		w.raise(startLocal, n.String())
		if n.Final {
			return w.once(&length{n}, n.Type())
		}
		return &length{n}
	}
	w.raise(dependent, n.String())
	w.nesting++
	args := make([]scalar.Expr, len(n.Args))
	for i, a := range n.Args {
		args[i] = w.expr(a)
	}
	var filter scalar.Expr
	if n.Filter != nil {
		filter = w.expr(n.Filter)
	}
	var keys []scalar.Expr
	for _, k := range n.OrderBy {
		keys = append(keys, w.expr(k.Expr))
	}
	w.nesting--
	out := w.regs.aggregate(n, args, filter, keys)
	if w.x == measure && n.Final {
		return w.once(out, out.Type())
	}
	return out
}

// measured places a jump of a measure.
func (w *rewriter) measured(j *jump, v semantics.VarID, step semantics.Step, k int64, final bool) scalar.Expr {
	switch {
	case v == semantics.Universal && step == semantics.First:
		j.from, j.k = atNth, k
	case v == semantics.Universal:
		j.from, j.k = atBack, k
	case k == 0 && w.auto != nil && w.atEnd(j, v, step == semantics.First):
	default:
		j.from, j.k = atLast, k
		if step == semantics.First {
			j.from = atFirst
		}
		j.track = w.regs.track(v)
	}
	if final {
		return w.once(j, j.Type())
	}
	return j
}

// atEnd places a jump to the first or last row of a variable, of a measure that
// is seen from the last row of a match, by what all ways to end have in common.
// It is false where they differ.
func (w *rewriter) atEnd(j *jump, v semantics.VarID, first bool) bool {
	var f fact
	for p, g := range w.factsOf(v, first) {
		if w.auto.ends[p] || w.auto.endsLast[p] {
			f = f.meet(g)
		}
	}
	switch {
	case f.any:
		return false
	case !f.known, f.none:
		j.from = atNone
	case f.start:
		j.from, j.k = atNth, 0
	case f.back != unknownDistance:
		j.from, j.k = atBack, int64(f.back)
	default:
		return false
	}
	return true
}

// once makes an expression one that is evaluated from the last row of the
// match, for all its rows (MEA-1).
func (w *rewriter) once(e scalar.Expr, t value.Type) scalar.Expr {
	*w.final = append(*w.final, e)
	return &finalValue{Base: scalar.Base{Place: e.Pos(), T: t}, slot: len(*w.final) - 1, of: e}
}

// finalValue is a FINAL navigation or aggregate in a measure of ALL ROWS PER MATCH.
type finalValue struct {
	scalar.Base
	slot int
	of   scalar.Expr
}

// Eval gives the value that the match has.
func (f *finalValue) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	return s.finals[f.slot].value, s.finals[f.slot].err
}

// Children returns no operands.
func (*finalValue) Children() []scalar.Expr { return nil }

// String returns the text of the call.
func (f *finalValue) String() string { return f.of.String() }
