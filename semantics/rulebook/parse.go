package rulebook

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"
)

// The chapters, read in the order of their names.
//
//go:embed rules/*.txt
var chapters embed.FS

// book is the parsed rulebook.
type book struct {
	rules []Rule
	index map[string]int // upper-case id -> place in rules
}

// load parses the embedded rulebook once. The text is part of the program, so
// a mistake in it is a defect of the build, which the package's tests exclude.
var load = sync.OnceValue(func() *book {
	text, err := source(chapters)
	if err != nil {
		panic("rulebook: " + err.Error())
	}
	b, err := parse(text)
	if err != nil {
		panic("rulebook: " + err.Error())
	}
	return b
})

// source joins the chapters to one text.
func source(files fs.FS) (string, error) {
	names, err := fs.Glob(files, "rules/*.txt") // sorted
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		b.Write(text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// parse reads the format that the head of rules/1-grammar.txt describes. Lines
// are counted over all chapters.
func parse(text string) (*book, error) {
	b := &book{index: map[string]int{}}
	var r *Rule                // the rule being read
	var raw map[string]*string // its fields by name, lower case
	var last *string           // what a continuation line continues
	finish := func() error {
		if r == nil {
			return nil
		}
		if err := r.complete(raw); err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		id := strings.ToUpper(r.ID)
		if _, twice := b.index[id]; twice {
			return fmt.Errorf("%s stands there twice", r.ID)
		}
		b.index[id] = len(b.rules)
		b.rules = append(b.rules, *r)
		return nil
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \r")
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			if err := finish(); err != nil {
				return nil, err
			}
			id, title, ok := strings.Cut(line[len("== "):], "  ")
			if !ok {
				return nil, fmt.Errorf("line %d: a heading is == ID, two spaces, title", i+1)
			}
			r = &Rule{ID: id, Title: title}
			raw = map[string]*string{}
			last = &r.Text
		case r == nil:
			return nil, fmt.Errorf("line %d: text before the first heading", i+1)
		case strings.HasPrefix(line, "  "):
			join(last, line)
		default:
			name, value, ok := strings.Cut(line, ": ")
			key := strings.ToLower(name)
			if !ok || !fieldNames[key] {
				if last != &r.Text {
					return nil, fmt.Errorf("line %d: no field and no continuation", i+1)
				}
				join(last, line)
				continue
			}
			if raw[key] != nil {
				return nil, fmt.Errorf("line %d: %s is given twice", i+1, name)
			}
			last = new(string)
			raw[key] = last
			join(last, value)
		}
	}
	if err := finish(); err != nil {
		return nil, err
	}
	return b, nil
}

// fieldNames are the fields of a rule, in lower case.
var fieldNames = map[string]bool{"example": true, "clause": true, "confidence": true,
	"sqlstate": true, "see": true, "not executable": true}

// join appends a line to a field of several lines.
func join(field *string, line string) {
	if *field != "" {
		*field += " "
	}
	*field += strings.TrimSpace(line)
}

// complete moves the fields read into the rule.
func (r *Rule) complete(raw map[string]*string) error {
	get := func(key string) string {
		if p := raw[key]; p != nil {
			return *p
		}
		return ""
	}
	r.Example = get("example")
	r.Clause = get("clause")
	r.SQLSTATE = get("sqlstate")
	r.NotExecutable = get("not executable")
	r.Executable = r.NotExecutable == ""
	r.Confidence, r.ConfidenceNote, _ = strings.Cut(get("confidence"), ", ")
	switch r.Confidence {
	case High, Medium, Low:
	default:
		return fmt.Errorf("confidence %q is none of high, medium, low", r.Confidence)
	}
	if see := get("see"); see != "" {
		r.See = strings.Split(see, ", ")
	}
	if r.Text == "" || r.Clause == "" {
		return fmt.Errorf("text or clause is missing")
	}
	return nil
}
