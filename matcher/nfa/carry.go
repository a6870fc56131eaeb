package nfa

import (
	"math/bits"
	"slices"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// carryPlan says that measures can be carried (T2n).
//
// From a position at a row the preferred continuation is unique (b), so the
// matches that go through it end in the same rows. Where matches overlap, as
// they do with SKIP TO NEXT ROW and the forms that name a variable, walking
// each of them visits the same rows again and again. Instead one more pass from
// the last row to the first carries, for each viable position, what measures
// and SKIP want to know of the rest of the match: its end, the first and last
// row of variables, the state of aggregates.
//
// Chosen with ONE ROW PER MATCH, row-local conditions and few enough states,
// once a partition's matches have been found to overlap so much that walking
// them visits more than a few times its rows. It costs the positions that are
// viable at a row, times what is carried; it stores what is carried for each
// row at which a match starts.
type carryPlan struct {
	regs   *registerPlan // that of the output, with the target of SKIP
	target int           // track of the variable that SKIP names; nowhere: none
}

// planCarry finds out whether everything that the output needs can be carried.
func (p *program) planCarry() *carryPlan {
	c := p.clause
	if c.Rows.IsAll() || p.output.foreign || p.auto == nil || p.auto.hasRuns || p.searches() || p.tier == Delegated ||
		c.Skip.To == semantics.PastLastRow || p.sets.words > maxDFAWords || p.tier == Bits {
		return nil
	}
	for _, m := range p.output.measures {
		if !carriable(m.expr) {
			return nil
		}
	}
	for _, e := range p.output.final {
		if !carriable(e) {
			return nil
		}
	}
	regs := p.output.regs
	regs.tracks = append([]semantics.VarID(nil), regs.tracks...)
	plan := &carryPlan{regs: &regs, target: nowhere}
	if c.Skip.To != semantics.ToNextRow {
		plan.target = regs.track(c.Skip.Target)
	}
	return plan
}

// carriable reports whether a measure reads of the match only what is carried.
func carriable(e scalar.Expr) bool {
	switch n := e.(type) {
	case *jump:
		if (n.from == atFirst || n.from == atLast) && n.k > 0 || n.column == nil && readsMatch(n.arg) {
			return false
		}
		return true
	case *aggregateAt:
		if k := n.spec.kind; k == recomputed || k == floating {
			return false
		}
		for _, x := range n.spec.agg.Operands() {
			if readsMatch(x) {
				return false
			}
		}
		return true
	case *finalValue:
		return carriable(n.of)
	}
	for _, x := range e.Children() {
		if !carriable(x) {
			return false
		}
	}
	return true
}

// readsMatch reports that an argument reads more than the columns of its row.
func readsMatch(e scalar.Expr) bool {
	found := false
	scalar.Walk(e, func(x scalar.Expr) bool {
		switch x.(type) {
		case *classifierAt, *matchNumber:
			found = true
		}
		return true
	})
	return found
}

// kept is what is carried at a row.
type kept struct {
	places []int32
	states []aggregateState
}

// carrier makes the pass of T2n over a partition.
type carrier struct {
	program   *program
	positions int
	tracks    int
	aggs      []aggregate // the values of one row are added by these
	// What is carried, by position: the end of the match, and by track the
	// first and the last row; by aggregate its state.
	places, placesNext []int32
	states, statesNext []aggregateState
	member             [][]bool // by track and position: rows of the position belong to it
	aggOf              [][]int  // by position: the aggregates that its rows belong to
	kept               []kept   // by block: what is carried at its first row
	// What is stored, by starting row of a block.
	base      int
	slot      []int32 // by row from base on: its place in the following; nowhere: no match starts
	endOf     []int32
	firstLast []int32
	stateOf   []aggregateState
	row       []aggregateState // by aggregate: the state of one row alone
}

func (p *program) newCarrier() *carrier {
	regs := p.carry.regs.new()
	c := &carrier{program: p, positions: len(p.auto.positions), tracks: len(regs.tracks), aggs: regs.aggs}
	width := 1 + 2*c.tracks
	c.places, c.placesNext = make([]int32, c.positions*width), make([]int32, c.positions*width)
	c.states, c.statesNext = make([]aggregateState, c.positions*len(c.aggs)), make([]aggregateState, c.positions*len(c.aggs))
	c.row = make([]aggregateState, len(c.aggs))
	c.aggOf = make([][]int, c.positions)
	for _, t := range p.carry.regs.tracks {
		var member []bool
		for q := range p.auto.positions {
			member = append(member, p.clause.Belongs(p.auto.positions[q].v, t))
		}
		c.member = append(c.member, member)
	}
	for q := range c.aggOf {
		for i := range c.aggs {
			if c.member[c.aggs[i].spec.track][q] {
				c.aggOf[q] = append(c.aggOf[q], i)
			}
		}
	}
	return c
}

// carryBlock is how many rows are stored at a time.
const carryBlock = 1 << 16

// prepare carries over all rows of a partition from row from on, and keeps what
// is carried at the first row of each block. It is false after an error of an
// aggregate's argument, since the row may be one that no match asks for, and
// after a value that is not held as an integer.
func (c *carrier) prepare(s *scene, d *dfa, states []uint16, n, from int) bool {
	c.kept = c.kept[:0]
	for range n/carryBlock + 1 {
		c.kept = append(c.kept, kept{})
	}
	for i := n - 1; i >= from; i-- {
		if !c.carry(s, d, states, i) {
			return false
		}
		if i%carryBlock == 0 {
			c.kept[i/carryBlock] = kept{slices.Clone(c.placesNext), slices.Clone(c.statesNext)}
		}
	}
	return true
}

// load stores what is carried to the starts of a block, from row from on.
func (c *carrier) load(s *scene, d *dfa, states []uint16, n, from int) (to int) {
	block := from / carryBlock
	if to = (block + 1) * carryBlock; to < n {
		copy(c.placesNext, c.kept[block+1].places)
		copy(c.statesNext, c.kept[block+1].states)
	}
	to = min(to, n)
	width := 1 + 2*c.tracks
	c.base = from
	c.slot = resized(c.slot, to-from)
	c.endOf, c.firstLast, c.stateOf = c.endOf[:0], c.firstLast[:0], c.stateOf[:0]
	for i := to - 1; i >= from; i-- {
		c.carry(s, d, states, i) // prepare found no error
		c.slot[i-from] = nowhere
		if b := d.begin(states[i], startKind(i)); b >= 0 {
			c.slot[i-from] = int32(len(c.endOf))
			at := int(b) * width
			c.endOf = append(c.endOf, c.placesNext[at])
			c.firstLast = append(c.firstLast, c.placesNext[at+1:at+width]...)
			c.stateOf = append(c.stateOf, c.statesNext[int(b)*len(c.aggs):(int(b)+1)*len(c.aggs)]...)
		}
	}
	return to
}

// carry carries over one row; what it carries is in placesNext and statesNext then.
func (c *carrier) carry(s *scene, d *dfa, states []uint16, i int) bool {
	if ok, err := c.values(s, i); !ok || err != nil {
		return false
	}
	for w, set := range d.set(states[i]) {
		for ; set != 0; set &= set - 1 {
			p := w<<6 + bits.TrailingZeros64(set)
			c.combine(p, i, d.choose(states[i+1], int32(p)), 1+2*c.tracks)
		}
	}
	c.places, c.placesNext = c.placesNext, c.places
	c.states, c.statesNext = c.statesNext, c.states
	return true
}

// values finds what each aggregate takes from a row; false if some value is not
// held as an integer.
func (c *carrier) values(s *scene, row int) (bool, error) {
	for i := range c.aggs {
		a := &c.aggs[i]
		a.states, a.seen = a.states[:0], 0
		if err := a.advance(s, row); err != nil {
			return false, err
		}
		if a.odd {
			return false, nil
		}
		c.row[i] = a.states[0]
	}
	return true, nil
}

// combine puts row i, mapped to position p, before the continuation next.
func (c *carrier) combine(p, i int, next int32, width int) {
	at := p * width
	to := c.places[at : at+width]
	st := c.states[p*len(c.aggs) : (p+1)*len(c.aggs)]
	if next == accept {
		to[0] = int32(i + 1)
		for k := 1; k < width; k++ {
			to[k] = nowhere
		}
		for k := range st {
			st[k] = aggregateState{best: nowhere}
		}
	} else {
		copy(to, c.placesNext[int(next)*width:])
		copy(st, c.statesNext[int(next)*len(c.aggs):(int(next)+1)*len(c.aggs)])
	}
	for t := range c.member {
		if c.member[t][p] {
			to[1+2*t] = int32(i)
			if to[2+2*t] == nowhere {
				to[2+2*t] = int32(i)
			}
		}
	}
	for _, k := range c.aggOf[p] {
		x := &c.row[k]
		st[k].n += x.n
		if c.aggs[k].spec.kind == extreme {
			if x.best != nowhere && !c.aggs[k].better(&st[k], x) {
				st[k].best, st[k].lo = x.best, x.lo
			}
			continue
		}
		var carry uint64
		st[k].lo, carry = bits.Add64(st[k].lo, x.lo, 0)
		st[k].hi, _ = bits.Add64(st[k].hi, x.hi, carry)
	}
}

// carried scans the partition from a row on, with what was carried. ok is
// false if that could not be computed: matches have to be walked.
func (s *scan) carried(states []uint16, from int) (ok bool, err error) {
	p := s.program
	if s.carrier == nil {
		s.carrier = p.newCarrier()
	}
	c, d := s.carrier, s.worker.dfa
	sc := &s.eval.scene
	for i := range c.aggs {
		c.aggs[i].odd = false
		c.aggs[i].scene = sc
	}
	n := len(s.rows)
	if !c.prepare(sc, d, states, n, from) {
		return false, nil
	}
	v := &stateView{d: d, states: states}
	s.flush()
	to := from
	for start := from; start < n; {
		if start >= to {
			to = c.load(sc, d, states, n, start)
		}
		b := d.begin(states[start], startKind(start))
		if b == none {
			start++
			continue
		}
		end := start
		if b != accept {
			end = int(c.endOf[c.slot[start-c.base]])
		}
		if int64(end-start) > p.limits.Rows {
			return true, p.walkError(matcher.Attempt{Start: start}, start, end)
		}
		if c.show(&sc.regs, start, end) {
			s.number++
			err = s.eval.oneRow(s.out, s.number, start, end)
		} else {
			if _, err = s.attempt(v, start); err == nil {
				err = s.report(start, end)
				s.flush()
			}
		}
		if err != nil {
			return true, err
		}
		if start, err = c.resume(s, v, start, end); err != nil {
			return true, err
		}
	}
	return true, nil
}

// show puts what was carried to a starting row where measures read it. Two
// rows stand for those of a track: the first and the last. It is false if a sum
// is out of range: the match is walked, for the error.
func (c *carrier) show(r *registers, start, end int) bool {
	for t := range r.tracks {
		rows := r.tracks[t].rows[:0]
		if start < end {
			at := int(c.slot[start-c.base])*2*c.tracks + 2*t
			if first := c.firstLast[at]; first != nowhere {
				rows = append(rows, first, c.firstLast[at+1])
			}
		}
		r.tracks[t].rows = rows
	}
	for k := range r.aggs {
		a := &r.aggs[k]
		a.states, a.seen = a.states[:0], 0
		if start < end && len(r.tracks[a.spec.track].rows) > 0 {
			st := c.stateOf[int(c.slot[start-c.base])*len(c.aggs)+k]
			if a.spec.kind == summed && st.hi != uint64(int64(st.lo)>>63) {
				return false
			}
			a.states, a.seen = append(a.states, st), 2
		}
	}
	return true
}

// resume returns where the scan goes on (chapter 8). The errors are those of
// the match, which is walked for them.
func (c *carrier) resume(s *scan, v viability, start, end int) (int, error) {
	if start == end || c.program.clause.Skip.To == semantics.ToNextRow {
		return start + 1, nil
	}
	at := int(c.slot[start-c.base])*2*c.tracks + 2*c.program.carry.target
	to := c.firstLast[at]
	if c.program.clause.Skip.To == semantics.ToLast {
		to = c.firstLast[at+1]
	}
	if to != nowhere && int(to) != start {
		return int(to), nil
	}
	if _, err := s.attempt(v, start); err != nil {
		return 0, err
	}
	return c.program.clause.Resume(semantics.Mapping{Start: start, Vars: s.path(start, end)}, start)
}

// better reports whether MIN or MAX prefers the value of state x to that of
// state y; of equal values the earlier row, that of y, is kept.
func (a *aggregate) better(x, y *aggregateState) bool {
	if x.best == nowhere {
		return false
	}
	if a.spec.typed != nil {
		return a.spec.minimum && int64(x.lo) < int64(y.lo) || !a.spec.minimum && int64(x.lo) > int64(y.lo)
	}
	v, err := a.argument(int(x.best))
	if err != nil {
		return false // it was evaluated before
	}
	w, err := a.argument(int(y.best))
	if err != nil {
		return false
	}
	c := a.compare(v, w)
	return c < 0 && a.spec.minimum || c > 0 && !a.spec.minimum
}

// argument evaluates the argument on a row.
func (a *aggregate) argument(row int) (value.Value, error) {
	a.scene.at = row
	return a.spec.agg.Args[0].Eval(a.scene)
}
