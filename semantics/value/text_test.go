package value

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

func TestTYPE2Literals(t *testing.T) {
	for _, c := range []struct{ text, wantType, want string }{
		{"0", "integer", "0"}, {"007", "integer", "7"}, {"2147483647", "integer", "2147483647"},
		{"2147483648", "bigint", "2147483648"}, {"9223372036854775807", "bigint", "9223372036854775807"},
		{"9223372036854775808", "decimal(19,0)", "9223372036854775808"},
		{"99999999999999999999999999999999999999", "decimal(38,0)", "99999999999999999999999999999999999999"},
		{"1.50", "decimal(3,2)", "1.50"}, {".5", "decimal(1,1)", "0.5"}, {"0.05", "decimal(2,2)", "0.05"}, {"5.", "decimal(1,0)", "5"},
		{"0.0", "decimal(1,1)", "0.0"}, {"12345678901234567890.123", "decimal(23,3)", "12345678901234567890.123"},
		{"1e3", "double precision", "1000"}, {"1.5E-2", "double precision", "0.015"}, {".5e+1", "double precision", "5"},
	} {
		v, ty, err := ParseNumber(c.text)
		if err != nil || ty.String() != c.wantType || Format(v, ty) != c.want {
			t.Errorf("%s: %s of type %s, %v; want %s of type %s", c.text, Format(v, ty), ty, err, c.want, c.wantType)
		}
	}
	for text, sqlstate := range map[string]string{
		"": "42000", ".": "42000", "1e": "42000", "1e+": "42000", "-1": "42000", "1.2.3": "42000", "1x": "42000", " 1": "42000", "0x1": "42000", "1_0": "42000", "e5": "42000",
		"1e309": "22003", "1e99999999999999999999": "22003", "100000000000000000000000000000000000000": "22003", "0." + strings.Repeat("0", 39): "22003",
	} {
		_, _, err := ParseNumber(text)
		wantError(t, err, diag.Syntax, "LEX-1", sqlstate)
	}
}

func TestDatetimeLiterals(t *testing.T) {
	if v, err := ParseDate("1970-01-02"); err != nil || v != DateOf(1) {
		t.Errorf("%v, %v", v, err)
	}
	if v, ty, err := ParseTime("00:00:01.50"); err != nil || v != TimeOf(1500000) || ty.String() != "time(2)" {
		t.Errorf("%v, %v, %v", v, ty, err)
	}
	if v, ty, err := ParseTimestamp("1969-12-31 23:59:59"); err != nil || v != TimestampOf(-1000000) || ty.String() != "timestamp(0)" {
		t.Errorf("%v, %v, %v", v, ty, err)
	}
	_, err := ParseDate("2026-02-30")
	wantError(t, err, diag.Syntax, "LEX-1", "22008")
	_, _, err = ParseTime("noon")
	wantError(t, err, diag.Syntax, "LEX-1", "22007")
	_, _, err = ParseTimestamp("2026-01-01 00:00:00+02:00")
	wantError(t, err, diag.Syntax, "LEX-1", "22007")
	if !strings.Contains(diag.From(err).Hint, "zone") {
		t.Errorf("no word about the time zone: %v", err)
	}
}

