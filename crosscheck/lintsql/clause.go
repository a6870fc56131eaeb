package lintsql

import (
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// conditions remarks on DEFINE.
func (l *linter) conditions() {
	branches := severalPaths(l.c.Pattern)
	for v := range l.c.Primaries {
		d := l.c.Vars[v].Define
		if d == nil {
			continue
		}
		name := l.c.Vars[v].Name.String()
		path := "" // what of the path the condition reads
		scalar.Walk(d, func(e scalar.Expr) bool {
			switch n := e.(type) {
			case *semantics.Classifier:
				path = "CLASSIFIER"
				l.add(Remark{Pos: n.Pos(), Kind: Refusal, Rule: "DEF-9", Engines: []string{"Oracle (ORA-62507)", "Flink"}, Text: "CLASSIFIER in DEFINE is not known there"})
			case *semantics.MatchNumber:
				l.add(Remark{Pos: n.Pos(), Kind: Refusal, Rule: "DEF-9", Engines: []string{"Oracle (ORA-62507)", "Flink"}, Text: "MATCH_NUMBER in DEFINE is not known there"})
			case *semantics.AggregateCall:
				path = n.Fn.Name
				l.add(Remark{Pos: n.Pos(), Kind: Refusal, Rule: "DEF-12", Engines: []string{"PostgreSQL"}, Text: "aggregates in DEFINE are not known there"})
			case *semantics.ColumnRef:
				if n.Var != semantics.Universal && n.Var != semantics.VarID(v) {
					path = "rows of " + l.c.Vars[n.Var].Name.String()
				}
			case *semantics.Navigation:
				if n.Logical == semantics.First || n.LogicalOffset != nil || n.Var != semantics.Universal && n.Var != semantics.VarID(v) {
					path = "rows mapped before"
				}
			case *scalar.Subquery, *scalar.InSubquery, *scalar.Exists:
				l.add(Remark{Pos: e.Pos(), Kind: Refusal, Rule: "DEF-13", Engines: []string{"PostgreSQL", "DuckDB"}, Text: "a subquery in DEFINE is not known there"})
				return false
			case *scalar.Binary:
				if n.Op == scalar.OpDivide {
					l.add(Remark{Pos: n.OpPos, Kind: Choice, Rule: "DEF-15", Text: "a division in a condition: whether an error of a row that need not be tested is raised is left open; NULLIF(y, 0) as divisor never raises one"})
				}
			}
			return true
		})
		if path != "" && branches {
			l.add(Remark{Pos: d.Pos(), Kind: Silent, Rule: "PREF-10", Engines: []string{"Trino (threads are merged by position)"},
				Text: fmt.Sprintf("the condition of %s reads %s: two ways through the pattern that reach the same place at the same row are different, and an engine that takes them for one can lose the match", name, path)})
		}
		l.defined = semantics.VarID(v)
		l.expressions(d, true)
	}
}

// severalPaths reports that a place of the pattern can be reached at one row in
// two ways. With one quantifier of varying bounds, not within another one, and
// without alternation there is one way.
func severalPaths(p *semantics.Pattern) bool {
	varying := 0
	p.Walk(func(q *semantics.Pattern) {
		if q.Op == semantics.OpQuantified && q.Min != q.Max {
			varying++
			if _, fixed := rowsOf(q.Sub[0]); !fixed {
				varying++ // iterations of several lengths
			}
		}
	})
	return varying > 1 || p.Has(semantics.OpAlternate) || p.Has(semantics.OpPermute)
}

// measures remarks on MEASURES.
func (l *linter) measures() {
	for _, m := range l.c.Measures {
		l.expressions(m.Expr, false)
	}
}

// expressions remarks on what conditions and measures have in common.
func (l *linter) expressions(e scalar.Expr, define bool) {
	scalar.Walk(e, func(e scalar.Expr) bool {
		switch n := e.(type) {
		case *semantics.Navigation:
			l.navigation(n, define)
		case *semantics.AggregateCall:
			l.aggregate(n)
		case *scalar.Binary:
			if n.Op == scalar.OpDivide && n.X.Type().IsInteger() && n.Y.Type().IsInteger() {
				l.add(Remark{Pos: n.OpPos, Kind: Choice, Rule: "IMP-QUOTIENT", Engines: []string{"Oracle", "DuckDB"}, Text: "the quotient of two integers: truncated here and by Trino and PostgreSQL, a fraction there; a CAST to decimal says which is meant"})
			}
		}
		return true
	})
}

func (l *linter) navigation(n *semantics.Navigation, define bool) {
	running := define || l.c.Rows.IsAll()
	if n.Logical == semantics.First && n.LogicalOffset != nil && running && !n.Final {
		l.add(Remark{Pos: n.Pos(), Kind: Silent, Rule: "NAV-1", Engines: []string{"Trino before 478"}, Text: "running FIRST with an offset looked past the current row there"})
	}
	if n.LogicalOffset != nil {
		l.add(Remark{Pos: n.Pos(), Kind: Silent, Rule: "NAV-1", Engines: []string{"streaming engines that count from 1"}, Text: "the offset of FIRST and LAST counts from 0: FIRST(x, 1) is the second row"})
	}
	for _, o := range []scalar.Expr{n.LogicalOffset, n.PhysicalOffset} {
		if o == nil {
			continue
		}
		if _, literal := o.(*scalar.Const); !literal {
			l.add(Remark{Pos: o.Pos(), Kind: Refusal, Rule: "NAV-5", Engines: []string{"Trino"}, Text: "offsets have to be integer literals there"})
		}
	}
	if l.c.Window != nil && n.Physical != semantics.NoStep {
		l.add(Remark{Pos: n.Pos(), Kind: Choice, Rule: "WIN-10", Engines: []string{"PostgreSQL"}, Text: "the reach of PREV and NEXT in a window: the full window frame here and in Trino, so that PREV from the first row is NULL; the whole partition there"})
	}
	// In its own condition a variable's last row is the current one (DEF-6).
	if own := define && n.Var == l.defined; n.Physical == semantics.Prev && n.Logical == semantics.NoStep && n.Var != semantics.Universal && !own {
		l.add(Remark{Pos: n.Pos(), Kind: Silent, Rule: "NAV-2", Engines: []string{"engines that make a lag of it"}, Text: "PREV steps from the last row of " + l.c.Vars[n.Var].Name.String() + ", not from the current row"})
	}
}

func (l *linter) aggregate(n *semantics.AggregateCall) {
	pos := n.Pos()
	if n.Distinct {
		l.add(Remark{Pos: pos, Kind: Refusal, Rule: "AGG-6", Engines: []string{"Oracle", "Trino", "Flink", "Databricks"}, Text: "DISTINCT in an aggregate is not known there"})
	}
	if n.Filter != nil {
		l.add(Remark{Pos: pos, Kind: Refusal, Rule: "AGG-6", Engines: []string{"Oracle", "Trino"}, Text: "FILTER of an aggregate is not known there"})
	}
	if len(n.OrderBy) > 0 {
		l.add(Remark{Pos: pos, Kind: Refusal, Rule: "AGG-7", Engines: []string{"Trino"}, Text: "ORDER BY in an aggregate is not known there"})
	} else if n.Fn.OrderSensitive {
		l.add(Remark{Pos: pos, Kind: Choice, Rule: "AGG-7", Text: "the order of the rows in " + n.Fn.Name + " is left to the engine; ORDER BY in it says which is meant"})
	}
	if !n.Fn.R010 {
		l.add(Remark{Pos: pos, Kind: Refusal, Rule: "AGG-1", Engines: []string{"Oracle (ORA-62512)", "Databricks"}, Text: n.Fn.Name + " is feature R030"})
	}
	if n.Fn.Name == "AVG" && len(n.Args) > 0 && (n.Args[0].Type().IsExact() || n.Args[0].Type().Kind == value.Unknown) {
		l.add(Remark{Pos: pos, Kind: Choice, Rule: "IMP-AVG", Text: "the type of AVG is left to the engine: a double, the type of the argument, or an exact decimal as here"})
	}
}

// clauses remarks on the other clauses.
func (l *linter) clauses() {
	c := l.c
	start := c.Pattern.Pos
	if len(c.OrderBy) == 0 {
		l.add(Remark{Pos: start, Kind: Choice, Rule: "NUL-4", Text: "there is no ORDER BY: the order of the rows, and with it every match, is left to the engine"})
	}
	for _, k := range c.OrderBy {
		if !writtenNulls(c, k) {
			l.add(Remark{Pos: k.Name.Pos, Kind: Choice, Rule: "IMP-NULLS", Engines: []string{"Trino (last always)", "PostgreSQL and Oracle (last ascending, first descending)"},
				Text: "where NULLs of " + k.Name.String() + " stand is left to the engine unless NULLS FIRST or NULLS LAST is written"})
		}
	}
	for _, v := range c.Vars {
		if v.IsUnion() {
			l.add(Remark{Pos: v.Name.Pos, Kind: Refusal, Rule: "SUB-1", Engines: []string{"Snowflake", "PostgreSQL", "Flink", "BigQuery"}, Text: "SUBSET is not known there"})
			break
		}
	}
	switch {
	case c.Window != nil:
		l.add(Remark{Pos: start, Kind: Refusal, Rule: "FEAT-1", Engines: []string{"Oracle", "Snowflake", "DuckDB", "Flink", "BigQuery", "Databricks"}, Text: "row patterns in windows (R020) are not known there"})
		if c.Seek {
			l.add(Remark{Pos: start, Kind: Choice, Rule: "WIN-4", Engines: []string{"PostgreSQL (no SEEK)"}, Text: "SEEK with AFTER MATCH SKIP: where the search resumes is our reading"})
		}
	default:
		l.add(Remark{Pos: start, Kind: Refusal, Rule: "FEAT-1", Engines: []string{"PostgreSQL"}, Text: "MATCH_RECOGNIZE in FROM (R010) is not known there"})
	}
	if c.Rows == semantics.WithUnmatched || c.Rows == semantics.OmitEmpty {
		l.add(Remark{Pos: start, Kind: Refusal, Rule: "OUT-5", Engines: []string{"Flink", "BigQuery", "Databricks", "RisingWave"}, Text: strings.ToLower(c.Rows.String()) + " is not known there"})
	}
	if c.Skip.To == semantics.ToFirst || c.Skip.To == semantics.ToLast {
		l.skip()
	}
}

// writtenNulls reports that NULLS FIRST or LAST stands behind a key, or that both
// readings of IMP-NULLS put them at the same end.
func writtenNulls(c *semantics.Clause, k semantics.OrderKey) bool {
	rest := c.Source
	if k.Name.End > 0 && k.Name.End <= len(rest) {
		rest = rest[k.Name.End:]
	}
	words := strings.Fields(strings.ToUpper(cutAt(rest, ",)")))
	for i, w := range words {
		if w == "NULLS" && i+1 < len(words) {
			return true
		}
		if w != "ASC" && w != "DESC" {
			break
		}
	}
	return !k.Descending
}

func cutAt(s, any string) string {
	if i := strings.IndexAny(s, any); i >= 0 {
		return s[:i]
	}
	return s
}

// skip remarks on a skip target.
func (l *linter) skip() {
	c := l.c
	name := c.Vars[c.Skip.Target].Name.String()
	l.add(Remark{Pos: c.Skip.Pos, Kind: Refusal, Rule: "SKIP-1", Engines: []string{"PostgreSQL", "BigQuery", "Azure Stream Analytics"}, Text: "SKIP TO a variable is not known there"})
	l.add(Remark{Pos: c.Skip.Pos, Kind: Silent, Rule: "SKIP-2", Engines: []string{"engines that go on past the last row"},
		Text: "a match in which " + name + " has no row, or begins with it, is a run-time error by the rules (2202K, 2202L); an engine may go on silently"})
}
