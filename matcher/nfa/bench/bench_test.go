package bench

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

var divide = flag.Int("divide", 1, "rows of the workloads are divided by this")

func bind(t testing.TB, w *Workload, in *table.Table) *semantics.Clause {
	c, err := semantics.Parse("MATCH_RECOGNIZE ("+w.Clause+")", semantics.RowTypeOf(in, ""), semantics.Options{})
	if err != nil {
		t.Fatalf("%s: %v", w.Name, err)
	}
	return c
}

// TestWorkloads compares the output of each workload, at a small size, with
// that of the reference.
func TestWorkloads(t *testing.T) {
	for i := range Workloads {
		w := &Workloads[i]
		if w.Small == 0 {
			continue
		}
		in, err := w.Input(w.Small)
		if err != nil {
			t.Fatal(err)
		}
		c := bind(t, w, in)
		var texts [2]string
		for i, e := range []matcher.Engine{reference.Engine{}, nfa.Engine{Fallback: reference.Engine{}}} {
			out, err := matcher.Recognize(t.Context(), e, c, in, matcher.Limits{})
			if err != nil {
				t.Errorf("%s: %s: %v", w.Name, e.Name(), err)
				continue
			}
			texts[i] = rowsOf(out)
		}
		if texts[0] != texts[1] {
			t.Errorf("%s: outputs differ", w.Name)
		}
	}
}

func rowsOf(out *table.Table) string {
	var b []byte
	for r := range out.NumRows() {
		for c := range out.NumColumns() {
			b = append(b, value.Format(out.Value(r, c), out.Column(c).Type)...)
			b = append(b, ' ')
		}
		b = append(b, '\n')
	}
	return string(b)
}

// TestRun runs the table at small sizes: every answer must be right.
func TestRun(t *testing.T) {
	var out strings.Builder
	report, err := Run(t.Context(), &out, Options{Engine: nfa.Engine{Fallback: reference.Engine{}}, Reference: reference.Engine{},
		Divide: *divide * 1000, Times: 1, CSV: filepath.Join(t.TempDir(), "events.csv"), Only: []string{"scan", "funnel", "quantifier", "skew", "labels", "no match"}})
	if err != nil || report.Wrong > 0 || !strings.Contains(out.String(), "CSV of 10000 rows") {
		t.Errorf("%d wrong answers, %v:\n%s", report.Wrong, err, &out)
	}
}

// table prints all of it: go test -run Table -table.
var whole = flag.Bool("table", false, "print the whole table")

func TestTable(t *testing.T) {
	if !*whole {
		t.Skip("-table is not set")
	}
	report, err := Run(t.Context(), os.Stdout, Options{Engine: nfa.Engine{Fallback: reference.Engine{}}, Reference: reference.Engine{},
		Divide: *divide, Only: flag.Args()})
	if err != nil || report.Wrong > 0 {
		t.Errorf("%d wrong answers, %v", report.Wrong, err)
	}
}

// BenchmarkWorkloads measures columns to output table.
func BenchmarkWorkloads(b *testing.B) {
	for i := range Workloads {
		w := &Workloads[i]
		b.Run(w.Name, func(b *testing.B) {
			n := max(w.Rows / *divide, min(w.Rows, 1000))
			in, err := w.Input(n)
			if err != nil {
				b.Fatal(err)
			}
			c := bind(b, w, in)
			b.ReportAllocs()
			for b.Loop() {
				out, err := matcher.Recognize(b.Context(), nfa.Engine{Fallback: reference.Engine{}}, c, in, matcher.Limits{})
				if err != nil {
					b.Fatal(err)
				}
				if got := w.Answer(out); n == w.Rows && w.Want != nil && !slices.Equal(got, w.Want) {
					b.Fatalf("%s: answer %v, want %v", w.Name, got, w.Want)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
		})
	}
}
