package audit

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// suspect is a partition that differed on the first reading.
type suspect struct {
	key  string
	show string
	only string // the condition that selects its rows; "" for the whole table
}

// suspectOf notes a partition, to be read again; false if its key cannot be
// written as a condition.
func (a *auditor) suspectOf(p *partition) (suspect, bool) {
	var conds []string
	for i, k := range a.plan.rec.Keys {
		at := a.clause.PartitionBy[i]
		v, t := p.values[i], a.in.types[at]
		switch kind, _, _ := strings.Cut(a.in.servers[at], "("); {
		case v.IsNull():
			conds = append(conds, k+" IS NULL")
		case a.in.known[at] && t.IsApproximate(): // NaN is a key as well
			conds = append(conds, k+" IS NOT DISTINCT FROM "+value.SQL(v, t))
		case t.Kind == value.Char: // the server compares a char as such with a char only
			conds = append(conds, k+" = CAST("+value.SQL(v, t)+" AS "+t.String()+")")
		case a.in.known[at]:
			conds = append(conds, k+" = "+value.SQL(v, t))
		case kind == "varbinary":
			conds = append(conds, "to_base64("+k+") = "+value.SQL(v, value.TypeVarchar))
		case kind == "uuid", kind == "ipaddress", kind == "timestamp", kind == "time":
			conds = append(conds, "CAST("+k+" AS varchar) = "+value.SQL(v, value.TypeVarchar))
		default:
			return suspect{}, false
		}
	}
	return suspect{key: p.key, show: p.show(), only: strings.Join(conds, " AND ")}, true
}

// suspectsAtOnce is how many partitions one pair of statements reads again.
const suspectsAtOnce = 200

// suspect notes a partition; when there are many, they are read again.
func (a *auditor) suspect(p *partition) error {
	s, ok := a.suspectOf(p)
	if !ok {
		a.skip(p, "it differs, and cannot be read again to be sure: there is no literal of the type of its key")
		return nil
	}
	a.suspects = append(a.suspects, s)
	if len(a.suspects) < suspectsAtOnce {
		return nil
	}
	return a.again()
}

// again reads the suspects a second time: two readings of data that move may
// differ by themselves. What differs again is reported. The reference matcher
// judges, if its limits allow.
func (a *auditor) again() error {
	list := a.suspects
	a.suspects = nil
	if len(list) == 0 {
		return nil
	}
	waiting := map[string]suspect{}
	var conds []string
	for _, s := range list {
		waiting[s.key] = s
		if s.only != "" {
			conds = append(conds, "("+s.only+")")
		}
	}
	only := strings.Join(conds, " OR ")
	err := a.pairs(only, func(p, got *partition, in, out *shape) error {
		s, ok := waiting[p.key]
		if !ok {
			return nil
		}
		delete(waiting, p.key)
		if p.over > 0 || got.over > 0 {
			a.report.Moving++
			return nil
		}
		v, err := a.compare(a.o.Confirm, p, got, in, out)
		if err != nil && a.ctx.Err() == nil {
			v, err = a.compare(a.o.Matcher, p, got, in, out)
		}
		if err != nil || v.same {
			a.report.Moving++
			return a.ctx.Err()
		}
		d := Different{Key: s.show, Rows: len(p.rows), only: s.only}
		if v.tied {
			a.report.TiedDiffer++
		}
		d.Expected, d.Got = len(v.want)-1, len(v.got)-1
		if len(a.report.Differences) < a.o.MaxReports {
			d.output(v)
		}
		a.report.Differences = append(a.report.Differences, d)
		return nil
	})
	a.report.Moving += len(waiting)
	return err
}

// sameCases is how many partitions must come to one case, and none to another,
// for the rest to be left as they are.
const sameCases = 3

// shrinkAll makes the differing partitions small, one after another, once
// nothing else is read any more.
func (a *auditor) shrinkAll() error {
	seen := map[string]int{}
	for i := range a.report.Differences {
		d := &a.report.Differences[i]
		switch {
		case i >= a.o.MaxReports:
			d.NotShrunk = "enough partitions have been made small"
			continue
		case a.o.Engine == nil:
			d.NotShrunk = "no engine to ask about smaller ones"
			continue
		case i >= sameCases && len(seen) == 1:
			d.NotShrunk = fmt.Sprintf("the first %d partitions all came to the case above", sameCases)
			continue
		}
		if a.o.Shrinking != nil {
			a.o.Shrinking(i+1, min(len(a.report.Differences), a.o.MaxReports))
		}
		in, err := a.stream(a.plan.rows(d.only))
		if err != nil {
			return err
		}
		p, err := in.next(a.o.MaxPartition)
		in.rows.Close()
		if err != nil {
			return err
		}
		if p == nil || p.over > 0 {
			d.NotShrunk = "its rows are not there any more"
			continue
		}
		t, err := in.shape.table(p.rows)
		if err != nil {
			d.NotShrunk = err.Error()
			continue
		}
		if d.Finding, d.NotShrunk = a.shrink(d.Key, t); d.Finding != nil {
			if seen[d.Finding.Case]++; seen[d.Finding.Case] > 1 {
				d.Finding, d.NotShrunk = nil, "it comes to a case above"
			}
		} else {
			seen[d.NotShrunk]++
		}
		if a.ctx.Err() != nil {
			return a.ctx.Err()
		}
	}
	return nil
}

// shrink puts stretches of a partition's rows as VALUES, until one of them shows
// a difference, and makes that small.
func (a *auditor) shrink(key string, t *table.Table) (*diff.Finding, string) {
	const mostStretches = 30
	why := "its rows alone, put as VALUES, do not differ"
	n, step := t.NumRows(), reducible/2
	for from, tries := 0, 0; (from == 0 || from+step < n) && tries < mostStretches && a.ctx.Err() == nil; from, tries = from+step, tries+1 {
		var rows []int32
		for r := from; r < min(from+reducible, n); r++ {
			rows = append(rows, int32(r))
		}
		part := t.Gather(rows)
		want, err := matcher.Recognize(a.ctx, a.o.Confirm, a.clause, part, a.o.Limits)
		if err != nil {
			return nil, diag.From(err).Message
		}
		c := &corpus.Case{Name: "partition " + key, ID: "partition", Kind: corpus.Recognize,
			SQL: "SELECT * FROM " + caseName + aliased(a.plan.rec.Alias) + "\n" + a.text, Tables: []corpus.Table{{Name: table.FoldName(caseName), Data: part}},
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
	if alias == "" {
		return ""
	}
	return " AS " + alias
}
