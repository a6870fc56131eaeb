package trino

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Rows is the result of a statement that is read page by page, so that a result
// of any length takes the memory of one page. What the server has not been asked
// for yet it keeps. Rows is for one goroutine.
type Rows struct {
	pages *pages
	spec  string
	res   result
}

// Column is a column of a result, with the server's name and type.
type Column struct {
	Name string
	Type string
}

// Rows puts a statement as it is, and waits until the columns of its result are
// known. The server ends it after limit. Close must be called. The error is an
// *Unreachable, the context's, or says what the server answered.
func (o *Oracle) Rows(ctx context.Context, sql string, limit time.Duration) (*Rows, error) {
	c, err := o.connect(ctx)
	if err != nil {
		return nil, err
	}
	r := &Rows{spec: o.spec, pages: c.put(ctx, sql, limit, fmt.Sprintf("query_max_run_time=%ds", max(1, int(limit.Seconds()))))}
	for r.res.columns == nil {
		if err = r.page(); err == io.EOF {
			err = &clientError{reason: "the answer has no columns"}
		}
		if err != nil {
			r.Close()
			return nil, err
		}
	}
	return r, nil
}

// Columns returns the columns of the result.
func (r *Rows) Columns() []Column {
	out := make([]Column, len(r.res.columns))
	for i, c := range r.res.columns {
		out[i] = Column(c)
	}
	return out
}

// Next returns the next row, as many values as there are columns; io.EOF behind
// the last one.
func (r *Rows) Next() ([]json.RawMessage, error) {
	for len(r.res.rows) == 0 {
		if err := r.page(); err != nil {
			return nil, err
		}
	}
	row := r.res.rows[0]
	r.res.rows = r.res.rows[1:]
	return row, nil
}

// page reads one page, in place of the one before; io.EOF if none is left.
func (r *Rows) page() error {
	r.res.rows = nil
	if r.pages.at == nil {
		return io.EOF
	}
	err := r.pages.next(&r.res, 0)
	var ce *clientError
	var qe *queryError
	switch {
	case errors.As(err, &qe):
		return fmt.Errorf("the server says: %w", err)
	case errors.As(err, &ce) && ce.fatal:
		return &Unreachable{Spec: r.spec, Reasons: []string{ce.reason}}
	}
	return err
}

// Close tells the server that nothing more is wanted.
func (r *Rows) Close() {
	if r.pages.at != nil {
		r.pages.client.cancel(r.pages.at, http.MethodGet)
		r.pages.at = nil
	}
	r.pages.end()
}

// ValueType is the counterpart of the column's type; false if it has none, and
// its values can only be passed on and compared as text.
func (c Column) ValueType() (value.Type, bool) {
	t, err := parseType(c.Type)
	return t, err == nil
}

// Value reads a value of a type that ValueType gave; one without counterpart is
// read as text.
func Value(raw json.RawMessage, t value.Type, counterpart bool) (value.Value, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return value.Null, nil
	}
	if counterpart {
		return parseValue(raw, t)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = string(raw)
	}
	return value.String(s), nil
}

// ColumnName gives the name that the standard has for a column of a result if
// the server's is the same but for letter case; else the server's, folded.
func ColumnName(got, want string) string { return columnName(table.FoldName(got), want) }
