package nfa

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
)

// layout places what conditions or measures read of a path in a frame: a few
// machine words, which hold the values of all registers behind a row. A row
// that is mapped copies the frame before it and changes what its variable
// changes; giving it back uncovers that frame again, so that no aggregate has
// an undo of its own (AGG-8).
//
// A frame holds the first and the last row of a variable, counts, sums, and
// least and greatest values of arguments that are held as integers. Plans that
// read anything else keep the rows themselves (see track).
type layout struct {
	*slots
	first, last []int // by track: the slot of the place of its first, last row
	aggs        []int // by aggregate: its first slot
}

// slots are the words of a frame, which several plans can read.
type slots struct {
	empty   []int64 // the frame before the first row
	updates [][]update
	columns []int // what has to be held as integers
	at      map[slotKey]int
}

// slotKey names what a slot holds, so that two plans can find what they share.
type slotKey struct {
	v    semantics.VarID
	what string
}

// maxFrame bounds the words of a frame: it is copied for each row.
const maxFrame = 16

// update is what a row of a variable changes.
type update struct {
	kind   updateKind
	slot   int
	column int    // counting rows where it is NULL out; nowhere: all count
	value  number // what is summed or compared
}

type updateKind uint8

const (
	toFirst updateKind = iota // the place of the row, if there was none
	toLast                    // the place of the row
	toCount
	toSum // three words: how many values, and their sum in two's complement
	toMin // two words: the place of the row with the value, from 1, and the value
	toMax
)

// oddCount stands in the first word of a sum or of an extreme value when an
// argument is not held as an integer: the aggregate is then computed anew from
// the rows.
const oddCount = -1

func newSlots(c *semantics.Clause) *slots {
	return &slots{updates: make([][]update, c.Primaries), at: map[slotKey]int{}}
}

// clone returns slots to which others can be added.
func (l *slots) clone() *slots {
	c := &slots{slices.Clone(l.empty), slices.Clone(l.updates), slices.Clone(l.columns), maps.Clone(l.at)}
	for v, u := range c.updates {
		c.updates[v] = slices.Clone(u)
	}
	return c
}

// width is the number of words.
func (l *slots) width() int { return len(l.empty) }

// layout places the registers of a plan that the expressions read, equal ones
// in the same slots; nil if a frame cannot hold them.
func (l *slots) layout(plan *registerPlan, exprs []scalar.Expr) *layout {
	out := &layout{l, filled(len(plan.tracks), nowhere), filled(len(plan.tracks), nowhere), filled(len(plan.aggs), nowhere)}
	if !out.add(plan, exprs) || l.width() > maxFrame {
		return nil
	}
	return out
}

func (l *layout) add(plan *registerPlan, exprs []scalar.Expr) bool {
	fits := true
	for _, e := range exprs {
		scalar.Walk(e, func(x scalar.Expr) bool {
			switch n := x.(type) {
			case *jump:
				switch {
				case n.from != atFirst && n.from != atLast:
				case n.k > 0:
					fits = false
				case n.from == atFirst:
					l.first[n.track] = l.place(plan, plan.tracks[n.track], "first", toFirst)
				default:
					l.last[n.track] = l.place(plan, plan.tracks[n.track], "last", toLast)
				}
			case *aggregateAt:
				fits = fits && l.aggregate(plan, n.spec, n.reg)
				return false
			}
			return true
		})
	}
	return fits
}

func filled(n, value int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = value
	}
	return out
}

// place returns the slot of the first or last row of a variable.
func (l *layout) place(plan *registerPlan, v semantics.VarID, what string, kind updateKind) int {
	return l.slot(plan, slotKey{v, what}, update{kind: kind, column: nowhere}, nowhere)
}

// slot returns the slot of a key, and makes it with its first values if there
// is none.
func (l *slots) slot(plan *registerPlan, key slotKey, u update, words ...int64) int {
	if at, ok := l.at[key]; ok {
		return at
	}
	u.slot = l.width()
	l.at[key] = u.slot
	l.empty = append(l.empty, words...)
	for v := range l.updates {
		if plan.clause.Belongs(semantics.VarID(v), key.v) {
			l.updates[v] = append(l.updates[v], u)
		}
	}
	return u.slot
}

// aggregate places an aggregate.
func (l *layout) aggregate(plan *registerPlan, spec *aggregateSpec, reg int) bool {
	agg := spec.agg
	if agg.Filter != nil || slices.ContainsFunc(agg.Args, navigates) {
		return false
	}
	var arg *columnAt
	if len(agg.Args) == 1 {
		arg, _ = agg.Args[0].(*columnAt)
	}
	u := update{column: nowhere, value: spec.typed}
	key := slotKey{plan.tracks[spec.track], fmt.Sprintf("%d of %s", spec.kind, textOf(agg.Args))}
	switch {
	case spec.kind == counted && (len(agg.Args) == 0 || arg != nil):
		u.kind = toCount
		if arg != nil {
			u.column = arg.column
		}
		l.aggs[reg] = l.slot(plan, key, u, 0)
	case spec.kind == summed && spec.typed != nil:
		u.kind = toSum
		l.aggs[reg] = l.slot(plan, key, u, 0, 0, 0)
	case spec.kind == extreme && spec.typed != nil:
		u.kind = toMax
		if spec.minimum {
			u.kind, key.what = toMin, "least "+key.what
		}
		l.aggs[reg] = l.slot(plan, key, u, 0, 0)
	default:
		return false
	}
	if u.value != nil {
		for _, a := range agg.Args {
			scalar.Walk(a, func(x scalar.Expr) bool {
				if c, ok := x.(*columnAt); ok {
					l.columns = append(l.columns, c.column)
				}
				return true
			})
		}
	}
	return true
}

