package value

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

func TestTYPE3ResultTypes(t *testing.T) {
	exactQuotient := Options{ExactQuotient: true}
	for _, c := range []struct {
		a, op, b, want string
		o              Options
	}{
		{a: "integer", op: "+", b: "integer", want: "integer"},
		{a: "smallint", op: "*", b: "smallint", want: "smallint"},
		{a: "integer", op: "-", b: "bigint", want: "bigint"},
		{a: "smallint", op: "/", b: "integer", want: "integer"},
		{a: "integer", op: "/", b: "integer", want: "decimal", o: exactQuotient},
		{a: "integer", op: "+", b: "integer", want: "integer", o: exactQuotient},
		// max(10-2, 5-1) + max(2, 1) + 1 digits.
		{a: "decimal(10,2)", op: "+", b: "decimal(5,1)", want: "decimal(11,2)"},
		{a: "decimal(10,2)", op: "-", b: "decimal(5,4)", want: "decimal(13,4)"},
		{a: "decimal(10,2)", op: "*", b: "decimal(5,1)", want: "decimal(15,3)"},
		{a: "decimal(30,2)", op: "*", b: "decimal(30,3)", want: "decimal(38,5)"},
		{a: "decimal(38,0)", op: "+", b: "decimal(38,10)", want: "decimal(38,10)"},
		{a: "decimal(10,2)", op: "/", b: "decimal(5,1)", want: "decimal"},
		{a: "decimal(10,2)", op: "/", b: "integer", want: "decimal"},
		// smallint has 5 digits, integer 10, bigint 19.
		{a: "smallint", op: "+", b: "decimal(3,2)", want: "decimal(8,2)"},
		{a: "integer", op: "*", b: "decimal(3,2)", want: "decimal(13,2)"},
		{a: "decimal(3,2)", op: "*", b: "bigint", want: "decimal(22,2)"},
		{a: "decimal", op: "+", b: "decimal(3,2)", want: "decimal"},
		{a: "integer", op: "*", b: "decimal", want: "decimal"},
		{a: "real", op: "+", b: "real", want: "real"},
		{a: "real", op: "+", b: "double", want: "double precision"},
		{a: "decimal(3,2)", op: "/", b: "double", want: "double precision"},
		{a: "real", op: "*", b: "integer", want: "double precision"},
		{a: "unknown", op: "*", b: "integer", want: "unknown"},
		{a: "date", op: "+", b: "unknown", want: "unknown"},
	} {
		got, err := ArithType(c.op, typ(t, c.a), typ(t, c.b), c.o)
		if err != nil || got.String() != c.want {
			t.Errorf("%s %s %s: %s, %v; want %s", c.a, c.op, c.b, got, err, c.want)
		}
	}
}

func TestTYPE1ArithmeticRefusesOtherTypes(t *testing.T) {
	for _, c := range []struct{ a, op, b string }{
		{"varchar", "+", "integer"}, {"integer", "*", "varchar"}, {"varchar", "+", "varchar"},
		{"boolean", "+", "integer"}, {"boolean", "*", "unknown"}, {"date", "*", "unknown"}, {"unknown", "/", "interval day"},
		{"date", "+", "integer"}, {"date", "-", "timestamp"}, {"unknown", "*", "varchar"},
		{"interval day", "+", "interval year"}, {"interval day", "/", "interval day"},
	} {
		_, err := ArithType(c.op, typ(t, c.a), typ(t, c.b), Options{})
		wantError(t, err, diag.Semantic, "TYPE-1", "42000")
	}
	_, err := ArithType("*", DecimalType(38, 20), DecimalType(38, 19), Options{})
	wantError(t, err, diag.Semantic, "TYPE-3", "42000")
	_, err = ArithType("-", TypeDate, TypeDate, Options{StrictIntervals: true})
	wantError(t, err, diag.Semantic, "TYPE-6", "42000")
}

