package faux

import "strconv"

// loop decides on another iteration of a quantifier when c are done (PREF-4).
func (s *search) loop(q *node, c, pos int, k *rest) bool {
	more := func(only emptiness) bool {
		if q.max >= 0 && c >= q.max {
			return false
		}
		mark := s.list.length()
		if q.brackets {
			s.list.write("[")
		}
		ok := s.match(q.sub[0], pos, &rest{what: iteration, node: q, count: c, at: pos, only: only, next: k})
		s.list.cut(mark)
		return ok
	}
	leave := func() bool { return s.resume(k, pos) }
	lazy := s.lazy(q, c, pos)
	if s.lie == emptyRanksAsNone && c == 0 {
		// No rows at all come where no iteration does: last, or first if reluctant.
		none := func() bool { return more(noRows) || q.min == 0 && leave() }
		if lazy && q.min == 0 {
			none = func() bool { return leave() || more(noRows) }
			return none() || more(someRows)
		}
		return more(someRows) || none()
	}
	switch {
	case c < q.min:
		return more(anyRows)
	case lazy:
		return leave() || more(anyRows)
	}
	return more(anyRows) || leave()
}

// lazy says whether leaving comes first.
func (s *search) lazy(q *node, c, pos int) bool {
	switch {
	case !q.lazy:
		return false
	case s.lie == tailTakesRow && q.tail && c == q.min:
		return false
	case s.lie == lastRowTaken && s.list == nil && pos == s.end-1:
		return false
	}
	return true
}

// iterated ends an iteration. Below the lower bound an empty one counts as any
// other; with the bound met it ends the quantifier (PREF-8).
func (s *search) iterated(k *rest, pos int) bool {
	empty := pos == k.at
	if k.only == someRows && empty || k.only == noRows && !empty {
		return false
	}
	mark := s.list.length()
	if k.node.brackets {
		s.list.write("]")
	}
	var ok bool
	switch s.afterIteration(k.node, k.count+1, empty) {
	case goOn:
		ok = s.loop(k.node, k.count+1, pos, k.next)
	case stop:
		ok = s.resume(k.next, pos)
	}
	s.list.cut(mark)
	return ok
}

type outcome uint8

const (
	fail outcome = iota
	goOn
	stop
)

// afterIteration says what follows the c-th iteration.
func (s *search) afterIteration(q *node, c int, empty bool) outcome {
	if !empty {
		return goOn
	}
	met := c >= q.min
	switch s.lie {
	case emptyDiscarded:
		if c > q.min {
			return fail
		}
		return goOn
	case emptyStopsEarly:
		return stop
	case emptyAtBoundGoes:
		met = c > q.min
	case boundsUnrolled:
		met = met && q.max < 0
	case emptyPathLost:
		if q.max < 0 && c > max(q.min, 1) {
			return fail
		}
	case noForcedEmpty:
		if c <= q.min {
			return fail
		}
	}
	if met {
		return stop
	}
	return goOn
}

// place names the state of a search without what is mapped (PREF-10a): the
// variable, what is to be matched behind it with its counts, and the row.
func place(n *node, pos int, k *rest) string {
	b := make([]byte, 0, 64)
	num := func(i int) { b = append(strconv.AppendInt(b, int64(i), 10), ' ') }
	num(pos)
	num(n.id)
	for ; k != nil; k = k.next {
		num(int(k.what))
		for _, m := range k.nodes {
			num(m.id)
		}
		if k.what == iteration || k.what == elements {
			num(-k.node.id - 1)
			num(k.count)
			if k.at == pos {
				b = append(b, '=')
			}
		}
		b = append(b, ';')
	}
	return string(b)
}
