package faux

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Limits of a list of candidates.
const (
	maxListSteps  = 2_000_000
	maxCandidates = 10_000
)

// Candidates lists the candidates of a pattern that have at most maxRows rows,
// most preferred first, in the notation of the rulebook's chapter 2; the one
// without anything is "". Only faults of the candidate order show. The error is
// of stage limit.
func (m *Mutant) Candidates(p *semantics.Pattern, source string, maxRows int) ([]string, error) {
	tree := planter{permute: 1 << 30}
	root := tree.node(rewrite(p, m.lie, source), true)
	if tree.err != nil {
		return nil, tree.err
	}
	type candidate struct {
		text string
		rows int
	}
	var out []candidate
	s := &search{lie: m.lie, root: root, end: max(maxRows, 0), length: -1, maxSteps: maxListSteps, maxTests: maxListSteps,
		maxDepth: deepest, pos: p.Pos, list: &listing{}}
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable {
			r, size := utf8.DecodeRuneInString(n.Name.Text)
			s.list.spaced = s.list.spaced || size != len(n.Name.Text) || !unicode.IsLetter(r)
		}
	})
	s.found = func(pos int) bool {
		if out = append(out, candidate{s.list.String(), pos}); len(out) > maxCandidates {
			s.err = diag.New(diag.Limit, "LIM-1", p.Pos, "more than %d candidates", maxCandidates).WithHint("lower the number of rows")
			return true
		}
		return false
	}
	if _, err := s.run(); err != nil {
		return nil, err
	}
	if m.lie == longestWins {
		slices.SortStableFunc(out, func(a, b candidate) int { return b.rows - a.rows })
	}
	texts := make([]string, len(out))
	for i, c := range out {
		texts[i] = c.text
	}
	return texts, nil
}

// listing is what has been written of the candidate under way. Its methods do
// nothing on nil: no candidates are listed.
type listing struct {
	marks  []mark
	spaced bool // names stand apart
}

type mark struct {
	text string
	row  bool
}

func (l *listing) length() int {
	if l == nil {
		return 0
	}
	return len(l.marks)
}

// write appends a bracket, brace or anchor, and returns where to cut it off.
func (l *listing) write(text string) int {
	if l == nil {
		return 0
	}
	l.marks = append(l.marks, mark{text: text})
	return len(l.marks) - 1
}

// row appends a row.
func (l *listing) row(name string) int {
	if l == nil {
		return 0
	}
	l.marks = append(l.marks, mark{text: name, row: true})
	return len(l.marks) - 1
}

func (l *listing) cut(at int) {
	if l != nil {
		l.marks = l.marks[:at]
	}
}

// String writes the candidate. Where names stand apart, the blank before a row
// stands before the brackets that open on it.
func (l *listing) String() string {
	var b strings.Builder
	opening, rows := "", false
	for _, m := range l.marks {
		switch {
		case m.row:
			if l.spaced && rows {
				b.WriteByte(' ')
			}
			b.WriteString(opening)
			b.WriteString(l.quoted(m.text))
			opening, rows = "", true
		case m.text == "[" || m.text == "{":
			opening += m.text
		default:
			b.WriteString(opening)
			b.WriteString(m.text)
			opening = ""
		}
	}
	b.WriteString(opening)
	return b.String()
}

// quoted puts a name in quotes that could be mistaken for something else.
func (l *listing) quoted(name string) string {
	plain := !strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if plain || !l.spaced {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
