package audit

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle/trino"
)

// live starts a Trino with the memory connector, where RPRCHECK_LIVE=1 asks for it.
func live(t *testing.T) *trino.Oracle {
	t.Helper()
	if os.Getenv("RPRCHECK_LIVE") == "" {
		t.Skip("no live server: set RPRCHECK_LIVE=1 to start one")
	}
	o, err := trino.New("trino:jvm", trino.Options{Memory: true, Catalog: "memory", Schema: "default", Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o
}

// do runs a statement, and returns the first column of its result.
func do(t *testing.T, o *trino.Oracle, sql string) []string {
	t.Helper()
	rows, err := o.Rows(t.Context(), sql, time.Minute)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	var out []string
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		out = append(out, string(row[0]))
	}
}

// A million rows, 10,000 partitions of 100. In those whose number ends in 007
// row 50 is LOW, in those that end in 500 it is neither UP nor LOW; all others
// are UP. Only on a LOW row does an empty iteration of (UP? | LOW)* have a less
// preferred branch behind it (PREF-8). Which partitions these are is asked of the
// server by a condition on single rows, without any pattern.
func TestLiveMillionRows(t *testing.T) {
	o := live(t)
	do(t, o, `CREATE TABLE ticks AS SELECT 'S' || lpad(CAST(k / 100 AS varchar), 5, '0') AS sym, k % 100 AS day,
	  CASE WHEN k % 100 = 50 AND (k / 100) % 1000 = 7 THEN 5 WHEN k % 100 = 50 AND (k / 100) % 1000 = 500 THEN 20 ELSE 60 + mod(k * 7919, 40) END AS price
	FROM UNNEST(sequence(0, 999)) AS a(x) CROSS JOIN UNNEST(sequence(0, 999)) AS b(y) CROSS JOIN LATERAL (VALUES x * 1000 + y) AS c(k)`)
	want := do(t, o, "SELECT DISTINCT sym FROM ticks WHERE price < 10 ORDER BY sym")
	if len(want) != 10 || want[3] != `"S03007"` {
		t.Fatalf("the table is not what it is meant to be: %v", want)
	}
	for _, tt := range []struct {
		pattern string
		want    []string
	}{
		{"(UP? | LOW)*", want},
		{"(UP | LOW)*", nil},
	} {
		sql := "SELECT sym, n FROM ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY day MEASURES COUNT(*) AS n, MAX(price) AS high " +
			"PATTERN (" + tt.pattern + ") DEFINE UP AS price > 50, LOW AS price < 10) AS m WHERE n > 3"
		begin := time.Now()
		list, err := Run(t.Context(), o, sql, Options{Matcher: nfa.Engine{Fallback: reference.Engine{}}, Confirm: reference.Engine{}})
		if err != nil {
			t.Fatal(err)
		}
		r := list[0]
		var got []string
		for _, d := range r.Differences {
			got = append(got, d.Key)
		}
		t.Logf("%s: %d rows in %v", tt.pattern, r.Rows, time.Since(begin).Round(100*time.Millisecond))
		if r.Partitions != 10_000 || r.Rows != 1_000_000 || r.Skipped != 0 || r.Moving != 0 || r.Tied != 0 {
			t.Errorf("%s: %d partitions, %d rows, %d not audited, %d move, %d tied", tt.pattern, r.Partitions, r.Rows, r.Skipped, r.Moving, r.Tied)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: partitions %s differ, not %s", tt.pattern, strings.Join(got, " "), strings.Join(tt.want, " "))
		}
	}
	// A sample takes whole partitions, about as many as it says.
	list, err := Run(t.Context(), o, "SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY day MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS price > 0) AS m",
		Options{Matcher: nfa.Engine{Fallback: reference.Engine{}}, Sample: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if r := list[0]; r.Rows != 100*int64(r.Partitions) || r.Partitions < 400 || r.Partitions > 600 || len(r.Differences) != 0 {
		t.Errorf("a sample of 5%%: %d partitions, %d rows", r.Partitions, r.Rows)
	}
}

// Keys of every type are told apart, read again and shown; an honest query does
// not differ on them.
func TestLiveTypesOfKeys(t *testing.T) {
	o := live(t)
	do(t, o, `CREATE TABLE keys AS SELECT * FROM (VALUES
	  (1, 60, 'it''s', DECIMAL '1.50', DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.456', CAST('NaN' AS double), true, X'00ff', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', ARRAY[1, 2], TIMESTAMP '2020-01-31 01:02:03.456 Europe/Berlin', CAST('ab' AS char(4))),
	  (2, 5, 'it''s', DECIMAL '1.50', DATE '2020-01-31', TIMESTAMP '2020-01-31 01:02:03.456', CAST('NaN' AS double), true, X'00ff', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', ARRAY[1, 2], TIMESTAMP '2020-01-31 01:02:03.456 Europe/Berlin', CAST('ab' AS char(4))),
	  (3, 60, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	  (4, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	  (5, 60, 'b', DECIMAL '-1.00', DATE '1960-01-01', TIMESTAMP '1960-01-01 00:00:00.001', -0.0, false, X'', UUID '02151fd2-7586-11e9-8f9e-2a86e4085a59', ARRAY[], TIMESTAMP '1960-01-01 00:00:00 UTC', CAST('' AS char(4)))
	) AS t (id, price, s, d, da, ts, dou, b, bin, u, arr, tz, ch)`)
	for _, key := range []string{"s", "d", "da", "ts", "dou", "b", "bin", "u", "ch", "s, d", "da, u, b"} {
		sql := fmt.Sprintf("SELECT * FROM keys MATCH_RECOGNIZE (PARTITION BY %s ORDER BY id MEASURES COUNT(*) AS n, LAST(tz) AS z, LAST(arr) AS a "+
			"PATTERN ((UP? | LOW)*) DEFINE UP AS price > 50, LOW AS price < 10) AS m", key)
		list, err := Run(t.Context(), o, sql, Options{Matcher: reference.Engine{}})
		if err != nil {
			t.Errorf("by %s: %v", key, err)
			continue
		}
		if r := list[0]; r.Partitions != 3 || len(r.Differences) != 2 || r.Moving != 0 || r.Skipped != 0 {
			t.Errorf("by %s: %+v", key, r)
		}
	}
}
