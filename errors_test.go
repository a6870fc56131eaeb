package rprcheck_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// refusal returns the error of a case, by a run for those that answer with rows.
func refusal(t *testing.T, c *corpus.Case) *diag.Error {
	t.Helper()
	o := query.Options{Readings: c.Readings, Params: map[string]scalar.Param{},
		Recognizer: matcher.Using(reference.Engine{}, matcher.Limits{Steps: c.Steps}),
		Tables: func(name string, _ bool) (*table.Table, bool, error) {
			data, ok := c.Table(name)
			return data, ok, nil
		}}
	for _, p := range c.Params {
		o.Params[p.Name] = scalar.Param{Type: p.Value.Type, Value: p.Value.Value}
	}
	if c.Kind != corpus.Refuse {
		_, err := query.Run(t.Context(), c.SQL, o)
		return diag.From(err)
	}
	if c.Over == "" {
		st, err := query.Parse(c.SQL, c.Readings)
		if err == nil {
			_, err = query.Bind(st, o)
		}
		return diag.From(err)
	}
	name := table.FoldName(c.Over)
	in, ok := c.Table(name)
	if !ok {
		t.Fatalf("%s: there is no table %s", c.Name, c.Over)
	}
	_, err := semantics.Parse(c.SQL, semantics.RowTypeOf(in, name), semantics.Options{Readings: c.Readings, Params: o.Params})
	return diag.From(err)
}

// unfilled finds what fmt leaves where a format and its values do not fit.
var unfilled = regexp.MustCompile(`%![a-zA-Z(]|<nil>`)

// checkHelps holds an error to what a reader of it needs: a sentence, a place
// whose text is at hand, and what to change.
func checkHelps(t *testing.T, name string, e *diag.Error) {
	t.Helper()
	for what, text := range map[string]string{"message": e.Message, "hint": e.Hint} {
		switch {
		case text == "":
			t.Errorf("%s: the error has no %s: %v", name, what, e)
		case strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "..."), text != strings.TrimSpace(text):
			t.Errorf("%s: the %s ends in a full stop or a blank: %q", name, what, text)
		case unfilled.MatchString(text):
			t.Errorf("%s: the %s is not filled in: %q", name, what, text)
		}
	}
	if !e.Pos.IsValid() || e.Source == "" || e.Stage == diag.Internal {
		t.Errorf("%s: the error has no place, or is a defect: %v", name, e)
	}
}

// TestErrorsHelp checks every error that the suite expects.
func TestErrorsHelp(t *testing.T) {
	count := 0
	for _, f := range caseFiles(t) {
		cases, _ := corpus.Decode(f)
		for _, c := range cases {
			if c.Kind != corpus.Refuse && (c.Kind != corpus.Recognize && c.Kind != corpus.Window || len(c.Answer) != 1) {
				continue
			}
			if e := refusal(t, c); e != nil {
				count++
				t.Logf("%s\n%s", c.Name, e.Detail())
				checkHelps(t, c.Name, e)
			}
		}
	}
	if count < 300 {
		t.Errorf("%d errors were seen: the walk has lost cases", count)
	}
}

// TestErrorsHelpAfterSlips makes the slips of a writer in every refuse case:
// each word in turn is left out, written twice, or followed by a comma too many.
func TestErrorsHelpAfterSlips(t *testing.T) {
	count := 0
	for _, f := range caseFiles(t) {
		cases, _ := corpus.Decode(f)
		for _, c := range cases {
			if c.Kind != corpus.Refuse {
				continue
			}
			words := strings.Fields(c.SQL)
			for i, w := range words {
				for _, slip := range []string{"", w + " " + w, w + ","} {
					words[i] = slip
					wrong := *c
					wrong.SQL = strings.Join(words, " ")
					if e := refusal(t, &wrong); e != nil {
						count++
						checkHelps(t, wrong.SQL, e)
					}
				}
				words[i] = w
			}
		}
	}
	t.Logf("%d errors", count)
	if count < 10_000 {
		t.Errorf("%d errors were seen: the walk has lost cases", count)
	}
}
