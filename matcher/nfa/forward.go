package nfa

import "github.com/rprcheck/rprcheck/matcher"

// forward is the table of T1: where the pattern is deterministic, the class of
// the next row decides what comes, and a match is found going forward, one
// look-up a row and without a look at the rows behind.
//
// That is so at a position and a class of the next row if one entry of the list
// applies, or if the first one that applies has a match for sure, since the match
// may end right behind it. Elsewhere the table says so, and T2 takes over when a
// partition gets there. Nothing is stored but the classes.
//
// A path that fails begins again at the row after its start, which costs more
// than linear time where long paths fail; then, too, T2 takes over.
//
// The table has a state for looking for a start, and three for each position:
// the path has just begun there, has taken more rows, or has taken, behind its
// first, a row that may be a start. States are held shifted, so that a state and
// a class make an index at once.
type forward struct {
	shift     uint
	positions uint32
	begun     uint32 // states below it are those of looking and of paths that have just begun
	table     []uint32
	first     [256]uint32 // entries of the first row of a partition, while looking for a start
	last      []bool      // by position: the match may end behind the last row
}

// An entry is an event, or the next state. Where a path fails that has passed no
// start, it is the state that the row leads to while looking for a start. So the
// loop over the rows branches for events only.
const (
	isEvent    = 1 << 31
	looking    = 0           // the state of looking for a start
	eventEnd   = isEvent     // the match ended before this row; while looking for a start: an empty match
	eventFail  = isEvent + 1 // no match
	eventMixed = isEvent + 2 // more than one way
)

// progress tells the states of a position apart.
type progress uint32

const (
	begins progress = iota
	goesOn
	passedStart
)

// maxForward is the largest size of the table.
const maxForward = 1 << 16

// newForward makes the table; nil if it would be too large, or if even rows on
// which one variable holds leave more than one way: then T2 would take over soon.
func newForward(a *automaton, l *labels) *forward {
	n := len(a.positions)
	if !l.narrow || a.hasRuns || (1+3*n)<<l.shift > maxForward {
		return nil
	}
	f := &forward{shift: l.shift, positions: uint32(n), begun: uint32(1+n) << l.shift, last: a.endsLast}
	look := func(list []int32, class int) uint32 {
		e := f.decide(a, l, list, uint16(class), begins)
		if e == eventFail {
			return looking
		}
		return e
	}
	for class := range 1 << f.shift {
		f.first[class] = look(a.start[firstRow], class)
		f.table = append(f.table, look(a.start[laterRow], class))
	}
	for _, so := range []progress{begins, goesOn, passedStart} {
		for p := range a.positions {
			for class := range 1 << f.shift {
				begin := f.table[class]
				next := max(so, goesOn)
				if begin != looking {
					next = passedStart
				}
				e := f.decide(a, l, a.follow[p], uint16(class), next)
				switch {
				case e == eventMixed && class&(class-1) == 0:
					return nil
				case e == eventFail && so != passedStart && begin&isEvent == 0:
					e = begin
				}
				f.table = append(f.table, e)
			}
		}
	}
	return f
}

// position is the position of a state other than that of looking for a start.
func (f *forward) position(state uint32) uint32 { return (state>>f.shift - 1) % f.positions }

// passed reports that the path of a state has passed a row that may be a start.
func (f *forward) passed(state uint32) bool {
	return state > looking && progress((state>>f.shift-1)/f.positions) == passedStart
}

// decide resolves a list for a class; so is what a path that goes on has done then.
func (f *forward) decide(a *automaton, l *labels, list []int32, class uint16, so progress) uint32 {
	chosen, applying := int32(none), 0
	for _, q := range list {
		if q != accept && !l.may(class, q) {
			continue
		}
		if applying++; applying == 1 {
			chosen = q
		}
	}
	switch {
	case applying == 0:
		return eventFail
	case applying > 1 && !(a.ends[chosen] && a.endsLast[chosen]):
		return eventMixed
	case chosen == accept:
		return eventEnd
	}
	return (1 + uint32(so)*f.positions + uint32(chosen)) << f.shift
}

// scanForward scans the rows of a partition from row from on by T1, which must
// be a place to look for a start. It returns the row at which T2 has to take
// over, or the partition's length.
func (s *scan) scanForward(classes []uint8, from int) (int, error) {
	f := s.program.forward
	n := len(classes)
	waste := 0
	state, start := uint32(looking), from
	for row := from; ; {
		event := uint32(0)
		if row == 0 && n > 0 {
			event = f.first[classes[0]]
			if event&isEvent == 0 {
				state, start, event = event, 0, 0
				row = 1
			}
		}
		if event == 0 {
			row, state, start, event = f.follow(classes, row, state, start)
		}
		if row == n {
			if state == looking {
				return n, nil
			}
			event = eventFail
			if f.last[f.position(state)] {
				event = eventEnd
			}
		}
		switch event {
		case eventMixed:
			if state == looking {
				start = row
			}
			return start, nil
		case eventFail:
			// Rows of the path that are no starts are not visited again.
			if f.passed(state) {
				if waste += row - start; waste > walkFactor*n {
					return start, nil
				}
				row = start + 1
			}
			state = looking
		default:
			if state == looking {
				start = row
			}
			if s.simple {
				if int64(row-start) > s.program.limits.Rows {
					return 0, s.program.walkError(matcher.Attempt{Start: start}, start, row)
				}
				s.number++
				if !s.counting {
					s.collect(start, row, 0)
				}
				if state == looking {
					row++ // SKIP-4
				}
				state = looking
				continue
			}
			next, err := s.foundForward(classes, start, row)
			if err != nil {
				return 0, err
			}
			state, row = looking, next
			if s.program.carry != nil && s.walked > walkFactor*n {
				return row, nil
			}
		}
	}
}

// follow goes on from a row to the next event. It is the loop over all rows, and
// has a function of its own so that its variables stay in registers.
func (f *forward) follow(classes []uint8, from int, before uint32, begun int) (row int, state uint32, start int, event uint32) {
	table, anew := f.table, f.begun
	row, state, start = from, before, begun
	for ; row < len(classes); row++ {
		e := table[state|uint32(classes[row])]
		if e >= isEvent {
			return row, state, start, e
		}
		if e < anew {
			start = row
		}
		state = e
	}
	return row, state, start, 0
}

// foundForward outputs a match, whose path is walked again where its variables
// are of use.
func (s *scan) foundForward(classes []uint8, start, end int) (int, error) {
	p := s.program
	if int64(end-start) > p.limits.Rows {
		return 0, p.walkError(matcher.Attempt{Start: start}, start, end)
	}
	s.walked += end - start
	s.begin()
	if s.paths && end > start {
		state := uint32(0)
		for row := start; row < end; row++ {
			if row == 0 {
				state = p.forward.first[classes[0]]
			} else {
				state = p.forward.table[state|uint32(classes[row])]
			}
			pos := &p.auto.positions[p.forward.position(state)]
			s.vars = append(s.vars, pos.v)
			if p.auto.excludes {
				s.excluded, s.marked = append(s.excluded, pos.excluded), s.marked || pos.excluded
			}
		}
	}
	return s.found(start, end)
}
