package engine

import (
	"context"
	"slices"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// MaxOrders bounds the orders of tied rows that are tried.
const MaxOrders = 1_000

// Fit says how an answer fits the orders of rows that ORDER BY leaves open.
type Fit int

// The ways in which an answer fits.
const (
	FitsNone    Fit = iota // no order gives the answer, or there are no ties
	FitsOne                // one of the orders gives it
	TooManyFits            // there are more than MaxOrders, and none of the first gives it
)

// FitsOrder tries the orders of rows that the recognitions of a statement leave
// open (NUL-3, NUL-4), those over derived tables too. agrees is asked of the
// answer under each.
func FitsOrder(ctx context.Context, c *corpus.Case, rules matcher.Engine, limits matcher.Limits, agrees func(lines []string) bool) Fit {
	t := &tied{inner: matcher.Using(rules, limits)}
	for n := 0; n == 0 || n < t.orders; n++ {
		if n == MaxOrders {
			return TooManyFits
		}
		t.next(n)
		lines, err := crosscheck.Evaluate(ctx, c, t)
		if err != nil || ctx.Err() != nil {
			return FitsNone
		}
		if agrees(lines) {
			return FitsOne
		}
	}
	return FitsNone
}

// tied is a recognizer that puts tied rows in the n-th of their orders. The
// numbers of all recognitions of a statement together count through all
// combinations of orders.
type tied struct {
	inner  *matcher.Runner
	orders int // combinations that the last run met, at most MaxOrders + 1
	rest   int // of n, for the recognitions that are still to come
}

// next prepares the run of the n-th combination.
func (t *tied) next(n int) { t.orders, t.rest = 1, n }

// arrange returns the rows of in in the order that belongs to this run, or nil
// for the order that they have.
func (t *tied) arrange(c *semantics.Clause, in *table.Table) []int32 {
	ties := dialect.Ties(c, in)
	count := dialect.Count(ties, MaxOrders)
	mine := t.rest % count
	t.rest /= count
	if t.orders *= count; t.orders > MaxOrders {
		t.orders = MaxOrders + 1
	}
	if mine == 0 {
		return nil
	}
	return dialect.Order(in.NumRows(), ties, mine)
}

// Recognize recognises in the order of this run.
func (t *tied) Recognize(ctx context.Context, c *semantics.Clause, in *table.Table) (*table.Table, error) {
	if order := t.arrange(c, in); order != nil {
		in = in.Gather(order)
	}
	return t.inner.Recognize(ctx, c, in)
}

// Frames does the same for windows; the frames belong to the rows of in.
func (t *tied) Frames(ctx context.Context, c *semantics.Clause, in *table.Table) (*semantics.Frames, error) {
	order := t.arrange(c, in)
	if order == nil {
		return t.inner.Frames(ctx, c, in)
	}
	f, err := t.inner.Frames(ctx, c, in.Gather(order))
	if err != nil {
		return nil, err
	}
	// Row i of the gathered table is row order[i] of in.
	g := &semantics.Frames{Frames: f.Frames}
	for _, p := range f.Partitions {
		q := *p
		q.Table, q.Rows = in, slices.Clone(p.Rows)
		for i, r := range q.Rows {
			q.Rows[i] = order[r]
		}
		g.Partitions = append(g.Partitions, &q)
	}
	return g, nil
}
