package gen

import (
	"github.com/rprcheck/rprcheck/semantics"
)

// Patterns says what random patterns are like. Shares are in percent. Plain
// random patterns hardly ever reach the stop rule for empty iterations
// (PREF-8), so by default many bodies can be empty, and something follows them.
type Patterns struct {
	Vars  int // variables A, B, ...; at most 26
	Size  int // leaves, at most
	Depth int // nesting of brackets, at most

	Reluctant int // of the quantifiers
	Bounded   int // of the quantifiers: with numbers, not * + ?
	Nullable  int // of the bodies of quantifiers: made so that they can be empty
	Followed  int // of the patterns: a quantifier over a body that can be empty, with something behind it
	Nested    int // of the bodies of quantifiers: a quantifier again (PREF-11)
	Twins     int // of the concatenations: neighbours with equal bodies (PREF-11)
	Empty     int // of the leaves: ()
	Anchors   int // of the leaves: ^ or $
	Exclude   int // of the inner nodes: {- -}
	Permute   int // of the inner nodes: PERMUTE
}

// DefaultPatterns reaches every rule of chapter 2.
var DefaultPatterns = Patterns{Vars: 3, Size: 6, Depth: 4,
	Reluctant: 30, Bounded: 50, Nullable: 40, Followed: 40, Nested: 15, Twins: 15, Empty: 8, Anchors: 4, Exclude: 6, Permute: 5}

// numbered are the bounds of the quantifiers with numbers.
var numbered = [...][2]int{{2, 2}, {1, 2}, {2, -1}, {0, 2}, {2, 3}, {1, 3}, {0, 3}, {3, 3}, {3, 4}, {3, -1}, {1, 1}}

// plain are those of * + and ?.
var plain = [...][2]int{{0, -1}, {1, -1}, {0, 1}}

// Draw draws a pattern.
func (o Patterns) Draw(r *Rand) *semantics.Pattern {
	d := drawer{Patterns: o, r: r}
	size := r.Between(1, o.Size)
	if size > 1 && r.Chance(o.Followed) {
		rest := 1 + r.IntN((size+1)/2)
		return Concat(d.quantified(d.nullable(size-rest, o.Depth-1)), d.pattern(rest, o.Depth))
	}
	if size > 1 && r.Chance(o.Twins/2) {
		return d.twins(size, o.Depth)
	}
	return d.pattern(size, o.Depth)
}

type drawer struct {
	Patterns
	r *Rand
}

// pattern draws a pattern of a number of leaves.
func (d *drawer) pattern(size, depth int) *semantics.Pattern {
	if size <= 1 || depth <= 0 {
		if d.r.Chance(35) {
			return d.quantified(d.leaf())
		}
		return d.leaf()
	}
	inner := 100 - d.Exclude - d.Permute
	switch d.r.weighted(inner*35/100, inner*30/100, inner*35/100, d.Exclude, d.Permute) {
	case 0:
		return d.concat(size, depth)
	case 1:
		return Alternate(d.split(size, d.r.Between(2, min(3, size)), depth)...)
	case 2:
		return d.quantified(d.body(size, depth-1))
	case 3:
		return Exclude(d.pattern(size, depth-1))
	}
	return Permute(d.split(size, d.r.Between(1, min(3, size)), depth)...)
}

// split draws n patterns that have a number of leaves together.
func (d *drawer) split(size, n, depth int) []*semantics.Pattern {
	out := make([]*semantics.Pattern, n)
	for i := range out {
		s := size
		if i < n-1 {
			s = 1 + d.r.IntN(size-(n-1-i))
		}
		size -= s
		out[i] = d.pattern(s, depth-1)
	}
	return out
}

func (d *drawer) concat(size, depth int) *semantics.Pattern {
	if d.r.Chance(d.Twins) {
		return d.twins(size, depth)
	}
	return Concat(d.split(size, d.r.Between(2, min(3, size)), depth)...)
}

// twins draws neighbours with equal bodies, mostly of varying length: where
// one ends and the other begins is then a matter of preference (PREF-11).
func (d *drawer) twins(size, depth int) *semantics.Pattern {
	body := d.pattern((size+1)/2, depth-1)
	if size > 3 && d.r.Chance(60) {
		body = Alternate(d.leaf(), Concat(d.leaf(), d.leaf()))
	}
	q := d.quantified(body)
	switch d.r.IntN(4) {
	case 0:
		return Concat(q, body)
	case 1:
		return Concat(body, q)
	case 2:
		return Concat(q, d.quantified(body))
	}
	b := d.bounds()
	return Concat(q, Quantify(body, b[0], b[1], q.Reluctant))
}

// body draws the body of a quantifier.
func (d *drawer) body(size, depth int) *semantics.Pattern {
	switch {
	case d.r.Chance(d.Nullable):
		return d.nullable(size, depth)
	case d.r.Chance(d.Nested):
		return d.quantified(d.pattern(size, depth))
	}
	return d.pattern(size, depth)
}

// nullable draws a pattern that can be empty: mostly in one branch, so that
// less preferred branches stand behind the empty iteration.
func (d *drawer) nullable(size, depth int) *semantics.Pattern {
	if size <= 1 {
		most := Pick(d.r, []int{1, 1, 1, -1, 2})
		if d.Bounded == 0 && most > 1 {
			most = 1
		}
		return Quantify(d.leaf(), 0, most, d.r.Chance(d.Reluctant))
	}
	first := 1 + d.r.IntN(size-1)
	empty := min(d.Empty, 1)
	switch d.r.weighted(45, 15, 15, 15*empty, 10*empty) {
	case 0:
		return Alternate(d.nullable(first, depth-1), d.pattern(size-first, depth-1))
	case 1:
		return Alternate(d.pattern(size-first, depth-1), d.nullable(first, depth-1))
	case 2:
		return Concat(d.nullable(first, depth-1), d.nullable(size-first, depth-1))
	case 3:
		return Alternate(d.pattern(size, depth-1), Empty())
	}
	return Alternate(Empty(), d.pattern(size, depth-1))
}

func (d *drawer) quantified(body *semantics.Pattern) *semantics.Pattern {
	b := d.bounds()
	return Quantify(body, b[0], b[1], d.r.Chance(d.Reluctant))
}

func (d *drawer) bounds() [2]int {
	if d.r.Chance(d.Bounded) {
		return Pick(d.r, numbered[:])
	}
	return Pick(d.r, plain[:])
}

func (d *drawer) leaf() *semantics.Pattern {
	n := d.r.IntN(100)
	switch {
	case n < d.Empty:
		return Empty()
	case n < d.Empty+d.Anchors:
		if d.r.Chance(50) {
			return Anchor(semantics.OpPartitionStart)
		}
		return Anchor(semantics.OpPartitionEnd)
	}
	return Var(VarName(d.r.IntN(d.Vars)))
}

// VarName is the name of the i-th variable: A, B, ...
func VarName(i int) string { return letters[i : i+1] }

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
