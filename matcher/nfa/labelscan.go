package nfa

import (
	"context"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
)

// ScanLabels counts the matches of a pattern in rows that are given by one
// letter each: variable i holds where the letter is names[i]. It serves to
// measure matching alone, against engines of regular expressions.
func (e Engine) ScanLabels(pattern string, names, labels []byte) (matches int, tier string, err error) {
	var mask [256]byte
	for i, name := range names {
		mask[name] |= 1 << i
	}
	s, err := e.labelScan(pattern)
	if err != nil {
		return 0, "", err
	}
	s.narrow = resized(s.narrow, len(labels))
	for i, l := range labels {
		s.narrow[i] = mask[l]
	}
	return s.countMatches()
}

// ScanMasks is ScanLabels for rows given by the set of variables that hold.
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
	s.counting = true
	return s, nil
}

// countMatches scans the classes as one partition.
func (s *scan) countMatches() (int, string, error) {
	n := len(s.narrow)
	s.bounds = []int32{0, int32(n)}
	at := 0
	var err error
	if s.program.forward != nil {
		if at, err = s.forward(0, n, 0); err != nil {
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
