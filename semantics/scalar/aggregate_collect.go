package scalar

import (
	"slices"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// Aggregates that collect the values in row order (AGG-7).
func init() {
	registerAggregate(&Aggregate{Name: "ARRAY_AGG", OrderSensitive: true, MinArgs: 1, MaxArgs: 1, Usage: "ARRAY_AGG(x)", params: []param{anything},
		result: func(args []value.Type, _ value.Options) value.Type { return value.ArrayType(args[0]) },
		create: func([]value.Type, value.Options) Accumulator { return &collect{} }})
	registerAggregate(&Aggregate{Name: "LISTAGG", OrderSensitive: true, MinArgs: 1, MaxArgs: 2, Usage: "LISTAGG(string [, separator])", params: []param{aString},
		result: func([]value.Type, value.Options) value.Type { return value.TypeVarchar },
		create: func(args []value.Type, _ value.Options) Accumulator { return &list{types: args} }}, "STRING_AGG")
}

// collect keeps all values, NULLs too.
type collect struct{ values []value.Value }

func (a *collect) Add(args []value.Value) error {
	a.values = append(a.values, args[0])
	return nil
}

func (a *collect) Result() (value.Value, error) {
	if len(a.values) == 0 {
		return value.Null, nil // AGG-3
	}
	return value.ArrayOf(slices.Clone(a.values)), nil
}

// list joins strings; before all but the first stands the separator of its
// own row, by default nothing.
type list struct {
	types []value.Type
	any   bool
	text  []byte
}

func (a *list) Add(args []value.Value) error {
	if args[0].IsNull() {
		return nil
	}
	if a.any && len(args) == 2 {
		a.text = append(a.text, value.Pad(args[1], a.types[1]).AsString()...)
	}
	a.any = true
	a.text = append(a.text, value.Pad(args[0], a.types[0]).AsString()...)
	return checkLength(len(a.text))
}

func (a *list) Result() (value.Value, error) {
	if !a.any {
		return value.Null, nil
	}
	return value.String(string(a.text)), nil
}
