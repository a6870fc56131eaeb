package reduce

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Text writes a case in the format of the case files, its tables before it and
// its expected text behind it. Reading it gives the case again.
func Text(c *corpus.Case) string {
	var b strings.Builder
	for _, t := range c.Tables {
		b.WriteString(tableText(t) + "\n")
	}
	b.WriteString(head(c) + "\n" + input(c) + "\n----\n")
	fenced := false
	for _, l := range c.Answer {
		fenced = fenced || strings.TrimSpace(l) == ""
	}
	if fenced {
		b.WriteString("----\n")
	}
	for _, l := range c.Answer {
		b.WriteString(l + "\n")
	}
	if fenced {
		b.WriteString("----\n----\n")
	}
	return b.String()
}

// Input writes what is asked by a case: all that makes it another question.
func Input(c *corpus.Case) string {
	var b strings.Builder
	for _, t := range c.Tables {
		b.WriteString(tableText(t) + "\n")
	}
	return b.String() + head(c) + "\n" + input(c)
}

func head(c *corpus.Case) string {
	id := c.ID
	if id == "" {
		id = "reduced"
	}
	rules := c.Rules
	if len(rules) == 0 {
		rules = []string{corpus.Unexplained}
	}
	h := c.Kind + " id=" + id + " rule=" + list(rules)
	if len(c.Reading) > 0 {
		h += " reading=" + list(c.Reading)
	}
	switch c.Kind {
	case corpus.Prefer:
		h += fmt.Sprintf(" rows=%d", c.MaxRows)
	case corpus.Match:
		h += " over=" + c.Over
		for _, arg := range []string{"order", "partition"} {
			if v := c.Item.Get(arg); len(v) > 0 {
				h += " " + arg + "=" + list(v)
			}
		}
	case corpus.Refuse:
		if c.Over != "" {
			h += " over=" + c.Over
		}
	}
	return h
}

func list(l []string) string {
	if len(l) == 1 && !strings.ContainsAny(l[0], " ,()=") {
		return l[0]
	}
	return "(" + strings.Join(l, ", ") + ")"
}

func input(c *corpus.Case) string {
	switch c.Kind {
	case corpus.Labels:
		s := "PATTERN (" + c.Pattern + ")\n"
		if c.Subset != "" {
			s += "SUBSET " + c.Subset + "\n"
		}
		return s + "ROWS " + strings.Join(c.Rows, " ")
	case corpus.Prefer:
		return "PATTERN (" + c.Pattern + ")"
	case corpus.Match:
		return matchInput(c)
	}
	return c.SQL
}

// matchInput gives PATTERN, SUBSET and DEFINE of the clause of a match case,
// which the directive's arguments complete.
func matchInput(c *corpus.Case) string {
	s := split(c.SQL)
	if len(s.recognitions) == 0 {
		return c.SQL
	}
	var lines []string
	for _, name := range []string{"PATTERN", "SUBSET", "DEFINE"} {
		if p := s.recognitions[0].part(name); p != nil {
			lines = append(lines, s.text(p.span))
		}
	}
	return strings.Join(lines, "\n")
}

func tableText(t corpus.Table) string {
	var cols []string
	for _, c := range t.Data.Columns() {
		cols = append(cols, (semantics.Name{Text: c.Name}).String()+" "+c.Type.String())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "table name=%s cols=(%s)\n", (semantics.Name{Text: t.Name}).String(), strings.Join(cols, ", "))
	for r := range t.Data.NumRows() {
		cells := make([]string, t.Data.NumColumns())
		for i, c := range t.Data.Columns() {
			cells[i] = value.SQL(t.Data.Value(r, i), c.Type)
		}
		b.WriteString(strings.Join(cells, " ") + "\n")
	}
	return b.String() + "----\nok\n"
}
