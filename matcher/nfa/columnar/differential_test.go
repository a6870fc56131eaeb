package columnar

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

var (
	seed  = flag.Uint64("columnar.seed", 1, "first seed of the random conditions")
	count = flag.Int("columnar.count", 6000, "number of random conditions")
)

var params = map[string]scalar.Param{
	"N":    {Type: value.TypeInteger, Value: value.Int(2)},
	"D":    {Type: value.DecimalType(6, 3), Value: value.ScaledInt(1500, 3)},
	"F":    {Type: value.TypeDouble, Value: value.Float(0.5)},
	"S":    {Type: value.TypeVarchar, Value: value.String("abcdefgh")},
	"Z":    {Type: value.DecimalType(5, 0), Value: value.ScaledInt(1, 0)},
	"NULL": {Type: value.TypeInteger, Value: value.Null},
}

// parse binds a clause whose variable A has the condition.
func parse(in *table.Table, cond string, settings ...string) (*semantics.Clause, error) {
	var r readings.Set
	for _, s := range settings {
		if err := r.Apply(s); err != nil {
			return nil, err
		}
	}
	return semantics.Parse("MATCH_RECOGNIZE (MEASURES 1 AS one PATTERN (A B?) SUBSET U = (A, B) DEFINE A AS "+cond+")", semantics.RowTypeOf(in, ""),
		semantics.Options{Readings: r, Params: params})
}

// layout is how the rows of a table are distributed over partitions.
func (g *generator) layout(n int) (rows, bounds []int32) {
	rows = make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	swap := func(i, j int) { rows[i], rows[j] = rows[j], rows[i] }
	switch g.IntN(5) {
	case 0, 1:
		g.Shuffle(n, swap)
	case 2: // some blocks are in order
		for range 1 + g.IntN(3) {
			swap(g.IntN(n), g.IntN(n))
		}
	}
	rows = rows[:n-g.IntN(min(n, 3))]
	bounds = []int32{0}
	longest := pick(g, 3, 40, 5000)
	for at := 0; at < len(rows); {
		at = min(at+1+g.IntN(longest), len(rows))
		bounds = append(bounds, int32(at))
	}
	return rows, bounds
}

// reference evaluates by the book: the condition of A on each position.
func reference(c *semantics.Clause, in Input) (holds, raises []bool) {
	holds, raises = make([]bool, len(in.Rows)), make([]bool, len(in.Rows))
	for j := range len(in.Bounds) - 1 {
		from, to := int(in.Bounds[j]), int(in.Bounds[j+1])
		p := &semantics.Partition{Table: in.Table, Rows: in.Rows[from:to]}
		x := c.Conditions(p)
		for i := range p.Len() {
			ok, err := x.Holds(semantics.Reach{Hi: p.Len(), MatchNumber: 1}, i, []semantics.VarID{0})
			holds[from+i], raises[from+i] = ok, err != nil
		}
	}
	return holds, raises
}

func bitOf(words []uint64, i int) bool { return words[i>>6]>>(i&63)&1 != 0 }

// found is what a comparison has seen besides differences.
type found struct{ errors, mixed bool }

