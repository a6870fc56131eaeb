package fuzz_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/fuzz/gen/gopters"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
)

// lawN is how many inputs each law is tried on.
func lawN() int { return max(*flagN/10, 50) }

// verdict is the result of one input. An input on which a matcher meets its limit
// says nothing, and counts as one that holds.
func verdict(ok bool, format string, args ...any) *gopter.PropResult {
	if ok {
		return gopter.NewPropResult(true, "")
	}
	return gopter.NewPropResult(false, fmt.Sprintf(format, args...))
}

// sameMatches compares what the reference says of one pattern with what the
// enumerator says of another, both ways.
func sameMatches(p, q *semantics.Pattern, rows [][]string) *gopter.PropResult {
	for _, pair := range [][2]*semantics.Pattern{{p, q}, {q, p}} {
		x, okX := answer(reference.Engine{}, pair[0], rows)
		y, okY := answer(enumerate.Engine{}, pair[1], rows)
		if okX && okY && x != y {
			return verdict(false, "%s gives %s, %s gives %s", pair[0], x, pair[1], y)
		}
	}
	return verdict(true, "")
}

// TestPrintAndParse: printing and parsing are inverse.
func TestPrintAndParse(t *testing.T) {
	holds(t, lawN(), prop.ForAll(func(p *semantics.Pattern) *gopter.PropResult {
		q, err := semantics.ParsePattern(p.String())
		if err != nil {
			return verdict(false, "%s: %v", p, err)
		}
		return verdict(q.Equal(p) && q.String() == p.String(), "%s is parsed as %s", p, q)
	}, gopters.Patterns(gen.DefaultPatterns)))
}

// law checks a rewrite that must not change anything, on patterns in which
// there is something to rewrite.
func law(t *testing.T, name string, inputs gen.Inputs) {
	apply := rewrite(t, name)
	holds(t, lawN(), prop.ForAll(func(in gen.Input) *gopter.PropResult {
		return sameMatches(in.Pattern, apply(in.Pattern), in.Rows)
	}, gopters.Inputs(inputs).SuchThat(func(in gen.Input) bool { return !apply(in.Pattern).Equal(in.Pattern) })))
}

// TestPAT7PermuteIsItsExpansion: PERMUTE is the alternation of all orders.
func TestPAT7PermuteIsItsExpansion(t *testing.T) {
	o := gen.DefaultInputs
	o.Permute = 35
	law(t, "write-permute", o)
}

// TestPREF4Copies: P{n} is n copies in a group, whatever P is.
func TestPREF4Copies(t *testing.T) { law(t, "copies", gen.DefaultInputs) }

// TestPREF4NestedOptions: P{n,m} is copies and nested options if P cannot be empty.
func TestPREF4NestedOptions(t *testing.T) { law(t, "unroll", gen.DefaultInputs) }

// TestPREF8NestedOptions: for a body that can be empty it is not, and that is found.
func TestPREF8NestedOptions(t *testing.T) {
	apply := rewrite(t, "nest-nullable")
	seed := seedOf(t)
	for i := range 20_000 {
		in := gen.DefaultInputs.Draw(gen.Case(seed, i))
		q := apply(in.Pattern)
		if q.Equal(in.Pattern) {
			continue
		}
		x, okX := answer(reference.Engine{}, in.Pattern, in.Rows)
		y, okY := answer(reference.Engine{}, q, in.Rows)
		if okX && okY && x != y {
			t.Logf("case %d: %s gives %s, %s gives %s", i, in, x, q, y)
			return
		}
	}
	t.Errorf("-fuzz.seed=%d: no difference found in 20000 patterns", *flagSeed)
}

// TestPREF4Reluctance: reluctance says nothing if the bounds are equal.
func TestPREF4Reluctance(t *testing.T) {
	o := gen.DefaultInputs
	o.Reluctant, o.Bounded = 70, 80
	law(t, "clear-reluctance", o)
}

// TestGRAM10Renaming: the names of variables do not matter.
func TestGRAM10Renaming(t *testing.T) {
	names := map[string]string{"A": "ZULU", "B": "b b", "C": "A"}
	holds(t, lawN(), prop.ForAll(func(in gen.Input) *gopter.PropResult {
		q := gen.Rename(in.Pattern, func(name string) string { return names[name] })
		rows := make([][]string, len(in.Rows))
		for i, row := range in.Rows {
			for _, name := range row {
				rows[i] = append(rows[i], names[name])
			}
		}
		x, okX := answer(reference.Engine{}, in.Pattern, in.Rows)
		y, okY := answer(enumerate.Engine{}, q, rows)
		if !okX || !okY {
			return verdict(true, "")
		}
		want := strings.NewReplacer("A", names["A"], "B", names["B"], "C", names["C"]).Replace(x)
		return verdict(y == want, "%s gives %s, should be %s", q, y, want)
	}, gopters.Inputs(gen.DefaultInputs)))
}

// TestUnusedVariable: a variable that holds on no row changes nothing, wherever
// a branch of it stands.
func TestUnusedVariable(t *testing.T) {
	holds(t, lawN(), prop.ForAll(func(in gen.Input, first bool) *gopter.PropResult {
		q := gen.Alternate(in.Pattern, gen.Var("UNUSED"))
		if first {
			q = gen.Alternate(gen.Var("UNUSED"), in.Pattern)
		}
		return sameMatches(in.Pattern, q, in.Rows)
	}, gopters.Inputs(gen.DefaultInputs), gopters.From(func(r *gen.Rand) bool { return r.Chance(50) }, func(bool) []bool { return nil })))
}

// TestRightRewrites: every right rewrite of PREF-11 is a law.
func TestRightRewrites(t *testing.T) {
	for _, r := range drift.Rewrites {
		if r.Valid {
			t.Run(r.Name, func(t *testing.T) { law(t, r.Name, shapes[r.Name].or(gen.DefaultInputs)) })
		}
	}
}

// shapes are inputs in which there is more often something to rewrite.
var shapes = map[string]inputs{
	"repeat":        {gen.Inputs{Patterns: gen.Patterns{Vars: 2, Size: 7, Depth: 3, Bounded: 30, Reluctant: 20, Nullable: 10, Exclude: 5}, Rows: gen.DefaultRows}},
	"merge-leading": {withTwins()},
	"merge-fixed":   {withTwins()},
	"write-permute": {withPermute()},
}

type inputs struct{ gen.Inputs }

func (s inputs) or(otherwise gen.Inputs) gen.Inputs {
	if s.Size == 0 {
		return otherwise
	}
	return s.Inputs
}

func withTwins() gen.Inputs {
	o := gen.DefaultInputs
	o.Twins = 70
	return o
}

func withPermute() gen.Inputs {
	o := gen.DefaultInputs
	o.Permute = 35
	return o
}
