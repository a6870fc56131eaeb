package drift_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// answering is a subject that answers whole queries.
type answering struct {
	name string
	run  func(ctx context.Context, sql string, o query.Options, lim matcher.Limits) (*query.Result, error)
}

func (a answering) Name() string                            { return a.name }
func (a answering) Version(context.Context) (string, error) { return "", nil }
func (a answering) Supports(*oracle.Case) string            { return "" }
func (a answering) Close() error                            { return nil }
func (a answering) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	res, err := a.run(ctx, c.SQL, query.Options{Tables: func(string, bool) (*table.Table, bool, error) { return c.Tables[0].Data, true, nil }}, lim)
	if err != nil {
		e := diag.From(err)
		if e.Stage == diag.Limit {
			return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "limit")
		}
		return oracle.Answer{Err: e}, nil
	}
	return oracle.Answer{Table: res.Table}, nil
}

func runQueries(t *testing.T, o drift.QueryOptions, s drift.Subject) *drift.QueryReport {
	t.Helper()
	o.Seed = *seed
	r, err := drift.RunQueries(context.Background(), o, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", r)
	for _, d := range r.Drifts {
		t.Logf("%s", d)
	}
	return r
}

// TestQueriesOfOurs: neither the enumerator nor the honest engine among the
// mutants gives another answer.
func TestQueriesOfOurs(t *testing.T) {
	honest, err := faux.New("")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []answering{{"honest", honest.Run}, {"enumerate", func(ctx context.Context, sql string, o query.Options, lim matcher.Limits) (*query.Result, error) {
		o.Recognizer = matcher.Using(enumerate.Engine{}, lim)
		return query.Run(ctx, sql, o)
	}}} {
		r := runQueries(t, drift.QueryOptions{N: 400, All: true}, s)
		if len(r.Drifts) > 0 || r.Failed > 0 || r.Compared < 380 {
			t.Errorf("seed %d: %s", *seed, r)
		}
	}
}

// TestQueriesOfMutants: engines with one fault are found, made small, and
// explained by that fault among others.
func TestQueriesOfMutants(t *testing.T) {
	for _, id := range []string{"35a", "48", "51", "61", "66a", "72a", "74"} {
		m, err := faux.New(id)
		if err != nil {
			t.Errorf("%s: %v", id, err)
			continue
		}
		t.Run(m.Name(), func(t *testing.T) {
			r := runQueries(t, drift.QueryOptions{N: 5_000}, answering{m.Name(), m.Run})
			if len(r.Drifts) != 1 {
				t.Fatalf("seed %d: not found in %d queries", *seed, r.Drawn)
			}
			d := r.Drifts[0]
			if !slices.Contains(d.Faults, m.Name()) || len(d.Rules) == 0 || len(d.Table) > 6 {
				t.Errorf("seed %d: explained by %q", *seed, d.Faults)
			}
		})
	}
}

// TestUnexplained: an answer that no fault gives is not explained.
func TestUnexplained(t *testing.T) {
	nonsense := func(ctx context.Context, sql string, o query.Options, lim matcher.Limits) (*query.Result, error) {
		return query.Run(ctx, "SELECT 'x' AS nonsense FROM (VALUES (1)) AS v", o)
	}
	r := runQueries(t, drift.QueryOptions{N: 32}, answering{"nonsense", nonsense})
	if len(r.Drifts) != 1 || len(r.Drifts[0].Rules) != 0 {
		t.Errorf("seed %d: %s", *seed, r)
	}
}
