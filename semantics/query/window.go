package query

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/sqlexpr"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// window is a window of a block, by name or in line.
type window struct {
	id     int
	name   string // as the error messages call it
	syntax *semantics.Syntax
	clause *semantics.Clause // nil: no row pattern
	bad    bool
	keys   []sortKey // ORDER BY of the window, for the ranking functions
}

// windowSet holds the windows of a block and the calls over them.
type windowSet struct {
	b       *binder
	sc      *scope
	env     *scope // around the block
	named   map[string]*window
	names   []string
	later   map[string]bool    // windows that WINDOW defines further on
	inline  map[string]*window // by the text of the specification (WIN-11)
	count   int
	calls   []*windowCall
	texts   map[string]*windowValue
	refused bool // the block is grouped: no window functions
}

// windowCall is a window function or measure to compute.
type windowCall struct {
	kind    callKind
	win     *window
	name    string
	measure int
	agg     *scalar.Aggregation
	args    []scalar.Expr
	typ     value.Type
	pos     diag.Pos
}

type callKind uint8

const (
	callMeasure   callKind = iota // m OVER w (WIN-7)
	callAggregate                 // over the reduced frame (WIN-6)
	callValue                     // FIRST_VALUE, LAST_VALUE, NTH_VALUE
	callRank                      // functions that ignore the frame (WIN-6=alternative)
)

// windowValue is the result of a windowCall for the current row.
type windowValue struct {
	scalar.Base
	index int
	text  string
}

// Eval reads the computed column.
func (w *windowValue) Eval(env scalar.Env) (value.Value, error) {
	e := env.(*rowEnv)
	return e.extra[w.index].Value(e.row), nil
}

// Children returns nothing: the operands are evaluated over other rows.
func (*windowValue) Children() []scalar.Expr { return nil }

// String returns the call; equal calls of a block are computed once.
func (w *windowValue) String() string { return w.text }

// windows binds the WINDOW clause, in the order in which the windows stand.
func (b *binder) windows(n *selectNode, sc, env *scope) *windowSet {
	ws := &windowSet{b: b, sc: sc, env: env, named: map[string]*window{}, later: map[string]bool{}, inline: map[string]*window{}, texts: map[string]*windowValue{}}
	for i := range n.windows {
		ws.later[n.windows[i].name.Text] = true
	}
	for i := range n.windows {
		node := &n.windows[i]
		delete(ws.later, node.name.Text)
		if _, ok := ws.named[node.name.Text]; ok {
			b.fail(semantic(node.name.Pos, "the window %s is defined twice", node.name).WithHint("give each window a name of its own"))
			continue
		}
		ws.named[node.name.Text] = ws.define(node, node.name.String())
		ws.names = append(ws.names, node.name.Text)
	}
	return ws
}

// define binds a window specification.
func (ws *windowSet) define(node *windowNode, name string) *window {
	w := &window{id: ws.count, name: name}
	ws.count++
	syn := *node.syntax
	if syn.Base != nil && !ws.extend(&syn) {
		w.bad = true
	}
	w.syntax = &syn
	row := ws.sc.row
	if row == nil {
		row = &semantics.RowType{}
	}
	if node.lacks != nil {
		ws.b.fail(node.lacks)
		w.bad = true
	}
	if syn.Pattern == nil || w.bad {
		return w
	}
	before := ws.b.errs.Len()
	w.clause = ws.b.recognition(&syn, row, ws.env)
	w.bad = ws.b.errs.Len() > before
	return w
}

// extend gives a specification the partitioning and ordering of the window that
// it begins with (GRAM-14). A window with a frame cannot be extended (WIN-11).
func (ws *windowSet) extend(syn *semantics.Syntax) bool {
	base, ok := ws.named[syn.Base.Text]
	if !ok {
		ws.unknown(token.Word(*syn.Base))
		return false
	}
	if base.bad {
		return false
	}
	fail := func(rule string, pos diag.Pos, format string, args ...any) *diag.Error {
		e := diag.New(diag.Semantic, rule, pos, format, args...)
		ws.b.fail(e)
		return e
	}
	from := base.syntax
	switch {
	case from.Pattern != nil:
		fail("WIN-11", syn.Base.Pos, "the window %s has a row pattern and cannot be extended", syn.Base).
			WithHint("write OVER %s without parentheses, or repeat its specification with the change", syn.Base)
	case from.Frame != nil:
		fail("WIN-11", syn.Base.Pos, "the window %s has a frame and cannot be extended", syn.Base).
			WithHint("leave only PARTITION BY and ORDER BY in %s, and write the frame here", syn.Base)
	case len(syn.PartitionBy) > 0:
		fail("GRAM-14", syn.PartitionBy[0].Parts[0].Pos, "the window takes over the partitioning of %s and cannot have a PARTITION BY of its own", syn.Base).
			WithHint("leave PARTITION BY out, or the name %s", syn.Base)
	case len(syn.OrderBy) > 0 && len(from.OrderBy) > 0:
		fail("GRAM-14", syn.OrderBy[0].Expr.Pos, "the window takes over the ordering of %s and cannot have an ORDER BY of its own", syn.Base).
			WithHint("leave ORDER BY out, or the name %s", syn.Base)
	default:
		syn.PartitionBy = from.PartitionBy
		if len(from.OrderBy) > 0 {
			syn.OrderBy = from.OrderBy
		}
		return true
	}
	return false
}

