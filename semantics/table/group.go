package table

import (
	"bytes"
	"hash/maphash"
	"math"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// Groups returns the rows with identical values in the columns, where NULLs
// are identical (NUL-1). Groups come in the order of their first row, the rows
// of a group in input order. No columns: one group of all rows, none if the
// table is empty.
func (t *Table) Groups(cols []int, o value.Options) [][]int32 {
	if t.n == 0 {
		return nil
	}
	if len(cols) == 0 {
		return [][]int32{t.AllRows()}
	}
	ids, counts := t.GroupIDs(cols, o)
	rows := make([]int32, t.n)
	groups := make([][]int32, len(counts))
	from := int32(0)
	for g, n := range counts {
		groups[g] = rows[from : from : from+n]
		from += n
	}
	for r, g := range ids {
		groups[g] = append(groups[g], int32(r))
	}
	return groups
}

// GroupIDs numbers the groups of Groups from 0 and returns the number of each
// row's group and the number of rows of each group.
func (t *Table) GroupIDs(cols []int, o value.Options) (ids, counts []int32) {
	g := newGrouper(t, cols, o)
	ids = make([]int32, t.n)
	if g.single {
		g.groupInts(ids)
	} else {
		g.groupRows(ids)
	}
	return ids, g.counts
}

// grouper is an open-addressing hash table of the groups seen so far. Input
// that is already grouped asks it only once a run of identical rows.
type grouper struct {
	cols   []groupColumn
	single bool // one column of integers without NULL
	seed   maphash.Seed
	slots  []groupSlot
	counts []int32
	first  []int32 // first row of each group
	key    []byte  // scratch of hash
}

type groupColumn struct {
	c   *Column
	how compareAs
	o   value.Options
}

type groupSlot struct {
	hash  uint64
	group int32 // from 1; 0: free
}

func newGrouper(t *Table, cols []int, o value.Options) *grouper {
	g := &grouper{seed: maphash.MakeSeed(), slots: make([]groupSlot, 64)}
	for _, i := range cols {
		c := t.cols[i]
		g.cols = append(g.cols, groupColumn{c, compareOf(c, o), o})
	}
	g.single = len(cols) == 1 && g.cols[0].how == asInt && !g.cols[0].c.HasNulls()
	return g
}

// mix scatters the bits of x.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	return x ^ x>>32
}

func (g *grouper) groupInts(ids []int32) {
	ints := g.cols[0].c.ints
	if isOrdered(ints) { // each run is a group
		for i, n := range ints {
			if i == 0 || n != ints[i-1] {
				g.counts = append(g.counts, 0)
			}
			last := len(g.counts) - 1
			ids[i] = int32(last)
			g.counts[last]++
		}
		return
	}
	group := int32(-1)
	for i, n := range ints {
		if i == 0 || n != ints[i-1] {
			group = g.find(mix(uint64(n)), int32(i))
		}
		ids[i] = group
		g.counts[group]++
	}
}

// isOrdered reports whether ints ascend or descend, equal neighbours allowed.
func isOrdered(ints []int64) bool {
	i := 1
	for i < len(ints) && ints[i-1] == ints[i] {
		i++
	}
	if i >= len(ints) {
		return true
	}
	if ints[i-1] < ints[i] {
		for ; i < len(ints); i++ {
			if ints[i-1] > ints[i] {
				return false
			}
		}
		return true
	}
	for ; i < len(ints); i++ {
		if ints[i-1] < ints[i] {
			return false
		}
	}
	return true
}

func (g *grouper) groupRows(ids []int32) {
	group := int32(-1)
	for i := range ids {
		if i == 0 || !g.identical(i-1, i) {
			group = g.find(g.hash(i), int32(i))
		}
		ids[i] = group
		g.counts[group]++
	}
}

// find returns the group of a row with the given hash, a new one if need be.
func (g *grouper) find(hash uint64, row int32) int32 {
	mask := uint64(len(g.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		s := &g.slots[at]
		if s.group == 0 {
			g.counts = append(g.counts, 0)
			g.first = append(g.first, row)
			*s = groupSlot{hash, int32(len(g.first))}
			if len(g.first)*2 > len(g.slots) {
				g.grow()
			}
			return int32(len(g.first) - 1)
		}
		if s.hash == hash && g.identical(int(g.first[s.group-1]), int(row)) {
			return s.group - 1
		}
	}
}

func (g *grouper) grow() {
	old := g.slots
	g.slots = make([]groupSlot, 2*len(old))
	mask := uint64(len(g.slots) - 1)
	for _, s := range old {
		if s.group == 0 {
			continue
		}
		at := s.hash & mask
		for g.slots[at].group != 0 {
			at = (at + 1) & mask
		}
		g.slots[at] = s
	}
}

func (g *grouper) hash(row int) uint64 {
	h := uint64(0)
	for i := range g.cols {
		k := &g.cols[i]
		x := uint64(0x9e3779b97f4a7c15)
		if !k.c.IsNull(row) {
			switch k.how {
			case asInt:
				x = mix(uint64(k.c.ints[row]))
			case asFloat:
				x = mix(math.Float64bits(normalFloat(k.c.floats[row])))
			case asBytes:
				x = maphash.String(g.seed, k.c.StringAt(row))
			case asValues:
				g.key = value.AppendKey(g.key[:0], k.c.Value(row), k.o)
				x = maphash.Bytes(g.seed, g.key)
			}
		}
		h = mix(h*31 + x)
	}
	return h
}

func (g *grouper) identical(a, b int) bool {
	for i := range g.cols {
		k := &g.cols[i]
		if k.c.nulls != nil {
			na, nb := k.c.IsNull(a), k.c.IsNull(b)
			if na != nb {
				return false
			}
			if na {
				continue
			}
		}
		same := true
		switch k.how {
		case asInt:
			same = k.c.ints[a] == k.c.ints[b]
		case asFloat:
			same = compareFloats(k.c.floats[a], k.c.floats[b]) == 0
		case asBytes:
			same = k.c.equalBytes(a, b)
		case asValues:
			same = value.Identical(k.c.Value(a), k.c.Value(b), k.o)
		}
		if !same {
			return false
		}
	}
	return true
}

// equalBytes reports whether the binary or character strings of two rows are
// the same bytes.
func (c *Column) equalBytes(a, b int) bool {
	return bytes.Equal(c.spans[a].bytes(c.heap), c.spans[b].bytes(c.heap))
}
