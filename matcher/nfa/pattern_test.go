package nfa

import (
	"flag"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

var (
	patterns = flag.Int("patterns", 8_000, "random patterns of each kind")
	queries  = flag.Int("queries", 1_500, "random clauses of each kind")
	seed     = flag.Uint64("seed", 0, "seed of the random tests; 0: the time")
)

// seedOf returns the seed of a random test and prints it.
func seedOf(t testing.TB) uint64 {
	s := *seed
	if s == 0 {
		s = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", s)
	return s
}

// referenceLimits keep the reference from exponential searches; what exceeds
// them is not compared.
var referenceLimits = matcher.Limits{Steps: 3000}

// findAll compares the attempts of two finders at every row.
func findAll(t *testing.T, name string, c *semantics.Clause, want, got matcher.Finder, attempts []matcher.Attempt, show func() string) (compared int) {
	t.Helper()
	for _, a := range attempts {
		wm, wfound, werr := want.Find(t.Context(), a)
		if werr != nil && diag.From(werr).Stage == diag.Limit {
			continue
		}
		gm, gfound, gerr := got.Find(t.Context(), a)
		compared++
		w, g := mappingText(c, wm, wfound), mappingText(c, gm, gfound)
		if (werr == nil) != (gerr == nil) || werr != nil && diag.From(werr).Error() != diag.From(gerr).Error() {
			t.Errorf("%s: %s, attempt %+v: error %v, want %v", name, show(), a, gerr, werr)
		} else if werr == nil && w != g {
			t.Errorf("%s: %s, attempt %+v: got %s, want %s", name, show(), a, g, w)
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	return compared
}

// finderOf prepares an engine for the only partition of a table.
func finderOf(t *testing.T, e matcher.Engine, c *semantics.Clause, part *semantics.Partition, lim matcher.Limits) matcher.Finder {
	t.Helper()
	prog, err := e.Compile(c, lim)
	if err != nil {
		t.Fatalf("%s: %s: %v", e.Name(), c.Pattern, err)
	}
	f, err := prog.Partition(part)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wholeAttempts are the attempts of the FROM form at each row.
func wholeAttempts(n int) []matcher.Attempt {
	var out []matcher.Attempt
	for s := range n {
		out = append(out, matcher.Attempt{Start: s, End: n, Hi: n, MatchNumber: 1})
	}
	return out
}

// TestRandomPatterns compares matches of random patterns on random rows with
// those of the reference, at every starting row, in every tier that applies.
func TestRandomPatterns(t *testing.T) {
	g := newGenerator(seedOf(t))
	compared, tiers := 0, map[Tier]int{}
	for range *patterns {
		g.vars = 1 + g.IntN(4)
		if g.IntN(30) == 0 {
			g.vars = 12
		}
		g.big = g.IntN(3) == 0
		g.anchors = g.IntN(3) > 0
		p := g.pattern(1 + g.IntN(9))
		for range 2 {
			n := g.IntN(9)
			if g.big {
				n = g.IntN(40)
			}
			rows := g.rows(n)
			c, in, err := semantics.LabelledTree(p, rows)
			if err != nil {
				t.Fatal(err)
			}
			parts, err := c.Partitions(in)
			if err != nil {
				t.Fatal(err)
			}
			if len(parts) == 0 {
				continue
			}
			// Frames have no anchors (WIN-9), but attempts say what these are there:
			// the ends of the partition.
			attempts := append(wholeAttempts(n), g.frames(n)...)
			want := finderOf(t, reference.Engine{}, c, parts[0], referenceLimits)
			for _, force := range []Tier{Auto, States, Bits, Runs} {
				prog, err := Engine{Fallback: reference.Engine{}, Force: force}.Compile(c, referenceLimits)
				if err != nil {
					continue
				}
				tiers[prog.(*program).tier]++
				got, err := prog.Partition(parts[0])
				if err != nil {
					t.Fatal(err)
				}
				compared += findAll(t, force.String(), c, want, got, attempts, func() string {
					return c.Pattern.String() + " on " + rowsText(rows)
				})
			}
		}
	}
	t.Logf("%d attempts compared, programs by tier: %v", compared, tiers)
}

// frames makes attempts of the window form.
func (g *generator) frames(n int) []matcher.Attempt {
	var out []matcher.Attempt
	for range 1 + n/3 {
		s := g.IntN(n + 1)
		end := s + g.IntN(n-s+1)
		lo, hi := 0, n
		if g.IntN(2) == 0 {
			lo, hi = s, end
		}
		if s < end {
			out = append(out, matcher.Attempt{Start: s, End: end, Lo: lo, Hi: hi, MatchNumber: 1})
		}
	}
	return out
}