func (ws *windowSet) unknown(name token.Word) {
	e := nameError(name.Pos, "there is no window %s", name)
	if ws.later[name.Text] {
		e.WithHint("move the definition of %s before this one: a window extends one that is defined before it", name)
	} else if len(ws.names) == 0 {
		e.WithHint("define it behind FROM and WHERE: WINDOW %s AS (...)", name)
	} else {
		e.WithHint("%s", suggestion(name.Text, ws.names, "the windows are: %s"))
	}
	ws.b.fail(e)
}

// find returns the window of OVER; nil after reporting an error.
func (ws *windowSet) find(o *sqlexpr.Over) *window {
	if ws.refused {
		ws.b.fail(diag.New(diag.Unsupported, "SQL-1", o.Pos, "window functions over groups are not supported").
			WithHint("group in a derived table, and use the window around it"))
		return nil
	}
	if !o.Inline {
		w, ok := ws.named[o.Name.Text]
		if !ok {
			ws.unknown(*o.Name)
			return nil
		}
		if w.bad {
			return nil
		}
		return w
	}
	node := ws.b.st.windows[o]
	w, ok := ws.inline[node.text]
	if !ok {
		w = ws.define(node, "(...)")
		ws.inline[node.text] = w
	}
	if w.bad {
		return nil
	}
	return w
}

// add records a call, or finds an equal one.
func (ws *windowSet) add(c *windowCall, text string) scalar.Expr {
	text = fmt.Sprintf("%s OVER window %d", text, c.win.id)
	if v, ok := ws.texts[text]; ok {
		return v
	}
	v := &windowValue{Base: scalar.Base{Place: c.pos, T: c.typ}, index: len(ws.calls), text: text}
	ws.calls = append(ws.calls, c)
	ws.texts[text] = v
	return v
}

// measure binds m OVER w (WIN-7).
func (l *leaves) measure(n *sqlexpr.Node) scalar.Expr {
	if l.win == nil {
		l.b.fail(semantic(n.Over.Pos, "a measure of a window is not allowed in %s", l.place).
			WithHint("measures and window functions stand in the select list and in ORDER BY: compute it in a derived table, and use its name here"))
		return invalid(n.Pos)
	}
	w := l.win.find(n.Over)
	if w == nil {
		return invalid(n.Pos)
	}
	name := n.Names[len(n.Names)-1]
	i := -1
	if w.clause != nil && len(n.Names) == 1 {
		i = w.clause.MeasureIndex(name.Text)
	}
	if i < 0 {
		e := diag.New(diag.Semantic, "WIN-7", n.Pos, "the window %s defines no measure %s", w.name, join(n.Names))
		switch {
		case w.clause == nil:
			e.WithHint("give the window the measure and a row pattern: MEASURES expression AS %s ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (...) DEFINE ...", name)
		case len(w.clause.Measures) == 0:
			e.WithHint("add MEASURES expression AS %s to the window", name)
		default:
			var names []string
			for _, m := range w.clause.Measures {
				names = append(names, m.Name.Text)
			}
			e.WithHint("%s", suggestion(name.Text, names, "its measures are: %s"))
		}
		l.b.fail(e)
		return invalid(n.Pos)
	}
	c := &windowCall{kind: callMeasure, win: w, name: name.Text, measure: i, typ: w.clause.Measures[i].Expr.Type(), pos: n.Pos}
	return l.win.add(c, name.String())
}

// windowFunctions are the window functions that are no aggregates, with their
// numbers of arguments.
var windowFunctions = map[string]struct {
	kind     callKind
	min, max int
}{
	"FIRST_VALUE": {callValue, 1, 1}, "LAST_VALUE": {callValue, 1, 1}, "NTH_VALUE": {callValue, 2, 2},
	"ROW_NUMBER": {callRank, 0, 0}, "RANK": {callRank, 0, 0}, "DENSE_RANK": {callRank, 0, 0}, "PERCENT_RANK": {callRank, 0, 0},
	"CUME_DIST": {callRank, 0, 0}, "NTILE": {callRank, 1, 1}, "LAG": {callRank, 1, 3}, "LEAD": {callRank, 1, 3},
}

