package value

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestTYPE5Compare(t *testing.T) {
	pad := Options{PadSpace: true}
	for _, c := range []struct {
		atype, a, btype, b string
		want               int
		o                  Options
	}{
		{atype: "integer", a: "2", btype: "bigint", b: "10", want: -1},
		{atype: "integer", a: "1", btype: "decimal(3,1)", b: "1.0", want: 0},
		{atype: "decimal(5,3)", a: "1.001", btype: "integer", b: "1", want: 1},
		{atype: "decimal(5,3)", a: "-1.001", btype: "integer", b: "-1", want: -1},
		{atype: "decimal(38,37)", a: "0.0000000000000000000000000000000000001", btype: "bigint", b: "0", want: 1},
		{atype: "decimal(38,37)", a: "0.0000000000000000000000000000000000001", btype: "bigint", b: "9223372036854775807", want: -1},
		{atype: "decimal(38,0)", a: "9223372036854775808", btype: "bigint", b: "9223372036854775807", want: 1},
		{atype: "decimal(38,0)", a: "12345678901234567890", btype: "decimal(38,2)", b: "12345678901234567890.00", want: 0},
		{atype: "double", a: "0.5", btype: "decimal(2,1)", b: "0.5", want: 0},
		{atype: "double", a: "0.1", btype: "decimal(2,1)", b: "0.1", want: 0}, // TYPE-5: as doubles
		{atype: "double", a: "0.5", btype: "integer", b: "1", want: -1},
		{atype: "double", a: "NaN", btype: "double", b: "NaN", want: 0},
		{atype: "double", a: "NaN", btype: "double", b: "Infinity", want: 1},
		{atype: "integer", a: "1", btype: "double", b: "NaN", want: -1},
		{atype: "double", a: "-Infinity", btype: "double", b: "-1e308", want: -1},
		{atype: "double", a: "-0", btype: "double", b: "0", want: 0},
		{atype: "boolean", a: "false", btype: "boolean", b: "true", want: -1}, // TYPE-8
		{atype: "varchar", a: "Z", btype: "varchar", b: "a", want: -1},        // TYPE-7: code points
		{atype: "varchar", a: "\uFFFD", btype: "varchar", b: "\U00010000", want: -1},
		{atype: "varchar", a: "a", btype: "varchar", b: "a ", want: -1},
		{atype: "varchar", a: "a", btype: "varchar", b: "a ", want: 0, o: pad},
		{atype: "varchar", a: "a\x01", btype: "varchar", b: "a", want: -1, o: pad},
		{atype: "varchar", a: "a", btype: "varchar", b: "a\x01", want: 1, o: pad},
		{atype: "varchar", a: "a !", btype: "varchar", b: "a", want: 1, o: pad},
		{atype: "char(3)", a: "a", btype: "char(5)", b: "a ", want: 0},
		{atype: "date", a: "2026-01-01", btype: "date", b: "0999-12-31", want: 1},
		{atype: "time", a: "00:00:01", btype: "time(3)", b: "00:00:00.999", want: 1},
		{atype: "interval day to second", a: "-1 00:00:00", btype: "interval day to second", b: "0 00:00:00", want: -1},
		{atype: "interval year to month", a: "1-0", btype: "interval year to month", b: "0-11", want: 1},
	} {
		a, b := val(t, c.atype, c.a), val(t, c.btype, c.b)
		if got := Compare(a, b, c.o); got != c.want {
			t.Errorf("%s v. %s: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Compare(b, a, c.o); got != -c.want {
			t.Errorf("%s v. %s: %d, want %d", c.b, c.a, got, -c.want)
		}
		equal := False
		if c.want == 0 {
			equal = True
		}
		if Equal(a, b, c.o) != equal || Identical(a, b, c.o) != (c.want == 0) {
			t.Errorf("%s v. %s: Equal or Identical differ from Compare", c.a, c.b)
		}
	}
}

func TestNUL1EqualAndIdentical(t *testing.T) {
	array := func(v ...Value) Value { return ArrayOf(v) }
	for _, c := range []struct {
		a, b      Value
		equal     Truth
		identical bool
	}{
		{Null, Null, UnknownTruth, true},
		{Null, Int(1), UnknownTruth, false},
		{Int(1), Null, UnknownTruth, false},
		{array(), array(), True, true},
		{array(Int(1), Null), array(Int(1), Null), UnknownTruth, true},
		{array(Int(1), Null), array(Int(2), Null), False, false},
		{array(Int(1), Null), array(Int(1)), False, false},
		{array(Null), array(Int(1)), UnknownTruth, false},
		{array(array(Int(1))), array(array(Int(1))), True, true},
	} {
		if got := Equal(c.a, c.b, Options{}); got != c.equal {
			t.Errorf("%v = %v: %v, want %v", c.a, c.b, got, c.equal)
		}
		if got := Identical(c.a, c.b, Options{}); got != c.identical {
			t.Errorf("%v IS NOT DISTINCT FROM %v: %v, want %v", c.a, c.b, got, c.identical)
		}
	}
	if Compare(array(Int(1)), array(Int(1), Int(0)), Options{}) != -1 || Compare(array(Null), array(Int(9)), Options{}) != 1 {
		t.Error("arrays are not ordered by their elements, NULL last")
	}
}

// sample returns values of one family that lie close to each other.
func samples(t *testing.T) map[string][]Value {
	double := func(f ...float64) (v []Value) {
		for _, x := range f {
			v = append(v, Float(x))
		}
		return v
	}
	all := map[string][]Value{
		"double": double(0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), math.Float64frombits(0x7ff8000000000123), 1e-320, math.MaxFloat64),
	}
	for _, s := range []string{"", " ", "a", "a ", "a  ", "a b", "A", "a\x00", "a\x01", "é", "\U0001F600", "\uFFFD"} {
		all["varchar"] = append(all["varchar"], String(s))
		all["varbinary"] = append(all["varbinary"], Bytes([]byte(s)))
	}
	for _, s := range []string{"0", "0.0", "1", "1.00", "1.01", "-1", "-1.0", "-0.01", "10", "100", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "0.0000000000000000000000000000000000001", "99999999999999999999999999999999999999",
		"9223372036854775807.5", "9223372036854775807.50", "922337203685477580.7", "0.30000000000000000000000000000000000001"} {
		all["exact"] = append(all["exact"], val(t, "decimal", s))
		if n, scale, ok := val(t, "decimal", s).AsScaled(); ok {
			for more := 1; more <= 4; more++ {
				if m, ok := rescale(n, scale, scale+more); ok && scale+more <= MaxPrecision {
					all["exact"] = append(all["exact"], ScaledInt(m, scale+more))
				}
			}
			if scale == 0 {
				all["exact"] = append(all["exact"], Int(n))
			}
		}
	}
	for _, n := range []int64{0, 1, -1, 255, 256, math.MaxInt64, math.MinInt64} {
		all["interval"] = append(all["interval"], IntervalOf(n))
	}
	for _, a := range all["exact"] {
		all["array"] = append(all["array"], ArrayOf([]Value{a}), ArrayOf([]Value{Null, a}), ArrayOf([]Value{a, Null}))
	}
	return all
}

