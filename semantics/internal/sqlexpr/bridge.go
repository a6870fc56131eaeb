package sqlexpr

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/pingcap/tidb/pkg/parser"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/mysql"
	"github.com/pingcap/tidb/pkg/parser/opcode"
	_ "github.com/pingcap/tidb/pkg/parser/test_driver" // TiDB's parser needs one; no literal ever reaches it

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// Options changes what Parse accepts. The zero value is the default.
type Options struct {
	MaxDepth  int                    // levels of nesting; 0: 200
	MaxTokens int                    // tokens of one expression; 0: 100,000
	Reserved  func(word string) bool // words that are no names without quotes; nil: token.Reserved (GRAM-15)
}

const (
	defaultDepth  = 200
	defaultTokens = 100_000
	// maxOperators bounds the operators on one level, and so the depth of the
	// tree that a chain of them becomes.
	maxOperators = 10_000
)

// Parse turns the tokens of one expression, all of them, into a tree. Errors
// are of stage syntax (SQL-1, LEX-1, GRAM-15, MEA-1, AGG-2), unsupported or
// limit (LIM-1), at the offending token. If the only error is an unknown type
// in a CAST (semantic, TYPE-1), the tree is returned with it.
func Parse(src string, toks []token.Token, o Options) (*Node, error) {
	n, used, err := ParsePrefix(src, toks, o)
	if err != nil && n == nil {
		return nil, err
	}
	s := token.NewStream(src, toks)
	if s.Reset(used); !s.Done() {
		r := rewriter{Stream: s}
		return nil, r.unexpected("an operator or the end of the expression", r.strayHint())
	}
	return n, err
}

// ParsePrefix parses the longest expression that the tokens begin with and
// returns how many tokens it has. The caller decides whether what follows may
// stand there.
func ParsePrefix(src string, toks []token.Token, o Options) (n *Node, used int, err error) {
	if o.MaxDepth <= 0 {
		o.MaxDepth = defaultDepth
	}
	if o.MaxTokens <= 0 {
		o.MaxTokens = defaultTokens
	}
	if o.Reserved == nil {
		o.Reserved = token.Reserved
	}
	r := rewriter{Stream: token.NewStream(src, toks), opts: o}
	r.IsReserved = o.Reserved
	r.out = append(r.out, "SELECT ("...)
	if err := r.expression(false); err != nil {
		return nil, 0, err
	}
	r.out = append(r.out, ')')
	n, err = r.group()
	if err == nil && r.later != nil {
		err = r.later
	}
	return n, r.Index(), err
}

// parsers holds parsers for reuse: making one costs more than most expressions.
var parsers = sync.Pool{New: func() any {
	p := parser.New()
	p.SetParserConfig(parser.ParserConfig{SkipPositionRecording: true})
	p.SetSQLMode(mysql.ModeANSIQuotes | mysql.ModePipesAsConcat | mysql.ModeNoBackslashEscapes | mysql.ModeIgnoreSpace)
	return p
}}

// keepItems is the largest expression after which a parser is kept: it holds
// on to its stack.
const keepItems = 2000

// group lets TiDB group the operators of the rewritten text, and builds the tree.
func (r *rewriter) group() (n *Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = nil, r.defect(0, "TiDB's parser panics: %v", p)
		}
	}()
	p := parsers.Get().(*parser.Parser)
	stmts, _, perr := p.ParseSQL(string(r.out))
	if perr != nil {
		// The rewriter writes only what TiDB's grammar has. The column is that
		// after the token that TiDB refuses.
		var line, column int
		fmt.Sscanf(perr.Error(), "line %d column %d", &line, &column)
		at := 0
		for i := range r.items {
			if r.items[i].out < column {
				at = i
			}
		}
		return nil, r.defect(at, "TiDB's parser refuses the expression: %v", perr)
	}
	root, ok := rootOf(stmts)
	if !ok {
		return nil, r.defect(0, "TiDB's parser sees no parenthesised expression")
	}
	c := converter{items: r.items}
	n = c.expr(root)
	if c.err == "" && c.at != len(c.items) {
		c.fail("%d of %d items are left", len(c.items)-c.at, len(c.items))
	}
	if c.err != "" {
		return nil, r.defect(min(c.at, len(r.items)-1), "TiDB's tree does not fit the expression: %s", c.err)
	}
	if len(r.items) <= keepItems {
		parsers.Put(p)
	}
	return n, nil
}

