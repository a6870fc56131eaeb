package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// A match case asks for the preferred match at every row of a table. An engine
// that runs statements is asked with the conditions as they stand, so that it
// evaluates them itself: its table gets the columns rpr_part and rpr_pos, which
// number partitions and the rows in them, rpr_pos is the last key of ORDER BY,
// and a second statement tells the rows that exclusion hides.
const (
	partColumn = "RPR_PART"
	posColumn  = "RPR_POS"
)

// matchCase is a match case as statements.
type matchCase struct {
	clause *semantics.Clause
	heads  []string // above the answers of each partition
	sizes  []int    // rows of each partition
	shown  *oracle.Case
	whole  *oracle.Case // nil: the pattern has no exclusion
}

// directly answers the match cases that the engine takes as statements, and
// says which those are. Hostile ones are asked if all are.
func (e *Opinion) directly(ctx context.Context, cases []*corpus.Case, out []crosscheck.Reply) []bool {
	done := make([]bool, len(cases))
	var asked []*matchCase
	var at []int
	var questions []*oracle.Case
	for i, c := range cases {
		if c.Kind != corpus.Match || c.IsHostile() && !e.Hostile {
			continue
		}
		m := newMatchCase(c)
		if m == nil || e.Oracle.Supports(m.shown) != "" || m.whole != nil && e.Oracle.Supports(m.whole) != "" {
			continue
		}
		asked, at = append(asked, m), append(at, i)
		questions = append(questions, m.shown)
		if m.whole != nil {
			questions = append(questions, m.whole)
		}
		done[i] = true
	}
	replies := oracle.AskAll(ctx, e.Oracle, questions)
	for k, m := range asked {
		n := 1
		if m.whole != nil {
			n = 2
		}
		out[at[k]] = m.reply(replies[:n])
		replies = replies[n:]
	}
	return done
}

// newMatchCase makes the statements of a match case; nil if it cannot be asked
// as one.
func newMatchCase(c *corpus.Case) *matchCase {
	in, ok := c.Table(table.FoldName(c.Over))
	if !ok || in.Index(posColumn) >= 0 || in.Index(partColumn) >= 0 {
		return nil
	}
	clause, err := semantics.Parse(c.SQL, semantics.RowTypeOf(in, ""), semantics.Options{Readings: c.Readings})
	if err != nil || readsNumber(clause) {
		return nil
	}
	parts, err := clause.Partitions(in)
	if err != nil {
		return nil
	}
	m := &matchCase{clause: clause}
	numbered, err := m.number(in, parts)
	if err != nil {
		return nil
	}
	measures := "MEASURES CLASSIFIER() AS c\n"
	if strings.Count(c.SQL, measures) != 1 {
		return nil
	}
	sql := strings.Replace(c.SQL, measures, "MEASURES MATCH_NUMBER() AS rpr_mn, CLASSIFIER() AS rpr_c\n", 1)
	if len(clause.OrderBy) > 0 {
		sql = strings.Replace(sql, "\nMEASURES ", ", rpr_pos\nMEASURES ", 1)
	} else {
		sql = strings.Replace(sql, "MEASURES ", "ORDER BY rpr_pos\nMEASURES ", 1)
	}
	tables := []oracle.Table{{Name: table.FoldName(c.Over), Data: numbered}}
	for _, t := range c.Tables {
		if t.Name != tables[0].Name {
			tables = append(tables, oracle.Table{Name: t.Name, Data: t.Data})
		}
	}
	m.shown = &oracle.Case{ID: c.Name, Op: oracle.Query, Readings: c.Reading, Tables: tables,
		SQL: "SELECT rpr_part, rpr_mn, rpr_pos, rpr_c FROM " + c.Over + " " + sql}
	if clause.HasExclusion() {
		m.whole = &oracle.Case{ID: c.Name, Op: oracle.Query, Readings: c.Reading, Tables: tables}
		all := strings.NewReplacer("MATCH_NUMBER() AS rpr_mn, CLASSIFIER() AS rpr_c", "FIRST(rpr_part) AS rpr_p, MATCH_NUMBER() AS rpr_n, FIRST(rpr_pos) AS rpr_f, ARRAY_AGG(CLASSIFIER()) AS rpr_v",
			"\nALL ROWS PER MATCH\n", "\nONE ROW PER MATCH\n").Replace(sql)
		m.whole.SQL = "SELECT rpr_p, rpr_n, rpr_f, rpr_v FROM " + c.Over + " " + all
	}
	return m
}

// readsNumber reports a condition that reads MATCH_NUMBER(), which is 1 at
// every row of a match case, but not in a statement.
func readsNumber(c *semantics.Clause) bool {
	found := false
	for i := range c.Vars {
		if c.Vars[i].Define != nil {
			scalar.Walk(c.Vars[i].Define, func(x scalar.Expr) bool {
				_, is := x.(*semantics.MatchNumber)
				found = found || is
				return !found
			})
		}
	}
	return found
}

