package nfa

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// outputPlan says how the output table is made (chapter 7).
type outputPlan struct {
	foreign  bool // the output is left to package semantics: a reading that only it knows
	measures []measurePlan
	final    []scalar.Expr // of all measures
	regs     registerPlan
	layout   *layout // of regs; nil: rows are kept instead
	shared   bool    // its frames are those of the search
	columns  []outputColumn
	batch    bool // see outputPlan.batches
	each     bool // see outputPlan.steps
}

// outputColumn is an input column, or a measure where input is none.
type outputColumn struct{ input, measure int }

// measureKind says how a measure's values are stored until the table is made.
type measureKind uint8

const (
	general  measureKind = iota // as values
	gathered                    // as the input rows that they are read from
	numbered                    // as integers: MATCH_NUMBER()
	measured                    // as integers: COUNT(*)
	typed                       // as integers: other expressions of an integer type
)

// measurePlan is one rewritten measure.
type measurePlan struct {
	expr scalar.Expr
	kind measureKind
	jump *jump // gathered
	// number is the expression over machine integers, of typed.
	number number
}

// planOutput rewrites the measures.
func (p *program) planOutput() {
	c := p.clause
	o := &p.output
	o.regs = registerPlan{clause: c}
	w := &rewriter{clause: c, regs: &o.regs, x: measure, final: &o.final, facts: map[factKey][]fact{}}
	if c.Rows == semantics.OneRow && p.tier != Delegated {
		w.auto = p.auto
	}
	for _, m := range c.Measures {
		plan := measurePlan{expr: w.expr(m.Expr)}
		switch n := plan.expr.(type) {
		case *jump:
			if n.column != nil {
				plan.kind, plan.jump = gathered, n
			}
		case *matchNumber:
			plan.kind = numbered
		case *length:
			plan.kind = measured
		}
		if plan.kind == general && m.Expr.Type().IsInteger() {
			if plan.number, _ = typedNumber(plan.expr); plan.number != nil {
				plan.kind = typed
			}
		}
		o.measures = append(o.measures, plan)
	}
	p.planFrames()
	o.batch = o.batches(c.Rows)
	o.each = o.steps()
	o.foreign = w.failed || c.Readings.Is(readings.OUT7) || c.Window != nil
	o.placeColumns(c)
}

// planFrames places what conditions and measures read of a match. Where a match
// is one row of output, the search keeps what the measures read too, so that
// the match is not walked again for them.
func (p *program) planFrames() {
	o := &p.output
	var conditions, measures []scalar.Expr
	for _, d := range p.defs {
		for _, j := range d.conjuncts {
			conditions = append(conditions, j.expr)
		}
	}
	for _, m := range o.measures {
		measures = append(measures, m.expr)
	}
	measures = append(measures, o.final...)
	if p.searches() {
		l := newSlots(p.clause)
		if p.layout = l.layout(&p.regs, conditions); p.layout != nil && p.clause.Rows == semantics.OneRow {
			both := l.clone()
			if o.layout = both.layout(&o.regs, measures); o.layout != nil {
				p.layout.slots, o.shared = both, true
				return
			}
		}
	}
	o.layout = newSlots(p.clause).layout(&o.regs, measures)
}

// placeColumns finds out where the output columns come from (OUT-1, OUT-2).
func (o *outputPlan) placeColumns(c *semantics.Clause) {
	placed := map[int]bool{}
	input := func(i int) {
		if i >= 0 && !placed[i] {
			placed[i] = true
			o.columns = append(o.columns, outputColumn{input: i})
		}
	}
	for _, i := range c.PartitionBy {
		input(i)
	}
	if c.Rows.IsAll() {
		for _, k := range c.OrderBy {
			input(k.Column)
		}
	}
	for i := range c.Measures {
		o.columns = append(o.columns, outputColumn{input: nowhere, measure: i})
	}
	if c.Rows.IsAll() {
		for i := range c.Input.Fields {
			input(i)
		}
	}
	// What does not fit the clause's own account is left to it.
	o.foreign = o.foreign || len(o.columns) != len(c.Output.Fields)
}

