package perl

import (
	"bufio"
	"context"
	_ "embed" // ask.pl
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/internal/tail"
)

//go:embed ask.pl
var program string

// process is a running Perl.
type process struct {
	version string
	cmd     *exec.Cmd
	in      io.WriteCloser
	lines   chan string // what it says; closed when it says no more
	stderr  tail.Tail
}

// running starts Perl if it does not run.
func (o *Oracle) running(ctx context.Context) error {
	switch {
	case o.missing != nil:
		return oracle.NoAnswer(oracle.NotComparable, "no perl: %v", o.missing)
	case ctx.Err() != nil:
		return oracle.Interrupted(ctx)
	case o.process != nil:
		return nil
	}
	p := &process{lines: make(chan string, 64)}
	p.cmd = exec.Command(o.command, "-e", program)
	// A clean environment: PERL5OPT and the like could change what Perl does.
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = time.Second
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return cannotStart(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return cannotStart(err)
	}
	if err := p.cmd.Start(); err != nil {
		return cannotStart(err)
	}
	p.in = in
	go p.listen(out)
	o.process = p
	return o.greet(ctx)
}

// greet reads the line with which Perl begins.
func (o *Oracle) greet(ctx context.Context) error {
	timer := time.NewTimer(o.timeout)
	defer timer.Stop()
	select {
	case line, ok := <-o.process.lines:
		version, isPerl := strings.CutPrefix(line, "perl\t")
		if !ok || !isPerl {
			return oracle.NoAnswer(oracle.Failed, "perl cannot be started%s", o.stop())
		}
		o.process.version = version
		return nil
	case <-timer.C:
		o.stop()
		return oracle.NoAnswer(oracle.TimedOut, "perl says nothing within %v of its start", o.timeout)
	case <-ctx.Done():
		o.stop()
		return oracle.Interrupted(ctx)
	}
}

func cannotStart(err error) error {
	return &oracle.Unanswered{Verdict: oracle.Failed, Reason: "perl cannot be started: " + err.Error(), Err: err}
}

// listen passes on what Perl says, line by line, until it ends.
func (p *process) listen(out io.Reader) {
	defer close(p.lines)
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return // the end, or half a line of a process that died
		}
		p.lines <- strings.TrimSuffix(line, "\n")
	}
}

// send writes questions while the answers are read: Perl does not read on while
// nobody takes its answers. An error shows as the end of its lines.
func (p *process) send(text []byte) {
	go func() { _, _ = p.in.Write(text) }()
}

// stop ends the process and returns what it last said of its troubles, to be
// put behind a message.
func (o *Oracle) stop() (trouble string) {
	p := o.process
	if p == nil {
		return ""
	}
	o.process = nil
	p.in.Close()
	p.cmd.Process.Kill()
	go func() {
		for range p.lines { // lets listen come to the end
		}
	}()
	err := p.cmd.Wait()
	if said := p.stderr.String(); said != "" {
		return ": " + said
	}
	if err != nil && err.Error() != "signal: killed" {
		return ": " + err.Error()
	}
	return ""
}
