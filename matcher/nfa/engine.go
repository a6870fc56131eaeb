package nfa

import (
	"context"
	"fmt"
	"sync"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Name is the engine's name.
const Name = "nfa"

// Engine is the optimised matcher.
type Engine struct {
	// Fallback searches what this engine leaves to others: patterns too large
	// to unroll, and partitions in which a condition is a run-time error.
	Fallback matcher.Engine
	// Force selects a tier, for tests. Compiling a clause to which the tier
	// does not apply is then an error.
	Force Tier
	// MemoAfter is how many conditions T3 tests in a partition before it
	// remembers failures; 0: a thousand, negative: none, for tests.
	MemoAfter int
}

// Name returns the name of the engine.
func (Engine) Name() string { return Name }

// Tier is a way to search.
type Tier uint8

// The tiers. Auto chooses the cheapest one that applies.
const (
	Auto Tier = iota
	// Deterministic (T1) follows the only path there is, forward.
	Deterministic
	// States (T2) stores the number of a viability set for each row.
	States
	// Bits (T2b) computes viability sets as words of bits.
	Bits
	// Runs (T2c) counts repetitions of one variable instead of unrolling them.
	Runs
	// Carried (T2n) carries what the measures need of a match from its end to
	// its start, where matches overlap.
	Carried
	// Windowed (T2w) bounds a match by a window that begins at its first row.
	Windowed
	// Search (T3) backtracks, over what viability leaves.
	Search
	// Delegated leaves the whole search to Engine.Fallback.
	Delegated
)

var tierNames = [...]string{"auto", "T1", "T2", "T2b", "T2c", "T2n", "T2w", "T3", "reference"}

func (t Tier) String() string { return tierNames[t] }

// program is a compiled clause.
type program struct {
	clause    *semantics.Clause
	limits    matcher.Limits
	fallback  matcher.Program
	tier      Tier
	reasons   []string // of Explain
	memoAfter int64
	auto      *automaton
	sets      *sets
	labels    *labelPlan
	defs      []definition
	regs      registerPlan // of the conditions
	layout    *layout      // of regs; nil: rows are kept instead
	search    searchPlan
	window    *windowPlan // T2w; nil: no condition is a window
	plans     plans

	mu     sync.Mutex // guards shared
	shared *worker

	forward *forward // T1; nil: not deterministic
	output  outputPlan
	carry   *carryPlan // T2n; nil: not everything can be carried
	need    []int      // T0: row conditions that every match needs
}

// worker is what one goroutine at a time computes with.
type worker struct {
	labels *labels
	dfa    *dfa
}

func (p *program) newWorker() *worker {
	l := newLabels(p.labels, p.auto, p.sets.words)
	return &worker{labels: l, dfa: newDFA(p.sets, l)}
}

// Compile plans the search for a clause.
func (e Engine) Compile(c *semantics.Clause, lim matcher.Limits) (matcher.Program, error) {
	p := &program{clause: c, limits: lim.WithDefaults(), memoAfter: 1000}
	if e.MemoAfter != 0 {
		p.memoAfter = int64(max(e.MemoAfter, 0))
	}
	if e.Fallback != nil {
		// Its limits on the pattern are ours: both engines refuse the same.
		var err error
		if p.fallback, err = e.Fallback.Compile(c, lim); err != nil {
			return nil, err
		}
	}
	p.plan(e.Force)
	p.planOutput()
	p.carry = p.planCarry()
	if e.Force == Carried && p.carry != nil {
		p.tier = Carried
	}
	if e.Force != Auto && e.Force != p.tier {
		return nil, diag.New(diag.Unsupported, "LIM-1", c.Pattern.Pos, "tier %s does not apply, %s does", e.Force, p.tier).
			In(c.Source).WithHint("force no tier, or one that applies")
	}
	if p.tier == Delegated && p.fallback == nil {
		return nil, diag.New(diag.Limit, "LIM-1", c.Pattern.Pos, "the pattern is too large for the engine %s", Name).
			In(c.Source).WithHint("use smaller bounds, or --matcher reference")
	}
	return p, nil
}

// reason adds a sentence to Explain.
func (p *program) reason(format string, args ...any) {
	p.reasons = append(p.reasons, fmt.Sprintf(format, args...))
}

// plan classifies the conditions and selects the tier.
func (p *program) plan(force Tier) {
	c := p.clause
	p.auto = compilePattern(c.Pattern, force != States && force != Bits)
	if p.auto == nil {
		p.tier = Delegated
		p.reason("the pattern has more than %d places once its quantifiers are unrolled", maxPositions)
		return
	}
	p.regs = registerPlan{clause: c}
	w := &rewriter{clause: c, auto: p.auto, regs: &p.regs, facts: map[factKey][]fact{}}
	worst, why := rowLocal, ""
	for v := range c.Primaries {
		d := w.define(semantics.VarID(v))
		for i := range d.conjuncts {
			j := &d.conjuncts[i]
			if j.raises {
				p.tier = Delegated
				p.reason("%s AS %s cannot be rewritten", c.Vars[v].Name, j.text)
				return
			}
			if j.class > worst {
				worst, why = j.class, fmt.Sprintf("%s AS %s: %s", c.Vars[v].Name, j.text, j.why)
			}
		}
		p.defs = append(p.defs, d)
	}
	p.labels = p.labelPlan()
	p.sets = newSets(p.auto, worst != rowLocal)
	p.need = p.needed()
	switch {
	case worst != rowLocal:
		p.tier = Search
		p.reason("a condition is %s: %s", worst, why)
		p.search = p.searchPlan(p.raisingVars(&raising{}))
		if p.window = p.planWindow(); p.window != nil && p.window.only && force != Search && p.ordersBy(p.window.column, p.window.falls) {
			p.tier = Windowed
			p.reason("the conditions that are not row-local are windows that begin at the first row")
		}
	case p.auto.hasRuns:
		p.tier = Runs
	case force == Bits, p.sets.words > maxDFAWords:
		p.tier = Bits
	default:
		p.tier = States
		if force != States {
			p.forward = newForward(p.auto, newLabels(p.labels, p.auto, p.sets.words))
		}
		if p.forward != nil {
			p.tier = Deterministic
		}
	}
}

// needed returns the row conditions without which there is no match (T0): those
// of variables that every path takes.
func (p *program) needed() []int {
	var need []int
	for c := range p.labels.conditions {
		if !p.auto.canAvoid(func(q int32) bool { return p.labels.bit[p.auto.positions[q].v] == c }) {
			need = append(need, c)
		}
	}
	return need
}

// canAvoid reports whether a match is possible without certain positions.
func (a *automaton) canAvoid(avoid func(int32) bool) bool {
	seen := make([]bool, len(a.positions))
	var work []int32
	add := func(list []int32) bool {
		for _, q := range list {
			if q == accept {
				return true
			}
			if !seen[q] && !avoid(q) {
				seen[q] = true
				work = append(work, q)
			}
		}
		return false
	}
	if add(a.start[firstRow]) || add(a.start[laterRow]) {
		return true
	}
	for len(work) > 0 {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		if a.endsLast[q] || add(a.follow[q]) {
			return true
		}
	}
	return false
}

// maxDFAWords is the largest position set of a dfa: larger patterns have too
// many states for it to be worth while.
const maxDFAWords = 16

// searches reports that some condition is not row-local.
func (p *program) searches() bool { return p.tier == Search || p.tier == Windowed }

// labelPlan gathers the row-local conjuncts of each variable.
func (p *program) labelPlan() *labelPlan {
	plan := &labelPlan{unknown: p.clause.Readings.Is(readings.DEF15), bit: make([]int, p.clause.Primaries)}
	for v := range plan.bit {
		plan.bit[v] = always
		var cond rowCondition
		for _, j := range p.defs[v].conjuncts {
			if j.class == rowLocal {
				cond.parts = append(cond.parts, j.expr)
				cond.back, cond.ahead = max(cond.back, j.back), max(cond.ahead, j.ahead)
			}
		}
		if cond.parts != nil {
			plan.bit[v] = len(plan.conditions)
			plan.conditions = append(plan.conditions, cond)
			plan.back, plan.ahead = max(plan.back, cond.back), max(plan.ahead, cond.ahead)
		}
	}
	plan.compile()
	return plan
}

// Partition prepares the search in one partition.
func (p *program) Partition(part *semantics.Partition) (matcher.Finder, error) {
	f := &finder{program: p, part: part}
	if p.fallback != nil {
		f.fallback = func() (matcher.Finder, error) { return p.fallback.Partition(part) }
	}
	if p.tier == Delegated {
		return f.fallback()
	}
	return f, nil
}

// finder finds matches in one partition.
type finder struct {
	program  *program
	part     *semantics.Partition
	fallback func() (matcher.Finder, error)
	other    matcher.Finder // set when the fallback has taken over
	ready    bool
	narrow   []uint8
	wide     []uint16
	whole    viability // of the whole partition
	local    viability // of another search area or reach
	localOf  matcher.Attempt
	vars     []semantics.VarID
	excluded []bool
	marked   bool // the match has an excluded row
	machine  *machine
}

// Find returns the preferred match that starts at a.Start (MAT-1).
func (f *finder) Find(ctx context.Context, a matcher.Attempt) (semantics.Mapping, bool, error) {
	if err := ctx.Err(); err != nil {
		return semantics.Mapping{}, false, err
	}
	if f.other == nil {
		m, found, err := f.find(ctx, a)
		if f.other == nil {
			return m, found, err
		}
	}
	return f.other.Find(ctx, a)
}

// delegate lets the fallback take over for this partition.
func (f *finder) delegate() error {
	if f.fallback == nil {
		return diag.New(diag.Limit, "LIM-1", f.program.clause.Pattern.Pos, "the partition needs the reference matcher").In(f.program.clause.Source)
	}
	var err error
	f.other, err = f.fallback()
	return err
}

func (f *finder) find(ctx context.Context, a matcher.Attempt) (semantics.Mapping, bool, error) {
	p := f.program
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shared == nil {
		p.shared = p.newWorker()
	}
	if a.Start >= a.End {
		return f.behind(a)
	}
	v, err := f.view(p.shared, a)
	if err != nil || f.other != nil {
		return semantics.Mapping{}, false, err
	}
	if w, ok := v.(*windowView); p.searches() && !(ok && w.plan.only) {
		return f.search(ctx, v, a)
	}
	return f.walk(v, a)
}

// behind is an attempt that no row is left for.
func (f *finder) behind(a matcher.Attempt) (semantics.Mapping, bool, error) {
	x := startKind(a.Start)
	found := f.program.auto.startEmpty[x]
	if a.Start < f.part.Len() {
		list := f.program.auto.start[x]
		found = len(list) > 0 && list[len(list)-1] == accept
	}
	return semantics.Mapping{Start: a.Start}, found, nil
}

// walk follows the preferred match forward (d).
func (f *finder) walk(v viability, a matcher.Attempt) (semantics.Mapping, bool, error) {
	p := f.program
	at := v.begin(a.Start, startKind(a.Start))
	if at == none {
		return semantics.Mapping{}, false, nil
	}
	f.vars, f.excluded, f.marked = f.vars[:0], f.excluded[:0], false
	row := a.Start
	for at != accept {
		pos := &p.auto.positions[at]
		end := v.leave(row, at)
		if end <= row || int64(end-a.Start) > p.limits.Rows {
			return semantics.Mapping{}, false, p.walkError(a, row, end)
		}
		for ; row < end; row++ {
			f.vars = append(f.vars, pos.v)
			f.excluded = append(f.excluded, pos.excluded)
		}
		f.marked = f.marked || pos.excluded
		if at = v.choose(row, at); at == none {
			return semantics.Mapping{}, false, p.walkError(a, row, nowhere)
		}
	}
	return f.mapping(a.Start), true, nil
}

// mapping returns the match that vars and excluded hold.
func (f *finder) mapping(start int) semantics.Mapping {
	m := semantics.Mapping{Start: start, Vars: f.vars}
	if f.marked {
		m.Excluded = f.excluded
	}
	return m
}

// walkError is the error of a walk that has gone on for too many rows, or into
// a dead end, which viability excludes.
func (p *program) walkError(a matcher.Attempt, row, end int) error {
	if end > row {
		return diag.New(diag.Limit, "LIM-1", p.clause.Pattern.Pos, "the match at row %d of its partition mapped %d rows, the limit of one match",
			a.Start+1, p.limits.Rows).In(p.clause.Source).WithHint("raise the budget with --max-steps (0: none), or make the pattern less ambiguous")
	}
	return diag.New(diag.Internal, "LIM-1", p.clause.Pattern.Pos, "the match at row %d of its partition has a dead end at row %d", a.Start+1, row+1).In(p.clause.Source)
}
