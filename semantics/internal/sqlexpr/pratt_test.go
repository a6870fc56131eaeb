package sqlexpr

import (
	"encoding/hex"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// This file is a second opinion: a Pratt parser of the same language, written
// from the grammar of 9075-2 and without TiDB's parser. It states the shape
// rules on the tree (what kind of operand an operator has), where the bridge
// states them on the tokens. It says only "refused", not why.

// Binding powers, loosest first.
const (
	bpOr = iota + 1
	bpAnd
	bpNot
	bpTruth
	bpPredicate
	bpSum // and ||
	bpProduct
	bpSign
	bpPrimary
)

type refused struct{}

type pratt struct {
	*token.Stream
	depth int
}

// secondOpinion parses toks; ok is false if they are refused.
func secondOpinion(src string, toks []token.Token) (n *Node, ok bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, isRefusal := p.(refused); !isRefusal {
				panic(p)
			}
			n, ok = nil, false
		}
	}()
	p := pratt{Stream: token.NewStream(src, toks)}
	n = p.expr(bpOr)
	p.must(p.Done())
	return n, true
}

func (p *pratt) must(ok bool) {
	if !ok {
		panic(refused{})
	}
}

func (p *pratt) end() int { return p.Slice(p.Index()-1, p.Index())[0].End }

// class is the binding power of what a node is, 0 for ||.
func class(n *Node) int {
	if n.Parens {
		return bpPrimary
	}
	switch n.Kind {
	case Unary:
		if n.Text == "NOT" {
			return bpNot
		}
		return bpSign
	case Binary:
		switch n.Text {
		case "OR":
			return bpOr
		case "AND":
			return bpAnd
		case "+", "-":
			return bpSum
		case "*", "/":
			return bpProduct
		case "||":
			return 0
		}
		return bpPredicate
	case Between, In, Like, IsNull, IsDistinct, Exists:
		return bpPredicate
	case IsTruth:
		return bpTruth
	}
	return bpPrimary
}

// isValue: may be an operand of a predicate.
func isValue(n *Node) bool { return class(n) == 0 || class(n) >= bpSum }

// isNumeric: may be an operand of arithmetic.
func isNumeric(n *Node) bool { return class(n) >= bpSum }

func (p *pratt) expr(min int) *Node {
	if p.depth++; p.depth > 10000 {
		panic(refused{})
	}
	defer func() { p.depth-- }()
	left := p.nud(min)
	for {
		next := p.led(left, min)
		if next == nil {
			return left
		}
		next.Pos = left.Pos
		next.End = p.end()
		left = next
	}
}

// nud parses a prefix or a primary.
func (p *pratt) nud(min int) *Node {
	t := p.Peek(0)
	switch {
	case t.Is("NOT"):
		p.must(min <= bpNot)
		p.Next()
		arg := p.expr(bpTruth)
		return &Node{Kind: Unary, Text: "NOT", Pos: t.Pos, OpPos: t.Pos, Args: []*Node{arg}, End: p.end()}
	case t.IsOp("-"), t.IsOp("+"):
		p.must(min <= bpSign)
		p.Next()
		arg := p.expr(bpSign)
		p.must(isNumeric(arg))
		return &Node{Kind: Unary, Text: t.Text, Pos: t.Pos, OpPos: t.Pos, Args: []*Node{arg}, End: p.end()}
	}
	n := p.primary()
	p.must(n.Kind != Exists || n.Parens || min <= bpPredicate)
	n.Pos = t.Pos
	n.End = p.end()
	return n
}

