package diff

import (
	"os"
	"testing"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/known"
)

// Tests of a live server run where one is wished for.
const envLive = "RPRCHECK_LIVE"

// Speed: random patterns with 20 sets of rows each on a server in a JVM, all of
// whose differences are known. On two cores that nothing else uses it is more
// than 50 patterns a second; the limit here is for a machine that is shared.
func TestLiveGenerated(t *testing.T) {
	if os.Getenv(envLive) == "" {
		t.Skipf("no live server: set %s=1 to start one", envLive)
	}
	e, err := Open("trino:jvm", Settings{Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if e.Known, err = known.Builtin("trino"); err != nil {
		t.Fatal(err)
	}
	const patterns = 2_000
	r := &runner{Options: Options{N: patterns, Seed: 7, Cases: []*corpus.Case{}, Engines: []*Engine{e}}, ctx: t.Context(), late: t.Context(), mutants: NewMutants(), report: &Report{}}
	if r.connect(); len(r.live) != 1 {
		t.Fatal(r.report.Unreached)
	}
	f := &finder{engine: e, mutants: r.mutants, late: r.late}
	r.patterns(e, f, 0)
	g := r.report.Generated[0]
	rate := patterns / g.Elapsed.Seconds()
	t.Logf("%.1f patterns a second with %d sets of rows each: %d inputs, %d differ, %d of them known, %d reduced, %v without an answer", rate, e.sets, g.Tried, g.Differing, g.Known, g.Reduced, g.Passed)
	for _, x := range f.findings {
		t.Errorf("a difference that is not known, rule %s:\n%s", x.Rule, x.Case)
	}
	if g.Tried < patterns*e.sets*99/100 || g.Known == 0 {
		t.Errorf("weak run: %d inputs, %d known differences", g.Tried, g.Known)
	}
	if rate < 15 {
		t.Errorf("%.1f patterns a second", rate)
	}
}
