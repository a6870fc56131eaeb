package fuzz_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// compiledOnce is an engine that has compiled a clause: whoever asks it gets
// the same Program.
type compiledOnce struct {
	matcher.Engine
	program matcher.Program
}

func (e compiledOnce) Compile(*semantics.Clause, matcher.Limits) (matcher.Program, error) {
	return e.program, nil
}

// question is one of the things to ask a program about a table.
type question func(e matcher.Engine, c *semantics.Clause, in *table.Table) []string

// questions are about the output or the frames, and about the match at each
// row, which Finders answer. Those of the window form are about frames.
func questions(c *semantics.Clause, lim matcher.Limits) []question {
	ctx := context.Background()
	whole := func(e matcher.Engine, c *semantics.Clause, in *table.Table) []string {
		out, err := matcher.Recognize(ctx, e, c, in, lim)
		if err != nil {
			return inDetail(nil, err)
		}
		return lines(out)
	}
	if c.Window != nil {
		whole = func(e matcher.Engine, c *semantics.Clause, in *table.Table) []string {
			frames, err := matcher.Frames(ctx, e, c, in, lim)
			if err != nil {
				return inDetail(nil, err)
			}
			var out []string
			for _, part := range frames.Frames {
				for _, f := range part {
					out = append(out, fmt.Sprintf("%d %d %s", f.Kind, f.Match.Start, mappingText(c, &f.Match)))
				}
			}
			return out
		}
	}
	rows := func(e matcher.Engine, c *semantics.Clause, in *table.Table) []string {
		mappings, err := matcher.Map(ctx, e, c, in, lim)
		if err != nil {
			return inDetail(nil, err)
		}
		var out []string
		for _, m := range mappings {
			out = append(out, mappingText(c, m))
		}
		return out
	}
	explained := func(e matcher.Engine, _ *semantics.Clause, _ *table.Table) []string {
		if p, ok := e.(compiledOnce).program.(interface{ Explain() string }); ok {
			return []string{p.Explain()}
		}
		return nil
	}
	return []question{whole, rows, explained}
}

// users is how many goroutines use a program at once.
const users = 6

// useAtOnce asks one program everything about several tables from many
// goroutines, each in another order, and compares the answers with those of
// another program that is asked one after the other. It returns the lines of
// these answers.
func useAtOnce(t *testing.T, e matcher.Engine, c *semantics.Clause, tables []*table.Table, ask []question, lim matcher.Limits) (lines int, failed bool) {
	t.Helper()
	alone, err := e.Compile(c, lim)
	if err != nil {
		t.Error(err)
		return 0, true
	}
	together, err := e.Compile(c, lim)
	if err != nil {
		t.Error(err)
		return 0, true
	}
	want := make([][]string, len(ask)*len(tables))
	for i := range want {
		want[i] = ask[i/len(tables)](compiledOnce{e, alone}, c, tables[i%len(tables)])
		lines += len(want[i])
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	start := make(chan struct{})
	for u := range users {
		wg.Go(func() {
			<-start
			for k := range want {
				i := (k + u*len(want)/users) % len(want)
				got := ask[i/len(tables)](compiledOnce{e, together}, c, tables[i%len(tables)])
				if slices.Equal(got, want[i]) {
					continue
				}
				mu.Lock()
				if !failed {
					t.Errorf("question %d about table %d: alone%s\n  together%s", i/len(tables), i%len(tables), show(want[i]), show(got))
				}
				failed = true
				mu.Unlock()
				return
			}
		})
	}
	close(start)
	wg.Wait()
	return lines, failed
}

// TestConcurrentUse: one Program of each matcher, in each tier, used at once
// from many goroutines on different tables and on the same, answers as if it
// were used from one. So does a bound statement that runs at once.
func TestConcurrentUse(t *testing.T) {
	seed := seedOf(t)
	more := gen.Tables{Min: 20, Max: 60, Partitions: 3, Nulls: 5, Ties: 25, Keyed: true, Runs: 50}
	var n counts
	answers := 0
	for i := range max(*flagN/200, 50) {
		rnd := gen.Case(seed, i)
		q := gen.EngineQueries.Draw(rnd)
		var tables []*table.Table
		for _, rows := range [][]gen.Row{q.Table, more.Draw(rnd), more.Draw(rnd)} {
			in, err := gen.MakeTable(rows)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, in)
		}
		c, err := bind(q, tables[0], readings.Set{})
		if err != nil {
			t.Fatalf("case %d: %v\n%s", i, err, q)
		}
		engines := []matcher.Engine{reference.Engine{}, enumerate.Engine{}}
		for _, tier := range tiers {
			if _, err := inTier(tier).Compile(c, limits); err == nil {
				engines = append(engines, inTier(tier))
				n.tier(tier)
			} else if diag.From(err).Stage != diag.Unsupported {
				t.Fatal(err)
			}
		}
		for _, e := range engines {
			lines, failed := useAtOnce(t, e, c, tables, questions(c, limits), limits)
			if answers += lines; failed {
				t.Fatalf("-fuzz.seed=%d, case %d, %s:\n%s", *flagSeed, i, e.Name(), q)
			}
		}
		if runAtOnce(t, q, tables[0]); t.Failed() {
			t.Fatalf("-fuzz.seed=%d, case %d:\n%s", *flagSeed, i, q)
		}
	}
	t.Logf("programs: %s; %d lines of answers", &n, answers)
	for _, tier := range tiers {
		if n.tiers[tier] == 0 && tier != nfa.Carried {
			t.Errorf("weak run: no query is taken by %s", tier)
		}
	}
}

