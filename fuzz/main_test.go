package fuzz_test

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
)

var (
	flagN          = flag.Int("fuzz.n", number("RPRCHECK_FUZZ_N", 20_000), "random patterns of the differential tests; other tests take a part of it")
	flagSeed       = flag.Uint64("fuzz.seed", uint64(number("RPRCHECK_FUZZ_SEED", 1)), "seed of the random inputs")
	flagReadings   = flag.Int("fuzz.readings", 0, "random queries under other readings; 0: a tenth of -fuzz.n")
	flagExhaustive = flag.Bool("fuzz.exhaustive", false, "all patterns of three operators, not a tenth of them")
)

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n >= 0 {
		return n
	}
	return otherwise
}

func TestMain(m *testing.M) {
	flag.Parse()
	fmt.Printf("fuzz: -fuzz.n=%d -fuzz.seed=%d\n", *flagN, *flagSeed)
	os.Exit(m.Run())
}

// seedOf gives each test a seed of its own, so that no two see the same inputs.
func seedOf(t testing.TB) uint64 {
	h := fnv.New64a()
	h.Write([]byte(t.Name()))
	return *flagSeed ^ h.Sum64()<<1
}

// limits keep patterns that explode from taking all the time; they are counted.
var limits = matcher.Limits{Steps: 2_000}

// parallel calls f for the numbers 0 to n-1 from as many goroutines as there
// are processors, until one call returns false.
func parallel(n int, f func(i int) bool) {
	var next atomic.Int64
	var stop atomic.Bool
	var wg sync.WaitGroup
	const chunk = 64
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for !stop.Load() {
				to := int(next.Add(chunk))
				for i := to - chunk; i < min(to, n); i++ {
					if !f(i) {
						stop.Store(true)
						return
					}
				}
				if to >= n {
					return
				}
			}
		})
	}
	wg.Wait()
}

// holds checks a gopter property on n inputs.
func holds(t *testing.T, n int, p gopter.Prop) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(int64(seedOf(t)))
	params.MinSuccessfulTests = max(n, 20)
	params.MaxDiscardRatio = 50
	result := p.Check(params)
	if !result.Passed() {
		t.Errorf("-fuzz.seed=%d: %s after %d inputs (%d passed over): %v", *flagSeed, result.Status, result.Succeeded, result.Discarded, result.Error)
		for _, a := range result.Args {
			t.Errorf("  %v (found as %v)", a.ArgFormatted, a.OrigArgFormatted)
		}
		for _, l := range result.Labels {
			t.Errorf("  %s", l)
		}
		return
	}
	t.Logf("%d inputs (%d passed over)", result.Succeeded, result.Discarded)
}

// answer is what a matcher says of an input, in the notation of the case files;
// false if a limit is met.
func answer(e matcher.Engine, p *semantics.Pattern, rows [][]string) (string, bool) {
	c, in, err := semantics.LabelledTree(p.Clone(), rows)
	if err != nil {
		return "error: " + err.Error(), true
	}
	mappings, err := matcher.Map(context.Background(), e, c, in, limits)
	if err != nil {
		return err.Error(), !isLimit(err)
	}
	out := ""
	for i, m := range mappings {
		if i > 0 {
			out += "; "
		}
		out += mappingText(c, m)
	}
	return out, true
}

func mappingText(c *semantics.Clause, m *semantics.Mapping) string {
	switch {
	case m == nil:
		return "-"
	case m.IsEmpty():
		return "()"
	}
	out := ""
	for i, v := range m.Vars {
		if i > 0 {
			out += " "
		}
		if m.IsExcluded(i) {
			out += "{" + c.Name(v) + "}"
		} else {
			out += c.Name(v)
		}
	}
	return out
}

// rewrite returns a rewrite of the drift checker by name.
func rewrite(t testing.TB, name string) func(*semantics.Pattern) *semantics.Pattern {
	t.Helper()
	r, ok := drift.LookupRewrite(name)
	if !ok {
		t.Fatalf("there is no rewrite %s", name)
	}
	return r.Apply
}

// smallest makes an input on which two matchers differ as small as it gets.
func smallest(in gen.Input, a, b matcher.Engine) string {
	in = gen.Minimize(in, func(list []gen.Input) int {
		for i, in := range list {
			x, okX := answer(a, in.Pattern, in.Rows)
			y, okY := answer(b, in.Pattern, in.Rows)
			if okX && okY && x != y {
				return i
			}
		}
		return -1
	})
	x, _ := answer(a, in.Pattern, in.Rows)
	y, _ := answer(b, in.Pattern, in.Rows)
	return fmt.Sprintf("%s\n  %s: %s\n  %s: %s", in, a.Name(), x, b.Name(), y)
}
