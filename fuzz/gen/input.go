package gen

import "github.com/rprcheck/rprcheck/semantics"

// Input is a pattern and rows of labels.
type Input struct {
	Pattern *semantics.Pattern
	Rows    [][]string
}

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
