package gen

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
)

// Rows says what random rows of labels are like. A row is the list of the
// variables that hold on it.
type Rows struct {
	Vars   int // variables A, B, ...
	Min    int // rows, at least
	Max    int // rows, at most
	Holds  int // percent: a variable holds on a row
	Fitted int // percent of the inputs: first laid out along a candidate of the pattern, so that it has something to match
}

// DefaultRows are few rows on which much holds.
var DefaultRows = Rows{Vars: 3, Min: 1, Max: 5, Holds: 45, Fitted: 50}

// Draw draws rows for a pattern.
func (o Rows) Draw(r *Rand, p *semantics.Pattern) [][]string {
	n := r.Between(o.Min, o.Max)
	var sets [64]uint32
	rows := sets[:0]
	if r.Chance(o.Fitted) {
		f := fitter{r: r, rows: rows, max: n}
		f.fit(p)
		rows = f.rows
	}
	for len(rows) < n {
		rows = append(rows, 0)
	}
	out := make([][]string, n)
	for i := range out {
		set := rows[i]
		for v := range o.Vars {
			if r.Chance(o.Holds) {
				set |= 1 << v
			}
		}
		out[i] = labelSet(set)
	}
	return out
}

// fitter follows a random candidate of a pattern, without regard to preference.
type fitter struct {
	r    *Rand
	rows []uint32
	max  int
}

func (f *fitter) fit(p *semantics.Pattern) {
	if len(f.rows) >= f.max {
		return
	}
	switch p.Op {
	case semantics.OpVariable:
		set := uint32(0)
		if i := strings.IndexByte(letters, p.Name.Text[0]); i >= 0 {
			set = 1 << i
		}
		f.rows = append(f.rows, set)
	case semantics.OpAlternate:
		f.fit(Pick(f.r, p.Sub))
	case semantics.OpPermute:
		first := f.r.IntN(len(p.Sub))
		for i := range p.Sub {
			f.fit(p.Sub[(first+i)%len(p.Sub)])
		}
	case semantics.OpQuantified:
		n := p.Min + f.r.IntN(3)
		if p.Max != semantics.Unbounded {
			n = min(n, p.Max)
		}
		for range min(n, f.max) {
			f.fit(p.Sub[0])
		}
	default:
		for _, sub := range p.Sub {
			f.fit(sub)
		}
	}
}

// smallSets are the sets of labels of up to six variables, made once.
var smallSets = func() (sets [64][]string) {
	for i := range sets {
		sets[i] = makeSet(uint32(i))
	}
	return sets
}()

// labelSet returns the variables of a set of bits. The result is shared.
func labelSet(set uint32) []string {
	if int(set) < len(smallSets) {
		return smallSets[set]
	}
	return makeSet(set)
}

func makeSet(set uint32) []string {
	out := []string{}
	for i := range len(letters) {
		if set&(1<<i) != 0 {
			out = append(out, VarName(i))
		}
	}
	return out
}

// RowText writes a row as the case files do: its letters, or its names
// separated by commas; - if nothing holds.
func RowText(row []string) string {
	if len(row) == 0 {
		return "-"
	}
	sep := ""
	for _, name := range row {
		if len(name) != 1 {
			sep = ","
		}
	}
	return strings.Join(row, sep)
}

// RowsText writes rows separated by blanks.
func RowsText(rows [][]string) string {
	texts := make([]string, len(rows))
	for i, row := range rows {
		texts[i] = RowText(row)
	}
	return strings.Join(texts, " ")
}
