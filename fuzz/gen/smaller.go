package gen

import (
	"cmp"
	"slices"

	"github.com/rprcheck/rprcheck/semantics"
)

// Weight orders patterns by how hard they are to read. What SmallerPatterns
// gives is always lighter, so that shrinking comes to an end.
func Weight(p *semantics.Pattern) int {
	w := 0
	switch p.Op {
	case semantics.OpVariable:
		w = 12
		if i := slices.Index([]byte(letters), p.Name.Text[0]); i > 0 && len(p.Name.Text) == 1 {
			w += min(i, 3)
		}
	case semantics.OpEmpty:
		w = 10
	case semantics.OpPartitionStart, semantics.OpPartitionEnd:
		w = 16
	case semantics.OpGroup:
		w = 1
	case semantics.OpExclude, semantics.OpAlternate:
		w = 8
	case semantics.OpPermute:
		w = 12
	case semantics.OpConcat:
		w = 6
	case semantics.OpQuantified:
		w = quantifierWeight(p)
	}
	for _, sub := range p.Sub {
		w += Weight(sub)
	}
	return w
}

func quantifierWeight(q *semantics.Pattern) int {
	w := 8
	switch {
	case q.Min == 0 && q.Max == 1:
	case q.Max == semantics.Unbounded && q.Min <= 1:
		w++
	case q.Max == semantics.Unbounded:
		w += 3 + 2*min(q.Min, 1000)
	default:
		w += 2 + min(q.Min, 1000) + min(q.Max, 1000)
	}
	if q.Reluctant {
		w++
	}
	return w
}

// SmallerPatterns returns patterns that are like p but lighter, lightest first:
// an operand in place of a node, an operand less, a leaf in place of a branch,
// a simpler quantifier.
func SmallerPatterns(p *semantics.Pattern) []*semantics.Pattern {
	limit := Weight(p)
	type weighed struct {
		*semantics.Pattern
		weight int
		text   string
	}
	var list []weighed
	seen := map[string]bool{}
	for _, q := range append(changed(p), changedAlike(p)...) {
		w := weighed{q, Weight(q), q.String()}
		if w.weight < limit && !seen[w.text] {
			seen[w.text] = true
			list = append(list, w)
		}
	}
	slices.SortStableFunc(list, func(a, b weighed) int { return cmp.Compare(a.weight, b.weight) })
	out := make([]*semantics.Pattern, len(list))
	for i, w := range list {
		out[i] = w.Pattern
	}
	return out
}

// changed returns p with one change anywhere.
func changed(p *semantics.Pattern) []*semantics.Pattern {
	out := changedHere(p)
	for i, sub := range p.Sub {
		for _, other := range changed(sub) {
			operands := slices.Clone(p.Sub)
			operands[i] = other
			out = append(out, With(p, operands))
		}
	}
	return out
}

// changedAlike returns p with the same change wherever the same operand
// stands: what shows a fault only while two parts are equal cannot lose one
// piece at a time.
func changedAlike(p *semantics.Pattern) []*semantics.Pattern {
	count := map[string]int{}
	var alike []*semantics.Pattern
	p.Walk(func(n *semantics.Pattern) {
		text := n.String()
		if count[text]++; count[text] == 2 && n.Op != semantics.OpVariable {
			alike = append(alike, n)
		}
	})
	var out []*semantics.Pattern
	for _, from := range alike {
		for _, to := range changed(from) {
			out = append(out, replace(p, from, to))
		}
	}
	return out
}

func replace(p, from, to *semantics.Pattern) *semantics.Pattern {
	if p.Equal(from) {
		return to
	}
	if len(p.Sub) == 0 {
		return p
	}
	operands := make([]*semantics.Pattern, len(p.Sub))
	for i, sub := range p.Sub {
		operands[i] = replace(sub, from, to)
	}
	return With(p, operands)
}

func changedHere(p *semantics.Pattern) []*semantics.Pattern {
	var out []*semantics.Pattern
	if p.Op != semantics.OpEmpty {
		out = append(out, Empty())
	}
	if len(p.Sub) > 0 {
		for i, name := range Names(p) {
			if i < 3 {
				out = append(out, Var(name))
			}
		}
	}
	out = append(out, p.Sub...)
	switch p.Op {
	case semantics.OpVariable:
		if at := slices.Index([]byte(letters), p.Name.Text[0]); at > 0 && len(p.Name.Text) == 1 {
			for i := range min(at, 3) {
				out = append(out, Var(VarName(i)))
			}
		}
	case semantics.OpConcat, semantics.OpAlternate, semantics.OpPermute:
		if len(p.Sub) > 1 {
			for i := range p.Sub {
				out = append(out, With(p, slices.Delete(slices.Clone(p.Sub), i, i+1)))
			}
		}
		if p.Op == semantics.OpPermute {
			out = append(out, Concat(p.Sub...))
		}
	case semantics.OpQuantified:
		out = append(out, simplerQuantifiers(p)...)
	}
	return out
}

