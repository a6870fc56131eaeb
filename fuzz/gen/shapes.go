package gen

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
)

// Shapes of queries that plain random ones hardly ever have, since all their
// parts must fit together: see Queries.Counted and Queries.Within.
type shape uint8

const (
	plainShape   shape = iota
	countedShape       // variables repeated by large bounds, conditions of single rows
	withinShape        // rows bound to a window that begins at the first row
)

// shaped draws the shape of a query, and returns what its parts are like.
func (o Queries) shaped(r *Rand) (Queries, shape) {
	if o.Counted+o.Within == 0 {
		return o, plainShape // draws nothing: seeds keep their queries
	}
	switch n := r.IntN(100); {
	case n < o.Counted:
		o.Tables.Max, o.Tables.Runs = 30, 60
		if r.Chance(20) {
			o.Tables.Min, o.Tables.Max, o.Tables.Runs, o.Tables.Partitions = 60, 100, 95, 1 // beyond many bounds
		}
		o.Patterns.Anchors *= 2
		o.Conditions = Conditions{Local: 95, Errors: min(o.Conditions.Errors, 1), Typed: o.Conditions.Typed, Depth: 1}
		if r.Chance(90) {
			o.Conditions.Typed = 0 // they read the match
		}
		return o, countedShape
	case n < o.Counted+o.Within:
		o.Tables.Min, o.Tables.Max = 4, 24
		if o.Tables.Keyed = true; r.Chance(60) {
			o.Tables.Nulls = 2
		}
		if r.Chance(85) {
			o.Conditions = Conditions{Local: 1, Depth: 1}
		}
		return o, withinShape
	}
	return o, plainShape
}

// large are bounds that are counted; the second list are bounds that are
// counted beside them. Rows end before the upper ones, or just behind them.
var (
	large = [...][2]int{{2, 70}, {3, 1_000_000}, {0, 100}, {1, 2_000_000_000}, {9, 70}, {0, 65}, {4, 200}, {12, 66}, {20, 90}, {1, 65}, {40, 80}, {65, -1}}
	some  = [...][2]int{{0, 9}, {9, 12}, {11, -1}, {10, 10}, {2, 9}, {5, 20}, {1, 30}}
)

// countedIn repeats variables of a pattern by large bounds, one of them at
// least by bounds that are among the largest.
func (o Queries) countedIn(r *Rand, p *semantics.Pattern, exclude bool) *semantics.Pattern {
	places := 0
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable {
			places++
		}
	})
	largest, at := r.IntN(places), -1
	var walk func(p *semantics.Pattern) *semantics.Pattern
	walk = func(p *semantics.Pattern) *semantics.Pattern {
		leaf := p
		if p.Op == semantics.OpQuantified {
			leaf = Bare(p.Sub[0])
		}
		if leaf.Op != semantics.OpVariable {
			if len(p.Sub) == 0 {
				return p
			}
			operands := make([]*semantics.Pattern, len(p.Sub))
			for i, sub := range p.Sub {
				operands[i] = walk(sub)
			}
			return With(p, operands)
		}
		at++
		var b [2]int
		switch {
		case at == largest:
			b = Pick(r, large[:])
		case r.Chance(15):
			b = Pick(r, large[:])
		case r.Chance(50):
			b = Pick(r, some[:])
		default:
			return p
		}
		if exclude && r.Chance(15) {
			leaf = Exclude(leaf)
		}
		repeated := Quantify(leaf, b[0], b[1], r.Chance(40))
		if p.Op == semantics.OpQuantified && r.Chance(20) {
			return Quantify(repeated, p.Min, p.Max, p.Reluctant)
		}
		return repeated
	}
	return walk(p)
}

// ordered are the columns that windows are made of, each with the order key by
// which it grows and the one by which it falls. The unit is what numbers count.
var ordered = [...]struct{ column, grows, falls, unit string }{
	{"K", "K", "K DESC", ""}, {"K", "K NULLS FIRST", "K DESC NULLS LAST", ""}, {"K", "K", "K DESC", ""},
	{"X", "X", "X DESC", ""}, {"Z", "Z", "Z DESC", ""}, {"Y", "Y", "Y DESC", ""}, {"D", "D", "D DESC", "DAY"}}

// Texts of windows, with the places
//
//	@ the column   & its value in the first row of the match   # a number
var (
	upTo   = []string{"@ <= & + #", "@ < & + #", "@ - & <= #", "@ - & < #", "& >= @ - #", "& + # > @", "@ - # <= &"}
	downTo = []string{"@ >= & - #", "@ > & - #", "& - @ <= #", "& - @ < #", "& <= @ + #", "& - # < @", "@ + # >= &"}
	rowsIn = []string{"COUNT(*) <= #", "COUNT(*) < #", "# >= COUNT(*)", "COUNT(*) - 1 <= #"}
)

// within draws a window, and the order key that it needs.
func (o Queries) within(r *Rand, vars []string) (text, key string) {
	if r.Chance(15) {
		return fillWindow(r, Pick(r, rowsIn), "", "", ""), Pick(r, orderKeys)
	}
	of := Pick(r, ordered[:])
	first := "FIRST(" + of.column + ")"
	if r.Chance(10) {
		first = Pick(r, vars) + "." + of.column // perhaps always the first row
	}
	if r.Chance(50) {
		return fillWindow(r, Pick(r, upTo), of.column, first, of.unit), of.grows
	}
	return fillWindow(r, Pick(r, downTo), of.column, first, of.unit), of.falls
}

func fillWindow(r *Rand, template, column, first, unit string) string {
	n, most := "", 9
	if unit != "" || column == "Y" || column == "Z" {
		most = 3
	}
	if n = strconv.Itoa(r.Between(0, most)); unit != "" {
		n = "INTERVAL '" + n + "' " + unit
	}
	return strings.NewReplacer("@", column, "&", first, "#", n).Replace(template)
}

// bindWithin adds the window to conditions of a query.
func (o Queries) bindWithin(r *Rand, q *Query, vars []string) {
	window, key := o.within(r, vars)
	for i := range q.Define {
		d := &q.Define[i]
		bound := &Condition{Text: window}
		if i > 0 && r.Chance(10) {
			other, _ := o.within(r, vars)
			bound.Text = other
		}
		switch n := r.IntN(10); {
		case n < 4:
			d.Cond = &Condition{Op: "AND", Sub: []*Condition{d.Cond, bound}}
		case n < 6:
			d.Cond = &Condition{Op: "AND", Sub: []*Condition{bound, d.Cond}}
		case n < 8 || i == 0:
			d.Cond = bound
		}
	}
	q.OrderBy = slices.DeleteFunc(q.OrderBy, func(k string) bool { return k[0] == key[0] })
	q.OrderBy = append([]string{key}, q.OrderBy...)
}
