package nfa

import (
	"fmt"
	"math"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// windowPlan is a conjunct that bounds a match by a window which begins at its
// first row (T2w), such as ts <= FIRST(ts) + INTERVAL '30' MINUTE: for each
// start it holds on the rows up to some place and on none after it.
//
// Chosen when a conjunct compares one column of the current row with columns of
// the start row and constants, or a COUNT(*) with a constant, so that it can only
// become false as the column grows (or falls), and the column does so in the
// partition, without NULL; where ORDER BY does not say that it does, the values
// are looked at. Several variables may have the same window.
//
// For each position and row the reverse pass keeps, of all ways to complete the
// match, the earliest place at which the last row that the window binds can lie.
// A choice is open for a start if that place is inside the start's window. Where
// windows are the only conditions that are not row-local this is exact; else the
// search of T3 is cut by it. It costs the length of the lists for each row, and
// four bytes for each position and row.
type windowPlan struct {
	test   test
	column int    // of the current row; nowhere: COUNT(*)
	falls  bool   // the condition becomes false as the column falls
	binds  []bool // by primary variable
	only   bool   // there are no other conditions than row-local ones
}

// maxWindowCells bounds positions times rows of a partition.
const maxWindowCells = 1 << 25

// planWindow finds the window that most variables have.
func (p *program) planWindow() *windowPlan {
	plans, texts := map[string]*windowPlan{}, map[string]int{}
	best := ""
	for v, d := range p.defs {
		for _, j := range d.conjuncts {
			if j.class != startLocal {
				continue
			}
			column, falls, text, ok := windowShape(j.expr)
			if !ok {
				continue
			}
			w := plans[text]
			if w == nil {
				w = &windowPlan{test: test{j.expr, typedPredicate(j.expr)}, column: column, falls: falls, binds: make([]bool, len(p.defs))}
				plans[text] = w
			}
			w.binds[v] = true
			if texts[text]++; texts[text] > texts[best] {
				best = text
			}
		}
	}
	w := plans[best]
	if w == nil || p.auto.hasRuns {
		return nil
	}
	w.only = true
	for _, d := range p.defs {
		for _, j := range d.conjuncts {
			if j.class != rowLocal {
				if _, _, text, ok := windowShape(j.expr); !ok || text != best {
					w.only = false
				}
			}
		}
	}
	return w
}

// ordersBy reports whether the rows of a partition are in the order of a column,
// down or up. COUNT(*) always grows.
func (p *program) ordersBy(column int, down bool) bool {
	if column == nowhere {
		return true
	}
	keys := p.clause.OrderBy
	return len(keys) > 0 && keys[0].Expr == nil && keys[0].Column == column && keys[0].Descending == down
}

// windowShape reports whether a conjunct is a window: on which column of the
// current row it depends, and whether it becomes false as that falls. text tells
// windows apart.
func windowShape(e scalar.Expr) (column int, falls bool, text string, ok bool) {
	n, isCompare := e.(*scalar.Compare)
	if !isCompare {
		return 0, false, "", false
	}
	t := terms{column: nowhere}
	ok = t.add(n.X, 1) && t.add(n.Y, -1)
	if !ok || t.rows != 1 {
		return 0, false, "", false
	}
	switch n.Op {
	case scalar.OpLess, scalar.OpLessEqual:
		falls = t.sign < 0
	case scalar.OpGreater, scalar.OpGreaterEqual:
		falls = t.sign > 0
	default:
		return 0, false, "", false
	}
	if t.column == nowhere && falls {
		return 0, false, "", false // COUNT(*) only grows
	}
	return t.column, falls, n.Op.String() + t.text, true
}

// terms are the operands of the sums and differences of a comparison.
type terms struct {
	rows   int // terms that read the current row, or COUNT(*)
	column int
	sign   int
	text   string
}

func (t *terms) add(e scalar.Expr, sign int) bool {
	switch n := e.(type) {
	case *scalar.Const:
		t.text += fmt.Sprintf("%+d(%s)", sign, n)
		return true
	case *scalar.Coercion:
		return t.add(n.X, sign)
	case *length:
		t.rows, t.sign = t.rows+1, sign
		t.text += fmt.Sprintf("%+d#", sign)
		return true
	case *jump:
		if n.column == nil || n.k != 0 || n.physical != semantics.NoStep {
			return false
		}
		switch n.from {
		case atCurrent:
			t.rows, t.column, t.sign = t.rows+1, n.column.column, sign
		case atStart:
		default:
			return false
		}
		t.text += fmt.Sprintf("%+d@%d[%d]", sign, n.from, n.column.column)
		return true
	case *scalar.Binary:
		// The place of a term does not matter, but equal texts must mean equal
		// conditions: the tree is part of the text.
		t.text += "(" + n.Op.String()
		ok := t.add(n.X, sign)
		switch n.Op {
		case scalar.OpAdd:
			ok = ok && t.add(n.Y, sign)
		case scalar.OpSubtract:
			ok = ok && t.add(n.Y, -sign)
		default:
			ok = false
		}
		t.text += ")"
		return ok
	}
	return false
}

// holdsIn reports whether the column goes one way in a partition, without NULL.
func (w *windowPlan) holdsIn(t *table.Table, rows []int32) bool {
	if w.column == nowhere {
		return true
	}
	col := t.Column(w.column)
	ints, floats := col.Int64s(), col.Float64s()
	for i, row := range rows {
		if col.IsNull(int(row)) {
			return false
		}
		if i == 0 {
			continue
		}
		before := rows[i-1]
		switch {
		case ints != nil:
			if ints[row] != ints[before] && ints[row] < ints[before] != w.falls {
				return false
			}
		case floats != nil:
			x, y := floats[before], floats[row]
			if x != x || y != y || x != y && y < x != w.falls {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// windowView is the viability within the windows of a partition.
type windowView struct {
	auto  *automaton
	plan  *windowPlan
	scene scene
	cells []int32 // by row and position: the earliest place of the last row bound; never: no completion
	width int
	limit int32 // the last place inside the window of the start
	start int
}

const never = math.MaxInt32

// windowFor returns the window's viability of a partition, in the memory of v if
// that is not nil; nil if the window does not apply there.
func (p *program) windowFor(v *windowView, l *labels, t *table.Table, rows []int32, class func(i int) uint16) *windowView {
	if p.window == nil || (len(rows)+1)*len(p.auto.positions) > maxWindowCells || p.searchPlanFor(t).raising || !p.window.holdsIn(t, rows) {
		return nil
	}
	if v == nil {
		v = &windowView{auto: p.auto, plan: p.window, width: len(p.auto.positions)}
		v.scene = scene{table: t, vectors: vectorsOf(t), at: nowhere}
	}
	v.start = nowhere
	v.scene.rows, v.scene.hi = rows, len(rows)
	v.pass(l, class)
	return v
}

// pass makes the reverse pass over the classes of the partition's rows.
func (v *windowView) pass(l *labels, class func(i int) uint16) {
	a, n := v.auto, len(v.scene.rows)
	v.cells = resized(v.cells, (n+1)*v.width)
	for q := range v.width {
		v.cells[n*v.width+q] = never
	}
	for i := n - 1; i >= 0; i-- {
		c := class(i)
		row, behind := v.cells[i*v.width:][:v.width], v.cells[(i+1)*v.width:][:v.width]
		for q := range row {
			row[q] = never
			if !l.may(c, int32(q)) {
				continue
			}
			best := v.earliest(int32(q), behind, i+1 == n)
			if best < 0 && v.plan.binds[a.positions[q].v] {
				best = int32(i)
			}
			row[q] = best
		}
	}
}

// earliest is the earliest place of the last row bound behind position q; -1 if
// no row need be.
func (v *windowView) earliest(q int32, behind []int32, last bool) int32 {
	if last {
		if v.auto.endsLast[q] {
			return -1
		}
		return never
	}
	best := int32(never)
	for _, next := range v.auto.follow[q] {
		if next == accept {
			return -1
		}
		best = min(best, behind[next])
	}
	return best
}

// startAt finds the window of a start: the rows up to the last one on which the
// condition holds, by doubling steps and then halving them.
func (v *windowView) startAt(start int) {
	if v.start == start {
		return
	}
	v.start = start
	v.scene.start = start
	lo, step, n := start-1, 1, len(v.scene.rows) // it holds up to lo
	for lo+step < n && v.holds(lo+step) {
		lo += step
		step *= 2
	}
	for step /= 2; step > 0; step /= 2 {
		if lo+step < n && v.holds(lo+step) {
			lo += step
		}
	}
	v.limit = int32(lo)
}

func (v *windowView) holds(row int) bool {
	v.scene.current = row
	if v.plan.test.typed != nil {
		if t, ok := v.plan.test.typed.truth(&v.scene); ok {
			return t == value.True
		}
	}
	t, err := scalar.EvalTruth(v.plan.test.expr, &v.scene)
	return err == nil && t == value.True
}

func (v *windowView) open(row int, list []int32) int32 {
	for _, q := range list {
		if q == accept || v.cells[row*v.width+int(q)] <= v.limit {
			return q
		}
	}
	return none
}

func (v *windowView) begin(row, kind int) int32 {
	v.startAt(row)
	return v.open(row, v.auto.start[kind])
}

func (v *windowView) choose(row int, p int32) int32 {
	if row == len(v.scene.rows) {
		if v.auto.endsLast[p] {
			return accept
		}
		return none
	}
	return v.open(row, v.auto.follow[p])
}

func (v *windowView) viable(row int, p int32) bool { return v.cells[row*v.width+int(p)] <= v.limit }

func (v *windowView) leave(row int, _ int32) int { return row + 1 }
