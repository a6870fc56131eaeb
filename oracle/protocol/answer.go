package protocol

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Answer is a message from an engine: *Greeting, *Rows, *Accepted, *Mappings,
// *Candidates or *Refused.
type Answer interface {
	// Append appends the message, without the end of the line. It may stop as
	// soon as dst is longer than most bytes, if most is positive; what it then
	// leaves is not a message.
	Append(dst []byte, most int) []byte
}

// Greeting answers hello.
type Greeting struct {
	Protocol int64
	Name     string
	Version  string
	Dialect  string // "iso", or the name of an SQL dialect that the engine speaks
	Ops      []string
	Features []string // R010, R020, R030
}

// Rows answers query.
type Rows struct {
	ID      string
	Table   *table.Table
	Ordered bool // the statement has an outer ORDER BY
}

// Accepted answers a check that found nothing wrong.
type Accepted struct {
	ID      string
	Columns []table.Field
	Untyped bool // columns of unknown type were accepted: there were no tables
}

// Mappings answers map.
type Mappings struct {
	ID string
	// Rows holds for each row the variables of the preferred match that starts
	// there, {A} for an excluded row; empty for an empty match, nil for none.
	Rows [][]string
}

// Candidates answers prefer.
type Candidates struct {
	ID   string
	List []string // in the notation of chapter 2
}

// Refused answers any question with an error.
type Refused struct {
	ID    string
	Error *diag.Error
}

// Append appends the message.
func (a *Greeting) Append(dst []byte, _ int) []byte {
	dst = appendInt(append(dst, `{"protocol":`...), a.Protocol)
	dst = appendString(append(dst, `,"name":`...), a.Name)
	dst = appendString(append(dst, `,"version":`...), a.Version)
	dst = appendString(append(dst, `,"dialect":`...), a.Dialect)
	dst = appendStrings(append(dst, `,"ops":`...), a.Ops)
	dst = appendStrings(append(dst, `,"features":`...), a.Features)
	return append(dst, '}')
}

// open appends the beginning of an answer, up to the comma behind the id.
func open(dst []byte, id string) []byte {
	dst = append(dst, '{')
	if id != "" {
		dst = append(appendString(append(dst, `"id":`...), id), ',')
	}
	return dst
}

// Append appends the message.
func (a *Rows) Append(dst []byte, most int) []byte {
	dst = appendColumns(append(open(dst, a.ID), `"columns":`...), a.Table.Fields())
	dst = appendRows(append(dst, `,"rows":`...), a.Table, most)
	if a.Ordered {
		return append(dst, `,"ordered":true}`...)
	}
	return append(dst, `,"ordered":false}`...)
}

// Append appends the message.
func (a *Accepted) Append(dst []byte, _ int) []byte {
	dst = append(open(dst, a.ID), `"accepted":true,`...)
	if a.Untyped {
		dst = append(dst, `"untyped":true,`...)
	}
	return append(appendColumns(append(dst, `"columns":`...), a.Columns), '}')
}

// Append appends the message.
func (a *Mappings) Append(dst []byte, most int) []byte {
	dst = append(open(dst, a.ID), `"mappings":[`...)
	for i, m := range a.Rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		if m == nil {
			dst = append(dst, "null"...)
		} else {
			dst = appendStrings(dst, m)
		}
		if most > 0 && len(dst) > most {
			break
		}
	}
	return append(dst, "]}"...)
}

// Append appends the message.
func (a *Candidates) Append(dst []byte, _ int) []byte {
	return append(appendStrings(append(open(dst, a.ID), `"candidates":`...), a.List), '}')
}

// Append appends the message.
func (a *Refused) Append(dst []byte, _ int) []byte {
	return append(appendError(append(open(dst, a.ID), `"error":`...), a.Error), '}')
}

// ParseAnswer reads the answer to a question. The error, a *diag.Error, says
// that it is none: no JSON object, another id, something missing. An error that
// the engine reports is not one; it is returned as *Refused.
func ParseAnswer(q Question, line []byte) (Answer, error) {
	f, err := readFields(line, "the answer to "+q.Op())
	if err != nil {
		return nil, err
	}
	f.lenient = true
	id, err := f.text("id", false)
	if err != nil {
		return nil, err
	}
	raw, err := f.value("error", false)
	if err != nil {
		return nil, err
	}
	if want := idOf(q); id != want && (raw == nil || id != "") {
		return nil, f.wrong("id", "must be %.60q, not %.60q", want, id)
	}
	if raw != nil {
		sub, err := f.sub(raw, "\"error\" of "+f.what)
		if err != nil {
			return nil, err
		}
		e, err := readError(sub)
		if err != nil {
			return nil, err
		}
		return &Refused{id, e}, nil
	}
	switch q.(type) {
	case *Hello:
		return readGreeting(f)
	case *Query:
		a := &Rows{ID: id}
		if a.Table, err = readTable(f, false); err != nil {
			return nil, err
		}
		a.Ordered, err = f.boolean("ordered", false)
		return a, err
	case *Check:
		return readAccepted(f, id)
	case *Map:
		return readMappings(f, id)
	case *Prefer:
		list, err := f.texts("candidates", true)
		return &Candidates{id, list}, err
	}
	return nil, malformed("%s is not answered", q.Op())
}

func idOf(q Question) string {
	switch q := q.(type) {
	case *Query:
		return q.ID
	case *Check:
		return q.ID
	case *Map:
		return q.ID
	case *Prefer:
		return q.ID
	}
	return ""
}

func readGreeting(f *fields) (Answer, error) {
	a := &Greeting{}
	var err error
	if a.Protocol, err = f.integer("protocol", true); err != nil {
		return nil, err
	}
	if a.Name, err = f.text("name", true); err != nil {
		return nil, err
	}
	if a.Version, err = f.text("version", false); err != nil {
		return nil, err
	}
	if a.Dialect, err = f.text("dialect", false); err != nil {
		return nil, err
	}
	if a.Ops, err = f.texts("ops", true); err != nil {
		return nil, err
	}
	a.Features, err = f.texts("features", false)
	return a, err
}

func readAccepted(f *fields, id string) (Answer, error) {
	a := &Accepted{ID: id}
	ok, err := f.boolean("accepted", true)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, f.wrong("accepted", "must be true; what is refused is answered with an error")
	}
	if a.Untyped, err = f.boolean("untyped", false); err != nil {
		return nil, err
	}
	if raw, _ := f.value("columns", false); raw != nil {
		a.Columns, err = readColumns(f, false)
	}
	return a, err
}

func readMappings(f *fields, id string) (Answer, error) {
	a := &Mappings{ID: id}
	err := f.array("mappings", true, func(i int, raw []byte) error {
		if string(raw) == "null" {
			a.Rows = append(a.Rows, nil)
			return nil
		}
		row := fields{what: f.what, raw: map[string][]byte{"mappings": raw}}
		m, err := row.texts("mappings", true)
		if m == nil {
			m = []string{}
		}
		a.Rows = append(a.Rows, m)
		return err
	})
	return a, err
}
