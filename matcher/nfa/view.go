package nfa

import (
	"github.com/rprcheck/rprcheck/matcher"
)

// prepare evaluates the row conditions of the partition. It delegates where one
// of them is an error, or where there are too many classes.
func (f *finder) prepare(w *worker) error {
	f.ready = true
	n := f.part.Len()
	bounds := []int32{0, int32(n)}
	if w.labels.narrow {
		f.narrow = make([]uint8, n)
		if w.labels.evaluateNarrow(f.part.Table, f.part.Rows, bounds, f.narrow) != nil {
			return f.delegate()
		}
		return nil
	}
	if w.labels.evaluate(f.part.Table, f.part.Rows, bounds) != nil {
		return f.delegate()
	}
	f.wide = make([]uint16, n)
	if !w.labels.wideClasses(f.wide) {
		return f.delegate()
	}
	return nil
}

// view returns the viability of an attempt's search area.
func (f *finder) view(w *worker, a matcher.Attempt) (viability, error) {
	if !f.ready {
		if err := f.prepare(w); err != nil || f.other != nil {
			return nil, err
		}
	}
	n, plan := f.part.Len(), f.program.labels
	cutLo, cutHi := a.Lo > 0 && plan.back > 0, a.Hi < n && plan.ahead > 0
	if a.End == n && !cutHi && (!cutLo || a.Start >= a.Lo+plan.back) {
		if f.whole == nil {
			f.whole = f.newView(w, f.narrow, f.wide, 0, true)
			if v := f.program.windowFor(nil, w.labels, f.part.Table, f.part.Rows, f.class); v != nil {
				f.whole = v
			}
		}
		if v, ok := f.whole.(*windowView); ok {
			v.startAt(a.Start)
		}
		return f.whole, nil
	}
	if o := f.localOf; f.local != nil && o.End == a.End && o.Lo == a.Lo && o.Hi == a.Hi && o.Start <= a.Start {
		return f.local, nil
	}
	if a.End == n && !cutHi {
		return f.prefixed(w, a)
	}
	// The classes of the search area, those at its edges as its reach has them.
	var narrow []uint8
	var wide []uint16
	if f.wide != nil {
		wide = append(wide, f.wide[a.Start:a.End]...)
	} else {
		narrow = append(narrow, f.narrow[a.Start:a.End]...)
	}
	s := f.sceneOf(a)
	edge := func(from, to int) bool {
		for r := max(from, a.Start); r < min(to, a.End); r++ {
			s.current = r
			class, ok, err := w.labels.one(s)
			if err != nil || !ok {
				return false
			}
			if wide != nil {
				wide[r-a.Start] = class
			} else {
				narrow[r-a.Start] = uint8(class)
			}
		}
		return true
	}
	if cutLo && !edge(a.Lo, a.Lo+plan.back) || cutHi && !edge(a.Hi-plan.ahead, a.Hi) {
		return nil, f.delegate()
	}
	f.local, f.localOf = f.newView(w, narrow, wide, a.Start, a.End == n), a
	return f.local, nil
}

// class returns the class of a row.
func (f *finder) class(i int) uint16 {
	if f.wide != nil {
		return f.wide[i]
	}
	return uint16(f.narrow[i])
}

// sceneOf returns a scene in which the row conditions of an attempt are evaluated.
func (f *finder) sceneOf(a matcher.Attempt) *scene {
	return &scene{table: f.part.Table, rows: f.part.Rows, lo: a.Lo, hi: a.Hi, at: nowhere}
}

// newView computes the viability of rows from base on.
func (f *finder) newView(w *worker, narrow []uint8, wide []uint16, base int, last bool) viability {
	if f.program.tier == Runs || f.program.tier == Bits || f.program.sets.words > maxDFAWords {
		return newBitView(f.program.sets, w.labels, narrow, wide, base, last)
	}
	n := max(len(narrow), len(wide))
	states := make([]uint16, n+1)
	states[n] = stateEmpty
	if last {
		states[n] = stateLast
	}
	ok := false
	if wide != nil {
		ok = back(w.dfa, wide, states, states[n])
	} else {
		ok = back(w.dfa, narrow, states, states[n])
	}
	if !ok {
		return newBitView(f.program.sets, w.labels, narrow, wide, base, last)
	}
	return &stateView{d: w.dfa, states: states, base: base}
}

// prefixed returns the viability of an attempt that differs from that of the
// whole partition in its first rows only: those from which PREV reads rows
// that are out of reach.
func (f *finder) prefixed(w *worker, a matcher.Attempt) (viability, error) {
	if f.whole == nil {
		f.whole = f.newView(w, f.narrow, f.wide, 0, true)
	}
	whole, ok := f.whole.(*stateView)
	split := min(a.Lo+f.program.labels.back, a.End)
	v := &stateView{d: w.dfa, first: a.Start, split: split, prefix: make([]uint16, split-a.Start)}
	var wide []uint16
	s := f.sceneOf(a)
	for r := a.Start; r < split; r++ {
		s.current = r
		class, fits, err := w.labels.one(s)
		if err != nil || !fits {
			return nil, f.delegate()
		}
		wide = append(wide, class)
	}
	if ok {
		v.states = whole.states
		ok = back(w.dfa, wide, v.prefix, whole.states[split])
	}
	f.localOf = a
	if ok {
		f.local = v
		return v, nil
	}
	// Too many states: bits for the whole search area.
	if f.wide != nil {
		wide = append(wide, f.wide[split:]...)
	} else {
		for _, c := range f.narrow[split:] {
			wide = append(wide, uint16(c))
		}
	}
	f.local = newBitView(f.program.sets, w.labels, nil, wide, a.Start, true)
	return f.local, nil
}
