package explain

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/rulebook"
)

// ruleColumn is where the rule of a line begins, if its text is not longer.
const ruleColumn = 64

// printer writes lines of a tree.
type printer struct {
	w *bufio.Writer
	c *semantics.Clause
}

// line writes a text, indented, with the rule that it rests on and the clause
// of the standard. An empty rule writes none.
func (p *printer) line(depth int, rule, format string, args ...any) {
	text := strings.Repeat("  ", depth) + diag.Escape(fmt.Sprintf(format, args...))
	p.w.WriteString(text)
	if rule != "" {
		if pad := ruleColumn - utf8.RuneCountInString(text); pad > 0 {
			p.w.WriteString(strings.Repeat(" ", pad))
		}
		r, _ := rulebook.Lookup(rule)
		fmt.Fprintf(p.w, "  %-8s %s", rule, r.Clause)
	}
	p.w.WriteByte('\n')
}

// Tree writes the recognitions of a statement in the standard's terms.
func Tree(w io.Writer, clauses []*semantics.Clause) error {
	out := bufio.NewWriter(w)
	if len(clauses) == 0 {
		fmt.Fprintln(out, "the statement has no row pattern recognition")
	}
	for i, c := range clauses {
		if i > 0 {
			fmt.Fprintln(out)
		}
		p := &printer{out, c}
		p.clause(i + 1)
	}
	return out.Flush()
}

func (p *printer) clause(number int) {
	c := p.c
	at := ""
	if c.Pattern.Pos.IsValid() {
		at = fmt.Sprintf(", pattern in line %d", c.Pattern.Pos.Line)
	}
	if c.Window != nil {
		p.line(0, "GRAM-14", "recognition %d: window%s", number, at)
	} else {
		p.line(0, "GRAM-1", "recognition %d: MATCH_RECOGNIZE%s", number, at)
	}
	p.partitioning()
	p.output()
	p.skip()
	p.line(1, "MAT-1", "PATTERN (%s)", c.Pattern)
	p.pattern(2, c.Pattern)
	p.unions()
	p.definitions()
	p.measures()
}

func (p *printer) partitioning() {
	c := p.c
	if len(c.PartitionBy) == 0 {
		p.line(1, "GRAM-3", "no PARTITION BY: one partition")
	} else {
		var names []string
		for _, i := range c.PartitionBy {
			names = append(names, p.column(i))
		}
		p.line(1, "GRAM-4", "PARTITION BY %s", strings.Join(names, ", "))
	}
	if len(c.OrderBy) == 0 {
		p.line(1, "NUL-4", "no ORDER BY: rows in input order")
		return
	}
	for _, k := range c.OrderBy {
		name := p.column(k.Column)
		if k.Expr != nil {
			name = k.Expr.String()
		}
		direction, nulls := "ascending", "last"
		if k.Descending {
			direction = "descending"
		}
		if k.NullsFirst {
			nulls = "first"
		}
		p.line(1, "NUL-2", "ORDER BY %s: %s, NULLs %s", name, direction, nulls)
	}
}

// column names an input column; without tables a clause knows only some.
func (p *printer) column(i int) string {
	if i < 0 || i >= len(p.c.Input.Fields) {
		return "?"
	}
	return semantics.Name{Text: p.c.Input.Fields[i].Name}.String()
}

func (p *printer) output() {
	c := p.c
	if c.Window == nil {
		rule := map[semantics.RowsPerMatch]string{semantics.OneRow: "OUT-3", semantics.ShowEmpty: "OUT-5",
			semantics.OmitEmpty: "OUT-5", semantics.WithUnmatched: "OUT-6"}[c.Rows]
		p.line(1, rule, "%s", c.Rows)
		return
	}
	end := "UNBOUNDED"
	if !c.Window.Unbounded {
		end = c.Window.Rows.String()
	}
	p.line(1, "WIN-1", "frame ROWS BETWEEN CURRENT ROW AND %s FOLLOWING", end)
	if c.Seek {
		p.line(1, "WIN-3", "SEEK: the first match that starts in the frame")
	} else {
		p.line(1, "WIN-3", "INITIAL: the match starts at the current row")
	}
}

func (p *printer) skip() {
	c := p.c
	text := "PAST LAST ROW"
	rule := "SKIP-1"
	switch c.Skip.To {
	case semantics.ToNextRow:
		text = "TO NEXT ROW"
	case semantics.ToFirst:
		text = "TO FIRST " + p.variable(c.Skip.Target)
	case semantics.ToLast:
		text = "TO LAST " + p.variable(c.Skip.Target)
	}
	if c.Window != nil {
		rule = "WIN-4"
	}
	p.line(1, rule, "AFTER MATCH SKIP %s", text)
}

// variable names a variable as SQL writes it.
func (p *printer) variable(v semantics.VarID) string {
	if v == semantics.Universal {
		return "the universal variable"
	}
	return p.c.Vars[v].Name.String()
}

func (p *printer) unions() {
	for i := range p.c.Vars {
		v := &p.c.Vars[i]
		if !v.IsUnion() {
			continue
		}
		var members []string
		for _, m := range v.Members {
			members = append(members, p.variable(m))
		}
		p.line(1, "SUB-2", "SUBSET %s = (%s): rows mapped to any of them", v.Name, strings.Join(members, ", "))
	}
}

func (p *printer) definitions() {
	c := p.c
	for i := range c.Vars[:c.Primaries] {
		v := &c.Vars[i]
		if v.Define == nil {
			p.line(1, "DEF-1", "%s is not defined: TRUE on every row", v.Name)
			continue
		}
		p.line(1, "DEF-5", "DEFINE %s AS %s", v.Name, v.Define)
		p.reads(2, v.Define, true)
	}
}

func (p *printer) measures() {
	for _, m := range p.c.Measures {
		rule := "MEA-2"
		switch {
		case p.c.Window != nil:
			rule = "WIN-7"
		case p.c.Rows.IsAll():
			rule = "MEA-3"
		}
		p.line(1, rule, "MEASURES %s AS %s: %s", m.Expr, m.Name, m.Expr.Type())
		p.reads(2, m.Expr, false)
	}
}