func TestTYPE3Arithmetic(t *testing.T) {
	const most = "99999999999999999999999999999999999999" // 38 digits
	for _, c := range []struct{ result, atype, a, op, btype, b, want string }{
		{"integer", "integer", "2", "+", "integer", "3", "5"},
		{"integer", "integer", "-7", "/", "integer", "2", "-3"},
		{"integer", "integer", "7", "/", "integer", "-2", "-3"},
		{"integer", "integer", "NULL", "/", "integer", "0", "NULL"},
		{"integer", "integer", "1", "/", "integer", "0", "22012"},
		{"integer", "integer", "2147483647", "+", "integer", "1", "22003"},
		{"bigint", "integer", "2147483647", "+", "bigint", "1", "2147483648"},
		{"smallint", "smallint", "200", "*", "smallint", "200", "22003"},
		{"bigint", "bigint", "9223372036854775807", "+", "bigint", "1", "22003"},
		{"bigint", "bigint", "-9223372036854775808", "-", "bigint", "1", "22003"},
		{"bigint", "bigint", "-9223372036854775808", "/", "bigint", "-1", "22003"},
		{"bigint", "bigint", "4294967296", "*", "bigint", "4294967296", "22003"},
		{"bigint", "bigint", "-4294967296", "*", "bigint", "2147483648", "-9223372036854775808"},
		{"decimal(11,2)", "decimal(10,2)", "1.25", "+", "decimal(5,1)", "0.5", "1.75"},
		{"decimal(11,2)", "decimal(10,2)", "1.25", "-", "decimal(5,1)", "1.5", "-0.25"},
		{"decimal(15,3)", "decimal(10,2)", "-1.25", "*", "decimal(5,1)", "0.5", "-0.625"},
		{"decimal(13,2)", "integer", "3", "*", "decimal(3,2)", "1.50", "4.50"},
		// The exact sum needs more than 64 bits.
		{"decimal(38,2)", "decimal(30,2)", "92233720368547758.07", "+", "decimal(30,2)", "92233720368547758.07", "184467440737095516.14"},
		{"decimal(38,0)", "decimal(38,0)", most, "+", "decimal(38,0)", "1", "22003"},
		{"decimal(38,0)", "decimal(38,0)", most, "-", "decimal(38,0)", "1", "99999999999999999999999999999999999998"},
		{"decimal(38,0)", "decimal(20,0)", "10000000000000000000", "*", "decimal(20,0)", "10000000000000000000", "22003"},
		{"decimal(38,0)", "decimal(20,0)", "10000000000000000000", "*", "decimal(20,0)", "1000000000000000000", "10000000000000000000000000000000000000"},
		// Quotients: 38 significant digits, half up, no zeros at the end.
		{"decimal", "decimal(3,1)", "10.0", "/", "integer", "4", "2.5"},
		{"decimal", "integer", "2", "/", "decimal(1,0)", "3", "0.66666666666666666666666666666666666667"},
		{"decimal", "integer", "-2", "/", "decimal(1,0)", "3", "-0.66666666666666666666666666666666666667"},
		{"decimal", "integer", "100", "/", "decimal(2,1)", "0.1", "1000"},
		{"decimal", "integer", "1", "/", "decimal(2,1)", "0.0", "22012"},
		{"decimal", "decimal", "0.1", "+", "decimal", "0.2", "0.3"},
		{"decimal", "decimal", "1.5", "+", "decimal", "0.5", "2"},
		{"decimal", "decimal", "99999999999999999999999999999999999999", "+", "decimal", "0.4", most},
		{"decimal", "decimal", most, "+", "decimal", "0.5", "22003"},
		{"double", "double", "1", "/", "double", "0", "22012"},
		{"double", "double", "1e308", "*", "double", "10", "22003"},
		{"double", "double", "Infinity", "-", "double", "Infinity", "NaN"},
		{"double", "double", "Infinity", "+", "integer", "1", "Infinity"},
		{"double", "decimal(2,1)", "0.5", "+", "double", "0.25", "0.75"},
		{"real", "real", "16777216", "+", "real", "1", "16777216"}, // 2^24 + 1 is no real
		{"double", "real", "16777216", "+", "double", "1", "16777217"},
		{"real", "real", "3e38", "+", "real", "3e38", "22003"},
	} {
		rt := typ(t, c.result)
		got, err := Arith(c.op, rt, val(t, c.atype, c.a), val(t, c.btype, c.b))
		text := state(err)
		if err == nil {
			text = Format(got, rt)
		}
		if text != c.want {
			t.Errorf("%s %s %s: %s (%v), want %s", c.a, c.op, c.b, text, err, c.want)
		}
	}
}

