package nfa

import (
	"math/bits"

	"github.com/rprcheck/rprcheck/semantics/scalar"
)

// memo remembers the positions and rows of an attempt from which no match is
// possible, where what comes later depends on the row and the start only.
type memo struct {
	positions int
	start     int
	bits      []uint64
	touched   []int // words that are not zero
}

// begin forgets the failures of the attempt before.
func (m *memo) begin(start int) {
	for _, w := range m.touched {
		m.bits[w] = 0
	}
	m.touched = m.touched[:0]
	m.start = start
}

func (m *memo) add(p int32, row int) {
	i := (row-m.start)*m.positions + int(p)
	for len(m.bits) <= i>>6 {
		m.bits = append(m.bits, 0)
	}
	if m.bits[i>>6] == 0 {
		m.touched = append(m.touched, i>>6)
	}
	m.bits[i>>6] |= 1 << (i & 63)
}

func (m *memo) has(p int32, row int) bool {
	i := (row-m.start)*m.positions + int(p)
	return i>>6 < len(m.bits) && m.bits[i>>6]>>(i&63)&1 != 0
}

// register is something that conditions read of the path. Two paths on which
// the registers that are still read have equal values have the same future
// (PREF-10): its value must say all that later rows can make of it.
type register struct {
	track int
	agg   int    // index of the aggregate; nowhere: a row of the track
	first bool   // the first row of the track, not the last
	value number // what the row is read for; nil: the row itself is the value
}

// maxRegisters is how many registers a plan can tell apart.
const maxRegisters = 62

// reads is the set of registers that conditions read, with two marks.
type reads uint64

const (
	readsStart reads = 1 << 62 // where the match starts, or its number
	readsPath  reads = 1 << 63 // something that is no register
)

// readsOf adds the registers of a rewritten expression to the plan and returns
// them.
func (s *searchPlan) readsOf(e scalar.Expr) reads {
	var r reads
	scalar.Walk(e, func(x scalar.Expr) bool {
		switch n := x.(type) {
		case *jump:
			r |= s.jumpReads(n)
			return false
		case *aggregateAt:
			if n.spec.kind == recomputed {
				r |= readsPath
			} else {
				r |= s.register(register{track: n.spec.track, agg: n.reg})
			}
			return false
		case *length, *matchNumber:
			r |= readsStart
		case *classifierAt:
			r |= readsPath
		}
		return true
	})
	return r
}

func (s *searchPlan) jumpReads(j *jump) reads {
	var r reads
	scalar.Walk(j.arg, func(x scalar.Expr) bool {
		switch x.(type) {
		case *matchNumber:
			r |= readsStart
		case *classifierAt:
			r |= readsPath
		}
		return true
	})
	switch j.from {
	case atCurrent, atNone:
		return r
	case atStart, atNth, atBack:
		return r | readsStart
	}
	if j.k > 0 {
		return readsPath
	}
	reg := register{track: j.track, agg: nowhere, first: j.from == atFirst}
	if n, _ := typedNumber(j); n != nil {
		reg.value = n
	}
	return r | s.register(reg)
}

func (s *searchPlan) register(r register) reads {
	s.registers = append(s.registers, r)
	if len(s.registers) > maxRegisters {
		return readsPath
	}
	return 1 << (len(s.registers) - 1)
}

// failures are the states from which no match is possible: a position and a row,
// the start where it is still read, and the values of the registers that are
// still read. They hold for all attempts over the same search area. Keys are
// stored in full, since only equal states have equal futures.
type failures struct {
	slots  []uint32 // hash table: place in words, from 1; 0: free
	words  []uint64 // keys, each behind its length
	marks  []uint64 // bits for the positions and rows of keys: most have none
	count  int
	last   int // the greatest row of a key
	limit  int // entries at which those of rows passed are dropped
	key    []uint64
	passed []uint64 // scratch of drop
}

// memoFactor is how many conditions are tested for each row passed before
// failures are remembered: that costs about as much as two tests.
const memoFactor = 1

// maxFailures bounds the words of keys: what does not fit is not remembered.
const maxFailures = 1 << 22

func (f *failures) reset() {
	if f.count > 0 {
		clear(f.slots)
		clear(f.marks)
		f.words, f.count, f.last = f.words[:0], 0, 0
	}
}

// pass forgets failures of rows before the start of an attempt, when there are
// many: no attempt goes there any more.
func (f *failures) pass(start int) {
	switch {
	case f.count < 256:
	case start > f.last:
		f.reset()
	case f.count >= f.limit:
		f.drop(start)
	}
}

// drop keeps the failures of rows from start on.
func (f *failures) drop(start int) {
	f.passed = append(f.passed[:0], f.words...)
	f.reset()
	for at := 0; at < len(f.passed); {
		n := int(f.passed[at])
		key := f.passed[at+1 : at+1+n]
		if int(key[0]&(1<<32-1)) >= start {
			f.key = append(f.key[:0], key...)
			f.add()
		}
		at += 1 + n
	}
	f.limit = max(1024, 2*f.count)
}

func (f *failures) hash() uint64 {
	h := uint64(len(f.key))
	for _, w := range f.key {
		hi, lo := bits.Mul64(h^w, 0x9e3779b97f4a7c15)
		h = hi ^ lo
	}
	return h ^ h>>29
}

