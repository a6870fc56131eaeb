package faux

import (
	"context"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// cell is a mapped row.
type cell struct {
	v      semantics.VarID
	hidden bool // it lies in {- -} (PREF-5)
}

// search looks for the match at one start row by recursion over the pattern,
// with what is still to be matched as an argument (PREF-9). Functions return
// true when the search is over: the match is found, or err is set.
type search struct {
	lie    lie
	root   *node
	start  int // the start row
	end    int // rows at and after end are never mapped
	length int // rows of the partition
	first  int // where ^ holds
	beyond int // rows behind the partition that a filler may take

	// test says whether the last of cells may be mapped to its row (DEF-6).
	test func(start int, cells []cell) (bool, error)
	// undone is told of a row that is given back.
	undone func(row int, v semantics.VarID)
	// found is told of a feasible candidate, the rows before pos; it returns
	// true to end the search.
	found func(pos int) bool
	list  *listing // not nil: candidates are listed; anchors and conditions hold

	cells  []cell // row start+i has cells[i]; longer than the path after backtracking
	open   int    // exclusions around the current place
	taken  []cell // the result
	reach  int    // the furthest row that was looked at
	seen   map[*node]bool
	failed map[string]bool
	arrive func(*node, int, *rest) bool // not nil: called instead of mapping a row

	ctx          context.Context
	steps, depth int
	maxSteps     int
	tests        int64
	maxTests     int64
	maxDepth     int
	pos          diag.Pos
	source       string
	err          error
}

// rest is what is still to be matched once a node has succeeded.
type rest struct {
	what  what
	node  *node   // iteration: the quantifier
	nodes []*node // sequence, elements: what follows
	count int     // iteration: iterations done before; elements: optional ones skipped
	at    int     // iteration, elements: the row where the current one began
	only  emptiness
	next  *rest
}

type what uint8

const (
	sequence  what = iota // more elements of a concatenation
	elements              // more elements of a permutation
	iteration             // an iteration has ended
	reveal                // an exclusion has ended
)

// emptiness restricts an iteration.
type emptiness uint8

const (
	anyRows emptiness = iota
	someRows
	noRows
)

// run returns whether there is a match; its rows are then in taken.
func (s *search) run() (bool, error) {
	if s.found == nil {
		s.found = s.keep
	}
	ok := s.match(s.root, s.start, nil)
	if s.err != nil {
		return false, s.err
	}
	return ok, nil
}

// keep makes the rows before pos the result.
func (s *search) keep(pos int) bool {
	s.taken = append([]cell(nil), s.cells[:pos-s.start]...)
	return true
}

// over counts a step; true ends the search with an error.
func (s *search) over() bool {
	if s.err != nil {
		return true
	}
	if s.steps++; s.steps&1023 == 0 && s.ctx != nil && s.ctx.Err() != nil {
		s.err = s.ctx.Err()
	} else if s.steps > s.maxSteps || s.tests > s.maxTests {
		s.err = s.limit("takes more steps than are allowed")
	} else if s.depth > s.maxDepth {
		s.err = s.limit("is nested too deep")
	}
	return s.err != nil
}

func (s *search) limit(what string) error {
	return diag.New(diag.Limit, "LIM-1", s.pos, "the search for the match at row %d of its partition %s", s.start+1, what).In(s.source).
		WithHint("try a smaller case")
}

// shallow is the depth at which a mutant's stack ends a path instead of the search.
const shallow = 240

// match matches a node at a row, then what follows.
func (s *search) match(n *node, pos int, k *rest) bool {
	if s.lie == depthIsNoMatch && s.list == nil && s.depth > shallow {
		return false
	}
	if s.over() {
		return true
	}
	s.depth++
	ok := s.enter(n, pos, k)
	s.depth--
	return ok
}

func (s *search) enter(n *node, pos int, k *rest) bool {
	switch n.op {
	case semantics.OpVariable:
		return s.variable(n, pos, k)
	case semantics.OpEmpty:
		return s.resume(k, pos)
	case semantics.OpPartitionStart, semantics.OpPartitionEnd:
		return s.anchor(n, pos, k)
	case semantics.OpExclude:
		return s.exclude(n, pos, k)
	case semantics.OpConcat:
		return s.rows(n.sub, pos, k)
	case semantics.OpAlternate:
		return s.alternate(n, pos, k)
	case semantics.OpPermute:
		return eachOrder(len(n.sub), s.lie == permuteReversed, func(order []int) bool {
			nodes := make([]*node, len(order))
			for i, o := range order {
				nodes[i] = n.sub[o]
			}
			if s.lie == permuteSkipsOnce && len(nodes) > 1 {
				return s.elements(nodes, 0, pos, k)
			}
			return s.rows(nodes, pos, k)
		})
	}
	return s.loop(n, 0, pos, k)
}

// resume goes on behind a node that has succeeded.
func (s *search) resume(k *rest, pos int) bool {
	if k == nil {
		if s.arrive != nil {
			return s.arrive(nil, pos, nil)
		}
		return s.found(pos)
	}
	switch k.what {
	case sequence:
		return s.rows(k.nodes, pos, k.next)
	case elements:
		skipped := k.count
		if k.node.optional && pos == k.at {
			skipped++
		}
		return skipped <= 1 && s.elements(k.nodes, skipped, pos, k.next)
	case reveal:
		s.open--
		mark := s.list.write("}")
		ok := s.resume(k.next, pos)
		s.list.cut(mark)
		s.open++
		return ok
	}
	return s.iterated(k, pos)
}

// rows matches nodes one behind the other (PREF-3).
func (s *search) rows(nodes []*node, pos int, k *rest) bool {
	switch len(nodes) {
	case 0:
		return s.resume(k, pos)
	case 1:
		return s.match(nodes[0], pos, k)
	}
	return s.match(nodes[0], pos, &rest{what: sequence, nodes: nodes[1:], next: k})
}

// elements is rows for a permutation of which one optional element may be skipped.
func (s *search) elements(nodes []*node, skipped, pos int, k *rest) bool {
	if len(nodes) == 0 {
		return s.resume(k, pos)
	}
	return s.match(nodes[0], pos, &rest{what: elements, node: nodes[0], nodes: nodes[1:], count: skipped, at: pos, next: k})
}

// variable maps a row (PREF-1, MAT-1).
func (s *search) variable(n *node, pos int, k *rest) bool {
	if s.arrive != nil {
		return s.arrive(n, pos, k)
	}
	end := s.end
	if n.filler && s.lie == fillerReadsOn {
		end = s.length + s.beyond
	}
	if s.lie == guardWithoutCount {
		if s.seen[n] {
			return false
		}
		if s.seen == nil {
			s.seen = map[*node]bool{}
		}
		s.seen[n] = true
	}
	if pos >= end {
		return false
	}
	key := ""
	if s.lie == failureRemembered && s.list == nil {
		key = place(n, pos, k)
		if s.failed[key] {
			return false
		}
	}
	ok := s.take(n, pos, k)
	if key != "" && !ok {
		if s.failed == nil {
			s.failed = map[string]bool{}
		}
		s.failed[key] = true
	}
	return ok
}

// take maps a row that is there, if the condition holds.
func (s *search) take(n *node, pos int, k *rest) bool {
	i := pos - s.start
	s.reach = max(s.reach, pos)
	s.cells = append(s.cells[:i], cell{v: n.v, hidden: s.open > 0})
	if s.list == nil {
		s.tests++
		holds, err := s.test(s.start, s.cells)
		if err != nil {
			s.err = err
			return true
		}
		if !holds {
			return false
		}
	}
	seen := s.seen
	s.seen = nil
	mark := s.list.row(n.name)
	ok := s.resume(k, pos+1)
	s.list.cut(mark)
	s.seen = seen
	if !ok && s.undone != nil {
		s.undone(pos, n.v)
	}
	return ok
}

// anchor consumes no row (PREF-6, ANCH-1).
func (s *search) anchor(n *node, pos int, k *rest) bool {
	text := "$"
	holds := pos == s.length
	if n.op == semantics.OpPartitionStart {
		text = "^"
		holds = pos == 0 || pos == s.first
	}
	if s.list == nil {
		return holds && s.resume(k, pos)
	}
	mark := s.list.write(text)
	ok := s.resume(k, pos)
	s.list.cut(mark)
	return ok
}

// exclude marks the rows of its operand (PREF-5).
func (s *search) exclude(n *node, pos int, k *rest) bool {
	s.open++
	mark := s.list.write("{")
	ok := s.match(n.sub[0], pos, &rest{what: reveal, next: k})
	s.list.cut(mark)
	s.open--
	return ok
}

// alternate tries the branches in turn (PREF-2).
func (s *search) alternate(n *node, pos int, k *rest) bool {
	if s.lie == earliestEndWins && s.list == nil {
		return s.earliest(n, pos, k)
	}
	for _, sub := range n.sub {
		if s.match(sub, pos, k) {
			return true
		}
	}
	return false
}

// earliest takes the branch whose match ends first.
func (s *search) earliest(n *node, pos int, k *rest) bool {
	var best []cell
	ok := false
	for _, sub := range n.sub {
		if !s.match(sub, pos, k) {
			continue
		}
		if s.err != nil {
			return true
		}
		if !ok || len(s.taken) < len(best) {
			best = s.taken
		}
		ok = true
	}
	s.taken = best
	return ok
}
