package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// comparable checks that x and y may be compared (TYPE-1) and reports if not.
func (b *Binder) comparable(x, y Expr, pos diag.Pos, what string) bool {
	if value.ComparableTypes(x.Type(), y.Type()) {
		return true
	}
	b.typeError(pos, mixHint(x, y), "%s cannot compare %s with %s", what, x.Type(), y.Type())
	return false
}

// coerce converts e implicitly to t, if that changes how its values are held.
func coerce(e Expr, t value.Type) Expr {
	from := e.Type()
	switch {
	case from.Equal(t), from.Kind == value.Unknown, t.Kind == value.Unknown:
		return e
	case from.Kind == t.Kind && from.IsString() && (t.Precision == 0 || from.Precision > 0 && from.Precision <= t.Precision):
		return e
	case from.Kind == value.Decimal && t.Kind == value.Decimal && from.Scale == t.Scale && from.Precision > 0 && from.Precision <= t.Precision:
		return e
	case from.IsInteger() && t.IsInteger():
		return e
	}
	return &Coercion{Base{e.Pos(), t}, e}
}

// padded converts char(n) to varchar: string operations see the blanks that
// comparison does not (TYPE-7).
func padded(e Expr) Expr {
	if e.Type().Kind == value.Char {
		return coerce(e, value.TypeVarchar)
	}
	return e
}

// commonType finds the type that all expressions convert to (TYPE-1). The
// message begins with what.
func (b *Binder) commonType(list []Expr, what string) (value.Type, bool) {
	t := value.TypeUnknown
	for i, e := range list {
		common, ok := value.CommonType(t, e.Type())
		if !ok {
			prior := list[0]
			for _, p := range list[:i] {
				if !value.ComparableTypes(p.Type(), e.Type()) {
					prior = p
					break
				}
			}
			b.typeError(e.Pos(), mixHint(prior, e), "%s: %s does not fit %s", what, e.Type(), t)
			return value.TypeUnknown, false
		}
		t = common
	}
	return t, true
}

func (b *Binder) between(n *sqlexpr.Node) Expr {
	args := b.BindAll(n.Args)
	x, low, high := args[0], args[1], args[2]
	okLow := b.comparable(x, low, low.Pos(), "BETWEEN")
	if okHigh := b.comparable(x, high, high.Pos(), "BETWEEN"); !okLow || !okHigh {
		return &Invalid{Base{Place: n.Pos}}
	}
	return &Between{Base{n.Pos, value.TypeBoolean}, x, low, high, n.Negated,
		b.Options}
}

func (b *Binder) in(n *sqlexpr.Node) Expr {
	x := b.Bind(n.Args[0])
	if len(n.Args) == 2 && n.Args[1].Kind == sqlexpr.Subquery {
		return b.inSubquery(n, x)
	}
	list := b.BindAll(n.Args[1:])
	ok := true
	types := []value.Type{x.Type()}
	for _, e := range list {
		ok = b.comparable(x, e, e.Pos(), "IN") && ok
		types = append(types, e.Type())
	}
	if !ok {
		return &Invalid{Base{Place: n.Pos}}
	}
	return &In{Base{n.Pos, value.TypeBoolean}, x, list, n.Negated, b.Options}
}

func (b *Binder) inSubquery(n *sqlexpr.Node, x Expr) Expr {
	sub := n.Args[1]
	q := b.Leaves.Subquery(b, sub)
	if q == nil {
		return &Invalid{Base{Place: n.Pos}}
	}
	t, ok := b.column(q, sub.Pos)
	if !ok {
		return &Invalid{Base{Place: n.Pos}}
	}
	common, ok := value.CommonType(x.Type(), t)
	switch {
	case !ok:
		return b.typeError(opPos(n), "select a column of the type of the left side, or CAST one of them", "IN cannot compare %s with the %s of the subquery", x.Type(), t)
	case x.Type().IsApproximate() == t.IsApproximate():
		common = t // keys of exact numbers of different types are alike
	default:
		x = coerce(x, common)
	}
	return &InSubquery{Base: Base{n.Pos, value.TypeBoolean}, X: x, Query: q, Text: token.SQL(sub.Tokens), Negated: n.Negated,
		Options: b.Options, common: common}
}

