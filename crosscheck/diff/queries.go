package diff

import (
	"context"
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/reduce"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// queryPatterns are the patterns of generated queries: small, since conditions
// and output are what is tried with them.
var queryPatterns = gen.Patterns{Vars: 3, Size: 4, Depth: 3,
	Reluctant: 20, Bounded: 30, Nullable: 20, Followed: 15, Nested: 5, Twins: 5, Empty: 3, Anchors: 3, Exclude: 8, Permute: 4}

// conditions of DEFINE; $ is the variable itself, @ another one.
var conditions = []string{
	"v > 2", "v < 3", "v IS NULL", "v > PREV(v)", "v < PREV(v)", "v <= NEXT(v)", "PREV(v) IS NULL", "v = 1 OR v IS NULL",
	"$.v > LAST(@.v)", "v > FIRST(v)", "v >= FIRST($.v)", "v > LAST($.v, 1)", "FIRST(v, 1) > 1", "PREV(v, 2) < v", "PREV(FIRST($.v)) < 3",
	"NEXT(v, 2) > 1", "PREV(LAST(@.v), 1) > 0", "COUNT(*) <= 2", "COUNT($.*) < 3", "SUM(v) < 6", "SUM($.v) <= 4", "MAX(@.v) > 1", "MIN(v) < v", "v >= AVG(v)",
	"CLASSIFIER() = '$'", "PREV(CLASSIFIER()) = '@'", "MATCH_NUMBER() <= 2", "@.v IS NULL", "s = 'a'", "v > 1 AND s <> 'b'", "s = PREV(s)", "$.v + @.v > 3", "COUNT(@.v) = 1",
}

// measures; U is a union variable.
var measures = []string{
	"MATCH_NUMBER()", "CLASSIFIER()", "FIRST(v)", "LAST(v)", "FIRST(A.v)", "LAST(B.v)", "FIRST(v, 1)", "LAST(v, 1)", "LAST(A.v, 1)", "v", "A.v", "B.v", "A.v + COUNT(*)",
	"PREV(v)", "NEXT(v)", "PREV(A.v)", "NEXT(B.v)", "PREV(FIRST(A.v))", "NEXT(LAST(v), 1)", "PREV(LAST(B.v, 1))", "COUNT(*)", "COUNT(A.*)", "COUNT(A.v)", "COUNT(v)", "SUM(v)", "SUM(A.v)",
	"MIN(v)", "MAX(B.v)", "AVG(v)", "FINAL LAST(v)", "FINAL FIRST(A.v)", "FINAL COUNT(*)", "FINAL SUM(A.v)", "RUNNING COUNT(*)", "RUNNING LAST(v)", "FINAL LAST(v, 1)", "'x'", "COALESCE(LAST(B.v), -1)",
	"LAST(U.v)", "COUNT(U.*)", "CLASSIFIER(U)", "FIRST(CLASSIFIER())", "LAST(CLASSIFIER())", "PREV(CLASSIFIER())", "MATCH_NUMBER() * 10", "id", "LAST(id) - FIRST(id)",
}

var outputs = []string{"", "ONE ROW PER MATCH", "ALL ROWS PER MATCH", "ALL ROWS PER MATCH SHOW EMPTY MATCHES", "ALL ROWS PER MATCH OMIT EMPTY MATCHES", "ALL ROWS PER MATCH WITH UNMATCHED ROWS"}

var skips = []string{"", "", "AFTER MATCH SKIP PAST LAST ROW", "AFTER MATCH SKIP TO NEXT ROW", "AFTER MATCH SKIP TO NEXT ROW", "AFTER MATCH SKIP TO FIRST A", "AFTER MATCH SKIP TO LAST B", "AFTER MATCH SKIP TO B"}

// drawQuery draws a whole query over a small table with NULLs and partitions. It
// returns nil if what it drew is not legal.
func drawQuery(ctx context.Context, r *gen.Rand) *corpus.Case {
	p := queryPatterns.Draw(r)
	names := gen.Names(p)
	if len(names) == 0 {
		return nil
	}
	window := r.Chance(15)
	var b strings.Builder
	if window {
		b.WriteString("SELECT id, COUNT(*) OVER w AS n, m OVER w AS m FROM t WINDOW w AS (\n")
	} else {
		b.WriteString("SELECT * FROM t MATCH_RECOGNIZE (\n")
	}
	if r.Chance(45) {
		b.WriteString("  PARTITION BY g\n")
	}
	b.WriteString("  ORDER BY id" + gen.Pick(r, []string{"", "", "", " DESC"}) + "\n")
	if window {
		b.WriteString("  MEASURES " + gen.Pick(r, measures) + " AS m\n  ROWS BETWEEN CURRENT ROW AND " + gen.Pick(r, []string{"UNBOUNDED", "1", "2"}) + " FOLLOWING\n")
	} else {
		var items []string
		for i := range r.Between(1, 3) {
			items = append(items, fmt.Sprintf("%s AS m%d", gen.Pick(r, measures), i+1))
		}
		b.WriteString("  MEASURES " + strings.Join(items, ", ") + "\n")
		if out := gen.Pick(r, outputs); out != "" {
			b.WriteString("  " + out + "\n")
		}
	}
	if skip := gen.Pick(r, skips); skip != "" {
		b.WriteString("  " + skip + "\n")
	}
	b.WriteString("  PATTERN (" + p.String() + ")\n")
	if r.Chance(40) {
		b.WriteString("  SUBSET U = (" + strings.Join(names[:r.Between(1, len(names))], ", ") + ")\n")
	}
	var defines []string
	for i, n := range names {
		if len(defines) > 0 && r.Chance(20) {
			continue
		}
		other := names[(i+1)%len(names)]
		defines = append(defines, n+" AS "+strings.NewReplacer("$", n, "@", other).Replace(gen.Pick(r, conditions)))
	}
	b.WriteString("  DEFINE " + strings.Join(defines, ", ") + ")")
	if !window {
		b.WriteString(" AS m")
	}
	c := &corpus.Case{Kind: corpus.Recognize, SQL: b.String(), Tables: []corpus.Table{{Name: "T", Data: drawTable(r)}}}
	if window {
		c.Kind = corpus.Window
	}
	lines, err := rules.Answer(ctx, c)
	if err != nil {
		return nil
	}
	c.Answer = lines
	c.Name = randomName(c.Kind, reduce.Input(c))
	_, c.ID, _ = strings.Cut(c.Name, "#")
	return c
}

// drawTable draws a table of two partitions, with NULLs and without ties.
func drawTable(r *gen.Rand) *table.Table {
	builders := []*table.Builder{table.NewBuilder("G", value.TypeVarchar), table.NewBuilder("ID", value.TypeBigint),
		table.NewBuilder("V", value.TypeBigint), table.NewBuilder("S", value.TypeVarchar)}
	n := r.Between(1, 6)
	order := make([]int64, n)
	for i := range order {
		order[i] = int64(i + 1)
	}
	for i := n - 1; i > 0; i-- {
		if r.Chance(10) { // mostly in order, as people write tables
			k := r.IntN(i + 1)
			order[i], order[k] = order[k], order[i]
		}
	}
	for i := range n {
		v := value.Int(int64(r.Between(0, 4)))
		if r.Chance(12) {
			v = value.Null
		}
		s := value.String(gen.Pick(r, []string{"a", "b"}))
		if r.Chance(8) {
			s = value.Null
		}
		for k, x := range []value.Value{value.String(gen.Pick(r, []string{"x", "x", "y"})), value.Int(order[i]), v, s} {
			if err := builders[k].Append(x); err != nil {
				panic(err) // every value is of its column's type
			}
		}
	}
	cols := make([]*table.Column, len(builders))
	for i, b := range builders {
		cols[i] = b.Column()
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err) // the columns have equal lengths
	}
	return t
}
