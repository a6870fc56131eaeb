package trino

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/dialect"
)

// Many Map cases are put in one statement: one SELECT for each pattern, joined
// by UNION ALL, over rows that are sent as JSON (VALUES of many rows are slow in
// Trino), with the number of the case as partition key. A row of the result is
//
//	k   number of the case
//	mn  number of the match in the case, by which its rows belong together
//	id  row, from 1
//	c   its variable; in a whole match, all its variables as JSON
//	w   true: a whole match, id is its first row
//
// By SKIP TO NEXT ROW every row is an attempt of its own, so match mn starts at
// its smallest id. Rows inside {- -} are missing (OUT-7): a pattern with
// exclusion gets a second SELECT for the whole matches, and what is in those but
// not shown is excluded.

// branch is the cases of one pattern.
type branch struct {
	*dialect.Mapping
	cases []int // numbers of cases
	holds [][][]bool
}

// branches gathers cases by pattern.
func branches(list []*mapCase) []*branch {
	var out []*branch
	at := map[string]*branch{}
	for k, c := range list {
		key := c.Pattern + "\x00" + c.Subset + "\x00" + c.Define
		b := at[key]
		if b == nil {
			b = &branch{Mapping: c.Mapping}
			at[key] = b
			out = append(out, b)
		}
		b.cases = append(b.cases, k)
		b.holds = append(b.holds, c.Holds)
	}
	return out
}

// batchSQL writes the statement for many cases.
func batchSQL(list []*mapCase, window bool) string {
	var parts []string
	for _, b := range branches(list) {
		if window {
			parts = append(parts, b.windows())
			continue
		}
		parts = append(parts, b.rows())
		if b.Excludes {
			parts = append(parts, b.matches())
		}
	}
	return strings.Join(parts, "\nUNION ALL\n")
}

// input writes the rows of a branch as a table.
func (b *branch) input() string {
	var s strings.Builder
	s.WriteString("UNNEST(CAST(json_parse('[")
	first := true
	for i, k := range b.cases {
		for r, holds := range b.holds[i] {
			if !first {
				s.WriteByte(',')
			}
			first = false
			s.WriteString("[" + strconv.Itoa(k) + "," + strconv.Itoa(r+1))
			for _, h := range holds {
				s.WriteString("," + strconv.FormatBool(h))
			}
			s.WriteByte(']')
		}
	}
	s.WriteString("]') AS array(row(k integer, id integer")
	for _, col := range b.Columns {
		s.WriteString(", " + col + " boolean")
	}
	s.WriteString(")))) AS t")
	return s.String()
}

// pattern writes the parts from PATTERN on.
func (b *branch) pattern() string {
	subset := ""
	if b.Subset != "" {
		subset = "\nSUBSET " + b.Subset
	}
	return "PATTERN (" + b.Pattern + ")" + subset + "\nDEFINE " + b.Define
}

// rows asks for the rows of every match that are shown.
func (b *branch) rows() string {
	return "SELECT k, mn, id, c, false AS w FROM " + b.input() + ` MATCH_RECOGNIZE (
PARTITION BY k ORDER BY id
MEASURES MATCH_NUMBER() AS mn, CLASSIFIER() AS c
ALL ROWS PER MATCH
AFTER MATCH SKIP TO NEXT ROW
` + b.pattern() + ")"
}

// matches asks for the variables of every match that has rows.
func (b *branch) matches() string {
	return "SELECT k, mn, id, json_format(CAST(c AS json)), true FROM " + b.input() + ` MATCH_RECOGNIZE (
PARTITION BY k ORDER BY id
MEASURES MATCH_NUMBER() AS mn, FIRST(id) AS id, ARRAY_AGG(CLASSIFIER()) AS c
ONE ROW PER MATCH
AFTER MATCH SKIP TO NEXT ROW
` + b.pattern() + ") WHERE id IS NOT NULL"
}

