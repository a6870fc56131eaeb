package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Options of an audit.
type Options struct {
	Matcher      matcher.Engine
	Limits       matcher.Limits
	Sample       float64      // share of the partitions; 0 or 1: all
	MaxPartition int          // rows of the largest partition that is audited; 0: DefaultMaxPartition
	MaxReports   int          // differing partitions that are made small; 0: DefaultMaxReports
	Engine       *diff.Engine // asked to make a difference small; nil: nothing is made small
	Progress     func(partitions int, rows int64)
}

// Defaults of the options.
const (
	DefaultMaxPartition = 1_000_000
	DefaultMaxReports   = 10
	reducible           = 400 // rows that are put again at a time, to be made small
	mostOrders          = 120 // orders of tied rows that are tried
)

// Report is what came of an audit.
type Report struct {
	Partitions  int
	Rows        int64
	Tied        int         // partitions with rows that ORDER BY leaves in no order
	TiedDiffer  int         // of them: those whose result fits none of the orders that were tried
	Settle      []string    // columns each of which, added to ORDER BY, would settle the ties of the partitions
	NotAudited  []Skipped   // too large, or a limit of ours
	Differences []Different // on two readings
	Moving      int         // partitions that differed on the first reading alone
	Interrupted bool
}

// Skipped is a partition that was not audited.
type Skipped struct {
	Key    string
	Rows   int
	Reason string
}

// Different is a partition whose result is not what the rules say.
type Different struct {
	Key       string
	Rows      int
	Expected  int      // rows of output by the rules
	Got       int      // of the server
	Missing   []string // the first rows of the rules that the server has not
	Surplus   []string // and the other way round
	Finding   *diff.Finding
	NotShrunk string // why there is no finding
}

// Run audits the one recognition of a statement.
func Run(ctx context.Context, s *Server, sql string, o Options) (*Report, error) {
	p, err := newPlan(sql, o.Sample)
	if err != nil {
		return nil, err
	}
	if o.MaxPartition == 0 {
		o.MaxPartition = DefaultMaxPartition
	}
	if o.MaxReports == 0 {
		o.MaxReports = DefaultMaxReports
	}
	a := &auditor{ctx: ctx, server: s, plan: p, o: o, report: &Report{}, readings: trino.Profile().Readings}
	err = a.run()
	a.report.Interrupted = ctx.Err() != nil
	return a.report, err
}

type auditor struct {
	ctx      context.Context
	server   *Server
	plan     *plan
	o        Options
	report   *Report
	readings readings.Set
	clause   *semantics.Clause
	settle   map[string]bool // columns that settle all ties so far
}

// open puts both statements, for all partitions or for some one.
func (a *auditor) open(only string) (in, out *stream, err error) {
	rows, err := a.server.query(a.ctx, a.plan.rows(only))
	if err != nil {
		return nil, nil, err
	}
	names := keyNames(a.plan.rec.Keys)
	if in, err = newStream(rows, names); err != nil {
		rows.close()
		return nil, nil, err
	}
	result, err := a.server.query(a.ctx, a.plan.result(only))
	if err != nil {
		rows.close()
		return nil, nil, err
	}
	if out, err = newStream(result, names); err != nil {
		rows.close()
		result.close()
		return nil, nil, err
	}
	return in, out, nil
}

func (a *auditor) run() error {
	in, out, err := a.open("")
	if err != nil {
		return err
	}
	defer in.pages.close()
	defer out.pages.close()
	if err := a.bind(in.shape); err != nil {
		return err
	}
	for a.ctx.Err() == nil {
		p, err := in.next(a.o.MaxPartition)
		if err != nil || p == nil {
			if err == nil {
				err = a.leftover(out)
			}
			return err
		}
		got, err := out.take(p.key, 2*a.o.MaxPartition)
		if err != nil {
			return err
		}
		a.report.Partitions++
		a.report.Rows += int64(len(p.rows) + p.over)
		if a.o.Progress != nil {
			a.o.Progress(a.report.Partitions, a.report.Rows)
		}
		if p.over > 0 || got.over > 0 {
			a.skip(p, fmt.Sprintf("more than %d rows", a.o.MaxPartition))
			continue
		}
		v, err := a.compare(p, got, in.shape, out.shape)
		if err != nil {
			a.skip(p, diag.From(err).Message)
			continue
		}
		a.count(v)
		if !v.same {
			if err := a.again(p); err != nil {
				return err
			}
		}
	}
	return a.ctx.Err()
}

