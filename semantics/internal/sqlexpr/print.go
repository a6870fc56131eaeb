package sqlexpr

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// SQL prints the tree as SQL that parses to the same tree, places aside.
// Parentheses stand where they stood; where a tree made by hand needs more of
// them, they are added.
func (n *Node) SQL() string {
	var p printer
	p.node(n, levelOr)
	return p.String()
}

// level is how tightly a form binds, loosest first.
type level uint8

const (
	levelOr level = iota
	levelAnd
	levelNot
	levelTruth
	levelPredicate
	levelConcat // || alone, and no arithmetic
	levelSum
	levelProduct
	levelSign
	levelPrimary
)

// levelOf returns the level of a node without its own parentheses.
func levelOf(n *Node) level {
	switch n.Kind {
	case Unary:
		if n.Text == "NOT" {
			return levelNot
		}
		return levelSign
	case Binary:
		switch n.Text {
		case "OR":
			return levelOr
		case "AND":
			return levelAnd
		case "||":
			return levelConcat
		case "+", "-":
			return levelSum
		case "*", "/":
			return levelProduct
		}
		return levelPredicate
	case Between, In, Like, IsNull, IsDistinct, Exists:
		return levelPredicate
	case IsTruth:
		return levelTruth
	case Literal:
		if strings.HasPrefix(literalText(n), "-") {
			return levelSign
		}
	}
	return levelPrimary
}

type printer struct{ strings.Builder }

func (p *printer) words(words ...string) {
	for _, w := range words {
		p.WriteString(w)
	}
}

// node prints n where at least the level want is needed.
func (p *printer) node(n *Node, want level) {
	if n.Parens || levelOf(n) < want {
		p.WriteByte('(')
		p.form(n)
		p.WriteByte(')')
		return
	}
	p.form(n)
}

func (p *printer) list(nodes []*Node) {
	for i, n := range nodes {
		if i > 0 {
			p.WriteString(", ")
		}
		p.node(n, levelOr)
	}
}

// not returns the word for a negated predicate.
func not(n *Node) string {
	if n.Negated {
		return "NOT "
	}
	return ""
}

// form prints n without its own parentheses.
func (p *printer) form(n *Node) {
	switch n.Kind {
	case Literal:
		p.WriteString(literalText(n))
	case Param:
		p.words(":", n.Text)
	case Name, Star:
		p.name(n)
		p.over(n.Over)
	case Call:
		p.call(n)
	case Unary:
		p.unary(n)
	case Binary:
		p.binary(n)
	case Between:
		p.node(n.Args[0], levelConcat)
		p.words(" ", not(n), "BETWEEN ")
		p.node(n.Args[1], levelConcat)
		p.WriteString(" AND ")
		p.node(n.Args[2], levelConcat)
	case In:
		p.node(n.Args[0], levelConcat)
		p.words(" ", not(n), "IN ")
		if len(n.Args) == 2 && n.Args[1].Kind == Subquery && !n.Args[1].Parens {
			p.node(n.Args[1], levelPrimary)
			return
		}
		p.WriteByte('(')
		p.list(n.Args[1:])
		p.WriteByte(')')
	case Like:
		p.node(n.Args[0], levelConcat)
		p.words(" ", not(n), "LIKE ")
		p.node(n.Args[1], levelConcat)
		if len(n.Args) > 2 {
			p.WriteString(" ESCAPE ")
			p.node(n.Args[2], levelConcat)
		}
	case IsNull:
		p.node(n.Args[0], levelConcat)
		p.words(" IS ", not(n), "NULL")
	case IsTruth:
		p.node(n.Args[0], levelPredicate)
		p.words(" IS ", not(n), n.Text)
	case IsDistinct:
		p.node(n.Args[0], levelConcat)
		p.words(" IS ", not(n), "DISTINCT FROM ")
		p.node(n.Args[1], levelConcat)
	case Case:
		p.caseOf(n)
	case Cast:
		p.WriteString("CAST(")
		p.node(n.Args[0], levelOr)
		p.words(" AS ", n.Type.String(), ")")
	case Extract:
		p.words("EXTRACT(", n.Text, " FROM ")
		p.node(n.Args[0], levelOr)
		p.WriteByte(')')
	case ArrayMaker:
		p.WriteString("ARRAY[")
		p.list(n.Args)
		p.WriteByte(']')
	case Subquery:
		p.words("(", token.SQL(n.Tokens), ")")
	case Exists:
		p.words("EXISTS (", token.SQL(n.Tokens), ")")
	}
}

// literalText returns a literal as SQL.
func literalText(n *Node) string {
	if n.Text != "" {
		return n.Text
	}
	return value.SQL(n.Value, n.Type)
}

