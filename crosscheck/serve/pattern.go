package serve

import (
	"context"
	"math"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// maxLabels is how many labels a question may imply: rows times variables of
// the pattern. Each takes a byte.
const maxLabels = 1 << 28

// mapRows answers map: the preferred match at each row, by MAT-1 alone.
func (c *conversation) mapRows(ctx context.Context, q *protocol.Map) (protocol.Answer, error) {
	clause, in, err := c.labelled(q)
	if err != nil {
		return nil, err
	}
	prog, err := c.Engine.Compile(clause, c.Limits)
	if err != nil {
		return nil, err
	}
	p := &semantics.Partition{Table: in, Rows: in.AllRows()}
	finder, err := prog.Partition(p)
	if err != nil {
		return nil, err
	}
	a := &protocol.Mappings{ID: q.ID, Rows: make([][]string, 0, p.Len())}
	size := 0
	for start := range p.Len() {
		m, found, err := finder.Find(ctx, matcher.Attempt{Start: start, End: p.Len(), Hi: p.Len(), MatchNumber: 1})
		if err != nil {
			return nil, err
		}
		var row []string
		if found {
			row = make([]string, len(m.Vars))
		}
		for i, v := range m.Vars {
			row[i] = clause.Name(v)
			if m.IsExcluded(i) {
				row[i] = "{" + row[i] + "}"
			}
			size += len(row[i]) + len(`"",`)
		}
		if size > c.maxLine { // found out here, since all matches together may need rows squared
			return nil, protocol.LineTooLong(c.maxLine)
		}
		a.Rows = append(a.Rows, row)
	}
	return a, nil
}

// labelled makes clause and table of a map question.
func (c *conversation) labelled(q *protocol.Map) (*semantics.Clause, *table.Table, error) {
	clause, _, err := semantics.LabelledReading(q.Pattern, q.Subset, nil, c.readings)
	if err != nil {
		return nil, nil, err
	}
	if n := len(q.Rows) * max(clause.Primaries, 1); n > maxLabels {
		return nil, nil, diag.New(diag.Limit, "LIM-1", diag.Pos{}, "%d rows of %d variables are too many", len(q.Rows), clause.Primaries).
			WithHint("at most %d labels are possible; send fewer rows", maxLabels)
	}
	rows := make([][]string, len(q.Rows))
	for i, row := range q.Rows {
		if rows[i] = row.Names; row.IsText {
			rows[i] = clause.LabelNames(row.Text)
		}
	}
	return semantics.LabelledReading(q.Pattern, q.Subset, rows, c.readings)
}

// prefer answers prefer: the candidates of at most so many rows (PREF-1 to PREF-8).
func (c *conversation) prefer(ctx context.Context, q *protocol.Prefer) (protocol.Answer, error) {
	clause, _, err := semantics.LabelledReading(q.Pattern, "", nil, c.readings)
	if err != nil {
		return nil, err
	}
	a := &protocol.Candidates{ID: q.ID, List: []string{}}
	size := 0
	steps := c.Limits.WithDefaults().Steps
	for candidate, err := range enumerate.Where(clause.Pattern, int(min(q.MaxRows, math.MaxInt32)), steps, enumerate.Filter{}) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		text := candidate.String()
		if size += len(text) + len(`"",`); size > c.maxLine {
			return nil, protocol.LineTooLong(c.maxLine)
		}
		a.List = append(a.List, text)
	}
	return a, nil
}
