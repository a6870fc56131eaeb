package drift

import (
	"context"
	"strconv"
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
	Dir      string         // folder of found inputs: those in it are tried first, new ones are added; "": none
	Patterns gen.Patterns   // what patterns are like; zero: gen.DefaultPatterns, less what the subject does not know
	Rows     gen.Rows       // what rows are like; zero: gen.DefaultRows
	Limits   matcher.Limits // of the reference; zero: DefaultSteps
	// Progress is called after every batch of inputs; it must not keep the report.
	Progress func(*Report)
	// Found is called for each new drift, when it has been made small.
	Found func(*Drift)
}

// Defaults of the options.
const (
	DefaultN     = 20_000
	DefaultSteps = 2_000 // condition tests of one attempt of the reference
	batchSize    = 32    // patterns asked together
	rowSets      = 3     // inputs drawn for each pattern
	growEvery    = 64    // patterns after which they may have a leaf more
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
	hopeless    = 30 // failures one after another that end a run
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
	r := &run{Options: o, subject: s, ctx: ctx, began: time.Now(), report: &Report{Subject: s.Name(), Seed: o.Seed, Passed: map[string]int{}}, seen: map[string]bool{}}
	if r.Limits.Steps == 0 {
		r.Limits.Steps = DefaultSteps
	}
	if r.Rows == (gen.Rows{}) {
		r.Rows = gen.DefaultRows
	}
	err := r.run()
	r.report.Elapsed = time.Since(r.began)
	if ctx.Err() != nil {
		r.report.Interrupted = true
		return r.report, ctx.Err()
	}
	return r.report, err
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
	if len(kept) > 0 {
		r.report.Replayed = len(kept)
		for i := 0; i < len(kept) && !r.done(); i += batchSize {
			r.try(kept[i:min(i+batchSize, len(kept))], -1)
		}
	}
	for !r.done() {
		batch := make([]gen.Input, 0, batchSize*rowSets)
		first := r.report.Drawn
		for range r.left() {
			src := gen.Case(r.Seed, r.report.Drawn)
			// Small patterns first: an engine that is slow on large ones is shown
			// something soon.
			patterns := r.Patterns
			patterns.Size = min(patterns.Size, 2+r.report.Drawn/growEvery)
			r.report.Drawn++
			p := patterns.Draw(src)
			for range rowSets {
				batch = append(batch, gen.Input{Pattern: p, Rows: r.Rows.Draw(src, p)})
			}
		}
		r.try(batch, first)
		if r.Progress != nil {
			r.report.Elapsed = time.Since(r.began)
			r.Progress(r.report)
		}
		if r.inARow >= hopeless {
			last := r.report.Failures[len(r.report.Failures)-1]
			return oracle.NoAnswer(oracle.Failed, "it fails on everything, such as %s: %s", last.Input, last.Reason)
		}
	}
	return nil
}

// left is how many inputs the next batch has.
func (r *run) left() int {
	switch {
	case r.N == 0 && r.Time == 0:
		return min(batchSize, DefaultN-r.report.Drawn)
	case r.N == 0:
		return batchSize
	}
	return min(batchSize, r.N-r.report.Drawn)
}

func (r *run) done() bool {
	return r.ctx.Err() != nil || r.left() <= 0 || r.Time > 0 && time.Since(r.began) >= r.Time || !r.All && len(r.report.Drifts) > 0
}

// try compares a batch of inputs, whose numbers begin with first.
func (r *run) try(batch []gen.Input, first int) {
	for i, c := range r.compare(batch) {
		if c.err == nil {
			r.inARow = 0
		}
		if r.ctx.Err() != nil || !r.All && len(r.report.Drifts) > 0 {
			return
		}
		switch {
		case c.err != nil:
			r.unanswered(batch[i], c.err)
			continue
		case c.at < 0:
			r.report.Compared++
			r.report.Rows += len(batch[i].Rows)
			continue
		}
		r.report.Compared++
		r.report.Rows += len(batch[i].Rows)
		r.report.Differing++
		number := first
		if first >= 0 {
			number = first + i/rowSets
		}
		r.found(batch[i], number)
	}
}

// unanswered counts an input without an answer.
func (r *run) unanswered(in gen.Input, err error) {
	verdict, reason := oracle.WhyNot(err)
	if verdict == oracle.Failed || verdict == oracle.TimedOut {
		r.report.Failed++
		r.inARow++
		if len(r.report.Failures) < maxFailures {
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
	small := gen.Minimize(in, r.failing)
	c := r.compare([]gen.Input{small})[0]
	if c.err != nil || c.at < 0 {
		// A subject that answers the same question in two ways is shown as it was first found.
		small = in
		if c = r.compare([]gen.Input{in})[0]; c.err != nil || c.at < 0 {
			r.unanswered(in, oracle.NoAnswer(oracle.Failed, "the same question is answered in two ways"))
			return
		}
	}
	key := small.Pattern.String() + "\n" + gen.RowsText(small.Rows)
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	d := &Drift{Input: small, Start: c.at, Preferred: c.ours[c.at], Got: c.theirs[c.at], Seed: r.Seed, Case: number, Drawn: in}
	d.Cause = Explain(small.Pattern, small.Rows, d.Start, d.Preferred, d.Got)
	if l, ok := r.subject.(*local); ok && l.rewrite != nil {
		if q, err := l.rewrite(small.Pattern); err == nil {
			d.Rewritten = q.String()
		}
	}
	r.report.Drifts = append(r.report.Drifts, d)
	if r.Dir != "" {
		if err := keep(r.Dir, r.report.Subject, d, c.ours); err != nil {
			r.report.Passed["not kept: "+err.Error()]++
		}
	}
	if r.Found != nil {
		r.Found(d)
	}
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
	out := make([]comparison, len(inputs))
	var cases []*oracle.Case
	var asked []int
	for i, in := range inputs {
		c := &oracle.Case{ID: strconv.Itoa(i), Op: oracle.Map, Pattern: in.Pattern.String(), Tree: in.Pattern, Rows: in.Rows}
		if reason := r.subject.Supports(c); reason != "" {
			out[i].err = oracle.NoAnswer(oracle.NotComparable, "%s", reason)
			continue
		}
		ours, err := mapRows(r.ctx, reference.Engine{}, r.Limits, in.Pattern, in.Rows)
		if err != nil {
			out[i].err = unanswered(r.ctx, err)
			continue
		}
		out[i].ours = ours
		cases, asked = append(cases, c), append(asked, i)
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
