package scalar

import (
	"math"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// aggregate runs a function over rows: each row is a list of SQL texts
// separated by |, one for each type.
func aggregate(t *testing.T, name string, types, rows []string, o value.Options, distinct bool) (string, error) {
	t.Helper()
	fn, ok := LookupAggregate(name)
	if !ok {
		t.Fatalf("%s is not known", name)
	}
	f := columns(t)
	var args []value.Type
	for _, text := range types {
		typ, err := value.ParseType(text)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, typ)
	}
	result, err := fn.ResultType(args, o)
	if err != nil {
		return "", err
	}
	acc := fn.New(args, o)
	if distinct {
		acc = Distinct(acc, o)
	}
	reused := make([]value.Value, len(args))
	for _, text := range rows {
		for i, part := range strings.Split(text, "|")[:len(args)] {
			e, err := f.bind(part)
			if err != nil {
				t.Fatal(err)
			}
			v, err := e.Eval(f.row)
			if err == nil {
				v, err = value.Cast(v, e.Type(), args[i])
			}
			if err != nil {
				t.Fatal(err)
			}
			reused[i] = v
		}
		if err := acc.Add(reused); err != nil {
			return "", err
		}
	}
	v, err := acc.Result()
	if err != nil {
		return "", err
	}
	return value.Format(v, result) + " " + result.String(), nil
}

type aggregateCase struct {
	name, types, rows, want string // types and rows are separated by blanks or by ;
}

func (c aggregateCase) run(t *testing.T, o value.Options, distinct bool) {
	t.Helper()
	var types, rows []string
	if c.types != "" {
		types = strings.Split(c.types, ";")
	}
	if c.rows != "" {
		rows = strings.Split(c.rows, ";")
	}
	got, err := aggregate(t, c.name, types, rows, o, distinct)
	if want, ok := strings.CutPrefix(c.want, "!"); ok {
		checkError(t, c.name+" "+c.rows, err, want)
		return
	}
	if err != nil || got != c.want {
		t.Errorf("%s(%s) of %s = %s %v, want %s", c.name, c.types, c.rows, got, err, c.want)
	}
}

// AGG-3: of the empty set, and of NULLs only, COUNT is 0 and the others are
// NULL. ARRAY_AGG keeps NULLs.
func TestAggregatesOfNothing(t *testing.T) {
	for name, fn := range aggregates {
		types := map[string]string{"EVERY": "boolean", "BOOL_AND": "boolean", "ANY": "boolean", "SOME": "boolean", "BOOL_OR": "boolean",
			"COUNT_IF": "boolean", "LISTAGG": "varchar", "STRING_AGG": "varchar"}[name]
		if types == "" {
			types = "integer"
		}
		if fn.MinArgs == 2 {
			types += ";" + types
		}
		for _, rows := range []string{"", "NULL|NULL"} {
			got, err := aggregate(t, name, strings.Split(types, ";"), strings.FieldsFunc(rows, func(r rune) bool { return r == ';' }), value.Options{}, false)
			want := "NULL "
			switch {
			case strings.HasPrefix(name, "COUNT") || name == "REGR_COUNT":
				want = "0 bigint"
			case name == "ARRAY_AGG" && rows != "":
				want = "[NULL] "
			}
			if err != nil || !strings.HasPrefix(got, want) {
				t.Errorf("%s of [%s] = %s %v, want %s", name, rows, got, err, want)
			}
		}
	}
}

