package nfa

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// registerPlan says what conditions or measures read of the path: the rows of
// some variables, and aggregates over them.
type registerPlan struct {
	clause *semantics.Clause
	tracks []semantics.VarID
	aggs   []*aggregateSpec
}

// aggregateSpec is an aggregate over the rows of a tracked variable.
type aggregateSpec struct {
	agg   *scalar.Aggregation // with rewritten operands
	track int
	kind  aggregateKind
	typed number // summed, extreme: the argument, if it is held as an integer
	unit  unit
	// extreme: MIN, not MAX
	minimum bool
}

// aggregateKind says how an aggregate is kept up to date.
type aggregateKind uint8

const (
	// recomputed aggregates have no undo: rows are added one by one, and after
	// a row was given back they begin anew.
	recomputed aggregateKind = iota
	counted
	summed   // SUM and AVG of numbers held as integers
	floating // SUM and AVG of approximate numbers
	extreme  // MIN and MAX
)

// track returns the index of a variable among those tracked.
func (p *registerPlan) track(v semantics.VarID) int {
	for i, t := range p.tracks {
		if t == v {
			return i
		}
	}
	p.tracks = append(p.tracks, v)
	return len(p.tracks) - 1
}

// aggregate plans an aggregate and returns the expression that reads it.
func (p *registerPlan) aggregate(n *semantics.AggregateCall, args []scalar.Expr, filter scalar.Expr, keys []scalar.Expr) *aggregateAt {
	agg := *n.Aggregation
	agg.Args, agg.Filter = args, filter
	agg.OrderBy = append([]scalar.SortKey(nil), n.OrderBy...)
	for i, k := range keys {
		agg.OrderBy[i].Expr = k
	}
	spec := &aggregateSpec{agg: &agg, track: p.track(n.Var), kind: kindOf(n), minimum: n.Fn.Name == "MIN"}
	if (spec.kind == summed || spec.kind == extreme) && filter == nil {
		spec.typed, spec.unit = typedNumber(args[0])
	}
	p.aggs = append(p.aggs, spec)
	return &aggregateAt{AggregateCall: n, spec: spec, reg: len(p.aggs) - 1}
}

func kindOf(n *semantics.AggregateCall) aggregateKind {
	if n.Distinct || len(n.OrderBy) > 0 || len(n.Args) > 1 {
		return recomputed
	}
	switch n.Fn.Name {
	case "COUNT":
		return counted
	case "SUM", "AVG":
		t := n.Args[0].Type()
		switch {
		case t.IsApproximate():
			return floating
		case n.Fn.Name == "AVG" && (n.Options.Avg != value.AvgDecimal || !t.IsExact()):
			return recomputed
		case t.IsInteger(), t.IsInterval(), t.Kind == value.Decimal && t.Precision > 0:
			return summed
		}
	case "MIN", "MAX":
		return extreme
	}
	return recomputed
}

// registers is what a path has in the registers of a plan: in frames, where a
// frame can hold them, or else as the rows themselves.
type registers struct {
	frames
	plan   *registerPlan
	tracks []track
	aggs   []aggregate
	byVar  [][]int // by primary variable: the tracks that its rows belong to
}

// track holds the rows mapped so far to one variable.
type track struct {
	rows []int32
	aggs []int // aggregates over them
}

// aggregate holds the state of an aggregate after each row of its track, so
// that giving a row back is cutting the last state off (AGG-8). Where rows are
// never given back, in measures, it holds the last state only. States are made
// when the aggregate is read: the arguments of an aggregate that no condition
// asks for are not evaluated (DEF-15).
type aggregate struct {
	spec   *aggregateSpec
	states []aggregateState
	onward bool // rows are never given back
	seen   int  // rows that the last state knows of
	args   []value.Value
	run    *scalar.Run // recomputed
	done   int         // recomputed: rows added to run
	scene  *scene      // T2n: what arguments are evaluated in
	odd    bool        // some value is not held as an integer: rows are added to run
}

// aggregateState is what an aggregate knows after some rows.
type aggregateState struct {
	n      int64  // counted, summed, floating: rows that count
	lo, hi uint64 // summed: the sum in two's complement; floating: lo holds the sum
	best   int32  // extreme: the row that has the value; nowhere: none
	inf    bool   // floating: an argument was infinite
}

func (p *registerPlan) new() registers {
	r := registers{plan: p, tracks: make([]track, len(p.tracks)), aggs: make([]aggregate, len(p.aggs)), byVar: make([][]int, p.clause.Primaries)}
	for i, spec := range p.aggs {
		r.aggs[i] = aggregate{spec: spec, args: make([]value.Value, len(spec.agg.Args))}
		r.tracks[spec.track].aggs = append(r.tracks[spec.track].aggs, i)
	}
	for v := range r.byVar {
		for i, t := range p.tracks {
			if p.clause.Belongs(semantics.VarID(v), t) {
				r.byVar[v] = append(r.byVar[v], i)
			}
		}
	}
	return r
}

// reset gives all rows back.
func (r *registers) reset() {
	if r.layout != nil {
		r.frames.reset()
		return
	}
	for i := range r.tracks {
		r.tracks[i].rows = r.tracks[i].rows[:0]
	}
	for i := range r.aggs {
		r.aggs[i].cut(0)
	}
}

