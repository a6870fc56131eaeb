package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Partition is one row pattern partition: rows of a table in ORDER BY order.
// Positions of rows in a partition count from 0.
type Partition struct {
	Table *table.Table
	Rows  []int32 // the table's row at each position
}

// Len returns the number of rows of the partition.
func (p *Partition) Len() int { return len(p.Rows) }

// Mapping is what a match consists of: a contiguous run of rows, each mapped
// to one primary variable. A Mapping without rows is an empty match.
type Mapping struct {
	Start    int     // position of the starting row in the partition
	Vars     []VarID // row Start+i is mapped to Vars[i]
	Excluded []bool  // row Start+i lies in {- -}; nil if no row does (OUT-7)
}

// End returns the position after the last row of the match.
func (m Mapping) End() int { return m.Start + len(m.Vars) }

// IsEmpty reports an empty match.
func (m Mapping) IsEmpty() bool { return len(m.Vars) == 0 }

// IsExcluded reports whether the i-th row of the match lies in {- -}.
func (m Mapping) IsExcluded(i int) bool { return m.Excluded != nil && m.Excluded[i] }

// Clone returns a copy that shares nothing with m.
func (m Mapping) Clone() Mapping {
	m.Vars = append([]VarID(nil), m.Vars...)
	if m.Excluded != nil {
		m.Excluded = append([]bool(nil), m.Excluded...)
	}
	return m
}

// Equal reports whether two mappings have the same start, variables and
// excluded rows.
func (m Mapping) Equal(o Mapping) bool {
	if m.Start != o.Start || len(m.Vars) != len(o.Vars) {
		return false
	}
	for i := range m.Vars {
		if m.Vars[i] != o.Vars[i] || m.IsExcluded(i) != o.IsExcluded(i) {
			return false
		}
	}
	return true
}

// Match is one match of the scan of MAT-2 over a partition.
type Match struct {
	Partition int   // index of the partition, from 0, in the order of Clause.Partitions
	Number    int64 // MATCH_NUMBER, from 1 in every partition, empty matches counted (MAT-3)
	Mapping
}

// Reach says which rows of the partition PREV and NEXT may read, and the
// number of the match being sought. In the FROM form the rows are all those of
// the partition (MAT-6), in windows those of the full window frame (WIN-10).
type Reach struct {
	Lo, Hi      int   // positions Lo <= p < Hi
	MatchNumber int64 // what MATCH_NUMBER() is (DEF-9)
}
