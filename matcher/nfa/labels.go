package nfa

import (
	"encoding/binary"
	"math/bits"

	"github.com/rprcheck/rprcheck/matcher/nfa/columnar"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// rowCondition is the row-local part of a condition: conjuncts that a row
// satisfies or not, whatever the match is.
type rowCondition struct {
	parts       []scalar.Expr
	back, ahead int // rows around the row that PREV and NEXT read
}

// holds evaluates the condition on the current row of a scene. As AND does, it
// stops at FALSE only: what follows UNKNOWN may be an error (DEF-15).
func (c *rowCondition) holds(s *scene) (bool, error) {
	all := true
	for _, p := range c.parts {
		t, err := scalar.EvalTruth(p, s)
		if err != nil {
			return false, err
		}
		if t == value.False {
			return false, nil
		}
		all = all && t == value.True
	}
	return all, nil
}

// labelPlan says which row conditions a clause has, and which one each primary
// variable needs.
type labelPlan struct {
	conditions []rowCondition
	bit        []int // by primary variable: its condition; always: none
	unknown    bool  // DEF-15=unknown: a run-time error counts as UNKNOWN
	back       int   // largest of the conditions
	ahead      int
	byTable    bool // every condition reads its row only: rows may be taken in any order
	columnar   columnar.Set
	inSet      []int // conditions that columnar has, in its order
	rowByRow   []int // those that it has not
	only       int   // the column of strings that they read; nowhere: there are others
}

const always = -1

// compile hands the conditions to the columnar evaluation.
func (p *labelPlan) compile() {
	p.byTable = len(p.conditions) <= 8
	for i := range p.conditions {
		c := &p.conditions[i]
		p.byTable = p.byTable && !c.navigates()
		whole := c.parts[0]
		if len(c.parts) > 1 {
			whole = &scalar.Logical{Base: scalar.Base{Place: whole.Pos(), T: value.TypeBoolean}, Op: scalar.OpAnd, Args: c.parts}
		}
		if _, ok := p.columnar.Add(whole, columnarLeaf); ok {
			p.inSet = append(p.inSet, i)
		} else {
			p.rowByRow = append(p.rowByRow, i)
		}
	}
	p.only = p.onlyColumn()
}

// navigates reports that the condition reads other rows.
func (c *rowCondition) navigates() bool {
	found := false
	for _, part := range c.parts {
		scalar.Walk(part, func(e scalar.Expr) bool {
			if j, ok := e.(*jump); ok && (j.k > 0 || j.physical != semantics.NoStep) {
				found = true
			}
			return true
		})
	}
	return found
}

// columnarLeaf says what the leaves of rewritten row-local expressions are.
func columnarLeaf(e scalar.Expr) (columnar.Leaf, bool) {
	switch n := e.(type) {
	case *columnAt:
		return columnar.Column(n.column), true
	case *fixed:
		return columnar.Constant(n.value), true
	case *jump:
		if n.from == atNone {
			return columnar.Constant(value.Null), true
		}
		var steps []int64
		if n.k > 0 {
			steps = append(steps, -n.k)
		}
		switch n.physical {
		case semantics.Prev:
			steps = append(steps, -n.steps)
		case semantics.Next:
			steps = append(steps, n.steps)
		}
		if len(steps) == 0 && n.column != nil {
			return columnar.Column(n.column.column), true
		}
		return columnar.Shift(n.arg, steps...), true
	}
	return columnar.Leaf{}, false
}

// labels turns the rows of partitions into classes: rows on which the same row
// conditions hold are of one class. It belongs to one goroutine.
type labels struct {
	plan    *labelPlan
	auto    *automaton
	words   int      // of a position set
	shift   uint     // logarithm of the number of classes there may be
	sets    []uint64 // by class: the positions that may take the row
	narrow  bool     // at most 8 conditions: a class is the set of them
	numbers map[string]uint16
	key     []byte
	from    int        // the row that the first bit is of
	bits    [][]uint64 // scratch: by condition, the rows on which it holds
	raised  []uint64   // rows on which some condition is an error
	out     [][]uint64 // what columnar writes to
	all     []int      // all conditions

	placesOf *table.Table // what classOf holds for
	classOf  []uint16     // by place, see byPlaces
}

// maxClasses bounds the classes of a table with more than 8 conditions.
const maxClasses = 1 << 16

func newLabels(plan *labelPlan, a *automaton, words int) *labels {
	l := &labels{plan: plan, auto: a, words: words, narrow: len(plan.conditions) <= 8, bits: make([][]uint64, len(plan.conditions))}
	for i := range plan.conditions {
		l.all = append(l.all, i)
	}
	if !l.narrow {
		l.shift = 4
		l.numbers = map[string]uint16{}
		l.key = make([]byte, (len(plan.conditions)+7)/8)
		return l
	}
	l.shift = uint(len(plan.conditions))
	for class := range 1 << l.shift {
		l.addSet(func(bit int) bool { return class>>bit&1 != 0 })
	}
	return l
}

// addSet appends the positions that a row of a new class may be mapped by.
func (l *labels) addSet(holds func(bit int) bool) {
	at := len(l.sets)
	l.sets = append(l.sets, make([]uint64, l.words)...)
	for p := range l.auto.positions {
		if bit := l.plan.bit[l.auto.positions[p].v]; bit == always || holds(bit) {
			l.sets[at+p>>6] |= 1 << (p & 63)
		}
	}
}

// allowed returns the positions that may take a row of a class.
func (l *labels) allowed(class uint16) []uint64 {
	return l.sets[int(class)*l.words : (int(class)+1)*l.words]
}

// may reports whether position p may take a row of a class.
func (l *labels) may(class uint16, p int32) bool {
	return l.sets[int(class)*l.words+int(p>>6)]>>(p&63)&1 != 0
}

// blockRows is how many rows' bits are kept at a time where classes are made of
// them: a partition of any size takes no more than a byte a row then.
const blockRows = 1 << 16

// evaluateNarrow writes the classes of rows of partitions, as evaluate finds them.
func (l *labels) evaluateNarrow(t *table.Table, rows []int32, bounds []int32, out []uint8) (bad []int) {
	for from := 0; from < len(rows); from += blockRows {
		to := min(from+blockRows, len(rows))
		for _, p := range l.evaluateBlock(t, rows, bounds, from, to) {
			if n := len(bad); n == 0 || bad[n-1] != p {
				bad = append(bad, p)
			}
		}
		l.narrowClasses(out[from:to])
	}
	return bad
}

// evaluate finds on which rows of partitions each condition holds. The rows of
// the partitions stand one after another; bounds are the places where they
// begin, and the end of the last. bad are the partitions in which a condition
// is an error on some row, in ascending order: for these nothing is known.
func (l *labels) evaluate(t *table.Table, rows []int32, bounds []int32) (bad []int) {
	return l.evaluateBlock(t, rows, bounds, 0, len(rows))
}

// evaluateBlock is evaluate for the rows from one place up to another.
func (l *labels) evaluateBlock(t *table.Table, rows []int32, bounds []int32, from, to int) (bad []int) {
	words := (to - from + 63) / 64
	l.from = from
	for i := range l.bits {
		if cap(l.bits[i]) < words {
			l.bits[i] = make([]uint64, words)
		}
		l.bits[i] = l.bits[i][:words]
	}
	if cap(l.raised) < words {
		l.raised = make([]uint64, words)
	}
	l.raised = l.raised[:words]
	clear(l.raised)
	s := &scene{table: t, rows: rows, at: nowhere}
	slow := l.plan.rowByRow
	if len(l.plan.inSet) > 0 {
		l.out = l.out[:0]
		for _, i := range l.plan.inSet {
			l.out = append(l.out, l.bits[i])
		}
		if l.plan.columnar.Eval(columnar.Input{Table: t, Rows: rows, Bounds: bounds}, from, to, l.out, l.raised) != nil {
			slow = l.all
		}
	}
	for _, i := range slow {
		clear(l.bits[i])
		for p := range len(bounds) - 1 {
			s.lo, s.hi = int(bounds[p]), int(bounds[p+1])
			for r := max(s.lo, from); r < min(s.hi, to); r++ {
				l.row(i, s, r)
			}
		}
	}
	return l.raisedIn(s, bounds)
}

// raisedIn returns the partitions that have a row on which some condition is an
// error. Where such an error counts as UNKNOWN, the conditions are evaluated one
// by one on that row.
func (l *labels) raisedIn(s *scene, bounds []int32) (bad []int) {
	p := 0
	for w, word := range l.raised {
		for ; word != 0; word &= word - 1 {
			k := w<<6 + bits.TrailingZeros64(word)
			r := l.from + k
			for int(bounds[p+1]) <= r {
				p++
			}
			if l.plan.unknown {
				s.lo, s.hi = int(bounds[p]), int(bounds[p+1])
				l.raised[w] &^= 1 << (k & 63)
				for _, i := range l.all {
					l.bits[i][w] &^= 1 << (k & 63)
					l.row(i, s, r)
				}
				if l.raised[w]>>(k&63)&1 == 0 {
					continue
				}
			}
			if n := len(bad); n == 0 || bad[n-1] != p {
				bad = append(bad, p)
			}
		}
	}
	return bad
}

// row evaluates a condition on one row and sets its bit, or notes the error.
func (l *labels) row(i int, s *scene, r int) {
	s.current = r
	ok, err := l.plan.conditions[i].holds(s)
	k := r - l.from
	switch {
	case err != nil && !(l.plan.unknown && diag.From(err).Stage == diag.Runtime):
		l.raised[k>>6] |= 1 << (k & 63)
	case err == nil && ok:
		l.bits[i][k>>6] |= 1 << (k & 63)
	}
}

// one returns the class of one row as the scene shows it, and false if there
// are too many classes.
func (l *labels) one(s *scene) (uint16, bool, error) {
	class := uint16(0)
	clear(l.key)
	for i := range l.plan.conditions {
		ok, err := l.plan.conditions[i].holds(s)
		if err != nil && !(l.plan.unknown && diag.From(err).Stage == diag.Runtime) {
			return 0, false, err
		}
		if ok && err == nil {
			if l.narrow {
				class |= 1 << i
			} else {
				l.key[i>>3] |= 1 << (i & 7)
			}
		}
	}
	if l.narrow {
		return class, true, nil
	}
	class, ok := l.number()
	return class, ok, nil
}

// number returns the class of the conditions in key.
func (l *labels) number() (uint16, bool) {
	if n, ok := l.numbers[string(l.key)]; ok {
		return n, true
	}
	n := len(l.numbers)
	if n == maxClasses {
		return 0, false
	}
	l.addSet(func(bit int) bool { return l.key[bit>>3]>>(bit&7)&1 != 0 })
	l.numbers[string(l.key)] = uint16(n)
	for 1<<l.shift <= n {
		l.shift++
	}
	return uint16(n), true
}

// narrowClasses writes the classes of rows as bytes, from the bits that
// evaluate found.
func (l *labels) narrowClasses(out []uint8) {
	switch len(l.bits) {
	case 0:
		clear(out)
		return
	case 1:
		for i := range out {
			out[i] = uint8(l.bits[0][i>>6] >> (i & 63) & 1)
		}
		return
	}
	for w := 0; w<<6 < len(out); w++ {
		rows := out[w<<6:]
		if len(rows) > 64 {
			rows = rows[:64]
		}
		for b := 0; b < len(rows); b += 8 {
			// Eight conditions on eight rows are a matrix of 8 by 8 bits.
			var m uint64
			for c, words := range l.bits {
				m |= (words[w] >> b & 0xff) << (8 * c)
			}
			m = transpose(m)
			if b+8 <= len(rows) {
				binary.LittleEndian.PutUint64(rows[b:], m)
				continue
			}
			for i := b; i < len(rows); i++ {
				rows[i] = uint8(m >> (8 * (i - b)))
			}
		}
	}
}

// transpose exchanges rows and columns of a matrix of 8 by 8 bits.
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// wideClasses writes the classes of rows when there are more than 8
// conditions; false if there are too many classes.
func (l *labels) wideClasses(out []uint16) bool {
	for i := range out {
		clear(l.key)
		for c, words := range l.bits {
			l.key[c>>3] |= uint8(words[i>>6]>>(i&63)&1) << (c & 7)
		}
		class, ok := l.number()
		if !ok {
			return false
		}
		out[i] = class
	}
	return true
}

// missing reports that one of the conditions in need holds on no row from a
// place up to another (T0), minSkipRows apart at least.
func (l *labels) missing(need []int, lo, hi int) bool {
	for _, c := range need {
		words := l.bits[c]
		first, last := words[lo>>6]>>(lo&63), words[(hi-1)>>6]<<(63-(hi-1)&63)
		found := first != 0 || last != 0
		for w := lo>>6 + 1; !found && w < (hi-1)>>6; w++ {
			found = words[w] != 0
		}
		if !found {
			return true
		}
	}
	return false
}
