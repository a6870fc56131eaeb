package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Aggregate is an aggregate function (chapter 6).
type Aggregate struct {
	Name             string
	R010             bool // COUNT, SUM, AVG, MIN, MAX; the others are feature R030 (AGG-1)
	OrderSensitive   bool // the result depends on the order of the rows (AGG-7)
	MinArgs, MaxArgs int  // COUNT(*) has no argument
	Usage            string
	params           []param
	result           func(args []value.Type, o value.Options) value.Type
	create           func(args []value.Type, o value.Options) Accumulator
}

// Accumulator computes one aggregate over rows added one after another. NULLs
// are added like other values; the accumulator ignores them where the
// function does. It is not safe for concurrent use.
type Accumulator interface {
	// Add adds the values of one row: the arguments in order, none for
	// COUNT(*). The slice may be reused by the caller.
	Add(args []value.Value) error
	// Result gives the aggregate of the rows added so far; of no rows COUNT
	// is 0 and others are NULL (AGG-3). Adding may go on afterwards.
	Result() (value.Value, error)
}

// aggregates holds all aggregate functions by name and alias.
var aggregates = map[string]*Aggregate{}

func registerAggregate(a *Aggregate, aliases ...string) {
	aggregates[a.Name] = a
	for _, n := range aliases {
		aggregates[n] = a
	}
}

// LookupAggregate finds an aggregate function by its folded name.
func LookupAggregate(name string) (*Aggregate, bool) {
	a, ok := aggregates[name]
	return a, ok
}

// ResultType checks the number and types of the arguments and returns the
// type of the result (TYPE-4). Its errors are semantic, rule TYPE-1, and have
// no place yet.
func (a *Aggregate) ResultType(args []value.Type, o value.Options) (value.Type, error) {
	if n := len(args); n < a.MinArgs || n > a.MaxArgs {
		return value.TypeUnknown, diag.New(diag.Semantic, "TYPE-1", diag.Pos{}, "%s takes %s, not %d", a.Name, countText(a.MinArgs, a.MaxArgs), n).
			WithHint("write %s", a.Usage)
	}
	for i, t := range args {
		if p := a.params[min(i, len(a.params)-1)]; t.Kind != value.Unknown && !p.ok(t) {
			return value.TypeUnknown, diag.New(diag.Semantic, "TYPE-1", diag.Pos{}, "argument %d of %s must be %s, not %s", i+1, a.Name, p.what, t).
				WithHint("%s", a.argumentHint(t))
		}
	}
	return a.result(args, o), nil
}

// argumentHint says what to write in place of an argument of type t.
func (a *Aggregate) argumentHint(t value.Type) string {
	switch {
	case t.IsString():
		return "write " + a.Usage + "; a string is converted by CAST(x AS decimal(10, 2))"
	case t.Kind == value.Boolean:
		return "write " + a.Usage + "; a condition is counted by COUNT(*) FILTER (WHERE condition)"
	case t.IsDatetime():
		return "write " + a.Usage + "; the difference of two of these values is an interval"
	}
	return "write " + a.Usage
}

// New returns an empty accumulator for arguments of the given types, which
// ResultType must have accepted.
func (a *Aggregate) New(args []value.Type, o value.Options) Accumulator {
	return a.create(args, o)
}

// Distinct returns an accumulator that passes each combination of arguments
// on once (AGG-6); two NULLs are the same.
func Distinct(inner Accumulator, o value.Options) Accumulator {
	return &distinct{inner: inner, options: o, seen: map[string]struct{}{}}
}

type distinct struct {
	inner   Accumulator
	options value.Options
	seen    map[string]struct{}
	key     []byte
}

func (d *distinct) Add(args []value.Value) error {
	d.key = d.key[:0]
	for _, v := range args {
		d.key = value.AppendKey(d.key, v, d.options)
	}
	if _, ok := d.seen[string(d.key)]; ok {
		return nil
	}
	d.seen[string(d.key)] = struct{}{}
	return d.inner.Add(args)
}

func (d *distinct) Result() (value.Value, error) { return d.inner.Result() }