// TYPE-4, IMP-AVG: types and values of COUNT, SUM, AVG, MIN, MAX; NULLs are ignored.
func TestR010Aggregates(t *testing.T) {
	for _, c := range []aggregateCase{
		{"COUNT", "", "1;2;3", "3 bigint"},
		{"COUNT", "integer", "1;NULL;3", "2 bigint"},
		{"SUM", "smallint", "1;NULL;3", "4 bigint"},
		{"SUM", "integer", "2147483647;2147483647", "4294967294 bigint"},
		{"SUM", "bigint", "9223372036854775807;-1;1", "9223372036854775807 bigint"},
		{"SUM", "bigint", "9223372036854775807;9223372036854775807;-9223372036854775807", "9223372036854775807 bigint"},
		{"SUM", "bigint", "-9223372036854775807;-1", "-9223372036854775808 bigint"},
		{"SUM", "bigint", "9223372036854775807;1", "!EVAL-1 22003"},
		{"SUM", "bigint", "-9223372036854775807;-2", "!EVAL-1 22003"},
		{"SUM", "decimal(5,2)", "1.10;2.25;-0.35", "3.00 decimal(38,2)"},
		{"SUM", "decimal(38,0)", "99999999999999999999999999999999999999;-1", "99999999999999999999999999999999999998 decimal(38,0)"},
		{"SUM", "decimal(38,0)", "99999999999999999999999999999999999999;1;-5", "99999999999999999999999999999999999995 decimal(38,0)"},
		{"SUM", "decimal(38,0)", "99999999999999999999999999999999999999;1", "!EVAL-1 22003"},
		{"SUM", "decimal", "0.1;0.02;3;1e2", "103.12 decimal"},
		{"SUM", "decimal", "0.5;-0.5;0.25", "0.25 decimal"},
		{"SUM", "decimal", "1000000000000000000000000000000;0.001;0.01;0.1", "1000000000000000000000000000000.111 decimal"},
		{"SUM", "decimal", "0.001;-0.01;0.0001;5", "4.9911 decimal"},
		{"SUM", "decimal", "12345678901234567890123456789012345678;0.5", "12345678901234567890123456789012345679 decimal"}, // 38 digits, half up
		{"AVG", "decimal", "1000000000000000000000000000000;0.5", "500000000000000000000000000000.25 decimal"},
		{"SUM", "double", "0.5e0;NULL;0.25e0", "0.75 double precision"},
		{"SUM", "double", "1e308;1e308", "!EVAL-1 22003"},
		{"SUM", "double", "CAST('NaN' AS double);1", "NaN double precision"},
		{"SUM", "interval day to second", "INTERVAL '1' DAY;INTERVAL '12' HOUR", "1 12:00:00 interval day to second"},
		{"SUM", "interval year to month", "INTERVAL '1' YEAR;INTERVAL '-2' MONTH", "0-10 interval year to month"},
		{"SUM", "varchar", "", "!TYPE-1 42000"},
		{"SUM", "date", "", "!TYPE-1 42000"},
		{"AVG", "integer", "1;2", "1.5 decimal"},
		{"AVG", "integer", "1;2;NULL;2", "1.6666666666666666666666666666666666667 decimal"},
		{"AVG", "integer", "-1;0;0", "-0.33333333333333333333333333333333333333 decimal"},
		{"AVG", "integer", "60;49;40;35;45", "45.8 decimal"}, // chapter 16, item 1
		{"AVG", "bigint", "9223372036854775807;9223372036854775807", "9223372036854775807 decimal"},
		{"AVG", "decimal(5,2)", "1.10;1.13", "1.115 decimal"},
		{"AVG", "decimal(38,0)", "99999999999999999999999999999999999999;99999999999999999999999999999999999997", "99999999999999999999999999999999999998 decimal"},
		{"AVG", "double", "1;2", "1.5 double precision"},
		{"AVG", "real", "1;2", "1.5 double precision"},
		{"AVG", "interval day to second", "INTERVAL '1' DAY;INTERVAL '2' DAY", "1 12:00:00 interval day to second"},
		{"MIN", "integer", "3;NULL;1;2", "1 integer"},
		{"MAX", "decimal(5,2)", "3.1;2.25", "3.10 decimal(5,2)"},
		{"MAX", "double", "3;CAST('NaN' AS double);4", "NaN double precision"}, // TYPE-5
		{"MIN", "double", "CAST('NaN' AS double);4", "4 double precision"},
		{"MIN", "varchar", "'b';'a';'B'", "B varchar"},
		{"MAX", "boolean", "FALSE;TRUE", "true boolean"}, // TYPE-8
		{"MIN", "date", "DATE '2026-01-02';DATE '2026-01-01'", "2026-01-01 date"},
	} {
		c.run(t, value.Options{}, false)
	}
}

// IMP-AVG: the alternatives double and argument, the latter rounded half up.
func TestAvgReadings(t *testing.T) {
	for _, c := range []aggregateCase{
		{"AVG", "integer", "1;2", "1.5 double precision"},
		{"AVG", "integer", "1;1;2", "1.3333333333333333 double precision"},
		{"AVG", "decimal(5,2)", "0.10;0.20", "0.15 double precision"},
	} {
		c.run(t, value.Options{Avg: value.AvgDouble}, false)
	}
	for _, c := range []aggregateCase{
		{"AVG", "integer", "1;2", "2 integer"},
		{"AVG", "integer", "-1;-2", "-2 integer"},
		{"AVG", "integer", "1;1;2", "1 integer"},
		{"AVG", "smallint", "32767;32767", "32767 smallint"},
		{"AVG", "decimal(5,2)", "0.01;0.02", "0.02 decimal(5,2)"},
		{"AVG", "decimal(5,2)", "-0.01;-0.02", "-0.02 decimal(5,2)"},
		{"AVG", "double", "1;2", "1.5 double precision"},
	} {
		c.run(t, value.Options{Avg: value.AvgArgument}, false)
	}
}

