package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// expression parses the expression that begins here. It ends, outside all
// brackets, before a comma, a closing parenthesis, one of the words in ends,
// or the beginning of another sub-clause.
func (p *clauseParser) expression(ends ...string) (*sqlexpr.Node, error) {
	from := p.s.Mark()
	depth := 0
	for {
		t := p.s.Peek(0)
		if t.Kind == token.EOF || t.Kind == token.Error {
			break
		}
		if depth == 0 && (t.IsOp(",") || t.IsOp(")") || p.s.At(ends...) || p.startsSection(from)) {
			break
		}
		switch {
		case t.IsOp("("), t.IsOp("["), t.IsOp("{"):
			depth++
		case t.IsOp(")"), t.IsOp("]"), t.IsOp("}"):
			depth--
		}
		p.s.Next()
	}
	if p.s.Mark() == from {
		return nil, p.s.Expected(p.s.Rule, "an expression")
	}
	node, err := ParseExpr(p.s.Source(), p.s.Slice(from, p.s.Mark()), p.s.Peek(0), p.readings)
	if node != nil && err != nil {
		p.out.late.Add(err) // semantic, such as an unknown type: syntax errors behind it come first
		err = nil
	}
	return node, err
}

// ParseExpr parses a slice of tokens as one expression; after is the token
// that follows it. If that is an Error token, the slice is cut by it, and its
// error comes first when the slice is no expression up to there. With a
// semantic error, which later syntax errors precede, the node is returned too.
func ParseExpr(src string, toks []token.Token, after token.Token, r readings.Set) (*sqlexpr.Node, error) {
	reserved := token.Reserved
	if r.Is(readings.GRAM15) {
		reserved = token.ISOReserved
	}
	node, err := sqlexpr.Parse(src, toks, sqlexpr.Options{Reserved: reserved})
	if err == nil {
		return node, nil
	}
	e := diag.From(err).In(src)
	if e.Stage != diag.Syntax {
		return node, e
	}
	if after.Kind == token.Error && e.Pos.Offset >= toks[len(toks)-1].Pos.Offset {
		return nil, after.Err
	}
	return nil, e
}

// startsSection tells whether a sub-clause begins at the current token of an
// expression that began at from. The words are no reserved words, so that what
// stands around them decides: in `x + measures` the word is a column.
func (p *clauseParser) startsSection(from int) bool {
	sec := p.at()
	t := p.s.Peek(0)
	if sec == noSection && !(t.Kind == token.Ident && !t.Quoted && foreign[t.Text] != "" && t.Text != "INTERVAL") {
		return false
	}
	if p.s.Mark() == from {
		return sec == secPattern || sec == secSubset || sec == secDefine
	}
	prev := p.s.Slice(p.s.Mark()-1, p.s.Mark())[0]
	return endsOperand(prev)
}

// endsOperand reports whether an operand may end with the token.
func endsOperand(t token.Token) bool {
	switch t.Kind {
	case token.Number, token.Str, token.BinaryStr, token.HostVar:
		return true
	case token.Ident:
		if t.Quoted {
			return true
		}
		switch t.Text {
		case "AND", "OR", "NOT", "BETWEEN", "IN", "LIKE", "IS", "CASE", "WHEN", "THEN", "ELSE", "ESCAPE", "FROM", "RUNNING", "FINAL", "DISTINCT":
			return false
		}
		return true
	}
	return t.IsOp(")") || t.IsOp("]")
}

// checkShape finds the syntax errors of an expression of MEASURES or DEFINE
// that its tokens alone decide: MEA-1 and NAV-5.
func checkShape(n *sqlexpr.Node, src string) error {
	if n == nil {
		return nil
	}
	if n.Kind == sqlexpr.Call {
		if err := checkCall(n); err != nil {
			return err.In(src)
		}
	}
	for _, sub := range operands(n) {
		if err := checkShape(sub, src); err != nil {
			return err
		}
	}
	return nil
}

// operands returns all expressions directly below a node, in source order as
// far as the node knows it.
func operands(n *sqlexpr.Node) []*sqlexpr.Node {
	out := make([]*sqlexpr.Node, 0, len(n.Args)+2)
	if n.Operand != nil {
		out = append(out, n.Operand)
	}
	out = append(out, n.Args...)
	if n.Else != nil {
		out = append(out, n.Else)
	}
	for _, k := range n.OrderBy {
		out = append(out, k.Expr)
	}
	if n.Filter != nil {
		out = append(out, n.Filter)
	}
	return out
}

// callName returns the name of a call written as one unquoted word, else "".
func callName(n *sqlexpr.Node) string {
	if n.Kind != sqlexpr.Call || len(n.Names) != 1 || n.Names[0].Quoted {
		return ""
	}
	return n.Names[0].Text
}

// navigationStep returns the direction of a navigation call, or NoStep.
func navigationStep(n *sqlexpr.Node) Step {
	switch callName(n) {
	case "FIRST":
		return First
	case "LAST":
		return Last
	case "PREV":
		return Prev
	case "NEXT":
		return Next
	}
	return NoStep
}

func checkCall(n *sqlexpr.Node) *diag.Error {
	name := callName(n)
	step := navigationStep(n)
	if n.Semantics != sqlexpr.NoSemantics && step != First && step != Last && !isAggregateName(name) {
		word := "RUNNING"
		if n.Semantics == sqlexpr.Final {
			word = "FINAL"
		}
		e := diag.New(diag.Syntax, "MEA-1", n.Pos, "%s stands only before an aggregate, FIRST or LAST", word)
		switch {
		case step == Prev || step == Next:
			return e.WithHint("put the keyword inside: %s(%s LAST(...))", name, word)
		case name == "CLASSIFIER":
			return e.WithHint("write %s LAST(CLASSIFIER())", word)
		}
		return e.WithHint("leave %s out, or put it before the FIRST, LAST or aggregate that it is meant for", word)
	}
	if step == NoStep {
		return nil
	}
	if len(n.Args) < 1 || len(n.Args) > 2 {
		return diag.New(diag.Syntax, "NAV-5", n.Pos, "%s takes one argument and perhaps an offset, not %d arguments", name, len(n.Args)).
			WithHint("write %s(expression) or %s(expression, offset)", name, name)
	}
	if len(n.Args) == 2 {
		return checkOffset(name, n.Args[1])
	}
	return nil
}

// checkOffset wants a literal or a host variable, perhaps with a sign (NAV-5).
func checkOffset(name string, n *sqlexpr.Node) *diag.Error {
	lit := n
	if n.Kind == sqlexpr.Unary && (n.Text == "-" || n.Text == "+") {
		lit = n.Args[0]
	}
	switch lit.Kind {
	case sqlexpr.Param:
		if lit == n {
			return nil
		}
	case sqlexpr.Literal:
		t := lit.Type
		if t.Kind == value.Unknown && lit == n || t.IsInteger() || t.Kind == value.Decimal && t.Scale == 0 {
			return nil
		}
		return diag.New(diag.Syntax, "NAV-5", n.Pos, "the offset of %s is no integer", name).
			WithHint("an offset is a number of rows: an integer literal, 0 or more, or a host variable")
	}
	return diag.New(diag.Syntax, "NAV-5", n.Pos, "the offset of %s is neither a literal nor a host variable", name).
		WithHint("write an integer literal, 0 or more, or a host variable such as :n")
}

// isAggregateName reports the name of an aggregate function.
func isAggregateName(name string) bool {
	_, ok := scalar.LookupAggregate(name)
	return ok
}
