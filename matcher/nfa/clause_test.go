package nfa

import (
	"testing"

	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
)

// hasVariable reports a pattern that mentions a variable, as GRAM-2 asks.
func hasVariable(p *semantics.Pattern) bool { return p.Has(semantics.OpVariable) }

// TestRandomConditions compares matches of random clauses whose conditions read
// the match, at every starting row of a partition.
func TestRandomConditions(t *testing.T) {
	g := newGenerator(seedOf(t))
	compared, refused, tiers := 0, 0, map[Tier]int{}
	for range *queries {
		g.vars = 2 + g.IntN(2)
		g.big = g.IntN(4) == 0
		g.anchors = g.IntN(3) > 0
		g.windows, g.size = g.IntN(5) == 0, g.IntN(5)
		p := g.pattern(1 + g.IntN(7))
		if !hasVariable(p) {
			continue
		}
		in := g.input(t, 1+g.IntN(12))
		if g.registers = g.IntN(4) == 0; g.registers {
			in = g.input(t, 8+g.IntN(16))
		}
		var settings []string
		if g.IntN(8) == 0 {
			settings = append(settings, "DEF-15=unknown")
		}
		text := "ORDER BY i MEASURES 1 AS m PATTERN (" + p.String() + ")" + g.definitions(p, g.IntN(3))
		c, err := parse(in, text, settings...)
		if err != nil {
			refused++
			if testing.Verbose() && refused < 5 {
				t.Logf("%s: %v", text, err)
			}
			continue
		}
		parts, err := c.Partitions(in)
		if err != nil {
			t.Fatal(err)
		}
		attempts := wholeAttempts(in.NumRows())
		for i := range attempts {
			attempts[i].MatchNumber = int64(1 + g.IntN(3))
		}
		attempts = append(attempts, g.frames(in.NumRows())...)
		want := finderOf(t, reference.Engine{}, c, parts[0], referenceLimits)
		for _, force := range []Tier{Auto, States, Bits, Search} {
			prog, err := Engine{Fallback: reference.Engine{}, Force: force, MemoAfter: g.IntN(2) - 1}.Compile(c, referenceLimits)
			if err != nil {
				continue
			}
			tiers[prog.(*program).tier]++
			got, err := prog.Partition(parts[0])
			if err != nil {
				t.Fatal(err)
			}
			compared += findAll(t, force.String(), c, want, got, attempts, func() string {
				return text + " on" + tableText(in)
			})
		}
	}
	t.Logf("%d attempts compared, %d clauses refused, programs by tier: %v", compared, refused, tiers)
}
