package nfa

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// condition makes a random condition of variable v, as SQL.
func (g *generator) condition(v string, depth int) string {
	if depth > 0 {
		switch g.IntN(8) {
		case 0, 1, 2:
			return g.condition(v, depth-1) + " AND " + g.condition(v, depth-1)
		case 3:
			return "(" + g.condition(v, depth-1) + " OR " + g.condition(v, depth-1) + ")"
		case 4:
			return "NOT (" + g.condition(v, depth-1) + ")"
		}
	}
	op := []string{"=", "<>", "<", "<=", ">", ">="}[g.IntN(6)]
	if g.registers {
		q := g.name() + "."
		read := []string{"MAX(" + q + "x)", "MIN(" + q + "x)", "SUM(" + q + "y)", "AVG(" + q + "x)", "COUNT(" + q + "x)", "LAST(" + q + "x)", "FIRST(" + q + "x)",
			"FIRST(x)", "COUNT(*) - 1", "SUM(x)", "MAX(" + q + "s)"}[g.IntN(11)]
		if strings.HasSuffix(read, "s)") {
			return "s " + op + " " + read
		}
		return g.column() + " " + op + " " + read
	}
	if g.windows && g.IntN(2) == 0 {
		return g.window(v)
	}
	switch g.IntN(14) {
	case 0:
		return "CLASSIFIER(" + g.other("") + ") " + op + " '" + g.name() + "'"
	case 1:
		return "PREV(CLASSIFIER()) " + op + " '" + g.name() + "'"
	case 2:
		return fmt.Sprintf("MATCH_NUMBER() %s %d", op, 1+g.IntN(3))
	case 3:
		return g.operand(v) + " IS NULL"
	case 4:
		return fmt.Sprintf("%s BETWEEN %s AND %s", g.operand(v), g.operand(v), g.operand(v))
	case 5:
		return fmt.Sprintf("%s IN (1, 2, %s)", g.operand(v), g.operand(v))
	case 6:
		return "s = '" + string(rune('a'+g.IntN(3))) + "'"
	case 7:
		return fmt.Sprintf("x %s %d", op, g.IntN(6))
	}
	return g.operand(v) + " " + op + " " + g.operand(v)
}

// window makes a condition that binds rows to a window of the match's first row.
func (g *generator) window(v string) string {
	first := []string{"FIRST(i)", "FIRST(i) + 0", "FIRST(x)", g.name() + ".i"}[g.IntN(4)]
	switch g.IntN(5) {
	case 0:
		return fmt.Sprintf("COUNT(*) <= %d", 1+g.IntN(5))
	case 1:
		return fmt.Sprintf("%s.i - %s <= %d", v, first, g.IntN(4))
	case 2:
		return fmt.Sprintf("%s >= i - %d", first, g.IntN(4))
	}
	return fmt.Sprintf("i <= %s + %d", first, g.size)
}

// name is a variable of the pattern.
func (g *generator) name() string { return g.names[g.IntN(len(g.names))] }

// other is a variable or union, with what stands before a column, or nothing.
func (g *generator) other(dot string) string {
	switch k := g.IntN(8); {
	case k == 0 && dot != "":
		return ""
	case k == 1:
		return "U" + dot
	case k == 2:
		return "W" + dot
	}
	return g.name() + dot
}

func (g *generator) column() string { return []string{"x", "x", "y", "d"}[g.IntN(4)] }

