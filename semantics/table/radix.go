package table

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// radixItem is a row with its key as a number that orders like it.
type radixItem struct {
	key uint64
	row int32
}

// radixSort sorts by each key in turn, the last first. All keys are machine
// numbers.
func (s *Sorter) radixSort(rows []int32) {
	s.reserve(len(rows))
	for i := len(s.keys) - 1; i >= 0; i-- {
		k := &s.keys[i]
		if k.compareAs == asNull {
			continue
		}
		rest := rows
		if k.c.nulls != nil {
			rest, _ = s.splitNulls(rows, k)
		}
		for j, x := range s.radixItems(rest, k) {
			rest[j] = x.row
		}
	}
}

// prefixSort sorts by the first key, of a string by eight of its bytes, and
// then by comparing those rows that are equal in this.
func (s *Sorter) prefixSort(rows []int32) {
	s.reserve(len(rows))
	k := &s.keys[0]
	rest := rows
	if k.c.nulls != nil {
		var nulls []int32
		rest, nulls = s.splitNulls(rows, k)
		s.compareSort(nulls)
	}
	if k.compareAs == asBytes {
		k.common = k.commonPrefix(rest)
	}
	items := s.radixItems(rest, k)
	for j, x := range items {
		rest[j] = x.row
	}
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && items[to].key == items[from].key {
			to++
		}
		if to-from > 1 {
			s.compareSort(rest[from:to])
		}
		from = to
	}
}

func (s *Sorter) reserve(n int) {
	if cap(s.a) < n {
		s.a = make([]radixItem, n)
		s.b = make([]radixItem, n)
	}
}

// radixItems returns rows, none of which is NULL in the key, in the order of
// the key's numbers, eight bits at a time from the lowest.
func (s *Sorter) radixItems(rows []int32, k *key) []radixItem {
	if len(rows) == 0 {
		return nil
	}
	a, b := s.a[:len(rows)], s.b[:len(rows)]
	var flip uint64
	if k.Descending {
		flip = math.MaxUint64
	}
	lo, hi := uint64(math.MaxUint64), uint64(0)
	for i, r := range rows {
		u := k.ordered(int(r)) ^ flip
		lo, hi = min(lo, u), max(hi, u)
		a[i] = radixItem{u, r}
	}
	// Keys that lie close together need few passes.
	passes := (bits.Len64(hi-lo) + 7) / 8
	var count [8][256]int32
	for i := range a {
		a[i].key -= lo
		u := a[i].key
		for p := range passes {
			count[p][u&255]++
			u >>= 8
		}
	}
	for p := range passes {
		at, shift := &count[p], 8*p
		if at[a[0].key>>shift&255] == int32(len(a)) {
			continue // all have the same digit
		}
		sum := int32(0)
		for i, n := range at {
			at[i] = sum
			sum += n
		}
		for i := range a {
			digit := a[i].key >> shift & 255
			b[at[digit]] = a[i]
			at[digit]++
		}
		a, b = b, a
	}
	return a
}

// ordered returns the value of a row that is not NULL as a number whose
// unsigned order is the ascending order of the values; for strings only those
// with different numbers are ordered by them.
func (k *key) ordered(row int) uint64 {
	switch k.compareAs {
	case asInt:
		return uint64(k.c.ints[row]) ^ 1<<63
	case asFloat:
		u := math.Float64bits(normalFloat(k.c.floats[row]))
		if u>>63 != 0 {
			return ^u
		}
		return u | 1<<63
	}
	rest := k.c.spans[row].bytes(k.c.heap)[k.common:]
	if len(rest) >= 8 {
		return binary.BigEndian.Uint64(rest)
	}
	u := uint64(0)
	for i, b := range rest {
		u |= uint64(b) << (56 - 8*i)
	}
	return u
}

// commonPrefix returns how many bytes all strings of the rows begin with alike.
func (k *key) commonPrefix(rows []int32) int {
	if len(rows) == 0 {
		return 0
	}
	first := k.c.StringAt(int(rows[0]))
	n := len(first)
	for _, r := range rows {
		s := k.c.StringAt(int(r))
		n = min(n, len(s))
		for i := range n {
			if s[i] != first[i] {
				n = i
				break
			}
		}
		if n == 0 {
			break
		}
	}
	return n
}

// splitNulls moves the rows that are NULL in the key to their end of rows,
// stably, and returns the others and them.
func (s *Sorter) splitNulls(rows []int32, k *key) (rest, null []int32) {
	nulls, others := 0, 0
	for _, r := range rows {
		if k.c.IsNull(int(r)) {
			s.b[nulls].row = r
			nulls++
		} else {
			s.a[others].row = r
			others++
		}
	}
	head, tail := s.a[:others], s.b[:nulls]
	rest, null = rows[:others], rows[others:]
	if k.NullsFirst {
		head, tail = tail, head
		rest, null = rows[nulls:], rows[:nulls]
	}
	for i, x := range head {
		rows[i] = x.row
	}
	for i, x := range tail {
		rows[len(head)+i] = x.row
	}
	return rest, null
}
