package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// FrameKind says what the procedure of WIN-5 found for a row.
type FrameKind uint8

// The kinds. A skipped row is unmatched, without an attempt.
const (
	FrameUnmatched FrameKind = iota
	FrameEmpty               // an empty match: the reduced frame has no rows, but measures are computed (WIN-8)
	FrameMatched
)

// Frame is the reduced window frame of one row R (WIN-2).
type Frame struct {
	Kind  FrameKind
	Match Mapping // FrameEmpty, FrameMatched; positions in the partition
	Reach Reach   // what PREV and NEXT of the measures may read (WIN-10)
}

// Frames holds the reduced frames of a table, by partition and position.
type Frames struct {
	Partitions []*Partition
	Frames     [][]Frame // Frames[i][p] belongs to row Partitions[i].Rows[p]
}

// window checks what only the window form has (WIN-1, WIN-9) and binds the frame.
func (b *binding) window() {
	b.c.Seek = b.syn.Seek.Word == "SEEK"
	b.c.Window = &FrameEnd{Unbounded: true}
	b.c.Pattern.Walk(func(n *Pattern) {
		switch n.Op {
		case OpPartitionStart, OpPartitionEnd:
			b.fail("WIN-9", n.Pos, "the anchor %s is not allowed in the pattern of a window", n).
				WithHint("leave it out: anchors stand only in MATCH_RECOGNIZE; where the ends of the partition matter, compare with a row number computed before")
		case OpEmpty:
			b.strictWindow(n, "()", "leave it out, for example with A? for (A | ()), or leave the reading WIN-9 out")
		case OpExclude:
			b.strictWindow(n, "{- -}", "use parentheses, since exclusion has no effect in a window, or leave the reading WIN-9 out")
		}
	})
	if b.syn.Exclude != "" && b.syn.Exclude != "NO OTHERS" {
		b.fail("WIN-1", b.syn.ExcludePos, "EXCLUDE %s is not allowed with a row pattern", b.syn.Exclude).
			WithHint("write EXCLUDE NO OTHERS, or leave EXCLUDE out")
	}
	f := b.syn.Frame
	if f == nil {
		b.fail("WIN-1", b.syn.PatternPos, "the window has a row pattern but no frame").
			WithHint("write ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING before the pattern")
		return
	}
	b.frame(f)
}

func (b *binding) strictWindow(n *Pattern, what, hint string) {
	if b.opt.Readings.Is(readings.WIN9) {
		b.fail("WIN-9", n.Pos, "%s is not allowed in the pattern of a window, under this reading", what).WithHint("%s", hint)
	}
}

// frame checks and binds the frame clause (WIN-1).
func (b *binding) frame(f *frameSyntax) {
	lenient := b.opt.Readings.Is(readings.WIN1)
	switch {
	case f.Unit != "ROWS":
		b.fail("WIN-1", f.Pos, "a window with a row pattern has a ROWS frame, not %s", f.Unit).WithHint("%s", frameForm)
		return
	case f.Start.Kind != "CURRENT ROW":
		b.fail("WIN-1", f.Start.Pos, "the frame of a row pattern must begin at the current row, not at %s", f.Start.sql()).WithHint("%s", frameForm)
		return
	case !f.Between, f.End.Kind == "CURRENT ROW":
		if !lenient {
			b.fail("WIN-1", f.End.at(f.Pos), "the frame ends at the current row, and a row pattern needs rows after it").WithHint("%s", frameForm)
		}
		b.c.Window = &FrameEnd{Rows: &scalar.Const{Base: scalar.Base{Place: f.Pos, T: value.TypeInteger}, Value: value.Int(0)}}
		return
	case f.End.Kind == "UNBOUNDED FOLLOWING":
		return
	case f.End.Kind != "FOLLOWING":
		b.fail("WIN-1", f.End.Pos, "the frame of a row pattern must end after the current row, not at %s", f.End.sql()).WithHint("%s", frameForm)
		return
	}
	e := b.binder(&frameLeaves{b}).Bind(f.End.N)
	b.c.Window = &FrameEnd{Rows: e}
	t := e.Type()
	switch {
	case t.Kind != value.Unknown && !t.IsInteger():
		b.fail("WIN-1", f.End.Pos, "the size of the frame is %s, no integer", t).WithHint("%s, n being a positive integer", frameForm)
	case !hasParam(e):
		if v, err := e.Eval(nil); err != nil {
			b.errs.Add(err)
		} else if err := frameSize(v, e.Pos(), lenient, diag.Semantic); err != nil {
			b.errs.Add(err.In(b.syn.Source))
		}
	}
}

