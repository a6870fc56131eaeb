package columnar

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Quotients at and around the constant that they are compared with, of all
// sizes and scales (TYPE-3).
func TestQuotients(t *testing.T) {
	g := newGenerator(8)
	direct := 0
	for range 600 {
		sa, sb, sc := g.IntN(19), g.IntN(10), g.IntN(10)
		c := g.sized()
		typeA, typeB := value.DecimalType(38, sa), value.DecimalType(38, sb)
		x, y := table.NewBuilder("A", typeA), table.NewBuilder("B", typeB)
		x.Append(value.ScaledInt(1, sa)) // not NULL first
		y.Append(value.ScaledInt(3, sb))
		for range 30 {
			b := g.sized()
			// a * 10^(sb+sc) = c * b * 10^sa, or near it.
			a := new(big.Int).Mul(big.NewInt(c), big.NewInt(b))
			a.Mul(a, power(sa)).Quo(a, power(sb+sc)).Add(a, big.NewInt(int64(g.IntN(3)-1)))
			if !a.IsInt64() {
				a.SetInt64(g.sized())
			}
			x.Append(value.ScaledInt(a.Int64(), sa))
			y.Append(value.ScaledInt(b, sb))
		}
		in, err := table.New(x.Column(), y.Column())
		if err != nil {
			t.Fatal(err)
		}
		cond := fmt.Sprintf("a / b %s %s", pick(g, "=", "<>", "<", "<=", ">", ">="), value.SQL(value.ScaledInt(c, sc), value.DecimalType(38, sc)))
		if g.IntN(4) == 0 {
			cond = fmt.Sprintf("%s %s a / b", value.SQL(value.ScaledInt(c, sc), value.DecimalType(38, sc)), pick(g, "=", "<", ">="))
		}
		clause, err := parse(in, cond)
		if err != nil {
			t.Fatalf("%s: %v", cond, err)
		}
		var set Set
		if _, ok := set.Add(clause.Vars[0].Define, Leaves(clause, 0)); !ok {
			t.Fatalf("%s: not supported", cond)
		}
		if set.roots[0].fast.kind == kindTruth && set.roots[0].wide != nil && set.roots[0].fast != set.roots[0].wide {
			direct++
		}
		p := inOrder(in)
		if _, diff, _, at := check([]*semantics.Clause{clause}, &set, Input{in, p.Rows, []int32{0, int32(p.Len())}}, 0, p.Len()); diff != "" {
			t.Fatalf("%s with a = %s, b = %s: %s", cond, value.Format(in.Value(at, 0), typeA), value.Format(in.Value(at, 1), typeB), diff)
		}
	}
	if direct < 300 {
		t.Errorf("only %d comparisons on integers", direct)
	}
}

// sized draws a number of any size, never 0 but with all signs.
func (g *generator) sized() int64 {
	n := int64(g.Uint64() >> (1 + g.IntN(63)))
	switch {
	case g.IntN(20) == 0:
		n = math.MaxInt64
	case n == 0:
		n = 1
	}
	return pick(g, n, n, -n)
}

func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
