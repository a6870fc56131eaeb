package sqlexpr

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// semantics rewrites RUNNING or FINAL before a call (MEA-1). The words may be
// names too (GRAM-11, GRAM-15): ok is false if that is what they are here.
func (r *rewriter) semantics() (ok bool, err error) {
	t, next := r.Peek(0), r.Peek(1)
	if !startsOperand(next) {
		return false, nil
	}
	special := next.Is("CASE") || next.Is("CAST") || next.Is("EXISTS") || next.Is("EXTRACT")
	if next.Kind == token.Ident && r.Peek(2).IsOp("(") && !special {
		r.Next()
		if t.Text == "FINAL" {
			return true, r.call(Final, t.Pos)
		}
		return true, r.call(Running, t.Pos)
	}
	return false, r.Errorf("MEA-1", "%s stands before something that is no call of an aggregate, FIRST or LAST", t.Text).
		WithHint("write %s directly before the call, for example %s LAST(A.x)", t.Text, t.Text)
}

// call rewrites a function call with what may follow it; pos is that of its first token.
func (r *rewriter) call(s Semantics, pos diag.Pos) error {
	name := r.Next().Word()
	r.Next() // (
	n := &Node{Kind: Call, Pos: pos, Names: []token.Word{name}, Semantics: s}
	at := r.open(n)
	p := parts{}
	var err error
	switch {
	case !name.Quoted && name.Text == "SUBSTRING":
		err = r.substring(n, &p.args)
	case !name.Quoted && name.Text == "POSITION":
		err = r.position(n, &p.args)
	case !name.Quoted && name.Text == "TRIM":
		err = r.trim(n, &p.args)
	default:
		err = r.arguments(n, &p)
	}
	if err == nil {
		err = r.closing("a comma or )", "separate the arguments of "+name.String()+" by commas and close the list with )")
	}
	if err == nil {
		err = r.modifiers(n, &p)
	}
	if err != nil {
		return err
	}
	r.items[at].parts = p
	r.close(at)
	return nil
}

// arguments rewrites [DISTINCT | ALL] arguments [ORDER BY keys].
func (r *rewriter) arguments(n *Node, p *parts) error {
	if r.AtOp(")") {
		return nil
	}
	if star, err := r.star(n); star || err != nil {
		p.args = 1
		return err
	}
	if !r.Accept("ALL") {
		n.Distinct = r.Accept("DISTINCT")
	}
	if err := r.list(&p.args); err != nil {
		return err
	}
	switch {
	case r.At("ORDER"):
		return r.orderBy(n, p)
	case r.AtOp("=>"):
		return r.unsupported(r.Pos(), "arguments by name are not supported").WithHint("write the arguments in their order")
	case r.AtSeq("ON", "OVERFLOW"):
		return r.unsupported(r.Pos(), "ON OVERFLOW is not supported").WithHint("leave it out: strings have no largest length")
	}
	return nil
}

// list rewrites expressions separated by commas, after those that n counts.
func (r *rewriter) list(n *int) error {
	for {
		if err := r.operandOf(n); err != nil || !r.AcceptOp(",") {
			return err
		}
	}
}

// star takes * or qualifier.* as the only argument; only COUNT has it (AGG-2).
func (r *rewriter) star(call *Node) (bool, error) {
	t := r.Peek(0)
	n := &Node{Kind: Star, Pos: t.Pos, End: t.End}
	switch {
	case t.IsOp("*"):
		r.Next()
	case t.Kind == token.Ident && r.Peek(1).IsOp(".") && r.Peek(2).IsOp("*"):
		if !r.AtName() {
			return false, r.reserved(t)
		}
		n.Names, n.End = []token.Word{t.Word()}, r.Peek(2).End
		r.Reset(r.Index() + 3)
	default:
		return false, nil
	}
	if call.Names[0].Text != "COUNT" {
		e := diag.New(diag.Syntax, "AGG-2", n.Pos, "only COUNT takes a *, not %s", call.Names[0]).In(r.Source())
		switch call.Names[0].Text {
		case "MATCH_NUMBER", "CLASSIFIER", "ROW_NUMBER", "RANK", "DENSE_RANK":
			return false, e.WithHint("write %s() with nothing between the parentheses", call.Names[0])
		}
		return false, e.WithHint("write a column or another expression instead of the *, or COUNT for the number of rows")
	}
	r.leaf(n)
	return true, nil
}

// orderBy rewrites ORDER BY with its keys.
func (r *rewriter) orderBy(n *Node, p *parts) error {
	if err := r.ExpectSeq("write ORDER BY and what to order by", "ORDER", "BY"); err != nil {
		return err
	}
	for all := p.args + p.order; ; {
		if err := r.operandOf(&all); err != nil {
			return err
		}
		p.order++
		key := SortItem{}
		if !r.Accept("ASC") {
			key.Descending = r.Accept("DESC")
		}
		if r.Accept("NULLS") {
			first := r.Accept("FIRST")
			if !first && !r.Accept("LAST") {
				return r.Expected("SQL-1", "FIRST or LAST after NULLS", "write NULLS FIRST or NULLS LAST")
			}
			key.NullsFirst = &first
		}
		n.OrderBy = append(n.OrderBy, key)
		if !r.AcceptOp(",") {
			return nil
		}
	}
}

// modifiers rewrites what may follow the arguments of a call.
func (r *rewriter) modifiers(n *Node, p *parts) error {
	if r.AtSeq("WITHIN", "GROUP") {
		if p.order > 0 {
			return r.Errorf("SQL-1", "a call has ORDER BY and WITHIN GROUP").WithHint("keep one of them")
		}
		r.Reset(r.Index() + 2)
		n.Within = true
		const form = "write WITHIN GROUP (ORDER BY ...)"
		if err := r.ExpectOp("(", form); err != nil {
			return err
		}
		if err := r.orderBy(n, p); err != nil {
			return err
		}
		if err := r.closing("a comma or )", form); err != nil {
			return err
		}
	}
	if r.At("FILTER") && r.Peek(1).IsOp("(") {
		r.Reset(r.Index() + 2)
		const form = "write FILTER (WHERE condition)"
		if err := r.Expect("WHERE", form); err != nil {
			return err
		}
		all := p.args + p.order
		if err := r.operandOf(&all); err != nil {
			return err
		}
		p.filter = true
		if err := r.closing("an operator or )", form); err != nil {
			return err
		}
	}
	if (r.At("IGNORE") || r.At("RESPECT")) && r.Peek(1).Is("NULLS") {
		return r.unsupported(r.Pos(), "%s NULLS is not supported", r.Peek(0).Text).
			WithHint("leave it out; NULLs count as rows")
	}
	return r.over(n)
}

// over takes OVER name or OVER (specification). Before anything else the word
// is left alone: it may be an alias.
func (r *rewriter) over(n *Node) error {
	t, next := r.Peek(0), r.Peek(1)
	inline := next.IsOp("(")
	if !t.Is("OVER") || !inline && (next.Kind != token.Ident || !next.Quoted && r.IsReserved(next.Text)) {
		return nil
	}
	r.Next()
	n.Over = &Over{Pos: t.Pos, Inline: inline}
	if inline {
		toks, err := r.inside()
		n.Over.Spec = toks
		n.End = r.lastEnd()
		return err
	}
	w := r.Next().Word()
	n.Over.Name, n.End = &w, w.End
	return nil
}
