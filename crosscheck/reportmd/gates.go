package reportmd

import (
	"context"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
)

// gate is a rewrite of patterns, and what became of it.
type gate struct {
	drift.Rewrite
	tried int          // random patterns that it changed
	found *drift.Drift // the first pattern whose preferred match it changes; nil: none
	err   error
}

// DefaultPatterns is how many random patterns each rewrite is tried on.
const DefaultPatterns = 4_000

// tryRewrites tries the rewrites of PREF-11 on n random patterns of a fixed seed.
func tryRewrites(ctx context.Context, n int) []gate {
	var out []gate
	for _, rw := range drift.Rewrites {
		g := gate{Rewrite: rw}
		report, err := drift.Run(ctx, drift.Options{N: n, Seed: 11, Patterns: gatePattern}, drift.FromRewrite(rw.Name, rw.Apply, matcher.Limits{}))
		if report != nil {
			g.tried = report.Compared
			if len(report.Drifts) > 0 {
				g.found = report.Drifts[0]
			}
		}
		g.err = err
		out = append(out, g)
	}
	return out
}

// gatePattern reaches the rewrites often: nested quantifiers and equal neighbours.
var gatePattern = func() gen.Patterns {
	p := gen.DefaultPatterns
	p.Nested, p.Twins = 40, 40
	return p
}()
