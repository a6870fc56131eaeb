package serve

import (
	"context"
	"io"

	"github.com/rprcheck/rprcheck/oracle/protocol"
)

// lines reads lines in a goroutine of its own, so that waiting for one can be
// ended by the context. The goroutine reads only when asked to. One that waits
// for input when the conversation ends is left behind until the input ends.
type lines struct {
	want chan struct{}
	got  chan line
}

type line struct {
	text []byte
	err  error
}

func newLines(in io.Reader, maxLine int) *lines {
	l := &lines{want: make(chan struct{}), got: make(chan line, 1)}
	r := protocol.NewReader(in, maxLine)
	go func() {
		for range l.want {
			text, err := r.Next()
			l.got <- line{text, err}
		}
	}()
	return l
}

// next returns the next line; it is valid until the next call.
func (l *lines) next(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.want <- struct{}{}
	select {
	case got := <-l.got:
		return got.text, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *lines) stop() { close(l.want) }
