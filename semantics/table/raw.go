package table

import "encoding/binary"

// rawColumn collects the texts of one column while a file is read. The type
// that an untyped column gets depends on all its fields, so they are kept, as
// compactly as can be, until the last is known; then column by column they
// become vectors.
//
// A field is one byte, 0 for NULL or its length plus one, and its bytes; a
// long one is rawLong, its length in four bytes, and its bytes. A field never
// spans two chunks.
type rawColumn struct {
	chunks [][]byte // full ones
	cur    []byte
	rows   int
	bytes  int     // of all fields, without their heads
	kinds  rawKind // JSON: what was seen
}

const (
	rawLong  = 0xff
	rawShort = rawLong - 2 // longest field with a head of one byte

	rawFirst = 4 << 10   // size of the first chunk
	rawChunk = 512 << 10 // size of later ones, at most
	rawSlack = 16        // spare bytes behind a field, for copying in words
)

// rawKind is a set of the kinds of JSON values that a column has.
type rawKind uint8

const (
	rawString rawKind = 1 << iota
	rawNumber
	rawBoolean
	rawArray
)

// room makes room for n more bytes in the current chunk.
func (c *rawColumn) room(n int) {
	if cap(c.cur)-len(c.cur) >= n {
		return
	}
	size := rawFirst
	if c.cur != nil {
		c.chunks = append(c.chunks, c.cur)
		size = min(2*cap(c.cur), rawChunk)
	}
	c.cur = make([]byte, 0, max(size, n))
}

// null appends NULL.
func (c *rawColumn) null() {
	c.room(1)
	c.cur = append(c.cur, 0)
	c.rows++
}

// add appends buf[from:to]. It may read a few bytes of buf behind the field.
func (c *rawColumn) add(buf []byte, from, to int) {
	n := to - from
	if n > rawSlack || from+rawSlack > len(buf) {
		c.addLong(buf[from:to])
		return
	}
	if cap(c.cur)-len(c.cur) < 1+rawSlack {
		c.room(1 + rawSlack)
	}
	at := len(c.cur)
	dst, src := c.cur[at:at+1+rawSlack], buf[from:from+rawSlack]
	dst[0] = byte(n + 1)
	binary.LittleEndian.PutUint64(dst[1:], binary.LittleEndian.Uint64(src))
	binary.LittleEndian.PutUint64(dst[9:], binary.LittleEndian.Uint64(src[8:]))
	c.cur = c.cur[:at+1+n]
	c.rows++
	c.bytes += n
}

func (c *rawColumn) addLong(field []byte) {
	c.head(len(field))
	c.cur = append(c.cur, field...)
}

// head appends the head of a field of n bytes and makes room for them.
func (c *rawColumn) head(n int) {
	c.room(5 + n)
	if n <= rawShort {
		c.cur = append(c.cur, byte(n+1))
	} else {
		c.cur = append(c.cur, rawLong)
		c.cur = binary.LittleEndian.AppendUint32(c.cur, uint32(n))
	}
	c.rows++
	c.bytes += n
}

// addQuoted appends a quoted field in which every quote is doubled.
func (c *rawColumn) addQuoted(field []byte) {
	n := len(field)
	for i := 0; i < len(field); i++ {
		if field[i] == '"' {
			n--
			i++
		}
	}
	c.head(n)
	for i := 0; i < len(field); i++ {
		c.cur = append(c.cur, field[i])
		if field[i] == '"' {
			i++
		}
	}
}

// close ends the appending and returns all chunks.
func (c *rawColumn) close() [][]byte {
	if c.cur != nil {
		c.chunks = append(c.chunks, c.cur)
		c.cur = nil
	}
	return c.chunks
}

// nextRaw splits the first field off a chunk.
func nextRaw(chunk []byte) (field, rest []byte, null bool) {
	n := int(chunk[0])
	switch {
	case n == 0:
		return nil, chunk[1:], true
	case n == rawLong:
		n = int(binary.LittleEndian.Uint32(chunk[1:])) + 5
		return chunk[5:n], chunk[n:], false
	}
	return chunk[1:n], chunk[n:], false
}
