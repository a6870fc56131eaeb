package nfa

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// clause makes a random clause of the FROM form over g.input, but for its
// MATCH_RECOGNIZE and parentheses.
func (g *generator) clause(p *semantics.Pattern) string {
	var b strings.Builder
	define := g.definitions(p, g.IntN(3)) // draws the names
	if g.IntN(4) > 0 {
		b.WriteString("PARTITION BY p ")
	}
	b.WriteString([]string{"ORDER BY i ", "ORDER BY i, x ", "ORDER BY x DESC, i ", "ORDER BY s NULLS FIRST, i DESC ", ""}[g.IntN(5)])
	b.WriteString("MEASURES ")
	for m := range 1 + g.IntN(4) {
		if m > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s AS m%d", g.measure(), m)
	}
	mode := g.IntN(5)
	if g.overlap {
		mode = 0
	}
	if mode == 4 && p.Has(semantics.OpExclude) {
		mode = 3
	}
	b.WriteString([]string{"", "", " ALL ROWS PER MATCH", " ALL ROWS PER MATCH OMIT EMPTY MATCHES", " ALL ROWS PER MATCH WITH UNMATCHED ROWS"}[mode])
	skip := g.IntN(8)
	if g.overlap {
		skip = g.IntN(4)
	}
	switch skip {
	case 0, 1:
		b.WriteString(" AFTER MATCH SKIP TO NEXT ROW")
	case 2:
		b.WriteString(" AFTER MATCH SKIP TO FIRST " + g.other(""))
	case 3:
		b.WriteString(" AFTER MATCH SKIP TO LAST " + g.other(""))
	case 4:
		b.WriteString(" AFTER MATCH SKIP PAST LAST ROW")
	}
	b.WriteString(" PATTERN (" + p.String() + ")" + define)
	return b.String()
}

// measure makes a random expression of MEASURES.
func (g *generator) measure() string {
	q := g.other(".")
	final := []string{"", "", "FINAL ", "RUNNING "}[g.IntN(4)]
	col := g.column()
	if g.overlap {
		switch g.IntN(8) {
		case 0:
			return "MATCH_NUMBER()"
		case 1, 2, 3, 4:
			return fmt.Sprintf("%s%s(%s%s)", final, []string{"SUM", "AVG", "MIN", "MAX", "COUNT", "MAX"}[g.IntN(6)], q, []string{"x", "y", "d", "i"}[g.IntN(4)])
		case 5:
			return fmt.Sprintf("PREV(%sFIRST(%ss), %d)", final, q, g.IntN(3))
		case 6:
			return fmt.Sprintf("NEXT(LAST(%sx * 2), %d)", q, g.IntN(3))
		}
		return q + []string{"x", "s", "i", "d"}[g.IntN(4)]
	}
	switch g.IntN(16) {
	case 0:
		return "MATCH_NUMBER()"
	case 1:
		return "CLASSIFIER()"
	case 2:
		return "CLASSIFIER(" + g.other("") + ")"
	case 3:
		return final + "COUNT(*)"
	case 4:
		return final + "COUNT(" + g.name() + ".*)"
	case 5:
		return fmt.Sprintf("%s%s(%s%s)", final, []string{"SUM", "AVG", "MIN", "MAX", "COUNT", "ARRAY_AGG"}[g.IntN(6)], q, col)
	case 6:
		return fmt.Sprintf("%sFIRST(%s%s, %d)", final, q, col, g.IntN(3))
	case 7:
		return fmt.Sprintf("%sLAST(%s%s, %d)", final, q, col, g.IntN(3))
	case 8:
		return fmt.Sprintf("PREV(%s%s, %d)", q, col, g.IntN(4))
	case 9:
		return fmt.Sprintf("NEXT(%s%s, %d)", q, col, g.IntN(4))
	case 10:
		return fmt.Sprintf("NEXT(%sLAST(CLASSIFIER(%s), %d), %d)", final, strings.TrimSuffix(q, "."), g.IntN(3), g.IntN(3))
	case 11:
		return fmt.Sprintf("PREV(%sFIRST(%ss, %d), %d)", final, q, g.IntN(3), g.IntN(3))
	case 12:
		return fmt.Sprintf("%sSUM(DISTINCT %sx) + MATCH_NUMBER()", final, q)
	case 13:
		return "COALESCE(" + g.operand(g.name()) + ", 7)"
	case 14:
		return g.operand(g.name()) + " + " + g.operand(g.name())
	}
	return q + []string{"x", "s", "i", "d"}[g.IntN(4)]
}

// csv is a table as text, its types included.
func csv(t *table.Table) string {
	var b strings.Builder
	for _, f := range t.Fields() {
		fmt.Fprintf(&b, "%s %s,", f.Name, f.Type)
	}
	return b.String() + tableText(t)
}

// outcome is a table or an error as text; limit says that it was over a budget.
func outcome(t *table.Table, err error) (text string, limit bool) {
	if err != nil {
		return diag.From(err).Detail(), diag.From(err).Stage == diag.Limit
	}
	return csv(t), false
}

