package drift

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Fault is an engine that is wrong in one way: what explains the answer of a
// subject, if it gives the same.
type Fault struct {
	Name  string
	Rules []string // that it breaks
	Run   func(ctx context.Context, sql string, o query.Options, lim matcher.Limits) (*query.Result, error)
}

// Mutants are the faults of package oracle/faux.
func Mutants() []Fault {
	var out []Fault
	for _, m := range faux.Mutants() {
		out = append(out, Fault{m.Name(), m.Fault().Rules, m.Run})
	}
	return out
}

// QueryOptions say which whole queries are tried. N, Seed, Time, All, Limits and
// Progress are as for Run.
type QueryOptions struct {
	N        int
	Seed     uint64
	Time     time.Duration
	All      bool
	Limits   matcher.Limits
	Queries  gen.Queries // zero: DefaultQueries, less what the subject refuses
	Faults   []Fault     // nil: Mutants
	Progress func(*QueryReport)
	Found    func(*QueryDrift)
}

// DefaultQueries have no ties, since their order is left to the implementation
// (NUL-3), and no run-time errors that may or may not be raised (DEF-15).
var DefaultQueries = func() gen.Queries {
	o := gen.DefaultQueries
	o.Tables.Unique = true
	o.Conditions.Errors = 0
	return o
}()

// DefaultQueryN is how many queries are tried if nothing else is said.
const DefaultQueryN = 2_000

// QueryReport is what came of a run.
type QueryReport struct {
	Subject, Version string
	Seed             uint64
	Drawn            int
	Compared         int
	Differing        int
	Drifts           []*QueryDrift
	Failed           int
	Passed           map[string]int // queries without an answer, by verdict and reason
	Elapsed          time.Duration
	Interrupted      bool
	inARow           int
	lastFailure      string
}

// Outcome is a result, or the error in its place.
type Outcome struct {
	Table *table.Table
	Err   *diag.Error
}

// QueryDrift is a query with another answer.
type QueryDrift struct {
	*gen.Query
	Expected Outcome  // what the rules say
	Got      Outcome  // what the subject says
	Rules    []string // those of the faults that give the same answer; none: unexplained
	Faults   []string // their names
	Seed     uint64
	Case     int
	Drawn    *gen.Query // as it was found
}

// RunQueries puts whole queries to a subject that answers them. Where the answer
// is another one, the query is made simpler as long as it is, and the faults are
// tried on what remains: the rules of those that alone give the subject's answer
// are those that it may have broken. Where no fault does, nothing is guessed.
func RunQueries(ctx context.Context, o QueryOptions, s Subject) (*QueryReport, error) {
	r := &queryRun{QueryOptions: o, subject: s, ctx: ctx, began: time.Now(), seen: map[string]bool{},
		report: &QueryReport{Subject: s.Name(), Seed: o.Seed, Passed: map[string]int{}}}
	if r.Limits.Steps == 0 {
		r.Limits.Steps = DefaultSteps
	}
	if r.Queries == (gen.Queries{}) {
		r.Queries = DefaultQueries
	}
	if r.Faults == nil {
		r.Faults = Mutants()
	}
	if r.N == 0 && r.Time == 0 {
		r.N = DefaultQueryN
	}
	err := r.run()
	r.report.Elapsed = time.Since(r.began)
	if ctx.Err() != nil {
		r.report.Interrupted = true
		return r.report, ctx.Err()
	}
	return r.report, err
}

type queryRun struct {
	QueryOptions
	subject Subject
	ctx     context.Context
	began   time.Time
	report  *QueryReport
	seen    map[string]bool
}

