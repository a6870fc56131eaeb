package nfa

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// nowhere is the place of a row that does not exist.
const nowhere = -1

// scene is what the rewritten expressions are evaluated in. Places count the
// rows of the partition from 0.
type scene struct {
	table   *table.Table
	rows    []int32
	lo, hi  int   // places that PREV and NEXT can read (MAT-6, WIN-10)
	number  int64 // MATCH_NUMBER()
	start   int   // first row of the match
	current int   // row under test (DEF-6), or the current row of a measure (COL-3)
	at      int   // row on which the argument of a navigation or aggregate is evaluated (NAV-6)
	end     int   // the rows from start to end-1 are mapped: what CLASSIFIER knows of (DEF-10, MEA-9)
	vars    []semantics.VarID
	regs    registers
	names   []string      // of the primary variables
	finals  []finalResult // of measures
	vectors []vector      // of the table's columns
}

// finalResult is what a FINAL expression is for a match.
type finalResult struct {
	value value.Value
	err   error
}

// origin says where a navigation starts, or an ordinary reference reads.
type origin uint8

const (
	atCurrent origin = iota // the current row, moved back by a constant
	atStart                 // the first row of the match
	atNone                  // no row
	atNth                   // the k-th row of the match, from 0
	atBack                  // k rows before the current one, if the match has them
	atFirst                 // the k-th row of a tracked variable, from 0
	atLast                  // the k-th row of a tracked variable from the end
)

// jump evaluates its argument on another row: a column reference outside of
// navigation (COL-4), or FIRST, LAST, PREV, NEXT and their nesting (chapter 5).
type jump struct {
	scalar.Expr // the original
	arg         scalar.Expr
	column      *columnAt // arg, when it is no more than a column
	from        origin
	k           int64
	track       int // atFirst, atLast: index of registers.tracks
	physical    semantics.Step
	steps       int64
}

// row returns the place that a jump reaches, or nowhere.
func (j *jump) row(s *scene) int {
	if s.current < s.start {
		return nowhere // MEA-6: an empty match has no current row
	}
	var p int
	switch j.from {
	case atCurrent:
		// A row with fewer rows before it is never mapped where all paths have
		// that many; conditions are evaluated there all the same.
		if j.k > int64(s.current-s.lo) {
			return nowhere
		}
		p = s.current - int(j.k)
	case atStart:
		p = s.start
	case atNth:
		if j.k > int64(s.current-s.start) {
			return nowhere
		}
		p = s.start + int(j.k)
	case atBack:
		if j.k > int64(s.current-s.start) {
			return nowhere
		}
		p = s.current - int(j.k)
	case atFirst:
		if l := s.regs.layout; l != nil {
			p = int(s.regs.words[s.regs.top+l.first[j.track]])
			break
		}
		t := s.regs.tracks[j.track].rows
		if j.k >= int64(len(t)) {
			return nowhere
		}
		p = int(t[j.k])
	case atLast:
		if l := s.regs.layout; l != nil {
			p = int(s.regs.words[s.regs.top+l.last[j.track]])
			break
		}
		t := s.regs.tracks[j.track].rows
		if j.k >= int64(len(t)) {
			return nowhere
		}
		p = int(t[len(t)-1-int(j.k)])
	default:
		return nowhere
	}
	if j.physical == semantics.NoStep || p == nowhere {
		return p
	}
	return j.step(p, s.lo, s.hi)
}

// step makes the physical step of a jump from place p; lo and hi bound what can
// be read.
func (j *jump) step(p, lo, hi int) int {
	if j.physical == semantics.Prev {
		if j.steps > int64(p-lo) {
			return nowhere
		}
		p -= int(j.steps)
	} else {
		if j.steps >= int64(hi-p) {
			return nowhere
		}
		p += int(j.steps)
	}
	if p < lo || p >= hi {
		return nowhere
	}
	return p
}

// Eval gives NULL if there is no row.
func (j *jump) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	p := j.row(s)
	if p == nowhere {
		return value.Null, nil
	}
	if j.column != nil {
		return s.table.Column(j.column.column).Value(int(s.rows[p])), nil
	}
	outer := s.at
	s.at = p
	v, err := j.arg.Eval(s)
	s.at = outer
	return v, err
}

// Children returns the argument.
func (j *jump) Children() []scalar.Expr { return []scalar.Expr{j.arg} }

// columnAt is a column on the row that a navigation or aggregate has reached.
type columnAt struct {
	scalar.Expr
	column int
}

// Eval reads the column.
func (c *columnAt) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	return s.table.Column(c.column).Value(int(s.rows[s.at])), nil
}

// classifierAt is CLASSIFIER on the row that a navigation or aggregate has
// reached: NULL if the row is not mapped.
type classifierAt struct{ scalar.Expr }

// Eval gives the name of the row's variable.
func (c *classifierAt) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	if s.at < s.start || s.at >= s.end {
		return value.Null, nil
	}
	return value.String(s.names[s.vars[s.at-s.start]]), nil
}

// matchNumber is MATCH_NUMBER().
type matchNumber struct{ scalar.Expr }

// Eval gives the number of the match.
func (*matchNumber) Eval(env scalar.Env) (value.Value, error) {
	return value.Int(env.(*scene).number), nil
}

// length is COUNT(*): the rows of the match up to the current one (AGG-2, AGG-4).
type length struct{ scalar.Expr }

// Eval counts.
func (*length) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	return value.Int(int64(s.current - s.start + 1)), nil
}

// fixed is an expression that classification found to be constant.
type fixed struct {
	scalar.Expr // the original
	value       value.Value
}

// Eval gives the constant.
func (f *fixed) Eval(scalar.Env) (value.Value, error) { return f.value, nil }

// Children returns no operands.
func (*fixed) Children() []scalar.Expr { return nil }
