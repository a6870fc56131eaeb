package columnar

import (
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// blockRows is the number of rows that one step evaluates: the vectors of an
// expression then fit the nearer caches.
const (
	blockRows  = 1024
	blockWords = blockRows / 64
)

// mask is a set of rows of a block.
type mask [blockWords]uint64

// set adds the rows from one up to another.
func (m *mask) set(from, to int) {
	for from < to {
		w, bit := from>>6, from&63
		n := min(64-bit, to-from)
		m[w] |= ^uint64(0) >> (64 - n) << bit
		from += n
	}
}

func (m *mask) empty() bool {
	any := uint64(0)
	for _, w := range m {
		any |= w
	}
	return any == 0
}

// kind is how the values of a node are held.
type kind uint8

const (
	kindTruth kind = iota // masks
	kindInt               // int64: integers, decimals with a scale, dates, times, intervals
	kindFloat             // float64
	kindText              // first bytes and length of a string
	kindBoxed             // value.Value
)

// vec holds the values of a node on the rows of a block.
type vec struct {
	stamp uint64 // of the block that it holds
	full  bool   // a constant that has been written

	t, f  mask  // kindTruth: TRUE, FALSE
	nulls *mask // kindInt, kindFloat, kindText: the NULL rows; nil: none

	ints   []int64
	floats []float64
	vals   []value.Value // kindBoxed

	// kindText
	keys    []uint64 // first eight bytes, zeros behind shorter strings; the first is the highest
	lens    []int32
	longest int32         // not less than any length
	list    []string      // the strings; nil: those of a column,
	column  *table.Column // at
	rows    []int32       // the rows of the table from
	shift   int           // this index on

	own memory
}

// memory is what a vec may point to.
type memory struct {
	nulls  mask
	rest   mask // rows that are still to be evaluated
	taken  mask // rows that an operand is evaluated for
	ints   []int64
	floats []float64
	keys   []uint64
	lens   []int32
	list   []string
	vals   []value.Value
}

// makeInts gives the vec integers of its own.
func (v *vec) makeInts() []int64 {
	if v.own.ints == nil {
		v.own.ints = make([]int64, blockRows)
	}
	v.ints = v.own.ints
	return v.ints
}

func (v *vec) makeFloats() []float64 {
	if v.own.floats == nil {
		v.own.floats = make([]float64, blockRows)
	}
	v.floats = v.own.floats
	return v.floats
}

func (v *vec) makeVals() []value.Value {
	if v.own.vals == nil {
		v.own.vals = make([]value.Value, blockRows)
	}
	v.vals = v.own.vals
	return v.vals
}

// makeText gives the vec strings of its own.
func (v *vec) makeText() {
	if v.own.list == nil {
		v.own.list = make([]string, blockRows)
		v.own.keys = make([]uint64, blockRows)
		v.own.lens = make([]int32, blockRows)
	}
	v.keys, v.lens, v.list, v.longest = v.own.keys, v.own.lens, v.own.list, 0
}

// setText writes one string of a vec that makeText has prepared.
func (v *vec) setText(i int, s string) {
	v.list[i] = s
	v.keys[i] = prefixKey(s)
	n := clipLength(len(s))
	v.lens[i] = n
	v.longest = max(v.longest, n)
}

// text returns the string of a row that is not NULL.
func (v *vec) text(i int) string {
	if v.list != nil {
		return v.list[i]
	}
	return v.column.StringAt(int(v.rows[v.shift+i]))
}

// strict makes NULL what is NULL in x or y.
func (v *vec) strict(x, y *vec) {
	switch {
	case x.nulls == nil && y.nulls == nil:
		v.nulls = nil
	case x.nulls == nil:
		v.nulls = y.nulls
	case y.nulls == nil:
		v.nulls = x.nulls
	default:
		for w := range v.own.nulls {
			v.own.nulls[w] = x.nulls[w] | y.nulls[w]
		}
		v.nulls = &v.own.nulls
	}
}

// share makes v the vector x.
func (v *vec) share(x *vec) {
	v.ints, v.floats, v.vals, v.nulls = x.ints, x.floats, x.vals, x.nulls
	v.keys, v.lens, v.longest, v.list = x.keys, x.lens, x.longest, x.list
	v.column, v.rows, v.shift = x.column, x.rows, x.shift
	v.t, v.f = x.t, x.f
}

// isNull returns the NULL rows of a vec of a kind; of boxed ones only the
// rows in on are known.
func (v *vec) isNull(k kind, on *mask) mask {
	var m mask
	switch {
	case k == kindTruth:
		for w := range m {
			m[w] = ^(v.t[w] | v.f[w])
		}
	case k == kindBoxed:
		on.each(func(i int) {
			if v.vals[i].IsNull() {
				m[i>>6] |= 1 << (i & 63)
			}
		})
	case v.nulls != nil:
		m = *v.nulls
	}
	return m
}
