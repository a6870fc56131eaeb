package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Levels of precedence, loosest first. || and the arithmetic operators do not
// mix without parentheses, nor do predicates with predicates.
const (
	levelOr = iota + 1
	levelAnd
	levelNot
	levelPredicate
	levelConcat
	levelAdd
	levelMultiply
	levelUnary
	levelPrimary
)

// printer writes an expression as SQL text.
type printer struct {
	buf    []byte
	values bool // Render: host variables and leaves as values
	env    Env
	leaf   func(Expr) (string, bool) // may be nil
}

// text is the String method of all nodes.
func text(e Expr) string {
	var p printer
	p.operand(e, 0)
	return string(p.buf)
}

// Render prints e with values in place of leaves, for a line of a trace such
// as `80 < 90`. What leaf knows is printed as it says; other leaves are
// evaluated in env, and printed as they are if that fails.
func Render(e Expr, env Env, leaf func(Expr) (string, bool)) string {
	p := printer{values: true, env: env, leaf: leaf}
	p.operand(e, 0)
	return string(p.buf)
}

// level returns the precedence of the text of e.
func (p *printer) level(e Expr) int {
	switch n := e.(type) {
	case *Const:
		return signLevel(n.Value, n.T)
	case *HostVariable:
		if p.values && n.Bound {
			return signLevel(n.Value, n.T)
		}
	case *Unary:
		return levelUnary
	case *Binary:
		switch n.Op {
		case OpConcat:
			return levelConcat
		case OpAdd, OpSubtract:
			return levelAdd
		}
		return levelMultiply
	case *Compare, *Between, *In, *Like, *IsNull, *IsTruth, *IsDistinct, *InSubquery:
		return levelPredicate
	case *Logical:
		switch n.Op {
		case OpAnd:
			return levelAnd
		case OpOr:
			return levelOr
		}
		return levelNot
	case *Coercion:
		return p.level(n.X)
	}
	return levelPrimary
}

// signLevel is the level of a literal: a negative number is an operation.
func signLevel(v value.Value, t value.Type) int {
	if s := value.SQL(v, t); s != "" && s[0] == '-' {
		return levelUnary
	}
	return levelPrimary
}

func (p *printer) add(s string) { p.buf = append(p.buf, s...) }

// operand prints e, in parentheses if it binds looser than level.
func (p *printer) operand(e Expr, level int) {
	if p.leaf != nil {
		if s, ok := p.leaf(e); ok {
			p.add(s)
			return
		}
	}
	if p.level(e) >= level {
		p.node(e)
		return
	}
	p.add("(")
	p.node(e)
	p.add(")")
}

// list prints expressions separated by commas.
func (p *printer) list(list []Expr) {
	for i, e := range list {
		if i > 0 {
			p.add(", ")
		}
		p.operand(e, 0)
	}
}

// left prints the left operand of a predicate and the word that follows.
func (p *printer) left(e Expr, word string, negated bool, after string) {
	p.operand(e, levelConcat)
	p.add(" " + word)
	if negated {
		p.add("NOT ")
	}
	p.add(after)
}

// node prints e without parentheses around it.
func (p *printer) node(e Expr) {
	switch n := e.(type) {
	case *Const:
		p.add(value.SQL(n.Value, n.T))
	case *HostVariable:
		if p.values && n.Bound {
			p.add(value.SQL(n.Value, n.T))
		} else {
			p.add(":" + n.Name)
		}
	case *Unary:
		p.add(n.Op.String())
		p.operand(n.X, levelPrimary)
	case *Binary:
		p.binary(n)
	case *Compare:
		p.operand(n.X, levelConcat)
		p.add(" " + n.Op.String() + " ")
		p.operand(n.Y, levelConcat)
	case *Logical:
		p.logical(n)
	case *Between:
		p.left(n.X, "", n.Negated, "BETWEEN ")
		p.operand(n.Low, levelConcat)
		p.add(" AND ")
		p.operand(n.High, levelConcat)
	case *In:
		p.left(n.X, "", n.Negated, "IN (")
		p.list(n.List)
		p.add(")")
	case *InSubquery:
		p.left(n.X, "", n.Negated, "IN ("+n.Text+")")
	case *Like:
		p.left(n.X, "", n.Negated, "LIKE ")
		p.operand(n.Pattern, levelConcat)
		if n.Escape != nil {
			p.add(" ESCAPE ")
			p.operand(n.Escape, levelConcat)
		}
	case *IsNull:
		p.left(n.X, "IS ", n.Negated, "NULL")
	case *IsTruth:
		p.left(n.X, "IS ", n.Negated, truthText(n.Value))
	case *IsDistinct:
		p.left(n.X, "IS ", n.Negated, "DISTINCT FROM ")
		p.operand(n.Y, levelConcat)
	case *Case:
		p.caseOf(n)
	case *Cast:
		p.add("CAST(")
		p.operand(n.X, 0)
		p.add(" AS " + n.T.String() + ")")
	case *Extract:
		p.add("EXTRACT(" + n.Field + " FROM ")
		p.operand(n.X, 0)
		p.add(")")
	case *Func:
		p.call(n)
	case *ArrayMaker:
		p.add("ARRAY[")
		p.list(n.Elems)
		p.add("]")
	case *Coercion:
		p.operand(n.X, 0)
	case *Subquery:
		p.add("(" + n.Text + ")")
	case *Exists:
		p.add("EXISTS (" + n.Text + ")")
	case *Invalid:
		p.add("NULL")
	default:
		p.foreign(e)
	}
}

