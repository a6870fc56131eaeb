package nfa

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// groupIDs numbers the partitions by first appearance: the number of each
// row's, and the rows of each. Integers of a narrow range are looked up.
func groupIDs(in *table.Table, by []int, o value.Options) (ids, counts []int32) {
	n := in.NumRows()
	if len(by) == 0 {
		return make([]int32, n), []int32{int32(n)}
	}
	if len(by) == 1 {
		col := in.Column(by[0])
		if ints := col.Int64s(); len(ints) == n && !col.HasNulls() {
			least, most := extent(ints)
			if span := uint64(most - least); span < uint64(4*n) {
				return numberInts(ints, least, int(span)+1)
			}
		}
	}
	return in.GroupIDs(by, o)
}

func numberInts(ints []int64, least int64, span int) (ids, counts []int32) {
	ids = make([]int32, len(ints))
	number := make([]int32, span) // from 1; 0: not seen
	for i, v := range ints {
		g := number[v-least]
		if g == 0 {
			counts = append(counts, 0)
			g = int32(len(counts))
			number[v-least] = g
		}
		ids[i] = g - 1
		counts[g-1]++
	}
	return ids, counts
}

// item is a row on its way to its place.
type item struct {
	key   uint64
	row   int32
	group int32
}

// groupsPerRange bounds how many partitions a range has that is finished in
// the cache.
const groupsPerRange = 1024

// scatter returns the rows, partition by partition as ids say, each in the
// order of its keys and stably. bounds are those of the partitions.
func scatter(ids, bounds []int32, keys *packedKeys) []int32 {
	n, groups := len(ids), len(bounds)-1
	shift := uint(0)
	for groups>>shift > groupsPerRange {
		shift++
	}
	ranges := (groups-1)>>shift + 1
	at := make([]int32, ranges)
	for r := range at {
		at[r] = bounds[r<<shift]
	}
	items := make([]item, n)
	for row, g := range ids {
		to := &at[g>>shift]
		items[*to] = item{keys.at(row), int32(row), g}
		*to++
	}
	rows := make([]int32, n)
	var next atomic.Int64
	work := func() {
		var f finisher
		for r := int(next.Add(1) - 1); r < ranges; r = int(next.Add(1) - 1) {
			from, to := r<<shift, min((r+1)<<shift, groups)
			f.finish(items[bounds[from]:bounds[to]], bounds[from:to+1], int32(from), rows[bounds[from]:bounds[to]])
		}
	}
	inParallel(ranges, work)
	return rows
}

// finisher sorts the rows of a range of partitions.
type finisher struct {
	at      []int32
	scratch []item
}

// finish writes the rows of a range, whose first partition is number first and
// whose partitions have the given bounds.
func (f *finisher) finish(items []item, bounds []int32, first int32, rows []int32) {
	base := bounds[0]
	if len(bounds) > 2 {
		f.at = f.at[:0]
		for _, b := range bounds[:len(bounds)-1] {
			f.at = append(f.at, b-base)
		}
		f.scratch = slices.Grow(f.scratch[:0], len(items))[:len(items)]
		for _, it := range items {
			to := &f.at[it.group-first]
			f.scratch[*to] = it
			*to++
		}
		items, f.scratch = f.scratch, items
		defer func() { f.scratch = items }()
	}
	for g := range len(bounds) - 1 {
		group := items[bounds[g]-base : bounds[g+1]-base]
		if len(group) <= 32 {
			insertionSort(group)
		} else if !slices.IsSortedFunc(group, func(a, b item) int {
			if a.key < b.key {
				return -1
			} else if a.key > b.key {
				return 1
			}
			return 0
		}) {
			radixSort(group)
		}
	}
	for i := range items {
		rows[i] = items[i].row
	}
}

func insertionSort(items []item) {
	for i := 1; i < len(items); i++ {
		it := items[i]
		j := i
		for ; j > 0 && items[j-1].key > it.key; j-- {
			items[j] = items[j-1]
		}
		items[j] = it
	}
}

// radixSort sorts by key, stably, least significant digit first. Digits that
// all keys have in common are passed over.
func radixSort(items []item) {
	const digit = 11
	var or uint64
	and := ^uint64(0)
	for i := range items {
		or |= items[i].key
		and &= items[i].key
	}
	other := make([]item, len(items))
	from, to := items, other
	for differ, shift := or&^and, uint(0); differ>>shift != 0; shift += digit {
		if skip := uint(bits.TrailingZeros64(differ >> shift)); skip >= digit {
			shift += skip - digit
			continue
		}
		var counts [1 << digit]int32
		for i := range from {
			counts[from[i].key>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for d, c := range counts {
			counts[d] = sum
			sum += c
		}
		for i := range from {
			at := &counts[from[i].key>>shift&(1<<digit-1)]
			to[*at] = from[i]
			*at++
		}
		from, to = to, from
	}
	if &from[0] != &items[0] {
		copy(items, from)
	}
}