func TestCompareIsATotalOrderAndKeysFollowIt(t *testing.T) {
	for name, values := range samples(t) {
		for _, o := range []Options{{}, {PadSpace: true}} {
			n := len(values)
			sign := make([][]int, n)
			for i, a := range values {
				sign[i] = make([]int, n)
				for j, b := range values {
					sign[i][j] = Compare(a, b, o)
				}
			}
			for i, a := range values {
				for j, b := range values {
					if sign[i][j] != -sign[j][i] {
						t.Fatalf("%s: %v v. %v is not antisymmetric", name, a, b)
					}
					same := bytes.Equal(AppendKey(nil, a, o), AppendKey(nil, b, o))
					if same != Identical(a, b, o) {
						t.Fatalf("%s: keys of %v and %v equal: %v, identical: %v", name, a, b, same, !same)
					}
					for k := range values {
						if sign[i][j] <= 0 && sign[j][k] <= 0 && sign[i][k] > 0 {
							t.Fatalf("%s: %v, %v, %v are not transitive", name, a, b, values[k])
						}
					}
				}
			}
		}
	}
}

func TestCompareExactAgainstFractions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50000 {
		a, b := ScaledInt(edgeInt(r), r.IntN(39)), ScaledInt(edgeInt(r), r.IntN(39))
		if r.IntN(3) == 0 {
			// The same number with another scale, or nearly.
			n, scale, _ := a.AsScaled()
			if m, ok := rescale(n, scale, min(scale+r.IntN(20), 38)); ok && m < math.MaxInt64 {
				b = ScaledInt(m+int64(r.IntN(2)), min(scale+r.IntN(20), 38))
			}
		}
		x, y := rational(a), rational(b)
		if got, want := Compare(a, b, Options{}), x.Cmp(y); got != want {
			t.Fatalf("%s v. %s: %d, want %d", SQL(a, TypeDecimal), SQL(b, TypeDecimal), got, want)
		}
		same := bytes.Equal(AppendKey(nil, a, Options{}), AppendKey(nil, b, Options{}))
		if same != (x.Cmp(y) == 0) {
			t.Fatalf("%s, %s: equal keys %v", SQL(a, TypeDecimal), SQL(b, TypeDecimal), same)
		}
	}
}

