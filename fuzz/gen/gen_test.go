package gen_test

import (
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/fuzz/gen/gopters"
	"github.com/rprcheck/rprcheck/semantics"
)

const cases = 5000

// TestSeedReplays: a seed and a number give the same case, others another one.
func TestSeedReplays(t *testing.T) {
	texts := map[string]int{}
	for i := range cases {
		a := gen.DefaultInputs.Draw(gen.Case(7, i)).String()
		if b := gen.DefaultInputs.Draw(gen.Case(7, i)).String(); a != b {
			t.Fatalf("case %d is %s, then %s", i, a, b)
		}
		texts[a]++
	}
	if len(texts) < cases*9/10 {
		t.Errorf("%d cases are only %d different ones", cases, len(texts))
	}
	if gen.DefaultInputs.Draw(gen.Case(7, 1)).String() == gen.DefaultInputs.Draw(gen.Case(8, 1)).String() {
		t.Error("two seeds give the same case")
	}
}

// TestRandIsUniform: IntN stays in range and takes every value about as often.
func TestRandIsUniform(t *testing.T) {
	r := gen.NewRand(1)
	var count [7]int
	for range 70_000 {
		count[r.IntN(7)]++
	}
	for i, n := range count {
		if n < 9_500 || n > 10_500 {
			t.Errorf("%d comes %d times in 70000", i, n)
		}
	}
}

// TestDrawnPatternsAreParsed: what is drawn, printed and parsed is the same
// tree, hence legal (PAT-1 to PAT-6).
func TestDrawnPatternsAreParsed(t *testing.T) {
	for i := range cases {
		p := gen.DefaultPatterns.Draw(gen.Case(1, i))
		q, err := semantics.ParsePattern(p.String())
		if err != nil || !q.Equal(p) {
			t.Fatalf("case %d: %s is parsed as %v, %v", i, p, q, err)
		}
	}
}

// TestEveryPartIsDrawn: each kind of node, and the shapes that PREF-8 and
// PREF-11 are about, come often enough to be met in a few thousand patterns.
func TestEveryPartIsDrawn(t *testing.T) {
	count := map[string]int{}
	for i := range cases {
		has := map[string]bool{}
		p := gen.DefaultPatterns.Draw(gen.Case(2, i))
		p.Walk(func(n *semantics.Pattern) {
			has[kinds[n.Op]] = true
			if n.Op == semantics.OpQuantified {
				body := gen.Bare(n.Sub[0])
				has["reluctant"] = has["reluctant"] || n.Reluctant
				has["body can be empty"] = has["body can be empty"] || body.CanBeEmpty()
				has["quantifier in quantifier"] = has["quantifier in quantifier"] || body.Op == semantics.OpQuantified
			}
			if n.Op == semantics.OpConcat {
				q := n.Sub[0]
				has["something behind a body that can be empty"] = has["something behind a body that can be empty"] ||
					q.Op == semantics.OpQuantified && q.Sub[0].CanBeEmpty()
				for i := 1; i < len(n.Sub); i++ {
					a, b := n.Sub[i-1], n.Sub[i]
					if a.Op == semantics.OpQuantified && b.Op == semantics.OpQuantified && a.Sub[0].Equal(b.Sub[0]) {
						has["neighbours with equal bodies"] = true
					}
				}
			}
		})
		for k, v := range has {
			if v {
				count[k]++
			}
		}
	}
	want := []string{"reluctant", "body can be empty", "quantifier in quantifier", "something behind a body that can be empty", "neighbours with equal bodies"}
	for _, k := range kinds {
		want = append(want, k)
	}
	for _, k := range want {
		if count[k] < cases/50 {
			t.Errorf("%s: in %d of %d patterns", k, count[k], cases)
		}
	}
	t.Log(count)
}

var kinds = map[semantics.Op]string{semantics.OpVariable: "variable", semantics.OpEmpty: "()", semantics.OpPartitionStart: "^",
	semantics.OpPartitionEnd: "$", semantics.OpExclude: "exclusion", semantics.OpPermute: "PERMUTE",
	semantics.OpQuantified: "quantifier", semantics.OpConcat: "concatenation", semantics.OpAlternate: "alternation", semantics.OpGroup: "group"}

