package nfa

import (
	"context"
	"encoding/binary"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// chunkRows is how many rows of whole partitions are taken through the passes
// together: few enough that what one pass writes is still in the cache when
// the next one reads it, and that goroutines share the work.
const chunkRows = 1 << 15

// Recognize returns the output table (MAT-2). Partitions are searched in
// parallel; the order of the output and the error are as if they were not.
func (p *program) Recognize(ctx context.Context, in *table.Table) (*table.Table, error) {
	if p.output.foreign {
		return p.recognizeForeign(ctx, in)
	}
	parts, err := p.partition(in)
	if err != nil {
		return nil, err
	}
	classes := p.classesByTable(in, parts)
	chunks := parts.chunks(chunkRows)
	pieces, errs := make([]*output, len(chunks)), make([]error, len(chunks))
	var next, failed atomic.Int64
	failed.Store(int64(len(chunks))) // the first chunk with an error
	work := func() {
		s := p.newScan(ctx, in)
		s.byTable = classes
		room := 0 // a chunk has about as many matches as the one before
		for i := next.Add(1) - 1; i < failed.Load(); i = next.Add(1) - 1 {
			s.out = p.newOutput(room)
			pieces[i] = s.out
			errs[i] = s.chunk(parts, chunks[i])
			room = len(s.out.rows) + len(s.out.rows)/16
			if errs[i] != nil {
				for f := failed.Load(); i < f && !failed.CompareAndSwap(f, i); {
					f = failed.Load()
				}
			}
		}
	}
	inParallel(len(chunks), work)
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return p.assemble(in, pieces)
}

// inParallel runs work in several goroutines, of which no more than parts have
// something to do.
func inParallel(parts int, work func()) {
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), parts) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// classesByTable returns the class of each row of the table, where conditions
// read no other rows and the partitions' rows lie scattered: columns are then
// read from front to back once, and partitions gather bytes. It is nil where
// that does not apply, and where some condition is an error.
func (p *program) classesByTable(in *table.Table, parts *partitions) []uint8 {
	if p.tier == Delegated || parts.asIs || !p.labels.byTable || len(p.labels.conditions) == 0 {
		return nil
	}
	n := in.NumRows()
	all, out := in.AllRows(), make([]uint8, n)
	var next, bad atomic.Int64
	work := func() {
		l := newLabels(p.labels, p.auto, p.sets.words)
		for at := int(next.Add(chunkRows)) - chunkRows; at < n && bad.Load() == 0; at = int(next.Add(chunkRows)) - chunkRows {
			to := min(at+chunkRows, n)
			if l.byPlaces(in, all[at:to], out[at:to]) {
				continue
			}
			if l.evaluateNarrow(in, all[at:to], []int32{0, int32(to - at)}, out[at:to]) != nil {
				bad.Add(1)
			}
		}
	}
	inParallel((n+chunkRows-1)/chunkRows, work)
	if bad.Load() > 0 {
		return nil
	}
	return out
}

// recognizeForeign leaves partitions and output to package semantics.
func (p *program) recognizeForeign(ctx context.Context, in *table.Table) (*table.Table, error) {
	parts, err := p.clause.Partitions(in)
	if err != nil {
		return nil, err
	}
	out := p.clause.NewOutput(in)
	for i, part := range parts {
		f, err := p.Partition(part)
		if err != nil {
			return nil, err
		}
		if err := out.Partition(part, matcher.Scan(ctx, p.clause, f, part, i)); err != nil {
			return nil, err
		}
	}
	return out.Table()
}

