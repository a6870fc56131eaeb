package perl_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/perl"
	"github.com/rprcheck/rprcheck/semantics"
)

// randomPattern makes patterns in which nullable bodies are frequent, and
// quantified; plain random ones hardly ever reach PREF-8.
func randomPattern(r *rand.Rand, size int) *semantics.Pattern {
	list := func(op semantics.Op, n int) *semantics.Pattern {
		p := &semantics.Pattern{Op: op}
		for range n {
			p.Sub = append(p.Sub, randomPattern(r, (size-1)/n))
		}
		return p
	}
	if size <= 1 {
		switch k := r.IntN(12); k {
		case 10:
			return &semantics.Pattern{Op: semantics.OpEmpty}
		case 11:
			return &semantics.Pattern{Op: semantics.OpPartitionStart + semantics.Op(r.IntN(2))}
		default:
			return &semantics.Pattern{Op: semantics.OpVariable, Name: semantics.Name{Text: string(rune('A' + k%3))}}
		}
	}
	switch k := r.IntN(12); k {
	case 0, 1, 2:
		return list(semantics.OpConcat, 2+r.IntN(2))
	case 3, 4:
		return list(semantics.OpAlternate, 2+r.IntN(2))
	case 5:
		return &semantics.Pattern{Op: semantics.OpExclude, Sub: []*semantics.Pattern{randomPattern(r, size-1)}}
	case 6:
		if size > 4 {
			return list(semantics.OpPermute, 1+r.IntN(3))
		}
	}
	bounds := [][2]int{{0, -1}, {1, -1}, {0, 1}, {0, 1}, {2, -1}, {0, 2}, {1, 2}, {2, 2}, {2, 3}, {1, 3}, {3, 4}}
	b := bounds[r.IntN(len(bounds))]
	body := &semantics.Pattern{Op: semantics.OpGroup, Sub: []*semantics.Pattern{randomPattern(r, size-1)}}
	return &semantics.Pattern{Op: semantics.OpQuantified, Sub: []*semantics.Pattern{body}, Min: b[0], Max: b[1], Reluctant: r.IntN(3) == 0}
}

// randomCase puts something behind half of the patterns, so that a preferred
// string has to be given up.
func randomCase(r *rand.Rand) *oracle.Case {
	p := randomPattern(r, 2+r.IntN(8))
	if r.IntN(2) == 0 {
		p = &semantics.Pattern{Op: semantics.OpConcat, Sub: []*semantics.Pattern{
			{Op: semantics.OpGroup, Sub: []*semantics.Pattern{p}}, randomPattern(r, 1)}}
	}
	c := &oracle.Case{Op: oracle.Map, Tree: p, Rows: make([][]string, 1+r.IntN(6))}
	for i := range c.Rows {
		for _, v := range []string{"A", "B", "C"} {
			if r.IntN(5) < 2 {
				c.Rows[i] = append(c.Rows[i], v)
			}
		}
	}
	return c
}

// enumerated answers a case by the enumerator; false where it meets a limit.
func enumerated(t testing.TB, c *oracle.Case) ([]oracle.Mapping, bool) {
	t.Helper()
	clause, in, err := semantics.LabelledTree(c.Tree, c.Rows)
	if err != nil {
		t.Fatalf("%s: %v", c.Tree, err)
	}
	part := &semantics.Partition{Table: in, Rows: make([]int32, in.NumRows())}
	for i := range part.Rows {
		part.Rows[i] = int32(i)
	}
	program, err := enumerate.Engine{}.Compile(clause, matcher.Limits{Steps: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	finder, err := program.Partition(part)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]oracle.Mapping, len(c.Rows))
	for start := range out {
		m, found, err := finder.Find(context.Background(), matcher.Attempt{Start: start, End: len(out), Hi: len(out), MatchNumber: 1})
		if err != nil {
			return nil, false
		}
		out[start].Found = found
		for i, v := range m.Vars {
			out[start].Vars = append(out[start].Vars, clause.Name(v))
			if m.Excluded != nil {
				out[start].Excluded = append(out[start].Excluded, m.Excluded[i])
			}
		}
	}
	return out, true
}

// TestRandomPatterns: the enumerator and Perl agree, mapping by mapping, on
// which rows are excluded as well.
func TestRandomPatterns(t *testing.T) {
	p := open(t, perl.Options{})
	const seed, batches, size = 7, 20, 1000
	if testing.Short() {
		t.Skip("20,000 patterns")
	}
	r := rand.New(rand.NewPCG(seed, 0))
	compared, nullable, matches := 0, 0, 0
	for range batches {
		// What is exponential for the enumerator is so for Perl.
		var cases []*oracle.Case
		var answers [][]oracle.Mapping
		for range size {
			c := randomCase(r)
			if answer, ok := enumerated(t, c); ok {
				cases, answers = append(cases, c), append(answers, answer)
			}
		}
		for i, reply := range oracle.AskAll(context.Background(), p, cases) {
			c, want := cases[i], answers[i]
			if reply.Err != nil {
				t.Fatalf("seed %d: %s on %v: %v", seed, c.Tree, c.Rows, reply.Err)
			}
			compared++
			if at := oracle.DifferAt(reply.Answer.Mappings, want); at >= 0 {
				t.Fatalf("seed %d: %s on %v from row %d: Perl %s, enumerator %s", seed, c.Tree, c.Rows, at+1,
					show(at+1, reply.Answer.Mappings[at]), show(at+1, want[at]))
			}
			c.Tree.Walk(func(p *semantics.Pattern) {
				if p.Op == semantics.OpQuantified && p.Sub[0].CanBeEmpty() {
					nullable++
				}
			})
			for _, m := range want {
				if len(m.Vars) > 0 {
					matches++
				}
			}
		}
	}
	t.Logf("seed %d: %d patterns compared, with %d quantified nullable bodies and %d non-empty matches", seed, compared, nullable, matches)
	if compared < batches*size*99/100 || nullable < 8_000 || matches < 10_000 {
		t.Errorf("too few cases were worth comparing")
	}
}

// BenchmarkBatch is the cost of a random pattern in a batch of 500, Perl's
// side and ours.
func BenchmarkBatch(b *testing.B) {
	p := open(b, perl.Options{})
	r := rand.New(rand.NewPCG(8, 0))
	cases := make([]*oracle.Case, 500)
	for i := range cases {
		cases[i] = randomCase(r)
	}
	for b.Loop() {
		for _, reply := range oracle.AskAll(context.Background(), p, cases) {
			if reply.Err != nil {
				b.Fatal(reply.Err)
			}
		}
	}
	b.ReportMetric(float64(b.N*len(cases))/b.Elapsed().Seconds(), "patterns/s")
}
