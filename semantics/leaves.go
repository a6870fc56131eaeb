package semantics

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// patternLeaves binds what is peculiar to DEFINE and MEASURES: row pattern
// column references, navigation, aggregates, CLASSIFIER and MATCH_NUMBER.
type patternLeaves struct {
	b      *binding
	define bool
	inside *operand // innermost aggregate or navigation around; nil outside
}

// operand is an aggregate or navigation whose argument is being bound.
type operand struct {
	aggregate bool
	name      string
	found     bool // a reference was seen
	v         VarID
}

// touch notes that the innermost aggregate or navigation refers to v; all its
// references must agree (COL-2).
func (l *patternLeaves) touch(v VarID, pos diag.Pos) {
	o := l.inside
	switch {
	case o == nil:
	case !o.found:
		o.found, o.v = true, v
	case o.v != v:
		l.b.fail("COL-2", pos, "%s refers to %s and to %s", o.name, l.b.varName(o.v), l.b.varName(v)).
			WithHint("give all columns of the call one qualifier, split it into a call for each variable, or use a union variable of SUBSET")
	}
}

func (b *binding) varName(v VarID) string {
	if v == Universal {
		return "all rows, as columns without qualifier do"
	}
	return b.c.Vars[v].Name.String()
}

// Name binds a column reference (COL-1).
func (l *patternLeaves) Name(_ *scalar.Binder, n *sqlexpr.Node) scalar.Expr {
	if n.Over != nil {
		l.window(n)
		return invalid(n)
	}
	parts := names(n.Names)
	v, ok := l.qualifier(parts)
	if !ok {
		return invalid(n)
	}
	l.touch(v, n.Pos)
	col := l.b.findColumn(parts[len(parts)-1])
	if col < 0 {
		return invalid(n)
	}
	return &ColumnRef{leaf: leaf{typ: l.b.input.Fields[col].Type, pos: n.Pos, text: l.b.text(n)}, Var: v, Column: col}
}

// qualifier resolves what stands before a column name.
func (l *patternLeaves) qualifier(parts []Name) (VarID, bool) {
	switch len(parts) {
	case 1:
		return Universal, true
	case 2:
		q := parts[0]
		if v, ok := l.b.byName[q.Text]; ok {
			return v, true
		}
		if q.Text == l.b.input.Correlation {
			if l.b.opt.Readings.Is(readings.GRAM12) {
				return Universal, true
			}
			l.b.fail("GRAM-12", q.Pos, "%s is the name of the input table, not a row pattern variable", q).
				WithHint("in MEASURES and DEFINE only variables qualify columns: write %s, or %s.%s", parts[1], l.b.anyName(), parts[1])
			return 0, false
		}
		l.b.fail("COL-1", q.Pos, "%s is no row pattern variable", q).
			WithHint("%s", l.b.qualifierHint(parts))
		return 0, false
	}
	l.b.fail("COL-1", parts[0].Pos, "the name %s has too many parts", join(parts)).
		WithHint("write %s.%s, or %s alone", l.b.anyName(), parts[len(parts)-1], parts[len(parts)-1])
	return 0, false
}

func (b *binding) anyName() string {
	if len(b.c.Vars) == 0 {
		return "A"
	}
	return b.c.Vars[0].Name.String()
}

func invalid(n *sqlexpr.Node) scalar.Expr {
	return &scalar.Invalid{Base: scalar.Base{Place: n.Pos}}
}

// Call binds navigation, aggregates, CLASSIFIER and MATCH_NUMBER.
func (l *patternLeaves) Call(sb *scalar.Binder, n *sqlexpr.Node) (scalar.Expr, bool) {
	if n.Over != nil {
		l.window(n)
		return invalid(n), true
	}
	name := callName(n)
	switch {
	case name == "CLASSIFIER":
		return l.classifier(n), true
	case name == "MATCH_NUMBER":
		return l.matchNumber(n), true
	case navigationStep(n) != NoStep:
		return l.navigation(sb, n), true
	}
	if fn, ok := scalar.LookupAggregate(n.Names[len(n.Names)-1].Text); ok && len(n.Names) == 1 {
		return l.aggregate(sb, n, fn), true
	}
	return nil, false
}

// window refuses window functions and measures of windows (DEF-14).
func (l *patternLeaves) window(n *sqlexpr.Node) {
	l.b.fail("DEF-14", n.Pos, "window functions, with OVER, are not allowed in %s", l.place()).
		WithHint("write %s for another row or an aggregate for the rows of the match, without OVER; other values are prepared in the input", "PREV, NEXT, FIRST or LAST")
}

func (l *patternLeaves) place() string {
	if l.define {
		return "DEFINE"
	}
	return "MEASURES"
}

