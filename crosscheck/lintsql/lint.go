package lintsql

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Kind is what a remark is about.
type Kind string

// The kinds, the worst first: other rows without an error, an error, a choice.
const (
	Silent  Kind = "other rows" // an engine can answer otherwise without an error
	Refusal Kind = "refused"    // an engine rejects it
	Choice  Kind = "choice"     // the standard, or our reading of it, leaves it open
)

// Remark is one thing that a query can meet.
type Remark struct {
	Pos     diag.Pos
	Kind    Kind
	Rule    string
	Engines []string // that are known for it; empty: several, or none by name
	Text    string
	Rewrite string // text to write instead, with the same meaning by the rules; "" if there is none
	Instead string // what Rewrite replaces
	Meant   string // another meaning, which was perhaps meant and which engines agree on; "" if there is none
}

// Lint remarks on a statement. Tables are not looked at: the query names none
// that is read. The error is the statement's own, as the rules give it.
func Lint(sql string, r readings.Set) ([]Remark, error) {
	st, err := query.Parse(sql, r)
	if err != nil {
		return nil, err
	}
	b, err := query.Bind(st, query.Options{Untyped: true, Readings: r})
	if err != nil {
		return nil, err
	}
	var out []Remark
	for _, c := range b.Recognitions() {
		l := &linter{c: c}
		l.pattern()
		l.conditions()
		l.measures()
		l.clauses()
		out = append(out, l.remarks...)
	}
	out = append(out, choices(sql, r)...)
	slices.SortStableFunc(out, func(a, b Remark) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return out, nil
}

// choices finds readings by which the statement is accepted or refused.
func choices(sql string, r readings.Set) []Remark {
	var out []Remark
	for _, x := range readings.All() {
		for _, alt := range x.Alternatives {
			other := r
			if other.Apply(x.Rule+"="+alt.Name) != nil {
				continue
			}
			st, err := query.Parse(sql, other)
			if err == nil {
				_, err = query.Bind(st, query.Options{Untyped: true, Readings: other})
			}
			if err == nil {
				continue
			}
			e := diag.From(err)
			out = append(out, Remark{Pos: e.Pos, Kind: Choice, Rule: x.Rule,
				Text: fmt.Sprintf("%s: here %s; with %s=%s it is refused (%s)", x.Question, x.Default, x.Rule, alt.Name, e.Message)})
		}
	}
	return out
}

type linter struct {
	c       *semantics.Clause
	remarks []Remark
	defined semantics.VarID // the variable whose condition is looked at
}

func (l *linter) add(m Remark) { l.remarks = append(l.remarks, m) }

// Write writes remarks for people.
func Write(w io.Writer, sql string, list []Remark) {
	lines := strings.Split(sql, "\n")
	for _, m := range list {
		fmt.Fprintf(w, "%s %s (%d:%d)\n", m.Rule, m.Kind, m.Pos.Line, m.Pos.Column)
		if m.Pos.Line >= 1 && m.Pos.Line <= len(lines) && m.Pos.Column >= 1 {
			line := strings.ReplaceAll(strings.TrimRight(lines[m.Pos.Line-1], "\r"), "\t", " ")
			fmt.Fprintf(w, "  %s\n  %s^\n", diag.Escape(line), strings.Repeat(" ", min(m.Pos.Column-1, len([]rune(line)))))
		}
		if len(m.Engines) > 0 {
			fmt.Fprintf(w, "  known of: %s\n", strings.Join(m.Engines, ", "))
		}
		fmt.Fprintf(w, "  %s\n", diag.Escape(m.Text))
		switch {
		case m.Rewrite != "":
			fmt.Fprintf(w, "  safe: write %s for %s, which means the same\n", diag.Escape(m.Rewrite), diag.Escape(m.Instead))
		case m.Meant != "":
			fmt.Fprintf(w, "  no rewrite is known that is safe; if empty iterations are not meant, write %s, which means something else by the rules and the same everywhere\n", diag.Escape(m.Meant))
		case m.Kind == Silent:
			fmt.Fprintf(w, "  no rewrite is known that is safe\n")
		}
		fmt.Fprintln(w)
	}
	count := map[Kind]int{}
	for _, m := range list {
		count[m.Kind]++
	}
	fmt.Fprintf(w, "%d remarks: %d where an engine can return other rows, %d where one refuses, %d choices\n", len(list), count[Silent], count[Refusal], count[Choice])
}
