package corpus

import (
	"fmt"
	"math"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// decodeTable decodes a table directive: its columns from cols=, its rows as
// SQL literals separated by blanks.
func decodeTable(it *Item) (Table, error) {
	for _, a := range it.Args {
		if a.Key != "name" && a.Key != "cols" {
			return Table{}, fmt.Errorf("table takes no argument %s", a.Key)
		}
	}
	name := it.One("name")
	if name == "" {
		return Table{}, fmt.Errorf("the table has no name")
	}
	if want := strings.TrimSpace(it.Expected); want != "ok" {
		return Table{}, fmt.Errorf("the expected text of a table is ok")
	}
	data, err := ParseTable(strings.Join(it.Get("cols"), ", "), splitLines(it.Input))
	return Table{Name: table.FoldName(name), Data: data}, err
}

// ParseTable makes a table of a schema, such as "id bigint, price decimal(10,2)",
// and rows of SQL literals.
func ParseTable(schema string, rows []string) (*table.Table, error) {
	fields, err := table.ParseSchema(schema)
	if err != nil {
		return nil, err
	}
	builders := make([]*table.Builder, len(fields))
	for i, f := range fields {
		builders[i] = table.NewBuilder(f.Name, f.Type)
	}
	for n, row := range rows {
		lits, err := Literals(row)
		if err != nil {
			return nil, fmt.Errorf("row %d: %v", n+1, err)
		}
		if len(lits) != len(fields) {
			return nil, fmt.Errorf("row %d has %d values, the table %d columns", n+1, len(lits), len(fields))
		}
		for i, l := range lits {
			if !value.Assignable(l.Type, fields[i].Type) {
				return nil, fmt.Errorf("row %d: %s is no %s", n+1, l.Text, fields[i].Type)
			}
			v, err := value.Convert(l.Value, fields[i].Type)
			if err == nil {
				err = builders[i].Append(v)
			}
			if err != nil {
				return nil, fmt.Errorf("row %d: %v", n+1, err)
			}
		}
	}
	cols := make([]*table.Column, len(fields))
	for i, b := range builders {
		cols[i] = b.Column()
	}
	return table.New(cols...)
}

// Literal is an SQL literal of a row.
type Literal struct {
	Text  string
	Value value.Value
	Type  value.Type
}

// Literals reads the SQL literals of one row, separated by blanks.
func Literals(row string) ([]Literal, error) {
	p := &literalReader{rest: row}
	var out []Literal
	for p.blank(); p.rest != ""; p.blank() {
		before := p.rest
		l, err := p.literal()
		if err != nil {
			return nil, err
		}
		l.Text = strings.TrimSpace(before[:len(before)-len(p.rest)])
		out = append(out, l)
	}
	return out, nil
}

type literalReader struct{ rest string }

func (p *literalReader) blank() { p.rest = strings.TrimLeft(p.rest, " \t") }

// word takes the text up to a blank, bracket or comma.
func (p *literalReader) word() string {
	i := strings.IndexAny(p.rest, " \t,[]'")
	if i < 0 {
		i = len(p.rest)
	}
	w := p.rest[:i]
	p.rest = p.rest[i:]
	return w
}

// quoted takes a string in single quotes, with doubled quotes inside.
func (p *literalReader) quoted() (string, error) {
	p.blank()
	if !strings.HasPrefix(p.rest, "'") {
		return "", fmt.Errorf("expected a string in quotes at %q", p.rest)
	}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		if p.rest[i] != '\'' {
			b.WriteByte(p.rest[i])
			continue
		}
		if i+1 < len(p.rest) && p.rest[i+1] == '\'' {
			b.WriteByte('\'')
			i++
			continue
		}
		p.rest = p.rest[i+1:]
		return b.String(), nil
	}
	return "", fmt.Errorf("the string %q is not closed", p.rest)
}

func (p *literalReader) literal() (l Literal, err error) {
	if strings.HasPrefix(p.rest, "'") {
		s, err := p.quoted()
		return Literal{Value: value.String(s), Type: value.TypeVarchar}, err
	}
	word := p.word()
	var s string
	switch upper := strings.ToUpper(word); upper {
	case "NULL":
		return Literal{Type: value.TypeUnknown}, nil
	case "TRUE", "FALSE":
		return Literal{Value: value.Bool(upper == "TRUE"), Type: value.TypeBoolean}, nil
	case "NAN":
		return Literal{Value: value.Float(math.NaN()), Type: value.TypeDouble}, nil
	case "DATE":
		if s, err = p.quoted(); err == nil {
			l.Type = value.TypeDate
			l.Value, err = value.ParseDate(s)
		}
		return l, err
	case "TIME":
		if s, err = p.quoted(); err == nil {
			l.Value, l.Type, err = value.ParseTime(s)
		}
		return l, err
	case "TIMESTAMP":
		if s, err = p.quoted(); err == nil {
			l.Value, l.Type, err = value.ParseTimestamp(s)
		}
		return l, err
	case "INTERVAL":
		return p.interval()
	case "ARRAY":
		return p.array()
	}
	return number(word)
}

func (p *literalReader) interval() (l Literal, err error) {
	s, err := p.quoted()
	if err != nil {
		return l, err
	}
	p.blank()
	from, to := strings.ToUpper(p.word()), ""
	mark := p.rest
	p.blank()
	if strings.EqualFold(p.word(), "TO") {
		p.blank()
		to = strings.ToUpper(p.word())
	} else {
		p.rest = mark
	}
	l.Value, l.Type, err = value.ParseInterval(s, from, to)
	return l, err
}

func (p *literalReader) array() (l Literal, err error) {
	if !strings.HasPrefix(p.rest, "[") {
		return l, fmt.Errorf("expected ARRAY[...] at %q", p.rest)
	}
	p.rest = p.rest[1:]
	var elems []value.Value
	elem := value.TypeUnknown
	for p.blank(); !strings.HasPrefix(p.rest, "]"); p.blank() {
		if len(elems) > 0 {
			if !strings.HasPrefix(p.rest, ",") {
				return l, fmt.Errorf("expected a comma at %q", p.rest)
			}
			p.rest = p.rest[1:]
			p.blank()
		}
		if p.rest == "" {
			return l, fmt.Errorf("the array is not closed")
		}
		e, err := p.literal()
		if err != nil {
			return l, err
		}
		if t, ok := value.CommonType(elem, e.Type); ok {
			elem = t
		}
		elems = append(elems, e.Value)
	}
	p.rest = p.rest[1:]
	return Literal{Value: value.ArrayOf(elems), Type: value.ArrayType(elem)}, nil
}

// number reads a number with an optional sign.
func number(word string) (Literal, error) {
	digits := strings.TrimLeft(word, "+-")
	v, t, err := value.ParseNumber(digits)
	if err != nil {
		return Literal{}, fmt.Errorf("%q is no literal", word)
	}
	if strings.HasPrefix(word, "-") {
		if v, err = value.Negate(t, v); err != nil {
			return Literal{}, err
		}
	}
	return Literal{Value: v, Type: t}, nil
}
