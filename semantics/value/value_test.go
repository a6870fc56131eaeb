package value

import (
	"math"
	"testing"

	"github.com/cockroachdb/apd/v3"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

func TestTruthTables(t *testing.T) {
	// Rows and columns: FALSE, UNKNOWN, TRUE.
	order := []Truth{False, UnknownTruth, True}
	for i, a := range order {
		for j, b := range order {
			if got := a.And(b); got != order[min(i, j)] {
				t.Errorf("%v AND %v: %v", a, b, got)
			}
			if got := a.Or(b); got != order[max(i, j)] {
				t.Errorf("%v OR %v: %v", a, b, got)
			}
		}
		if got := a.Not(); got != order[2-i] {
			t.Errorf("NOT %v: %v", a, got)
		}
		if got := TruthOf(a.Value()); got != a {
			t.Errorf("%v becomes %v as a value", a, got)
		}
	}
	if TruthOf(Int(1)) != UnknownTruth || Bool(true).AsBool() != true || Null.AsBool() || Bool(false).AsBool() {
		t.Error("only booleans have a truth value")
	}
}

func TestRescaleRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		n        int64
		from, to int
		want     int64
		ok       bool
	}{
		{15, 1, 0, 2, true}, {14, 1, 0, 1, true}, {-15, 1, 0, -2, true}, {-14, 1, 0, -1, true}, {125, 2, 1, 13, true},
		{1, 0, 18, 1e18, true}, {10, 0, 18, 0, false}, {1, 0, 19, 0, false}, {0, 0, 38, 0, true},
		{math.MaxInt64, 19, 0, 1, true}, {math.MinInt64, 19, 0, -1, true}, {4999999999999999999, 19, 0, 0, true}, {5e18, 19, 0, 1, true},
		{math.MaxInt64, 20, 0, 0, true}, {math.MinInt64, 18, 0, -9, true},
	} {
		if got, ok := rescale(c.n, c.from, c.to); ok != c.ok || ok && got != c.want {
			t.Errorf("%d from scale %d to %d: %d, %v; want %d, %v", c.n, c.from, c.to, got, ok, c.want, c.ok)
		}
	}
}

func TestBigDecimalIsHeldInTheSmallestForm(t *testing.T) {
	for _, c := range []struct {
		coefficient int64
		exponent    int32
		n           int64
		scale       int
	}{{5, 3, 5000, 0}, {0, 9, 0, 0}, {0, -50, 0, 0}, {-150, -2, -150, 2}, {math.MinInt64, 0, math.MinInt64, 0}} {
		n, scale, ok := BigDecimal(apd.New(c.coefficient, c.exponent)).AsScaled()
		if !ok || n != c.n || scale != c.scale {
			t.Errorf("%dE%d: %d scale %d, %v", c.coefficient, c.exponent, n, scale, ok)
		}
	}
	if _, _, ok := BigDecimal(apd.New(5, 30)).AsScaled(); ok {
		t.Error("5E30 does not fit an int64")
	}
}

func TestFitDecimalByTYPE3(t *testing.T) {
	for _, c := range []struct{ number, typeName, want string }{
		{"2.345", "decimal(5,2)", "2.35"}, {"-2.345", "decimal(5,2)", "-2.35"}, {"999.994", "decimal(5,2)", "999.99"}, {"999.995", "decimal(5,2)", "22003"},
		{"1E+2", "decimal(5,2)", "100.00"}, {"1E+5000", "decimal", "22003"}, {"1E-5000", "decimal", "0"}, {"NaN", "decimal", "22003"}, {"Infinity", "decimal(5,2)", "22003"},
		{"1E+2", "decimal", "100"}, {"0E-99", "decimal(3,1)", "0.0"}, {"99999999999999999999999999999999999999.5", "decimal", "22003"},
	} {
		d, _, err := apd.NewFromString(c.number)
		if err != nil {
			t.Fatal(err)
		}
		ty := typ(t, c.typeName)
		v, err := FitDecimal(d, ty)
		text := state(err)
		if err == nil {
			text = Format(v, ty)
		}
		if text != c.want {
			t.Errorf("%s as %s: %s, want %s", c.number, c.typeName, text, c.want)
		}
	}
}

// A host variable or a column without a declared type has values nevertheless.
func TestUnknownTypesComputeByValue(t *testing.T) {
	for _, c := range []struct {
		a    Value
		op   string
		b    Value
		want string
	}{
		{Int(1), "+", Int(2), "3"}, {Int(1), "+", ScaledInt(5, 1), "1.5"}, {Int(7), "/", Int(2), "3"}, {Float(1.5), "*", Int(2), "3"},
		{DateOf(1), "-", DateOf(0), "1 00:00:00"}, {MonthsOf(1), "*", Int(12), "1-0"}, {TimeOf(0), "+", IntervalOf(perSecond), "00:00:01"},
		{TimestampOf(0), "-", IntervalOf(perSecond), "1969-12-31 23:59:59"}, {String("1"), "+", Int(1), "42000"}, {Bool(true), "+", Int(1), "42000"},
	} {
		got, err := Arith(c.op, TypeUnknown, c.a, c.b)
		text := state(err)
		if err == nil {
			text = Format(got, TypeUnknown)
		}
		if text != c.want {
			t.Errorf("%v %s %v: %s, want %s", c.a, c.op, c.b, text, c.want)
		}
	}
	if got, err := FieldOf(TimestampOf(1500000), TypeUnknown, "SECOND"); err != nil || Format(got, TypeUnknown) != "1.500000" {
		t.Errorf("seconds of a value of unknown type: %v, %v", got, err)
	}
	if _, err := FieldOf(MonthsOf(1), TypeUnknown, "DAY"); state(err) != "42000" {
		t.Errorf("day of a year-month interval: %v", err)
	}
}

// Operands that the caller's types do not describe are a defect, not a panic.
func TestWrongOperandsAreInternalErrors(t *testing.T) {
	for name, f := range map[string]func() (Value, error){
		"string as integer":   func() (Value, error) { return Arith("+", TypeInteger, String("a"), Int(1)) },
		"integer operator":    func() (Value, error) { return Arith("%", TypeInteger, Int(1), Int(1)) },
		"decimal operator":    func() (Value, error) { return Arith("%", TypeDecimal, Int(1), Int(1)) },
		"double operator":     func() (Value, error) { return Arith("%", TypeDouble, Int(1), Int(1)) },
		"long operator":       func() (Value, error) { return Arith("||", TypeInteger, Int(1), Int(1)) },
		"date and date":       func() (Value, error) { return Arith("+", TypeDate, DateOf(1), DateOf(1)) },
		"string and interval": func() (Value, error) { return Arith("+", TypeDate, String("a"), IntervalOf(1)) },
		"sign of a string":    func() (Value, error) { return Negate(TypeVarchar, String("a")) },
		"remainder":           func() (Value, error) { return Mod(TypeInteger, String("a"), Int(1)) },
		"exact remainder":     func() (Value, error) { return Mod(TypeInteger, Float(1), Int(1)) },
	} {
		if v, err := f(); diag.From(err) == nil || diag.From(err).Stage != diag.Internal || !v.IsNull() {
			t.Errorf("%s: %v, %v; want an internal error", name, v, err)
		}
	}
}
