package table

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func TestReadCSVTypes(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"bigint", "a\n1\n-20\n0\n", "A:bigint\n1\n-20\n0"},
		{"bigint range", "a\n9223372036854775807\n-9223372036854775808\n",
			"A:bigint\n9223372036854775807\n-9223372036854775808"},
		{"whole numbers beyond bigint", "a\n9223372036854775808\n1\n", "A:decimal(19,0)\n9223372036854775808\n1"},
		{"decimal with the digits needed", "a\n1.5\n-20.25\n300\n", "A:decimal(5,2)\n1.50\n-20.25\n300.00"},
		{"decimal after whole numbers", "a\n100\n7\n1.5\n", "A:decimal(4,1)\n100.0\n7.0\n1.5"},
		{"a leading zero is no digit", "a\n0.25\n.5\n", "A:decimal(2,2)\n0.25\n0.50"},
		{"zeros", "a\n0.00\n0\n", "A:decimal(2,2)\n0.00\n0.00"},
		{"zero", "a\n0.\n", "A:decimal(1,0)\n0"},
		{"exact beyond a double", "a\n0.1234567890123456789\n12345.6\n",
			"A:decimal(24,19)\n0.1234567890123456789\n12345.6000000000000000000"},
		{"38 digits", "a\n12345678901234567890123456789012345678\n", "A:decimal(38,0)\n12345678901234567890123456789012345678"},
		{"39 digits are text", "a\n123456789012345678901234567890123456789\n", "A:varchar\n'123456789012345678901234567890123456789'"},
		{"no common scale", "a\n12345678901234567890\n0.1234567890123456789\n",
			"A:decimal\n12345678901234567890\n0.1234567890123456789"},
		{"double", "a\n1e3\n2.5\n7\n", "A:double precision\n1000\n2.5\n7"},
		{"leading zeros are text", "a\n007\n1\n", "A:varchar\n'007'\n'1'"},
		{"plus is text", "a\n+1\n", "A:varchar\n'+1'"},
		{"blanks are text", "a\n 1\n", "A:varchar\n' 1'"},
		{"boolean", "a\ntrue\nFALSE\n", "A:boolean\nTRUE\nFALSE"},
		{"boolean and number are text", "a\ntrue\n1\n", "A:varchar\n'true'\n'1'"},
		{"date", "a\n2026-11-30\n1969-12-31\n2024-02-29\n", "A:date\nDATE '2026-11-30'\nDATE '1969-12-31'\nDATE '2024-02-29'"},
		{"no such day", "a\n2026-02-29\n", "A:varchar\n'2026-02-29'"},
		{"timestamp", "a\n2026-11-30 12:00:00.5\n2026-11-30T12:00:00\n2026-11-30T12:00:01Z\n",
			"A:timestamp\nTIMESTAMP '2026-11-30 12:00:00.5'\nTIMESTAMP '2026-11-30 12:00:00'\nTIMESTAMP '2026-11-30 12:00:01'"},
		{"timestamp before 1970", "a\n1969-12-31 23:59:59.999999\n", "A:timestamp\nTIMESTAMP '1969-12-31 23:59:59.999999'"},
		{"nanoseconds are text", "a\n2026-11-30 12:00:00.1234567\n", "A:varchar\n'2026-11-30 12:00:00.1234567'"},
		{"zero nanoseconds", "a\n2026-11-30 12:00:00.123456000\n", "A:timestamp\nTIMESTAMP '2026-11-30 12:00:00.123456'"},
		{"time", "a\n12:30:00\n23:59:59.25\n", "A:time\nTIME '12:30:00'\nTIME '23:59:59.25'"},
		{"date and timestamp are text", "a\n2026-11-30\n2026-11-30 12:00:00\n", "A:varchar\n'2026-11-30'\n'2026-11-30 12:00:00'"},
		{"NULL and the empty string", "a,b\n,\n\"\",x\n", "A:varchar B:varchar\nNULL NULL\n'' 'x'"},
		{"NULL in numbers", "a,b\n1,\n,2\n", "A:bigint B:bigint\n1 NULL\nNULL 2"},
		{"NULLs only", "a,b\n,1\n,2\n", "A:varchar B:bigint\nNULL 1\nNULL 2"},
		{"no rows", "a,b\n", "A:varchar B:varchar"},
		{"no line end", "a,b\n1,2", "A:bigint B:bigint\n1 2"},
		{"quotes", "a,b\n\"x, y\",\"say \"\"hi\"\"\"\n", "A:varchar B:varchar\n'x, y' 'say \"hi\"'"},
		{"quoted numbers", "a\n\"1\"\n2\n", "A:bigint\n1\n2"},
		{"line break in a field", "a,b\r\n\"x\r\ny\",1\r\n", "A:varchar B:bigint\n'x\r\ny' 1"},
		{"CRLF", "a,b\r\n1,2\r\n3,4\r\n", "A:bigint B:bigint\n1 2\n3 4"},
		{"CR at the end", "a,b\r\n1,2\r", "A:bigint B:bigint\n1 2"},
		{"CR in a field", "a\nx\ry\n", "A:varchar\n'x\ry'"},
		{"byte order mark", "\ufeffa,b\n1,2\n", "A:bigint B:bigint\n1 2"},
		{"byte order mark and quotes", "\ufeff\"a b\"\n1\n", "a b:bigint\n1"},
		{"GRAM-10a", "price,Länge,\"day of trade\",_x1,1st\n1,2,3,4,5\n",
			"PRICE:bigint LÄNGE:bigint day of trade:bigint _X1:bigint 1st:bigint\n1 2 3 4 5"},
		{"empty lines of one column", "a\n1\n\n2\n\n", "A:bigint\n1\nNULL\n2\nNULL"},
		{"empty lines at the end", "a,b\n1,2\n\n\r\n\n", "A:bigint B:bigint\n1 2"},
		{"characters beyond ASCII", "a\nčeština\n日本語\n", "A:varchar\n'čeština'\n'日本語'"},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			tab, err := ReadCSV(strings.NewReader(test.in), ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := dump(tab); got != want {
				t.Errorf("got\n%s\nshould be\n%s", got, want)
			}
			tab, err = ReadCSV(iotest.OneByteReader(strings.NewReader(test.in)), ReadOptions{})
			if err != nil || dump(tab) != want {
				t.Errorf("read byte by byte: %v\n%s", err, dump(tab))
			}
		})
	}
}

