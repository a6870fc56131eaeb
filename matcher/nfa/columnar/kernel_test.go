package columnar

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// small has the columns x (1, 5, NULL, 3, 0), f, d, s and c in five rows.
func small(t testing.TB) *table.Table {
	t.Helper()
	in, err := table.FromRows([]table.Field{
		{Name: "x", Type: value.TypeBigint}, {Name: "f", Type: value.TypeDouble}, {Name: "d", Type: value.DecimalType(20, 2)},
		{Name: "s", Type: value.TypeVarchar}, {Name: "c", Type: value.Type{Kind: value.Char, Precision: 4}},
	}, [][]any{
		{1, 0.5, value.ScaledInt(150, 2), "click", "ab"},
		{5, math.NaN(), value.ScaledInt(-5, 2), "purchase", "a"},
		{nil, nil, nil, nil, nil},
		{3, math.Inf(1), value.ScaledInt(math.MaxInt64, 2), "purchase order", ""},
		{0, -1.0, value.ScaledInt(300, 2), "", "ab"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// inOrder is the partition of all rows.
func inOrder(in *table.Table) *semantics.Partition {
	p := &semantics.Partition{Table: in}
	for i := range in.NumRows() {
		p.Rows = append(p.Rows, int32(i))
	}
	return p
}

// show writes the rows on which a condition is TRUE as 1.
func show(out []uint64, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte('0' + byte(out[i>>6]>>(i&63)&1))
	}
	return b.String()
}

func TestConditions(t *testing.T) {
	in := small(t)
	p := inOrder(in)
	for _, tc := range []struct{ rule, cond, want string }{
		{"NUL-1", "x > 0", "11010"},
		{"NUL-1", "NOT (x > 0)", "00001"},
		{"NUL-1", "x > 0 OR x IS NULL", "11110"},
		{"NUL-1", "(x > 0) IS UNKNOWN", "00100"},
		{"NUL-1", "x <> NULL", "00000"},
		{"NUL-1", "x IS NOT DISTINCT FROM NULL", "00100"},
		{"NUL-1", "x NOT IN (1, NULL)", "00000"},
		{"NUL-1", "x IN (1, 3, NULL)", "10010"},
		{"NUL-1", "x BETWEEN 2 AND NULL", "00000"},
		{"NUL-1", "NOT (x BETWEEN 2 AND NULL)", "10001"}, // FALSE where x < 2
		{"TYPE-3", "x > 0.5", "11010"},
		{"TYPE-3", "x >= 3.00", "01010"},
		{"TYPE-3", "x = 3.01", "00000"},
		{"TYPE-3", "d > x", "10011"}, // 1.50 > 1, 3.00 > 0
		{"TYPE-3", "d < 1.501", "11000"},
		{"TYPE-3", "d * d > 9", "00010"}, // the square of the largest has 37 digits
		{"TYPE-3", "LEAST(-1, SIGN(1.5)) = x - 2", "10000"},
		{"TYPE-3", "(x * 1000000000) * 99999999999999.99 > 0", "11010"}, // 5e23
		{"TYPE-5", "f > 1e308", "01010"},                                // infinity, and NaN above it
		{"TYPE-5", "f = f", "11011"},
		{"TYPE-5", "f > x", "01010"},
		{"TYPE-7", "c = 'ab'", "10001"},
		{"TYPE-7", "c || 'x' = 'ab  x'", "10001"}, // char(4) pads
		{"TYPE-7", "s > 'purchase'", "00010"},
		{"TYPE-7", "s >= 'purchase'", "01010"},
		{"TYPE-7", "s < 'd'", "10001"},
		{"TYPE-7", "s = 'purchase order'", "00010"},
		{"TYPE-7", "s LIKE 'purchase%'", "01010"},
		{"NAV-2", "x > PREV(x)", "01000"},
		{"NAV-2", "PREV(x) IS NULL", "10010"},
		{"NAV-2", "NEXT(x, 2) = 3", "01000"},
		{"NAV-2", "PREV(x, 0) = x", "11011"},
		{"NAV-2", "NEXT(x, 5000000000) IS NULL", "11111"},
		{"NAV-5", "PREV(x, + 1) = 5", "00100"},
		{"NAV-5", "PREV(x, :n) = 5", "00010"},
		{"NAV-5", "PREV(x, :z) = 5", "00100"},
		{"NAV-2", "PREV(COALESCE(x, 7)) = 7", "00010"}, // no row before the first: NULL, not 7
		{"NAV-2", "PREV(COALESCE(x, 7)) IS NULL", "10000"},
		{"NAV-3", "PREV(LAST(A.x)) = 5", "00100"},
		{"DEF-15", "x <> 0 AND 6 / x > 1", "10010"}, // 6, 1, NULL, 2
		{"DEF-15", "CASE WHEN x <> 0 THEN 6 / x END = 6", "10000"},
		{"DEF-15", "COALESCE(NULLIF(x, 3), 1) = 1", "10110"},
	} {
		c, err := parse(in, tc.cond)
		if err != nil {
			t.Errorf("%s: %v", tc.cond, err)
			continue
		}
		k, ok := Compile(c.Vars[0].Define, 0)
		if !ok {
			t.Errorf("%s: not supported", tc.cond)
			continue
		}
		out := make([]uint64, 1)
		if err := k.Eval(p, 0, 5, out); err != nil {
			t.Errorf("%s: %v", tc.cond, err)
		} else if got := show(out, 5); got != tc.want {
			t.Errorf("%s: %s is TRUE on %s, want %s", tc.rule, tc.cond, got, tc.want)
		}
		// A part of the partition: navigation still reaches all of it.
		if err := k.Eval(p, 1, 4, out); err != nil {
			t.Errorf("%s: %v", tc.cond, err)
		} else if got := show(out, 3); got != tc.want[1:4] || out[0]>>3 != 0 {
			t.Errorf("%s: %s is TRUE on %s of the middle, want %s", tc.rule, tc.cond, got, tc.want[1:4])
		}
	}
}

// Errors are reported where evaluation row by row raises them, and nowhere else.
func TestErrors(t *testing.T) {
	in := small(t)
	for _, tc := range []struct{ rule, cond, want string }{
		{"TYPE-3", "1 / x > 0", "00001"},
		{"TYPE-3", "1 / 0 = x", "11111"},
		{"TYPE-3", "MOD(1, x) = 1", "00001"},
		{"TYPE-5", "1 / (f + 1) > 0", "00001"},
		{"TYPE-5", "f * 1e308 * 1e308 > 0", "10001"}, // infinity and NaN stay what they are
		{"TYPE-2", "x + 9223372036854775807 > 0", "11010"},
		{"TYPE-2", "x - 9223372036854775807 - 2 < 0", "00001"},
		{"TYPE-2", "x * 5000000000000000000 > 0", "01010"},
		{"TYPE-2", "CAST(x * 10000 AS smallint) > 0", "01000"},
		{"TYPE-2", "CAST(x * 6553 AS smallint) + CAST(x * 6553 AS smallint) > 0", "01010"},
		{"TYPE-3", "CAST(d AS decimal(3, 2)) > 0", "00010"},
		{"DEF-15", "x = 0 OR 1 / x > 0", "00000"},
		{"DEF-15", "x <> 0 OR 1 / x > 0", "00001"},
		{"DEF-15", "x IN (0, 1 / x)", "00000"},
		{"DEF-15", "x IN (1 / x, 0)", "00001"},
		{"DEF-15", "x BETWEEN 2 AND 1 / x", "00000"},
		{"DEF-15", "1 / PREV(x) > 0", "00000"},
		{"DEF-15", "PREV(1 / (x - 3)) > 0", "00001"},
		{"NAV-2", "PREV(1 / COALESCE(x, 0)) > 0", "00010"}, // nothing is evaluated before the first row
		{"DEF-15", "CASE x WHEN 3 THEN 1 WHEN 1 / (x - 3) THEN 2 END = 1", "00000"},
		{"EVAL-1", "CAST(s AS integer) = 1", "11011"},
	} {
		c, err := parse(in, tc.cond)
		if err != nil {
			t.Errorf("%s: %v", tc.cond, err)
			continue
		}
		var set Set
		if _, ok := set.Add(c.Vars[0].Define, Leaves(c, 0)); !ok {
			t.Errorf("%s: not supported", tc.cond)
			continue
		}
		p := inOrder(in)
		out, raised := []uint64{0}, []uint64{0}
		if err := set.Eval(Input{Table: in, Rows: p.Rows}, 0, 5, [][]uint64{out}, raised); err != nil {
			t.Errorf("%s: %v", tc.cond, err)
		} else if got := show(raised, 5); got != tc.want {
			t.Errorf("%s: %s is an error on %s, want %s", tc.rule, tc.cond, got, tc.want)
		}
		k, _ := Compile(c.Vars[0].Define, 0)
		if err := k.Eval(p, 0, 5, out); errors.Is(err, ErrRaised) != strings.Contains(tc.want, "1") {
			t.Errorf("%s: Eval gives %v", tc.cond, err)
		}
	}
}

func TestNotSupported(t *testing.T) {
	in := small(t)
	for _, cond := range []string{
		"x > FIRST(x)", "x > PREV(FIRST(x))", "SUM(x) > 1", "COUNT(*) > 1", "MATCH_NUMBER() = 1", "B.x > 1", "x > LAST(B.x)", "x > LAST(x, 1)",
		"CLASSIFIER() = 'A'", "PREV(CLASSIFIER()) = 'A'", "x = :missing", "x > PREV(x, :null)", "s LIKE s", "s LIKE 'a' ESCAPE 'ab'", "s LIKE 'a!b' ESCAPE '!'",
		"U.x > 1", // unions are not known without the clause
	} {
		c, err := parse(in, cond)
		if err != nil {
			t.Errorf("%s: %v", cond, err)
			continue
		}
		if _, ok := Compile(c.Vars[0].Define, 0); ok {
			t.Errorf("%s is supported", cond)
		}
	}
}

// With the clause, unions (SUB-2) and CLASSIFIER of the row under test (DEF-6) are known.
func TestLeaves(t *testing.T) {
	in := small(t)
	for cond, want := range map[string]string{
		"U.x > 1": "01010", "CLASSIFIER() = 'A'": "11111", "CLASSIFIER(U) = 'B'": "00000", "PREV(LAST(U.x)) = 5": "00100",
		"LAST(CLASSIFIER()) = 'A' AND x > 1": "01010",
	} {
		c, err := parse(in, cond)
		if err != nil {
			t.Fatalf("%s: %v", cond, err)
		}
		var set Set
		if _, ok := set.Add(c.Vars[0].Define, Leaves(c, 0)); !ok {
			t.Errorf("%s: not supported", cond)
			continue
		}
		out := []uint64{0}
		if err := set.Eval(Input{Table: in, Rows: inOrder(in).Rows}, 0, 5, [][]uint64{out}, nil); err != nil || show(out, 5) != want {
			t.Errorf("%s: %s, %v, want %s", cond, show(out, 5), err, want)
		}
	}
	c, err := parse(in, "PREV(CLASSIFIER()) = 'A'")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := new(Set).Add(c.Vars[0].Define, Leaves(c, 0)); ok {
		t.Error("CLASSIFIER of the row before depends on the mapping (DEF-10)")
	}
}

// Two steps are NULL if the first leaves the partition, wherever the second leads.
func TestSteps(t *testing.T) {
	in := small(t)
	c, err := parse(in, "PREV(x) = x")
	if err != nil {
		t.Fatal(err)
	}
	compare := c.Vars[0].Define.(*scalar.Compare)
	leaves := Leaves(c, 0)
	for _, tc := range []struct {
		steps []int64
		want  string
	}{
		{nil, "11011"},
		{[]int64{-1, 1}, "01011"},
		{[]int64{1, -1}, "11010"},
		{[]int64{-2, 2}, "00011"},
		{[]int64{-1 << 40, 1 << 40}, "00000"},
	} {
		var set Set
		if _, ok := set.Add(compare, func(e scalar.Expr) (Leaf, bool) {
			if n, ok := e.(*semantics.Navigation); ok {
				return Shift(n.Arg, tc.steps...), true
			}
			return leaves(e)
		}); !ok {
			t.Fatal("not supported")
		}
		out := []uint64{0}
		if err := set.Eval(Input{Table: in, Rows: inOrder(in).Rows}, 0, 5, [][]uint64{out}, nil); err != nil || show(out, 5) != tc.want {
			t.Errorf("steps %v: %s, %v, want %s", tc.steps, show(out, 5), err, tc.want)
		}
	}
}

// Bounds keep navigation within a partition, or within a frame (WIN-10).
func TestBounds(t *testing.T) {
	in := small(t)
	c, err := parse(in, "PREV(x, 1) IS NULL AND NEXT(x, 1) IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	var set Set
	if _, ok := set.Add(c.Vars[0].Define, Leaves(c, 0)); !ok {
		t.Fatal("not supported")
	}
	rows := []int32{0, 1, 3, 4}
	for _, tc := range []struct {
		bounds []int32
		want   string
	}{
		{nil, "1000"},
		{[]int32{0, 2, 4}, "1010"},
		{[]int32{0, 1, 2, 3, 4}, "0000"},
		{[]int32{0, 0, 2, 2, 4, 4}, "1010"},
		{[]int32{1, 3}, "10"},
	} {
		lo, hi := 0, 4
		if tc.bounds != nil {
			lo, hi = int(tc.bounds[0]), int(tc.bounds[len(tc.bounds)-1])
		}
		out := []uint64{0}
		if err := set.Eval(Input{in, rows, tc.bounds}, lo, hi, [][]uint64{out}, nil); err != nil || show(out, hi-lo) != tc.want {
			t.Errorf("bounds %v: %s, %v, want %s", tc.bounds, show(out, hi-lo), err, tc.want)
		}
	}
}

// A node that two conditions share is computed for all rows, though the first
// needs some only: where x + 1 < 3, one operand of the AND decides it.
func TestSharedNodes(t *testing.T) {
	in := small(t)
	var set Set
	for _, cond := range []string{"COALESCE(x + 1 < 3, FALSE) AND (x > 1 AND x < 4)", "x > 1 AND x < 4"} {
		c, err := parse(in, cond)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := set.Add(c.Vars[0].Define, Leaves(c, 0)); !ok {
			t.Fatal("not supported")
		}
	}
	out := [][]uint64{{0}, {0}}
	if err := set.Eval(Input{Table: in, Rows: inOrder(in).Rows}, 0, 5, out, nil); err != nil {
		t.Fatal(err)
	}
	if got := show(out[0], 5) + " " + show(out[1], 5); got != "00000 00010" {
		t.Errorf("%s, want 00000 00010", got)
	}
}

// An exact number is compared as the nearest double (TYPE-5): a coefficient
// beyond 2^53 is not rounded twice.
func TestNearestDouble(t *testing.T) {
	g := newGenerator(3)
	d, f := table.NewBuilder("D", value.DecimalType(18, 3)), table.NewBuilder("F", value.TypeDouble)
	for range 2000 {
		n := g.Int64N(pow10[18])
		d.AppendInt64(n)
		f.AppendFloat64(value.ToFloat(value.ScaledInt(n, 3)))
	}
	in, err := table.New(d.Column(), f.Column())
	if err != nil {
		t.Fatal(err)
	}
	c, err := parse(in, "d <> f")
	if err != nil {
		t.Fatal(err)
	}
	k, ok := Compile(c.Vars[0].Define, 0)
	if !ok {
		t.Fatal("not supported")
	}
	out := make([]uint64, 2000/64+1)
	if err := k.Eval(inOrder(in), 0, 2000, out); err != nil {
		t.Fatal(err)
	}
	if got := show(out, 2000); strings.Contains(got, "1") {
		t.Errorf("row %d differs", strings.Index(got, "1"))
	}
}

// Rows far from a block may be out of order though those of the block are not.
func TestFarRows(t *testing.T) {
	x := table.NewBuilder("X", value.TypeBigint)
	for i := range 2000 {
		x.AppendInt64(int64(i))
	}
	in, err := table.New(x.Column())
	if err != nil {
		t.Fatal(err)
	}
	p := inOrder(in)
	p.Rows[1400], p.Rows[1500] = 1500, 1400
	c, err := parse(in, "NEXT(x, 300) <> x + 300")
	if err != nil {
		t.Fatal(err)
	}
	k, ok := Compile(c.Vars[0].Define, 0)
	if !ok {
		t.Fatal("not supported")
	}
	out := make([]uint64, 16)
	// The block ends before the rows that are exchanged.
	for _, lo := range []int{376, 300} {
		if err := k.Eval(p, lo, lo+1024, out); err != nil {
			t.Fatal(err)
		}
		for i := range 1024 {
			if got, want := bitOf(out, i), lo+i == 1100 || lo+i == 1200; got != want {
				t.Errorf("position %d: %t", lo+i, got)
			}
		}
	}
}

// A table with columns of other types is refused.
func TestOtherTable(t *testing.T) {
	in := small(t)
	c, err := parse(in, "x > 1")
	if err != nil {
		t.Fatal(err)
	}
	k, ok := Compile(c.Vars[0].Define, 0)
	if !ok {
		t.Fatal("not supported")
	}
	other, err := table.FromRows([]table.Field{{Name: "x", Type: value.TypeInteger}}, [][]any{{1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Eval(inOrder(other), 0, 1, make([]uint64, 1)); !errors.Is(err, ErrRaised) {
		t.Errorf("error %v", err)
	}
}

// answers is an uncorrelated subquery.
type answers struct {
	rows  [][]value.Value
	err   error
	asked int
}

func (q *answers) Columns() []value.Type          { return []value.Type{value.TypeBigint} }
func (q *answers) Rows() ([][]value.Value, error) { q.asked++; return q.rows, q.err }

// A subquery is evaluated when a row needs it, and once (DEF-13, DEF-15).
func TestSubqueries(t *testing.T) {
	in := small(t)
	c, err := parse(in, "x = 1")
	if err != nil {
		t.Fatal(err)
	}
	compare := c.Vars[0].Define.(*scalar.Compare)
	boolean := scalar.Base{T: value.TypeBoolean}
	over := func(q *answers) scalar.Expr {
		n := *compare
		n.Y = &scalar.Subquery{Base: scalar.Base{T: value.TypeBigint}, Query: q}
		return &n
	}
	and := func(x, y scalar.Expr) scalar.Expr {
		return &scalar.Logical{Base: boolean, Op: scalar.OpAnd, Args: []scalar.Expr{x, y}}
	}
	five := [][]value.Value{{value.Int(5)}}
	for _, tc := range []struct {
		name   string
		query  *answers
		make   func(q *answers) scalar.Expr
		want   string
		raised string
		asked  int
	}{
		{"x = (5)", &answers{rows: five}, over, "01000", "00000", 1},
		{"x = (no row)", &answers{}, over, "00000", "00000", 1},
		{"x = (two rows)", &answers{rows: append(five, five...)}, over, "00000", "11111", 1},
		{"never needed", &answers{err: errors.New("failed")}, func(q *answers) scalar.Expr {
			return and(&scalar.Const{Base: boolean, Value: value.Bool(false)}, over(q))
		}, "00000", "00000", 0},
		{"EXISTS, where x = 1", &answers{rows: five}, func(q *answers) scalar.Expr {
			return and(compare, &scalar.Exists{Base: boolean, Query: q})
		}, "10000", "00000", 1},
		{"a failing one, where x is 1 or NULL", &answers{err: errors.New("failed")}, func(q *answers) scalar.Expr {
			return and(compare, &scalar.Exists{Base: boolean, Query: q})
		}, "00000", "10100", 1},
		{"2 IN, evaluated late", &answers{err: errors.New("failed")}, func(q *answers) scalar.Expr {
			return and(&scalar.Const{Base: boolean, Value: value.Bool(false)},
				&scalar.InSubquery{Base: boolean, X: &scalar.Const{Base: scalar.Base{T: value.TypeBigint}, Value: value.Int(2)}, Query: q})
		}, "00000", "00000", 0},
	} {
		var set Set
		if _, ok := set.Add(tc.make(tc.query), Leaves(c, 0)); !ok {
			t.Errorf("%s: not supported", tc.name)
			continue
		}
		out, raised := []uint64{0}, []uint64{0}
		err := set.Eval(Input{Table: in, Rows: inOrder(in).Rows}, 0, 5, [][]uint64{out}, raised)
		if out[0] &^= raised[0]; err != nil || show(out, 5) != tc.want || show(raised, 5) != tc.raised || tc.query.asked != tc.asked {
			t.Errorf("%s: %s, errors %s, asked %d times, %v; want %s, %s, %d", tc.name, show(out, 5), show(raised, 5), tc.query.asked, err,
				tc.want, tc.raised, tc.asked)
		}
	}
}

// Conditions on typed vectors allocate nothing once the vectors are there.
func TestAllocations(t *testing.T) {
	const n = 1 << 16
	in := benchTable(t, n)
	for name, rows := range orders(n) {
		for _, bc := range benchConditions {
			if bc.name == "quotient" {
				continue // an unscaled decimal is a value
			}
			c, err := parse(in, bc.cond)
			if err != nil {
				t.Fatal(err)
			}
			k, ok := Compile(c.Vars[0].Define, 0)
			if !ok {
				t.Fatalf("%s: not supported", bc.cond)
			}
			p, out := &semantics.Partition{Table: in, Rows: rows}, make([]uint64, n/64)
			eval := func() {
				if err := k.Eval(p, 0, n, out); err != nil {
					t.Error(err)
				}
			}
			// The runtime may drop the vectors between two evaluations.
			if got := testing.AllocsPerRun(5, eval); got > 30 {
				t.Errorf("%s, rows %s: %.0f allocations for %d rows", bc.cond, name, got, n)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	in := benchTable(t, 5000)
	p := inOrder(in)
	c, err := parse(in, "event = 'click' AND x > PREV(x) OR CASE WHEN temp > 50 THEN price * 2 END > 700")
	if err != nil {
		t.Fatal(err)
	}
	k, ok := Compile(c.Vars[0].Define, 0)
	if !ok {
		t.Fatal("not supported")
	}
	want := make([]uint64, 5000/64+1)
	if err := k.Eval(p, 0, 5000, want); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 20 {
				out := make([]uint64, len(want))
				if err := k.Eval(p, 0, 5000, out); err != nil {
					t.Error(err)
				}
				for i := range out {
					if out[i] != want[i] {
						t.Errorf("word %d differs", i)
						return
					}
				}
			}
		})
	}
	wait.Wait()
}
