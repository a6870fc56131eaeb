package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// partition is the rows of one partition of a result.
type partition struct {
	key    string            // two partitions are the same if their keys are
	values []value.Value     // of the partition columns
	first  []json.RawMessage // the partition columns as the server writes them
	rows   [][]json.RawMessage
	over   int // rows that were not kept
}

// stream reads a result that is ordered by the partition columns.
type stream struct {
	rows  *trino.Rows
	shape *shape
	keys  []int // the partition columns
	o     value.Options
	held  []json.RawMessage // read and not taken
	key   partition         // of held, without rows
	ended bool
}

// newStream puts a statement whose result has the named columns.
func newStream(ctx context.Context, s *trino.Oracle, sql string, names []string, o value.Options) (*stream, error) {
	rows, err := s.Rows(ctx, sql, statementLimit)
	if err != nil {
		return nil, err
	}
	st := &stream{rows: rows, shape: shapeOf(rows.Columns()), o: o}
	for _, n := range names {
		at := slices.Index(st.shape.names, n)
		if at < 0 {
			rows.Close()
			return nil, fmt.Errorf("the server's result has no column %s", n)
		}
		st.keys = append(st.keys, at)
	}
	return st, nil
}

// peek reads the next row, if none is held; false at the end.
func (s *stream) peek() (bool, error) {
	if s.held != nil || s.ended {
		return !s.ended, nil
	}
	row, err := s.rows.Next()
	if err == io.EOF {
		s.ended = true
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s.held = row
	if s.key.first != nil && s.sameKey(row) {
		return true, nil
	}
	k := partition{first: make([]json.RawMessage, 0, len(s.keys))}
	var b []byte
	for _, at := range s.keys {
		v, err := s.shape.cell(row[at], at)
		if err != nil {
			return false, fmt.Errorf("column %s: %w", s.shape.names[at], err)
		}
		b = value.AppendKey(b, v, s.o)
		k.values, k.first = append(k.values, v), append(k.first, row[at])
	}
	k.key = string(b)
	s.key = k
	return true, nil
}

// sameKey reports that a row has the partition columns of the row before as the
// server writes them.
func (s *stream) sameKey(row []json.RawMessage) bool {
	for i, at := range s.keys {
		if !bytes.Equal(row[at], s.key.first[i]) {
			return false
		}
	}
	return true
}

// next returns the next partition, nil at the end. Of one that has more than
// most rows only the number is kept.
func (s *stream) next(most int) (*partition, error) {
	if more, err := s.peek(); !more {
		return nil, err
	}
	return s.take(s.key, most)
}

// take returns the rows of a partition that come next; there may be none.
func (s *stream) take(of partition, most int) (*partition, error) {
	p := &partition{key: of.key, values: of.values, first: of.first}
	for {
		more, err := s.peek()
		if err != nil {
			return nil, err
		}
		if !more || s.key.key != of.key {
			return p, nil
		}
		if len(p.rows) < most {
			p.rows = append(p.rows, s.held)
		} else {
			p.over++
		}
		s.held = nil
		if p.over > 0 && p.rows != nil {
			p.over += len(p.rows)
			p.rows, most = nil, 0
		}
	}
}

// before reports that the row that is held belongs to a partition which the
// order of the statement puts before p; false as well where the order of the
// values is not known here.
func (s *stream) before(p *partition) bool {
	if s.held == nil {
		return false
	}
	for i, at := range s.keys {
		if !s.shape.known[at] {
			return false
		}
		a, b := s.key.values[i], p.values[i]
		switch {
		case a.IsNull() && b.IsNull():
			continue
		case a.IsNull() || b.IsNull():
			return b.IsNull()
		}
		if c := value.Compare(a, b, s.o); c != 0 {
			return c < 0
		}
	}
	return false
}

// show writes the key of a partition for people.
func (p *partition) show() string {
	if len(p.first) == 0 {
		return "(the whole table)"
	}
	parts := make([]string, len(p.first))
	for i, raw := range p.first {
		parts[i] = string(raw)
	}
	return strings.Join(parts, ", ")
}
