package reduce

import (
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// weigh measures the values of a table: what is longer to write is heavier.
func weigh(t *table.Table) int {
	n := 0
	for _, c := range t.Columns() {
		for i := range t.NumRows() {
			if v := c.Value(i); !v.IsNull() {
				n += 2 + len(value.Format(v, c.Type))
				if s := value.Format(v, c.Type); s != "0" && s != "1" && s != "a" {
					n++
				}
			}
		}
	}
	return n
}

// withTable returns the case with another table in place of the i-th.
func withTable(c *corpus.Case, i int, t *table.Table) *corpus.Case {
	d := *c
	d.Tables = slices.Clone(c.Tables)
	d.Tables[i].Data = t
	return &d
}

// fewerRows gives the tables with fewer rows: halves first, then single rows.
func fewerRows(c *corpus.Case) []*corpus.Case {
	var out []*corpus.Case
	for i, t := range c.Tables {
		n := t.Data.NumRows()
		if n > 3 {
			out = append(out, withTable(c, i, t.Data.Gather(numbers(0, n/2))), withTable(c, i, t.Data.Gather(numbers(n/2, n))))
		}
		for r := n - 1; r >= 0; r-- {
			out = append(out, withTable(c, i, t.Data.Gather(append(numbers(0, r), numbers(r+1, n)...))))
		}
	}
	return append(out, fewerValues(c)...)
}

func numbers(from, to int) []int32 {
	var out []int32
	for i := from; i < to; i++ {
		out = append(out, int32(i))
	}
	return out
}

// fewerValues takes rows from the VALUES of the statement.
func fewerValues(c *corpus.Case) []*corpus.Case {
	s := split(c.SQL)
	var out []*corpus.Case
	for i, t := range s.toks {
		if !t.is("VALUES") {
			continue
		}
		end := i + 1
		for end < len(s.toks) && (s.toks[end].depth > t.depth || s.toks[end].depth == t.depth && strings.Contains("(),", s.toks[end].text)) {
			end++
		}
		if list := s.items(span{i + 1, end}); len(list) > 1 {
			for k := len(list) - 1; k >= 0; k-- {
				out = append(out, withSQL(c, s.without(list, k)))
			}
		}
	}
	return out
}

// fewerColumns takes columns that nothing needs.
func fewerColumns(c *corpus.Case) []*corpus.Case {
	var out []*corpus.Case
	for i, t := range c.Tables {
		cols := t.Data.Columns()
		for k := len(cols) - 1; k >= 0 && len(cols) > 1; k-- {
			smaller, err := table.New(slices.Delete(slices.Clone(cols), k, k+1)...)
			if err == nil {
				out = append(out, withTable(c, i, smaller))
			}
		}
	}
	return out
}

// smallerValues makes single values small: 0, 1, their number in the column, a
// short string, NULL last.
func smallerValues(c *corpus.Case) []*corpus.Case {
	var out []*corpus.Case
	for i, t := range c.Tables {
		for k, col := range t.Data.Columns() {
			for r := range t.Data.NumRows() {
				for _, v := range simpler(col.Value(r), col.Type, r) {
					if changed := withValue(t.Data, k, r, v); changed != nil {
						out = append(out, withTable(c, i, changed))
					}
				}
			}
		}
	}
	return append(out, smallerLiterals(c)...)
}

func simpler(v value.Value, t value.Type, row int) []value.Value {
	if v.IsNull() {
		return nil
	}
	switch t.Kind {
	case value.Smallint, value.Integer, value.Bigint, value.Decimal, value.Double, value.Real:
		var out []value.Value
		for _, n := range []int64{0, 1, 2, int64(row + 1)} {
			if x, err := value.Convert(value.Int(n), t); err == nil && value.ComparableTypes(value.TypeInteger, t) {
				out = append(out, x)
			} else if x, err := value.Cast(value.Int(n), value.TypeInteger, t); err == nil {
				out = append(out, x)
			}
		}
		return out
	case value.Varchar, value.Char:
		return []value.Value{value.String("a"), value.String("b")}
	}
	return nil
}

// withValue returns a table with one other value; nil if its type does not take it.
func withValue(t *table.Table, col, row int, v value.Value) *table.Table {
	cols := slices.Clone(t.Columns())
	b := table.NewBuilder(cols[col].Name, cols[col].Type)
	for r := range t.NumRows() {
		x := cols[col].Value(r)
		if r == row {
			x = v
		}
		if b.Append(x) != nil {
			return nil
		}
	}
	cols[col] = b.Column()
	out, err := table.New(cols...)
	if err != nil {
		return nil
	}
	return out
}

// smallerLiterals makes the literals of the statement small.
func smallerLiterals(c *corpus.Case) []*corpus.Case {
	s := split(c.SQL)
	var out []*corpus.Case
	for i, t := range s.toks {
		var tries []string
		switch t.kind {
		case number:
			tries = []string{"0", "1", "2"}
		case text:
			tries = []string{"'a'"}
		}
		for _, try := range tries {
			if len(try) <= len(t.text) && try != t.text {
				out = append(out, withSQL(c, s.with(span{i, i + 1}, try)))
			}
		}
	}
	return out
}

// mentioned leaves the tables whose names the statement has.
func mentioned(c *corpus.Case) *corpus.Case {
	d := *c
	d.Tables = nil
	names := map[string]bool{table.FoldName(c.Over): true}
	for _, t := range scan(c.SQL) {
		if t.kind == word {
			names[table.FoldName(strings.Trim(t.text, `"`))] = true
			names[strings.Trim(t.text, `"`)] = true
		}
	}
	for i, t := range c.Tables {
		later := slices.ContainsFunc(c.Tables[i+1:], func(o corpus.Table) bool { return o.Name == t.Name })
		if names[t.Name] && !later {
			d.Tables = append(d.Tables, t)
		}
	}
	return &d
}
