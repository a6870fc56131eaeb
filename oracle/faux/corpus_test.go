package faux

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// cases returns the cases of the corpus; broken ones are left out.
func cases(t testing.TB) []*corpus.Case {
	t.Helper()
	fsys := os.DirFS("../../testdata/rpr")
	names, err := corpus.Walk(fsys, ".")
	if err != nil {
		t.Skip("there is no corpus")
	}
	var out []*corpus.Case
	for _, name := range names {
		f, err := fsys.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := corpus.ReadItems(name, f)
		f.Close()
		if err != nil {
			continue
		}
		if strings.HasPrefix(name, "hostile/") {
			continue // mutants have small budgets
		}
		found, _ := corpus.Decode(file)
		out = append(out, found...)
	}
	return out
}

// answer says what an engine answers to a case: the reference if m is nil.
func answer(ctx context.Context, m *Mutant, c *corpus.Case) string {
	lim := matcher.Limits{Steps: 100_000}
	switch c.Kind {
	case corpus.Labels:
		clause, _, err := semantics.Labelled(c.Pattern, c.Subset, nil)
		if err != nil {
			return failure(err)
		}
		rows := make([][]string, len(c.Rows))
		for i, r := range c.Rows {
			rows[i] = clause.LabelNames(r)
		}
		clause, in, err := semantics.Labelled(c.Pattern, c.Subset, rows)
		if err != nil {
			return failure(err)
		}
		return mapped(ctx, m, clause, in, lim)
	case corpus.Match:
		in, _ := c.Table(table.FoldName(c.Over))
		clause, err := clauseOf(m, c, in)
		if err != nil {
			return failure(err)
		}
		return mapped(ctx, m, clause, in, lim)
	case corpus.Prefer:
		return candidates(m, c)
	case corpus.Recognize, corpus.Window:
		res, err := ran(ctx, m, c, lim)
		if err != nil {
			return failure(err)
		}
		return tableText(res)
	case corpus.Refuse:
		var err error
		if in, ok := c.Table(table.FoldName(c.Over)); ok && c.Over != "" {
			_, err = clauseOf(m, c, in)
		} else if m != nil {
			err = m.Check(c.SQL, options(c))
		} else {
			var st *query.Statement
			if st, err = query.Parse(c.SQL, c.Readings); err == nil {
				_, err = query.Bind(st, options(c))
			}
		}
		if err != nil {
			return failure(err)
		}
		return "accepted"
	}
	return "not asked"
}

func failure(err error) string {
	e := diag.From(err)
	return fmt.Sprintf("%s %s %s %d:%d", e.Stage, e.Rule, e.SQLSTATE, e.Pos.Line, e.Pos.Column)
}

func clauseOf(m *Mutant, c *corpus.Case, in *table.Table) (*semantics.Clause, error) {
	row, opt := semantics.RowTypeOf(in, ""), semantics.Options{Readings: c.Readings}
	if c.Kind == corpus.Refuse {
		row.Correlation = table.FoldName(c.Over)
	}
	if m == nil {
		return semantics.Parse(c.SQL, row, opt)
	}
	return m.Clause(c.SQL, row, opt)
}

func mapped(ctx context.Context, m *Mutant, c *semantics.Clause, in *table.Table, lim matcher.Limits) string {
	e := matcher.Engine(reference.Engine{})
	if m != nil {
		e = m
	}
	maps, err := matcher.Map(ctx, e, c, in, lim)
	if err != nil {
		return failure(err)
	}
	out := make([]string, len(maps))
	for i, found := range maps {
		out[i] = mappingText(c, found)
	}
	return strings.Join(out, "; ")
}

func candidates(m *Mutant, c *corpus.Case) string {
	p, err := semantics.ParsePattern(c.Pattern)
	if err != nil {
		return failure(err)
	}
	var out []string
	if m != nil {
		if out, err = m.Candidates(p, c.Pattern, c.MaxRows); err != nil {
			return failure(err)
		}
		return strings.Join(out, "; ")
	}
	for cand, err := range enumerate.Candidates(p, c.MaxRows) {
		if err != nil {
			return failure(err)
		}
		if out = append(out, cand.String()); len(out) > maxCandidates {
			return "limit LIM-1 54000 1:1"
		}
	}
	return strings.Join(out, "; ")
}

func options(c *corpus.Case) query.Options {
	return query.Options{Readings: c.Readings, Tables: func(name string, _ bool) (*table.Table, bool, error) {
		t, ok := c.Table(name)
		return t, ok, nil
	}}
}

func ran(ctx context.Context, m *Mutant, c *corpus.Case, lim matcher.Limits) (*query.Result, error) {
	o := options(c)
	if m != nil {
		return m.Run(ctx, c.SQL, o, lim)
	}
	o.Recognizer = matcher.Using(reference.Engine{}, lim)
	return query.Run(ctx, c.SQL, o)
}

func tableText(res *query.Result) string {
	var head []string
	for _, c := range res.Table.Columns() {
		head = append(head, c.Name+" "+c.Type.String())
	}
	rows := make([]string, res.Table.NumRows())
	for r := range rows {
		for i, c := range res.Table.Columns() {
			rows[r] += " " + value.SQL(res.Table.Value(r, i), c.Type)
		}
	}
	if !res.Ordered {
		sort.Strings(rows)
	}
	return strings.Join(append([]string{strings.Join(head, ", ")}, rows...), "\n")
}

// TestHonestCorpus: without a fault the engine answers every case of the corpus
// as the reference and the enumerator do.
func TestHonestCorpus(t *testing.T) {
	honest := mutant(t, "")
	compared, limits := 0, 0
	for _, c := range cases(t) {
		got := answer(t.Context(), honest, c)
		if strings.HasPrefix(got, "limit ") {
			limits++
			continue
		}
		if want := answer(t.Context(), nil, c); got != want && !strings.HasPrefix(want, "limit ") {
			t.Errorf("%s:\n is     %s\n should %s", c.Name, got, want)
		}
		compared++
	}
	t.Logf("%d cases compared, %d over the limit", compared, limits)
}

// TestMutantsAnswer: every mutant gives an answer, right or wrong, to a part of
// the corpus; none fails inside.
func TestMutantsAnswer(t *testing.T) {
	all := cases(t)
	for i, m := range Mutants() {
		for k := i % 29; k < len(all); k += 29 {
			if got := answer(t.Context(), m, all[k]); strings.HasPrefix(got, "internal ") {
				t.Errorf("%s on %s: %s", m.Name(), all[k].Name, got)
			}
		}
	}
}
