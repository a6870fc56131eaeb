package table

import (
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func TestFromRows(t *testing.T) {
	at := time.Date(1969, 12, 31, 23, 0, 0, 500_000_000, time.UTC)
	tab, err := FromRows([]Field{{"id", value.TypeBigint}, {"p", value.DecimalType(6, 2)}, {"d", value.TypeDate}, {"ts", value.TypeTimestamp}, {"t", value.TypeTime}, {"s", value.TypeVarchar}, {"i", value.TypeIntervalDay}},
		[][]any{{1, 2.5, at, at, at, "x", time.Minute}, {int64(2), "7.25", "2026-01-02", nil, nil, nil, nil}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		row, col int
		want     string
	}{{0, 0, "1"}, {0, 1, "2.50"}, {1, 1, "7.25"}, {0, 2, "1969-12-31"}, {1, 2, "2026-01-02"}, {0, 3, "1969-12-31 23:00:00.5"}, {0, 4, "23:00:00.5"}, {0, 5, "x"}, {1, 5, "NULL"}, {0, 6, "0 00:01:00"}} {
		c := tab.Column(tc.col)
		if got := value.Format(c.Value(tc.row), c.Type); got != tc.want {
			t.Errorf("row %d column %s: is %s, should be %s", tc.row, c.Name, got, tc.want)
		}
	}
	if tab.Column(0).Name != "ID" {
		t.Error("the name is not folded (GRAM-10a)")
	}
}

func TestFromRowsErrors(t *testing.T) {
	f := []Field{{"id", value.TypeBigint}, {"s", value.TypeVarchar}}
	for _, rows := range [][][]any{{{1}}, {{"x", "y"}}, {{1, 2}}, {{struct{}{}, "y"}}, {{time.Now(), "y"}}, {{true, "y"}}} {
		if _, err := FromRows(f, rows); diag.From(err) == nil || diag.From(err).Rule != "DATA-1" {
			t.Errorf("%v: %v, should be DATA-1", rows, err)
		}
	}
	if _, err := FromRows([]Field{{"a", value.TypeBigint}, {"A", value.TypeBigint}}, nil); err == nil {
		t.Error("doubled names are accepted")
	}
}

// A coefficient beyond 64 bits that comes long after the last NULL of its column.
func TestBuilderWidensAfterNulls(t *testing.T) {
	b := NewBuilder("d", value.DecimalType(38, 0))
	b.AppendNull()
	for range 200 {
		if err := b.Append(value.ScaledInt(7, 0)); err != nil {
			t.Fatal(err)
		}
	}
	big, _, err := value.ParseNumber("99999999999999999999999")
	if err == nil {
		err = b.Append(big)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := b.Column()
	for i, want := range map[int]string{0: "NULL", 1: "7", 200: "7", 201: "99999999999999999999999"} {
		if got := value.Format(c.Value(i), c.Type); got != want {
			t.Errorf("row %d is %s, should be %s", i, got, want)
		}
	}
}
