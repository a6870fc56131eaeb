package semantics

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
)

// SQL prints the recognition as the standard writes it; it parses to the same
// tree. Defaults that were not written are not printed. A window specification
// is printed without its parentheses.
func (x *Syntax) SQL() string {
	var parts []string
	add := func(head string, items []string) {
		if len(items) > 0 {
			parts = append(parts, head+strings.Join(items, ", "))
		}
	}
	if x.Base != nil {
		parts = append(parts, x.Base.String())
	}
	add("PARTITION BY ", mapText(x.PartitionBy, func(c columnSyntax) string {
		if c.Collate != nil {
			return join(c.Parts) + " COLLATE " + c.Collate.String()
		}
		return join(c.Parts)
	}))
	add("ORDER BY ", mapText(x.OrderBy, sortItemSQL))
	add("MEASURES ", mapText(x.Measures, func(m measureSyntax) string { return m.Expr.SQL() + " AS " + m.Name.String() }))
	if x.Rows != OneRow {
		parts = append(parts, x.Rows.String())
	}
	if x.Frame != nil {
		parts = append(parts, x.Frame.sql())
	}
	if x.Exclude != "" {
		parts = append(parts, "EXCLUDE "+x.Exclude)
	}
	if x.Skip.Written {
		parts = append(parts, "AFTER MATCH SKIP "+x.Skip.sql())
	}
	if x.Seek.Word != "" {
		parts = append(parts, x.Seek.Word)
	}
	if x.Pattern != nil {
		parts = append(parts, "PATTERN ("+x.Pattern.String()+")")
	}
	add("SUBSET ", mapText(x.Subset, func(s subsetSyntax) string {
		return s.Name.String() + " = (" + strings.Join(mapText(s.Members, Name.String), ", ") + ")"
	}))
	add("DEFINE ", mapText(x.Define, func(d defineSyntax) string { return d.Name.String() + " AS " + d.Cond.SQL() }))
	body := strings.Join(parts, " ")
	if x.Window {
		return body
	}
	sql := "MATCH_RECOGNIZE (" + body + ")"
	if x.OutputName != nil {
		sql += " AS " + x.OutputName.String()
		if x.OutputColumns != nil {
			sql += " (" + strings.Join(mapText(x.OutputColumns, Name.String), ", ") + ")"
		}
	}
	return sql
}

func mapText[T any](list []T, f func(T) string) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

func sortItemSQL(k sqlexpr.SortItem) string {
	text := k.Expr.SQL()
	if k.Descending {
		text += " DESC"
	}
	if k.NullsFirst != nil {
		if *k.NullsFirst {
			return text + " NULLS FIRST"
		}
		return text + " NULLS LAST"
	}
	return text
}

func (s skipSyntax) sql() string {
	switch s.To {
	case PastLastRow:
		return "PAST LAST ROW"
	case ToNextRow:
		return "TO NEXT ROW"
	case ToFirst:
		return "TO FIRST " + s.Target.String()
	}
	return "TO LAST " + s.Target.String()
}

func (f *frameSyntax) sql() string {
	if !f.Between {
		return f.Unit + " " + f.Start.sql()
	}
	return f.Unit + " BETWEEN " + f.Start.sql() + " AND " + f.End.sql()
}

func (b frameBound) sql() string {
	if b.N != nil {
		return b.N.SQL() + " " + b.Kind
	}
	return b.Kind
}
