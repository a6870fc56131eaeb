package faux

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// aggregate is an aggregate over the rows of a variable (AGG-2).
type aggregate struct {
	origin
	spec  *scalar.Aggregation
	v     semantics.VarID
	final bool
	star  bool // COUNT(*) or COUNT(V.*), without FILTER
}

// Eval aggregates over the rows of the variable, recomputed each time (AGG-8).
func (a *aggregate) Eval(env scalar.Env) (value.Value, error) {
	s := env.(*scene)
	if a.spec.Fn.Name == "COUNT" && s.lie == emptyCountNull && s.now == nowhere {
		return value.Null, nil
	}
	rows := a.rows(s)
	if s.lie == rebuiltByCount && s.defining() {
		if old, ok := s.cache[a]; ok && old.rows == len(rows) {
			return old.v, nil
		}
	}
	v, err := a.over(s, rows)
	if err != nil {
		return value.Null, diag.From(err).At(a.Pos())
	}
	if s.lie == rebuiltByCount && s.defining() {
		if s.cache == nil {
			s.cache = map[*aggregate]cached{}
		}
		s.cache[a] = cached{len(rows), v}
	}
	return a.ofNone(s, v, len(rows)), nil
}

// rows returns the rows aggregated over.
func (a *aggregate) rows(s *scene) []int {
	final := a.final
	switch {
	case s.defining():
	case s.lie == runningIsFinal:
		final = true
	case s.lie == finalIsRunning:
		final = false
	}
	v := a.v
	if s.lie == countStarOne && a.star && v == semantics.Universal {
		v = 0
		if s.defining() {
			v = s.testing
		}
	}
	rows := s.rowsOf(v, final)
	if s.lie == rowNotCounted && s.defining() && len(rows) > 0 && rows[len(rows)-1] == s.now {
		rows = rows[:len(rows)-1]
	}
	if s.lie == givenBackKept && s.defining() {
		for _, g := range s.given {
			if s.clause.Belongs(g.v, v) {
				rows = append(rows, g.row)
			}
		}
	}
	if s.lie == countStarNonNull && a.star && v != semantics.Universal {
		rows = withoutNull(s, rows)
	}
	return rows
}

// withoutNull keeps the rows that have a value in every column.
func withoutNull(s *scene, rows []int) []int {
	var out []int
next:
	for _, row := range rows {
		for c := range s.part.Table.NumColumns() {
			if s.valueAt(row, c).IsNull() {
				continue next
			}
		}
		out = append(out, row)
	}
	return out
}

func (a *aggregate) over(s *scene, rows []int) (value.Value, error) {
	if s.lie == countValueRows && a.spec.Fn.Name == "COUNT" && !a.spec.Distinct && a.spec.Filter == nil {
		return value.Int(int64(len(rows))), nil
	}
	run := a.spec.Start()
	before := s.on
	defer func() { s.on = before }()
	for _, row := range rows {
		s.on = row
		if err := run.Add(s); err != nil {
			return value.Null, err
		}
	}
	return run.Result()
}

// ofNone is the value over nothing (AGG-3).
func (a *aggregate) ofNone(s *scene, v value.Value, rows int) value.Value {
	switch {
	case s.lie == countOfNoneIsNull && a.spec.Fn.Name == "COUNT" && rows == 0:
		return value.Null
	case s.lie == sumOfNoneIsZero && a.spec.Fn.Name == "SUM" && v.IsNull():
		return zero(a.Type())
	case s.lie == minKeepsStart && a.spec.Fn.Name == "MIN" && v.IsNull():
		return largest(a.Type())
	}
	return v
}

// zero is 0 of a type that SUM has.
func zero(t value.Type) value.Value {
	switch {
	case t.Kind == value.Decimal:
		return value.ScaledInt(0, t.Scale)
	case t.IsApproximate():
		return value.Float(0)
	case t.Kind == value.IntervalDay:
		return value.IntervalOf(0)
	case t.Kind == value.IntervalYear:
		return value.MonthsOf(0)
	}
	return value.Int(0)
}

// largest is the largest number of a type; NULL for types without one.
func largest(t value.Type) value.Value {
	switch t.Kind {
	case value.Smallint:
		return value.Int(math.MaxInt16)
	case value.Integer:
		return value.Int(math.MaxInt32)
	case value.Bigint:
		return value.Int(math.MaxInt64)
	case value.Real:
		return value.Float(math.MaxFloat32)
	case value.Double:
		return value.Float(math.MaxFloat64)
	}
	return value.Null
}
