package faux

// thread is a path of the search in breadth: it waits for a variable to take a row.
type thread struct {
	n     *node // nil: the pattern is done
	k     *rest
	cells []cell
	open  int
	place string
}

// breadth searches row by row, all paths at once, in preference order. Paths
// that reach the same place at the same row are one from then on, whatever they
// have mapped: it goes on with the rows of the one that came last. The place
// says everything but the mapping, so that this is the only lie.
func (s *search) breadth() (bool, error) {
	found := false
	current, done := s.spread(nil, nil, func() { s.match(s.root, s.start, nil) })
	for pos := s.start; ; pos++ {
		if done {
			found = true // less preferred paths were cut off
			s.taken = current[len(current)-1].cells
			current = current[:len(current)-1]
		}
		if s.err != nil || len(current) == 0 || pos >= s.end {
			return found && s.err == nil, s.err
		}
		var next []*thread
		done = false
		for _, t := range current {
			i := pos - s.start
			cells := append(t.cells[:i:i], cell{v: t.n.v, hidden: t.open > 0})
			s.tests++
			holds, err := s.test(s.start, cells)
			if err != nil {
				return false, err
			}
			if !holds {
				continue
			}
			if next, done = s.spread(next, cells, func() {
				s.open = t.open
				s.resume(t.k, pos+1)
			}); done {
				break
			}
		}
		current = next
	}
}

// spread goes on without taking rows and appends the threads that arise. It
// ends with the first that has the whole pattern behind it, and then says so.
func (s *search) spread(threads []*thread, cells []cell, run func()) ([]*thread, bool) {
	done := false
	s.arrive = func(n *node, pos int, k *rest) bool {
		t := &thread{n: n, k: k, cells: cells, open: s.open}
		if n == nil {
			threads, done = append(threads, t), true
			return true
		}
		t.place = place(n, pos, k)
		for _, old := range threads {
			if old.place == t.place {
				old.cells = cells
				return false
			}
		}
		threads = append(threads, t)
		return false
	}
	run()
	s.arrive = nil
	return threads, done
}
