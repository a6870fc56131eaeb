package nfa

import (
	"context"
	"slices"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// searchPlan is what T3 knows of the conditions.
type searchPlan struct {
	places    []place // by position
	pruned    uint64  // the first 64 positions that have prune set
	registers []register
	number    bool // some condition reads MATCH_NUMBER()
	raising   bool // some condition may be an error
}

// place is what T3 knows of a position.
type place struct {
	v semantics.VarID
	// tests are the conjuncts that are evaluated on the path: those that are not
	// row-local where prune is set, or else all, as they were written.
	tests []test
	// prune: viability may cut the search here, since no condition is passed
	// over that could be a run-time error.
	prune bool
	// memo: what comes after it depends on the row and the start only, so that a
	// failure holds for every path (PREF-10).
	memo bool
	// live is what the conditions behind it read of the path. keyed: these are
	// registers, so that a failure holds for every path on which they have the
	// same values.
	keyed bool
	live  reads
}

// test is a conjunct to be evaluated on a path.
type test struct {
	expr  scalar.Expr
	typed predicate // the same, where it is made of numbers
}

// searchPlan finds out where the search may be cut. raises says, by primary
// variable, that the condition may be a run-time error.
func (p *program) searchPlan(raises []bool) searchPlan {
	var s searchPlan
	classes, read := make([]class, len(p.defs)), make([]reads, len(p.defs))
	// By variable: all conjuncts, and those that are not row-local.
	whole, depends := make([][]test, len(p.defs)), make([][]test, len(p.defs))
	for v, d := range p.defs {
		for _, j := range d.conjuncts {
			t := test{j.expr, typedPredicate(j.expr)}
			whole[v] = append(whole[v], t)
			if j.class != rowLocal {
				depends[v] = append(depends[v], t)
				read[v] |= s.readsOf(j.expr)
				scalar.Walk(j.expr, func(e scalar.Expr) bool {
					_, is := e.(*matchNumber)
					s.number = s.number || is
					return true
				})
			}
			classes[v] = max(classes[v], j.class)
		}
	}
	a := p.auto
	n := len(a.positions)
	// Of the positions that can come later:
	ahead, raise, live := make([]class, n), make([]bool, n), make([]reads, n)
	before := make([][]int32, n)
	for q := range a.follow {
		for _, r := range a.next(int32(q)) {
			before[r] = append(before[r], int32(q))
		}
	}
	var work []int32
	for q := range before {
		work = append(work, int32(q))
	}
	for len(work) > 0 {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		v := a.positions[q].v
		c, r, l := max(ahead[q], classes[v]), raise[q] || raises[v], live[q]|read[v]
		for _, b := range before[q] {
			if c > ahead[b] || r && !raise[b] || l&^live[b] != 0 {
				ahead[b], raise[b], live[b] = max(ahead[b], c), raise[b] || r, live[b]|l
				work = append(work, b)
			}
		}
	}
	s.raising = slices.Contains(raises, true)
	s.places = make([]place, n)
	for q := range a.positions {
		v, run := a.positions[q].v, a.positions[q].isRun()
		pl := place{v: v, tests: whole[v], prune: !raise[q] && !raises[v], live: live[q],
			memo: ahead[q] <= startLocal && !run, keyed: ahead[q] == dependent && live[q]&readsPath == 0 && !run}
		if pl.prune {
			if q < 64 {
				s.pruned |= 1 << q
			}
			pl.tests = depends[v]
		}
		s.places[q] = pl
	}
	return s
}

// next returns the positions that can follow a position, the run itself included.
func (a *automaton) next(p int32) []int32 {
	list := a.follow[p]
	if n := len(list); n > 0 && list[n-1] == accept {
		list = list[:n-1]
	}
	if a.positions[p].isRun() {
		list = append(list[:len(list):len(list)], p)
	}
	return list
}

// machine searches one partition by backtracking, in preference order: at each
// row it tries the entries of a list, and the first path that may end is the
// match. It is T3, chosen where some condition reads how earlier rows are mapped;
// viability without these conditions cuts the search, failures are remembered
// once there are many, and the path takes some words a row (see layout). A state of the search is a position, the repetitions of a run,
// the row and the mapping (PREF-10a); lists hold each position once, which is
// enough for conditions that read the mapping too, since two ways to the same
// position behind the same mapping have the same future.
type machine struct {
	program *program
	plan    *searchPlan
	scene   scene
	steps   []step
	vars    []semantics.VarID
	failed  memo
	unknown bool // DEF-15=unknown

	failures failures
	area     matcher.Attempt // what failures belong to

	// Where positions fit one word and all states are at hand:
	states []uint16 // of the rows; nil: viability is asked
	sets   []uint64 // by state

	length       int // rows of the partition
	tests, moves int64
	work         int64 // tests of all attempts of the partition
}

// step is one mapped row of the path.
type step struct {
	position int32
	cursor   int32 // the entry to try next in place of this step
	count    int32 // rows of the run so far
}

// checkEvery is how many moves are made between looks at the context.
const checkEvery = 4096

// movesPerTest bounds the moves that are no tests.
const movesPerTest = 16

func (p *program) newMachine() *machine {
	m := &machine{program: p, unknown: p.labels.unknown}
	m.scene = scene{at: nowhere, regs: p.regs.new(), names: p.names()}
	m.failed.positions = len(p.auto.positions)
	return m
}

// names returns the classifiers of the primary variables.
func (p *program) names() []string {
	var names []string
	for v := range p.clause.Primaries {
		names = append(names, p.clause.Name(semantics.VarID(v)))
	}
	return names
}

// enter makes a partition the one to search.
func (m *machine) enter(t *table.Table, rows []int32) {
	if m.plan == nil {
		m.plan = m.program.searchPlanFor(t)
	}
	if m.scene.table != t {
		m.scene.table, m.scene.vectors = t, vectorsOf(t)
		m.scene.regs.use(m.program.layout, &m.scene)
	}
	m.scene.rows, m.length = rows, len(rows)
	m.failures.reset()
	m.work = 0
}

// search finds the preferred match of an attempt by backtracking.
func (f *finder) search(ctx context.Context, v viability, a matcher.Attempt) (semantics.Mapping, bool, error) {
	if f.machine == nil {
		f.machine = f.program.newMachine()
		f.machine.enter(f.part.Table, f.part.Rows)
	}
	found, err := f.machine.run(ctx, v, a)
	if err != nil || !found {
		return semantics.Mapping{}, false, err
	}
	f.vars = f.machine.vars
	f.excluded, f.marked = f.excluded[:0], false
	if f.program.auto.excludes {
		for _, s := range f.machine.steps {
			x := f.program.auto.positions[s.position].excluded
			f.excluded, f.marked = append(f.excluded, x), f.marked || x
		}
	}
	return f.mapping(a.Start), true, nil
}

func (m *machine) run(ctx context.Context, v viability, a matcher.Attempt) (bool, error) {
	s := &m.scene
	s.lo, s.hi, s.number, s.start = a.Lo, a.Hi, a.MatchNumber, a.Start
	s.regs.reset()
	m.steps, m.vars = m.steps[:0], m.vars[:0]
	m.tests, m.moves = 0, 0
	m.failed.begin(a.Start)
	if o := &m.area; o.End != a.End || o.Lo != a.Lo || o.Hi != a.Hi || m.plan.number && o.MatchNumber != a.MatchNumber {
		m.failures.reset()
		m.area = a
	}
	m.failures.pass(a.Start)
	m.states, m.sets = nil, nil
	if sv, ok := v.(*stateView); ok && sv.base == 0 && sv.split == 0 && m.program.sets.words == 1 {
		m.states, m.sets = sv.states, sv.d.states
	}
	if m.program.auto.hasRuns {
		return m.runWithRuns(ctx, v, a)
	}
	auto := m.program.auto
	row, cursor := a.Start, int32(0)
	list := auto.start[startKind(row)]
	hopeless := m.hopeless(row)
	for {
		if m.moves++; m.moves%checkEvery == 0 {
			if err := m.account(ctx); err != nil {
				return false, err
			}
		}
		if int(cursor) < len(list) && row < a.End {
			q := list[cursor]
			cursor++
			if q == accept {
				return true, nil
			}
			if hopeless>>(q&63)&1 != 0 {
				continue
			}
			ok, err := m.take(v, q, row)
			if err != nil {
				return false, err
			}
			if ok {
				m.steps = append(m.steps, step{q, cursor, 1})
				row, cursor, list = row+1, 0, auto.follow[q]
				hopeless = m.hopeless(row)
			}
			continue
		}
		n := len(m.steps)
		if n == 0 {
			return false, nil
		}
		if row == a.End {
			// Only the end of the match can come.
			last := m.steps[n-1].position
			if row == m.length && auto.endsLast[last] || row < m.length && auto.ends[last] {
				return true, nil
			}
		}
		row--
		cursor = m.undo(row)
		list = auto.start[startKind(row)]
		if n > 1 {
			list = auto.follow[m.steps[n-2].position]
		}
		hopeless = m.hopeless(row)
	}
}

// hopeless returns the positions at which viability cuts the search at a row,
// where that is known of all of them at once.
func (m *machine) hopeless(row int) uint64 {
	if m.states == nil {
		return 0
	}
	return m.plan.pruned &^ m.sets[m.states[row]]
}

// runWithRuns is run for patterns with runs.
func (m *machine) runWithRuns(ctx context.Context, v viability, a matcher.Attempt) (bool, error) {
	row, cursor := a.Start, int32(0)
	for {
		if m.moves++; m.moves%checkEvery == 0 {
			if err := m.account(ctx); err != nil {
				return false, err
			}
		}
		q, count, more := m.entry(row, cursor, a.End)
		switch {
		case !more:
			if len(m.steps) == 0 {
				return false, nil
			}
			row--
			cursor = m.undo(row)
			continue
		case q == accept:
			return true, nil
		}
		cursor++
		if q == none {
			continue
		}
		ok, err := m.take(v, q, row)
		if err != nil {
			return false, err
		}
		if ok {
			m.steps = append(m.steps, step{q, cursor, count})
			row, cursor = row+1, 0
		}
	}
}

// entry returns the entry of a cursor among those that may come next: a
// position with the number of rows that its run then has, accept, or none for
// an entry that does not apply. more is false behind the last entry.
func (m *machine) entry(row int, cursor int32, end int) (q, count int32, more bool) {
	a := m.program.auto
	if len(m.steps) == 0 {
		list := a.start[startKind(row)]
		if int(cursor) == len(list) {
			return none, 0, false
		}
		return list[cursor], 1, true
	}
	last := m.steps[len(m.steps)-1]
	p := &a.positions[last.position]
	list := a.follow[last.position]
	if row == end {
		// Only the end of the match can come.
		ends := a.ends[last.position]
		if row == m.length {
			ends = a.endsLast[last.position]
		}
		if cursor > 0 || !ends || int(last.count) < p.least {
			return none, 0, false
		}
		return accept, 0, true
	}
	if p.isRun() {
		again := last.position
		if int(last.count) == p.most {
			again = none
		}
		switch {
		case int(last.count) < p.least:
			if cursor > 0 {
				return none, 0, false
			}
			return again, last.count + 1, true
		case p.reluctant && int(cursor) == len(list):
			return again, last.count + 1, true
		case !p.reluctant && cursor == 0:
			return again, last.count + 1, true
		case !p.reluctant:
			cursor--
		}
	}
	if int(cursor) >= len(list) {
		return none, 0, false
	}
	return list[cursor], 1, true
}

// undo gives back the last row of the path and returns the entry to try in its place.
func (m *machine) undo(row int) int32 {
	last := m.steps[len(m.steps)-1]
	p := &m.plan.places[last.position]
	if p.keyed && m.work > memoFactor*int64(m.scene.start)+m.program.memoAfter {
		m.scene.current = row
		if m.keyOf(last.position, row) {
			m.failures.add()
		}
	}
	m.steps = m.steps[:len(m.steps)-1]
	m.vars = m.vars[:len(m.steps)]
	m.scene.regs.pop(p.v)
	if p.memo {
		m.failed.add(last.position, row)
	}
	return last.cursor
}

// take maps a row to a position if its condition is TRUE, the row counting as
// mapped while the condition is tested (DEF-6).
func (m *machine) take(v viability, q int32, row int) (bool, error) {
	p := &m.plan.places[q]
	if p.memo && m.failed.has(q, row) {
		return false, nil
	}
	if p.prune && (m.states == nil || m.program.auto.hasRuns) && !v.viable(row, q) {
		return false, nil
	}
	m.work++
	if m.tests++; m.tests > m.program.limits.Steps {
		return false, m.overBudget("tested %d conditions without an end", m.program.limits.Steps)
	}
	if int64(len(m.steps)) >= m.program.limits.Rows {
		return false, m.overBudget("mapped %d rows, the limit of one match", len(m.steps))
	}
	s := &m.scene
	m.vars = append(m.vars, p.v)
	s.vars, s.current, s.end = m.vars, row, row+1
	s.regs.push(s, row, p.v)
	holds, err := m.holds(p.tests)
	if holds && p.keyed && m.failures.mayHave(q, row) && m.keyOf(q, row) {
		_, failed := m.failures.find()
		holds = !failed
	}
	if !holds {
		m.vars = m.vars[:len(m.steps)]
		s.regs.pop(p.v)
	}
	return holds, err
}

// holds evaluates conjuncts from left to right. As AND does, it stops at FALSE
// only (DEF-15).
func (m *machine) holds(conditions []test) (bool, error) {
	all := true
	for i := range conditions {
		c := &conditions[i]
		if c.typed != nil {
			if t, ok := c.typed.truth(&m.scene); ok {
				if t == value.False {
					return false, nil
				}
				all = all && t == value.True
				continue
			}
		}
		t, err := scalar.EvalTruth(c.expr, &m.scene)
		if err != nil {
			e := diag.From(err)
			if m.unknown && e.Stage == diag.Runtime {
				return false, nil
			}
			return false, e.In(m.program.clause.Source)
		}
		if t == value.False {
			return false, nil
		}
		all = all && t == value.True
	}
	return all, nil
}

// account ends a search that is cancelled or over its budget.
func (m *machine) account(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.moves/movesPerTest > m.program.limits.Steps {
		return m.overBudget("took %d steps without an end", m.moves)
	}
	return nil
}

// overBudget makes the limit error of an attempt (LIM-1).
func (m *machine) overBudget(format string, args ...any) error {
	c := m.program.clause
	return diag.New(diag.Limit, "LIM-1", c.Pattern.Pos, "the search for the match at row %d of its partition "+format,
		append([]any{m.scene.start + 1}, args...)...).In(c.Source).
		WithHint("raise the budget with --max-steps (0: none), or make the pattern less ambiguous")
}
