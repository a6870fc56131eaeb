package exec

import (
	"context"
	"slices"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Supports says why the engine cannot be asked a case, by the operations and
// features that it lists itself; "" if it can. It starts the engine. One that
// cannot be started is asked, so that its failure is seen.
func (o *Oracle) Supports(c *oracle.Case) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.running(context.Background()) != nil {
		return ""
	}
	g := o.process.greeting
	if !slices.Contains(g.Ops, string(c.Op)) {
		return "the engine does not answer " + string(c.Op)
	}
	if _, err := newQuestion(c, ""); err != nil {
		return err.Error()
	}
	if c.Op != oracle.Query && c.Op != oracle.Check {
		return ""
	}
	if g.Dialect != "" && g.Dialect != "iso" {
		return "the engine speaks the dialect " + g.Dialect + ", not that of the standard"
	}
	for _, feature := range needed(c.SQL) {
		if len(g.Features) > 0 && !slices.Contains(g.Features, feature) {
			return "the engine does not have the feature " + feature
		}
	}
	return ""
}

// needed lists the features that a statement needs (FEAT-1): R010 for
// MATCH_RECOGNIZE, R020 for row patterns in windows. A statement that breaks a
// rule needs none: it is for the engine to refuse it.
func needed(sql string) []string {
	st, err := query.Parse(sql, readings.Set{})
	if err != nil {
		return nil
	}
	b, err := query.Bind(st, query.Options{Untyped: true})
	if err != nil {
		return nil
	}
	var out []string
	for _, c := range b.Recognitions() {
		feature := "R010"
		if c.Window != nil {
			feature = "R020"
		}
		if !slices.Contains(out, feature) {
			out = append(out, feature)
		}
	}
	return out
}
