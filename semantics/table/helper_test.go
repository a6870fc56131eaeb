package table

import (
	"errors"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// dump gives a table in one string: names with types, then the rows, values as
// SQL literals, numbers plain, separated by blanks and line feeds.
func dump(t *Table) string {
	var b strings.Builder
	for i, c := range t.Columns() {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.Name + ":" + c.Type.String())
	}
	for r := range t.NumRows() {
		b.WriteByte('\n')
		for i, c := range t.Columns() {
			if i > 0 {
				b.WriteByte(' ')
			}
			if c.Type.IsNumeric() {
				b.WriteString(value.Format(c.Value(r), c.Type))
			} else {
				b.WriteString(value.SQL(c.Value(r), c.Type))
			}
		}
	}
	return b.String()
}

// wantError checks stage, rule and line of err, and that its text contains
// each of parts.
func wantError(t *testing.T, err error, stage diag.Stage, rule string, line int, parts ...string) {
	t.Helper()
	var e *diag.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, should be a *diag.Error", err)
	}
	if e.Stage != stage || e.Rule != rule || e.Pos.Line != line {
		t.Errorf("error is %s %s line %d, should be %s %s line %d: %v", e.Stage, e.Rule, e.Pos.Line, stage, rule, line, e)
	}
	for _, p := range parts {
		if !strings.Contains(e.Error(), p) {
			t.Errorf("error %q should contain %q", e.Error(), p)
		}
	}
}

// column builds a column of values.
func column(t *testing.T, name string, typ value.Type, values ...value.Value) *Column {
	t.Helper()
	b := NewBuilder(name, typ)
	for _, v := range values {
		if err := b.Append(v); err != nil {
			t.Fatalf("append to %s: %v", name, err)
		}
	}
	return b.Column()
}

func table(t *testing.T, cols ...*Column) *Table {
	t.Helper()
	tab, err := New(cols...)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func ints(ns ...int64) []value.Value {
	out := make([]value.Value, len(ns))
	for i, n := range ns {
		out[i] = value.Int(n)
	}
	return out
}

func texts(ss ...string) []value.Value {
	out := make([]value.Value, len(ss))
	for i, s := range ss {
		out[i] = value.String(s)
	}
	return out
}
