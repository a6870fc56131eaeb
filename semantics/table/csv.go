package table

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// ReadCSV reads a table in CSV: comma, quotation mark, a line end of LF or
// CRLF, UTF-8 with or without a byte order mark. The first line names the
// columns. An unquoted empty field is NULL, a quoted one the empty string.
//
// A column gets the narrowest type that every field has that is not NULL:
// boolean (true, false); bigint; decimal(p,s) with the digits needed; double
// precision (a number with exponent, NaN, Infinity); date; time; timestamp;
// else varchar, also when every field is NULL. Numbers with a leading zero or
// plus sign are characters, since they usually are codes. Quotation marks make
// no difference to the type.
//
// An empty line is a row of one NULL if there is one column. With more columns
// empty lines may stand at the end of the file only.
//
// Errors have rule DATA-1, or LIM-1 and stage limit when a size is exceeded.
func ReadCSV(r io.Reader, o ReadOptions) (*Table, error) {
	c := &csvReader{source: newSource(r, o)}
	if err := c.read(); err != nil {
		return nil, err
	}
	return c.finish()
}

// csvReader splits its input into the fields of c.columns.
type csvReader struct {
	*source
	fields []csvField // of the record in hand
	breaks int64      // line breaks within quoted fields of the record in hand
	blank  int64      // line of the first of the empty lines before the record in hand; 0: none
	ready  bool       // the columns are known
}

// csvField is a field of the record in hand, without its quotation marks.
type csvField struct {
	from, to int
	kind     csvKind
}

type csvKind uint8

const (
	csvPlain   csvKind = iota
	csvQuoted          // quoted, to be taken as it is
	csvEscaped         // quoted, with doubled quotation marks within
)

// csvStop marks the bytes that end the scan of an unquoted field.
var csvStop = [256]bool{',': true, '\n': true, '\r': true, '"': true}

// nextLow returns the place of the first byte from i on that is less than '-',
// which all of csvStop are: eight bytes at a time. The line feed that ends the
// buffer is one, and spareBehind bytes follow it.
func nextLow(buf []byte, i int) int {
	const ones = 0x0101010101010101
	for {
		x := binary.LittleEndian.Uint64(buf[i : i+8])
		// The subtraction borrows into the top bit of a byte that is less; it
		// can spoil only bytes above the lowest such one.
		if low := (x - '-'*ones) &^ x & (0x80 * ones); low != 0 {
			return i + bits.TrailingZeros64(low)>>3
		}
		i += 8
	}
}

func (c *csvReader) read() error {
	if c.o.NoHeader {
		if err := c.start(nil); err != nil {
			return err
		}
	}
	for {
		if err := c.fill(); err != nil {
			return err
		}
		for c.pos < c.end {
			from := c.pos
			next, ok, err := c.record()
			if err != nil {
				return c.earlier(err)
			}
			if !ok {
				break
			}
			c.next = next
			if err := c.checkRecord(next); err != nil {
				return err
			}
			if err := c.take(); err != nil {
				return c.earlier(err)
			}
			c.line += 1 + c.breaks
			c.pos = next
			c.offset += int64(next - from)
		}
		if c.eof && c.pos == c.end {
			return c.ended()
		}
	}
}

func (c *csvReader) ended() error {
	if !c.ready {
		return c.errorf(c.line, "the file is empty: its first line has to name the columns")
	}
	return nil
}

// record splits the record at c.pos into c.fields and returns where the next
// one begins; ok is false when the buffer ends before the record does.
func (c *csvReader) record() (next int, ok bool, err error) {
	buf, end := c.buf, c.end // buf[end] is a line feed
	c.fields = c.fields[:0]
	c.breaks = 0
	i := c.pos
	for {
		f := csvField{from: i}
		if buf[i] == '"' {
			if f, i, ok, err = c.quoted(i + 1); !ok || err != nil {
				return 0, false, err
			}
		} else {
			for {
				i = nextLow(buf, i)
				if csvStop[buf[i]] && (buf[i] != '\r' || i+1 >= end || buf[i+1] == '\n') {
					break
				}
				i++
			}
			f.to = i
		}
		if len(c.fields) == c.o.MaxColumns {
			return 0, false, c.limitf(c.line, "the line has more than %d columns", c.o.MaxColumns)
		}
		c.fields = append(c.fields, f)
		switch b := buf[i]; {
		case i >= end: // the sentinel
			return end, c.eof, nil
		case b == ',':
			i++
		case b == '\n':
			return i + 1, true, nil
		case b == '\r' && i+1 < end && buf[i+1] == '\n':
			return i + 2, true, nil
		case b == '\r' && i+1 == end:
			return end, c.eof, nil
		case f.kind != csvPlain:
			return 0, false, c.errorAt(i, "text after the closing quotation mark of a field").
				WithHint("put the whole field in quotation marks and double those within")
		default:
			return 0, false, c.errorAt(i, "quotation mark in a field that does not begin with one").
				WithHint("put the whole field in quotation marks and double those within")
		}
	}
}

