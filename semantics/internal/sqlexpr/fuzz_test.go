package sqlexpr

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// compare checks one text: the bridge and the second opinion agree in what
// they accept, and on the tree with its places; errors lie in the source; the
// printed tree parses to the same tree.
func compare(t *testing.T, src string) bool {
	t.Helper()
	accepted, problem := check(src)
	if problem == "" {
		return accepted
	}
	// Leave out words while there is still a problem.
	words := strings.Fields(src)
	for size := len(words); size > 0; {
		smaller := false
		for from := 0; from+size <= len(words); from++ {
			fewer := append(append([]string(nil), words[:from]...), words[from+size:]...)
			if _, p := check(strings.Join(fewer, " ")); p != "" {
				words, problem, smaller = fewer, p, true
				break
			}
		}
		if !smaller {
			size--
		} else {
			size = min(size, len(words))
		}
	}
	t.Fatalf("%q: %s", strings.Join(words, " "), problem)
	return false
}

// check says what is wrong with one text, see compare.
func check(src string) (accepted bool, problem string) {
	toks := token.Lex(src)
	n, err := Parse(src, toks, Options{})
	if err != nil {
		e := diag.From(err)
		switch {
		case e.Stage == diag.Internal:
			return false, err.Error()
		case e.Message == "" || e.Rule == "" || e.Source != src || !e.Pos.IsValid() || e.Pos.Offset > len(src) || e.Pos != diag.Locate(src, e.Pos.Offset):
			return false, fmt.Sprintf("error without a good place: %+v", e)
		case e.Stage == diag.Limit:
			return false, ""
		}
	}
	second, ok := secondOpinion(src, toks)
	if ok != (err == nil) {
		return false, fmt.Sprintf("the bridge says %v, the second opinion accepts: %v", err, ok)
	}
	if err != nil {
		return false, ""
	}
	if a, b := dump(n, true), dump(second, true); a != b {
		return false, fmt.Sprintf("\nthe bridge     %s\nsecond opinion %s", a, b)
	}
	printed := n.SQL()
	again, err := Parse(printed, token.Lex(printed), Options{})
	if err != nil {
		return false, fmt.Sprintf("prints as %q: %v", printed, err)
	}
	if a, b := dump(n, false), dump(again, false); a != b {
		return false, fmt.Sprintf("prints as %q:\n%s\n%s", printed, a, b)
	}
	return true, ""
}

// generator writes random expressions of the grammar, with some mistakes.
type generator struct {
	*rand.Rand
	out []string
}

func (g *generator) one(words ...string) { g.out = append(g.out, words[g.IntN(len(words))]) }

func (g *generator) list(depth int) {
	g.expr(depth)
	for g.IntN(3) == 0 {
		g.one(",")
		g.expr(depth)
	}
}

func (g *generator) expr(depth int) {
	for {
		if g.IntN(6) == 0 {
			g.one("NOT")
		}
		g.value(depth)
		switch g.IntN(14) {
		case 0:
			g.one("=", "<>", "<", "<=", ">", ">=", "IS DISTINCT FROM", "IS NOT DISTINCT FROM")
			g.value(depth)
		case 1:
			g.one("BETWEEN", "NOT BETWEEN", "BETWEEN ASYMMETRIC")
			g.value(depth)
			g.one("AND")
			g.value(depth)
		case 2:
			g.one("IN (", "NOT IN (")
			g.list(depth - 1)
			g.one(")")
		case 3:
			g.one("LIKE", "NOT LIKE")
			g.value(depth)
			if g.IntN(2) == 0 {
				g.one("ESCAPE")
				g.value(depth)
			}
		case 4:
			g.one("IS NULL", "IS NOT NULL", "IN (SELECT 1)", "IN (VALUES (1), (2))")
		}
		if g.IntN(8) == 0 {
			g.one("IS TRUE", "IS NOT FALSE", "IS UNKNOWN")
		}
		if g.IntN(3) > 0 {
			return
		}
		g.one("AND", "OR")
	}
}

func (g *generator) value(depth int) {
	concat := g.IntN(4) == 0
	for {
		for !concat && g.IntN(6) == 0 {
			g.one("-", "+")
		}
		g.primary(depth)
		if g.IntN(3) > 0 {
			return
		}
		if concat {
			g.one("||")
		} else {
			g.one("+", "-", "*", "/")
		}
	}
}

