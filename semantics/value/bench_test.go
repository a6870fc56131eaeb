package value

import "testing"

var (
	benchInt      int
	benchValue    Value
	benchOperands = map[string][2]Value{
		"bigint":  {Int(123456), Int(-789)},
		"decimal": {ScaledInt(123456, 2), ScaledInt(-789, 2)},
		"double":  {Float(1234.56), Float(-7.89)},
		"varchar": {String("north"), String("northwest")},
		"date":    {DateOf(20000), DateOf(20001)},
	}
	benchTypes = map[string]Type{"bigint": TypeBigint, "decimal": DecimalType(18, 2), "double": TypeDouble}
)

func TestNoAllocationForSmallValues(t *testing.T) {
	mixed := [2]Value{ScaledInt(15, 1), Int(2)}
	for _, v := range benchOperands {
		if n := testing.AllocsPerRun(100, func() { benchInt = Compare(v[0], v[1], Options{}) }); n != 0 {
			t.Errorf("Compare allocates %v times", n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { benchInt = Compare(mixed[0], mixed[1], Options{}) }); n != 0 {
		t.Errorf("Compare of decimal and integer allocates %v times", n)
	}
	for name, ty := range benchTypes {
		v := benchOperands[name]
		for _, op := range []string{"+", "-", "*", "/"} {
			if name == "decimal" && op == "/" {
				ty, v = TypeDecimal, [2]Value{ScaledInt(1000, 2), Int(8)}
			}
			if name == "decimal" && op == "*" {
				ty = DecimalType(18, 4)
			}
			if n := testing.AllocsPerRun(100, func() { benchValue, _ = Arith(op, ty, v[0], v[1]) }); n != 0 {
				t.Errorf("%s %s allocates %v times", name, op, n)
			}
		}
	}
	key := make([]byte, 0, 64)
	for name, v := range benchOperands {
		if n := testing.AllocsPerRun(100, func() { key = AppendKey(key[:0], v[0], Options{}) }); n != 0 {
			t.Errorf("the key of a %s allocates %v times", name, n)
		}
	}
}

func BenchmarkCompare(b *testing.B) {
	for name, v := range benchOperands {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchInt = Compare(v[0], v[1], Options{})
			}
		})
	}
}

func BenchmarkArith(b *testing.B) {
	for name, ty := range benchTypes {
		v := benchOperands[name]
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchValue, _ = Arith("+", ty, v[0], v[1])
			}
		})
	}
}

func BenchmarkQuotient(b *testing.B) {
	for name, v := range map[string][2]Value{"exact": {ScaledInt(1000, 2), Int(8)}, "rounded": {ScaledInt(1000, 2), Int(7)}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchValue, _ = Arith("/", TypeDecimal, v[0], v[1])
			}
		})
	}
}

func BenchmarkFormat(b *testing.B) {
	buf := make([]byte, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendFormat(buf[:0], ScaledInt(123456, 2), DecimalType(18, 2))
	}
}
