package protocol

import (
	"bufio"
	"errors"
	"io"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// DefaultMaxLine is the largest length of a line in bytes, its end not counted.
const DefaultMaxLine = 64 << 20

// Reader splits a stream into lines.
type Reader struct {
	r   *bufio.Reader
	max int
	buf []byte
}

// NewReader returns a Reader of lines of at most maxLine bytes; 0 means DefaultMaxLine.
func NewReader(r io.Reader, maxLine int) *Reader {
	if maxLine <= 0 {
		maxLine = DefaultMaxLine
	}
	return &Reader{r: bufio.NewReaderSize(r, 64<<10), max: maxLine}
}

// Next returns the next line without its end; the last one may lack a line
// feed. The slice is valid until the next call. A line that is too long is a
// *diag.Error of stage limit (LIM-1): it is passed over, and the next call reads
// the line behind it. Other errors are those of the stream, io.EOF at its end.
func (r *Reader) Next() ([]byte, error) {
	r.buf = r.buf[:0]
	length, tooLong := 0, false
	for {
		part, err := r.r.ReadSlice('\n')
		length += len(part)
		ended := err == nil || err == io.EOF && length > 0
		if err == nil {
			part, length = part[:len(part)-1], length-1
		}
		if tooLong = tooLong || length > r.max; !tooLong {
			r.buf = append(r.buf, part...)
		}
		switch {
		case ended && tooLong:
			r.buf = nil // not kept: it is as long as the limit
			return nil, LineTooLong(r.max)
		case ended:
			return r.buf, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// LineTooLong is the error of a message of more than maxLine bytes.
func LineTooLong(maxLine int) *diag.Error {
	return diag.New(diag.Limit, "LIM-1", diag.Pos{}, "a message has more than %d bytes", maxLine).
		WithHint("send less at once, or raise the limit of a line")
}
