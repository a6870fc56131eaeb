package fuzz_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// tiers are those that a clause can be forced into. One that does not apply is
// an error of stage unsupported.
var tiers = []nfa.Tier{nfa.Auto, nfa.Deterministic, nfa.States, nfa.Bits, nfa.Carried, nfa.Runs, nfa.Windowed, nfa.Search}

// inTier forces a tier. T3 remembers failures from the start then, which it
// does after a thousand tests otherwise.
func inTier(tier nfa.Tier) nfa.Engine {
	e := nfa.Engine{Fallback: reference.Engine{}, Force: tier}
	if tier == nfa.Search {
		e.MemoAfter = -1
	}
	return e
}

// wide are the budgets of the reference beside nfa, which needs none of them
// where conditions read single rows.
var wide = matcher.Limits{Steps: 100_000}

// counts counts by tier.
type counts struct {
	mu     sync.Mutex
	tiers  map[nfa.Tier]int
	others map[string]int
}

func (c *counts) tier(t nfa.Tier) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tiers == nil {
		c.tiers = map[nfa.Tier]int{}
	}
	c.tiers[t]++
}

func (c *counts) other(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.others == nil {
		c.others = map[string]int{}
	}
	c.others[what]++
}

func (c *counts) String() string {
	var out []string
	for _, t := range tiers {
		if n := c.tiers[t]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, t))
		}
	}
	for _, what := range slices.Sorted(maps.Keys(c.others)) {
		out = append(out, fmt.Sprintf("%d %s", c.others[what], what))
	}
	return strings.Join(out, ", ")
}

// mapped is the answer of a matcher to a labelled input: a mapping or nil for
// each row; false if the tier does not apply or a budget is met.
func mapped(e matcher.Engine, c *semantics.Clause, t *table.Table, lim matcher.Limits) ([]*semantics.Mapping, bool, error) {
	m, err := matcher.Map(context.Background(), e, c, t, lim)
	if err != nil {
		if stage := diag.From(err).Stage; stage == diag.Unsupported || stage == diag.Limit {
			return nil, false, nil
		}
		return nil, false, err
	}
	return m, true, nil
}

// TestReferenceEqualsNFA: the optimised matcher gives the mapping of the
// reference at every row, in every tier that can take the pattern (PREF-9,
// PREF-10a).
func TestReferenceEqualsNFA(t *testing.T) {
	seed := seedOf(t)
	var n counts
	parallel(*flagN, func(i int) bool {
		in := gen.DefaultInputs.Draw(gen.Case(seed, i))
		c, data, err := semantics.LabelledTree(in.Pattern, in.Rows)
		if err != nil {
			t.Errorf("-fuzz.seed=%d, case %d: %s: %v", *flagSeed, i, in, err)
			return false
		}
		want, ok, err := mapped(reference.Engine{}, c, data, wide)
		if err != nil {
			t.Errorf("-fuzz.seed=%d, case %d: %s: %v", *flagSeed, i, in, err)
			return false
		}
		if !ok {
			n.other("over a limit of the reference")
			return true
		}
		for _, tier := range tiers {
			got, ok, err := mapped(inTier(tier), c, data, matcher.Limits{})
			switch {
			case err != nil:
				t.Errorf("-fuzz.seed=%d, case %d: %s in %s: %v", *flagSeed, i, in, tier, err)
				return false
			case !ok && tier == nfa.Auto:
				n.other("over a limit of nfa")
			case ok && !sameMappings(want, got):
				t.Errorf("-fuzz.seed=%d, case %d: %s in %s\nat its smallest: %s", *flagSeed, i, in, tier, smallest(in, reference.Engine{}, inTier(tier)))
				return false
			case ok:
				n.tier(tier)
			}
		}
		return true
	})
	t.Logf("patterns compared: %s", &n)
	if n.tiers[nfa.Auto] < *flagN*99/100-5 || n.others["over a limit of nfa"] > 0 {
		t.Error("weak run")
	}
	for _, tier := range []nfa.Tier{nfa.Deterministic, nfa.States, nfa.Bits} {
		if n.tiers[tier] == 0 {
			t.Errorf("no pattern is taken by %s", tier)
		}
	}
}