// mark is the bit of a position and a row.
func (f *failures) mark(p int32, row int) (word int, bit uint64) {
	h := (uint64(p)<<32 | uint64(row)) * 0x9e3779b97f4a7c15 >> 32
	return int(h>>6) & (len(f.marks) - 1), 1 << (h & 63)
}

// mayHave reports whether there may be a failure at a position and a row.
func (f *failures) mayHave(p int32, row int) bool {
	if f.count == 0 {
		return false
	}
	word, bit := f.mark(p, row)
	return f.marks[word]&bit != 0
}

// find returns the slot of the key: where it is, or where it can be put.
func (f *failures) find() (slot int, found bool) {
	mask := len(f.slots) - 1
	for i := int(f.hash()) & mask; ; i = (i + 1) & mask {
		at := f.slots[i]
		if at == 0 {
			return i, false
		}
		words := f.words[at-1:]
		if int(words[0]) == len(f.key) && equalWords(words[1:1+len(f.key)], f.key) {
			return i, true
		}
	}
}

func equalWords(a, b []uint64) bool {
	for i, w := range b {
		if a[i] != w {
			return false
		}
	}
	return true
}

// add remembers the key.
func (f *failures) add() {
	if len(f.words)+len(f.key) > maxFailures {
		return
	}
	if 2*f.count >= len(f.slots) {
		f.grow()
	}
	slot, found := f.find()
	if found {
		return
	}
	f.words = append(f.words, uint64(len(f.key)))
	f.slots[slot] = uint32(len(f.words))
	f.words = append(f.words, f.key...)
	f.count++
	f.note()
	f.last = max(f.last, int(f.key[0]&(1<<32-1)))
}

// note sets the mark of the key.
func (f *failures) note() {
	word, bit := f.mark(int32(f.key[0]>>32), int(f.key[0]&(1<<32-1)))
	f.marks[word] |= bit
}

func (f *failures) grow() {
	f.slots = make([]uint32, max(256, 2*len(f.slots)))
	f.marks = make([]uint64, len(f.slots)/4) // 16 bits a slot
	f.limit = max(f.limit, 1024)
	key := f.key
	for at := 0; at < len(f.words); at += 1 + len(f.key) {
		f.key = f.words[at+1 : at+1+int(f.words[at])]
		slot, _ := f.find()
		f.slots[slot] = uint32(at + 1)
		f.note()
	}
	f.key = key
}

// keyWords adds a register that a frame holds to the key.
func (m *machine) keyWords(r *register) bool {
	f, l := &m.failures, m.scene.regs.layout
	frame := m.scene.regs.frame()
	if r.agg != nowhere {
		words := frame[l.aggs[r.agg]:]
		switch spec := m.program.regs.aggs[r.agg]; {
		case spec.kind == counted:
			f.key = append(f.key, uint64(words[0]))
		case words[0] == oddCount:
			return false
		case spec.kind == extreme:
			f.key = append(f.key, uint64(min(words[0], 1)), uint64(words[1]))
		default:
			f.key = append(f.key, uint64(words[0]), uint64(words[1]), uint64(words[2]))
		}
		return true
	}
	slot := l.last[r.track]
	if r.first {
		slot = l.first[r.track]
	}
	place := frame[slot]
	switch {
	case place == nowhere:
		f.key = append(f.key, 0)
	case r.value == nil:
		f.key = append(f.key, 4, uint64(place))
	default:
		v, state := r.value.number(&m.scene)
		if state == isOdd {
			f.key = append(f.key, 4, uint64(place))
		} else {
			f.key = append(f.key, uint64(state)+1, uint64(v))
		}
	}
	return true
}

// keyOf makes the key of the state behind a row mapped to a position; false if
// some register has no value that can be compared.
func (m *machine) keyOf(p int32, row int) bool {
	f := &m.failures
	live := m.plan.places[p].live
	start := uint64(0)
	if live&readsStart != 0 {
		start = uint64(m.scene.start) + 1
	}
	f.key = append(f.key[:0], uint64(p)<<32|uint64(row), start)
	for live &^= readsStart; live != 0; live &= live - 1 {
		r := &m.plan.registers[bits.TrailingZeros64(uint64(live))]
		if m.scene.regs.layout != nil {
			if !m.keyWords(r) {
				return false
			}
			continue
		}
		t := m.scene.regs.tracks[r.track].rows
		if len(t) == 0 {
			f.key = append(f.key, 0)
			continue
		}
		if r.agg != nowhere {
			a := &m.scene.regs.aggs[r.agg]
			if a.upToDate(&m.scene, t) != nil || a.odd {
				return false
			}
			st := &a.states[len(a.states)-1]
			f.key = append(f.key, uint64(st.n)<<1|1)
			switch {
			case a.spec.kind == extreme && a.spec.typed != nil:
				f.key[len(f.key)-1] = min(uint64(st.n), 1)
				f.key = append(f.key, st.lo)
			case a.spec.kind == extreme:
				f.key = append(f.key, uint64(uint32(st.best)))
			case a.spec.kind != counted:
				inf := uint64(0)
				if st.inf {
					inf = 1
				}
				f.key = append(f.key, st.lo, st.hi, inf)
			}
			continue
		}
		place := t[len(t)-1]
		if r.first {
			place = t[0]
		}
		if r.value != nil {
			if v, state := r.value.number(&m.scene); state != isOdd {
				f.key = append(f.key, uint64(state)+1, uint64(v))
				continue
			}
		}
		f.key = append(f.key, 4, uint64(place))
	}
	return true
}
