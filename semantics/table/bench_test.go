package table

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// benchCSV is a file of about 50 MB: whole numbers, decimals, strings, dates
// and timestamps, some NULLs and some quoted fields.
var benchCSV = sync.OnceValue(func() []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString("id,symbol,price,volume,day,at,note\n")
	for i := 0; b.Len() < 50<<20; i++ {
		fmt.Fprintf(&b, "%d,%s,%d.%02d,%d,%04d-%02d-%02d,2026-01-%02d %02d:%02d:%02d,", i,
			[]string{"ACME", "GLOBEX", "INITECH", "HOOLI"}[rnd.IntN(4)],
			rnd.IntN(1000), rnd.IntN(100), rnd.IntN(1_000_000),
			2000+rnd.IntN(27), 1+rnd.IntN(12), 1+rnd.IntN(28),
			1+rnd.IntN(28), rnd.IntN(24), rnd.IntN(60), rnd.IntN(60))
		switch rnd.IntN(4) {
		case 0:
			b.WriteString("\"a note, quoted\"\n")
		case 1:
			b.WriteString("\n")
		default:
			b.WriteString("plain note\n")
		}
	}
	return b.Bytes()
})

// BenchmarkCSV holds the gate: own takes at most twice as long as
// encoding-csv.
func BenchmarkCSV(b *testing.B) {
	data := benchCSV()
	b.Run("own", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := ReadCSV(bytes.NewReader(data), ReadOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-csv", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			r := csv.NewReader(bytes.NewReader(data))
			r.ReuseRecord = true
			for {
				if _, err := r.Read(); err == io.EOF {
					break
				} else if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// benchTable has columns of n rows: ascending, random whole numbers, random
// strings.
func benchTable(n int) *Table {
	rnd := rand.New(rand.NewPCG(3, 4))
	up, random, text := NewBuilder("UP", value.TypeBigint), NewBuilder("RANDOM", value.TypeBigint), NewBuilder("TEXT", value.TypeVarchar)
	for i := range n {
		up.AppendInt64(int64(i))
		random.AppendInt64(int64(rnd.Uint64()))
		text.AppendString(fmt.Sprint("user ", rnd.IntN(n/4)))
	}
	t, err := New(up.Column(), random.Column(), text.Column())
	if err != nil {
		panic(err)
	}
	return t
}

func BenchmarkSort(b *testing.B) {
	t := benchTable(1_000_000)
	for col, name := range []string{"ordered", "random", "strings"} {
		b.Run(name, func(b *testing.B) {
			rows := t.AllRows()
			start := t.AllRows()
			for b.Loop() {
				copy(rows, start)
				t.Sort(rows, []SortKey{{Col: col}}, value.Options{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(t.NumRows()), "ns/row")
		})
	}
}

func BenchmarkGroups(b *testing.B) {
	t := benchTable(1_000_000)
	for col, name := range []string{"ordered", "random", "strings"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				t.Groups([]int{col}, value.Options{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(t.NumRows()), "ns/row")
		})
	}
}
