package columnar

import (
	"math/bits"
	"sort"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// each calls f for the rows of a mask.
func (m *mask) each(f func(i int)) {
	for w, x := range m {
		for ; x != 0; x &= x - 1 {
			f(w<<6 + bits.TrailingZeros64(x))
		}
	}
}

// run is the state of one evaluation. It belongs to one goroutine at a time.
type run struct {
	plan    *plan
	vecs    []*vec // by node
	windows []windowData
	shifts  []shiftData
	in      Input
	single  [2]int32 // the bounds of a single partition
	wide    bool     // a decimal column does not fit int64
	part    int      // the partition of the block's first row, as index of its beginning in the bounds

	// of the block
	stamp   uint64
	at, n   int  // position of its first row, number of rows
	all     mask // its rows
	inOrder bool // the rows around it follow each other in the table
	first   int  // when in order: the row of the table at position at
	raised  mask // rows on which evaluation is an error
	escaped mask // rows on which a decimal has left the 64 bits
}

// shiftData are the rows of a block whose distance leads out of the partition.
type shiftData struct {
	stamp uint64
	any   bool
	rows  mask
}

// begin prepares the evaluation of an input from a position on; false if the
// columns are not those of the plan.
func (r *run) begin(in Input, lo int) bool {
	if in.Bounds == nil {
		r.single[1] = int32(len(in.Rows))
		in.Bounds = r.single[:]
	}
	r.in, r.wide = in, false
	r.windows = grown(r.windows, len(r.plan.windows))
	r.shifts = grown(r.shifts, len(r.plan.shifts))
	r.vecs = grown(r.vecs, r.plan.nodes)
	for i := range r.plan.windows {
		w := &r.plan.windows[i]
		if w.column >= in.Table.NumColumns() {
			return false
		}
		c := in.Table.Column(w.column)
		if !c.Type.Equal(w.typ) {
			return false
		}
		switch w.kind {
		case kindInt:
			if c.Int64s() == nil && c.Len() > 0 {
				if w.typ.Kind != value.Decimal || w.typ.Precision <= maxScale {
					return false
				}
				r.wide = true
			}
		case kindFloat:
			if c.Float64s() == nil && c.Len() > 0 {
				return false
			}
		}
		r.windows[i].column = c
	}
	// The partition in which lo lies.
	r.part = max(sort.Search(len(in.Bounds), func(j int) bool { return int(in.Bounds[j]) > lo })-1, 0)
	return true
}

// end lets go of the input.
func (r *run) end() {
	r.in = Input{}
	for i := range r.windows {
		r.windows[i].column = nil
	}
}

func grown[T any](s []T, n int) []T {
	for len(s) < n {
		var zero T
		s = append(s, zero)
	}
	return s
}

// block evaluates the conditions on n rows; false if it cannot.
func (r *run) block(at, n int, out [][]uint64, word int) bool {
	r.at, r.n = at, n
	r.all = mask{}
	r.all.set(0, n)
	for r.part+2 < len(r.in.Bounds) && int(r.in.Bounds[r.part+1]) <= at {
		r.part++
	}
	r.checkOrder()
	if !r.roots(r.wide, out, word) {
		return false
	}
	return r.escaped.empty() || r.roots(true, out, word)
}

// roots evaluates the conditions, with decimals as values if wide; false if it
// cannot.
func (r *run) roots(wide bool, out [][]uint64, word int) bool {
	r.stamp++
	r.raised, r.escaped = mask{}, mask{}
	words := (r.n + 63) / 64
	for i, root := range r.plan.roots {
		n := root.fast
		switch {
		case !wide:
		case root.wide != nil:
			n = root.wide
		case root.escapes:
			return false
		}
		v := r.eval(n, &r.all)
		to := out[i][word : word+words]
		for w := range to {
			to[w] = v.t[w] & r.all[w]
		}
	}
	return !wide || r.escaped.empty()
}

// eval evaluates a node for the rows in on, once a block. A node that is used
// again is used for no other rows, unless it is total.
func (r *run) eval(n *node, on *mask) *vec {
	v := r.vecs[n.id]
	if v == nil {
		v = &vec{}
		r.vecs[n.id] = v
	}
	if v.stamp == r.stamp {
		return v
	}
	v.stamp = r.stamp
	if n.total {
		on = &r.all
	}
	n.eval(r, v, on)
	return v
}

// raise notes errors in rows, as far as they need the node and v is not NULL there.
func (r *run) raise(rows *mask, v *vec, on *mask) { note(&r.raised, rows, v, on) }

// escape notes rows that 64 bits do not suffice for.
func (r *run) escape(rows *mask, v *vec, on *mask) { note(&r.escaped, rows, v, on) }

func note(to, rows *mask, v *vec, on *mask) {
	for w := range rows {
		m := rows[w] & on[w]
		if v.nulls != nil {
			m &^= v.nulls[w]
		}
		to[w] |= m
	}
}

// checkOrder finds out whether the rows of the block, and those around that
// PREV and NEXT read, follow each other in the table.
func (r *run) checkOrder() {
	from, to := max(r.at+r.plan.back, 0), min(r.at+r.n+r.plan.ahead, len(r.in.Rows))
	rows := r.in.Rows[from:to]
	r.inOrder = false
	if len(rows) == 0 || int(rows[len(rows)-1])-int(rows[0]) != len(rows)-1 {
		return
	}
	var differs int32
	want := rows[0]
	for len(rows) >= 8 {
		x := rows[:8:8]
		differs |= (x[0] - want) | (x[1] - want - 1) | (x[2] - want - 2) | (x[3] - want - 3) |
			(x[4] - want - 4) | (x[5] - want - 5) | (x[6] - want - 6) | (x[7] - want - 7)
		want += 8
		rows = rows[8:]
	}
	for _, x := range rows {
		differs |= x - want
		want++
	}
	if differs == 0 {
		r.inOrder, r.first = true, int(r.in.Rows[r.at])
	}
}

// outside returns the rows of the block from which a distance leads out of the
// partition; nil: none.
func (r *run) outside(shift int) *mask {
	d := &r.shifts[shift]
	if d.stamp != r.stamp {
		d.stamp = r.stamp
		d.any = r.findOutside(int(r.plan.shifts[shift]), &d.rows)
	}
	if !d.any {
		return nil
	}
	return &d.rows
}

func (r *run) findOutside(s int, rows *mask) bool {
	any := false
	for j := r.part; j+1 < len(r.in.Bounds); j++ {
		from, to := int(r.in.Bounds[j]), int(r.in.Bounds[j+1])
		end := to
		if s < 0 {
			to = min(from-s, to)
		} else {
			from = max(to-s, from)
		}
		from, to = max(from-r.at, 0), min(to-r.at, r.n)
		if from < to {
			if !any {
				*rows, any = mask{}, true
			}
			rows.set(from, to)
		}
		if end >= r.at+r.n {
			break
		}
	}
	return any
}
