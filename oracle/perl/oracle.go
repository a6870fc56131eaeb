// Package perl asks Perl's regular expressions what they take. Perl goes
// through a pattern in the order of the preferment rules, the stop rule for
// empty iterations included (PREF-8), so it is an opinion on everything that
// chapter 2 says of patterns whose conditions look at one row only.
//
// A row is one character, which stands for the set of variables that hold on
// it; a variable is the class of the characters that contain it. So several
// variables may hold on a row. Each variable of the pattern is followed by code
// that records it, with local, so that Perl takes the record back when it
// gives the row back: what comes back is the mapping row by row, with the rows
// that were matched inside {- -}, and not the length alone.
//
// Perl is sent numbers and marks only, and takes no code from outside: the
// blocks are compiled once from ask.pl, and a pattern cannot hold others.
//
//	ask.pl       the program that Perl runs
//	oracle.go    questions and answers, many at a time
//	dialect.go   a pattern and its rows in numbers
//	supports.go  what Perl cannot be asked, and why
//	process.go   the Perl process
package perl

import (
	"context"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
)

// DefaultTimeout is how long Perl may take for one case.
const DefaultTimeout = 10 * time.Second

// Options say how Perl is run. The zero value is the usual way.
type Options struct {
	Command string        // the program; "": perl, looked up in PATH
	Timeout time.Duration // for one case; 0: DefaultTimeout
}

// Oracle is one Perl process, started when it is first asked, and again after
// it died or had to be ended. It implements oracle.Batcher.
type Oracle struct {
	command string
	missing error // why there is no Perl
	timeout time.Duration

	mu      sync.Mutex
	process *process
}

var _ oracle.Batcher = (*Oracle)(nil)

// New returns the oracle. Without a perl it still answers: that nothing can be
// asked, and why.
func New(o Options) *Oracle {
	if o.Command == "" {
		o.Command = "perl"
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	path, err := exec.LookPath(o.Command)
	return &Oracle{command: path, missing: err, timeout: o.Timeout}
}

// Name returns "perl".
func (o *Oracle) Name() string { return "perl" }

// Version returns Perl's version, such as 5.36.0.
func (o *Oracle) Version(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.running(ctx); err != nil {
		return "", err
	}
	return o.process.version, nil
}

// Close ends the process.
func (o *Oracle) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stop()
	return nil
}

// Ask puts one case. AskAll is faster for many.
func (o *Oracle) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	r := o.AskAll(ctx, []*oracle.Case{c})[0]
	return r.Answer, r.Err
}

// AskAll puts the cases in one go. If Perl dies or takes too long over a case,
// that case has failed or timed out, and the rest is put to a new process.
func (o *Oracle) AskAll(ctx context.Context, cases []*oracle.Case) []oracle.Reply {
	o.mu.Lock()
	defer o.mu.Unlock()
	replies := make([]oracle.Reply, len(cases))
	batch := make([]asked, 0, len(cases))
	for i, c := range cases {
		q, reason := o.question(c)
		if reason != "" {
			replies[i].Err = oracle.NoAnswer(oracle.NotComparable, "%s", reason)
			continue
		}
		batch = append(batch, asked{q, &replies[i]})
	}
	for len(batch) > 0 {
		if err := o.running(ctx); err != nil {
			for _, a := range batch {
				a.reply.Err = err
			}
			break
		}
		batch = batch[o.exchange(ctx, batch):]
	}
	return replies
}

type asked struct {
	*question
	reply *oracle.Reply
}

// exchange puts questions to the running process and returns how many of them
// have been replied to: at least one.
func (o *Oracle) exchange(ctx context.Context, batch []asked) int {
	var text []byte
	for i, a := range batch {
		text = a.appendTo(strconv.AppendInt(text, int64(i), 10))
	}
	o.process.send(text)
	timer := time.NewTimer(o.timeout)
	defer timer.Stop()
	for i, a := range batch {
		timer.Reset(o.timeout)
		select {
		case line, ok := <-o.process.lines:
			if !ok {
				a.reply.Err = oracle.NoAnswer(oracle.Failed, "perl ended%s", o.stop())
				return i + 1
			}
			answer, trouble := a.read(i, line)
			if trouble == nil {
				a.reply.Answer = answer
				continue
			}
			a.reply.Err = trouble
			if trouble.Verdict == oracle.Failed {
				o.stop() // what it says no longer belongs to what it is asked
				return i + 1
			}
		case <-timer.C:
			o.stop()
			a.reply.Err = oracle.NoAnswer(oracle.TimedOut, "no answer within %v", o.timeout)
			return i + 1
		case <-ctx.Done():
			o.stop()
			for _, rest := range batch[i:] {
				rest.reply.Err = oracle.Interrupted(ctx)
			}
			return len(batch)
		}
	}
	return len(batch)
}

// read reads the answer to the i-th question.
func (q *question) read(i int, line string) (oracle.Answer, *oracle.Unanswered) {
	parts := strings.SplitN(line, "\t", 3)
	if len(parts) != 3 || parts[0] != strconv.Itoa(i) {
		return oracle.Answer{}, oracle.NoAnswer(oracle.Failed, "perl's answer is out of step: %.60q", line)
	}
	say := strings.TrimSpace(parts[2])
	switch parts[1] {
	case "ok":
		mappings, ok := q.mappings(parts[2])
		if !ok {
			return oracle.Answer{}, oracle.NoAnswer(oracle.Failed, "perl's answer makes no sense: %.60q", line)
		}
		return oracle.Answer{Mappings: mappings}, nil
	case "warning":
		// Perl gives up on some loops with a warning, and then says no match.
		return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "perl warns: %.200s", say)
	case "error":
		return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "perl cannot do this: %.200s", say)
	}
	return oracle.Answer{}, oracle.NoAnswer(oracle.Failed, "perl's answer makes no sense: %.60q", line)
}
