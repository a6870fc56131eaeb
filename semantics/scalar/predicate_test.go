package scalar

import "testing"

// DEF-5: the truth tables of three-valued logic.
func TestThreeValuedLogic(t *testing.T) {
	f := columns(t)
	var cases [][2]string
	add := func(text, want string) {
		if want == "" {
			want = "NULL"
		}
		cases = append(cases, [2]string{text, want + " boolean"})
	}
	for i, x := range []string{"T", "F", "U"} {
		for j, y := range []string{"T", "F", "U"} {
			add(x+" AND "+y, [3][3]string{{"true", "false", ""}, {"false", "false", "false"}, {"", "false", ""}}[i][j])
			add(x+" OR "+y, [3][3]string{{"true", "true", "true"}, {"true", "false", ""}, {"true", "", ""}}[i][j])
			add(x+" = "+y, [3][3]string{{"true", "false", ""}, {"false", "true", ""}, {"", "", ""}}[i][j])
			add(x+" IS DISTINCT FROM "+y, [3][3]string{{"false", "true", "true"}, {"true", "false", "true"}, {"true", "true", "false"}}[i][j])
			add(x+" IS NOT DISTINCT FROM "+y, [3][3]string{{"true", "false", "false"}, {"false", "true", "false"}, {"false", "false", "true"}}[i][j])
		}
		add("NOT "+x, [3]string{"false", "true", ""}[i])
		add(x+" IS TRUE", [3]string{"true", "false", "false"}[i])
		add(x+" IS FALSE", [3]string{"false", "true", "false"}[i])
		add(x+" IS UNKNOWN", [3]string{"false", "false", "true"}[i])
		add(x+" IS NOT TRUE", [3]string{"false", "true", "true"}[i])
		add(x+" IS NOT FALSE", [3]string{"true", "false", "true"}[i])
		add(x+" IS NOT UNKNOWN", [3]string{"true", "true", "false"}[i])
		add(x+" IS NULL", [3]string{"false", "false", "true"}[i])
		add(x+" IS NOT NULL", [3]string{"true", "true", "false"}[i])
	}
	f.run(t, cases)
}

// DEF-15: AND and OR go from left to right and stop when determined; CASE,
// COALESCE, NULLIF and IF evaluate what they need.
func TestLazyEvaluation(t *testing.T) {
	columns(t).run(t, [][2]string{
		{"F AND 1 / 0 = 1", "false boolean"},
		{"T OR 1 / 0 = 1", "true boolean"},
		{"T AND F AND 1 / 0 = 1", "false boolean"},
		{"U AND 1 / 0 = 1", "!EVAL-1 22012 1:9"},
		{"U OR 1 / 0 = 1", "!EVAL-1 22012 1:8"},
		{"1 / 0 = 1 AND F", "!EVAL-1 22012 1:3"},
		{"CASE WHEN T THEN 1 ELSE 1 / 0 END", "1 integer"},
		{"CASE WHEN U THEN 1 / 0 WHEN F THEN 1 / 0 ELSE 2 END", "2 integer"},
		{"CASE WHEN U THEN 1 END", "NULL integer"},
		{"CASE I WHEN 1 THEN 1 / 0 WHEN 42 THEN 5 WHEN 1 / 0 THEN 6 END", "5 integer"},
		{"CASE N WHEN NULL THEN 1 ELSE 2 END", "2 integer"},
		{"COALESCE(I, 1 / 0)", "42 integer"},
		{"COALESCE(N, NULL, 7, 1 / 0)", "7 integer"},
		{"COALESCE(N, NULL)", "NULL integer"},
		{"IF(T, 1, 1 / 0)", "1 integer"},
		{"IF(U, 1 / 0, 2)", "2 integer"},
		{"IF(F, 1 / 0)", "NULL integer"},
		{"NULLIF(N, 1 / 0)", "NULL integer"},
		{"NULLIF(I, 42)", "NULL integer"},
		{"NULLIF(I, 42.0)", "NULL integer"},
		{"NULLIF(I, N)", "42 integer"},
		{"I BETWEEN 50 AND 1 / 0", "false boolean"},
		{"I BETWEEN 40 AND 1 / 0", "!EVAL-1 22012 1:20"},
		{"I IN (42, 1 / 0)", "true boolean"},
		{"I IN (41, 1 / 0)", "!EVAL-1 22012 1:13"},
	})
}

