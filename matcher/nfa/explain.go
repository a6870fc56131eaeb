package nfa

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// tierTexts say what the tiers do, to a user.
var tierTexts = [...]string{
	Deterministic: "at each row only one way is left to go on: matches are found going forward, one step a row",
	States:        "one pass backward finds at which rows a match can begin and how it can go on, one pass forward follows the preferred ways",
	Bits:          "as T2, with the places of the pattern that are possible at a row as bits, since there are too many combinations to number",
	Runs:          "as T2b, with repetitions of one variable counted instead of written out",
	Carried:       "what the measures need is carried from the end of each match to its start, so that overlapping matches are not walked again",
	Windowed:      "as T2b, with the earliest row at which a match can leave the window that begins at its first row",
	Search:        "backtracking in preference order, since conditions read how earlier rows are mapped; rows at which no match is possible are left out, and failures are remembered by what later conditions still read",
	Delegated:     "the reference matcher searches",
}

// Explain says in sentences which tier a clause takes and why.
func (e Engine) Explain(c *semantics.Clause, lim matcher.Limits) (string, error) {
	prog, err := e.Compile(c, lim)
	if err != nil {
		return "", err
	}
	return prog.(*program).Explain(), nil
}

// Explain says in sentences which tier the clause takes and why: a line for the
// tier, one for each condition, and lines for what can change while it runs.
func (p *program) Explain() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s: %s.", p.tier, tierTexts[p.tier])
	for _, r := range p.reasons {
		line("Because %s.", r)
	}
	if p.tier == Delegated {
		return b.String()
	}
	line("The pattern has %s once its quantifiers are unrolled.", diag.Counted(len(p.auto.positions), "place"))
	p.explainConditions(line)
	c := p.clause
	if len(p.need) > 0 {
		line("A partition of %d rows or more in which a condition that every match needs holds nowhere is passed over (T0).", minSkipRows)
	}
	switch {
	case p.tier == Deterministic:
		line("T2 takes over in a partition where a row leaves more than one way, or where long attempts fail.")
	case p.tier == States:
		line("T2b takes over in a partition that needs more than %d combinations.", maxDFAStates)
	case p.tier == Search && p.window != nil:
		line("The window of a condition bounds the search, in partitions where its column goes one way (T2w).")
	}
	if p.carry != nil && p.tier != Carried {
		line("Where matches overlap much, what the measures need is carried instead of walked (T2n).")
	}
	if p.search.raising {
		line("Where the values of the table do not exclude a run-time error in a condition, the search leaves nothing out that the reference would evaluate.")
	}
	if p.labels.conditions != nil {
		line("A partition in which a row-local condition is an error goes to the reference matcher.")
	}
	if c.Window == nil && p.output.foreign {
		line("The output is made by package semantics: a reading asks for it.")
	}
	return b.String()
}

// explainConditions lists the conjuncts of all conditions.
func (p *program) explainConditions(line func(string, ...any)) {
	for v, d := range p.defs {
		name := p.clause.Vars[v].Name.String()
		if d.conjuncts == nil {
			line("%s is not defined: it takes any row.", name)
		}
		for _, j := range d.conjuncts {
			switch j.class {
			case rowLocal:
				line("%s AS %s: row-local, evaluated once a row.", name, j.text)
			case startLocal:
				line("%s AS %s: start-determined, it reads %s.", name, j.text, j.why)
			default:
				line("%s AS %s: match-dependent, it reads %s.", name, j.text, j.why)
			}
		}
	}
}