func (g *generator) primary(depth int) {
	if depth <= 0 {
		g.one("a", "b.x", `"c"`, "1", "2.5", "1e3", "'s'", "NULL", "TRUE", ":p", "X'00'", "FINAL", "RUNNING", "day",
			"DATE '2026-01-02'", "TIMESTAMP '2026-01-02 03:04:05'", "TIME '01:02:03'", "INTERVAL '5' MINUTE", "INTERVAL -'1-2' YEAR TO MONTH",
			"(SELECT 1)", "EXISTS (SELECT 1)", "COUNT(*)", "COUNT(A.*)", "m OVER w", "CURRENT_DATE", "f()", "ANY(x)")
		return
	}
	switch g.IntN(14) {
	case 0, 1, 2:
		g.one("(")
		g.expr(depth - 1)
		g.one(")")
	case 3:
		g.one("f(", "FINAL LAST(", "RUNNING g(", "h(DISTINCT", "COUNT(", `"q"(`)
		g.list(depth - 1)
		if g.IntN(4) == 0 {
			g.one("ORDER BY")
			g.expr(depth - 1)
			g.one("", "ASC", "DESC", "DESC NULLS FIRST", "NULLS LAST")
		}
		g.one(")")
		if g.IntN(5) == 0 {
			g.one("FILTER (WHERE")
			g.expr(depth - 1)
			g.one(")")
		}
		g.one("", "", "", "OVER w", "OVER (ORDER BY x)")
	case 4:
		g.one("CASE")
		if g.IntN(2) == 0 {
			g.expr(depth - 1)
		}
		for ok := true; ok; ok = g.IntN(3) == 0 {
			g.one("WHEN")
			g.expr(depth - 1)
			g.one("THEN")
			g.expr(depth - 1)
		}
		if g.IntN(2) == 0 {
			g.one("ELSE")
			g.expr(depth - 1)
		}
		g.one("END")
	case 5:
		g.one("CAST(")
		g.expr(depth - 1)
		g.one("AS INT", "AS DECIMAL(10, 2)", "AS VARCHAR(3)", "AS DOUBLE PRECISION", "AS BIGINT ARRAY", "AS INTERVAL DAY TO SECOND", "AS TIMESTAMP(3)")
		g.one(")")
	case 6:
		g.one("SUBSTRING(")
		g.expr(depth - 1)
		g.one("FROM")
		g.expr(depth - 1)
		if g.IntN(2) == 0 {
			g.one("FOR")
			g.expr(depth - 1)
		}
		g.one(")")
	case 7:
		g.one("POSITION(")
		g.value(depth - 1)
		g.one("IN")
		g.expr(depth - 1)
		g.one(")")
	case 8:
		g.one("TRIM(", "TRIM(LEADING", "TRIM(BOTH")
		g.expr(depth - 1)
		g.one("FROM")
		g.expr(depth - 1)
		g.one(")")
	case 9:
		g.one("ARRAY[")
		g.list(depth - 1)
		g.one("]")
	case 10:
		g.one("EXTRACT(YEAR FROM", "EXTRACT(SECOND FROM")
		g.expr(depth - 1)
		g.one(")")
	default:
		g.primary(0)
	}
}

var stray = []string{"+", "-", "*", "||", "=", "<", "AND", "OR", "NOT", "IS NULL", "IS TRUE", "IN (1)", "BETWEEN", "LIKE", "ESCAPE",
	"(", ")", ",", "a", "1", "FINAL", "EXISTS (SELECT 1)", "CASE", "END", "WHEN", "THEN", "FROM", "IN", ".", "?", "^", "INTERVAL", "DATE"}

// The bridge and the second opinion agree on random expressions and on ones
// with a few tokens removed, inserted or exchanged.
func TestRandomExpressions(t *testing.T) {
	g := generator{Rand: rand.New(rand.NewPCG(1, 2))}
	runs, accepted := 12000, 0
	if testing.Short() {
		runs = 2000
	}
	for i := range runs {
		g.out = g.out[:0]
		g.expr(g.IntN(4))
		words := append([]string(nil), g.out...)
		for range i % 3 {
			k := g.IntN(len(words))
			switch g.IntN(3) {
			case 0:
				words = append(words[:k], words[k+1:]...)
			case 1:
				words = append(words[:k], append([]string{stray[g.IntN(len(stray))]}, words[k:]...)...)
			case 2:
				words[k] = stray[g.IntN(len(stray))]
			}
			if len(words) == 0 {
				words = []string{"a"}
			}
		}
		if compare(t, strings.Join(words, " ")) {
			accepted++
		}
	}
	if accepted < runs/6 || accepted > runs*9/10 {
		t.Errorf("%d of %d accepted: the generator is out of balance", accepted, runs)
	}
}

// FuzzExpression: the bridge and the second opinion agree, see compare.
func FuzzExpression(f *testing.F) {
	g := generator{Rand: rand.New(rand.NewPCG(3, 4))}
	for range 40 {
		g.out = g.out[:0]
		g.expr(2)
		f.Add(strings.Join(g.out, " "))
	}
	for _, s := range []string{"a = b = c", "NOT a IS NULL IS TRUE", "a || b + c", "- - 1", "FINAL A.x", "a ^ b", "f(x => 1)", "(a, b)", "a[1]", "''", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { compare(t, src) })
}

// FuzzParsePrefix: no panic, and what is accepted as a prefix is accepted alone.
func FuzzParsePrefix(f *testing.F) {
	for _, s := range []string{"a + 1 AS m, b", "x > 1 ) z", "a b", "count(*) over w from t", "a at", "a is"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		toks := token.Lex(src)
		n, used, err := ParsePrefix(src, toks, Options{MaxDepth: 20, MaxTokens: 200})
		if err != nil {
			if e := diag.From(err); e.Stage == diag.Internal || e.Pos.Offset > len(src) || !e.Pos.IsValid() {
				t.Fatalf("%q: %v", src, err)
			}
			return
		}
		if used < 1 || used > len(toks) {
			t.Fatalf("%q: %d tokens used of %d", src, used, len(toks))
		}
		again, err := Parse(src, toks[:used:used], Options{})
		if err != nil || dump(again, true) != dump(n, true) {
			t.Fatalf("%q: the first %d tokens alone: %v", src, used, err)
		}
	})
}
