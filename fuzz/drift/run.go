package drift

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
)

// Options say how much is tried. The zero value tries DefaultN patterns from
// seed 0 and stops at the first drift.
type Options struct {
	N        int            // patterns; 0: DefaultN, or without end if there is a time limit
	Seed     uint64         // of the random inputs
	Time     time.Duration  // after which no new inputs are drawn; 0: no limit
	All      bool           // go on after a drift
	Sets     int            // inputs drawn for each pattern; 0: DefaultSets
	Together int            // patterns asked together; 0: DefaultTogether
	Dir      string         // folder of found inputs: those in it are tried first, new ones are added; "": none
	Patterns gen.Patterns   // what patterns are like; zero: gen.DefaultPatterns, less what the subject does not know
	Rows     gen.Rows       // what rows are like; zero: gen.DefaultRows
	Limits   matcher.Limits // of the reference; zero: DefaultSteps
	// Progress is called after every batch of inputs; it must not keep the report.
	Progress func(*Report)
	// Found is called for each new drift, when it has been made small.
	Found func(*Drift)
	// Differs takes each input on which the answers differ, in place of its being
	// made small at once: making inputs small is many questions, for which the
	// stream of new inputs would have to wait. Small does it later.
	Differs func(*Difference)
}

// Difference is an input on which the answers differ, as it was drawn.
type Difference struct {
	gen.Input
	Case      int              // number of the pattern in the run; -1: a kept input
	Preferred []oracle.Mapping // what the rules prefer, by starting row
	Got       []oracle.Mapping // what the subject says
}

// Defaults of the options.
const (
	DefaultN        = 20_000
	DefaultSteps    = 2_000 // condition tests of one attempt of the reference
	DefaultTogether = 32
	DefaultSets     = 3
	growEvery       = 64 // patterns after which they may have a leaf more
)

// Report is what came of a run.
type Report struct {
	Subject     string
	Version     string
	Seed        uint64
	Drawn       int        // patterns drawn
	Replayed    int        // inputs of the folder tried before
	Compared    int        // inputs on which both gave an answer
	Rows        int        // starting rows compared
	Differing   int        // inputs on which the answers differ, the same drift found again included
	Drifts      []*Drift   // different ones, made small
	Failures    []*Failure // inputs on which the subject failed or timed out; the first maxFailures
	Failed      int
	Passed      map[string]int // inputs without an answer, by verdict and reason
	Unknown     []string       // parts of the language that the subject does not know, and that were not drawn
	Elapsed     time.Duration
	Interrupted bool // the context ended the run
}

// Failure is a case on which the subject gave no sensible answer.
type Failure struct {
	Input  gen.Input
	Reason string
}

const (
	maxFailures = 10
	maxReasons  = 50
	hopeless    = 10 // patterns that fail one after another end a run
)

// Drift is a pattern and rows on which another match was preferred.
type Drift struct {
	Cause
	gen.Input
	Start     int            // the starting row, from 0
	Preferred oracle.Mapping // what the rules prefer there
	Got       oracle.Mapping // what the subject says
	Rewritten string         // of a rewrite: the pattern that it made
	Seed      uint64
	Case      int       // number of the case in the run; -1: a kept input
	Drawn     gen.Input // as it was found
}

// Run puts random patterns to the subject until one shows a drift, or to the
// end with All. The error says that the subject cannot be reached, or fails on
// everything (*oracle.Unanswered), that the folder cannot be used, or that the
// context ended; the report is not nil even then. It is the caller's to close
// the subject.
func Run(ctx context.Context, o Options, s Subject) (*Report, error) {
	r := newRun(ctx, o, s)
	err := r.run()
	r.report.Elapsed = time.Since(r.began)
	if ctx.Err() != nil {
		r.report.Interrupted = true
		return r.report, ctx.Err()
	}
	return r.report, err
}

func newRun(ctx context.Context, o Options, s Subject) *run {
	r := &run{Options: o, subject: s, ctx: ctx, began: time.Now(), report: &Report{Subject: s.Name(), Seed: o.Seed, Passed: map[string]int{}}, seen: map[string]bool{}}
	if r.Limits.Steps == 0 {
		r.Limits.Steps = DefaultSteps
	}
	if r.Rows == (gen.Rows{}) {
		r.Rows = gen.DefaultRows
	}
	if r.Sets == 0 {
		r.Sets = DefaultSets
	}
	if r.Together == 0 {
		r.Together = DefaultTogether
	}
	return r
}

type run struct {
	Options
	subject Subject
	ctx     context.Context
	began   time.Time
	report  *Report
	seen    map[string]bool // drifts found, as text
	inARow  int             // failures since the last answer
}