// scan takes partitions to output, one after another. It belongs to one goroutine.
type scan struct {
	program *program
	ctx     context.Context
	in      *table.Table
	worker  *worker
	machine *machine    // T3
	window  *windowView // T2w
	carrier *carrier    // T2n
	eval    *evaluator
	out     *output

	byTable []uint8 // classes of the table's rows; nil: evaluated by chunk

	// The chunk.
	ordered   []int32 // the rows of a table that was in order
	chunkRows []int32
	bounds    []int32
	narrow    []uint8
	wide      []uint16
	states    []uint16 // of the rows of partition k from place bounds[k]+k on, one more than there are rows
	slow      bool     // T1 has visited too many rows twice

	// The partition.
	rows     []int32
	lo, hi   int // its places in the chunk
	number   int64
	walked   int               // rows of the matches found
	covered  int               // rows before it are output or lie in a match (OUT-6)
	vars     []semantics.VarID // of the matches in the batch, and of the match being found
	from     int               // where that one begins
	excluded []bool
	marked   bool
	frame    []int64 // what the search knows of the match found, if the output reads it
	batch    batch
	counting bool     // matches are counted, and not output
	paths    bool     // the variables of a match are of use
	simple   bool     // a match is no more than its rows, and SKIP PAST LAST ROW
	members  [][]bool // by track of the output: which variables belong to it
}

func (p *program) newScan(ctx context.Context, in *table.Table) *scan {
	s := &scan{program: p, ctx: ctx, in: in, eval: p.newEvaluator()}
	if p.tier != Delegated {
		s.worker = p.newWorker()
	}
	if p.searches() {
		s.machine = p.newMachine()
	}
	c := p.clause
	s.paths = !p.output.batch || len(p.output.regs.tracks) > 0 || c.Skip.To == semantics.ToFirst || c.Skip.To == semantics.ToLast
	s.simple = !s.paths && c.Skip.To == semantics.PastLastRow
	for _, t := range p.output.regs.tracks {
		var member []bool
		for v := range c.Primaries {
			member = append(member, c.Belongs(semantics.VarID(v), t))
		}
		s.members = append(s.members, member)
	}
	return s
}

// walkFactor is how many times the rows of a partition are walked, in attempts
// that fail or matches that overlap, before another tier takes over.
const walkFactor = 4

// cancelEach is how many partitions of a chunk are scanned between two looks at
// whether the scan is still wanted.
const cancelEach = 64

// how says how a partition is searched.
type how uint8

const (
	byStates how = iota
	byBits
	byForward
	byFallback
	notAtAll // T0
)

// chunk scans the partitions of a chunk.
func (s *scan) chunk(parts *partitions, c chunk) error {
	base := parts.bounds[c.from]
	rows, buf := parts.chunk(c, s.ordered)
	s.ordered = buf
	s.bounds = s.bounds[:0]
	for _, b := range parts.bounds[c.from : c.to+1] {
		s.bounds = append(s.bounds, b-base)
	}
	s.chunkRows = rows
	ways := make([]how, c.to-c.from)
	if s.worker == nil {
		for k := range ways {
			ways[k] = byFallback
		}
	} else {
		s.prepare(rows, ways)
	}
	for k := range ways {
		if k%cancelEach == 0 {
			if err := s.ctx.Err(); err != nil {
				return err
			}
		}
		lo, hi := int(s.bounds[k]), int(s.bounds[k+1])
		if err := s.partition(ways[k], rows[lo:hi], lo, hi, k); err != nil {
			return err
		}
		if s.program.output.each {
			s.flush()
		}
	}
	s.flush()
	return nil
}

