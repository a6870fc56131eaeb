// Package gopters gives the inputs of package gen as gopter generators with
// shrinkers. It is apart from gen, so that a program that draws inputs does not
// carry gopter.
package gopters

import (
	"github.com/leanovate/gopter"

	"github.com/rprcheck/rprcheck/fuzz/gen"
)

// From makes a gopter generator of a drawing function and a function that gives
// the smaller values of one. gopter's source decides nothing but the seed of
// the value, so that drawing is as fast as without it.
func From[T any](draw func(*gen.Rand) T, smaller func(T) []T) gopter.Gen {
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
		return gopter.NewGenResult(draw(gen.NewRand(params.NextUint64())), shrinker)
	}
}

// Patterns generates *semantics.Pattern.
func Patterns(o gen.Patterns) gopter.Gen { return From(o.Draw, gen.SmallerPatterns) }

// Inputs generates gen.Input: a pattern and rows of labels.
func Inputs(o gen.Inputs) gopter.Gen { return From(o.Draw, gen.SmallerInputs) }

// Queries generates *gen.Query. Some of the simpler ones are not legal.
func Queries(o gen.Queries) gopter.Gen { return From(o.Draw, gen.SmallerQueries) }
