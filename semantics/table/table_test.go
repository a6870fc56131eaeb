package table

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func TestBuilderConverts(t *testing.T) {
	// A value of an assignable type is converted, one that does not fit is refused.
	for _, test := range []struct {
		typ   value.Type
		in    value.Value
		want  string
		state string
	}{
		{value.TypeSmallint, value.Int(-32768), "-32768", ""},
		{value.TypeSmallint, value.Int(32768), "", "22003"},
		{value.TypeInteger, value.Int(math.MaxInt32 + 1), "", "22003"},
		{value.DecimalType(4, 2), value.Int(5), "5.00", ""},
		{value.DecimalType(4, 2), value.ScaledInt(5, 1), "0.50", ""},
		{value.DecimalType(4, 2), value.ScaledInt(99995, 3), "", "22003"},
		{value.DecimalType(4, 2), value.Int(100), "", "22003"},
		{value.DecimalType(38, 2), value.Int(math.MaxInt64), "9223372036854775807.00", ""},
		{value.TypeDouble, value.Int(3), "3", ""},
		{value.TypeDouble, value.ScaledInt(15, 1), "1.5", ""},
		{value.Type{Kind: value.Varchar, Precision: 2}, value.String("日本"), "'日本'", ""},
		{value.Type{Kind: value.Varchar, Precision: 2}, value.String("abc"), "", "22001"},
		{value.Type{Kind: value.Char, Precision: 3}, value.String("a "), "'a  '", ""},
	} {
		b := NewBuilder("A", test.typ)
		err := b.Append(test.in)
		if test.state != "" {
			var e *diag.Error
			if !errors.As(err, &e) || e.SQLSTATE != test.state {
				t.Errorf("%s: error is %v, should have SQLSTATE %s", test.typ, err, test.state)
			}
			if b.Len() != 0 {
				t.Errorf("%s: a refused value is a row", test.typ)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.typ, err)
			continue
		}
		if got := dump(table(t, b.Column())); got != "A:"+test.typ.String()+"\n"+test.want {
			t.Errorf("got %s, should be %s", got, test.want)
		}
	}
}

