package query_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// BenchmarkQuery runs parts of the outer SQL over a million rows.
func BenchmarkQuery(b *testing.B) {
	const n = 1_000_000
	k, x := table.NewBuilder("K", value.TypeBigint), table.NewBuilder("X", value.TypeBigint)
	for i := range int64(n) {
		k.AppendInt64(i % 1000)
		x.AppendInt64(i * 7919 % 10_007)
	}
	big, err := table.New(k.Column(), x.Column())
	if err != nil {
		b.Fatal(err)
	}
	o := query.Options{Tables: func(string, bool) (*table.Table, bool, error) { return big, true, nil }}
	for _, sql := range []string{
		"SELECT * FROM big",
		"SELECT x FROM big WHERE k < 500",
		"SELECT x + 1 FROM big",
		"SELECT k, SUM(x), COUNT(*) FROM big GROUP BY k",
		"SELECT DISTINCT x FROM big",
		"SELECT x FROM big ORDER BY x, k DESC LIMIT 10",
	} {
		b.Run(strings.ReplaceAll(sql, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := query.Run(context.Background(), sql, o); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkParse parses a statement with a recognition, and a long VALUES.
func BenchmarkParse(b *testing.B) {
	long := "VALUES (0, 'a')" + strings.Repeat(", (12345, 'text')", 10_000)
	for name, sql := range map[string]string{"recognition": "SELECT m.* FROM t " + vShape + " AS m WHERE mn > 1", "values": long} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := query.Parse(sql, query.Options{}.Readings); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(len(sql)))
		})
	}
}
