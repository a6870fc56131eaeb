package nfa

import (
	"context"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
)

// ScanMasks counts the matches of a pattern in rows that are given by the set of
// variables that hold: bit i is that of the i-th variable of the pattern. It
// serves to measure matching alone, against engines of regular expressions.
func (e Engine) ScanMasks(pattern string, masks []byte) (matches int, tier string, err error) {
	s, err := e.labelScan(pattern)
	if err != nil {
		return 0, "", err
	}
	s.narrow = masks
	return s.countMatches()
}

// labelScan prepares a scan of the classes of rows.
func (e Engine) labelScan(pattern string) (*scan, error) {
	c, _, err := semantics.Labelled(pattern, "", nil)
	if err != nil {
		return nil, err
	}
	c.Skip.To = semantics.PastLastRow
	prog, err := e.Compile(c, matcher.Limits{})
	if err != nil {
		return nil, err
	}
	s := prog.(*program).newScan(context.Background(), nil)
	s.counting, s.paths, s.simple = true, false, true
	return s, nil
}

// countMatches scans the classes as one partition.
func (s *scan) countMatches() (int, string, error) {
	n := len(s.narrow)
	s.bounds = []int32{0, int32(n)}
	at := 0
	var err error
	if s.program.forward != nil {
		if at, err = s.scanForward(s.narrow, 0); err != nil {
			return 0, "", err
		}
	}
	tier := Deterministic
	if at < n {
		tier = States
		s.states = resized(s.states, n+1)
		if !s.reverse(0) {
			return 0, "", s.program.walkError(matcher.Attempt{}, 0, nowhere)
		}
		if err := s.byStates(s.states, at); err != nil {
			return 0, "", err
		}
	}
	return int(s.number), tier.String(), nil
}