func (r *queryRun) run() error {
	version, err := r.subject.Version(r.ctx)
	if err != nil {
		return err
	}
	r.report.Version = version
	for !r.done() {
		n := DefaultTogether
		if r.N > 0 {
			n = min(n, r.N-r.report.Drawn)
		}
		first := r.report.Drawn
		batch := make([]*gen.Query, n)
		for i := range batch {
			batch[i] = r.Queries.Draw(gen.Case(r.Seed, first+i))
		}
		r.report.Drawn += n
		r.try(batch, first)
		if r.Progress != nil {
			r.report.Elapsed = time.Since(r.began)
			r.Progress(r.report)
		}
		if r.report.inARow >= hopeless*DefaultSets {
			return oracle.NoAnswer(oracle.Failed, "it fails on everything: %s", r.report.lastFailure)
		}
	}
	return nil
}

func (r *queryRun) done() bool {
	return r.ctx.Err() != nil || r.N > 0 && r.report.Drawn >= r.N || r.Time > 0 && time.Since(r.began) >= r.Time ||
		!r.All && len(r.report.Drifts) > 0
}

func (r *queryRun) try(batch []*gen.Query, first int) {
	for i, c := range r.compare(batch) {
		if r.ctx.Err() != nil || !r.All && len(r.report.Drifts) > 0 {
			return
		}
		if c.err != nil {
			r.unanswered(c.err)
			continue
		}
		r.report.inARow = 0
		r.report.Compared++
		if c.differs {
			r.report.Differing++
			r.found(batch[i], first+i)
		}
	}
}

func (r *queryRun) unanswered(err error) {
	verdict, reason := oracle.WhyNot(err)
	if verdict == oracle.Failed || verdict == oracle.TimedOut {
		r.report.Failed++
		r.report.inARow++
		r.report.lastFailure = reason
	}
	key := verdict.String() + ": " + reason
	if _, ok := r.report.Passed[key]; !ok && len(r.report.Passed) >= maxReasons {
		key = verdict.String() + ": other reasons"
	}
	r.report.Passed[key]++
}

func (r *queryRun) found(q *gen.Query, number int) {
	small := gen.MinimizeQuery(q, func(tries []*gen.Query) int {
		for i := 0; i < len(tries) && r.ctx.Err() == nil; i += DefaultTogether {
			part := tries[i:min(i+DefaultTogether, len(tries))]
			for j, c := range r.compare(part) {
				if c.err == nil && c.differs && part[j].IsSettled() == q.IsSettled() {
					return i + j
				}
			}
		}
		return -1
	})
	c := r.compare([]*gen.Query{small})[0]
	if c.err != nil || !c.differs {
		r.unanswered(oracle.NoAnswer(oracle.Failed, "the same question is answered in two ways"))
		return
	}
	text := small.String()
	if r.seen[text] {
		return
	}
	r.seen[text] = true
	d := &QueryDrift{Query: small, Expected: c.ours, Got: c.theirs, Seed: r.Seed, Case: number, Drawn: q}
	r.explain(d)
	r.report.Drifts = append(r.report.Drifts, d)
	if r.Found != nil {
		r.Found(d)
	}
}

// explain tries the faults on a drift.
func (r *queryRun) explain(d *QueryDrift) {
	for _, f := range r.Faults {
		if r.ctx.Err() != nil {
			return
		}
		out, err := r.outcome(d.Query, f.Run)
		if err != nil || !same(out, d.Got) {
			continue
		}
		d.Faults = append(d.Faults, f.Name)
		for _, rule := range f.Rules {
			if !slices.Contains(d.Rules, rule) {
				d.Rules = append(d.Rules, rule)
			}
		}
	}
	slices.Sort(d.Rules)
}

type queryComparison struct {
	ours, theirs Outcome
	differs      bool
	err          error
}

