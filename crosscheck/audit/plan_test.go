package audit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle/trino"
)

// Several recognitions are audited one by one: of a union, of an item of WITH,
// and one inside another.
func TestSeveralRecognitions(t *testing.T) {
	s := newServer(t, "1", ticks...)
	plain := strings.Replace(nullable, "(UP? | LOW)*", "(UP | LOW)*", 1)
	for sql, want := range map[string]string{
		nullable + " UNION ALL " + plain:                                        "4/1 4/0",
		"WITH a AS (" + plain + "), b AS (" + nullable + ") SELECT * FROM a, b": "4/0 4/1",
		// The outer one sees four rows with n 2, 3, 2, 2.
		"SELECT * FROM (SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS price > 0)) AS t " +
			"MATCH_RECOGNIZE (PARTITION BY n ORDER BY sym MEASURES LAST(sym) AS s PATTERN (B+) DEFINE B AS n > 0) AS m": "4/0 2/0",
	} {
		list, err := Run(t.Context(), connect(t, s, trino.Options{}), sql, Options{Matcher: reference.Engine{}})
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		}
		var got []string
		for _, r := range list {
			got = append(got, fmt.Sprintf("%d/%d", r.Partitions, len(r.Differences)))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: partitions/differences %s, want %s", sql, strings.Join(got, " "), want)
		}
	}
}

// The server finds columns whatever the case of their names, in quotes or not,
// and answers names without case.
func TestNamesWithoutCase(t *testing.T) {
	s := newServer(t, "", ticks...)
	// What this server lacks, the server of the test adds: quoted columns.
	p := planOf(t, `SELECT * FROM ticks AS t MATCH_RECOGNIZE (PARTITION BY t."Sym" ORDER BY "day" MEASURES LAST("a.b"."price") AS "topPrice", 'x"sym"' AS q PATTERN ("a.b"+) DEFINE "a.b" AS "PRICE" > 0) AS m`, 1)
	a := &auditor{ctx: t.Context(), plan: p, report: &Report{}}
	in := shapeOf([]trino.Column{{Name: "sym", Type: "varchar"}, {Name: "day", Type: "bigint"}, {Name: "price", Type: "bigint"}})
	if err := a.bind(in); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(a.text, `'x"sym"'`) || !strings.Contains(a.text, `"a.b"."PRICE"`) {
		t.Errorf("bound as %s", a.text)
	}
	if got := strings.Join(p.keyNames(), " ") + " " + strings.Join(p.names(), " "); got != `SYM "Sym" ASC NULLS LAST` {
		t.Errorf("keys %s", got)
	}
	r, err := run(t, s, `SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY day MEASURES MAX(price) AS "topPrice" PATTERN (A+) DEFINE A AS price > 0) AS m`, Options{})
	if err != nil || len(r.Differences) != 0 || r.Partitions != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Columns whose types have no counterpart can be passed on, and are not computed
// with.
func TestTypesWithoutCounterpart(t *testing.T) {
	in := shapeOf([]trino.Column{{Name: "sym", Type: "uuid"}, {Name: "at", Type: "timestamp(3) with time zone"}, {Name: "x", Type: "bigint"}})
	for body, want := range map[string]string{
		"PARTITION BY sym ORDER BY x MEASURES LAST(at) AS l, A.sym AS s PATTERN (A) DEFINE A AS x > 0":          "",
		"PARTITION BY sym ORDER BY at MEASURES 1 AS one PATTERN (A) DEFINE A AS x > 0":                          "ORDER BY has column AT",
		"PARTITION BY at ORDER BY x MEASURES 1 AS one PATTERN (A) DEFINE A AS x > 0":                            "PARTITION BY has column AT",
		"ORDER BY x MEASURES 1 AS one PATTERN (A) DEFINE A AS at > PREV(at)":                                    "computes with column AT",
		"ORDER BY x MEASURES MAX(at) AS m PATTERN (A) DEFINE A AS x > 0":                                        "computes with column AT",
		"ORDER BY x MEASURES LAST(CASE WHEN x > 1 THEN at END) AS m PATTERN (A) DEFINE A AS x > 0":              "computes with column AT",
		"PARTITION BY sym ORDER BY x MEASURES PREV(at) AS p, FINAL LAST(at) AS l PATTERN (A) DEFINE A AS x > 0": "",
	} {
		a := &auditor{ctx: t.Context(), plan: planOf(t, "SELECT * FROM t MATCH_RECOGNIZE ("+body+") AS m", 1), report: &Report{}}
		err := a.bind(in)
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %v, not %q", body, err, want)
		}
	}
}

// Many differing partitions are read again many at a time, and each is reported.
func TestManyDifferences(t *testing.T) {
	var rows []string
	for i := range 450 {
		low := 90
		if i%2 == 0 {
			low = 5
		}
		rows = append(rows, fmt.Sprintf("'s%03d' 1 %d", i, low), fmt.Sprintf("'s%03d' 2 90", i))
	}
	s := newServer(t, "1", rows...)
	r, err := run(t, s, nullable, Options{})
	if err != nil || r.Partitions != 450 || len(r.Differences) != 225 || r.Moving != 0 {
		t.Fatalf("%d of %d partitions differ, %d move, %v", len(r.Differences), r.Partitions, r.Moving, err)
	}
	for i, d := range r.Differences {
		if want := fmt.Sprintf(`"s%03d"`, 2*i); d.Key != want || d.Expected != 2 || d.Got != 1 || (len(d.Missing) > 0) != (i < DefaultMaxReports) {
			t.Errorf("difference %d: %+v", i, d)
		}
	}
	if len(s.sent) != 2+2*2 {
		t.Errorf("%d statements, not two for each reading of at most %d partitions", len(s.sent), suspectsAtOnce)
	}
}

// A partition of the result for which there is no input moves, or differs if it
// is so again; the partitions behind it are compared all the same.
func TestPartitionsOfTheResultAlone(t *testing.T) {
	sql := "SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS price > 0) AS m"
	for _, always := range []bool{false, true} {
		s := newServer(t, "", "'a' 1 1", "'c' 1 1", "'d' 1 1")
		s.change = func(n int, p map[string]any) {
			wrong := []json.RawMessage{json.RawMessage(`"b"`), json.RawMessage(`7`)}
			rows := p["data"].([][]json.RawMessage)
			switch {
			case n == 1: // behind a
				p["data"] = append([][]json.RawMessage{rows[0], wrong}, rows[1:]...)
			case n == 3 && always:
				p["data"] = [][]json.RawMessage{wrong}
			}
		}
		r, err := run(t, s, sql, Options{})
		if err != nil || r.Rows != 3 || r.Partitions != 4 {
			t.Fatalf("%+v, %v", r, err)
		}
		if always && (len(r.Differences) != 1 || r.Differences[0].Key != `"b"` || r.Differences[0].Rows != 0 || r.Moving != 0) {
			t.Errorf("rows without input on both readings: %+v", r)
		}
		if !always && (len(r.Differences) != 0 || r.Moving != 1) {
			t.Errorf("rows without input on one reading: %+v", r)
		}
	}
}
