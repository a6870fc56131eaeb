package matcher

import (
	"context"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Runner recognises with one engine and one set of limits: what package query
// is given to carry out the recognitions of a statement.
type Runner struct {
	engine Engine
	limits Limits
}

// Using returns a Runner.
func Using(e Engine, lim Limits) *Runner { return &Runner{engine: e, limits: lim} }

// Recognize returns the output table of a clause of the FROM form.
func (r *Runner) Recognize(ctx context.Context, c *semantics.Clause, in *table.Table) (*table.Table, error) {
	return Recognize(ctx, r.engine, c, in, r.limits)
}

// Frames returns the reduced window frames of a clause of the window form.
func (r *Runner) Frames(ctx context.Context, c *semantics.Clause, in *table.Table) (*semantics.Frames, error) {
	return Frames(ctx, r.engine, c, in, r.limits)
}