func TestTYPE2IntegersNeverWrap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lowest, highest := big.NewInt(math.MinInt64), big.NewInt(math.MaxInt64)
	for range 20000 {
		x, y := edgeInt(r), edgeInt(r)
		for _, op := range []string{"+", "-", "*", "/"} {
			bx, by, want := big.NewInt(x), big.NewInt(y), new(big.Int)
			switch op {
			case "+":
				want.Add(bx, by)
			case "-":
				want.Sub(bx, by)
			case "*":
				want.Mul(bx, by)
			case "/":
				if y == 0 {
					continue
				}
				want.Quo(bx, by)
			}
			got, err := Arith(op, TypeBigint, Int(x), Int(y))
			fits := want.Cmp(lowest) >= 0 && want.Cmp(highest) <= 0
			switch {
			case fits && (err != nil || got.Raw() != want.Int64()):
				t.Fatalf("%d %s %d: %d, %v; want %s", x, op, y, got.Raw(), err, want)
			case !fits && state(err) != "22003":
				t.Fatalf("%d %s %d: %v, want 22003", x, op, y, err)
			}
		}
	}
}

// edgeInt returns integers of all sizes, often at the edges.
func edgeInt(r *rand.Rand) int64 {
	switch r.IntN(5) {
	case 0:
		return []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MaxInt32, math.MinInt32}[r.IntN(7)]
	case 1:
		return int64(r.Uint64())
	}
	n := int64(r.Uint64() >> r.IntN(64))
	if r.IntN(2) == 0 {
		return -n
	}
	return n
}

// ratOf reads an exact value as a fraction.
func ratOf(v Value) *big.Rat {
	r, _ := new(big.Rat).SetString(string(v.appendNumber(nil)))
	return r
}

// halfUp rounds a fraction to an integer, half away from zero.
func halfUp(r *big.Rat) *big.Int {
	two := big.NewInt(2)
	num := new(big.Int).Add(new(big.Int).Mul(new(big.Int).Abs(r.Num()), two), r.Denom())
	q := num.Quo(num, new(big.Int).Mul(r.Denom(), two))
	if r.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

func randomDecimal(r *rand.Rand, t Type) Value {
	digits := make([]byte, 1+r.IntN(t.Precision))
	for i := range digits {
		digits[i] = byte('0' + r.IntN(10))
	}
	n, _ := new(big.Int).SetString(string(digits), 10)
	if r.IntN(2) == 0 {
		n.Neg(n)
	}
	text := new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)).FloatString(t.Scale)
	v, err := Cast(String(text), TypeVarchar, t)
	if err != nil {
		panic(err)
	}
	return v
}

func TestTYPE3DecimalsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		p, q := 1+r.IntN(38), 1+r.IntN(38)
		a, b := DecimalType(p, r.IntN(min(p, 19)+1)), DecimalType(q, r.IntN(min(q, 19)+1))
		x, y := randomDecimal(r, a), randomDecimal(r, b)
		rx, ry := ratOf(x), ratOf(y)
		for _, op := range []string{"+", "-", "*", "/"} {
			rt, err := ArithType(op, a, b, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Arith(op, rt, x, y)
			want := new(big.Rat)
			switch op {
			case "+":
				want.Add(rx, ry)
			case "-":
				want.Sub(rx, ry)
			case "*":
				want.Mul(rx, ry)
			case "/":
				if ry.Sign() == 0 {
					if state(err) != "22012" {
						t.Fatalf("%v / 0: %v", x, err)
					}
					continue
				}
				checkQuotient(t, got, err, want.Quo(rx, ry))
				continue
			}
			limit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(rt.Precision-rt.Scale)), nil))
			if new(big.Rat).Abs(want).Cmp(limit) >= 0 {
				if state(err) != "22003" {
					t.Fatalf("%s %s %s: %v, want 22003", SQL(x, a), op, SQL(y, b), err)
				}
				continue
			}
			if err != nil || ratOf(got).Cmp(want) != 0 {
				t.Fatalf("%s %s %s: %s, %v; want %s", SQL(x, a), op, SQL(y, b), Format(got, rt), err, want)
			}
			if _, point, found := strings.Cut(Format(got, rt), "."); rt.Scale != len(point) || found != (rt.Scale > 0) {
				t.Fatalf("%s has not the scale of %s", Format(got, rt), rt)
			}
		}
	}
}

