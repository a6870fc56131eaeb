package drift

import (
	"context"
	"errors"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Subject is what is checked for drift: anything that answers a Map case. An
// engine in another process is one (package oracle/exec), so are the oracles;
// the functions below make subjects of engines, functions and rewrites.
type Subject = oracle.Oracle

// FromEngine makes a subject of a matcher.
func FromEngine(e matcher.Engine, lim matcher.Limits) Subject {
	return &local{name: e.Name(), find: func(ctx context.Context, p *semantics.Pattern, rows [][]string) ([]oracle.Mapping, error) {
		return mapRows(ctx, e, lim, p, rows)
	}}
}

// FromRewrite makes a subject of a change of patterns: what the reference says
// of the changed pattern. A pattern that is left as it is says nothing of the
// rewrite and is not comparable.
func FromRewrite(name string, apply func(*semantics.Pattern) *semantics.Pattern, lim matcher.Limits) Subject {
	s := &local{name: name}
	s.rewrite = func(p *semantics.Pattern) (*semantics.Pattern, error) {
		q := apply(p)
		switch {
		case q == nil:
			return nil, oracle.NoAnswer(oracle.Failed, "the rewrite gives no pattern")
		case q == p || q.Equal(p):
			return nil, oracle.NoAnswer(oracle.NotComparable, unchanged)
		}
		// Printed and parsed, it is a pattern like any other, or an error.
		out, err := semantics.ParsePattern(q.String())
		if err != nil {
			return nil, oracle.NoAnswer(oracle.Failed, "the rewrite gives %s, which is no pattern: %s", q, diag.From(err).Message)
		}
		return out, nil
	}
	s.find = func(ctx context.Context, p *semantics.Pattern, rows [][]string) ([]oracle.Mapping, error) {
		q, err := s.rewrite(p)
		if err != nil {
			return nil, err
		}
		return mapRows(ctx, reference.Engine{}, lim, q, rows)
	}
	return s
}

const unchanged = "the rewrite leaves the pattern as it is"

// Find is a matcher as a function: the preferred match of a pattern that starts
// at one of the rows, counted from 0. The variables that hold on a row are
// listed in it. Excluded may be nil.
type Find func(p *semantics.Pattern, rows [][]string, start int) (vars []string, excluded []bool, found bool, err error)

// FromFunc makes a subject of a function.
func FromFunc(name string, f Find) Subject {
	return &local{name: name, find: func(_ context.Context, p *semantics.Pattern, rows [][]string) ([]oracle.Mapping, error) {
		out := make([]oracle.Mapping, len(rows))
		for i := range rows {
			vars, excluded, found, err := f(p, rows, i)
			if err != nil {
				return nil, err
			}
			out[i] = oracle.Mapping{Found: found, Vars: vars, Excluded: excluded}
		}
		return out, nil
	}}
}

// local is a subject within this process.
type local struct {
	name    string
	find    func(ctx context.Context, p *semantics.Pattern, rows [][]string) ([]oracle.Mapping, error)
	rewrite func(p *semantics.Pattern) (*semantics.Pattern, error) // of a rewrite
}

func (s *local) Name() string { return s.name }

// Version is that of the program that the subject is part of.
func (s *local) Version(context.Context) (string, error) { return "", nil }

func (s *local) Close() error { return nil }

func (s *local) Supports(c *oracle.Case) string {
	if c.Op != oracle.Map {
		return "only patterns over rows of labels can be asked here"
	}
	if s.rewrite == nil {
		return ""
	}
	if p, err := c.ParsePattern(); err == nil && s.leaves(p) {
		return unchanged
	}
	return ""
}

// leaves reports whether a rewrite leaves a pattern as it is.
func (s *local) leaves(p *semantics.Pattern) (same bool) {
	defer func() {
		if recover() != nil {
			same = false // Ask will say it
		}
	}()
	_, err := s.rewrite(p)
	var u *oracle.Unanswered
	return errors.As(err, &u) && u.Reason == unchanged
}

func (s *local) Ask(ctx context.Context, c *oracle.Case) (a oracle.Answer, err error) {
	defer func() {
		if e := recover(); e != nil {
			err = oracle.NoAnswer(oracle.Failed, "it panics: %v", e)
		}
	}()
	p, err := c.ParsePattern()
	if err == nil {
		a.Mappings, err = s.find(ctx, p, c.Rows)
	}
	return a, unanswered(ctx, err)
}

// unanswered turns an error of a matcher into the reason why there is no answer.
func unanswered(ctx context.Context, err error) error {
	var u *oracle.Unanswered
	var e *diag.Error
	switch {
	case err == nil || errors.As(err, &u):
		return err
	case ctx.Err() != nil:
		return oracle.Interrupted(ctx)
	case errors.As(err, &e) && (e.Stage == diag.Limit || e.Stage == diag.Unsupported):
		return &oracle.Unanswered{Verdict: oracle.NotComparable, Reason: e.Stage.String(), Err: err}
	case errors.As(err, &e) && e.Stage != diag.Internal:
		return &oracle.Unanswered{Verdict: oracle.Refused, Reason: e.Message, Err: err}
	}
	return &oracle.Unanswered{Verdict: oracle.Failed, Reason: err.Error(), Err: err}
}

// mapRows asks a matcher for the preferred match at each row.
func mapRows(ctx context.Context, e matcher.Engine, lim matcher.Limits, p *semantics.Pattern, rows [][]string) ([]oracle.Mapping, error) {
	// Binding numbers the variables of a tree, which the caller may share.
	c, in, err := semantics.LabelledTree(p.Clone(), rows)
	if err != nil {
		return nil, err
	}
	found, err := matcher.Map(ctx, e, c, in, lim)
	if err != nil {
		return nil, err
	}
	out := make([]oracle.Mapping, len(found))
	for i, m := range found {
		if m != nil {
			out[i] = named(c, *m)
		}
	}
	return out, nil
}

// named gives a mapping with the names of its variables.
func named(c *semantics.Clause, m semantics.Mapping) oracle.Mapping {
	out := oracle.Mapping{Found: true, Vars: make([]string, len(m.Vars))}
	for i, v := range m.Vars {
		out.Vars[i] = c.Name(v)
		if m.IsExcluded(i) {
			if out.Excluded == nil {
				out.Excluded = make([]bool, len(m.Vars))
			}
			out.Excluded[i] = true
		}
	}
	return out
}
