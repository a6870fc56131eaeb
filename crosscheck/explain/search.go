package explain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// SearchOptions say which search is shown.
type SearchOptions struct {
	Row       int      // of the partition, from 1
	Partition []string // values of the PARTITION BY columns as they are printed; nil: the first partition
	MaxLines  int      // steps that are shown; 0: all
	Limits    matcher.Limits
}

// Search writes the search of the reference matcher from one row, a line a
// step, in preference order, and why it ended.
func Search(ctx context.Context, w io.Writer, c *semantics.Clause, in *table.Table, o SearchOptions) error {
	parts, err := c.Partitions(in)
	if err != nil {
		return err
	}
	index, err := choosePartition(c, parts, o.Partition)
	if err != nil {
		return err
	}
	p := parts[index]
	if o.Row < 1 || o.Row > p.Len() {
		return usage("the partition has %d rows, there is no row %d", p.Len(), o.Row)
	}
	s := &search{w: bufio.NewWriter(w), clause: c, part: p, conditions: c.Conditions(p), options: o}
	defer s.w.Flush()
	s.printf("PATTERN (%s)%s, from row %d of %d", c.Pattern, partitionName(c, p), o.Row, p.Len())
	a, err := s.attempt(ctx)
	if err != nil {
		return err
	}
	return s.run(ctx, a)
}

// usage makes the error of a row or partition that does not exist.
func usage(format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "DATA-1", diag.Pos{}, format, args...)
}

// choosePartition finds the partition with the given values.
func choosePartition(c *semantics.Clause, parts []*semantics.Partition, values []string) (int, error) {
	if len(parts) == 0 {
		return 0, usage("the input has no rows")
	}
	if values == nil {
		return 0, nil
	}
	if len(values) != len(c.PartitionBy) {
		return 0, usage("PARTITION BY has %d columns, %d values are given", len(c.PartitionBy), len(values)).
			WithHint("separate the values by commas; a value with a comma is written in quotation marks")
	}
	for i, p := range parts {
		if slices.Equal(partitionValues(c, p), values) {
			return i, nil
		}
	}
	const most = 10
	var known []string
	for _, p := range parts[:min(len(parts), most)] {
		known = append(known, strings.Join(partitionValues(c, p), ","))
	}
	if len(parts) > most {
		known = append(known, "...")
	}
	return 0, usage("there is no partition %s", strings.Join(values, ",")).
		WithHint("the partitions are: %s", strings.Join(known, "; "))
}

func partitionValues(c *semantics.Clause, p *semantics.Partition) []string {
	var out []string
	for _, col := range c.PartitionBy {
		out = append(out, value.Format(p.Table.Value(int(p.Rows[0]), col), p.Table.Column(col).Type))
	}
	return out
}

// partitionName says which partition is searched.
func partitionName(c *semantics.Clause, p *semantics.Partition) string {
	if len(c.PartitionBy) == 0 {
		return ""
	}
	var out []string
	for i, v := range partitionValues(c, p) {
		out = append(out, semantics.Name{Text: c.Input.Fields[c.PartitionBy[i]].Name}.String()+" = "+v)
	}
	return ", partition " + strings.Join(out, ", ")
}

// search is the state of Search.
type search struct {
	w          *bufio.Writer
	clause     *semantics.Clause
	part       *semantics.Partition
	conditions *semantics.Conditions
	options    SearchOptions
	reach      semantics.Reach
	steps      int
	tests      int
}

func (s *search) printf(format string, args ...any) {
	s.w.WriteString(diag.Escape(fmt.Sprintf(format, args...)) + "\n")
}

// attempt returns the attempt at the row, and says where the scan of the
// partition would not make it.
func (s *search) attempt(ctx context.Context) (matcher.Attempt, error) {
	row, n := s.options.Row-1, s.part.Len()
	if s.clause.Window != nil {
		return s.windowAttempt(row, n)
	}
	a := matcher.Attempt{Start: row, End: n, Hi: n, MatchNumber: 1}
	prog, err := reference.Engine{}.Compile(s.clause, s.options.Limits)
	if err != nil {
		return a, err
	}
	find, err := prog.Partition(s.part)
	if err != nil {
		return a, err
	}
	resume := 0
	for m, err := range matcher.Scan(ctx, s.clause, find, s.part, 0) {
		if err == nil && m.Start >= row {
			break
		}
		if err == nil {
			a.MatchNumber = m.Number + 1
			resume, err = s.clause.Resume(m.Mapping, m.Start)
		}
		if err != nil {
			if ctx.Err() != nil {
				return a, ctx.Err()
			}
			s.printf("the query never tries this row, since it ends before with an error: %s", diag.From(err).Message)
			return a, nil
		}
		if row < resume {
			s.printf("the query does not try this row: match %d starts at row %d, and after it the search goes on at row %d (MAT-2)", m.Number, m.Start+1, resume+1)
			break
		}
	}
	s.printf("MATCH_NUMBER() is %d", a.MatchNumber)
	return a, nil
}