func (r *run) run() error {
	version, err := r.subject.Version(r.ctx)
	if err != nil {
		return err
	}
	r.report.Version = version
	if r.Patterns == (gen.Patterns{}) {
		r.Patterns = gen.DefaultPatterns
		r.Patterns.Vars = r.Rows.Vars
		r.report.Unknown = adapt(r.ctx, r.subject, &r.Patterns)
	}
	kept, err := readKept(r.Dir)
	if err != nil {
		return err
	}
	r.report.Replayed = len(kept)
	for i := 0; i < len(kept) && !r.done(); i += DefaultTogether {
		r.try(r.expect(r.ctx, kept[i:min(i+DefaultTogether, len(kept))]), -1)
	}
	// The next inputs are drawn, and what the rules say of them found out, while
	// the subject thinks.
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	var next chan *batch
	draw := func(first, n int) {
		next = make(chan *batch, 1)
		go func(to chan<- *batch) { to <- r.draw(ctx, first, n) }(next)
	}
	for !r.done() {
		if next == nil {
			draw(r.report.Drawn, r.left())
		}
		b, first := <-next, r.report.Drawn
		next = nil
		if r.report.Drawn += b.patterns; r.left() > 0 {
			draw(r.report.Drawn, r.left())
		}
		r.try(b, first)
		if r.Progress != nil {
			r.report.Elapsed = time.Since(r.began)
			r.Progress(r.report)
		}
		if r.inARow >= hopeless*r.Sets {
			last := r.report.Failures[len(r.report.Failures)-1]
			return oracle.NoAnswer(oracle.Failed, "it fails on everything, such as %s: %s", last.Input, last.Reason)
		}
	}
	return nil
}

// batch is inputs that are asked together.
type batch struct {
	inputs   []gen.Input
	expected []comparison // what the rules say of them
	patterns int
}

// draw draws a number of patterns with their inputs.
func (r *run) draw(ctx context.Context, first, n int) *batch {
	inputs := make([]gen.Input, 0, n*r.Sets)
	for i := first; i < first+n; i++ {
		src := gen.Case(r.Seed, i)
		// Small patterns first: an engine that is slow on large ones is shown
		// something soon.
		patterns := r.Patterns
		patterns.Size = min(patterns.Size, 2+i/growEvery)
		p := patterns.Draw(src)
		for range r.Sets {
			inputs = append(inputs, gen.Input{Pattern: p, Rows: r.Rows.Draw(src, p)})
		}
	}
	b := r.expect(ctx, inputs)
	b.patterns = n
	return b
}

// left is how many inputs the next batch has.
func (r *run) left() int {
	switch {
	case r.N == 0 && r.Time == 0:
		return min(r.Together, DefaultN-r.report.Drawn)
	case r.N == 0:
		return r.Together
	}
	return min(r.Together, r.N-r.report.Drawn)
}

func (r *run) done() bool {
	return r.ctx.Err() != nil || r.left() <= 0 || r.Time > 0 && time.Since(r.began) >= r.Time || !r.All && len(r.report.Drifts) > 0
}

// try compares a batch of inputs, the number of whose first pattern is first; -1:
// they are kept ones.
func (r *run) try(b *batch, first int) {
	for i, c := range r.ask(b) {
		in := b.inputs[i]
		if c.err == nil {
			r.inARow = 0
		}
		if r.ctx.Err() != nil || !r.All && len(r.report.Drifts) > 0 {
			return
		}
		if c.err != nil {
			r.unanswered(in, c.err)
			continue
		}
		r.report.Compared++
		r.report.Rows += len(in.Rows)
		if c.at < 0 {
			continue
		}
		r.report.Differing++
		number := first
		if first >= 0 {
			number = first + i/r.Sets
		}
		if r.Differs != nil {
			r.Differs(&Difference{Input: in, Case: number, Preferred: c.ours, Got: c.theirs})
			continue
		}
		r.found(in, number)
	}
}

// unanswered counts an input without an answer.
func (r *run) unanswered(in gen.Input, err error) {
	verdict, reason := oracle.WhyNot(err)
	if verdict == oracle.Failed || verdict == oracle.TimedOut {
		r.report.Failed++
		r.inARow++
		if n := len(r.report.Failures); n == 0 || n < maxFailures && r.report.Failures[n-1].Input.Pattern != in.Pattern {
			r.report.Failures = append(r.report.Failures, &Failure{in, verdict.String() + ": " + reason})
		}
	}
	key := verdict.String() + ": " + reason
	if _, ok := r.report.Passed[key]; !ok && len(r.report.Passed) >= maxReasons {
		key = verdict.String() + ": other reasons"
	}
	r.report.Passed[key]++
}