// BETWEEN, IN by definition, with NULLs.
func TestPredicatesWithNull(t *testing.T) {
	columns(t).run(t, [][2]string{
		{"I BETWEEN 42 AND 42", "true boolean"},
		{"I BETWEEN 43 AND 41", "false boolean"},
		{"I NOT BETWEEN 43 AND 50", "true boolean"},
		{"I BETWEEN N AND 50", "NULL boolean"},
		{"I BETWEEN N AND 41", "false boolean"},
		{"I BETWEEN 43 AND N", "false boolean"},
		{"I NOT BETWEEN 43 AND N", "true boolean"},
		{"N BETWEEN 1 AND 2", "NULL boolean"},
		{"I IN (1, 42)", "true boolean"},
		{"I IN (1, N)", "NULL boolean"},
		{"I IN (N, 42)", "true boolean"},
		{"I NOT IN (1, N)", "NULL boolean"},
		{"I NOT IN (1, 2)", "true boolean"},
		{"N IN (1)", "NULL boolean"},
		{"I = N", "NULL boolean"},
		{"I <> N", "NULL boolean"},
		{"N IS DISTINCT FROM 1", "true boolean"},
		{"NULL = NULL", "NULL boolean"},
		{"NULL IS NOT DISTINCT FROM NULL", "true boolean"},
		{"(I > 1) IS TRUE", "true boolean"},
		{"(I > N) IS UNKNOWN", "true boolean"},
	})
}

// TYPE-1, TYPE-5, TYPE-7, TYPE-8: what compares with what, and how.
func TestComparison(t *testing.T) {
	columns(t).run(t, [][2]string{
		{"I = 42.00", "true boolean"},
		{"I < 4.2001e1", "true boolean"},
		{"D > X", "true boolean"},
		{"D = 12.5", "true boolean"},
		{"B >= S", "true boolean"},
		{"99999999999999999999999999999999999999 > 99999999999999999999999999999999999998", "true boolean"},
		{"CAST('NaN' AS double) = CAST('NaN' AS double)", "true boolean"},
		{"CAST('NaN' AS double) > 1e300", "true boolean"},
		{"F < T", "true boolean"},
		{"V < 'abd'", "true boolean"},
		{"V <= 'abc'", "true boolean"},
		{"V <> 'abc '", "true boolean"}, // no padding of varchar (IMP-STRINGS)
		{"C = 'ab'", "true boolean"},    // char(5) compares without trailing blanks
		{"'Z' < 'a'", "true boolean"},   // code points
		{"DT = DATE '2026-03-15'", "true boolean"},
		{"DT < DATE '2026-03-16'", "true boolean"},
		{"TS - TIMESTAMP '2026-03-15 10:00:00' > INTERVAL '20' MINUTE", "true boolean"},
		{"TM > TIME '10:20:29.999'", "true boolean"},
		{"ARRAY[1, NULL] = ARRAY[1, 2]", "NULL boolean"},
		{"ARRAY[1, NULL] = ARRAY[2, NULL]", "false boolean"},
		{"A = ARRAY[1, 2, 3]", "true boolean"},
		{"DT = '2026-03-15'", "!TYPE-1 42000 1:4"},
		{"I = '42'", "!TYPE-1 42000 1:3"},
		{"V > 5", "!TYPE-1 42000 1:3"},
		{"T = 1", "!TYPE-1 42000 1:3"},
		{"DT = TS", "!TYPE-1 42000 1:4"},
		{"I BETWEEN 'a' AND 5", "!TYPE-1 42000 1:11"},
		{"I IN (1, 'x')", "!TYPE-1 42000 1:10"},
		{"NOT I", "!TYPE-1 42000 1:5"},
		{"T AND I", "!TYPE-1 42000 1:7"},
		{"I OR T", "!TYPE-1 42000 1:1"},
		{"I IS TRUE", "!TYPE-1 42000 1:1"},
		{"V IS DISTINCT FROM 1", "!TYPE-1 42000 1:3"},
	})
}