// foreign prints a leaf of another package.
func (p *printer) foreign(e Expr) {
	if p.values {
		if v, err := e.Eval(p.env); err == nil {
			p.add(value.SQL(v, e.Type()))
			return
		}
	}
	p.add(e.String())
}

func (p *printer) binary(n *Binary) {
	left, right := levelMultiply, levelUnary
	switch n.Op {
	case OpConcat:
		left, right = levelPrimary, levelPrimary
		if p.level(n.X) == levelConcat {
			left = levelConcat
		}
	case OpAdd, OpSubtract:
		left, right = levelAdd, levelMultiply
	}
	p.operand(n.X, left)
	p.add(" " + n.Op.String() + " ")
	p.operand(n.Y, right)
}

func (p *printer) logical(n *Logical) {
	if n.Op == OpNot {
		p.add("NOT ")
		p.operand(n.Args[0], levelPredicate)
		return
	}
	level := levelNot
	if n.Op == OpOr {
		level = levelAnd
	}
	for i, a := range n.Args {
		if i > 0 {
			p.add(" " + n.Op.String() + " ")
		}
		p.operand(a, level)
	}
}

func (p *printer) caseOf(n *Case) {
	p.add("CASE")
	if n.Operand != nil {
		p.add(" ")
		p.operand(n.Operand, levelConcat)
	}
	for _, w := range n.Whens {
		p.add(" WHEN ")
		p.operand(w.Cond, 0)
		p.add(" THEN ")
		p.operand(w.Then, 0)
	}
	if n.Else != nil {
		p.add(" ELSE ")
		p.operand(n.Else, 0)
	}
	p.add(" END")
}

func (p *printer) call(n *Func) {
	p.add(n.Name + "(")
	switch {
	case n.Fn.Name == "POSITION":
		p.operand(n.Args[0], levelConcat)
		p.add(" IN ")
		p.operand(n.Args[1], levelConcat)
	case n.Form != "":
		p.add(n.Form + " ")
		if len(n.Args) == 2 {
			p.operand(n.Args[1], levelConcat)
			p.add(" ")
		}
		p.add("FROM ")
		p.operand(n.Args[0], levelConcat)
	default:
		p.list(n.Args)
	}
	p.add(")")
}

func truthText(t value.Truth) string {
	switch t {
	case value.True:
		return "TRUE"
	case value.False:
		return "FALSE"
	}
	return "UNKNOWN"
}

// String returns the literal.
func (n *Const) String() string { return text(n) }

// String returns the host variable with its colon.
func (n *HostVariable) String() string { return text(n) }

// String returns SQL text.
func (n *Unary) String() string { return text(n) }

// String returns SQL text.
func (n *Binary) String() string { return text(n) }

// String returns SQL text.
func (n *Compare) String() string { return text(n) }

// String returns SQL text.
func (n *Logical) String() string { return text(n) }

// String returns SQL text.
func (n *Between) String() string { return text(n) }

// String returns SQL text.
func (n *In) String() string { return text(n) }

// String returns SQL text.
func (n *Like) String() string { return text(n) }

// String returns SQL text.
func (n *IsNull) String() string { return text(n) }

// String returns SQL text.
func (n *IsTruth) String() string { return text(n) }

// String returns SQL text.
func (n *IsDistinct) String() string { return text(n) }

// String returns SQL text.
func (n *Case) String() string { return text(n) }

// String returns SQL text.
func (n *Cast) String() string { return text(n) }

// String returns SQL text.
func (n *Extract) String() string { return text(n) }

// String returns SQL text.
func (n *Func) String() string { return text(n) }

// String returns SQL text.
func (n *ArrayMaker) String() string { return text(n) }

// String returns the text of the operand: the conversion is implicit.
func (n *Coercion) String() string { return text(n) }

// String returns SQL text.
func (n *Subquery) String() string { return text(n) }

// String returns SQL text.
func (n *InSubquery) String() string { return text(n) }

// String returns SQL text.
func (n *Exists) String() string { return text(n) }

// String returns NULL.
func (n *Invalid) String() string { return text(n) }
