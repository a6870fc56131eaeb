package protocol

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Table is a named table of a question. Its name is folded by GRAM-10a, and so
// are those of its columns.
type Table struct {
	Name string
	*table.Table
}

// readTables reads the tables of a question. The same name twice is an error
// that gives both spellings.
func readTables(f *fields, key string) ([]Table, error) {
	var out []Table
	spelled := map[string]string{}
	err := f.array(key, false, func(i int, raw []byte) error {
		what := fmt.Sprintf("table %d", i+1)
		t, err := f.sub(raw, what)
		if err != nil {
			return err
		}
		if err := t.only("name", "columns", "rows"); err != nil {
			return err
		}
		name, err := t.text("name", true)
		if err != nil {
			return err
		}
		folded := table.FoldName(name)
		if folded == "" {
			return nameError("%s has an empty name", what)
		}
		if other, ok := spelled[folded]; ok {
			return nameError("the table names %q and %q are the same name (GRAM-10a)", other, name).
				WithHint("rename one of them")
		}
		spelled[folded] = name
		t.what = fmt.Sprintf("table %.60q", name)
		data, err := readTable(t, true)
		out = append(out, Table{folded, data})
		return err
	})
	return out, err
}

// nameError is the error of names that a table cannot have.
func nameError(format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "DATA-1", diag.Pos{}, format, args...)
}

// readTable reads the columns and rows of a table. Of a question, where fold is
// set, the names are folded and must differ, and rows may be absent; an answer
// has them as the statement made them, doubled ones included.
func readTable(f *fields, fold bool) (*table.Table, error) {
	fields, err := readColumns(f, fold)
	if err != nil {
		return nil, err
	}
	builders := make([]*table.Builder, len(fields))
	for i, c := range fields {
		builders[i] = table.NewBuilder(c.Name, c.Type)
	}
	n := 0
	err = f.array("rows", !fold, func(row int, raw []byte) error {
		n++
		return readRow(f, fields, builders, row, raw)
	})
	if err != nil {
		return nil, err
	}
	columns := make([]*table.Column, len(builders))
	for i, b := range builders {
		columns[i] = b.Column()
	}
	return table.NewRows(n, columns...)
}

// readColumns reads the names and types of columns.
func readColumns(f *fields, fold bool) ([]table.Field, error) {
	var out []table.Field
	var names []string
	err := f.array("columns", true, func(i int, raw []byte) error {
		if i == table.DefaultMaxColumns {
			return diag.New(diag.Limit, "LIM-1", diag.Pos{}, "%s has more than %d columns", f.what, i).
				WithHint("leave out what the statement does not use")
		}
		c, err := f.sub(raw, fmt.Sprintf("column %d of %s", i+1, f.what))
		if err != nil {
			return err
		}
		if fold {
			if err := c.only("name", "type"); err != nil {
				return err
			}
		}
		name, err := c.text("name", true)
		if err != nil {
			return err
		}
		typeName, err := c.text("type", true)
		if err != nil {
			return err
		}
		t, err := value.ParseType(typeName)
		if err != nil {
			return withPlace(err, "column %.60q of %s", name, f.what)
		}
		names = append(names, name)
		out = append(out, table.Field{Name: name, Type: t})
		return nil
	})
	if err != nil || !fold {
		return out, err
	}
	folded, err := table.CheckNames(names)
	if err != nil {
		return nil, withPlace(err, "%s", f.what)
	}
	for i := range out {
		out[i].Name = folded[i]
	}
	return out, nil
}

// readRow reads one row into the builders.
func readRow(f *fields, fields []table.Field, builders []*table.Builder, row int, raw []byte) error {
	if raw[0] != '[' {
		return malformed("row %d of %s must be an array", row+1, f.what)
	}
	n := 0
	err := elements(raw, func(i int, raw []byte) error {
		if n++; i >= len(fields) {
			return nil
		}
		v, err := value.FromJSON(raw, fields[i].Type)
		if err == nil {
			err = builders[i].Append(v)
		}
		if err != nil {
			return withPlace(err, "row %d, column %.60q of %s", row+1, fields[i].Name, f.what)
		}
		return nil
	})
	if err == nil && n != len(fields) {
		err = diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "row %d of %s has %d values, the table %d columns", row+1, f.what, n, len(fields)).
			WithHint("give every row a value for each column; null is NULL")
	}
	return err
}

// withPlace puts in front of an error's text where in the message it lies. The
// place that it may have in the text of a type or a value is not one in the SQL
// text, and is dropped.
func withPlace(err error, format string, args ...any) error {
	e := *diag.From(err)
	e.Message = fmt.Sprintf(format, args...) + ": " + e.Message
	e.Pos, e.Source = diag.Pos{}, ""
	return &e
}

// appendColumns appends the array of names and types.
func appendColumns(dst []byte, fields []table.Field) []byte {
	dst = append(dst, '[')
	for i, c := range fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"name":`...), c.Name)
		dst = appendString(append(dst, `,"type":`...), c.Type.String())
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendRows appends the array of rows. It stops as soon as dst is longer than
// most bytes, if most is positive.
func appendRows(dst []byte, t *table.Table, most int) []byte {
	dst = append(dst, '[')
	for row := range t.NumRows() {
		if row > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		for i, c := range t.Columns() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = value.AppendJSON(dst, c.Value(row), c.Type)
		}
		dst = append(dst, ']')
		if most > 0 && len(dst) > most {
			break
		}
	}
	return append(dst, ']')
}

// appendTables appends the tables of a question.
func appendTables(dst []byte, tables []Table) []byte {
	dst = append(dst, '[')
	for i, t := range tables {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(append(dst, `{"name":`...), t.Name)
		dst = appendColumns(append(dst, `,"columns":`...), t.Fields())
		dst = appendRows(append(dst, `,"rows":`...), t.Table, 0)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
