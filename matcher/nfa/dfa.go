package nfa

// dfa is the reverse automaton of T2, whose states are sets of viable positions:
// one look-up a row from the last to the first, and another one on the way along
// a match. Chosen for row-local conditions; it keeps the state of each row, in
// two bytes. It is
// built while it runs: each state is numbered when a row first reaches it. It
// belongs to one goroutine.
type dfa struct {
	sets   *sets
	labels *labels
	states []uint64 // by state: its positions
	exits  []uint64 // by state: sets.exits
	index  map[string]uint16
	key    []byte

	shift uint     // logarithm of the number of classes
	next  []uint16 // by state and class: the state of the row before; 0: not known yet
	// choices, by state and position: what follows the position; unknown: not
	// known yet.
	choices []int16
	width   uint       // logarithm of the number of choices of a state
	starts  [2][]int16 // by state: where an attempt begins
	limit   int        // largest number of states
	// canStart: some state begins an attempt that is not one at the first row.
	canStart bool
}

// The first states. A state is that of a row; these are of places without one.
const (
	stateUnknown uint16 = iota // no state: marks what is not known in dfa.next
	stateLast                  // after the last row of the partition
	stateEmpty                 // no position is viable: also where the search area ends before the partition
	firstStates
)

const unknown = -3 // in dfa.choices

// Caps of a dfa; beyond them sets are computed row by row.
const (
	maxDFAStates  = 4096
	maxDFAEntries = 1 << 22
)

func newDFA(s *sets, l *labels) *dfa {
	d := &dfa{sets: s, labels: l, index: map[string]uint16{}}
	for 1<<d.width < len(s.a.positions) {
		d.width++
	}
	d.resize()
	for range firstStates {
		d.add(make([]uint64, s.words))
	}
	copy(d.exits[int(stateLast)*s.words:], s.last)
	d.index[string(d.keyOf(d.set(stateEmpty)))] = stateEmpty
	return d
}

// resize makes room for the present number of classes; what was known of next
// is forgotten.
func (d *dfa) resize() {
	d.shift = d.labels.shift
	d.limit = min(maxDFAStates, maxDFAEntries>>d.shift, maxDFAEntries>>d.width)
	n := len(d.states) / d.sets.words
	d.next = make([]uint16, n<<d.shift)
}

func (d *dfa) count() int { return len(d.states) / d.sets.words }

// set returns the positions of a state.
func (d *dfa) set(s uint16) []uint64 {
	w := d.sets.words
	return d.states[int(s)*w : (int(s)+1)*w]
}

func (d *dfa) keyOf(v []uint64) []byte {
	d.key = d.key[:0]
	for _, x := range v {
		d.key = append(d.key, byte(x), byte(x>>8), byte(x>>16), byte(x>>24), byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56))
	}
	return d.key
}

// add makes a state of a set.
func (d *dfa) add(v []uint64) uint16 {
	s := uint16(d.count())
	d.states = append(d.states, v...)
	d.exits = append(d.exits, make([]uint64, d.sets.words)...)
	d.sets.exits(d.exits[len(d.exits)-d.sets.words:], v)
	d.next = append(d.next, make([]uint16, 1<<d.shift)...)
	for range 1 << d.width {
		d.choices = append(d.choices, unknown)
	}
	for x := range d.starts {
		d.starts[x] = append(d.starts[x], int16(pick(d.sets.a.start[x], v)))
	}
	d.canStart = d.canStart || s >= stateEmpty && d.starts[laterRow][s] != none
	return s
}

// step computes the state of the row before: its class is given, and s is the
// state of the row. It is false if there would be too many states.
func (d *dfa) step(s uint16, class uint16) (uint16, bool) {
	w := d.sets.words
	v := make([]uint64, w)
	exits, allowed := d.exits[int(s)*w:(int(s)+1)*w], d.labels.allowed(class)
	for i := range v {
		v[i] = exits[i] & allowed[i]
	}
	before, ok := d.index[string(d.keyOf(v))]
	if !ok {
		if d.count() >= d.limit {
			return 0, false
		}
		before = d.add(v)
		d.index[string(d.keyOf(v))] = before
	}
	d.next[int(s)<<d.shift|int(class)] = before
	return before, true
}

// back runs the dfa over the classes of rows, from the last row to the first,
// beginning with the state of the place behind them, and stores the state of
// each row. It is false if there would be too many states.
func back[C uint8 | uint16](d *dfa, classes []C, states []uint16, behind uint16) bool {
	if d.shift != d.labels.shift {
		d.resize()
	}
	next, shift := d.next, d.shift
	s := behind
	for i := len(classes) - 1; i >= 0; i-- {
		before := next[uint(s)<<shift|uint(classes[i])]
		if before == stateUnknown {
			var ok bool
			if before, ok = d.step(s, uint16(classes[i])); !ok {
				return false
			}
			next = d.next
		}
		s = before
		states[i] = s
	}
	return true
}

// choose returns what follows position p at a row of state s.
func (d *dfa) choose(s uint16, p int32) int32 {
	at := int(s)<<d.width | int(p)
	if c := d.choices[at]; c != unknown {
		return int32(c)
	}
	c := int32(none)
	switch {
	case s != stateLast:
		c = pick(d.sets.a.follow[p], d.set(s))
	case d.sets.a.endsLast[p]:
		c = accept
	}
	d.choices[at] = int16(c)
	return c
}

// begin returns where an attempt begins at a row of state s; kind is firstRow or laterRow.
func (d *dfa) begin(s uint16, kind int) int32 { return int32(d.starts[kind][s]) }
