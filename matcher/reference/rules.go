package reference

import (
	"slices"

	"github.com/rprcheck/rprcheck/semantics"
)

// enter begins to match the current node at the current row.
func (m *machine) enter() phase {
	n := &m.nodes[m.node]
	switch n.op {
	case semantics.OpVariable:
		return m.variable(n)
	case semantics.OpEmpty:
		return proceed // PREF-7: one string, without variables
	case semantics.OpPartitionStart:
		return m.anchor(n, m.pos == 0)
	case semantics.OpPartitionEnd:
		return m.anchor(n, m.pos == m.length)
	case semantics.OpConcat:
		return m.concatenation(0)
	case semantics.OpAlternate:
		return m.alternation(n)
	case semantics.OpPermute:
		return m.permutationStart(n)
	default:
		return m.quantification(n, 0)
	}
}

// variable takes the current row if it belongs to the search area and the
// variable's condition is TRUE on it (PREF-1, MAT-1), the row counting as
// mapped while the condition is tested (DEF-6).
func (m *machine) variable(n *node) phase {
	if m.pos >= m.end {
		if m.trace != nil {
			m.emit(NoRow, n, 0, false)
		}
		return fail
	}
	i := m.pos - m.start
	if m.tests >= m.budget.tests {
		m.err = m.overBudget("tested %d conditions without an end", m.tests)
		return broken
	}
	if int64(i) >= m.budget.rows {
		m.err = m.overBudget("mapped %d rows, the limit of one match", i)
		return broken
	}
	m.tests++
	// Conditions are recomputed from the mapping: look at the context earlier
	// when that is long.
	m.checkAt -= int64(i) / 64
	m.vars = append(m.vars[:i], n.v)
	holds, err := m.conds.Holds(m.reach, m.start, m.vars)
	if err != nil {
		m.err = err
		return broken
	}
	if m.trace != nil {
		m.emit(Try, n, 0, holds)
	}
	if !holds {
		return fail
	}
	if m.exclusion {
		m.excluded = append(m.excluded[:i], n.excluded)
	}
	m.pos++
	return proceed
}

// anchor consumes no row; ^ holds before the first row of the partition, $
// after its last, wherever the attempt began (PREF-6, ANCH-1).
func (m *machine) anchor(n *node, holds bool) phase {
	if m.trace != nil {
		m.emit(Anchor, n, 0, holds)
	}
	if !holds {
		return fail
	}
	return proceed
}

// concatenation goes to the i-th element of the current node. The elements
// before it stay as they are until all ways of the later ones have failed: the
// strings come in lexicographic order (PREF-3).
func (m *machine) concatenation(i uint32) phase {
	n := &m.nodes[m.node]
	if int(i)+1 < len(n.subs) {
		m.pushFrame(frame{count: i + 1})
	}
	m.node = n.subs[i]
	return enter
}

// alternation has all strings of an operand before those of the next one (PREF-2).
func (m *machine) alternation(n *node) phase {
	if len(n.subs) > 1 {
		m.pushChoice(1)
	}
	return m.alternative(n, 0)
}

// alternative enters the i-th operand of an alternation.
func (m *machine) alternative(n *node, i uint32) phase {
	if m.trace != nil {
		m.emit(Alternative, n, int(i)+1, false)
	}
	m.node = n.subs[i]
	return enter
}

// quantification decides on another iteration when count are done (PREF-4).
// Below the lower bound there is no choice. From there on, greedy prefers
// another iteration to leaving, reluctant leaving to another iteration; that
// decision comes after all decisions within the iterations before.
func (m *machine) quantification(n *node, count uint32) phase {
	switch {
	case count < n.min:
		return m.again(n, count, false)
	case count >= n.max:
		return m.leave(n, count)
	}
	m.pushChoice(count)
	if n.reluctant {
		return m.leave(n, count)
	}
	return m.again(n, count, false)
}

