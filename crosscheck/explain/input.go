package explain

import (
	"context"
	"errors"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// errCaptured ends a run as soon as the input is known.
var errCaptured = errors.New("the input is known")

// capture is a Recognizer that stops at one recognition and keeps its input.
type capture struct {
	query.Recognizer
	wanted *semantics.Clause
	input  *table.Table
}

func (c *capture) Recognize(ctx context.Context, clause *semantics.Clause, in *table.Table) (*table.Table, error) {
	if clause == c.wanted {
		c.input = in
		return nil, errCaptured
	}
	return c.Recognizer.Recognize(ctx, clause, in)
}

func (c *capture) Frames(ctx context.Context, clause *semantics.Clause, in *table.Table) (*semantics.Frames, error) {
	if clause == c.wanted {
		c.input = in
		return nil, errCaptured
	}
	return c.Recognizer.Frames(ctx, clause, in)
}

// Input runs a statement up to one of its recognitions, counted from 1 in
// source order, and returns the recognition and its input table.
func Input(ctx context.Context, st *query.Statement, o query.Options, number int) (*semantics.Clause, *table.Table, error) {
	c := &capture{Recognizer: o.Recognizer}
	o.Recognizer = c
	b, err := query.Bind(st, o)
	if err != nil {
		return nil, nil, err
	}
	clauses := b.Recognitions()
	if number < 1 || number > len(clauses) {
		return nil, nil, diag.New(diag.Semantic, "SQL-1", diag.Pos{}, "the statement has %d recognitions, there is no number %d", len(clauses), number).
			WithHint("recognitions are counted from 1, as explain without --at lists them")
	}
	c.wanted = clauses[number-1]
	_, err = b.Run(ctx)
	switch {
	case c.input != nil:
		return c.wanted, c.input, nil
	case err != nil:
		return nil, nil, err
	}
	return nil, nil, diag.New(diag.Semantic, "SQL-1", diag.Pos{}, "the statement never carries out recognition %d", number).
		WithHint("explain the part of the statement that has it alone")
}
