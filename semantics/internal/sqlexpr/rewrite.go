package sqlexpr

import (
	"strconv"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// itemKind is what one piece of the rewritten text stands for.
type itemKind uint8

const (
	itemLeaf    itemKind = iota // a quoted name: node is finished
	itemCall                    // a call of a quoted name: node lacks its operands
	itemParen                   // ( expression )
	itemPrefix                  // NOT + -
	itemInfix                   // every operator between two operands but AND of BETWEEN
	itemPostfix                 // IS [NOT] NULL, IS [NOT] TRUE, ...
	itemIn
	itemBetween
	itemBetweenAnd
)

// item is one piece of the rewritten text, apart from commas and the like.
type item struct {
	kind    itemKind
	op      string // the operator as the standard writes it
	negated bool
	pos     diag.Pos // of the first token
	end     int      // offset after the last token; of IN after its list
	node    *Node
	parts   parts
	out     int // offset in the rewritten text
}

// parts tells how the operands of a bracketed form are distributed: first the
// arguments, then sort keys, then the condition of FILTER. CASE has its operand
// first and its ELSE last.
type parts struct {
	args, order           int
	filter, operand, last bool
}

// rewriter walks the tokens of an expression once.
type rewriter struct {
	*token.Stream
	opts  Options
	out   []byte
	items []item
	depth int
	later *diag.Error // first error that is no syntax error: reported if there is no other
}

// emit writes text for TiDB and appends the item that it stands for.
func (r *rewriter) emit(text string, it item) int {
	r.out = append(r.out, ' ')
	it.out = len(r.out)
	r.out = append(r.out, text...)
	r.items = append(r.items, it)
	return len(r.items) - 1
}

// leaf writes a quoted name for a finished node.
func (r *rewriter) leaf(n *Node) {
	r.emit(`"i`+strconv.Itoa(len(r.items))+`"`, item{kind: itemLeaf, pos: n.Pos, end: n.End, node: n})
}

// open writes the beginning of a call for a bracketed form; close ends it.
func (r *rewriter) open(n *Node) int {
	return r.emit(`"f`+strconv.Itoa(len(r.items))+`"(`, item{kind: itemCall, pos: n.Pos, node: n})
}

// close ends a bracketed form whose last token was the one before the current.
func (r *rewriter) close(at int) {
	r.out = append(r.out, ')')
	r.items[at].node.End = r.lastEnd()
}

// operandOf rewrites one more operand of a bracketed form that has n so far.
func (r *rewriter) operandOf(n *int) error {
	if *n > 0 {
		r.out = append(r.out, ',')
	}
	*n++
	return r.expression(false)
}

// lastEnd returns the offset after the token before the current one.
func (r *rewriter) lastEnd() int { return r.Slice(r.Index()-1, r.Index())[0].End }

// enter counts one level of nesting, which leave takes back.
func (r *rewriter) enter() error {
	if r.depth++; r.depth > r.opts.MaxDepth {
		return r.limit("an expression is nested more than %d levels deep", r.opts.MaxDepth).
			WithHint("flatten it, or compute parts of it in a derived table")
	}
	return nil
}

func (r *rewriter) leave() { r.depth-- }

func (r *rewriter) limit(format string, args ...any) *diag.Error {
	return diag.New(diag.Limit, "LIM-1", r.Pos(), format, args...).In(r.Source())
}

func (r *rewriter) unsupported(pos diag.Pos, format string, args ...any) *diag.Error {
	return diag.New(diag.Unsupported, "SQL-1", pos, format, args...).In(r.Source())
}

// segment is what was seen of an expression since the last AND or OR (the
// AND of BETWEEN aside). The standard's grammar for it is
//
//	[NOT] operand [predicate operator operand ...] [IS [NOT] truth value]
//
// where the operands hold arithmetic or || but no predicate. MySQL allows more
// and groups || differently, so what differs is refused here.
type segment struct {
	any     bool // something but NOT was seen
	not     bool
	pred    predicate
	between bool // the AND of BETWEEN is awaited
	like    bool // ESCAPE may follow
	arith   bool // arithmetic in the current operand
	concat  bool // || in the current operand
}

// predicate is how far the predicate of a segment is.
type predicate uint8

const (
	noPredicate predicate = iota
	openPredicate
	closedPredicate // IS NULL, IN (...), EXISTS (...): no operand can follow
	truthTested     // IS TRUE and the like
)

// expression rewrites one expression, or one without predicates and boolean
// operators. It ends before the first token that cannot continue it.
func (r *rewriter) expression(valueOnly bool) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	seg := segment{any: valueOnly} // an operand of a value expression is no condition
	for operators := 0; ; operators++ {
		if operators > maxOperators {
			return r.limit("an expression has more than %d operators in a row", maxOperators).
				WithHint("group the terms with parentheses, or use IN (...)")
		}
		if err := r.signed(&seg); err != nil {
			return err
		}
		if valueOnly && !r.AtOp("+") && !r.AtOp("-") && !r.AtOp("*") && !r.AtOp("/") && !r.AtOp("||") {
			return nil
		}
		more, err := r.operators(&seg)
		if err != nil || !more {
			return err
		}
	}
}