func (a *auditor) skip(p *partition, reason string) {
	a.report.NotAudited = append(a.report.NotAudited, Skipped{Key: show(p.key), Rows: len(p.rows) + p.over, Reason: reason})
}

// leftover: rows of the result that belong to no partition of the input.
func (a *auditor) leftover(out *stream) error {
	for {
		p, err := out.next(a.o.MaxPartition)
		if err != nil || p == nil {
			return err
		}
		a.report.Moving++
	}
}

// bind binds the clause to the columns of the input.
func (a *auditor) bind(s *shape) error {
	row := &semantics.RowType{Correlation: correlation(a.plan.rec.Alias)}
	for i, n := range s.names {
		row.Fields = append(row.Fields, semantics.Field{Name: n, Type: s.types[i]})
	}
	c, err := semantics.Parse(a.plan.rec.Clause, row, semantics.Options{Readings: a.readings})
	a.clause = c
	return err
}

func correlation(alias string) string {
	if strings.HasPrefix(alias, `"`) {
		return strings.Trim(alias, `"`)
	}
	return table.FoldName(alias)
}

// verdict is what came of one partition.
type verdict struct {
	same    bool
	tied    bool
	settled []string // columns that would settle its ties
	want    []string // lines of the output by the rules, header first
	got     []string
	in      *table.Table
}

// compare recomputes one partition.
func (a *auditor) compare(p, got *partition, in, out *shape) (*verdict, error) {
	t, err := in.table(p.rows)
	if err != nil {
		return nil, err
	}
	result, err := out.table(got.rows)
	if err != nil {
		return nil, err
	}
	v := &verdict{in: t, got: crosscheck.TableLines(result, false)}
	ties := dialect.Ties(a.clause, t)
	v.tied = len(ties) > 0
	if v.tied {
		v.settled = settling(t, ties)
	}
	n := dialect.Count(ties, mostOrders)
	for k := range min(n, mostOrders) {
		rows := t
		if k > 0 {
			rows = t.Gather(order(t.NumRows(), ties, k))
		}
		want, err := matcher.Recognize(a.ctx, a.o.Matcher, a.clause, rows, a.o.Limits)
		if err != nil {
			return nil, err
		}
		lines := crosscheck.TableLines(want, false)
		if k == 0 {
			v.want = lines
		}
		if same, _ := diff.Compare(asCase, lines, v.got); same {
			v.same = true
			return v, nil
		}
	}
	if n > mostOrders {
		return nil, diag.New(diag.Limit, "NUL-3", diag.Pos{}, "ties: the rows that ORDER BY leaves tied have too many orders to be tried")
	}
	return v, nil
}

// asCase says that lines are compared as the result of a query.
var asCase = &corpus.Case{Kind: corpus.Recognize}

// order returns the rows 0 to rows-1 with the tied ones in the k-th of their orders.
func order(rows int, ties [][]int32, k int) []int32 {
	out := make([]int32, rows)
	for i := range out {
		out[i] = int32(i)
	}
	for _, group := range ties {
		rest := slices.Clone(group)
		for _, place := range group {
			at := k % len(rest)
			k /= len(rest)
			out[place] = rest[at]
			rest = slices.Delete(rest, at, at+1)
		}
	}
	return out
}

// settling are the columns in which all rows of every tie differ.
func settling(t *table.Table, ties [][]int32) []string {
	var out []string
	for _, c := range t.Columns() {
		ok := true
		for _, g := range ties {
			seen := map[string]bool{}
			for _, r := range g {
				key := string(value.AppendKey(nil, c.Value(int(r)), value.Options{}))
				ok = ok && !seen[key]
				seen[key] = true
			}
		}
		if ok {
			out = append(out, c.Name)
		}
	}
	return out
}

func (a *auditor) count(v *verdict) {
	if !v.tied {
		return
	}
	a.report.Tied++
	if !v.same {
		a.report.TiedDiffer++
	}
	if a.settle == nil {
		a.settle = map[string]bool{}
		for _, c := range v.settled {
			a.settle[c] = true
		}
	}
	for c := range a.settle {
		if !slices.Contains(v.settled, c) {
			delete(a.settle, c)
		}
	}
	a.report.Settle = nil
	for c := range a.settle {
		a.report.Settle = append(a.report.Settle, c)
	}
	slices.Sort(a.report.Settle)
}

