package faux

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
)

// The parts of which random statements are made. V stands for a variable of the
// pattern, N for a small number.
var (
	conditionParts = []string{"V.x > N", "x < PREV(x)", "V.x >= LAST(V.x, 1)", "COUNT(*) < N", "SUM(V.x) < 9", "NEXT(x) > x",
		"PREV(CLASSIFIER()) = 'B'", "FIRST(V.x, N) = x", "MATCH_NUMBER() > 1", "PREV(V.x, N) IS NULL", "V.x IS NOT NULL", "COUNT(V.x) > 0",
		"PREV(LAST(V.x, N), 2) > N", "MIN(V.x) = MIN(x)", "x / (x - N) > 1", "CLASSIFIER(U) = 'A'", "U.x > N", "COUNT(DISTINCT x) < N", "TRUE", "i > N"}
	measureParts = []string{"MATCH_NUMBER()", "CLASSIFIER()", "V.x", "x", "FIRST(V.x, N)", "FINAL LAST(V.x, N)", "FINAL FIRST(x)", "COUNT(*)",
		"FINAL COUNT(V.*)", "SUM(V.x)", "FINAL SUM(x)", "PREV(V.x, N)", "NEXT(FINAL LAST(V.x, N), N)", "NEXT(CLASSIFIER())", "CLASSIFIER(U)", "CLASSIFIER(V)",
		"COALESCE(V.x, -1)", "PREV(COALESCE(x, -1))", "1 + N", "AVG(U.x)", "ARRAY_AGG(CLASSIFIER(U))", "MAX(x) FILTER (WHERE x > N)", "PREV(FIRST(V.x, N), N)",
		"LAST(CLASSIFIER(), N)", "COUNT(V.x) * 10 + COUNT(U.*)", "ARRAY_AGG(x ORDER BY x DESC)", "x / (x - N)"}
	outputParts = []string{"", "ONE ROW PER MATCH", "ALL ROWS PER MATCH", "ALL ROWS PER MATCH OMIT EMPTY MATCHES", "ALL ROWS PER MATCH WITH UNMATCHED ROWS"}
	skipParts   = []string{"", "", "AFTER MATCH SKIP TO NEXT ROW", "AFTER MATCH SKIP PAST LAST ROW", "AFTER MATCH SKIP TO FIRST V", "AFTER MATCH SKIP TO LAST V", "AFTER MATCH SKIP TO U"}
)

// statement makes a random statement over r(p, i, x), of the FROM form or of windows.
func (g generator) statement(window bool) string {
	p := g.pattern(2 + g.IntN(6)).String()
	var vars []string
	for _, v := range []string{"A", "B", "C"} {
		if strings.Contains(strings.ReplaceAll(p, "PERMUTE", ""), v) {
			vars = append(vars, v)
		}
	}
	if len(vars) == 0 {
		p, vars = p+" | A", []string{"A"}
	}
	fill := func(text string) string {
		var b strings.Builder
		for i, r := range text {
			alone := (i == 0 || !isWord(text[i-1])) && (i+1 == len(text) || !isWord(text[i+1]))
			switch {
			case r == 'V' && alone:
				b.WriteString(vars[g.IntN(len(vars))])
			case r == 'N' && alone:
				fmt.Fprint(&b, g.IntN(4))
			default:
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	pick := func(list []string) string { return fill(list[g.IntN(len(list))]) }
	var defines, measures []string
	for i, v := range vars {
		if i == 0 || g.IntN(4) > 0 {
			c := pick(conditionParts)
			if g.IntN(3) == 0 {
				c += []string{" AND ", " OR "}[g.IntN(2)] + pick(conditionParts)
			}
			defines = append(defines, v+" AS "+c)
		}
	}
	for i := range 1 + g.IntN(4) {
		measures = append(measures, fmt.Sprintf("%s AS m%d", pick(measureParts), i))
	}
	common := pick(skipParts) + " PATTERN (" + p + ") SUBSET U = (" + strings.Join(vars, ", ") + ") DEFINE " + strings.Join(defines, ", ")
	order := []string{"ORDER BY i ", "ORDER BY x, i ", "ORDER BY x DESC ", "", "ORDER BY i DESC "}[g.IntN(5)]
	partition := []string{"", "PARTITION BY p "}[g.IntN(2)]
	head := partition + order + "MEASURES " + strings.Join(measures, ", ") + " "
	if !window {
		return "SELECT * FROM r MATCH_RECOGNIZE (" + head + outputParts[g.IntN(len(outputParts))] + " " + common + ")"
	}
	end := []string{"UNBOUNDED", "1", "2"}[g.IntN(3)]
	seek := []string{"", "SEEK ", "INITIAL "}[g.IntN(3)]
	i := strings.Index(common, "PATTERN")
	return "SELECT i, m0 OVER w, COUNT(*) OVER w, FIRST_VALUE(i) OVER w FROM r WINDOW w AS (" + head + "ROWS BETWEEN CURRENT ROW AND " + end + " FOLLOWING " +
		common[:i] + seek + common[i:] + ")"
}

func (g generator) table() string {
	var rows []string
	for i := range g.IntN(8) {
		x := fmt.Sprint(g.IntN(5))
		if g.IntN(6) == 0 {
			x = "NULL"
		}
		rows = append(rows, fmt.Sprintf("%s %d %s", []string{"a", "b", "NULL"}[g.IntN(3)], i+1, x))
	}
	return "r(p varchar, i bigint, x bigint): " + strings.Join(rows, "; ")
}

// TestHonestStatements: without a fault the engine gives the result of the
// reference, rows in order, or its error, on random statements.
func TestHonestStatements(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(9, 10))}
	honest := mutant(t, "")
	rows, errors, refused := 0, 0, 0
	for i := range 4000 {
		sql, data := g.statement(i%4 == 3), g.table()
		o := query.Options{Tables: tables(t, data)}
		right, failed := referenceRun(t, sql, o)
		want := resultText(right, failed)
		res, err := honest.Run(t.Context(), sql, o, matcher.Limits{})
		if err != nil && diag.From(err).Stage == diag.Limit {
			continue
		}
		if got := resultText(res, err); got != want {
			t.Fatalf("%s\nover %s\n is     %s\n should %s", sql, data, got, want)
		}
		if failed != nil && diag.From(failed).Pos != diag.From(err).Pos {
			t.Fatalf("%s\nover %s: the error is at %v, should be at %v", sql, data, diag.From(err).Pos, diag.From(failed).Pos)
		}
		switch {
		case strings.HasPrefix(want, "error runtime"):
			errors++
		case strings.HasPrefix(want, "error"):
			refused++
		case want != "":
			rows++
		}
	}
	t.Logf("%d results with rows, %d run-time errors, %d refused", rows, errors, refused)
	if rows < 1500 || errors < 100 {
		t.Error("the statements are too much alike")
	}
}