// checkQuotient derives the quotient by TYPE-3: the scale is the one that
// leaves 38 significant digits.
func checkQuotient(t *testing.T, got Value, err error, want *big.Rat) {
	t.Helper()
	abs := new(big.Rat).Abs(want)
	if want.Sign() == 0 {
		if err != nil || ratOf(got).Sign() != 0 {
			t.Fatalf("0 / x: %v, %v", got, err)
		}
		return
	}
	ten, scale := big.NewRat(10, 1), 0
	low := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(37), nil))
	high := new(big.Rat).Mul(low, ten)
	for abs.Cmp(low) < 0 {
		abs.Mul(abs, ten)
		scale++
	}
	for abs.Cmp(high) >= 0 {
		abs.Quo(abs, ten)
		scale--
	}
	if scale < 0 {
		if state(err) != "22003" {
			t.Fatalf("quotient %s: %v, want 22003", want.FloatString(3), err)
		}
		return
	}
	n := halfUp(abs)
	if want.Sign() < 0 {
		n.Neg(n)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	rounded := new(big.Rat).SetFrac(n, unit)
	if err != nil || ratOf(got).Cmp(rounded) != 0 {
		t.Fatalf("quotient %s: %s, %v; want %s", want, Format(got, TypeDecimal), err, rounded.FloatString(scale))
	}
	if text := Format(got, TypeDecimal); strings.Contains(text, ".") && strings.HasSuffix(text, "0") {
		t.Fatalf("quotient %s keeps zeros at its end", text)
	}
}

func TestNegateAndModByTYPE2(t *testing.T) {
	for _, c := range []struct{ typeName, v, want string }{
		{"integer", "5", "-5"}, {"integer", "NULL", "NULL"}, {"integer", "-2147483648", "22003"},
		{"bigint", "-9223372036854775808", "22003"}, {"smallint", "-32768", "22003"},
		{"decimal(5,2)", "-1.50", "1.50"}, {"double", "-1.5", "1.5"}, {"double", "NaN", "NaN"}, {"double", "0", "0"},
		{"decimal(38,0)", "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"},
		{"decimal(19,0)", "-9223372036854775808", "9223372036854775808"},
		{"interval day to second", "1 02:00:00", "-1 02:00:00"}, {"interval year to month", "1-2", "-1-2"},
	} {
		ty := typ(t, c.typeName)
		got, err := Negate(ty, val(t, c.typeName, c.v))
		if text := state(err) + Format(got, ty); text != c.want && text != c.want+"NULL" {
			t.Errorf("-(%s): %s, want %s", c.v, text, c.want)
		}
	}
	for _, c := range []struct{ typeName, a, b, want string }{
		{"integer", "7", "3", "1"}, {"integer", "-7", "3", "-1"}, {"integer", "7", "-3", "1"},
		{"integer", "7", "0", "22012"}, {"integer", "NULL", "0", "NULL"},
		{"bigint", "-9223372036854775808", "-1", "0"},
		{"decimal(5,2)", "5.25", "1.50", "0.75"}, {"decimal(5,2)", "-5.25", "1.50", "-0.75"}, {"decimal(5,2)", "1.00", "0.00", "22012"},
		{"double", "5.5", "2", "1.5"}, {"double", "5.5", "0", "22012"},
	} {
		ty := typ(t, c.typeName)
		got, err := Mod(ty, val(t, c.typeName, c.a), val(t, c.typeName, c.b))
		if text := state(err) + Format(got, ty); text != c.want && text != c.want+"NULL" {
			t.Errorf("MOD(%s, %s): %s, want %s", c.a, c.b, text, c.want)
		}
	}
	if _, err := NegateType(TypeVarchar); state(err) != "42000" {
		t.Errorf("minus of a string: %v", err)
	}
	if got, err := ModType(TypeInteger, DecimalType(5, 2)); err != nil || !got.Equal(DecimalType(12, 2)) {
		t.Errorf("MOD type %s, %v", got, err)
	}
	if _, err := ModType(TypeInteger, TypeDate); state(err) != "42000" {
		t.Errorf("MOD of a date: %v", err)
	}
}
