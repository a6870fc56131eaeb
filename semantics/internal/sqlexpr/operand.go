package sqlexpr

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// maxNameParts is the largest number of parts of a qualified name.
const maxNameParts = 4

// operand rewrites one operand without its signs.
func (r *rewriter) operand(seg *segment) error {
	if r.Index() > r.opts.MaxTokens {
		return r.limit("an expression has more than %d tokens", r.opts.MaxTokens).
			WithHint("keep long lists in a table and compare with IN (SELECT ...)")
	}
	t := r.Peek(0)
	fresh := !seg.any
	seg.any = true
	switch {
	case t.Kind == token.Ident && t.Quoted:
		return r.name()
	case t.Kind == token.Ident:
		return r.word(t, seg, fresh)
	case t.IsOp("("):
		return r.parenthesised()
	case t.Kind == token.Number, t.Kind == token.Str, t.Kind == token.BinaryStr:
		return r.literal()
	case t.Kind == token.HostVar:
		r.Next()
		r.leaf(&Node{Kind: Param, Text: t.Text, Pos: t.Pos, End: t.End})
		return nil
	}
	return r.unexpected("an expression", r.operandHint(t))
}

// word rewrites an operand that begins with an unquoted word.
func (r *rewriter) word(t token.Token, seg *segment, fresh bool) error {
	next := r.Peek(1)
	switch t.Text {
	case "NULL", "TRUE", "FALSE":
		return r.literal()
	case "UNKNOWN":
		if r.IsReserved(t.Text) {
			return r.literal()
		}
	case "CASE":
		return r.caseOf()
	case "CAST":
		return r.cast()
	case "EXISTS":
		if !fresh {
			return r.chained(t) // a predicate is no operand
		}
		seg.pred = closedPredicate
		return r.exists()
	case "DATE", "TIME", "TIMESTAMP":
		if next.Kind == token.Str {
			return r.literal()
		}
	case "INTERVAL":
		if signed := next.IsOp("-") || next.IsOp("+"); next.Kind == token.Str || signed && r.Peek(2).Kind == token.Str {
			return r.interval()
		}
		if next.Kind == token.Number || next.Kind == token.HostVar || next.Kind == token.Ident && startsOperand(next) {
			return r.Errorf("SQL-1", "INTERVAL without quotes is MySQL's form").
				WithHint("write INTERVAL '5' MINUTE, or multiply: n * INTERVAL '1' MINUTE")
		}
	case "ARRAY":
		if next.IsOp("[") {
			return r.array()
		}
	case "EXTRACT":
		if next.IsOp("(") {
			return r.extract()
		}
	case "RUNNING", "FINAL":
		if ok, err := r.semantics(); ok || err != nil {
			return err
		}
	case "ANY", "SOME", "ALL":
		if next.IsOp("(") && startsQuery(r.Peek(2)) {
			return r.unsupported(t.Pos, "comparison with %s (subquery) is not supported", t.Text).
				WithHint("write IN (subquery) or EXISTS (subquery)")
		}
	case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "CURRENT_USER",
		"SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE", "CURRENT_SCHEMA", "CURRENT_CATALOG", "CURRENT_PATH":
		if !next.IsOp("(") && !next.IsOp(".") {
			r.Next()
			n := &Node{Kind: Call, Names: []token.Word{t.Word()}, Pos: t.Pos, NoParens: true}
			r.close(r.open(n))
			return nil
		}
	}
	return r.name()
}

// operandHint tells what to do where t stands in the place of an operand.
func (r *rewriter) operandHint(t token.Token) string {
	before := token.Token{}
	if i := r.Index(); i > 0 {
		before = r.Slice(i-1, i)[0]
	}
	switch {
	case t.IsOp("*"):
		return "write a column or another expression; * stands only in COUNT(*), and in a select list for all columns"
	case t.IsOp("{-"), t.IsOp("{"), t.IsOp("}"), t.IsOp("-}"), t.IsOp("$"):
		return "this belongs into PATTERN; write an expression here"
	case before.IsOp(","):
		return "remove the comma before it, or write one more expression"
	case before.IsOp("(") && t.IsOp(")"):
		return "write an expression between the parentheses"
	case before.Kind == token.Op && !before.IsOp("(") && !before.IsOp(")"):
		return "write an operand behind " + before.Text + ", or remove the operator"
	case before.Kind == token.Ident && !before.Quoted:
		return "write an expression behind " + before.Text
	case t.Kind == token.EOF:
		return "the text ends too early: write an expression"
	}
	return "write an expression in its place: a column, a literal, a call or a parenthesis"
}

// strayHint tells what to do where something follows an operand that cannot.
func (r *rewriter) strayHint() string {
	t := r.Peek(0)
	switch {
	case t.Kind == token.EOF:
		return "add the missing closing parenthesis"
	case t.Kind == token.Number, t.Kind == token.Str, t.Kind == token.HostVar, t.Kind == token.BinaryStr, t.Kind == token.Ident:
		return "put an operator or a comma before it: two operands cannot follow one another"
	case t.IsOp("!"), t.IsOp("{"), t.IsOp("}"):
		return "write AND, OR and NOT between conditions"
	case t.IsOp(";"):
		return "close the parenthesis before the semicolon"
	case t.IsOp(")"):
		return "remove it: there is one closing parenthesis too many"
	}
	return "remove it, or write an operator that SQL has"
}

