package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Resume returns the position at which the scan of MAT-2 goes on after a match
// (chapter 8). For windows, from is the row R whose frame was searched: TO NEXT
// ROW resumes at R + 1 (WIN-4). In the FROM form from is m.Start.
func (c *Clause) Resume(m Mapping, from int) (int, error) {
	if m.IsEmpty() {
		return from + 1, nil // SKIP-4
	}
	switch c.Skip.To {
	case PastLastRow:
		return m.End(), nil
	case ToNextRow:
		return from + 1, nil
	}
	target := none
	for i, v := range m.Vars {
		if !c.Belongs(v, c.Skip.Target) {
			continue // excluded rows are targets like others (SKIP-5)
		}
		target = m.Start + i
		if c.Skip.To == ToFirst {
			break
		}
	}
	name := c.Vars[c.Skip.Target].Name.String()
	switch target {
	case none:
		return 0, diag.New(diag.Runtime, "SKIP-2", c.Skip.Pos, "AFTER MATCH SKIP TO %s: the match that starts at row %d has no row mapped to %s",
			name, m.Start+1, name).WithState(diag.StateSkipNoRow).In(c.Source).
			WithHint("skip to a variable that every match maps to a row, or to a union variable that covers the cases")
	case m.Start:
		return 0, diag.New(diag.Runtime, "SKIP-3", c.Skip.Pos, "AFTER MATCH SKIP TO %s: the row is the first of the match that starts at row %d, the search would never advance",
			name, m.Start+1).WithState(diag.StateSkipFirstRow).In(c.Source).
			WithHint("skip to a later row of the match, for example with SKIP TO NEXT ROW or SKIP PAST LAST ROW")
	}
	return target, nil
}
