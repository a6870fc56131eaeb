package columnar

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Leaf says what a node that package scalar does not know is on the current
// row. The zero Leaf is nothing.
type Leaf struct {
	what   leafKind
	column int
	steps  []int64
	arg    scalar.Expr
	value  value.Value
}

type leafKind uint8

const (
	noLeaf leafKind = iota
	columnLeaf
	shiftLeaf
	constantLeaf
)

// Column is an input column of the row.
func Column(column int) Leaf { return Leaf{what: columnLeaf, column: column} }

// Shift is an expression evaluated on the row that one or more steps reach, a
// negative step going back. It is NULL if one of the steps leaves the
// partition. Inside it, Column is a column of the row reached.
func Shift(arg scalar.Expr, steps ...int64) Leaf {
	return Leaf{what: shiftLeaf, arg: arg, steps: steps}
}

// Constant is the same value of the node's type on all rows.
func Constant(v value.Value) Leaf { return Leaf{what: constantLeaf, value: v} }

// Resolver says what a leaf is; false: it depends on more than the row.
type Resolver func(e scalar.Expr) (Leaf, bool)

// Leaves resolves the leaves in the condition of variable v. The row under test
// is the last row of v, of the unions that v belongs to and of the match
// (DEF-6): there column references, PREV, NEXT and LAST start from it. With a
// nil clause unions are not known, and CLASSIFIER is not.
func Leaves(c *semantics.Clause, v semantics.VarID) Resolver {
	return func(e scalar.Expr) (Leaf, bool) {
		current := func(x semantics.VarID) bool {
			return x == semantics.Universal || x == v || c != nil && c.Belongs(v, x)
		}
		switch n := e.(type) {
		case *semantics.ColumnRef:
			return Column(n.Column), current(n.Var)
		case *semantics.Classifier:
			if c == nil || !current(n.Var) {
				return Leaf{}, false
			}
			return Constant(value.String(c.Name(v))), true
		case *semantics.Navigation:
			return navigation(n, current(n.Var))
		}
		return Leaf{}, false
	}
}

// navigation resolves PREV and NEXT (NAV-2), LAST (NAV-1) and their nesting
// (NAV-3), as far as they start from the current row.
func navigation(n *semantics.Navigation, current bool) (Leaf, bool) {
	logical, ok := offset(n.LogicalOffset, 0)
	if !current || !ok || logical != 0 || n.Final || n.Logical != semantics.NoStep && n.Logical != semantics.Last {
		return Leaf{}, false
	}
	moves, ok := offset(n.PhysicalOffset, 1)
	if !ok {
		return Leaf{}, false
	}
	switch n.Physical {
	case semantics.NoStep:
		moves = 0
	case semantics.Prev:
		moves = -moves
	}
	// CLASSIFIER of another row reads the mapping.
	named := false
	scalar.Walk(n.Arg, func(e scalar.Expr) bool {
		_, is := e.(*semantics.Classifier)
		named = named || is
		return true
	})
	return Shift(n.Arg, moves), !named || moves == 0
}

// offset is the constant offset of a navigation; false if it is none, or an
// error (NAV-5).
func offset(e scalar.Expr, without int64) (int64, bool) {
	if e == nil {
		return without, true
	}
	sign := int64(1)
	for {
		var v value.Value
		switch n := e.(type) {
		case *scalar.Const:
			v = n.Value
		case *scalar.HostVariable:
			if !n.Bound {
				return 0, false
			}
			v = n.Value
		case *scalar.Unary:
			if n.Op == scalar.OpNegate {
				sign = -sign
			}
			e = n.X
			continue
		default:
			return 0, false
		}
		n := v.Raw()
		if v.Form() == value.FormDecimal {
			var scale int
			var small bool
			if n, scale, small = v.AsScaled(); !small || scale != 0 {
				return 0, false
			}
		} else if v.Form() != value.FormInt {
			return 0, false
		}
		if n == math.MinInt64 || sign*n < 0 {
			return 0, false
		}
		return sign * n, true
	}
}
