package sqlexpr

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// substring rewrites SUBSTRING(x FROM a [FOR b]) or the comma form.
func (r *rewriter) substring(n *Node, args *int) error {
	if err := r.operandOf(args); err != nil {
		return err
	}
	if r.AcceptOp(",") {
		return r.list(args)
	}
	if !r.Accept("FROM") {
		return r.Expected("SQL-1", "FROM or a comma in SUBSTRING", "write SUBSTRING(string FROM start FOR length) or SUBSTRING(string, start, length)")
	}
	n.From = true
	if err := r.operandOf(args); err != nil || !r.Accept("FOR") {
		return err
	}
	return r.operandOf(args)
}

// position rewrites POSITION(a IN b) or the comma form. IN is no predicate here.
func (r *rewriter) position(n *Node, args *int) error {
	*args++
	if err := r.expression(true); err != nil {
		return err
	}
	if r.AcceptOp(",") {
		return r.list(args)
	}
	if !r.Accept("IN") {
		return r.Expected("SQL-1", "IN or a comma in POSITION", "write POSITION(part IN string)")
	}
	n.From = true
	return r.operandOf(args)
}

// trim rewrites TRIM([[LEADING | TRAILING | BOTH] [characters] FROM] string) or the comma form.
func (r *rewriter) trim(n *Node, args *int) error {
	if r.At("LEADING", "TRAILING", "BOTH") && (r.Peek(1).Is("FROM") || startsOperand(r.Peek(1))) {
		n.Trim = r.Next().Text
	}
	if n.Trim == "" || !r.At("FROM") {
		if err := r.operandOf(args); err != nil {
			return err
		}
		if n.Trim == "" && r.AcceptOp(",") {
			return r.list(args)
		}
	}
	if n.Trim == "" && !r.At("FROM") {
		return nil
	}
	if !r.Accept("FROM") {
		return r.Expected("SQL-1", "FROM in TRIM", "write TRIM(BOTH 'c' FROM string)")
	}
	n.From = true
	return r.operandOf(args)
}

const caseForm = "CASE is written CASE WHEN condition THEN value ELSE value END"

// caseOf rewrites both forms of CASE.
func (r *rewriter) caseOf() error {
	t := r.Next()
	n := &Node{Kind: Case, Pos: t.Pos}
	at := r.open(n)
	p := parts{}
	if !r.At("WHEN") {
		p.operand = true
		if err := r.operandOf(&p.args); err != nil {
			return err
		}
	}
	if !r.At("WHEN") {
		return r.unexpected("an operator or WHEN", caseForm)
	}
	for r.Accept("WHEN") {
		if err := r.operandOf(&p.args); err != nil {
			return err
		}
		if !r.Accept("THEN") {
			return r.unexpected("an operator or THEN", caseForm)
		}
		if err := r.operandOf(&p.args); err != nil {
			return err
		}
	}
	if r.Accept("ELSE") {
		p.last = true
		if err := r.operandOf(&p.args); err != nil {
			return err
		}
	}
	if !r.Accept("END") {
		return r.unexpected("an operator, WHEN, ELSE or END", caseForm)
	}
	r.items[at].parts = p
	r.close(at)
	return nil
}

// array rewrites ARRAY[elements].
func (r *rewriter) array() error {
	t := r.Next()
	r.Next() // [
	at := r.open(&Node{Kind: ArrayMaker, Pos: t.Pos})
	p := parts{}
	if !r.AtOp("]") {
		if err := r.list(&p.args); err != nil {
			return err
		}
	}
	if !r.AcceptOp("]") {
		return r.unexpected("a comma or ]", "an array is written ARRAY[a, b, c]")
	}
	r.items[at].parts = p
	r.close(at)
	return nil
}

const extractForm = "write for example EXTRACT(DAY FROM x)"

// extract rewrites EXTRACT(field FROM e).
func (r *rewriter) extract() error {
	t := r.Next()
	r.Next() // (
	field := r.Peek(0)
	if !isField(field) {
		return r.Expected("SQL-1", "YEAR, MONTH, DAY, HOUR, MINUTE or SECOND in EXTRACT", extractForm)
	}
	r.Next()
	if err := r.Expect("FROM", extractForm); err != nil {
		return err
	}
	return r.single(&Node{Kind: Extract, Pos: t.Pos, OpPos: t.Pos, Text: field.Text}, func() error {
		return r.closing("an operator or )", extractForm)
	})
}

// single rewrites a form with one operand; rest takes what follows the operand.
func (r *rewriter) single(n *Node, rest func() error) error {
	at := r.open(n)
	p := parts{}
	if err := r.operandOf(&p.args); err != nil {
		return err
	}
	r.items[at].parts = p
	if err := rest(); err != nil {
		return err
	}
	r.close(at)
	return nil
}

const castForm = "write CAST(value AS type)"

// cast rewrites CAST(e AS type).
func (r *rewriter) cast() error {
	t := r.Next()
	if err := r.ExpectOp("(", castForm); err != nil {
		return err
	}
	n := &Node{Kind: Cast, Pos: t.Pos, OpPos: t.Pos}
	return r.single(n, func() error {
		if !r.Accept("AS") {
			return r.unexpected("an operator or AS and a type", castForm)
		}
		typ, err := r.typeName()
		n.Type = typ
		if err != nil {
			return err
		}
		return r.closing(")", castForm)
	})
}

// typeName takes the tokens of a type up to the closing parenthesis. A type
// that does not exist is a semantic error, which waits for the syntax errors.
func (r *rewriter) typeName() (value.Type, error) {
	first := r.Peek(0)
	if first.Kind != token.Ident || first.Quoted {
		return value.TypeUnknown, r.Expected("SQL-1", "a type", "write the name of a type, for example CAST(value AS bigint) or CAST(value AS decimal(10, 2))")
	}
	text := ""
	for depth := 0; ; r.Next() {
		t := r.Peek(0)
		switch {
		case t.Kind == token.Ident && !t.Quoted, t.Kind == token.Number, t.IsOp(","), t.IsOp("["), t.IsOp("]"):
		case t.IsOp("("):
			depth++
		case t.IsOp(")") && depth > 0:
			depth--
		case t.IsOp(")"):
			typ, err := value.ParseType(text)
			if err != nil && r.later == nil {
				r.later = diag.From(err).At(first.Pos).In(r.Source())
			}
			return typ, nil
		default:
			return value.TypeUnknown, r.Expected("SQL-1", ") after the type", castForm)
		}
		if t.Kind == token.Ident && text != "" {
			text += " "
		}
		text += t.Text
	}
}
