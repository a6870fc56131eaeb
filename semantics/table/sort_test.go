package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/value"
)

func TestSortNUL2(t *testing.T) {
	null := value.Null
	f := value.Float
	for _, test := range []struct {
		name string
		typ  value.Type
		in   []value.Value
		o    value.Options
		// rows in ascending order, NULLs last
		want []int32
	}{
		{"bigint", value.TypeBigint, append(ints(3, math.MinInt64, math.MaxInt64, -1), null), value.Options{}, []int32{1, 3, 0, 2, 4}},
		{"TYPE-8 boolean", value.TypeBoolean, []value.Value{value.Bool(true), null, value.Bool(false)}, value.Options{}, []int32{2, 0, 1}},
		{"TYPE-5 double", value.TypeDouble, []value.Value{f(math.NaN()), f(math.Inf(1)), f(0), f(-1.5), f(math.Inf(-1)), null, f(math.Copysign(0, -1)), f(2)},
			value.Options{}, []int32{4, 3, 2, 6, 7, 1, 0, 5}},
		{"decimal by number", value.DecimalType(10, 2), []value.Value{value.ScaledInt(1000, 2), value.ScaledInt(95, 1), value.Int(-2)}, value.Options{}, []int32{2, 1, 0}},
		{"decimal of many scales", value.TypeDecimal, []value.Value{value.ScaledInt(10, 0), value.ScaledInt(95, 1), value.ScaledInt(100, 1)}, value.Options{}, []int32{1, 0, 2}},
		{"TYPE-7 strings by code point", value.TypeVarchar, texts("b", "a", "B", "", "aa", "é", "z", "\U0001F600", "\uFFFD"), value.Options{},
			[]int32{3, 2, 1, 4, 0, 6, 5, 8, 7}},
		{"TYPE-7 char without trailing blanks", value.Type{Kind: value.Char, Precision: 3}, texts("b  ", "a", "a  ", "ab"), value.Options{}, []int32{1, 2, 3, 0}},
		{"IMP-STRINGS=padspace", value.TypeVarchar, texts("a  ", "a\x01", "a", "b"), value.Options{PadSpace: true}, []int32{1, 0, 2, 3}},
		{"date", value.TypeDate, []value.Value{value.DateOf(5), value.DateOf(-5), null}, value.Options{}, []int32{1, 0, 2}},
		{"all NULL", value.TypeVarchar, []value.Value{null, null}, value.Options{}, []int32{0, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := column(t, "C", test.typ, test.in...)
			tab := table(t, c)
			for _, descending := range []bool{false, true} {
				for _, nullsFirst := range []bool{false, true} {
					key := SortKey{0, descending, nullsFirst}
					want := derive(test.want, c, key, test.o)
					rows := tab.AllRows()
					tab.Sort(rows, []SortKey{key}, test.o)
					if !slices.Equal(rows, want) {
						t.Errorf("%+v gives %v, should be %v", key, rows, want)
					}
				}
			}
		})
	}
}

// derive turns the ascending order with NULLs last into that of key: groups of
// equal rows reversed if descending, NULLs moved.
func derive(asc []int32, c *Column, key SortKey, o value.Options) []int32 {
	var groups [][]int32
	var nulls []int32
	for _, r := range asc {
		v := c.Value(int(r))
		switch {
		case v.IsNull():
			nulls = append(nulls, r)
		case len(groups) > 0 && value.Compare(c.Value(int(groups[len(groups)-1][0])), v, o) == 0:
			groups[len(groups)-1] = append(groups[len(groups)-1], r)
		default:
			groups = append(groups, []int32{r})
		}
	}
	if key.Descending {
		slices.Reverse(groups)
	}
	rows := slices.Concat(groups...)
	if key.NullsFirst {
		return append(nulls, rows...)
	}
	return append(rows, nulls...)
}

// TestSortStableNUL3 compares the fast paths with the standard library's
// stable sort over value.Compare, for sizes on both sides of each threshold.
func TestSortStableNUL3(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 2, 11, 12, 13, 100, radixFrom - 1, radixFrom, 5000} {
		a, b := NewBuilder("A", value.TypeBigint), NewBuilder("B", value.TypeDouble)
		c, d := NewBuilder("C", value.TypeVarchar), NewBuilder("D", value.TypeTimestamp)
		for range n {
			if rnd.IntN(5) == 0 {
				a.AppendNull()
				b.AppendNull()
			} else {
				a.AppendInt64(rnd.Int64N(7) - 3)
				b.AppendFloat64([]float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(-1)}[rnd.IntN(6)])
			}
			switch rnd.IntN(4) {
			case 0:
				c.AppendNull()
			case 1:
				c.AppendString("a common prefix, short"[:15+rnd.IntN(7)])
			default:
				c.AppendString(fmt.Sprint("a common prefix ", rnd.IntN(4)*1000_000_000, rnd.IntN(4)))
			}
			d.AppendInt64(rnd.Int64())
		}
		tab := table(t, a.Column(), b.Column(), c.Column(), d.Column())
		for range 30 {
			var keys []SortKey
			for range 1 + rnd.IntN(3) {
				keys = append(keys, SortKey{rnd.IntN(4), rnd.IntN(2) == 0, rnd.IntN(2) == 0})
			}
			rows := tab.AllRows()
			rnd.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
			want := slices.Clone(rows)
			slices.SortStableFunc(want, func(x, y int32) int {
				for _, k := range keys {
					v, w := tab.Value(int(x), k.Col), tab.Value(int(y), k.Col)
					r := 0
					switch {
					case v.IsNull() && w.IsNull():
						continue
					case v.IsNull() || w.IsNull():
						if v.IsNull() == k.NullsFirst {
							return -1
						}
						return 1
					default:
						r = value.Compare(v, w, value.Options{})
					}
					if k.Descending {
						r = -r
					}
					if r != 0 {
						return r
					}
				}
				return 0
			})
			tab.Sort(rows, keys, value.Options{})
			if !slices.Equal(rows, want) {
				t.Fatalf("%d rows by %+v: wrong order", n, keys)
			}
			for i := 1; i < n; i++ {
				if tab.CompareRows(rows[i-1], rows[i], keys, value.Options{}) > 0 {
					t.Fatalf("%d rows by %+v: rows %d and %d compare the wrong way", n, keys, i-1, i)
				}
			}
		}
	}
}

