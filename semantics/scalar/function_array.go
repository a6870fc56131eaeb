package scalar

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// The array functions.
func init() {
	register(&Function{Name: "CARDINALITY", MinArgs: 1, MaxArgs: 1, Usage: "CARDINALITY(array)", params: []param{anArray},
		resolve: fixed(value.TypeBigint, Impl{One: func(a value.Value) (value.Value, error) {
			return value.Int(int64(len(a.AsArray()))), nil
		}})})
	register(&Function{Name: "ELEMENT_AT", MinArgs: 2, MaxArgs: 2, Usage: "ELEMENT_AT(array, index)", params: []param{anArray, anInteger},
		resolve: func(c *site) (value.Type, Impl) { return elementType(c.typ(0)), Impl{Two: elementAt} }})
	register(&Function{Name: "CONTAINS", MinArgs: 2, MaxArgs: 2, Usage: "CONTAINS(array, value)", params: []param{anArray, anything}, resolve: resolveContains})
	register(&Function{Name: "ARRAY_JOIN", MinArgs: 2, MaxArgs: 3, Usage: "ARRAY_JOIN(array, separator [, text for NULL])",
		params: []param{anArray, aString}, resolve: resolveJoin})
}

func elementType(t value.Type) value.Type {
	if t.Elem == nil {
		return value.TypeUnknown
	}
	return *t.Elem
}

// elementAt counts from 1, or from the end with a negative index; NULL where
// there is no element. Index 0 is error 22023.
func elementAt(array, index value.Value) (value.Value, error) {
	elems, i := array.AsArray(), index.Raw()
	n := int64(len(elems))
	switch {
	case i == 0:
		return value.Null, runtimeError(stateParameter, "an array has no element 0").
			WithHint("elements are counted from 1, or from the end with -1")
	case i > n || i < -n:
		return value.Null, nil
	case i < 0:
		return elems[n+i], nil
	}
	return elems[i-1], nil
}

// resolveContains is the predicate x = ANY (array): UNKNOWN if no element is
// equal and one is NULL.
func resolveContains(c *site) (value.Type, Impl) {
	elem := elementType(c.typ(0))
	if !value.ComparableTypes(elem, c.typ(1)) {
		c.fail(c.args[1].Pos(), "CAST the value to the type of the elements", "CONTAINS cannot compare %s with the elements of %s", c.typ(1), c.typ(0))
	}
	o := c.b.Options
	return value.TypeBoolean, Impl{Two: func(array, x value.Value) (value.Value, error) {
		t := value.False
		for _, e := range array.AsArray() {
			if t = t.Or(equal(e, x, o)); t == value.True {
				break
			}
		}
		return t.Value(), nil
	}}
}

// resolveJoin writes the elements one after another; NULL elements are left
// out unless there is a text for them.
func resolveJoin(c *site) (value.Type, Impl) {
	elem := elementType(c.typ(0))
	if elem.Kind == value.Array || elem.Kind == value.Binary {
		c.fail(c.args[0].Pos(), "join the elements of inner arrays first", "ARRAY_JOIN cannot write elements of type %s", elem)
	}
	return value.TypeVarchar, Impl{Many: func(args []value.Value) (value.Value, error) {
		var parts []string
		size := 0
		for _, e := range args[0].AsArray() {
			text := ""
			switch {
			case !e.IsNull():
				v, err := value.Cast(e, elem, value.TypeVarchar)
				if err != nil {
					return value.Null, err
				}
				text = v.AsString()
			case len(args) == 3:
				text = args[2].AsString()
			default:
				continue
			}
			parts = append(parts, text)
			size += len(text) + len(args[1].AsString())
			if err := checkLength(size); err != nil {
				return value.Null, err
			}
		}
		return value.String(strings.Join(parts, args[1].AsString())), nil
	}}
}
