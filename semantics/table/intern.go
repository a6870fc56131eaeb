package table

import "math/bits"

// interner appends strings to a heap, each one only once as long as there are
// few: columns of categories take less memory then, and what depends on such a
// string alone is found out once for each (see Column.Places).
type interner struct {
	slots []interned // hash table; a free slot has the span 0
	count int
	off   bool // there were too many: strings are appended as they come
}

// interned is a string of the heap. Its head tells it from all strings of at
// most eight bytes.
type interned struct {
	head uint64
	at   Span
}

// Bounds of what is interned: beyond them a string is appended each time.
const (
	maxInterned     = 1 << 10
	maxInternedHeap = 1 << 16
)

// emptySpan is the place of the empty string. Place 0 is that of NULL.
var emptySpan = makeSpan(1, 0)

// heapStart are the bytes before the first string.
const heapStart = 2

// appendInterned appends the bytes of s to heap, unless they are there.
func appendInterned[T ~string | ~[]byte](in *interner, heap []byte, s T) ([]byte, Span) {
	if in.off {
		if len(s) == 0 {
			return heap, emptySpan
		}
		return appendSpan(heap, s)
	}
	if in.slots == nil {
		in.slots = make([]interned, 2*maxInterned)
		heap = append(heap, make([]byte, heapStart)...)
	}
	if len(s) == 0 {
		return heap, emptySpan
	}
	head := headOf(s)
	hi, lo := bits.Mul64(head^uint64(len(s)), 0x9e3779b97f4a7c15)
	for i := int(hi^lo) & (2*maxInterned - 1); ; i = (i + 1) & (2*maxInterned - 1) {
		e := &in.slots[i]
		switch {
		case e.at == 0:
			at := Span(0)
			heap, at = appendSpan(heap, s)
			*e = interned{head, at}
			in.count++
			in.off = in.count == maxInterned || len(heap) > maxInternedHeap
			return heap, at
		case e.head == head && int(e.at&longSpan) == len(s) && (len(s) <= 8 || string(e.at.bytes(heap)) == string(s)):
			return heap, e.at
		}
	}
}

// headOf returns the first bytes of a string as a number: those of up to eight
// bytes differ in it or in their length.
func headOf[T ~string | ~[]byte](s T) uint64 {
	switch n := len(s); {
	case n >= 8:
		return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	case n >= 4:
		first := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
		last := uint64(s[n-4]) | uint64(s[n-3])<<8 | uint64(s[n-2])<<16 | uint64(s[n-1])<<24
		return first | last<<32
	default:
		return uint64(s[0]) | uint64(s[n>>1])<<8 | uint64(s[n-1])<<16
	}
}

// Place returns where the string lies, as a number: 0 for NULL.
func (s Span) Place() int { return s.offset() }

// Places returns the spans of the rows of a column in which equal strings have
// the same span, and a number that is above the place of each; nil for other
// columns, such as those with many strings. It must not be changed.
func (c *Column) Places() (spans []Span, size int) {
	if !c.interned {
		return nil, 0
	}
	return c.spans, max(len(c.heap), heapStart)
}
