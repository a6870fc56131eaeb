package query_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// recognizer runs the reference engine and counts what it is asked.
type recognizer struct{ recognitions, frames int }

func (r *recognizer) Recognize(ctx context.Context, c *semantics.Clause, in *table.Table) (*table.Table, error) {
	r.recognitions++
	return matcher.Recognize(ctx, reference.Engine{}, c, in, matcher.Limits{Steps: 100_000})
}

func (r *recognizer) Frames(ctx context.Context, c *semantics.Clause, in *table.Table) (*semantics.Frames, error) {
	r.frames++
	return matcher.Frames(ctx, reference.Engine{}, c, in, matcher.Limits{Steps: 100_000})
}

// tables are what the tests query: prices of WIN-6, of WIN-3, and a table with
// groups and NULLs.
var tables = map[string]*table.Table{
	"T": makeTable("id integer, x integer", [][]any{{1, 90}, {2, 80}, {3, 70}, {4, 80}, {5, 90}, {6, 50}, {7, 40}, {8, 60}}),
	"S": makeTable("id integer, x integer", [][]any{{1, 50}, {2, 80}, {3, 70}, {4, 60}, {5, 50}}),
	"G": makeTable("k varchar, v integer, w integer", [][]any{{"a", 1, 10}, {"b", 2, nil}, {"a", 3, 30}, {nil, 4, 40}, {"b", 5, 50}, {nil, nil, 60}}),
	"E": makeTable("k varchar, v integer", nil),
}

func makeTable(schema string, rows [][]any) *table.Table {
	var cols []*table.Column
	for i, f := range strings.Split(schema, ", ") {
		name, typ, _ := strings.Cut(f, " ")
		t, err := value.ParseType(typ)
		if err != nil {
			panic(err)
		}
		b := table.NewBuilder(table.FoldName(name), t)
		for _, row := range rows {
			switch v := row[i].(type) {
			case nil:
				b.AppendNull()
			case int:
				err = b.Append(value.Int(int64(v)))
			case string:
				err = b.Append(value.String(v))
			}
			if err != nil {
				panic(err)
			}
		}
		cols = append(cols, b.Column())
	}
	t, err := table.New(cols...)
	if err != nil {
		panic(err)
	}
	return t
}

// options gives the tables and the settings of readings.
func options(t testing.TB, settings ...string) query.Options {
	t.Helper()
	r, err := readings.Parse(settings...)
	if err != nil {
		t.Fatal(err)
	}
	return query.Options{Readings: r, Recognizer: &recognizer{}, Names: []string{"E", "G", "S", "T"},
		Tables: func(name string, _ bool) (*table.Table, bool, error) {
			found, ok := tables[name]
			return found, ok, nil
		}}
}

// run runs a statement that must succeed and returns the header and the rows.
func run(t testing.TB, sql string, settings ...string) string {
	t.Helper()
	res, err := query.Run(context.Background(), sql, options(t, settings...))
	if err != nil {
		t.Fatalf("%s\n%v", sql, diag.From(err).Detail())
	}
	return show(res.Table)
}

// show writes a table as "A B | 1 x | 2 NULL".
func show(tab *table.Table) string {
	var names []string
	for _, c := range tab.Columns() {
		names = append(names, c.Name)
	}
	out := []string{strings.Join(names, " ")}
	for r := range tab.NumRows() {
		var cells []string
		for i, c := range tab.Columns() {
			cells = append(cells, value.Format(tab.Value(r, i), c.Type))
		}
		out = append(out, strings.Join(cells, " "))
	}
	return strings.Join(out, " | ")
}

// column writes the only column of a result, its rows separated by blanks.
func columnOf(t testing.TB, sql string, settings ...string) string {
	t.Helper()
	_, rows, _ := strings.Cut(run(t, sql, settings...), " | ")
	return strings.ReplaceAll(rows, " | ", " ")
}

// failure runs a statement that must fail, and checks what every error owes the user.
func failure(t testing.TB, sql string, settings ...string) *diag.Error {
	t.Helper()
	_, err := query.Run(context.Background(), sql, options(t, settings...))
	if err == nil {
		t.Fatalf("no error: %s", sql)
	}
	var e *diag.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s\n%T: %v", sql, err, err)
	}
	if e.Stage == 0 || e.Rule == "" || len(e.SQLSTATE) != 5 || e.Source != sql || !e.Pos.IsValid() || e.Pos.Offset > len(sql) {
		t.Errorf("%s\nincomplete error: %+v", sql, e)
	}
	if e.Hint == "" {
		t.Errorf("%s\nno hint: %v", sql, e)
	}
	return e
}

// brief is stage, rule, SQLSTATE and the rest of the line from the place on.
func brief(e *diag.Error) string {
	rest, _, _ := strings.Cut(e.Source[min(e.Pos.Offset, len(e.Source)):], "\n")
	if len(rest) > 24 {
		rest = rest[:24]
	}
	return fmt.Sprintf("%s %s %s @%s", e.Stage, e.Rule, e.SQLSTATE, rest)
}

// refusal is one statement with the error that it must give: stage, rule, the
// text at whose first character it is reported, and a part of message or hint.
type refusal struct{ sql, stage, rule, at, says string }

func refuse(t *testing.T, cases []refusal, settings ...string) {
	t.Helper()
	for _, c := range cases {
		e := failure(t, c.sql, settings...)
		want := map[string]string{"syntax": "42000", "semantic": "42000", "unsupported": "0A000", "limit": "54000"}[c.stage]
		if want == "" {
			want = e.SQLSTATE
		}
		if e.Stage.String() != c.stage || e.Rule != c.rule || e.SQLSTATE != want ||
			!strings.HasPrefix(e.Source[min(e.Pos.Offset, len(e.Source)):], c.at) || c.at == "" && e.Pos.Offset != len(e.Source) {
			t.Errorf("%s\n got %s\nwant %s %s %s @%s\n%v", c.sql, brief(e), c.stage, c.rule, want, c.at, e)
		}
		if text := e.Message + "; " + e.Hint; !strings.Contains(text, c.says) {
			t.Errorf("%s\n%q does not say %q", c.sql, text, c.says)
		}
	}
}

// asError returns an error as the type that every error of ours has.
func asError(t testing.TB, err error) *diag.Error {
	t.Helper()
	var e *diag.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}
	return e
}
