package columnar

import (
	"fmt"
	"math"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// plan is a set of compiled conditions: nodes, each with its number, over
// windows of columns.
type plan struct {
	roots   []root
	nodes   int
	windows []window
	shifts  []int64          // distances of PREV and NEXT
	known   map[string]*node // total nodes by what they compute
	back    int              // how far the windows reach before the block (not positive)
	ahead   int              // and behind it
	folding *run
}

// root is a condition.
type root struct {
	fast    *node
	wide    *node // the same with decimals as values; nil: there is none
	escapes bool  // 64 bits may not suffice for fast
}

// node computes one vector.
type node struct {
	id    int
	kind  kind
	typ   value.Type
	scale int // kindInt: digits after the point of a decimal
	// total nodes compute all rows of the block, without errors: one node may
	// stand in several places.
	total bool
	// late nodes are evaluated when a row needs them, even over constants.
	late     bool
	constant bool
	value    value.Value // of a constant
	// eval writes v, at least in the rows in on. Elsewhere it holds anything.
	eval func(r *run, v *vec, on *mask)
}

// null reports the constant NULL.
func (n *node) null() bool { return n.constant && n.value.IsNull() }

// builder makes the nodes of one condition.
type builder struct {
	*plan
	leaves  Resolver
	wide    bool  // decimals are values
	shift   int64 // distance from the row under test, inside of PREV and NEXT
	failed  bool  // something is not supported
	escapes bool  // 64 bits may not suffice somewhere
}

// fail notes that something is not supported. The node stands for it.
func (b *builder) fail(t value.Type) *node {
	b.failed = true
	k, scale := b.heldAs(t)
	return b.null(k, t, scale)
}

// heldAs returns how the values of a type are held by nodes.
func (b *builder) heldAs(t value.Type) (k kind, scale int) {
	switch t.Kind {
	case value.Boolean:
		return kindTruth, 0
	case value.Unknown, value.Binary, value.Array:
		return kindBoxed, 0
	case value.Real, value.Double:
		return kindFloat, 0
	case value.Char, value.Varchar:
		return kindText, 0
	case value.Decimal:
		if b.wide || t.Precision == 0 || t.Scale > maxScale {
			return kindBoxed, 0
		}
		return kindInt, t.Scale
	}
	return kindInt, 0
}

// maxScale is the largest scale of decimals that are held as integers.
const maxScale = 18

// add makes a node of a total operation. It is total if its operands are, and
// then shared with what has the same key and operands. Over constants it is
// evaluated at once.
func (b *builder) add(n node, key string, args ...*node) *node {
	n.total = true
	for _, a := range args {
		n.total = n.total && a.total
	}
	return b.place(n, key, args)
}

// addPartial makes a node that may be an error, or does not compute all rows.
func (b *builder) addPartial(n node, args ...*node) *node {
	n.total = false
	return b.place(n, "", args)
}

func (b *builder) place(n node, key string, args []*node) *node {
	if n.total && key != "" {
		var text strings.Builder
		fmt.Fprintf(&text, "%s/%d", key, n.kind)
		for _, a := range args {
			fmt.Fprintf(&text, ",%d", a.id)
		}
		key = text.String()
		if old := b.known[key]; old != nil {
			return old
		}
	}
	out := n
	out.id = b.nodes
	b.nodes++
	if folded := b.fold(&out, args); folded != nil {
		return folded
	}
	if n.total && key != "" {
		if b.known == nil {
			b.known = map[string]*node{}
		}
		b.known[key] = &out
	}
	return &out
}

// fold evaluates a node whose operands are constants. An error, or a decimal
// beyond 64 bits, is left to the rows that meet it.
func (b *builder) fold(n *node, args []*node) *node {
	for _, a := range args {
		if !a.constant {
			return nil
		}
	}
	if len(args) == 0 || n.late {
		return nil
	}
	if b.folding == nil {
		b.folding = &run{plan: b.plan}
	}
	r := b.folding
	r.vecs = grown(r.vecs, b.nodes)
	r.stamp++
	r.n, r.all, r.raised, r.escaped = 1, mask{1}, mask{}, mask{}
	v := r.eval(n, &r.all)
	if !r.raised.empty() || !r.escaped.empty() {
		return nil
	}
	return b.constant(n.kind, n.typ, n.scale, n.box(v, 0))
}

// box returns row i of a vector of the node as a value.
func (n *node) box(v *vec, i int) value.Value {
	w, bit := i>>6, uint64(1)<<(i&63)
	switch {
	case n.kind == kindTruth && v.t[w]&bit != 0:
		return value.Bool(true)
	case n.kind == kindTruth && v.f[w]&bit != 0:
		return value.Bool(false)
	case n.kind == kindTruth:
		return value.Null
	case n.kind == kindBoxed:
		return v.vals[i]
	case v.nulls != nil && v.nulls[w]&bit != 0:
		return value.Null
	case n.kind == kindFloat:
		return value.Float(v.floats[i])
	case n.kind == kindText:
		return value.String(v.text(i))
	}
	x := v.ints[i]
	switch n.typ.Kind {
	case value.Decimal:
		return value.ScaledInt(x, n.scale)
	case value.Date:
		return value.DateOf(x)
	case value.Time:
		return value.TimeOf(x)
	case value.Timestamp:
		return value.TimestampOf(x)
	case value.IntervalDay:
		return value.IntervalOf(x)
	case value.IntervalYear:
		return value.MonthsOf(x)
	}
	return value.Int(x)
}

// unbox returns what a value, not NULL, is held as in a node of kindInt; false
// if it does not fit.
func unboxInt(v value.Value, t value.Type, scale int) (int64, bool) {
	if t.Kind != value.Decimal {
		return v.Raw(), v.Form() == formOf(t.Kind)
	}
	n, digits, ok := v.AsScaled()
	if !ok || digits > scale {
		return 0, false
	}
	n, ok = mulInt(n, pow10[scale-digits])
	return n, ok && fitsPrecision(n, t.Precision)
}

// formOf returns the form of the kinds that are held as integers, decimals apart.
func formOf(k value.Kind) value.Form {
	switch k {
	case value.Boolean:
		return value.FormBool
	case value.Date:
		return value.FormDate
	case value.Time:
		return value.FormTime
	case value.Timestamp:
		return value.FormStamp
	case value.IntervalDay:
		return value.FormInterval
	case value.IntervalYear:
		return value.FormMonths
	}
	return value.FormInt
}

// null makes the constant NULL.
func (b *builder) null(k kind, t value.Type, scale int) *node {
	return b.constant(k, t, scale, value.Null)
}

// constant makes a constant node. Its value has the form of its type.
func (b *builder) constant(k kind, t value.Type, scale int, x value.Value) *node {
	if k == kindInt && !x.IsNull() {
		if _, ok := unboxInt(x, t, scale); !ok {
			return b.fail(t)
		}
	}
	n := node{kind: k, typ: t, scale: scale, constant: true, value: x}
	n.eval = func(_ *run, v *vec, _ *mask) {
		if !v.full {
			v.full = true
			fill(v, &n, x)
		}
	}
	key := fmt.Sprintf("const:%s:%d:%d:%q", t, x.Form(), x.Raw(), x.AsString())
	if k == kindBoxed {
		key = "" // big decimals and arrays are not told apart by these
	}
	return b.add(n, key)
}

func fill(v *vec, n *node, x value.Value) {
	if x.IsNull() {
		for w := range v.own.nulls {
			v.own.nulls[w] = ^uint64(0)
		}
		v.nulls = &v.own.nulls
	}
	switch n.kind {
	case kindTruth:
		for w := range v.t {
			switch value.TruthOf(x) {
			case value.True:
				v.t[w] = ^uint64(0)
			case value.False:
				v.f[w] = ^uint64(0)
			}
		}
	case kindInt:
		c := int64(0)
		if !x.IsNull() {
			c, _ = unboxInt(x, n.typ, n.scale)
		}
		for i, to := 0, v.makeInts(); i < len(to); i++ {
			to[i] = c
		}
	case kindFloat:
		c := 0.0
		if !x.IsNull() {
			c = x.AsFloat()
		}
		for i, to := 0, v.makeFloats(); i < len(to); i++ {
			to[i] = c
		}
	case kindText:
		v.makeText()
		for i := range v.list {
			v.setText(i, x.AsString())
		}
	case kindBoxed:
		for i, to := 0, v.makeVals(); i < len(to); i++ {
			to[i] = x
		}
	}
}

// literal makes the node of a literal or host variable.
func (b *builder) literal(x value.Value, t value.Type) *node {
	k, scale := b.heldAs(t)
	fits := true
	switch {
	case x.IsNull():
	case k == kindTruth:
		fits = x.Form() == value.FormBool
	case k == kindInt:
		var n int64
		n, fits = unboxInt(x, t, scale)
		fits = fits && inRange(n, t.Kind)
	case k == kindFloat:
		fits = x.Form() == value.FormDouble
	case k == kindText:
		fits = x.Form() == value.FormString
	}
	if !fits {
		return b.fail(t)
	}
	return b.constant(k, t, scale, x)
}

var pow10 = func() (p [19]int64) {
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * 10
	}
	return p
}()

// fitsPrecision reports a coefficient of at most p digits.
func fitsPrecision(n int64, p int) bool {
	return p > maxScale || n < pow10[p] && n > -pow10[p]
}

// inRange reports whether an integer type can hold n.
func inRange(n int64, k value.Kind) bool {
	switch k {
	case value.Smallint:
		return n == int64(int16(n))
	case value.Integer:
		return n == int64(int32(n))
	}
	return true
}

// maxSteps bounds the distances that are read; a row further away does not exist.
const maxSteps = math.MaxInt32
