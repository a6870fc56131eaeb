package table

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func sample(t *testing.T) *Table {
	t.Helper()
	return table(t,
		column(t, "ID", value.TypeBigint, value.Int(1), value.Int(-200), value.Null),
		column(t, "symbol", value.TypeVarchar, value.String("ACME"), value.String(""), value.String("a|b, \"c\"\x1b[31m\n")),
		column(t, "PRICE", value.DecimalType(6, 2), value.ScaledInt(1250, 2), value.Null, value.ScaledInt(7, 0)))
}

func write(t *testing.T, tab *Table, f Format, o WriteOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := tab.Write(&b, f, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteFormats(t *testing.T) {
	tab := sample(t)
	for _, test := range []struct {
		f    Format
		o    WriteOptions
		want string
	}{
		{CSV, WriteOptions{}, "ID,symbol,PRICE\n1,ACME,12.50\n-200,\"\",\n,\"a|b, \"\"c\"\"\x1b[31m\n\",7.00\n"},
		{JSONLines, WriteOptions{}, `{"ID":1,"symbol":"ACME","PRICE":12.50}` + "\n" +
			`{"ID":-200,"symbol":"","PRICE":null}` + "\n" +
			`{"ID":null,"symbol":"a|b, \"c\"\u001b[31m\n","PRICE":7.00}` + "\n"},
		{Text, WriteOptions{}, "" +
			"  ID | symbol             | PRICE\n" +
			"-----+--------------------+------\n" +
			"   1 | ACME               | 12.50\n" +
			"-200 |                    |  NULL\n" +
			"NULL | a|b, \"c\"\\x1b[31m\\n |  7.00\n" +
			"(3 rows)\n"},
		{Markdown, WriteOptions{Types: true}, "" +
			"| ID | symbol | PRICE |\n" +
			"| ---: | --- | ---: |\n" +
			"| *bigint* | *varchar* | *decimal(6,2)* |\n" +
			"| 1 | ACME | 12.50 |\n" +
			"| -200 |  | NULL |\n" +
			"| NULL | a\\|b, \"c\"\\x1b[31m\\n | 7.00 |\n"},
	} {
		if got := write(t, tab, test.f, test.o); got != test.want {
			t.Errorf("%s gives\n%s\nshould be\n%s", Formats[test.f], got, test.want)
		}
	}
}

func TestWriteText(t *testing.T) {
	one := table(t, column(t, "N", value.TypeVarchar, value.String("日本"), value.String("abc")))
	if got, want := write(t, one, Text, WriteOptions{Types: true}), "N\nvarchar\n-------\n日本\nabc\n(2 rows)\n"; got != want {
		t.Errorf("got\n%s\nshould be\n%s", got, want)
	}
	two := table(t, column(t, "N", value.TypeVarchar, value.String("日本"), value.String("abc")),
		column(t, "M", value.TypeVarchar, value.String("x"), value.String("yy")))
	if got, want := write(t, two, Text, WriteOptions{}), "N    | M\n-----+---\n日本 | x\nabc  | yy\n(2 rows)\n"; got != want {
		t.Errorf("got\n%s\nshould be\n%s", got, want)
	}
	rows, err := NewRows(1)
	if err != nil {
		t.Fatal(err)
	}
	if got := write(t, rows, Text, WriteOptions{}); got != "\n\n\n(1 row)\n" {
		t.Errorf("a table without columns gives %q", got)
	}
}

func TestTextWidth(t *testing.T) {
	for s, want := range map[string]int{"abc": 3, "é": 1, "e\u0301": 1, "日": 2, "한": 2, "😀": 2, "ｆ": 2, "": 0} {
		if got := textWidth(s); got != want {
			t.Errorf("%q is %d wide, should be %d", s, got, want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for i, name := range Formats {
		if f, ok := ParseFormat(name); !ok || f != Format(i) {
			t.Errorf("%s is format %d, %v", name, f, ok)
		}
	}
	if _, ok := ParseFormat("xml"); ok {
		t.Error("xml is a format")
	}
}

// roundTrip has every type, its limits and its NULL.
func roundTrip(t *testing.T) *Table {
	t.Helper()
	big, _, err := apd.NewFromString("12345678901234567890123456789012345.678")
	if err != nil {
		t.Fatal(err)
	}
	n, s := value.Null, value.String
	three := func(name string, typ value.Type, a, b value.Value) *Column { return column(t, name, typ, a, n, b) }
	return table(t,
		three("BOOL", value.TypeBoolean, value.Bool(true), value.Bool(false)),
		three("SMALL", value.TypeSmallint, value.Int(-32768), value.Int(32767)),
		three("INT", value.TypeInteger, value.Int(math.MinInt32), value.Int(math.MaxInt32)),
		three("BIG", value.TypeBigint, value.Int(math.MinInt64), value.Int(math.MaxInt64)),
		three("DEC", value.DecimalType(5, 2), value.ScaledInt(-99999, 2), value.ScaledInt(5, 1)),
		three("WIDE", value.DecimalType(38, 3), value.BigDecimal(big), value.ScaledInt(1, 0)),
		three("FREE", value.TypeDecimal, value.ScaledInt(-123, 30), value.BigDecimal(big)),
		three("DOUBLE", value.TypeDouble, value.Float(0.1), value.Float(math.NaN())),
		three("DOUBLE2", value.TypeDouble, value.Float(math.Inf(-1)), value.Float(-5e-324)),
		three("REAL", value.TypeReal, value.Float(float64(float32(0.1))), value.Float(math.MaxFloat32)),
		three("CHAR", value.Type{Kind: value.Char, Precision: 3}, s("é"), s("abc")),
		three("VARCHAR", value.TypeVarchar, s(""), s("a,\"b\"\r\n\x00 ,'")),
		three("VARCHAR2", value.TypeVarchar, s("007"), s("\ufeff NULL ")),
		three("VARCHAR3", value.Type{Kind: value.Varchar, Precision: 3}, s("日本語"), s("   ")),
		three("BINARY", value.TypeBinary, value.Bytes([]byte{0, 0xff}), value.Bytes(nil)),
		three("DATE", value.TypeDate, value.DateOf(-719162), value.DateOf(2932896)), // years 1 and 9999
		three("TIME", value.TypeTime, value.TimeOf(0), value.TimeOf(86399999999)),
		three("STAMP", value.TypeTimestamp, value.TimestampOf(-1), value.TimestampOf(253402300799999999)),
		three("STAMP0", value.Type{Kind: value.Timestamp}, value.TimestampOf(-1000000), value.TimestampOf(0)),
		three("DAYS", value.TypeIntervalDay, value.IntervalOf(-93784500000), value.IntervalOf(0)),
		three("MONTHS", value.TypeIntervalYear, value.MonthsOf(-13), value.MonthsOf(24)),
		three("ARRAY", value.ArrayType(value.TypeVarchar), value.ArrayOf([]value.Value{s("a,\"b"), n, s("")}), value.ArrayOf(nil)),
		three("ARRAY2", value.ArrayType(value.DecimalType(4, 2)), value.ArrayOf([]value.Value{value.ScaledInt(1234, 2)}), value.ArrayOf(nil)),
	)
}

func TestRoundTrip(t *testing.T) {
	tab := roundTrip(t)
	want := dump(tab)
	for _, f := range []Format{CSV, JSONLines} {
		text := write(t, tab, f, WriteOptions{})
		read := ReadCSV
		if f == JSONLines {
			read = ReadJSONLines
		}
		got, err := read(strings.NewReader(text), ReadOptions{Schema: tab.Fields()})
		if err != nil {
			t.Fatalf("%s: %v\n%s", Formats[f], err, text)
		}
		if d := dump(got); d != want {
			t.Errorf("%s reads back as\n%s\nshould be\n%s", Formats[f], d, want)
		}
		for i, c := range tab.Columns() {
			for r := range tab.NumRows() {
				v, w := c.Value(r), got.Value(r, i)
				if v.IsNull() != w.IsNull() || !v.IsNull() && !value.Identical(v, w, value.Options{}) {
					t.Errorf("%s: row %d of %s is %s", Formats[f], r, c.Name, value.SQL(w, c.Type))
				}
			}
		}
	}
}

// TestRoundTripOneColumn: a row of one NULL is an empty line of CSV.
func TestRoundTripOneColumn(t *testing.T) {
	tab := table(t, column(t, "A", value.TypeBigint, value.Null, value.Int(1), value.Null))
	text := write(t, tab, CSV, WriteOptions{})
	got, err := ReadCSV(strings.NewReader(text), ReadOptions{})
	if err != nil || dump(got) != dump(tab) {
		t.Errorf("%q reads back as\n%s\n%v", text, dump(got), err)
	}
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestWriteError(t *testing.T) {
	b := NewBuilder("A", value.TypeVarchar)
	for range 10_000 {
		b.AppendString("some text of a row")
	}
	tab := table(t, b.Column())
	for f := range Formats {
		if err := tab.Write(&failingWriter{70_000}, Format(f), WriteOptions{}); err == nil || err.Error() != "disk full" {
			t.Errorf("%s: error is %v", Formats[f], err)
		}
	}
}
