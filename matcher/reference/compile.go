package reference

import (
	"math"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// node is a pattern node as the machine reads it. Groups are gone, since they
// have no meaning of their own; exclusions are gone into their variables.
type node struct {
	op        semantics.Op
	reluctant bool            // OpQuantified
	excluded  bool            // OpVariable: it stands in {- -} (PREF-5)
	v         semantics.VarID // OpVariable
	min, max  uint32          // OpQuantified
	subs      []int32         // operands
	pattern   *semantics.Pattern
}

// unbounded is the max of a quantifier without upper bound. No count reaches
// it: a count is at most the lower bound, below 2^31, and one for each row.
const unbounded = math.MaxUint32

// compiler turns a pattern tree into nodes.
type compiler struct {
	nodes       []node
	permute     int  // largest PERMUTE
	exclusion   bool // some variable is excluded
	unsupported error
}

// compile returns the nodes of a pattern and the index of its root.
func compile(p *semantics.Pattern, permute int) (nodes []node, root int32, exclusion bool, err error) {
	c := &compiler{permute: permute}
	root = c.node(p, false)
	return c.nodes, root, c.exclusion, c.unsupported
}

// node compiles one node. Whether a row is excluded depends only on where in
// the pattern the variable stands that takes it: in one {- -} or in several
// nested ones (PAT-8, PREF-5). Hence exclusion needs no state in the search,
// and the mark is always that of the derivation which wins.
func (c *compiler) node(p *semantics.Pattern, excluded bool) int32 {
	switch p.Op {
	case semantics.OpGroup:
		return c.node(p.Sub[0], excluded)
	case semantics.OpExclude:
		return c.node(p.Sub[0], true)
	case semantics.OpPermute:
		if len(p.Sub) > c.permute && c.unsupported == nil {
			c.unsupported = diag.New(diag.Limit, "LIM-1", p.Pos,
				"PERMUTE of %d elements stands for %d! alternatives, the limit is %d elements", len(p.Sub), len(p.Sub), c.permute).
				WithHint("use fewer elements or write out the orders that you need; --max-steps 0 lifts all limits of the search")
		}
		if len(p.Sub) == 1 {
			return c.node(p.Sub[0], excluded) // PAT-7: PERMUTE(P) is ((P))
		}
	}
	n := node{op: p.Op, reluctant: p.Reluctant, v: p.Var, min: uint32(p.Min), max: unbounded, pattern: p}
	if p.Max != semantics.Unbounded {
		n.max = uint32(p.Max)
	}
	if p.Op == semantics.OpVariable && excluded {
		n.excluded, c.exclusion = true, true
	}
	at := int32(len(c.nodes))
	c.nodes = append(c.nodes, n)
	subs := make([]int32, len(p.Sub))
	for i, sub := range p.Sub {
		subs[i] = c.node(sub, excluded)
	}
	c.nodes[at].subs = subs
	return at
}
