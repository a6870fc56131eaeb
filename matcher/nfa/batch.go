package nfa

import (
	"github.com/rprcheck/rprcheck/semantics"
)

// batch collects matches of ONE ROW PER MATCH whose measures are read from
// rows, numbers or lengths of the match, and makes the output of many of them
// measure by measure. Places are those of the chunk, since partitions can be
// small.
type batch struct {
	starts, ends, numbers []int32
	paths                 []int32 // where the variables of a match begin in scan.vars
	kept                  int     // end of the last of them
}

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
	b.starts = append(b.starts, int32(s.lo+start))
	b.ends = append(b.ends, int32(s.lo+end))
	b.numbers = append(b.numbers, int32(s.number))
	b.paths = append(b.paths, int32(path))
	if s.paths {
		b.kept = path + end - start
	}
	if len(b.starts) == batchMatches || b.kept > chunkRows {
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
			for _, n := range b.numbers {
				c.ints = append(c.ints, int64(n))
			}
		case measured:
			for k, start := range b.starts {
				c.ints = append(c.ints, int64(b.ends[k]-start))
			}
		}
	}
	for _, start := range b.starts {
		s.out.rows = append(s.out.rows, s.chunkRows[start])
	}
	b.starts, b.ends, b.numbers, b.paths = b.starts[:0], b.ends[:0], b.numbers[:0], b.paths[:0]
	b.kept = 0
}

// gather appends the input rows that a jump reaches from the last row of each
// match collected.
func (s *scan) gather(out []int32, j *jump) []int32 {
	b := &s.batch
	var member []bool
	if j.from == atFirst || j.from == atLast {
		member = s.members[j.track]
	}
	for i, start := range b.starts {
		end := int(b.ends[i])
		p := nowhere
		switch k := j.k; j.from {
		case atNth:
			if k < int64(end-int(start)) {
				p = int(start) + int(k)
			}
		case atBack:
			if k < int64(end-int(start)) {
				p = end - 1 - int(k)
			}
		case atFirst:
			for n, v := range s.vars[b.paths[i]:][:end-int(start)] {
				if member[v] {
					if k == 0 {
						p = int(start) + n
						break
					}
					k--
				}
			}
		case atLast:
			vars := s.vars[b.paths[i]:][:end-int(start)]
			for n := len(vars) - 1; n >= 0; n-- {
				if member[vars[n]] {
					if k == 0 {
						p = int(start) + n
						break
					}
					k--
				}
			}
		}
		if p != nowhere && j.physical != semantics.NoStep {
			p = j.step(p, s.lo, s.hi)
		}
		row := int32(nowhere)
		if p != nowhere {
			row = s.chunkRows[p]
		}
		out = append(out, row)
	}
	return out
}
