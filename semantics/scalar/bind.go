package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Leaves supplies what differs between the places where an expression may
// stand: DEFINE, MEASURES, and the clauses of the outer query.
type Leaves interface {
	// Name binds a column reference (n.Names). After reporting an error it
	// returns what b.Fail returned.
	Name(b *Binder, n *sqlexpr.Node) Expr
	// Call binds the calls that are known here: navigation, aggregates,
	// CLASSIFIER, window functions. False: not one of them; the call is then
	// bound as that of a scalar function, or reported as misplaced.
	Call(b *Binder, n *sqlexpr.Node) (Expr, bool)
	// Subquery binds a subquery (n.Tokens). It returns nil after reporting an error.
	Subquery(b *Binder, n *sqlexpr.Node) Query
}

// Param is the type and value of a host variable.
type Param struct {
	Type  value.Type
	Value value.Value
}

// Binder turns syntactic expressions into typed ones. Its errors go to
// Errors, which must not be nil; binding goes on after an error, so that one
// pass finds all of them.
type Binder struct {
	Leaves  Leaves
	Errors  *diag.List
	Options value.Options
	Params  map[string]Param // by folded name; one that is absent has the unknown type
	Strict  bool             // a host variable that is absent from Params is an error (NAME-1)
	// NullsLast sorts NULLs last in descending order as well, where ORDER BY does not say (IMP-NULLS).
	NullsLast bool
}

// Fail records an error and returns the node that stands for the expression in error.
func (b *Binder) Fail(err *diag.Error) Expr {
	b.Errors.Add(err)
	return &Invalid{Base{Place: err.Pos}}
}

// typeError records an error of rule TYPE-1.
func (b *Binder) typeError(pos diag.Pos, hint, format string, args ...any) Expr {
	err := diag.New(diag.Semantic, "TYPE-1", pos, format, args...)
	err.Hint = hint
	return b.Fail(err)
}

// BindAll binds a list of expressions.
func (b *Binder) BindAll(nodes []*sqlexpr.Node) []Expr {
	out := make([]Expr, len(nodes))
	for i, n := range nodes {
		out[i] = b.Bind(n)
	}
	return out
}

// Condition binds a search condition. If its type is neither boolean nor
// unknown, the error has the given rule and names the condition by what, for
// example "the condition of A" (DEF-5).
func (b *Binder) Condition(n *sqlexpr.Node, rule, what string) Expr {
	e := b.Bind(n)
	if k := e.Type().Kind; k == value.Boolean || k == value.Unknown {
		return e
	}
	return b.Fail(diag.New(diag.Semantic, rule, n.Pos, "%s must be boolean, not %s", what, e.Type()).
		WithHint("%s", conditionHint(e)))
}

// Bind binds an expression. It never returns nil: after an error it returns
// an Invalid node.
func (b *Binder) Bind(n *sqlexpr.Node) Expr {
	switch n.Kind {
	case sqlexpr.Literal:
		return &Const{Base{n.Pos, n.Type}, n.Value}
	case sqlexpr.Param:
		return b.param(n)
	case sqlexpr.Name:
		if e := b.Leaves.Name(b, n); e != nil {
			return e
		}
		return &Invalid{Base{Place: n.Pos}}
	case sqlexpr.Star:
		return b.Fail(diag.New(diag.Semantic, "SQL-1", n.Pos, "* is no value").WithHint("write a column or another expression; * stands in COUNT(*), and in a select list for all columns"))
	case sqlexpr.Call:
		return b.call(n)
	case sqlexpr.Unary:
		return b.unary(n)
	case sqlexpr.Binary:
		return b.binary(n)
	case sqlexpr.Between:
		return b.between(n)
	case sqlexpr.In:
		return b.in(n)
	case sqlexpr.Like:
		return b.like(n)
	case sqlexpr.IsNull:
		return &IsNull{Base{n.Pos, value.TypeBoolean}, b.Bind(n.Args[0]), n.Negated}
	case sqlexpr.IsTruth:
		return b.isTruth(n)
	case sqlexpr.IsDistinct:
		x, y := b.Bind(n.Args[0]), b.Bind(n.Args[1])
		b.comparable(x, y, opPos(n), "IS DISTINCT FROM")
		return &IsDistinct{Base{n.Pos, value.TypeBoolean}, x, y, n.Negated, b.Options}
	case sqlexpr.Case:
		return b.caseOf(n)
	case sqlexpr.Cast:
		return b.cast(n)
	case sqlexpr.Extract:
		return b.extract(n)
	case sqlexpr.ArrayMaker:
		return b.array(n)
	case sqlexpr.Subquery:
		return b.subquery(n)
	case sqlexpr.Exists:
		if q := b.Leaves.Subquery(b, n); q != nil {
			return &Exists{Base: Base{n.Pos, value.TypeBoolean}, Query: q, Text: token.SQL(n.Tokens)}
		}
	}
	return &Invalid{Base{Place: n.Pos}}
}

