package reportmd

import (
	"bytes"
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Options are what a report is made from.
type Options struct {
	Suite      *crosscheck.Suite
	Matchers   []matcher.Engine // ours; the first is the reference
	Recordings []*Recording
	Jobs       int
	Patterns   int                                // random patterns for each rewrite; 0: DefaultPatterns
	Progress   func(what string, done, total int) // may be nil
}

// Generate writes the report.
func Generate(ctx context.Context, o Options) ([]byte, error) {
	seeds, err := Seeds()
	if err != nil {
		return nil, err
	}
	if o.Patterns == 0 {
		o.Patterns = DefaultPatterns
	}
	g := &generator{Options: o, ctx: ctx, seeds: seeds}
	// Hostile cases take their time, so that what they say of a slow engine
	// depends on the machine.
	for _, c := range o.Suite.Cases {
		if c.Theme() != "hostile" {
			g.cases = append(g.cases, c)
		}
	}
	for _, part := range []func() error{g.ask, g.head, g.table, g.findings, g.crossCheck, g.gates, g.mutants, g.coverage, g.readings, g.commonMode} {
		if err := part(); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return g.out.Bytes(), nil
}

type generator struct {
	Options
	ctx    context.Context
	cases  []*corpus.Case
	seeds  []*corpus.Case
	local  *crosscheck.Stream
	matrix *crosscheck.Matrix
	out    bytes.Buffer
}

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(&g.out, format, args...) }

func (g *generator) progress(what string) func(int, int) {
	return func(done, total int) {
		if g.Progress != nil {
			g.Progress(what, done, total)
		}
	}
}

// ask puts the suite to our own matchers and to the wrong engines.
func (g *generator) ask() error {
	var ours []crosscheck.Opinion
	head := crosscheck.Head{}
	for _, e := range g.Matchers {
		ours = append(ours, crosscheck.NewLocalOpinion(e, ""))
		head.Opinions = append(head.Opinions, crosscheck.Speaker{Name: e.Name()})
	}
	results, interrupted := crosscheck.Run(g.ctx, append(append([]*corpus.Case(nil), g.cases...), g.seeds...), ours, crosscheck.Options{Jobs: g.Jobs, Progress: g.progress("asking our matchers")})
	if interrupted {
		return g.ctx.Err()
	}
	g.local = &crosscheck.Stream{Head: head, Results: results}
	var err error
	g.matrix, err = crosscheck.KillMatrix(g.ctx, g.cases, crosscheck.Mutants(), g.Jobs, g.progress("asking the mutants"))
	return err
}

func counts(m map[string]int) string {
	var out []string
	for k, n := range m {
		out = append(out, fmt.Sprintf("%d %s", n, k))
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}

// table is engines by themes.
func (g *generator) table() error {
	g.printf("\n## Engines by theme\n\n")
	streams := []*crosscheck.Stream{g.local}
	for _, r := range g.Recordings {
		streams = append(streams, r.Stream)
	}
	head, line := "| theme |", "|---|"
	themes := map[string]bool{}
	for _, s := range streams {
		for _, o := range s.Head.Opinions {
			head += " " + versioned(o) + " |"
			line += "---|"
		}
		for _, r := range s.Results {
			themes[theme(r.Case)] = true
		}
	}
	g.printf("%s\n%s\n", head, line)
	var names []string
	for t := range themes {
		names = append(names, t)
	}
	sort.Strings(names)
	for _, t := range append(names, "") {
		name := t
		if t == "" {
			name = "**all**"
		}
		g.printf("| %s |", name)
		for _, s := range streams {
			for _, o := range s.Head.Opinions {
				n := map[string]int{}
				for _, r := range s.Results {
					if r.Opinion == o.Name && (t == "" || theme(r.Case) == t) {
						n[r.Verdict]++
					}
				}
				g.printf(" %s |", verdicts(n))
			}
		}
		g.printf("\n")
	}
	for _, r := range g.Recordings {
		reasons := map[string]int{}
		for _, res := range r.Stream.Results {
			if res.Verdict == oracle.NotComparable.String() {
				reasons[res.Reason]++
			}
		}
		g.list("Not comparable with "+r.Engine().Name, reasons)
	}
	return nil
}

// list writes counted reasons, the most frequent first.
func (g *generator) list(title string, reasons map[string]int) {
	if len(reasons) == 0 {
		return
	}
	var keys []string
	for k := range reasons {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		if reasons[keys[i]] != reasons[keys[j]] {
			return reasons[keys[i]] > reasons[keys[j]]
		}
		return keys[i] < keys[j]
	})
	g.printf("\n%s:\n\n", text(title))
	const most = 12
	rest := 0
	for i, k := range keys {
		if i >= most {
			rest += reasons[k]
			continue
		}
		g.printf("- %s (%d)\n", text(k), reasons[k])
	}
	if rest > 0 {
		g.printf("- other reasons (%d)\n", rest)
	}
}

func theme(name string) string { t, _, _ := strings.Cut(name, "/"); return t }

func verdicts(n map[string]int) string {
	var out []string
	for v := oracle.Agrees; v <= oracle.TimedOut; v++ {
		if k := n[v.String()]; k > 0 {
			out = append(out, fmt.Sprintf("%d %s", k, v))
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

// findings lists the differences of the engines by rule.
func (g *generator) findings() error {
	g.printf("\n## Differences, by rule\n\nEach with the smallest case that shows it, as the case files write it, and both answers. " +
		"A difference is *unexplained* where no single published fault gives the same answer; nothing is guessed.\n")
	for _, r := range g.Recordings {
		o := r.Engine()
		g.printf("\n### %s %s\n\n", text(o.Name), text(o.Version))
		if len(r.Findings) == 0 {
			g.printf("None.\n")
			continue
		}
		list := append([]*diff.Finding(nil), r.Findings...)
		sort.SliceStable(list, func(i, j int) bool { return less(list[i], list[j]) })
		g.printf("| rule | what | seen | smallest case |\n|---|---|---|---|\n")
		for _, f := range list {
			g.printf("| %s | %s | %d | [%s](#%s) |\n", f.Rule, text(f.Verdict+", "+f.View), f.Count, f.ID, f.ID)
		}
		for _, f := range list {
			g.finding(f)
		}
	}
	if len(g.Recordings) == 0 {
		g.printf("\nNo engine is recorded.\n")
	}
	return nil
}

func less(a, b *diff.Finding) bool {
	switch {
	case (a.Rule == "unexplained") != (b.Rule == "unexplained"):
		return b.Rule == "unexplained"
	case a.Rule != b.Rule:
		return a.Rule < b.Rule
	case a.Verdict != b.Verdict:
		return a.Verdict < b.Verdict
	}
	return a.ID < b.ID
}

func (g *generator) finding(f *diff.Finding) {
	g.printf("\n<a id=\"%s\"></a>**%s** %s (%s): %s\n\n", f.ID, f.Rule, text(f.Verdict), f.View, text(sentence(f)))
	g.printf("```\n%s```\n", fence(f.Case))
	if len(f.Answer) > 0 {
		g.printf("The engine answers:\n\n```\n%s\n```\n", fence(strings.Join(f.Answer, "\n")))
	}
}

func sentence(f *diff.Finding) string {
	var parts []string
	if f.Why != "" {
		parts = append(parts, f.Why)
	}
	if f.Reason != "" {
		parts = append(parts, "the engine says: "+f.Reason)
	}
	if len(f.Mutants) > 0 {
		parts = append(parts, "the same answer as fault "+strings.Join(f.Mutants, ", "))
	}
	seen := fmt.Sprintf("seen %d times", f.Count)
	if f.Generated > 0 {
		seen += fmt.Sprintf(", %d on random inputs", f.Generated)
	}
	return strings.Join(append(parts, seen), "; ") + "."
}

// mutants lists the wrong engines and what exposes them.
func (g *generator) mutants() error {
	faults := faux.All()
	exposed := 0
	var missing, cannot []string
	var rows bytes.Buffer
	for _, f := range faults {
		name := "faux-" + f.ID + "-" + f.Name
		kills := g.matrix.Kills[name]
		switch {
		case f.Inexpressible != "":
			cannot = append(cannot, fmt.Sprintf("- %s %s: %s", f.ID, f.What, f.Inexpressible))
			continue
		case len(kills) == 0:
			missing = append(missing, f.ID)
		default:
			exposed++
		}
		first := "none"
		if len(kills) > 0 {
			first = "`" + kills[0] + "`"
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %d | %s |\n", f.ID, text(f.What), strings.Join(f.Rules, " "), len(kills), first)
	}
	g.printf("\n## Mutants\n\nA mutant is an engine of ours that has one published fault and is right everywhere else. The suite is worth what it exposes: "+
		"%d of %d mutants are exposed by named cases.\n", exposed, exposed+len(missing))
	if len(missing) > 0 {
		g.printf("\nNot exposed here: %s. Whether the hostile cases, which are left out, expose them is said by `rprcheck check --mutants`.\n", strings.Join(missing, ", "))
	}
	g.printf("\n| fault | what it does | rules | cases | the first |\n|---|---|---|---|---|\n%s", rows.String())
	if len(cannot) > 0 {
		g.printf("\nFaults that no mutant can have:\n\n%s\n", strings.Join(cannot, "\n"))
	}
	return nil
}

// coverage lists the rules, and the clauses, with their cases.
func (g *generator) coverage() error {
	g.printf("\n## Coverage\n\nHits show a rule at work, near misses where it narrowly does not apply.\n\n| rule | clause | confidence | hits | near misses |\n|---|---|---|---|---|\n")
	var not []string
	for _, c := range crosscheck.NewCoverage(g.Suite.Cases) {
		if !c.Rule.Executable {
			not = append(not, fmt.Sprintf("- %s: %s", c.Rule.ID, text(c.Rule.NotExecutable)))
			continue
		}
		g.printf("| %s | %s | %s | %d | %d |\n", c.Rule.ID, text(c.Rule.Clause), text(strings.ToLower(c.Rule.Confidence)), c.Hits, c.Miss)
	}
	if len(not) > 0 {
		g.printf("\nRules that no case can show:\n\n%s\n", strings.Join(not, "\n"))
	}
	clauses := map[string]int{}
	for _, c := range g.Suite.Cases {
		clauses[c.Clause]++
	}
	var names []string
	for c := range clauses {
		names = append(names, c)
	}
	sort.Strings(names)
	g.printf("\nCases by clause:\n\n| clause | cases |\n|---|---|\n")
	for _, c := range names {
		g.printf("| %s | %d |\n", text(c), clauses[c])
	}
	return nil
}

// readings lists the choices.
func (g *generator) readings() error {
	g.printf("\n## Readings\n\nWhere the standard leaves a choice, or its text could not be seen, the choice has a name and can be switched (`--reading RULE=VALUE`). " +
		"An engine that chooses otherwise is compared under its own choice.\n\n| rule | question | default | alternatives | confidence |\n|---|---|---|---|---|\n")
	for _, r := range readings.All() {
		var alts []string
		for _, a := range r.Alternatives {
			alts = append(alts, "`"+a.Name+"`: "+text(a.Meaning))
		}
		g.printf("| %s | %s | %s | %s | %s |\n", r.Rule, text(r.Question), text(r.Default), strings.Join(alts, "; "), text(r.Confidence))
	}
	return nil
}

// commonMode says what our matchers share.
func (g *generator) commonMode() error {
	hand := map[string]int{}
	for _, c := range g.Suite.Cases {
		if c.By == "hand" {
			hand[c.Kind]++
		}
	}
	var names []string
	for _, e := range g.Matchers {
		names = append(names, e.Name())
	}
	g.printf(`
## What our matchers share

The matchers (%s) share no search. They do share the parser, the syntax rules,
the arithmetic of values, the evaluation of measures and the output. Where these are
wrong, all of them are wrong alike, and their agreement says nothing: this is checked
by cases that were derived by hand (%s) and by engines outside, and by nothing
else. Perl, which searches patterns by the same preference, checks the search alone.
`, strings.Join(names, ", "), counts(hand))
	return nil
}

// text makes text harmless in Markdown.
func text(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'", "*", `\*`, "_", `\_`, "[", `\[`, "\n", " ").Replace(diag.Escape(s))
}

// fence makes text harmless in a fenced block.
func fence(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		out = append(out, strings.ReplaceAll(diag.Escape(strings.TrimRight(line, "\n")), "```", "` ` `"))
	}
	joined := strings.Join(out, "\n")
	if strings.HasSuffix(s, "\n") {
		joined += "\n"
	}
	return joined
}
