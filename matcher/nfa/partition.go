package nfa

import (
	"math/bits"
	"slices"

	"github.com/rprcheck/rprcheck/semantics/table"
)

// partitions are the rows of a table, partition by partition, each in order.
type partitions struct {
	rows   []int32 // nil if they are as they lie
	bounds []int32 // where each partition begins in rows, and the end of the last
	asIs   bool    // rows are 0, 1, 2, ...: the table was in order
}

// chunk returns the rows of a chunk; buf, which may be used for them, is given
// back for the next one.
func (p *partitions) chunk(c chunk, buf []int32) (rows, _ []int32) {
	from, to := p.bounds[c.from], p.bounds[c.to]
	if !p.asIs {
		return p.rows[from:to], buf
	}
	buf = resized(buf, int(to-from))
	for i := range buf {
		buf[i] = from + int32(i)
	}
	return buf, buf
}

// partition divides a table as Clause.Partitions does: partitions by first
// appearance, each in the order of ORDER BY, ties in input order (NUL-1 to
// NUL-3).
//
// Ordering keys held as integers are packed into one word. Input that is in
// order already costs a pass over the keys; otherwise rows are scattered into
// ranges of partitions that fit the cache, and finished there, range by range.
func (p *program) partition(in *table.Table) (*partitions, error) {
	c := p.clause
	var keys []table.SortKey
	for _, k := range c.OrderBy {
		if k.Expr != nil {
			return p.partitionForeign(in)
		}
		keys = append(keys, table.SortKey{Col: k.Column, Descending: k.Descending, NullsFirst: k.NullsFirst})
	}
	n := in.NumRows()
	if n == 0 {
		return &partitions{bounds: []int32{0}}, nil
	}
	if bounds := inOrder(in, c.PartitionBy, keys); bounds != nil {
		return &partitions{bounds: bounds, asIs: true}, nil
	}
	packed, packs := packKeys(in, keys)
	ids, counts := groupIDs(in, c.PartitionBy, c.Readings.ValueOptions())
	out := &partitions{bounds: make([]int32, len(counts)+1)}
	for g, size := range counts {
		out.bounds[g+1] = out.bounds[g] + size
	}
	if packs {
		out.rows = scatter(ids, out.bounds, packed)
		return out, nil
	}
	out.rows = make([]int32, n)
	at := slices.Clone(out.bounds)
	for row, g := range ids {
		out.rows[at[g]] = int32(row)
		at[g]++
	}
	sorter := in.NewSorter(keys, c.Readings.ValueOptions())
	for g := range counts {
		sorter.Sort(out.rows[out.bounds[g]:out.bounds[g+1]])
	}
	return out, nil
}

// partitionForeign divides the table by the clause itself.
func (p *program) partitionForeign(in *table.Table) (*partitions, error) {
	list, err := p.clause.Partitions(in)
	if err != nil {
		return nil, err
	}
	out := &partitions{bounds: make([]int32, 1, len(list)+1)}
	for _, part := range list {
		out.rows = append(out.rows, part.Rows...)
		out.bounds = append(out.bounds, int32(len(out.rows)))
	}
	return out, nil
}

// packedKeys gives the ordering keys of a row as one word, whose order is that
// of the rows.
type packedKeys struct {
	one   *packedKey // the only key, without NULL: computed when it is asked for
	words []uint64
}

type packedKey struct {
	ints       []int64
	nulls      []uint64
	descending bool
	nullsFirst bool
	least      int64
	most       int64
	width      int // bits
}

// at returns the word of a row.
func (k *packedKeys) at(row int) uint64 {
	switch {
	case k.one == nil:
		if k.words == nil {
			return 0
		}
		return k.words[row]
	case k.one.descending:
		return uint64(k.one.most - k.one.ints[row])
	}
	return uint64(k.one.ints[row] - k.one.least)
}