// led parses an operator and its right operands; nil if none can stand here.
func (p *pratt) led(left *Node, min int) *Node {
	t := p.Peek(0)
	op := func(power int) bool {
		if power < min {
			return false
		}
		p.Next()
		return true
	}
	binary := func(power int) *Node {
		return &Node{Kind: Binary, Text: t.Text, OpPos: t.Pos, Args: []*Node{left, p.expr(power + 1)}}
	}
	predicate := func(kind Kind, negated bool, args ...*Node) *Node {
		p.must(isValue(left))
		for _, a := range args {
			p.must(isValue(a))
		}
		return &Node{Kind: kind, OpPos: t.Pos, Negated: negated, Args: append([]*Node{left}, args...)}
	}
	if t.Kind == token.Op {
		switch t.Text {
		case "+", "-", "*", "/":
			power := bpSum
			if t.Text == "*" || t.Text == "/" {
				power = bpProduct
			}
			if !op(power) {
				return nil
			}
			n := binary(power)
			p.must(isNumeric(left) && isNumeric(n.Args[1]))
			return n
		case "||":
			if !op(bpSum) {
				return nil
			}
			n := binary(bpPrimary - 1)
			p.must((class(left) == 0 || class(left) == bpPrimary) && class(n.Args[1]) == bpPrimary)
			return n
		case "=", "<>", "<", "<=", ">", ">=":
			if !op(bpPredicate) {
				return nil
			}
			n := predicate(Binary, false, p.expr(bpSum))
			n.Text = t.Text
			return n
		}
		return nil
	}
	switch {
	case t.Is("OR"):
		if op(bpOr) {
			return binary(bpOr)
		}
	case t.Is("AND"):
		if op(bpAnd) {
			return binary(bpAnd)
		}
	case t.Is("IS"):
		k := 1
		negated := p.Peek(k).Is("NOT")
		if negated {
			k++
		}
		switch what := p.Peek(k); {
		case what.Is("TRUE"), what.Is("FALSE"), what.Is("UNKNOWN"):
			if !op(bpTruth) {
				return nil
			}
			p.Reset(p.Index() + k)
			p.must(class(left) == 0 || class(left) >= bpPredicate)
			return &Node{Kind: IsTruth, Text: what.Text, OpPos: t.Pos, Negated: negated, Args: []*Node{left}}
		case what.Is("NULL"):
			if !op(bpPredicate) {
				return nil
			}
			p.Reset(p.Index() + k)
			return predicate(IsNull, negated)
		case what.Is("DISTINCT"):
			if !op(bpPredicate) {
				return nil
			}
			p.Reset(p.Index() + k)
			p.must(p.Accept("FROM"))
			return predicate(IsDistinct, negated, p.expr(bpSum))
		}
		p.must(false)
	case t.Is("NOT"), t.Is("BETWEEN"), t.Is("IN"), t.Is("LIKE"):
		if bpPredicate < min {
			return nil
		}
		negated := p.Accept("NOT")
		switch {
		case p.Accept("LIKE"):
			n := predicate(Like, negated, p.expr(bpSum))
			if p.Accept("ESCAPE") {
				e := p.expr(bpSum)
				p.must(isValue(e))
				n.Args = append(n.Args, e)
			}
			return n
		case p.Accept("BETWEEN"):
			if p.At("SYMMETRIC", "ASYMMETRIC") && startsOperand(p.Peek(1)) {
				p.must(p.At("ASYMMETRIC"))
				p.Next()
			}
			low := p.expr(bpSum)
			p.must(p.Accept("AND"))
			return predicate(Between, negated, low, p.expr(bpSum))
		case p.Accept("IN"):
			p.must(p.AtOp("("))
			n := predicate(In, negated)
			if startsQuery(p.Peek(1)) {
				n.Args = append(n.Args, p.primaryAt())
				return n
			}
			p.Next()
			n.Args = append(n.Args, p.list()...)
			p.must(p.AcceptOp(")"))
			return n
		}
		p.must(false)
	}
	return nil
}

func (p *pratt) list() []*Node {
	out := []*Node{p.expr(bpOr)}
	for p.AcceptOp(",") {
		out = append(out, p.expr(bpOr))
	}
	return out
}

// primaryAt is primary with places.
func (p *pratt) primaryAt() *Node {
	pos := p.Pos()
	n := p.primary()
	n.Pos, n.End = pos, p.end()
	return n
}