// windowFunction binds a call with OVER. False: it is no window function, or
// none may stand here; package scalar says so.
func (l *leaves) windowFunction(sb *scalar.Binder, n *sqlexpr.Node) (scalar.Expr, bool) {
	name := callName(n)
	fn, isAggregate := scalar.LookupAggregate(name)
	f, isWindow := windowFunctions[name]
	if l.win == nil || !isAggregate && !isWindow {
		return nil, false
	}
	w := l.win.find(n.Over)
	if w == nil {
		return invalid(n.Pos), true
	}
	if w.clause == nil {
		l.b.fail(diag.New(diag.Unsupported, "SQL-1", n.Over.Pos, "window functions over a window without a row pattern are not supported").
			WithHint("compute the value before, in a file, or add a row pattern to the window: ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (...) DEFINE ..."))
		return invalid(n.Pos), true
	}
	c := &windowCall{win: w, name: name, pos: n.Pos}
	if isAggregate {
		agg, ok := l.aggregation(n, fn)
		if !ok {
			return invalid(n.Pos), true
		}
		c.kind, c.agg, c.typ = callAggregate, agg, agg.Type
		return l.win.add(c, aggregationText(agg)), true
	}
	c.kind = f.kind
	if c.kind == callRank && !l.b.opt.Readings.Is(readings.WIN6) {
		l.b.fail(diag.New(diag.Semantic, "WIN-6", n.Pos, "%s takes no frame, and a window with a row pattern has one", name).
			WithHint("number or compare the rows before, in a file; under the reading WIN-6=alternative it is evaluated over the window partition"))
		return invalid(n.Pos), true
	}
	if n.Distinct || n.Filter != nil || len(n.OrderBy) > 0 {
		l.b.fail(semantic(n.Pos, "%s takes no DISTINCT, FILTER or ORDER BY: it is no aggregate", name).WithHint("write %s", usage[name]))
		return invalid(n.Pos), true
	}
	if len(n.Args) < f.min || len(n.Args) > f.max {
		takes := diag.Counted(f.max, "argument")
		if f.min < f.max {
			takes = fmt.Sprintf("%d to %s", f.min, takes)
		}
		l.b.fail(semantic(n.Pos, "%s takes %s, not %d", name, takes, len(n.Args)).WithHint("write %s", usage[name]))
		return invalid(n.Pos), true
	}
	if !l.arguments(c, n) {
		return invalid(n.Pos), true
	}
	return l.win.add(c, name+"("+texts(c.args)+")"), true
}

// usage shows how window functions are called.
var usage = map[string]string{
	"FIRST_VALUE": "FIRST_VALUE(x) OVER w", "LAST_VALUE": "LAST_VALUE(x) OVER w", "NTH_VALUE": "NTH_VALUE(x, n) OVER w",
	"ROW_NUMBER": "ROW_NUMBER() OVER w", "RANK": "RANK() OVER w", "DENSE_RANK": "DENSE_RANK() OVER w",
	"PERCENT_RANK": "PERCENT_RANK() OVER w", "CUME_DIST": "CUME_DIST() OVER w", "NTILE": "NTILE(n) OVER w",
	"LAG": "LAG(x, offset, default) OVER w", "LEAD": "LEAD(x, offset, default) OVER w",
}

// arguments binds the arguments of a window function and finds its type.
func (l *leaves) arguments(c *windowCall, n *sqlexpr.Node) bool {
	before := l.b.errs.Len()
	c.args = l.b.scalarBinder(l.inner("a window function")).BindAll(n.Args)
	number := -1 // the argument that is a number of rows
	switch c.name {
	case "ROW_NUMBER", "RANK", "DENSE_RANK":
		c.typ = value.TypeBigint
	case "PERCENT_RANK", "CUME_DIST":
		c.typ = value.TypeDouble
	case "NTILE":
		c.typ, number = value.TypeBigint, 0
	default:
		c.typ = c.args[0].Type()
		if len(c.args) > 1 {
			number = 1
		}
	}
	if number >= 0 {
		if t := c.args[number].Type(); !t.IsInteger() && t.Kind != value.Unknown {
			l.b.fail(diag.New(diag.Semantic, "TYPE-1", n.Args[number].Pos, "argument %d of %s is %s, no integer", number+1, c.name, t).
				WithHint("write %s", usage[c.name]))
		}
	}
	if len(c.args) == 3 {
		t, ok := value.CommonType(c.typ, c.args[2].Type())
		if !ok {
			l.b.fail(diag.New(diag.Semantic, "TYPE-1", n.Args[2].Pos, "the default of %s is %s, its first argument %s", c.name, c.args[2].Type(), c.typ).
				WithHint("write a default of type %s", c.typ))
		}
		c.typ = t
	}
	if c.kind == callRank {
		l.windowOrder(c.win)
	}
	return l.b.errs.Len() == before
}

// windowOrder binds the ordering of a window as expressions, which tell the
// ranking functions what ties are.
func (l *leaves) windowOrder(w *window) {
	if w.keys != nil {
		return
	}
	for _, item := range w.syntax.OrderBy {
		k := l.b.sortKey(item)
		k.expr = l.b.scalarBinder(l.inner("ORDER BY")).Bind(item.Expr)
		w.keys = append(w.keys, k)
	}
}
