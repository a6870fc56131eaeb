package diff

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func subjectOf(m matcher.Engine) oracle.Oracle { return drift.FromEngine(m, matcher.Limits{}) }

// StandardSQL writes a question as one statement of standard SQL: tables are
// items of WITH over VALUES, a pattern over labels is a query with SKIP TO NEXT
// ROW.
func StandardSQL(c *oracle.Case) string {
	if c.Op == oracle.Prefer {
		return ""
	}
	if c.Op == oracle.Map {
		q, err := mapQuery(c, true)
		if err != nil {
			return ""
		}
		c = q
	}
	var with []string
	for _, t := range c.Tables {
		var names, rows []string
		for _, col := range t.Data.Columns() {
			names = append(names, semantics.Name{Text: col.Name}.String())
		}
		for r := range t.Data.NumRows() {
			cells := make([]string, t.Data.NumColumns())
			for i, col := range t.Data.Columns() {
				cells[i] = value.SQL(t.Data.Value(r, i), col.Type)
			}
			rows = append(rows, "("+strings.Join(cells, ", ")+")")
		}
		if len(rows) == 0 {
			continue // SQL has no VALUES without rows: the table has to be made otherwise
		}
		with = append(with, fmt.Sprintf("%s (%s) AS (VALUES %s)", semantics.Name{Text: t.Name}, strings.Join(names, ", "), strings.Join(rows, ", ")))
	}
	if len(with) == 0 {
		return c.SQL
	}
	return "WITH " + strings.Join(with, ",\n     ") + "\n" + c.SQL
}
