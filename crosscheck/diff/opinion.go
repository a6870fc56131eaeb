package diff

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/engine"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// rules is the reference, with a budget: what the rules say of a case.
var rules = crosscheck.Local{Engine: reference.Engine{}, Limits: matcher.Limits{Steps: 200_000}}

// under returns a case under a profile of readings. What the case itself says of
// one holds.
func under(c *corpus.Case, settings []string) (*corpus.Case, error) {
	d := *c
	for _, s := range settings {
		if named(c.Reading, s) {
			continue
		}
		if err := d.Readings.Apply(s); err != nil {
			return nil, err
		}
	}
	return &d, nil
}

// reading asks what the rules say under a profile of readings.
func reading(ctx context.Context, c *corpus.Case, settings []string) ([]string, error) {
	d, err := under(c, settings)
	if err != nil {
		return nil, err
	}
	return rules.Answer(ctx, d)
}

func named(list []string, setting string) bool {
	rule, _, _ := strings.Cut(setting, "=")
	for _, r := range list {
		if other, _, _ := strings.Cut(r, "="); strings.EqualFold(other, rule) {
			return true
		}
	}
	return false
}

// recorder keeps the errors that an engine reports, whose text the answer in
// the form of a case does not hold, and makes refusals of those that are.
type recorder struct {
	oracle.Oracle
	mu       sync.Mutex
	messages map[string]string // by case: the last error
}

func (r *recorder) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	a := r.AskAll(ctx, []*oracle.Case{c})[0]
	return a.Answer, a.Err
}

func (r *recorder) AskAll(ctx context.Context, cases []*oracle.Case) []oracle.Reply {
	out := oracle.AskAll(ctx, r.Oracle, cases)
	for i := range out {
		e := out[i].Answer.Err
		if e == nil || out[i].Err != nil {
			continue
		}
		r.mu.Lock()
		r.messages[cases[i].ID] = e.Message
		r.mu.Unlock()
		if cases[i].Op != oracle.Check && (e.Stage != diag.Runtime || cases[i].Op != oracle.Query) {
			out[i] = oracle.Reply{Err: &oracle.Unanswered{Verdict: oracle.Refused, Reason: e.Message, Err: e}}
		}
	}
	return out
}

func (r *recorder) message(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.messages[id]
}

// opinion is an engine as an opinion in a run.
type opinion struct {
	engine *Engine
	from   crosscheck.Opinion
	record *recorder // nil for engines within this process
}

// newOpinion returns the opinion of an oracle; hostile asks the hostile cases.
func newOpinion(e *Engine, o oracle.Oracle, hostile bool) *opinion {
	r := &recorder{Oracle: o, messages: map[string]string{}}
	from := engine.New(r)
	from.Hostile = hostile
	return &opinion{engine: e, from: from, record: r}
}

// Name returns the engine's name.
func (o *opinion) Name() string { return o.engine.Name }

// Version returns the engine's version.
func (o *opinion) Version(ctx context.Context) (string, error) {
	if err := o.engine.Connect(ctx); err != nil {
		return "", err
	}
	return o.engine.Version, nil
}

// Batch is small, so that progress is seen and an interruption loses little.
func (o *opinion) Batch() int { return min(o.from.Batch(), 50) }

// Close ends what was started.
func (o *opinion) Close() error { return o.from.Close() }

// Ask asks, and judges what a difference is worth before it counts as one.
func (o *opinion) Ask(ctx context.Context, cases []*corpus.Case) []crosscheck.Reply {
	out := make([]crosscheck.Reply, len(cases))
	var asked []*corpus.Case
	var at []int
	for i, c := range cases {
		if reason := o.engine.withheld(c); reason != "" {
			out[i] = crosscheck.Reply{Verdict: oracle.NotComparable, Reason: reason}
			continue
		}
		asked, at = append(asked, c), append(at, i)
	}
	replies := o.from.Ask(ctx, asked)
	late, cancel := afterwards(ctx)
	defer cancel()
	ctx = late
	for k, r := range replies {
		out[at[k]] = o.judge(ctx, asked[k], r)
	}
	return out
}

