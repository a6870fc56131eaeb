package gen

import "math/bits"

// Rand is a fast source of random numbers (splitmix64). The zero value is a
// source like any other.
type Rand struct{ state uint64 }

// NewRand returns the source of a seed.
func NewRand(seed uint64) *Rand { return &Rand{seed} }

// Case returns the source of the i-th case of a run, so that any case can be
// drawn again without those before it.
func Case(seed uint64, i int) *Rand {
	r := Rand{seed}
	r.state = r.Uint64() ^ uint64(i)*0xd1342543de82ef95
	return &r
}

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// IntN returns a number 0 <= n < max; max must be positive.
func (r *Rand) IntN(max int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(max))
	return int(hi)
}

// Between returns a number lo <= n <= hi.
func (r *Rand) Between(lo, hi int) int { return lo + r.IntN(hi-lo+1) }

// Chance is true in percent of all cases.
func (r *Rand) Chance(percent int) bool { return r.IntN(100) < percent }

// Pick returns one element of a list.
func Pick[T any](r *Rand, list []T) T { return list[r.IntN(len(list))] }

// weighted returns an index of weights, each with its share of the sum.
func (r *Rand) weighted(weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := r.IntN(sum)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	return len(weights) - 1
}