// found makes an input on which the answers differ small, and reports it.
func (r *run) found(in gen.Input, number int) {
	d, ours := r.small(in, number)
	if d == nil {
		r.unanswered(in, oracle.NoAnswer(oracle.Failed, "the same question is answered in two ways"))
		return
	}
	key := d.Input.Pattern.String() + "\n" + gen.RowsText(d.Input.Rows)
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	r.report.Drifts = append(r.report.Drifts, d)
	if r.Dir != "" {
		if err := keep(r.Dir, r.report.Subject, d, ours); err != nil {
			r.report.Passed["not kept: "+err.Error()]++
		}
	}
	if r.Found != nil {
		r.Found(d)
	}
}

// small makes an input on which the answers differ small; nil if they do not
// differ when they are asked again. The other result is what the rules prefer at
// each row.
func (r *run) small(in gen.Input, number int) (*Drift, []oracle.Mapping) {
	small := gen.Minimize(in, r.failing)
	c := r.compare([]gen.Input{small})[0]
	if c.err != nil || c.at < 0 {
		// A subject that answers the same question in two ways is shown as it was first found.
		small = in
		if c = r.compare([]gen.Input{in})[0]; c.err != nil || c.at < 0 {
			return nil, nil
		}
	}
	d := &Drift{Input: small, Start: c.at, Preferred: c.ours[c.at], Got: c.theirs[c.at], Seed: r.Seed, Case: number, Drawn: in}
	d.Cause = Explain(small.Pattern, small.Rows, d.Start, d.Preferred, d.Got)
	if l, ok := r.subject.(*local); ok && l.rewrite != nil {
		if q, err := l.rewrite(small.Pattern); err == nil {
			d.Rewritten = q.String()
		}
	}
	return d, c.ours
}

// Small makes an input on which a subject drifts small. The error says that it
// does not drift there, or that the context ended.
func Small(ctx context.Context, o Options, s Subject, d *Difference) (*Drift, error) {
	small, _ := newRun(ctx, o, s).small(d.Input, d.Case)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case small == nil:
		return nil, oracle.NoAnswer(oracle.Failed, "the same question is answered in two ways")
	}
	return small, nil
}

// failing returns the index of the first input on which the answers differ.
func (r *run) failing(tries []gen.Input) int {
	const together = 16
	for i := 0; i < len(tries) && r.ctx.Err() == nil; i += together {
		for j, c := range r.compare(tries[i:min(i+together, len(tries))]) {
			if c.err == nil && c.at >= 0 {
				return i + j
			}
		}
	}
	return -1
}

// comparison is what reference and subject say of an input.
type comparison struct {
	ours, theirs []oracle.Mapping
	at           int // the first starting row that differs, from 0; -1: none does
	err          error
}

func (r *run) compare(inputs []gen.Input) []comparison {
	return r.ask(r.expect(r.ctx, inputs))
}

// expect finds out what the rules say of inputs, on all cores.
func (r *run) expect(ctx context.Context, inputs []gen.Input) *batch {
	b := &batch{inputs: inputs, expected: make([]comparison, len(inputs))}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(inputs)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(inputs); i = int(next.Add(1)) - 1 {
				c := &b.expected[i]
				ours, err := mapRows(ctx, reference.Engine{}, r.Limits, inputs[i].Pattern, inputs[i].Rows)
				if c.ours = ours; err != nil {
					c.err = unanswered(ctx, err)
				}
			}
		})
	}
	wg.Wait()
	return b
}

// ask puts inputs to the subject, and compares.
func (r *run) ask(b *batch) []comparison {
	out := b.expected
	var cases []*oracle.Case
	var asked []int
	for i, in := range b.inputs {
		c := &oracle.Case{ID: strconv.Itoa(i), Op: oracle.Map, Pattern: in.Pattern.String(), Tree: in.Pattern, Rows: in.Rows}
		if reason := r.subject.Supports(c); reason != "" {
			out[i].err = oracle.NoAnswer(oracle.NotComparable, "%s", reason)
		}
		if out[i].err == nil {
			cases, asked = append(cases, c), append(asked, i)
		}
	}
	for k, reply := range oracle.AskAll(r.ctx, r.subject, cases) {
		c := &out[asked[k]]
		switch {
		case reply.Err != nil:
			c.err = reply.Err
		case reply.Answer.Err != nil:
			c.err = oracle.NoAnswer(oracle.Refused, "%s", reply.Answer.Err.Message)
		case len(reply.Answer.Mappings) != len(c.ours):
			c.err = oracle.NoAnswer(oracle.Failed, "the answer has %d mappings for %d rows", len(reply.Answer.Mappings), len(c.ours))
		default:
			c.theirs = reply.Answer.Mappings
			c.at = oracle.DifferAt(c.ours, c.theirs)
		}
	}
	return out
}
