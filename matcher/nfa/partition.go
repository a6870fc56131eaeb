package nfa

import (
	"github.com/rprcheck/rprcheck/semantics/table"
)

// partitions are the rows of a table, partition by partition, each in order.
type partitions struct {
	rows   []int32
	bounds []int32 // where each partition begins in rows, and the end of the last
}

// partition divides a table as Clause.Partitions does (NUL-1 to NUL-3).
func (p *program) partition(in *table.Table) (*partitions, error) {
	list, err := p.clause.Partitions(in)
	if err != nil {
		return nil, err
	}
	out := &partitions{bounds: make([]int32, 1, len(list)+1)}
	if len(list) == 1 {
		out.rows = list[0].Rows
		out.bounds = append(out.bounds, int32(len(out.rows)))
		return out, nil
	}
	out.rows = make([]int32, 0, in.NumRows())
	for _, part := range list {
		out.rows = append(out.rows, part.Rows...)
		out.bounds = append(out.bounds, int32(len(out.rows)))
	}
	return out, nil
}

// chunk is a range of partitions.
type chunk struct{ from, to int }

// chunks cuts the partitions into ranges of some rows each, one partition at least.
func (p *partitions) chunks(rows int) []chunk {
	var out []chunk
	for from := 0; from < len(p.bounds)-1; {
		to := from + 1
		for to < len(p.bounds)-1 && int(p.bounds[to+1]-p.bounds[from]) <= rows {
			to++
		}
		out = append(out, chunk{from, to})
		from = to
	}
	return out
}
