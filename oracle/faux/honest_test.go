package faux

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// TestHonestMatches: without a fault the search agrees with the reference on
// random patterns, mapping by mapping.
func TestHonestMatches(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	honest := mutant(t, "")
	compared := 0
	for range 6000 {
		p := g.pattern(1 + g.IntN(9)).String()
		rows := g.rows(g.IntN(6))
		c, in, err := semantics.Labelled(p, "", sets(rows))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		lim := matcher.Limits{Steps: 20_000}
		want, err := matcher.Map(t.Context(), reference.Engine{}, c, in, lim)
		if err != nil {
			continue
		}
		got, err := matcher.Map(t.Context(), honest, c, in, lim)
		if err != nil {
			if diag.From(err).Stage == diag.Limit {
				continue
			}
			t.Fatalf("%s on %s: %v", p, rows, err)
		}
		compared++
		for i := range want {
			if w, g := mappingText(c, want[i]), mappingText(c, got[i]); w != g {
				t.Fatalf("%s on %s, row %d: is %s, should be %s", p, rows, i+1, g, w)
			}
		}
	}
	if compared < 5000 {
		t.Errorf("only %d patterns were compared", compared)
	}
}

// TestHonestCandidates: without a fault the list of candidates is the
// enumerator's.
func TestHonestCandidates(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 4))}
	honest := mutant(t, "")
	compared := 0
	for range 3000 {
		p := g.pattern(1 + g.IntN(7))
		rows := g.IntN(4)
		var want []string
		for c, err := range enumerate.Candidates(p, rows) {
			if err != nil {
				t.Fatal(err)
			}
			if want = append(want, c.String()); len(want) > 2000 {
				break
			}
		}
		if len(want) > 2000 {
			continue
		}
		got, err := honest.Candidates(p, "", rows)
		if err != nil {
			if diag.From(err).Stage == diag.Limit {
				continue
			}
			t.Fatal(err)
		}
		compared++
		if !slices.Equal(got, want) {
			t.Fatalf("%s, %d rows:\n is     %q\n should %q", p, rows, got, want)
		}
	}
	if compared < 2500 {
		t.Errorf("only %d patterns were compared", compared)
	}
}
