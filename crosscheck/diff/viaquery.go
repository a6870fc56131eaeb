package diff

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// viaQuery puts patterns to an engine that runs statements only: a table with a
// column for every variable, AFTER MATCH SKIP TO NEXT ROW so that every row is
// an attempt of its own, and a row of output for each row of each match. Rows in
// {- -} are not output; a second statement without exclusion finds them.
type viaQuery struct{ oracle.Oracle }

// neverName is a variable that holds on no row, for patterns without variables
// (GRAM-2 wants a definition). It stands in the last branch and changes nothing.
const neverName = "RPR_NEVER"

// Supports says why the engine cannot be asked.
func (v *viaQuery) Supports(c *oracle.Case) string {
	reason := v.Oracle.Supports(c)
	if reason == "" || c.Op != oracle.Map {
		return reason
	}
	q, err := mapQuery(c, false)
	if err != nil {
		return reason
	}
	if v.Oracle.Supports(q) != "" {
		return reason
	}
	return ""
}

// Ask puts one case.
func (v *viaQuery) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	r := v.AskAll(ctx, []*oracle.Case{c})[0]
	return r.Answer, r.Err
}

// AskAll puts cases together.
func (v *viaQuery) AskAll(ctx context.Context, cases []*oracle.Case) []oracle.Reply {
	type place struct{ first, n int }
	var all []*oracle.Case
	places := make([]place, len(cases))
	for i, c := range cases {
		places[i].first = len(all)
		if c.Op != oracle.Map || v.Oracle.Supports(c) == "" {
			all = append(all, c)
			continue
		}
		q, err := mapQuery(c, false)
		if err != nil {
			continue
		}
		all = append(all, q)
		places[i].n = 1
		if tree, err := c.ParsePattern(); err == nil && tree.Has(semantics.OpExclude) {
			shown, err := mapQuery(c, true)
			if err == nil {
				all = append(all, shown)
				places[i].n = 2
			}
		}
	}
	replies := oracle.AskAll(ctx, v.Oracle, all)
	out := make([]oracle.Reply, len(cases))
	for i, c := range cases {
		at := places[i]
		switch at.n {
		case 0:
			out[i] = replies[at.first]
		case 1:
			out[i] = mapped(c, replies[at.first], nil)
		case 2:
			out[i] = mapped(c, replies[at.first], &replies[at.first+1])
		}
	}
	return out
}

// mapQuery writes a Map case as a Query case; with exclusion as it stands in the
// pattern, or with parentheses in its place.
func mapQuery(c *oracle.Case, exclusion bool) (*oracle.Case, error) {
	tree, err := c.ParsePattern()
	if err != nil {
		return nil, err
	}
	tree = tree.Clone()
	var vars []semantics.Name
	tree.Walk(func(p *semantics.Pattern) {
		if p.Op == semantics.OpExclude && !exclusion {
			p.Op = semantics.OpGroup
		}
		if p.Op == semantics.OpVariable && !slices.ContainsFunc(vars, func(n semantics.Name) bool { return n.Text == p.Name.Text }) {
			vars = append(vars, p.Name)
		}
	})
	pattern := tree.String()
	if len(vars) == 0 {
		vars = []semantics.Name{{Text: neverName}}
		pattern += " | " + neverName
	}
	columns := make([]string, len(vars))
	defines := make([]string, len(vars))
	for i, n := range vars {
		columns[i] = "IS_" + n.Text
		if table.FoldName(strings.ToLower(n.Text)) != n.Text {
			columns[i] = "IS_" + strconv.Itoa(i+1)
		}
		defines[i] = n.String() + " AS " + strings.ToLower(columns[i]) + " = 1"
	}
	data, err := labelTable(vars, columns, c.Rows)
	if err != nil {
		return nil, err
	}
	subset := ""
	if c.Subset != "" {
		subset = "\n  SUBSET " + c.Subset
	}
	q := *c
	q.Op, q.Tree, q.Rows = oracle.Query, nil, nil
	q.Tables = []oracle.Table{{Name: "LABELS", Data: data}}
	q.SQL = fmt.Sprintf(`SELECT id, s, c FROM labels MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES FIRST(id) AS s, CLASSIFIER() AS c
  ALL ROWS PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (%s)%s
  DEFINE %s) AS m`, pattern, subset, strings.Join(defines, ", "))
	return &q, nil
}

