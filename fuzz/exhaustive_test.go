package fuzz_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
)

// everyKind are the kinds of rows of the exhaustive runs: A, B, AB and -.
var everyKind = [][]string{{"A"}, {"B"}, {"A", "B"}, {}}

// TestExhaustive: all patterns up to two operators and a tenth of those with
// three, or all of them, on all inputs up to four rows. A match that starts
// further on is the first match of a shorter input, since there are no anchors.
func TestExhaustive(t *testing.T) {
	inputs := gen.AllInputs(len(everyKind), 4)
	for operators := range 4 {
		list := slices.Collect(gen.All(operators))
		if operators == 3 && !*flagExhaustive {
			src := gen.NewRand(seedOf(t))
			list = slices.DeleteFunc(list, func(*semantics.Pattern) bool { return !src.Chance(10) })
		}
		var matches atomic.Int64
		parallel(len(list), func(i int) bool {
			n, ok := everyInput(t, list[i], inputs)
			matches.Add(int64(n))
			return ok
		})
		t.Logf("%d operators: %d of %d patterns, %d inputs each, %d attempts, %d matches with rows",
			operators, len(list), gen.CountAll(operators), len(inputs), len(list)*len(inputs), matches.Load())
		if t.Failed() {
			return
		}
	}
}

// everyInput lays the inputs one after another into one partition. Each is the
// search area of an attempt, which sees nothing beyond it: there are no anchors,
// and the conditions read one row.
func everyInput(t *testing.T, p *semantics.Pattern, inputs [][]int32) (matches int, ok bool) {
	p = p.Clone()
	c, table, err := semantics.LabelledTree(p, everyKind)
	if err != nil {
		t.Errorf("%s: %v", p, err)
		return 0, false
	}
	part := &semantics.Partition{Table: table, Rows: slices.Concat(inputs...)}
	engines := []matcher.Engine{reference.Engine{}, enumerate.Engine{}, inTier(nfa.Auto)}
	finders := make([]matcher.Finder, len(engines))
	for i, e := range engines {
		prog, err := e.Compile(c, matcher.Limits{})
		if err == nil {
			finders[i], err = prog.Partition(part)
		}
		if err != nil {
			t.Errorf("%s: %v", p, err)
			return 0, false
		}
	}
	ctx := context.Background()
	start := 0
	for _, rows := range inputs {
		a := matcher.Attempt{Start: start, End: start + len(rows), Lo: start, Hi: start + len(rows), MatchNumber: 1}
		start = a.End
		var want semantics.Mapping
		var matched bool
		for i, f := range finders {
			m, found, err := f.Find(ctx, a)
			if err != nil {
				t.Errorf("%s on %v: %v", p, rows, err)
				return matches, false
			}
			if i == 0 {
				want, matched = m, found
			} else if found != matched || found && !m.Equal(want) {
				labels := make([][]string, len(rows))
				for i, kind := range rows {
					labels[i] = everyKind[kind]
				}
				t.Errorf("%s", smallest(gen.Input{Pattern: p, Rows: labels}, reference.Engine{}, engines[i]))
				return matches, false
			}
		}
		if matched && !want.IsEmpty() {
			matches++
		}
	}
	return matches, true
}
