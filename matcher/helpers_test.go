package matcher_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// prices makes a table of one partition: i from 1, x the values.
func prices(t testing.TB, xs ...int64) *table.Table {
	t.Helper()
	rows := make([][]int64, len(xs))
	for i, x := range xs {
		rows[i] = []int64{int64(i + 1), x}
	}
	return ints(t, []string{"I", "X"}, rows)
}

// ints makes a table of bigint columns.
func ints(t testing.TB, names []string, rows [][]int64) *table.Table {
	t.Helper()
	var cols []*table.Column
	for c, name := range names {
		b := table.NewBuilder(name, value.TypeBigint)
		for _, row := range rows {
			if err := b.Append(value.Int(row[c])); err != nil {
				t.Fatal(err)
			}
		}
		cols = append(cols, b.Column())
	}
	in, err := table.New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// clause parses what stands in MATCH_RECOGNIZE ( ) for a table.
func clause(t testing.TB, in *table.Table, text string, settings ...string) *semantics.Clause {
	t.Helper()
	var r readings.Set
	for _, s := range settings {
		if err := r.Apply(s); err != nil {
			t.Fatal(err)
		}
	}
	c, err := semantics.Parse("MATCH_RECOGNIZE ("+text+")", semantics.RowTypeOf(in, ""), semantics.Options{Readings: r})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return c
}

// window makes the window form of a clause: following < 0 is UNBOUNDED FOLLOWING.
func window(c *semantics.Clause, following int64, seek bool) *semantics.Clause {
	w := *c
	w.Seek = seek
	w.Window = &semantics.FrameEnd{Unbounded: following < 0}
	if following >= 0 {
		w.Window.Rows = &scalar.Const{Base: scalar.Base{T: value.TypeBigint}, Value: value.Int(following)}
	}
	return &w
}

// labelled makes the clause and table of a pattern and rows such as "A, AB, -".
func labelled(t testing.TB, pattern, rows string) (*semantics.Clause, *table.Table) {
	t.Helper()
	var sets [][]string
	if rows != "" {
		for row := range strings.SplitSeq(rows, ",") {
			sets = append(sets, strings.Split(strings.Trim(row, " -"), ""))
		}
	}
	c, in, err := semantics.Labelled(pattern, "", sets)
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	return c, in
}

// text writes a mapping as "1A 2B", an excluded row as "2{B}", rows counted
// from 1; an empty match as "empty@1".
func text(c *semantics.Clause, m semantics.Mapping) string {
	if m.IsEmpty() {
		return fmt.Sprintf("empty@%d", m.Start+1)
	}
	var out []string
	for i, v := range m.Vars {
		name := c.Name(v)
		if m.IsExcluded(i) {
			name = "{" + name + "}"
		}
		out = append(out, fmt.Sprintf("%d%s", m.Start+i+1, name))
	}
	return strings.Join(out, " ")
}

// scan returns the matches of a clause as "1: 1A 2B; 2: empty@3", with the
// error at the end.
func scan(t testing.TB, c *semantics.Clause, in *table.Table) (string, error) {
	t.Helper()
	var out []string
	var failed error
	for m, err := range matcher.Matches(t.Context(), reference.Engine{}, c, in, matcher.Limits{}) {
		if err != nil {
			failed = err
			continue
		}
		out = append(out, fmt.Sprintf("%d: %s", m.Number, text(c, m.Mapping)))
	}
	return strings.Join(out, "; "), failed
}
