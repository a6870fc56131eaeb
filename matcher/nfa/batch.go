package nfa

import (
	"slices"

	"github.com/rprcheck/rprcheck/semantics"
)

// batch collects matches of ONE ROW PER MATCH whose measures are read from
// rows, numbers or lengths of the match, and makes the output of many of them
// measure by measure. Places are those of the chunk, since partitions can be
// small.
type batch struct {
	matches []batched
	kept    int // end of the last path in scan.vars
}

// batched is a match: its places, its number, and where its variables begin in
// scan.vars.
type batched struct{ start, end, number, path int32 }

// batchMatches is how many matches are collected.
const batchMatches = 1 << 11

// steps reports whether a measure reads rows around those of its match: a batch
// then ends with the partition, whose bounds it has to know.
func (o *outputPlan) steps() bool {
	for i := range o.measures {
		if j := o.measures[i].jump; j != nil && j.physical != semantics.NoStep {
			return true
		}
	}
	return false
}

// batches reports whether the output can be made by batches.
func (o *outputPlan) batches(rows semantics.RowsPerMatch) bool {
	if rows != semantics.OneRow || len(o.final) > 0 {
		return false
	}
	for i := range o.measures {
		if k := o.measures[i].kind; k == general || k == typed {
			return false
		}
	}
	return true
}

// collect adds a match, whose variables are the last ones of scan.vars.
func (s *scan) collect(start, end, path int) {
	b := &s.batch
	b.matches = append(b.matches, batched{int32(s.lo + start), int32(s.lo + end), int32(s.number), int32(path)})
	if s.paths {
		b.kept = path + end - start
	}
	if len(b.matches) == batchMatches || b.kept > chunkRows {
		s.flush()
	}
}

// flush outputs the matches collected.
func (s *scan) flush() {
	b := &s.batch
	for i := range s.out.cells {
		c, m := &s.out.cells[i], &s.program.output.measures[i]
		switch m.kind {
		case gathered:
			c.rows = s.gather(c.rows, m.jump)
		case numbered:
			for _, m := range b.matches {
				c.ints = append(c.ints, int64(m.number))
			}
		case measured:
			for _, m := range b.matches {
				c.ints = append(c.ints, int64(m.end-m.start))
			}
		}
	}
	rows, to := extended(s.out.rows, len(b.matches))
	for i, m := range b.matches {
		to[i] = s.chunkRows[m.start]
	}
	s.out.rows = rows
	b.matches, b.kept = b.matches[:0], 0
}

// extended returns a slice with n more elements, and these.
func extended(s []int32, n int) (all, added []int32) {
	all = slices.Grow(s, n)[:len(s)+n]
	return all, all[len(s):]
}

// gather appends the input rows that a jump reaches from the last row of each
// match collected.
func (s *scan) gather(out []int32, j *jump) []int32 {
	out, to := extended(out, len(s.batch.matches))
	for i, m := range s.batch.matches {
		to[i] = nowhere
		switch long := j.k < int64(m.end-m.start); {
		case j.from == atNth && long:
			to[i] = m.start + int32(j.k)
		case j.from == atBack && long:
			to[i] = m.end - 1 - int32(j.k)
		case j.from == atFirst || j.from == atLast:
			if n := nthOf(s.vars[m.path:][:m.end-m.start], s.members[j.track], j.k, j.from == atLast); n != nowhere {
				to[i] = m.start + int32(n)
			}
		}
	}
	if j.physical != semantics.NoStep {
		for i, p := range to {
			if p != nowhere {
				to[i] = int32(j.step(int(p), s.lo, s.hi))
			}
		}
	}
	for i, p := range to {
		if p != nowhere {
			to[i] = s.chunkRows[p]
		}
	}
	return out
}

// nthOf returns the place of the row that is k rows behind the first one, or
// before the last one, of those whose variables are members.
func nthOf(vars []semantics.VarID, member []bool, k int64, fromLast bool) int {
	at, step := 0, 1
	if fromLast {
		at, step = len(vars)-1, -1
	}
	for ; at >= 0 && at < len(vars); at += step {
		if member[vars[at]] {
			if k == 0 {
				return at
			}
			k--
		}
	}
	return nowhere
}
