package scalar

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Query is the result of an uncorrelated subquery. It is asked for its rows
// when they are first needed, and then once a node.
type Query interface {
	Columns() []value.Type
	Rows() ([][]value.Value, error)
}

// Eval returns the value of the only row; NULL if there is none, and the
// cardinality violation 21000 if there are several.
func (n *Subquery) Eval(Env) (value.Value, error) {
	n.once.Do(func() {
		rows, err := n.Query.Rows()
		switch {
		case err != nil:
			n.err = located(err, n.Place)
		case len(rows) > 1:
			n.err = runtimeError("21000", "the scalar subquery gives %d rows", len(rows)).
				WithHint("make it give at most one row, for example by an aggregate").At(n.Place)
		case len(rows) == 1:
			n.value = rows[0][0]
		}
	})
	return n.value, n.err
}

// valueSet is the column of an IN subquery.
type valueSet struct {
	keys    map[string]struct{}
	hasNull bool
	arrays  []value.Value // compared one by one: their NULL elements can make it UNKNOWN
}

// newValueSet collects the rows; values are converted to the common type of
// both sides, since a key tells 1 from 1e0.
func newValueSet(rows [][]value.Value, from, to value.Type, o value.Options) (*valueSet, error) {
	s := &valueSet{keys: make(map[string]struct{}, len(rows))}
	var key []byte
	for _, row := range rows {
		v := row[0]
		if !from.Equal(to) {
			var err error
			if v, err = value.Convert(value.Pad(v, from), to); err != nil {
				return nil, err
			}
		}
		switch v.Form() {
		case value.FormNull:
			s.hasNull = true
		case value.FormArray:
			s.arrays = append(s.arrays, v)
		default:
			key = value.AppendKey(key[:0], v, o)
			s.keys[string(key)] = struct{}{}
		}
	}
	return s, nil
}

// contains is x IN (the set) in three-valued logic.
func (s *valueSet) contains(x value.Value, o value.Options) value.Truth {
	if len(s.keys) == 0 && len(s.arrays) == 0 && !s.hasNull {
		return value.False // of an empty set even for NULL
	}
	if x.IsNull() {
		return value.UnknownTruth
	}
	var buf [64]byte
	if _, ok := s.keys[string(value.AppendKey(buf[:0], x, o))]; ok {
		return value.True
	}
	result := value.False
	if s.hasNull {
		result = value.UnknownTruth
	}
	for _, a := range s.arrays {
		result = result.Or(equal(x, a, o))
	}
	return result
}

// Truth tests membership; the subquery is evaluated once.
func (n *InSubquery) Truth(env Env) (value.Truth, error) {
	x, err := n.X.Eval(env)
	if err != nil {
		return value.UnknownTruth, err
	}
	return n.Contains(x)
}

// Contains is x [NOT] IN (the subquery) for a value of the type of X.
func (n *InSubquery) Contains(x value.Value) (value.Truth, error) {
	n.once.Do(func() {
		rows, err := n.Query.Rows()
		if err == nil {
			n.set, err = newValueSet(rows, n.Query.Columns()[0], n.common, n.Options)
		}
		if err != nil {
			n.err = located(err, n.Place)
		}
	})
	if n.err != nil {
		return value.UnknownTruth, n.err
	}
	return negate(n.set.contains(x, n.Options), n.Negated), nil
}

// Eval is Truth as a value.
func (n *InSubquery) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// Truth reports whether the subquery has a row; never UNKNOWN.
func (n *Exists) Truth(Env) (value.Truth, error) {
	n.once.Do(func() {
		rows, err := n.Query.Rows()
		if err != nil {
			n.err = located(err, n.Place)
			return
		}
		n.found = truthOf(len(rows) > 0)
	})
	return n.found, n.err
}

// Eval is Truth as a value.
func (n *Exists) Eval(env Env) (value.Value, error) { return truthValue(n.Truth(env)) }

// column checks that a subquery has one column and returns its type.
func (b *Binder) column(q Query, pos diag.Pos) (value.Type, bool) {
	types := q.Columns()
	if len(types) == 1 {
		return types[0], true
	}
	b.Fail(diag.New(diag.Semantic, "SQL-1", pos, "the subquery has %d columns, and one is needed", len(types)).
		WithHint("select exactly one column"))
	return value.TypeUnknown, false
}
