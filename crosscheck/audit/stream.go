package audit

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/table"
)

// partition is the rows of one partition of a result.
type partition struct {
	key  string // the values of the partition columns, as the server writes them
	rows [][]json.RawMessage
	over int // rows that were not kept
}

// stream reads a result that is ordered by the partition columns.
type stream struct {
	pages *pages
	shape *shape
	keys  []int // the partition columns
	held  []json.RawMessage
	ended bool
}

func newStream(p *pages, names []string) (*stream, error) {
	s := &stream{pages: p, shape: shapeOf(p.columns)}
	for _, n := range names {
		at := -1
		for i, c := range s.shape.names {
			if c == n {
				at = i
				break
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("the server's result has no column %s", n)
		}
		s.keys = append(s.keys, at)
	}
	return s, nil
}

// keyNames are the folded names of partition columns.
func keyNames(keys []string) []string {
	var out []string
	for _, k := range keys {
		if i := strings.LastIndexByte(k, '.'); i >= 0 {
			k = k[i+1:]
		}
		if k = strings.TrimSpace(k); strings.HasPrefix(k, `"`) {
			out = append(out, strings.ReplaceAll(strings.Trim(k, `"`), `""`, `"`))
			continue
		}
		out = append(out, table.FoldName(k))
	}
	return out
}

func (s *stream) keyOf(row []json.RawMessage) string {
	parts := make([]string, len(s.keys))
	for i, k := range s.keys {
		parts[i] = string(row[k])
	}
	return strings.Join(parts, "\x00")
}

// peek returns the next row without taking it; nil at the end.
func (s *stream) peek() ([]json.RawMessage, error) {
	if s.held == nil && !s.ended {
		row, err := s.pages.row()
		if err == io.EOF {
			s.ended = true
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		s.held = row
	}
	return s.held, nil
}

// next returns the next partition, nil at the end. Of one that has more than
// most rows only the number is kept.
func (s *stream) next(most int) (*partition, error) {
	first, err := s.peek()
	if first == nil {
		return nil, err
	}
	return s.take(s.keyOf(first), most)
}

// take returns the rows of a partition that come next; there may be none.
func (s *stream) take(key string, most int) (*partition, error) {
	p := &partition{key: key}
	for {
		row, err := s.peek()
		if err != nil {
			return nil, err
		}
		if row == nil || s.keyOf(row) != key {
			return p, nil
		}
		s.held = nil
		if len(p.rows) >= most {
			p.rows, p.over = nil, p.over+len(p.rows)+1
			most = 0
			continue
		}
		p.rows = append(p.rows, row)
	}
}
