package crosscheck

import (
	"fmt"
	"io"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/semantics/rulebook"
)

// Coverage is how many cases a rule has.
type Coverage struct {
	Rule rulebook.Rule
	Hits int // cases that show the rule at work: a match, an output, a refusal
	Miss int // near misses: nothing matches, or the text is accepted
}

// Missing says what an executable rule lacks; "" if nothing.
func (c Coverage) Missing() string {
	switch {
	case !c.Rule.Executable:
		return ""
	case c.Hits+c.Miss == 0:
		return "no case"
	case c.Hits == 0:
		return "no hit"
	case c.Miss == 0:
		return "no near miss"
	}
	return ""
}

// NewCoverage counts cases by rule, in the order of the rulebook.
func NewCoverage(cases []*corpus.Case) []Coverage {
	at := map[string]*Coverage{}
	var list []*Coverage
	for _, r := range rulebook.All() {
		c := &Coverage{Rule: r}
		at[strings.ToUpper(r.ID)] = c
		list = append(list, c)
	}
	for _, c := range cases {
		for _, id := range c.Rules {
			if cov := at[strings.ToUpper(id)]; cov != nil {
				if isMiss(c) {
					cov.Miss++
				}
				if isHit(c) {
					cov.Hits++
				}
			}
		}
	}
	out := make([]Coverage, len(list))
	for i, c := range list {
		out[i] = *c
	}
	return out
}

// isMiss reports a case in which something does not happen: a text that is
// accepted beside those refused, a row at which nothing matches or only an empty
// match is found, an answer under another reading, a result with a NULL or
// without rows, and what the argument near marks.
func isMiss(c *corpus.Case) bool {
	if c.Near {
		return true
	}
	switch c.Kind {
	case corpus.Refuse:
		return len(c.Answer) == 1 && c.Answer[0] == "accepted"
	case corpus.Labels, corpus.Match:
		for _, l := range c.Answer {
			if strings.HasSuffix(l, ": -") || strings.HasSuffix(l, ": ()") {
				return true
			}
		}
		return false
	case corpus.Recognize, corpus.Window:
		if len(c.Answer) == 1 {
			return true
		}
		for _, l := range c.Answer[1:] {
			if strings.Contains(" "+l+" ", " NULL ") {
				return true
			}
		}
		return len(c.Reading) > 0
	}
	return len(c.Answer) <= 1
}

// isHit reports a case in which something happens.
func isHit(c *corpus.Case) bool {
	switch c.Kind {
	case corpus.Refuse:
		return len(c.Answer) == 1 && c.Answer[0] != "accepted"
	case corpus.Labels, corpus.Match:
		for _, l := range c.Answer {
			if _, text, ok := strings.Cut(l, ": "); ok && text != "-" && text != "()" {
				return true
			}
		}
		return false
	case corpus.Recognize, corpus.Window:
		return len(c.Answer) > 1 || len(c.Answer) == 1 && strings.HasPrefix(c.Answer[0], "error")
	}
	return len(c.Answer) > 0
}

// WriteCoverage lists every rule with its cases, and returns the rules that lack one.
func WriteCoverage(w io.Writer, list []Coverage) (missing int) {
	fmt.Fprintf(w, "%-13s %6s %6s  %s\n", "rule", "hits", "misses", "")
	for _, c := range list {
		note := c.Missing()
		if note != "" {
			missing++
		}
		if !c.Rule.Executable {
			note = "not executable: " + c.Rule.NotExecutable
		}
		fmt.Fprintf(w, "%-13s %6d %6d  %s\n", c.Rule.ID, c.Hits, c.Miss, note)
	}
	return missing
}
