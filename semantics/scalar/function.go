package scalar

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Function is a scalar function. All functions are deterministic (DEF-15),
// and all but COALESCE, IF and NULLIF give NULL if an argument is NULL.
type Function struct {
	Name             string // folded; aliases share the Function of the first name
	MinArgs, MaxArgs int    // MaxArgs < 0: any number
	Usage            string // how a call looks
	// Lazy functions (COALESCE, IF, NULLIF) evaluate only the arguments that
	// they need (DEF-15); they have no Impl.
	Lazy    bool
	params  []param // the last one stands for all that follow
	resolve func(c *site) (value.Type, Impl)
	lazy    func(n *Func, env Env) (value.Value, error)
}

// Impl computes a function from arguments that are not NULL and have the
// types that the call was bound with. Exactly one field is set; an engine may
// call it directly.
type Impl struct {
	One  func(a value.Value) (value.Value, error)
	Two  func(a, b value.Value) (value.Value, error)
	Many func(args []value.Value) (value.Value, error)
}

// Call applies the function; NULL if an argument is NULL. Errors carry no place.
func (m Impl) Call(args []value.Value) (value.Value, error) {
	for _, a := range args {
		if a.IsNull() {
			return value.Null, nil
		}
	}
	switch {
	case m.One != nil:
		return m.One(args[0])
	case m.Two != nil:
		return m.Two(args[0], args[1])
	case m.Many != nil:
		return m.Many(args)
	}
	return value.Null, nil // arguments of unknown type are NULL
}

// Eval calls the function. All arguments are evaluated, unless it is lazy.
func (n *Func) Eval(env Env) (value.Value, error) {
	switch {
	case n.Fn.Lazy:
		return n.Fn.lazy(n, env)
	case n.Impl.One != nil:
		a, err := n.Args[0].Eval(env)
		if err != nil || a.IsNull() {
			return value.Null, err
		}
		return n.result(n.Impl.One(a))
	case n.Impl.Two != nil:
		a, err := n.Args[0].Eval(env)
		if err != nil {
			return value.Null, err
		}
		b, err := n.Args[1].Eval(env)
		if err != nil || a.IsNull() || b.IsNull() {
			return value.Null, err
		}
		return n.result(n.Impl.Two(a, b))
	}
	args := make([]value.Value, len(n.Args))
	for i, a := range n.Args {
		var err error
		if args[i], err = a.Eval(env); err != nil {
			return value.Null, err
		}
	}
	return n.result(n.Impl.Call(args))
}

func (n *Func) result(v value.Value, err error) (value.Value, error) {
	if err != nil {
		return value.Null, located(err, n.Place)
	}
	return v, nil
}

// LookupFunction finds a scalar function by its folded name.
func LookupFunction(name string) (*Function, bool) {
	f, ok := functions[name]
	return f, ok
}

// functions holds all scalar functions by name and alias.
var functions = map[string]*Function{}

// register adds a function under its name and aliases.
func register(f *Function, aliases ...string) {
	functions[f.Name] = f
	for _, a := range aliases {
		functions[a] = f
	}
}

// param says what a function takes in one place.
type param struct {
	what string // for messages
	ok   func(value.Type) bool
	to   value.Type // converted to this type, if it is known
}

var (
	aNumber   = param{what: "a number", ok: value.Type.IsNumeric}
	aDouble   = param{what: "a number", ok: value.Type.IsNumeric, to: value.TypeDouble}
	anInteger = param{what: "an integer", ok: value.Type.IsInteger, to: value.TypeBigint}
	aString   = param{what: "a character string", ok: value.Type.IsString}
	aText     = param{what: "a character or binary string", ok: func(t value.Type) bool { return t.IsString() || t.Kind == value.Binary }}
	aBoolean  = param{what: "a boolean", ok: func(t value.Type) bool { return t.Kind == value.Boolean }}
	anArray   = param{what: "an array", ok: func(t value.Type) bool { return t.Kind == value.Array }}
	anything  = param{what: "a value", ok: func(value.Type) bool { return true }}
)

// site is one call being bound.
type site struct {
	b    *Binder
	fn   *Function
	name string // as called
	pos  diag.Pos
	args []Expr
	form string // of TRIM
	bad  bool   // an error was reported
}

// typ returns the type of an argument.
func (c *site) typ(i int) value.Type { return c.args[i].Type() }

// unknown reports whether an argument among the first n has the unknown type.
func (c *site) unknown(n int) bool {
	for _, a := range c.args[:min(n, len(c.args))] {
		if a.Type().Kind == value.Unknown {
			return true
		}
	}
	return false
}

// fail reports that the call's types do not fit.
func (c *site) fail(pos diag.Pos, hint, format string, args ...any) {
	c.bad = true
	err := diag.New(diag.Semantic, "TYPE-1", pos, format, args...)
	if hint != "" {
		err.Hint = hint
	}
	c.b.Errors.Add(err)
}

// check compares the number and types of the arguments with what the function takes.
func (c *site) check() bool {
	n := len(c.args)
	if n < c.fn.MinArgs || c.fn.MaxArgs >= 0 && n > c.fn.MaxArgs {
		c.fail(c.pos, "write "+c.fn.Usage, "%s takes %s, not %d", c.name, countText(c.fn.MinArgs, c.fn.MaxArgs), n)
		return false
	}
	for i := range c.args {
		p := c.fn.params[min(i, len(c.fn.params)-1)]
		t := c.typ(i)
		switch {
		case t.Kind == value.Unknown:
		case !p.ok(t):
			hint := "write " + c.fn.Usage
			if t.IsString() || p.what == aString.what {
				hint = "convert it with CAST, or write " + c.fn.Usage
				if p.what == aString.what && value.CastAllowed(t, value.TypeVarchar) {
					hint = castHint(c.args[i], value.TypeVarchar)
				}
			}
			c.fail(c.args[i].Pos(), hint, "argument %d of %s must be %s, not %s", i+1, c.name, p.what, t)
		case p.to.Kind != value.Unknown:
			c.args[i] = coerce(c.args[i], p.to)
		case p.what == aString.what || p.what == aText.what:
			c.args[i] = padded(c.args[i])
		}
	}
	return !c.bad
}

// common converts all arguments from the given one on to their common type.
func (c *site) common(from int) value.Type {
	t, ok := c.b.commonType(c.args[from:], c.name+" needs arguments of one type")
	if !ok {
		c.bad = true
		return value.TypeUnknown
	}
	for i := from; i < len(c.args); i++ {
		c.args[i] = coerce(c.args[i], t)
	}
	return t
}

// countText says how many arguments are taken.
func countText(low, high int) string {
	plural := func(n int) string {
		switch n {
		case 0:
			return "no argument"
		case 1:
			return "1 argument"
		}
		return fmt.Sprintf("%d arguments", n)
	}
	switch {
	case high == low:
		return plural(low)
	case high < 0:
		return plural(low) + " or more"
	case high == low+1:
		return fmt.Sprintf("%d or %d arguments", low, high)
	}
	return fmt.Sprintf("%d to %d arguments", low, high)
}

// fixed is the resolution of a function whose types do not depend on its arguments.
func fixed(t value.Type, m Impl) func(*site) (value.Type, Impl) {
	return func(*site) (value.Type, Impl) { return t, m }
}