// prepare evaluates the row conditions of a chunk, decides how each partition
// is searched, and makes the reverse pass.
func (s *scan) prepare(rows []int32, ways []how) {
	p, l := s.program, s.worker.labels
	left := len(ways)
	for _, k := range s.evaluate(rows) {
		ways[k] = byFallback
		left--
	}
	if len(p.need) > 0 && p.safeToSkip(s.in) {
		for k := range ways {
			lo, hi := int(s.bounds[k]), int(s.bounds[k+1])
			if hi-lo < minSkipRows || ways[k] == byFallback {
				continue
			}
			if !l.narrow && l.missing(p.need, lo, hi) || l.narrow && missingClass(p.need, s.narrow[lo:hi]) {
				ways[k] = notAtAll
				left--
			}
		}
	}
	if left == 0 {
		return
	}
	if !l.narrow {
		s.wide = resized(s.wide, len(rows))
		if !l.wideClasses(s.wide) {
			for k := range ways {
				ways[k] = byFallback
			}
			return
		}
	}
	s.states = resized(s.states, len(rows)+len(ways))
	for k := range ways {
		switch {
		case ways[k] != byStates:
		case p.tier == Bits || p.tier == Runs || p.sets.words > maxDFAWords:
			ways[k] = byBits
		case p.forward != nil && !s.slow && p.tier != Carried:
			ways[k] = byForward
		case !s.reverse(k):
			ways[k] = byBits
		}
	}
}

// evaluate evaluates the row conditions of a chunk, and makes the classes of its
// rows if they are bytes. bad are partitions in which a condition is an error.
func (s *scan) evaluate(rows []int32) (bad []int) {
	l := s.worker.labels
	if !l.narrow {
		return l.evaluate(s.in, rows, s.bounds)
	}
	s.narrow = resized(s.narrow, len(rows))
	switch {
	case s.byTable != nil:
		for i, row := range rows {
			s.narrow[i] = s.byTable[row]
		}
	case !l.byPlaces(s.in, rows, s.narrow):
		return l.evaluateNarrow(s.in, rows, s.bounds, s.narrow)
	}
	return nil
}

// minSkipRows is the size from which T0 looks at a partition.
const minSkipRows = 128

// missingClass is labels.missing for classes.
func missingClass(need []int, classes []uint8) bool {
	any := uint64(0)
	for ; len(classes) >= 8; classes = classes[8:] {
		any |= binary.LittleEndian.Uint64(classes)
	}
	any |= any >> 32
	any |= any >> 16
	any |= any >> 8
	for _, c := range classes {
		any |= uint64(c)
	}
	for _, c := range need {
		if any>>c&1 == 0 {
			return true
		}
	}
	return false
}

// resized returns a slice of n elements, in the same memory if it suffices.
func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// safeToSkip reports that a partition without a match cannot have an error: a
// condition that T0 passes over is none.
func (p *program) safeToSkip(in *table.Table) bool {
	if !p.searches() {
		return true
	}
	return !p.searchPlanFor(in).raising
}

// reverse makes the reverse pass over a partition; false if the dfa has too
// many states.
func (s *scan) reverse(k int) bool {
	lo, hi := int(s.bounds[k]), int(s.bounds[k+1])
	states := s.states[lo+k : hi+k+1]
	states[hi-lo] = stateLast
	if s.worker.labels.narrow {
		return back(s.worker.dfa, s.narrow[lo:hi], states, stateLast)
	}
	return back(s.worker.dfa, s.wide[lo:hi], states, stateLast)
}

// partition scans one partition, whose rows stand at places lo to hi of the
// chunk, and outputs what is found.
func (s *scan) partition(w how, rows []int32, lo, hi, k int) error {
	s.rows, s.lo, s.hi, s.number, s.covered, s.walked = rows, lo, hi, 0, 0, 0
	if w != byForward || !s.simple { // else nothing is evaluated
		s.eval.enter(s.in, rows)
	}
	var err error
	switch {
	case w == notAtAll:
	case w == byFallback:
		err = s.delegated()
	case w == byForward:
		at := 0
		if at, err = s.scanForward(s.narrow[lo:hi], 0); err == nil && at < len(rows) {
			s.slow = true
			if s.reverse(k) {
				err = s.byStates(s.states[lo+k:hi+k+1], at)
			} else {
				err = s.search(s.bits(lo, hi), at)
			}
		}
	case w == byBits:
		err = s.search(s.bits(lo, hi), 0)
	case s.machine != nil && s.windowed(lo, hi):
		err = s.search(s.window, 0)
	case s.machine != nil:
		err = s.search(&stateView{d: s.worker.dfa, states: s.states[lo+k : hi+k+1]}, 0)
	default:
		err = s.byStates(s.states[lo+k:hi+k+1], 0)
	}
	if err == nil {
		s.unmatched(len(rows))
	}
	return err
}

