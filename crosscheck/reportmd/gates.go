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

// gatePatterns is how many random patterns each rewrite is tried on.
const gatePatterns = 4_000

// gates tries the rewrites of PREF-11 on random patterns of a fixed seed.
func gates(ctx context.Context) []gate {
	var out []gate
	for _, rw := range drift.Rewrites {
		g := gate{Rewrite: rw}
		report, err := drift.Run(ctx, drift.Options{N: gatePatterns, Seed: 11, Patterns: gatePattern}, drift.FromRewrite(rw.Name, rw.Apply, matcher.Limits{}))
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
