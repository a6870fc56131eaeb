package fuzz_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle/perl"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func isLimit(err error) bool {
	var e *diag.Error
	return errors.As(err, &e) && e.Stage == diag.Limit
}

// agree asks both matchers about each row of an input. Both see the same clause
// and table.
func agree(in gen.Input) (same, limited bool, matched int, err error) {
	c, t, err := semantics.LabelledTree(in.Pattern, in.Rows)
	if err != nil {
		return false, false, 0, err
	}
	x, errX := matcher.Map(context.Background(), reference.Engine{}, c, t, limits)
	y, errY := matcher.Map(context.Background(), enumerate.Engine{}, c, t, limits)
	switch {
	case isLimit(errX) || isLimit(errY):
		return true, true, 0, nil
	case errX != nil || errY != nil:
		return false, false, 0, errors.Join(errX, errY)
	}
	for _, m := range x {
		if m != nil && !m.IsEmpty() {
			matched++
		}
	}
	return sameMappings(x, y), false, matched, nil
}

func sameMappings(a, b []*semantics.Mapping) bool {
	return slices.EqualFunc(a, b, func(x, y *semantics.Mapping) bool {
		return (x == nil) == (y == nil) && (x == nil || x.Equal(*y))
	})
}

// TestReferenceEqualsEnumerator: two matchers that share no search code give
// the same mapping at every row, excluded rows included (PREF-9).
func TestReferenceEqualsEnumerator(t *testing.T) {
	seed := seedOf(t)
	var compared, limited, matched atomic.Int64
	parallel(*flagN, func(i int) bool {
		in := gen.DefaultInputs.Draw(gen.Case(seed, i))
		same, over, n, err := agree(in)
		switch {
		case err != nil:
			t.Errorf("-fuzz.seed=%d, case %d: %s: %v", *flagSeed, i, in, err)
			return false
		case !same:
			t.Errorf("-fuzz.seed=%d, case %d: %s\nat its smallest: %s", *flagSeed, i, in, smallest(in, reference.Engine{}, enumerate.Engine{}))
			return false
		case over:
			limited.Add(1)
		default:
			compared.Add(1)
			matched.Add(int64(n))
		}
		return true
	})
	t.Logf("%d patterns compared, %d matches with rows, %d over a limit", compared.Load(), matched.Load(), limited.Load())
	if n := int64(*flagN); matched.Load() < n/2 || limited.Load() > n/100+5 {
		t.Error("weak run")
	}
}

// TestReferenceEqualsPerl: the same against Perl, where it can be asked.
func TestReferenceEqualsPerl(t *testing.T) {
	p := perl.New(perl.Options{})
	defer p.Close()
	if _, err := p.Version(context.Background()); err != nil {
		t.Skipf("%d patterns are not compared with Perl: %v", *flagN/10, err)
	}
	r, err := drift.Run(context.Background(), drift.Options{N: max(*flagN/10, 100), Seed: seedOf(t), All: true}, p)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", r)
	for _, d := range r.Drifts {
		t.Errorf("-fuzz.seed=%d: %s", *flagSeed, d)
	}
	if r.Failed > 0 || r.Compared < r.Drawn {
		t.Errorf("-fuzz.seed=%d: weak run", *flagSeed)
	}
}

// BenchmarkRandomPatterns is the speed of random patterns with the answers of
// reference and enumerator at every row, on one core.
func BenchmarkRandomPatterns(b *testing.B) {
	i := 0
	for b.Loop() {
		if same, _, _, err := agree(gen.DefaultInputs.Draw(gen.Case(1, i))); !same || err != nil {
			b.Fatal(i, err)
		}
		i++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "patterns/s")
}

// BenchmarkRandomPatternsWithPerl is the same against Perl, in batches: three
// inputs for each pattern.
func BenchmarkRandomPatternsWithPerl(b *testing.B) {
	p := perl.New(perl.Options{})
	defer p.Close()
	if _, err := p.Version(context.Background()); err != nil {
		b.Skip(err)
	}
	b.ResetTimer()
	r, err := drift.Run(context.Background(), drift.Options{N: b.N, Seed: 1, All: true}, p)
	if err != nil || len(r.Drifts) > 0 {
		b.Fatal(r, err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "patterns/s")
	b.ReportMetric(float64(r.Compared)/b.Elapsed().Seconds(), "inputs/s")
}