// TestSharesOfNothing: a share of 0 is never drawn.
func TestSharesOfNothing(t *testing.T) {
	o := gen.Patterns{Vars: 2, Size: 6, Depth: 4, Nullable: 50, Followed: 50, Nested: 10, Twins: 20}
	for i := range cases {
		p := o.Draw(gen.Case(3, i))
		p.Walk(func(n *semantics.Pattern) {
			switch n.Op {
			case semantics.OpEmpty, semantics.OpPartitionStart, semantics.OpPartitionEnd, semantics.OpExclude, semantics.OpPermute:
				t.Fatalf("case %d: %s", i, p)
			case semantics.OpQuantified:
				if n.Reluctant || n.Min > 1 || n.Max > 1 {
					t.Fatalf("case %d: %s", i, p)
				}
			}
		})
	}
}

// TestAll: the exhaustive list has as many patterns as it should, no two are
// the same text, and each has its number of operators.
func TestAll(t *testing.T) {
	// 3 leaves; 11 quantifiers and 2 binary operators: 11*3 + 2*3*3; 11*51 + 2*2*3*51; 11*1173 + 2*(2*3*1173 + 51*51).
	for operators, want := range []int{3, 51, 1173, 32181} {
		if n := gen.CountAll(operators); n != want {
			t.Errorf("%d operators: counted %d, should be %d", operators, n, want)
		}
		if operators == 3 && testing.Short() {
			continue
		}
		seen := map[string]bool{}
		for p := range gen.All(operators) {
			text := p.String()
			if seen[text] {
				t.Fatalf("%s comes twice", text)
			}
			seen[text] = true
			n := 0
			p.Walk(func(q *semantics.Pattern) {
				switch q.Op {
				case semantics.OpQuantified, semantics.OpConcat, semantics.OpAlternate:
					n++
				}
			})
			if n != operators {
				t.Fatalf("%s has %d operators, not %d", text, n, operators)
			}
		}
		if len(seen) != want {
			t.Errorf("%d operators: %d patterns, should be %d", operators, len(seen), want)
		}
	}
	if in := gen.AllInputs(4, 4); len(in) != 4+16+64+256 {
		t.Errorf("%d inputs", len(in))
	}
}

// TestSmallerIsLighter: shrinking comes to an end, and stays within legal patterns.
func TestSmallerIsLighter(t *testing.T) {
	for i := range 500 {
		p := gen.DefaultPatterns.Draw(gen.Case(4, i))
		for _, q := range gen.SmallerPatterns(p) {
			if gen.Weight(q) >= gen.Weight(p) {
				t.Fatalf("%s is not lighter than %s", q, p)
			}
			if again, err := semantics.ParsePattern(q.String()); err != nil || !again.Equal(q) {
				t.Fatalf("%s, made of %s, is parsed as %v, %v", q, p, again, err)
			}
		}
	}
}

// TestMinimize: nothing more can be left out of the result, and the same input
// gives the same result.
func TestMinimize(t *testing.T) {
	// Fails with a reluctant quantifier and two rows on which B holds.
	fails := func(in gen.Input) bool {
		reluctant, rows := false, 0
		in.Pattern.Walk(func(n *semantics.Pattern) { reluctant = reluctant || n.Op == semantics.OpQuantified && n.Reluctant })
		for _, row := range in.Rows {
			if slices.Contains(row, "B") {
				rows++
			}
		}
		return reluctant && rows >= 2
	}
	failing := func(list []gen.Input) int { return slices.IndexFunc(list, fails) }
	done := 0
	for i := range 300 {
		in := gen.DefaultInputs.Draw(gen.Case(5, i))
		if !fails(in) {
			continue
		}
		done++
		small := gen.Minimize(in, failing)
		if got := small.String(); got != "PATTERN (()??) ROWS B B" {
			t.Fatalf("%s becomes %s", in, got)
		}
	}
	if done < 20 {
		t.Errorf("only %d inputs were made smaller", done)
	}
}

// TestGopter: the generators shrink under gopter as well.
func TestGopter(t *testing.T) {
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = 1000
	noStar := prop.ForAll(func(in gen.Input) bool {
		star := false
		in.Pattern.Walk(func(n *semantics.Pattern) {
			star = star || n.Op == semantics.OpQuantified && n.Max == semantics.Unbounded && n.Min == 0
		})
		return !star || len(in.Rows) < 2
	}, gopters.Inputs(gen.DefaultInputs))
	result := noStar.Check(params)
	if result.Status != gopter.TestFailed {
		t.Fatalf("status %v", result.Status)
	}
	if got := result.Args[0].Arg.(gen.Input).String(); got != "PATTERN (()*) ROWS - -" {
		t.Errorf("shrunk to %s", got)
	}
}
