package protocol

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Version is the version of the protocol that this package speaks.
const Version = 1

// Question is a message to an engine: *Hello, *Query, *Check, *Map, *Prefer or *Bye.
type Question interface {
	// Op is the name of the operation, as the message has it.
	Op() string
	// Append appends the message, without the end of the line.
	Append(dst []byte) []byte
}

// Hello opens the conversation.
type Hello struct {
	Protocol int64
	Readings []string // choices of chapter 17, each RULE=VALUE
}

// Query runs a statement over tables.
type Query struct {
	ID       string
	SQL      string
	Tables   []Table
	Params   map[string]Param // host variables, by folded name
	MaxSteps *int64           // condition tests of one attempt, 0 for no limit; nil: the engine's default
}

// Check parses and validates a statement and runs nothing. Without tables
// columns of unknown type are accepted.
type Check struct {
	ID     string
	SQL    string
	Tables []Table
	Params map[string]Param
}

// Map asks for the preferred match at each row, by the pattern alone.
type Map struct {
	ID      string
	Pattern string
	Subset  string // what SUBSET would hold, or empty
	Rows    []Labels
}

// Prefer asks for the candidates of a pattern, most preferred first.
type Prefer struct {
	ID      string
	Pattern string
	MaxRows int64 // of a candidate
}

// Bye ends the conversation.
type Bye struct{}

// Param is the value of a host variable.
type Param struct {
	Type  value.Type
	Value value.Value
}

// Labels are the names of the variables that hold on a row.
type Labels struct {
	Names []string
	// Text is the row as one string, where IsText is set: letters if every name
	// of pattern and subset is one letter, else separated by commas; "-" and ""
	// are rows on which nothing holds.
	Text   string
	IsText bool
}

// Op returns "hello".
func (*Hello) Op() string { return "hello" }

// Op returns "query".
func (*Query) Op() string { return "query" }

// Op returns "check".
func (*Check) Op() string { return "check" }

// Op returns "map".
func (*Map) Op() string { return "map" }

// Op returns "prefer".
func (*Prefer) Op() string { return "prefer" }

// Op returns "bye".
func (*Bye) Op() string { return "bye" }

