package nfa

import (
	"github.com/rprcheck/rprcheck/semantics"
)

// accept stands in a list for the end of the match.
const accept = -1

// automaton is what remains of a pattern: its positions, and after each of them
// the ordered list of what may come next. See the package comment for why this
// is exact.
type automaton struct {
	positions []position
	// start holds the lists of an attempt: at the first row of the partition,
	// and elsewhere. A list ends with accept, if it has it (c).
	start [2][]int32
	// startEmpty says that an attempt behind the last row matches no rows: at
	// an empty partition, and behind the rows of another.
	startEmpty [2]bool
	// follow holds the lists after a position where rows of the partition follow.
	follow [][]int32
	// ends says that the match may end after a position: where rows of the
	// partition follow, and where none does ($ holds).
	ends, endsLast []bool
	excludes       bool // some position is excluded
	hasRuns        bool
}

// firstRow and laterRow index automaton.start.
const (
	firstRow = iota
	laterRow
)

// Caps of the automaton. Beyond them a pattern is not for this engine.
const (
	smallPattern   = 64      // positions of one word
	maxPositions   = 1 << 13 // positions
	maxListEntries = 1 << 24 // entries of all lists together
	maxStates      = 1 << 25 // instructions times nesting
	maxClosure     = 1 << 28 // steps of making all lists
)

// compilePattern makes the automaton of a pattern; nil if it is too large.
//
// A pattern of at most smallPattern positions is unrolled. In a larger one,
// variables repeated more than a few times become runs, if runs are allowed.
func compilePattern(p *semantics.Pattern, runs bool) *automaton {
	u := unroller{limit: smallPattern}
	if !runs {
		u.limit = maxPositions
	}
	root := u.whole(p)
	if u.tooLarge && runs {
		u = unroller{limit: maxPositions, runs: 8}
		root = u.whole(p)
	}
	if u.tooLarge {
		return nil
	}
	return newAutomaton(&u, root)
}

// whole compiles a pattern followed by accept.
func (u *unroller) whole(p *semantics.Pattern) int32 {
	end := u.add(instruction{op: opAccept})
	return u.node(p, end, 0, false)
}

// newAutomaton makes the lists.
func newAutomaton(u *unroller, root int32) *automaton {
	if len(u.code)*(int(u.maxDepth)+1) > maxStates {
		return nil
	}
	c := &closure{code: u.code, depths: u.maxDepth + 1, seen: make([]uint32, len(u.code)*(int(u.maxDepth)+1))}
	a := &automaton{positions: u.positions}
	a.start[firstRow], _ = c.list(root, 0, true, false)
	a.start[laterRow], _ = c.list(root, 0, false, false)
	_, a.startEmpty[firstRow] = c.list(root, 0, true, true)
	_, a.startEmpty[laterRow] = c.list(root, 0, false, true)
	n := len(u.positions)
	a.follow, a.ends, a.endsLast = make([][]int32, n), make([]bool, n), make([]bool, n)
	for i := range u.code {
		in := &u.code[i]
		if in.op != opTake {
			continue
		}
		// (a): every open iteration has taken a row.
		at := in.position
		a.follow[at], a.ends[at] = c.list(in.next, in.depth, false, false)
		_, a.endsLast[at] = c.list(in.next, in.depth, false, true)
		a.excludes = a.excludes || u.positions[at].excluded
		a.hasRuns = a.hasRuns || u.positions[at].isRun()
		if c.entries > maxListEntries || c.steps > maxClosure {
			return nil
		}
	}
	return a
}

// closure finds what can come next without taking a row.
type closure struct {
	code    []instruction
	depths  int32
	seen    []uint32 // by instruction and number of iterations that are not empty
	round   uint32
	stack   []state
	entries int
	steps   int
}

// state is an instruction and how many of the iterations open there, counted
// from the outermost, have taken a row. The rest are empty: once an iteration
// takes a row, so have all around it.
type state struct{ at, full int32 }

// list returns the positions that can take the next row, most preferred first,
// and whether the match can end here; accept is then the last entry of the
// list, since nothing after it is ever tried (c). first and last say where in
// the partition this is: no row before, no row after.
func (c *closure) list(at, full int32, first, last bool) (list []int32, ends bool) {
	c.round++
	c.stack = append(c.stack[:0], state{at, full})
	for len(c.stack) > 0 {
		s := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		in := &c.code[s.at]
		if in.op == opTake {
			s.full = 0 // (b): which iterations are empty is forgotten with the row
		}
		key := s.at*c.depths + s.full
		if c.seen[key] == c.round {
			continue // (c): the same state again has nothing new
		}
		c.seen[key] = c.round
		c.steps++
		switch in.op {
		case opTake:
			if !last {
				list = append(list, in.position)
			}
		case opChoose:
			for i := len(in.targets) - 1; i >= 0; i-- {
				c.stack = append(c.stack, state{in.targets[i], s.full})
			}
		case opFirst:
			if first {
				c.stack = append(c.stack, state{in.next, s.full})
			}
		case opLast:
			if last {
				c.stack = append(c.stack, state{in.next, s.full})
			}
		case opOpen:
			c.stack = append(c.stack, state{in.next, s.full})
		case opClose:
			if s.full < in.depth { // PREF-8: nothing but leaving is possible
				c.stack = append(c.stack, state{in.empty, s.full})
			} else {
				c.stack = append(c.stack, state{in.next, s.full - 1})
			}
		case opAccept:
			list = append(list, accept)
			c.entries += len(list)
			return list, true
		}
	}
	c.entries += len(list)
	return list, false
}
