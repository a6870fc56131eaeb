package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Profiled is an oracle that knows the choices of its engine.
type Profiled interface {
	oracle.Oracle
	Profile() *dialect.Profile
}

// Opinion is the opinion of a live engine. It implements crosscheck.Opinion.
type Opinion struct {
	crosscheck.OracleOpinion
	profile dialect.Profile
	expect  matcher.Engine // what says how the engine should answer under its own choices
}

// New returns the opinion of an oracle. If the oracle is Profiled, its choices
// are applied before answers are compared.
func New(o oracle.Oracle) *Opinion {
	e := &Opinion{OracleOpinion: crosscheck.OracleOpinion{Oracle: o}, expect: reference.Engine{}}
	if p, ok := o.(Profiled); ok {
		e.profile = *p.Profile()
	}
	return e
}

// Notes of answers that agree, but not to the letter. They stand in the reason
// of a result.
const (
	noteState   = "agrees but for the rule or SQLSTATE of the error, which the engine does not tell"
	noteReading = "agrees under the engine's reading "
	noteTies    = "agrees in another order of tied rows"
)

// Ask puts the cases and settles the answers.
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
	for i, c := range cases {
		out[i] = e.Settle(ctx, c, out[i])
	}
	return out
}

// Settle turns a reply that differs from the expected answer only by a choice
// of the implementation into the expected answer, with the reason; and one that
// cannot be held against the engine into no answer. Other replies stay as they
// are.
func (e *Opinion) Settle(ctx context.Context, c *corpus.Case, r crosscheck.Reply) crosscheck.Reply {
	if ours := ownLimit(c); ours != "" && (r.Verdict == 0 || r.Verdict == oracle.Refused) {
		return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: ours}
	}
	if r.Verdict == oracle.Refused && isError(c.Answer) && len(c.Params) > 0 {
		// NAV-5: an engine without host variables is given a literal.
		return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: "a host variable was put as a literal, whose error may be reported before the statement runs"}
	}
	if c.Kind == corpus.Refuse && r.Verdict == 0 && len(r.Lines) == 1 {
		if why, refused := strings.CutPrefix(r.Lines[0], "refused: "); refused {
			r = crosscheck.Reply{Verdict: oracle.Refused, Reason: why}
		}
	}
	if r.Verdict != 0 || crosscheck.SameAnswer(c, c.Answer, r.Lines) {
		return r
	}
	agrees := func(note string) crosscheck.Reply { return crosscheck.Reply{Lines: c.Answer, Reason: note} }
	if sameError(c.Answer, r.Lines) {
		return agrees(noteState)
	}
	if isError(r.Lines) && slices.Contains(c.Rules, "DEF-15") {
		return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: "an error that can be avoided may be raised or not (DEF-15)"}
	}
	if c.Kind == corpus.Recognize || c.Kind == corpus.Window {
		if nearlySame(c.Answer, r.Lines) {
			return agrees(dialect.Precision)
		}
	}
	if set, note := e.ownReadings(c); note != "" {
		d := *c
		d.Readings = set
		if lines, ok := e.answer(ctx, &d); ok && e.agree(c, lines, r.Lines) {
			return agrees(noteReading + note)
		}
	}
	if c.Kind == corpus.Recognize || c.Kind == corpus.Window {
		set, _ := e.ownReadings(c)
		return e.settleTies(ctx, c, set, r)
	}
	return r
}

// ownLimit says why the expected answer of a case is none that the standard
// gives: a limit of ours, or legal SQL that we do not do.
func ownLimit(c *corpus.Case) string {
	if len(c.Answer) == 0 {
		return ""
	}
	switch stage, _, _ := strings.Cut(c.Answer[0], " "); stage {
	case "unsupported":
		return "the expected refusal is of legal SQL that rprcheck does not do"
	case "limit":
		return "the expected refusal is a limit of rprcheck"
	}
	return ""
}

// isError reports the answer of a run-time error.
func isError(lines []string) bool { return len(lines) > 0 && strings.HasPrefix(lines[0], "error ") }

// sameError reports two run-time errors of one rule or of one SQLSTATE: engines
// name no rules, and do not all give the standard's SQLSTATE.
func sameError(want, got []string) bool {
	if !isError(want) || !isError(got) {
		return false
	}
	w, g := strings.Fields(want[0]), strings.Fields(got[0])
	return len(w) > 2 && len(g) > 2 && w[1] == g[1] && (w[2] == g[2] || len(w) > 3 && len(g) > 3 && w[3] == g[3])
}

// ownReadings returns the readings of the case with the engine's choices for
// all that the case does not fix, and names those choices; "" if they are the
// case's.
func (e *Opinion) ownReadings(c *corpus.Case) (readings.Set, string) {
	set := e.profile.Readings
	for _, r := range c.Reading {
		if set.Apply(r) != nil {
			return c.Readings, ""
		}
	}
	if set == c.Readings {
		return set, ""
	}
	return set, strings.Join(set.List(), ", ")
}

// answer is what the rules say of a case, as far as they give an answer.
func (e *Opinion) answer(ctx context.Context, c *corpus.Case) ([]string, bool) {
	lines, err := crosscheck.Local{Engine: e.expect}.Answer(ctx, c)
	return lines, err == nil
}

// agree compares an answer with an expected one, precision left aside.
func (e *Opinion) agree(c *corpus.Case, want, got []string) bool {
	if crosscheck.SameAnswer(c, want, got) {
		return true
	}
	return (c.Kind == corpus.Recognize || c.Kind == corpus.Window) && (sameError(want, got) || nearlySame(want, got))
}

// Same compares two answers to a case as the engine's own are compared with the
// expected ones, but for ties and readings.
func (e *Opinion) Same(c *corpus.Case, want, got []string) bool { return e.agree(c, want, got) }

// nearlySame compares two tables up to precision.
func nearlySame(want, got []string) bool {
	a, orderedA, ok := parseLines(want)
	if !ok {
		return false
	}
	b, orderedB, ok := parseLines(got)
	return ok && orderedA == orderedB && dialect.Same(a, b, orderedA)
}

// parseLines reads a table from the lines of an answer.
func parseLines(lines []string) (t *table.Table, ordered, ok bool) {
	if len(lines) == 0 || isError(lines) {
		return nil, false, false
	}
	rows := lines[1:]
	if len(rows) > 0 && rows[len(rows)-1] == "ordered" {
		rows, ordered = rows[:len(rows)-1], true
	}
	t, err := corpus.ParseTable(lines[0], rows)
	return t, ordered, err == nil
}
