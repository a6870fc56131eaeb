package enumerate

import (
	"slices"

	"github.com/rprcheck/rprcheck/semantics"
)

// lister walks through the strings of a pattern in preference order. What it
// stands at is a tree of cursors: the derivation of the current string.
type lister struct {
	rows     []*semantics.Pattern // the variables of the strings that the open cursors stand at
	filter   Filter               // says which strings to pass over
	steps    int64                // strings of leaves and iterations begun so far
	maxSteps int64
	poll     func() error // asked from time to time whether to go on; nil: always
	free     []*cursor    // cursors to use again
	live     int          // cursors in use
	err      error        // why the walk ended early
}

// cursor stands at one string of a term, or before the first.
type cursor struct {
	t          *term
	begun      bool
	start, end int       // the string maps rows start <= r < end of the candidate
	limit      int       // the string may not map rows from limit on
	branch     int       // OpAlternate: the operand that the string is of
	order      []int     // OpPermute: the order of the elements
	parts      []*cursor // OpConcat, OpPermute: one an element; OpQuantified: one an iteration; OpAlternate, OpExclude: one
}

// spend counts one step of the walk, and tells whether it may go on.
func (l *lister) spend() bool {
	l.steps++
	if l.steps > l.maxSteps {
		l.fail(tooManySteps(l.maxSteps))
	} else if l.poll != nil && l.steps%pollEvery == 0 {
		if err := l.poll(); err != nil {
			l.fail(err)
		}
	}
	return l.err == nil
}

func (l *lister) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// open returns a cursor before the first string of t. The strings begin at the
// row after those mapped so far.
func (l *lister) open(t *term, limit int) *cursor {
	var c *cursor
	if n := len(l.free); n > 0 {
		c, l.free = l.free[n-1], l.free[:n-1]
	} else {
		c = new(cursor)
	}
	l.live++
	if l.live > MaxParts {
		l.fail(tooManyParts(t.pattern))
	}
	*c = cursor{t: t, start: len(l.rows), limit: limit, order: c.order[:0], parts: c.parts[:0]}
	return c
}

// push opens a cursor at a further part of c.
func (l *lister) push(c *cursor, t *term, limit int) *cursor {
	part := l.open(t, limit)
	c.parts = append(c.parts, part)
	return part
}

// pop gives up the last part of c, which has no string any more.
func (l *lister) pop(c *cursor) {
	last := len(c.parts) - 1
	l.free = append(l.free, c.parts[last])
	c.parts = c.parts[:last]
	l.live--
}

// next moves c to its next string, and tells whether there is one. Parts to
// the right of c have been given up before, so that the rows end where the
// string of c ends; if there is no further string, they end where c starts.
func (l *lister) next(c *cursor) bool {
	if l.err != nil {
		return false
	}
	first := !c.begun
	c.begun = true
	if first && c.start+c.t.rows > c.limit {
		return false
	}
	var ok bool
	switch c.t.op {
	case semantics.OpVariable:
		ok = l.nextVariable(c, first)
	case semantics.OpEmpty:
		ok = first && l.spend() // PREF-7: one string, without variables
	case semantics.OpPartitionStart, semantics.OpPartitionEnd:
		ok = first && l.spend() && l.filter.anchor(c.t.op, c.start) // PREF-6: one string, which maps no row
	case semantics.OpExclude:
		ok = l.nextExcluded(c, first)
	case semantics.OpAlternate:
		ok = l.nextAlternative(c, first)
	case semantics.OpConcat:
		ok = l.nextConcatenation(c, first)
	case semantics.OpPermute:
		ok = l.nextPermutation(c, first)
	case semantics.OpQuantified:
		ok = l.nextIterations(c, first)
	}
	c.end = len(l.rows)
	return ok
}

// nextVariable: a variable has one string, itself (PREF-1).
func (l *lister) nextVariable(c *cursor, first bool) bool {
	if !first {
		l.rows = l.rows[:c.start]
		return false
	}
	if c.start >= c.limit || !l.spend() {
		return false
	}
	l.rows = append(l.rows, c.t.pattern)
	if l.filter.Variable == nil {
		return true
	}
	ok, err := l.filter.Variable(l.rows)
	if err != nil {
		l.fail(err)
		return false
	}
	if !ok {
		l.rows = l.rows[:c.start]
	}
	return ok
}