func simplerQuantifiers(q *semantics.Pattern) []*semantics.Pattern {
	tries := [][2]int{{0, 1}, {0, -1}, {1, -1}, {q.Min, q.Min}, {q.Min - 1, q.Max}, {q.Min, q.Max - 1}, {q.Min - 1, q.Max - 1},
		{q.Min, -1}, {min(q.Min, 2), q.Max}, {min(q.Min, 2), min(q.Max, 3)}, {q.Min / 2, q.Max}, {q.Min, max(q.Max/2, q.Min)}}
	var out []*semantics.Pattern
	for _, b := range tries {
		if b[0] < 0 || b[1] == 0 || b[1] < semantics.Unbounded || b[1] != semantics.Unbounded && b[0] > b[1] {
			continue // PAT-4
		}
		out = append(out, Quantify(q.Sub[0], b[0], b[1], false), Quantify(q.Sub[0], b[0], b[1], q.Reluctant))
	}
	return append(out, Quantify(q.Sub[0], q.Min, q.Max, false))
}

// Names returns the names of the variables of a pattern, in the order of their
// first places.
func Names(p *semantics.Pattern) []string {
	var out []string
	p.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable && !slices.Contains(out, n.Name.Text) {
			out = append(out, n.Name.Text)
		}
	})
	return out
}

// SmallerRows returns rows that are like the given ones but fewer, or with
// fewer labels.
func SmallerRows(rows [][]string) [][][]string {
	var out [][][]string
	if n := len(rows); n > 3 {
		out = append(out, rows[:n/2], rows[n/2:])
	}
	for i := len(rows) - 1; i >= 0 && len(rows) > 1; i-- {
		out = append(out, slices.Delete(slices.Clone(rows), i, i+1))
	}
	for i, row := range rows {
		if len(row) > 1 {
			out = append(out, withRow(rows, i, nil))
		}
		for j := range row {
			out = append(out, withRow(rows, i, slices.Delete(slices.Clone(row), j, j+1)))
		}
	}
	return out
}

func withRow(rows [][]string, i int, row []string) [][]string {
	out := slices.Clone(rows)
	out[i] = row
	return out
}

// Minimize makes an input smaller as long as it fails: rows first, then the
// pattern, until nothing more can be left out. Failing returns the index of the
// first of several inputs that fails, -1 if none does. The result depends on
// the input and on what fails alone.
func Minimize(in Input, failing func([]Input) int) Input {
	for {
		before := in
		for {
			var tries []Input
			for _, rows := range SmallerRows(in.Rows) {
				tries = append(tries, Input{in.Pattern, rows})
			}
			if i := failing(tries); i >= 0 {
				in = tries[i]
				continue
			}
			break
		}
		for {
			var tries []Input
			for _, p := range SmallerPatterns(in.Pattern) {
				tries = append(tries, Input{p, in.Rows})
			}
			if i := failing(tries); i >= 0 {
				in = tries[i]
				continue
			}
			break
		}
		if in.Pattern == before.Pattern && len(in.Rows) == len(before.Rows) && RowsText(in.Rows) == RowsText(before.Rows) {
			return tidy(in, failing)
		}
	}
}

// tidy renames the variables to A, B, ... in the order of their first places,
// and leaves out labels that the pattern has not, if the result still fails.
func tidy(in Input, failing func([]Input) int) Input {
	names := Names(in.Pattern)
	if len(names) > len(letters) {
		return in
	}
	to := map[string]string{}
	for i, name := range names {
		to[name] = VarName(i)
	}
	out := Input{Pattern: Rename(in.Pattern, func(name string) string { return to[name] }), Rows: make([][]string, len(in.Rows))}
	for i, row := range in.Rows {
		out.Rows[i] = []string{}
		for _, name := range row {
			if other, ok := to[name]; ok {
				out.Rows[i] = append(out.Rows[i], other)
			}
		}
		slices.Sort(out.Rows[i])
	}
	if failing([]Input{out}) == 0 {
		return out
	}
	return in
}

// Rename returns the pattern with other names of its variables.
func Rename(p *semantics.Pattern, to func(string) string) *semantics.Pattern {
	q := p.Clone()
	q.Walk(func(n *semantics.Pattern) {
		if n.Op == semantics.OpVariable {
			n.Name.Text = to(n.Name.Text)
		}
	})
	return q
}
