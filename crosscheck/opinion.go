package crosscheck

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Reply is what an opinion says of a case: lines in the form of the case's
// expected text, or, when Verdict is set, why there is no answer.
type Reply struct {
	Lines   []string
	Verdict oracle.Verdict // 0: answered
	Reason  string
}

// Opinion is one voice in a run.
type Opinion interface {
	Name() string
	// Version is the version that answers; an error says why nobody does.
	Version(ctx context.Context) (string, error)
	// Ask puts cases, and returns one reply a case, in order. Opinions that
	// answer case by case get them one at a time, from several goroutines.
	Ask(ctx context.Context, cases []*corpus.Case) []Reply
	// Batch is how many cases Ask wants at once; 1 lets a run spread the cases
	// over goroutines.
	Batch() int
	Close() error
}

// Answerer answers a case in the form of its expected text; its errors are
// those that no case can expect.
type Answerer interface {
	Answer(ctx context.Context, c *corpus.Case) ([]string, error)
}

// LocalOpinion is the opinion of code of this project: a matcher or a mutant.
type LocalOpinion struct {
	Label  string
	Ver    string
	Answer Answerer
}

// NewLocalOpinion is the opinion of a matcher.
func NewLocalOpinion(e matcher.Engine, version string) *LocalOpinion {
	return &LocalOpinion{Label: e.Name(), Ver: version, Answer: Local{Engine: e}}
}

// Mutants are the opinions of the engines that lie on purpose, one for each
// published fault that can be expressed.
func Mutants() []Opinion {
	var out []Opinion
	for _, m := range faux.Mutants() {
		out = append(out, &LocalOpinion{Label: m.Name(), Answer: Local{Engine: m, mutant: m}})
	}
	return out
}

// HonestMutant is the engine of the mutants without a fault: a third opinion on
// everything.
func HonestMutant(version string) Opinion {
	m, err := faux.New("")
	if err != nil {
		panic(err) // the engine without a fault exists
	}
	return &LocalOpinion{Label: m.Name(), Ver: version, Answer: Local{Engine: m, mutant: m}}
}

// Name returns the label.
func (l *LocalOpinion) Name() string { return l.Label }

// Version returns the version of the project.
func (l *LocalOpinion) Version(context.Context) (string, error) { return l.Ver, nil }

// Batch is 1: cases are independent.
func (l *LocalOpinion) Batch() int { return 1 }

// Close does nothing.
func (l *LocalOpinion) Close() error { return nil }

// Ask answers case by case. A limit is not comparable, never agreement.
func (l *LocalOpinion) Ask(ctx context.Context, cases []*corpus.Case) []Reply {
	out := make([]Reply, len(cases))
	for i, c := range cases {
		lines, err := l.answer(ctx, c)
		if err == nil {
			out[i].Lines = lines
			continue
		}
		e := diag.From(err)
		switch {
		case ctx.Err() != nil && c.IsHostile():
			out[i] = Reply{Verdict: oracle.NotComparable, Reason: "limit: no answer in time"}
		case ctx.Err() != nil:
			out[i].Verdict, out[i].Reason = oracle.WhyNot(oracle.Interrupted(ctx))
		case e.Stage == diag.Limit && c.Limit:
			out[i].Lines = []string{"limit"}
		case e.Stage == diag.Limit:
			out[i] = Reply{Verdict: oracle.NotComparable, Reason: "limit: " + e.Message}
		case e.Stage == diag.Unsupported:
			out[i] = Reply{Verdict: oracle.NotComparable, Reason: "unsupported: " + e.Message}
		default:
			out[i] = Reply{Verdict: oracle.Refused, Reason: e.Error()}
		}
	}
	return out
}

// answer turns a panic into an internal error, so that the run goes on.
func (l *LocalOpinion) answer(ctx context.Context, c *corpus.Case) (lines []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = diag.New(diag.Internal, "LIM-1", diag.Pos{}, "panic: %v\n%s", r, debug.Stack())
		}
	}()
	return l.Answer.Answer(ctx, c)
}

// OracleOpinion is the opinion of an engine outside.
type OracleOpinion struct {
	Oracle oracle.Oracle
	// Hostile asks the cases that are made to exhaust engines, too.
	Hostile bool
}

// Name returns the oracle's name.
func (o *OracleOpinion) Name() string { return o.Oracle.Name() }

// Version asks the oracle.
func (o *OracleOpinion) Version(ctx context.Context) (string, error) { return o.Oracle.Version(ctx) }

// Close ends what the oracle started.
func (o *OracleOpinion) Close() error { return o.Oracle.Close() }

// Batch is large: an oracle may answer many cases faster together.
func (o *OracleOpinion) Batch() int { return 250 }