// signed rewrites NOT and signs, then an operand.
func (r *rewriter) signed(seg *segment) error {
	signs := 0
	defer func() { r.depth -= signs }()
	for {
		t := r.Peek(0)
		switch {
		case t.Is("NOT"):
			if seg.any || seg.not {
				return r.Errorf("SQL-1", "NOT cannot stand behind an operator or another NOT").WithHint("put NOT and what it negates in parentheses, or write x NOT IN (...), x NOT LIKE p, x NOT BETWEEN a AND b")
			}
			seg.not = true
		case t.IsOp("-"), t.IsOp("+"):
			if seg.concat {
				return r.mixed(t)
			}
			seg.any, seg.arith = true, true
			signs++
			if err := r.enter(); err != nil {
				return err
			}
		default:
			return r.operand(seg)
		}
		r.Next()
		r.emit(t.Text, item{kind: itemPrefix, op: t.Text, pos: t.Pos})
	}
}

// operators rewrites what follows an operand up to the next operand; it
// returns false if the expression ends.
func (r *rewriter) operators(seg *segment) (more bool, err error) {
	for {
		t := r.Peek(0)
		switch {
		case t.Kind == token.Op:
			switch t.Text {
			case "+", "-", "*", "/", "||":
				return true, r.arithmetic(seg, t)
			case "=", "<>", "<", "<=", ">", ">=":
				r.Next()
				return true, r.comparison(seg, t, t.Text, t.Text, false)
			}
		case t.Is("AND") && seg.between:
			seg.between, seg.arith, seg.concat = false, false, false
			r.Next()
			r.emit("AND", item{kind: itemBetweenAnd, pos: t.Pos})
			return true, nil
		case t.Is("AND"), t.Is("OR"):
			if err := r.unfinished(seg); err != nil {
				return false, err
			}
			*seg = segment{}
			r.Next()
			r.emit(t.Text, item{kind: itemInfix, op: t.Text, pos: t.Pos})
			return true, nil
		case t.Is("IS"):
			closed, err := r.is(seg)
			if err != nil || !closed {
				return true, err
			}
			continue
		case t.Is("NOT"), t.Is("BETWEEN"), t.Is("IN"), t.Is("LIKE"):
			again, err := r.predicate(seg)
			if err != nil || !again {
				return true, err
			}
			continue
		case t.Is("ESCAPE") && seg.like:
			seg.like, seg.arith, seg.concat = false, false, false
			r.Next()
			r.emit("<=>", item{kind: itemInfix, op: "ESCAPE", pos: t.Pos})
			return true, nil
		}
		if err := r.unfinished(seg); err != nil {
			return false, err
		}
		return false, r.foreignOperator()
	}
}

// unfinished reports a BETWEEN without its AND.
func (r *rewriter) unfinished(seg *segment) error {
	if seg.between {
		return r.Expected("SQL-1", "AND and the upper bound of BETWEEN", "write x BETWEEN low AND high")
	}
	return nil
}

// arithmetic rewrites + - * / and ||.
func (r *rewriter) arithmetic(seg *segment, t token.Token) error {
	if seg.pred >= closedPredicate {
		return r.chained(t)
	}
	if concat := t.Text == "||"; concat && seg.arith || !concat && seg.concat {
		return r.mixed(t)
	} else if concat {
		seg.concat = true
	} else {
		seg.arith = true
	}
	r.Next()
	r.emit(t.Text, item{kind: itemInfix, op: t.Text, pos: t.Pos})
	return nil
}

// comparison rewrites the operator of a predicate with two operands. LIKE and
// IS DISTINCT FROM are written as MySQL's <=>, which groups like = and which
// our lexer refuses, so that nothing else is written so.
func (r *rewriter) comparison(seg *segment, t token.Token, text, op string, negated bool) error {
	if err := r.beginPredicate(seg, t, openPredicate); err != nil {
		return err
	}
	seg.like = op == "LIKE"
	r.emit(text, item{kind: itemInfix, op: op, negated: negated, pos: t.Pos})
	return nil
}

// beginPredicate applies the shape rule that a predicate is no operand of
// another one without parentheses; t is the first token of the operator.
func (r *rewriter) beginPredicate(seg *segment, t token.Token, state predicate) error {
	if seg.pred != noPredicate {
		return r.chained(t)
	}
	seg.pred, seg.arith, seg.concat = state, false, false
	return nil
}