// name rewrites a name of one to four parts, or a call.
func (r *rewriter) name() error {
	first := r.Peek(0)
	if r.Peek(1).IsOp("(") {
		if !first.Quoted && token.Reserved(first.Text) && first.Text != "ANY" {
			return r.reserved(first)
		}
		return r.call(NoSemantics, first.Pos)
	}
	n := &Node{Kind: Name, Pos: first.Pos}
	for {
		t := r.Peek(0)
		switch {
		case t.Kind == token.Ident && !t.Quoted && r.IsReserved(t.Text):
			return r.reserved(t)
		case t.IsOp("*") && len(n.Names) > 0:
			return r.Errorf("AGG-2", "%s.* stands where a value is needed", n.Names[len(n.Names)-1]).
				WithHint("name a column, or count rows with COUNT(%s.*)", n.Names[len(n.Names)-1])
		case t.Kind != token.Ident:
			return r.Expected("SQL-1", "a name after the point", "write qualifier.column, or remove the point")
		case len(n.Names) == maxNameParts:
			return r.Errorf("SQL-1", "a name has more than %d parts", maxNameParts).
				WithHint("write column, table.column, schema.table.column or catalog.schema.table.column")
		}
		r.Next()
		n.Names = append(n.Names, t.Word())
		n.End = t.End
		if !r.AcceptOp(".") {
			break
		}
	}
	if r.AtOp("(") {
		return r.unsupported(n.Pos, "calls of functions with a qualified name are not supported").
			WithHint("write the function's name alone")
	}
	if err := r.over(n); err != nil {
		return err
	}
	r.leaf(n)
	return nil
}

// reserved is the error of a reserved word in the place of an operand.
func (r *rewriter) reserved(t token.Token) error {
	e := r.ReservedError("an expression")
	switch {
	case (t.Text == "LEFT" || t.Text == "RIGHT") && r.Peek(1).IsOp("("):
		e.Hint = "write SUBSTRING(x FROM a FOR b)"
	case t.Is("WHEN"), t.Is("THEN"), t.Is("ELSE"), t.Is("END"):
		e.Hint = "write a value before " + t.Text + ": " + caseForm
	case t.Is("AND"), t.Is("OR"), t.Is("IN"), t.Is("LIKE"), t.Is("BETWEEN"), t.Is("IS"):
		e.Hint = "write an operand before " + t.Text + ": it joins what stands on both sides"
	case t.Is("NOT"):
		e.Hint = "put NOT and what it negates in parentheses"
	case t.Is("SELECT"), t.Is("VALUES"), t.Is("WITH"):
		e.Hint = "a subquery stands in parentheses: (SELECT ...)"
	}
	return e
}

// parenthesised rewrites ( expression ) or a scalar subquery.
func (r *rewriter) parenthesised() error {
	if n, err := r.subquery(); err != nil {
		return err
	} else if n != nil {
		r.leaf(n)
		return nil
	}
	t := r.Next()
	at := r.emit("(", item{kind: itemParen, pos: t.Pos})
	if err := r.expression(false); err != nil {
		return err
	}
	if r.AtOp(",") {
		return r.unsupported(t.Pos, "row values (a, b) are not supported").
			WithHint("compare the columns one by one, joined with AND")
	}
	if err := r.closing("an operator or )", r.strayHint()); err != nil {
		return err
	}
	r.items[at].end = r.lastEnd()
	r.out = append(r.out, ')')
	return nil
}

// startsQuery reports whether a parenthesised group that begins with t is a subquery.
func startsQuery(t token.Token) bool { return t.Is("SELECT") || t.Is("WITH") || t.Is("VALUES") }

// subquery takes ( query ), if a query begins here; else it returns nil.
func (r *rewriter) subquery() (*Node, error) {
	open := r.Peek(0)
	if !open.IsOp("(") || !startsQuery(r.Peek(1)) {
		return nil, nil
	}
	toks, err := r.inside()
	if err != nil {
		return nil, err
	}
	return &Node{Kind: Subquery, Pos: open.Pos, End: r.lastEnd(), Tokens: toks}, nil
}

// inside takes a parenthesised group as it stands and returns the tokens in it.
func (r *rewriter) inside() ([]token.Token, error) {
	open := r.Next()
	from := r.Index()
	for depth := 1; ; {
		switch t := r.Next(); {
		case t.Kind == token.Error:
			return nil, t.Err
		case t.Kind == token.EOF:
			return nil, diag.New(diag.Syntax, "SQL-1", open.Pos, "the parenthesis that opens here is not closed").In(r.Source()).
				WithHint("close it after the subquery")
		case t.IsOp("("):
			depth++
		case t.IsOp(")"):
			if depth--; depth == 0 {
				return r.Slice(from, r.Index()-1), nil
			}
		}
	}
}

// exists rewrites EXISTS (subquery).
func (r *rewriter) exists() error {
	t := r.Next()
	n, err := r.subquery()
	if err != nil {
		return err
	}
	if n == nil {
		return r.Expected("SQL-1", "( and a query after EXISTS", "write EXISTS (SELECT ...)")
	}
	n.Kind, n.Pos, n.OpPos = Exists, t.Pos, t.Pos
	r.leaf(n)
	return nil
}
