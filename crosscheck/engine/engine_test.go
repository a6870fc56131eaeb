package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/rprcheck/rprcheck"
	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// statements is an engine that runs statements only, with a matcher of ours.
type statements struct{ matcher matcher.Engine }

func (statements) Name() string                            { return "statements" }
func (statements) Version(context.Context) (string, error) { return "1", nil }
func (statements) Close() error                            { return nil }

func (statements) Supports(c *oracle.Case) string {
	if c.Op != oracle.Query {
		return "statements only"
	}
	return ""
}

// Ask runs a statement. A matcher with a fault may return a match that no output
// can be made of: that is no answer.
func (s statements) Ask(ctx context.Context, c *oracle.Case) (answer oracle.Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	set, err := readings.Parse(c.Readings...)
	if err != nil {
		return oracle.Answer{}, err
	}
	res, err := query.Run(ctx, c.SQL, query.Options{Readings: set, Recognizer: matcher.Using(s.matcher, matcher.Limits{}),
		Tables: func(name string, _ bool) (*table.Table, bool, error) {
			for _, t := range c.Tables {
				if t.Name == name {
					return t.Data, true, nil
				}
			}
			return nil, false, nil
		}})
	if err != nil {
		return oracle.Answer{Err: diag.From(err)}, nil
	}
	return oracle.Answer{Table: res.Table, Ordered: res.Ordered}, nil
}

// Match cases that are put as statements give the answers of the suite, those
// with conditions that read the match too; an engine with a fault is found out.
func TestMatchCasesAsStatements(t *testing.T) {
	suite, err := crosscheck.LoadFS(rprcheck.Corpus, rprcheck.CorpusRoot)
	if err != nil {
		t.Fatal(err)
	}
	var cases []*corpus.Case
	for _, c := range suite.Cases {
		if c.Kind == corpus.Match && !c.IsHostile() {
			cases = append(cases, c)
		}
	}
	asked := 0
	for i, r := range New(statements{reference.Engine{}}).Ask(t.Context(), cases) {
		switch c := cases[i]; {
		case r.Verdict == oracle.NotComparable:
		case r.Verdict != 0 || !crosscheck.SameAnswer(c, c.Answer, r.Lines):
			t.Errorf("%s: %v %s\n%q, not\n%q", c.Name, r.Verdict, r.Reason, r.Lines, c.Answer)
		default:
			asked++
		}
	}
	exposed := 0
	for _, m := range faux.Mutants() {
		for i, r := range New(statements{m}).Ask(t.Context(), cases) {
			if r.Verdict == 0 && !crosscheck.SameAnswer(cases[i], cases[i].Answer, r.Lines) {
				exposed++
				break
			}
		}
	}
	t.Logf("%d of %d cases asked; they expose %d engines with a fault", asked, len(cases), exposed)
	if asked < len(cases)/2 || exposed < 10 {
		t.Errorf("%d of %d cases can be put as statements, and they expose %d engines with a fault", asked, len(cases), exposed)
	}
}