// comparison compares whole queries by nfa with the same by the reference, in
// detail, and counts.
type comparison struct {
	counts
	// seen is called with each answer of the reference; nil: nobody asks.
	seen func(q *gen.Query, in *table.Table, r readings.Set, answer []string)
}

// differ returns the first of the tiers in which a query comes out otherwise
// than with the reference, with both answers. A query that is not legal, or over
// a limit, does not differ.
func (c *comparison) differ(q *gen.Query, r readings.Set, tiers []nfa.Tier) (tier nfa.Tier, text string, differs bool) {
	in, err := q.MakeTable()
	if err != nil {
		return nfa.Auto, err.Error(), true
	}
	want, err := run(reference.Engine{}, wide, q, in, r)
	if saysNothing(err) {
		c.other("refused, or over a limit of the reference")
		return 0, "", false
	}
	if err != nil {
		c.other("run-time errors")
	}
	clause, errC := bind(q, in, r)
	if errC != nil {
		return nfa.Auto, errC.Error(), true
	}
	want = inDetail(want, err)
	if c.seen != nil {
		c.seen(q, in, r, want)
	}
	for _, tier := range tiers {
		if _, err := inTier(tier).Compile(clause, wide); err != nil && diag.From(err).Stage == diag.Unsupported && tier != nfa.Auto {
			continue
		}
		got, err := run(inTier(tier), wide, q, in, r)
		if isLimit(err) {
			c.other("over a limit of nfa")
			continue
		}
		c.tier(tier)
		if got = inDetail(got, err); !slices.Equal(want, got) {
			return tier, "reference:" + show(want) + "\n  " + tier.String() + ":" + show(got), true
		}
	}
	return 0, "", false
}

// compare compares a query in every tier, and reports a difference at its
// smallest. It is false after one.
func (c *comparison) compare(t *testing.T, i int, q *gen.Query, r readings.Set) bool {
	tier, _, differs := c.differ(q, r, tiers)
	if !differs {
		return true
	}
	var other comparison
	only := []nfa.Tier{tier}
	small := gen.MinimizeQuery(q, func(list []*gen.Query) int {
		return slices.IndexFunc(list, func(q *gen.Query) bool { _, _, differs := other.differ(q, r, only); return differs })
	})
	_, text, _ := other.differ(small, r, only)
	t.Errorf("-fuzz.seed=%d, case %d, readings [%s], at its smallest:\n%s\n  %s", *flagSeed, i, r, small, text)
	return false
}

// least are the percentages of the queries that the tiers take at least.
var least = map[nfa.Tier]int{nfa.Auto: 95, nfa.Deterministic: 20, nfa.States: 35, nfa.Bits: 35, nfa.Runs: 10, nfa.Carried: 1, nfa.Windowed: 8, nfa.Search: 40}

// checkShares fails a run of n queries that hardly reaches a tier, or reaches a
// limit often. A few of a small run may always be missing.
func (c *comparison) checkShares(t *testing.T, n int) {
	t.Helper()
	t.Logf("%d queries, compared: %s", n, c)
	if t.Failed() {
		return // the run has ended early
	}
	for tier, percent := range least {
		if c.tiers[tier] < n*percent/100-5 {
			t.Errorf("weak run: %s takes %d of %d queries, less than %d %%", tier, c.tiers[tier], n, percent)
		}
	}
	if c.others["run-time errors"] < n/20-5 || c.others["over a limit of nfa"] > n/100 {
		t.Errorf("weak run: %s", c)
	}
}

// TestQueriesOfNFA: whole queries, all their output modes, skips and windows,
// conditions that read the match, NULLs, ties, several partitions, large bounds,
// windows that begin at the first row, and run-time errors in all their detail
// come out as with the reference, in every tier that can take them.
func TestQueriesOfNFA(t *testing.T) {
	seed, n := seedOf(t), engineN()
	var c comparison
	parallel(n, func(i int) bool {
		return c.compare(t, i, gen.EngineQueries.Draw(gen.Case(seed, i)), readings.Set{})
	})
	c.checkShares(t, n)
}

// engineN is how many whole queries are put to nfa.
func engineN() int { return max(*flagN/8, 100) }
