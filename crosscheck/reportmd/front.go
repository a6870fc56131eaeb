package reportmd

import (
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/rulebook"
)

// head is the first page, for readers who know nothing of the project.
func (g *generator) head() error {
	g.printf(`# Where engines leave the standard

<!-- made by rprcheck report; a check fails when this file is stale -->

SQL can search rows as a regular expression searches text: ` + "`MATCH_RECOGNIZE`" + `
names kinds of rows, such as "the price falls", and a pattern of them, such as
` + "`FALLS+ RISES+`" + `, and answers with the stretches of rows that fit. Often several
stretches fit. The SQL standard (ISO/IEC 9075-2, explained by TR 19075-5) says which
one is *preferred*, so that one query has one answer on every database.

Databases do not always keep to that, and mostly nobody notices: the query runs, without
an error, and returns other rows. This report lists where that was found, each time
with the smallest input that shows it. It is made by ` + "`rprcheck report`" + ` from questions
that were put to real engines.

`)
	g.inShort()
	g.example()
	g.printf(`## How to read it

- A **case** is a small pattern or query with the answer that the standard gives. Its
  name is ` + "`theme/file#id`" + `; ` + "`rprcheck corpus show NAME`" + ` shows it.
- A **rule**, such as PREF-8, is one statement of what the standard says;
  ` + "`rprcheck rule PREF-8`" + ` explains it and names its clause.
- **agrees**: the engine gives the standard's answer. **differs**: it gives another one.
  **refused**: it rejects a legal query. **not-comparable**: it cannot be asked this;
  why is counted, and it never counts as agreement. **failed**, **timed-out**: it died,
  or gave no answer that makes sense, or none in time.
- Engines outside are shown as they were *recorded*: the version is named, and so is
  the state of the suite then. ` + "`rprcheck diff --engine ...`" + ` asks a live one.
- *reference*, *enumerate* and *nfa* are three matchers of this project, which check one
  another. What they share, and so cannot check, is said [at the end](#what-our-matchers-share).

Further on: [what was asked](#what-was-asked), [engines by theme](#engines-by-theme),
[every difference by rule](#differences-by-rule), [patterns on which engines part](#the-cross-check),
[rewrites of patterns that are safe and that are not](#rewrites-of-patterns),
[wrong engines that the suite finds out](#mutants), [coverage](#coverage),
[choices that the standard leaves](#readings).

`)
	return g.asked()
}

// inShort is a line for each engine outside, and what it most often does
// otherwise.
func (g *generator) inShort() {
	if len(g.Recordings) == 0 {
		return
	}
	g.printf("## In short\n\n| engine | cases it was asked | agrees | other rows, or accepts what is illegal | refuses legal SQL | fails |\n|---|---|---|---|---|---|\n")
	for _, r := range g.Recordings {
		n := map[string]int{}
		for _, x := range r.Stream.Results {
			n[x.Verdict]++
		}
		count := func(vs ...oracle.Verdict) int {
			sum := 0
			for _, v := range vs {
				sum += n[v.String()]
			}
			return sum
		}
		differs, fails := count(oracle.Differs, oracle.KnownDifference), count(oracle.Failed, oracle.TimedOut)
		g.printf("| %s | %d | %d | %d | %d | %d |\n", versioned(r.Engine()), count(oracle.Agrees, oracle.Refused)+differs+fails, count(oracle.Agrees), differs, count(oracle.Refused), fails)
	}
	for _, r := range g.Recordings {
		g.oftenest(r)
	}
	g.printf("\n")
}

// versioned names an opinion with its version.
func versioned(o crosscheck.Speaker) string { return text(strings.TrimSpace(o.Name + " " + o.Version)) }