// rational computes the number from coefficient and scale, not from its text.
func rational(v Value) *big.Rat {
	n, scale, _ := v.AsScaled()
	return new(big.Rat).SetFrac(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
}

func TestKeysOfSeveralColumnsDoNotMix(t *testing.T) {
	key := func(v ...Value) string {
		var k []byte
		for _, x := range v {
			k = AppendKey(k, x, Options{})
		}
		return string(k)
	}
	if key(String("a"), String("bc")) == key(String("ab"), String("c")) {
		t.Error("two strings mix")
	}
	if key(Null, String("")) == key(String(""), Null) {
		t.Error("NULL and the empty string mix")
	}
	if key(ArrayOf([]Value{Int(1)}), Int(2)) == key(ArrayOf([]Value{Int(1), Int(2)})) {
		t.Error("an array and what follows it mix")
	}
	if key(Int(1)) != key(ScaledInt(100, 2)) {
		t.Error("1 and 1.00 are identical (TYPE-3)")
	}
}

func TestTYPE1CommonTypesAndAssignment(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"unknown", "date", "date"}, {"integer", "bigint", "bigint"}, {"smallint", "smallint", "smallint"},
		{"integer", "decimal(5,2)", "decimal(12,2)"}, {"decimal(38,0)", "decimal(10,10)", "decimal(38,10)"},
		{"decimal", "decimal(5,2)", "decimal"}, {"real", "real", "real"}, {"real", "integer", "double precision"},
		{"decimal(5,2)", "double", "double precision"},
		{"char(3)", "char(5)", "char(5)"}, {"char(3)", "varchar(2)", "varchar(3)"}, {"char(3)", "varchar", "varchar"},
		{"timestamp(3)", "timestamp(0)", "timestamp(3)"}, {"integer array", "bigint array", "bigint array"},
		{"unknown array", "date array", "date array"},
		{"date", "timestamp", ""}, {"integer", "varchar", ""}, {"boolean", "integer", ""}, {"varchar", "varbinary", ""},
		{"interval day", "interval year", ""}, {"integer array", "varchar array", ""}, {"integer", "integer array", ""},
	} {
		a, b := typ(t, c.a), typ(t, c.b)
		for range 2 {
			got, ok := CommonType(a, b)
			if ok != (c.want != "") || ok && got.String() != c.want {
				t.Errorf("common type of %s and %s: %s, %v; want %q", a, b, got, ok, c.want)
			}
			if ComparableTypes(a, b) != ok || Assignable(a, b) != ok {
				t.Errorf("%s and %s: comparable %v, assignable %v, want %v", a, b, ComparableTypes(a, b), Assignable(a, b), ok)
			}
			a, b = b, a
		}
	}
}
