package scalar

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// slot is a leaf as an engine has it: the value stands in the Env.
type slot struct {
	Base
	i int
}

func (s *slot) Eval(env Env) (value.Value, error) { return env.(*[4]value.Value)[s.i], nil }
func (s *slot) Children() []Expr                  { return nil }
func (s *slot) String() string                    { return "slot" }

// slots binds text over a row of slots in place of the columns I, B, D, X.
func slots(tb testing.TB, f *fixture, text string) (Expr, *[4]value.Value) {
	tb.Helper()
	names := []string{"I", "B", "D", "X"}
	var env [4]value.Value
	for i, name := range names {
		env[i] = f.row[name]
	}
	e, err := f.bind(text)
	if err != nil {
		tb.Fatal(err)
	}
	var replace func(e Expr) Expr
	replace = func(e Expr) Expr {
		switch n := e.(type) {
		case *column:
			for i, name := range names {
				if n.name == name {
					return &slot{n.Base, i}
				}
			}
		case *Binary:
			n.X, n.Y = replace(n.X), replace(n.Y)
		case *Compare:
			n.X, n.Y = replace(n.X), replace(n.Y)
		case *Between:
			n.X, n.Low, n.High = replace(n.X), replace(n.Low), replace(n.High)
		case *Logical:
			for i := range n.Args {
				n.Args[i] = replace(n.Args[i])
			}
		case *Func:
			for i := range n.Args {
				n.Args[i] = replace(n.Args[i])
			}
		}
		return e
	}
	return replace(e), &env
}

var hotConditions = map[string]string{
	"integer":   "I < B",
	"decimal":   "D < D + D",
	"double":    "X * 2e0 > X",
	"mixed":     "I + 1 < B AND D <> 3.50 AND X > 1e0",
	"between":   "I BETWEEN 1 AND 100",
	"functions": "MOD(I, 2) = 0 AND ABS(I) > 3",
}

// Comparisons and arithmetic of numbers allocate nothing.
func TestHotConditionsDoNotAllocate(t *testing.T) {
	f := columns(t)
	for name, text := range hotConditions {
		e, row := slots(t, f, text)
		var env Env = row
		allocs := testing.AllocsPerRun(100, func() {
			if got, err := EvalTruth(e, env); err != nil || got != value.True {
				t.Fatalf("%s: %v %v", text, got, err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s (%s): %v allocations", name, text, allocs)
		}
	}
}

func BenchmarkEvalTruth(b *testing.B) {
	f := columns(b)
	for name, text := range hotConditions {
		b.Run(name, func(b *testing.B) {
			e, row := slots(b, f, text)
			var env Env = row
			for b.Loop() {
				if _, err := EvalTruth(e, env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSum(b *testing.B) {
	for name, v := range map[string]value.Value{"bigint": value.Int(12345), "decimal": value.ScaledInt(12345, 2), "double": value.Float(1.5)} {
		b.Run(name, func(b *testing.B) {
			typ := map[string]value.Type{"bigint": value.TypeBigint, "decimal": value.DecimalType(10, 2), "double": value.TypeDouble}[name]
			fn, _ := LookupAggregate("SUM")
			acc := fn.New([]value.Type{typ}, value.Options{})
			args := []value.Value{v}
			for b.Loop() {
				if err := acc.Add(args); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