func (p *pratt) primary() *Node {
	t, next := p.Peek(0), p.Peek(1)
	lit := func(v value.Value, typ value.Type, err error, text string) *Node {
		p.must(err == nil)
		return &Node{Kind: Literal, Value: v, Type: typ, Text: text}
	}
	switch t.Kind {
	case token.Number:
		p.Next()
		v, typ, err := value.ParseNumber(t.Text)
		return lit(v, typ, err, t.Text)
	case token.Str:
		p.Next()
		return lit(value.String(t.Text), value.TypeVarchar, nil, token.QuoteString(t.Text))
	case token.BinaryStr:
		p.Next()
		return lit(value.Bytes([]byte(t.Text)), value.TypeBinary, nil, "X'"+hex.EncodeToString([]byte(t.Text))+"'")
	case token.HostVar:
		p.Next()
		return &Node{Kind: Param, Text: t.Text}
	case token.Op:
		p.must(t.Text == "(")
		if startsQuery(next) {
			return &Node{Kind: Subquery, Tokens: p.group()}
		}
		p.Next()
		n := p.expr(bpOr)
		p.must(p.AcceptOp(")"))
		n.Parens = true
		return n
	case token.Ident:
		if t.Quoted {
			return p.name(NoSemantics)
		}
	default:
		p.must(false)
	}
	switch t.Text {
	case "NULL":
		p.Next()
		return lit(value.Null, value.TypeUnknown, nil, "NULL")
	case "TRUE", "FALSE":
		p.Next()
		return lit(value.Bool(t.Text == "TRUE"), value.TypeBoolean, nil, t.Text)
	case "CASE":
		return p.caseOf()
	case "CAST":
		p.Next()
		p.must(p.AcceptOp("("))
		n := &Node{Kind: Cast, OpPos: t.Pos, Args: []*Node{p.expr(bpOr)}}
		p.must(p.Accept("AS"))
		n.Type = p.typ()
		p.must(p.AcceptOp(")"))
		return n
	case "EXISTS":
		p.Next()
		p.must(p.AtOp("(") && startsQuery(p.Peek(1)))
		return &Node{Kind: Exists, OpPos: t.Pos, Tokens: p.group()}
	case "DATE", "TIME", "TIMESTAMP":
		if next.Kind == token.Str {
			p.Reset(p.Index() + 2)
			text := t.Text + " " + token.QuoteString(next.Text)
			switch t.Text {
			case "DATE":
				v, err := value.ParseDate(next.Text)
				return lit(v, value.TypeDate, err, text)
			case "TIME":
				v, typ, err := value.ParseTime(next.Text)
				return lit(v, typ, err, text)
			}
			v, typ, err := value.ParseTimestamp(next.Text)
			return lit(v, typ, err, text)
		}
	case "INTERVAL":
		if next.Kind == token.Str || (next.IsOp("-") || next.IsOp("+")) && p.Peek(2).Kind == token.Str {
			return p.interval()
		}
	case "ARRAY":
		if next.IsOp("[") {
			p.Reset(p.Index() + 2)
			n := &Node{Kind: ArrayMaker}
			if !p.AtOp("]") {
				n.Args = p.list()
			}
			p.must(p.AcceptOp("]"))
			return n
		}
	case "EXTRACT":
		if next.IsOp("(") {
			p.Reset(p.Index() + 2)
			f := p.Next()
			p.must(isField(f) && p.Accept("FROM"))
			n := &Node{Kind: Extract, OpPos: t.Pos, Text: f.Text, Args: []*Node{p.expr(bpOr)}}
			p.must(p.AcceptOp(")"))
			return n
		}
	case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP", "CURRENT_USER",
		"SESSION_USER", "SYSTEM_USER", "CURRENT_ROLE", "CURRENT_SCHEMA", "CURRENT_CATALOG", "CURRENT_PATH":
		if !next.IsOp("(") && !next.IsOp(".") {
			p.Next()
			return &Node{Kind: Call, NoParens: true, Names: []token.Word{t.Word()}}
		}
	case "RUNNING", "FINAL":
		if startsOperand(next) {
			p.must(next.Kind == token.Ident && p.Peek(2).IsOp("("))
			p.must(next.Quoted || next.Text == "ANY" || !token.Reserved(next.Text) && next.Text != "EXTRACT")
			p.Next()
			if t.Text == "FINAL" {
				return p.name(Final)
			}
			return p.name(Running)
		}
	}
	return p.name(NoSemantics)
}

// group takes the parenthesised tokens that begin here.
func (p *pratt) group() []token.Token {
	p.must(p.AcceptOp("("))
	from, depth := p.Index(), 1
	for depth > 0 {
		t := p.Next()
		p.must(t.Kind != token.EOF && t.Kind != token.Error)
		if t.IsOp("(") {
			depth++
		} else if t.IsOp(")") {
			depth--
		}
	}
	return p.Slice(from, p.Index()-1)
}

func (p *pratt) typ() value.Type {
	var text []string
	first := p.Peek(0)
	p.must(first.Kind == token.Ident && !first.Quoted)
	for depth := 0; depth > 0 || !p.AtOp(")"); {
		t := p.Next()
		p.must(t.Kind == token.Ident && !t.Quoted || t.Kind == token.Number ||
			t.Kind == token.Op && strings.Contains("(),[]", t.Text))
		if t.IsOp("(") {
			depth++
		} else if t.IsOp(")") {
			depth--
		}
		text = append(text, t.Text)
	}
	s := strings.Join(text, " ")
	for _, o := range []string{"(", ")", ",", "[", "]"} {
		s = strings.ReplaceAll(s, " "+o, o)
		if o != ")" && o != "]" {
			s = strings.ReplaceAll(s, o+" ", o)
		}
	}
	typ, err := value.ParseType(s)
	p.must(err == nil)
	return typ
}

