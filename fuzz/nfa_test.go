package fuzz_test

import (
	"context"
	"fmt"
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
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// tiers are those that a clause can be forced into. One that does not apply is
// an error of stage unsupported.
var tiers = []nfa.Tier{nfa.Auto, nfa.Deterministic, nfa.States, nfa.Bits, nfa.Carried, nfa.Runs, nfa.Windowed, nfa.Search}

func inTier(tier nfa.Tier) nfa.Engine {
	return nfa.Engine{Fallback: reference.Engine{}, Force: tier}
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
	for _, what := range slices.Sorted(func(yield func(string) bool) {
		for what := range c.others {
			if !yield(what) {
				return
			}
		}
	}) {
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

func sameMappings(a, b []*semantics.Mapping) bool {
	return slices.EqualFunc(a, b, func(x, y *semantics.Mapping) bool {
		return (x == nil) == (y == nil) && (x == nil || x.Equal(*y))
	})
}

// answerOf evaluates a query, with the stage of the error if it failed.
func answerOf(e matcher.Engine, q *gen.Query, in *table.Table) (text []string, stage diag.Stage, failed bool) {
	res, err := query.Run(context.Background(), q.SQL(), query.Options{
		Tables:     func(name string, _ bool) (*table.Table, bool, error) { return in, name == "T", nil },
		Recognizer: matcher.Using(e, wide),
	})
	if err != nil {
		text, _ := outcome(err)
		return text, diag.From(err).Stage, true
	}
	return lines(res.Table), 0, false
}

// TestQueriesOfNFA: whole queries, all their output modes, skips and windows,
// conditions that read the match, NULLs, ties, several partitions, and run-time
// errors come out as with the reference, in every tier that can take them.
func TestQueriesOfNFA(t *testing.T) {
	seed := seedOf(t)
	var n counts
	differ := func(q *gen.Query, tier nfa.Tier) (string, bool) {
		in, err := q.MakeTable()
		if err != nil {
			return err.Error(), true
		}
		want, stage, failed := answerOf(reference.Engine{}, q, in)
		if failed && stage != diag.Runtime {
			n.other("refused, or over a limit of the reference")
			return "", false
		}
		got, stage, failed := answerOf(inTier(tier), q, in)
		switch {
		case failed && stage == diag.Unsupported && tier != nfa.Auto:
			return "", false
		case failed && stage == diag.Limit:
			n.other("over a limit of nfa")
			return "", false
		}
		n.tier(tier)
		if strings.HasPrefix(want[0], "error") {
			n.other("run-time errors")
		}
		return "reference:" + show(want) + "\n  " + tier.String() + ":" + show(got), !slices.Equal(want, got)
	}
	parallel(max(*flagN/8, 100), func(i int) bool {
		q := gen.DefaultQueries.Draw(gen.Case(seed, i))
		for _, tier := range tiers {
			if _, differs := differ(q, tier); !differs {
				continue
			}
			small := gen.MinimizeQuery(q, func(list []*gen.Query) int {
				return slices.IndexFunc(list, func(q *gen.Query) bool { _, differs := differ(q, tier); return differs })
			})
			text, _ := differ(small, tier)
			t.Errorf("-fuzz.seed=%d, case %d, at its smallest:\n%s\n  %s", *flagSeed, i, small, text)
			return false
		}
		return true
	})
	t.Logf("queries compared: %s", &n)
	if n.tiers[nfa.Auto] < *flagN/16 || n.others["run-time errors"] == 0 {
		t.Error("weak run")
	}
}
