package trino

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Rows is the result of a statement that is read page by page, so that a result
// of any length takes the memory of one page. What the server has not been asked
// for yet it keeps. Rows is for one goroutine.
type Rows struct {
	parent context.Context
	ctx    context.Context // the parent's, ended a little after the limit
	end    context.CancelFunc
	client *client
	spec   string
	limit  time.Duration
	header http.Header
	next   *url.URL // nil: no page is left
	res    result
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
	if c.sent != nil {
		c.sent(sql)
	}
	r := &Rows{parent: ctx, client: c, spec: o.spec, limit: limit, header: http.Header{}}
	r.ctx, r.end = context.WithTimeout(ctx, limit+2*time.Second)
	r.header.Set("X-Trino-Session", fmt.Sprintf("query_max_run_time=%ds", max(1, int(limit.Seconds()))))
	err = r.page(http.MethodPost, c.base.JoinPath("v1", "statement"), []byte(sql))
	for err == nil && r.res.columns == nil {
		if r.next == nil {
			err = &clientError{reason: "the answer has no columns"}
			break
		}
		err = r.page(http.MethodGet, r.next, nil)
	}
	if err != nil {
		r.Close()
		return nil, err
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
		if r.next == nil {
			return nil, io.EOF
		}
		if err := r.page(http.MethodGet, r.next, nil); err != nil {
			return nil, err
		}
	}
	row := r.res.rows[0]
	r.res.rows = r.res.rows[1:]
	return row, nil
}

// page reads one page, in place of the one before. A failed one is the last.
func (r *Rows) page(method string, at *url.URL, body []byte) error {
	var p page
	_, err := r.client.exchange(r.ctx, method, at, r.header, body, &p)
	r.res.rows = nil
	if err == nil {
		err = r.client.take(&r.res, &p, 0)
	}
	same := r.next != nil && p.NextURI == r.next.String()
	if err == nil {
		r.next = nil
		if p.NextURI != "" {
			r.next, err = r.client.follow(p.NextURI)
		}
	}
	if err != nil {
		if p.Error == nil {
			r.client.cancel(at, method)
		}
		r.next = nil
		return r.explain(err)
	}
	if same {
		select { // a server that answers the same page at once is not asked in a tight loop
		case <-r.ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

func (r *Rows) explain(err error) error {
	err = r.client.explain(r.parent, r.ctx, err, r.limit)
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
	if r.next != nil {
		r.client.cancel(r.next, http.MethodGet)
		r.next = nil
	}
	r.end()
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
