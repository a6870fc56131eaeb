package columnar

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"

	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// generator makes random tables of all types and conditions over them.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) *generator { return &generator{rand.New(rand.NewPCG(seed, 6))} }

func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// field is a column: its name, type and values.
type field struct {
	name string
	typ  value.Type
	draw func(g *generator) value.Value
}

var fields = []field{
	{"BO", value.TypeBoolean, func(g *generator) value.Value { return value.Bool(g.IntN(2) == 0) }},
	{"SI", value.TypeSmallint, func(g *generator) value.Value { return value.Int(int64(int16(g.number()))) }},
	{"I", value.TypeInteger, func(g *generator) value.Value { return value.Int(int64(int32(g.number()))) }},
	{"L", value.TypeBigint, func(g *generator) value.Value { return value.Int(g.number()) }},
	{"D1", value.DecimalType(10, 2), func(g *generator) value.Value { return value.ScaledInt(g.coefficient(10), 2) }},
	{"D2", value.DecimalType(6, 4), func(g *generator) value.Value { return value.ScaledInt(g.coefficient(6), 4) }},
	{"D3", value.DecimalType(18, 3), func(g *generator) value.Value { return value.ScaledInt(g.coefficient(18), 3) }},
	{"D4", value.DecimalType(30, 5), func(g *generator) value.Value { return value.ScaledInt(g.coefficient(8), 5) }},
	{"D5", value.DecimalType(25, 1), func(g *generator) value.Value { return value.ScaledInt(g.coefficient(18), 1) }},
	{"D0", value.TypeDecimal, func(g *generator) value.Value { return value.ScaledInt(g.coefficient(5), g.IntN(4)) }},
	{"R", value.TypeReal, func(g *generator) value.Value { return value.Float(float64(float32(g.double()))) }},
	{"F", value.TypeDouble, func(g *generator) value.Value { return value.Float(g.double()) }},
	{"S", value.TypeVarchar, func(g *generator) value.Value { return value.String(g.text()) }},
	{"S2", value.TypeVarchar, func(g *generator) value.Value { return value.String(g.text()) }},
	{"C", value.Type{Kind: value.Char, Precision: 5}, func(g *generator) value.Value {
		return value.String(strings.TrimRight(pick(g, "a", "ab", "abc  ", "", "b"), " "))
	}},
	{"DT", value.TypeDate, func(g *generator) value.Value { return value.DateOf(g.day()) }},
	{"TI", value.TypeTime, func(g *generator) value.Value { return value.TimeOf(int64(g.IntN(24)) * 3600e6) }},
	{"TS", value.TypeTimestamp, func(g *generator) value.Value {
		return value.TimestampOf(g.day()*perDay + int64(g.IntN(3))*1_800_000_000)
	}},
	{"T2", value.Type{Kind: value.Timestamp, Precision: 0}, func(g *generator) value.Value { return value.TimestampOf(g.day() * perDay) }},
	{"IV", value.TypeIntervalDay, func(g *generator) value.Value {
		return value.IntervalOf(pick(g, 0, perDay, -perDay, 3600e6, 30*60e6, math.MaxInt64, math.MinInt64, int64(g.IntN(5))*perDay))
	}},
	{"IM", value.TypeIntervalYear, func(g *generator) value.Value { return value.MonthsOf(pick[int64](g, 0, 1, -1, 12, 25, math.MaxInt64)) }},
	{"BI", value.TypeBinary, func(g *generator) value.Value { return value.Bytes([]byte(pick(g, "", "a", "ab"))) }},
	{"AR", value.ArrayType(value.TypeBigint), func(g *generator) value.Value {
		var list []value.Value
		for range g.IntN(3) {
			list = append(list, pick(g, value.Null, value.Int(1), value.Int(2)))
		}
		return value.ArrayOf(list)
	}},
}

// number draws an integer: mostly small, at times at the ends of a type.
func (g *generator) number() int64 {
	switch g.IntN(20) {
	case 0:
		return pick[int64](g, math.MinInt64, math.MaxInt64, math.MinInt32, math.MaxInt32, math.MinInt16, math.MaxInt16, 1<<53+1)
	case 1:
		return int64(g.Uint64())
	}
	return int64(g.IntN(9) - 3)
}