// The hint says how to write what was meant (TYPE-1).
func TestTypeHints(t *testing.T) {
	f := columns(t)
	for text, want := range map[string]string{
		"DT = '2026-03-15'":          "DATE '2026-03-15'",
		"'10:00:00' < TM":            "TIME '10:00:00'",
		"TS > '2026-03-15 00:00:00'": "TIMESTAMP '2026-03-15 00:00:00'",
		"I = '42'":                   "42 without quotes",
		"I = V":                      "CAST(V AS integer)",
		"NOT I":                      "I <> 0",
		"FLOR(X)":                    "FLOOR",
		"NVL(I, 1)":                  "COALESCE",
		"NOW()":                      "host variable",
		"SUMM(I)":                    "SUM",
	} {
		_, err := f.bind(text)
		if err == nil || !contains(hintOf(err), want) {
			t.Errorf("%s: %v, want a hint with %q", text, err, want)
		}
	}
}

// LIKE with NULL, escape and its errors 22019 and 22025.
func TestLike(t *testing.T) {
	columns(t).run(t, [][2]string{
		{"V LIKE 'abc'", "true boolean"},
		{"V LIKE 'ab'", "false boolean"},
		{"V LIKE 'a%'", "true boolean"},
		{"V LIKE '%c'", "true boolean"},
		{"V LIKE '%b%'", "true boolean"},
		{"V LIKE '%'", "true boolean"},
		{"V LIKE '___'", "true boolean"},
		{"V LIKE '__'", "false boolean"},
		{"V LIKE '____'", "false boolean"},
		{"V LIKE '%_%_%_%'", "true boolean"},
		{"V LIKE '%_%_%_%_%'", "false boolean"},
		{"V LIKE ''", "false boolean"},
		{"'' LIKE ''", "true boolean"},
		{"'' LIKE '%'", "true boolean"},
		{"'' LIKE '_'", "false boolean"},
		{"V NOT LIKE 'x%'", "true boolean"},
		{"V LIKE 'A%'", "false boolean"},
		{"'aXbXc' LIKE '%X%X%'", "true boolean"},
		{"'aXb' LIKE '%X%X%'", "false boolean"},
		{"'abab' LIKE 'ab%ab'", "true boolean"},
		{"'aba' LIKE 'ab%ba'", "false boolean"},
		{"'äöü' LIKE '_ö_'", "true boolean"},
		{"'xäö' LIKE '%_ö'", "true boolean"},
		{"'a%b' LIKE 'a#%b' ESCAPE '#'", "true boolean"},
		{"'axb' LIKE 'a#%b' ESCAPE '#'", "false boolean"},
		{"'a_b' LIKE 'a#_b' ESCAPE '#'", "true boolean"},
		{"'a#b' LIKE 'a##b' ESCAPE '#'", "true boolean"},
		{"'50%' LIKE '%%%' ESCAPE '%'", "!EVAL-1 22025 1:7"},
		{"'%' LIKE '%%' ESCAPE '%'", "true boolean"},
		{"'a\\%' LIKE 'a\\%'", "true boolean"}, // no escape character by default
		{"V LIKE 'a#bc' ESCAPE '#'", "!EVAL-1 22025 1:3"},
		{"V LIKE 'abc#' ESCAPE '#'", "!EVAL-1 22025 1:3"},
		{"V LIKE 'abc' ESCAPE '##'", "!EVAL-1 22019 1:3"},
		{"V LIKE 'abc' ESCAPE ''", "!EVAL-1 22019 1:3"},
		{"V LIKE 'abc' ESCAPE 'ä'", "true boolean"},
		{"NV LIKE 'a'", "NULL boolean"},
		{"V LIKE NV", "NULL boolean"},
		{"V LIKE 'abc' ESCAPE NV", "NULL boolean"},
		{"V NOT LIKE NV", "NULL boolean"},
		{"C LIKE 'ab'", "false boolean"}, // LIKE sees the blanks of char(5)
		{"C LIKE 'ab   '", "true boolean"},
		{"I LIKE '4%'", "!TYPE-1 42000 1:1"},
		{"V LIKE 1", "!TYPE-1 42000 1:8"},
	})
}
