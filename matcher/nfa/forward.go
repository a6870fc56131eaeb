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
// The table has one more state than positions: that of looking for a start.
// States are held shifted, so that a state and a class make an index at once.
type forward struct {
	shift uint
	table []uint32
	first [256]uint32 // entries of the first row of a partition, while looking for a start
	last  []bool      // by position: the match may end behind the last row
}

// An entry is the next state, or an event, with a mark if the row can be a start.
const (
	isEvent    = 1 << 31
	canStart   = 1 << 30
	stateBits  = canStart - 1
	eventEnd   = isEvent     // the match ended before this row; while looking for a start: an empty match
	eventFail  = isEvent + 1 // no match
	eventMixed = isEvent + 2 // more than one way
)

// maxForward is the largest size of the table.
const maxForward = 1 << 16

// newForward makes the table; nil if it would be too large, or if even rows on
// which one variable holds leave more than one way: then T2 would take over soon.
func newForward(a *automaton, l *labels) *forward {
	if !l.narrow || a.hasRuns || (len(a.positions)+1)<<l.shift > maxForward {
		return nil
	}
	f := &forward{shift: l.shift, last: a.endsLast}
	decide := func(list []int32, class int, looking bool) uint32 {
		e := f.decide(a, l, list, uint16(class))
		if looking && e == eventFail {
			e = 0
		}
		if s := f.decide(a, l, a.start[laterRow], uint16(class)); s != eventFail && e&isEvent == 0 {
			e |= canStart
		}
		return e
	}
	for class := range 1 << f.shift {
		f.first[class] = decide(a.start[firstRow], class, true)
		f.table = append(f.table, decide(a.start[laterRow], class, true))
	}
	for p := range a.positions {
		for class := range 1 << f.shift {
			e := decide(a.follow[p], class, false)
			if e == eventMixed && class&(class-1) == 0 {
				return nil
			}
			f.table = append(f.table, e)
		}
	}
	return f
}

// decide resolves a list for a class.
func (f *forward) decide(a *automaton, l *labels, list []int32, class uint16) uint32 {
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
	return uint32(chosen+1) << f.shift
}

// scanForward scans the rows of a partition from row from on by T1, which must
// be a place to look for a start. It returns the row at which T2 has to take
// over, or the partition's length.
func (s *scan) scanForward(classes []uint8, from int) (int, error) {
	f := s.program.forward
	n := len(classes)
	table := f.table
	waste := 0
	state, start, marks := uint32(0), from, uint32(0)
	for row := from; ; {
		event := uint32(0)
		if row == 0 && n > 0 {
			event = f.first[classes[0]]
			if event&isEvent == 0 {
				state, start, marks, event = event&stateBits, 0, 0, 0
				row = 1
			}
		}
		if event == 0 {
			for row < n {
				e := table[state|uint32(classes[row])]
				if e >= isEvent {
					event = e
					break
				}
				if state == 0 {
					start, marks = row, 0
				} else {
					marks |= e
				}
				state = e & stateBits
				row++
			}
		}
		if row == n {
			if state == 0 {
				return n, nil
			}
			event = eventFail
			if f.last[state>>f.shift-1] {
				event = eventEnd
			}
		}
		switch event {
		case eventMixed:
			if state == 0 {
				start = row
			}
			return start, nil
		case eventFail:
			// Rows of the path that are no starts are not visited again.
			if marks&canStart != 0 {
				if waste += row - start; waste > walkFactor*n {
					return start, nil
				}
				row = start + 1
			}
			state = 0
		default:
			if state == 0 {
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
				if state == 0 {
					row++ // SKIP-4
				}
				state = 0
				continue
			}
			next, err := s.foundForward(classes, start, row)
			if err != nil {
				return 0, err
			}
			state, row = 0, next
			if s.program.carry != nil && s.walked > walkFactor*n {
				return row, nil
			}
		}
	}
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
				state = p.forward.first[classes[0]] & stateBits
			} else {
				state = p.forward.table[state|uint32(classes[row])] & stateBits
			}
			pos := &p.auto.positions[state>>p.forward.shift-1]
			s.vars = append(s.vars, pos.v)
			if p.auto.excludes {
				s.excluded, s.marked = append(s.excluded, pos.excluded), s.marked || pos.excluded
			}
		}
	}
	return s.found(start, end)
}