// oftenest lists the rules by which an engine most often returns other rows.
func (g *generator) oftenest(r *Recording) {
	const most = 6
	seen := map[string]int{}
	for _, f := range r.Findings {
		if f.Verdict == oracle.Differs.String() && f.View != "refuse" {
			seen[f.Rule] += f.Count
		}
	}
	var rules []string
	for id := range seen {
		rules = append(rules, id)
	}
	if len(rules) == 0 {
		g.printf("\n**%s** was not seen to return other rows.\n", versioned(r.Engine()))
		return
	}
	sort.Slice(rules, func(i, j int) bool {
		if seen[rules[i]] != seen[rules[j]] {
			return seen[rules[i]] > seen[rules[j]]
		}
		return rules[i] < rules[j]
	})
	g.printf("\n**%s** returns other rows most often against these rules (seen so often, in the suite and on random inputs):\n\n", versioned(r.Engine()))
	for i, id := range rules {
		if i == most {
			g.printf("- and %d other rules\n", len(rules)-i)
			break
		}
		about := "no single rule explains the answer"
		if x, ok := rulebook.Lookup(id); ok {
			about = x.Title
		}
		g.printf("- %s: %s (%d)\n", id, text(about), seen[id])
	}
}

// example explains one difference in full, the best known.
func (g *generator) example() {
	const pattern, rows = "(A? | B)*", "A B"
	var c *corpus.Case
	for _, s := range g.seeds {
		if s.Kind == corpus.Labels && s.Pattern == pattern && strings.Join(s.Rows, " ") == rows {
			c = s
		}
	}
	if c == nil || len(g.Recordings) == 0 {
		return
	}
	g.printf(`## An example

The pattern `+"`(A? | B)*`"+` reads: an A or nothing, or else a B, and that any number of
times. Take two rows, on the first of which A holds and on the second B. Are both rows
one match?

No. In the second round A does not hold, but "nothing" does, and it comes before B. A
round that takes nothing ends the repetition (rule PREF-8), so the match from the first row
is that row alone, and the one from the second row is empty. An engine that throws the
empty round away instead, as JavaScript's regular expressions do, goes on to B.

| | the match from the first row; from the second |
|---|---|
| the standard | %s |
`, answerText(c.Answer))
	for _, r := range g.Recordings {
		g.printf("| %s | %s |\n", versioned(r.Engine()), recorded(r.Stream, c))
	}
	g.printf(`
To see it: ` + "`rprcheck prefer '(A? | B)*' --max-rows 2`" + ` lists what fits, the preferred
first; ` + "`rprcheck lint -f query.sql`" + ` says whether a query of yours can meet such a difference,
and ` + "`rprcheck audit`" + ` whether it does on your own tables.

`)
}

// asked says which opinions there are, and on what.
func (g *generator) asked() error {
	kinds := map[string]int{}
	for _, c := range g.Suite.Cases {
		kinds[c.Kind]++
	}
	g.printf("## What was asked\n\nThe suite has %d cases (hash %s): %s.\n\n", len(g.Suite.Cases), g.Suite.Hash, counts(kinds))
	g.printf("| opinion | version | what it is | asked |\n|---|---|---|---|\n")
	for i, e := range g.Matchers {
		what := "a matcher of ours"
		if i == 0 {
			what = "our reference, to be read beside the standard"
		}
		g.printf("| %s | this checkout | %s | %d cases, now |\n", e.Name(), what, len(g.cases))
	}
	for _, r := range g.Recordings {
		o := r.Engine()
		state := "the suite as it is"
		if r.Stream.Head.Corpus != g.Suite.Hash {
			state = "the suite as it was then (hash " + r.Stream.Head.Corpus + ")"
		}
		when := "recorded"
		if o.Recorded != "" {
			when += " on " + o.Recorded
		}
		g.printf("| %s | %s | an engine outside, %s | %d cases, %s |\n", text(o.Name), text(o.Version), when, len(r.Stream.Results), state)
	}
	g.printf("\n%d hostile cases, which need time and memory, are run by `rprcheck check` and left out here.\n", len(g.Suite.Cases)-len(g.cases))
	return nil
}
