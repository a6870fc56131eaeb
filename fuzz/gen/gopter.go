package gen

import (
	"github.com/leanovate/gopter"
)

// from makes a gopter generator of a drawing function and a function that gives
// the smaller values of one. gopter's source decides nothing but the seed of
// the value, so that drawing is as fast as without it.
func from[T any](draw func(*Rand) T, smaller func(T) []T) gopter.Gen {
	shrinker := func(value any) gopter.Shrink {
		var list []T
		asked := false
		return func() (any, bool) {
			if !asked { // most values are never shrunk
				list, asked = smaller(value.(T)), true
			}
			if len(list) == 0 {
				return nil, false
			}
			next := list[0]
			list = list[1:]
			return next, true
		}
	}
	return func(params *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(draw(NewRand(params.NextUint64())), shrinker)
	}
}

// Gen returns the patterns as a gopter generator of *semantics.Pattern.
func (o Patterns) Gen() gopter.Gen { return from(o.Draw, SmallerPatterns) }

// Inputs are patterns with rows.
type Inputs struct {
	Patterns
	Rows
}

// DefaultInputs are the default patterns with the default rows.
var DefaultInputs = Inputs{DefaultPatterns, DefaultRows}

// Draw draws an input.
func (o Inputs) Draw(r *Rand) Input {
	p := o.Patterns.Draw(r)
	return Input{Pattern: p, Rows: o.Rows.Draw(r, p)}
}

// Gen returns the inputs as a gopter generator of Input.
func (o Inputs) Gen() gopter.Gen { return from(o.Draw, SmallerInputs) }

// SmallerInputs returns an input with fewer rows, then with smaller patterns.
func SmallerInputs(in Input) []Input {
	var out []Input
	for _, rows := range SmallerRows(in.Rows) {
		out = append(out, Input{in.Pattern, rows})
	}
	for _, p := range SmallerPatterns(in.Pattern) {
		out = append(out, Input{p, in.Rows})
	}
	return out
}

// String writes an input as a case file does.
func (in Input) String() string {
	return "PATTERN (" + in.Pattern.String() + ") ROWS " + RowsText(in.Rows)
}
