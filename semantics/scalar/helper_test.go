package scalar

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// column is the leaf of the tests: a column of the row that Env is.
type column struct {
	Base
	name string
}

type row map[string]value.Value

func (c *column) Eval(env Env) (value.Value, error) {
	r, _ := env.(row)
	v, ok := r[c.name]
	if !ok {
		return value.Null, fmt.Errorf("column %s was read", c.name)
	}
	return v, nil
}
func (c *column) Children() []Expr { return nil }
func (c *column) String() string   { return c.name }

// testQuery is a subquery whose result the test gives.
type testQuery struct {
	types []value.Type
	rows  [][]value.Value
	err   error
	runs  int
}

func (q *testQuery) Columns() []value.Type { return q.types }
func (q *testQuery) Rows() ([][]value.Value, error) {
	q.runs++
	return q.rows, q.err
}

// testLeaves knows typed columns, and one subquery.
type testLeaves struct {
	types map[string]value.Type
	query *testQuery
}

func (l *testLeaves) Name(b *Binder, n *sqlexpr.Node) Expr {
	name := n.Names[len(n.Names)-1].Text
	t, ok := l.types[name]
	if !ok {
		return b.Fail(diag.New(diag.Semantic, "NAME-1", n.Pos, "column %s is not known", name))
	}
	return &column{Base{n.Pos, t}, name}
}

func (l *testLeaves) Call(b *Binder, n *sqlexpr.Node) (Expr, bool) { return nil, false }

func (l *testLeaves) Subquery(b *Binder, n *sqlexpr.Node) Query {
	if l.query == nil {
		b.Fail(diag.New(diag.Unsupported, "DEF-13", n.Pos, "no subquery here"))
		return nil
	}
	return l.query
}

// fixture binds and evaluates text over typed columns.
type fixture struct {
	types  map[string]value.Type
	row    row
	query  *testQuery
	params map[string]Param
	o      value.Options
}

// columns is the row that most tests evaluate in: name, type, value as SQL text.
func columns(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{types: map[string]value.Type{}, row: row{}, params: map[string]Param{}}
	for _, c := range [][3]string{
		{"S", "smallint", "7"}, {"I", "integer", "42"}, {"B", "bigint", "9000000000"}, {"N", "integer", "NULL"},
		{"D", "decimal(10,2)", "12.50"}, {"E", "decimal(10,2)", "-0.05"}, {"X", "double", "2.5e0"},
		{"V", "varchar", "'abc'"}, {"C", "char(5)", "'ab'"}, {"NV", "varchar", "NULL"},
		{"DT", "date", "DATE '2026-03-15'"}, {"TS", "timestamp", "TIMESTAMP '2026-03-15 10:20:30'"}, {"TM", "time", "TIME '10:20:30'"},
		{"T", "boolean", "TRUE"}, {"F", "boolean", "FALSE"}, {"U", "boolean", "NULL"},
		{"SMAX", "smallint", "32767"}, {"IMAX", "integer", "2147483647"}, {"BMAX", "bigint", "9223372036854775807"},
		{"A", "integer array", "ARRAY[1, 2, 3]"},
	} {
		typ, err := value.ParseType(c[1])
		if err != nil {
			t.Fatal(err)
		}
		f.types[c[0]] = typ
		f.row[c[0]] = value.Null
		if c[2] == "NULL" {
			continue
		}
		e, err := f.bind(c[2])
		if err != nil {
			t.Fatal(err)
		}
		v, err := e.Eval(nil)
		if err == nil {
			v, err = value.Cast(v, e.Type(), typ)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.row[c[0]] = v
	}
	return f
}

// bind binds text; all errors are joined into one.
func (f *fixture) bind(text string) (Expr, error) {
	n, err := sqlexpr.Parse(text, token.Lex(text), sqlexpr.Options{})
	if err != nil {
		return nil, err
	}
	b := Binder{Leaves: &testLeaves{f.types, f.query}, Errors: &diag.List{}, Options: f.o, Params: f.params}
	e := b.Bind(n)
	var errs []error
	for _, err := range b.Errors.All() {
		errs = append(errs, err)
	}
	return e, errors.Join(errs...)
}

// eval gives value and type as text: "3 integer".
func (f *fixture) eval(text string) (string, error) {
	e, err := f.bind(text)
	if err != nil {
		return "", err
	}
	v, err := e.Eval(f.row)
	if err != nil {
		return "", err
	}
	return value.Format(v, e.Type()) + " " + e.Type().String(), nil
}

// run evaluates cases {text, "value type"}. An expectation that begins with
// "!" is an error: "!RULE STATE LINE:COLUMN", the place being optional.
func (f *fixture) run(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		got, err := f.eval(c[0])
		if want, ok := strings.CutPrefix(c[1], "!"); ok {
			checkError(t, c[0], err, want)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v, want %s", c[0], err, c[1])
			continue
		}
		if got != c[1] {
			t.Errorf("%s = %s, want %s", c[0], got, c[1])
		}
		f.roundTrip(t, c[0])
	}
}

// checkError compares an error with "RULE STATE [LINE:COLUMN]".
func checkError(t *testing.T, text string, err error, want string) {
	t.Helper()
	var e *diag.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: error %v, want %s", text, err, want)
		return
	}
	got := e.Rule + " " + e.SQLSTATE
	if strings.Contains(want, ":") {
		got += fmt.Sprintf(" %d:%d", e.Pos.Line, e.Pos.Column)
	}
	if got != want {
		t.Errorf("%s: error %s (%s), want %s", text, got, e.Message, want)
	}
}

// roundTrip checks that the printed expression binds to one that prints and evaluates alike.
func (f *fixture) roundTrip(t *testing.T, text string) {
	t.Helper()
	e, err := f.bind(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.bind(e.String())
	if err != nil {
		t.Errorf("%s prints as %s: %v", text, e, err)
		return
	}
	if e.String() != again.String() {
		t.Errorf("%s prints as %s, and that as %s", text, e, again)
	}
	v, err1 := e.Eval(f.row)
	w, err2 := again.Eval(f.row)
	if err1 != nil || err2 != nil || value.Format(v, e.Type()) != value.Format(w, again.Type()) {
		t.Errorf("%s prints as %s, which evaluates differently: %v %v", text, e, err1, err2)
	}
}

func hintOf(err error) string {
	var e *diag.Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

func contains(s, part string) bool { return strings.Contains(s, part) }
