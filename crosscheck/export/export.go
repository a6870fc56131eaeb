// Package export writes cases as others can run them: as JSON lines, as a
// sqllogictest file, or as a script in the SQL of a product, with tables inline
// and the expected rows beside the statement. What a form or a product lacks is
// left out, with the reason counted.
package export

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/dialect"
)

// Formats are the forms that Write knows.
var Formats = []string{"jsonl", "sqllogictest", "trino", "duckdb", "oracle", "postgres"}

// products are the SQL of the forms that are scripts. A sqllogictest file is in
// DuckDB's SQL, whose runner reads it.
var products = map[string]func() *dialect.Product{"sqllogictest": dialect.DuckDB, "trino": dialect.Trino,
	"duckdb": dialect.DuckDB, "oracle": dialect.Oracle, "postgres": dialect.PostgreSQL}

// Summary says what was written.
type Summary struct {
	Written int
	Left    map[string]int // cases left out, by reason
}

// Reasons lists the reasons of what was left out, the most frequent first.
func (s *Summary) Reasons() []string {
	var out []string
	for r := range s.Left {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool {
		if s.Left[out[i]] != s.Left[out[j]] {
			return s.Left[out[i]] > s.Left[out[j]]
		}
		return out[i] < out[j]
	})
	for i, r := range out {
		out[i] = fmt.Sprintf("%d left out: %s", s.Left[r], r)
	}
	return out
}

// Write writes cases in a form of Formats; false if there is no such form.
func Write(w io.Writer, format string, cases []*corpus.Case) (*Summary, bool, error) {
	sum := &Summary{Left: map[string]int{}}
	out := bufio.NewWriter(w)
	if format == "jsonl" {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		for _, c := range cases {
			if err := enc.Encode(record(c)); err != nil {
				return sum, true, err
			}
			sum.Written++
		}
		return sum, true, out.Flush()
	}
	product, ok := products[format]
	if !ok {
		return nil, false, nil
	}
	p := product()
	for _, c := range cases {
		x, reason := script(p, c)
		if reason != "" {
			sum.Left[reason]++
			continue
		}
		sum.Written++
		if format == "sqllogictest" {
			x.logic(out, c)
		} else {
			x.plain(out, c)
		}
	}
	return sum, true, out.Flush()
}

// Record is a case as one JSON object.
type Record struct {
	Case     string            `json:"case"`
	Kind     string            `json:"kind"`
	Rules    []string          `json:"rules"`
	Clause   string            `json:"clause,omitempty"`
	Reading  []string          `json:"reading,omitempty"`
	By       string            `json:"by,omitempty"`
	Why      string            `json:"derivation,omitempty"`
	Pattern  string            `json:"pattern,omitempty"`
	Subset   string            `json:"subset,omitempty"`
	Rows     []string          `json:"rows,omitempty"`
	Starts   []string          `json:"starts,omitempty"`
	MaxRows  int               `json:"max_rows,omitempty"`
	SQL      string            `json:"sql,omitempty"`
	Over     string            `json:"over,omitempty"`
	Params   map[string]string `json:"params,omitempty"`
	Tables   map[string]Table  `json:"tables,omitempty"`
	Expected []string          `json:"expected"`
}

// Table is a table of a Record: a schema, and rows of SQL literals.
type Table struct {
	Columns string   `json:"columns"`
	Rows    []string `json:"rows"`
}

func record(c *corpus.Case) Record {
	r := Record{Case: c.Name, Kind: c.Kind, Rules: c.Rules, Clause: c.Clause, Reading: c.Reading, By: c.By, Why: c.Comment,
		Pattern: c.Pattern, Subset: c.Subset, Rows: c.Rows, Starts: c.Item.Get("starts"), MaxRows: c.MaxRows, SQL: c.SQL, Over: c.Over, Expected: c.Answer}
	for _, p := range c.Params {
		if r.Params == nil {
			r.Params = map[string]string{}
		}
		r.Params[p.Name] = p.Value.Text
	}
	if c.SQL == "" {
		return r
	}
	upper := strings.ToUpper(c.SQL + " " + c.Over)
	for _, t := range c.Tables {
		if strings.Contains(upper, strings.ToUpper(t.Name)) {
			if r.Tables == nil {
				r.Tables = map[string]Table{}
			}
			lines := crosscheck.TableLines(t.Data, true)
			r.Tables[t.Name] = Table{Columns: lines[0], Rows: lines[1 : len(lines)-1]}
		}
	}
	return r
}

// statement is a case as one statement of a product.
type statement struct {
	sql     string
	columns int
	rows    []string // SQL literals separated by blanks
	ordered bool
	refused string // the error that is expected, "" if none
	check   bool   // only accepted or refused is expected
}

// script translates a case.
func script(p *dialect.Product, c *corpus.Case) (x statement, reason string) {
	if len(c.Reading) > 0 {
		return x, "the case is about another reading"
	}
	switch c.Kind {
	case corpus.Labels:
		return labels(p, c)
	case corpus.Recognize, corpus.Window, corpus.Refuse:
		return whole(p, c)
	}
	return x, "a case of kind " + c.Kind + " is no statement"
}