func (p *pratt) interval() *Node {
	p.Next()
	sign := ""
	if t := p.Peek(0); t.Kind == token.Op {
		sign = p.Next().Text
	}
	text := p.Next().Text
	from := p.Next()
	p.must(isField(from) && !p.AtOp("("))
	shown, to := "INTERVAL "+sign+token.QuoteString(text)+" "+from.Text, ""
	if p.At("TO") && isField(p.Peek(1)) {
		p.Next()
		to = p.Next().Text
		p.must(!p.AtOp("("))
		shown += " TO " + to
	}
	if sign == "-" {
		switch {
		case strings.HasPrefix(text, "-"):
			text = text[1:]
		default:
			text = "-" + strings.TrimPrefix(text, "+")
		}
	}
	v, typ, err := value.ParseInterval(text, from.Text, to)
	p.must(err == nil)
	return &Node{Kind: Literal, Value: v, Type: typ, Text: shown}
}

func (p *pratt) caseOf() *Node {
	p.Next()
	n := &Node{Kind: Case}
	if !p.At("WHEN") {
		n.Operand = p.expr(bpOr)
	}
	p.must(p.At("WHEN"))
	for p.Accept("WHEN") {
		n.Args = append(n.Args, p.expr(bpOr))
		p.must(p.Accept("THEN"))
		n.Args = append(n.Args, p.expr(bpOr))
	}
	if p.Accept("ELSE") {
		n.Else = p.expr(bpOr)
	}
	p.must(p.Accept("END"))
	return n
}

// name parses a column, a measure with OVER, or a call.
func (p *pratt) name(s Semantics) *Node {
	t := p.Peek(0)
	if p.Peek(1).IsOp("(") {
		p.must(t.Quoted || t.Text == "ANY" || !token.Reserved(t.Text))
		p.must(!(t.Is("ANY") || t.Is("SOME")) || s != NoSemantics || !startsQuery(p.Peek(2)))
		return p.call(s)
	}
	n := &Node{Kind: Name}
	for {
		w, err := p.Word("a name")
		p.must(err == nil && len(n.Names) < 4)
		n.Names = append(n.Names, w)
		if !p.AcceptOp(".") {
			break
		}
	}
	p.must(!p.AtOp("("))
	n.Over = p.over()
	return n
}

func (p *pratt) over() *Over {
	t := p.Peek(0)
	if !t.Is("OVER") {
		return nil
	}
	p.Next()
	if p.AtOp("(") {
		return &Over{Pos: t.Pos, Inline: true, Spec: p.group()}
	}
	w, err := p.Word("a name")
	p.must(err == nil)
	return &Over{Pos: t.Pos, Name: &w}
}

func (p *pratt) call(s Semantics) *Node {
	name := p.Next().Word()
	p.Next()
	n := &Node{Kind: Call, Names: []token.Word{name}, Semantics: s}
	special := ""
	if !name.Quoted {
		special = name.Text
	}
	switch {
	case special == "SUBSTRING", special == "POSITION", special == "TRIM":
		p.special(n, special)
	case p.AtOp(")"):
	case p.AtOp("*") && name.Text == "COUNT":
		star := p.Next()
		n.Args = []*Node{{Kind: Star, Pos: star.Pos, End: star.End}}
	case p.Peek(0).Kind == token.Ident && p.Peek(1).IsOp(".") && p.Peek(2).IsOp("*"):
		pos := p.Pos()
		w, err := p.Word("a name")
		p.must(err == nil && name.Text == "COUNT")
		p.Reset(p.Index() + 2)
		n.Args = []*Node{{Kind: Star, Pos: pos, End: p.end(), Names: []token.Word{w}}}
	default:
		if !p.Accept("ALL") {
			n.Distinct = p.Accept("DISTINCT")
		}
		n.Args = p.list()
		if p.At("ORDER") {
			p.orderBy(n)
		}
	}
	p.must(p.AcceptOp(")"))
	if p.AtSeq("WITHIN", "GROUP") {
		p.must(n.OrderBy == nil)
		p.Reset(p.Index() + 2)
		p.must(p.AcceptOp("("))
		n.Within = true
		p.orderBy(n)
		p.must(p.AcceptOp(")"))
	}
	if p.At("FILTER") {
		p.Next()
		p.must(p.AcceptOp("(") && p.Accept("WHERE"))
		n.Filter = p.expr(bpOr)
		p.must(p.AcceptOp(")"))
	}
	n.Over = p.over()
	return n
}