// R030 (AGG-1).
func TestR030Aggregates(t *testing.T) {
	for _, c := range []aggregateCase{
		{"COUNT_IF", "boolean", "TRUE;FALSE;NULL;TRUE", "2 bigint"},
		{"EVERY", "boolean", "TRUE;NULL;TRUE", "true boolean"},
		{"BOOL_AND", "boolean", "TRUE;NULL;FALSE", "false boolean"},
		{"ANY", "boolean", "FALSE;NULL", "false boolean"},
		{"SOME", "boolean", "FALSE;NULL;TRUE", "true boolean"},
		{"BOOL_OR", "boolean", "FALSE;FALSE", "false boolean"},
		{"EVERY", "integer", "", "!TYPE-1 42000"},
		{"ARRAY_AGG", "integer", "3;NULL;1", "[3, NULL, 1] integer array"},
		{"LISTAGG", "varchar;varchar", "'a'|', ';NULL|', ';'b'|', '", "a, b varchar"},
		{"LISTAGG", "varchar", "'a';'b'", "ab varchar"},
		{"LISTAGG", "varchar;varchar", "'a'|NULL;'b'|NULL", "ab varchar"},
		{"LISTAGG", "char(2)", "'a';'b'", "a b  varchar"},
		{"STRING_AGG", "varchar;varchar", "''|'-';'b'|'-'", "-b varchar"},
		{"LISTAGG", "integer", "", "!TYPE-1 42000"},
		{"LISTAGG", "varchar;varchar;varchar", "", "!TYPE-1 42000"},
		{"MAX_BY", "varchar;integer", "'a'|1;'b'|3;'c'|3;'d'|NULL", "b varchar"},
		{"MIN_BY", "varchar;integer", "'a'|2;NULL|1;'c'|3", "NULL varchar"},
		{"ANY_VALUE", "integer", "NULL;5;6", "5 integer"},
		{"ARBITRARY", "integer", "5;6", "5 integer"},
		{"VAR_POP", "integer", "2;4;4;4;5;5;7;9", "4 double precision"},
		{"STDDEV_POP", "integer", "2;4;4;4;5;5;7;9", "2 double precision"},
		{"VAR_SAMP", "integer", "1;2;3;4", "1.6666666666666667 double precision"},
		{"VARIANCE", "decimal(5,2)", "1.10;1.30", "0.02 double precision"},
		{"STDDEV", "decimal(5,2)", "1.10;NULL;1.30", "0.1414213562373095 double precision"}, // 0.1 * root 2 = 0.14142135623730950488
		{"VAR_SAMP", "integer", "5", "NULL double precision"},
		{"STDDEV_SAMP", "integer", "5", "NULL double precision"},
		{"VAR_POP", "integer", "5", "0 double precision"},
		{"VAR_POP", "bigint", "9223372036854775807;9223372036854775805", "1 double precision"},
		{"VAR_POP", "double", "1e15;1000000000000002e0", "1 double precision"},
		{"VAR_SAMP", "double", "0.5e0;-0.5e0;0", "0.25 double precision"},
		{"VAR_POP", "double", "CAST('Infinity' AS double);1", "NaN double precision"},
		{"COVAR_POP", "integer;integer", "1|2;2|4;3|6", "1.3333333333333333 double precision"},
		{"COVAR_SAMP", "integer;integer", "1|2;2|4;3|6;NULL|9;9|NULL", "2 double precision"},
		{"COVAR_SAMP", "integer;integer", "1|2", "NULL double precision"},
		{"CORR", "integer;integer", "1|2;2|4;3|6", "1 double precision"},
		{"CORR", "double;integer", "1|-2;2|-4;3|-6", "-1 double precision"},
		{"CORR", "integer;integer", "1|2;1|4", "NULL double precision"},
		{"CORR", "double;integer", "CAST('NaN' AS double)|2;1|4", "NaN double precision"},
		{"VAR_POP", "decimal", "0.5;2;1e1;0.25", "15.91796875 double precision"},                                   // 104.3125 / 4 - 3.1875^2
		{"COVAR_POP", "decimal;double", "0.5|0.5e0;2|0.25e0;10|0.125e0;0.25|4e0", "-3.134765625 double precision"}, // 3 / 4 - 3.1875 * 1.21875
		{"REGR_R2", "integer;integer", "1|1;1|2;1|3", "1 double precision"},
		{"REGR_R2", "integer;integer", "1|1;2|1", "NULL double precision"},
		{"REGR_SLOPE", "integer;integer", "1|1;2|1", "NULL double precision"},
		{"REGR_SLOPE", "integer;integer", "5|1;7|2;9|3", "2 double precision"},
		{"REGR_INTERCEPT", "decimal(4,1);double", "5.5|1;7.5|2;9.5|3", "3.5 double precision"},
		{"REGR_R2", "integer;integer", "1|1;2|2;1|3", "0 double precision"},
		{"REGR_COUNT", "integer;integer", "1|1;2|NULL", "1 bigint"},
	} {
		c.run(t, value.Options{}, false)
	}
}

