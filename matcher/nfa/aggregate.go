package nfa

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// addNumber adds a number that the unit of the argument holds as an integer.
func (a *aggregate) addNumber(st *aggregateState, n int64, row int) {
	if a.spec.kind == summed {
		var carry uint64
		st.lo, carry = bits.Add64(st.lo, uint64(n), 0)
		st.hi, _ = bits.Add64(st.hi, uint64(n>>63), carry)
		return
	}
	best := int64(st.lo)
	if st.best == nowhere || n < best && a.spec.minimum || n > best && !a.spec.minimum {
		st.best, st.lo = int32(row), uint64(n)
	}
}

// add adds a value that is not NULL to the state of an aggregate.
func (a *aggregate) add(s *scene, st *aggregateState, v value.Value, row int) error {
	switch a.spec.kind {
	case summed:
		n := v.Raw()
		if v.Form() == value.FormDecimal {
			scaled, scale, ok := v.AsScaled()
			if !ok || scale != a.spec.agg.Args[0].Type().Scale {
				a.odd = true
				return nil
			}
			n = scaled
		}
		var carry uint64
		st.lo, carry = bits.Add64(st.lo, uint64(n), 0)
		st.hi, _ = bits.Add64(st.hi, uint64(n>>63), carry)
	case floating:
		x := v.AsFloat()
		st.inf = st.inf || math.IsInf(x, 0)
		st.lo = math.Float64bits(math.Float64frombits(st.lo) + x)
	case extreme:
		better := st.best == nowhere
		if !better {
			s.at = int(st.best)
			best, err := a.spec.agg.Args[0].Eval(s)
			if err != nil {
				return err
			}
			c := a.compare(v, best)
			better = c < 0 && a.spec.minimum || c > 0 && !a.spec.minimum
		}
		if better {
			st.best = int32(row)
		}
	}
	return nil
}

// compare orders two values that are not NULL.
func (a *aggregate) compare(x, y value.Value) int {
	if x.Form() == y.Form() && x.Form() != value.FormDecimal && a.spec.agg.Args[0].Type().IsInteger() {
		return cmp.Compare(x.Raw(), y.Raw())
	}
	return value.Compare(x, y, a.spec.agg.Options)
}

// result gives the value of a state. ok is false where the general way has to
// say it: the sum does not fit, or may be an error.
func (a *aggregate) result(s *scene, st *aggregateState) (v value.Value, ok bool, err error) {
	switch a.spec.kind {
	case counted:
		return value.Int(st.n), true, nil
	case extreme:
		if st.best == nowhere {
			return value.Null, true, nil // AGG-3
		}
		s.at = int(st.best)
		v, err := a.spec.agg.Args[0].Eval(s)
		return v, true, err
	}
	if st.n == 0 {
		return value.Null, true, nil
	}
	average := a.spec.agg.Fn.Name == "AVG"
	if a.spec.kind == floating {
		sum := math.Float64frombits(st.lo)
		switch {
		case math.IsInf(sum, 0) && !st.inf:
			return value.Null, false, nil
		case average:
			return value.Float(sum / float64(st.n)), true, nil
		}
		return value.Float(sum), true, nil
	}
	n := int64(st.lo)
	if st.hi != uint64(n>>63) {
		return value.Null, false, nil
	}
	arg, result := a.spec.agg.Args[0].Type(), a.spec.agg.Type
	switch {
	case average && result.Kind == value.Decimal && result.Precision == 0:
		v, err := value.Arith("/", result, value.ScaledInt(n, arg.Scale), value.Int(st.n))
		return v, true, err
	case average:
		return value.Null, false, nil
	case arg.Kind == value.IntervalDay:
		return value.IntervalOf(n), true, nil
	case arg.Kind == value.IntervalYear:
		return value.MonthsOf(n), true, nil
	case arg.Kind == value.Decimal:
		if result.Precision > 0 && result.Scale == arg.Scale {
			return value.ScaledInt(n, arg.Scale), true, nil
		}
		return value.Null, false, nil
	}
	return value.Int(n), true, nil
}
