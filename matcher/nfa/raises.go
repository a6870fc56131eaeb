package nfa

import (
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// raises reports whether evaluating a rewritten expression may be a run-time
// error on some data. It errs on the side of yes.
func raises(e scalar.Expr) bool {
	switch n := e.(type) {
	case *scalar.Const, *columnAt, *classifierAt, *matchNumber, *length, *fixed:
		return false
	case *scalar.HostVariable:
		return !n.Bound
	case *jump:
		return raises(n.arg)
	case *aggregateAt:
		return aggregateRaises(n)
	case *scalar.Unary:
		return n.Op != scalar.OpPlus || raises(n.X)
	case *scalar.Like:
		if n.Escape != nil {
			return true
		}
	case *scalar.Func:
		if !n.Fn.Lazy && !safeFunctions[n.Fn.Name] {
			return true
		}
	case *scalar.Coercion:
		from, to := n.X.Type(), n.T
		if !from.IsInteger() || to.Kind != value.Bigint && to.Kind != value.Double {
			return true
		}
	case *scalar.Compare, *scalar.Logical, *scalar.Between, *scalar.In, *scalar.IsNull, *scalar.IsTruth, *scalar.IsDistinct,
		*scalar.Case, *scalar.ArrayMaker:
	default:
		return true
	}
	for _, c := range e.Children() {
		if raises(c) {
			return true
		}
	}
	return false
}

// safeFunctions are never a run-time error, whatever their arguments are.
var safeFunctions = map[string]bool{"UPPER": true, "LOWER": true, "CHAR_LENGTH": true, "GREATEST": true, "LEAST": true}

func aggregateRaises(n *aggregateAt) bool {
	for _, x := range n.spec.agg.Operands() {
		if raises(x) {
			return true
		}
	}
	switch n.spec.kind {
	case counted, extreme:
		return false
	case summed:
		t := n.Args[0].Type()
		// 2^31 rows of 32 bits fit 64 bits, and the average of integers fits.
		return !t.IsInteger() || n.Fn.Name == "SUM" && t.Kind == value.Bigint
	}
	return true
}