// defect is an internal error at an item.
func (r *rewriter) defect(at int, format string, args ...any) *diag.Error {
	return diag.New(diag.Internal, "SQL-1", r.items[at].pos, format, args...).In(r.Source()).
		WithHint("please report this expression")
}

// rootOf returns the expression of SELECT (expression) and nothing else.
func rootOf(stmts []ast.StmtNode) (ast.ExprNode, bool) {
	if len(stmts) != 1 {
		return nil, false
	}
	sel, ok := stmts[0].(*ast.SelectStmt)
	if !ok || sel.Fields == nil || len(sel.Fields.Fields) != 1 || sel.From != nil {
		return nil, false
	}
	field := sel.Fields.Fields[0]
	parens, ok := field.Expr.(*ast.ParenthesesExpr)
	if !ok || field.AsName.O != "" {
		return nil, false
	}
	return parens.Expr, true
}

// converter walks TiDB's tree in source order and takes the items on the way.
type converter struct {
	items []item
	at    int
	err   string // first thing that did not fit
}

func (c *converter) fail(format string, args ...any) *Node {
	if c.err == "" {
		c.err = fmt.Sprintf(format, args...)
	}
	return &Node{}
}

// take returns the next item, which must be of this kind.
func (c *converter) take(kind itemKind, ops ...string) (*item, int) {
	if c.at >= len(c.items) {
		c.fail("an item is missing")
		return &item{node: &Node{}}, -1
	}
	it := &c.items[c.at]
	c.at++
	fits := len(ops) == 0
	for _, op := range ops {
		fits = fits || op == it.op
	}
	if it.kind != kind || !fits {
		c.fail("item %d is %d %s", c.at-1, it.kind, it.op)
		return &item{node: &Node{}}, -1
	}
	return it, c.at - 1
}

// infixOps tells which operators an operator of TiDB's tree may stand for.
var infixOps = map[opcode.Op][]string{
	opcode.LogicOr: {"OR"}, opcode.LogicAnd: {"AND"},
	opcode.Plus: {"+"}, opcode.Minus: {"-"}, opcode.Mul: {"*"}, opcode.Div: {"/"},
	opcode.EQ: {"="}, opcode.NE: {"<>"}, opcode.LT: {"<"}, opcode.LE: {"<="}, opcode.GT: {">"}, opcode.GE: {">="},
	opcode.NullEQ: {"LIKE", "DISTINCT", "ESCAPE"},
}

var (
	prefixOps = map[opcode.Op][]string{opcode.Not: {"NOT"}, opcode.Minus: {"-"}, opcode.Plus: {"+"}}
	concatOp  = []string{"||"}
	nullOp    = []string{"NULL"}
	truthOps  = []string{"TRUE", "FALSE", "UNKNOWN"}
)

