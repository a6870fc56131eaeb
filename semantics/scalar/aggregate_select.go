package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Aggregates that choose one of the values, and those of truth values.
func init() {
	registerExtreme("MIN", -1)
	registerExtreme("MAX", 1)
	registerBy("MIN_BY", -1)
	registerBy("MAX_BY", 1)
	registerAggregate(&Aggregate{Name: "ANY_VALUE", OrderSensitive: true, MinArgs: 1, MaxArgs: 1, Usage: "ANY_VALUE(x)", params: []param{anything},
		result: firstType, create: func([]value.Type, value.Options) Accumulator { return &anyValue{} }}, "ARBITRARY")
	registerTruth("EVERY", value.Truth.And, "BOOL_AND")
	registerTruth("ANY", value.Truth.Or, "SOME", "BOOL_OR")
}

func firstType(args []value.Type, _ value.Options) value.Type { return args[0] }

func registerExtreme(name string, sign int) {
	registerAggregate(&Aggregate{Name: name, R010: true, MinArgs: 1, MaxArgs: 1, Usage: name + "(x)", params: []param{anything},
		result: firstType,
		create: func(_ []value.Type, o value.Options) Accumulator { return &extremeOf{sign: sign, options: o} }})
}

// extremeOf keeps the first greatest or least value; NaN is the greatest number (TYPE-5).
type extremeOf struct {
	sign    int
	options value.Options
	best    value.Value
}

func (a *extremeOf) Add(args []value.Value) error {
	v := args[0]
	if !v.IsNull() && (a.best.IsNull() || compare(v, a.best, a.options)*a.sign > 0) {
		a.best = v
	}
	return nil
}

func (a *extremeOf) Result() (value.Value, error) { return a.best, nil }

func registerBy(name string, sign int) {
	registerAggregate(&Aggregate{Name: name, OrderSensitive: true, MinArgs: 2, MaxArgs: 2, Usage: name + "(x, key)", params: []param{anything},
		result: firstType,
		create: func(_ []value.Type, o value.Options) Accumulator {
			return &extremeBy{key: extremeOf{sign: sign, options: o}}
		}})
}

// extremeBy gives x, NULL or not, of the first row with the greatest or least
// key; rows whose key is NULL do not count.
type extremeBy struct {
	key extremeOf
	x   value.Value
}

func (a *extremeBy) Add(args []value.Value) error {
	k := args[1]
	if !k.IsNull() && (a.key.best.IsNull() || compare(k, a.key.best, a.key.options)*a.key.sign > 0) {
		a.key.best, a.x = k, args[0]
	}
	return nil
}

func (a *extremeBy) Result() (value.Value, error) { return a.x, nil }

// anyValue gives the first value that is not NULL: row order makes the choice
// that is left to us (AGG-7).
type anyValue struct{ v value.Value }

func (a *anyValue) Add(args []value.Value) error {
	if a.v.IsNull() {
		a.v = args[0]
	}
	return nil
}

func (a *anyValue) Result() (value.Value, error) { return a.v, nil }

func registerTruth(name string, join func(t, u value.Truth) value.Truth, aliases ...string) {
	registerAggregate(&Aggregate{Name: name, MinArgs: 1, MaxArgs: 1, Usage: name + "(condition)", params: []param{aBoolean},
		result: func([]value.Type, value.Options) value.Type { return value.TypeBoolean },
		create: func([]value.Type, value.Options) Accumulator { return &truths{join: join} }}, aliases...)
}

// truths joins the truth values that are not UNKNOWN.
type truths struct {
	join func(t, u value.Truth) value.Truth
	t    value.Truth // UNKNOWN: none yet
}

func (a *truths) Add(args []value.Value) error {
	t := value.TruthOf(args[0])
	switch {
	case t == value.UnknownTruth:
	case a.t == value.UnknownTruth:
		a.t = t
	default:
		a.t = a.join(a.t, t)
	}
	return nil
}

func (a *truths) Result() (value.Value, error) { return a.t.Value(), nil }