// Append appends the message.
func (q *Hello) Append(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"op":"hello","protocol":`...), q.Protocol, 10)
	if len(q.Readings) > 0 {
		dst = appendStrings(append(dst, `,"readings":`...), q.Readings)
	}
	return append(dst, '}')
}

// Append appends the message.
func (q *Query) Append(dst []byte) []byte {
	dst = appendStatement(dst, "query", q.ID, q.SQL, q.Tables, q.Params)
	if q.MaxSteps != nil {
		dst = strconv.AppendInt(append(dst, `,"max_steps":`...), *q.MaxSteps, 10)
	}
	return append(dst, '}')
}

// Append appends the message.
func (q *Check) Append(dst []byte) []byte {
	return append(appendStatement(dst, "check", q.ID, q.SQL, q.Tables, q.Params), '}')
}

func appendStatement(dst []byte, op, id, sql string, tables []Table, params map[string]Param) []byte {
	dst = appendOp(dst, op, id)
	dst = appendString(append(dst, `,"sql":`...), sql)
	if len(tables) > 0 {
		dst = appendTables(append(dst, `,"tables":`...), tables)
	}
	if len(params) > 0 {
		dst = append(dst, `,"params":{`...)
		for i, name := range slices.Sorted(maps.Keys(params)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendString(dst, name), ':')
			dst = value.AppendJSON(dst, params[name].Value, params[name].Type)
		}
		dst = append(dst, '}')
	}
	return dst
}

func appendOp(dst []byte, op, id string) []byte {
	dst = appendString(append(dst, `{"op":`...), op)
	if id != "" {
		dst = appendString(append(dst, `,"id":`...), id)
	}
	return dst
}

// Append appends the message.
func (q *Map) Append(dst []byte) []byte {
	dst = appendOp(dst, q.Op(), q.ID)
	dst = appendString(append(dst, `,"pattern":`...), q.Pattern)
	if q.Subset != "" {
		dst = appendString(append(dst, `,"subset":`...), q.Subset)
	}
	dst = append(dst, `,"rows":[`...)
	for i, row := range q.Rows {
		if i > 0 {
			dst = append(dst, ',')
		}
		if row.IsText {
			dst = appendString(dst, row.Text)
		} else {
			dst = appendStrings(dst, row.Names)
		}
	}
	return append(dst, "]}"...)
}

// Append appends the message.
func (q *Prefer) Append(dst []byte) []byte {
	dst = appendOp(dst, q.Op(), q.ID)
	dst = appendString(append(dst, `,"pattern":`...), q.Pattern)
	dst = strconv.AppendInt(append(dst, `,"max_rows":`...), q.MaxRows, 10)
	return append(dst, '}')
}

// Append appends the message.
func (q *Bye) Append(dst []byte) []byte { return append(dst, `{"op":"bye"}`...) }

// Ops are the operations that ask for something, as an engine lists them in
// its answer to hello.
var Ops = []string{"query", "check", "map", "prefer"}

// ParseQuestion reads a question. The id is that of the message also where
// there is an error, if it could be read. The error is a *diag.Error: stage
// syntax for a message that is no valid JSON or lacks something, semantic for
// names and types that do not fit, runtime for values that do not, limit for what
// is too large, unsupported for an operation that the protocol has not.
func ParseQuestion(line []byte) (q Question, id string, err error) {
	f, err := readFields(line, "the message")
	if f != nil {
		if id, _ = f.text("id", false); id == "" && f.raw["id"] != nil && err == nil {
			_, err = f.text("id", false)
		}
	}
	if err != nil {
		return nil, id, err
	}
	op, err := f.text("op", true)
	if err != nil {
		return nil, id, err
	}
	read, ok := readers[op]
	if !ok {
		return nil, id, &diag.Error{Stage: diag.Unsupported, SQLSTATE: diag.StateUnsupported,
			Message: "the protocol has no operation " + strconv.Quote(shorten(op)),
			Hint:    "the operations are hello, " + strings.Join(Ops, ", ") + ", bye"}
	}
	f.what = "the message " + op
	q, err = read(f)
	return q, id, err
}

// readers read the questions by their operation.
var readers = map[string]func(*fields) (Question, error){
	"hello":  readHello,
	"query":  readQuery,
	"check":  readCheck,
	"map":    readMap,
	"prefer": readPrefer,
	"bye":    func(f *fields) (Question, error) { return &Bye{}, f.only("op") },
}

func shorten(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

func readHello(f *fields) (Question, error) {
	q := &Hello{}
	err := f.only("op", "protocol", "readings")
	if err == nil {
		q.Protocol, err = f.integer("protocol", true)
	}
	if err == nil {
		q.Readings, err = f.texts("readings", false)
	}
	return q, err
}

func readQuery(f *fields) (Question, error) {
	q := &Query{}
	err := f.only("op", "id", "sql", "tables", "params", "max_steps")
	if err == nil {
		err = readStatement(f, &q.ID, &q.SQL, &q.Tables, &q.Params)
	}
	if err == nil && f.raw["max_steps"] != nil {
		var n int64
		if n, err = f.integer("max_steps", true); err == nil && n < 0 {
			err = f.wrong("max_steps", "must not be negative")
		}
		q.MaxSteps = &n
	}
	return q, err
}

func readCheck(f *fields) (Question, error) {
	q := &Check{}
	err := f.only("op", "id", "sql", "tables", "params")
	if err == nil {
		err = readStatement(f, &q.ID, &q.SQL, &q.Tables, &q.Params)
	}
	return q, err
}

func readStatement(f *fields, id, sql *string, tables *[]Table, params *map[string]Param) (err error) {
	if *id, err = f.text("id", false); err != nil {
		return err
	}
	if *sql, err = f.text("sql", true); err != nil {
		return err
	}
	if *params, err = readParams(f); err != nil {
		return err
	}
	*tables, err = readTables(f, "tables")
	return err
}

// readParams reads the host variables. Their types are those of literals
// (TYPE-2); a string is a character string.
func readParams(f *fields) (map[string]Param, error) {
	raw := f.raw["params"]
	if raw == nil {
		return nil, nil
	}
	members, err := f.sub(raw, "\"params\" of "+f.what)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Param, len(members.raw))
	spelled := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(members.raw)) {
		folded := table.FoldName(name)
		if other, ok := spelled[folded]; ok {
			return nil, nameError("the host variables %q and %q are the same name (GRAM-10a)", other, name)
		}
		spelled[folded] = name
		v, t, err := value.InferJSON(members.raw[name])
		if err != nil {
			return nil, withPlace(err, "host variable %.60q", name)
		}
		out[folded] = Param{t, v}
	}
	return out, nil
}

func readMap(f *fields) (Question, error) {
	q := &Map{}
	err := f.only("op", "id", "pattern", "rows", "subset")
	if err == nil {
		q.ID, err = f.text("id", false)
	}
	if err == nil {
		q.Pattern, err = f.text("pattern", true)
	}
	if err == nil {
		q.Subset, err = f.text("subset", false)
	}
	if err == nil {
		err = f.array("rows", true, func(i int, raw []byte) error {
			row, err := readLabels(f, i, raw)
			q.Rows = append(q.Rows, row)
			return err
		})
	}
	return q, err
}

func readLabels(f *fields, i int, raw []byte) (Labels, error) {
	s := scanner{src: raw}
	switch raw[0] {
	case '"':
		text, err := s.text()
		return Labels{Text: text, IsText: true}, err
	case '[':
		row := Labels{Names: []string{}}
		err := elements(raw, func(_ int, raw []byte) error {
			if raw[0] != '"' {
				return malformed("row %d of %s holds something else than names", i+1, f.what)
			}
			s := scanner{src: raw}
			name, err := s.text()
			row.Names = append(row.Names, name)
			return err
		})
		return row, err
	}
	return Labels{}, malformed("row %d of %s must be a string or an array of names", i+1, f.what)
}

func readPrefer(f *fields) (Question, error) {
	q := &Prefer{}
	err := f.only("op", "id", "pattern", "max_rows")
	if err == nil {
		q.ID, err = f.text("id", false)
	}
	if err == nil {
		q.Pattern, err = f.text("pattern", true)
	}
	if err == nil {
		if q.MaxRows, err = f.integer("max_rows", true); err == nil && q.MaxRows < 0 {
			err = f.wrong("max_rows", "must not be negative")
		}
	}
	return q, err
}