func (p *printer) name(n *Node) {
	for i, w := range n.Names {
		if i > 0 {
			p.WriteByte('.')
		}
		p.WriteString(w.String())
	}
	if n.Kind == Star {
		if len(n.Names) > 0 {
			p.WriteByte('.')
		}
		p.WriteByte('*')
	}
}

func (p *printer) unary(n *Node) {
	if n.Text == "NOT" {
		p.WriteString("NOT ")
		p.node(n.Args[0], levelTruth)
		return
	}
	p.WriteString(n.Text)
	if arg := n.Args[0]; !arg.Parens && levelOf(arg) == levelSign {
		p.WriteByte(' ') // two minus signs would begin a comment
	}
	p.node(n.Args[0], levelSign)
}

// binary prints a chain that leans to the left without recursion.
func (p *printer) binary(n *Node) {
	chain := []*Node{n}
	for l := n.Args[0]; l.Kind == Binary && !l.Parens && levelOf(l) == levelOf(n) && levelOf(n) != levelPredicate; l = l.Args[0] {
		chain = append(chain, l)
	}
	own := levelOf(n)
	right := own + 1
	switch own {
	case levelPredicate:
		p.node(chain[0].Args[0], levelConcat)
		right = levelConcat
	case levelConcat:
		right = levelPrimary
		fallthrough
	default:
		p.node(chain[len(chain)-1].Args[0], right)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		p.words(" ", chain[i].Text, " ")
		p.node(chain[i].Args[1], right)
	}
}

func (p *printer) caseOf(n *Node) {
	p.WriteString("CASE")
	if n.Operand != nil {
		p.WriteByte(' ')
		p.node(n.Operand, levelOr)
	}
	for i, a := range n.Args {
		if i%2 == 0 {
			p.WriteString(" WHEN ")
		} else {
			p.WriteString(" THEN ")
		}
		p.node(a, levelOr)
	}
	if n.Else != nil {
		p.WriteString(" ELSE ")
		p.node(n.Else, levelOr)
	}
	p.WriteString(" END")
}

func (p *printer) call(n *Node) {
	switch n.Semantics {
	case Running:
		p.WriteString("RUNNING ")
	case Final:
		p.WriteString("FINAL ")
	}
	// A reserved word may be the name of a function: ANY.
	if name := n.Names[0]; name.Quoted || !token.IsRegular(name.Text) {
		p.WriteString(token.Quote(name.Text))
	} else {
		p.WriteString(name.Text)
	}
	if n.NoParens {
		return
	}
	p.WriteByte('(')
	switch {
	case n.From && n.Names[0].Text == "TRIM":
		p.trim(n)
	case n.From && n.Names[0].Text == "POSITION":
		p.node(n.Args[0], levelConcat)
		p.WriteString(" IN ")
		p.node(n.Args[1], levelOr)
	case n.From:
		for i, a := range n.Args {
			p.WriteString([]string{"", " FROM ", " FOR "}[i])
			p.node(a, levelOr)
		}
	default:
		if n.Distinct {
			p.WriteString("DISTINCT ")
		}
		p.list(n.Args)
		if !n.Within {
			p.orderBy(n.OrderBy, " ")
		}
	}
	p.WriteByte(')')
	if n.Within {
		p.WriteString(" WITHIN GROUP (")
		p.orderBy(n.OrderBy, "")
		p.WriteByte(')')
	}
	if n.Filter != nil {
		p.WriteString(" FILTER (WHERE ")
		p.node(n.Filter, levelOr)
		p.WriteByte(')')
	}
	p.over(n.Over)
}

func (p *printer) trim(n *Node) {
	if n.Trim != "" {
		p.words(n.Trim, " ")
	}
	if len(n.Args) > 1 {
		p.node(n.Args[1], levelOr)
		p.WriteByte(' ')
	}
	p.WriteString("FROM ")
	p.node(n.Args[0], levelOr)
}

func (p *printer) orderBy(keys []SortItem, before string) {
	for i, k := range keys {
		if i == 0 {
			p.words(before, "ORDER BY ")
		} else {
			p.WriteString(", ")
		}
		p.node(k.Expr, levelOr)
		if k.Descending {
			p.WriteString(" DESC")
		}
		if k.NullsFirst != nil && *k.NullsFirst {
			p.WriteString(" NULLS FIRST")
		} else if k.NullsFirst != nil {
			p.WriteString(" NULLS LAST")
		}
	}
}

func (p *printer) over(o *Over) {
	switch {
	case o == nil:
	case o.Inline:
		p.words(" OVER (", token.SQL(o.Spec), ")")
	default:
		p.words(" OVER ", o.Name.String())
	}
}