// runAtOnce runs one bound statement from many goroutines.
func runAtOnce(t *testing.T, q *gen.Query, in *table.Table) {
	t.Helper()
	st, err := query.Parse(q.SQL(), readings.Set{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := query.Bind(st, query.Options{Recognizer: matcher.Using(inTier(nfa.Auto), limits),
		Tables: func(string, bool) (*table.Table, bool, error) { return in, true, nil }})
	if err != nil {
		t.Fatal(err)
	}
	want := inDetail(run(inTier(nfa.Auto), limits, q, in, readings.Set{}))
	var wg sync.WaitGroup
	for range users {
		wg.Go(func() {
			var got []string
			if res, err := b.Run(context.Background()); err != nil {
				got = inDetail(nil, err)
			} else {
				got = lines(res.Table)
			}
			if !slices.Equal(got, want) {
				t.Errorf("a statement run at once: alone%s\n  together%s", show(want), show(got))
			}
		})
	}
	wg.Wait()
}

// TestConcurrentUseOfLargeTables: the same where one call divides its work
// among goroutines of its own, by partitions and by chunks of rows.
func TestConcurrentUseOfLargeTables(t *testing.T) {
	rnd := gen.NewRand(seedOf(t))
	rows := gen.Tables{Min: 50_000, Max: 50_000, Partitions: 26, Nulls: 3, Ties: 25, Keyed: true}.Draw(rnd)
	var tables []*table.Table
	for _, part := range [][]gen.Row{rows, rows[:35_000], rows[15_000:]} {
		in, err := gen.MakeTable(part)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, in)
	}
	const measures = " MEASURES MATCH_NUMBER() AS N, FIRST(K) AS F, SUM(X) AS S, CLASSIFIER() AS C "
	for _, tc := range []struct {
		tier   nfa.Tier
		clause string
	}{
		{nfa.Deterministic, "PATTERN (A B* C) DEFINE A AS X = 0, B AS X = 1, C AS X > 1"},
		{nfa.States, "PATTERN ((A | B)+ C) DEFINE A AS X > 0, B AS X < 3, C AS X = 4"},
		{nfa.Bits, "PATTERN ((A | B)+ C) DEFINE A AS X > 0, B AS X < 3, C AS X = 4"},
		{nfa.Runs, "PATTERN (A{2,1000} B) DEFINE A AS X > 0, B AS S = 'a'"},
		{nfa.Carried, "AFTER MATCH SKIP TO NEXT ROW PATTERN (A+ B) DEFINE A AS X > 0, B AS X = 4"},
		{nfa.Windowed, "PATTERN (A+ B) DEFINE A AS X > 0 AND K <= FIRST(K) + 9, B AS X = 4 AND K <= FIRST(K) + 9"},
		{nfa.Search, "PATTERN (A+ B) DEFINE A AS X >= AVG(A.X), B AS X < MAX(A.X)"},
	} {
		text := "MATCH_RECOGNIZE (PARTITION BY P ORDER BY K" + measures + tc.clause + ")"
		if tc.tier == nfa.Carried { // CLASSIFIER is not carried
			text = strings.Replace(text, ", CLASSIFIER() AS C", "", 1)
		}
		c, err := semantics.Parse(text, semantics.RowTypeOf(tables[0], ""), semantics.Options{})
		if err != nil {
			t.Fatal(err)
		}
		lim := matcher.Limits{}
		lines, failed := useAtOnce(t, inTier(tc.tier), c, tables, questions(c, lim)[:1], lim)
		if failed || lines < 2000 {
			t.Errorf("%s: %s: %d lines of answers", tc.tier, tc.clause, lines)
		}
	}
}