func (r *queryRun) compare(batch []*gen.Query) []queryComparison {
	out := make([]queryComparison, len(batch))
	var cases []*oracle.Case
	var asked []int
	for i, q := range batch {
		c := &oracle.Case{ID: strconv.Itoa(i), Op: oracle.Query, SQL: q.SQL()}
		in, err := q.MakeTable()
		if err == nil {
			c.Tables = []oracle.Table{{Name: "T", Data: in}}
			out[i].ours, err = r.outcome(q, asReference)
		}
		if err != nil {
			out[i].err = unanswered(r.ctx, err)
			continue
		}
		if reason := r.subject.Supports(c); reason != "" {
			out[i].err = oracle.NoAnswer(oracle.NotComparable, "%s", reason)
			continue
		}
		cases, asked = append(cases, c), append(asked, i)
	}
	for k, reply := range oracle.AskAll(r.ctx, r.subject, cases) {
		c := &out[asked[k]]
		c.theirs = Outcome{reply.Answer.Table, reply.Answer.Err}
		switch e := reply.Answer.Err; {
		case reply.Err != nil:
			c.err = reply.Err
		case e != nil && e.Stage != diag.Runtime:
			c.err = oracle.NoAnswer(oracle.Refused, "%s", e.Message)
		case e == nil && reply.Answer.Table == nil:
			c.err = oracle.NoAnswer(oracle.Failed, "neither a result nor an error")
		default:
			c.differs = !same(c.ours, c.theirs)
		}
	}
	return out
}

// asReference runs a query with the reference.
func asReference(ctx context.Context, sql string, o query.Options, lim matcher.Limits) (*query.Result, error) {
	o.Recognizer = matcher.Using(reference.Engine{}, lim)
	return query.Run(ctx, sql, o)
}

// outcome runs a query. Run-time errors are outcomes, other errors are errors.
func (r *queryRun) outcome(q *gen.Query, run func(context.Context, string, query.Options, matcher.Limits) (*query.Result, error)) (Outcome, error) {
	in, err := q.MakeTable()
	if err != nil {
		return Outcome{}, err
	}
	res, err := run(r.ctx, q.SQL(), query.Options{Tables: func(name string, _ bool) (*table.Table, bool, error) { return in, name == "T", nil }}, r.Limits)
	var e *diag.Error
	switch {
	case err == nil:
		return Outcome{Table: res.Table}, nil
	case errors.As(err, &e) && e.Stage == diag.Runtime:
		return Outcome{Err: e}, nil
	}
	return Outcome{}, err
}

// same compares two outcomes: tables as bags of rows, errors by their SQLSTATE
// where both have one.
func same(a, b Outcome) bool {
	if a.Err != nil || b.Err != nil {
		return a.Err != nil && b.Err != nil && (a.Err.SQLSTATE == b.Err.SQLSTATE || a.Err.SQLSTATE == "" || b.Err.SQLSTATE == "")
	}
	return dialect.Same(a.Table, b.Table, false)
}

// String writes an outcome as lines.
func (o Outcome) String() string {
	if o.Err != nil {
		return fmt.Sprintf("error %s: %s\n", o.Err.SQLSTATE, diag.Escape(o.Err.Message))
	}
	var b strings.Builder
	if err := o.Table.WriteText(&b); err != nil {
		return err.Error() + "\n"
	}
	return b.String()
}

// String describes a drift: the query, both answers, the rules.
func (d *QueryDrift) String() string {
	var b strings.Builder
	if len(d.Rules) == 0 {
		fmt.Fprintf(&b, "drift: %s, no single fault gives this answer\n", Unexplained)
	} else {
		fmt.Fprintf(&b, "drift: %s, as of %s\n", strings.Join(d.Rules, ", "), strings.Join(d.Faults, ", "))
	}
	for _, part := range [][2]string{{"query", d.Query.String()}, {"should be", d.Expected.String()}, {"is", d.Got.String()}} {
		fmt.Fprintf(&b, "  %s\n", part[0])
		for _, line := range strings.Split(strings.TrimSuffix(part[1], "\n"), "\n") {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	fmt.Fprintf(&b, "  found with seed %d, case %d\n", d.Seed, d.Case)
	return b.String()
}

// String sums a run up.
func (r *QueryReport) String() string {
	head := fmt.Sprintf("%s: seed %d, %d queries, %d compared, %d differ (%d different drifts)",
		strings.TrimSpace(diag.Escape(r.Subject+" "+r.Version)), r.Seed, r.Drawn, r.Compared, r.Differing, len(r.Drifts))
	return summary(head, r.Failed, r.Interrupted, nil, r.Passed)
}
