package nfa

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics"
)

// op is the kind of an instruction.
type op uint8

const (
	opTake   op = iota // take a row for a position, then go to next
	opChoose           // the targets in preference order
	opFirst            // go to next if no row of the partition stands before (^)
	opLast             // go to next if no row of the partition follows ($)
	opOpen             // an iteration begins, of a quantifier whose body can be empty
	opClose            // it ends: to next if it took a row, to empty if not
	opAccept
)

// instruction is one step of an unrolled pattern. Instructions exist during
// compilation only: the automaton has positions and lists.
type instruction struct {
	op       op
	depth    int32 // iterations open here whose emptiness matters
	next     int32
	empty    int32 // opClose
	position int32 // opTake
	targets  []int32
}

// position is a place of the pattern that takes rows: one row, or with a run
// from least to most rows of one variable.
type position struct {
	v           semantics.VarID
	excluded    bool // it stands in {- -} (PREF-5)
	reluctant   bool // of a run: fewer rows are preferred
	least, most int  // 1, 1 except for a run; most may be unbounded
}

// isRun reports a position whose repetitions are counted, not unrolled.
func (p *position) isRun() bool { return p.most != 1 }

// unbounded is the most of a run without upper bound.
const unbounded = math.MaxInt

// unroller turns a pattern into instructions. Quantifiers become copies of
// their bodies (PREF-11 says why these are no independent copies: an empty
// iteration leaves the quantifier, see opClose).
type unroller struct {
	code      []instruction
	positions []position
	maxDepth  int32
	limit     int // largest number of positions
	runs      int // a variable repeated more often than this becomes a run; 0: none does
	tooLarge  bool
}

// maxInstructions bounds the instructions of a pattern per position allowed.
const maxInstructions = 8

func (u *unroller) add(i instruction) int32 {
	if len(u.code) >= u.limit*maxInstructions+64 {
		u.tooLarge = true
	}
	u.maxDepth = max(u.maxDepth, i.depth)
	u.code = append(u.code, i)
	return int32(len(u.code) - 1)
}

// node compiles p, after which next follows, and returns its first instruction.
func (u *unroller) node(p *semantics.Pattern, next, depth int32, excluded bool) int32 {
	if u.tooLarge {
		return next
	}
	switch p.Op {
	case semantics.OpVariable:
		return u.take(position{v: p.Var, excluded: excluded, least: 1, most: 1}, next, depth)
	case semantics.OpEmpty:
		return next
	case semantics.OpPartitionStart:
		return u.add(instruction{op: opFirst, next: next, depth: depth})
	case semantics.OpPartitionEnd:
		return u.add(instruction{op: opLast, next: next, depth: depth})
	case semantics.OpGroup:
		return u.node(p.Sub[0], next, depth, excluded)
	case semantics.OpExclude:
		return u.node(p.Sub[0], next, depth, true)
	case semantics.OpConcat:
		return u.sequence(p.Sub, next, depth, excluded)
	case semantics.OpAlternate:
		targets := make([]int32, len(p.Sub))
		for i, sub := range p.Sub {
			targets[i] = u.node(sub, next, depth, excluded)
		}
		return u.add(instruction{op: opChoose, targets: targets, depth: depth})
	case semantics.OpPermute:
		return u.permutation(p, next, depth, excluded)
	default:
		return u.quantified(p, next, depth, excluded)
	}
}

func (u *unroller) take(p position, next, depth int32) int32 {
	if len(u.positions) >= u.limit {
		u.tooLarge = true
		return next
	}
	u.positions = append(u.positions, p)
	return u.add(instruction{op: opTake, next: next, depth: depth, position: int32(len(u.positions) - 1)})
}

func (u *unroller) sequence(list []*semantics.Pattern, next, depth int32, excluded bool) int32 {
	for i := len(list) - 1; i >= 0; i-- {
		next = u.node(list[i], next, depth, excluded)
	}
	return next
}

// choose makes the decision between another iteration and leaving (PREF-4).
func (u *unroller) choose(q *semantics.Pattern, again, leave, depth int32) int32 {
	targets := []int32{again, leave}
	if q.Reluctant {
		targets = []int32{leave, again}
	}
	return u.add(instruction{op: opChoose, targets: targets, depth: depth})
}

