package dialect

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// mentioned returns the tables of a case whose names occur in its statement;
// of two tables of one name the last.
func mentioned(c *oracle.Case, pieces []piece) []oracle.Table {
	names := map[string]bool{}
	for _, p := range pieces {
		switch p.kind {
		case word:
			names[table.FoldName(p.text)] = true
		case quoted:
			names[strings.ReplaceAll(strings.Trim(p.text, `"`), `""`, `"`)] = true
		}
	}
	var out []oracle.Table
	for i := len(c.Tables) - 1; i >= 0; i-- {
		if t := c.Tables[i]; names[t.Name] {
			out = append(out, t)
			names[t.Name] = false
		}
	}
	return out
}

// inline writes a table as an item of WITH. Every column has exactly its type.
func (p *Product) inline(t oracle.Table) (string, error) {
	body, err := p.Rows(t.Data)
	if err != nil {
		return "", fmt.Errorf("table %s: %w", t.Name, err)
	}
	names := make([]string, t.Data.NumColumns())
	for i, c := range t.Data.Columns() {
		names[i] = p.Quote(c.Name)
	}
	return fmt.Sprintf("%s (%s) AS (\n%s\n)", p.Quote(t.Name), strings.Join(names, ", "), body), nil
}

// Rows writes the rows of a table as a query without column names. The error
// says which type the product lacks.
func (p *Product) Rows(t *table.Table) (string, error) {
	types := make([]value.Type, t.NumColumns())
	for i, c := range t.Columns() {
		types[i] = settle(c)
		if _, ok := p.typeName(types[i]); !ok {
			return "", fmt.Errorf("%s has no type %s", p.Name, c.Type)
		}
	}
	if t.NumRows() == 0 {
		cells := make([]string, len(types))
		for i, typ := range types {
			cells[i], _ = p.typed(value.Null, typ)
		}
		return "SELECT " + strings.Join(cells, ", ") + p.dual + " WHERE 1 = 0", nil
	}
	var b strings.Builder
	if p.dual != "" {
		p.selects(&b, t, types)
		return b.String(), nil
	}
	b.WriteString("SELECT ")
	for i, typ := range types {
		name, _ := p.typeName(typ)
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "CAST(c%d AS %s)", i+1, name)
	}
	b.WriteString(" FROM (VALUES")
	for r := range t.NumRows() {
		if r > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  (")
		for i, typ := range types {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.Literal(t.Value(r, i), typ))
		}
		b.WriteByte(')')
	}
	b.WriteString("\n) AS v (")
	for i := range types {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "c%d", i+1)
	}
	b.WriteByte(')')
	return b.String(), nil
}

// selects writes one SELECT a row, for products without VALUES as a table.
func (p *Product) selects(b *strings.Builder, t *table.Table, types []value.Type) {
	for r := range t.NumRows() {
		if r > 0 {
			b.WriteString(" UNION ALL\n")
		}
		b.WriteString("SELECT ")
		for i, typ := range types {
			if i > 0 {
				b.WriteString(", ")
			}
			cell, _ := p.typed(t.Value(r, i), typ)
			b.WriteString(cell)
		}
		b.WriteString(p.dual)
	}
}

// settle gives a column of the type decimal, which has no fixed scale, the
// smallest scale that holds its values exactly (TYPE-3).
func settle(c *table.Column) value.Type {
	if c.Type.Kind != value.Decimal || c.Type.Precision != 0 {
		return c.Type
	}
	scale := 0
	for i := range c.Len() {
		if v := c.Value(i); !v.IsNull() {
			scale = max(scale, int(-v.AsDecimal().Exponent))
		}
	}
	return value.DecimalType(value.MaxPrecision, min(scale, value.MaxPrecision))
}
