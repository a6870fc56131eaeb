package table

import (
	"cmp"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// SortKey is one key of an order. The caller has resolved the default place of
// NULLs (NUL-2).
type SortKey struct {
	Col                    int
	Descending, NullsFirst bool
}

// Sorter orders rows of one table by fixed keys. It keeps its working memory
// from one call of Sort to the next, so that many partitions are sorted
// cheaply. It is not safe for concurrent use.
type Sorter struct {
	keys  []key
	radix bool // every key is a machine number
	a, b  []radixItem
	merge []int32
}

// key is a SortKey with its column and how that column is compared.
type key struct {
	SortKey
	c *Column
	o value.Options
	// compareAs tells how two values that are not NULL are compared.
	compareAs compareAs
	common    int // see prefixSort
}

type compareAs uint8

const (
	asNull   compareAs = iota // every row is NULL
	asInt                     // by ints
	asFloat                   // by floats, NaN greatest
	asBytes                   // by bytes, which is by code point (TYPE-7)
	asValues                  // by value.Compare
)

func newKey(t *Table, k SortKey, o value.Options) key {
	c := t.cols[k.Col]
	return key{SortKey: k, c: c, o: o, compareAs: compareOf(c, o)}
}

func compareOf(c *Column, o value.Options) compareAs {
	switch c.store {
	case storeInts:
		return asInt
	case storeFloats:
		return asFloat
	case storeStrings:
		// IMP-STRINGS=padspace has a comparison of its own. A char(n) is held
		// without the blanks that do not count (TYPE-7).
		if c.Type.Kind != value.Binary && o.PadSpace {
			return asValues
		}
		return asBytes
	case storeValues:
		return asValues
	}
	return asNull
}

// compareValues compares two rows whose value in the column is not NULL.
func (c *Column) compareValues(a, b int, how compareAs, o value.Options) int {
	switch how {
	case asInt:
		return cmp.Compare(c.ints[a], c.ints[b])
	case asFloat:
		return compareFloats(c.floats[a], c.floats[b])
	case asBytes:
		return strings.Compare(c.StringAt(a), c.StringAt(b))
	case asValues:
		return value.Compare(c.Value(a), c.Value(b), o)
	}
	return 0
}

// compareFloats orders NaN after every number and takes both zeros as equal (TYPE-5).
func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	case a != a && b != b:
		return 0
	case a != a:
		return 1
	}
	return -1
}

// compare compares two rows by one key.
func (k *key) compare(a, b int32) int {
	x, y := int(a), int(b)
	if k.c.nulls != nil {
		nx, ny := k.c.IsNull(x), k.c.IsNull(y)
		switch {
		case nx && ny:
			return 0
		case nx != ny:
			if nx == k.NullsFirst {
				return -1
			}
			return 1
		}
	}
	c := k.c.compareValues(x, y, k.compareAs, k.o)
	if k.Descending {
		return -c
	}
	return c
}

// NewSorter makes a Sorter of the table's rows by keys.
func (t *Table) NewSorter(keys []SortKey, o value.Options) *Sorter {
	s := &Sorter{keys: make([]key, len(keys)), radix: true}
	for i, k := range keys {
		s.keys[i] = newKey(t, k, o)
		if s.keys[i].compareAs > asFloat {
			s.radix = false
		}
	}
	return s
}

// Compare compares two rows by the keys.
func (s *Sorter) Compare(a, b int32) int {
	for i := range s.keys {
		if c := s.keys[i].compare(a, b); c != 0 {
			return c
		}
	}
	return 0
}

// radixFrom is the number of rows from which the radix sort is the faster one.
const radixFrom = 256

// Sort orders rows by the keys, stably: rows that are equal in all keys keep
// their order (NUL-3).
func (s *Sorter) Sort(rows []int32) {
	switch {
	case s.isSorted(rows):
	case len(rows) < radixFrom || s.keys[0].compareAs == asNull || s.keys[0].compareAs == asValues:
		s.compareSort(rows)
	case s.radix:
		s.radixSort(rows)
	default:
		s.prefixSort(rows)
	}
}

// compareSort sorts by comparing rows.
func (s *Sorter) compareSort(rows []int32) {
	if cap(s.merge) < len(rows) {
		s.merge = make([]int32, len(rows))
	}
	s.mergeSort(rows, s.merge[:len(rows)])
}

func (s *Sorter) isSorted(rows []int32) bool {
	if len(s.keys) == 1 && s.keys[0].compareAs == asInt && !s.keys[0].c.HasNulls() {
		ints := s.keys[0].c.ints
		if s.keys[0].Descending {
			for i := 1; i < len(rows); i++ {
				if ints[rows[i-1]] < ints[rows[i]] {
					return false
				}
			}
			return true
		}
		for i := 1; i < len(rows); i++ {
			if ints[rows[i-1]] > ints[rows[i]] {
				return false
			}
		}
		return true
	}
	for i := 1; i < len(rows); i++ {
		if s.Compare(rows[i-1], rows[i]) > 0 {
			return false
		}
	}
	return true
}

// mergeSort sorts rows with the help of buf, which has the same length.
func (s *Sorter) mergeSort(rows, buf []int32) {
	const small = 12
	if len(rows) <= small {
		for i := 1; i < len(rows); i++ {
			r := rows[i]
			j := i
			for ; j > 0 && s.Compare(rows[j-1], r) > 0; j-- {
				rows[j] = rows[j-1]
			}
			rows[j] = r
		}
		return
	}
	mid := len(rows) / 2
	s.mergeSort(rows[:mid], buf[:mid])
	s.mergeSort(rows[mid:], buf[mid:])
	if s.Compare(rows[mid-1], rows[mid]) <= 0 {
		return
	}
	copy(buf[:mid], rows[:mid])
	left, right, k := buf[:mid], rows[mid:], 0
	for len(left) > 0 && len(right) > 0 {
		if s.Compare(left[0], right[0]) <= 0 {
			rows[k], left = left[0], left[1:]
		} else {
			rows[k], right = right[0], right[1:]
		}
		k++
	}
	copy(rows[k:], left)
}

// Sort orders rows of the table by keys, in place and stably (NUL-3), by the
// keys' real types.
func (t *Table) Sort(rows []int32, keys []SortKey, o value.Options) {
	t.NewSorter(keys, o).Sort(rows)
}

// CompareRows compares two rows by keys: negative if a comes before b, 0 if
// they tie.
func (t *Table) CompareRows(a, b int32, keys []SortKey, o value.Options) int {
	for _, k := range keys {
		x := newKey(t, k, o)
		if c := x.compare(a, b); c != 0 {
			return c
		}
	}
	return 0
}
