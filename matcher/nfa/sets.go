package nfa

import (
	"math/bits"
)

// sets are the position sets of an automaton, as words of bits, and the step
// that goes one row back: from the positions that are viable at a row to those
// at the row before. A position is viable at a row if its condition holds there
// and some completion of the match exists behind it (d).
type sets struct {
	a       *automaton
	words   int
	relaxed bool
	// before[q] are the positions whose list has q, in words from lo to hi.
	before []predecessors
	ends   []uint64 // positions after which the match may end where rows follow
	last   []uint64 // likewise, where none follow
	// start[x] are the positions of automaton.start[x].
	start [2][]uint64
}

type predecessors struct {
	lo   int
	bits []uint64 // words lo to lo+len(bits)-1
}

// newSets makes the sets of an automaton. Relaxed ones take a run for A+: they
// hold every viable position, and others perhaps.
func newSets(a *automaton, relaxed bool) *sets {
	s := &sets{a: a, relaxed: relaxed, words: max(1, (len(a.positions)+63)/64)}
	s.ends, s.last = s.of(a.ends), s.of(a.endsLast)
	for x := range s.start {
		s.start[x] = make([]uint64, s.words)
		for _, q := range a.start[x] {
			if q != accept {
				s.start[x][q>>6] |= 1 << (q & 63)
			}
		}
	}
	lists := make([][]int32, len(a.positions))
	for p, list := range a.follow {
		if relaxed {
			list = a.next(int32(p))
		}
		for _, q := range list {
			if q != accept && !endsWith(lists[q], int32(p)) {
				lists[q] = append(lists[q], int32(p))
			}
		}
	}
	s.before = make([]predecessors, len(a.positions))
	for q, list := range lists {
		if len(list) == 0 {
			continue
		}
		lo, hi := list[0]>>6, list[len(list)-1]>>6 // ascending, since p was
		b := predecessors{lo: int(lo), bits: make([]uint64, hi-lo+1)}
		for _, p := range list {
			b.bits[p>>6-lo] |= 1 << (p & 63)
		}
		s.before[q] = b
	}
	return s
}

func endsWith(list []int32, p int32) bool { return len(list) > 0 && list[len(list)-1] == p }

func (s *sets) of(member []bool) []uint64 {
	out := make([]uint64, s.words)
	for p, ok := range member {
		if ok {
			out[p>>6] |= 1 << (p & 63)
		}
	}
	return out
}

// exits sets out to the positions after which a match can go on at a row where
// the positions of v are viable: it may end there, or one of v may follow.
func (s *sets) exits(out, v []uint64) {
	copy(out, s.ends)
	for w, word := range v {
		for ; word != 0; word &= word - 1 {
			b := &s.before[w<<6+bits.TrailingZeros64(word)]
			into := out[b.lo : b.lo+len(b.bits)]
			for i, x := range b.bits {
				into[i] |= x
			}
		}
	}
}

// pick returns the first entry of a list that is accept or in v; none if there
// is no such entry.
func pick(list []int32, v []uint64) int32 {
	for _, q := range list {
		if q == accept || v[q>>6]>>(q&63)&1 != 0 {
			return q
		}
	}
	return none
}

// none is the choice of a list without a viable entry.
const none = -2
