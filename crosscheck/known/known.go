// Package known reads the lists of known differences of engines and says which
// difference they cover.
//
// A list is text. An entry begins at the left margin, its fields are indented:
//
//	case skip/errors#no-row
//	  versions <=483
//	  rule     SKIP-2
//	  why      the target is ignored
//	  issue    https://...
//
//	class 1
//	  versions *
//	  rule     PREF-8
//	  why      empty iterations are discarded
//	  witness  empty/discarding#star-of-optional
//
//	refusal DISTINCT in aggregation
//	  versions *
//	  rule     AGG-6
//	  why      not implemented
//	  witness  aggregate/distinct-filter-order#count-distinct
//
// case is one case: any difference there is known. class names a mutant of
// package faux: it covers the cases on which that mutant departs from the rules,
// and there the engine must answer as the mutant does; any other answer is a new
// difference. Each row of a pattern over rows of labels is an attempt of its own,
// so that several classes may share the rows of such a case. refusal covers legal
// statements that the engine refuses with an error that holds the text, and failure
// those on which it fails so. An entry whose case or witness was asked and no longer
// differs is stale, and a stale entry fails a run.
package known

import (
	"bufio"
	"embed"
	"io"
	"os"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/rulebook"
)

// The kinds of entries.
const (
	Case    = "case"
	Class   = "class"
	Refusal = "refusal"
	Failure = "failure"
)

// Entry is one known difference.
type Entry struct {
	Kind     string
	Name     string // a case, the id or name of a mutant, or the text of a refusal or failure
	Versions Range
	Rule     string
	Why      string
	Issue    string // address of a public issue; may be empty
	Witness  string // class, refusal, failure: a case that shows it
	File     string
	Line     int
}

// Shows is the case by which a run sees whether the entry still holds.
func (e *Entry) Shows() string {
	if e.Kind == Case {
		return e.Name
	}
	return e.Witness
}

// Reason is what reports say of a difference that the entry covers.
func (e *Entry) Reason() string {
	reason := e.Rule + ": " + e.Why
	if e.Issue != "" {
		reason += " (" + e.Issue + ")"
	}
	return reason
}

// List is the list of one engine. The nil list covers nothing.
type List struct{ Entries []*Entry }

//go:embed lists
var lists embed.FS

// Builtin returns the list that the program has of an engine, by the kind of its
// spec; nil if it has none.
func Builtin(engine string) (*List, error) {
	f, err := lists.Open("lists/" + engine + ".txt")
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	return Read("known "+engine+".txt", f)
}

// maxList bounds the size of a list.
const maxList = 4 << 20

// ReadFile reads the list of a file.
func ReadFile(path string) (*List, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, wrong(path, 0, "%v", err)
	}
	defer f.Close()
	return Read(path, f)
}

// Read reads a list. Errors name file and line.
func Read(name string, r io.Reader) (*List, error) {
	l := &List{}
	var e *Entry
	sc := bufio.NewScanner(io.LimitReader(r, maxList))
	n := 0
	for sc.Scan() {
		n++
		line := strings.TrimRight(sc.Text(), " \t\r")
		if text := strings.TrimSpace(line); text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		rest = strings.TrimSpace(rest)
		if line[0] != ' ' && line[0] != '\t' {
			if err := e.complete(); err != nil {
				return nil, err
			}
			if word != Case && word != Class && word != Refusal && word != Failure {
				return nil, wrong(name, n, "an entry begins with case, class, refusal or failure, not with %.40q", word)
			}
			if rest == "" {
				return nil, wrong(name, n, "%s names nothing", word)
			}
			e = &Entry{Kind: word, Name: rest, File: name, Line: n}
			l.Entries = append(l.Entries, e)
			continue
		}
		if e == nil {
			return nil, wrong(name, n, "a field stands before the first entry")
		}
		if err := e.set(word, rest, n); err != nil {
			return nil, err
		}
	}
	if err := sc.Err(); err != nil {
		return nil, wrong(name, n+1, "%v", err)
	}
	return l, e.complete()
}

func (e *Entry) set(field, text string, line int) error {
	target := map[string]*string{"rule": &e.Rule, "why": &e.Why, "issue": &e.Issue, "witness": &e.Witness}[field]
	switch {
	case field == "versions":
		r, err := ParseRange(text)
		if err != nil {
			return wrong(e.File, line, "%v", err)
		}
		e.Versions = r
		return nil
	case target == nil:
		return wrong(e.File, line, "an entry has the fields versions, rule, why, issue, witness, not %.40q", field)
	case *target != "":
		return wrong(e.File, line, "%s stands twice", field)
	}
	*target = text
	return nil
}

// complete checks an entry when it has ended.
func (e *Entry) complete() error {
	switch {
	case e == nil:
		return nil
	case e.Rule == "" || e.Why == "":
		return wrong(e.File, e.Line, "the entry needs rule and why")
	case e.Kind != Case && e.Witness == "":
		return wrong(e.File, e.Line, "a %s needs a witness, a case that shows it", e.Kind)
	}
	if _, ok := rulebook.Lookup(e.Rule); !ok {
		return wrong(e.File, e.Line, "the rulebook has no rule %.40q", e.Rule)
	}
	return nil
}

func wrong(file string, line int, format string, args ...any) error {
	e := diag.New(diag.Syntax, "DATA-1", diag.Pos{Line: line, Column: 1}, format, args...).
		WithHint("rprcheck diff --help shows what a list of known differences looks like")
	e.File = file
	return e
}
