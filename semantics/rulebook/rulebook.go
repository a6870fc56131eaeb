// Package rulebook holds every rule of row pattern recognition in our own
// words. Errors, cases and documentation refer to a rule by its id.
//
// The rules are written down in the folder rules, which is meant to be read as
// it stands. The package parses it on first use and knows nothing of SQL: what a
// rule demands is carried out by the packages that cite it.
package rulebook

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// The grades of Rule.Confidence.
const (
	High   = "high"   // two independent sources, or the standard's own text or grammar
	Medium = "medium" // one engine's documented behaviour that fits the rest
	Low    = "low"    // a reading chosen where the evidence is thin
)

// Rule is one numbered rule.
type Rule struct {
	ID      string // for example COL-2
	Title   string
	Text    string // one to five sentences
	Example string // SQL in back quotes; may be empty

	// Clause says where the standard has the rule: 9075-2 is ISO/IEC
	// 9075-2:2016, TR is ISO/IEC 19075-5:2021. The words inferred, unconfirmed
	// and none are part of it.
	Clause string

	Confidence     string // High, Medium or Low
	ConfidenceNote string // the part that is less sure than the rest; may be empty
	SQLSTATE       string // what a breach of the rule raises; empty if it raises nothing

	Executable    bool   // a case can show the rule kept or broken
	NotExecutable string // why no case can; empty if Executable

	See []string // ids of related rules
}

// Lookup returns the rule with this id; case does not matter.
func Lookup(id string) (Rule, bool) {
	b := load()
	i, ok := b.index[strings.ToUpper(strings.TrimSpace(id))]
	if !ok {
		return Rule{}, false
	}
	return b.rules[i].clone(), true
}

// All returns the rules in the order of the rulebook: chapter by chapter.
func All() []Rule {
	b := load()
	out := make([]Rule, len(b.rules))
	for i, r := range b.rules {
		out[i] = r.clone()
	}
	return out
}

// clone keeps callers from writing into the parsed rules.
func (r Rule) clone() Rule {
	r.See = append([]string(nil), r.See...)
	return r
}

// printWidth is the line length of Print, in characters.
const printWidth = 80

// Print writes the rule for a person: heading, text, example and the fields
// that it has. It returns the error of w.
func (r Rule) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n\n", r.ID, r.Title)
	wrap(&b, "", "", r.Text)
	if r.Example != "" {
		b.WriteByte('\n')
		wrap(&b, "For example: ", "  ", r.Example)
	}
	b.WriteByte('\n')
	confidence := r.Confidence
	if r.ConfidenceNote != "" {
		confidence += ", but " + r.ConfidenceNote
	}
	executable := "yes"
	if !r.Executable {
		executable = "no: " + r.NotExecutable
	}
	for _, f := range []struct{ name, value string }{
		{"clause", r.Clause},
		{"confidence", confidence},
		{"SQLSTATE", r.SQLSTATE},
		{"executable", executable},
		{"see also", strings.Join(r.See, ", ")},
	} {
		if f.value != "" {
			wrap(&b, fmt.Sprintf("%-12s", f.name), strings.Repeat(" ", 12), f.value)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrap writes text in lines of printWidth characters; first begins the first
// line, rest the others. A word longer than a line stands alone.
func wrap(b *strings.Builder, first, rest, text string) {
	b.WriteString(first)
	width := utf8.RuneCountInString(first)
	empty := true // no word on this line yet
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if !empty && width+1+n > printWidth {
			b.WriteString("\n" + rest)
			width, empty = utf8.RuneCountInString(rest), true
		}
		if !empty {
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
		empty = false
	}
	b.WriteByte('\n')
}
