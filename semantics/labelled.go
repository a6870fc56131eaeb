package semantics

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Labelled makes a clause of a pattern alone, and a table of one partition on
// which its variables hold exactly as the rows say: the form in which the
// examples of chapter 2 are written. A variable holds on a row if its name is
// listed there, compared as GRAM-10a says, or written as SQL writes a quoted
// name ("b"); names that the pattern has not are ignored. There is no DEFINE, so GRAM-2, DEF-1 and DEF-2 do not apply.
// Subset is what SUBSET would hold, such as "U = (A, B)", or empty.
func Labelled(pattern, subset string, rows [][]string) (*Clause, *table.Table, error) {
	return LabelledReading(pattern, subset, rows, readings.Set{})
}

// LabelledReading is Labelled under other readings, such as PAT-5=alternative.
func LabelledReading(pattern, subset string, rows [][]string, r readings.Set) (*Clause, *table.Table, error) {
	tree, err := parsePattern(pattern, r)
	if err != nil {
		return nil, nil, err
	}
	items, err := parseSubset(subset)
	if err != nil {
		return nil, nil, err
	}
	return labelled(pattern, tree, items, rows, r)
}

// LabelledTree is Labelled for a pattern that is a tree already.
func LabelledTree(tree *Pattern, rows [][]string) (*Clause, *table.Table, error) {
	return labelled("", tree, nil, rows, readings.Set{})
}

func parseSubset(src string) ([]subsetSyntax, error) {
	if strings.TrimSpace(src) == "" {
		return nil, nil
	}
	s := token.NewStream(src, token.Lex(src))
	s.Rule = "GRAM-9"
	p := clauseParser{s: s, out: &Syntax{}}
	if err := p.subsetItems(); err != nil {
		return nil, err
	}
	if !s.Done() {
		return nil, s.Expected("GRAM-9", "a comma or the end", "write unions as U = (A, B), separated by commas")
	}
	return p.out.Subset, nil
}

func labelled(source string, tree *Pattern, subset []subsetSyntax, rows [][]string, r readings.Set) (*Clause, *table.Table, error) {
	var errs diag.List
	b := &binding{syn: &Syntax{Source: source, Pattern: tree, Subset: subset}, errs: &errs, byName: map[string]VarID{}, input: &RowType{}, opt: Options{Readings: r}}
	b.c = &Clause{Source: source, Input: b.input, Readings: r}
	b.variables()
	b.unions()
	if err := errs.First(); err != nil {
		return nil, nil, err
	}
	c := b.c
	c.Skip.Target = Universal
	labels := make([][]bool, c.Primaries)
	for i := range labels {
		labels[i] = make([]bool, len(rows))
	}
	for r, row := range rows {
		for _, name := range row {
			if id, ok := b.byName[LabelName(name)]; ok && int(id) < c.Primaries {
				labels[id][r] = true
			}
		}
	}
	cols := make([]*table.Column, c.Primaries)
	for i := range cols {
		name := c.Vars[i].Name.Text
		cols[i] = boolColumn(name, labels[i])
		b.input.Fields = append(b.input.Fields, Field{Name: name, Type: value.TypeBoolean})
		c.Vars[i].Define = &ColumnRef{leaf: leaf{typ: value.TypeBoolean, text: c.Vars[i].Name.String()}, Var: Universal, Column: i}
	}
	if len(cols) == 0 { // a pattern without variables still needs rows to stand at
		cols = append(cols, boolColumn("", make([]bool, len(rows))))
		b.input.Fields = append(b.input.Fields, Field{Type: value.TypeBoolean})
	}
	in, err := table.New(cols...)
	return c, in, err
}

// LabelName folds the name of a label: as GRAM-10a says, but a name in double
// quotes, written as SQL writes it, keeps its case.
func LabelName(s string) string {
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return table.FoldName(s)
}

func boolColumn(name string, holds []bool) *table.Column {
	b := table.NewBuilder(name, value.TypeBoolean)
	b.Reserve(len(holds))
	for _, h := range holds {
		n := int64(0)
		if h {
			n = 1
		}
		b.AppendInt64(n)
	}
	return b.Column()
}

// LabelNames splits the text of a row of labels: letters if every variable has
// a name of one letter, else names separated by commas. "-" and "" are rows on
// which nothing holds.
func (c *Clause) LabelNames(row string) []string {
	if row == "" || row == "-" {
		return nil
	}
	single := true
	for _, v := range c.Vars {
		single = single && len([]rune(v.Name.Text)) == 1
	}
	if !single || strings.Contains(row, ",") {
		out := strings.Split(row, ",")
		for i := range out {
			out[i] = strings.TrimSpace(out[i])
		}
		return out
	}
	return strings.Split(row, "")
}

// IsLabel reports a condition that only reads a label column.
func IsLabel(e scalar.Expr) bool {
	r, ok := e.(*ColumnRef)
	return ok && r.Var == Universal && r.typ.Kind == value.Boolean
}