// expr is the whitelist: what is not here is not accepted.
func (c *converter) expr(e ast.ExprNode) *Node {
	switch e := e.(type) {
	case *ast.ParenthesesExpr:
		it, _ := c.take(itemParen)
		n := c.expr(e.Expr)
		n.Parens, n.Pos, n.End = true, it.pos, it.end
		return n
	case *ast.ColumnNameExpr:
		it, at := c.take(itemLeaf)
		if e.Name.Name.O != "i"+strconv.Itoa(at) || e.Name.Table.O != "" {
			return c.fail("name %s", e.Name)
		}
		return it.node
	case *ast.BinaryOperationExpr:
		if ops := infixOps[e.Op]; ops != nil {
			return c.infix(e.L, e.R, ops)
		}
	case *ast.UnaryOperationExpr:
		if ops := prefixOps[e.Op]; ops != nil {
			it, _ := c.take(itemPrefix, ops...)
			arg := c.expr(e.V)
			return &Node{Kind: Unary, Text: it.op, Pos: it.pos, OpPos: it.pos, End: arg.End, Args: []*Node{arg}}
		}
	case *ast.FuncCallExpr:
		if e.FnName.L == ast.Concat && len(e.Args) == 2 {
			return c.infix(e.Args[0], e.Args[1], concatOp)
		}
		return c.call(e)
	case *ast.IsNullExpr:
		return c.postfix(e.Expr, IsNull, nullOp)
	case *ast.IsTruthExpr:
		return c.postfix(e.Expr, IsTruth, truthOps)
	case *ast.BetweenExpr:
		arg := c.expr(e.Expr)
		it, _ := c.take(itemBetween)
		low := c.expr(e.Left)
		c.take(itemBetweenAnd)
		high := c.expr(e.Right)
		return &Node{Kind: Between, Pos: arg.Pos, OpPos: it.pos, End: high.End, Args: []*Node{arg, low, high}, Negated: it.negated}
	case *ast.PatternInExpr:
		n := &Node{Kind: In, Args: []*Node{c.expr(e.Expr)}}
		it, _ := c.take(itemIn)
		for _, x := range e.List {
			n.Args = append(n.Args, c.expr(x))
		}
		n.Pos, n.OpPos, n.End, n.Negated = n.Args[0].Pos, it.pos, it.end, it.negated
		return n
	}
	return c.fail("node %T", e)
}

// infix builds the node of an operator between two operands.
func (c *converter) infix(l, r ast.ExprNode, ops []string) *Node {
	left := c.expr(l)
	it, _ := c.take(itemInfix, ops...)
	right := c.expr(r)
	n := &Node{Kind: Binary, Text: it.op, Pos: left.Pos, OpPos: it.pos, End: right.End, Args: []*Node{left, right}, Negated: it.negated}
	switch it.op {
	case "LIKE":
		n.Kind, n.Text = Like, ""
	case "DISTINCT":
		n.Kind, n.Text = IsDistinct, ""
	case "ESCAPE":
		if left.Kind != Like || left.Parens || len(left.Args) != 2 {
			return c.fail("ESCAPE without LIKE")
		}
		left.Args = append(left.Args, right)
		left.End = right.End
		return left
	}
	return n
}

func (c *converter) postfix(e ast.ExprNode, kind Kind, ops []string) *Node {
	arg := c.expr(e)
	it, _ := c.take(itemPostfix, ops...)
	n := &Node{Kind: kind, Pos: arg.Pos, OpPos: it.pos, End: it.end, Args: []*Node{arg}, Negated: it.negated}
	if kind == IsTruth {
		n.Text = it.op
	}
	return n
}

// call gives a bracketed form its operands.
func (c *converter) call(e *ast.FuncCallExpr) *Node {
	it, at := c.take(itemCall)
	p := it.parts
	want := p.args + p.order
	if p.filter {
		want++
	}
	if e.FnName.O != "f"+strconv.Itoa(at) || e.Schema.O != "" || len(e.Args) != want {
		return c.fail("call %s with %d operands", e.FnName.O, len(e.Args))
	}
	var args []*Node
	if want > 0 {
		args = make([]*Node, want)
	}
	for i, x := range e.Args {
		args[i] = c.expr(x)
	}
	n := it.node
	if p.filter {
		n.Filter = args[want-1]
	}
	for i := range n.OrderBy {
		n.OrderBy[i].Expr = args[p.args+i]
	}
	args = args[:p.args:p.args]
	if p.operand {
		n.Operand, args = args[0], args[1:]
	}
	if p.last {
		n.Else, args = args[len(args)-1], args[:len(args)-1]
	}
	if n.Kind == Call && n.From && n.Names[0].Text == "TRIM" && len(args) == 2 {
		args[0], args[1] = args[1], args[0] // written characters FROM string
	}
	n.Args = args
	return n
}