// windowed makes the viability within windows of a partition, if there is one.
func (s *scan) windowed(lo, hi int) bool {
	class := func(i int) uint16 { return uint16(s.narrow[lo+i]) }
	if !s.worker.labels.narrow {
		class = func(i int) uint16 { return s.wide[lo+i] }
	}
	v := s.program.windowFor(s.window, s.worker.labels, s.in, s.rows, class)
	if v != nil {
		s.window = v
	}
	return v != nil
}

// bits makes the bit sets of a partition.
func (s *scan) bits(lo, hi int) viability {
	if s.worker.labels.narrow {
		return newBitView(s.program.sets, s.worker.labels, s.narrow[lo:hi], nil, 0, true)
	}
	return newBitView(s.program.sets, s.worker.labels, nil, s.wide[lo:hi], 0, true)
}

// delegated scans the partition by the fallback.
func (s *scan) delegated() error {
	p := s.program
	if p.fallback == nil {
		return diag.New(diag.Limit, "LIM-1", p.clause.Pattern.Pos, "the partition needs the reference matcher").In(p.clause.Source)
	}
	part := &semantics.Partition{Table: s.in, Rows: s.rows}
	f, err := p.fallback.Partition(part)
	if err != nil {
		return err
	}
	for m, err := range matcher.Scan(s.ctx, p.clause, f, part, 0) {
		if err != nil {
			return err
		}
		s.begin()
		s.vars, s.excluded, s.marked = append(s.vars, m.Vars...), append(s.excluded, m.Excluded...), m.Excluded != nil
		if err := s.report(m.Start, m.End()); err != nil {
			return err
		}
	}
	return nil
}

// search scans the partition from a row on, asking for one match after another.
func (s *scan) search(v viability, from int) error {
	n := len(s.rows)
	if s.machine != nil {
		s.machine.enter(s.in, s.rows)
	}
	for start := from; start < n; {
		end, err := s.attempt(v, start)
		if err != nil {
			return err
		}
		if end == nowhere {
			start++
			continue
		}
		if start, err = s.found(start, end); err != nil {
			return err
		}
	}
	return nil
}

// attempt finds the match that starts at a row and returns its end, or nowhere.
func (s *scan) attempt(v viability, start int) (int, error) {
	p := s.program
	a := matcher.Attempt{Start: start, End: len(s.rows), Hi: len(s.rows), MatchNumber: s.number + 1}
	s.begin()
	w, windowed := v.(*windowView)
	if windowed {
		w.startAt(start)
	}
	if s.machine != nil && !(windowed && w.plan.only) {
		found, err := s.machine.run(s.ctx, v, a)
		if err != nil || !found {
			return nowhere, err
		}
		if p.output.shared && s.machine.scene.regs.layout != nil {
			s.frame = s.machine.scene.regs.frame()
		}
		s.vars = append(s.vars, s.machine.vars...)
		if p.auto.excludes {
			for _, st := range s.machine.steps {
				x := p.auto.positions[st.position].excluded
				s.excluded, s.marked = append(s.excluded, x), s.marked || x
			}
		}
		return start + len(s.machine.vars), nil
	}
	at := v.begin(start, startKind(start))
	if at == none {
		return nowhere, nil
	}
	row := start
	for at != accept {
		pos := &p.auto.positions[at]
		end := v.leave(row, at)
		if end <= row || int64(end-start) > p.limits.Rows {
			return nowhere, p.walkError(a, row, end)
		}
		for ; row < end; row++ {
			s.vars = append(s.vars, pos.v)
			s.excluded = append(s.excluded, pos.excluded)
		}
		s.marked = s.marked || pos.excluded
		if at = v.choose(row, at); at == none {
			return nowhere, p.walkError(a, row, nowhere)
		}
	}
	return row, nil
}

