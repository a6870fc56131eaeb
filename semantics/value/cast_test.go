package value

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

func TestCastFromStrings(t *testing.T) {
	for _, c := range []struct{ to, text, want string }{
		{"integer", "12", "12"}, {"integer", " -12 ", "-12"}, {"integer", "+7", "7"},
		{"integer", "1.5", "2"}, {"integer", "-1.5", "-2"}, {"integer", "1.4999999999999999999999999999", "1"},
		{"integer", "1e3", "1000"}, {"integer", "", "22018"}, {"integer", "1 2", "22018"}, {"integer", "0x1F", "22018"},
		{"integer", "1_000", "22018"}, {"integer", "NaN", "22018"}, {"integer", "2147483648", "22003"},
		{"smallint", "32767.5", "22003"}, {"bigint", "9223372036854775807", "9223372036854775807"},
		{"bigint", "9223372036854775807.5", "22003"}, {"bigint", "-9223372036854775808.4", "-9223372036854775808"},
		{"bigint", "1e100000000000000000000", "22003"}, {"bigint", "1e-100000000000000000000", "0"}, {"bigint", "0e999999", "0"},
		{"decimal(4,2)", "12.345", "12.35"}, {"decimal(4,2)", "99.994", "99.99"}, {"decimal(4,2)", "99.995", "22003"},
		{"decimal(4,2)", "1", "1.00"}, {"decimal(4,2)", ".5", "0.50"}, {"decimal(4,2)", "-.005", "-0.01"},
		{"decimal(38,38)", "0.1", "0.10000000000000000000000000000000000000"},
		{"decimal", "1.500", "1.5"}, {"decimal", "1e37", "10000000000000000000000000000000000000"}, {"decimal", "1e38", "22003"},
		{"decimal", "1234567890123456789012345678901234567.85", "1234567890123456789012345678901234567.9"},
		{"decimal", "1e-500", "0"},
		{"double", "1.5", "1.5"}, {"double", "1e400", "22003"}, {"double", "-infinity", "-Infinity"}, {"double", "nan", "NaN"},
		{"double", "0x1p3", "22018"}, {"double", "inf", "22018"},
		{"real", "0.1", "0.1"}, {"real", "1e39", "22003"},
		{"boolean", "True", "true"}, {"boolean", " false", "false"}, {"boolean", "unknown", "NULL"}, {"boolean", "1", "22018"},
		{"date", "2026-02-28", "2026-02-28"}, {"date", " 2026-02-28 ", "2026-02-28"}, {"date", "2026-02-29", "22008"},
		{"date", "2024-02-29", "2024-02-29"}, {"date", "1900-02-29", "22008"}, {"date", "2000-02-29", "2000-02-29"},
		{"date", "0000-01-01", "22008"}, {"date", "2026-13-01", "22008"}, {"date", "2026-00-01", "22008"}, {"date", "2026-04-31", "22008"},
		{"date", "2026-1-1", "22007"}, {"date", "20260101", "22007"}, {"date", "2026-01-01 00:00:00", "22007"}, {"date", "+026-01-01", "22007"},
		{"time", "12:30:00.5", "12:30:00.5"}, {"time(0)", "12:30:00.5", "12:30:01"}, {"time(0)", "23:59:59.5", "00:00:00"},
		{"time", "24:00:00", "22008"}, {"time", "12:60:00", "22008"}, {"time", "12:00:60", "22008"}, {"time", "12:30", "22007"},
		{"time", "12:30:00.", "22007"}, {"time", "12:30:00,5", "22007"}, {"time", "12:30:00.1234567", "22008"}, {"time", "12:30:00.1234560", "12:30:00.123456"},
		{"timestamp", "2026-01-01 00:00:00", "2026-01-01 00:00:00"}, {"timestamp", "2026-01-01T10:00:00.25", "2026-01-01 10:00:00.25"},
		{"timestamp(1)", "2026-12-31 23:59:59.95", "2027-01-01 00:00:00"}, {"timestamp(0)", "9999-12-31 23:59:59.5", "22008"},
		{"timestamp(0)", "1969-12-31 23:59:58.4", "1969-12-31 23:59:58"},
		{"timestamp", "2026-01-01", "22007"}, {"timestamp", "2026-02-30 00:00:00", "22008"}, {"timestamp", "2026-01-01 25:00:00", "22008"},
		{"timestamp", "2026-01-01 00:00:00Z", "22007"}, {"timestamp", "2026-01-01 00:00:00+01:00", "22007"}, {"timestamp", "2026-01-01  00:00:00", "22007"},
		{"interval day to second", "1 02:03:04.5", "1 02:03:04.5"}, {"interval day to second", "-1 02:03:04", "-1 02:03:04"},
		{"interval day to second", "1", "22007"}, {"interval day to second", "1 24:00:00", "22015"},
		{"interval day to second", "106751991 04:00:54.775807", "106751991 04:00:54.775807"},
		{"interval day to second", "-106751991 04:00:54.775808", "-106751991 04:00:54.775808"},
		{"interval day to second", "106751991 04:00:54.775808", "22015"},
		{"interval day to second", "213503982 08:01:49.999999", "22015"}, {"interval day to second", "99999999999999999999 00:00:00", "22015"},
		{"interval year to month", "1-11", "1-11"}, {"interval year to month", "1-12", "22015"},
		{"varchar(3)", "abcd", "abc"}, {"varchar(2)", "äöü", "äö"}, {"char(4)", "ab", "ab  "}, {"char(2)", "abc", "ab"}, {"varchar", " a ", " a "},
	} {
		ty := typ(t, c.to)
		got, err := Cast(String(c.text), TypeVarchar, ty)
		text := state(err)
		if err == nil {
			text = Format(got, ty)
		} else {
			wantError(t, err, diag.Runtime, "EVAL-1", c.want)
		}
		if text != c.want {
			t.Errorf("CAST(%q AS %s): %s (%v), want %s", c.text, c.to, text, err, c.want)
		}
	}
}

