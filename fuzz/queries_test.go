package fuzz_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/fuzz/gen/gopters"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// queryN is how many queries each law is tried on.
func queryN() int { return max(*flagN/25, 30) }

// run runs a query over a table. The result comes as lines, the first of which
// is the header.
func run(e matcher.Engine, lim matcher.Limits, q *gen.Query, in *table.Table, r readings.Set) ([]string, error) {
	res, err := query.Run(context.Background(), q.SQL(), query.Options{
		Tables:     func(name string, _ bool) (*table.Table, bool, error) { return in, name == "T", nil },
		Recognizer: matcher.Using(e, lim),
		Readings:   r,
	})
	if err != nil {
		return nil, err
	}
	return lines(res.Table), nil
}

// evaluate runs a query and gives the result as lines, or the error by stage,
// rule and SQLSTATE. Limits, and queries that are not legal (as a simpler one
// may be), say nothing: false.
func evaluate(e matcher.Engine, q *gen.Query, in *table.Table) ([]string, bool) {
	out, err := run(e, limits, q, in, readings.Set{})
	if err != nil {
		return outcome(err)
	}
	return out, true
}

// outcome is what laws compare of an error: other statements may fail at
// another place of the text, and at another match.
func outcome(err error) ([]string, bool) {
	d := diag.From(err)
	if d.Stage == diag.Runtime {
		return []string{fmt.Sprintf("error %s %s", d.Rule, d.SQLSTATE)}, true
	}
	return []string{err.Error()}, d.Stage == diag.Internal
}

// saysNothing reports the error of a query that is not legal, as a simpler one
// may be, or of a budget.
func saysNothing(err error) bool {
	if err == nil {
		return false
	}
	stage := diag.From(err).Stage
	return stage != diag.Runtime && stage != diag.Internal
}

// inDetail is what two matchers have in common of a result or an error: all of
// it, the message with the match that it names and the place in the text.
func inDetail(lines []string, err error) []string {
	if err != nil {
		return []string{diag.From(err).Detail()}
	}
	return lines
}