// quantified compiles P{n,m}. The copies from the n-th iteration on come last.
//
// Below the lower bound an empty iteration counts and the next one follows, as
// after any other: these copies need no opOpen. An iteration that meets the
// bound or is beyond it leaves the quantifier if it is empty (PREF-8). Beyond
// the bound all iterations of an unbounded quantifier are alike, so that one
// copy serves them all, the one that meets the bound included.
func (u *unroller) quantified(q *semantics.Pattern, next, depth int32, excluded bool) int32 {
	body := q.Sub[0]
	if v, ex, ok := single(body); ok && u.runs > 0 && max(q.Min, q.Max) > u.runs {
		return u.run(q, v, ex || excluded, next, depth)
	}
	nullable := body.CanBeEmpty()
	iteration := func(after int32) int32 {
		if !nullable {
			return u.node(body, after, depth, excluded)
		}
		end := u.add(instruction{op: opClose, next: after, empty: next, depth: depth + 1})
		first := u.node(body, end, depth+1, excluded)
		return u.add(instruction{op: opOpen, next: first, depth: depth})
	}
	var entry int32
	switch {
	case q.Max == semantics.Unbounded:
		head := u.choose(q, 0, next, depth)
		again := iteration(head)
		u.code[head].targets[0] = again
		if q.Reluctant {
			u.code[head].targets = []int32{next, again}
		}
		if entry = head; q.Min > 0 {
			entry = again
		}
	case q.Max == q.Min:
		entry = u.node(body, next, depth, excluded)
	default:
		entry = next // after the last iteration
		for c := q.Max - 1; c >= q.Min && !u.tooLarge; c-- {
			entry = u.choose(q, iteration(entry), next, depth)
		}
		if q.Min > 0 {
			entry = iteration(entry)
		}
	}
	for c := q.Min - 2; c >= 0 && !u.tooLarge; c-- {
		before := len(u.code)
		entry = u.node(body, entry, depth, excluded)
		if len(u.code) == before {
			break // the body has no instruction: neither have its copies
		}
	}
	return entry
}

// single returns the only variable of a pattern that is a variable, in groups
// and exclusions perhaps.
func single(p *semantics.Pattern) (v semantics.VarID, excluded, ok bool) {
	for {
		switch p.Op {
		case semantics.OpVariable:
			return p.Var, excluded, true
		case semantics.OpExclude:
			excluded = true
		case semantics.OpGroup:
		case semantics.OpPermute:
			if len(p.Sub) != 1 {
				return 0, false, false
			}
		default:
			return 0, false, false
		}
		p = p.Sub[0]
	}
}

// run compiles A{n,m} to one position. Zero rows, which come last for greedy
// and first for reluctant, are a way around it: A{0,m} has the strings of
// (A{1,m})? in the same order.
func (u *unroller) run(q *semantics.Pattern, v semantics.VarID, excluded bool, next, depth int32) int32 {
	p := position{v: v, excluded: excluded, reluctant: q.Reluctant, least: max(q.Min, 1), most: q.Max}
	if q.Max == semantics.Unbounded {
		p.most = unbounded
	}
	entry := u.take(p, next, depth)
	if q.Min == 0 {
		entry = u.choose(q, entry, next, depth)
	}
	return entry
}

// permutation compiles PERMUTE, the alternation of the orders of its elements
// (PAT-7). Where every element has one string only, choosing the elements one
// after another gives the same order of strings as choosing among the orders,
// and what follows depends on the set of elements left: 2^n sets instead of n!
// orders.
func (u *unroller) permutation(p *semantics.Pattern, next, depth int32, excluded bool) int32 {
	n := len(p.Sub)
	if n == 1 {
		return u.node(p.Sub[0], next, depth, excluded)
	}
	if n > 20 {
		u.tooLarge = true
		return next
	}
	fixed := true
	for _, sub := range p.Sub {
		fixed = fixed && hasOneString(sub)
	}
	if fixed {
		return u.anyOf(p.Sub, 1<<n-1, next, depth, excluded, map[uint32]int32{})
	}
	var targets []int32
	order := make([]*semantics.Pattern, 0, n)
	var extend func(left uint32)
	extend = func(left uint32) {
		if u.tooLarge {
			return
		}
		if left == 0 {
			targets = append(targets, u.sequence(order, next, depth, excluded))
			// Elements without an instruction are not bounded by their number.
			if len(targets) > u.limit*maxInstructions {
				u.tooLarge = true
			}
			return
		}
		for i, sub := range p.Sub {
			if left&(1<<i) != 0 {
				order = append(order, sub)
				extend(left &^ (1 << i))
				order = order[:len(order)-1]
			}
		}
	}
	extend(1<<n - 1)
	return u.add(instruction{op: opChoose, targets: targets, depth: depth})
}

// anyOf compiles the elements of the set left in every order.
func (u *unroller) anyOf(elements []*semantics.Pattern, left uint32, next, depth int32, excluded bool, done map[uint32]int32) int32 {
	if left == 0 {
		return next
	}
	if at, ok := done[left]; ok {
		return at
	}
	var targets []int32
	for i, sub := range elements {
		if left&(1<<i) != 0 && !u.tooLarge {
			after := u.anyOf(elements, left&^(1<<i), next, depth, excluded, done)
			targets = append(targets, u.node(sub, after, depth, excluded))
		}
	}
	done[left] = u.add(instruction{op: opChoose, targets: targets, depth: depth})
	return done[left]
}

// hasOneString reports a pattern whose language is one string.
func hasOneString(p *semantics.Pattern) bool {
	switch p.Op {
	case semantics.OpAlternate:
		return false
	case semantics.OpQuantified:
		// An iteration that is empty stops at the bound: still one string.
		if p.Min != p.Max {
			return false
		}
	case semantics.OpPermute:
		if len(p.Sub) > 1 {
			return false
		}
	}
	for _, sub := range p.Sub {
		if !hasOneString(sub) {
			return false
		}
	}
	return true
}
