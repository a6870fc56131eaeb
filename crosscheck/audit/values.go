package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// typeOf is our type for one of the server's. What has none is read as text: it
// can be passed through and compared, and a condition over it is refused by the
// rules.
func typeOf(name string) (value.Type, bool) {
	switch {
	case name == "tinyint":
		return value.TypeSmallint, true
	case strings.Contains(name, "with time zone"), strings.HasPrefix(name, "row("), strings.HasPrefix(name, "map("):
		return value.TypeVarchar, false
	}
	if t, err := value.ParseType(name); err == nil && t.Kind != value.Binary && t.Kind != value.Unknown {
		if t.Kind == value.Timestamp || t.Kind == value.Time {
			t.Precision = min(t.Precision, 6)
		}
		return t, true
	}
	return value.TypeVarchar, false
}

// cell reads one value.
func cell(raw json.RawMessage, t value.Type, known bool) (value.Value, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return value.Null, nil
	}
	if !known {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			s = string(raw)
		}
		return value.String(s), nil
	}
	if t.Kind == value.Decimal { // the server writes decimals as strings
		raw = bytes.Trim(raw, `"`)
	}
	return value.FromJSON(raw, t)
}

// shape is the columns of a result with our types.
type shape struct {
	names []string
	types []value.Type
	known []bool
}

func shapeOf(columns []column) *shape {
	s := &shape{}
	for _, c := range columns {
		t, ok := typeOf(c.Type)
		s.names, s.types, s.known = append(s.names, table.FoldName(c.Name)), append(s.types, t), append(s.known, ok)
	}
	return s
}

// table makes a table of rows.
func (s *shape) table(rows [][]json.RawMessage) (*table.Table, error) {
	cols := make([]*table.Column, len(s.names))
	for i := range cols {
		b := table.NewBuilder(s.names[i], s.types[i])
		b.Reserve(len(rows))
		for _, r := range rows {
			v, err := cell(r[i], s.types[i], s.known[i])
			if err == nil {
				err = b.Append(v)
			}
			if err != nil {
				return nil, fmt.Errorf("column %s: %w", s.names[i], err)
			}
		}
		cols[i] = b.Column()
	}
	return table.New(cols...)
}