// opPos is the place where run-time errors of an operator are reported.
func opPos(n *sqlexpr.Node) diag.Pos {
	if n.OpPos.IsValid() {
		return n.OpPos
	}
	return n.Pos
}

// param binds a host variable.
func (b *Binder) param(n *sqlexpr.Node) Expr {
	p, ok := b.Params[n.Text]
	if !ok && b.Strict {
		return b.Fail(diag.New(diag.Semantic, "NAME-1", n.Pos, "host variable :%s has no value", n.Text).
			WithHint("give it one with --param %s=VALUE, or in params", n.Text))
	}
	if p.Type.Kind == value.Unknown {
		p.Type = typeOfForm(p.Value)
	}
	return &HostVariable{Base{n.Pos, p.Type}, n.Text, p.Value, ok}
}

// typeOfForm gives a value without a declared type the widest type of its form.
func typeOfForm(v value.Value) value.Type {
	switch v.Form() {
	case value.FormBool:
		return value.TypeBoolean
	case value.FormInt:
		return value.TypeBigint
	case value.FormDecimal:
		return value.TypeDecimal
	case value.FormDouble:
		return value.TypeDouble
	case value.FormString:
		return value.TypeVarchar
	case value.FormBinary:
		return value.TypeBinary
	case value.FormDate:
		return value.TypeDate
	case value.FormTime:
		return value.TypeTime
	case value.FormStamp:
		return value.TypeTimestamp
	case value.FormInterval:
		return value.TypeIntervalDay
	case value.FormMonths:
		return value.TypeIntervalYear
	case value.FormArray:
		elem := value.TypeUnknown
		for _, e := range v.AsArray() {
			if !e.IsNull() {
				elem = typeOfForm(e)
				break
			}
		}
		return value.ArrayType(elem)
	}
	return value.TypeUnknown
}

// boolean checks that an operand of a logical operator is a truth value.
func (b *Binder) boolean(e Expr, what string) Expr {
	if k := e.Type().Kind; k == value.Boolean || k == value.Unknown {
		return e
	}
	return b.typeError(e.Pos(), conditionHint(e), "%s must be boolean, not %s", what, e.Type())
}

func (b *Binder) unary(n *sqlexpr.Node) Expr {
	x := b.Bind(n.Args[0])
	if n.Text == "NOT" {
		return &Logical{Base{n.Pos, value.TypeBoolean}, OpNot, []Expr{b.boolean(x, "the operand of NOT")}}
	}
	t, err := value.NegateType(x.Type())
	if err != nil {
		return b.Fail(diag.From(err).At(opPos(n)))
	}
	op := OpNegate
	if n.Text == "+" {
		op = OpPlus
	}
	return &Unary{Base{n.Pos, t}, op, x, opPos(n)}
}

var binaryOps = map[string]Op{"+": OpAdd, "-": OpSubtract, "*": OpMultiply, "/": OpDivide, "||": OpConcat,
	"=": OpEqual, "<>": OpNotEqual, "<": OpLess, "<=": OpLessEqual, ">": OpGreater, ">=": OpGreaterEqual,
	"AND": OpAnd, "OR": OpOr}

