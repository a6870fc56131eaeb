package table

import (
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// FromRows makes a table of Go values. Field names are folded like names from
// outside (GRAM-10a). A cell is nil for NULL, a bool, an int, int32, int64,
// float64, string, []byte, time.Time (date, time and timestamp columns; read in
// UTC), time.Duration (interval day to second) or a value.Value. A string is
// also accepted where the column has another type; it is then read as CAST
// would. Errors are of rule DATA-1 and name row and column.
func FromRows(fields []Field, rows [][]any) (*Table, error) {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	names, err := CheckNames(names)
	if err != nil {
		return nil, err
	}
	builders := make([]*Builder, len(fields))
	for i, f := range fields {
		builders[i] = NewBuilder(names[i], f.Type)
		builders[i].Reserve(len(rows))
	}
	for r, row := range rows {
		if len(row) != len(fields) {
			return nil, diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "row %d has %d cells, the table %d columns", r+1, len(row), len(fields)).
				WithHint("give each row a cell for every column; nil is NULL")
		}
		for i, cell := range row {
			v, err := cellValue(cell, fields[i].Type)
			if err == nil {
				err = builders[i].Append(v)
			}
			if err != nil {
				return nil, diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "row %d, column %s: %s", r+1, fields[i].Name, diag.From(err).Message).
					WithHint("a cell of a column of type %s is nil, or a Go value of that kind", fields[i].Type)
			}
		}
	}
	cols := make([]*Column, len(builders))
	for i, b := range builders {
		cols[i] = b.Column()
	}
	return New(cols...)
}

// cellValue turns a Go value into a value of type t.
func cellValue(cell any, t value.Type) (value.Value, error) {
	switch x := cell.(type) {
	case nil:
		return value.Null, nil
	case value.Value:
		return x, nil
	case bool:
		return typed(value.Bool(x), value.TypeBoolean, t)
	case int:
		return typed(value.Int(int64(x)), value.TypeBigint, t)
	case int32:
		return typed(value.Int(int64(x)), value.TypeInteger, t)
	case int64:
		return typed(value.Int(x), value.TypeBigint, t)
	case float64:
		return typed(value.Float(x), value.TypeDouble, t)
	case []byte:
		return typed(value.Bytes(x), value.TypeBinary, t)
	case string:
		if t.IsString() {
			return value.String(x), nil
		}
		return value.Cast(value.String(x), value.TypeVarchar, t)
	case time.Duration:
		return typed(value.IntervalOf(x.Microseconds()), value.TypeIntervalDay, t)
	case time.Time:
		return timeValue(x.UTC(), t)
	}
	return value.Null, diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "a Go value of type %T is no SQL value", cell)
}

// typed accepts a value of type from in a column of type to: of the same kind,
// or a number where a number is wanted.
func typed(v value.Value, from, to value.Type) (value.Value, error) {
	if from.Kind == to.Kind {
		return v, nil
	}
	if from.IsNumeric() && to.IsNumeric() {
		return value.Cast(v, from, to)
	}
	return value.Null, diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "a value of type %s in a column of type %s", from, to)
}

func timeValue(x time.Time, t value.Type) (value.Value, error) {
	const day = 24 * 60 * 60 * 1_000_000
	micros := x.UnixMicro()
	switch t.Kind {
	case value.Timestamp:
		return value.TimestampOf(micros), nil
	case value.Date:
		days := micros / day
		if micros%day < 0 {
			days--
		}
		return value.DateOf(days), nil
	case value.Time:
		return value.TimeOf((micros%day + day) % day), nil
	}
	return value.Null, diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "a time in a column of type %s", t)
}
