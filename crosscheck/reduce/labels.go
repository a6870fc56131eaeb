package reduce

import (
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/semantics"
)

// labels reduces a pattern over rows of labels, or a list of candidates.
func (r *reducer) labels() {
	if r.best.Subset != "" {
		c := *r.best
		c.Subset = ""
		r.accept(&c)
	}
	if r.best.Kind == corpus.Prefer {
		for r.best.MaxRows > 0 {
			c := *r.best
			c.MaxRows--
			if !r.accept(&c) {
				break
			}
		}
	}
	clause, _, err := semantics.LabelledReading(r.best.Pattern, r.best.Subset, nil, r.best.Readings)
	if err != nil {
		return
	}
	in := gen.Input{Pattern: clause.Pattern, Rows: make([][]string, len(r.best.Rows))}
	for i, row := range r.best.Rows {
		in.Rows[i] = clause.LabelNames(row)
	}
	from := r.best
	gen.Minimize(in, func(tries []gen.Input) int {
		for i, try := range tries {
			if r.accept(labelled(from, try)) {
				return i
			}
		}
		return -1
	})
}

// labelled is a case with another pattern and other rows.
func labelled(c *corpus.Case, in gen.Input) *corpus.Case {
	d := *c
	d.Pattern, d.Rows, d.Starts = in.Pattern.String(), make([]string, len(in.Rows)), nil
	for i, row := range in.Rows {
		d.Rows[i] = gen.RowText(row)
	}
	if c.Kind == corpus.Prefer {
		d.Rows = nil
	}
	return &d
}

// Rows returns the rows of labels of a case as lists of names.
func Rows(c *corpus.Case) ([][]string, error) {
	clause, _, err := semantics.LabelledReading(c.Pattern, c.Subset, nil, c.Readings)
	if err != nil {
		return nil, err
	}
	out := make([][]string, len(c.Rows))
	for i, row := range c.Rows {
		out[i] = clause.LabelNames(row)
		if out[i] == nil {
			out[i] = []string{}
		}
	}
	return out, nil
}

// Labelled makes a labels case of a pattern and rows, without rule and answer.
func Labelled(name, pattern string, rows [][]string) *corpus.Case {
	c := &corpus.Case{Name: name, Kind: corpus.Labels, Pattern: pattern}
	_, c.ID, _ = strings.Cut(name, "#")
	for _, row := range rows {
		c.Rows = append(c.Rows, gen.RowText(row))
	}
	return c
}
