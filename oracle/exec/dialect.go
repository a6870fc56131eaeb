package exec

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// question is a case as a message.
type question struct {
	message protocol.Question
	names   []string // Map: the variables of the pattern
	rows    int
}

// newQuestion makes the message of a case. The error says why there is none.
func newQuestion(c *oracle.Case, id string) (*question, error) {
	switch c.Op {
	case oracle.Map:
		p, err := c.ParsePattern()
		if err != nil {
			return nil, fmt.Errorf("the pattern is in error: %s", reason(err))
		}
		text := c.Pattern
		if text == "" {
			text = p.String()
		}
		names := variables(p)
		return &question{message: &protocol.Map{ID: id, Pattern: text, Subset: c.Subset, Rows: labels(names, c.Subset, c.Rows)},
			names: names, rows: len(c.Rows)}, nil
	case oracle.Prefer:
		text := c.Pattern
		if text == "" && c.Tree != nil {
			text = c.Tree.String()
		}
		return &question{message: &protocol.Prefer{ID: id, Pattern: text, MaxRows: int64(c.MaxRows)}}, nil
	case oracle.Query:
		return &question{message: &protocol.Query{ID: id, SQL: c.SQL, Tables: tables(c), Params: params(c)}}, nil
	case oracle.Check:
		return &question{message: &protocol.Check{ID: id, SQL: c.SQL, Tables: tables(c), Params: params(c)}}, nil
	}
	return nil, fmt.Errorf("the protocol has no operation %s", c.Op)
}

func variables(p *semantics.Pattern) []string {
	var out []string
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable && !slices.Contains(out, n.Name.Text) {
			out = append(out, n.Name.Text)
		}
	})
	return out
}

// labels writes rows as letters where every name is one, else as arrays of names.
func labels(names []string, subset string, rows [][]string) []protocol.Labels {
	short := func(name string) bool { return utf8.RuneCountInString(name) == 1 && name != "-" && name != "," }
	letters := subset == "" && !slices.ContainsFunc(names, func(n string) bool { return !short(n) })
	out := make([]protocol.Labels, len(rows))
	for i, row := range rows {
		if letters && !slices.ContainsFunc(row, func(n string) bool { return !short(n) }) {
			out[i] = protocol.Labels{Text: strings.Join(row, ""), IsText: true}
			if len(row) == 0 {
				out[i].Text = "-"
			}
			continue
		}
		out[i] = protocol.Labels{Names: row}
	}
	return out
}

func tables(c *oracle.Case) []protocol.Table {
	out := make([]protocol.Table, len(c.Tables))
	for i, t := range c.Tables {
		out[i] = protocol.Table{Name: t.Name, Table: t.Data}
	}
	return out
}

func params(c *oracle.Case) map[string]protocol.Param {
	out := map[string]protocol.Param{}
	for _, p := range c.Params {
		out[p.Name] = protocol.Param{Type: p.Type, Value: p.Value}
	}
	return out
}

// answer makes a reply of what the engine says.
func (q *question) answer(a protocol.Answer) (oracle.Answer, error) {
	switch a := a.(type) {
	case *protocol.Refused:
		return reported(a.Error)
	case *protocol.Mappings:
		return q.mappings(a)
	case *protocol.Candidates:
		return oracle.Answer{Candidates: a.List}, nil
	case *protocol.Rows:
		return oracle.Answer{Table: a.Table, Ordered: a.Ordered}, nil
	case *protocol.Accepted:
		return oracle.Answer{Accepted: true}, nil
	}
	return oracle.Answer{}, oracle.NoAnswer(oracle.Failed, "the answer does not belong to the question")
}

// mappings reads the matches, one a row; {A} is an excluded row.
func (q *question) mappings(a *protocol.Mappings) (oracle.Answer, error) {
	if len(a.Rows) != q.rows {
		return oracle.Answer{}, oracle.NoAnswer(oracle.Failed, "the answer has %d mappings for %d rows", len(a.Rows), q.rows)
	}
	out := make([]oracle.Mapping, len(a.Rows))
	for i, row := range a.Rows {
		if row == nil {
			continue
		}
		m := oracle.Mapping{Found: true, Vars: make([]string, len(row))}
		for j, text := range row {
			name, excluded := q.variable(text)
			if name == "" {
				return oracle.Answer{}, oracle.NoAnswer(oracle.Failed, "the answer maps a row to %.40q, which is no variable of the pattern", diag.Escape(text))
			}
			m.Vars[j] = name
			if excluded {
				if m.Excluded == nil {
					m.Excluded = make([]bool, len(row))
				}
				m.Excluded[j] = true
			}
		}
		out[i] = m
	}
	return oracle.Answer{Mappings: out}, nil
}

// variable reads the name of a variable as it may be written in an answer, with
// braces around it if the row is excluded; "" if there is none.
func (q *question) variable(text string) (name string, excluded bool) {
	for _, as := range []string{text, table.FoldName(text)} {
		if slices.Contains(q.names, as) {
			return as, false
		}
	}
	bare, isOpen := strings.CutPrefix(text, "{")
	bare, isClosed := strings.CutSuffix(bare, "}")
	if isOpen && isClosed {
		if name, inner := q.variable(bare); !inner {
			return name, true
		}
	}
	return "", false
}
