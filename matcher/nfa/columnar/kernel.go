package columnar

import (
	"errors"
	"sync"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// ErrRaised says that evaluation row by row raises an error on some row, or
// that the table is not the one that was compiled for: its columns are of other
// types. Nothing is known of the rows then.
var ErrRaised = errors.New("columnar: the condition is an error on some row")

// Kernel is one compiled condition. It is safe for concurrent use.
type Kernel struct{ set Set }

// Compile compiles the condition e of variable v, or a conjunct of it: columns
// and navigation mean what they mean there (see Leaves; unions and CLASSIFIER
// need the clause, hence a Set). False: e holds something that is not supported.
func Compile(e scalar.Expr, v semantics.VarID) (*Kernel, bool) {
	k := &Kernel{}
	if _, ok := k.set.Add(e, Leaves(nil, v)); !ok {
		return nil, false
	}
	return k, true
}

// Eval sets bit i-lo of out for the positions i from lo to hi-1 of a partition
// on which the condition is TRUE, and clears the other bits of the words that
// they lie in. PREV and NEXT reach the whole partition. The error is ErrRaised.
func (k *Kernel) Eval(p *semantics.Partition, lo, hi int, out []uint64) error {
	return k.set.Eval(Input{Table: p.Table, Rows: p.Rows}, lo, hi, [][]uint64{out}, nil)
}

// Input is what a Set is evaluated on: the partitions of a table, one after
// another.
type Input struct {
	Table *table.Table
	Rows  []int32 // position i is row Rows[i] of the table
	// Bounds are the positions at which the partitions begin, and the end of
	// the last: PREV and NEXT do not cross them. Nil: one partition. For a window
	// they are the frame (WIN-10).
	Bounds []int32
}

// Set is a number of compiled conditions that share what they have in common:
// columns are read once for all of them. The zero Set is empty. Once all
// conditions are added it is safe for concurrent use.
type Set struct {
	plan
	runs sync.Pool
}

// Add compiles a condition and returns its index. False: it holds something
// that is not supported, and is not added.
func (s *Set) Add(e scalar.Expr, leaves Resolver) (int, bool) {
	b := builder{plan: &s.plan, leaves: leaves}
	fast := b.truth(b.expr(e))
	root := root{fast: fast, escapes: b.escapes}
	if b.failed || b.escapes {
		w := builder{plan: &s.plan, leaves: leaves, wide: true}
		root.wide = w.truth(w.expr(e))
		switch {
		case w.failed && b.failed:
			return 0, false
		case w.failed:
			root.wide = nil
		case b.failed:
			root.fast = root.wide
		}
	}
	s.roots = append(s.roots, root)
	return len(s.roots) - 1, true
}

// Len returns the number of conditions.
func (s *Set) Len() int { return len(s.roots) }

// Eval evaluates all conditions on the positions from lo to hi-1: bit i-lo of
// out[c] is set if condition c is TRUE on position i. The positions must lie
// within the bounds. Whole words are written.
//
// With raised, its bits are the positions on which some condition is an error;
// nothing is known of them, and of the others everything. Without it such a
// position is the error ErrRaised.
func (s *Set) Eval(in Input, lo, hi int, out [][]uint64, raised []uint64) error {
	r, _ := s.runs.Get().(*run)
	if r == nil {
		r = &run{plan: &s.plan}
	}
	defer s.runs.Put(r)
	if !r.begin(in, lo) {
		return ErrRaised
	}
	defer r.end()
	for at := lo; at < hi; at += blockRows {
		if !r.block(at, min(blockRows, hi-at), out, (at-lo)/64) {
			return ErrRaised
		}
		if raised == nil {
			if !r.raised.empty() {
				return ErrRaised
			}
			continue
		}
		copy(raised[(at-lo)/64:(hi-lo+63)/64], r.raised[:])
	}
	return nil
}
