package diff

import (
	"context"
	"fmt"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/known"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/oracle"
)

// Options are what a run is about.
type Options struct {
	Cases   []*corpus.Case
	Head    crosscheck.Head // version, corpus hash and filter; the rest is filled in
	Engines []*Engine
	Time    time.Duration // of generated inputs, all engines together; 0: by N
	N       int           // generated patterns, and as many queries, for each engine; 0 and no time: none
	Seed    uint64
	Jobs    int
	Tries   int // of one reduction; 0: reduce.DefaultTries
	Timeout time.Duration
	// Progress is called now and then; may be nil.
	Progress func(what string, done, total int)
	Result   func(crosscheck.Result) // each result of the suite, as it comes; may be nil
	Found    func(*Finding)          // each finding, when it is complete; may be nil
}

// Generated counts what came of generated inputs of one engine.
type Generated struct {
	Engine    string
	What      string // patterns, queries
	Tried     int
	Agree     int
	Differing int
	Known     int            // of the differing ones: covered by the engine's list, as they are or reduced
	Reduced   int            // of the differing ones: made small
	Left      int            // of the differing ones: no single fault explains them, and others like them were reduced in their place
	Passed    map[string]int // without an answer, by verdict and reason
	Unknown   []string       // parts of the language that were not drawn
	Elapsed   time.Duration  // patterns: of asking, without reductions
}

// Report is what came of a run.
type Report struct {
	Stream      *crosscheck.Stream
	Findings    []*Finding
	Generated   []Generated
	Stale       []*known.Entry // entries that no longer differ
	Unreached   []string       // engines that could not be reached, with the reason
	Seed        uint64
	Interrupted bool
	Elapsed     time.Duration
}

// Code is the exit code of a run: 130 interrupted, 3 an engine could not be
// reached, 1 differences or stale entries, else 0.
func (r *Report) Code() int {
	switch {
	case r.Interrupted:
		return 130
	case len(r.Unreached) > 0:
		return 3
	case len(r.Findings) > 0 || len(r.Stale) > 0:
		return 1
	}
	return 0
}

// Run holds the engines against the rules. When the context ends, the report
// has what was found until then.
func Run(ctx context.Context, o Options) *Report {
	late, cancel := afterwards(ctx)
	defer cancel()
	r := &runner{Options: o, ctx: ctx, late: late, mutants: NewMutants(), report: &Report{Seed: o.Seed}}
	began := time.Now()
	r.connect()
	r.suite()
	for i, e := range r.live {
		f := &finder{engine: e, mutants: r.mutants, tries: o.Tries, late: late}
		f.progress = func(done, total int) { r.progress("reducing differences of "+e.Name, done, total) }
		f.add(ctx, r.differences(e))
		r.generated(e, f, i)
		f.faces()
		for _, found := range f.findings {
			r.report.Findings = append(r.report.Findings, found)
			if o.Found != nil {
				o.Found(found)
			}
		}
	}
	r.report.Interrupted = ctx.Err() != nil
	r.report.Stream.Foot.Interrupted = r.report.Interrupted
	r.report.Elapsed = time.Since(began)
	return r.report
}

// afterwardsFor is how long answers are judged after an interruption.
const afterwardsFor = 3 * time.Second

// afterwards returns a context that ends a moment after another one is
// interrupted, so that what was found until then can be explained.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(afterwardsFor, cancel)
		context.AfterFunc(late, func() { timer.Stop() })
	})
	return late, func() { stop(); cancel() }
}

type runner struct {
	Options
	ctx     context.Context
	late    context.Context // for what an answer is worth that came before ctx ended
	mutants *Mutants
	live    []*Engine
	report  *Report
}

func (r *runner) progress(what string, done, total int) {
	if r.Progress != nil {
		r.Progress(what, done, total)
	}
}

// connect reaches the engines. The names of two that call themselves alike are
// told apart.
func (r *runner) connect() {
	head := r.Head
	names := map[string]int{}
	for _, e := range r.Engines {
		r.progress("reaching "+e.Spec, 0, 0)
		err := e.Connect(r.ctx)
		if names[e.Name]++; names[e.Name] > 1 {
			e.Name = fmt.Sprintf("%s-%d", e.Name, names[e.Name])
		}
		s := crosscheck.Speaker{Name: e.Name, Version: e.Version}
		if err != nil {
			s.Problem = err.Error()
			if r.ctx.Err() == nil {
				r.report.Unreached = append(r.report.Unreached, e.Spec+": "+err.Error())
			}
		} else {
			r.live = append(r.live, e)
		}
		head.Opinions = append(head.Opinions, s)
	}
	head.Cases = len(r.Cases)
	r.report.Stream = &crosscheck.Stream{Head: head}
}

