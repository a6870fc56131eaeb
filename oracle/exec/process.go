package exec

import (
	"context"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/internal/tail"
	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// patience is how long an engine may take to end after goodbye.
const patience = 2 * time.Second

// process is a running engine.
type process struct {
	greeting *protocol.Greeting
	cmd      *exec.Cmd
	in       io.WriteCloser
	lines    chan line
	outgoing chan []byte   // what it is to read
	quit     chan struct{} // closed when nobody wants its lines any more
	stderr   tail.Tail
}

// line is what the engine says, or why it says no more.
type line struct {
	text []byte
	err  error
}

// ends reports the end of what the engine says. A line that is too long is none.
func (l line) ends() bool {
	var e *diag.Error
	return l.err != nil && !errors.As(l.err, &e)
}

// running starts the engine if it does not run. An engine that cannot be
// started, or that never answers hello, is not tried again.
func (o *Oracle) running(ctx context.Context) error {
	switch {
	case o.lost != nil:
		return o.lost
	case ctx.Err() != nil:
		return oracle.Interrupted(ctx)
	case o.process != nil:
		return nil
	case len(o.opt.Command) == 0:
		o.lost = oracle.NoAnswer(oracle.Failed, "no command is given")
		return o.lost
	}
	p, err := o.start(ctx)
	switch {
	case err == nil:
		o.process = p
		return nil
	case ctx.Err() != nil:
		return oracle.Interrupted(ctx)
	}
	o.lost = err
	return o.lost
}

func (o *Oracle) start(ctx context.Context) (*process, *oracle.Unanswered) {
	cannot := func(err error) *oracle.Unanswered {
		return &oracle.Unanswered{Verdict: oracle.Failed, Reason: "the engine cannot be started: " + err.Error(), Err: err}
	}
	p := &process{cmd: exec.Command(o.opt.Command[0], o.opt.Command[1:]...), lines: make(chan line),
		outgoing: make(chan []byte, 16), quit: make(chan struct{})}
	p.cmd.Dir, p.cmd.Stderr, p.cmd.WaitDelay = o.opt.Dir, &p.stderr, patience
	ownGroup(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, cannot(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, cannot(err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, cannot(err)
	}
	p.in = in
	go p.listen(protocol.NewReader(out, o.opt.MaxLine))
	go p.talk()
	if err := p.greet(ctx, o.opt); err != nil {
		err.Reason += p.kill()
		return nil, err
	}
	return p, nil
}

// greet says hello and reads the answer.
func (p *process) greet(ctx context.Context, o Options) *oracle.Unanswered {
	hello := &protocol.Hello{Protocol: protocol.Version, Readings: o.Readings}
	p.send(append(hello.Append(nil), '\n'))
	timer := time.NewTimer(o.StartTimeout)
	defer timer.Stop()
	line, err := p.next(ctx, timer.C)
	if err != nil {
		verdict, why := oracle.WhyNot(err)
		return &oracle.Unanswered{Verdict: verdict, Reason: "no answer to hello: " + why, Err: err}
	}
	answer, err := protocol.ParseAnswer(hello, line)
	if err != nil {
		return oracle.NoAnswer(oracle.Failed, "its answer to hello cannot be read: %s", reason(err))
	}
	switch answer := answer.(type) {
	case *protocol.Refused:
		return oracle.NoAnswer(oracle.Failed, "it refuses hello: %s", diag.Escape(answer.Error.Message))
	case *protocol.Greeting:
		if answer.Protocol != protocol.Version {
			return oracle.NoAnswer(oracle.Failed, "it speaks version %d of the protocol, not %d", answer.Protocol, protocol.Version)
		}
		p.greeting = answer
	}
	return nil
}

// listen passes on what the engine says until it ends or nobody wants it.
func (p *process) listen(r *protocol.Reader) {
	for {
		text, err := r.Next()
		l := line{err: err}
		if err == nil {
			l.text = append([]byte(nil), text...) // the reader uses its buffer again
		}
		select {
		case p.lines <- l:
		case <-p.quit:
			return
		}
		if l.ends() {
			return
		}
	}
}

// talk writes to the engine while its answers are read: it need not read on
// while nobody takes them. An error shows as the end of its lines. nil ends
// its input.
func (p *process) talk() {
	for {
		select {
		case text := <-p.outgoing:
			if text == nil {
				p.in.Close()
				return
			}
			_, _ = p.in.Write(text)
		case <-p.quit:
			return
		}
	}
}

// send gives the engine something to read. What it does not read it does not
// answer in time.
func (p *process) send(text []byte) {
	select {
	case p.outgoing <- text:
	default:
	}
}

// next returns the next line, or an *oracle.Unanswered.
func (p *process) next(ctx context.Context, timeout <-chan time.Time) ([]byte, error) {
	select {
	case l := <-p.lines:
		switch {
		case l.err == nil:
			return l.text, nil
		case l.err == io.EOF:
			return nil, oracle.NoAnswer(oracle.Failed, "the engine has ended")
		}
		return nil, oracle.NoAnswer(oracle.Failed, "%s", reason(l.err))
	case <-timeout:
		return nil, oracle.NoAnswer(oracle.TimedOut, "no answer in time")
	case <-ctx.Done():
		return nil, oracle.Interrupted(ctx)
	}
}

// leave ends the engine with goodbye.
func (p *process) leave() {
	p.send(append((&protocol.Bye{}).Append(nil), '\n'))
	p.send(nil)
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		select {
		case l := <-p.lines:
			if l.ends() {
				p.kill()
				return
			}
		case <-late.C:
			p.kill()
			return
		}
	}
}

// kill ends the engine and all that it started, and returns the last line of
// what it said of its troubles, to be put behind a message.
func (p *process) kill() (trouble string) {
	killGroup(p.cmd)
	close(p.quit)
	p.in.Close()
	err := p.cmd.Wait()
	if said := p.stderr.String(); said != "" {
		last := said[strings.LastIndexByte(said, '\n')+1:]
		return "; it says: " + diag.Escape(strings.TrimSpace(last))
	}
	if err != nil && !strings.Contains(err.Error(), "killed") {
		return "; " + err.Error()
	}
	return ""
}
