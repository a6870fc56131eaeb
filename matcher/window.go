package matcher

import (
	"context"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Frames finds the reduced window frame of every row of a table, for a clause
// of the window form (WIN-5). With SEEK, rows after the last match are each
// searched to the end of their frame, since what PREV and NEXT can read differs
// from row to row (WIN-10).
func Frames(ctx context.Context, e Engine, c *semantics.Clause, in *table.Table, lim Limits) (*semantics.Frames, error) {
	w := &windows{clause: c}
	var err error
	if w.following, w.unbounded, err = c.FrameRows(); err != nil {
		return nil, err
	}
	out := &semantics.Frames{}
	err = compiled(e, c, in, lim, func(_ int, p *semantics.Partition, find Finder) error {
		frames, err := w.partition(ctx, find, p)
		out.Partitions = append(out.Partitions, p)
		out.Frames = append(out.Frames, frames)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// windows runs the procedure of WIN-5.
type windows struct {
	clause    *semantics.Clause
	following int64 // rows of the full window frame after the current one (WIN-1)
	unbounded bool  // the frame ends with the partition
}

// partition finds the frames of one partition, by position.
func (w *windows) partition(ctx context.Context, find Finder, p *semantics.Partition) ([]semantics.Frame, error) {
	frames := make([]semantics.Frame, p.Len())
	for r, resume := 0, 0; r < p.Len(); r++ {
		if r < resume {
			continue // WIN-4: skipped, the frame is unmatched
		}
		m, reach, found, err := w.seek(ctx, find, r, p.Len())
		if err != nil {
			return nil, err
		}
		resume = r + 1
		if !found {
			continue
		}
		frames[r] = semantics.Frame{Kind: semantics.FrameEmpty, Match: m.Clone(), Reach: reach}
		if m.IsEmpty() {
			continue
		}
		frames[r].Kind = semantics.FrameMatched
		from := r
		if w.clause.Readings.Is(readings.WIN4) {
			from = m.Start
		}
		if resume, err = w.clause.Resume(m, from); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// seek finds the match for row r inside its full window frame F(R) (WIN-2):
// the one that starts at r with INITIAL, the first one that starts at or after
// r with SEEK, empty or not (WIN-3). reach is what PREV and NEXT can read:
// F(R), or under WIN-10=alternative the window partition of n rows.
func (w *windows) seek(ctx context.Context, find Finder, r, n int) (m semantics.Mapping, reach semantics.Reach, found bool, err error) {
	end := n
	if !w.unbounded && w.following < int64(n-r) {
		end = min(n, r+1+int(w.following))
	}
	a := Attempt{Start: r, End: end, Lo: r, Hi: end, MatchNumber: 1}
	if w.clause.Readings.Is(readings.WIN10) {
		a.Lo, a.Hi = 0, n
	}
	for ; a.Start < end; a.Start++ {
		m, found, err = find.Find(ctx, a)
		if err != nil || found || !w.clause.Seek {
			break
		}
	}
	return m, a.Reach(), found, err
}
