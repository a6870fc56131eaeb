package known

import (
	"context"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
)

// Mutants answers cases as the mutants of package faux do.
type Mutants interface {
	// Answer is what the mutant of an id or name says of a case; false if there
	// is no such mutant, or it has no answer.
	Answer(ctx context.Context, mutant string, c *corpus.Case) ([]string, bool)
}

// Covers returns the entry that covers a difference: an answer that is not the
// expected one, a refusal of a legal case, or a failure. same compares two answers to the
// case. The order of the list decides between several entries. Each row of a
// pattern over rows of labels is an attempt of its own, so that classes may share
// the rows of such a case.
func (l *List) Covers(ctx context.Context, version string, c *corpus.Case, r crosscheck.Reply, m Mutants, same func(a, b []string) bool) (*Entry, bool) {
	if l == nil {
		return nil, false
	}
	var first *Entry // of the classes that answer some row as the engine does
	rows := newRows(c, r)
	for _, e := range l.Entries {
		if !e.Versions.Holds(version) {
			continue
		}
		switch e.Kind {
		case Case:
			if e.Name == c.Name {
				return e, true
			}
		case Refusal:
			if r.Verdict == oracle.Refused && strings.Contains(r.Reason, e.Name) {
				return e, true
			}
		case Failure:
			if r.Verdict == oracle.Failed && strings.Contains(r.Reason, e.Name) {
				return e, true
			}
		case Class:
			if r.Verdict != 0 || m == nil {
				continue
			}
			lines, ok := m.Answer(ctx, e.Name, c)
			if ok && !same(c.Answer, lines) && same(lines, r.Lines) {
				return e, true
			}
			if ok && rows.AnsweredBy(lines) && first == nil {
				first = e
			}
		}
	}
	if rows.left > 0 {
		return nil, false
	}
	return first, first != nil
}

// Rows are the rows of a labels case at which an answer is not the expected one.
type Rows struct {
	got  []string
	open []bool
	left int // rows that nothing answered so yet
}

func newRows(c *corpus.Case, r crosscheck.Reply) *Rows {
	if c.Kind != corpus.Labels || r.Verdict != 0 || len(r.Lines) != len(c.Answer) {
		return &Rows{}
	}
	return NewRows(c.Answer, r.Lines)
}

// NewRows compares two answers to a labels case, which have a line for every
// row.
func NewRows(expected, got []string) *Rows {
	w := &Rows{got: got, open: make([]bool, len(got))}
	for i := range got {
		if w.open[i] = got[i] != expected[i]; w.open[i] {
			w.left++
		}
	}
	return w
}

// AnsweredBy takes away the rows at which a mutant answers as the engine did. It
// reports whether there are some.
func (w *Rows) AnsweredBy(lines []string) bool {
	if len(lines) != len(w.open) {
		return false
	}
	before := w.left
	for i := range lines {
		if w.open[i] && lines[i] == w.got[i] {
			w.open[i] = false
			w.left--
		}
	}
	return w.left < before
}

// Left is the number of rows that no mutant answered so.
func (w *Rows) Left() int { return w.left }

// Stale returns the entries that no longer hold: their case or witness was
// asked of the engine, and it agrees.
func (l *List) Stale(version string, results []crosscheck.Result) []*Entry {
	if l == nil {
		return nil
	}
	agrees := map[string]bool{}
	for _, r := range results {
		if r.Verdict == oracle.Agrees.String() {
			agrees[r.Case] = true
		}
	}
	var out []*Entry
	for _, e := range l.Entries {
		if e.Versions.Holds(version) && agrees[e.Shows()] {
			out = append(out, e)
		}
	}
	return out
}

// Missing returns the entries whose case or witness is not among the names of
// cases: they can never be seen to be stale.
func (l *List) Missing(has func(name string) bool) []*Entry {
	if l == nil {
		return nil
	}
	var out []*Entry
	for _, e := range l.Entries {
		if !has(e.Shows()) {
			out = append(out, e)
		}
	}
	return out
}
