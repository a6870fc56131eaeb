package drift

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Unexplained stands for a rule where none could be found.
const Unexplained = "unexplained"

// Cause is why one mapping is preferred to another.
type Cause struct {
	Rule   string    // the rule that decides, or Unexplained
	Why    string    // a sentence
	Ours   Candidate // that of the preferred match, where there is one
	Theirs Candidate // that of the other match, where it is in the list
}

// Candidate is where a mapping stands in the candidate order of the pattern.
type Candidate struct {
	Listed bool
	Text   string // in the notation of chapter 2
	Place  int    // in the list of candidates that fit the rows left, from 1; 0: beyond listPlaces
}

const (
	listPlaces   = 10_000  // candidates that are counted to find a place
	explainSteps = 200_000 // steps of one walk through the list
)

// Explain finds the rule by which ours is the preferred match of a pattern at
// a row, counted from 0, and theirs is not. Both are looked up in the candidate
// order:
//
//   - theirs is not there: PREF-1, no string of the pattern is made of these
//     variables. (Empty iterations have no part in it: whether they are
//     discarded, counted or gone on after, the strings of rows are the same,
//     only their order and their being reached differ. For a body that can be
//     empty, PREF-8 gives a quantifier P{n,m} each sequence of at most m
//     iterations that have rows, the lower bound being filled up by empty ones;
//     no other treatment of empty iterations gives more.)
//   - it is there with other rows in {- -} only, or is ours but for these: PREF-5
//   - it is there, but a condition or an anchor does not hold: MAT-1
//   - both are feasible: their derivations are compared, and the first departure
//     says it: PREF-2, PREF-4, PAT-7, or PREF-8 if ours goes through an empty
//     iteration there
//   - there is no match of theirs: PREF-8 if every feasible candidate has an
//     empty iteration, PREF-6 if every one has an anchor, else MAT-1
//
// The rule is Unexplained if the list is too long to be searched.
func Explain(p *semantics.Pattern, rows [][]string, start int, ours, theirs oracle.Mapping) Cause {
	x := explainer{pattern: p, rows: rows, place: enumerate.Place{Start: start, PartitionRows: len(rows)}}
	c, err := x.explain(ours, theirs)
	if err != nil {
		c.Rule, c.Why = Unexplained, "the candidate order cannot be searched: "+diag.From(err).Message
	}
	return c
}

// Rule is the rule that Explain finds. It does not look for the places of the
// two in the list, which takes longer.
func Rule(p *semantics.Pattern, rows [][]string, start int, ours, theirs oracle.Mapping) string {
	x := explainer{pattern: p, rows: rows, place: enumerate.Place{Start: start, PartitionRows: len(rows)}, noPlaces: true}
	c, err := x.explain(ours, theirs)
	if err != nil {
		return Unexplained
	}
	return c.Rule
}

type explainer struct {
	noPlaces bool // of candidates in the list
	pattern  *semantics.Pattern
	rows     [][]string
	place    enumerate.Place
}

func (x *explainer) explain(ours, theirs oracle.Mapping) (Cause, error) {
	var c Cause
	var mine, theirsToo enumerate.Candidate
	var listed bool
	var err error
	if ours.Found {
		if mine, listed, err = enumerate.Locate(x.pattern, ours.Vars, exclusion(ours), &x.place); err != nil {
			return c, err
		}
		if !listed {
			return Cause{Rule: Unexplained, Why: "the preferred match is not in the candidate order: a defect of the reference"}, nil
		}
		c.Ours = x.candidate(mine)
	}
	if !theirs.Found {
		return x.noMatch(c)
	}
	theirsToo, listed, err = enumerate.Locate(x.pattern, theirs.Vars, exclusion(theirs), nil)
	if err != nil {
		return c, err
	}
	if !listed {
		_, listed, err = enumerate.Locate(x.pattern, theirs.Vars, nil, nil)
		if err != nil {
			return c, err
		}
		if listed || sameVars(ours, theirs) {
			c.Rule, c.Why = "PREF-5", "no candidate of these rows has these rows in {- -}"
			return c, nil
		}
		c.Rule, c.Why = "PREF-1", "no candidate of the pattern is "+strings.Join(theirs.Vars, " ")
		return c, nil
	}
	c.Theirs = x.candidate(theirsToo)
	if i := x.broken(theirs.Vars); i >= 0 {
		c.Rule = "MAT-1"
		if row := x.place.Start + i; row >= len(x.rows) {
			c.Why = fmt.Sprintf("there is no row %d to map to %s", row+1, theirs.Vars[i])
		} else {
			c.Why = fmt.Sprintf("%s does not hold on row %d", theirs.Vars[i], row+1)
		}
		return c, nil
	}
	theirsToo, listed, err = enumerate.Locate(x.pattern, theirs.Vars, exclusion(theirs), &x.place)
	if err != nil {
		return c, err
	}
	if !listed {
		c.Rule, c.Why = "MAT-1", "an anchor of that candidate does not hold (ANCH-1)"
		return c, nil
	}
	c.Theirs = x.candidate(theirsToo)
	if !ours.Found {
		c.Rule, c.Why = Unexplained, "the candidate is feasible, though the reference finds none: a defect of the reference"
		return c, nil
	}
	return x.compare(c, mine, theirsToo, ours, theirs)
}