// nextExcluded: the strings of the operand in the same order (PREF-5).
func (l *lister) nextExcluded(c *cursor, first bool) bool {
	if first {
		l.push(c, c.t.sub[0], c.limit)
	}
	if l.next(c.parts[0]) {
		return true
	}
	l.pop(c)
	return false
}

// nextAlternative: all strings of an operand come before all strings of the
// operands to its right (PREF-2).
func (l *lister) nextAlternative(c *cursor, first bool) bool {
	if first {
		l.push(c, c.t.sub[0], c.limit)
	}
	for !l.next(c.parts[0]) {
		l.pop(c)
		c.branch++
		if c.branch == len(c.t.sub) || l.err != nil {
			return false
		}
		l.push(c, c.t.sub[c.branch], c.limit)
	}
	return true
}

// nextConcatenation: lexicographic order (PREF-3). The last part moves on
// fastest; when it has no further string, the part before it moves on.
func (l *lister) nextConcatenation(c *cursor, first bool) bool {
	return l.nextSequence(c, first, len(c.t.sub), func(i int) *term { return c.t.sub[i] })
}

func (l *lister) nextSequence(c *cursor, first bool, n int, element func(int) *term) bool {
	if first {
		l.push(c, element(0), c.limit-(c.t.rows-element(0).rows))
	}
	for len(c.parts) > 0 {
		last := c.parts[len(c.parts)-1]
		switch {
		case !l.next(last):
			l.pop(c)
		case len(c.parts) == n:
			return true
		default:
			t := element(len(c.parts))
			l.push(c, t, last.limit+t.rows)
		}
	}
	return false
}

// nextPermutation: the concatenations of the elements in all orders, which
// come lexicographically by the elements' places in the list (PAT-7).
func (l *lister) nextPermutation(c *cursor, first bool) bool {
	if first {
		for i := range c.t.sub {
			c.order = append(c.order, i)
		}
	}
	for !l.nextSequence(c, first, len(c.order), func(i int) *term { return c.t.sub[c.order[i]] }) {
		if l.err != nil || !advance(c.order) {
			return false
		}
		first = true
	}
	return true
}

// advance makes order the next permutation in lexicographic order, if there is one.
func advance(order []int) bool {
	i := len(order) - 2
	for i >= 0 && order[i] > order[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(order) - 1
	for order[j] < order[i] {
		j--
	}
	order[i], order[j] = order[j], order[i]
	slices.Reverse(order[i+1:])
	return true
}

// nextIterations: the strings of a quantifier are sequences of iterations
// (PREF-4). Seen as a tree, in which the children of a sequence are the
// sequences with one iteration more in the order of that iteration, the list
// is the tree walked depth first. A sequence is a proper prefix of all below
// it: a greedy quantifier lists it after them, a reluctant one before them.
func (l *lister) nextIterations(c *cursor, first bool) bool {
	t := c.t
	reached := first // stands at a sequence for the first time
	below := !first && t.reluctant
	for l.err == nil {
		switch {
		case reached:
			reached, below = false, true
			if t.reluctant && len(c.parts) >= t.min {
				return true
			}
		case below:
			below = false
			if l.mayIterate(c) {
				rest := t.required(t.min - len(c.parts) - 1)
				if l.spend() && l.next(l.push(c, t.sub[0], c.limit-rest)) {
					reached = true
					continue
				}
				if l.err != nil {
					return false
				}
				l.pop(c)
			}
			if !t.reluctant && len(c.parts) >= t.min {
				return true
			}
		case len(c.parts) == 0:
			return false
		case l.next(c.parts[len(c.parts)-1]):
			reached = true
		default:
			l.pop(c)
			if !t.reluctant && len(c.parts) >= t.min {
				return true
			}
		}
	}
	return false
}

// mayIterate reports whether a further iteration may follow those that c
// stands at: there is room below the upper bound, and the last one is not
// empty, or was needed to come to the lower bound. An empty iteration at or
// past the lower bound is the last one (PREF-8).
func (l *lister) mayIterate(c *cursor) bool {
	n := len(c.parts)
	if c.t.max != semantics.Unbounded && n >= c.t.max {
		return false
	}
	if n == 0 || n < c.t.min {
		return true
	}
	last := c.parts[n-1]
	return last.end > last.start
}
