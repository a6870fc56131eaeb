package gen

import (
	"github.com/rprcheck/rprcheck/semantics"
)

// The functions below build trees as the parser makes them: a group stands
// wherever the text needs parentheses, and nowhere is an operand list of one.
// Hence printing and parsing such a tree gives it back.

// Var returns a variable of the given folded name.
func Var(name string) *semantics.Pattern {
	return &semantics.Pattern{Op: semantics.OpVariable, Name: semantics.Name{Text: name}}
}

// Empty returns ().
func Empty() *semantics.Pattern { return &semantics.Pattern{Op: semantics.OpEmpty} }

// Anchor returns ^ or $.
func Anchor(op semantics.Op) *semantics.Pattern { return &semantics.Pattern{Op: op} }

// Group returns ( p ).
func Group(p *semantics.Pattern) *semantics.Pattern {
	return &semantics.Pattern{Op: semantics.OpGroup, Sub: []*semantics.Pattern{p}}
}

// Exclude returns {- p -}.
func Exclude(p *semantics.Pattern) *semantics.Pattern {
	return &semantics.Pattern{Op: semantics.OpExclude, Sub: []*semantics.Pattern{p}}
}

// Permute returns PERMUTE(elements).
func Permute(elements ...*semantics.Pattern) *semantics.Pattern {
	return &semantics.Pattern{Op: semantics.OpPermute, Sub: elements}
}

// Quantify returns p{min,max}, with a group around p where it needs one.
func Quantify(p *semantics.Pattern, min, max int, reluctant bool) *semantics.Pattern {
	return &semantics.Pattern{Op: semantics.OpQuantified, Sub: []*semantics.Pattern{within(p, semantics.OpPermute)},
		Min: min, Max: max, Reluctant: reluctant}
}

// Concat returns the concatenation of the operands; of one operand, itself.
func Concat(operands ...*semantics.Pattern) *semantics.Pattern {
	return list(semantics.OpConcat, semantics.OpQuantified, operands)
}

// Alternate returns the alternation of the operands; of one operand, itself.
func Alternate(operands ...*semantics.Pattern) *semantics.Pattern {
	return list(semantics.OpAlternate, semantics.OpConcat, operands)
}

func list(op, loosest semantics.Op, operands []*semantics.Pattern) *semantics.Pattern {
	if len(operands) == 1 {
		return operands[0]
	}
	p := &semantics.Pattern{Op: op, Sub: make([]*semantics.Pattern, len(operands))}
	for i, sub := range operands {
		p.Sub[i] = within(sub, loosest)
	}
	return p
}

// within puts p in parentheses unless it binds at least as tightly as loosest (PAT-1).
func within(p *semantics.Pattern, loosest semantics.Op) *semantics.Pattern {
	if p.Op > loosest {
		return Group(p)
	}
	return p
}

// Bare returns p without the groups around it.
func Bare(p *semantics.Pattern) *semantics.Pattern {
	for p.Op == semantics.OpGroup {
		p = p.Sub[0]
	}
	return p
}

// With returns a copy of p that has other operands. Where that is possible it
// builds as the functions above do.
func With(p *semantics.Pattern, operands []*semantics.Pattern) *semantics.Pattern {
	switch p.Op {
	case semantics.OpGroup:
		return Group(operands[0])
	case semantics.OpExclude:
		return Exclude(operands[0])
	case semantics.OpPermute:
		return Permute(operands...)
	case semantics.OpQuantified:
		return Quantify(operands[0], p.Min, p.Max, p.Reluctant)
	case semantics.OpConcat:
		return Concat(operands...)
	case semantics.OpAlternate:
		return Alternate(operands...)
	}
	return p
}