func (r *rewriter) chained(t token.Token) error {
	return diag.New(diag.Syntax, "SQL-1", t.Pos, "%s follows a complete condition", token.Describe(r.Source(), t)).
		In(r.Source()).
		WithHint("join two conditions with AND or OR, as in a < b AND b < c; where the truth of the first is compared, put it in parentheses")
}

func (r *rewriter) mixed(t token.Token) error {
	return diag.New(diag.Syntax, "SQL-1", t.Pos, "|| and arithmetic are mixed").In(r.Source()).
		WithHint("|| takes character strings: put the arithmetic or the concatenation in parentheses")
}

const isForm = "values are compared with =, or with IS NOT DISTINCT FROM where NULL equals NULL; IS stands before NULL, TRUE, FALSE and UNKNOWN"

// is rewrites what begins with IS; closed tells that no operand follows.
func (r *rewriter) is(seg *segment) (closed bool, err error) {
	if err := r.unfinished(seg); err != nil {
		return false, err
	}
	t := r.Next()
	negated := r.Accept("NOT")
	what := r.Peek(0)
	text := "IS TRUE"
	switch {
	case what.Is("DISTINCT"):
		r.Next()
		if err := r.Expect("FROM", isForm); err != nil {
			return false, err
		}
		return false, r.comparison(seg, t, "<=>", "DISTINCT", negated)
	case what.Is("NULL"):
		text = "IS NULL"
		err = r.beginPredicate(seg, t, closedPredicate)
	case what.Is("TRUE"), what.Is("FALSE"), what.Is("UNKNOWN"):
		if seg.pred == truthTested {
			err = r.chained(t)
		}
		seg.pred, seg.like = truthTested, false
	default:
		return false, r.Expected("SQL-1", "NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM after IS", isForm)
	}
	if err != nil {
		return false, err
	}
	r.Next()
	r.emit(text, item{kind: itemPostfix, op: what.Text, negated: negated, pos: t.Pos, end: what.End})
	return true, nil
}

// predicate rewrites [NOT] BETWEEN, IN and LIKE; closed tells that no operand follows.
func (r *rewriter) predicate(seg *segment) (closed bool, err error) {
	t := r.Peek(0)
	negated := r.Accept("NOT")
	switch {
	case r.Accept("LIKE"):
		return false, r.comparison(seg, t, "<=>", "LIKE", negated)
	case r.Accept("BETWEEN"):
		if err := r.beginPredicate(seg, t, openPredicate); err != nil {
			return false, err
		}
		seg.between = true
		r.emit("BETWEEN", item{kind: itemBetween, negated: negated, pos: t.Pos})
		return false, r.symmetric()
	case r.Accept("IN"):
		if err := r.beginPredicate(seg, t, closedPredicate); err != nil {
			return false, err
		}
		return true, r.in(item{kind: itemIn, negated: negated, pos: t.Pos})
	}
	return false, r.unexpected("BETWEEN, IN or LIKE after NOT", "write x NOT BETWEEN a AND b, x NOT IN (...) or x NOT LIKE p; to negate a condition put NOT before it")
}

// symmetric takes ASYMMETRIC, which changes nothing, and refuses SYMMETRIC.
// Before AND or an operator the word is a column (GRAM-15).
func (r *rewriter) symmetric() error {
	if !r.At("SYMMETRIC", "ASYMMETRIC") || !startsOperand(r.Peek(1)) {
		return nil
	}
	if r.At("SYMMETRIC") {
		return r.unsupported(r.Pos(), "BETWEEN SYMMETRIC is not supported").
			WithHint("write a BETWEEN LEAST(b, c) AND GREATEST(b, c)")
	}
	r.Next()
	return nil
}

// in rewrites the parenthesised part of IN.
func (r *rewriter) in(it item) error {
	if !r.AtOp("(") {
		return r.Expected("SQL-1", "( after IN", "write x IN (1, 2, 3) or x IN (SELECT ...)")
	}
	at := r.emit("IN (", it)
	if subquery, err := r.subquery(); err != nil {
		return err
	} else if subquery != nil {
		r.leaf(subquery)
	} else {
		r.Next()
		for n := 0; n == 0 || r.AcceptOp(","); {
			if err := r.operandOf(&n); err != nil {
				return err
			}
		}
		if err := r.closing("a comma or )", "separate the values of IN by commas and close the list with )"); err != nil {
			return err
		}
	}
	r.items[at].end = r.lastEnd()
	r.out = append(r.out, ')')
	return nil
}

// closing takes a closing parenthesis.
func (r *rewriter) closing(want, hint string) error {
	if r.AcceptOp(")") {
		return nil
	}
	return r.unexpected(want, hint)
}
