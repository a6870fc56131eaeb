package gen

import (
	"slices"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// SmallerQueries returns recognitions that are like q but simpler. Some of them
// are not legal: what a part that is left out was needed for stays.
func SmallerQueries(q *Query) []*Query {
	var out []*Query
	try := func(change func(*Query)) {
		c := *q
		change(&c)
		out = append(out, &c)
	}
	if n := len(q.Table); n > 3 {
		try(func(c *Query) { c.Table = q.Table[:n/2] })
		try(func(c *Query) { c.Table = q.Table[n/2:] })
	}
	for i := range q.Table {
		if len(q.Table) > 1 {
			try(func(c *Query) { c.Table = without(q.Table, i) })
		}
	}
	for _, p := range SmallerPatterns(q.Pattern) {
		if len(Names(p)) > 0 {
			try(func(c *Query) {
				c.Pattern = p
				c.onlyNamed()
			})
		}
	}
	for i, d := range q.Define {
		if len(q.Define) > 1 {
			try(func(c *Query) { c.Define = without(q.Define, i) })
		}
		for _, cond := range smallerConditions(d.Cond) {
			try(func(c *Query) {
				c.Define = slices.Clone(q.Define)
				c.Define[i].Cond = cond
			})
		}
	}
	for i := range q.Measures {
		if len(q.Measures) > 1 {
			try(func(c *Query) { c.Measures = without(q.Measures, i) })
		}
		if q.Measures[i] != "1" {
			try(func(c *Query) {
				c.Measures = slices.Clone(q.Measures)
				c.Measures[i] = "1"
			})
		}
	}
	for i := range q.Unions {
		try(func(c *Query) { c.Unions = without(q.Unions, i) })
		for j := range q.Unions[i].Members {
			if len(q.Unions[i].Members) > 1 {
				try(func(c *Query) {
					c.Unions = slices.Clone(q.Unions)
					c.Unions[i].Members = without(q.Unions[i].Members, j)
				})
			}
		}
	}
	for _, part := range []func(*Query) *string{
		func(c *Query) *string { return &c.Mode },
		func(c *Query) *string { return &c.Skip },
		func(c *Query) *string { return &c.Seek },
	} {
		if *part(q) != "" {
			try(func(c *Query) { *part(c) = "" })
		}
	}
	for i := range q.PartitionBy {
		try(func(c *Query) { c.PartitionBy = without(q.PartitionBy, i) })
	}
	for i := range q.OrderBy {
		try(func(c *Query) { c.OrderBy = without(q.OrderBy, i) })
	}
	if q.Window && q.Frame != "UNBOUNDED FOLLOWING" {
		try(func(c *Query) { c.Frame = "UNBOUNDED FOLLOWING" })
	}
	for i, row := range q.Table {
		for j, v := range row {
			if simple := simplest(j); !v.IsNull() && !value.Identical(v, simple, value.Options{}) {
				try(func(c *Query) {
					c.Table = slices.Clone(q.Table)
					c.Table[i] = slices.Clone(row)
					c.Table[i][j] = simple
				})
			}
		}
	}
	return out
}

// without returns a copy of the list without one element.
func without[T any](list []T, i int) []T { return slices.Delete(slices.Clone(list), i, i+1) }

// onlyNamed drops definitions and members of unions that the pattern has not.
func (q *Query) onlyNamed() {
	names := Names(q.Pattern)
	q.Define = slices.DeleteFunc(slices.Clone(q.Define), func(d Definition) bool { return !slices.Contains(names, d.Var) })
	if len(q.Define) == 0 {
		q.Define = []Definition{{names[0], &Condition{Text: "TRUE"}}}
	}
	unions := slices.Clone(q.Unions)
	for i, u := range unions {
		unions[i].Members = slices.DeleteFunc(slices.Clone(u.Members), func(m string) bool { return !slices.Contains(names, m) })
	}
	q.Unions = slices.DeleteFunc(unions, func(u Union) bool { return len(u.Members) == 0 })
}

// simplest is the value that a column gets when nothing depends on it.
func simplest(column int) value.Value {
	return Row{value.String("A"), value.Int(1), value.Int(0), value.ScaledInt(0, 1), value.Float(0), value.String("a"), value.DateOf(20_000),
		value.TimestampOf(1_728_172_800_000_000)}[column]
}

func smallerConditions(c *Condition) []*Condition {
	var out []*Condition
	if c.Op == "" {
		if c.Text != "TRUE" {
			out = append(out, &Condition{Text: "TRUE"})
		}
		return out
	}
	out = append(out, &Condition{Text: "TRUE"})
	out = append(out, c.Sub...)
	for i, sub := range c.Sub {
		for _, s := range smallerConditions(sub) {
			d := &Condition{Op: c.Op, Sub: slices.Clone(c.Sub)}
			d.Sub[i] = s
			out = append(out, d)
		}
	}
	return out
}

// MinimizeQuery makes a recognition simpler as long as it fails. Failing
// returns the index of the first of several that fails, -1 if none does.
func MinimizeQuery(q *Query, failing func([]*Query) int) *Query {
	// Each step takes something away or puts something simpler in its place,
	// so that it comes to an end; the bound is for a failing that is fickle.
	for range 10_000 {
		tries := SmallerQueries(q)
		i := failing(tries)
		if i < 0 {
			break
		}
		q = tries[i]
	}
	return q
}