// whole translates a statement.
func whole(p *dialect.Product, c *corpus.Case) (x statement, reason string) {
	q := &oracle.Case{ID: c.Name, Op: oracle.Query, SQL: c.SQL}
	if c.Over != "" {
		q.SQL = "SELECT * FROM " + c.Over + " " + c.SQL
	}
	for _, t := range c.Tables {
		q.Tables = append(q.Tables, oracle.Table{Name: t.Name, Data: t.Data})
	}
	for _, v := range c.Params {
		q.Params = append(q.Params, oracle.Param{Name: v.Name, Type: v.Value.Type, Value: v.Value.Value})
	}
	if x.sql, reason = p.Statement(q); reason != "" {
		return x, reason
	}
	switch {
	case len(c.Answer) == 0:
		return x, "the case has no expected text"
	case c.Kind == corpus.Refuse:
		x.check = true
		if c.Answer[0] != "accepted" {
			x.refused = c.Answer[0]
		}
	case strings.HasPrefix(c.Answer[0], "error "):
		x.refused = strings.TrimPrefix(c.Answer[0], "error ")
	default:
		x.columns = 1 + strings.Count(c.Answer[0], ", ")
		x.rows = c.Answer[1:]
		if n := len(x.rows); n > 0 && x.rows[n-1] == "ordered" {
			x.rows, x.ordered = x.rows[:n-1], true
		}
	}
	return x, ""
}

// labels translates a pattern over rows of labels: the matches at every row are
// those of AFTER MATCH SKIP TO NEXT ROW, one output row for each of their rows.
func labels(p *dialect.Product, c *corpus.Case) (x statement, reason string) {
	if c.Item.Get("starts") != nil || c.IsHostile() {
		return x, "a hostile input, which may exhaust an engine without budgets"
	}
	q, reason := crosscheck.MapQuestion(c)
	if reason != "" {
		return x, reason
	}
	m, reason := p.Mapping(q)
	if reason != "" {
		return x, reason
	}
	x.sql, x.columns = p.SQL(m), 3
	number := 0
	for start, line := range c.Answer {
		_, text, _ := strings.Cut(line, ": ")
		if text == "-" {
			continue
		}
		number++
		if text == "()" {
			x.rows = append(x.rows, fmt.Sprintf("%d %d NULL", number, start+1))
			continue
		}
		for i, name := range strings.Split(text, " ") {
			if !strings.HasPrefix(name, "{") {
				x.rows = append(x.rows, fmt.Sprintf("%d %d '%s'", number, start+1+i, strings.ReplaceAll(name, "'", "''")))
			}
		}
	}
	return x, ""
}

// head writes what a script says of a case above its statement.
func head(w io.Writer, mark string, c *corpus.Case) {
	fmt.Fprintf(w, "%s %s (%s)\n", mark, c.Name, corpus.RuleText(c.Rules))
	for _, line := range strings.Split(c.Comment, "\n") {
		if line != "" {
			fmt.Fprintf(w, "%s %s\n", mark, line)
		}
	}
}

// plain writes the statement with what is expected in comments.
func (x statement) plain(w io.Writer, c *corpus.Case) {
	head(w, "--", c)
	switch {
	case x.refused != "":
		fmt.Fprintf(w, "-- expected: refused, %s\n", x.refused)
	case x.check:
		fmt.Fprintf(w, "-- expected: accepted\n")
	default:
		order := "in any order"
		if x.ordered {
			order = "in this order"
		}
		fmt.Fprintf(w, "-- expected: %d rows, %s\n", len(x.rows), order)
		for _, r := range x.rows {
			fmt.Fprintf(w, "--   %s\n", r)
		}
	}
	fmt.Fprintf(w, "%s;\n\n", x.sql)
}

// logic writes the statement as a record of a sqllogictest file. Empty lines
// would end the record, so the statement has none.
func (x statement) logic(w io.Writer, c *corpus.Case) {
	head(w, "#", c)
	var lines []string
	for _, line := range strings.Split(x.sql, "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	sql := strings.Join(lines, "\n")
	switch {
	case x.refused != "":
		fmt.Fprintf(w, "statement error\n%s\n\n", sql)
	case x.check:
		fmt.Fprintf(w, "statement ok\n%s\n\n", sql)
	default:
		sorting := "rowsort"
		if x.ordered {
			sorting = "nosort"
		}
		fmt.Fprintf(w, "query %s %s\n%s\n----\n", strings.Repeat("T", x.columns), sorting, sql)
		for _, r := range x.rows {
			lits, err := corpus.Literals(r)
			cells := make([]string, len(lits))
			for i, l := range lits {
				cells[i] = cell(l)
			}
			if err == nil {
				fmt.Fprintln(w, strings.Join(cells, "\t"))
			}
		}
		fmt.Fprintln(w)
	}
}

// cell writes a value as a runner prints it.
func cell(l corpus.Literal) string {
	switch {
	case l.Value.IsNull():
		return "NULL"
	case l.Text == "TRUE" || l.Text == "FALSE":
		return strings.ToLower(l.Text)
	case strings.HasPrefix(l.Text, "'"):
		if s := l.Value.AsString(); s != "" {
			return s
		}
		return "(empty)"
	}
	if i := strings.IndexByte(l.Text, '\''); i > 0 { // DATE '...' and the like
		return strings.Trim(l.Text[i:], "'")
	}
	return strings.TrimSuffix(l.Text, ".")
}