func TestGroupsNUL1(t *testing.T) {
	null := value.Null
	for _, test := range []struct {
		name string
		cols []*Column
		o    value.Options
		want string
	}{
		{"first appearance", []*Column{column(t, "A", value.TypeBigint, ints(5, 1, 5, 2, 1)...)}, value.Options{}, "[[0 2] [1 4] [3]]"},
		{"ascending", []*Column{column(t, "A", value.TypeBigint, ints(1, 1, 2, 3, 3)...)}, value.Options{}, "[[0 1] [2] [3 4]]"},
		{"descending", []*Column{column(t, "A", value.TypeBigint, ints(3, 3, 2)...)}, value.Options{}, "[[0 1] [2]]"},
		{"all equal", []*Column{column(t, "A", value.TypeBigint, ints(3, 3, 3)...)}, value.Options{}, "[[0 1 2]]"},
		{"NULLs are identical", []*Column{column(t, "A", value.TypeBigint, null, value.Int(0), null)}, value.Options{}, "[[0 2] [1]]"},
		{"TYPE-5", []*Column{column(t, "A", value.TypeDouble, value.Float(math.NaN()), value.Float(0), value.Float(-math.NaN()), value.Float(math.Copysign(0, -1)))},
			value.Options{}, "[[0 2] [1 3]]"},
		{"two columns", []*Column{column(t, "A", value.TypeBigint, append(ints(1, 2, 1), null, null)...),
			column(t, "B", value.TypeVarchar, append(append(texts("x", "x", "x"), null), texts("")...)...)}, value.Options{}, "[[0 2] [1] [3] [4]]"},
		{"trailing blanks count", []*Column{column(t, "A", value.TypeVarchar, texts("a", "a ")...)}, value.Options{}, "[[0] [1]]"},
		{"IMP-STRINGS=padspace", []*Column{column(t, "A", value.TypeVarchar, texts("a", "b", "a ")...)}, value.Options{PadSpace: true}, "[[0 2] [1]]"},
		{"TYPE-7 char", []*Column{column(t, "A", value.Type{Kind: value.Char, Precision: 2}, texts("a", "b", "a ")...)}, value.Options{}, "[[0 2] [1]]"},
		{"decimals of many scales", []*Column{column(t, "A", value.TypeDecimal, value.ScaledInt(10, 1), value.Int(2), value.ScaledInt(1, 0))}, value.Options{}, "[[0 2] [1]]"},
		{"arrays", []*Column{column(t, "A", value.ArrayType(value.TypeBigint), value.ArrayOf(ints(1, 2)), value.ArrayOf(ints(1)), value.ArrayOf(ints(1, 2)))}, value.Options{}, "[[0 2] [1]]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab := table(t, test.cols...)
			var cols []int
			for i := range test.cols {
				cols = append(cols, i)
			}
			if got := fmt.Sprint(tab.Groups(cols, test.o)); got != test.want {
				t.Errorf("got %s, should be %s", got, test.want)
			}
		})
	}
	tab := table(t, column(t, "A", value.TypeBigint, ints(2, 1)...))
	if got := fmt.Sprint(tab.Groups(nil, value.Options{})); got != "[[0 1]]" {
		t.Errorf("no columns give %s", got)
	}
	empty := table(t, column(t, "A", value.TypeBigint))
	if got := empty.Groups(nil, value.Options{}); len(got) != 0 {
		t.Errorf("an empty table gives %v", got)
	}
	if got := empty.Groups([]int{0}, value.Options{}); len(got) != 0 {
		t.Errorf("an empty table gives %v", got)
	}
}

// TestGroupsMany compares with a map, for enough groups that the hash table
// grows.
func TestGroupsMany(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	a, b := NewBuilder("A", value.TypeBigint), NewBuilder("B", value.TypeVarchar)
	for range 20_000 {
		a.AppendInt64(rnd.Int64N(3000))
		b.AppendString(fmt.Sprint(rnd.IntN(2000)))
	}
	tab := table(t, a.Column(), b.Column())
	for _, cols := range [][]int{{0}, {1}, {0, 1}} {
		byKey := map[string]int{}
		var want [][]int32
		for r := range tab.NumRows() {
			key := ""
			for _, c := range cols {
				key += value.Format(tab.Value(r, c), tab.Column(c).Type) + "|"
			}
			g, ok := byKey[key]
			if !ok {
				g = len(want)
				byKey[key] = g
				want = append(want, nil)
			}
			want[g] = append(want[g], int32(r))
		}
		if got := tab.Groups(cols, value.Options{}); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("columns %v: wrong groups", cols)
		}
	}
}