// Ask translates cases to questions, asks them together, and translates back.
func (o *OracleOpinion) Ask(ctx context.Context, cases []*corpus.Case) []Reply {
	out := make([]Reply, len(cases))
	var questions []*oracle.Case
	var asked []*question
	for i, c := range cases {
		q, reason := newQuestion(c)
		if c.IsHostile() && !o.Hostile {
			reason = "a hostile input, which may exhaust an engine without budgets"
		}
		if reason != "" {
			out[i] = Reply{Verdict: oracle.NotComparable, Reason: reason}
			continue
		}
		q.at = i
		asked = append(asked, q)
		questions = append(questions, q.cases...)
	}
	replies := oracle.AskAll(ctx, o.Oracle, questions)
	for _, q := range asked {
		out[q.at] = q.reply(replies[:len(q.cases)])
		replies = replies[len(q.cases):]
	}
	return out
}

// question is a corpus case as questions to an oracle: one, or one a partition.
type question struct {
	of    *corpus.Case
	at    int
	cases []*oracle.Case
	heads []string // match: the line above each partition; empty: none
}

// newQuestion translates a case; the reason says why it cannot be asked.
func newQuestion(c *corpus.Case) (*question, string) {
	q := &question{of: c}
	oc := &oracle.Case{ID: c.Name, Readings: c.Reading}
	for _, t := range c.Tables {
		oc.Tables = append(oc.Tables, oracle.Table{Name: t.Name, Data: t.Data})
	}
	for _, p := range c.Params {
		oc.Params = append(oc.Params, oracle.Param{Name: p.Name, Type: p.Value.Type, Value: p.Value.Value})
	}
	switch c.Kind {
	case corpus.Labels:
		rows, err := labelRows(c)
		if err != nil {
			return nil, "the case is in error: " + err.Error()
		}
		oc.Op, oc.Pattern, oc.Subset, oc.Rows, oc.Tables = oracle.Map, c.Pattern, c.Subset, rows, nil
	case corpus.Match:
		return matchQuestion(c)
	case corpus.Prefer:
		oc.Op, oc.Pattern, oc.MaxRows, oc.Tables = oracle.Prefer, c.Pattern, c.MaxRows, nil
	case corpus.Recognize, corpus.Window:
		oc.Op, oc.SQL = oracle.Query, c.SQL
	case corpus.Refuse:
		oc.Op, oc.SQL = oracle.Check, c.SQL
		if c.Over != "" {
			oc.SQL = "SELECT * FROM " + c.Over + " " + c.SQL
		}
	default:
		return nil, "no engine is asked about a case of kind " + c.Kind
	}
	q.cases = []*oracle.Case{oc}
	return q, ""
}

// MapQuestion translates a labels case into the question of op map; the reason
// says why it cannot be asked.
func MapQuestion(c *corpus.Case) (*oracle.Case, string) {
	q, reason := newQuestion(c)
	if reason != "" {
		return nil, reason
	}
	return q.cases[0], ""
}

// reply translates an oracle's replies into the form of the expected text.
func (q *question) reply(replies []oracle.Reply) Reply {
	var lines []string
	for i, r := range replies {
		if r.Err != nil {
			v, reason := oracle.WhyNot(r.Err)
			return Reply{Verdict: v, Reason: reason}
		}
		if q.heads != nil && q.heads[i] != "" {
			lines = append(lines, q.heads[i])
		}
		more, reason := answerLines(q.of, r.Answer)
		if reason != "" {
			return Reply{Verdict: oracle.NotComparable, Reason: reason}
		}
		lines = append(lines, more...)
	}
	return Reply{Lines: lines}
}

// answerLines writes an oracle's answer as a case file does.
func answerLines(c *corpus.Case, a oracle.Answer) ([]string, string) {
	switch {
	case c.Kind == corpus.Refuse:
		if a.Accepted && a.Err == nil {
			return []string{"accepted"}, ""
		}
		// Another engine names no rule of ours and may point elsewhere: what can
		// be compared is that it refuses.
		if len(c.Answer) == 1 && c.Answer[0] != "accepted" {
			return c.Answer, ""
		}
		if a.Err != nil {
			return []string{"refused: " + a.Err.Message}, ""
		}
		return []string{"refused"}, ""
	case a.Err != nil:
		return []string{ErrorText(a.Err)}, ""
	case a.Mappings != nil:
		out := make([]string, len(a.Mappings))
		for i, m := range a.Mappings {
			out[i] = fmt.Sprintf("%d: %s", i+1, m)
		}
		return out, ""
	case a.Candidates != nil:
		return a.Candidates, ""
	case a.Table != nil:
		return TableLines(a.Table, a.Ordered), ""
	}
	return nil, "the engine gave no answer"
}