// TestRandomQueries compares the output of random clauses, every mode and form
// of SKIP, with the output by the reference.
func TestRandomQueries(t *testing.T) {
	g := newGenerator(seedOf(t))
	compared, failed, tiers := 0, 0, map[Tier]int{}
	for range *queries {
		g.vars = 1 + g.IntN(4)
		g.big = g.IntN(4) == 0
		g.anchors = g.IntN(4) == 0
		g.overlap = g.IntN(3) == 0
		g.windows, g.size = g.IntN(5) == 0, g.IntN(5)
		p := g.pattern(1 + g.IntN(7))
		if !hasVariable(p) {
			continue
		}
		in := g.input(t, g.IntN(16))
		if g.IntN(20) == 0 {
			in = g.input(t, 200+g.IntN(200))
		}
		text := g.clause(p)
		c, err := parse(in, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want, limit := outcome(matcher.Recognize(t.Context(), reference.Engine{}, c, in, referenceLimits))
		if limit {
			continue
		}
		for _, force := range []Tier{Auto, States, Bits, Carried, Search} {
			e := Engine{Fallback: reference.Engine{}, Force: force, MemoAfter: g.IntN(2) - 1}
			prog, err := e.Compile(c, referenceLimits)
			if err != nil {
				continue
			}
			tiers[prog.(*program).tier]++
			got, _ := outcome(matcher.Recognize(t.Context(), e, c, in, referenceLimits))
			if compared++; strings.Contains(got, "error") {
				failed++
			}
			if got != want {
				t.Fatalf("%s: %s on%s\n got %s\nwant %s", force, text, tableText(in), got, want)
			}
		}
	}
	t.Logf("%d outputs compared, %d of them errors, programs by tier: %v", compared, failed, tiers)
}

// TestRandomScans compares scans of labelled rows: longer partitions, all forms
// of SKIP, measures that are read from rows. They reach the loops of T1 and T2
// that leave one tier for another.
func TestRandomScans(t *testing.T) {
	g := newGenerator(seedOf(t))
	compared, tiers := 0, map[Tier]int{}
	for range *queries {
		g.vars = 1 + g.IntN(3)
		g.anchors = g.IntN(3) > 0
		p := g.pattern(1 + g.IntN(5))
		if !hasVariable(p) {
			continue
		}
		n := 1 + g.IntN(60)
		rows := g.rows(n)
		cols := []*table.Builder{table.NewBuilder("I", value.TypeBigint)}
		for v := range g.vars {
			cols = append(cols, table.NewBuilder("L"+string(rune('A'+v)), value.TypeBoolean))
		}
		for i, row := range rows {
			cols[0].AppendInt64(int64(i + 1))
			for v := range g.vars {
				holds := int64(0)
				if slices.Contains(row, string(rune('A'+v))) {
					holds = 1
				}
				cols[v+1].AppendInt64(holds)
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
		seen := map[string]bool{}
		p.Walk(func(x *semantics.Pattern) {
			if x.Op == semantics.OpVariable {
				seen[x.Name.Text] = true
			}
		})
		names := slices.Sorted(maps.Keys(seen))
		var define []string
		for _, name := range names {
			define = append(define, name+" AS l"+name)
		}
		v := names[g.IntN(len(names))]
		text := "ORDER BY i MEASURES " + []string{"FIRST(i) AS a, LAST(i) AS b", "MATCH_NUMBER() AS n, FIRST(i) AS a, COUNT(*) AS c", "FIRST(i) AS a, LAST(" + v + ".i) AS b, FIRST(" + v + ".i) AS c",
			"FIRST(i) AS a, CLASSIFIER() AS b, SUM(" + v + ".i) AS c"}[g.IntN(4)] +
			[]string{"", "", " ALL ROWS PER MATCH"}[g.IntN(3)] +
			[]string{"", "", " AFTER MATCH SKIP TO NEXT ROW", " AFTER MATCH SKIP TO LAST " + v}[g.IntN(4)] +
			" PATTERN (" + p.String() + ") DEFINE " + strings.Join(define, ", ")
		c, err := parse(in, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want, limit := outcome(matcher.Recognize(t.Context(), reference.Engine{}, c, in, referenceLimits))
		if limit {
			continue
		}
		for _, force := range []Tier{Auto, States, Bits, Carried} {
			e := Engine{Fallback: reference.Engine{}, Force: force}
			prog, err := e.Compile(c, referenceLimits)
			if err != nil {
				continue
			}
			tiers[prog.(*program).tier]++
			compared++
			if got, _ := outcome(matcher.Recognize(t.Context(), e, c, in, referenceLimits)); got != want {
				t.Fatalf("%s: %s on %s\n got %s\nwant %s", force, text, rowsText(rows), got, want)
			}
		}
	}
	t.Logf("%d outputs compared, programs by tier: %v", compared, tiers)
}
