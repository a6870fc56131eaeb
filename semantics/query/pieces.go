package query

import (
	"context"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Pieces evaluates the query and hands its result over in pieces, one at least,
// whose rows together are those of Run in their order. It is for results that
// are too large for memory: a statement over one recognition with ALL ROWS PER
// MATCH, behind which each row stands for itself (WHERE and the select list, no
// grouping, DISTINCT, ORDER BY or limit), is evaluated for about size input rows
// of whole partitions at a time, since partitions do not see one another
// (MAT-2). Any other result is one piece.
//
// An error, of the query or of f, ends it; pieces before it were handed over.
func (b *Bound) Pieces(ctx context.Context, size int, f func(*table.Table) error) error {
	block, recognition := b.byPartition()
	if block == nil {
		res, err := b.Run(ctx)
		if err != nil {
			return err
		}
		return f(res.Table)
	}
	b.x.ctx = ctx
	in, err := recognition.input.run(b.x)
	if err != nil {
		return b.located(err)
	}
	c := recognition.clause
	flush := func(rows *table.Table) error {
		part := *block
		part.input = &recognitionPlan{input: tablePlan{rows}, clause: c}
		out, err := part.run(b.x)
		if err != nil {
			return b.located(err)
		}
		return f(out)
	}
	if in.NumRows() <= size {
		return flush(in)
	}
	groups := in.Groups(c.PartitionBy, c.Readings.ValueOptions())
	if len(groups) < 2 {
		return flush(in)
	}
	var rows []int32
	for i, g := range groups {
		rows = append(rows, g...)
		if len(rows) >= size || i == len(groups)-1 {
			if err := flush(in.Gather(rows)); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return nil
}

// byPartition takes the parts of a statement that can be evaluated for some
// partitions at a time, for a first run; nil if it cannot.
func (b *Bound) byPartition() (*blockPlan, *recognitionPlan) {
	b.mu.Lock()
	defer b.mu.Unlock()
	block, ok := b.rel.plan.(*blockPlan)
	if !ok || b.ran || b.missing != nil || block.group != nil || block.having != nil || len(block.windows) > 0 || block.distinct || len(block.order) > 0 {
		return nil, nil
	}
	r, ok := block.input.(*recognitionPlan)
	if !ok || r.clause.Rows == semantics.OneRow {
		return nil, nil
	}
	b.ran = true
	return block, r
}