// quoted scans a quoted field whose text begins at i and returns where it ends.
func (c *csvReader) quoted(i int) (f csvField, after int, ok bool, err error) {
	f = csvField{from: i, kind: csvQuoted}
	for {
		k := bytes.IndexByte(c.buf[i:c.end], '"')
		if k < 0 {
			if c.eof {
				return f, 0, false, c.errorAt(f.from-1, "the quotation mark that opens this field is never closed").
					WithHint("close the field; a quotation mark within a field is written twice")
			}
			return f, 0, false, nil
		}
		i += k + 1
		if i < c.end && c.buf[i] == '"' {
			f.kind = csvEscaped
			i++
			continue
		}
		if i == c.end && !c.eof {
			return f, 0, false, nil
		}
		f.to = i - 1
		c.breaks += int64(bytes.Count(c.buf[f.from:f.to], lineFeed))
		return f, i, true, nil
	}
}

// take stores the record in hand.
func (c *csvReader) take() error {
	if !c.ready {
		names := make([]string, len(c.fields))
		for i, f := range c.fields {
			names[i] = c.text(f)
		}
		c.jump(1 + c.breaks)
		return c.start(names)
	}
	fields := c.fields
	if len(c.columns) != 1 {
		if len(fields) == 1 && fields[0].from == fields[0].to && fields[0].kind == csvPlain {
			if c.blank == 0 {
				c.blank = c.line
			}
			return nil
		}
		if c.blank != 0 {
			return c.errorf(c.blank, "empty line between the rows of a table of %d columns", len(c.columns)).
				WithHint("delete the line, or write its commas if it is a row of NULLs")
		}
	}
	if len(fields) != len(c.columns) {
		return c.ragged()
	}
	if err := c.countRow(); err != nil {
		return err
	}
	if c.breaks > 0 {
		c.jump(c.breaks)
	}
	for i := range fields {
		f := &fields[i]
		col := &c.columns[i].raw
		switch {
		case f.kind == csvEscaped:
			col.addQuoted(c.buf[f.from:f.to])
		case f.from == f.to && f.kind == csvPlain:
			col.null()
		default:
			col.add(c.buf, f.from, f.to)
		}
	}
	return nil
}

func (c *csvReader) ragged() error {
	names := "the header"
	if c.o.NoHeader {
		names = "the schema"
	}
	return c.errorf(c.line, "the line has %s where %s has %d", diag.Counted(len(c.fields), "field"), names, len(c.columns)).
		WithHint("every line needs the same number of commas; a comma within a field needs quotation marks around the field")
}

// start makes the columns: those of the header, or without one of the schema.
func (c *csvReader) start(names []string) error {
	c.ready = true
	if names == nil {
		if len(c.o.Schema) == 0 {
			return c.errorf(0, "a file without header needs a schema")
		}
		for _, f := range c.o.Schema {
			if err := c.addColumn(f.Name); err != nil {
				return err
			}
		}
		return nil
	}
	folded, err := CheckNames(names)
	if err != nil {
		return c.place(diag.From(err), 1)
	}
	for _, name := range folded {
		if err := c.addColumn(name); err != nil {
			return err
		}
	}
	for _, f := range c.o.Schema {
		if _, ok := c.byName[f.Name]; !ok {
			return c.errorf(1, "the schema has a column %s that the file has not", show(f.Name)).
				WithHint("the file has %s", listNames(folded))
		}
	}
	return nil
}

// text returns the text of a field of the record in hand.
func (c *csvReader) text(f csvField) string {
	s := string(c.buf[f.from:f.to])
	if f.kind == csvEscaped {
		s = strings.ReplaceAll(s, `""`, `"`)
	}
	return s
}