func (b *Binder) like(n *sqlexpr.Node) Expr {
	args := b.BindAll(n.Args)
	what := [...]string{"the left operand of LIKE", "the pattern of LIKE", "the escape character of LIKE"}
	ok := true
	for i, a := range args {
		if t := a.Type(); !t.IsString() && t.Kind != value.Unknown {
			b.typeError(a.Pos(), "convert it: CAST("+a.String()+" AS varchar)", "%s must be a character string, not %s", what[i], t)
			ok = false
		}
		args[i] = padded(a)
	}
	if !ok {
		return &Invalid{Base{Place: n.Pos}}
	}
	e := &Like{Base: Base{n.Pos, value.TypeBoolean}, X: args[0], Pattern: args[1], Negated: n.Negated, OpPos: opPos(n)}
	if len(args) == 3 {
		e.Escape = args[2]
	}
	return e
}

func (b *Binder) isTruth(n *sqlexpr.Node) Expr {
	t := value.UnknownTruth
	switch n.Text {
	case "TRUE":
		t = value.True
	case "FALSE":
		t = value.False
	}
	return &IsTruth{Base{n.Pos, value.TypeBoolean}, b.boolean(b.Bind(n.Args[0]), "the operand of IS "+n.Text), t, n.Negated}
}

func (b *Binder) caseOf(n *sqlexpr.Node) Expr {
	e := &Case{Base: Base{Place: n.Pos}, Options: b.Options}
	ok := true
	if n.Operand != nil {
		e.Operand = b.Bind(n.Operand)
	}
	var results []Expr
	for i := 0; i+1 < len(n.Args); i += 2 {
		cond := b.Bind(n.Args[i])
		if e.Operand == nil {
			cond = b.boolean(cond, "the condition after WHEN")
		} else {
			ok = b.comparable(e.Operand, cond, cond.Pos(), "CASE") && ok
		}
		then := b.Bind(n.Args[i+1])
		e.Whens = append(e.Whens, When{cond, then})
		results = append(results, then)
	}
	if n.Else != nil {
		e.Else = b.Bind(n.Else)
		results = append(results, e.Else)
	}
	t, fits := b.commonType(results, "the results of CASE need one type")
	if !ok || !fits {
		return &Invalid{Base{Place: n.Pos}}
	}
	e.T = t
	for i := range e.Whens {
		e.Whens[i].Then = coerce(e.Whens[i].Then, t)
	}
	if e.Else != nil {
		e.Else = coerce(e.Else, t)
	}
	return e
}

func (b *Binder) cast(n *sqlexpr.Node) Expr {
	x := b.Bind(n.Args[0])
	if from := x.Type(); from.Kind != value.Unknown && !value.CastAllowed(from, n.Type) {
		return b.typeError(n.Pos, "CAST converts to and from strings, between numbers, and from date and timestamp to one another", "CAST cannot convert %s to %s", from, n.Type)
	}
	return &Cast{Base{n.Pos, n.Type}, x}
}

func (b *Binder) extract(n *sqlexpr.Node) Expr {
	x := b.Bind(n.Args[0])
	t, err := value.FieldType(x.Type(), n.Text)
	if err != nil {
		return b.Fail(diag.From(err).At(n.Pos))
	}
	return &Extract{Base{n.Pos, t}, n.Text, x}
}

func (b *Binder) array(n *sqlexpr.Node) Expr {
	elems := b.BindAll(n.Args)
	t, ok := b.commonType(elems, "the elements of an array need one type")
	if !ok {
		return &Invalid{Base{Place: n.Pos}}
	}
	for i := range elems {
		elems[i] = coerce(elems[i], t)
	}
	return &ArrayMaker{Base{n.Pos, value.ArrayType(t)}, elems}
}

func (b *Binder) subquery(n *sqlexpr.Node) Expr {
	q := b.Leaves.Subquery(b, n)
	if q == nil {
		return &Invalid{Base{Place: n.Pos}}
	}
	t, ok := b.column(q, n.Pos)
	if !ok {
		return &Invalid{Base{Place: n.Pos}}
	}
	return &Subquery{Base: Base{n.Pos, t}, Query: q, Text: token.SQL(n.Tokens)}
}
