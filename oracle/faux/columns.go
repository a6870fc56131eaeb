package faux

import (
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/query"
)

// changesColumns reports a lie about which columns an output has.
func (m *Mutant) changesColumns() bool {
	return m.lie == columnsInInputOrder || m.lie == orderColumnsTwice || m.lie == partitionMissing
}

// spellOutput writes the columns that the mutant's output has in place of the
// asterisk of SELECT * FROM ... MATCH_RECOGNIZE. A reference by name finds its
// column as ever.
func (m *Mutant) spellOutput(s *script, o query.Options) {
	st, err := query.Parse(s.text, o.Readings)
	if err != nil {
		return
	}
	b, err := query.Bind(st, o)
	if err != nil {
		return
	}
	var clauses []*semantics.Clause
	for _, c := range b.Recognitions() {
		if c.Window == nil {
			clauses = append(clauses, c)
		}
	}
	list := lex(s.text)
	for i := len(list) - 1; i >= 0 && len(clauses) > 0; i-- {
		if !list[i].is("MATCH_RECOGNIZE") {
			continue
		}
		c := clauses[len(clauses)-1]
		clauses = clauses[:len(clauses)-1]
		from, to, ok := asterisk(list, i)
		if columns := m.columns(c); ok && len(columns) > 0 {
			s.replace(from, to, strings.Join(columns, ", "))
		}
	}
}

// asterisk finds the select list of the block whose FROM has the recognition at
// i, if it is * or name.*.
func asterisk(list []lexeme, i int) (from, to int, ok bool) {
	at := before(list, i, "SELECT")
	if at < 0 || at+1 >= len(list) {
		return 0, 0, false
	}
	at++
	star := at
	if star+2 < len(list) && list[star+1].op(".") {
		star += 2
	}
	if star+1 >= len(list) || !list[star].op("*") || !list[star+1].is("FROM") {
		return 0, 0, false
	}
	return list[at].from, list[star].to, true
}

// columns are the output columns as the mutant has them, as SQL; nil if a name
// is ambiguous.
func (m *Mutant) columns(c *semantics.Clause) []string {
	names := make([]string, len(c.Output.Fields))
	for i, f := range c.Output.Fields {
		names[i] = `"` + strings.ReplaceAll(f.Name, `"`, `""`) + `"`
		if slices.Contains(names[:i], names[i]) {
			return nil
		}
	}
	// Where each column comes from, as OUT-1 and OUT-2 have it.
	var inputs []int // of the columns before the measures
	add := func(column int) {
		if column >= 0 && !slices.Contains(inputs, column) {
			inputs = append(inputs, column)
		}
	}
	for _, column := range c.PartitionBy {
		add(column)
	}
	partition := len(inputs)
	if c.Rows.IsAll() {
		for _, k := range c.OrderBy {
			add(k.Column)
		}
	}
	head, measures := len(inputs), names[len(inputs):len(inputs)+len(c.Measures)]
	if c.Rows.IsAll() {
		for column := range c.Input.Fields {
			add(column)
		}
	}
	byInput := map[int]string{}
	for i, column := range inputs {
		name := names[i]
		if i >= head {
			name = names[i+len(measures)]
		}
		byInput[column] = name
	}
	switch m.lie {
	case columnsInInputOrder:
		slices.Sort(inputs)
		return append(spelled(inputs, byInput), measures...)
	case partitionMissing:
		return slices.Concat(spelled(inputs[partition:head], byInput), measures, spelled(inputs[head:], byInput))
	}
	rest := append(slices.Clone(inputs[partition:head]), inputs[head:]...)
	slices.Sort(rest)
	return slices.Concat(spelled(inputs[:head], byInput), measures, spelled(rest, byInput))
}

func spelled(columns []int, names map[int]string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = names[c]
	}
	return out
}