// coefficient draws one of at most p digits.
func (g *generator) coefficient(p int) int64 {
	limit := pow10[p] - 1
	switch g.IntN(10) {
	case 0:
		return pick(g, limit, -limit)
	case 1:
		return g.Int64N(2*limit+1) - limit
	}
	return int64(g.IntN(9)-3) * pow10[g.IntN(3)]
}

func (g *generator) double() float64 {
	switch g.IntN(12) {
	case 0:
		return pick(g, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, -1e308, math.Copysign(0, -1), 3e38)
	case 1:
		return g.NormFloat64()
	}
	return float64(g.IntN(9)-3) / 2
}

func (g *generator) day() int64 {
	if g.IntN(15) == 0 {
		return pick(g, minDay, maxDay, 19753) // 2024-01-31 is day 19753
	}
	return 19750 + int64(g.IntN(5))
}

var texts = []string{"", "a", "b", "ab", "abc", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghj", "abcdefgh%", "ä", "äb", "a_c", "€uro", "a\x00", "view",
	"click", "purchase", "purchases", "A b", "abcdefghijklmnop", "abcdefghijklmnoq"}

func (g *generator) text() string { return pick(g, texts...) }

// input makes a table of n rows. With nulls some values are NULL.
func (g *generator) input(t testing.TB, n int, nulls bool) *table.Table {
	t.Helper()
	var done []*table.Column
	for _, f := range fields {
		b := table.NewBuilder(f.name, f.typ)
		some := nulls && g.IntN(3) > 0
		large := f.name == "D4" && g.IntN(3) == 0 // not all coefficients fit 64 bits
		for i := range n {
			if large && (i == 0 || g.IntN(8) == 0) {
				if err := b.Append(value.BigDecimal(apd.New(pow10[18]-int64(g.IntN(3)), 3))); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if some && g.IntN(5) == 0 {
				b.AppendNull()
				continue
			}
			if err := b.Append(f.draw(g)); err != nil {
				t.Fatalf("%s: %v", f.name, err)
			}
		}
		done = append(done, b.Column())
	}
	in, err := table.New(done...)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// family is what expressions are generated by.
type family int

const (
	truths family = iota
	numbers
	strings_
	dates
	times
	stamps
	intervals
	months
	binaries
	arrays
	families
)

var columnsOf = map[family][]string{
	truths: {"BO"}, numbers: {"SI", "I", "L", "D1", "D2", "D3", "D4", "D5", "D0", "R", "F", "I", "D1"}, strings_: {"S", "S2", "C", "S"},
	dates: {"DT"}, times: {"TI"}, stamps: {"TS", "T2"}, intervals: {"IV"}, months: {"IM"}, binaries: {"BI"}, arrays: {"AR"},
}

// literal makes a constant.
func (g *generator) literal(f family) string {
	if g.IntN(14) == 0 {
		return "NULL"
	}
	switch f {
	case truths:
		return pick(g, "TRUE", "FALSE")
	case numbers:
		return pick(g, "0", "1", "2", "-1", "3", "1.5", "0.25", "-2.00", "100", "2147483647", "9223372036854775807", "1e0", "0.5e0", "99999999.99",
			"12345678901234567890", "0.00000001", "CAST('NaN' AS double precision)", ":n", ":d", ":f", "(2 * 3)", "(1 / 0)")
	case strings_:
		return pick(g, ":s", "'"+g.text()+"'", "'"+g.text()+"'")
	case dates:
		return pick(g, "DATE '2024-01-29'", "DATE '2024-01-31'", "DATE '0001-01-01'", "(DATE '2024-01-28' + INTERVAL '1' DAY)")
	case times:
		return pick(g, "TIME '00:00:00'", "TIME '12:00:00'")
	case stamps:
		return pick(g, "TIMESTAMP '2024-01-29 00:30:00'", "TIMESTAMP '2024-01-30 00:00:00'")
	case intervals:
		return pick(g, "INTERVAL '1' DAY", "INTERVAL '30' MINUTE", "INTERVAL '-1' DAY", "INTERVAL '1 12' DAY TO HOUR")
	case months:
		return pick(g, "INTERVAL '1' MONTH", "INTERVAL '1' YEAR")
	case binaries:
		return pick(g, "X''", "X'61'")
	}
	return pick(g, "ARRAY[1, 2]", "ARRAY[1]", "ARRAY[NULL, 1]")
}

// column makes a column reference on the row or around it.
func (g *generator) column(f family) string {
	c := pick(g, columnsOf[f]...)
	c = pick(g, "", "", "A.", "U.") + c
	switch g.IntN(8) {
	case 0, 1:
		return "PREV(" + c + ")"
	case 2:
		return fmt.Sprintf("NEXT(%s, %d)", c, pick(g, 0, 1, 2, 3, 300, 3000000))
	case 3:
		return fmt.Sprintf("PREV(%s, %d)", c, pick(g, 0, 1, 2, 5, 257, 1100))
	case 4:
		return fmt.Sprintf("%s(LAST(%s), %d)", pick(g, "PREV", "NEXT"), c, g.IntN(3))
	}
	return c
}

// expr makes an expression of a family.
func (g *generator) expr(f family, depth int) string {
	if depth <= 0 || g.IntN(4) == 0 {
		if g.IntN(3) == 0 {
			return g.literal(f)
		}
		return g.column(f)
	}
	sub := func(f family) string { return g.expr(f, depth-1) }
	switch g.IntN(12) {
	case 0:
		return "CASE WHEN " + g.condition(depth-1) + " THEN " + sub(f) + " ELSE " + sub(f) + " END"
	case 1:
		of := family(g.IntN(int(families)))
		return "CASE " + sub(of) + " WHEN " + sub(of) + " THEN " + sub(f) + " WHEN " + sub(of) + " THEN " + sub(f) + " END"
	case 2:
		return "COALESCE(" + sub(f) + ", " + sub(f) + ")"
	case 3:
		return "NULLIF(" + sub(f) + ", " + sub(f) + ")"
	case 4:
		if f != arrays {
			return pick(g, "GREATEST", "LEAST") + "(" + sub(f) + ", " + sub(f) + ")"
		}
	case 5:
		if f != truths {
			// The argument of a navigation is an expression without navigation.
			return pick(g, "PREV(", "NEXT(") + g.flat(f, depth-1) + ")"
		}
	case 6:
		return "IF(" + g.condition(depth-1) + ", " + sub(f) + ")"
	}
	switch f {
	case truths:
		return "(" + g.condition(depth-1) + ")"
	case numbers:
		switch g.IntN(12) {
		case 0:
			return "ABS(" + sub(f) + ")"
		case 1:
			return "MOD(" + sub(f) + ", " + sub(f) + ")"
		case 2:
			return "(- " + sub(f) + ")"
		case 3:
			return "CAST(" + sub(f) + " AS " + pick(g, "bigint", "integer", "smallint", "double precision", "real", "decimal(10, 2)", "decimal(30, 10)", "decimal") + ")"
		case 4:
			return pick(g, "CHAR_LENGTH(", "POSITION('b' IN ") + sub(strings_) + ")"
		case 5:
			return "EXTRACT(" + pick(g, "YEAR", "DAY") + " FROM " + sub(dates) + ")"
		case 6:
			return pick(g, "ROUND(", "FLOOR(", "SIGN(", "SQRT(") + sub(f) + ")"
		case 7:
			return "CARDINALITY(" + sub(arrays) + ")"
		}
		return "(" + sub(f) + pick(g, " + ", " - ", " * ", " / ") + sub(f) + ")"
	case strings_:
		switch g.IntN(4) {
		case 0:
			return "UPPER(" + sub(f) + ")"
		case 1:
			return "SUBSTRING(" + sub(f) + " FROM 2)"
		case 2:
			return "CAST(" + sub(pick(g, numbers, dates, truths, stamps)) + " AS varchar)"
		}
		return "(" + sub(f) + " || " + sub(f) + ")"
	case dates:
		return pick(g, "("+sub(dates)+pick(g, " + ", " - ")+sub(intervals)+")", "("+sub(dates)+pick(g, " + ", " - ")+sub(months)+")",
			"CAST("+sub(stamps)+" AS date)", "("+sub(intervals)+" + "+sub(dates)+")")
	case times:
		return "(" + sub(times) + pick(g, " + ", " - ") + sub(intervals) + ")"
	case stamps:
		return pick(g, "("+sub(stamps)+pick(g, " + ", " - ")+sub(intervals)+")", "("+sub(stamps)+" + "+sub(months)+")", "CAST("+sub(dates)+" AS timestamp)")
	case intervals:
		return pick(g, "("+sub(dates)+" - "+sub(dates)+")", "("+sub(stamps)+" - "+sub(stamps)+")", "("+sub(times)+" - "+sub(times)+")",
			"("+sub(intervals)+pick(g, " + ", " - ")+sub(intervals)+")", "("+sub(numbers)+" * "+sub(intervals)+")", "("+sub(intervals)+" / "+sub(numbers)+")",
			"ABS("+sub(intervals)+")", "(- "+sub(intervals)+")")
	case months:
		return pick(g, "("+sub(months)+" + "+sub(months)+")", "("+sub(months)+" * "+sub(numbers)+")")
	case binaries:
		return "(" + sub(f) + " || " + sub(f) + ")"
	}
	return pick(g, "("+sub(f)+" || "+sub(f)+")", "ARRAY["+sub(numbers)+"]")
}

// flat makes an expression without navigation, with at least one column of the
// universal variable.
func (g *generator) flat(f family, depth int) string {
	c := pick(g, columnsOf[f]...)
	if depth <= 0 {
		return c
	}
	switch f {
	case numbers:
		return pick(g, "COALESCE("+c+", 1)", "("+c+" + "+g.literal(f)+")", "(1 / "+c+")", "CASE WHEN "+c+" > 1 THEN 1 END", "(2 * "+c+" - "+pick(g, columnsOf[f]...)+")")
	case strings_:
		return pick(g, "UPPER("+c+")", "COALESCE("+c+", 'a')", "("+c+" || 'x')")
	}
	return "COALESCE(" + c + ", " + g.literal(f) + ")"
}

// condition makes a condition.
func (g *generator) condition(depth int) string {
	sub := func() string { return g.condition(depth - 1) }
	if depth > 0 {
		switch g.IntN(9) {
		case 0, 1:
			return "(" + sub() + " AND " + sub() + ")"
		case 2:
			return "(" + sub() + " OR " + sub() + ")"
		case 3:
			return "NOT (" + sub() + ")"
		case 4:
			return "(" + sub() + ") IS " + pick(g, "", "NOT ") + pick(g, "TRUE", "FALSE", "UNKNOWN")
		}
	}
	f := family(g.IntN(int(families)))
	if g.IntN(2) == 0 {
		f = pick(g, numbers, numbers, strings_)
	}
	e := func() string { return g.expr(f, depth-1) }
	not := pick(g, "", "NOT ")
	switch g.IntN(12) {
	case 0:
		return e() + " " + not + "BETWEEN " + e() + " AND " + e()
	case 1:
		list := []string{e()}
		for range g.IntN(4) {
			list = append(list, g.literal(f))
		}
		if g.IntN(6) == 0 {
			for range 14 {
				list = append(list, g.literal(f))
			}
		}
		return e() + " " + not + "IN (" + strings.Join(list, ", ") + ")"
	case 2:
		return e() + " IS " + not + "NULL"
	case 3:
		return e() + " IS " + not + "DISTINCT FROM " + e()
	case 4, 5:
		pattern := pick(g, "'a%'", "'%b'", "'%b%'", "'_b%'", "'%\xc3\xa4_'", "'abcdefgh%'", "'%'", "''", "'abc'", "'a!_c' ESCAPE '!'", "'a!%%' ESCAPE '!'", "'%a%c%g%'", "'__'", "NULL",
			"'%__%b'", "'a!' ESCAPE '!'")
		return g.expr(strings_, depth-1) + " " + not + "LIKE " + pattern
	case 6:
		if depth > 0 {
			return g.expr(truths, depth-1)
		}
	case 7:
		if f == numbers {
			return e() + " / " + e() + " " + pick(g, "=", "<>", "<", "<=", ">", ">=") + " " + g.literal(f)
		}
	}
	return e() + " " + pick(g, "=", "<>", "<", "<=", ">", ">=") + " " + e()
}
