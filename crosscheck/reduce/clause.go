package reduce

import (
	"strings"
)

// span is a stretch of tokens, the last one not included.
type span struct{ from, to int }

// part is one clause of a recognition, its keywords included.
type part struct {
	name string // PARTITION, ORDER, MEASURES, ROWS (per match), FRAME, AFTER, INITIAL, PATTERN, SUBSET, DEFINE
	span
	body span // behind the keywords
}

// recognition is the inside of the parentheses of a recognition.
type recognition struct {
	span
	parts []part
}

// statement is a statement split into tokens and recognitions.
type statement struct {
	sql          string
	toks         []token
	recognitions []recognition
}

func split(sql string) *statement {
	s := &statement{sql: sql, toks: scan(sql)}
	for i, t := range s.toks {
		if t.text != "(" {
			continue
		}
		end := closing(s.toks, i)
		if end < 0 {
			continue
		}
		r := recognition{span: span{i + 1, end}}
		r.parts = s.parts(r.span, t.depth+1)
		if r.part("PATTERN") != nil {
			s.recognitions = append(s.recognitions, r)
		}
	}
	return s
}

func (r *recognition) part(name string) *part {
	for i := range r.parts {
		if r.parts[i].name == name {
			return &r.parts[i]
		}
	}
	return nil
}

// keywords of the parts: the words that begin them, and how many words belong
// to the keyword.
var keywords = []struct {
	name  string
	words []string
}{
	{"PARTITION", []string{"PARTITION", "BY"}}, {"ORDER", []string{"ORDER", "BY"}}, {"MEASURES", []string{"MEASURES"}},
	{"ROWS", []string{"ONE", "ROW", "PER", "MATCH"}}, {"ROWS", []string{"ALL", "ROWS", "PER", "MATCH"}}, {"FRAME", []string{"ROWS", "BETWEEN"}},
	{"AFTER", []string{"AFTER", "MATCH"}}, {"INITIAL", []string{"INITIAL", "PATTERN"}}, {"INITIAL", []string{"SEEK", "PATTERN"}},
	{"PATTERN", []string{"PATTERN", "("}}, {"SUBSET", []string{"SUBSET"}}, {"DEFINE", []string{"DEFINE"}},
}

func (s *statement) parts(in span, depth int) []part {
	var out []part
	for i := in.from; i < in.to; i++ {
		if s.toks[i].depth != depth {
			continue
		}
		for _, k := range keywords {
			if !s.at(i, in.to, k.words) {
				continue
			}
			if n := len(out); n > 0 {
				out[n-1].to, out[n-1].body.to = i, i
			}
			n := len(k.words)
			if k.name == "PATTERN" || k.name == "INITIAL" {
				n = 1 // the other word belongs to what follows
			}
			out = append(out, part{k.name, span{i, in.to}, span{i + n, in.to}})
			break
		}
	}
	return out
}

func (s *statement) at(i, end int, words []string) bool {
	for k, w := range words {
		if i+k >= end || !s.toks[i+k].is(w) {
			return false
		}
	}
	return true
}

// items splits a list at its commas.
func (s *statement) items(in span) []span {
	if in.from >= in.to {
		return nil
	}
	depth := s.toks[in.from].depth
	out := []span{{in.from, in.from}}
	for i := in.from; i < in.to; i++ {
		if s.toks[i].depth == depth && s.toks[i].text == "," {
			out = append(out, span{i + 1, i + 1})
			continue
		}
		out[len(out)-1].to = i + 1
	}
	return out
}

// text returns a stretch as it is written.
func (s *statement) text(in span) string {
	if in.from >= in.to {
		return ""
	}
	return s.sql[s.toks[in.from].start:s.toks[in.to-1].end]
}

// with returns the statement with a stretch replaced.
func (s *statement) with(in span, by string) string {
	if in.from >= in.to {
		return s.sql
	}
	from, to := s.toks[in.from].start, s.toks[in.to-1].end
	return tidy(s.sql[:from] + by + s.sql[to:])
}

// without returns the statement without one item of a list.
func (s *statement) without(list []span, i int) string {
	var left []string
	for k, it := range list {
		if k != i {
			left = append(left, s.text(it))
		}
	}
	return s.with(span{list[0].from, list[len(list)-1].to}, strings.Join(left, ", "))
}

// tidy removes lines without text, and all but one blank between words; lines
// within parentheses stay indented.
func tidy(sql string) string {
	var out []string
	for line := range strings.Lines(sql) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		indent := ""
		if line[0] == ' ' || line[0] == '\t' {
			indent = "  "
		}
		out = append(out, indent+oneBlank(trimmed))
	}
	return strings.Join(out, "\n")
}

// oneBlank leaves one blank where there are several, and none behind an opening
// parenthesis, outside of quotes.
func oneBlank(line string) string {
	var b strings.Builder
	quote := byte(0)
	for i := range len(line) {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ' && i > 0 && (line[i-1] == ' ' || line[i-1] == '('):
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Recognition is the text of one recognition in FROM, and of its parts, which
// are empty where they are not written.
type Recognition struct {
	With   string   // the items of WITH that the source can name, as WITH ...; empty if there is none
	Source string   // the table or query that is recognised, with its alias
	Alias  string   // of the source; empty if it has none
	Clause string   // MATCH_RECOGNIZE ( ... )
	Keys   []string // PARTITION BY, item by item
	Order  []string // ORDER BY, item by item
}

// Recognitions finds the recognitions in FROM of a statement that is legal,
// without parsing more of it than that. Row patterns in windows are not among
// them; windows counts those.
func Recognitions(sql string) (list []Recognition, windows int) {
	s := split(sql)
	for _, rec := range s.recognitions {
		open := rec.from - 1
		if open < 1 || !s.toks[open-1].is("MATCH_RECOGNIZE") {
			windows++
			continue
		}
		at := open - 1
		from := at
		for from > 0 && !(s.toks[from-1].depth == s.toks[at].depth && s.toks[from-1].is("FROM", "JOIN", ",")) {
			from--
		}
		r := Recognition{With: s.withBefore(from), Source: s.text(span{from, at}), Clause: s.text(span{at, rec.to + 1})}
		r.Alias = s.alias(span{from, at})
		if p := rec.part("PARTITION"); p != nil {
			for _, it := range s.items(p.body) {
				r.Keys = append(r.Keys, s.text(it))
			}
		}
		if p := rec.part("ORDER"); p != nil {
			for _, it := range s.items(p.body) {
				r.Order = append(r.Order, s.text(it))
			}
		}
		list = append(list, r)
	}
	return list, windows
}

// alias is the name by which the columns of a source can be qualified.
func (s *statement) alias(in span) string {
	depth := s.toks[in.from].depth
	for i := in.from; i < in.to; i++ {
		if s.toks[i].depth == depth && s.toks[i].is("AS") && i+1 < in.to {
			return s.toks[i+1].text
		}
	}
	last := ""
	for i := in.from; i < in.to; i++ {
		t := s.toks[i]
		if t.depth == depth && t.kind == word && (i == in.from || s.toks[i-1].text != ",") {
			last = t.text
		}
	}
	return last
}