// compare: both are feasible.
func (x *explainer) compare(c Cause, mine, theirsToo enumerate.Candidate, ours, theirs oracle.Mapping) (Cause, error) {
	d, parted := enumerate.Compare(mine.Derivation, theirsToo.Derivation)
	switch {
	case !parted || d.Order > 0:
		c.Rule, c.Why = Unexplained, "the other match is preferred in the candidate order: a defect of the reference"
	case sameVars(ours, theirs):
		c.Rule, c.Why = "PREF-5", "the preferred candidate decides which rows are excluded; "+d.String()
	default:
		c.Rule, c.Why = d.Rule(), d.String()
	}
	return c, nil
}

// noMatch: theirs has no match where there are feasible candidates.
func (x *explainer) noMatch(c Cause) (Cause, error) {
	empty, anchored := true, true
	f := enumerate.Filter{
		Variable: func(rows []*semantics.Pattern) (bool, error) {
			last := len(rows) - 1
			return x.holds(rows[last].Name.Text, x.place.Start+last), nil
		},
		Anchor: func(op semantics.Op, rows int) bool { return x.anchor(op, x.place.Start+rows) },
	}
	for candidate, err := range enumerate.Where(x.pattern, len(x.rows)-x.place.Start, explainSteps, f) {
		if err != nil {
			return c, err
		}
		empty = empty && hasEmptyIteration(candidate.Derivation)
		anchored = anchored && len(candidate.Anchors) > 0
		if !empty && !anchored {
			break
		}
	}
	switch {
	case empty:
		c.Rule, c.Why = "PREF-8", "every feasible candidate has an empty iteration, which counts below the lower bound and may end a quantifier"
	case anchored:
		c.Rule, c.Why = "PREF-6", "every feasible candidate has an anchor, which holds here (ANCH-1)"
	default:
		c.Rule, c.Why = "MAT-1", "there is a feasible candidate, so there is a match"
	}
	return c, nil
}

func hasEmptyIteration(d *enumerate.Derivation) bool {
	for _, part := range d.Parts {
		if d.Pattern.Op == semantics.OpQuantified && part.IsEmpty() || hasEmptyIteration(part) {
			return true
		}
	}
	return false
}

func (x *explainer) anchor(op semantics.Op, position int) bool {
	if op == semantics.OpPartitionStart {
		return position == 0
	}
	return position == len(x.rows)
}

func (x *explainer) holds(name string, row int) bool {
	if row >= len(x.rows) {
		return false
	}
	for _, label := range x.rows[row] {
		if label == name || table.FoldName(label) == name {
			return true
		}
	}
	return false
}

// broken returns the first row of a mapping on which its variable does not hold.
func (x *explainer) broken(vars []string) int {
	for i, name := range vars {
		if !x.holds(name, x.place.Start+i) {
			return i
		}
	}
	return -1
}

// candidate finds the place of a candidate among those that have no more rows
// than are left, conditions and anchors not asked.
func (x *explainer) candidate(c enumerate.Candidate) Candidate {
	out := Candidate{Listed: true, Text: c.String()}
	if x.noPlaces {
		return out
	}
	place := 0
	for other, err := range enumerate.Where(x.pattern, max(len(x.rows)-x.place.Start, len(c.Rows)), explainSteps, enumerate.Filter{}) {
		if place++; err != nil || place > listPlaces {
			break
		}
		if _, parted := enumerate.Compare(c.Derivation, other.Derivation); !parted {
			out.Place = place
			break
		}
	}
	return out
}

// exclusion says of every row whether it is excluded.
func exclusion(m oracle.Mapping) []bool {
	if m.Excluded == nil {
		return make([]bool, len(m.Vars))
	}
	return m.Excluded
}

func sameVars(a, b oracle.Mapping) bool {
	if !a.Found || !b.Found || len(a.Vars) != len(b.Vars) {
		return false
	}
	for i := range a.Vars {
		if a.Vars[i] != b.Vars[i] {
			return false
		}
	}
	return true
}
