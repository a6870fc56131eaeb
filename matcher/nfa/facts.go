package nfa

import "github.com/rprcheck/rprcheck/semantics"

// fact is what every path to a position agrees on about one row of a variable:
// its first row, or its last one, once the position has taken its row.
type fact struct {
	known bool // some path reaches the position
	none  bool // no row is mapped to the variable
	start bool // it is the first row of the match
	back  int  // it is that many rows before the position's row; unknownDistance: paths differ
	any   bool // nothing is common to all paths
}

const unknownDistance = -1

// meet combines the facts of two paths.
func (f fact) meet(g fact) fact {
	switch {
	case !f.known:
		return g
	case !g.known:
		return f
	case f.any || g.any || f.none != g.none:
		return fact{known: true, any: true}
	}
	f.start = f.start && g.start
	if f.back != g.back {
		f.back = unknownDistance
	}
	return f
}

// step moves a fact one row on.
func (f fact) step() fact {
	if f.known && !f.none && !f.any && f.back != unknownDistance {
		f.back++
	}
	return f
}

// maxFactEdges bounds the work for one variable; beyond it nothing is known.
const maxFactEdges = 1 << 20

// facts computes the fact of each position about the first or the last row of
// the variables in member.
func (a *automaton) facts(c *semantics.Clause, v semantics.VarID, first bool) []fact {
	edges := 0
	for _, list := range a.follow {
		edges += len(list)
	}
	out := make([]fact, len(a.positions))
	if edges > maxFactEdges {
		for i := range out {
			out[i] = fact{known: true, any: true}
		}
		return out
	}
	// take is the fact behind position q when f held before it.
	take := func(q int32, f fact, entry bool) fact {
		f = f.step()
		if !c.Belongs(a.positions[q].v, v) {
			return f
		}
		switch {
		case first && f.any:
			return f
		case first && f.known && !f.none:
			return f
		}
		return fact{known: true, start: entry}
	}
	var work []int32
	change := func(q int32, f fact) {
		if g := out[q].meet(f); g != out[q] {
			out[q] = g
			work = append(work, q)
		}
	}
	for x := range a.start {
		for _, q := range a.start[x] {
			if q != accept {
				change(q, take(q, fact{known: true, none: true}, true))
			}
		}
	}
	for len(work) > 0 {
		p := work[len(work)-1]
		work = work[:len(work)-1]
		if a.positions[p].isRun() {
			change(p, take(p, out[p], false))
		}
		for _, q := range a.follow[p] {
			if q != accept {
				change(q, take(q, out[p], false))
			}
		}
	}
	return out
}

// factOf is what all positions of variable x agree on.
func (a *automaton) factOf(facts []fact, x semantics.VarID) fact {
	var f fact
	for p, g := range facts {
		if a.positions[p].v == x {
			f = f.meet(g)
		}
	}
	return f
}