func labelTable(vars []semantics.Name, columns []string, rows [][]string) (*table.Table, error) {
	id := table.NewBuilder("ID", value.TypeBigint)
	for i := range rows {
		if err := id.Append(value.Int(int64(i + 1))); err != nil {
			return nil, err
		}
	}
	cols := []*table.Column{id.Column()}
	for i, n := range vars {
		b := table.NewBuilder(columns[i], value.TypeInteger)
		for _, row := range rows {
			holds := int64(0)
			for _, l := range row {
				if labelName(l) == n.Text {
					holds = 1
				}
			}
			if err := b.Append(value.Int(holds)); err != nil {
				return nil, err
			}
		}
		cols = append(cols, b.Column())
	}
	return table.New(cols...)
}

// labelName folds the name of a label; one in quotes keeps its spelling.
func labelName(s string) string {
	if len(s) > 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
	}
	return table.FoldName(s)
}

// mapped reads the mapping of every starting row off the rows of the matches.
func mapped(c *oracle.Case, r oracle.Reply, shown *oracle.Reply) oracle.Reply {
	if shown != nil && (shown.Err != nil || shown.Answer.Err != nil) {
		return *shown
	}
	if r.Err != nil || r.Answer.Err != nil {
		return r
	}
	out, err := mappings(len(c.Rows), r.Answer.Table)
	if err == nil && shown != nil {
		var seen []map[int]string
		if seen, err = matchRows(len(c.Rows), shown.Answer.Table); err == nil {
			for s := range out {
				for i := range out[s].Vars {
					if name, ok := seen[s][s+i]; ok {
						out[s].Vars[i] = name
						continue
					}
					if out[s].Excluded == nil {
						out[s].Excluded = make([]bool, len(out[s].Vars))
					}
					out[s].Excluded[i] = true
				}
			}
		}
	}
	if err != nil {
		return oracle.Reply{Err: oracle.NoAnswer(oracle.Failed, "%v", err)}
	}
	return oracle.Reply{Answer: oracle.Answer{Mappings: out}}
}

// matchRows collects by starting row, counted from 0, the rows of its match and
// their variables. An empty match has one row without a variable.
func matchRows(n int, t *table.Table) ([]map[int]string, error) {
	if t == nil || t.NumColumns() != 3 {
		return nil, fmt.Errorf("the result has not the columns id, s and c")
	}
	out := make([]map[int]string, n)
	for r := range t.NumRows() {
		id, ok := whole(t.Value(r, 0), t.Column(0).Type)
		if !ok || id < 1 || id > n {
			return nil, fmt.Errorf("row %d of the result has the id %s", r+1, value.Format(t.Value(r, 0), t.Column(0).Type))
		}
		start := id
		if !t.Value(r, 1).IsNull() {
			if start, ok = whole(t.Value(r, 1), t.Column(1).Type); !ok || start < 1 || start > n {
				return nil, fmt.Errorf("FIRST(id) is %s", value.Format(t.Value(r, 1), t.Column(1).Type))
			}
		}
		if out[start-1] == nil {
			out[start-1] = map[int]string{}
		}
		if t.Value(r, 2).IsNull() {
			continue
		}
		if _, twice := out[start-1][id-1]; twice {
			return nil, fmt.Errorf("row %d is output twice for the match that begins at row %d", id, start)
		}
		out[start-1][id-1] = value.Format(t.Value(r, 2), t.Column(2).Type)
	}
	return out, nil
}

func mappings(n int, t *table.Table) ([]oracle.Mapping, error) {
	rows, err := matchRows(n, t)
	if err != nil {
		return nil, err
	}
	out := make([]oracle.Mapping, n)
	for s, m := range rows {
		if m == nil {
			continue
		}
		out[s] = oracle.Mapping{Found: true, Vars: make([]string, len(m))}
		for i := range len(m) {
			name, ok := m[s+i]
			if !ok {
				return nil, fmt.Errorf("the match that begins at row %d has a gap", s+1)
			}
			out[s].Vars[i] = name
		}
	}
	return out, nil
}

// whole returns the value of a number without a fraction.
func whole(v value.Value, t value.Type) (int, bool) {
	if v.IsNull() || !isNumber(t) {
		return 0, false
	}
	f := value.ToFloat(v)
	n := int(f)
	return n, float64(n) == f
}
