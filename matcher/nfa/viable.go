package nfa

// viability answers, for the rows of a search area, what a match prefers.
type viability interface {
	// begin returns the position at which the preferred match from a row on
	// begins: accept for an empty match, none if there is no match. kind is
	// firstRow or laterRow (e).
	begin(row, kind int) int32
	// choose returns what follows position p at a row, which may be the end of
	// the search area: a position, accept, or none.
	choose(row int, p int32) int32
	// viable reports whether position p can take a row so that a match is
	// possible.
	viable(row int, p int32) bool
	// leave returns the row behind the run of position p that begins at a row.
	leave(row int, p int32) int
}

// stateView is the viability that a dfa has found.
type stateView struct {
	d *dfa
	// States of the rows from base on, one more than there are: that of the
	// place behind them. Rows before split are in prefix, from row first on.
	states       []uint16
	base         int
	prefix       []uint16
	first, split int
}

func (v *stateView) state(row int) uint16 {
	if row < v.split {
		return v.prefix[row-v.first]
	}
	return v.states[row-v.base]
}

func (v *stateView) begin(row, kind int) int32 { return v.d.begin(v.state(row), kind) }

func (v *stateView) choose(row int, p int32) int32 { return v.d.choose(v.state(row), p) }

func (v *stateView) viable(row int, p int32) bool {
	return v.d.set(v.state(row))[p>>6]>>(p&63)&1 != 0
}

func (v *stateView) leave(row int, _ int32) int { return row + 1 }

// startKind says which start list an attempt uses at the i-th row of a
// partition, from 0 (e).
func startKind(i int) int {
	if i == 0 {
		return firstRow
	}
	return laterRow
}

// bitView computes sets of viable positions as bits: for patterns with more
// states than a dfa keeps, and for runs. It holds the set of each row of one
// block, and of the first row of every block, from which it makes any block
// again.
type bitView struct {
	sets    *sets
	labels  *labels
	narrow  []uint8 // classes of the rows from base on: one of both
	wide    []uint16
	base, n int  // rows from base on, how many
	last    bool // the partition ends behind them
	block   int  // rows of a block
	marks   []uint64
	loaded  int // the block that rows holds; nowhere: none
	rows    []uint64
	exits   []uint64 // scratch
	runs    []run    // by run
	runOf   []int32  // by position: its run; nowhere: none
	noRun   []uint64 // positions that are no runs
	full    bool     // runs are known
	empty   []uint64
}

// run is what a bitView knows of a position that is a run.
type run struct {
	position int32
	gaps     *rowSet // rows that the run cannot take
	exits    *rowSet // rows before which the run may end: a match is possible from there on
}

// maxBlockWords is the size of the rows that a bitView keeps at once.
const maxBlockWords = 1 << 23

func newBitView(s *sets, l *labels, narrow []uint8, wide []uint16, base int, last bool) *bitView {
	v := &bitView{sets: s, labels: l, narrow: narrow, wide: wide, base: base, n: max(len(narrow), len(wide)), last: last, loaded: nowhere,
		exits: make([]uint64, s.words), noRun: make([]uint64, s.words), empty: make([]uint64, s.words)}
	v.block = max(1, v.n)
	if v.n*s.words > maxBlockWords {
		v.block = 64
		for v.block*v.block < v.n {
			v.block *= 2
		}
	}
	for p := range s.a.positions {
		v.runOf = append(v.runOf, nowhere)
		if s.relaxed || !s.a.positions[p].isRun() {
			v.noRun[p>>6] |= 1 << (p & 63)
			continue
		}
		v.runOf[p] = int32(len(v.runs))
		v.runs = append(v.runs, run{position: int32(p), gaps: newRowSet(v.n), exits: newRowSet(v.n + 1)})
	}
	v.marks = make([]uint64, (v.n+v.block-1)/v.block*s.words)
	v.rows = make([]uint64, v.block*s.words)
	behind := v.empty
	for k := len(v.marks)/s.words - 1; k >= 0; k-- {
		v.fill(k, behind)
		behind = v.marks[k*s.words : (k+1)*s.words]
		copy(behind, v.rows)
	}
	if v.n == 0 {
		v.noteExits(0)
	}
	v.full = true
	return v
}