// again enters the iteration after count iterations.
func (m *machine) again(n *node, count uint32, skip bool) phase {
	if m.trace != nil {
		m.emit(Iteration, n, int(count)+1, false)
	}
	m.pushFrame(frame{count: count, at: int32(m.pos), skip: skip})
	m.node = n.subs[0]
	return enter
}

// leave ends a quantifier.
func (m *machine) leave(n *node, count uint32) phase {
	if m.trace != nil {
		m.emit(Leave, n, int(count), false)
	}
	return proceed
}

// iterationDone ends an iteration that began at row f.at, after f.count others.
// It is empty if it took no row (PREF-8): then, with the lower bound met, the
// quantifier stops, greedy or not; below the bound the iteration counts and the
// quantifier goes on.
//
// last says that the iteration has no other string left.
//
// Iterations that must repeat are not gone through, so that (A??){2000000000}
// ends. When the first feasible string of an iteration is the empty one, the
// next iteration begins at the same row with the same mapping, hence finds the
// same string first, and so does each up to the lower bound. The search goes on
// behind all of them, and leaves a choice point for the others' further strings
// (there are none if this iteration has none). Coming back to it takes up the
// iterations from the last to the first, as ever, each without its first string.
func (m *machine) iterationDone(f frame, last bool) phase {
	n := &m.nodes[m.node]
	count := f.count + 1
	empty := m.pos == int(f.at)
	kind := EmptyAgain
	switch {
	case f.skip:
		kind = EmptySkip
	case !empty:
		return m.quantification(n, count)
	case count >= n.min:
		kind = EmptyStop
	case !f.used:
		kind = EmptyRepeat
	}
	if m.trace != nil {
		m.emit(kind, n, int(count), false)
	}
	switch kind {
	case EmptySkip:
		return fail
	case EmptyAgain:
		return m.quantification(n, count)
	case EmptyRepeat:
		if !last {
			m.pushChoice(n.min - 1)
			m.choices.top().least = count
		}
	}
	return proceed
}

// permutationStart chooses the written order, the first in lexicographic order
// (PAT-7). The whole order is chosen before the first element is matched:
// PERMUTE is the alternation of its orders, each a concatenation.
func (m *machine) permutationStart(n *node) phase {
	at := len(m.orders)
	for i := range n.subs {
		m.orders = append(m.orders, int32(i))
	}
	m.moves += int64(len(n.subs))
	m.pushChoice(uint32(at))
	return m.ordered(n, int32(at))
}

// ordered enters the order at an offset of orders.
func (m *machine) ordered(n *node, at int32) phase {
	if m.trace != nil {
		e := Event{Kind: Permutation, Node: n.pattern, Row: m.pos, Start: m.start, Vars: m.vars[:m.pos-m.start],
			Order: m.orders[at : int(at)+len(n.subs)]}
		m.trace(e)
	}
	return m.permutation(0, at)
}

// permutation goes to the i-th element of the order at an offset of orders.
func (m *machine) permutation(i uint32, at int32) phase {
	n := &m.nodes[m.node]
	if int(i)+1 < len(n.subs) {
		m.pushFrame(frame{count: i + 1, at: at})
	}
	m.node = n.subs[m.orders[at+int32(i)]]
	return enter
}

// nextOrder changes an order into the next one in lexicographic order: the last
// ascent is raised by the smallest later element that is larger, and what
// follows becomes ascending. There must be a next one.
func nextOrder(order []int32) {
	i := len(order) - 2
	for order[i] > order[i+1] {
		i--
	}
	j := len(order) - 1
	for order[j] < order[i] {
		j--
	}
	order[i], order[j] = order[j], order[i]
	slices.Reverse(order[i+1:])
}

// isLastOrder reports whether an order is the last: descending.
func isLastOrder(order []int32) bool {
	for i := 1; i < len(order); i++ {
		if order[i-1] < order[i] {
			return false
		}
	}
	return true
}