// suite asks the cases.
func (r *runner) suite() {
	var opinions []crosscheck.Opinion
	byName := map[string]*Engine{}
	for _, e := range r.live {
		opinions = append(opinions, e.Opinion)
		byName[e.Name] = e
	}
	if len(opinions) == 0 || len(r.Cases) == 0 {
		return
	}
	results, interrupted := crosscheck.Run(r.ctx, r.Cases, opinions, crosscheck.Options{
		Jobs: max(r.Jobs, 1), Timeout: r.Timeout, Result: r.Result,
		Progress: func(done, total int) { r.progress("asking the suite", done, total) },
		Known: func(name string, c *corpus.Case, reply crosscheck.Reply) (string, bool) {
			entry, ok := r.covers(byName[name], c, reply)
			if !ok {
				return "", false
			}
			return entry.Reason(), true
		},
	})
	s := r.report.Stream
	s.Results = results
	s.Foot = crosscheck.Foot{Results: len(results), Verdicts: map[string]int{}, Interrupted: interrupted}
	for _, res := range results {
		s.Foot.Verdicts[res.Verdict]++
	}
	for _, e := range r.live {
		var own []crosscheck.Result
		for _, res := range results {
			if res.Opinion == e.Name {
				own = append(own, res)
			}
		}
		r.report.Stale = append(r.report.Stale, e.Known.Stale(e.Version, own)...)
	}
}

// covers finds the entry of the engine's list that a difference belongs to.
func (r *runner) covers(e *Engine, c *corpus.Case, reply crosscheck.Reply) (*known.Entry, bool) {
	return e.Known.Covers(r.late, e.Version, c, reply, r.mutants, func(a, b []string) bool {
		same, _ := Compare(c, a, b)
		return same
	})
}

// differences of an engine on the suite, which no entry covers.
func (r *runner) differences(e *Engine) []difference {
	byName := map[string]*corpus.Case{}
	for _, c := range r.Cases {
		byName[c.Name] = c
	}
	var out []difference
	for _, res := range r.report.Stream.Results {
		v, _ := oracle.ParseVerdict(res.Verdict)
		if res.Opinion != e.Name || byName[res.Case] == nil {
			continue
		}
		switch v {
		case oracle.Differs:
			out = append(out, difference{c: byName[res.Case], reply: crosscheck.Reply{Lines: res.Answer, Reason: res.Reason}})
		case oracle.Refused, oracle.Failed, oracle.TimedOut:
			out = append(out, difference{c: byName[res.Case], reply: crosscheck.Reply{Verdict: v, Reason: res.Reason}})
		}
	}
	return out
}

// generated tries generated patterns and queries, half of the time each.
func (r *runner) generated(e *Engine, f *finder, i int) {
	if r.Time == 0 && r.N == 0 || r.ctx.Err() != nil {
		return
	}
	share := r.Time / time.Duration(2*len(r.live))
	r.patterns(e, f, share)
	r.queries(e, f, share)
}

// queryBatch is how many queries are put together.
const queryBatch = 20

// queries puts random whole queries.
func (r *runner) queries(e *Engine, f *finder, share time.Duration) {
	g := Generated{Engine: e.Name, What: "queries", Passed: map[string]int{}}
	began := time.Now()
	for i := 0; r.ctx.Err() == nil && (r.N == 0 || g.Tried < r.N) && (share == 0 || time.Since(began) < share); {
		var batch []*corpus.Case
		for len(batch) < queryBatch && (r.N == 0 || g.Tried+len(batch) < r.N) {
			if c := drawQuery(r.ctx, gen.Case(r.Seed, i)); c != nil {
				batch = append(batch, c)
			}
			if i++; r.ctx.Err() != nil {
				break
			}
		}
		for k, reply := range e.Opinion.Ask(r.ctx, batch) {
			if r.ctx.Err() != nil && reply.Verdict != 0 {
				continue // what an interruption cut off is no answer
			}
			g.Tried++
			switch c := batch[k]; {
			case reply.Verdict == oracle.NotComparable:
				g.Passed[reply.Reason]++
			case !isDifference(c, reply):
				g.Agree++
			default:
				g.Differing++
				if _, ok := r.covers(e, c, reply); ok {
					g.Known++
				} else {
					f.put(difference{c: c, reply: reply, generated: true})
				}
			}
		}
		r.progress("random queries for "+e.Name, g.Tried, r.N)
	}
	r.report.Generated = append(r.report.Generated, g)
	f.settle(r.ctx)
}