// check compares conditions on the positions of an input; it returns a
// difference with the condition and the position, or nothing.
func check(clauses []*semantics.Clause, set *Set, in Input, lo, hi int) (f found, diff string, cond, at int) {
	words := (hi - lo + 63) / 64
	dirty := func() []uint64 {
		out := make([]uint64, words)
		for i := range out {
			out[i] = ^uint64(0)
		}
		return out
	}
	out, raised := make([][]uint64, len(clauses)), dirty()
	for c := range out {
		out[c] = dirty()
	}
	if err := set.Eval(in, lo, hi, out, raised); err != nil {
		return f, err.Error(), 0, lo
	}
	anyRaises := make([]bool, len(in.Rows))
	for c, clause := range clauses {
		holds, raises := reference(clause, in)
		for i := lo; i < hi; i++ {
			anyRaises[i] = anyRaises[i] || raises[i]
			if got := bitOf(out[c], i-lo); !bitOf(raised, i-lo) && got != holds[i] {
				return f, fmt.Sprintf("%t, by the book %t", got, holds[i]), c, i
			}
		}
		f.mixed = f.mixed || slices.Contains(holds, true) && slices.Contains(holds, false)
		if n := (hi - lo) & 63; n != 0 && (out[c][words-1]>>n != 0 || raised[words-1]>>n != 0) {
			return f, "bits behind the last row", c, hi
		}
	}
	for i := lo; i < hi; i++ {
		f.errors = f.errors || anyRaises[i]
		if got := bitOf(raised, i-lo); got != anyRaises[i] {
			return f, fmt.Sprintf("raises %t, by the book %t", got, anyRaises[i]), 0, i
		}
	}
	return f, "", 0, 0
}

// The conditions hold, and are errors, on the same rows as by the book: all
// types, NULLs, any order of rows, any partitions, several conditions that
// share nodes (TYPE-1 to TYPE-8, NUL-1, DEF-15, NAV-2).
func TestRandomConditions(t *testing.T) {
	tested, unsupported, refused, errs, mixed := 0, 0, 0, 0, 0
	for s := *seed; tested < *count; s++ {
		g := newGenerator(s)
		n := pick(g, 1, 5, 64, 70, 130)
		if g.IntN(40) == 0 {
			n = pick(g, 1024, 2500)
		}
		table := g.input(t, n, g.IntN(4) > 0)
		for range 15 {
			var settings []string
			switch g.IntN(20) {
			case 0, 1:
				settings = append(settings, "IMP-STRINGS=padspace")
			case 2:
				settings = append(settings, "IMP-QUOTIENT=exact")
			}
			set := &Set{}
			var clauses []*semantics.Clause
			var texts []string
			for range pick(g, 1, 1, 2, 5) {
				cond := g.condition(g.IntN(4))
				c, err := parse(table, cond, settings...)
				if err != nil {
					if diag.From(err).Stage != diag.Semantic {
						t.Fatalf("seed %d: %s\n%v", s, cond, err)
					}
					refused++
					continue
				}
				if _, ok := set.Add(c.Vars[0].Define, Leaves(c, 0)); !ok {
					unsupported++
					continue
				}
				clauses, texts = append(clauses, c), append(texts, cond)
			}
			if set.Len() == 0 {
				continue
			}
			tested += set.Len()
			in := Input{Table: table}
			in.Rows, in.Bounds = g.layout(n)
			if g.IntN(4) == 0 && len(in.Bounds) > 3 { // frames, or a batch of partitions
				in.Bounds = in.Bounds[1 : len(in.Bounds)-1]
			}
			lo, hi := int(in.Bounds[0]), int(in.Bounds[len(in.Bounds)-1])
			if g.IntN(4) == 0 {
				lo += g.IntN(hi - lo)
				hi = lo + 1 + g.IntN(hi-lo)
			}
			f, diff, c, at := check(clauses, set, in, lo, hi)
			if diff != "" {
				t.Errorf("seed %d, %d rows, %v, position %d: %s\n%s", s, n, settings, at, diff, strings.Join(texts[c:], "\n"))
				for _, f := range table.Columns() {
					t.Logf("  %s = %s", f.Name, value.Format(f.Value(int(in.Rows[at])), f.Type))
				}
				return
			}
			if f.errors {
				errs++
			}
			if f.mixed {
				mixed++
			}
		}
	}
	t.Logf("seeds from %d: %d conditions, %d sets with errors, %d that hold on some rows only; %d not supported, %d no valid SQL",
		*seed, tested, errs, mixed, unsupported, refused)
	if unsupported*20 > tested {
		t.Errorf("%d of %d conditions are not supported", unsupported, tested)
	}
	if mixed*5 < tested {
		t.Errorf("only %d sets of %d conditions tell rows apart", mixed, tested)
	}
}