func TestReadCSVErrorsDATA1(t *testing.T) {
	for _, test := range []struct {
		name, in string
		line     int
		column   int
		part     string
	}{
		{"too few fields", "a,b\n1,2\n3\n", 3, 1, "1 field where the header has 2"},
		{"too many fields", "a,b\n1,2\n3,4,5\n", 3, 1, "3 fields where the header has 2"},
		{"ragged after a field of two lines", "a,b\n\"x\ny\",2\n3\n", 4, 1, "1 field"},
		{"quotation mark not closed", "a,b\n1,\"x\n2,3\n", 2, 3, "never closed"},
		{"quotation mark not closed at the end", "a\n\"", 2, 1, "never closed"},
		{"quotation mark within", "a,b\n1,é\"x\n", 2, 4, "quotation mark in a field"},
		{"text behind a quotation mark", "a,b\n\"x\"y,1\n", 2, 4, "after the closing quotation mark"},
		{"text behind a field of two lines", "a,b\n\"x\n\"y,1\n", 3, 2, "after the closing quotation mark"},
		{"not UTF-8", "a,b\n1,2\n3,x\xff\n", 3, 4, "0xff"},
		{"UTF-8 cut at the end", "a\nx\xe2\x82", 2, 2, "not UTF-8"},
		{"UTF-16", "\xff\xfea\x00\n\x00", 1, 1, "UTF-8"},
		{"empty file", "", 1, 1, "empty"},
		{"doubled name", "price,day,Price\n", 1, 1, `"price" and "Price"`},
		{"nameless column", "a,,b\n", 1, 1, "column 2 has no name"},
		{"empty line between rows", "a,b\n1,2\n\n3,4\n", 3, 1, "empty line"},
		{"CR alone does not end a line", "a,b\r1,2\r", 1, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab, err := ReadCSV(strings.NewReader(test.in), ReadOptions{})
			if err == nil && test.part == "" {
				if tab.NumRows() != 0 || tab.NumColumns() != 3 { // a, b CR 1, 2
					t.Errorf("got %s", dump(tab))
				}
				return
			}
			e := diag.From(err)
			if e == nil || e.Rule != "DATA-1" || e.Pos.Line != test.line || e.Pos.Column != test.column || !strings.Contains(e.Message, test.part) {
				t.Errorf("got %v (column %d), should be DATA-1 at %d:%d with %q", err, e.Pos.Column, test.line, test.column, test.part)
			}
		})
	}
}

func TestReadCSVLimitsLIM1(t *testing.T) {
	for _, test := range []struct {
		name string
		in   string
		o    ReadOptions
		line int
	}{
		{"columns", "a,b,c\n", ReadOptions{MaxColumns: 2}, 1},
		{"columns of a row", "a,b\n1,2,3\n", ReadOptions{MaxColumns: 2}, 2},
		{"line", "a\n" + strings.Repeat("x", 100) + "\n", ReadOptions{MaxLine: 50}, 2},
		{"line without end", "a\n\"" + strings.Repeat("x\n", 1<<20), ReadOptions{MaxLine: 1 << 20}, 2},
		{"bytes", "a\n1\n2\n3\n4\n", ReadOptions{MaxBytes: 6}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadCSV(strings.NewReader(test.in), test.o)
			wantError(t, err, diag.Limit, "LIM-1", test.line)
		})
	}
}