func lines(t *table.Table) []string {
	var b bytes.Buffer
	if err := t.WriteJSONLines(&b); err != nil {
		return []string{err.Error()}
	}
	var header []string
	for _, c := range t.Columns() {
		header = append(header, c.Name+" "+c.Type.String())
	}
	out := []string{strings.Join(header, ", ")}
	if b.Len() > 0 {
		out = append(out, strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")...)
	}
	return out
}

// bag orders the rows of a result.
func bag(lines []string) []string {
	out := slices.Clone(lines)
	slices.Sort(out[1:])
	return out
}

func show(lines []string) string { return "\n    " + strings.Join(lines, "\n    ") }

// TestQueriesOfTwoMatchers: conditions that read the match, output, skipping and
// windows come out the same with the reference and with the enumerator, and so
// do run-time errors in all their detail (MAT-1, PREF-10, DEF-15).
func TestQueriesOfTwoMatchers(t *testing.T) {
	seed := seedOf(t)
	differ := func(q *gen.Query) (string, bool) {
		in, err := q.MakeTable()
		if err != nil {
			return err.Error(), true
		}
		x, errX := run(reference.Engine{}, limits, q, in, readings.Set{})
		y, errY := run(enumerate.Engine{}, limits, q, in, readings.Set{})
		if saysNothing(errX) || saysNothing(errY) {
			return "", false
		}
		x, y = inDetail(x, errX), inDetail(y, errY)
		return "reference:" + show(x) + "\n  enumerate:" + show(y), !slices.Equal(x, y)
	}
	var tried atomic.Int64
	parallel(2*queryN(), func(i int) bool {
		q := gen.DefaultQueries.Draw(gen.Case(seed, i))
		tried.Add(1)
		if _, differs := differ(q); !differs {
			return true
		}
		small := gen.MinimizeQuery(q, func(list []*gen.Query) int {
			return slices.IndexFunc(list, func(q *gen.Query) bool { _, differs := differ(q); return differs })
		})
		text, _ := differ(small)
		t.Errorf("-fuzz.seed=%d, case %d, at its smallest:\n%s\n  %s", *flagSeed, i, small, text)
		return false
	})
	t.Logf("%d queries", tried.Load())
}

// query law: holds for the queries that keep says.
func queryLaw(t *testing.T, o gen.Queries, keep func(q *gen.Query) bool, law func(q *gen.Query, in *table.Table) *gopter.PropResult) {
	t.Helper()
	holds(t, queryN(), prop.ForAll(func(q *gen.Query) *gopter.PropResult {
		in, err := q.MakeTable()
		if err != nil {
			return verdict(false, "%v", err)
		}
		return law(q, in)
	}, gopters.Queries(o).SuchThat(func(q *gen.Query) bool {
		_, err := query.Parse(q.SQL(), readings.Set{})
		return err == nil && keep(q)
	})))
}

// TestPartitionsAlone: the result is the union of the results of the partitions
// run alone (MAT-2, MAT-3, NUL-1). If a partition fails alone, the query fails.
func TestPartitionsAlone(t *testing.T) {
	o := gen.DefaultQueries
	o.Tables.Max = 10
	queryLaw(t, o, func(q *gen.Query) bool { return len(q.PartitionBy) > 0 }, func(q *gen.Query, in *table.Table) *gopter.PropResult {
		whole, ok := evaluate(reference.Engine{}, q, in)
		if !ok {
			return verdict(true, "")
		}
		var keys []int
		for _, name := range q.PartitionBy {
			keys = append(keys, in.Index(name))
		}
		union := []string{}
		failed := false
		for _, rows := range in.Groups(keys, value.Options{}) {
			part, ok := evaluate(reference.Engine{}, q, in.Gather(rows))
			switch {
			case !ok:
				return verdict(true, "")
			case strings.HasPrefix(part[0], "error"):
				failed = true
			case len(union) == 0:
				union = part
			default:
				union = append(union, part[1:]...)
			}
		}
		if failed || strings.HasPrefix(whole[0], "error") {
			return verdict(failed && strings.HasPrefix(whole[0], "error"), "alone:%s\n  together:%s", show(union), show(whole))
		}
		return verdict(slices.Equal(bag(union), bag(whole)), "alone:%s\n  together:%s", show(union), show(whole))
	})
}

// bind returns the only recognition of a query.
func bind(q *gen.Query, in *table.Table, r readings.Set) (*semantics.Clause, error) {
	st, err := query.Parse(q.SQL(), r)
	if err != nil {
		return nil, err
	}
	b, err := query.Bind(st, query.Options{Readings: r, Tables: func(string, bool) (*table.Table, bool, error) { return in, true, nil }})
	if err != nil {
		return nil, err
	}
	return b.Recognitions()[0], nil
}

// TestSkipToNextRow: with it each row's match is that of an attempt of its own,
// if no condition reads the match number (SKIP, MAT-2).
func TestSkipToNextRow(t *testing.T) {
	o := gen.DefaultQueries
	o.Windows, o.Conditions.MatchNumber = 0, 0
	queryLaw(t, o, func(q *gen.Query) bool { return !strings.Contains(conditions(q), "MATCH_NUMBER") }, func(q *gen.Query, in *table.Table) *gopter.PropResult {
		next := *q
		next.Skip = "TO NEXT ROW"
		c, err := bind(&next, in, readings.Set{})
		if err != nil {
			return verdict(true, "")
		}
		ctx := context.Background()
		own, err := matcher.Map(ctx, reference.Engine{}, c, in, limits)
		var want, got []string
		if err != nil {
			if want, ok := outcome(err); !ok {
				return verdict(true, "%s", want)
			}
			want, _ = outcome(err)
		}
		parts, errP := c.Partitions(in)
		if errP != nil {
			return verdict(false, "%v", errP)
		}
		first := make([]int, len(parts)+1)
		for i, p := range parts {
			first[i+1] = first[i] + p.Len()
		}
		for i, m := range own {
			if m != nil {
				want = append(want, fmt.Sprintf("%d %s", i, mappingText(c, m)))
			}
		}
		for m, err := range matcher.Matches(ctx, reference.Engine{}, c, in, limits) {
			if err != nil {
				got, _ = outcome(err)
				break
			}
			got = append(got, fmt.Sprintf("%d %s", first[m.Partition]+m.Start, mappingText(c, &m.Mapping)))
		}
		return verdict(slices.Equal(want, got), "each row:%s\n  the scan:%s", show(want), show(got))
	})
}

// conditions are those of a query as text.
func conditions(q *gen.Query) string {
	out := ""
	for _, d := range q.Define {
		out += d.Cond.String() + "\n"
	}
	return out
}

// windowIsFrom compares a window whose frame is the rest of the partition, with
// the FROM form: the same matches at the same rows, the same measures, the same
// errors.
func windowIsFrom(q *gen.Query, in *table.Table, r readings.Set) *gopter.PropResult {
	window, from := *q, *q
	window.Window, window.Frame, window.Seek, window.Mode = true, "UNBOUNDED FOLLOWING", "", ""
	from.Window, from.Frame, from.Seek, from.Mode = false, "", "", "ONE ROW PER MATCH"
	cw, err := bind(&window, in, r)
	if err != nil {
		return verdict(true, "")
	}
	cf, err := bind(&from, in, r)
	if err != nil {
		return verdict(true, "")
	}
	ctx := context.Background()
	var ofWindow, ofFrom []string
	frames, errW := matcher.Frames(ctx, reference.Engine{}, cw, in, limits)
	out, errF := matcher.Recognize(ctx, reference.Engine{}, cf, in, limits)
	if errW != nil || errF != nil {
		if errW != nil {
			ofWindow, _ = outcome(errW)
		}
		if errF != nil {
			ofFrom, _ = outcome(errF)
		}
		if isLimit(errW) || isLimit(errF) {
			return verdict(true, "")
		}
		if errW == nil { // the measures may be what fails
			_, errW = measuresOf(cw, frames, in)
			if errW != nil {
				ofWindow, _ = outcome(errW)
			}
		}
		return verdict(slices.Equal(ofWindow, ofFrom), "window:%s\n  from:%s", show(ofWindow), show(ofFrom))
	}
	for i := range frames.Frames {
		for row, f := range frames.Frames[i] {
			if f.Kind != semantics.FrameUnmatched {
				ofWindow = append(ofWindow, fmt.Sprintf("%d %d %s", i, row, mappingText(cw, &f.Match)))
			}
		}
	}
	for m, err := range matcher.Matches(ctx, reference.Engine{}, cf, in, limits) {
		if err != nil {
			return verdict(false, "%v", err)
		}
		ofFrom = append(ofFrom, fmt.Sprintf("%d %d %s", m.Partition, m.Start, mappingText(cf, &m.Mapping)))
	}
	values, err := measuresOf(cw, frames, in)
	if err != nil {
		return verdict(false, "%v", err)
	}
	ofWindow = append(ofWindow, values...)
	for row := range out.NumRows() {
		line := ""
		for m := range q.Measures {
			col := len(from.PartitionBy) + m
			line += value.Format(out.Value(row, col), out.Column(col).Type) + "|"
		}
		ofFrom = append(ofFrom, line)
	}
	return verdict(slices.Equal(ofWindow, ofFrom), "window:%s\n  from:%s", show(ofWindow), show(ofFrom))
}

// measuresOf are the measures of the rows that have a match.
func measuresOf(c *semantics.Clause, frames *semantics.Frames, in *table.Table) ([]string, error) {
	var out []string
	cols := make([]*table.Column, len(c.Measures))
	for m := range cols {
		var err error
		if cols[m], err = c.MeasureColumn(m, frames, in.NumRows()); err != nil {
			return nil, err
		}
	}
	for i, p := range frames.Partitions {
		for pos, f := range frames.Frames[i] {
			if f.Kind == semantics.FrameUnmatched {
				continue
			}
			line := ""
			for _, c := range cols {
				line += value.Format(c.Value(int(p.Rows[pos])), c.Type) + "|"
			}
			out = append(out, line)
		}
	}
	return out, nil
}

func windowQueries() gen.Queries {
	o := gen.DefaultQueries
	o.Windows, o.Conditions.MatchNumber, o.Conditions.Errors = 100, 0, 0
	return o
}

// TestWIN10Alternative: where PREV and NEXT reach over the whole partition, a
// window finds what the FROM form finds.
func TestWIN10Alternative(t *testing.T) {
	r := readings.Set{}.With(readings.WIN10, readings.First)
	queryLaw(t, windowQueries(), func(*gen.Query) bool { return true },
		func(q *gen.Query, in *table.Table) *gopter.PropResult { return windowIsFrom(q, in, r) })
}

// TestWIN10Default: by default it does if nothing reads PREV or NEXT.
func TestWIN10Default(t *testing.T) {
	o := windowQueries()
	o.Conditions.Physical = 0
	physical := func(text string) bool { return strings.Contains(text, "PREV(") || strings.Contains(text, "NEXT(") }
	queryLaw(t, o, func(q *gen.Query) bool { return !physical(conditions(q)) && !physical(strings.Join(q.Measures, " ")) },
		func(q *gen.Query, in *table.Table) *gopter.PropResult { return windowIsFrom(q, in, readings.Set{}) })
}

// TestWIN10Matters: otherwise it does not, and that is found.
func TestWIN10Matters(t *testing.T) {
	o := windowQueries()
	o.Conditions.Physical = 60
	seed := seedOf(t)
	for i := range 5_000 {
		q := o.Draw(gen.Case(seed, i))
		in, err := q.MakeTable()
		if err != nil {
			t.Fatal(err)
		}
		if r := windowIsFrom(q, in, readings.Set{}); !r.Success() {
			t.Logf("case %d:\n%s\n  %s", i, q, r.Labels[0])
			return
		}
	}
	t.Errorf("-fuzz.seed=%d: no difference found in 5000 queries", *flagSeed)
}