func (o *opinion) judge(ctx context.Context, c *corpus.Case, r crosscheck.Reply) crosscheck.Reply {
	if reason := ownRefusal(c); reason != "" && (r.Verdict == 0 || r.Verdict == oracle.Refused) {
		return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: reason}
	}
	if r.Verdict == oracle.Refused && len(c.Params) > 0 && (len(c.Answer) > 0 && isError(c.Answer[0]) || slices.Contains(c.Rules, "NAV-5")) {
		return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: "a host variable was put as a literal, whose error may be reported before the statement runs (NAV-5)"}
	}
	if r.Verdict != 0 || len(r.Lines) == 0 && len(c.Answer) == 0 {
		return r
	}
	legal := c.Kind != corpus.Refuse || len(c.Answer) == 1 && c.Answer[0] == "accepted"
	if c.Kind == corpus.Refuse && legal && len(r.Lines) == 1 {
		if why, refused := strings.CutPrefix(r.Lines[0], "refused"); refused {
			return crosscheck.Reply{Verdict: oracle.Refused, Reason: strings.TrimPrefix(why, ": ")}
		}
	}
	if same, note := Compare(c, c.Answer, r.Lines); same {
		return crosscheck.Reply{Lines: c.Answer, Reason: note}
	}
	if note := o.excused(ctx, c, r.Lines); note != "" {
		if strings.HasPrefix(note, "ties") {
			return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: note}
		}
		return crosscheck.Reply{Lines: c.Answer, Reason: note}
	}
	if ctx.Err() != nil { // nobody knows whether it is a difference
		return crosscheck.Reply{Verdict: oracle.Failed, Reason: oracle.Interrupted(ctx).Reason}
	}
	raised := len(r.Lines) == 1 && isError(r.Lines[0])
	if raised && slices.Contains(c.Rules, "DEF-15") {
		return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: "an error that lazy evaluation avoids may be raised all the same (DEF-15)"}
	}
	if o.record != nil && raised {
		r.Reason = o.record.message(c.Name)
	}
	return r
}

// excused says why an answer that is not the expected one is nevertheless right:
// the engine's readings, or another order of tied rows.
func (o *opinion) excused(ctx context.Context, c *corpus.Case, got []string) string {
	for _, setting := range o.engine.Readings {
		lines, err := reading(ctx, c, []string{setting})
		if err == nil && !crosscheck.SameAnswer(c, c.Answer, lines) {
			if same, _ := Compare(c, lines, got); same {
				return NoteReading + setting
			}
		}
	}
	if len(o.engine.Readings) > 1 {
		if lines, err := reading(ctx, c, o.engine.Readings); err == nil && !crosscheck.SameAnswer(c, c.Answer, lines) {
			if same, _ := Compare(c, lines, got); same {
				return NoteReading + strings.Join(o.engine.Readings, ", ")
			}
		}
	}
	return o.tied(ctx, c, got)
}

// tied tries the orders of rows that ORDER BY leaves open (NUL-3). It returns
// NoteTies if the answer fits one, a reason beginning with "ties" if there are
// too many to be tried, and "" if none fits or there are no ties.
func (o *opinion) tied(ctx context.Context, c *corpus.Case, got []string) string {
	if c.Kind != corpus.Recognize && c.Kind != corpus.Window {
		return ""
	}
	d, err := under(c, o.engine.Readings)
	if err != nil {
		return ""
	}
	switch engine.FitsOrder(ctx, d, rules.Engine, rules.Limits, func(lines []string) bool {
		same, _ := Compare(c, lines, got)
		return same
	}) {
	case engine.FitsOne:
		return NoteTies
	case engine.TooManyFits:
		return fmt.Sprintf("ties: ORDER BY leaves more than %d orders", engine.MaxOrders)
	}
	return ""
}

// ownRefusal says why the expected answer of a case is none that the standard gives:
// a limit of ours, or legal SQL that we do not do.
func ownRefusal(c *corpus.Case) string {
	stage, _, _ := strings.Cut(strings.Join(c.Answer, " "), " ")
	switch stage {
	case "unsupported":
		return "the expected refusal is of legal SQL that rprcheck does not do"
	case "limit":
		return "the expected refusal is a limit of rprcheck"
	}
	return ""
}