// binary binds a binary operator. Chains of operators that group to the left
// are bound in a loop: only nesting by parentheses, which the parser limits,
// costs depth.
func (b *Binder) binary(n *sqlexpr.Node) Expr {
	var chain []*sqlexpr.Node // from the outermost inwards
	for n.Kind == sqlexpr.Binary {
		chain = append(chain, n)
		n = n.Args[0]
	}
	e := b.Bind(n)
	for i := len(chain) - 1; i >= 0; i-- {
		e = b.operator(chain[i], e)
	}
	return e
}

// operator binds one binary operator whose left operand is bound.
func (b *Binder) operator(n *sqlexpr.Node, x Expr) Expr {
	op, ok := binaryOps[n.Text]
	if !ok {
		return b.Fail(diag.New(diag.Internal, "LIM-1", opPos(n), "operator %s is not known", n.Text))
	}
	y := b.Bind(n.Args[1])
	switch {
	case op >= OpAnd:
		return b.logical(n, op, x, y)
	case op >= OpEqual:
		if !b.comparable(x, y, opPos(n), op.String()) {
			return &Invalid{Base{Place: n.Pos}}
		}
		return &Compare{Base{n.Pos, value.TypeBoolean}, op, x, y, opPos(n), b.Options}
	case op == OpConcat:
		return b.concat(n, x, y)
	}
	t, err := value.ArithType(n.Text, x.Type(), y.Type(), b.Options)
	if err != nil {
		e := diag.From(err).At(opPos(n))
		if e.Hint == "" || isStringLiteral(x) != isStringLiteral(y) {
			e.Hint = mixHint(x, y)
		}
		return b.Fail(e)
	}
	return &Binary{Base{n.Pos, t}, op, x, y, opPos(n)}
}

func isStringLiteral(e Expr) bool {
	lit, ok := e.(*Const)
	return ok && lit.T.IsString() && !lit.Value.IsNull()
}

// logical binds AND and OR; an operand on the left of the same operator is merged.
func (b *Binder) logical(n *sqlexpr.Node, op Op, x, y Expr) Expr {
	what := "an operand of " + op.String()
	y = b.boolean(y, what)
	if l, ok := x.(*Logical); ok && l.Op == op && !n.Args[0].Parens {
		l.Args = append(l.Args, y)
		return l
	}
	return &Logical{Base{n.Pos, value.TypeBoolean}, op, []Expr{b.boolean(x, what), y}}
}

// concat binds ||: strings with strings, binary strings with binary strings,
// arrays with arrays of a common element type.
func (b *Binder) concat(n *sqlexpr.Node, x, y Expr) Expr {
	args := []Expr{x, y}
	t, ok := b.concatType(args, opPos(n), "||")
	if !ok {
		return &Invalid{Base{Place: n.Pos}}
	}
	return &Binary{Base{n.Pos, t}, OpConcat, args[0], args[1], opPos(n)}
}

// concatType finds the type of a concatenation and converts arrays to it.
func (b *Binder) concatType(args []Expr, pos diag.Pos, what string) (value.Type, bool) {
	result := value.TypeUnknown
	for i, a := range args {
		t := a.Type()
		switch {
		case t.Kind == value.Unknown:
			continue
		case t.IsString():
			t = value.TypeVarchar
			args[i] = padded(a)
		case t.Kind != value.Binary && t.Kind != value.Array:
			b.typeError(a.Pos(), "convert it: CAST("+a.String()+" AS varchar)", "an operand of %s must be a string or an array, not %s", what, t)
			return result, false
		}
		if result.Kind == value.Unknown {
			result = t
			continue
		}
		common, ok := value.CommonType(result, t)
		if !ok {
			b.typeError(pos, "join strings with strings, and arrays with arrays: ARRAY[x] makes an array", "%s cannot join %s and %s", what, args[i-1].Type(), t)
			return result, false
		}
		result = common
	}
	if result.Kind == value.Array {
		for i := range args {
			args[i] = coerce(args[i], result)
		}
	}
	return result, true
}