// windows asks for the same by the window form: the reduced frame of every row
// (WIN-2). The constant measure tells an empty match from none (WIN-8).
func (b *branch) windows() string {
	return "SELECT k, mn, id, c, true AS w FROM (SELECT k, CAST(id AS bigint) AS mn, id, json_format(CAST(v OVER win AS json)) AS c, m OVER win AS m FROM " + b.input() + ` WINDOW win AS (
PARTITION BY k ORDER BY id
MEASURES ARRAY_AGG(CLASSIFIER()) AS v, 'm' AS m
ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
AFTER MATCH SKIP TO NEXT ROW
INITIAL ` + b.pattern() + ")) WHERE m IS NOT NULL"
}

// shownRow is a row of a batch's result.
type shownRow struct {
	k, id int
	mn    int64
	c     *string
	whole bool
}

func parseRow(row []json.RawMessage) (r shownRow, err error) {
	if len(row) != 5 {
		return r, fmt.Errorf("the answer has %d columns where 5 were asked for", len(row))
	}
	for i, into := range []any{&r.k, &r.mn, &r.id, &r.c, &r.whole} {
		if json.Unmarshal(row[i], into) != nil {
			return r, fmt.Errorf("the answer has %.40s in column %d", row[i], i+1)
		}
	}
	return r, nil
}

// mappings makes answers of the rows of a batch.
func mappings(list []*mapCase, rows [][]json.RawMessage, window bool) ([][]oracle.Mapping, error) {
	shown := make([]map[int64][]shownRow, len(list))
	for _, raw := range rows {
		r, err := parseRow(raw)
		if err != nil {
			return nil, err
		}
		if r.k < 0 || r.k >= len(list) || r.id < 1 || r.id > len(list[r.k].Holds) {
			return nil, fmt.Errorf("the answer names row %d of case %d, which there is not", r.id, r.k)
		}
		if shown[r.k] == nil {
			shown[r.k] = map[int64][]shownRow{}
		}
		shown[r.k][r.mn] = append(shown[r.k][r.mn], r)
	}
	out := make([][]oracle.Mapping, len(list))
	for k, c := range list {
		out[k] = make([]oracle.Mapping, len(c.Holds))
		for _, match := range shown[k] {
			start, m, err := oneMatch(match, len(c.Holds), window)
			if err != nil {
				return nil, err
			}
			if out[k][start-1].Found {
				return nil, fmt.Errorf("the answer has two matches that start at row %d", start)
			}
			out[k][start-1] = m
		}
	}
	return out, nil
}

// oneMatch puts the rows of one match together.
func oneMatch(rows []shownRow, n int, window bool) (start int, m oracle.Mapping, err error) {
	m.Found = true
	sort.Slice(rows, func(i, j int) bool { return rows[i].id < rows[j].id })
	var all []string
	whole := false
	for _, r := range rows {
		if r.whole {
			if whole {
				return 0, m, fmt.Errorf("the answer has a match twice")
			}
			start, whole = r.id, true
			if r.c != nil && json.Unmarshal([]byte(*r.c), &all) != nil {
				return 0, m, fmt.Errorf("the answer has no list of variables in %.40q", *r.c)
			}
		}
	}
	if !whole {
		start = rows[0].id
	}
	if start-1+len(all) > n {
		return 0, m, fmt.Errorf("the answer has a match that ends behind the last row")
	}
	if whole && len(rows) == 1 && len(all) == 0 || !whole && len(rows) == 1 && rows[0].c == nil {
		return start, m, nil // empty
	}
	if whole && !window {
		m.Excluded = make([]bool, len(all))
		for i := range m.Excluded {
			m.Excluded[i] = true // until it is seen
		}
	}
	m.Vars = all
	for i, r := range rows {
		switch {
		case r.whole:
		case r.c == nil:
			return 0, m, fmt.Errorf("the answer has a row without variable inside a match")
		case !whole:
			if r.id != start+i {
				return 0, m, fmt.Errorf("the answer has a match with a gap at row %d", start+i)
			}
			m.Vars = append(m.Vars, *r.c)
		case r.id-start >= len(all) || all[r.id-start] != *r.c:
			return 0, m, fmt.Errorf("the answer has two variables for row %d", r.id)
		default:
			m.Excluded[r.id-start] = false
		}
	}
	return start, m, nil
}
