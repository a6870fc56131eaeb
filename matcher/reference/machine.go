package reference

import (
	"context"
	"math"
	"slices"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// conditions is what the search needs to know about DEFINE (DEF-5, DEF-6).
type conditions interface {
	Holds(r semantics.Reach, start int, vars []semantics.VarID) (bool, error)
}

// frame is a continuation: what to do when the operand of a node has succeeded,
// and the continuation after that.
type frame struct {
	node  int32  // a concatenation, quantifier or permutation that is under way
	next  int32  // the frame that follows once node is done; done: none
	count uint32 // concatenation, permutation: the next element; quantifier: iterations done before the current one
	at    int32  // quantifier: the row where the current iteration began; permutation: its order, an offset into orders
	used  bool   // quantifier: the iteration has had a string before, and is being asked for another
	skip  bool   // quantifier: the iteration's first string is not to be tried again
}

// done is the continuation of the whole pattern.
const done int32 = -1

// choice is a choice point: another way to go on, in preference order the next
// one after what is being tried.
type choice struct {
	node   int32  // an alternation, quantifier or permutation
	next   int32  // its continuation
	row    int32  // where it stands
	frames int32  // the arena's length then
	orders int32  // the length of orders then
	arg    uint32 // alternation: the operand to try next; quantifier: iterations done; permutation: its order, an offset into orders
	least  uint32 // quantifier: if positive, iterations least to arg were counted as repetitions; see iterationDone
}

// phase tells what the machine does next.
type phase uint8

const (
	enter   phase = iota // match(node, row, next)
	proceed              // the node has succeeded: the continuation next takes over
	fail                 // the path is not feasible: back to the latest choice point
	accept               // no continuation is left: the path is the match
	broken               // an error: m.err
)

// machine runs the attempts in one partition, one after another.
type machine struct {
	nodes     []node
	root      int32
	exclusion bool // rows must be marked
	conds     conditions
	length    int // rows of the partition
	trace     func(Event)
	budget    budget

	// The attempt.
	start, end int // rows end and after are never mapped
	reach      semantics.Reach

	// The state of the search.
	pos      int               // the row that comes next
	node     int32             // the node to match
	next     int32             // its continuation
	vars     []semantics.VarID // row start+i is mapped to vars[i], for rows before pos; longer than that after backtracking
	excluded []bool            // likewise, whether the row is excluded; unused without exclusion
	frames   stack[frame]
	choices  stack[choice]
	orders   []int32 // the orders of the permutations under way, one after another
	guard    int32   // frames below guard are needed again by some choice point

	// Accounts of the attempt.
	tests   int64 // condition tests
	moves   int64 // steps of the machine
	checkAt int64 // moves at which accounts and context are looked at
	err     error
}

// run searches for the preferred match of an attempt.
func (m *machine) run(ctx context.Context, a matcher.Attempt) (found bool, err error) {
	m.start, m.end, m.reach = a.Start, a.End, a.Reach()
	m.pos, m.node, m.next = a.Start, m.root, done
	m.frames.truncate(0)
	m.choices.truncate(0)
	m.orders = m.orders[:0]
	m.guard, m.tests, m.moves, m.checkAt, m.err = 0, 0, 0, 0, nil
	return m.resume(ctx, enter)
}

// another searches for the next feasible candidate after one that was found:
// the success counts as a failure, and the search goes on.
func (m *machine) another(ctx context.Context) (found bool, err error) { return m.resume(ctx, fail) }

// resume goes on from a phase.
func (m *machine) resume(ctx context.Context, what phase) (found bool, err error) {
	for {
		if m.moves >= m.checkAt {
			if err := m.account(ctx); err != nil {
				return false, err
			}
		}
		m.moves++
		switch what {
		case enter:
			what = m.enter()
		case proceed:
			what = m.proceed()
		case fail:
			if m.choices.n == 0 {
				if m.trace != nil {
					m.pos = m.start
					m.emit(Exhausted, nil, 0, false)
				}
				return false, nil
			}
			what = m.backtrack()
		case accept:
			if m.trace != nil {
				m.emit(Accept, nil, 0, true)
			}
			return true, nil
		case broken:
			return false, m.err
		}
	}
}

// mapping returns the match after a successful run.
func (m *machine) mapping() semantics.Mapping {
	n := m.pos - m.start
	out := semantics.Mapping{Start: m.start, Vars: m.vars[:n:n]}
	if m.exclusion && slices.Contains(m.excluded[:n], true) {
		out.Excluded = m.excluded[:n:n]
	}
	return out
}

// pushFrame makes a frame for the current node, which will take over after the
// operand that is entered now.
func (m *machine) pushFrame(f frame) {
	f.node, f.next = m.node, m.next
	m.next = m.frames.push(f)
}

// pushChoice leaves a choice point for the current node.
func (m *machine) pushChoice(arg uint32) {
	m.choices.push(choice{node: m.node, next: m.next, row: int32(m.pos),
		frames: m.frames.n, orders: int32(len(m.orders)), arg: arg})
	m.guard = m.frames.n
}

// dropChoice removes the latest choice point: its last way is being tried.
func (m *machine) dropChoice() {
	m.choices.truncate(m.choices.n - 1)
	m.guard = 0
	if m.choices.n > 0 {
		m.guard = m.choices.top().frames
	}
}

// proceed lets the continuation take over.
func (m *machine) proceed() phase {
	if m.next == done {
		return accept
	}
	at := m.next
	f := *m.frames.at(at)
	// Without a choice point since the frame was made nothing returns to it.
	last := at >= m.guard
	if last && at == m.frames.n-1 {
		m.frames.truncate(at)
	}
	m.node, m.next = f.node, f.next
	switch m.nodes[f.node].op {
	case semantics.OpConcat:
		return m.concatenation(f.count)
	case semantics.OpPermute:
		return m.permutation(f.count, f.at)
	default:
		if !last {
			again := m.frames.at(at)
			again.used, again.skip = true, false
		}
		return m.iterationDone(f, last)
	}
}

// backtrack undoes the path back to the latest choice point and takes its next
// way. Cutting pos back undoes the mapping.
func (m *machine) backtrack() phase {
	c := m.choices.top()
	m.pos, m.node, m.next = int(c.row), c.node, c.next
	m.frames.truncate(c.frames)
	m.orders = m.orders[:c.orders]
	n := &m.nodes[c.node]
	if m.trace != nil {
		m.emit(Backtrack, n, 0, false)
	}
	arg := c.arg
	switch n.op {
	case semantics.OpAlternate:
		if c.arg++; int(c.arg) == len(n.subs) {
			m.dropChoice()
		}
		return m.alternative(n, arg)
	case semantics.OpPermute:
		order := m.orders[arg : int(arg)+len(n.subs)]
		nextOrder(order)
		if isLastOrder(order) {
			m.dropChoice()
		}
		return m.ordered(n, int32(arg))
	}
	switch {
	case c.least > 0:
		if c.arg--; c.arg < c.least {
			m.dropChoice()
		}
		return m.again(n, arg, true)
	case n.reluctant:
		m.dropChoice()
		return m.again(n, arg, false)
	}
	m.dropChoice()
	return m.leave(n, arg)
}

// budget is what one attempt may use.
type budget struct {
	tests  int64    // condition tests
	moves  int64    // steps of the machine
	rows   int64    // rows of the match
	source string   // text of the statement, for error messages
	pos    diag.Pos // of the pattern
}

const (
	// checkEvery is how many steps are taken between looks at the context.
	checkEvery = 4096
	// movesPerTest bounds the steps of the machine that are no condition tests: a
	// PERMUTE of ten empty elements before $ has 10! candidates and tests nothing.
	// Ordinary patterns take two to five steps a test.
	movesPerTest = 16
	// entriesPerRow bounds the frames and choice points, together with one for
	// each condition test allowed. A match needs one or two a row and level of nesting.
	entriesPerRow = 16
	// maxEntries keeps indexes within 32 bits.
	maxEntries = math.MaxInt32 - 1<<24
)

// newBudget turns limits into a budget.
func newBudget(lim matcher.Limits, source string, pos diag.Pos) budget {
	lim = lim.WithDefaults()
	b := budget{tests: lim.Steps, moves: math.MaxInt64, rows: lim.Rows, source: source, pos: pos}
	if lim.Steps < math.MaxInt64/movesPerTest {
		b.moves = lim.Steps * movesPerTest
	}
	return b
}

// account ends the search when it is cancelled or has used up its budget, and
// says when to look next.
func (m *machine) account(ctx context.Context) error {
	m.checkAt = m.moves + checkEvery
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.moves > m.budget.moves {
		return m.overBudget("took %d steps without an end", m.moves)
	}
	entries := int64(m.frames.n) + int64(m.choices.n) + int64(len(m.orders))
	allowed := int64(maxEntries)
	if b := m.budget.tests; b < maxEntries {
		allowed = min(allowed, b+entriesPerRow*int64(m.end-m.start))
	}
	if entries > allowed {
		return m.overBudget("has %d decisions open", entries)
	}
	return nil
}

// overBudget makes the limit error of an attempt (LIM-1).
func (m *machine) overBudget(format string, args ...any) error {
	e := diag.New(diag.Limit, "LIM-1", m.budget.pos, "the search for the match at row %d of its partition "+format,
		append([]any{m.start + 1}, args...)...)
	return e.In(m.budget.source).WithHint("raise the budget with --max-steps (0: none), or make the pattern less ambiguous")
}
