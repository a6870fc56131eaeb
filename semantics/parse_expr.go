package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// expression parses the longest expression that begins here. Semantic errors
// that the expression parser sees, such as an unknown type, are kept for later:
// syntax errors behind them come first. The hint says what to write if there is none.
func (p *clauseParser) expression(hint string) (*sqlexpr.Node, error) {
	if p.s.AtOp(",") || p.s.AtOp(")") || p.s.Done() {
		if i := p.s.Index(); i > 0 && p.s.Slice(i-1, i)[0].IsOp(",") {
			hint = "remove the comma before it, or go on: " + hint
		}
		return nil, p.s.Expected(p.s.Rule, "an expression", hint)
	}
	switch afterComma := p.s.Index() > 0 && p.s.Slice(p.s.Index()-1, p.s.Index())[0].IsOp(","); {
	case p.s.AtSeq("ONE", "ROW"), p.s.AtSeq("ALL", "ROWS"), p.s.AtSeq("AFTER", "MATCH"):
		if afterComma {
			hint = "remove the comma before it, or go on: " + hint
		}
		return nil, p.s.Expected(p.s.Rule, "an expression", hint)
	case p.s.At("AS", "PATTERN", "SUBSET", "DEFINE"):
		e := p.s.ReservedError("an expression")
		if !afterComma {
			e.Hint = hint
		}
		return nil, e
	}
	node, err := ParseExpression(p.s, p.readings)
	if node != nil && err != nil {
		p.out.late.Add(err)
		err = nil
	}
	return node, err
}

// ParseExpression parses the longest expression that begins at the stream's
// current token, and moves behind it. With a semantic error, which later syntax
// errors precede, the node is returned too.
func ParseExpression(s *token.Stream, r readings.Set) (*sqlexpr.Node, error) {
	reserved := token.Reserved
	if r.Is(readings.GRAM15) {
		reserved = token.ISOReserved
	}
	from := s.Mark()
	node, used, err := sqlexpr.ParsePrefix(s.Source(), s.Rest(), sqlexpr.Options{Reserved: reserved})
	if node != nil {
		s.Reset(from + used)
	}
	if err != nil {
		return node, diag.From(err).In(s.Source())
	}
	return node, nil
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
	for _, sub := range n.Operands() {
		if err := checkShape(sub, src); err != nil {
			return err
		}
	}
	return nil
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
		case name == "MATCH_NUMBER":
			return e.WithHint("leave %s out: the number is the same on every row of the match", word)
		}
		return e.WithHint("leave %s out, or put it before the FIRST, LAST or aggregate that it is meant for", word)
	}
	if step == NoStep {
		return nil
	}
	if len(n.Args) < 1 || len(n.Args) > 2 {
		return diag.New(diag.Syntax, "NAV-5", n.Pos, "%s takes one argument and perhaps an offset, not %s", name, diag.Counted(len(n.Args), "argument")).
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
			WithHint("write a number of rows: an integer literal, 0 or more, or a host variable such as :n")
	}
	return diag.New(diag.Syntax, "NAV-5", n.Pos, "the offset of %s is neither a literal nor a host variable", name).
		WithHint("write an integer literal, 0 or more, or a host variable such as :n")
}

// isAggregateName reports the name of an aggregate function.
func isAggregateName(name string) bool {
	_, ok := scalar.LookupAggregate(name)
	return ok
}
