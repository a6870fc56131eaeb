package enumerate

import (
	"context"
	"math"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Engine finds a match by going through the candidates in preference order
// and taking the first that is feasible (MAT-1). A candidate is given up at its
// first row or anchor that fails, together with all others that begin the same
// way; otherwise nothing is skipped, remembered or reordered. It is exact for
// every condition, and exponential.
type Engine struct{}

// Name returns "enumerate".
func (Engine) Name() string { return "enumerate" }

// Compile prepares the clause. It fails with stage limit if a PERMUTE has more
// elements than the limits allow (PAT-7).
func (Engine) Compile(c *semantics.Clause, lim matcher.Limits) (matcher.Program, error) {
	lim = lim.WithDefaults()
	var err error
	c.Pattern.Walk(func(p *semantics.Pattern) {
		if err == nil && p.Op == semantics.OpPermute && len(p.Sub) > lim.Permute {
			err = diag.New(diag.Limit, "LIM-1", p.Pos, "PERMUTE has %d elements, at most %d are allowed", len(p.Sub), lim.Permute).
				In(c.Source).WithHint("permute fewer elements, or raise the limit")
		}
	})
	if err != nil {
		return nil, err
	}
	return &program{clause: c, root: newTerm(c.Pattern, false), lim: lim}, nil
}

type program struct {
	clause *semantics.Clause
	root   *term
	lim    matcher.Limits
}

// Partition prepares the search in one partition.
func (p *program) Partition(part *semantics.Partition) (matcher.Finder, error) {
	f := &finder{program: p, rows: part.Len(), conditions: p.clause.Conditions(part)}
	f.list.filter = Filter{Variable: f.holds, Anchor: f.anchorHolds}
	f.list.poll = func() error { return f.ctx.Err() }
	return f, nil
}

type finder struct {
	*program
	rows       int // of the partition
	conditions *semantics.Conditions
	list       lister
	ctx        context.Context
	attempt    matcher.Attempt
	vars       []semantics.VarID // of the rows mapped so far
	tests      int64
}

// Find returns the first feasible candidate. Conditions are tested as the
// candidates are listed, without looking ahead at how many rows are left, so
// that a run-time error is raised where preference order meets it (DEF-15).
func (f *finder) Find(ctx context.Context, a matcher.Attempt) (semantics.Mapping, bool, error) {
	if err := ctx.Err(); err != nil {
		return semantics.Mapping{}, false, err
	}
	f.ctx, f.attempt, f.tests = ctx, a, 0
	l := &f.list
	l.rows, l.steps, l.live, l.err = l.rows[:0], 0, 0, nil
	l.maxSteps = math.MaxInt64
	if f.lim.Steps < math.MaxInt64/stepsPerTest {
		l.maxSteps = f.lim.Steps * stepsPerTest
	}
	root := l.open(f.root, max(a.End-a.Start, 0))
	found := l.next(root)
	if l.err != nil {
		l.discard(root)
		return semantics.Mapping{}, false, f.located(l.err)
	}
	m := semantics.Mapping{Start: a.Start}
	if found {
		m.Vars = f.vars[:len(l.rows)]
		if f.root.excludes {
			m.Excluded = root.exclusion(len(l.rows))
		}
	}
	l.discard(root)
	return m, found, nil
}

// stepsPerTest allows for the steps of the list that test no condition:
// anchors, empty patterns, iterations begun.
const stepsPerTest = 8

// holds tests the condition of the last row (DEF-5, DEF-6).
func (f *finder) holds(rows []*semantics.Pattern) (bool, error) {
	f.tests++
	if f.tests > f.lim.Steps {
		return false, tooManySteps(f.lim.Steps)
	}
	if int64(len(rows)) > f.lim.Rows {
		return false, diag.New(diag.Limit, "LIM-1", f.clause.Pattern.Pos, "a match maps more than %d rows", f.lim.Rows).
			WithHint("raise the limit of mapped rows")
	}
	last := len(rows) - 1
	f.vars = append(f.vars[:last], rows[last].Var)
	return f.conditions.Holds(f.attempt.Reach(), f.attempt.Start, f.vars)
}

func (f *finder) anchorHolds(op semantics.Op, rows int) bool {
	return anchorHolds(op, f.attempt.Start+rows, f.rows)
}

// located gives a limit error of the list the text that its place refers to.
func (f *finder) located(err error) error {
	if e, ok := err.(*diag.Error); ok && e.Stage == diag.Limit {
		return e.At(f.clause.Pattern.Pos).In(f.clause.Source)
	}
	return err
}

// discard takes back a cursor and all below it for later use.
func (l *lister) discard(c *cursor) {
	for _, part := range c.parts {
		l.discard(part)
	}
	c.parts = c.parts[:0]
	l.free = append(l.free, c)
}
