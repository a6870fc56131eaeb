package faux

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// node is a pattern node as the search reads it. Parentheses are gone.
type node struct {
	id       int
	op       semantics.Op
	sub      []*node
	v        semantics.VarID
	name     string
	min, max int  // of a quantifier; max < 0: none
	lazy     bool // of a quantifier: reluctant
	brackets bool // of a quantifier: an iteration stands in brackets where candidates are listed
	optional bool // it is a quantifier whose lower bound is 0
	tail     bool // it ends the pattern
	filler   bool // a quantified variable without definition that ends the pattern, and the variable in it
}

// maxNodes bounds a pattern that a rewrite has made larger.
const maxNodes = 300_000

// planter turns a pattern into nodes.
type planter struct {
	count     int
	permute   int // the largest PERMUTE allowed
	undefined func(semantics.VarID) bool
	err       error
}

func (t *planter) node(p *semantics.Pattern, tail bool) *node {
	for p.Op == semantics.OpGroup {
		p = p.Sub[0]
	}
	n := &node{id: t.count, op: p.Op, v: p.Var, name: p.Name.Text, min: p.Min, max: p.Max, lazy: p.Reluctant, tail: tail}
	if t.count++; t.count > maxNodes && t.err == nil {
		t.err = diag.New(diag.Limit, "LIM-1", p.Pos, "the pattern has more than %d parts", maxNodes).WithHint("shorten the pattern")
		return n
	}
	switch p.Op {
	case semantics.OpQuantified:
		n.optional = p.Min == 0
		switch p.Sub[0].Op {
		case semantics.OpVariable, semantics.OpPartitionStart, semantics.OpPartitionEnd:
		default:
			n.brackets = true
		}
	case semantics.OpPermute:
		if len(p.Sub) > t.permute && t.err == nil {
			t.err = diag.New(diag.Limit, "LIM-1", p.Pos, "PERMUTE of %d elements, the limit is %d", len(p.Sub), t.permute).
				WithHint("use fewer elements or write out the orders that you need")
		}
	}
	for i, sub := range p.Sub {
		last := tail && (p.Op == semantics.OpAlternate || p.Op == semantics.OpExclude || p.Op == semantics.OpConcat && i == len(p.Sub)-1)
		n.sub = append(n.sub, t.node(sub, last))
	}
	if n.op == semantics.OpQuantified && tail && n.sub[0].op == semantics.OpVariable && t.undefined != nil && t.undefined(n.sub[0].v) {
		n.filler, n.sub[0].filler = true, true
	}
	return n
}

// eachOrder calls f with the orders of n elements in lexicographic order
// (PAT-7), or backwards, until f returns true. The order is valid during the call.
func eachOrder(n int, backwards bool, f func(order []int) bool) bool {
	order := make([]int, 0, n)
	used := make([]bool, n)
	var choose func() bool
	choose = func() bool {
		if len(order) == n {
			return f(order)
		}
		for k := range n {
			i := k
			if backwards {
				i = n - 1 - k
			}
			if used[i] {
				continue
			}
			used[i], order = true, append(order, i)
			if choose() {
				return true
			}
			used[i], order = false, order[:len(order)-1]
		}
		return false
	}
	return choose()
}
