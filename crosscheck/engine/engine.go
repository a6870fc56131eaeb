package engine

import (
	"context"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
)

// Opinion is the opinion of a live engine. It implements crosscheck.Opinion.
type Opinion struct {
	crosscheck.OracleOpinion
}

// New returns the opinion of an oracle.
func New(o oracle.Oracle) *Opinion {
	return &Opinion{OracleOpinion: crosscheck.OracleOpinion{Oracle: o}}
}

// Ask puts the cases, match cases as statements where the engine takes them.
func (e *Opinion) Ask(ctx context.Context, cases []*corpus.Case) []crosscheck.Reply {
	out := make([]crosscheck.Reply, len(cases))
	var plain []*corpus.Case
	var at []int
	direct := e.directly(ctx, cases, out)
	for i, c := range cases {
		if !direct[i] {
			plain, at = append(plain, c), append(at, i)
		}
	}
	for k, r := range e.OracleOpinion.Ask(ctx, plain) {
		out[at[k]] = r
	}
	return out
}
