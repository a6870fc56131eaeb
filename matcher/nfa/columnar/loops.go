package columnar

// The inner loops of comparisons. They write a bit for each row; the last word
// is written whole, with zeros behind the rows. A comparison becomes a bit
// without a branch.

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

type number interface{ int64 | uint64 | float64 }

// lessConst is x < c.
func lessConst[T number](out []uint64, x []T, c T) {
	w := 0
	for ; len(x) >= 64; w++ {
		var m uint64
		for j := uint(0); j < 64; j += 8 {
			y := x[j : j+8 : j+8]
			m |= (bit(y[0] < c) | bit(y[1] < c)<<1 | bit(y[2] < c)<<2 | bit(y[3] < c)<<3 |
				bit(y[4] < c)<<4 | bit(y[5] < c)<<5 | bit(y[6] < c)<<6 | bit(y[7] < c)<<7) << (j & 63)
		}
		out[w] = m
		x = x[64:]
	}
	var m uint64
	for i, y := range x {
		m |= bit(y < c) << (i & 63)
	}
	if len(x) > 0 {
		out[w] = m
	}
}

// lessEqualConst is x <= c.
func lessEqualConst(out []uint64, x []float64, c float64) {
	w := 0
	for ; len(x) >= 64; w++ {
		var m uint64
		for j := uint(0); j < 64; j += 8 {
			y := x[j : j+8 : j+8]
			m |= (bit(y[0] <= c) | bit(y[1] <= c)<<1 | bit(y[2] <= c)<<2 | bit(y[3] <= c)<<3 |
				bit(y[4] <= c)<<4 | bit(y[5] <= c)<<5 | bit(y[6] <= c)<<6 | bit(y[7] <= c)<<7) << (j & 63)
		}
		out[w] = m
		x = x[64:]
	}
	var m uint64
	for i, y := range x {
		m |= bit(y <= c) << (i & 63)
	}
	if len(x) > 0 {
		out[w] = m
	}
}

// equalConst is x = c.
func equalConst[T number](out []uint64, x []T, c T) {
	w := 0
	for ; len(x) >= 64; w++ {
		var m uint64
		for j := uint(0); j < 64; j += 8 {
			y := x[j : j+8 : j+8]
			m |= (bit(y[0] == c) | bit(y[1] == c)<<1 | bit(y[2] == c)<<2 | bit(y[3] == c)<<3 |
				bit(y[4] == c)<<4 | bit(y[5] == c)<<5 | bit(y[6] == c)<<6 | bit(y[7] == c)<<7) << (j & 63)
		}
		out[w] = m
		x = x[64:]
	}
	var m uint64
	for i, y := range x {
		m |= bit(y == c) << (i & 63)
	}
	if len(x) > 0 {
		out[w] = m
	}
}

// less is x < y.
func less[T number](out []uint64, x, y []T) {
	y = y[:len(x)]
	w := 0
	for ; len(x) >= 64 && len(y) >= 64; w++ {
		var m uint64
		for j := uint(0); j < 64; j += 8 {
			a, b := x[j:j+8:j+8], y[j:j+8:j+8]
			m |= (bit(a[0] < b[0]) | bit(a[1] < b[1])<<1 | bit(a[2] < b[2])<<2 | bit(a[3] < b[3])<<3 |
				bit(a[4] < b[4])<<4 | bit(a[5] < b[5])<<5 | bit(a[6] < b[6])<<6 | bit(a[7] < b[7])<<7) << (j & 63)
		}
		out[w] = m
		x, y = x[64:], y[64:]
	}
	var m uint64
	for i, a := range x {
		m |= bit(a < y[i]) << (i & 63)
	}
	if len(x) > 0 {
		out[w] = m
	}
}

// equal is x = y.
func equal[T number](out []uint64, x, y []T) {
	y = y[:len(x)]
	w := 0
	for ; len(x) >= 64 && len(y) >= 64; w++ {
		var m uint64
		for j := uint(0); j < 64; j += 8 {
			a, b := x[j:j+8:j+8], y[j:j+8:j+8]
			m |= (bit(a[0] == b[0]) | bit(a[1] == b[1])<<1 | bit(a[2] == b[2])<<2 | bit(a[3] == b[3])<<3 |
				bit(a[4] == b[4])<<4 | bit(a[5] == b[5])<<5 | bit(a[6] == b[6])<<6 | bit(a[7] == b[7])<<7) << (j & 63)
		}
		out[w] = m
		x, y = x[64:], y[64:]
	}
	var m uint64
	for i, a := range x {
		m |= bit(a == y[i]) << (i & 63)
	}
	if len(x) > 0 {
		out[w] = m
	}
}

// equalKey is the equality of a string with one of the given first bytes and length.
func equalKey(out []uint64, keys []uint64, lens []int32, key uint64, length int32) {
	lens = lens[:len(keys)]
	w := 0
	for ; len(keys) >= 64 && len(lens) >= 64; w++ {
		var m uint64
		for j := uint(0); j < 64; j += 4 {
			k, n := keys[j:j+4:j+4], lens[j:j+4:j+4]
			m |= (bit((k[0]^key)|uint64(n[0]^length) == 0) | bit((k[1]^key)|uint64(n[1]^length) == 0)<<1 |
				bit((k[2]^key)|uint64(n[2]^length) == 0)<<2 | bit((k[3]^key)|uint64(n[3]^length) == 0)<<3) << (j & 63)
		}
		out[w] = m
		keys, lens = keys[64:], lens[64:]
	}
	var m uint64
	for i, k := range keys {
		m |= bit((k^key)|uint64(lens[i]^length) == 0) << (i & 63)
	}
	if len(keys) > 0 {
		out[w] = m
	}
}

// lowBits packs the lowest bits of integers.
func lowBits(out []uint64, x []int64) {
	w := 0
	for ; len(x) >= 64; w++ {
		var m uint64
		for j := uint(0); j < 64; j += 8 {
			y := x[j : j+8 : j+8]
			m |= uint64(y[0]&1|y[1]&1<<1|y[2]&1<<2|y[3]&1<<3|y[4]&1<<4|y[5]&1<<5|y[6]&1<<6|y[7]&1<<7) << (j & 63)
		}
		out[w] = m
		x = x[64:]
	}
	var m uint64
	for i, y := range x {
		m |= uint64(y&1) << (i & 63)
	}
	if len(x) > 0 {
		out[w] = m
	}
}