func (p *pratt) orderBy(n *Node) {
	p.must(p.AcceptSeq("ORDER", "BY"))
	for {
		k := SortItem{Expr: p.expr(bpOr)}
		switch {
		case p.Accept("ASC"):
		case p.Accept("DESC"):
			k.Descending = true
		}
		if p.Accept("NULLS") {
			first := p.At("FIRST")
			p.must(first || p.At("LAST"))
			p.Next()
			k.NullsFirst = &first
		}
		n.OrderBy = append(n.OrderBy, k)
		if !p.AcceptOp(",") {
			return
		}
	}
}

// special parses the forms with keywords between the arguments.
func (p *pratt) special(n *Node, name string) {
	if name == "TRIM" {
		p.trim(n)
		return
	}
	min, word := bpOr, "FROM"
	if name == "POSITION" {
		min, word = bpSum, "IN"
	}
	first := p.expr(min)
	p.must(min == bpOr || isValue(first))
	n.Args = []*Node{first}
	if p.AcceptOp(",") {
		n.Args = append(n.Args, p.list()...)
		return
	}
	p.must(p.Accept(word))
	n.From = true
	n.Args = append(n.Args, p.expr(bpOr))
	if name == "SUBSTRING" && p.Accept("FOR") {
		n.Args = append(n.Args, p.expr(bpOr))
	}
}

func (p *pratt) trim(n *Node) {
	if p.At("LEADING", "TRAILING", "BOTH") && (p.Peek(1).Is("FROM") || startsOperand(p.Peek(1))) {
		n.Trim = p.Next().Text
	}
	var chars *Node
	if n.Trim == "" || !p.At("FROM") {
		chars = p.expr(bpOr)
	}
	if p.Accept("FROM") {
		n.From = true
		n.Args = []*Node{p.expr(bpOr)}
		if chars != nil {
			n.Args = append(n.Args, chars)
		}
		return
	}
	p.must(n.Trim == "")
	n.Args = []*Node{chars}
	if p.AcceptOp(",") {
		n.Args = append(n.Args, p.list()...)
	}
}

// dump writes a tree for comparison, with places if places is set.
func dump(n *Node, places bool) string {
	var b strings.Builder
	writeNode(&b, n, places)
	return b.String()
}

var kindNames = [...]string{"invalid", "literal", "param", "name", "star", "call", "unary", "binary", "between", "in", "like",
	"isnull", "istruth", "isdistinct", "case", "cast", "extract", "array", "subquery", "exists"}

func writeNode(b *strings.Builder, n *Node, places bool) {
	if n == nil {
		b.WriteString("nil")
		return
	}
	say := func(cond bool, s string) {
		if cond {
			b.WriteString(" " + s)
		}
	}
	b.WriteString("(" + kindNames[n.Kind])
	say(n.Text != "", n.Text)
	say(n.Negated, "negated")
	say(n.Parens, "parens")
	say(n.Type.Kind != value.Unknown, n.Type.String())
	say(n.Semantics != NoSemantics, []string{"", "running", "final"}[n.Semantics])
	say(n.Distinct, "distinct")
	say(n.Within, "within")
	say(n.From, "from")
	say(n.Trim != "", n.Trim)
	say(n.NoParens, "noparens")
	for _, w := range n.Names {
		say(true, w.String())
	}
	say(len(n.Tokens) > 0, token.SQL(n.Tokens))
	if places {
		for _, pos := range []diag.Pos{n.Pos, {Offset: n.End}, n.OpPos} {
			b.WriteString(" " + hex.EncodeToString([]byte{byte(pos.Offset >> 8), byte(pos.Offset)}))
		}
	}
	for _, a := range n.Args {
		b.WriteByte(' ')
		writeNode(b, a, places)
	}
	for _, extra := range []struct {
		name string
		n    *Node
	}{{"operand", n.Operand}, {"else", n.Else}, {"filter", n.Filter}} {
		if extra.n != nil {
			b.WriteString(" " + extra.name + ":")
			writeNode(b, extra.n, places)
		}
	}
	for _, k := range n.OrderBy {
		b.WriteString(" key:")
		writeNode(b, k.Expr, places)
		say(k.Descending, "desc")
		say(k.NullsFirst != nil && *k.NullsFirst, "nulls first")
		say(k.NullsFirst != nil && !*k.NullsFirst, "nulls last")
	}
	if n.Over != nil {
		say(n.Over.Inline, "over ("+token.SQL(n.Over.Spec)+")")
		if n.Over.Name != nil {
			say(true, "over "+n.Over.Name.String())
		}
	}
	b.WriteByte(')')
}