func TestIntervalLiterals(t *testing.T) {
	for _, c := range []struct {
		text, from, to string
		want           Value
	}{
		{"30", "MINUTE", "", IntervalOf(30 * perMinute)},
		{"-30", "minute", "", IntervalOf(-30 * perMinute)},
		{"+100", "DAY", "", IntervalOf(100 * perDay)},
		{"1.5", "SECOND", "", IntervalOf(1500000)},
		{"90", "SECOND", "", IntervalOf(90 * perSecond)},
		{"2 03", "DAY", "HOUR", IntervalOf(51 * perHour)},
		{"2 03:04", "DAY", "MINUTE", IntervalOf(51*perHour + 4*perMinute)},
		{"2 03:04:05.000006", "DAY", "SECOND", IntervalOf(51*perHour + 4*perMinute + 5*perSecond + 6)},
		{"100:59", "HOUR", "MINUTE", IntervalOf(100*perHour + 59*perMinute)},
		{"99:59.9", "MINUTE", "SECOND", IntervalOf(99*perMinute + 59900000)},
		{"2", "YEAR", "", MonthsOf(24)},
		{"18", "MONTH", "", MonthsOf(18)},
		{"-1-6", "YEAR", "MONTH", MonthsOf(-18)},
	} {
		v, ty, err := ParseInterval(c.text, c.from, c.to)
		wantType := TypeIntervalDay
		if c.want.Form() == FormMonths {
			wantType = TypeIntervalYear
		}
		if err != nil || v != c.want || !ty.Equal(wantType) {
			t.Errorf("INTERVAL '%s' %s %s: %v %s, %v; want %v", c.text, c.from, c.to, v, ty, err, c.want)
		}
	}
	for _, c := range []struct{ text, from, to, sqlstate string }{
		{"5 minutes", "", "", "42000"}, {"5 minutes", "MINUTE", "", "22007"}, {"1", "WEEK", "", "42000"}, {"1", "DAY", "YEAR", "42000"},
		{"1", "YEAR", "DAY", "42000"}, {"1", "DAY", "DAY", "42000"}, {"", "DAY", "", "22007"}, {"-", "DAY", "", "22007"}, {"--1", "DAY", "", "22007"},
		{"1.5", "DAY", "", "22007"}, {"1 60:00", "DAY", "MINUTE", "22015"}, {"1:60", "HOUR", "MINUTE", "22015"}, {"1-12", "YEAR", "MONTH", "22015"},
		{"1 1:2:3", "DAY", "HOUR", "22007"}, {"1.", "SECOND", "", "22007"}, {"1.1234567", "SECOND", "", "22008"}, {" 1", "DAY", "", "22007"},
		{"99999999999999999999", "SECOND", "", "22015"}, {"9999999999999999999", "YEAR", "", "22015"},
	} {
		_, _, err := ParseInterval(c.text, c.from, c.to)
		wantError(t, err, diag.Syntax, "LEX-1", c.sqlstate)
	}
}