// byStates scans the partition from a row on over the states of its rows (T2).
func (s *scan) byStates(states []uint16, from int) error {
	p, d, c := s.program, s.worker.dfa, s.program.clause
	positions := p.auto.positions
	n := len(states) - 1
	begin := d.starts[laterRow]
	if !d.canStart && (n == 0 || d.begin(states[0], firstRow) == none) {
		return nil
	}
	carry, excludes := p.carry != nil, p.auto.excludes && c.Rows.IsAll()
	for start := from; start < n; {
		if carry && (s.walked > walkFactor*n || p.tier == Carried) {
			if ok, err := s.carried(states, start); ok || err != nil {
				return err
			}
			carry = false
		}
		at := begin[states[start]]
		if start == 0 {
			at = d.starts[firstRow][states[0]]
		} else if at == none {
			for start++; start < n && begin[states[start]] == none; {
				start++
			}
			continue
		}
		if at == none {
			start++
			continue
		}
		row := start
		s.begin()
		for q := int32(at); q != accept; row++ {
			if q < 0 {
				return p.walkError(matcher.Attempt{Start: start}, row, nowhere)
			}
			if s.paths {
				s.vars = append(s.vars, positions[q].v)
			}
			if excludes {
				s.excluded = append(s.excluded, positions[q].excluded)
				s.marked = s.marked || positions[q].excluded
			}
			x := d.choices[int(states[row+1])<<d.width|int(q)]
			if x == unknown {
				q = d.choose(states[row+1], q)
				continue
			}
			q = int32(x)
		}
		if int64(row-start) > p.limits.Rows {
			return p.walkError(matcher.Attempt{Start: start}, start, row)
		}
		s.walked += row - start
		var err error
		if start, err = s.found(start, row); err != nil {
			return err
		}
	}
	return nil
}

// found outputs the match of the rows from start up to end and returns where
// the scan goes on (chapter 8).
func (s *scan) found(start, end int) (int, error) {
	c := s.program.clause
	next := end
	var err error
	switch {
	case start == end || c.Skip.To == semantics.ToNextRow:
		next = start + 1
	case c.Skip.To != semantics.PastLastRow:
		next, err = c.Resume(semantics.Mapping{Start: start, Vars: s.path(start, end)}, start)
	}
	// An error of the match's measures comes before that of the place to go on.
	if err := s.report(start, end); err != nil {
		return 0, err
	}
	return next, err
}

// begin forgets the variables of the attempt before, unless it is in the batch.
func (s *scan) begin() {
	s.from = s.batch.kept
	s.vars = s.vars[:s.from]
	s.excluded, s.marked, s.frame = s.excluded[:0], false, nil
}

// path returns the variables of the match found last.
func (s *scan) path(start, end int) []semantics.VarID { return s.vars[s.from:][:end-start] }

// report outputs a match.
func (s *scan) report(start, end int) error {
	s.number++
	if s.counting {
		return nil
	}
	if s.program.output.batch {
		s.collect(start, end, s.from)
		return nil
	}
	s.unmatched(start)
	var excluded []bool
	if s.marked {
		excluded = s.excluded
	}
	err := s.eval.match(s.out, s.number, start, end, s.path(start, end), excluded, s.frame)
	s.covered = max(s.covered, end, start+1)
	return err
}

// unmatched outputs the rows before a place that are unmatched (OUT-6).
func (s *scan) unmatched(end int) {
	if s.program.clause.Rows == semantics.WithUnmatched {
		for ; s.covered < end; s.covered++ {
			s.out.unmatched(s.rows[s.covered])
		}
	}
}
