package reference

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/rprcheck/rprcheck/matcher"
)

// BenchmarkMachine measures the machine alone, with conditions that cost
// nothing: one match of a million rows.
func BenchmarkMachine(b *testing.B) {
	const n = 1_000_000
	for _, pattern := range []string{"A+ | Z", "(A B)+ | Z", "(Z | B)* | A", "({- A -} | B)+ | Z", "((A+)+)+ | Z"} {
		b.Run(strings.ReplaceAll(pattern, " ", ""), func(b *testing.B) {
			m := longSearch(b, pattern, n)
			b.ReportAllocs()
			for b.Loop() {
				if found, err := m.run(b.Context(), matcher.Attempt{End: n, Hi: n}); !found || err != nil {
					b.Fatal(found, err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(workingMemory(m))/n, "B/row")
		})
	}
}

// workingMemory is what a machine holds, in bytes.
func workingMemory(m *machine) (bytes int) {
	for _, c := range m.frames.chunks {
		bytes += int(unsafe.Sizeof(frame{})) * cap(c)
	}
	for _, c := range m.choices.chunks {
		bytes += int(unsafe.Sizeof(choice{})) * cap(c)
	}
	return bytes + 2*cap(m.vars) + cap(m.excluded) + 4*cap(m.orders)
}

// BenchmarkExponential shows that each row doubles the work of (A+)+ B where no
// B comes.
func BenchmarkExponential(b *testing.B) {
	for _, n := range []int{12, 13, 14, 15, 16} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newSearch(b, "(A+)+ B", rowsOf("A"+strings.Repeat(", A", n-1)), matcher.Limits{})
			for b.Loop() {
				if _, found, err := s.at(0); found || err != nil {
					b.Fatal(found, err)
				}
			}
			b.ReportMetric(float64(s.machine.tests), "tests")
		})
	}
}