// number adds the columns that name the rows.
func (m *matchCase) number(in *table.Table, parts []*semantics.Partition) (*table.Table, error) {
	part := make([]int64, in.NumRows())
	pos := make([]int64, in.NumRows())
	for k, p := range parts {
		for i, r := range p.Rows {
			part[r], pos[r] = int64(k), int64(i+1)
		}
		m.sizes = append(m.sizes, p.Len())
		m.heads = append(m.heads, head(m.clause, p))
	}
	a, b := table.NewBuilder(partColumn, value.TypeInteger), table.NewBuilder(posColumn, value.TypeInteger)
	for i := range part {
		a.AppendInt64(part[i])
		b.AppendInt64(pos[i])
	}
	return table.New(append(slices.Clone(in.Columns()), a.Column(), b.Column())...)
}

// head is the line above the answers of a partition; empty without PARTITION BY.
func head(c *semantics.Clause, p *semantics.Partition) string {
	var heads []string
	for _, col := range c.PartitionBy {
		column := p.Table.Column(col)
		heads = append(heads, column.Name+" = "+value.SQL(p.Table.Value(int(p.Rows[0]), col), column.Type))
	}
	return strings.Join(heads, ", ")
}

// reply puts the rows of the statements together.
func (m *matchCase) reply(replies []oracle.Reply) crosscheck.Reply {
	for _, r := range replies {
		switch {
		case r.Err != nil:
			v, reason := oracle.WhyNot(r.Err)
			return crosscheck.Reply{Verdict: v, Reason: reason}
		case r.Answer.Err != nil:
			return crosscheck.Reply{Lines: []string{crosscheck.ErrorText(r.Answer.Err)}}
		case r.Answer.Table == nil || r.Answer.Table.NumColumns() != 4:
			return crosscheck.Reply{Verdict: oracle.Failed, Reason: "the answer has not the columns that were asked for"}
		}
	}
	found, err := m.collect(replies)
	if err != nil {
		return crosscheck.Reply{Verdict: oracle.Failed, Reason: err.Error()}
	}
	var lines []string
	for k, size := range m.sizes {
		if m.heads[k] != "" {
			lines = append(lines, m.heads[k])
		}
		for pos := 1; pos <= size; pos++ {
			text := "-"
			if f, ok := found[place{k, pos}]; ok {
				text = f.String()
			}
			lines = append(lines, fmt.Sprintf("%d: %s", pos, text))
		}
	}
	return crosscheck.Reply{Lines: lines}
}

type place struct{ part, pos int }

// found is a match of the answer.
type found struct {
	start int
	vars  []string
	shown []bool // nil: all
}

func (f *found) String() string {
	if len(f.vars) == 0 {
		return "()"
	}
	names := slices.Clone(f.vars)
	for i := range names {
		if f.shown != nil && !f.shown[i] {
			names[i] = "{" + names[i] + "}"
		}
	}
	return strings.Join(names, " ")
}

// collect makes matches of the rows of the answers.
func (m *matchCase) collect(replies []oracle.Reply) (map[place]*found, error) {
	type key struct {
		part int
		mn   int64
	}
	matches := map[key]*found{}
	if m.whole != nil {
		t := replies[1].Answer.Table
		for r := range t.NumRows() {
			if t.Value(r, 2).IsNull() {
				continue // an empty match, which the other statement shows
			}
			f := &found{start: int(t.Value(r, 2).Raw())}
			for _, v := range t.Value(r, 3).AsArray() {
				f.vars = append(f.vars, v.AsString())
			}
			f.shown = make([]bool, len(f.vars))
			matches[key{int(t.Value(r, 0).Raw()), t.Value(r, 1).Raw()}] = f
		}
	}
	t := replies[0].Answer.Table
	order := make([]int, t.NumRows())
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(t.Value(a, 2).Raw() - t.Value(b, 2).Raw()) })
	for _, r := range order {
		k := key{int(t.Value(r, 0).Raw()), t.Value(r, 1).Raw()}
		pos := int(t.Value(r, 2).Raw())
		f := matches[k]
		if f == nil {
			f = &found{start: pos}
			matches[k] = f
		}
		c := t.Value(r, 3)
		i := pos - f.start
		switch {
		case c.IsNull():
		case f.shown == nil && i == len(f.vars):
			f.vars = append(f.vars, c.AsString())
		case f.shown != nil && i >= 0 && i < len(f.vars) && f.vars[i] == c.AsString():
			f.shown[i] = true
		default:
			return nil, fmt.Errorf("the answer has a match with a gap at row %d", pos)
		}
	}
	out := map[place]*found{}
	for k, f := range matches {
		if k.part < 0 || k.part >= len(m.sizes) || f.start < 1 || f.start-1+len(f.vars) > m.sizes[k.part] {
			return nil, fmt.Errorf("the answer has rows that there are not")
		}
		out[place{k.part, f.start}] = f
	}
	return out, nil
}