// output is a piece of the output table: that of some partitions.
type output struct {
	plan  *outputPlan
	rows  []int32 // the input row behind each output row
	cells []cells // by measure
}

// cells are the values of a measure.
type cells struct {
	rows    []int32 // gathered: input rows; nowhere: NULL
	ints    []int64 // numbered, measured, typed
	nulls   []int32 // likewise: places of NULLs
	builder *table.Builder
}

// newOutput returns an empty piece with room for some rows.
func (p *program) newOutput(room int) *output {
	o := &output{plan: &p.output, rows: make([]int32, 0, room), cells: make([]cells, len(p.output.measures))}
	for i := range o.cells {
		switch p.output.measures[i].kind {
		case gathered:
			o.cells[i].rows = make([]int32, 0, room)
		case numbered, measured, typed:
			o.cells[i].ints = make([]int64, 0, room)
		default:
			o.cells[i].builder = table.NewBuilder("", p.clause.Measures[i].Expr.Type())
		}
	}
	return o
}

// unmatched outputs a row with NULL for every measure (MEA-7).
func (o *output) unmatched(row int32) {
	o.rows = append(o.rows, row)
	for i := range o.cells {
		c := &o.cells[i]
		switch o.plan.measures[i].kind {
		case gathered:
			c.rows = append(c.rows, nowhere)
		case numbered, measured, typed:
			c.nulls = append(c.nulls, int32(len(c.ints)))
			c.ints = append(c.ints, 0)
		default:
			c.builder.AppendNull()
		}
	}
}

// evaluator computes measures. It belongs to one goroutine.
type evaluator struct {
	program *program
	scene   scene
}

func (p *program) newEvaluator() *evaluator {
	e := &evaluator{program: p}
	e.scene = scene{at: nowhere, regs: p.output.regs.new(), names: p.names(), finals: make([]finalResult, len(p.output.final))}
	e.scene.regs.onward = true
	for i := range e.scene.regs.aggs {
		e.scene.regs.aggs[i].onward = true
	}
	return e
}

// enter makes a partition the current one.
func (e *evaluator) enter(t *table.Table, rows []int32) {
	s := &e.scene
	if s.table != t {
		s.table, s.vectors = t, vectorsOf(t)
		if e.program.carry == nil {
			s.regs.use(e.program.output.layout, s)
		}
	}
	s.rows, s.lo, s.hi = rows, 0, len(rows)
}

// match outputs a match, of the rows from start up to end (OUT-3, OUT-4, OUT-5,
// OUT-7). vars is nil where the plan has no use for it, excluded where no row is.
// frame is what the search knows of the match, if it is at hand.
func (e *evaluator) match(o *output, number int64, start, end int, vars []semantics.VarID, excluded []bool, frame []int64) error {
	s := &e.scene
	s.start, s.end, s.number, s.vars = start, end, number, vars
	rows := e.program.clause.Rows
	if start == end && rows == semantics.OmitEmpty {
		return nil
	}
	tracked := len(s.regs.tracks) > 0
	if tracked {
		s.regs.reset()
	}
	if start == end || rows == semantics.OneRow {
		switch {
		case frame != nil:
			copy(s.regs.words, frame)
		case tracked:
			e.pushAll(start, vars)
		}
		e.finals(end - 1)
		return e.row(o, end-1, start)
	}
	if len(s.finals) > 0 {
		e.pushAll(start, vars)
		e.finals(end - 1)
		s.regs.reset()
	}
	for i, v := range vars {
		if tracked {
			s.regs.push(s, start+i, v)
		}
		if excluded != nil && excluded[i] {
			continue
		}
		if err := e.row(o, start+i, start+i); err != nil {
			return err
		}
	}
	return nil
}

func (e *evaluator) pushAll(start int, vars []semantics.VarID) {
	for i, v := range vars {
		e.scene.regs.push(&e.scene, start+i, v)
	}
}

// oneRow outputs a match whose rows the registers know already.
func (e *evaluator) oneRow(o *output, number int64, start, end int) error {
	s := &e.scene
	s.start, s.end, s.number, s.vars = start, end, number, nil
	e.finals(end - 1)
	return e.row(o, end-1, start)
}

