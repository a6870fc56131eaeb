package explain

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
)

// reads writes what an expression reads of the match: column references,
// navigation, aggregates, CLASSIFIER and MATCH_NUMBER.
func (p *printer) reads(depth int, e scalar.Expr, define bool) {
	scalar.Walk(e, func(x scalar.Expr) bool {
		switch x := x.(type) {
		case *semantics.ColumnRef:
			if x.Var == semantics.Universal {
				p.line(depth, "COL-4", "%s: its value in the current row", x)
			} else {
				p.line(depth, "COL-4", "%s: its value in the last row mapped to %s so far", x, p.variable(x.Var))
			}
		case *semantics.Navigation:
			p.navigation(depth, x, define)
			return false
		case *semantics.AggregateCall:
			p.line(depth, "AGG-2", "%s: over %s, %s", x, p.rowsOf(x.Var), p.extent(x.Final, define))
			return false
		case *semantics.Classifier:
			p.line(depth, "MEA-4", "%s: the variable of the last of %s so far", x, p.rowsOf(x.Var))
		case *semantics.MatchNumber:
			rule, text := "MEA-5", "the number of the match"
			if define {
				rule, text = "DEF-9", "the number that the match would get"
			}
			p.line(depth, rule, "%s: %s", x, text)
		}
		return true
	})
}

// rowsOf names S(V), the rows of a variable.
func (p *printer) rowsOf(v semantics.VarID) string {
	if v == semantics.Universal {
		return "all rows of the match"
	}
	return "the rows mapped to " + p.variable(v)
}

// extent says how far S(V) reaches.
func (p *printer) extent(final, define bool) string {
	switch {
	case define:
		return "up to the row under test"
	case !final && p.c.Rows.IsAll() && p.c.Window == nil:
		return "up to the current row"
	}
	return "to the end of the match"
}

func (p *printer) navigation(depth int, n *semantics.Navigation, define bool) {
	from := "the current row"
	if n.Var != semantics.Universal {
		from = "the last row mapped to " + p.variable(n.Var) + " so far"
	}
	rule := "NAV-2"
	if n.Logical != semantics.NoStep {
		end, direction := "first", "after"
		if n.Logical == semantics.Last {
			end, direction = "last", "before"
		}
		step := ""
		if n.LogicalOffset != nil {
			step = rows(n.LogicalOffset.String()) + " " + direction + " "
		}
		p.line(depth, "NAV-1", "%s: %sthe %s of %s, %s", n, step, end, p.rowsOf(n.Var), p.extent(n.Final, define))
		from, rule = "there", "NAV-3"
	}
	offset := "1"
	if n.PhysicalOffset != nil {
		offset = n.PhysicalOffset.String()
	}
	switch n.Physical {
	case semantics.Prev:
		p.line(depth, rule, "%s: %s back from %s", n, rows(offset), from)
	case semantics.Next:
		p.line(depth, rule, "%s: %s forward from %s", n, rows(offset), from)
	}
}

func rows(n string) string {
	if n == "1" {
		return "1 row"
	}
	return n + " rows"
}