// push maps a row to a variable.
func (r *registers) push(s *scene, place int, v semantics.VarID) {
	if r.layout != nil {
		r.frames.push(s, place, v)
		return
	}
	for _, i := range r.byVar[v] {
		r.tracks[i].rows = append(r.tracks[i].rows, int32(place))
	}
}

// pop gives back the row that was mapped last, to variable v.
func (r *registers) pop(v semantics.VarID) {
	if r.layout != nil {
		r.frames.pop()
		return
	}
	for _, i := range r.byVar[v] {
		t := &r.tracks[i]
		n := len(t.rows) - 1
		t.rows = t.rows[:n]
		for _, a := range t.aggs {
			r.aggs[a].cut(n)
		}
	}
}

// cut forgets what an aggregate knows of rows beyond the first n.
func (a *aggregate) cut(n int) {
	if a.seen > n {
		a.states, a.seen = a.states[:n], n // onward: n is 0
	}
	if a.done > n {
		a.run, a.done = nil, 0
	}
}

// aggregateAt is an aggregate in a rewritten expression.
type aggregateAt struct {
	*semantics.AggregateCall
	spec *aggregateSpec
	reg  int
}

// Type returns the type of the result.
func (n *aggregateAt) Type() value.Type { return n.AggregateCall.Type() }

// String returns the text of the call.
func (n *aggregateAt) String() string { return n.AggregateCall.String() }

// Eval brings the aggregate up to date and returns its value.
func (n *aggregateAt) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	a := &s.regs.aggs[n.reg]
	outer := s.at
	var v value.Value
	var err error
	if s.regs.layout != nil {
		v, err = a.framed(s, n.reg)
	} else {
		v, err = a.value(s, s.regs.tracks[a.spec.track].rows)
	}
	s.at = outer
	if err != nil {
		return value.Null, diag.From(err).At(n.Pos())
	}
	return v, nil
}

// framed returns the aggregate that a frame holds.
func (a *aggregate) framed(s *scene, reg int) (value.Value, error) {
	if st, ok := s.regs.state(a.spec, reg); ok {
		if v, ok, err := a.result(s, &st); ok || err != nil {
			return v, err
		}
	}
	var rows []int32
	plan := s.regs.plan
	for i, v := range s.vars[:max(s.current-s.start+1, 0)] {
		if plan.clause.Belongs(v, plan.tracks[a.spec.track]) {
			rows = append(rows, int32(s.start+i))
		}
	}
	a.run, a.done = nil, 0
	return a.recompute(s, rows)
}

// value returns the aggregate over rows.
func (a *aggregate) value(s *scene, rows []int32) (value.Value, error) {
	if a.spec.kind == recomputed || a.odd {
		return a.recompute(s, rows)
	}
	if err := a.upToDate(s, rows); err != nil {
		return value.Null, err
	}
	if a.odd {
		return a.recompute(s, rows)
	}
	st := a.last()
	v, ok, err := a.result(s, &st)
	if !ok && err == nil {
		a.run, a.done = nil, 0
		return a.recompute(s, rows)
	}
	return v, err
}

// upToDate makes the states of all rows.
func (a *aggregate) upToDate(s *scene, rows []int32) error {
	outer := s.at
	for a.seen < len(rows) && !a.odd {
		if err := a.advance(s, int(rows[a.seen])); err != nil {
			s.at = outer
			return err
		}
	}
	s.at = outer
	return nil
}

// last returns the state after the rows seen.
func (a *aggregate) last() aggregateState {
	if n := len(a.states); n > 0 {
		return a.states[n-1]
	}
	return aggregateState{best: nowhere}
}

// note adds the state after one more row.
func (a *aggregate) note(st aggregateState) {
	a.seen++
	if a.onward && len(a.states) > 0 {
		a.states[0] = st
		return
	}
	a.states = append(a.states, st)
}

// advance adds the state behind one more row.
func (a *aggregate) advance(s *scene, row int) error {
	st := a.last()
	s.at = row
	if a.spec.typed != nil && s.vectors != nil {
		switch v, state := a.spec.typed.number(s); state {
		case isNull:
			a.note(st)
			return nil
		case isNumber:
			a.addNumber(&st, v, row)
			st.n++
			a.note(st)
		default:
			a.odd = true
		}
		return nil
	}
	agg := a.spec.agg
	take := true
	if agg.Filter != nil {
		truth, err := scalar.EvalTruth(agg.Filter, s)
		if err != nil {
			return err
		}
		take = truth == value.True
	}
	if take && len(agg.Args) > 0 {
		v, err := agg.Args[0].Eval(s)
		if err != nil {
			return err
		}
		take = !v.IsNull()
		if take {
			if err := a.add(s, &st, v, row); err != nil {
				return err
			}
		}
	}
	if take {
		st.n++
	}
	a.note(st)
	return nil
}

// recompute adds rows to a run of the aggregate, from the first row on if rows
// were given back.
func (a *aggregate) recompute(s *scene, rows []int32) (value.Value, error) {
	if a.run == nil || len(a.spec.agg.OrderBy) > 0 {
		a.run, a.done = a.spec.agg.Start(), 0
	}
	for a.done < len(rows) {
		s.at = int(rows[a.done])
		if err := a.run.Add(s); err != nil {
			a.run, a.done = nil, 0
			return value.Null, err
		}
		a.done++
	}
	return a.run.Result()
}
