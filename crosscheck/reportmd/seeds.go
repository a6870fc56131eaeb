package reportmd

import (
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
)

// crossCheck is the chapter of the patterns and features on which engines part.
func (g *generator) crossCheck() error {
	g.printf("\n## The cross-check\n\nPatterns and features on which published engines part, over all opinions. A row names the preferred match at each starting row: `A B` a match of two rows, `()` an empty match, `-` none.\n")
	g.seedTable("patterns", "\n### Patterns\n\nThe order of iterations, the stop rule for empty iterations, greed of a body and of its group, absorption, and three rewrites that change the preferred match, each beside its original.\n\n", func(c *corpus.Case) string {
		return "`" + strings.ReplaceAll(c.Pattern, "|", `\|`) + "` on " + strings.Join(c.Rows, " ")
	})
	g.seedTable("claims", "\n### Claims of streaming engines\n\nTO NEXT ROW as \"the row after the last\", nested SUBSET, FIRST counted from 1, one greed for the whole pattern: each is contrary to the rules.\n\n", caseName)
	g.seedTable("features", "\n### Accepted or refused\n\nAggregates, qualifiers and subqueries in DEFINE, anchors, `PREV(1)`, `PREV(x, 1.5)` and `()`, in FROM (R010) and in windows (R020).\n\n", caseName)
	return nil
}

func caseName(c *corpus.Case) string { return strings.ReplaceAll(c.ID, "-", " ") }

// seedTable writes the cases of one file by opinions.
func (g *generator) seedTable(file, title string, label func(*corpus.Case) string) {
	g.printf("%s| case | rule | the standard |", title)
	line := "|---|---|---|"
	for _, r := range g.Recordings {
		g.printf(" %s |", versioned(r.Engine()))
		line += "---|"
	}
	g.printf("\n%s\n", line)
	for _, c := range g.seeds {
		if !strings.HasPrefix(c.Name, "seeds/"+file+"#") {
			continue
		}
		g.printf("| %s | %s | %s |", label(c), strings.Join(c.Rules, " "), answerText(c.Answer))
		for _, r := range g.Recordings {
			g.printf(" %s |", recorded(r.Stream, c))
		}
		g.printf("\n")
	}
	for _, r := range g.local.Results {
		if strings.HasPrefix(r.Case, "seeds/"+file+"#") && r.Verdict != oracle.Agrees.String() && r.Verdict != oracle.NotComparable.String() {
			g.printf("\n%s says otherwise of %s: %s\n", text(r.Opinion), text(r.Case), answerText(r.Answer))
		}
	}
}

// answerText writes an answer in one cell: the mappings without row numbers, a
// refusal with its rule.
func answerText(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if _, rest, ok := strings.Cut(l, ": "); ok && l[0] >= '0' && l[0] <= '9' {
			l = rest
		}
		out[i] = text(l)
	}
	return strings.Join(out, "; ")
}

// recorded is what an engine said of a case.
func recorded(s *crosscheck.Stream, c *corpus.Case) string {
	for _, r := range s.Results {
		if r.Case != c.Name {
			continue
		}
		switch r.Verdict {
		case oracle.Agrees.String():
			return "the same"
		case oracle.Differs.String(), oracle.KnownDifference.String():
			if len(r.Answer) > 0 {
				return "**" + answerText(r.Answer) + "**"
			}
		case oracle.NotComparable.String():
			return "not asked"
		}
		return "**" + r.Verdict + "**: " + text(cut(r.Reason))
	}
	return "not recorded"
}

func cut(s string) string {
	if len(s) > 100 {
		return s[:100] + "..."
	}
	return s
}

// gates is the chapter of the rewrites.
func (g *generator) gates() error {
	if g.Progress != nil {
		g.Progress("trying the rewrites", 0, 0)
	}
	g.printf("\n## Rewrites of patterns\n\nOptimizers rewrite patterns. A rewrite keeps the preferred match or it does not (PREF-11); each was tried on up to %d random patterns of a fixed seed, biased to what it rewrites, until one changed; counted are those to which it applied. "+
		"A gate that looks only at the lower bound of the inner quantifier, as has been proposed, does not hold (`flatten-minimum`); one that also asks for equal greed and a body of a fixed number of rows does (`flatten-fixed`).\n\n", g.Patterns)
	g.printf("| rewrite | what it does | by the rules | tried on | smallest pattern that changes |\n|---|---|---|---|---|\n")
	for _, x := range tryRewrites(g.ctx, g.Patterns) {
		if x.err != nil {
			return x.err
		}
		should, found := "changes the match", "**no change found**"
		if x.Valid {
			should, found = "keeps the match", "no change, it holds"
		}
		if x.found != nil {
			found = "`" + strings.ReplaceAll(x.found.Pattern.String(), "|", `\|`) + "` becomes `" + strings.ReplaceAll(x.found.Rewritten, "|", `\|`) + "` (" + x.found.Rule + ")"
			if x.Valid {
				found = "**broken**: " + found
			}
		}
		g.printf("| %s | %s | %s | %d | %s |\n", x.Name, text(x.Says), should, x.tried, found)
	}
	return nil
}