// packKeys packs ordering keys. ok is false if one of them is not held as
// integers, or if they do not fit a word together.
func packKeys(in *table.Table, keys []table.SortKey) (_ *packedKeys, ok bool) {
	out := &packedKeys{}
	var list []packedKey
	total := 0
	for _, k := range keys {
		col := in.Column(k.Col)
		p := packedKey{ints: col.Int64s(), nulls: col.NullBits(), descending: k.Descending, nullsFirst: k.NullsFirst}
		if len(p.ints) != in.NumRows() {
			return nil, false
		}
		p.least, p.most = extent(p.ints)
		span := uint64(p.most - p.least)
		if p.nulls != nil {
			if span >= 1<<62 {
				return nil, false
			}
			span += 2 // one for NULL
		}
		p.width = bits.Len64(span)
		if total += p.width; total > 64 {
			return nil, false
		}
		list = append(list, p)
	}
	switch {
	case len(list) == 0:
		return out, true
	case len(list) == 1 && list[0].nulls == nil:
		out.one = &list[0]
		return out, true
	}
	out.words = make([]uint64, in.NumRows())
	for i := range list {
		k := &list[i]
		shift := uint(0)
		for j := i + 1; j < len(list); j++ {
			shift += uint(list[j].width)
		}
		for row, v := range k.ints {
			code := uint64(v - k.least)
			if k.descending {
				code = uint64(k.most - v)
			}
			if k.nulls != nil {
				code++
				if k.nulls[row>>6]>>(row&63)&1 != 0 {
					code = uint64(k.most-k.least) + 2
					if k.nullsFirst {
						code = 0
					}
				}
			}
			out.words[row] |= code << shift
		}
	}
	return out, true
}

// extent returns the least and the greatest of some integers.
func extent(ints []int64) (least, most int64) {
	least, most = ints[0], ints[0]
	for _, v := range ints {
		least, most = min(least, v), max(most, v)
	}
	return least, most
}

// inOrder returns the bounds of the partitions if the table is in order as it
// is: partition keys that are integers ascend or descend, and within equal ones
// the ordering keys, integers too, are in their order. It is nil otherwise.
func inOrder(in *table.Table, by []int, keys []table.SortKey) []int32 {
	n := in.NumRows()
	var order [][]int64
	for _, k := range keys {
		col := in.Column(k.Col)
		if len(col.Int64s()) != n || col.HasNulls() {
			return nil
		}
		order = append(order, col.Int64s())
	}
	switch len(by) {
	case 0:
		if !ascends(order, keys, 0, n) {
			return nil
		}
		return []int32{0, int32(n)}
	case 1:
	default:
		return nil
	}
	col := in.Column(by[0])
	ints := col.Int64s()
	if len(ints) != n || col.HasNulls() {
		return nil
	}
	down := false
	from := 0
	bounds := []int32{0}
	for i := 1; i <= n; i++ {
		if i < n && ints[i] == ints[i-1] {
			continue
		}
		if !ascends(order, keys, from, i) {
			return nil
		}
		from = i
		bounds = append(bounds, int32(i))
		if i == n {
			break
		}
		if less := ints[i] < ints[i-1]; len(bounds) == 2 {
			down = less
		} else if less != down {
			return nil
		}
	}
	return bounds
}

// ascends reports whether a range of rows is in order, equal neighbours allowed.
func ascends(order [][]int64, keys []table.SortKey, from, to int) bool {
	if len(order) == 1 {
		ints := order[0][from:to]
		if keys[0].Descending {
			for i := 1; i < len(ints); i++ {
				if ints[i] > ints[i-1] {
					return false
				}
			}
			return true
		}
		for i := 1; i < len(ints); i++ {
			if ints[i] < ints[i-1] {
				return false
			}
		}
		return true
	}
	for i := from + 1; i < to; i++ {
		for k, ints := range order {
			if ints[i] == ints[i-1] {
				continue
			}
			if ints[i] < ints[i-1] != keys[k].Descending {
				return false
			}
			break
		}
	}
	return true
}

// chunk is a range of partitions.
type chunk struct{ from, to int }

// chunks cuts the partitions into ranges of some rows each, one partition at least.
func (p *partitions) chunks(rows int) []chunk {
	var out []chunk
	for from := 0; from < len(p.bounds)-1; {
		to := from + 1
		for to < len(p.bounds)-1 && int(p.bounds[to+1]-p.bounds[from]) <= rows {
			to++
		}
		out = append(out, chunk{from, to})
		from = to
	}
	return out
}
