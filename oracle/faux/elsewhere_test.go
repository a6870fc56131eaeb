package faux

import (
	"math/rand/v2"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// harmless says of the lies about candidates on which patterns, with conditions
// that read only their row, they do not show.
func harmless(l lie, p *semantics.Pattern) bool {
	nullable, reluctant, nested, neighbours := false, false, false, false
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpConcat {
			neighbours = true
		}
		if n.Op == semantics.OpQuantified {
			nullable = nullable || n.Sub[0].CanBeEmpty()
			reluctant = reluctant || n.Reluctant
			nested = nested || inside(n.Sub[0]).Op == semantics.OpQuantified
		}
	})
	switch l {
	case emptyDiscarded, emptyStopsEarly, emptyAtBoundGoes, boundsUnrolled, emptyPathLost, noForcedEmpty, emptyRanksAsNone:
		return !nullable
	case groupGreedDecides, flattened, flattenGate, starOfAtLeast:
		return !nested
	case neighboursMerged, trailingFolded, optionalsMerged:
		return !neighbours
	case earliestEndWins, branchLeaks, parenthesesLost, absorbed:
		return !p.Has(semantics.OpAlternate)
	case longestWins:
		return !p.Has(semantics.OpAlternate) && !p.Has(semantics.OpQuantified) && !p.Has(semantics.OpPermute)
	case reluctantAsGreedy, reluctantWrapped, greedyAsReluctant, tailTakesRow, lastRowTaken:
		return !reluctant
	case permuteReversed, permuteDistinct, permuteFixed, permuteSkipsOnce:
		return !p.Has(semantics.OpPermute)
	case headNotSkipped:
		return !p.CanBeEmpty() && firstElement(p).Op != semantics.OpQuantified
	case lastDerivation, exclusionLost:
		return !p.Has(semantics.OpExclude)
	case anchorAtAttempt:
		return !p.Has(semantics.OpPartitionStart)
	case guardWithoutCount, threadsMerged, openLowerIsOne, openLowerLiteral, openUpperExact, depthIsNoMatch, budgetIsNoMatch:
		return false
	}
	return true // failures may be remembered where no condition reads the path; other lies are about other things
}

// TestRightElsewhere: a mutant agrees with the reference on random patterns
// that its lie does not concern.
func TestRightElsewhere(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(5, 6))}
	type input struct {
		p    *semantics.Pattern
		rows string
		c    *semantics.Clause
		want []*semantics.Mapping
	}
	var inputs []input
	for len(inputs) < 1200 {
		p := g.pattern(1 + g.IntN(7))
		p, err := semantics.ParsePattern(p.String())
		if err != nil {
			t.Fatal(err)
		}
		rows := g.rows(g.IntN(5))
		c, in, err := semantics.Labelled(p.String(), "", sets(rows))
		if err != nil {
			t.Fatal(err)
		}
		want, err := matcher.Map(t.Context(), reference.Engine{}, c, in, matcher.Limits{Steps: 5000})
		if err == nil {
			inputs = append(inputs, input{p, rows, c, want})
		}
	}
	for _, m := range Mutants() {
		compared := 0
		for _, x := range inputs {
			if !harmless(m.lie, x.p) {
				continue
			}
			c, in, err := semantics.Labelled(x.p.String(), "", sets(x.rows))
			if err != nil {
				t.Fatal(err)
			}
			got, err := matcher.Map(t.Context(), m, c, in, matcher.Limits{})
			if err != nil {
				if diag.From(err).Stage == diag.Limit {
					continue
				}
				t.Fatalf("%s: %s on %s: %v", m.Name(), x.p, x.rows, err)
			}
			compared++
			for i := range x.want {
				if w, g := mappingText(x.c, x.want[i]), mappingText(c, got[i]); w != g {
					t.Fatalf("%s: %s on %s, row %d: is %s, should be %s", m.Name(), x.p, x.rows, i+1, g, w)
				}
			}
		}
		if compared < 50 && harmless(m.lie, &semantics.Pattern{Op: semantics.OpVariable}) {
			t.Errorf("%s: only %d patterns were compared", m.Name(), compared)
		}
	}
}

// TestMergedThreadsMatchAlike: merging threads loses what is mapped, not how
// many rows match.
func TestMergedThreadsMatchAlike(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(7, 8))}
	m := mutant(t, string(threadsMerged))
	for range 1500 {
		p, rows := g.pattern(1+g.IntN(8)).String(), g.rows(g.IntN(6))
		c, in, err := semantics.Labelled(p, "", sets(rows))
		if err != nil {
			t.Fatal(err)
		}
		want, err1 := matcher.Map(t.Context(), reference.Engine{}, c, in, matcher.Limits{Steps: 5000})
		got, err2 := matcher.Map(t.Context(), m, c, in, matcher.Limits{})
		if err1 != nil || err2 != nil {
			continue
		}
		for i := range want {
			if (want[i] == nil) != (got[i] == nil) || want[i] != nil && len(want[i].Vars) != len(got[i].Vars) {
				t.Fatalf("%s on %s, row %d: is %s, should take the rows of %s", p, rows, i+1, mappingText(c, got[i]), mappingText(c, want[i]))
			}
		}
	}
}
