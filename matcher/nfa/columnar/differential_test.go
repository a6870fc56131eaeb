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
	"N": {Type: value.TypeInteger, Value: value.Int(2)},
	"D": {Type: value.DecimalType(6, 3), Value: value.ScaledInt(1500, 3)},
	"F": {Type: value.TypeDouble, Value: value.Float(0.5)},
	"S": {Type: value.TypeVarchar, Value: value.String("abcdefgh")},
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
	if g.IntN(2) == 0 {
		g.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
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

// check compares the rows of an input; it returns what differs, or nothing.
func check(c *semantics.Clause, set *Set, in Input, lo, hi int) string {
	holds, raises := reference(c, in)
	words := (hi - lo + 63) / 64
	out, raised := make([]uint64, words), make([]uint64, words)
	for i := range out {
		out[i], raised[i] = ^uint64(0), ^uint64(0)
	}
	if err := set.Eval(in, lo, hi, [][]uint64{out}, raised); err != nil {
		return err.Error()
	}
	for i := lo; i < hi; i++ {
		switch r := bitOf(raised, i-lo); {
		case r != raises[i]:
			return fmt.Sprintf("position %d: raises %t, by the book %t", i, r, raises[i])
		case !r && bitOf(out, i-lo) != holds[i]:
			return fmt.Sprintf("position %d: %t, by the book %t", i, bitOf(out, i-lo), holds[i])
		}
	}
	if n := (hi - lo) & 63; n != 0 && (out[words-1]>>n != 0 || raised[words-1]>>n != 0) {
		return "bits behind the last row"
	}
	return ""
}

// The conditions hold, and are errors, on the same rows as by the book: all
// types, NULLs, any order of rows, any partitions (TYPE-1 to TYPE-8, NUL-1,
// DEF-15, NAV-2).
func TestRandomConditions(t *testing.T) {
	tested, unsupported, refused, errs, held := 0, 0, 0, 0, 0
	for s := *seed; tested < *count; s++ {
		g := newGenerator(s)
		n := pick(g, 1, 5, 64, 70, 130)
		if g.IntN(40) == 0 {
			n = pick(g, 1024, 2500)
		}
		table := g.input(t, n, g.IntN(4) > 0)
		for range 25 {
			cond := g.condition(g.IntN(4))
			var settings []string
			switch g.IntN(20) {
			case 0, 1:
				settings = append(settings, "IMP-STRINGS=padspace")
			case 2:
				settings = append(settings, "IMP-QUOTIENT=exact")
			}
			c, err := parse(table, cond, settings...)
			if err != nil {
				if diag.From(err).Stage != diag.Semantic {
					t.Fatalf("seed %d: %s\n%v", s, cond, err)
				}
				refused++
				continue
			}
			set := &Set{}
			if _, ok := set.Add(c.Vars[0].Define, Leaves(c, 0)); !ok {
				unsupported++
				continue
			}
			tested++
			in := Input{Table: table}
			in.Rows, in.Bounds = g.layout(n)
			lo, hi := 0, len(in.Rows)
			if g.IntN(4) == 0 {
				lo = g.IntN(hi)
				hi = lo + 1 + g.IntN(hi-lo)
			}
			if diff := check(c, set, in, lo, hi); diff != "" {
				t.Errorf("seed %d, %d rows, %v: %s\n%s", s, n, settings, cond, diff)
				if strings.HasPrefix(diff, "position") {
					var at int
					fmt.Sscanf(diff, "position %d", &at)
					for _, f := range table.Columns() {
						t.Logf("  %s = %s", f.Name, value.Format(f.Value(int(in.Rows[at])), f.Type))
					}
				}
				return
			}
			holds, raises := reference(c, in)
			if slices.Contains(raises, true) {
				errs++
			}
			if slices.Contains(holds, true) && slices.Contains(holds, false) {
				held++
			}
		}
	}
	t.Logf("seeds from %d: %d conditions, %d with errors, %d that hold on some rows only; %d not supported, %d no valid SQL",
		*seed, tested, errs, held, unsupported, refused)
	if unsupported*20 > tested {
		t.Errorf("%d of %d conditions are not supported", unsupported, tested)
	}
	if held*5 < tested {
		t.Errorf("only %d of %d conditions tell rows apart", held, tested)
	}
}