func TestDecimalThatDoesNotFit(t *testing.T) {
	// Coefficients beyond 64 bits after ones within.
	d, _, err := apd.NewFromString("1E+30")
	if err != nil {
		t.Fatal(err)
	}
	b := NewBuilder("A", value.DecimalType(38, 2))
	for _, v := range []value.Value{value.Int(1), value.Null, value.BigDecimal(d), value.ScaledInt(25, 1)} {
		if err := b.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	b.AppendInt64(375)
	b.AppendNull()
	c := b.Column()
	if got, want := dump(table(t, c)), "A:decimal(38,2)\n1.00\nNULL\n1000000000000000000000000000000.00\n2.50\n3.75\nNULL"; got != want {
		t.Errorf("got\n%s\nshould be\n%s", got, want)
	}
	if c.Int64s() != nil {
		t.Error("the column says that it is held as integers")
	}
}

func TestColumnVectors(t *testing.T) {
	n := value.Null
	dec := column(t, "D", value.DecimalType(10, 2), value.ScaledInt(150, 2), n, value.Int(-2))
	if got := fmt.Sprint(dec.Int64s()); got != "[150 0 -200]" {
		t.Errorf("decimals are held as %s", got)
	}
	if got := fmt.Sprint(dec.NullBits()); got != "[2]" {
		t.Errorf("null bitmap is %s", got)
	}
	if c := column(t, "B", value.TypeBoolean, value.Bool(true), value.Bool(false)); fmt.Sprint(c.Int64s()) != "[1 0]" || c.NullBits() != nil {
		t.Errorf("booleans are held as %v, null bitmap %v", c.Int64s(), c.NullBits())
	}
	f := column(t, "F", value.TypeDouble, value.Float(1.5), n)
	if fmt.Sprint(f.Float64s()) != "[1.5 0]" || f.Int64s() != nil {
		t.Errorf("doubles are held as %v, %v", f.Float64s(), f.Int64s())
	}
	// The null bitmap has a word for each 64 rows, also without NULL in the last.
	b := NewBuilder("A", value.TypeBigint)
	b.AppendNull()
	for i := range 64 {
		b.AppendInt64(int64(i))
	}
	if c := b.Column(); len(c.NullBits()) != 2 || c.IsNull(64) || !c.IsNull(0) {
		t.Errorf("null bitmap of 65 rows is %v", c.NullBits())
	}
	u := column(t, "U", value.TypeUnknown, n, n)
	if u.Len() != 2 || !u.Value(1).IsNull() || u.StringAt(0) != "" {
		t.Error("a column of unknown type is wrong")
	}
	r := column(t, "A", value.TypeBigint, value.Int(7)).Named("B")
	if r.Name != "B" || r.Value(0).Raw() != 7 {
		t.Error("a renamed column is wrong")
	}
}

func TestLongString(t *testing.T) {
	// Strings about the length that a span holds.
	b := NewBuilder("A", value.TypeVarchar)
	lengths := []int{longSpan - 1, longSpan, longSpan + 1, 0, 3}
	for i, n := range lengths {
		b.AppendString(strings.Repeat(string(rune('a'+i)), n))
	}
	tab := table(t, b.Column())
	rows := []int32{4, 2, 0, -1, 1, 3}
	for _, c := range []*Column{tab.Column(0), tab.Gather(rows[:1]).Column(0), tab.Gather(rows).Column(0)} {
		for i := range c.Len() {
			r := i
			if c.Len() != len(lengths) {
				r = int(rows[i])
			}
			if r < 0 {
				continue
			}
			if s := c.StringAt(i); len(s) != lengths[r] || strings.Count(s, string(rune('a'+r))) != len(s) {
				t.Errorf("string %d has %d bytes, should have %d", r, len(s), lengths[r])
			}
		}
	}
	if small := tab.Gather([]int32{4}).Column(0); cap(small.heap) > 100 {
		t.Errorf("a string of 3 bytes keeps %d", cap(small.heap))
	}
}

func TestGather(t *testing.T) {
	tab := roundTrip(t)
	got := tab.Gather([]int32{2, -1, 0, 0})
	lines := strings.Split(dump(tab), "\n")
	null := strings.TrimSpace(strings.Repeat("NULL ", tab.NumColumns()))
	// A string of the table has a line break, so lines are compared by value.
	if got.NumRows() != 4 || got.NumColumns() != tab.NumColumns() {
		t.Fatalf("%d rows, %d columns", got.NumRows(), got.NumColumns())
	}
	if !strings.Contains(dump(got), "\n"+null+"\n"+lines[1]+"\n"+lines[1]) {
		t.Errorf("got\n%s", dump(got))
	}
	for i, c := range tab.Columns() {
		for j, r := range []int{2, -1, 0, 0} {
			v := got.Value(j, i)
			if r < 0 {
				if !v.IsNull() {
					t.Errorf("%s of row -1 is not NULL", c.Name)
				}
			} else if !value.Identical(v, c.Value(r), value.Options{}) {
				t.Errorf("%s of row %d is %s", c.Name, r, value.SQL(v, c.Type))
			}
		}
	}
}

func TestTable(t *testing.T) {
	a, b := column(t, "A", value.TypeBigint, ints(1, 2)...), column(t, "B", value.TypeVarchar, texts("x")...)
	_, err := New(a, b)
	wantError(t, err, diag.Internal, "LIM-1", 0, "B")
	tab := table(t, a, a.Named("C"), a)
	if tab.Index("A") != 0 || tab.Index("C") != 1 || tab.Index("X") != -1 || tab.NumColumns() != 3 || tab.NumRows() != 2 {
		t.Error("names or sizes are wrong")
	}
	if f := tab.Fields(); len(f) != 3 || f[1] != (Field{"C", value.TypeBigint}) {
		t.Errorf("fields are %v", f)
	}
	none, err := NewRows(3)
	if err != nil || none.NumRows() != 3 || len(none.Groups(nil, value.Options{})[0]) != 3 {
		t.Errorf("a table without columns: %v", err)
	}
}

func TestFoldNameGRAM10a(t *testing.T) {
	for in, want := range map[string]string{"price": "PRICE", "_x1": "_X1", "Price": "PRICE", "1st": "1st", "day of": "day of",
		"a-b": "a-b", "": "", "a.b": "a.b", "\"a\"": "\"a\""} {
		if got := FoldName(in); got != want {
			t.Errorf("%q folds to %q, should be %q", in, got, want)
		}
	}
}

func TestParseSchema(t *testing.T) {
	got, err := ParseSchema(" id bigint,price decimal(10, 2) ,\"a \"\", b\" varchar(3) , \"low\"date,tags varchar array")
	if err != nil {
		t.Fatal(err)
	}
	want := []Field{{"ID", value.TypeBigint}, {"PRICE", value.DecimalType(10, 2)}, {`a ", b`, value.Type{Kind: value.Varchar, Precision: 3}},
		{"low", value.TypeDate}, {"TAGS", value.ArrayType(value.TypeVarchar)}}
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i := range want {
		if got[i].Name != want[i].Name || !got[i].Type.Equal(want[i].Type) {
			t.Errorf("field %d is %v, should be %v", i, got[i], want[i])
		}
	}
	for _, test := range []struct {
		in, rule string
		column   int
		part     string
	}{
		{"", "DATA-1", 1, "missing"},
		{"a bigint,", "DATA-1", 10, "missing"},
		{"a bigint, ,b date", "DATA-1", 11, "missing"},
		{"a", "DATA-1", 2, "no type"},
		{`a bigint, "b bigint`, "DATA-1", 11, "never closed"},
		{`"" bigint`, "DATA-1", 1, "empty name"},
		{"a bigint, A date", "DATA-1", 10, `"a" and "A"`},
		{"a bigint, b  money", "TYPE-1", 14, ""},
		{"a decimal(10", "TYPE-1", 3, ""},
		{"a decimal(99,2)", "TYPE-1", 3, ""},
	} {
		_, err := ParseSchema(test.in)
		e := diag.From(err)
		if e == nil || e.Rule != test.rule || e.Pos.Column != test.column || !strings.Contains(e.Message, test.part) || e.Stage != diag.Semantic {
			t.Errorf("%q: got %v, should be %s at column %d", test.in, err, test.rule, test.column)
		}
	}
}
