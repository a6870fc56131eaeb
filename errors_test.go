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

// TestErrorsHelp holds every error of the suite to what a reader of it needs: a
// sentence, a place whose text is at hand, and what to change.
func TestErrorsHelp(t *testing.T) {
	verb := regexp.MustCompile(`%![a-zA-Z(]|%!\(`)
	count := 0
	for _, f := range caseFiles(t) {
		cases, _ := corpus.Decode(f)
		for _, c := range cases {
			if c.Kind != corpus.Refuse && (c.Kind != corpus.Recognize && c.Kind != corpus.Window || len(c.Answer) != 1) {
				continue
			}
			e := refusal(t, c)
			if e == nil {
				continue
			}
			count++
			t.Logf("%s\n%s", c.Name, e.Detail())
			for what, text := range map[string]string{"message": e.Message, "hint": e.Hint} {
				switch {
				case text == "":
					t.Errorf("%s: the error has no %s: %v", c.Name, what, e)
				case strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "..."), text != strings.TrimSpace(text):
					t.Errorf("%s: the %s ends in a full stop or a blank: %q", c.Name, what, text)
				case verb.MatchString(text), strings.Contains(text, "<nil>"):
					t.Errorf("%s: the %s is not filled in: %q", c.Name, what, text)
				}
			}
			if !e.Pos.IsValid() || e.Source == "" {
				t.Errorf("%s: the error has no place: %v", c.Name, e)
			}
		}
	}
	if count < 300 {
		t.Errorf("%d errors were seen: the walk has lost cases", count)
	}
}
