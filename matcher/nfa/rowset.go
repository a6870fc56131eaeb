package nfa

import "math/bits"

// rowSet is a set of rows that finds the next member and the one before in a
// few steps: each level has one bit for a word of the level below.
type rowSet struct {
	n      int
	levels [][]uint64
}

func newRowSet(n int) *rowSet {
	s := &rowSet{n: n}
	for size := n; ; {
		size = (size + 63) / 64
		s.levels = append(s.levels, make([]uint64, max(size, 1)))
		if size <= 1 {
			return s
		}
	}
}

// add makes row i a member.
func (s *rowSet) add(i int) {
	for l := range s.levels {
		s.levels[l][i>>6] |= 1 << (i & 63)
		i >>= 6
	}
}

// next returns the smallest member from row i on; n if there is none.
func (s *rowSet) next(i int) int {
	for l := 0; l < len(s.levels); l++ {
		w := i >> 6
		if w >= len(s.levels[l]) {
			return s.n
		}
		if x := s.levels[l][w] >> (i & 63); x != 0 {
			i += bits.TrailingZeros64(x)
			for l--; l >= 0; l-- {
				i = i<<6 + bits.TrailingZeros64(s.levels[l][i])
			}
			return i
		}
		i = w + 1
	}
	return s.n
}

// prev returns the largest member up to row i; -1 if there is none.
func (s *rowSet) prev(i int) int {
	i = min(i, s.n-1)
	for l := 0; l < len(s.levels) && i >= 0; l++ {
		w := i >> 6
		if x := s.levels[l][w] << (63 - i&63); x != 0 {
			i -= bits.LeadingZeros64(x)
			for l--; l >= 0; l-- {
				i = i<<6 + 63 - bits.LeadingZeros64(s.levels[l][i])
			}
			return i
		}
		i = w - 1
	}
	return -1
}
