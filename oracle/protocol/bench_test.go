package protocol_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/oracle/protocol"
)

// BenchmarkParseQuery reads a question with a table of 10,000 rows.
func BenchmarkParseQuery(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"op":"query","id":"q","sql":"SELECT 1","tables":[{"name":"t","columns":[{"name":"a","type":"bigint"},{"name":"b","type":"varchar"},{"name":"c","type":"decimal(10,2)"},{"name":"d","type":"date"}],"rows":[`)
	for i := range 10_000 {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `[%d,"A",1.50,"2026-11-30"]`, i)
	}
	text.WriteString(`]}]}`)
	line := []byte(text.String())
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := protocol.ParseQuestion(line); err != nil {
			b.Fatal(err)
		}
	}
}