// navigates reports that the argument of an aggregate reads other rows than
// that which is added.
func navigates(e scalar.Expr) bool {
	found := false
	scalar.Walk(e, func(x scalar.Expr) bool {
		_, is := x.(*jump)
		found = found || is
		return true
	})
	return found
}

// suits reports that the columns are held as integers.
func (l *layout) suits(vectors []vector, rows int) bool {
	for _, c := range l.columns {
		if len(vectors[c].ints) < rows {
			return false
		}
	}
	return true
}

// textOf names arguments: columns by their place, since two names may be one column.
func textOf(args []scalar.Expr) string {
	var text string
	for _, a := range args {
		if c, ok := a.(*columnAt); ok {
			text += fmt.Sprintf("column %d", c.column)
		} else {
			text += a.String() + " as " + a.Type().String()
		}
	}
	return text
}

// frames is the stack of the frames of a path.
type frames struct {
	layout  *layout // nil: rows are kept instead
	updates [][]update
	words   []int64
	stride  int // from one frame to the next: the width, in whole quads
	top     int // where the frame of the last row begins
	onward  bool
}

// quad is what is copied at a time.
type quad = [4]int64

// use takes a layout, if there is one and the table's columns suit it.
func (f *frames) use(l *layout, s *scene) {
	f.layout = nil
	if l != nil && l.suits(s.vectors, s.table.NumRows()) {
		f.layout, f.updates = l, l.slots.updates
		f.stride = (l.width() + len(quad{}) - 1) / len(quad{}) * len(quad{})
		f.words = make([]int64, 64*f.stride)
		f.reset()
	}
}

// reset leaves the frame of the empty path.
func (f *frames) reset() {
	f.top = 0
	copy(f.words, f.layout.empty)
}

// frame is what the registers hold now.
func (f *frames) frame() []int64 { return f.words[f.top : f.top+f.layout.width()] }

// push makes the frame behind a row that is mapped to a variable.
func (f *frames) push(s *scene, place int, v semantics.VarID) {
	if !f.onward {
		next := f.top + f.stride
		if next+f.stride > len(f.words) {
			f.words = append(f.words, make([]int64, len(f.words))...)
		}
		for at := f.top; at < next; at += len(quad{}) {
			*(*quad)(f.words[at+f.stride:]) = *(*quad)(f.words[at:])
		}
		f.top = next
	}
	updates := f.updates[v]
	if len(updates) == 0 {
		return
	}
	frame := f.words[f.top : f.top+f.stride]
	for i := range updates {
		updates[i].apply(s, frame, place)
	}
}

// pop gives the last row back.
func (f *frames) pop() { f.top -= f.stride }

// apply changes a frame for a row.
func (u *update) apply(s *scene, frame []int64, place int) {
	switch u.kind {
	case toFirst:
		if frame[u.slot] == nowhere {
			frame[u.slot] = int64(place)
		}
		return
	case toLast:
		frame[u.slot] = int64(place)
		return
	case toCount:
		if u.column != nowhere {
			if nulls, row := s.vectors[u.column].nulls, s.rows[place]; nulls != nil && nulls[row>>6]>>(row&63)&1 != 0 {
				return
			}
		}
		frame[u.slot]++
		return
	}
	if frame[u.slot] == oddCount {
		return
	}
	var n int64
	var state numberState
	if c, is := u.value.(columnNumber); is {
		n, state = s.vectors[c].at(s.rows[place])
	} else {
		outer := s.at
		s.at = place
		n, state = u.value.number(s)
		s.at = outer
	}
	switch state {
	case isNull:
		return
	case isOdd:
		frame[u.slot] = oddCount
		return
	}
	words := frame[u.slot:]
	switch u.kind {
	case toSum:
		words[0]++
		lo, carry := bits.Add64(uint64(words[1]), uint64(n), 0)
		words[1] = int64(lo)
		words[2] += n>>63 + int64(carry)
	case toMin:
		if words[0] == 0 || n < words[1] {
			words[0], words[1] = int64(place)+1, n
		}
	case toMax:
		if words[0] == 0 || n > words[1] {
			words[0], words[1] = int64(place)+1, n
		}
	}
}

// state reads an aggregate from a frame; false if it has to be computed anew
// from the rows.
func (f *frames) state(spec *aggregateSpec, reg int) (aggregateState, bool) {
	words := f.frame()[f.layout.aggs[reg]:]
	switch {
	case spec.kind == counted:
		return aggregateState{n: words[0]}, true
	case words[0] == oddCount:
		return aggregateState{}, false
	case spec.kind == summed:
		return aggregateState{n: words[0], lo: uint64(words[1]), hi: uint64(words[2])}, true
	}
	return aggregateState{n: min(words[0], 1), best: int32(words[0] - 1), lo: uint64(words[1])}, true
}
