package columnar

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"unsafe"

	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// keyBytes is the number of bytes of a string that its key holds. Strings of
// that length at most are equal if key and length are.
const keyBytes = 8

// prefixKey returns the first bytes of a string as a number that is ordered as
// they are.
func prefixKey(s string) uint64 {
	if len(s) < 4 {
		return shortKey(s)
	}
	return longKey(s)
}

// longKey is prefixKey of four bytes or more: two halves that overlap where
// there are fewer than 8. Lengths of strings are mixed, a branch for each would
// be guessed wrong too often.
func longKey(s string) uint64 {
	p := unsafe.Pointer(unsafe.StringData(s))
	more := uint(min(len(s), keyBytes) - 4)
	return bits.ReverseBytes64(uint64(*(*uint32)(p)) | uint64(*(*uint32)(unsafe.Add(p, more)))<<(8*more&63))
}

// shortKey is prefixKey of up to three bytes: the first, the middle and the last.
func shortKey(s string) uint64 {
	n := len(s)
	if n == 0 {
		return 0
	}
	return uint64(s[0])<<56 | uint64(s[n>>1])<<(56-8*uint(n>>1)) | uint64(s[n-1])<<(56-8*uint(n-1)&63)
}

// clipLength is a length as vectors hold it: exact as long as it matters.
func clipLength(n int) int32 { return int32(min(n, math.MaxInt32)) }

// gatherText reads keys and lengths of a column's rows; it returns the longest length.
func gatherText(keys []uint64, lens []int32, c *table.Column, rows []int32) int32 {
	longest := int32(0)
	keys, lens = keys[:len(rows)], lens[:len(rows)]
	for i, row := range rows {
		s := c.StringAt(int(row))
		if len(s) >= 4 {
			keys[i] = longKey(s)
		} else {
			keys[i] = shortKey(s)
		}
		lens[i] = clipLength(len(s))
		longest = max(longest, lens[i])
	}
	return longest
}

// compareText compares strings by code point (TYPE-7), that is, by bytes.
func (b *builder) compareText(op scalar.Op, x, y *node) *node {
	if x.constant && !y.constant {
		op, x, y = mirrored(op), y, x
	}
	if y.constant && !x.constant {
		if y.null() {
			return b.unknown(x)
		}
		c := y.value.AsString()
		switch op {
		case scalar.OpEqual, scalar.OpNotEqual:
			return b.withConst(func(out []uint64, x *vec, n int) { equalText(out, x, n, c) }, op == scalar.OpNotEqual,
				fmt.Sprintf("t=%q", c), x)
		}
	}
	lessThan, negated, x, y := ordered(op, x, y)
	if lessThan {
		return b.vectors(lessTexts, negated, "t<", x, y)
	}
	return b.vectors(equalTexts, negated, "t=", x, y)
}

// some calls f for the bits of out on rows that are not NULL; the bits are
// cleared where it is false.
func some(out []uint64, x, y *vec, n int, f func(i int) bool) {
	for w := range (n + 63) / 64 {
		m := out[w]
		if x.nulls != nil {
			m &^= x.nulls[w]
		}
		if y != nil && y.nulls != nil {
			m &^= y.nulls[w]
		}
		for ; m != 0; m &= m - 1 {
			if i := w<<6 + bits.TrailingZeros64(m); !f(i) {
				out[w] &^= m & -m
			}
		}
	}
}

// equalText is the equality of strings with a constant.
func equalText(out []uint64, x *vec, n int, c string) {
	equalKey(out, x.keys[:n], x.lens[:n], prefixKey(c), clipLength(len(c)))
	if len(c) > keyBytes {
		some(out, x, nil, n, func(i int) bool { return x.text(i) == c })
	}
}

// equalTexts is the equality of two vectors of strings.
func equalTexts(out []uint64, x, y *vec, n int) {
	p, q, k, l := x.keys[:n], y.keys[:n], x.lens[:n], y.lens[:n]
	for w := 0; len(p) > 0; w++ {
		size := min(len(p), 64)
		var m uint64
		for i, a := range p[:size] {
			m |= bit((a^q[i])|uint64(k[i]^l[i]) == 0) << (i & 63)
		}
		out[w] = m
		p, q, k, l = p[size:], q[size:], k[size:], l[size:]
	}
	if x.longest > keyBytes && y.longest > keyBytes {
		some(out, x, y, n, func(i int) bool { return x.lens[i] <= keyBytes || x.text(i) == y.text(i) })
	}
}

// lessTexts is x < y. With equal keys, the shorter one is the smaller if it
// fits into its key.
func lessTexts(out []uint64, x, y *vec, n int) {
	p, q, k, l := x.keys[:n], y.keys[:n], x.lens[:n], y.lens[:n]
	for w := 0; len(p) > 0; w++ {
		size := min(len(p), 64)
		var m uint64
		for i, a := range p[:size] {
			m |= (bit(a < q[i]) | bit(a == q[i])&bit(k[i] < l[i])) << (i & 63)
		}
		out[w] = m
		p, q, k, l = p[size:], q[size:], k[size:], l[size:]
	}
	if x.longest <= keyBytes || y.longest <= keyBytes {
		return
	}
	// Two long strings with the same beginning.
	for i := range n {
		if x.keys[i] != y.keys[i] || x.lens[i] <= keyBytes || y.lens[i] <= keyBytes {
			continue
		}
		w, m := i>>6, uint64(1)<<(i&63)
		if x.nulls != nil && x.nulls[w]&m != 0 || y.nulls != nil && y.nulls[w]&m != 0 {
			continue
		}
		out[w] &^= m
		if strings.Compare(x.text(i), y.text(i)) < 0 {
			out[w] |= m
		}
	}
}
