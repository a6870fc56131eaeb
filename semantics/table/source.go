package table

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// source is what the readers of CSV and JSON lines share: the buffer, the
// limits, the places of errors, and the columns that are filled.
type source struct {
	r io.Reader
	o ReadOptions

	buf      []byte // buf[end] is a line feed that is not input
	pos, end int    // the record in hand begins at pos
	next     int    // and ends here
	eof      bool
	bad      int   // place in buf of the first byte that is not UTF-8; -1: none
	checked  int   // buf[:checked] has been looked at for it
	total    int64 // bytes read
	line     int64 // of the record in hand, from 1
	offset   int64 // of the record in hand

	columns []*readColumn
	byName  map[string]int
	rows    int
	jumps   []lineJump
}

// readColumn is a column being read.
type readColumn struct {
	raw    rawColumn
	name   string
	key    string // as the file spells it, JSON
	schema *Field // nil: its type is inferred
}

// lineJump says that the rows from row on stand further lines lower than one
// line a row gives.
type lineJump struct {
	row   int
	lines int64
}

var lineFeed = []byte("\n")

const (
	blockSize   = 256 << 10
	byteOrder   = "\ufeff"
	spareBehind = rawSlack // bytes behind the sentinel, so that a field can be copied in words
)

func newSource(r io.Reader, o ReadOptions) *source {
	o = o.withDefaults()
	return &source{r: r, o: o, line: 1, bad: -1, byName: map[string]int{},
		buf: make([]byte, blockSize+spareBehind)}
}

// fill reads more input behind the record in hand, which it moves to the front
// of the buffer.
func (s *source) fill() error {
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
		s.checked -= s.pos
		if s.bad >= 0 {
			s.bad -= s.pos
		}
		s.pos = 0
	}
	if s.end > s.o.MaxLine {
		return s.tooLong()
	}
	room := len(s.buf) - spareBehind
	if s.end > room/2 { // a long record: it is scanned again, so read much
		room *= 2
		grown := make([]byte, room+spareBehind)
		copy(grown, s.buf[:s.end])
		s.buf = grown
	}
	first := s.total == 0
	for empty := 0; s.end < room && !s.eof; {
		n, err := s.r.Read(s.buf[s.end:room])
		s.end += n
		s.total += int64(n)
		if s.total > s.o.MaxBytes {
			return s.limitf(s.line, "the file has more than %d bytes", s.o.MaxBytes).
				WithHint("raise the limit if you trust the file")
		}
		if err == io.EOF {
			s.eof = true
		} else if err != nil {
			return s.readError(err)
		}
		if empty++; n > 0 {
			empty = 0
		} else if empty > 100 && err == nil {
			return s.readError(io.ErrNoProgress)
		}
	}
	if first && bytes.HasPrefix(s.buf[:s.end], []byte(byteOrder)) {
		s.pos, s.offset, s.checked = len(byteOrder), int64(len(byteOrder)), len(byteOrder)
	}
	s.buf[s.end] = '\n'
	s.checkUTF8()
	return nil
}

// checkUTF8 looks for the first byte that is not UTF-8 in what was read last.
func (s *source) checkUTF8() {
	if s.bad >= 0 {
		return
	}
	part := s.buf[s.checked:s.end]
	if utf8.Valid(part) {
		s.checked = s.end
		return
	}
	for len(part) > 0 {
		_, size := utf8.DecodeRune(part)
		if size == 1 && part[0] >= utf8.RuneSelf {
			if s.eof || utf8.FullRune(part) {
				s.bad = s.end - len(part)
			}
			break // else the rest of the character has not been read yet
		}
		part = part[size:]
	}
	s.checked = s.end - len(part)
}

// checkRecord checks length and encoding of the record in hand.
func (s *source) checkRecord(end int) error {
	if s.bad >= 0 && s.bad < end {
		return s.notUTF8()
	}
	if end-s.pos > s.o.MaxLine {
		return s.tooLong()
	}
	return nil
}

// earlier returns err, or the error of a wrong encoding if that comes first.
func (s *source) earlier(err error) error {
	e := diag.From(err)
	if s.bad >= s.pos && s.bad >= 0 && e.Pos.Offset > int(s.offset)+s.bad-s.pos {
		return s.notUTF8()
	}
	return e
}

func (s *source) notUTF8() error {
	before := s.buf[s.pos:s.bad]
	start := bytes.LastIndexByte(before, '\n') + 1
	e := s.errorf(s.line+int64(bytes.Count(before, lineFeed)), "the line is not UTF-8 (byte %#02x)", s.buf[s.bad])
	e.Pos.Column = 1 + utf8.RuneCount(before[start:])
	return e.WithHint("save the file in the encoding UTF-8")
}

func (s *source) tooLong() error {
	return s.limitf(s.line, "the line is longer than %d bytes", s.o.MaxLine).
		WithHint("a quotation mark that is not closed can make a line long; raise the limit if the file is right")
}

func (s *source) readError(err error) error {
	e := s.errorf(s.line, "the file cannot be read: %s", err)
	e.Err = err
	return e
}

// errorf makes an error of an input file (DATA-1) at a line; line 0: no place.
func (s *source) errorf(line int64, format string, args ...any) *diag.Error {
	return s.place(diag.New(diag.Runtime, "DATA-1", diag.Pos{}, format, args...), line)
}

// errorAt is an error at a byte of the record in hand.
func (s *source) errorAt(at int, format string, args ...any) *diag.Error {
	before := s.buf[s.pos:at]
	line := s.line + int64(bytes.Count(before, lineFeed))
	start := bytes.LastIndexByte(before, '\n') + 1
	e := s.errorf(line, format, args...)
	e.Pos.Column = 1 + utf8.RuneCount(before[start:])
	e.Pos.Offset = int(s.offset) + at - s.pos
	return e
}

// limitf makes an error of an exceeded size (LIM-1).
func (s *source) limitf(line int64, format string, args ...any) *diag.Error {
	return s.place(diag.New(diag.Limit, "LIM-1", diag.Pos{}, format, args...), line)
}

// place gives an error the place of a line.
func (s *source) place(e *diag.Error, line int64) *diag.Error {
	e.File = s.o.File
	if line > 0 {
		e.Pos = diag.Pos{Offset: int(s.offset), Line: int(line), Column: 1}
	}
	return e
}

// addColumn adds a column; name is folded and new.
func (s *source) addColumn(name string) error {
	if len(s.columns) >= s.o.MaxColumns {
		return s.limitf(s.line, "the table has more than %d columns", s.o.MaxColumns)
	}
	c := &readColumn{name: name}
	for i := range s.o.Schema {
		if s.o.Schema[i].Name == name {
			c.schema = &s.o.Schema[i]
		}
	}
	s.byName[name] = len(s.columns)
	s.columns = append(s.columns, c)
	return nil
}

// countRow counts the record in hand as a row.
func (s *source) countRow() error {
	if s.rows == MaxRows {
		return s.limitf(s.line, "the table has more than %d rows", MaxRows)
	}
	s.rows++
	return nil
}

// jump notes that the rows behind the record in hand stand n lines lower.
func (s *source) jump(n int64) { s.jumps = append(s.jumps, lineJump{s.rows, n}) }

// lineOf returns the line on which a row begins.
func (s *source) lineOf(row int) int64 {
	line := int64(row) + 1
	for _, j := range s.jumps {
		if j.row > row {
			break
		}
		line += j.lines
	}
	return line
}

// listNames lists names for a message, the first few of many.
func listNames(names []string) string {
	const most = 12
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = show(n)
	}
	return strings.Join(shown, ", ") + rest
}