// classifier binds CLASSIFIER() and CLASSIFIER(V) (MEA-4).
func (l *patternLeaves) classifier(n *sqlexpr.Node) scalar.Expr {
	v := Universal
	if len(n.Args) > 0 {
		arg := n.Args[0]
		ok := len(n.Args) == 1 && arg.Kind == sqlexpr.Name && len(arg.Names) == 1
		if ok {
			v, ok = l.b.byName[arg.Names[0].Text]
		}
		if !ok {
			hint := "write CLASSIFIER(), or CLASSIFIER(V) with a variable V of PATTERN or SUBSET: " + listed(l.b.variableNames(true))
			if arg.Kind == sqlexpr.Name && len(arg.Names) == 1 {
				hint = l.b.variableHint(Name(arg.Names[0]), hint)
			}
			l.b.fail("MEA-4", arg.Pos, "the argument of CLASSIFIER is no row pattern variable").WithHint("%s", hint)
			return invalid(n)
		}
	}
	if e := l.plain(n, "MEA-4"); e != nil {
		return e
	}
	l.touch(v, n.Pos)
	return &Classifier{leaf: l.leaf(n, value.TypeVarchar), Var: v}
}

// matchNumber binds MATCH_NUMBER() (MEA-5, WIN-9).
func (l *patternLeaves) matchNumber(n *sqlexpr.Node) scalar.Expr {
	if len(n.Args) > 0 {
		l.b.fail("MEA-5", n.Pos, "MATCH_NUMBER takes no argument").WithHint("write MATCH_NUMBER(): the number is that of the match, whatever the variable")
		return invalid(n)
	}
	if e := l.plain(n, "MEA-5"); e != nil {
		return e
	}
	if l.b.syn.Window {
		l.b.fail("WIN-9", n.Pos, "MATCH_NUMBER is not allowed in a window").WithHint("leave it out: the matches of a window are not numbered; MATCH_RECOGNIZE in FROM numbers them")
		return invalid(n)
	}
	return &MatchNumber{l.leaf(n, value.TypeBigint)}
}

// plain refuses DISTINCT, FILTER and ORDER BY in a call that is no aggregate.
func (l *patternLeaves) plain(n *sqlexpr.Node, rule string) scalar.Expr {
	if !n.Distinct && n.Filter == nil && n.OrderBy == nil {
		return nil
	}
	l.b.fail(rule, n.Pos, "%s takes no DISTINCT, FILTER or ORDER BY: it is no aggregate", callName(n)).WithHint("leave it out, or call an aggregate")
	return invalid(n)
}

func (l *patternLeaves) leaf(n *sqlexpr.Node, t value.Type) leaf {
	return leaf{typ: t, pos: n.Pos, text: l.b.text(n)}
}

// text returns the source text of a node.
func (b *binding) text(n *sqlexpr.Node) string {
	return sourceText(b.syn.Source, n)
}

// navigation binds NAV-1 to NAV-5. The arguments' number and the kind of the
// offset were checked as syntax.
func (l *patternLeaves) navigation(sb *scalar.Binder, n *sqlexpr.Node) scalar.Expr {
	step := navigationStep(n)
	if e := l.plain(n, "NAV-1"); e != nil {
		return e
	}
	if !l.mayNest(n) {
		return invalid(n)
	}
	nav := &Navigation{}
	l.final(n)
	arg := n.Args[0]
	if step == Prev || step == Next {
		nav.Physical, nav.PhysicalOffset = step, l.offset(sb, n)
		if inner := navigationStep(arg); (inner == First || inner == Last) && !arg.Parens {
			// NAV-3: directly inside, the inner call is part of this one.
			if e := l.plain(arg, "NAV-1"); e != nil {
				return e
			}
			l.final(arg)
			nav.Logical, nav.LogicalOffset = inner, l.offset(sb, arg)
			nav.Final = arg.Semantics == sqlexpr.Final
			arg = arg.Args[0]
		}
	} else {
		nav.Logical, nav.LogicalOffset = step, l.offset(sb, n)
		nav.Final = n.Semantics == sqlexpr.Final
	}
	o := l.enter(callName(n), false)
	before := l.b.errs.Len()
	nav.Arg = sb.Bind(arg)
	l.inside = nil
	if !o.found {
		if l.b.errs.Len() == before {
			l.b.fail("NAV-4", n.Pos, "the first argument of %s has neither a column nor CLASSIFIER", callName(n)).
				WithHint("write a column of the row to go to, for example %s(%s.x); a value that is the same on every row needs no navigation", callName(n), l.b.anyName())
		}
		return invalid(n)
	}
	nav.Var = o.v
	nav.leaf = l.leaf(n, nav.Arg.Type())
	return nav
}