// windowAttempt returns the attempt in the full window frame of a row (WIN-2, WIN-10).
func (s *search) windowAttempt(row, n int) (matcher.Attempt, error) {
	following, unbounded, err := s.clause.FrameRows()
	if err != nil {
		return matcher.Attempt{}, err
	}
	end := n
	if !unbounded && following < int64(n-row) {
		end = min(n, row+1+int(following))
	}
	a := matcher.Attempt{Start: row, End: end, Lo: row, Hi: end, MatchNumber: 1}
	if s.clause.Readings.Is(readings.WIN10) {
		a.Lo, a.Hi = 0, n
	}
	s.printf("the full window frame is rows %d to %d (WIN-2)", row+1, end)
	return a, nil
}

// run carries out the search; with SEEK also from the later rows of the frame (WIN-3).
func (s *search) run(ctx context.Context, a matcher.Attempt) error {
	prog, err := reference.Engine{Trace: s.step}.Compile(s.clause, s.options.Limits)
	if err != nil {
		return err
	}
	find, err := prog.Partition(s.part)
	if err != nil {
		return err
	}
	s.reach = a.Reach()
	for ; ; a.Start++ {
		m, found, err := find.Find(ctx, a)
		if found || err != nil || !s.clause.Seek || a.Start+1 >= a.End {
			s.hidden()
			if err != nil {
				return s.failed(ctx, err)
			}
			s.ending(a, m, found)
			return nil
		}
		if s.shown() {
			s.printf("no match starts at row %d; SEEK goes on at row %d (WIN-3)", a.Start+1, a.Start+2)
		}
	}
}

func (s *search) shown() bool { return s.options.MaxLines == 0 || s.steps <= s.options.MaxLines }

func (s *search) hidden() {
	if !s.shown() {
		s.printf("... %d more steps (--max-lines shows more)", s.steps-s.options.MaxLines)
	}
}

// step writes one step of the search.
func (s *search) step(e reference.Event) {
	if e.Kind == reference.Accept || e.Kind == reference.Exhausted {
		return // the ending says more
	}
	if e.Kind == reference.Try {
		s.tests++
	}
	if s.steps++; !s.shown() {
		return
	}
	if e.Kind != reference.Try {
		s.printf("%s", e)
		return
	}
	truth, text := s.conditions.Outcome(s.reach, e.Start, e.Vars)
	verdict := "unknown"
	switch {
	case s.clause.Vars[e.Node.Var].Define == nil:
		verdict = "(not defined, DEF-1)"
	case truth == value.True:
		verdict = "true"
	case truth == value.False:
		verdict = "false"
	}
	s.printf("row %d as %s: %s %s", e.Row+1, e.Node.Name, text, verdict)
}

// ending says what came out.
func (s *search) ending(a matcher.Attempt, m semantics.Mapping, found bool) {
	tests := fmt.Sprintf("%d conditions tested", s.tests)
	if s.tests == 1 {
		tests = "1 condition tested"
	}
	switch {
	case !found && a.Start >= s.options.Row:
		s.printf("no match starts in the frame: no candidate is feasible at any of its rows (MAT-1, WIN-3); %s", tests)
	case !found:
		s.printf("no match starts at row %d: no candidate is feasible (MAT-1); %s", a.Start+1, tests)
	case m.IsEmpty():
		s.printf("empty match at row %d: the first feasible candidate takes no row (MAT-1); %s", a.Start+1, tests)
	default:
		var names []string
		for i, v := range m.Vars {
			name := semantics.Name{Text: s.clause.Name(v)}.String()
			if m.IsExcluded(i) {
				name = "{" + name + "}"
			}
			names = append(names, fmt.Sprintf("%d%s", m.Start+i+1, name))
			if i == maxMapped && len(m.Vars) > i+2 {
				names = append(names, "...", fmt.Sprintf("%d%s", m.End(), semantics.Name{Text: s.clause.Name(m.Vars[len(m.Vars)-1])}))
				break
			}
		}
		extent := fmt.Sprintf("rows %d to %d", m.Start+1, m.End())
		if len(m.Vars) == 1 {
			extent = fmt.Sprintf("row %d", m.End())
		}
		s.printf("match of %s, the first feasible candidate (MAT-1): %s; %s", extent, strings.Join(names, " "), tests)
	}
}

// maxMapped is how many rows of a match are named.
const maxMapped = 100

// failed says how far the search came before an error.
func (s *search) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var e *diag.Error
	if errors.As(err, &e) {
		s.printf("the search ends with an error after %d conditions tested", s.tests)
	}
	return err
}
