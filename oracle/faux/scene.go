package faux

import (
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Places that are no row.
const (
	nowhere = -1
	ghost   = -2 // a row outside the partition, all of NULLs
)

// measuring is the variable under test where none is: in MEASURES.
const measuring semantics.VarID = -2

// scene is what an expression of DEFINE or MEASURES is evaluated in. Positions
// count from 0 in the partition.
type scene struct {
	lie    lie
	clause *semantics.Clause
	part   *semantics.Partition
	lo, hi int   // what PREV and NEXT can read (MAT-6, WIN-10)
	number int64 // MATCH_NUMBER()

	start int
	cells []cell // row start+i has cells[i]
	now   int    // the current row (COL-3); nowhere in an empty match
	on    int    // the row that a navigation or aggregate has reached (NAV-6); nowhere outside of them

	testing semantics.VarID // the variable whose condition is tested (DEF-6)
	given   []given         // rows that the attempt has given back
	cache   map[*aggregate]cached
	final   *match // the match that FINAL sees, if it is another one
}

// given is a row that was mapped and given back.
type given struct {
	row int
	v   semantics.VarID
}

// cached is the last value of an aggregate, and of how many rows.
type cached struct {
	rows int
	v    value.Value
}

// defining reports that a condition is evaluated.
func (s *scene) defining() bool { return s.testing != measuring }

// rowsOf returns the positions of S(v): the rows mapped to v, up to the current
// row or, FINAL, all of them (chapter 5).
func (s *scene) rowsOf(v semantics.VarID, final bool) []int {
	if s.now == nowhere {
		return nil
	}
	start, cells := s.start, s.cells
	if final && s.final != nil {
		start, cells = s.final.start, s.final.cells
	}
	var out []int
	for i, c := range cells {
		row := start + i
		switch {
		case row > s.now && !final:
			return out
		case c.hidden && s.lie == excludedNotCounted && !s.defining():
		case s.clause.Belongs(c.v, v):
			out = append(out, row)
		}
	}
	return out
}

// cellAt returns the cell of a row of the match.
func (s *scene) cellAt(row int) (cell, bool) {
	if i := row - s.start; i >= 0 && i < len(s.cells) {
		return s.cells[i], true
	}
	return cell{}, false
}

// classifierAt returns the classifier of a row, NULL outside the match so far
// (DEF-10, MEA-9).
func (s *scene) classifierAt(row int) value.Value {
	if s.lie == classifierOutside && row != ghost && len(s.cells) > 0 {
		row = min(max(row, s.start), s.start+len(s.cells)-1)
	}
	c, ok := s.cellAt(row)
	if !ok {
		return value.Null
	}
	return value.String(s.clause.Name(c.v))
}

// valueAt returns a column's value on a row.
func (s *scene) valueAt(row, column int) value.Value {
	if row == ghost {
		return value.Null
	}
	return s.part.Table.Value(int(s.part.Rows[row]), column)
}

// evaluateOn evaluates an expression on a row that navigation or an aggregate
// has reached (NAV-6).
func (s *scene) evaluateOn(row int, e scalar.Expr) (value.Value, error) {
	before := s.on
	s.on = row
	v, err := e.Eval(s)
	s.on = before
	return v, err
}

// tester tests conditions during one attempt.
type tester struct {
	p     *program
	scene scene
}

func (f *finder) tester(a matcher.Attempt) *tester {
	return &tester{p: f.p, scene: scene{lie: f.p.lie, clause: f.p.clause, part: f.rows, lo: a.Lo, hi: a.Hi, number: a.MatchNumber, on: nowhere}}
}

// holds reports whether the condition of the last cell is TRUE on its row, the
// row counting as mapped (DEF-5, DEF-6).
func (t *tester) holds(start int, cells []cell) (bool, error) {
	v := cells[len(cells)-1].v
	condition := t.p.exprs.conditions[v]
	if condition == nil {
		return t.p.lie != undefinedIsFalse, nil // DEF-1
	}
	s := &t.scene
	s.start, s.cells, s.now, s.testing = start, cells, start+len(cells)-1, v
	truth, err := scalar.EvalTruth(condition, s)
	switch {
	case err != nil:
		if e := diag.From(err); e.Stage == diag.Runtime && t.p.clause.Readings.Is(readings.DEF15) {
			return false, nil
		}
		return false, diag.From(err).In(t.p.clause.Source)
	case truth == value.UnknownTruth && t.p.lie == unknownIsTrue:
		return true, nil
	case truth == value.UnknownTruth && t.p.lie == unknownIsError:
		return false, diag.New(diag.Runtime, "DEF-5", condition.Pos(), "the condition of %s is UNKNOWN", t.p.clause.Vars[v].Name).In(t.p.clause.Source).
			WithHint("this is the mutant's lie")
	}
	return truth == value.True, nil
}

// giveBack notes a row that backtracking gives back.
func (t *tester) giveBack(row int, v semantics.VarID) {
	if t.p.lie != givenBackKept {
		return
	}
	for _, g := range t.scene.given {
		if g.row == row && g.v == v {
			return
		}
	}
	t.scene.given = append(t.scene.given, given{row, v})
}