// AGG-6: DISTINCT works on the values; NULLs count as the function says.
func TestDistinct(t *testing.T) {
	for _, c := range []aggregateCase{
		{"COUNT", "integer", "1;1;NULL;2;NULL", "2 bigint"},
		{"SUM", "integer", "1;1;2", "3 bigint"},
		{"AVG", "decimal(3,1)", "1.0;1.0;2.0", "1.5 decimal"},
		{"SUM", "decimal", "1.0;1.00;2", "3 decimal"},
		{"ARRAY_AGG", "varchar", "'b';NULL;'a';'b';NULL", "[b, NULL, a] varchar array"},
		{"LISTAGG", "varchar;varchar", "'b'|',';'b'|',';'a'|','", "b,a varchar"},
		{"COUNT", "double", "0;-0e0;CAST('NaN' AS double);CAST('NaN' AS double)", "2 bigint"},
	} {
		c.run(t, value.Options{}, true)
	}
	// IMP-STRINGS=padspace: 'a' and 'a ' are one value.
	aggregateCase{"COUNT", "varchar", "'a';'a ';'b'", "2 bigint"}.run(t, value.Options{PadSpace: true}, true)
}

// Results can be asked for again while rows are added, as a running aggregate is.
func TestRunningResult(t *testing.T) {
	for name, want := range map[string][3]string{
		"SUM": {"7", "16", "26"}, "AVG": {"7", "8", "8.6666666666666666666666666666666666667"}, "COUNT": {"1", "2", "3"},
		"ARRAY_AGG": {"[7]", "[7, 9]", "[7, 9, 10]"}, "VAR_POP": {"0", "1", "1.5555555555555556"},
	} {
		fn, _ := LookupAggregate(name)
		args := []value.Type{value.TypeInteger}
		result, err := fn.ResultType(args, value.Options{})
		if err != nil {
			t.Fatal(err)
		}
		acc := fn.New(args, value.Options{})
		for i, n := range []int64{7, 9, 10} {
			if err := acc.Add([]value.Value{value.Int(n)}); err != nil {
				t.Fatal(err)
			}
			v, err := acc.Result()
			if err != nil || value.Format(v, result) != want[i] {
				t.Errorf("%s after %d rows = %s %v, want %s", name, i+1, value.Format(v, result), err, want[i])
			}
		}
	}
}

// The variance of doubles is the double nearest to the exact one, whatever the
// order and size of the values.
func TestVarianceIsExact(t *testing.T) {
	fn, _ := LookupAggregate("VAR_POP")
	args := []value.Type{value.TypeDouble}
	for _, order := range [][]float64{{1e9, 1e9 + 1, 1e9 + 2, 5e-324}, {5e-324, 1e9 + 2, 1e9, 1e9 + 1}} {
		acc := fn.New(args, value.Options{})
		for _, x := range order {
			if err := acc.Add([]value.Value{value.Float(x)}); err != nil {
				t.Fatal(err)
			}
		}
		// Sum 3e9+3, squares 3e18+6e9+5 (5e-324 vanishes): (4*squares - sum^2)/16
		// = (3e18 + 6e9 + 11)/16 = 187500000375000000.6875.
		v, err := acc.Result()
		if want := 187500000375000000.6875; err != nil || v.AsFloat() != want {
			t.Errorf("variance %v %v, want %v", v.AsFloat(), err, want)
		}
	}
	acc := fn.New(args, value.Options{})
	for _, x := range []float64{math.MaxFloat64, -math.MaxFloat64} {
		if err := acc.Add([]value.Value{value.Float(x)}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := acc.Result()
	checkError(t, "the variance of the largest doubles", err, "EVAL-1 22003")
}
