package enumerate

import (
	"github.com/rprcheck/rprcheck/semantics"
)

// LocateSteps is how many steps Locate may take.
const LocateSteps = 10_000_000

// Place is where a mapping to be located stands.
type Place struct {
	Start         int // position of its first row
	PartitionRows int // rows of its partition
}

// Locate finds the most preferred candidate that maps rows to the named
// variables, whatever the DEFINE conditions say. Names are folded ones. If
// excluded is not nil, the same rows must lie in {- -} (PREF-5). If at is not
// nil, the anchors must hold there (ANCH-1). It tells whether there is one;
// the error is of stage limit (LIM-1).
func Locate(p *semantics.Pattern, names []string, excluded []bool, at *Place) (Candidate, bool, error) {
	f := Filter{Variable: func(rows []*semantics.Pattern) (bool, error) {
		last := len(rows) - 1
		return rows[last].Name.Text == names[last], nil
	}}
	if at != nil {
		f.Anchor = func(op semantics.Op, rows int) bool { return anchorHolds(op, at.Start+rows, at.PartitionRows) }
	}
	for c, err := range Where(p, len(names), LocateSteps, f) {
		if err != nil {
			return Candidate{}, false, err
		}
		if len(c.Rows) == len(names) && (excluded == nil || c.hasExclusion(excluded)) {
			return c, true, nil
		}
	}
	return Candidate{}, false, nil
}

func (c Candidate) hasExclusion(excluded []bool) bool {
	for i := range c.Rows {
		if c.IsExcluded(i) != (i < len(excluded) && excluded[i]) {
			return false
		}
	}
	return true
}