// operand makes a random numeric expression.
func (g *generator) operand(v string) string {
	if g.IntN(3) == 0 {
		return g.column()
	}
	q := g.other(".")
	if g.IntN(3) == 0 {
		q = v + "."
	}
	switch g.IntN(16) {
	case 0:
		return fmt.Sprintf("PREV(%s%s, %d)", q, g.column(), g.IntN(3))
	case 1:
		return fmt.Sprintf("NEXT(%s%s, %d)", q, g.column(), g.IntN(3))
	case 2:
		return fmt.Sprintf("FIRST(%s%s, %d)", q, g.column(), g.IntN(3))
	case 3:
		return fmt.Sprintf("LAST(%s%s, %d)", q, g.column(), g.IntN(3))
	case 4:
		return fmt.Sprintf("PREV(FIRST(%s%s, %d), %d)", q, g.column(), g.IntN(2), g.IntN(3))
	case 5:
		return fmt.Sprintf("NEXT(LAST(%s%s, %d), %d)", q, g.column(), g.IntN(2), g.IntN(3))
	case 6, 7:
		return fmt.Sprintf("%s(%s%s)", []string{"SUM", "AVG", "MIN", "MAX", "COUNT"}[g.IntN(5)], q, g.column())
	case 8:
		return []string{"COUNT(*)", "COUNT(" + g.name() + ".*)", "COUNT(DISTINCT " + q + "x)", "SUM(" + q + "x) FILTER (WHERE " + q + "x > 1)",
			"MAX(" + q + "x) FILTER (WHERE CLASSIFIER(" + strings.TrimSuffix(q, ".") + ") <> 'A')"}[g.IntN(5)]
	case 9:
		return fmt.Sprintf("%d", g.IntN(6))
	case 10:
		if g.IntN(3) == 0 {
			return fmt.Sprintf("(%s / %s)", q+g.column(), g.column())
		}
		return fmt.Sprintf("(%s + %d)", q+g.column(), g.IntN(3))
	case 11:
		return fmt.Sprintf("(%s - %s)", g.column(), q+g.column())
	}
	return q + g.column()
}

// definitions makes SUBSET and DEFINE for the variables of a pattern.
func (g *generator) definitions(p *semantics.Pattern, depth int) string {
	seen := map[string]bool{}
	var names []string
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable && !seen[n.Name.Text] {
			seen[n.Name.Text] = true
			names = append(names, n.Name.Text)
		}
	})
	g.names = names
	var define []string
	for _, v := range names {
		if len(define) == 0 && v == names[len(names)-1] || g.IntN(5) > 0 {
			define = append(define, v+" AS "+g.condition(v, depth))
		}
	}
	u := names[:1+g.IntN(len(names))]
	w := names[g.IntN(len(names)):]
	return " SUBSET U = (" + strings.Join(u, ", ") + "), W = (" + strings.Join(w, ", ") + ") DEFINE " + strings.Join(define, ", ")
}

// input makes a table of n rows with ties and NULLs: p a partition key, i the
// row's number, x and y small integers, d a decimal, s a string.
func (g *generator) input(t testing.TB, n int) *table.Table {
	t.Helper()
	cols := []*table.Builder{table.NewBuilder("P", value.TypeInteger), table.NewBuilder("I", value.TypeBigint), table.NewBuilder("X", value.TypeBigint),
		table.NewBuilder("Y", value.TypeInteger), table.NewBuilder("D", value.DecimalType(10, 2)), table.NewBuilder("S", value.TypeVarchar)}
	nulls := g.IntN(3)
	huge := g.IntN(12) == 0 // sums and sums of two are out of range
	null := func() bool { return nulls > 0 && g.IntN(6) == 0 }
	for i := range n {
		cols[0].AppendInt64(int64(g.IntN(3)))
		cols[1].AppendInt64(int64(i + 1 - g.IntN(2)))
		for c, draw := range []func(){
			func() {
				x := int64(g.IntN(6))
				if huge && g.IntN(3) == 0 {
					x = math.MaxInt64 - x
				}
				cols[2].AppendInt64(x)
			},
			func() { cols[3].AppendInt64(int64(g.IntN(4))) },
			func() { cols[4].AppendInt64(int64(g.IntN(5) * 50)) },
			func() { cols[5].AppendString(string(rune('a' + g.IntN(3)))) },
		} {
			if null() {
				cols[c+2].AppendNull()
			} else {
				draw()
			}
		}
	}
	var done []*table.Column
	for _, b := range cols {
		done = append(done, b.Column())
	}
	in, err := table.New(done...)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// tableText shows a table in a failure.
func tableText(in *table.Table) string {
	var b strings.Builder
	for r := range in.NumRows() {
		b.WriteString("\n  ")
		for c := range in.NumColumns() {
			b.WriteString(value.Format(in.Value(r, c), in.Column(c).Type) + " ")
		}
	}
	return b.String()
}

// parse binds what stands in MATCH_RECOGNIZE ( ).
func parse(in *table.Table, text string, settings ...string) (*semantics.Clause, error) {
	var r readings.Set
	for _, s := range settings {
		if err := r.Apply(s); err != nil {
			return nil, err
		}
	}
	return semantics.Parse("MATCH_RECOGNIZE ("+text+")", semantics.RowTypeOf(in, ""), semantics.Options{Readings: r})
}