func TestCastToOtherTypes(t *testing.T) {
	for _, c := range []struct{ from, v, to, want string }{
		{"boolean", "true", "varchar", "TRUE"}, {"boolean", "false", "varchar(5)", "FALSE"}, {"boolean", "false", "varchar(4)", "22001"},
		{"integer", "-5", "varchar", "-5"}, {"integer", "12345", "char(3)", "22001"}, {"decimal(4,2)", "1.50", "varchar", "1.50"},
		{"double", "1.5", "varchar", "1.5E0"}, {"double", "0", "varchar", "0E0"}, {"double", "1e100", "varchar", "1E100"}, {"double", "-0.00012", "varchar", "-1.2E-4"},
		{"real", "0.1", "varchar", "1E-1"}, {"double", "NaN", "varchar", "NaN"}, {"double", "-Infinity", "varchar", "-Infinity"},
		{"date", "2026-01-02", "varchar", "2026-01-02"}, {"date", "2026-01-02", "varchar(9)", "22001"},
		{"interval day to second", "0 00:30:00", "varchar", "0 00:30:00"}, {"interval year to month", "0-6", "varchar", "0-6"},
		{"char(4)", "ab", "varchar", "ab  "}, {"char(4)", "ab", "varchar(3)", "ab "}, {"char(4)", "12", "integer", "12"},
		{"decimal(4,2)", "2.50", "integer", "3"}, {"decimal(4,2)", "-2.50", "integer", "-3"}, {"decimal(4,2)", "2.49", "integer", "2"},
		{"double", "2.5", "integer", "3"}, {"double", "-2.5", "integer", "-3"}, {"double", "NaN", "integer", "22003"}, {"double", "1e19", "bigint", "22003"},
		{"double", "9223372036854775807", "bigint", "22003"}, {"double", "-9223372036854775808", "bigint", "-9223372036854775808"},
		{"double", "0.1", "decimal(20,18)", "0.100000000000000000"}, {"double", "Infinity", "decimal", "22003"}, {"double", "1e-300", "decimal(5,2)", "0.00"},
		{"bigint", "32768", "smallint", "22003"}, {"bigint", "32767", "smallint", "32767"}, {"integer", "100", "decimal(4,2)", "22003"},
		{"decimal(38,0)", "99999999999999999999999999999999999999", "bigint", "22003"}, {"decimal(38,19)", "9223372036854775807.4999999999999999999", "bigint", "9223372036854775807"},
		{"decimal(38,0)", "99999999999999999999999999999999999999", "double", "1e+38"}, {"double", "1e39", "real", "22003"}, {"decimal(3,2)", "0.10", "real", "0.1"},
		{"date", "1969-12-31", "timestamp", "1969-12-31 00:00:00"}, {"timestamp", "1969-12-31 23:59:59.5", "date", "1969-12-31"},
		{"timestamp", "1969-12-31 23:59:59.5", "time", "23:59:59.5"}, {"timestamp", "1969-12-31 23:59:59.5", "time(0)", "00:00:00"},
		{"timestamp", "2026-01-01 00:00:00.5", "timestamp(0)", "2026-01-01 00:00:01"},
		{"integer", "NULL", "date", "NULL"},
	} {
		from, to := typ(t, c.from), typ(t, c.to)
		got, err := Cast(val(t, c.from, c.v), from, to)
		text := state(err)
		if err == nil {
			text = Format(got, to)
		}
		if text != c.want {
			t.Errorf("CAST(%s %s AS %s): %s (%v), want %s", c.from, c.v, c.to, text, err, c.want)
		}
	}
	array, err := Cast(ArrayOf([]Value{String("1"), Null}), ArrayType(TypeVarchar), ArrayType(TypeInteger))
	if want := ArrayOf([]Value{Int(1), Null}); err != nil || !Identical(array, want, Options{}) {
		t.Errorf("cast of an array: %v, %v", array, err)
	}
}