// at returns the place of a bound, or the frame's where the bound is not written.
func (f frameBound) at(frame diag.Pos) diag.Pos {
	if f.Pos.IsValid() {
		return f.Pos
	}
	return frame
}

func hasParam(e scalar.Expr) bool {
	found := false
	scalar.Walk(e, func(x scalar.Expr) bool {
		switch x.(type) {
		case *scalar.HostVariable, *scalar.Invalid:
			found = true
		}
		return !found
	})
	return found
}

// frameSize checks n of n FOLLOWING: a positive integer, or 0 where lenient.
func frameSize(v value.Value, pos diag.Pos, lenient bool, stage diag.Stage) *diag.Error {
	const state = "22013" // invalid preceding or following size in window function
	switch {
	case v.IsNull():
		return diag.New(stage, "WIN-1", pos, "the size of the frame is NULL").WithState(state).WithHint("give a positive number of rows")
	case v.Raw() < 0:
		return diag.New(stage, "WIN-1", pos, "the size of the frame is negative: %d", v.Raw()).WithState(state).WithHint("give a positive number of rows")
	case v.Raw() == 0 && !lenient:
		return diag.New(stage, "WIN-1", pos, "the frame of a row pattern is 0 FOLLOWING: it has one row").WithState(state).
			WithHint("give a positive number of rows, or UNBOUNDED FOLLOWING")
	}
	return nil
}

// FrameRows returns how many rows after the current one the full window frame
// has, or unbounded (WIN-1). A size that a host variable gave is checked here.
func (c *Clause) FrameRows() (n int64, unbounded bool, err error) {
	if c.Window.Unbounded {
		return 0, true, nil
	}
	v, err := c.Window.Rows.Eval(nil)
	if err != nil {
		return 0, false, diag.From(err).In(c.Source)
	}
	if err := frameSize(v, c.Window.Rows.Pos(), c.Readings.Is(readings.WIN1), diag.Runtime); err != nil {
		return 0, false, err.In(c.Source)
	}
	return v.Raw(), false, nil
}

// MeasureIndex returns the index of a measure of a window by its folded name,
// -1 if the window defines none of that name (WIN-7).
func (c *Clause) MeasureIndex(name string) int {
	for i, m := range c.Measures {
		if m.Name.Text == name {
			return i
		}
	}
	return -1
}

// MeasureColumn computes `m OVER w` for every row of the table: NULL without a
// match, by MEA-6 for an empty match, else from the match's last row (WIN-7, WIN-8).
func (c *Clause) MeasureColumn(m int, f *Frames, rows int) (*table.Column, error) {
	values := make([]value.Value, rows)
	for i, p := range f.Partitions {
		for pos, frame := range f.Frames[i] {
			if frame.Kind == FrameUnmatched {
				continue
			}
			v, err := c.evaluate(m, p, frame.Match, frame.Reach)
			if err != nil {
				return nil, err
			}
			values[p.Rows[pos]] = v
		}
	}
	b := table.NewBuilder(c.Measures[m].Name.Text, c.Measures[m].Expr.Type())
	for _, v := range values {
		if err := b.Append(v); err != nil {
			return nil, diag.From(err).At(c.Measures[m].Expr.Pos()).In(c.Source)
		}
	}
	return b.Column(), nil
}
