package scalar

// Rebuild returns a copy of e in which f has replaced parts: f is asked about e
// and, where it returns nil, about everything below it, operands in evaluation
// order. What f returns stands in place of the node, and must have a type that
// may stand there. Nodes without a replaced part, leaves of other packages
// included, are not copied. The operands of a leaf of another package are f's
// business.
func Rebuild(e Expr, f func(Expr) Expr) Expr {
	if r := f(e); r != nil {
		return r
	}
	b := rebuilder{f: f}
	switch n := e.(type) {
	case *Unary:
		c := *n
		c.X = b.one(n.X)
		return b.choose(n, &c)
	case *Binary:
		c := *n
		c.X, c.Y = b.one(n.X), b.one(n.Y)
		return b.choose(n, &c)
	case *Compare:
		c := *n
		c.X, c.Y = b.one(n.X), b.one(n.Y)
		return b.choose(n, &c)
	case *Logical:
		c := *n
		c.Args = b.list(n.Args)
		return b.choose(n, &c)
	case *Between:
		c := *n
		c.X, c.Low, c.High = b.one(n.X), b.one(n.Low), b.one(n.High)
		return b.choose(n, &c)
	case *In:
		c := *n
		c.X, c.List = b.one(n.X), b.list(n.List)
		return b.choose(n, &c)
	case *Like:
		c := &Like{Base: n.Base, X: b.one(n.X), Pattern: b.one(n.Pattern), Negated: n.Negated, OpPos: n.OpPos}
		if n.Escape != nil {
			c.Escape = b.one(n.Escape)
		}
		return b.choose(n, c)
	case *IsNull:
		c := *n
		c.X = b.one(n.X)
		return b.choose(n, &c)
	case *IsTruth:
		c := *n
		c.X = b.one(n.X)
		return b.choose(n, &c)
	case *IsDistinct:
		c := *n
		c.X, c.Y = b.one(n.X), b.one(n.Y)
		return b.choose(n, &c)
	case *Case:
		return b.choose(n, b.caseOf(n))
	case *Cast:
		c := *n
		c.X = b.one(n.X)
		return b.choose(n, &c)
	case *Extract:
		c := *n
		c.X = b.one(n.X)
		return b.choose(n, &c)
	case *Func:
		c := *n
		c.Args = b.list(n.Args)
		return b.choose(n, &c)
	case *ArrayMaker:
		c := *n
		c.Elems = b.list(n.Elems)
		return b.choose(n, &c)
	case *Coercion:
		c := *n
		c.X = b.one(n.X)
		return b.choose(n, &c)
	case *InSubquery:
		return b.choose(n, &InSubquery{Base: n.Base, X: b.one(n.X), Query: n.Query, Text: n.Text,
			Negated: n.Negated, Options: n.Options, common: n.common})
	}
	return e
}

// rebuilder rebuilds the operands of one node.
type rebuilder struct {
	f       func(Expr) Expr
	changed bool
}

func (b *rebuilder) one(e Expr) Expr {
	r := Rebuild(e, b.f)
	b.changed = b.changed || r != e
	return r
}

func (b *rebuilder) list(list []Expr) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = b.one(e)
	}
	return out
}

func (b *rebuilder) caseOf(n *Case) *Case {
	c := *n
	if n.Operand != nil {
		c.Operand = b.one(n.Operand)
	}
	c.Whens = make([]When, len(n.Whens))
	for i, w := range n.Whens {
		c.Whens[i] = When{Cond: b.one(w.Cond), Then: b.one(w.Then)}
	}
	if n.Else != nil {
		c.Else = b.one(n.Else)
	}
	return &c
}

// choose returns the copy if an operand was replaced.
func (b *rebuilder) choose(old, copied Expr) Expr {
	if b.changed {
		return copied
	}
	return old
}