// again reads a differing partition a second time: two readings of data that
// move may differ by themselves.
func (a *auditor) again(first *partition) error {
	only := ""
	if len(a.plan.rec.Keys) > 0 {
		var conds []string
		in, err := a.condition(first)
		if err != nil {
			a.skip(first, "it differs, and cannot be read again: "+err.Error())
			return nil
		}
		conds = append(conds, in...)
		only = strings.Join(conds, " AND ")
	}
	in, out, err := a.open(only)
	if err != nil {
		return err
	}
	defer in.pages.close()
	defer out.pages.close()
	p, err := in.next(a.o.MaxPartition)
	if err != nil {
		return err
	}
	if p == nil || p.over > 0 {
		a.report.Moving++
		return nil
	}
	got, err := out.take(p.key, 2*a.o.MaxPartition)
	if err != nil {
		return err
	}
	v, err := a.compare(p, got, in.shape, out.shape)
	if err != nil || v.same {
		a.report.Moving++
		return nil
	}
	a.different(p, v)
	return nil
}

// condition selects the rows of one partition.
func (a *auditor) condition(p *partition) ([]string, error) {
	if len(p.rows) == 0 {
		return nil, fmt.Errorf("it has no rows")
	}
	var out []string
	for i, k := range a.plan.rec.Keys {
		at := a.clause.PartitionBy[i]
		f := a.clause.Input.Fields[at]
		v, err := cell(p.rows[0][at], f.Type, true)
		if err != nil {
			return nil, err
		}
		if v.IsNull() {
			out = append(out, k+" IS NULL")
			continue
		}
		out = append(out, k+" = "+value.SQL(v, f.Type))
	}
	return out, nil
}

const shownRows = 5

// different reports a partition, made small if it can be.
func (a *auditor) different(p *partition, v *verdict) {
	d := Different{Key: show(p.key), Rows: len(p.rows), Expected: len(v.want) - 1, Got: len(v.got) - 1}
	d.Missing, d.Surplus = minus(v.want[1:], v.got[1:]), minus(v.got[1:], v.want[1:])
	switch {
	case len(a.report.Differences) >= a.o.MaxReports:
		d.NotShrunk = "enough partitions have been made small"
	case a.o.Engine == nil:
		d.NotShrunk = "no engine to ask about smaller ones"
	default:
		d.Finding, d.NotShrunk = a.shrink(v.in)
	}
	a.report.Differences = append(a.report.Differences, d)
}

// shrink puts stretches of a partition's rows as VALUES, until one of them shows
// a difference, and makes that small.
func (a *auditor) shrink(t *table.Table) (*diff.Finding, string) {
	const mostStretches = 30
	why := "its rows alone, put as VALUES, do not differ"
	n, step := t.NumRows(), reducible/2
	for from, tries := 0, 0; (from == 0 || from+step < n) && tries < mostStretches && a.ctx.Err() == nil; from, tries = from+step, tries+1 {
		var rows []int32
		for r := from; r < min(from+reducible, n); r++ {
			rows = append(rows, int32(r))
		}
		part := t.Gather(rows)
		want, err := matcher.Recognize(a.ctx, a.o.Matcher, a.clause, part, a.o.Limits)
		if err != nil {
			return nil, diag.From(err).Message
		}
		c := &corpus.Case{Name: "audit/partition#" + fmt.Sprint(a.report.Partitions), ID: "partition", Kind: corpus.Recognize, Rules: []string{"MAT-1"},
			SQL: "SELECT * FROM " + caseName + aliased(a.plan.rec.Alias) + "\n" + a.plan.rec.Clause, Tables: []corpus.Table{{Name: table.FoldName(caseName), Data: part}},
			Readings: a.readings, Answer: crosscheck.TableLines(want, false)}
		found, reply := diff.Reduce(a.ctx, a.o.Engine, c, 0)
		if found != nil {
			return found, ""
		}
		if reply.Reason != "" {
			why = "its rows, put as VALUES: " + reply.Reason
		}
	}
	return nil, why
}

// caseName is the table of a partition that is put again.
const caseName = "partition_rows"

func aliased(alias string) string {
	if alias == "" || strings.Contains(alias, ".") {
		return ""
	}
	return " AS " + alias
}

// minus returns the first lines of a that b has not, as bags.
func minus(a, b []string) []string {
	count := map[string]int{}
	for _, l := range b {
		count[l]++
	}
	var out []string
	for _, l := range a {
		if count[l]--; count[l] < 0 && len(out) < shownRows {
			out = append(out, l)
		}
	}
	return out
}

// show writes the key of a partition for people.
func show(key string) string {
	if key == "" {
		return "(the whole table)"
	}
	return strings.ReplaceAll(key, "\x00", ", ")
}
