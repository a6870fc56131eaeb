package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/known"
	"github.com/rprcheck/rprcheck/crosscheck/reduce"
	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/oracle"
)

const (
	// perPile is how many inputs of a pile that no fault explains are reduced. Such
	// a pile may hold several causes.
	perPile = 6
	// perPattern is how many inputs of one pattern are put to all faults, which
	// takes long; further ones go where those went.
	perPattern = 3
	// faultSteps bounds the search of a fault while inputs are sorted. Some faults
	// search all candidates; inputs on which the rules' own search is longer are not
	// compared.
	faultSteps = drift.DefaultSteps
	// leastReducing is the least time for reductions after a run that is limited
	// in time.
	leastReducing = 20 * time.Second
)

// patterns puts random patterns over rows of labels. While new inputs are asked
// nothing is reduced: what differs is put on piles by its cause, and the
// smallest inputs of each are reduced at the end.
func (r *runner) patterns(e *Engine, f *finder, share time.Duration) {
	g := Generated{Engine: e.Name, What: "inputs of patterns"}
	s := &sorter{runner: r, engine: e, finder: f, count: &g, asked: map[string]*asked{}}
	o := drift.Options{N: r.N, Time: share, Seed: r.Seed, All: true, Sets: e.sets, Together: e.together, Differs: s.add,
		Progress: func(d *drift.Report) { r.progress("random patterns for "+e.Name, d.Drawn, r.N) }}
	report, err := drift.Run(r.ctx, o, e.Subject)
	if report == nil {
		return
	}
	g.Tried, g.Agree, g.Differing, g.Passed, g.Unknown = report.Compared, report.Compared-report.Differing, report.Differing, report.Passed, report.Unknown
	g.Elapsed = report.Elapsed
	if err != nil && !errors.Is(err, context.Canceled) {
		g.Passed = map[string]int{err.Error(): 1}
	}
	limit := time.Duration(0)
	if share > 0 {
		limit = max(share/2, leastReducing)
	}
	s.reduce(o, limit)
	var failures []difference
	for _, x := range report.Failures {
		if r.ctx.Err() != nil {
			break
		}
		c, err := labelsCase(r.ctx, randomName("labels", x.Input.Pattern.String()+gen.RowsText(x.Input.Rows)), x.Input.Pattern, x.Input.Rows)
		if err != nil {
			continue
		}
		if reply := f.engine.Ask(r.ctx, c); isDifference(c, reply) {
			failures = append(failures, difference{c: c, reply: reply, generated: true})
		}
	}
	r.report.Generated = append(r.report.Generated, g)
	f.add(r.ctx, failures)
}

// sorter puts the differences of an engine on piles by their causes.
type sorter struct {
	*runner
	engine *Engine
	finder *finder
	count  *Generated
	piles  []*pile
	asked  map[string]*asked // by pattern
}

// asked is a pattern of which some inputs were put to all faults.
type asked struct {
	times int
	pile  *pile // where the last of them went
}

// pile is differences that seem to have one cause.
type pile struct {
	mutants  []string // the faults of which each alone gives all of the answers
	rule     string   // if there are none: the rule by which the first row differs
	count    int
	smallest []drifted // in the order of their weights, no pattern twice
}

// drifted is a difference on a pile.
type drifted struct {
	*drift.Difference
	c      *corpus.Case // without the bound of the search of a fault
	asked  *corpus.Case // with it
	got    []string
	weight int
}

// add takes a difference: it is known, or goes on a pile. Asking all the faults
// takes long, so those of the piles come first.
func (s *sorter) add(d *drift.Difference) {
	ctx := context.WithoutCancel(s.ctx)
	x := drifted{Difference: d, c: labelled(d), got: mappingLines(d.Got), weight: gen.Weight(d.Pattern) + len(gen.RowsText(d.Rows))}
	bounded := *x.c
	bounded.Steps = faultSteps
	x.asked = &bounded
	if _, ok := s.covers(s.engine, x.c, crosscheck.Reply{Lines: x.got}); ok {
		s.count.Known++
		return
	}
	if p, same := s.pileOf(ctx, x); p != nil {
		p.mutants = same
		p.take(x, 1)
		return
	}
	if p := s.mixed(x); p != nil {
		p.count++
		return
	}
	a := s.asked[x.c.Pattern]
	if a == nil {
		a = &asked{}
		s.asked[x.c.Pattern] = a
	}
	if a.times < perPattern {
		a.times++
		a.pile = s.pileFor(ctx, x)
	}
	a.pile.take(x, perPile)
}

// pileFor asks all faults.
func (s *sorter) pileFor(ctx context.Context, x drifted) *pile {
	p := &pile{mutants: ids(s.mutants.Reproduce(ctx, x.asked, x.got))}
	if len(p.mutants) == 0 {
		at := oracle.DifferAt(x.Preferred, x.Got)
		p.rule = drift.Rule(x.Pattern, x.Rows, at, x.Preferred[at], x.Got[at])
		for _, q := range s.piles {
			if len(q.mutants) == 0 && q.rule == p.rule {
				return q
			}
		}
	}
	s.piles = append(s.piles, p)
	return p
}

