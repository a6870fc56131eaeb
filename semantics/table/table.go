package table

import (
	"math"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// MaxRows is the largest number of rows of a table.
const MaxRows = math.MaxInt32

// Field is the name and type of a column.
type Field struct {
	Name string // folded by GRAM-10a
	Type value.Type
}

// Table is a sequence of columns of equal length. Tables are immutable and
// safe for concurrent reading. Two columns may have the same name.
type Table struct {
	cols  []*Column
	n     int
	index map[string]int
}

// New makes a table of columns of equal length. Columns of different lengths
// are an internal error, more than MaxRows rows one of stage limit.
func New(cols ...*Column) (*Table, error) {
	n := 0
	if len(cols) > 0 {
		n = cols[0].Len()
	}
	return NewRows(n, cols...)
}

// NewRows is New for a table of n rows, which may have no columns.
func NewRows(n int, cols ...*Column) (*Table, error) {
	if n > MaxRows {
		return nil, diag.New(diag.Limit, "LIM-1", diag.Pos{}, "the table has %d rows; at most %d are possible", n, MaxRows)
	}
	for _, c := range cols {
		if c.Len() != n {
			return nil, diag.New(diag.Internal, "LIM-1", diag.Pos{},
				"column %s has %d rows in a table of %d", c.Name, c.Len(), n)
		}
	}
	return newTable(n, cols), nil
}

func newTable(n int, cols []*Column) *Table {
	t := &Table{cols: cols, n: n, index: make(map[string]int, len(cols))}
	for i, c := range cols {
		if _, ok := t.index[c.Name]; !ok {
			t.index[c.Name] = i
		}
	}
	return t
}

// NumRows returns the number of rows.
func (t *Table) NumRows() int { return t.n }

// NumColumns returns the number of columns.
func (t *Table) NumColumns() int { return len(t.cols) }

// Column returns column i, from 0.
func (t *Table) Column(i int) *Column { return t.cols[i] }

// Columns returns all columns. The slice must not be changed.
func (t *Table) Columns() []*Column { return t.cols }

// Fields returns names and types of the columns.
func (t *Table) Fields() []Field {
	fields := make([]Field, len(t.cols))
	for i, c := range t.cols {
		fields[i] = Field{c.Name, c.Type}
	}
	return fields
}

// Index returns the number of the first column with a name, -1 if there is none.
func (t *Table) Index(name string) int {
	if i, ok := t.index[name]; ok {
		return i
	}
	return -1
}

// Value returns the value of a row in a column.
func (t *Table) Value(row, col int) value.Value { return t.cols[col].Value(row) }

// Gather returns a new table of the given rows in that order; row -1 gives a
// row of NULLs.
func (t *Table) Gather(rows []int32) *Table {
	cols := make([]*Column, len(t.cols))
	for i, c := range t.cols {
		cols[i] = c.Gather(rows)
	}
	return newTable(len(rows), cols)
}

// AllRows returns the row numbers 0 to NumRows()-1.
func (t *Table) AllRows() []int32 {
	rows := make([]int32, t.n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// FoldName folds a name that comes from outside (GRAM-10a): one that has the
// form of a regular identifier like an unquoted name, any other not at all.
func FoldName(s string) string {
	if token.IsRegular(s) {
		return token.Fold(s)
	}
	return s
}

// CheckNames reports two names that are equal after folding (GRAM-10a) as an
// error of rule DATA-1 that names both. It returns the folded names.
func CheckNames(names []string) ([]string, error) {
	folded := make([]string, len(names))
	seen := make(map[string]int, len(names))
	for i, name := range names {
		f := FoldName(name)
		if f == "" {
			return nil, diag.New(diag.Semantic, "DATA-1", diag.Pos{}, "column %d has no name", i+1).
				WithHint("give every column a name")
		}
		if j, ok := seen[f]; ok {
			return nil, doubledName(names[j], name, f)
		}
		seen[f] = i
		folded[i] = f
	}
	return folded, nil
}

func doubledName(a, b, folded string) *diag.Error {
	e := diag.New(diag.Semantic, "DATA-1", diag.Pos{},
		"the column names %s and %s are the same name %s (GRAM-10a)", show(a), show(b), show(folded))
	return e.WithHint("rename one of them; names that look like SQL identifiers are compared without regard to case")
}

// show quotes a piece of input for a message, shortened.
func show(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return `"` + diag.Escape(s) + `"`
}
