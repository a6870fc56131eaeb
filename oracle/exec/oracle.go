// Package exec asks an engine in another process, by the engine protocol: one
// JSON object a line on its standard input, one on its standard output
// (package oracle/protocol has the messages).
//
// The command is started without a shell, in a process group of its own, when
// it is first needed, and again after it died, hung or lost step. Answers are
// bounded in length and time; what it writes on standard error is read, and the
// end of it is shown with a failure. Questions are sent ahead of the answers, so
// that a slow start of each exchange does not matter.
//
//	oracle.go          questions and answers, many at a time
//	dialect.go         a case as a question, an answer as oracle.Answer
//	supports.go        what the engine cannot be asked, by what it says of itself
//	errors.go          errors that the engine reports
//	command.go         the command line, split without a shell
//	process.go         the process
//	group_*.go         its process group
package exec

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/protocol"
)

// Defaults of the options.
const (
	DefaultTimeout      = 10 * time.Second
	DefaultStartTimeout = 30 * time.Second
)

// Options say how the engine is run. Only Command is mandatory.
type Options struct {
	Command      []string      // the program and its arguments
	Name         string        // in reports; "": exec: and the command
	Dir          string        // working folder; "": ours
	Timeout      time.Duration // for the answer to one question; 0: DefaultTimeout
	StartTimeout time.Duration // from the start to the answer to hello; 0: DefaultStartTimeout
	MaxLine      int           // bytes of an answer; 0: protocol.DefaultMaxLine
	Readings     []string      // choices that are sent with hello, such as WIN-10=alternative
}

// Oracle is one engine process. It implements oracle.Batcher.
type Oracle struct {
	opt Options

	mu      sync.Mutex
	process *process
	lost    *oracle.Unanswered // why there is no engine and will be none
}

var _ oracle.Batcher = (*Oracle)(nil)

// New returns the oracle. The engine is started when it is first needed.
func New(o Options) *Oracle {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = DefaultStartTimeout
	}
	if o.Name == "" {
		o.Name = "exec:" + strings.Join(o.Command, " ")
	}
	return &Oracle{opt: o}
}

// Name returns the name given, or exec: and the command.
func (o *Oracle) Name() string { return o.opt.Name }

// Version returns name and version that the engine gives itself.
func (o *Oracle) Version(ctx context.Context) (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.running(ctx); err != nil {
		return "", err
	}
	g := o.process.greeting
	return strings.TrimSpace(g.Name + " " + g.Version), nil
}

// Close says goodbye to the engine, and ends it if it does not end by itself.
func (o *Oracle) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.process != nil {
		o.process.leave()
		o.process = nil
	}
	return nil
}

// Ask puts one case. AskAll is faster for many.
func (o *Oracle) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	r := o.AskAll(ctx, []*oracle.Case{c})[0]
	return r.Answer, r.Err
}

// asked is a case on its way.
type asked struct {
	*question
	reply *oracle.Reply
}

// AskAll puts the cases in one go. If the engine dies, hangs or loses step over
// a case, that case has failed or timed out, and the rest is put to a new process.
func (o *Oracle) AskAll(ctx context.Context, cases []*oracle.Case) []oracle.Reply {
	o.mu.Lock()
	defer o.mu.Unlock()
	replies := make([]oracle.Reply, len(cases))
	batch := make([]asked, 0, len(cases))
	for i, c := range cases {
		q, err := newQuestion(c, strconv.Itoa(i))
		if err != nil {
			replies[i].Err = oracle.NoAnswer(oracle.NotComparable, "%s", err)
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

// exchange puts questions to the running process and returns how many of them
// have been replied to: at least one.
func (o *Oracle) exchange(ctx context.Context, batch []asked) int {
	p := o.process
	var text []byte
	for _, a := range batch {
		text = append(a.message.Append(text), '\n')
	}
	p.send(text)
	timer := time.NewTimer(o.opt.Timeout)
	defer timer.Stop()
	for i, a := range batch {
		timer.Reset(o.opt.Timeout)
		line, err := p.next(ctx, timer.C)
		if err == nil {
			var answer protocol.Answer
			if answer, err = protocol.ParseAnswer(a.message, line); err == nil {
				a.reply.Answer, a.reply.Err = a.answer(answer)
				continue
			}
			err = oracle.NoAnswer(oracle.Failed, "its answer cannot be read: %s", reason(err))
		}
		// What it says from here on would not belong to what it is asked.
		trouble := p.kill()
		o.process = nil
		if ctx.Err() != nil {
			for _, rest := range batch[i:] {
				rest.reply.Err = oracle.Interrupted(ctx)
			}
			return len(batch)
		}
		verdict, why := oracle.WhyNot(err)
		a.reply.Err = &oracle.Unanswered{Verdict: verdict, Reason: why + trouble, Err: err}
		return i + 1
	}
	return len(batch)
}
