package faux

import (
	"context"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Frames returns the reduced frame of every row for a clause of the window form
// (WIN-5).
func (r *recognizer) Frames(ctx context.Context, c *semantics.Clause, in *table.Table) (*semantics.Frames, error) {
	p, err := r.m.compile(c, r.lim)
	if err != nil {
		return nil, err
	}
	following, unbounded, err := c.FrameRows()
	if err != nil {
		return nil, err
	}
	if unbounded {
		following = int64(in.NumRows())
	}
	parts, err := p.partitions(in)
	if err != nil {
		return nil, err
	}
	out := &semantics.Frames{Partitions: parts}
	for _, part := range parts {
		w := &windowScan{p: p, f: p.finder(part, nil), n: part.Len(), following: following}
		frames, err := w.partition(ctx)
		if err != nil {
			return nil, err
		}
		if r.twice {
			frames = everySecond(frames)
		}
		out.Frames = append(out.Frames, frames)
	}
	return out, nil
}

// windowScan finds the frames of one partition.
type windowScan struct {
	p         *program
	f         *finder
	n         int
	following int64 // rows of the full window frame behind the row itself (WIN-1)
}

func (w *windowScan) partition(ctx context.Context) ([]semantics.Frame, error) {
	frames := make([]semantics.Frame, w.n)
	resume, last := 0, 0
	for row := range frames {
		if row < resume { // WIN-4: skipped
			if w.p.lie == skippedKeepsMatch {
				frames[row] = frames[last]
			}
			continue
		}
		found, m, err := w.frame(ctx, row, &frames[row])
		if err != nil {
			return nil, err
		}
		last, resume = row, row+1
		if !found || len(m.cells) == 0 {
			continue
		}
		from := row
		if w.p.clause.Readings.Is(readings.WIN4) {
			from = m.start
		}
		if resume, err = w.p.resumeAt(m, from); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// frame seeks the match for a row in its full window frame (WIN-2, WIN-3).
func (w *windowScan) frame(ctx context.Context, row int, frame *semantics.Frame) (bool, *match, error) {
	end := w.n
	if w.following < int64(w.n-row-1) {
		end = row + 1 + int(w.following)
	}
	a := matcher.Attempt{Start: row, End: end, Lo: row, Hi: end, MatchNumber: 1}
	if w.p.clause.Readings.Is(readings.WIN10) {
		a.Lo, a.Hi = 0, w.n
	}
	if w.p.lie == pastFrameEnd {
		a.End = w.n
	}
	seek := w.p.clause.Seek && w.p.lie != seekIsInitial || w.p.lie == initialLooksAhead
	for ; a.Start < end; a.Start++ {
		cells, found, err := w.f.find(ctx, a)
		if err != nil {
			return false, nil, err
		}
		if !found {
			if seek {
				continue
			}
			break
		}
		*frame = semantics.Frame{Kind: semantics.FrameMatched, Match: mapping(a.Start, cells), Reach: a.Reach()}
		if len(cells) == 0 {
			frame.Kind = semantics.FrameEmpty
		}
		return true, &match{number: 1, start: a.Start, cells: cells}, nil
	}
	return false, nil, nil
}

// everySecond gives each row the frame of the row twice as far into the
// partition: the search has gone two rows on for every row.
func everySecond(frames []semantics.Frame) []semantics.Frame {
	out := make([]semantics.Frame, len(frames))
	for i := range out {
		if 2*i < len(frames) {
			out[i] = frames[2*i]
		}
	}
	return out
}
