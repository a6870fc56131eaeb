// Package serve answers the questions of the engine protocol: what
// `rprcheck engine` does between its standard input and its standard output.
//
//	serve.go      the conversation: hello first, one answer a line, bye
//	statement.go  query and check
//	pattern.go    map and prefer: a pattern alone
//
// No question makes it read a file.
package serve

import (
	"context"
	"errors"
	"io"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Server is an engine that speaks the protocol.
type Server struct {
	Engine   matcher.Engine
	Limits   matcher.Limits
	Readings readings.Set // the choices that those of hello are added to
	Version  string       // of rprcheck, for the greeting
	MaxLine  int          // bytes of a message of either side; 0: protocol.DefaultMaxLine
}

// ErrVersion is what Serve returns after a hello that asks for a version of the
// protocol that we do not speak.
var ErrVersion = errors.New("the other side asks for another version of the protocol")

// keptBuffer is how large the buffer of an answer may be to be used again.
const keptBuffer = 1 << 20

// features are the parts of the standard that are answered (FEAT-1).
var features = []string{"R010", "R020", "R030"}

// Serve answers the questions that come on in, one answer a line on out, in
// their order, until bye or the end of in. What is no question is answered with
// an error, and the next line is read. It returns ErrVersion, an error of in or
// out, or that of the context.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := &conversation{Server: s, readings: s.Readings}
	if c.maxLine = s.MaxLine; c.maxLine <= 0 {
		c.maxLine = protocol.DefaultMaxLine
	}
	lines := newLines(in, c.maxLine)
	defer lines.stop()
	var buf []byte
	for {
		line, err := lines.next(ctx)
		if err == io.EOF {
			return nil
		}
		var a protocol.Answer
		var end error
		var tooLong *diag.Error
		switch {
		case errors.As(err, &tooLong):
			a = &protocol.Refused{Error: tooLong}
		case err != nil:
			return err
		default:
			a, end = c.answer(ctx, line)
		}
		if ctx.Err() != nil {
			return ctx.Err() // what was cut short is no answer
		}
		if a != nil {
			buf = c.message(buf[:0], a)
			if _, err := out.Write(buf); err != nil {
				return err
			}
			if cap(buf) > keptBuffer {
				buf = nil
			}
		}
		if end == io.EOF {
			return nil
		}
		if end != nil {
			return end
		}
	}
}

// conversation is the state of Serve.
type conversation struct {
	*Server
	maxLine  int
	greeted  bool
	readings readings.Set
}

// message appends an answer as a line. One that is longer than a line may be
// becomes an error.
func (c *conversation) message(dst []byte, a protocol.Answer) []byte {
	out := a.Append(dst, c.maxLine)
	if len(out) > c.maxLine {
		out = (&protocol.Refused{ID: answerID(a), Error: protocol.LineTooLong(c.maxLine)}).Append(dst[:0], 0)
	}
	return append(out, '\n')
}

func answerID(a protocol.Answer) string {
	switch a := a.(type) {
	case *protocol.Rows:
		return a.ID
	case *protocol.Accepted:
		return a.ID
	case *protocol.Mappings:
		return a.ID
	case *protocol.Candidates:
		return a.ID
	case *protocol.Refused:
		return a.ID
	}
	return ""
}

// answer answers one line. The error ends the conversation: io.EOF after bye.
func (c *conversation) answer(ctx context.Context, line []byte) (a protocol.Answer, end error) {
	id := ""
	defer func() {
		if r := recover(); r != nil {
			a = &protocol.Refused{ID: id, Error: diag.New(diag.Internal, "LIM-1", diag.Pos{}, "a defect of rprcheck: %v", r).
				WithHint("please report it together with the question")}
		}
	}()
	q, id, err := protocol.ParseQuestion(line)
	if err != nil {
		return refuse(id, err), nil
	}
	switch q := q.(type) {
	case *protocol.Hello:
		return c.hello(q)
	case *protocol.Bye:
		return nil, io.EOF
	}
	if !c.greeted {
		return refuse(id, diag.New(diag.Syntax, "DATA-1", diag.Pos{}, "the conversation does not begin with hello").
			WithHint(`send {"op":"hello","protocol":%d} first`, protocol.Version)), nil
	}
	switch q := q.(type) {
	case *protocol.Query:
		a, err = c.query(ctx, q)
	case *protocol.Check:
		a, err = c.check(q)
	case *protocol.Map:
		a, err = c.mapRows(ctx, q)
	case *protocol.Prefer:
		a, err = c.prefer(ctx, q)
	}
	if err != nil {
		return refuse(id, err), nil
	}
	return a, nil
}

func refuse(id string, err error) *protocol.Refused {
	return &protocol.Refused{ID: id, Error: diag.From(err)}
}

// hello answers hello. A second one begins anew, with its own readings.
func (c *conversation) hello(q *protocol.Hello) (protocol.Answer, error) {
	if q.Protocol != protocol.Version {
		return refuse("", diag.New(diag.Unsupported, "DATA-1", diag.Pos{}, "version %d of the protocol is not spoken here", q.Protocol).
			WithHint("use version %d", protocol.Version)), ErrVersion
	}
	set := c.Readings // of the command line
	for _, r := range q.Readings {
		if err := set.Apply(r); err != nil {
			e := *diag.From(err)
			e.Pos, e.Source = diag.Pos{}, "" // a place in the reading, not in an SQL text
			return refuse("", &e), nil
		}
	}
	c.readings, c.greeted = set, true
	return &protocol.Greeting{Protocol: protocol.Version, Name: "rprcheck", Version: c.Version, Dialect: "iso",
		Ops: protocol.Ops, Features: features}, nil
}