// mayNest refuses a navigation inside a navigation or aggregate (NAV-3, AGG-5).
func (l *patternLeaves) mayNest(n *sqlexpr.Node) bool {
	if l.inside == nil {
		return true
	}
	if l.inside.aggregate {
		l.b.fail("AGG-5", n.Pos, "the navigation %s cannot stand inside the aggregate %s", callName(n), l.inside.name).
			WithHint("aggregate a column: what compares a row with another is prepared as a column of the input, in a derived table or by another MATCH_RECOGNIZE")
	} else {
		l.b.fail("NAV-3", n.Pos, "%s cannot stand inside %s", callName(n), l.inside.name).
			WithHint("%s", nestingHint(callName(n), l.inside.name))
	}
	return false
}

// nestingHint tells how navigations nest (NAV-3).
func nestingHint(inner, outer string) string {
	const rule = "only PREV or NEXT may hold a navigation: one FIRST or LAST, directly, as in PREV(LAST(x, 1), 2)"
	switch {
	case inner == outer && (inner == "PREV" || inner == "NEXT"):
		return "write one call with an offset, " + inner + "(x, 2): " + rule
	case (outer == "FIRST" || outer == "LAST") && (inner == "PREV" || inner == "NEXT"):
		return "exchange them, " + inner + "(" + outer + "(x)): " + rule
	}
	return rule
}

// offsetHint tells what to write in place of an offset that is negative or NULL.
func offsetHint(step Step) string {
	switch step {
	case Prev:
		return "write 0 or more; rows that follow are reached by NEXT"
	case Next:
		return "write 0 or more; rows before are reached by PREV"
	}
	return "write 0 or more: FIRST counts from the first row of the variable on, LAST from the last one back"
}

// final refuses FINAL in DEFINE (DEF-7).
func (l *patternLeaves) final(n *sqlexpr.Node) {
	if l.define && n.Semantics == sqlexpr.Final {
		l.b.fail("DEF-7", n.Pos, "FINAL is not allowed in DEFINE").
			WithHint("leave FINAL out: while a match is sought, its last row is not known")
	}
}

// enter begins the argument of an aggregate or navigation. They do not nest,
// so there is one at a time.
func (l *patternLeaves) enter(name string, aggregate bool) *operand {
	l.inside = &operand{aggregate: aggregate, name: name}
	return l.inside
}

// offset binds the offset of a navigation call; nil if it has none (NAV-5).
func (l *patternLeaves) offset(sb *scalar.Binder, n *sqlexpr.Node) scalar.Expr {
	if len(n.Args) < 2 {
		return nil
	}
	arg := n.Args[1]
	e := sb.Bind(arg)
	t := e.Type()
	if !t.IsInteger() && t.Kind != value.Unknown && (t.Kind != value.Decimal || t.Scale != 0 || t.Precision == 0) {
		l.b.fail("NAV-5", arg.Pos, "the offset of %s is %s, no integer", callName(n), t).
			WithHint("write a number of rows, 0 or more")
		return nil
	}
	if arg.Kind == sqlexpr.Param {
		return e
	}
	v, err := e.Eval(nil)
	switch {
	case err != nil:
		l.b.errs.Add(err)
	case v.IsNull() || value.Compare(v, value.Int(0), value.Options{}) < 0:
		l.b.fail("NAV-5", arg.Pos, "the offset of %s is %s, not a number of rows", callName(n), value.Format(v, t)).
			WithState(diag.StateNavigation).WithHint("%s", offsetHint(navigationStep(n)))
	}
	return e
}

// aggregate binds an aggregate (AGG-1 to AGG-7).
func (l *patternLeaves) aggregate(sb *scalar.Binder, n *sqlexpr.Node, fn *scalar.Aggregate) scalar.Expr {
	name := n.Names[0].Text
	if l.inside != nil {
		l.b.fail("AGG-5", n.Pos, "the aggregate %s cannot stand inside %s", name, l.inside.name).
			WithHint("let each call stand alone, side by side, as in LAST(x) - AVG(x); what must be nested is prepared as a column of the input")
		return invalid(n)
	}
	l.final(n)
	if (n.Distinct || n.Filter != nil) && fn.R010 && l.b.opt.Readings.Is(readings.AGG6) {
		l.b.fail("AGG-6", n.Pos, "DISTINCT and FILTER in an aggregate need feature R030 under this reading").
			WithHint("leave DISTINCT or FILTER out, or the reading AGG-6")
	}
	if fn.OrderSensitive && n.OrderBy == nil && l.b.opt.Readings.Is(readings.AGG7) {
		l.b.fail("AGG-7", n.Pos, "%s without ORDER BY depends on the order of rows", name).
			WithHint("add ORDER BY inside the call, or leave the reading AGG-7 out")
	}
	o := l.enter(name, true)
	defer func() { l.inside = nil }()
	call := &AggregateCall{Final: n.Semantics == sqlexpr.Final}
	spec, ok := scalar.BindAggregation(sb, n, fn, func(star *sqlexpr.Node) bool { return l.star(n, star) })
	if !ok {
		return invalid(n)
	}
	call.Aggregation = spec
	call.Var = Universal
	if o.found {
		call.Var = o.v
	}
	call.leaf = l.leaf(n, spec.Type)
	return call
}

