package semantics

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// This file tells what to change where a name of a recognition resolves to
// nothing: most often it is misspelt, quoted or of another kind.

// variableNames returns the folded names of the primary variables, or of all.
func (b *binding) variableNames(unions bool) []string {
	var out []string
	for i, v := range b.c.Vars {
		if unions || i < b.c.Primaries {
			out = append(out, v.Name.Text)
		}
	}
	return out
}

// listed names the first of some names for a message.
func listed(names []string) string {
	const most = 12
	var out []string
	for i, n := range names {
		if i == most {
			out = append(out, "...")
			break
		}
		out = append(out, (token.Word{Text: n}).String())
	}
	return strings.Join(out, ", ")
}

// nameHint proposes the candidate that a name most likely means: one in another
// case, or a near one; "" if there is none.
func nameHint(name Name, candidates []string) string {
	if h := token.CaseHint(token.Word(name), candidates); h != "" {
		return h
	}
	if near := token.Nearest(name.Text, candidates); near != "" {
		return "did you mean " + (token.Word{Text: near}).String() + "?"
	}
	return ""
}

// columnNames returns the names of the input's columns.
func (r *RowType) columnNames() []string {
	out := make([]string, len(r.Fields))
	for i, f := range r.Fields {
		out[i] = f.Name
	}
	return out
}

// columnHint tells what a name may mean that is no column of the input.
func (b *binding) columnHint(name Name) string {
	columns := b.input.columnNames()
	if h := token.CaseHint(token.Word(name), columns); h != "" {
		return h
	}
	_, isVariable := b.byName[name.Text]
	switch {
	case isVariable:
		return name.String() + " is a row pattern variable; a column of its rows is written " + name.String() + ".column"
	case b.isMeasure(name):
		return name.String() + " is a measure, and measures see input columns and variables only (MEA-8): repeat its expression, or compute with the measure in the select list"
	case !name.Quoted && (name.Text == "MATCH_NUMBER" || name.Text == "CLASSIFIER"):
		return "write it with parentheses: " + name.Text + "()"
	}
	if near := token.Nearest(name.Text, columns); near != "" {
		return "did you mean " + (token.Word{Text: near}).String() + "?"
	}
	if len(columns) == 0 {
		return "write FROM and the table whose rows are matched: the statement has no columns without it"
	}
	list := "the columns are: " + listed(columns)
	if name.Quoted {
		return "double quotes make a name; a string is written in single quotes, " + token.QuoteString(name.Text) + "; " + list
	}
	return list
}

func (b *binding) isMeasure(name Name) bool {
	for _, m := range b.syn.Measures {
		if m.Name.Text == name.Text {
			return true
		}
	}
	return false
}

// qualifierHint tells what to write instead of a qualifier that is no variable.
func (b *binding) qualifierHint(parts []Name) string {
	q, column := parts[0], parts[1]
	if h := nameHint(q, b.variableNames(true)); h != "" {
		return h
	}
	_, columns := b.input.Find(q.Text)
	_, isVariable := b.byName[column.Text]
	switch {
	case columns > 0 && isVariable:
		return "the variable stands first: write " + column.String() + "." + q.String()
	case b.syn.OutputName != nil && b.syn.OutputName.Text == q.Text:
		return q.String() + " names the output, and qualifies columns outside of MATCH_RECOGNIZE only: write " + column.String() + ", or a variable before it"
	}
	return "write " + column.String() + " alone, or qualified by a variable of PATTERN or SUBSET: " + listed(b.variableNames(true))
}

// skipHint tells what to write instead of a target that is no variable (SKIP-1).
func (b *binding) skipHint(target Name) string {
	_, columns := b.input.Find(target.Text)
	switch {
	case !target.Quoted && (target.Text == "ROW" || target.Text == "NEXT" || target.Text == "PAST" || target.Text == "FIRST" || target.Text == "LAST"):
		return skipForms
	case columns > 0:
		return target.String() + " is a column; name one of the row pattern variables " + listed(b.variableNames(true))
	case b.isMeasure(target):
		return target.String() + " is a measure; name one of the row pattern variables " + listed(b.variableNames(true))
	}
	if h := nameHint(target, b.variableNames(true)); h != "" {
		return h
	}
	return "name a variable of PATTERN or SUBSET: " + listed(b.variableNames(true))
}

// defineHint tells what to change where a defined variable is not in PATTERN (DEF-2).
func (b *binding) defineHint(name Name) string {
	if h := nameHint(name, b.variableNames(false)); h != "" {
		return h
	}
	if name.Text == "PERMUTE" && b.c.Pattern.Has(OpPermute) {
		return `PERMUTE before a parenthesis is the permutation, not a variable; as a variable write "PERMUTE" in PATTERN`
	}
	return "use " + name.String() + " in PATTERN, or leave its definition out"
}

// memberHint tells what to change where a member of a union is no primary
// variable (SUB-1).
func (b *binding) memberHint(member Name) string {
	for _, s := range b.syn.Subset {
		if s.Name.Text == member.Text {
			return member.String() + " is a union itself: list its members instead, a union of unions is not allowed"
		}
	}
	if h := nameHint(member, b.variableNames(false)); h != "" {
		return h
	}
	return "list variables that occur in PATTERN: " + listed(b.variableNames(false))
}

// variableHint tells what to write as the argument of CLASSIFIER or before .*.
func (b *binding) variableHint(name Name, otherwise string) string {
	if h := nameHint(name, b.variableNames(true)); h != "" {
		return h
	}
	if name.Text == b.input.Correlation && name.Text != "" {
		return name.String() + " is the name of the input table: " + otherwise
	}
	return otherwise
}
