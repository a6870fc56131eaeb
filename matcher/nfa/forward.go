package nfa

// forward is the table of T1: the pattern is deterministic, so that the class
// of the next row decides what comes, and a match is found going forward, one
// look-up a row and without a look at the rows behind.
//
// Chosen when at each position, for each class of the next row, either one
// entry of the list applies, or the first one that applies has a match for sure,
// since the match may end right behind it. Nothing is stored but the classes.
//
// A path that fails begins again at the row after its start, which costs more
// than linear time where long paths fail; then T2 takes over. Where no row of a
// path can be a start, the rows of a failed path are not visited again.
type forward struct {
	shift   uint
	next    []int16    // by position and class: the position that takes the row; accept: the match ended before it; fail
	start   [2][]int16 // by kind and class; accept: an empty match
	last    []bool     // by position: the match may end behind the last row
	noStart bool       // rows of a path are no starts
}

const fail = -2

// maxForward is the largest size of the table.
const maxForward = 1 << 16

// newForward makes the table, or returns nil if the pattern is not deterministic.
func newForward(a *automaton, l *labels) *forward {
	if !l.narrow || a.hasRuns || len(a.positions)<<l.shift > maxForward {
		return nil
	}
	f := &forward{shift: l.shift, last: a.endsLast, noStart: true}
	for x := range f.start {
		row, ok := f.decide(a, l, a.start[x])
		if !ok {
			return nil
		}
		f.start[x] = row
	}
	for p := range a.positions {
		row, ok := f.decide(a, l, a.follow[p])
		if !ok {
			return nil
		}
		f.next = append(f.next, row...)
	}
	for i, q := range f.next {
		if q >= 0 && f.start[laterRow][i&(1<<f.shift-1)] != fail {
			f.noStart = false
		}
	}
	return f
}

// decide resolves a list for every class.
func (f *forward) decide(a *automaton, l *labels, list []int32) ([]int16, bool) {
	out := make([]int16, 1<<f.shift)
	for class := range out {
		out[class] = fail
		chosen, applying := fail, 0
		for _, q := range list {
			if q != accept && !l.may(uint16(class), q) {
				continue
			}
			if applying++; applying == 1 {
				chosen = int(q)
			}
		}
		if applying > 1 && !(a.ends[chosen] && a.endsLast[chosen]) {
			return nil, false
		}
		out[class] = int16(chosen)
	}
	return out, true
}
