package reference

import (
	"context"
	"iter"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Name is the engine's name.
const Name = "reference"

// Engine is the reference matcher. The zero value is ready for use.
type Engine struct {
	// Trace is called at every step of every search, in order. It is called by
	// the goroutine that searches. nil: no calls, no cost.
	Trace func(Event)
}

// Name returns the name of the engine.
func (Engine) Name() string { return Name }

// Compile prepares the pattern of a clause. The error is of stage limit: a
// PERMUTE with too many elements (LIM-1).
func (e Engine) Compile(c *semantics.Clause, lim matcher.Limits) (matcher.Program, error) {
	lim = lim.WithDefaults()
	nodes, root, exclusion, err := compile(c.Pattern, lim.Permute)
	if err != nil {
		return nil, diag.From(err).In(c.Source)
	}
	return &program{clause: c, machine: machine{nodes: nodes, root: root, exclusion: exclusion, trace: e.Trace,
		budget: newBudget(lim, c.Source, c.Pattern.Pos)}}, nil
}

// program is a compiled clause. Its machine is the model of those that run.
type program struct {
	clause  *semantics.Clause
	machine machine
}

// Partition prepares the search in one partition.
func (p *program) Partition(part *semantics.Partition) (matcher.Finder, error) {
	f := &finder{machine: p.machine}
	f.machine.conds = p.clause.Conditions(part)
	f.machine.length = part.Len()
	return f, nil
}

// finder finds matches in one partition.
type finder struct{ machine machine }

// Find returns the preferred match that starts at a.Start (MAT-1).
func (f *finder) Find(ctx context.Context, a matcher.Attempt) (semantics.Mapping, bool, error) {
	found, err := f.machine.run(ctx, a)
	if err != nil || !found {
		return semantics.Mapping{}, false, err
	}
	return f.machine.mapping(), true, nil
}

// All yields every feasible candidate of an attempt, in preference order: the
// first is the match, the others are what MAT-1 passes over. Candidates with
// equal mappings but different derivations come once each. The Mapping is valid
// until the next one.
func (f *finder) All(ctx context.Context, a matcher.Attempt) iter.Seq2[semantics.Mapping, error] {
	return func(yield func(semantics.Mapping, error) bool) {
		found, err := f.machine.run(ctx, a)
		for ; found && err == nil; found, err = f.machine.another(ctx) {
			if !yield(f.machine.mapping(), nil) {
				return
			}
		}
		if err != nil {
			yield(semantics.Mapping{}, err)
		}
	}
}
