package query

import (
	"context"
	"sort"
	"sync"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Recognizer does the row pattern recognition. Package matcher has one for
// every engine.
type Recognizer interface {
	// Recognize returns the output table of a clause of the FROM form (chapter 7).
	Recognize(ctx context.Context, c *semantics.Clause, in *table.Table) (*table.Table, error)
	// Frames returns the reduced frame of every row for a clause of the window
	// form (WIN-5).
	Frames(ctx context.Context, c *semantics.Clause, in *table.Table) (*semantics.Frames, error)
}

// Options are what a statement needs besides its text.
type Options struct {
	// Tables finds a named table; the name is folded, or exact if it was
	// written in quotes. False: there is no such table. An error is reported
	// at the name. Nil: there are no tables.
	Tables func(name string, quoted bool) (*table.Table, bool, error)
	// Names are the tables that Tables has, for error messages.
	Names []string
	// Untyped accepts unknown tables, with columns of unknown names and types:
	// a check without tables.
	Untyped bool
	// Readings are the choices of chapter 17, for Bind and Run. They should be
	// those that the statement was parsed with.
	Readings readings.Set
	// Params gives the host variables by folded name.
	Params map[string]scalar.Param
	// Recognizer is needed by Run, not by Bind.
	Recognizer Recognizer
}

// Result is the result of a query.
type Result struct {
	Table   *table.Table
	Ordered bool // the query ends with ORDER BY (OUT-8: otherwise no order is promised)
}

// Bound is a statement whose names and types are resolved and that breaks no
// rule. It is safe for concurrent use.
type Bound struct {
	// Untyped reports that a table was not at hand: nothing is known of the
	// columns that come from it, and the statement cannot be run.
	Untyped bool

	st           *Statement
	opt          Options
	rel          relation
	recognitions []*semantics.Clause
	missing      *diag.Error // the first table that was not at hand
	x            *execution
	mu           sync.Mutex
	ran          bool
}

// Columns returns name and type of the result's columns, as far as they are known.
func (b *Bound) Columns() []semantics.Field { return b.rel.fields }

// Recognitions returns the recognitions of the statement, windows included, in
// source order.
func (b *Bound) Recognitions() []*semantics.Clause { return b.recognitions }

// Bind resolves names and types and checks all rules. The error is the one
// that chapter 13 puts first, as a *diag.Error with the statement as source.
func Bind(st *Statement, o Options) (*Bound, error) {
	var errs diag.List
	b := &binder{st: st, opt: o, errs: &errs, x: &execution{recognizer: o.Recognizer}, value: o.Readings.ValueOptions()}
	for _, e := range st.late {
		errs.Add(e)
	}
	rel := b.query(st.query, nil)
	if err := errs.First(); err != nil {
		return nil, diag.From(err).In(st.source)
	}
	sort.SliceStable(b.recognitions, func(i, j int) bool { return b.recognitions[i].at < b.recognitions[j].at })
	out := &Bound{st: st, opt: o, rel: rel, x: b.x, missing: b.missing, Untyped: b.missing != nil}
	for _, r := range b.recognitions {
		out.recognitions = append(out.recognitions, r.clause)
	}
	return out, nil
}

// Run evaluates the query. Errors are *diag.Error with the statement as source,
// or the context's error.
func (b *Bound) Run(ctx context.Context) (*Result, error) {
	if b.missing != nil {
		return nil, b.missing
	}
	b.mu.Lock()
	again := b.ran
	b.ran = true
	b.mu.Unlock()
	if again {
		// Results of subqueries and of WITH stay in the bound tree: another run gets a tree of its own.
		fresh, err := Bind(b.st, b.opt)
		if err != nil {
			return nil, err
		}
		return fresh.Run(ctx)
	}
	b.x.ctx = ctx
	t, err := b.rel.plan.run(b.x)
	if err != nil {
		return nil, b.located(err)
	}
	return &Result{Table: t, Ordered: b.st.query.orderBy != nil}, nil
}

// located gives an error of the evaluation the statement as source. Where the
// context has ended, that is the error.
func (b *Bound) located(err error) error {
	if b.x.ctx.Err() != nil {
		return b.x.ctx.Err()
	}
	return diag.From(err).In(b.st.source)
}

// Run parses, binds and evaluates a statement.
func Run(ctx context.Context, sql string, o Options) (*Result, error) {
	st, err := Parse(sql, o.Readings)
	if err != nil {
		return nil, err
	}
	b, err := Bind(st, o)
	if err != nil {
		return nil, err
	}
	return b.Run(ctx)
}
