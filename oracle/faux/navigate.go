package faux

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// navigation is FIRST, LAST, PREV, NEXT, or one of the latter around one of the
// former (NAV-1 to NAV-3).
type navigation struct {
	origin
	v        semantics.VarID
	arg      scalar.Expr
	logical  semantics.Step // First, Last or NoStep
	physical semantics.Step // Prev, Next or NoStep
	offset   scalar.Expr    // of FIRST or LAST; nil: 0
	step     scalar.Expr    // of PREV or NEXT; nil: 1
	final    bool
}

// Eval goes to a row and evaluates the argument there.
func (n *navigation) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	offset, err := rowCount(n.offset, 0, s)
	if err != nil {
		return value.Null, err
	}
	step, err := rowCount(n.step, 1, s)
	if err != nil {
		return value.Null, err
	}
	if s.lie == offsetsExchanged && n.logical != semantics.NoStep && n.physical != semantics.NoStep {
		offset, step = step, offset
	}
	row, err := n.begin(s, offset)
	if err != nil || row == nowhere {
		return value.Null, err
	}
	if n.physical != semantics.NoStep && !(s.lie == physicalIgnored && n.logical != semantics.NoStep) {
		if row, err = n.walk(s, row, step); err != nil || row == nowhere {
			return value.Null, err
		}
	}
	return s.evaluateOn(row, n.arg)
}

// begin returns the row of FIRST or LAST, or the one from which PREV and NEXT
// step: the last row of the variable so far.
func (n *navigation) begin(s *scene, offset int64) (int, error) {
	final := n.final
	switch {
	case s.defining():
	case s.lie == runningIsFinal && n.logical != semantics.NoStep, s.lie == firstLooksAhead && n.logical == semantics.First && offset > 0:
		final = true
	case s.lie == finalIsRunning:
		final = false
	}
	v := n.v
	switch {
	case n.logical == semantics.NoStep:
		if s.lie == prevFromCurrent || s.lie == foreignPrevIsLag && s.defining() && v != semantics.Universal && !s.clause.Belongs(s.testing, v) {
			v = semantics.Universal
		}
	case s.lie == lastOfAnyVariable && n.logical == semantics.Last:
		v = semantics.Universal
	case s.lie == offsetIgnored:
		offset = 0
	case s.lie == offsetFromOne && n.offset != nil:
		offset--
	}
	rows := s.rowsOf(v, final)
	if s.lie == rowNotCounted && s.defining() && n.logical != semantics.NoStep && len(rows) > 0 && rows[len(rows)-1] == s.now {
		rows = rows[:len(rows)-1]
	}
	if s.lie == nullIsMissing && n.logical != semantics.NoStep && n.physical == semantics.NoStep {
		var err error
		if rows, err = n.withValue(s, rows); err != nil {
			return nowhere, err
		}
	}
	count := int64(len(rows))
	if s.lie == offsetInMatchRows && count > 0 && offset > 0 {
		return n.inMatch(s, rows, offset, final), nil
	}
	switch {
	case offset < 0 || offset >= count:
		return nowhere, nil
	case n.logical == semantics.First:
		return rows[offset], nil
	}
	return rows[count-1-offset], nil
}

// inMatch counts the offset in rows of the match from the first or last row of
// the variable.
func (n *navigation) inMatch(s *scene, rows []int, offset int64, final bool) int {
	all := s.rowsOf(semantics.Universal, final)
	if offset > int64(len(all)) {
		return nowhere
	}
	row := rows[0] + int(offset)
	if n.logical != semantics.First {
		row = rows[len(rows)-1] - int(offset)
	}
	if row < all[0] || row > all[len(all)-1] {
		return nowhere
	}
	return row
}

// withValue keeps the rows on which the argument is not NULL.
func (n *navigation) withValue(s *scene, rows []int) ([]int, error) {
	var out []int
	for _, row := range rows {
		v, err := s.evaluateOn(row, n.arg)
		if err != nil {
			return nil, err
		}
		if !v.IsNull() {
			out = append(out, row)
		}
	}
	return out, nil
}

// walk moves step rows back or forward from a row of the match (NAV-2).
func (n *navigation) walk(s *scene, row int, step int64) (int, error) {
	lo, hi := s.lo, s.hi
	switch {
	case s.lie == stopsAtMatch:
		lo, hi = s.start, s.start+len(s.cells)
	case s.lie == nothingBeforeMatch:
		lo = s.start
	case s.lie == nextIsNull && s.defining() && n.physical == semantics.Next:
		return nowhere, nil
	}
	by := 1
	if n.physical == semantics.Prev {
		by = -1
	}
	// More steps than rows lead outside, and need not be counted.
	for step = min(step, int64(hi-lo)+1); step > 0; {
		row += by
		if row < lo || row >= hi {
			return outside(s), nil
		}
		if c, ok := s.cellAt(row); ok && c.hidden && s.lie == stepsOverExcluded {
			continue
		}
		if s.lie == nullIsMissing {
			v, err := s.evaluateOn(row, n.arg)
			if err != nil {
				return nowhere, err
			}
			if v.IsNull() {
				continue
			}
		}
		step--
	}
	if row < lo || row >= hi {
		return outside(s), nil
	}
	return row, nil
}

// outside is the row that a step beyond the rows that can be read leads to.
func outside(s *scene) int {
	if s.lie == outsideIsNullRow {
		return ghost
	}
	return nowhere
}

// rowCount evaluates an offset (NAV-5).
func rowCount(e scalar.Expr, missing int64, s *scene) (int64, error) {
	if e == nil {
		return missing, nil
	}
	v, err := e.Eval(s)
	switch {
	case err != nil:
		return 0, err
	case v.IsNull() || v.Raw() < 0:
		return 0, diag.New(diag.Runtime, "NAV-5", e.Pos(), "the offset of a navigation is %s", value.Format(v, e.Type())).
			WithState(diag.StateNavigation).WithHint("give a number of rows, 0 or more")
	}
	return v.Raw(), nil
}
