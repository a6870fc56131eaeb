package matcher

import (
	"context"
	"errors"
	"iter"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Scan yields the matches of one partition in the order in which they are found
// (MAT-2). index is the partition's index among those of the table. The slices
// of a Match are valid until the next one is asked for. An error ends the scan.
func Scan(ctx context.Context, c *semantics.Clause, f Finder, p *semantics.Partition, index int) iter.Seq2[semantics.Match, error] {
	return func(yield func(semantics.Match, error) bool) {
		n := p.Len()
		number := int64(0)           // MAT-3: matches are counted per partition, empty ones too
		for start := 0; start < n; { // MAT-4: no attempt after the last row
			m, found, err := f.Find(ctx, Attempt{Start: start, End: n, Lo: 0, Hi: n, MatchNumber: number + 1})
			if err != nil {
				yield(semantics.Match{}, err)
				return
			}
			if !found {
				start++
				continue
			}
			number++
			// The match is reported before the place to go on is looked for, which
			// may be an error (SKIP-2, SKIP-3).
			if !yield(semantics.Match{Partition: index, Number: number, Mapping: m}, nil) {
				return
			}
			if start, err = c.Resume(m, m.Start); err != nil {
				yield(semantics.Match{}, err)
				return
			}
		}
	}
}

// compiled compiles a clause and calls f for each partition of a table.
func compiled(e Engine, c *semantics.Clause, in *table.Table, lim Limits, f func(i int, p *semantics.Partition, find Finder) error) error {
	prog, err := e.Compile(c, lim)
	if err != nil {
		return err
	}
	return partitions(prog, c, in, f)
}

// partitions calls f for each partition of a table, in the order of
// Clause.Partitions, until f returns an error.
func partitions(prog Program, c *semantics.Clause, in *table.Table, f func(i int, p *semantics.Partition, find Finder) error) error {
	parts, err := c.Partitions(in)
	if err != nil {
		return err
	}
	for i, p := range parts {
		find, err := prog.Partition(p)
		if err != nil {
			return err
		}
		if err := f(i, p, find); err != nil {
			return err
		}
	}
	return nil
}

// errStop ends the loop over the partitions when no more matches are wanted.
var errStop = errors.New("stopped")

// Matches yields the matches of a clause of the FROM form over a table,
// partition by partition (MAT-2). The Match is the caller's to keep. After an
// error, which comes with a zero Match, the sequence ends.
func Matches(ctx context.Context, e Engine, c *semantics.Clause, in *table.Table, lim Limits) iter.Seq2[semantics.Match, error] {
	return func(yield func(semantics.Match, error) bool) {
		err := compiled(e, c, in, lim, func(i int, p *semantics.Partition, find Finder) error {
			for m, err := range Scan(ctx, c, find, p, i) {
				if err != nil {
					return err
				}
				m.Mapping = m.Clone()
				if !yield(m, nil) {
					return errStop
				}
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(semantics.Match{}, err)
		}
	}
}

// Recognize returns the output table of a clause of the FROM form (chapter 7).
func Recognize(ctx context.Context, e Engine, c *semantics.Clause, in *table.Table, lim Limits) (*table.Table, error) {
	prog, err := e.Compile(c, lim)
	if err != nil {
		return nil, err
	}
	if s, ok := prog.(Scanner); ok {
		return s.Recognize(ctx, in)
	}
	out := c.NewOutput(in)
	err = partitions(prog, c, in, func(i int, p *semantics.Partition, find Finder) error {
		return out.Partition(p, Scan(ctx, c, find, p, i))
	})
	if err != nil {
		return nil, err
	}
	return out.Table()
}

// Map returns the preferred match that starts at each row, nil where none does:
// what chapter 2 defines, without the scan. Each row is an attempt of its own,
// in which MATCH_NUMBER() is 1. Rows come in the order of Clause.Partitions;
// a clause without PARTITION BY has one partition.
func Map(ctx context.Context, e Engine, c *semantics.Clause, in *table.Table, lim Limits) ([]*semantics.Mapping, error) {
	out := make([]*semantics.Mapping, 0, in.NumRows())
	err := compiled(e, c, in, lim, func(_ int, p *semantics.Partition, find Finder) error {
		n := p.Len()
		for start := range n {
			m, found, err := find.Find(ctx, Attempt{Start: start, End: n, Lo: 0, Hi: n, MatchNumber: 1})
			if err != nil {
				return err
			}
			if !found {
				out = append(out, nil)
				continue
			}
			m = m.Clone()
			out = append(out, &m)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
