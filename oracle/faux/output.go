package faux

import (
	"context"
	"slices"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Recognizer returns what does the recognition of statements.
func (m *Mutant) Recognizer(lim matcher.Limits) query.Recognizer { return &recognizer{m: m, lim: lim} }

// recognizer does the recognitions of one statement.
type recognizer struct {
	m       *Mutant
	lim     matcher.Limits
	twice   bool // two functions stand over one window, under the fault of windows advanced twice
	dropped bool // the pattern was dropped, under the fault of that name
}

// Recognize returns the output table of a clause of the FROM form (chapter 7).
func (r *recognizer) Recognize(ctx context.Context, c *semantics.Clause, in *table.Table) (*table.Table, error) {
	p, err := r.m.compile(c, r.lim)
	if err != nil {
		return nil, err
	}
	parts, err := p.partitions(in)
	if err != nil {
		return nil, err
	}
	out := newRun(p, in)
	for i, part := range parts {
		if r.dropped {
			out.echo(part)
			continue
		}
		var following []int32
		if p.lie == fillerReadsOn && i+1 < len(parts) {
			following = parts[i+1].Rows
		}
		f := p.finder(part, following)
		matches, failed := out.scan(ctx, f)
		if err := out.partition(f, matches); err != nil {
			return nil, err
		}
		if failed != nil {
			return nil, failed
		}
	}
	return out.table()
}

// run writes the output of one recognition.
type run struct {
	p          *program
	in         *table.Table
	plan       []source
	columns    []*table.Builder
	lastNumber int64
	hidden     bool // empty matches are not shown, by a reading of OUT-7
}

// source says where an output column comes from: a column of the input, or a
// measure where input is nowhere.
type source struct{ input, measure int }

func newRun(p *program, in *table.Table) *run {
	c := p.clause
	r := &run{p: p, in: in, hidden: c.Rows.IsAll() && c.Readings.Is(readings.OUT7) && onlyExcluded(c.Pattern)}
	placed := map[int]bool{}
	place := func(column int) {
		if column >= 0 && !placed[column] {
			placed[column] = true
			r.plan = append(r.plan, source{input: column})
		}
	}
	for _, column := range c.PartitionBy { // OUT-1
		place(column)
	}
	if c.Rows.IsAll() { // OUT-2
		for _, k := range c.OrderBy {
			place(k.Column)
		}
	}
	for i := range c.Measures {
		r.plan = append(r.plan, source{nowhere, i})
	}
	if c.Rows.IsAll() {
		for column := range in.NumColumns() {
			place(column)
		}
	}
	for i, s := range r.plan {
		name := c.Output.Fields[i].Name
		if s.input == nowhere {
			r.columns = append(r.columns, table.NewBuilder(name, c.Measures[s.measure].Expr.Type()))
		} else {
			r.columns = append(r.columns, table.NewBuilder(name, in.Column(s.input).Type)) // OUT-9
		}
	}
	return r
}

// onlyExcluded reports that every variable lies in {- -}, and that there is one.
func onlyExcluded(p *semantics.Pattern) bool {
	var free func(q *semantics.Pattern) bool
	free = func(q *semantics.Pattern) bool {
		if q.Op == semantics.OpExclude {
			return false
		}
		for _, sub := range q.Sub {
			if free(sub) {
				return true
			}
		}
		return q.Op == semantics.OpVariable
	}
	return p.Has(semantics.OpExclude) && !free(p)
}

func (r *run) table() (*table.Table, error) {
	cols := make([]*table.Column, len(r.columns))
	for i, b := range r.columns {
		cols[i] = b.Column()
	}
	return table.New(cols...)
}

// partition writes the output of one partition in the order of OUT-8.
func (r *run) partition(f *finder, matches []*match) error {
	w := &writer{run: r, lie: r.p.lie, part: f.rows, n: f.length, matches: matches, once: make([]bool, len(f.rows.Rows)+1)}
	covered := make([]bool, w.n+1)
	for _, m := range matches {
		if len(m.cells) == 0 {
			covered[m.start] = true
		}
		for i := range m.cells {
			if row := m.start + i; row < w.n {
				covered[row] = true
			}
		}
	}
	starts := map[int]bool{}
	for _, m := range matches {
		starts[m.start] = true
	}
	next := 0
	unmatched := func(end int) error {
		for ; next < end; next++ {
			if !covered[next] || w.lie == overlapUnmatched && !starts[next] && w.isAttempted(next) {
				if err := w.unmatchedRow(next); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, m := range matches {
		if err := unmatched(min(m.start, w.n)); err != nil {
			return err
		}
		if err := w.match(m); err != nil {
			return err
		}
	}
	return unmatched(w.n)
}

// writer writes the rows of one partition.
type writer struct {
	*run
	lie     lie
	part    *semantics.Partition
	n       int
	matches []*match
	number  int64  // of the match before
	once    []bool // the row has been output
}

// isAttempted reports a row at which the scan looked for a match: one that no
// match found so far has skipped.
func (w *writer) isAttempted(row int) bool {
	for _, m := range w.matches {
		if m.start >= row || len(m.cells) == 0 {
			continue
		}
		if resume, err := w.p.resume(m); err == nil && row > m.start && row < resume {
			return false
		}
	}
	return true
}

func (w *writer) scene() *scene {
	return &scene{lie: w.lie, clause: w.p.clause, part: w.part, hi: w.n, on: nowhere, now: nowhere, testing: measuring, number: w.number}
}

// unmatchedRow outputs an unmatched row: NULL in every measure (MEA-7).
func (w *writer) unmatchedRow(row int) error {
	if w.p.clause.Rows != semantics.WithUnmatched {
		return nil
	}
	s := w.scene()
	if w.lie == unmatchedAsEmpty {
		s.number++
		return w.row(s, row)
	}
	return w.append(s, row, func(e scalar.Expr) (value.Value, error) {
		_, isNumber := e.(*matchNumber)
		switch {
		case w.lie == unmatchedConstant && scalar.IsConstant(e), w.lie == unmatchedNumber && isNumber:
			return e.Eval(s)
		}
		return value.Null, nil
	})
}

// match outputs the rows of a match (OUT-3, OUT-4, OUT-5, OUT-7).
func (w *writer) match(m *match) error {
	w.number = m.number
	s := w.scene()
	s.start, s.cells = m.start, m.cells
	rows := w.p.clause.Rows
	if len(m.cells) == 0 {
		if rows == semantics.OmitEmpty || w.hidden {
			return nil
		}
		if w.lie == emptyAlsoUnmatched && m.start < w.n {
			if err := w.unmatchedRow(m.start); err != nil {
				return err
			}
		}
		return w.row(s, m.start)
	}
	if rows == semantics.OneRow {
		s.now = m.end() - 1 // COL-3
		return w.row(s, m.start)
	}
	for i, c := range m.cells {
		row := m.start + i
		if c.hidden && w.lie != excludedShown || w.lie == overlapOnce && w.once[row] {
			continue
		}
		w.once[row] = true
		s.now = row
		if w.lie == finalOfOther {
			s.final = w.lastOf(row)
		}
		if err := w.row(s, row); err != nil {
			return err
		}
	}
	return nil
}

// lastOf returns the last match that has a row.
func (w *writer) lastOf(row int) *match {
	for i := len(w.matches) - 1; i >= 0; i-- {
		if m := w.matches[i]; m.start <= row && row < m.end() {
			return m
		}
	}
	return nil
}

// row outputs a row with the measures of the scene (MEA-2, MEA-3, MEA-6).
func (w *writer) row(s *scene, row int) error {
	return w.append(s, row, func(e scalar.Expr) (value.Value, error) {
		if w.lie == emptyConstantNull && s.now == nowhere && scalar.IsConstant(e) {
			return value.Null, nil
		}
		return e.Eval(s)
	})
}

// append outputs a row: columns of the input at its position, and measures.
func (w *writer) append(s *scene, row int, measure func(scalar.Expr) (value.Value, error)) error {
	c := w.p.clause
	for i, from := range w.plan {
		if from.input != nowhere {
			if err := w.columns[i].Append(w.inputValue(row, from.input)); err != nil {
				return diag.From(err).In(c.Source)
			}
			continue
		}
		v, err := measure(w.p.exprs.measures[from.measure])
		if err == nil {
			err = w.columns[i].Append(v)
		}
		if err != nil {
			return diag.From(err).At(c.Measures[from.measure].Expr.Pos()).In(c.Source)
		}
	}
	return nil
}

// inputValue is a column of the input on a row. A match behind the last row has
// the partition's columns alone.
func (w *writer) inputValue(row, column int) value.Value {
	switch {
	case row < len(w.part.Rows):
		return w.in.Value(int(w.part.Rows[row]), column)
	case slices.Contains(w.p.clause.PartitionBy, column):
		return w.in.Value(int(w.part.Rows[row-1]), column)
	}
	return value.Null
}

// echo outputs the rows of a partition as they are, for a pattern that was dropped.
func (r *run) echo(part *semantics.Partition) {
	for _, row := range part.Rows {
		for i, from := range r.plan {
			if from.input == nowhere {
				r.columns[i].AppendNull()
			} else if err := r.columns[i].Append(r.in.Value(int(row), from.input)); err != nil {
				r.columns[i].AppendNull()
			}
		}
	}
}
