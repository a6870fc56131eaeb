package value

import (
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// checkFuzzError fails unless the error is one that a user can act on.
func checkFuzzError(t *testing.T, err error) {
	t.Helper()
	if e := diag.From(err); e.Stage == diag.Internal || e.Message == "" || len(e.SQLSTATE) != 5 {
		t.Fatalf("error without a stage of its own: %v", err)
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, s := range []string{"0", "1.50", "1e3", ".5", "5.", "9223372036854775808", "1e309", "99999999999999999999999999999999999999", "1.2.3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ty, err := ParseNumber(s)
		if err != nil {
			checkFuzzError(t, err)
			return
		}
		again, ty2, err := ParseNumber(SQL(v, ty))
		if err != nil || !ty2.Equal(ty) || again.Form() != v.Form() || SQL(again, ty) != SQL(v, ty) {
			t.Fatalf("%s as %s reads back as %s of type %s, %v", SQL(v, ty), ty, SQL(again, ty2), ty2, err)
		}
	})
}

func FuzzParseTimestamp(f *testing.F) {
	for _, s := range []string{"2026-11-30 12:00:00.5", "0001-01-01 00:00:00", "2024-02-29T23:59:59.999999", "2026-02-29 00:00:00", "2026-01-01 00:00:00Z", "12:00:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, ty, err := ParseTimestamp(s)
		if err != nil {
			checkFuzzError(t, err)
		} else if again, _, err := ParseTimestamp(Format(v, ty)); err != nil || again != v {
			t.Fatalf("%s reads back as %v, %v", Format(v, ty), again, err)
		}
		if v, ty, err := ParseTime(s); err == nil {
			if again, _, err := ParseTime(Format(v, ty)); err != nil || again != v {
				t.Fatalf("%s reads back as %v, %v", Format(v, ty), again, err)
			}
		}
	})
}

func FuzzParseInterval(f *testing.F) {
	f.Add("1 02:00:00.5", "DAY", "SECOND")
	f.Add("-1-6", "YEAR", "MONTH")
	f.Add("30", "minute", "")
	f.Add("5 minutes", "", "")
	f.Add("106751991 04:00:54.775808", "DAY", "SECOND")
	f.Fuzz(func(t *testing.T, s, from, to string) {
		v, ty, err := ParseInterval(s, from, to)
		if err != nil {
			checkFuzzError(t, err)
			return
		}
		from, to = "DAY", "SECOND"
		if ty.Kind == IntervalYear {
			from, to = "YEAR", "MONTH"
		}
		again, ty2, err := ParseInterval(Format(v, ty), from, to)
		if err != nil || again != v || !ty2.Equal(ty) {
			t.Fatalf("%s reads back as %v, %v", Format(v, ty), again, err)
		}
	})
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"decimal(10,2)", "interval day(3) to second", "array(array(int))[]", "timestamp(3) with time zone", "char varying(5) array[3]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ty, err := ParseType(s)
		if err != nil {
			checkFuzzError(t, err)
			return
		}
		if again, err := ParseType(ty.String()); err != nil || !again.Equal(ty) {
			t.Fatalf("%s reads back as %s, %v", ty, again, err)
		}
	})
}

func FuzzFromJSON(f *testing.F) {
	for _, s := range []string{"null", "1.50", `"2026-11-30"`, `[1,"a",[null]]`, `"\ud83d\ude00"`, "1e-5", `"NaN"`, "-0.0"} {
		f.Add([]byte(s), "decimal(5,2)")
		f.Add([]byte(s), "unknown")
		f.Add([]byte(s), "timestamp(3)")
		f.Add([]byte(s), "double array")
	}
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		ty, err := ParseType(name)
		if err != nil {
			return
		}
		v, err := FromJSON(raw, ty)
		if err != nil {
			checkFuzzError(t, err)
			return
		}
		if ty.Kind == Unknown {
			if v, ty, err = InferJSON(raw); err != nil {
				t.Fatal(err)
			}
		}
		again, err := FromJSON(AppendJSON(nil, v, ty), ty)
		if err != nil || !Identical(again, v, Options{}) {
			t.Fatalf("%s as %s reads back as %s, %v", AppendJSON(nil, v, ty), ty, SQL(again, ty), err)
		}
	})
}

func FuzzCast(f *testing.F) {
	for _, s := range []string{"1e-400", "1e400", "0.00000000000000000000000000000000000000000000001", "9999.995", "true", "-1-1"} {
		f.Add(s, "decimal(6,2)")
		f.Add(s, "decimal")
		f.Add(s, "real")
	}
	f.Fuzz(func(t *testing.T, s, name string) {
		ty, err := ParseType(name)
		if err != nil || !CastAllowed(TypeVarchar, ty) {
			return
		}
		v, err := Cast(String(s), TypeVarchar, ty)
		if err != nil {
			checkFuzzError(t, err)
			return
		}
		if v.IsNull() || ty.Kind == Unknown {
			return
		}
		again, err := Cast(String(Format(v, ty)), TypeVarchar, ty)
		if err != nil || !Identical(again, v, Options{}) {
			t.Fatalf("%s as %s reads back as %s, %v", SQL(v, ty), ty, SQL(again, ty), err)
		}
	})
}