func TestTypeNames(t *testing.T) {
	for name, want := range map[string]string{
		"boolean": "", "smallint": "", "integer": "", "bigint": "", "decimal(10,2)": "", "decimal": "", "real": "", "double precision": "",
		"varchar": "", "varchar(10)": "", "char(3)": "", "date": "", "time": "", "timestamp": "", "timestamp(3)": "", "time(0)": "",
		"interval day to second": "", "interval year to month": "", "varbinary": "", "unknown": "", "bigint array": "", "decimal(3,1) array array": "",
		"INT": "integer", "int8": "bigint", "Bool": "boolean", "numeric": "decimal", "NUMERIC( 5 )": "decimal(5,0)", "dec(5, 5)": "decimal(5,5)",
		"double": "double precision", "float": "double precision", "float(24)": "real", "float(25)": "double precision",
		"character": "char(1)", "character (3)": "char(3)", "character varying(7)": "varchar(7)", "text": "varchar", "string": "varchar",
		"time(2) without time zone": "time(2)", "TIMESTAMP WITHOUT TIME ZONE": "timestamp",
		"interval day(9) to second(6)": "interval day to second", "interval hour": "interval day to second", "interval second(4,2)": "interval day to second",
		"INTERVAL MONTH": "interval year to month", "array(bigint)": "bigint array", "array<array<date>>": "date array array",
		"bigint[]": "bigint array", "int array[5]": "integer array", " bytea ": "varbinary", "binary large object": "varbinary",
	} {
		if want == "" {
			want = name
		}
		got, err := ParseType(name)
		if err != nil || got.String() != want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, want)
			continue
		}
		if again, err := ParseType(got.String()); err != nil || !again.Equal(got) {
			t.Errorf("%s does not read back: %s, %v", got, again, err)
		}
	}
	for _, name := range []string{"", " ", "foo", "int int", "integer(3)", "decimal(0)", "decimal(39)", "decimal(5,6)", "decimal()", "decimal(5,)", "decimal(1,2,3)", "decimal(-1)",
		"varchar(0)", "varchar(99999999999)", "varchar(x)", "time(7)", "text(5)", "float(0)", "float(54)", "interval", "interval year to day", "interval day to", "interval day(", "interval day(x)",
		"array", "array(", "array(int", "array<int)", "bigint array[", "bigint array[x]", "bigint]", "int;", "date date", "double(3)", "boolean(1)", "int array(3)"} {
		_, err := ParseType(name)
		wantError(t, err, diag.Semantic, "TYPE-1", "42000")
	}
	for _, name := range []string{"timestamp with time zone", "timestamp(3) with time zone", "time with time zone", "timestamptz", "row(a int)", "map(int, int)", "json", "varbinary(5)", "clob"} {
		if _, err := ParseType(name); diag.From(err) == nil || diag.From(err).SQLSTATE != "0A000" || diag.From(err).Hint == "" {
			t.Errorf("%s: %v, want unsupported", name, err)
		}
	}
	for _, deep := range []string{strings.Repeat("array(", 100) + "int" + strings.Repeat(")", 100), "int" + strings.Repeat(" array", 100), "int" + strings.Repeat("[]", 100)} {
		_, err := ParseType(deep)
		wantError(t, err, diag.Limit, "LIM-1", "54000")
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct {
		v                 Value
		t                 string
		text, sql, asJSON string
	}{
		{Null, "date", "NULL", "NULL", "null"},
		{Bool(true), "boolean", "true", "TRUE", "true"},
		{Int(math.MinInt64), "bigint", "-9223372036854775808", "-9223372036854775808", "-9223372036854775808"},
		{ScaledInt(-5, 2), "decimal(3,2)", "-0.05", "-0.05", "-0.05"},
		{ScaledInt(150, 2), "decimal(3,2)", "1.50", "1.50", "1.50"},
		{ScaledInt(7, 0), "decimal(3,0)", "7", "7.", "7"},
		{ScaledInt(0, 3), "decimal(3,3)", "0.000", "0.000", "0.000"},
		{ScaledInt(math.MinInt64, 19), "decimal(19,19)", "-0.9223372036854775808", "-0.9223372036854775808", "-0.9223372036854775808"},
		{Float(1.5), "double", "1.5", "1.5E0", "1.5"},
		{Float(100), "double", "100", "1E2", "100"},
		{Float(1e21), "double", "1e+21", "1E21", "1e+21"},
		{Float(1e-7), "double", "1e-07", "1E-7", "1e-07"},
		{Float(math.Copysign(0, -1)), "double", "0", "0E0", "0"},
		{Float(math.NaN()), "double", "NaN", "CAST('NaN' AS double precision)", `"NaN"`},
		{Float(math.Inf(-1)), "real", "-Infinity", "CAST('-Infinity' AS real)", `"-Infinity"`},
		{Float(float64(float32(0.1))), "real", "0.1", "CAST(1E-1 AS real)", "0.1"},
		{String("it's\n\"\\\x00é"), "varchar", "it's\n\"\\\x00é", "'it''s\n\"\\\x00é'", `"it's\n\"\\\u0000é"`},
		{String("\xff"), "varchar", "\xff", "'\xff'", "\"\uFFFD\""},
		{Bytes([]byte{0, 0xAB}), "varbinary", "00ab", "X'00ab'", `"00ab"`},
		{DateOf(-1), "date", "1969-12-31", "DATE '1969-12-31'", `"1969-12-31"`},
		{DateOf(minDay), "date", "0001-01-01", "DATE '0001-01-01'", `"0001-01-01"`},
		{TimeOf(perDay - 1), "time", "23:59:59.999999", "TIME '23:59:59.999999'", `"23:59:59.999999"`},
		{TimestampOf(-1500000), "timestamp", "1969-12-31 23:59:58.5", "TIMESTAMP '1969-12-31 23:59:58.5'", `"1969-12-31 23:59:58.5"`},
		{IntervalOf(26 * perHour), "interval day to second", "1 02:00:00", "INTERVAL '1 02:00:00' DAY TO SECOND", `"1 02:00:00"`},
		{IntervalOf(-500000), "interval day to second", "-0 00:00:00.5", "INTERVAL '-0 00:00:00.5' DAY TO SECOND", `"-0 00:00:00.5"`},
		{IntervalOf(math.MinInt64), "interval day to second", "-106751991 04:00:54.775808", "INTERVAL '-106751991 04:00:54.775808' DAY TO SECOND", `"-106751991 04:00:54.775808"`},
		{MonthsOf(-7), "interval year to month", "-0-7", "INTERVAL '-0-7' YEAR TO MONTH", `"-0-7"`},
		{ArrayOf([]Value{Int(1), Null}), "integer array", "[1, NULL]", "ARRAY[1, NULL]", "[1,null]"},
		{ArrayOf(nil), "integer array", "[]", "ARRAY[]", "[]"},
		{ArrayOf([]Value{String("a")}), "char(2) array", "[a ]", "ARRAY['a ']", `["a "]`},
	} {
		ty := typ(t, c.t)
		if got := Format(c.v, ty); got != c.text {
			t.Errorf("text %q, want %q", got, c.text)
		}
		if got := SQL(c.v, ty); got != c.sql {
			t.Errorf("SQL %q, want %q", got, c.sql)
		}
		if got := string(AppendJSON(nil, c.v, ty)); got != c.asJSON {
			t.Errorf("JSON %q, want %q", got, c.asJSON)
		}
	}
}

