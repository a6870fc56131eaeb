package crosscheck

import (
	"context"
	"sort"
	"sync"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
)

// Options of a run.
type Options struct {
	Jobs     int                                                          // goroutines for opinions that answer case by case; 0: one
	Timeout  time.Duration                                                // of one case with one such opinion; 0: none
	Progress func(done, total int)                                        // called now and then; may be nil
	Result   func(Result)                                                 // called for each result as it comes, from one goroutine at a time; may be nil
	Known    func(opinion string, c *corpus.Case, r Reply) (string, bool) // reason of a known difference; may be nil
}

// Run asks every opinion about every case. Results come back sorted by case, in
// the order of cases, and within a case in the order of opinions. When the
// context ends, what has been answered is returned, and interrupted is true.
func Run(ctx context.Context, cases []*corpus.Case, opinions []Opinion, o Options) (results []Result, interrupted bool) {
	r := &runner{ctx: ctx, o: o, total: len(cases) * len(opinions), order: map[string]int{}}
	for i, c := range cases {
		r.order[c.Name] = i
	}
	for i, op := range opinions {
		r.order["\x00"+op.Name()] = i
	}
	var wg sync.WaitGroup
	single := make(chan task)
	for range max(1, o.Jobs) {
		wg.Go(func() {
			for t := range single {
				r.ask(t.op, []*corpus.Case{t.c})
			}
		})
	}
	for _, op := range opinions {
		if op.Batch() > 1 {
			wg.Go(func() { r.batches(op, cases) })
		}
	}
	for _, c := range cases {
		for _, op := range opinions {
			if op.Batch() > 1 || ctx.Err() != nil {
				continue
			}
			single <- task{op, c}
		}
	}
	close(single)
	wg.Wait()
	sort.SliceStable(r.results, func(i, j int) bool {
		a, b := r.results[i], r.results[j]
		if x, y := r.order[a.Case], r.order[b.Case]; x != y {
			return x < y
		}
		return r.order["\x00"+a.Opinion] < r.order["\x00"+b.Opinion]
	})
	return r.results, len(r.results) < r.total
}

type task struct {
	op Opinion
	c  *corpus.Case
}

type runner struct {
	ctx     context.Context
	o       Options
	total   int
	order   map[string]int
	mu      sync.Mutex
	results []Result
}

func (r *runner) batches(op Opinion, cases []*corpus.Case) {
	for len(cases) > 0 && r.ctx.Err() == nil {
		n := min(op.Batch(), len(cases))
		r.ask(op, cases[:n])
		cases = cases[n:]
	}
}

func (r *runner) ask(op Opinion, cases []*corpus.Case) {
	ctx := r.ctx
	if ctx.Err() != nil {
		return
	}
	if timeout := r.o.Timeout; timeout > 0 && len(cases) == 1 {
		if cases[0].IsHostile() {
			timeout = min(timeout, hostileTimeout)
		}
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	begin := time.Now()
	replies := op.Ask(ctx, cases)
	cut := r.ctx.Err() != nil
	micros := time.Since(begin).Microseconds() / int64(len(cases))
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, c := range cases {
		if cut && replies[i].Verdict != 0 {
			continue // what an interruption cut off is no answer
		}
		res := r.judge(op, c, replies[i])
		res.Micros = micros
		r.results = append(r.results, res)
		if r.o.Result != nil {
			r.o.Result(res)
		}
	}
	if r.o.Progress != nil {
		r.o.Progress(len(r.results), r.total)
	}
}

// hostileTimeout is how long an opinion may take for a hostile case. One that
// does not end in it has met a limit: the case is made to exhaust engines.
const hostileTimeout = 200 * time.Millisecond

// mutantTimeout is how long a wrong engine may take for one case.
const mutantTimeout = 10 * time.Second

// judge gives the verdict on a reply.
func (r *runner) judge(op Opinion, c *corpus.Case, reply Reply) Result {
	res := Result{Case: c.Name, Kind: c.Kind, Rules: c.Rules, Clause: c.Clause, By: c.By, Reading: c.Reading,
		Opinion: op.Name(), File: c.File, Line: c.Line, Reason: reply.Reason}
	verdict := reply.Verdict
	if verdict == 0 {
		verdict = oracle.Agrees
		if !SameAnswer(c, c.Answer, reply.Lines) {
			verdict = oracle.Differs
		}
	}
	if verdict == oracle.Differs || verdict == oracle.Refused || verdict == oracle.Failed {
		res.Expected, res.Answer = c.Answer, reply.Lines
		if r.o.Known != nil {
			if why, ok := r.o.Known(op.Name(), c, reply); ok {
				verdict, res.Reason = oracle.KnownDifference, why
			}
		}
	}
	res.Verdict = verdict.String()
	return res
}
