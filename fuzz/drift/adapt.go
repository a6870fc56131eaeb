package drift

import (
	"context"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
)

// part is a part of the pattern language that a subject may lack.
type part struct {
	name  string
	probe string
	off   func(*gen.Patterns)
}

var parts = []part{
	{"reluctant quantifiers", "A*? B", func(p *gen.Patterns) { p.Reluctant = 0 }},
	{"quantifiers with numbers", "A{1,2} B{2} C{2,}", func(p *gen.Patterns) { p.Bounded = 0 }},
	{"the empty pattern ()", "(A | ()) B", func(p *gen.Patterns) { p.Empty = 0 }},
	{"anchors", "^ A $", func(p *gen.Patterns) { p.Anchors = 0 }},
	{"exclusion", "A {- B -}", func(p *gen.Patterns) { p.Exclude = 0 }},
	{"PERMUTE", "PERMUTE(A, B)", func(p *gen.Patterns) { p.Permute = 0 }},
	{"quantifiers over a body that can be empty", "(A?)* B", func(p *gen.Patterns) { p.Nullable, p.Followed = 0, 0 }},
}

// adapt asks one small pattern of each part of the language, and leaves out of
// the random patterns what the subject refuses. It returns the names of those
// parts. A subject that fails over them is none of its business.
func adapt(ctx context.Context, s Subject, p *gen.Patterns) (unknown []string) {
	cases := make([]*oracle.Case, len(parts))
	for i, part := range parts {
		tree, err := semantics.ParsePattern(part.probe)
		if err != nil {
			panic(err) // a probe is a legal pattern
		}
		cases[i] = &oracle.Case{ID: "probe", Op: oracle.Map, Pattern: part.probe, Tree: tree, Rows: [][]string{{"A"}, {"B"}}}
	}
	for i, reply := range oracle.AskAll(ctx, s, cases) {
		refused := reply.Answer.Err != nil
		if reply.Err != nil {
			verdict, reason := oracle.WhyNot(reply.Err)
			refused = (verdict == oracle.NotComparable || verdict == oracle.Refused) && reason != unchanged
		}
		if refused {
			parts[i].off(p)
			unknown = append(unknown, parts[i].name)
		}
	}
	return unknown
}
