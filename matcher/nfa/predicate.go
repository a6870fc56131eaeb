package nfa

import (
	"math/bits"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// typedPredicate compiles a rewritten condition; nil if it is not made of
// numbers, or of equalities of strings.
func typedPredicate(e scalar.Expr) predicate {
	switch n := e.(type) {
	case *scalar.Compare:
		return typedCompare(n.Op, n.X, n.Y, n.Options)
	case *scalar.Between:
		low := typedCompare(scalar.OpGreaterEqual, n.X, n.Low, n.Options)
		high := typedCompare(scalar.OpLessEqual, n.X, n.High, n.Options)
		if low != nil && high != nil {
			return negatedIf(&junction{parts: []predicate{low, high}, stop: value.False}, n.Negated)
		}
	case *scalar.IsNull:
		if x, _ := typedNumber(n.X); x != nil {
			return negatedIf(&nullTest{x}, n.Negated)
		}
	case *scalar.Logical:
		var parts []predicate
		for _, a := range n.Args {
			p := typedPredicate(a)
			if p == nil {
				return nil
			}
			parts = append(parts, p)
		}
		switch n.Op {
		case scalar.OpAnd:
			return &junction{parts: parts, stop: value.False}
		case scalar.OpOr:
			return &junction{parts: parts, stop: value.True}
		}
		return &negation{parts[0]}
	}
	return nil
}

func negatedIf(p predicate, yes bool) predicate {
	if yes {
		return &negation{p}
	}
	return p
}

func typedCompare(op scalar.Op, x, y scalar.Expr, o value.Options) predicate {
	if p := typedAverage(op, x, y, false); p != nil {
		return p
	}
	if p := typedAverage(op, y, x, true); p != nil {
		return p
	}
	if p := typedEquality(op, x, y, o); p != nil {
		return p
	}
	a, au := typedNumber(x)
	b, bu := typedNumber(y)
	if a == nil || b == nil || au.kind != bu.kind {
		return nil
	}
	if scale := max(au.scale, bu.scale); au.kind == exact {
		a, b = scaled(a, scale-au.scale, wide), scaled(b, scale-bu.scale, wide)
	}
	return &comparison{op, operandOf(a), operandOf(b)}
}

// comparison compares two numbers of one unit.
type comparison struct {
	op   scalar.Op
	x, y operand
}

func (c *comparison) truth(s *scene) (value.Truth, bool) {
	x, xs := c.x.load(s)
	y, ys := c.y.load(s)
	if xs|ys != isNumber {
		return value.UnknownTruth, xs != isOdd && ys != isOdd
	}
	sign := 0
	if x < y {
		sign = -1
	} else if x > y {
		sign = 1
	}
	return holds(c.op, sign), true
}

// operand is a number that is compared; most are columns near the current row.
type operand struct {
	column int    // nowhere: see x
	delta  int    // the row, counted from the current one
	x      number // in general
}

func operandOf(x number) operand {
	if c, ok := x.(*jumpColumn); ok && c.j.from == atCurrent && c.j.k <= maxReach && c.j.steps <= maxReach {
		switch k := int(c.j.k); {
		case c.j.physical == semantics.NoStep:
			return operand{c.column, -k, nil}
		case c.j.physical == semantics.Prev:
			return operand{c.column, -k - int(c.j.steps), nil}
		case k == 0:
			return operand{c.column, int(c.j.steps), nil}
		}
	}
	return operand{nowhere, 0, x}
}

func (o *operand) load(s *scene) (int64, numberState) {
	if o.column == nowhere {
		return o.x.number(s)
	}
	p := s.current + o.delta
	if p < s.lo || p >= s.hi {
		return 0, isNull
	}
	return s.vectors[o.column].at(s.rows[p])
}

// holds is the truth of a comparison whose operands compare as sign says.
func holds(op scalar.Op, sign int) value.Truth {
	yes := false
	switch op {
	case scalar.OpEqual:
		yes = sign == 0
	case scalar.OpNotEqual:
		yes = sign != 0
	case scalar.OpLess:
		yes = sign < 0
	case scalar.OpLessEqual:
		yes = sign <= 0
	case scalar.OpGreater:
		yes = sign > 0
	case scalar.OpGreaterEqual:
		yes = sign >= 0
	}
	if yes {
		return value.True
	}
	return value.False
}

// average compares a number with an AVG, by x * n and the sum: AVG is rounded to
// 38 digits, which x cannot tell from the quotient, having fewer.
type average struct {
	op         scalar.Op
	x          operand
	reg, track int
	swapped    bool // AVG is the left operand
}

func typedAverage(op scalar.Op, x, y scalar.Expr, swapped bool) predicate {
	n, ok := y.(*aggregateAt)
	if !ok || n.Fn.Name != "AVG" || n.spec.kind != summed || n.spec.typed == nil {
		return nil
	}
	if c, isCoerced := x.(*scalar.Coercion); isCoerced {
		x = c.X
	}
	a, u := typedNumber(x)
	if a == nil || u.kind != exact || u.scale > n.spec.unit.scale {
		return nil
	}
	return &average{op, operandOf(scaled(a, n.spec.unit.scale-u.scale, wide)), n.reg, n.spec.track, swapped}
}

func (c *average) truth(s *scene) (value.Truth, bool) {
	x, state := c.x.load(s)
	if state != isNumber {
		return value.UnknownTruth, state != isOdd
	}
	var n, sumLo, sumHi uint64
	if l := s.regs.layout; l != nil {
		words := s.regs.words[s.regs.top+l.aggs[c.reg]:]
		if words[0] == oddCount {
			return value.UnknownTruth, false
		}
		n, sumLo, sumHi = uint64(words[0]), uint64(words[1]), uint64(words[2])
	} else if rows := s.regs.tracks[c.track].rows; len(rows) > 0 {
		a := &s.regs.aggs[c.reg]
		if a.upToDate(s, rows) != nil || a.odd {
			return value.UnknownTruth, false
		}
		st := &a.states[len(a.states)-1]
		n, sumLo, sumHi = uint64(st.n), st.lo, st.hi
	}
	if n == 0 {
		return value.UnknownTruth, true
	}
	hi, lo := bits.Mul64(uint64(x), n)
	if x < 0 {
		hi -= n
	}
	sign := 0
	switch {
	case int64(hi) < int64(sumHi), hi == sumHi && lo < sumLo:
		sign = -1
	case hi != sumHi || lo != sumLo:
		sign = 1
	}
	if c.swapped {
		sign = -sign
	}
	return holds(c.op, sign), true
}

// equality is = or <> of a column of strings and a literal.
type equality struct {
	j       *jump
	column  int
	text    string
	negated bool
}

func typedEquality(op scalar.Op, x, y scalar.Expr, o value.Options) predicate {
	if op != scalar.OpEqual && op != scalar.OpNotEqual || o.PadSpace {
		return nil
	}
	j, ok := x.(*jump)
	c, isConst := y.(*scalar.Const)
	if !ok || !isConst || j.column == nil || j.Type().Kind != value.Varchar || c.T.Kind != value.Varchar || c.Value.IsNull() {
		return nil
	}
	return &equality{j, j.column.column, c.Value.AsString(), op == scalar.OpNotEqual}
}

func (c *equality) truth(s *scene) (value.Truth, bool) {
	p := c.j.row(s)
	if p == nowhere {
		return value.UnknownTruth, true
	}
	col, row := s.table.Column(c.column), int(s.rows[p])
	if col.IsNull(row) {
		return value.UnknownTruth, true
	}
	if (col.StringAt(row) == c.text) != c.negated {
		return value.True, true
	}
	return value.False, true
}

type nullTest struct{ x number }

func (c *nullTest) truth(s *scene) (value.Truth, bool) {
	_, state := c.x.number(s)
	if state == isNull {
		return value.True, true
	}
	return value.False, state != isOdd
}

// junction is AND or OR: it stops at FALSE or at TRUE (DEF-15).
type junction struct {
	parts []predicate
	stop  value.Truth
}

func (c *junction) truth(s *scene) (value.Truth, bool) {
	out := c.stop.Not()
	for _, p := range c.parts {
		t, ok := p.truth(s)
		switch {
		case !ok:
			return value.UnknownTruth, false
		case t == c.stop:
			return t, true
		case t == value.UnknownTruth:
			out = t
		}
	}
	return out, true
}

type negation struct{ x predicate }

func (c *negation) truth(s *scene) (value.Truth, bool) {
	t, ok := c.x.truth(s)
	return t.Not(), ok
}