// pileOf finds the pile whose faults give an answer, and those of them that do.
func (s *sorter) pileOf(ctx context.Context, x drifted) (*pile, []string) {
	for _, p := range s.piles {
		var same []string
		for _, id := range p.mutants {
			if lines, ok := s.mutants.Answer(ctx, id, x.asked); ok && slices.Equal(lines, x.got) {
				same = append(same, id)
			}
		}
		if len(same) > 0 {
			return p, same
		}
	}
	return nil, nil
}

// take keeps a difference if it is among the n smallest ones of the pile.
func (p *pile) take(x drifted, n int) {
	p.count++
	if i := slices.IndexFunc(p.smallest, func(y drifted) bool { return y.Pattern.Equal(x.Pattern) }); i >= 0 {
		if p.smallest[i].weight <= x.weight {
			return
		}
		p.smallest = slices.Delete(p.smallest, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(p.smallest, x, func(a, b drifted) int { return cmp.Compare(a.weight, b.weight+1) })
	p.smallest = slices.Insert(p.smallest, at, x)
	p.smallest = p.smallest[:min(len(p.smallest), n)]
}

// reduce makes findings of the piles. A limit of 0 is none; when it is reached,
// one input of every pile is still looked at.
func (s *sorter) reduce(o drift.Options, limit time.Duration) {
	began := time.Now()
	late := func() bool { return limit > 0 && time.Since(began) > limit || s.ctx.Err() != nil }
	// Piles with faults first: they may explain, row by row, what is on the others.
	slices.SortStableFunc(s.piles, func(a, b *pile) int { return cmp.Compare(min(len(b.mutants), 1), min(len(a.mutants), 1)) })
	for i, p := range s.piles {
		s.progress("reducing differences of "+s.engine.Name, i, len(s.piles))
		if len(p.mutants) > 0 {
			s.finding(o, p.smallest[0], p.count, late())
			continue
		}
		s.count.Left += p.count
		for k, x := range p.smallest {
			if k > 0 && late() {
				break
			}
			s.count.Left--
			if s.mixed(x) == nil {
				s.finding(o, x, 1, late())
			}
		}
	}
}

// mixed finds out whether the faults of several piles share the rows of an
// input, and returns the first of these piles.
func (s *sorter) mixed(x drifted) (first *pile) {
	rows := known.NewRows(x.c.Answer, x.got)
	for _, p := range s.piles {
		if len(p.mutants) == 0 {
			continue
		}
		lines, ok := s.mutants.Answer(context.WithoutCancel(s.ctx), p.mutants[0], x.asked)
		if ok && rows.AnsweredBy(lines) && first == nil {
			first = p
		}
	}
	if rows.Left() > 0 {
		return nil
	}
	return first
}

// finding makes an input small, unless it is late, and a finding of it if it is
// not known then. It stands for a number of inputs.
func (s *sorter) finding(o drift.Options, x drifted, count int, late bool) {
	ctx := context.WithoutCancel(s.ctx)
	c, got := x.c, x.got
	if !late {
		s.count.Reduced++
		limited, cancel := context.WithTimeout(s.ctx, longestReduction)
		d, err := drift.Small(limited, o, s.engine.Subject, x.Difference)
		cancel()
		if err == nil {
			small, err := labelsCase(ctx, randomName("labels", d.Input.Pattern.String()+gen.RowsText(d.Input.Rows)), d.Input.Pattern, d.Input.Rows)
			if err == nil {
				c, got = small, slices.Clone(small.Answer)
				got[d.Start] = fmt.Sprintf("%d: %s", d.Start+1, d.Got)
			}
		}
	}
	reply := s.engine.Ask(s.ctx, c)
	if s.ctx.Err() != nil || reply.Verdict != 0 {
		reply = crosscheck.Reply{Lines: got}
	}
	if !isDifference(c, reply) {
		return
	}
	if _, ok := s.covers(s.engine, c, reply); ok {
		s.count.Known += count
		return
	}
	if s.late.Err() != nil {
		return // what is known can no longer be told from what is not
	}
	cause := s.finder.explain(s.late, c, reply)
	s.finder.merge(s.finder.finding(difference{c: c, reply: reply, cause: cause, generated: true}, &bucket{count: count, random: count}))
}

// labelled makes a case of a difference.
func labelled(d *drift.Difference) *corpus.Case {
	c := reduce.Labelled(randomName("labels", d.Pattern.String()+gen.RowsText(d.Rows)), d.Pattern.String(), d.Rows)
	c.Answer = mappingLines(d.Preferred)
	return c
}

// mappingLines writes mappings as the answer of a labels case.
func mappingLines(list []oracle.Mapping) []string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = fmt.Sprintf("%d: %s", i+1, m)
	}
	return out
}