// star binds the argument of COUNT(*) and COUNT(V.*) (AGG-2).
func (l *patternLeaves) star(n, star *sqlexpr.Node) bool {
	if len(star.Names) == 0 {
		return true // universal, unless FILTER names a variable (AGG-6)
	}
	v, ok := l.b.byName[star.Names[len(star.Names)-1].Text]
	if !ok || len(star.Names) != 1 {
		hint := "write COUNT(*), or COUNT(V.*) with a variable V of PATTERN or SUBSET: " + listed(l.b.variableNames(true))
		l.b.fail("AGG-2", star.Pos, "%s is no row pattern variable", join(names(star.Names))).
			WithHint("%s", l.b.variableHint(Name(star.Names[len(star.Names)-1]), hint))
		return false
	}
	l.touch(v, star.Pos)
	return true
}

// Subquery binds a subquery, which must not read the match (DEF-13).
func (l *patternLeaves) Subquery(_ *scalar.Binder, n *sqlexpr.Node) scalar.Query {
	if l.b.opt.Subquery == nil {
		l.b.errs.Add(diag.New(diag.Unsupported, "DEF-13", n.Pos, "a subquery needs tables, and a clause alone has none").In(l.b.syn.Source).
			WithHint("run the whole statement as a query: SELECT ... FROM table MATCH_RECOGNIZE (...)"))
		return nil
	}
	return l.b.opt.Subquery(n, l.outer, l.b.errs)
}

// outer judges a name that a subquery cannot resolve by itself.
func (l *patternLeaves) outer(words []token.Word) *diag.Error {
	first := words[0]
	_, isVar := l.b.byName[first.Text]
	_, columns := l.b.input.Find(first.Text)
	switch {
	case len(words) == 2 && isVar, len(words) == 1 && columns > 0:
		return diag.New(diag.Semantic, "DEF-13", first.Pos, "the subquery refers to %s of the row pattern", join(names(words))).In(l.b.syn.Source).
			WithHint("take %s out of the subquery, which in %s must not depend on the match: compare with its result outside, as in %s IN (SELECT ...)", join(names(words)), l.place(), join(names(words)))
	}
	return nil
}

// rowLeaves binds expressions over a single input row: ORDER BY keys under
// GRAM-5=alternative.
type rowLeaves struct{ b *binding }

// Name binds a column of the row.
func (l *rowLeaves) Name(_ *scalar.Binder, n *sqlexpr.Node) scalar.Expr {
	parts := names(n.Names)
	col := l.b.inputColumn(parts)
	if col < 0 {
		return invalid(n)
	}
	return &ColumnRef{leaf: leaf{typ: l.b.input.Fields[col].Type, pos: n.Pos, text: l.b.text(n)}, Var: Universal, Column: col}
}

// Call leaves all calls to the scalar functions.
func (l *rowLeaves) Call(*scalar.Binder, *sqlexpr.Node) (scalar.Expr, bool) { return nil, false }

// Subquery refuses subqueries.
func (l *rowLeaves) Subquery(_ *scalar.Binder, n *sqlexpr.Node) scalar.Query {
	l.b.fail("GRAM-5", n.Pos, "a subquery cannot be an ordering key").WithHint("compute the value in a derived table and order by its column")
	return nil
}

// frameLeaves binds the size of a frame: a literal or a host variable.
type frameLeaves struct{ b *binding }

// Name refuses columns.
func (l *frameLeaves) Name(_ *scalar.Binder, n *sqlexpr.Node) scalar.Expr {
	l.b.fail("WIN-1", n.Pos, "the size of the frame is not constant").WithHint("write a number of rows or a host variable, such as :n; only Trino takes a size for each row")
	return invalid(n)
}

// Call leaves calls to the scalar functions.
func (l *frameLeaves) Call(*scalar.Binder, *sqlexpr.Node) (scalar.Expr, bool) { return nil, false }

// Subquery refuses subqueries.
func (l *frameLeaves) Subquery(_ *scalar.Binder, n *sqlexpr.Node) scalar.Query {
	l.b.fail("WIN-1", n.Pos, "the size of the frame cannot be a subquery").WithHint("write a number of rows or a host variable, such as :n")
	return nil
}
