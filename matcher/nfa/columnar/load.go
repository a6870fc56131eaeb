package columnar

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// window is a column as the conditions read it: on rows from some distance
// before the row under test to some distance behind it.
type window struct {
	column   int
	typ      value.Type
	kind     kind // kindInt also for booleans
	from, to int64
}

// maxWindow bounds the rows around a block that a window holds besides it.
const maxWindow = 256

// windowOf finds or makes the window of a column in which a distance lies.
func (p *plan) windowOf(column int, t value.Type, k kind, s int64) int {
	for i := range p.windows {
		w := &p.windows[i]
		if w.column != column || w.kind != k {
			continue
		}
		if from, to := min(w.from, s), max(w.to, s); to-from <= maxWindow {
			w.from, w.to = from, to
			p.widen(s)
			return i
		}
	}
	p.windows = append(p.windows, window{column, t, k, s, s})
	p.widen(s)
	return len(p.windows) - 1
}

// widen notes how far around a block rows should be in order.
func (p *plan) widen(s int64) {
	if s >= -maxWindow && s <= maxWindow {
		p.back, p.ahead = min(p.back, int(s)), max(p.ahead, int(s))
	}
}

// shiftOf returns the number of a distance.
func (p *plan) shiftOf(s int64) int {
	for i, x := range p.shifts {
		if x == s {
			return i
		}
	}
	p.shifts = append(p.shifts, s)
	return len(p.shifts) - 1
}

// column makes the node of a column at the present distance.
func (b *builder) column(column int, t value.Type) *node {
	k, scale := b.heldAs(t)
	if b.shift > maxSteps || b.shift < -maxSteps {
		return b.null(k, t, scale)
	}
	s := b.shift
	shift := b.shiftOf(s)
	key := fmt.Sprintf("column:%d:%d", column, s)
	if k == kindBoxed {
		w := b.windowOf(column, t, k, 0)
		return b.add(node{kind: k, typ: t, eval: func(r *run, v *vec, _ *mask) {
			loadBoxed(r, v, r.windows[w].column, int(s), shift)
		}}, key)
	}
	held := k
	if k == kindTruth {
		held = kindInt
	}
	if t.Kind == value.Decimal && t.Precision > maxScale {
		b.escapes = true
	}
	w := b.windowOf(column, t, held, s)
	return b.add(node{kind: k, typ: t, scale: scale, eval: func(r *run, v *vec, _ *mask) {
		r.load(v, w, k, int(s), shift)
	}}, key)
}

// loadBoxed reads the values of a column.
func loadBoxed(r *run, v *vec, c *table.Column, s, shift int) {
	outside := r.outside(shift)
	to := v.makeVals()
	for i := range r.n {
		if outside != nil && outside[i>>6]>>(i&63)&1 != 0 {
			to[i] = value.Null
			continue
		}
		to[i] = c.Value(int(r.in.Rows[r.at+s+i]))
	}
}

// windowData is a window loaded for a block.
type windowData struct {
	stamp  uint64
	column *table.Column
	direct bool // the vectors of the column are read where they are
	ints   []int64
	floats []float64
	keys   []uint64
	lens   []int32
	long   int32 // not less than any length
	nulls  []uint64
	own    windowMemory
}

type windowMemory struct {
	ints   []int64
	floats []float64
	keys   []uint64
	lens   []int32
	nulls  []uint64
}

// load makes v the vector of a window at distance s.
func (r *run) load(v *vec, window int, k kind, s, shift int) {
	w := &r.plan.windows[window]
	d := &r.windows[window]
	if d.stamp != r.stamp {
		d.stamp = r.stamp
		r.fill(w, d)
	}
	off := s - int(w.from)
	v.nulls = nil
	if bits := d.column.NullBits(); bits != nil {
		if d.direct {
			extract(&v.own.nulls, bits, r.first+s, r.n)
		} else {
			extract(&v.own.nulls, d.nulls, off, r.n)
		}
		v.nulls = &v.own.nulls
	}
	if outside := r.outside(shift); outside != nil {
		if v.nulls == nil {
			v.nulls = outside
		} else {
			for i := range v.own.nulls {
				v.own.nulls[i] |= outside[i]
			}
		}
	}
	switch k {
	case kindTruth:
		lowBits(v.t[:], d.ints[off:off+r.n])
		v.known(v.nulls, nil, false)
	case kindInt:
		v.ints = d.ints[off : off+r.n]
	case kindFloat:
		v.floats = d.floats[off : off+r.n]
	case kindText:
		v.keys, v.lens, v.longest = d.keys[off:off+r.n], d.lens[off:off+r.n], d.long
		v.column, v.rows, v.shift = d.column, r.in.Rows, r.at+s
	}
}

// fill reads the rows of a window.
func (r *run) fill(w *window, d *windowData) {
	from, n := r.at+int(w.from), r.n+int(w.to-w.from)
	inside := from >= 0 && from+n <= len(r.in.Rows)
	d.direct = r.inOrder && inside && int(w.from) >= r.plan.back && int(w.to) <= r.plan.ahead
	if d.direct && w.kind != kindText {
		at := r.first + int(w.from)
		if w.kind == kindFloat {
			d.floats = d.column.Float64s()[at : at+n]
		} else {
			d.ints = d.column.Int64s()[at : at+n]
		}
		return
	}
	// Rows outside of the input hold zeros.
	low, high := min(max(-from, 0), n), n
	if from+n > len(r.in.Rows) {
		high = max(len(r.in.Rows)-from, low)
	}
	var rows []int32
	if low < high {
		rows = r.in.Rows[from+low : from+high]
	}
	switch w.kind {
	case kindInt:
		d.own.ints = sized(d.own.ints, n)
		d.ints = d.own.ints
		gather(d.ints, d.column.Int64s(), rows, low, high)
	case kindFloat:
		d.own.floats = sized(d.own.floats, n)
		d.floats = d.own.floats
		gather(d.floats, d.column.Float64s(), rows, low, high)
	case kindText:
		d.own.keys, d.own.lens = sized(d.own.keys, n), sized(d.own.lens, n)
		d.keys, d.lens = d.own.keys, d.own.lens
		clear(d.keys[:low])
		clear(d.lens[:low])
		clear(d.keys[high:])
		clear(d.lens[high:])
		d.long = gatherText(d.keys[low:high], d.lens[low:high], d.column, rows)
	}
	if bits := d.column.NullBits(); bits != nil && !d.direct {
		d.own.nulls = sized(d.own.nulls, (n+63)/64)
		d.nulls = d.own.nulls
		clear(d.nulls)
		for i, row := range rows {
			i += low
			d.nulls[i>>6] |= bits[row>>6] >> (row & 63) & 1 << (i & 63)
		}
	}
}

// sized returns a vector of n elements, s if it is large enough.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, max(n, blockRows+maxWindow))
	}
	return s[:n]
}

// gather reads the rows of a vector to the places from low to high.
func gather[T int64 | float64](to, from []T, rows []int32, low, high int) {
	clear(to[:low])
	clear(to[high:])
	to = to[low:high]
	for i, row := range rows[:len(to)] {
		to[i] = from[row]
	}
}

// extract copies n bits that begin at an offset.
func extract(to *mask, from []uint64, offset, n int) {
	at, shift := offset>>6, uint(offset&63)
	for w := range (n + 63) / 64 {
		var x uint64
		if at+w < len(from) {
			x = from[at+w] >> shift
		}
		if shift > 0 && at+w+1 < len(from) {
			x |= from[at+w+1] << (64 - shift)
		}
		to[w] = x
	}
}