func (v *bitView) class(i int) uint16 {
	if v.wide != nil {
		return v.wide[i]
	}
	return uint16(v.narrow[i])
}

// fill computes the sets of the rows of block k; behind is that of the row after it.
func (v *bitView) fill(k int, behind []uint64) {
	w := v.sets.words
	from := k * v.block
	to := min(from+v.block, v.n)
	v.exitsAt(to, behind)
	if !v.full && to == v.n {
		v.noteExits(v.n)
	}
	note := !v.full && len(v.runs) > 0
	for i := to - 1; i >= from; i-- {
		set := v.rows[(i-from)*w : (i-from+1)*w]
		allowed := v.labels.allowed(v.class(i))
		for x := range set {
			set[x] = v.exits[x] & allowed[x] & v.noRun[x]
		}
		if len(v.runs) > 0 {
			v.addRuns(i, set)
		}
		if i > from || note {
			v.exitsAt(i, set)
		}
		if note {
			v.noteExits(i)
		}
	}
	v.loaded = k
}

// exitsAt sets exits to the positions after which a match can go on at row i,
// where the positions of set are viable.
func (v *bitView) exitsAt(i int, set []uint64) {
	if i == v.n && v.last {
		copy(v.exits, v.sets.last)
		return
	}
	v.sets.exits(v.exits, set)
}

// noteExits records the runs that may end before row i.
func (v *bitView) noteExits(i int) {
	for r := range v.runs {
		p := v.runs[r].position
		if v.exits[p>>6]>>(p&63)&1 != 0 {
			v.runs[r].exits.add(i)
		}
	}
}

// addRuns adds to the set of row i the runs that can begin there: between least
// and most rows on there is a place where the run may end, and no gap before.
func (v *bitView) addRuns(i int, set []uint64) {
	for r := range v.runs {
		run := &v.runs[r]
		if !v.labels.may(v.class(i), run.position) {
			if !v.full {
				run.gaps.add(i)
			}
			continue
		}
		p := &v.sets.a.positions[run.position]
		if p.least > v.n-i {
			continue
		}
		if run.exits.next(i+p.least) <= v.reach(i, run) {
			set[run.position>>6] |= 1 << (run.position & 63)
		}
	}
}

// reach returns the last place where a run that begins at row i may end, as far
// as its own rows are concerned.
func (v *bitView) reach(i int, r *run) int {
	hi := r.gaps.next(i)
	if most := v.sets.a.positions[r.position].most; most < hi-i {
		hi = i + most
	}
	return hi
}

// set returns the viable positions of a row, counted from base.
func (v *bitView) set(i int) []uint64 {
	if i >= v.n {
		return v.empty
	}
	w := v.sets.words
	k := i / v.block
	if k != v.loaded {
		behind := v.empty
		if (k+1)*v.block < v.n {
			behind = v.marks[(k+1)*w : (k+2)*w]
		}
		v.fill(k, behind)
	}
	i -= k * v.block
	return v.rows[i*w : (i+1)*w]
}

func (v *bitView) begin(row, kind int) int32 {
	return pick(v.sets.a.start[kind], v.set(row-v.base))
}

func (v *bitView) choose(row int, p int32) int32 {
	i := row - v.base
	if i == v.n && v.last {
		if v.sets.a.endsLast[p] {
			return accept
		}
		return none
	}
	return pick(v.sets.a.follow[p], v.set(i))
}

func (v *bitView) viable(row int, p int32) bool {
	return v.set(row - v.base)[p>>6]>>(p&63)&1 != 0
}

// leave takes as many rows as a greedy run prefers, or as few as a reluctant one.
func (v *bitView) leave(row int, p int32) int {
	r := v.runOf[p]
	if r == nowhere {
		return row + 1
	}
	i, run := row-v.base, &v.runs[r]
	if v.sets.a.positions[p].reluctant {
		return v.base + run.exits.next(i+v.sets.a.positions[p].least)
	}
	return v.base + run.exits.prev(v.reach(i, run))
}