func TestReadCSVAcrossBlocks(t *testing.T) {
	// Records of growing length, so that block ends fall on every kind of byte.
	var in bytes.Buffer
	in.WriteString("n,t,q\r\n")
	const rows = 3000
	for i := range rows {
		in.WriteString(strings.Repeat("1", 1+i%17))
		in.WriteString("," + strings.Repeat("é", i%400) + ",\"" + strings.Repeat("\"\"\n", i%300) + "\"\r\n")
	}
	tab, err := ReadCSV(&in, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if tab.NumRows() != rows {
		t.Fatalf("%d rows, should be %d", tab.NumRows(), rows)
	}
	for i := range rows {
		n := tab.Column(0).Int64s()[i]
		want := int64(0)
		for range 1 + i%17 {
			want = want*10 + 1
		}
		if n != want {
			t.Fatalf("row %d: n is %d, should be %d", i, n, want)
		}
		if s := tab.Column(1).StringAt(i); s != strings.Repeat("é", i%400) || tab.Column(1).IsNull(i) != (i%400 == 0) {
			t.Fatalf("row %d: t is %q", i, s)
		}
		if s := tab.Column(2).StringAt(i); s != strings.Repeat("\"\n", i%300) || tab.Column(2).IsNull(i) {
			t.Fatalf("row %d: q is %q", i, s)
		}
	}
}

func TestReadCSVSchema(t *testing.T) {
	schema, err := ParseSchema(`id integer, code varchar, price decimal(6,2), "day of trade" date, f real, at timestamp(3), big decimal(20,0), iv interval day to second`)
	if err != nil {
		t.Fatal(err)
	}
	in := "Code,ID,price,day of trade,f,at,more,big,iv\n" +
		"007,+042, 12.5 ,2026-11-30,1.5,2026-11-30 10:00:00.125,1,123,1 02:00:00\n" +
		",,0012.50,,NaN,,x,12345678901234567890,\n"
	tab, err := ReadCSV(strings.NewReader(in), ReadOptions{Schema: schema})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, f := range tab.Fields() {
		types = append(types, f.Name+" "+f.Type.String())
	}
	if got, want := strings.Join(types, ", "), "CODE varchar, ID integer, PRICE decimal(6,2), day of trade date, F real, AT timestamp(3), MORE varchar, BIG decimal(20,0), IV interval day to second"; got != want {
		t.Errorf("fields are %s, should be %s", got, want)
	}
	if v := tab.Value(0, 1); v.Raw() != 42 {
		t.Errorf("ID is %v", v)
	}
	if n := tab.Column(2).Int64s(); n[0] != 1250 || n[1] != 1250 {
		t.Errorf("PRICE is %v", n)
	}
	if got := value.Format(tab.Value(1, 7), tab.Column(7).Type); got != "12345678901234567890" {
		t.Errorf("BIG is %s", got)
	}
	if v := tab.Value(0, 8); v.Form() != value.FormInterval || v.Raw() != 26*3600*1e6 {
		t.Errorf("IV is %v", v)
	}
}

func TestReadCSVSchemaErrors(t *testing.T) {
	for _, test := range []struct{ schema, in, part string }{
		{"a smallint", "32768", `"32768" is not a value of type smallint`},
		{"a bigint", "1.0", `"1.0" is not a value of type bigint`},
		{"a bigint", "x", "column A"},
		{"a bigint", "--1", "bigint"},
		{"a bigint", "+-1", "bigint"},
		{"a bigint", `""`, `""`},
		{"a decimal(4,2)", "100.00", "decimal(4,2)"},
		{"a decimal(4,2)", "1.234", "decimal(4,2)"},
		{"a decimal(30,2)", "1.234", "decimal(30,2)"},
		{"a double", "1e999", "double"},
		{"a real", "1e39", "real"},
		{"a date", "2026-02-30", "date"},
		{"a timestamp(0)", "2026-11-30 12:00:00.5", "timestamp(0)"},
		{"a varchar(3)", "long", "varchar(3)"},
		{"a boolean", "yes", "boolean"},
		{"a bigint array", "[x]", "bigint array"},
	} {
		t.Run(test.schema+" "+test.in, func(t *testing.T) {
			schema, err := ParseSchema(test.schema + ", b varchar")
			if err != nil {
				t.Fatal(err)
			}
			_, err = ReadCSV(strings.NewReader("a,b\n,\"1\n2\"\n"+test.in+",1\n"), ReadOptions{Schema: schema})
			wantError(t, err, diag.Runtime, "DATA-1", 4, test.part)
		})
	}
	_, err := ReadCSV(strings.NewReader("a\n1\n"), ReadOptions{Schema: []Field{{"B", value.TypeDate}}})
	wantError(t, err, diag.Runtime, "DATA-1", 1, `"B"`)
}

func TestReadCSVNoHeader(t *testing.T) {
	schema := []Field{{"A", value.TypeBigint}, {"B", value.TypeVarchar}}
	tab, err := ReadCSV(strings.NewReader("1,2\n3,4\n"), ReadOptions{Schema: schema, NoHeader: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := dump(tab), "A:bigint B:varchar\n1 '2'\n3 '4'"; got != want {
		t.Errorf("got\n%s\nshould be\n%s", got, want)
	}
	_, err = ReadCSV(strings.NewReader("1,2\nx,4\n"), ReadOptions{Schema: schema, NoHeader: true})
	wantError(t, err, diag.Runtime, "DATA-1", 2, `"x"`)
}