func TestTYPE1CastAllowed(t *testing.T) {
	names := []string{"boolean", "integer", "decimal(5,2)", "double", "char(3)", "varchar", "varbinary", "date", "time", "timestamp", "interval day", "interval year", "integer array"}
	// One row a source, one character a target: x for allowed.
	want := []string{
		"x...xx.......",
		".xxxxx.......",
		".xxxxx.......",
		".xxxxx.......",
		"xxxxxx.xxxxx.",
		"xxxxxx.xxxxx.",
		"......x......",
		"....xx.x.x...",
		"....xx..x....",
		"....xx.xxx...",
		"....xx....x..",
		"....xx.....x.",
		"............x",
	}
	for i, from := range names {
		for j, to := range names {
			if got := CastAllowed(typ(t, from), typ(t, to)); got != (want[i][j] == 'x') {
				t.Errorf("CAST of %s to %s: %v", from, to, got)
			}
		}
		if !CastAllowed(TypeUnknown, typ(t, from)) {
			t.Errorf("CAST of NULL to %s", from)
		}
	}
	if !CastAllowed(typ(t, "date array"), typ(t, "varchar array")) || CastAllowed(typ(t, "date array"), typ(t, "integer array")) {
		t.Error("arrays are cast as their elements are")
	}
	if _, err := Cast(Bool(true), TypeBoolean, TypeInteger); state(err) != "42000" {
		t.Errorf("boolean to integer: %v", err)
	}
}

func TestConvertRoundsNumbersAndKeepsStrings(t *testing.T) {
	for _, c := range []struct{ from, v, to, want string }{
		{"decimal(3,1)", "2.5", "integer", "3"}, {"double", "0.5", "integer", "1"}, {"integer", "40000", "smallint", "22003"},
		{"integer", "5", "decimal(3,2)", "5.00"}, {"integer", "5", "decimal", "5"}, {"decimal(3,2)", "1.50", "decimal", "1.5"},
		{"varchar", "ab  ", "varchar(2)", "ab"}, {"varchar", "abc", "varchar(2)", "22001"}, {"varchar", "abc ", "varchar(3)", "abc"},
		{"varchar", "ab ", "varchar(4)", "ab "}, {"varchar", "ab", "char(3)", "ab "}, {"varchar", "abc   ", "char(3)", "abc"}, {"varchar", "abcd", "char(3)", "22001"},
		{"varchar", "äöü", "varchar(3)", "äöü"},
		{"timestamp", "2026-01-01 00:00:00.1235", "timestamp(3)", "2026-01-01 00:00:00.124"},
		{"varchar", "1", "integer", "42000"}, {"date", "2026-01-01", "timestamp", "42000"},
	} {
		to := typ(t, c.to)
		got, err := Convert(val(t, c.from, c.v), to)
		text := state(err)
		if err == nil {
			text = Format(got, to)
		}
		if text != c.want {
			t.Errorf("%s %s as %s: %s (%v), want %s", c.from, c.v, c.to, text, err, c.want)
		}
	}
}

func TestTYPE7CharIsHeldWithoutBlanks(t *testing.T) {
	char := Type{Kind: Char, Precision: 4}
	v := val(t, "char(4)", "é ")
	if v.AsString() != "é" || Pad(v, char).AsString() != "é   " || Format(v, char) != "é   " || SQL(v, char) != "'é   '" {
		t.Errorf("char(4): held %q, padded %q", v.AsString(), Pad(v, char).AsString())
	}
	if got := Pad(String("a"), TypeVarchar); got.AsString() != "a" {
		t.Errorf("varchar is padded: %q", got.AsString())
	}
}
