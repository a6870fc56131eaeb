package crosscheck

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// labelRows returns the rows of a labels case as lists of names.
func labelRows(c *corpus.Case) ([][]string, error) {
	clause, _, err := semantics.LabelledReading(c.Pattern, c.Subset, nil, c.Readings)
	if err != nil {
		return nil, err
	}
	rows := make([][]string, len(c.Rows))
	for i, r := range c.Rows {
		rows[i] = clause.LabelNames(r)
	}
	return rows, nil
}

// parser parses and binds a clause.
type parser func(sql string, input *semantics.RowType, o semantics.Options) (*semantics.Clause, error)

// bindMatch binds the clause of a match case.
func bindMatch(c *corpus.Case, parse parser) (*semantics.Clause, *table.Table, error) {
	in, ok := c.Table(table.FoldName(c.Over))
	if !ok {
		return nil, nil, fmt.Errorf("there is no table %s", c.Over)
	}
	clause, err := parse(c.SQL, semantics.RowTypeOf(in, ""), semantics.Options{Readings: c.Readings})
	return clause, in, err
}

// matchQuestion turns a match case whose conditions do not read the match into
// questions over rows of labels, one a partition.
func matchQuestion(c *corpus.Case) (*question, string) {
	clause, in, err := bindMatch(c, semantics.Parse)
	if err != nil {
		return nil, "the case is in error: " + err.Error()
	}
	for v := range clause.Primaries {
		if d := clause.Vars[v].Define; d != nil && !rowLocal(d, semantics.VarID(v)) {
			return nil, "the condition of " + clause.Vars[v].Name.String() + " reads the match"
		}
	}
	parts, err := clause.Partitions(in)
	if err != nil {
		return nil, "the case is in error: " + err.Error()
	}
	q := &question{of: c}
	for _, p := range parts {
		rows, err := labelsOf(clause, p)
		if err != nil {
			return nil, "a condition fails: " + err.Error()
		}
		q.cases = append(q.cases, &oracle.Case{ID: c.Name, Op: oracle.Map, Readings: c.Reading, Pattern: clause.Pattern.String(), Rows: rows})
		q.heads = append(q.heads, partitionHead(clause, p))
	}
	return q, ""
}

// partitionHead is the line above the answers of a partition, empty if there
// is no PARTITION BY.
func partitionHead(c *semantics.Clause, p *semantics.Partition) string {
	var heads []string
	for _, col := range c.PartitionBy {
		column := p.Table.Column(col)
		heads = append(heads, column.Name+" = "+value.SQL(p.Table.Value(int(p.Rows[0]), col), column.Type))
	}
	return strings.Join(heads, ", ")
}

// labelsOf tests every variable on every row of a partition, each as a match
// of its own. The conditions must be row-local.
func labelsOf(c *semantics.Clause, p *semantics.Partition) ([][]string, error) {
	conds := c.Conditions(p)
	rows := make([][]string, p.Len())
	reach := semantics.Reach{Lo: 0, Hi: p.Len(), MatchNumber: 1}
	for r := range rows {
		rows[r] = []string{}
		for v := range c.Primaries {
			holds, err := conds.Holds(reach, r, []semantics.VarID{semantics.VarID(v)})
			if err != nil {
				return nil, err
			}
			if holds {
				rows[r] = append(rows[r], c.Vars[v].Name.String())
			}
		}
	}
	return rows, nil
}

// rowLocal reports that the condition of v depends on the row under test and
// its neighbours in the partition alone: it reads only columns of the current
// row, or of v itself, whose last row is the current one (DEF-6).
func rowLocal(e scalar.Expr, v semantics.VarID) bool {
	local := true
	scalar.Walk(e, func(x scalar.Expr) bool {
		switch n := x.(type) {
		case *semantics.ColumnRef:
			local = local && (n.Var == semantics.Universal || n.Var == v)
		case *semantics.Navigation:
			local = local && (n.Var == semantics.Universal || n.Var == v) && noClassifier(n.Arg) &&
				(n.Logical == semantics.NoStep || n.Logical == semantics.Last && n.LogicalOffset == nil)
			return false // the argument is read on the row reached, whatever its qualifier (NAV-6)
		case *semantics.Classifier, *semantics.AggregateCall, *semantics.MatchNumber:
			local = false
		}
		return local
	})
	return local
}

func noClassifier(e scalar.Expr) bool {
	found := false
	scalar.Walk(e, func(x scalar.Expr) bool {
		_, is := x.(*semantics.Classifier)
		found = found || is
		return !found
	})
	return !found
}