// finals computes what holds for the whole match.
func (e *evaluator) finals(current int) {
	s := &e.scene
	s.current = current
	for i, x := range e.program.output.final {
		s.finals[i].value, s.finals[i].err = x.Eval(s)
	}
}

// row outputs one row: the input columns at a place, the measures as seen from
// the current row.
func (e *evaluator) row(o *output, current, place int) error {
	s := &e.scene
	s.current = current
	for i := range o.cells {
		c, m := &o.cells[i], &o.plan.measures[i]
		switch m.kind {
		case gathered:
			row := int32(nowhere)
			if p := m.jump.row(s); p != nowhere {
				row = s.rows[p]
			}
			c.rows = append(c.rows, row)
		case numbered:
			c.ints = append(c.ints, s.number)
		case measured:
			c.ints = append(c.ints, int64(current-s.start+1))
		case typed:
			n, state := m.number.number(s)
			if state == isOdd {
				v, err := m.expr.Eval(s)
				if err != nil {
					return e.measureError(i, err)
				}
				if n = v.Raw(); v.IsNull() {
					state = isNull
				}
			}
			if state == isNull {
				c.nulls = append(c.nulls, int32(len(c.ints)))
				n = 0
			}
			c.ints = append(c.ints, n)
		default:
			v, err := m.expr.Eval(s)
			if err == nil {
				err = c.builder.Append(v)
			}
			if err != nil {
				return e.measureError(i, err)
			}
		}
	}
	o.rows = append(o.rows, s.rows[place])
	return nil
}

// measureError places an error of a measure.
func (e *evaluator) measureError(i int, err error) error {
	return diag.From(err).At(e.program.clause.Measures[i].Expr.Pos()).In(e.program.clause.Source)
}

// assemble makes the output table of its pieces.
func (p *program) assemble(in *table.Table, pieces []*output) (*table.Table, error) {
	n, rows := 0, make([][]int32, len(pieces))
	for i, o := range pieces {
		rows[i] = o.rows
		n += len(o.rows)
	}
	cols := make([]*table.Column, len(p.output.columns))
	for i, oc := range p.output.columns {
		name := p.clause.Output.Fields[i].Name
		if oc.input != nowhere {
			cols[i] = in.Column(oc.input).Gather(rows...).Named(name)
			continue
		}
		m := &p.output.measures[oc.measure]
		at := func(o *output) *cells { return &o.cells[oc.measure] }
		t := p.clause.Measures[oc.measure].Expr.Type()
		switch m.kind {
		case gathered:
			from := make([][]int32, len(pieces))
			for k, o := range pieces {
				from[k] = at(o).rows
			}
			cols[i] = in.Column(m.jump.column.column).Gather(from...).Named(name)
		case numbered, measured, typed:
			b := table.NewBuilder(name, t)
			b.Reserve(n)
			for _, o := range pieces {
				next := 0
				for k, n := range at(o).ints {
					if next < len(at(o).nulls) && int(at(o).nulls[next]) == k {
						b.AppendNull()
						next++
						continue
					}
					b.AppendInt64(n)
				}
			}
			cols[i] = b.Column()
		default:
			if len(pieces) == 1 {
				cols[i] = at(pieces[0]).builder.Column().Named(name)
				continue
			}
			b := table.NewBuilder(name, t)
			b.Reserve(n)
			for _, o := range pieces {
				if err := appendColumn(b, at(o).builder.Column()); err != nil {
					return nil, err
				}
			}
			cols[i] = b.Column()
		}
	}
	return table.NewRows(n, cols...)
}

// appendColumn appends the rows of a column of the same type.
func appendColumn(b *table.Builder, c *table.Column) error {
	ints := c.Int64s()
	for i := range c.Len() {
		switch {
		case c.IsNull(i):
			b.AppendNull()
		case ints != nil && c.Type.Kind != value.Decimal:
			b.AppendInt64(ints[i])
		default:
			if err := b.Append(c.Value(i)); err != nil {
				return err
			}
		}
	}
	return nil
}
