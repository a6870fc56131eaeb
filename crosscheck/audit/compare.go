package audit

import (
	"fmt"
	"slices"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// verdict is what came of one partition.
type verdict struct {
	same    bool
	tied    bool
	settled []string // columns that would settle its ties
	want    []string // lines of the output by the rules, header first
	got     []string
}

// compare recomputes one partition with a matcher.
func (a *auditor) compare(m matcher.Engine, p, got *partition, in, out *shape) (*verdict, error) {
	t, err := in.table(p.rows)
	if err != nil {
		return nil, err
	}
	result, err := out.table(got.rows)
	if err != nil {
		return nil, err
	}
	v := &verdict{got: crosscheck.TableLines(result, false)}
	ties := dialect.Ties(a.clause, t)
	v.tied = len(ties) > 0
	if v.tied {
		v.settled = settling(t, ties)
	}
	n := dialect.Count(ties, mostOrders)
	for k := range min(n, mostOrders) {
		rows := t
		if k > 0 {
			rows = t.Gather(dialect.Order(t.NumRows(), ties, k))
		}
		want, err := matcher.Recognize(a.ctx, m, a.clause, rows, a.o.Limits)
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

// ties counts a partition with ties. The columns that settle those of all
// partitions so far are kept.
func (a *auditor) ties(settled []string) {
	a.report.Tied++
	if a.report.Tied == 1 {
		a.report.Settle = slices.Clone(settled)
		slices.Sort(a.report.Settle)
		return
	}
	a.report.Settle = slices.DeleteFunc(a.report.Settle, func(c string) bool { return !slices.Contains(settled, c) })
}

// output is what a second reading says that both have, for a report.
func (d *Different) output(v *verdict) {
	d.Expected, d.Got = len(v.want)-1, len(v.got)-1
	d.Missing, d.Surplus = minus(v.want[1:], v.got[1:]), minus(v.got[1:], v.want[1:])
	if len(d.Missing)+len(d.Surplus) == 0 { // the columns, or their types
		d.Missing, d.Surplus = []string{fmt.Sprint("columns ", v.want[0])}, []string{fmt.Sprint("columns ", v.got[0])}
	}
}

const shownRows = 5

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
