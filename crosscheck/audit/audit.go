package audit

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Options of an audit.
type Options struct {
	Matcher      matcher.Engine // recomputes every partition
	Confirm      matcher.Engine // judges what differed; nil: Matcher
	Limits       matcher.Limits
	Sample       float64      // share of the partitions; 0 or 1: all
	MaxPartition int          // rows of the largest partition that is audited; 0: DefaultMaxPartition
	MaxReports   int          // differing partitions that are made small; 0: DefaultMaxReports
	Engine       *diff.Engine // asked to make a difference small; nil: nothing is made small
	Sent         func(sql string)
	Progress     func(partitions int, rows int64)
	Shrinking    func(n, of int)
}

// Defaults of the options, and limits.
const (
	DefaultMaxPartition = 1_000_000
	DefaultMaxReports   = 10
	statementLimit      = 12 * time.Hour // of the server, for a statement; we may be slow to read
	mostListed          = 1000           // partitions that are listed as not audited
	reducible           = 400            // rows that are put again at a time, to be made small
	mostOrders          = 120            // orders of tied rows that are tried
)

// Report is what came of the audit of one recognition.
type Report struct {
	Clause      string // the recognition, as it is written
	Partitions  int
	Rows        int64
	Tied        int         // partitions with rows that ORDER BY leaves in no order
	TiedDiffer  int         // of them: those whose result fits none of the orders that were tried
	Settle      []string    // columns each of which, added to ORDER BY, would settle the ties of the partitions
	Skipped     int         // partitions that were not audited: too large, or a limit of ours
	NotAudited  []Skipped   // the first of them
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
	Missing   []string // the first rows of the rules that the server has not; of the first partitions only
	Surplus   []string // and the other way round
	Finding   *diff.Finding
	NotShrunk string // why there is no finding

	only string
}

// Run audits the recognitions of a statement one by one: a report each, the last
// one incomplete if there is an error.
func Run(ctx context.Context, s *trino.Oracle, sql string, o Options) ([]*Report, error) {
	plans, err := newPlans(sql, o.Sample)
	if err != nil {
		return nil, err
	}
	if o.MaxPartition == 0 {
		o.MaxPartition = DefaultMaxPartition
	}
	if o.MaxReports == 0 {
		o.MaxReports = DefaultMaxReports
	}
	if o.Confirm == nil {
		o.Confirm = o.Matcher
	}
	var out []*Report
	for _, p := range plans {
		a := &auditor{ctx: ctx, server: s, plan: p, o: o, report: &Report{Clause: p.rec.Clause}, readings: trino.Profile().Readings}
		err := a.run()
		a.report.Interrupted = ctx.Err() != nil
		out = append(out, a.report)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

type auditor struct {
	ctx      context.Context
	server   *trino.Oracle
	plan     *plan
	o        Options
	report   *Report
	readings readings.Set
	clause   *semantics.Clause
	text     string // of the clause, as it is bound
	in       *shape
	suspects []suspect
}

func (a *auditor) run() error {
	err := a.pairs("", a.first)
	if err == nil {
		err = a.again()
	}
	if err == nil {
		err = a.shrinkAll()
	}
	return err
}

// stream puts a statement whose result has the partition columns.
func (a *auditor) stream(sql string) (*stream, error) {
	if a.o.Sent != nil {
		a.o.Sent(sql)
	}
	return newStream(a.ctx, a.server, sql, a.plan.keyNames(), a.readings.ValueOptions())
}

// pairs reads input and result, for all partitions or for those of a condition,
// and visits them partition by partition. One of the two may have no rows.
func (a *auditor) pairs(only string, visit func(p, got *partition, in, out *shape) error) error {
	in, err := a.stream(a.plan.rows(only))
	if err != nil {
		return err
	}
	defer in.rows.Close()
	if a.clause == nil {
		if err := a.bind(in.shape); err != nil {
			return err
		}
	}
	out, err := a.stream(a.plan.result(only))
	if err != nil {
		return err
	}
	defer out.rows.Close()
	out.shape.named(a.clause.Output.Fields)
	for {
		p, err := in.next(a.o.MaxPartition)
		if err != nil {
			return err
		}
		// Rows of the result for which there is no input: a wrong server, or rows
		// that came between the two statements.
		for more := true; more; {
			if more, err = out.peek(); err != nil {
				return err
			}
			if !more || p != nil && !out.before(p) {
				break
			}
			got, err := out.next(2 * a.o.MaxPartition)
			if err != nil {
				return err
			}
			if err := visit(&partition{key: got.key, values: got.values, first: got.first}, got, in.shape, out.shape); err != nil {
				return err
			}
		}
		if p == nil {
			return nil
		}
		got, err := out.take(*p, 2*a.o.MaxPartition)
		if err != nil {
			return err
		}
		if err := visit(p, got, in.shape, out.shape); err != nil {
			return err
		}
	}
}

// first visits a partition on the first reading.
func (a *auditor) first(p, got *partition, in, out *shape) error {
	a.report.Partitions++
	a.report.Rows += int64(len(p.rows) + p.over)
	if a.o.Progress != nil {
		a.o.Progress(a.report.Partitions, a.report.Rows)
	}
	switch {
	case p.over > 0:
		a.skip(p, fmt.Sprintf("more than %d rows", a.o.MaxPartition))
		return nil
	case got.over > 0:
		a.skip(p, fmt.Sprintf("more than %d rows of output", 2*a.o.MaxPartition))
		return nil
	}
	v, err := a.compare(a.o.Matcher, p, got, in, out)
	switch {
	case a.ctx.Err() != nil:
		return a.ctx.Err()
	case err != nil:
		a.skip(p, diag.From(err).Message)
		return nil
	}
	if v.tied {
		a.ties(v.settled)
	}
	if v.same {
		return nil
	}
	return a.suspect(p)
}

func (a *auditor) skip(p *partition, reason string) {
	if a.report.Skipped++; a.report.Skipped <= mostListed {
		a.report.NotAudited = append(a.report.NotAudited, Skipped{Key: p.show(), Rows: len(p.rows) + p.over, Reason: reason})
	}
}

// bind binds the clause to the columns of the input.
func (a *auditor) bind(s *shape) error {
	row := &semantics.RowType{Correlation: correlation(a.plan.rec.Alias)}
	for i, n := range s.names {
		row.Fields = append(row.Fields, semantics.Field{Name: n, Type: s.types[i]})
	}
	a.in, a.text = s, folded(a.plan.rec.Clause, s.names)
	c, err := semantics.Parse(a.text, row, semantics.Options{Readings: a.readings})
	if err != nil {
		return err
	}
	a.clause = c
	return computable(c, s)
}

func correlation(alias string) string {
	if strings.HasPrefix(alias, `"`) {
		return strings.Trim(alias, `"`)
	}
	return table.FoldName(alias)
}
