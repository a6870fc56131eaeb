package table

import (
	"math"
	"unsafe"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// store tells which vector of a column holds its values.
type store uint8

const (
	storeNone    store = iota // every row is NULL
	storeInts                 // ints
	storeFloats               // floats
	storeStrings              // spans into heap
	storeValues               // vals
)

// Column is a named vector of one SQL type with a null bitmap. Columns are
// immutable once built and safe for concurrent reading.
type Column struct {
	Name string // folded by GRAM-10a
	Type value.Type

	n        int
	store    store
	nulls    []uint64 // bit set: NULL; nil: no NULL
	ints     []int64
	floats   []float64
	spans    []Span
	heap     []byte // bytes of all strings; several rows may share a span
	interned bool   // equal strings have the same span, "" has emptySpan
	vals     []value.Value
}

// Span is the place of a string in the heap of its column: 40 bits of offset,
// 24 of length. A string whose length does not fit carries it in the eight bytes
// before it, and its span has the length longSpan.
type Span uint64

const longSpan = 1<<24 - 1

func makeSpan(offset, length int) Span { return Span(uint64(offset)<<24 | uint64(length)) }

func (s Span) offset() int { return int(s >> 24) }

func (s Span) length(heap []byte) int {
	n := int(s & longSpan)
	if n == longSpan {
		n = int(loadLength(heap[s.offset()-8:]))
	}
	return n
}

// bytes returns the span's bytes within heap.
func (s Span) bytes(heap []byte) []byte {
	at := s.offset()
	return heap[at : at+s.length(heap)]
}

func loadLength(b []byte) uint64 { return *(*uint64)(unsafe.Pointer(&b[:8][0])) }

// appendSpan appends the bytes of s to heap.
func appendSpan[T ~string | ~[]byte](heap []byte, s T) ([]byte, Span) {
	n := len(s)
	if n >= longSpan {
		length := uint64(n)
		heap = append(heap, (*[8]byte)(unsafe.Pointer(&length))[:]...)
		n = longSpan
	}
	at := len(heap)
	return append(heap, s...), makeSpan(at, n)
}

// storeOf returns the vector that a column of type t starts with.
func storeOf(t value.Type) store {
	switch t.Kind {
	case value.Unknown:
		return storeNone
	case value.Real, value.Double:
		return storeFloats
	case value.Char, value.Varchar, value.Binary:
		return storeStrings
	case value.Array:
		return storeValues
	case value.Decimal:
		if t.Precision == 0 { // no common scale (TYPE-3)
			return storeValues
		}
	}
	return storeInts
}

// Len returns the number of rows.
func (c *Column) Len() int { return c.n }

// IsNull reports whether row i is NULL.
func (c *Column) IsNull(i int) bool {
	return c.nulls != nil && c.nulls[uint(i)>>6]>>(uint(i)&63)&1 != 0
}

// HasNulls reports whether any row is NULL.
func (c *Column) HasNulls() bool { return c.nulls != nil }

// NullBits returns the null bitmap: bit i%64 of word i/64 is set when row i is
// NULL. It is nil when no row is. It must not be changed.
func (c *Column) NullBits() []uint64 { return c.nulls }

// Int64s returns the vector of a column that is held as integers: booleans
// (0, 1), integer types, dates (days), times, timestamps and day-to-second
// intervals (microseconds), year-to-month intervals (months), and decimals
// with a precision whose coefficients at the type's scale fit (always so up to
// precision 18). It is nil for other columns. NULL rows hold 0. It must not be
// changed.
func (c *Column) Int64s() []int64 { return c.ints }

// Float64s returns the vector of a real or double precision column, nil for
// others. NULL rows hold 0. It must not be changed.
func (c *Column) Float64s() []float64 { return c.floats }

// StringAt returns the characters (or bytes) of row i of a string or binary
// column without copying them; "" for NULL and for other columns. A char(n) is
// held without the blanks at its end (TYPE-7).
func (c *Column) StringAt(i int) string {
	if c.store != storeStrings {
		return ""
	}
	s := c.spans[i]
	n := int(s & longSpan)
	if n == 0 {
		return ""
	}
	if n == longSpan {
		n = s.length(c.heap)
	}
	return unsafe.String(&c.heap[s.offset()], n) // the heap never changes
}

// Value returns row i. It allocates for binary strings only.
func (c *Column) Value(i int) value.Value {
	if c.IsNull(i) {
		return value.Null
	}
	switch c.store {
	case storeInts:
		return intValue(c.Type, c.ints[i])
	case storeFloats:
		return value.Float(c.floats[i])
	case storeStrings:
		if c.Type.Kind == value.Binary {
			return value.Bytes([]byte(c.StringAt(i)))
		}
		return value.String(c.StringAt(i))
	case storeValues:
		return c.vals[i]
	}
	return value.Null
}

// intValue makes the Value of type t that is held as n.
func intValue(t value.Type, n int64) value.Value {
	switch t.Kind {
	case value.Boolean:
		return value.Bool(n != 0)
	case value.Decimal:
		return value.ScaledInt(n, t.Scale)
	case value.Date:
		return value.DateOf(n)
	case value.Time:
		return value.TimeOf(n)
	case value.Timestamp:
		return value.TimestampOf(n)
	case value.IntervalDay:
		return value.IntervalOf(n)
	case value.IntervalYear:
		return value.MonthsOf(n)
	}
	return value.Int(n)
}

// Named returns the same column under another name; the vectors are shared.
func (c *Column) Named(name string) *Column {
	d := *c
	d.Name = name
	return &d
}

// Gather returns a new column of the given rows, list after list; row -1 gives
// NULL.
func (c *Column) Gather(lists ...[]int32) *Column {
	n := 0
	for _, rows := range lists {
		n += len(rows)
	}
	d := &Column{Name: c.Name, Type: c.Type, n: n, store: c.store}
	none := false
	switch c.store {
	case storeInts:
		d.ints, none = gatherVector(c.ints, n, lists)
	case storeFloats:
		d.floats, none = gatherVector(c.floats, n, lists)
	case storeValues:
		d.vals, none = gatherVector(c.vals, n, lists)
	case storeStrings:
		d.spans, none = gatherVector(c.spans, n, lists)
		d.heap, d.interned = c.heap, c.interned
		d.shrinkHeap()
	}
	if none || c.nulls != nil {
		d.nulls = c.gatherNulls(n, lists)
	}
	return d
}

// gatherVector reports, too, whether some row is none.
func gatherVector[T any](from []T, n int, lists [][]int32) (all []T, none bool) {
	all = make([]T, n)
	to := all
	for _, rows := range lists {
		for i, r := range rows {
			if r < 0 {
				none = true
				continue
			}
			to[i] = from[r]
		}
		to = to[len(rows):]
	}
	return all, none
}

func (c *Column) gatherNulls(n int, lists [][]int32) []uint64 {
	var bits []uint64
	at := 0
	for _, rows := range lists {
		for i, r := range rows {
			if r < 0 || c.IsNull(int(r)) {
				if bits == nil {
					bits = make([]uint64, (n+63)/64)
				}
				bits[(at+i)>>6] |= 1 << ((at + i) & 63)
			}
		}
		at += len(rows)
	}
	return bits
}

// shrinkHeap copies the strings into a heap of their own when they use less
// than half of the present one, so that a small result does not keep a large
// input alive.
func (c *Column) shrinkHeap() {
	used := 0
	for _, s := range c.spans {
		used += s.length(c.heap)
	}
	if used*2 > len(c.heap) {
		return
	}
	old := c.heap
	c.interned = false
	c.heap = make([]byte, 0, used)
	for i, s := range c.spans {
		if s&longSpan == 0 {
			c.spans[i] = 0
			continue
		}
		c.heap, c.spans[i] = appendSpan(c.heap, s.bytes(old))
	}
}

// normalFloat maps the floats that are identical in SQL to one bit pattern:
// both zeros, and all NaNs (TYPE-5).
func normalFloat(f float64) float64 {
	if f == 0 {
		return 0
	}
	if f != f {
		return math.NaN()
	}
	return f
}