// randomValue returns a value of type t.
func randomValue(r *rand.Rand, t Type) Value {
	within := func(low, high int64) int64 { return low + r.Int64N(high-low+1) }
	switch t.Kind {
	case Boolean:
		return Bool(r.IntN(2) == 0)
	case Smallint:
		return Int(int64(int16(edgeInt(r))))
	case Integer:
		return Int(int64(int32(edgeInt(r))))
	case Bigint:
		return Int(edgeInt(r))
	case Decimal:
		if t.Precision == 0 {
			v, _ := Convert(randomDecimal(r, DecimalType(38, r.IntN(39))), t)
			return v
		}
		return randomDecimal(r, t)
	case Real:
		return Float(float64(math.Float32frombits(r.Uint32())))
	case Double:
		return Float(math.Float64frombits(r.Uint64()))
	case Char, Varchar:
		b := make([]rune, r.IntN(4))
		for i := range b {
			b[i] = []rune{'a', '\'', '"', '\\', '\n', 0, 0x7f, 'é', 0x1F600, 0xFFFD, 0x2028}[r.IntN(11)]
		}
		return String(string(b))
	case Binary:
		return Bytes([]byte{byte(r.Uint32())})
	case Date:
		return DateOf(within(minDay, maxDay))
	case Time:
		return TimeOf(within(0, perDay-1))
	case Timestamp:
		return TimestampOf(within(minDay, maxDay)*perDay + within(0, perDay-1))
	case IntervalDay:
		return IntervalOf(edgeInt(r))
	case IntervalYear:
		return MonthsOf(edgeInt(r))
	}
	return ArrayOf([]Value{randomValue(r, *t.Elem), Null})
}

func TestTextsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, name := range []string{"boolean", "smallint", "integer", "bigint", "decimal(10,2)", "decimal(38,38)", "decimal(38,0)", "decimal(20,3)", "decimal", "real", "double",
		"char(3)", "varchar", "varbinary", "date", "time", "timestamp", "interval day to second", "interval year to month", "double array", "decimal array array"} {
		ty := typ(t, name)
		for range 2000 {
			v := randomValue(r, ty)
			raw := AppendJSON(nil, v, ty)
			if got, err := FromJSON(raw, ty); err != nil || !Identical(got, v, Options{}) {
				t.Fatalf("%s %s: JSON reads back as %s, %v", name, raw, SQL(got, ty), err)
			}
			if ty.Kind == Array || ty.Kind == Binary || ty.IsString() {
				continue
			}
			text := Format(v, ty)
			got, err := Cast(String(text), TypeVarchar, ty)
			if err != nil || !Identical(got, v, Options{}) {
				t.Fatalf("%s %s: text reads back as %s, %v", name, text, SQL(got, ty), err)
			}
			asString, err := Cast(v, ty, TypeVarchar)
			if got, err2 := Cast(asString, TypeVarchar, ty); err != nil || err2 != nil || !Identical(got, v, Options{}) {
				t.Fatalf("%s %s: CAST reads back as %s, %v, %v", name, text, SQL(got, ty), err, err2)
			}
		}
	}
}

