package dialect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Mapping is a Map case in the words of a product: the preferred match at
// every row, by AFTER MATCH SKIP TO NEXT ROW, so that each row is an attempt of
// its own (SKIP-1). The variables are those of the pattern, each defined by a
// column that says on which rows it holds.
type Mapping struct {
	Pattern  string   // as between the parentheses of PATTERN
	Subset   string   // as behind SUBSET; empty if there is none
	Vars     []string // folded names, in the order of their first place
	Define   string   // as behind DEFINE, over the columns Columns
	Columns  []string // one for each variable
	Holds    [][]bool // by row and variable
	Excludes bool     // the pattern has {- -}
	Anchors  bool     // the pattern has ^ or $
	Size     int      // variables when bounds are written out, capped at MaxSize
}

// MaxSize caps Mapping.Size.
const MaxSize = 1 << 30

// never is the variable of patterns without variables: DEFINE needs one that
// occurs in PATTERN (GRAM-2, DEF-2). It holds on no row and stands in the last
// branch, so that it changes no match.
const never = "RPR_NEVER"

// Mapping translates a Map case. A reason is given if the product cannot be
// asked.
func (p *Product) Mapping(c *oracle.Case) (*Mapping, string) {
	tree, err := c.ParsePattern()
	if err != nil {
		return nil, "the pattern is in error: " + err.Error()
	}
	if reason := p.lacks.pattern(p, tree); reason != "" {
		return nil, reason
	}
	m := &Mapping{Size: size(tree)}
	quotedTree := tree.Clone()
	quotedTree.Walk(func(x *semantics.Pattern) {
		switch x.Op {
		case semantics.OpVariable:
			if !slices.Contains(m.Vars, x.Name.Text) {
				m.Vars = append(m.Vars, x.Name.Text)
			}
			x.Name.Quoted = !p.plain(x.Name.Text)
		case semantics.OpExclude:
			m.Excludes = true
		case semantics.OpPartitionStart, semantics.OpPartitionEnd:
			m.Anchors = true
		}
	})
	m.Pattern = quotedTree.String()
	if m.Subset, err = p.subset(c.Subset); err != nil {
		return nil, err.Error()
	}
	if len(m.Vars) == 0 {
		m.Pattern += " | " + never
		m.Vars = []string{never}
	}
	m.columns(p)
	m.labels(c.Rows)
	return m, ""
}

// subset writes the items of SUBSET with the product's quotes.
func (p *Product) subset(src string) (string, error) {
	pieces := scan(src)
	for i, x := range pieces {
		switch {
		case x.kind == word:
			pieces[i].text = p.name(table.FoldName(x.text))
		case x.kind == other && !strings.Contains("=(),", x.text), x.kind == text, x.kind == number, x.kind == param:
			return "", fmt.Errorf("SUBSET is in error at %.20q", x.text)
		}
	}
	return joined(pieces), nil
}

// name writes a variable's name, in upper case where it needs no quotes.
func (p *Product) name(folded string) string {
	if p.plain(folded) {
		return folded
	}
	return p.Quote(folded)
}

// columns names the columns of the labels after their variables.
func (m *Mapping) columns(p *Product) {
	seen := map[string]bool{}
	for i, v := range m.Vars {
		col := "is_" + strings.ToLower(v)
		if !p.plain(strings.ToUpper(v)) || seen[col] {
			col = "is_" + strconv.Itoa(i+1)
		}
		seen[col] = true
		m.Columns = append(m.Columns, col)
	}
	items := make([]string, len(m.Vars))
	for i, v := range m.Vars {
		items[i] = p.name(v) + " AS " + m.Columns[i]
		if p.noBooleans {
			items[i] += " = 1"
		}
	}
	m.Define = strings.Join(items, ", ")
}

func (m *Mapping) labels(rows [][]string) {
	m.Holds = make([][]bool, len(rows))
	for r, labels := range rows {
		m.Holds[r] = make([]bool, len(m.Vars))
		for _, l := range labels {
			if i := slices.Index(m.Vars, labelName(l)); i >= 0 && m.Vars[i] != never {
				m.Holds[r][i] = true
			}
		}
	}
}

// labelName folds the name of a label: one in quotes keeps its spelling.
func labelName(s string) string {
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return table.FoldName(s)
}

// SQL writes the mapping as one readable statement over inline rows: for each
// match its number, its rows and their variables.
func (p *Product) SQL(m *Mapping) string {
	var b strings.Builder
	b.WriteString("SELECT mn, id, c\nFROM (\n")
	if p.dual != "" {
		for r := range max(len(m.Holds), 1) {
			if r > 0 {
				b.WriteString(" UNION ALL\n")
			}
			fmt.Fprintf(&b, "  SELECT %d AS id", r+1)
			for i, col := range m.Columns {
				fmt.Fprintf(&b, ", %s AS %s", p.label(r < len(m.Holds) && m.Holds[r][i]), col)
			}
			b.WriteString(p.dual)
		}
	} else {
		b.WriteString("  VALUES")
		for r := range max(len(m.Holds), 1) {
			if r > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "\n    (%d", r+1)
			for i := range m.Columns {
				b.WriteString(", " + p.label(r < len(m.Holds) && m.Holds[r][i]))
			}
			b.WriteByte(')')
		}
	}
	if len(m.Holds) == 0 {
		b.WriteString(" WHERE 1 = 0")
	}
	b.WriteString("\n)")
	if p.dual == "" {
		b.WriteString(" AS t (id, " + strings.Join(m.Columns, ", ") + ")")
	}
	b.WriteString("\nMATCH_RECOGNIZE (\n  ORDER BY id\n")
	b.WriteString(m.clause())
	b.WriteString("\n)")
	return b.String()
}

// clause writes what stands behind ORDER BY.
func (m *Mapping) clause() string {
	var b strings.Builder
	b.WriteString("  MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS c\n  ALL ROWS PER MATCH\n  AFTER MATCH SKIP TO NEXT ROW\n  PATTERN (")
	b.WriteString(m.Pattern)
	b.WriteString(")\n")
	if m.Subset != "" {
		b.WriteString("  SUBSET " + m.Subset + "\n")
	}
	b.WriteString("  DEFINE " + m.Define)
	return b.String()
}

func (p *Product) label(holds bool) string {
	switch {
	case p.noBooleans && holds:
		return "1"
	case p.noBooleans:
		return "0"
	case holds:
		return "TRUE"
	}
	return "FALSE"
}

// size counts the variables of a pattern when bounds and permutations are
// written out: what an engine that unrolls them has to hold.
func size(p *semantics.Pattern) int {
	n := 0
	for _, sub := range p.Sub {
		n = min(n+size(sub), MaxSize)
	}
	switch p.Op {
	case semantics.OpVariable:
		return 1
	case semantics.OpQuantified:
		times := max(p.Min, p.Max, 1)
		if n > 0 && times > MaxSize/n {
			return MaxSize
		}
		return n * times
	case semantics.OpPermute:
		for k := 2; k <= len(p.Sub); k++ {
			if n > MaxSize/k {
				return MaxSize
			}
			n *= k
		}
	}
	return n
}
