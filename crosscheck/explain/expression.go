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
		case *semantics.Aggregate:
			p.line(depth, "AGG-2", "%s: over %s %s", x, p.extent(x.Final, define), p.rowsOf(x.Var))
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
		return "running, up to the row under test:"
	case final:
		return "final:"
	case p.c.Rows.IsAll():
		return "running, up to the current row:"
	}
	return "up to the last row:"
}

func (p *printer) navigation(depth int, n *semantics.Navigation, define bool) {
	offset := func(e scalar.Expr, standard string) string {
		if e == nil {
			return standard
		}
		return e.String()
	}
	switch n.Logical {
	case semantics.First:
		p.line(depth, "NAV-1", "%s: row number %s + 1 from the first, %s %s", n, offset(n.LogicalOffset, "0"), p.extent(n.Final, define), p.rowsOf(n.Var))
	case semantics.Last:
		p.line(depth, "NAV-1", "%s: row number %s + 1 from the last, %s %s", n, offset(n.LogicalOffset, "0"), p.extent(n.Final, define), p.rowsOf(n.Var))
	}
	from := "the current row"
	rule := "NAV-2"
	if n.Var != semantics.Universal {
		from = "the last row mapped to " + p.variable(n.Var) + " so far"
	}
	if n.Logical != semantics.NoStep {
		from, rule = "there", "NAV-3"
	}
	switch n.Physical {
	case semantics.Prev:
		p.line(depth, rule, "%s: %s back from %s", n, rows(offset(n.PhysicalOffset, "1")), from)
	case semantics.Next:
		p.line(depth, rule, "%s: %s forward from %s", n, rows(offset(n.PhysicalOffset, "1")), from)
	}
}

func rows(n string) string {
	if n == "1" {
		return "1 row"
	}
	return n + " rows"
}