func TestFromJSONKeepsDigits(t *testing.T) {
	for _, c := range []struct{ typeName, raw, want string }{
		{"bigint", "9007199254740993", "9007199254740993"}, {"bigint", " 1e2 ", "100"}, {"bigint", "1.0", "1"}, {"bigint", "-0", "0"},
		{"bigint", "1.5", "22003"}, {"bigint", "9223372036854775808", "22003"}, {"bigint", `"1"`, "22018"}, {"bigint", "01", "22018"}, {"bigint", "+1", "22018"}, {"bigint", ".5", "22018"}, {"bigint", "1.", "22018"},
		{"bigint", "true", "22018"}, {"bigint", "", "22018"}, {"bigint", "nul", "22018"}, {"bigint", "null", "NULL"}, {"bigint", "1 2", "22018"},
		{"decimal(5,2)", "1.5", "1.50"}, {"decimal(5,2)", "1.505", "22003"}, {"decimal(5,2)", "1.500", "1.50"}, {"decimal(5,2)", "1234.5", "22003"},
		{"decimal", "0.1", "0.1"}, {"decimal", "1e-30", "0.000000000000000000000000000001"}, {"decimal", "1." + strings.Repeat("0", 2000) + "1", "22003"},
		{"decimal", "123456789012345678901234567890123456789", "22003"},
		{"double", "0.1", "0.1"}, {"double", `"NaN"`, "NaN"}, {"double", `"-Infinity"`, "-Infinity"}, {"double", `"1"`, "22018"}, {"double", "1e400", "22003"},
		{"boolean", "true", "true"}, {"boolean", `"true"`, "22018"}, {"boolean", "1", "22018"},
		{"varchar", `"a\u00e9\ud83d\ude00"`, "aé\U0001F600"}, {"varchar", `"\ud83d"`, "22018"}, {"varchar", `"\uFFFD"`, "\uFFFD"}, {"varchar", "\"\xff\"", "22018"}, {"varchar", `"a`, "22018"}, {"varchar", `"a"b"`, "22018"},
		{"varchar", "\"\n\"", "22018"}, {"varchar", "1", "22018"}, {"varchar(2)", `"abc"`, "22001"}, {"char(3)", `"a"`, "a  "},
		{"date", `"2026-11-30"`, "2026-11-30"}, {"date", `"2026-02-30"`, "22008"}, {"date", "20261130", "22018"},
		{"timestamp", `"2026-11-30 12:00:00.5"`, "2026-11-30 12:00:00.5"}, {"timestamp(0)", `"2026-11-30 12:00:00.5"`, "22008"}, {"timestamp(0)", `"2026-11-30 12:00:00.0"`, "2026-11-30 12:00:00"},
		{"interval day to second", `"1 02:00:00"`, "1 02:00:00"}, {"varbinary", `"0aFF"`, "0aff"}, {"varbinary", `"0"`, "22018"},
		{"integer array", "[1, null ,3]", "[1, NULL, 3]"}, {"integer array", "[1,]", "22018"}, {"integer array", "{}", "22018"}, {"integer array", `["a"]`, "22018"},
		{"unknown", "[1, 2.5]", "[1.0, 2.5]"}, {"unknown", `"x"`, "x"}, {"unknown", "{}", "22018"},
	} {
		ty := typ(t, c.typeName)
		got, err := FromJSON([]byte(c.raw), ty)
		text := state(err)
		if err == nil {
			text = Format(got, ty)
		} else {
			wantError(t, err, diag.Runtime, "DATA-1", c.want)
		}
		if text != c.want {
			t.Errorf("%s as %s: %s (%v), want %s", c.raw, c.typeName, text, err, c.want)
		}
	}
}

func TestInferJSONByTYPE2(t *testing.T) {
	for raw, want := range map[string]string{
		"null": "unknown", "true": "boolean", "3": "integer", "-3": "integer", "3000000000": "bigint", "-1.50": "decimal(3,2)", "1e2": "double precision",
		`"a"`: "varchar", "[]": "unknown array", "[1, null]": "integer array", "[[1], [2.5]]": "decimal(11,1) array array",
	} {
		if _, ty, err := InferJSON([]byte(raw)); err != nil || ty.String() != want {
			t.Errorf("%s: %s, %v; want %s", raw, ty, err, want)
		}
	}
	for _, raw := range []string{"", "{}", "[1, \"a\"]", "tru", "1e999", "[", strings.Repeat("[", 1000) + strings.Repeat("]", 1000)} {
		if _, _, err := InferJSON([]byte(raw)); diag.From(err) == nil || diag.From(err).Rule != "DATA-1" {
			t.Errorf("%.20s: %v, want DATA-1", raw, err)
		}
	}
}
