package semantics

import (
	"iter"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// outputColumn says where an output column comes from: an input column, or a
// measure where Input is none.
type outputColumn struct {
	Input   int
	Measure int
}

// output makes the columns of the output table (OUT-1, OUT-2, OUT-9) and
// applies the output column list (GRAM-12).
func (b *binding) output() {
	c := b.c
	placed := map[int]bool{}
	input := func(i int) {
		if i >= 0 && !placed[i] {
			placed[i] = true // OUT-2: a column named twice appears once
			c.columns = append(c.columns, outputColumn{Input: i})
			c.Output.Fields = append(c.Output.Fields, b.input.Fields[i])
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
	for i, m := range c.Measures {
		c.columns = append(c.columns, outputColumn{Input: none, Measure: i})
		c.Output.Fields = append(c.Output.Fields, Field{Name: m.Name.Text, Type: m.Expr.Type()})
	}
	if c.Rows.IsAll() {
		for i := range b.input.Fields {
			input(i)
		}
		b.doubledMeasures()
	}
	if len(c.columns) == 0 && len(b.syn.PartitionBy) == 0 && len(b.syn.Measures) == 0 {
		b.fail("OUT-1", b.syn.Pos, "the output has no column: there is neither PARTITION BY nor MEASURES").
			WithHint("add a measure, such as MEASURES MATCH_NUMBER() AS match_no, or write ALL ROWS PER MATCH")
	}
	if b.syn.OutputName != nil {
		c.Output.Correlation = b.syn.OutputName.Text
	}
	c.Output.Untyped = b.input.Untyped && c.Rows.IsAll()
	b.renameColumns()
}

// doubledMeasures refuses a measure named like an input column of the output,
// under GRAM-6=alternative.
func (b *binding) doubledMeasures() {
	if !b.opt.Readings.Is(readings.GRAM6) {
		return
	}
	for _, m := range b.c.Measures {
		if _, n := b.input.Find(m.Name.Text); n > 0 {
			b.fail("GRAM-6", m.Name.Pos, "the measure %s has the name of an input column, which is in the output as well", m.Name).
				WithHint("give the measure another name, or leave the reading GRAM-6 out")
		}
	}
}

// renameColumns applies the output column list.
func (b *binding) renameColumns() {
	list := b.syn.OutputColumns
	if list == nil {
		return
	}
	c := b.c
	if len(list) != len(c.Output.Fields) && !c.Output.Untyped {
		b.fail("GRAM-12", list[0].Pos, "the output column list has %s, the output %s", diag.Counted(len(list), "name"), diag.Counted(len(c.Output.Fields), "column")).
			WithHint("name every column of the output: %s", listed(c.Output.columnNames()))
		return
	}
	seen := map[string]bool{}
	for i, name := range list {
		if seen[name.Text] {
			b.fail("GRAM-12", name.Pos, "the output column list names %s twice", name).WithHint("give each column a name of its own")
		}
		seen[name.Text] = true
		if i < len(c.Output.Fields) {
			c.Output.Fields[i].Name = name.Text
		}
	}
	c.Output.Untyped = false
}

// Output writes the output table of a clause of the FROM form, partition by
// partition (chapter 7). Rows appear in the order of OUT-8.
type Output struct {
	clause   *Clause
	in       *table.Table
	rows     []int32 // the input row behind each output row
	measures []*table.Builder
	hidden   bool // OUT-7=alternative: empty matches of an all-excluded pattern are not shown
}

// NewOutput returns an empty output table for the given input.
func (c *Clause) NewOutput(in *table.Table) *Output {
	o := &Output{clause: c, in: in}
	for _, m := range c.Measures {
		o.measures = append(o.measures, table.NewBuilder(m.Name.Text, m.Expr.Type()))
	}
	o.hidden = c.Readings.Is(readings.OUT7) && c.Rows.IsAll() && allExcluded(c.Pattern)
	return o
}

// allExcluded reports that every variable of a pattern lies in {- -}, and that
// there is an exclusion.
func allExcluded(p *Pattern) bool {
	switch p.Op {
	case OpExclude:
		return true
	case OpVariable:
		return false
	}
	found := false
	for _, sub := range p.Sub {
		if !allExcluded(sub) && (sub.Has(OpVariable) || sub.Has(OpExclude)) {
			return false
		}
		found = found || sub.Has(OpExclude)
	}
	return found
}

// Partition appends the output of one partition. The matches come in the order
// of the scan; their starting rows only grow, so that a row before the next
// match that no match has covered is known to be unmatched (OUT-6).
func (o *Output) Partition(p *Partition, matches iter.Seq2[Match, error]) error {
	s := &scene{clause: o.clause, part: p, at: none, reach: Reach{Lo: 0, Hi: p.Len()}}
	covered := 0 // rows before it are output or lie in a match
	unmatched := func(end int) {
		for ; covered < end; covered++ {
			if o.clause.Rows == WithUnmatched {
				o.unmatchedRow(p, covered)
			}
		}
	}
	for m, err := range matches {
		if err != nil {
			return err
		}
		unmatched(m.Start)
		if err := o.match(s, m); err != nil {
			return err
		}
		covered = max(covered, m.End(), m.Start+1) // an empty match takes its starting row out of the unmatched ones
	}
	unmatched(p.Len())
	return nil
}

// unmatchedRow outputs a row with NULL for every measure (MEA-7).
func (o *Output) unmatchedRow(p *Partition, pos int) {
	o.rows = append(o.rows, p.Rows[pos])
	for _, b := range o.measures {
		b.AppendNull()
	}
}

// match outputs the rows of one match (OUT-3, OUT-4, OUT-5, OUT-7).
func (o *Output) match(s *scene, m Match) error {
	s.start, s.vars, s.reach.MatchNumber = m.Start, m.Vars, m.Number
	c := o.clause
	switch {
	case m.IsEmpty():
		if c.Rows == OmitEmpty || o.hidden {
			return nil
		}
		return o.row(s, none, m.Start)
	case c.Rows == OneRow:
		return o.row(s, m.End()-1, m.Start) // COL-3: from the last row of the match
	}
	for i := range m.Vars {
		if m.IsExcluded(i) {
			continue
		}
		if err := o.row(s, m.Start+i, m.Start+i); err != nil {
			return err
		}
	}
	return nil
}

// row outputs one row: the input columns at position pos, the measures as seen
// from the current row (MEA-2, MEA-3, MEA-6).
func (o *Output) row(s *scene, current, pos int) error {
	s.current = current
	for i, m := range o.clause.Measures {
		v, err := m.Expr.Eval(s)
		if err == nil {
			err = o.measures[i].Append(v)
		}
		if err != nil {
			return diag.From(err).At(m.Expr.Pos()).In(o.clause.Source)
		}
	}
	o.rows = append(o.rows, s.part.Rows[pos])
	return nil
}

// Table returns the output table.
func (o *Output) Table() (*table.Table, error) {
	fields := o.clause.Output.Fields
	cols := make([]*table.Column, len(o.clause.columns))
	var input []*table.Column // the input columns of the output, gathered at once
	for _, oc := range o.clause.columns {
		if oc.Input != none {
			input = append(input, o.in.Column(oc.Input))
		}
	}
	if len(input) > 0 {
		in, err := table.New(input...)
		if err != nil {
			return nil, err
		}
		input = in.Gather(o.rows).Columns()
	}
	for i, oc := range o.clause.columns {
		if oc.Input == none {
			cols[i] = o.measures[oc.Measure].Column().Named(fields[i].Name)
			continue
		}
		cols[i], input = input[0].Named(fields[i].Name), input[1:]
	}
	return table.New(cols...)
}

// Partitions divides a table into row pattern partitions (NUL-1), by first
// appearance, each in ORDER BY order (NUL-2); ties keep the input order (NUL-3).
func (c *Clause) Partitions(in *table.Table) ([]*Partition, error) {
	opt := c.Readings.ValueOptions()
	sorted, keys, err := c.sortKeys(in)
	if err != nil {
		return nil, err
	}
	sorter := sorted.NewSorter(keys, opt)
	var parts []*Partition
	for _, rows := range in.Groups(c.PartitionBy, opt) {
		if len(keys) > 0 {
			sorter.Sort(rows)
		}
		parts = append(parts, &Partition{Table: in, Rows: rows})
	}
	return parts, nil
}

// sortKeys returns the keys of ORDER BY and the table that has their columns:
// the input, with a computed column for each expression (GRAM-5=alternative).
func (c *Clause) sortKeys(in *table.Table) (*table.Table, []table.SortKey, error) {
	cols := append([]*table.Column(nil), in.Columns()...)
	var keys []table.SortKey
	for _, k := range c.OrderBy {
		col := k.Column
		if k.Expr != nil {
			b := table.NewBuilder("", k.Expr.Type())
			p := &Partition{Table: in, Rows: []int32{0}}
			s := &scene{clause: c, part: p, at: 0}
			for row := range in.NumRows() {
				p.Rows[0] = int32(row)
				v, err := k.Expr.Eval(s)
				if err == nil {
					err = b.Append(v)
				}
				if err != nil {
					return nil, nil, diag.From(err).In(c.Source)
				}
			}
			col, cols = len(cols), append(cols, b.Column())
		}
		keys = append(keys, table.SortKey{Col: col, Descending: k.Descending, NullsFirst: k.NullsFirst})
	}
	if len(cols) == in.NumColumns() {
		return in, keys, nil
	}
	t, err := table.New(cols...)
	return t, keys, err
}

// MeasureTypes returns name and type of the measures, in the written order.
func (c *Clause) MeasureTypes() []Field {
	out := make([]Field, len(c.Measures))
	for i, m := range c.Measures {
		out[i] = Field{Name: m.Name.Text, Type: m.Expr.Type()}
	}
	return out
}

// evaluate computes one measure from the last row of a match, or for an empty
// match (MEA-6): the view of windows (WIN-7).
func (c *Clause) evaluate(m int, p *Partition, match Mapping, reach Reach) (value.Value, error) {
	s := &scene{clause: c, part: p, at: none, reach: reach, start: match.Start, vars: match.Vars, current: match.End() - 1}
	if match.IsEmpty() {
		s.current = none
	}
	v, err := c.Measures[m].Expr.Eval(s)
	if err != nil {
		return value.Null, diag.From(err).At(c.Measures[m].Expr.Pos()).In(c.Source)
	}
	return v, nil
}
