package faux

import (
	"context"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// match is a match of the scan.
type match struct {
	number int64
	start  int
	cells  []cell
}

func (m *match) end() int { return m.start + len(m.cells) }

// scan is the scan of one partition (MAT-2). It returns the matches found
// before an error, and the error.
func (r *run) scan(ctx context.Context, f *finder) ([]*match, error) {
	s := &scan{run: r, f: f, ctx: ctx, lie: r.p.lie, n: f.length}
	if s.lie == numbersGoOn {
		s.number = r.lastNumber
	}
	err := s.partition()
	r.lastNumber = s.number
	if err == nil && s.lie == skipErrorsAlways && len(s.matches) == 0 {
		err = s.run.p.skipWithoutMatch()
	}
	return s.matches, err
}

type scan struct {
	run     *run
	f       *finder
	ctx     context.Context
	lie     lie
	n       int // rows of the partition
	number  int64
	matches []*match
}

func (s *scan) partition() error {
	last := s.n - 1 // MAT-4: no match starts after the last row
	if s.lie == startsAfterEnd {
		last = s.n
	}
	omit := s.run.p.clause.Rows == semantics.OmitEmpty
	for start := 0; start <= last; {
		cells, found, err := s.find(start, false)
		if err == nil && found && len(cells) == 0 && omit && s.lie == omitSearchesOn {
			if with, some, failed := s.find(start, true); some || failed != nil {
				cells, err = with, failed
			}
		}
		switch {
		case err != nil:
			return err
		case !found:
			if start++; s.lie == openAttemptBlocks {
				start = max(start, s.f.reach)
			}
			continue
		case len(cells) == 0:
			if start, err = s.empty(start, omit); err != nil {
				return err
			}
		default:
			m := s.add(start, cells)
			if start, err = s.run.p.resume(m); err != nil {
				return err
			}
			if s.lie == anchorAtResume {
				s.f.first = start
			}
		}
		if s.lie == onlyFirstMatch && len(s.matches) > 0 {
			return nil
		}
	}
	return nil
}

// find seeks the match that starts at a row.
func (s *scan) find(start int, more bool) ([]cell, bool, error) {
	s.f.more = more
	cells, found, err := s.f.find(s.ctx, matcher.Attempt{Start: start, End: s.n, Lo: 0, Hi: s.n, MatchNumber: s.number + 1})
	s.f.more = false
	return cells, found, err
}

// add numbers a match (MAT-3) and keeps it.
func (s *scan) add(start int, cells []cell) *match {
	s.number++
	m := &match{number: s.number, start: start, cells: cells}
	s.matches = append(s.matches, m)
	return m
}

// empty deals with an empty match and returns where the scan goes on.
func (s *scan) empty(start int, omit bool) (int, error) {
	switch s.lie {
	case emptyNotNumbered:
		s.matches = append(s.matches, &match{number: s.number, start: start})
		return start + 1, nil
	case emptyNotReported:
		s.number++
		return start + 1, nil
	case omitRenumbers:
		if omit {
			return start + 1, nil
		}
	case emptyResumesSame:
		s.add(start, nil)
	}
	s.add(start, nil)
	if s.lie == emptyTriesAgain {
		cells, found, err := s.find(start, true)
		if err != nil {
			return 0, err
		}
		if found {
			return s.run.p.resume(s.add(start, cells))
		}
	}
	return start + 1, nil
}

// resume returns the row at which the scan goes on after a match with rows
// (chapter 8).
func (p *program) resume(m *match) (int, error) {
	return p.resumeAt(m, m.start)
}

// resumeAt is resume for a window row: TO NEXT ROW goes to the row after from (WIN-4).
func (p *program) resumeAt(m *match, from int) (int, error) {
	skip := p.clause.Skip
	switch skip.To {
	case semantics.PastLastRow:
		return m.end(), nil
	case semantics.ToNextRow:
		switch p.lie {
		case nextRowIsPast:
			return m.end(), nil
		case nextRowIsSecond:
			return from + 2, nil
		}
		return from + 1, nil
	}
	first := skip.To == semantics.ToFirst
	switch {
	case p.lie == skipFirstIsLast:
		first = false
	case p.lie == skipPlainIsFirst && !first && plainSkip(p.clause):
		first = true
	}
	target := nowhere
	for i, c := range m.cells {
		if !p.isTarget(c.v) || c.hidden && p.lie == skipIgnoresHidden {
			continue
		}
		if target = m.start + i; first {
			break
		}
	}
	name := p.clause.Vars[skip.Target].Name
	switch {
	case target == nowhere && p.lie == skipUnmappedPast:
		return m.end(), nil
	case target == nowhere:
		return 0, diag.New(diag.Runtime, "SKIP-2", skip.Pos, "SKIP TO %s: the match at row %d has no row of it", name, m.start+1).
			WithState(diag.StateSkipNoRow).In(p.clause.Source).WithHint("skip to a variable that every match has")
	case target == m.start && p.lie == skipFirstAdvances:
		return target + 1, nil
	case target == m.start:
		return 0, diag.New(diag.Runtime, "SKIP-3", skip.Pos, "SKIP TO %s: it is the first row of the match at row %d", name, m.start+1).
			WithState(diag.StateSkipFirstRow).In(p.clause.Source).WithHint("skip to a later row")
	}
	return target, nil
}

// isTarget reports whether rows of v are targets of SKIP TO (SKIP-1).
func (p *program) isTarget(v semantics.VarID) bool {
	target := p.clause.Skip.Target
	if members := p.clause.Vars[target].Members; p.lie == skipFirstMember && len(members) > 0 {
		return v == members[0]
	}
	return p.clause.Belongs(v, target)
}

// skipWithoutMatch is the error of an engine that misses the skip target where
// there is no match.
func (p *program) skipWithoutMatch() error {
	skip := p.clause.Skip
	if skip.To != semantics.ToFirst && skip.To != semantics.ToLast {
		return nil
	}
	return diag.New(diag.Runtime, "SKIP-2", skip.Pos, "SKIP TO %s: there is no row of it", p.clause.Vars[skip.Target].Name).
		WithState(diag.StateSkipNoRow).In(p.clause.Source).WithHint("this is the mutant's lie")
}
