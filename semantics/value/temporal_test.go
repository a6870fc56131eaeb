package value

import (
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

func TestTYPE6ResultTypes(t *testing.T) {
	for _, c := range []struct{ a, op, b, want string }{
		{"date", "-", "date", "interval day to second"},
		{"timestamp(3)", "-", "timestamp", "interval day to second"},
		{"time", "-", "time", "interval day to second"},
		{"date", "+", "interval day", "date"},
		{"date", "-", "interval month", "date"},
		{"interval day", "+", "date", "date"},
		{"timestamp(0)", "+", "interval hour", "timestamp"},
		{"timestamp(0)", "+", "interval year", "timestamp(0)"},
		{"interval hour", "+", "time(3)", "time"},
		{"interval day", "-", "interval hour", "interval day to second"},
		{"interval year", "+", "interval month", "interval year to month"},
		{"interval day", "*", "integer", "interval day to second"},
		{"double", "*", "interval year", "interval year to month"},
		{"interval day", "/", "decimal(3,1)", "interval day to second"},
	} {
		got, err := ArithType(c.op, typ(t, c.a), typ(t, c.b), Options{})
		if err != nil || got.String() != c.want {
			t.Errorf("%s %s %s: %s, %v; want %s", c.a, c.op, c.b, got, err, c.want)
		}
	}
	for _, c := range []struct{ a, op, b string }{
		{"time", "+", "interval year"}, {"interval day", "-", "date"}, {"date", "+", "date"},
		{"integer", "/", "interval day"}, {"date", "*", "integer"},
	} {
		if _, err := ArithType(c.op, typ(t, c.a), typ(t, c.b), Options{}); state(err) != "42000" {
			t.Errorf("%s %s %s: %v, want TYPE-1", c.a, c.op, c.b, err)
		}
	}
}

func TestTYPE6DateArithmetic(t *testing.T) {
	const dts, ytm = "interval day to second", "interval year to month"
	for _, c := range []struct{ result, atype, a, op, btype, b, want string }{
		{dts, "date", "2026-03-01", "-", "date", "2026-02-28", "1 00:00:00"},
		{dts, "date", "2024-03-01", "-", "date", "2024-02-28", "2 00:00:00"},
		{dts, "date", "0001-01-01", "-", "date", "9999-12-31", "-3652058 00:00:00"},
		{dts, "timestamp", "2026-01-02 00:30:00", "-", "timestamp", "2026-01-01 23:45:00.5", "0 00:44:59.5"},
		{dts, "time", "01:00:00", "-", "time", "02:30:00", "-0 01:30:00"},
		{"date", "date", "2026-12-31", "+", dts, "1 00:00:00", "2027-01-01"},
		{"date", dts, "1 00:00:00", "+", "date", "2026-12-31", "2027-01-01"},
		{"date", "date", "2026-01-01", "-", dts, "1 00:00:00", "2025-12-31"},
		{"date", "date", "2026-01-01", "+", dts, "0 01:00:00", "22008"},
		{"date", "date", "9999-12-31", "+", dts, "1 00:00:00", "22008"},
		{"date", "date", "0001-01-01", "-", dts, "1 00:00:00", "22008"},
		{"date", "date", "2026-01-31", "+", ytm, "0-1", "22008"}, // no February 31: nothing is clamped
		{"date", "date", "2024-02-29", "+", ytm, "1-0", "22008"},
		{"date", "date", "2024-02-29", "+", ytm, "4-0", "2028-02-29"},
		{"date", "date", "2026-01-15", "-", ytm, "0-1", "2025-12-15"},
		{"date", "date", "2026-11-30", "+", ytm, "1-1", "2027-12-30"},
		{"date", "date", "2026-01-01", "+", ytm, "8000-0", "22008"},
		{"timestamp", "timestamp", "2026-01-01 00:00:00", "-", dts, "0 00:00:00.000001", "2025-12-31 23:59:59.999999"},
		{"timestamp", "timestamp", "2026-05-31 12:00:00", "+", ytm, "0-2", "2026-07-31 12:00:00"},
		{"timestamp", "timestamp", "1969-12-31 23:00:00", "+", ytm, "0-2", "22008"}, // February 1970
		{"timestamp", "timestamp", "1969-12-30 23:00:00", "-", ytm, "0-1", "1969-11-30 23:00:00"},
		{"timestamp", "timestamp", "9999-12-31 23:59:59", "+", dts, "0 00:00:01", "22008"},
		{"timestamp", "timestamp", "2026-01-01 00:00:00", "+", dts, "106751991 00:00:00", "22008"},
		{"time", "time", "23:30:00", "+", dts, "0 01:00:00", "00:30:00"},
		{"time", "time", "00:30:00", "-", dts, "5 01:00:00", "23:30:00"},
		{dts, dts, "1 00:00:00", "-", dts, "0 00:00:01", "0 23:59:59"},
		{ytm, ytm, "1-0", "-", ytm, "2-1", "-1-1"},
		{dts, dts, "0 00:01:40", "*", "integer", "3", "0 00:05:00"},
		{dts, "decimal(2,1)", "1.5", "*", dts, "0 01:00:00", "0 01:30:00"},
		{dts, dts, "1 00:00:00", "/", "integer", "-4", "-0 06:00:00"},
		{dts, dts, "0 00:00:00.000001", "/", "integer", "2", "0 00:00:00.000001"}, // half up
		{dts, dts, "0 00:00:00.000001", "/", "integer", "3", "0 00:00:00"},
		{dts, dts, "0 01:00:00", "/", "decimal(3,2)", "0.25", "0 04:00:00"},
		{dts, dts, "0 01:00:00", "/", "integer", "0", "22012"},
		{dts, dts, "0 01:00:00", "/", "double", "0", "22012"},
		{dts, dts, "0 01:00:00", "*", "double", "0.5", "0 00:30:00"},
		{dts, dts, "0 01:00:00", "*", "double", "NaN", "22015"},
		{dts, dts, "106751991 00:00:00", "*", "integer", "2", "22015"},
		{dts, dts, "106751991 00:00:00", "+", dts, "1 00:00:00", "22015"},
		{ytm, ytm, "1-1", "*", "decimal(2,1)", "0.5", "0-7"}, // 6.5 months, half up
		{"date", "date", "NULL", "+", dts, "1 00:00:00", "NULL"},
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
	_, err := Arith("+", TypeDate, DateOf(0), IntervalOf(perHour))
	wantError(t, err, diag.Runtime, "EVAL-1", "22008")
}

// The calendar of the time package is the second opinion.
func TestCalendarOfAllDays(t *testing.T) {
	day := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := minDay; n <= maxDay; n++ {
		y, m, d := civil(n)
		if ty, tm, td := day.Date(); y != ty || m != int(tm) || d != td {
			t.Fatalf("day %d is %d-%d-%d, want %s", n, y, m, d, day.Format(time.DateOnly))
		}
		if got := daysFrom(y, m, d); got != n {
			t.Fatalf("%d-%d-%d is day %d, want %d", y, m, d, got, n)
		}
		day = day.AddDate(0, 0, 1)
	}
	if y, m, d := day.Date(); y != 10000 || m != 1 || d != 1 {
		t.Fatalf("the days end before %s", day)
	}
}

func TestExtractFields(t *testing.T) {
	for _, c := range []struct{ typeName, v, field, wantType, want string }{
		{"date", "2026-11-30", "YEAR", "bigint", "2026"},
		{"date", "2026-11-30", "month", "bigint", "11"},
		{"date", "1969-12-31", "DAY", "bigint", "31"},
		{"timestamp", "1969-12-31 23:59:58.25", "SECOND", "decimal(8,6)", "58.250000"},
		{"timestamp(3)", "2026-01-02 03:04:05.678", "SECOND", "decimal(5,3)", "5.678"},
		{"timestamp(0)", "2026-01-02 03:04:05", "SECOND", "bigint", "5"},
		{"timestamp", "1969-12-31 23:59:58.25", "HOUR", "bigint", "23"},
		{"timestamp", "1969-12-31 23:59:58.25", "MINUTE", "bigint", "59"},
		{"timestamp", "1969-12-31 23:59:58.25", "DAY", "bigint", "31"},
		{"time", "03:04:05", "MINUTE", "bigint", "4"},
		{"interval day to second", "-40 01:02:03.5", "DAY", "bigint", "-40"},
		{"interval day to second", "-40 01:02:03.5", "HOUR", "bigint", "-1"},
		{"interval day to second", "-40 01:02:03.5", "SECOND", "decimal(8,6)", "-3.500000"},
		{"interval year to month", "-3-5", "YEAR", "bigint", "-3"},
		{"interval year to month", "-3-5", "MONTH", "bigint", "-5"},
		{"date", "NULL", "YEAR", "bigint", "NULL"},
	} {
		ty := typ(t, c.typeName)
		ft, err := FieldType(ty, c.field)
		if err != nil || ft.String() != c.wantType {
			t.Errorf("type of %s of %s: %s, %v; want %s", c.field, c.typeName, ft, err, c.wantType)
		}
		got, err := FieldOf(val(t, c.typeName, c.v), ty, c.field)
		if err != nil || Format(got, ft) != c.want {
			t.Errorf("%s of %s: %s, %v; want %s", c.field, c.v, Format(got, ft), err, c.want)
		}
	}
	for _, c := range []struct{ typeName, field string }{
		{"date", "HOUR"}, {"time", "DAY"}, {"interval year", "DAY"}, {"interval day", "MONTH"}, {"integer", "YEAR"}, {"date", "DOW"}, {"unknown", "EPOCH"},
	} {
		_, err := FieldType(typ(t, c.typeName), c.field)
		wantError(t, err, diag.Semantic, "TYPE-1", "42000")
	}
}
