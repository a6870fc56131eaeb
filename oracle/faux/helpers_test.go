package faux

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func mutant(t testing.TB, id string) *Mutant {
	t.Helper()
	m, err := New(id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sets reads rows of labels: "A AB -".
func sets(rows string) [][]string {
	var out [][]string
	for _, row := range strings.Fields(rows) {
		out = append(out, strings.Split(strings.Trim(row, "-"), ""))
	}
	return out
}

// matchAt says what an engine finds at a row, counted from 1: "A {B}", "()" or "-".
func matchAt(t testing.TB, e matcher.Engine, pattern, rows string, start int) string {
	t.Helper()
	c, in, err := semantics.Labelled(pattern, "", sets(rows))
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	maps, err := matcher.Map(t.Context(), e, c, in, matcher.Limits{})
	if err != nil {
		return diag.From(err).Stage.String()
	}
	return mappingText(c, maps[start-1])
}

func mappingText(c *semantics.Clause, m *semantics.Mapping) string {
	if m == nil {
		return "-"
	}
	if m.IsEmpty() {
		return "()"
	}
	names := make([]string, len(m.Vars))
	for i, v := range m.Vars {
		names[i] = c.Name(v)
		if m.IsExcluded(i) {
			names[i] = "{" + names[i] + "}"
		}
	}
	return strings.Join(names, " ")
}

// tables reads tables of the form "t(x bigint, n varchar): 1 a; NULL b". A table
// is made of values; blanks separate cells.
func tables(t testing.TB, spec ...string) func(string, bool) (*table.Table, bool, error) {
	t.Helper()
	all := map[string]*table.Table{}
	for _, s := range spec {
		head, body, _ := strings.Cut(s, ":")
		name, cols, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(head), ")"), "(")
		var builders []*table.Builder
		var types []value.Type
		for _, col := range strings.Split(cols, ",") {
			n, typ, _ := strings.Cut(strings.TrimSpace(col), " ")
			ty, err := value.ParseType(typ)
			if err != nil {
				t.Fatal(err)
			}
			builders, types = append(builders, table.NewBuilder(table.FoldName(n), ty)), append(types, ty)
		}
		for _, row := range strings.Split(body, ";") {
			cells := strings.Fields(row)
			for i := range cells {
				v := value.Null
				if cells[i] != "NULL" {
					var err error
					if v, err = value.Cast(value.String(cells[i]), value.TypeVarchar, types[i]); err != nil {
						t.Fatal(err)
					}
				}
				if err := builders[i].Append(v); err != nil {
					t.Fatal(err)
				}
			}
		}
		var columns []*table.Column
		for _, b := range builders {
			columns = append(columns, b.Column())
		}
		tab, err := table.New(columns...)
		if err != nil {
			t.Fatal(err)
		}
		all[table.FoldName(strings.TrimSpace(name))] = tab
	}
	return func(name string, _ bool) (*table.Table, bool, error) {
		tab, ok := all[name]
		return tab, ok, nil
	}
}

// resultText writes a result in one line: rows separated by semicolons, cells by blanks.
func resultText(res *query.Result, err error) string {
	if err != nil {
		e := diag.From(err)
		return fmt.Sprintf("error %s %s %s", e.Stage, e.Rule, e.SQLSTATE)
	}
	rows := make([]string, res.Table.NumRows())
	for r := range rows {
		cells := make([]string, res.Table.NumColumns())
		for c := range cells {
			cells[c] = value.Format(res.Table.Value(r, c), res.Table.Column(c).Type)
			if cells[c] == "" {
				cells[c] = "''"
			}
		}
		rows[r] = strings.Join(cells, " ")
	}
	return strings.Join(rows, "; ")
}

// referenceRun runs a statement on the reference.
func referenceRun(t testing.TB, sql string, o query.Options) (*query.Result, error) {
	t.Helper()
	o.Recognizer = matcher.Using(reference.Engine{}, matcher.Limits{})
	return query.Run(t.Context(), sql, o)
}

// generator makes random patterns, rich in bodies that can be empty.
type generator struct{ *rand.Rand }

func (g generator) pattern(size int) *semantics.Pattern {
	of := func(op semantics.Op, sub ...*semantics.Pattern) *semantics.Pattern {
		return &semantics.Pattern{Op: op, Sub: sub}
	}
	if size <= 1 {
		switch g.IntN(16) {
		case 0:
			return of(semantics.OpPartitionStart)
		case 1:
			return of(semantics.OpPartitionEnd)
		case 2, 3:
			return of(semantics.OpEmpty)
		}
		v := of(semantics.OpVariable)
		v.Name.Text = string(rune('A' + g.IntN(3)))
		return v
	}
	split := func(n int) (parts []*semantics.Pattern) {
		left := size - 1
		for i := range n {
			s := max(1, left/(n-i))
			left -= s
			parts = append(parts, g.pattern(s))
		}
		return parts
	}
	switch g.IntN(12) {
	case 0, 1, 2:
		return of(semantics.OpGroup, of(semantics.OpConcat, split(2)...))
	case 3, 4, 5:
		return of(semantics.OpGroup, of(semantics.OpAlternate, split(2+g.IntN(2))...))
	case 6:
		return of(semantics.OpExclude, g.pattern(size-1))
	case 7:
		return of(semantics.OpPermute, split(1+g.IntN(3))...)
	}
	q := of(semantics.OpQuantified, of(semantics.OpGroup, g.pattern(size-1)))
	bounds := [][2]int{{0, 1}, {0, -1}, {1, -1}, {2, 2}, {1, 2}, {2, -1}, {0, 2}, {2, 3}, {1, 3}, {3, -1}}
	b := bounds[g.IntN(len(bounds))]
	q.Min, q.Max, q.Reluctant = b[0], b[1], g.IntN(3) == 0
	return q
}

// rows makes n random label sets.
func (g generator) rows(n int) string {
	names := []string{"-", "A", "B", "C", "AB", "AC", "BC", "ABC", "A", "B", "AB"}
	out := make([]string, n)
	for i := range out {
		out[i] = names[g.IntN(len(names))]
	}
	return strings.Join(out, " ")
}
