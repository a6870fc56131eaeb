package gen

import (
	"iter"

	"github.com/rprcheck/rprcheck/semantics"
)

// allQuantifiers are those of the exhaustive runs:
// * + ? *? +? ?? {2} {1,2} {2,} {0,2}? {2,3}.
var allQuantifiers = [...]struct {
	min, max  int
	reluctant bool
}{{0, -1, false}, {1, -1, false}, {0, 1, false}, {0, -1, true}, {1, -1, true}, {0, 1, true},
	{2, 2, false}, {1, 2, false}, {2, -1, false}, {0, 2, true}, {2, 3, false}}

// All yields every pattern of exactly the given number of operators, in a
// fixed order: leaves A, B and (), the quantifiers above, alternation and
// concatenation of two operands.
func All(operators int) iter.Seq[*semantics.Pattern] {
	if operators == 0 {
		return func(yield func(*semantics.Pattern) bool) {
			_ = yield(Var("A")) && yield(Var("B")) && yield(Empty())
		}
	}
	return func(yield func(*semantics.Pattern) bool) {
		for body := range All(operators - 1) {
			for _, q := range allQuantifiers {
				if !yield(Quantify(body, q.min, q.max, q.reluctant)) {
					return
				}
			}
		}
		for left := range operators {
			for a := range All(left) {
				for b := range All(operators - 1 - left) {
					if !yield(Concat(a, b)) || !yield(Alternate(a, b)) {
						return
					}
				}
			}
		}
	}
}

// CountAll is the number of patterns of All.
func CountAll(operators int) int {
	if operators == 0 {
		return 3
	}
	n := len(allQuantifiers) * CountAll(operators-1)
	for left := range operators {
		n += 2 * CountAll(left) * CountAll(operators-1-left)
	}
	return n
}

// AllInputs returns every sequence of 1 to max rows, each row one of n kinds.
// It is given as the kinds of the rows, shorter sequences first.
func AllInputs(n, max int) [][]int32 {
	var out [][]int32
	last := [][]int32{{}}
	for range max {
		var longer [][]int32
		for _, seq := range last {
			for kind := range n {
				longer = append(longer, append(append(make([]int32, 0, len(seq)+1), seq...), int32(kind)))
			}
		}
		out = append(out, longer...)
		last = longer
	}
	return out
}
