package sqlexpr

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// LIM-1: what would cost too much is a limit error before TiDB's parser sees it.
func TestLimits(t *testing.T) {
	r := strings.Repeat
	for _, c := range []struct {
		name, src string
		o         Options
		at        int // offset of the error; -1: accepted
	}{
		{"depth", r("(", 5) + "a" + r(")", 5), Options{MaxDepth: 6}, -1},
		{"too deep", r("(", 6) + "a" + r(")", 6), Options{MaxDepth: 6}, 6},
		{"default depth", r("(", 199) + "a" + r(")", 199), Options{}, -1},
		{"default too deep", r("(", 1_000_000), Options{}, 200},
		{"calls", r("f(", 300) + r(")", 300), Options{}, 400},
		{"cases", r("CASE WHEN ", 300), Options{}, 2000},
		{"signs", r("- ", 100_000) + "1", Options{}, 398},
		{"few signs", r("- ", 150) + "1", Options{}, -1},
		{"arrays", r("ARRAY[", 300), Options{}, 1200},
		{"chain", "a" + r(" OR a", 10_000), Options{}, -1},
		{"sum", "a" + r(" + a", 10_000), Options{}, -1},
		{"long chain", "a" + r(" OR a", 10_001), Options{}, 5 * 10_001},
		{"tokens", "a IN (1" + r(",1", 40_000) + ")", Options{}, -1},
		{"too many tokens", "a IN (1" + r(",1", 60_000) + ")", Options{}, 100_004},
		{"subquery", "EXISTS (SELECT " + r("(", 100_000) + r(")", 100_000) + ")", Options{}, -1},
		{"number", r("1", 401), Options{}, 0},
	} {
		toks := token.Lex(c.src)
		begin := time.Now()
		n, err := Parse(c.src, toks, c.o)
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("%s: took %v", c.name, d)
		}
		if c.at < 0 {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			} else if again, err := Parse(n.SQL(), token.Lex(n.SQL()), c.o); err != nil || again.Kind != n.Kind {
				t.Errorf("%s: printed: %v", c.name, err)
			}
			continue
		}
		e := diag.From(err)
		if e == nil || e.Stage != diag.Limit || e.Rule != "LIM-1" || e.SQLSTATE != "54000" || e.Hint == "" {
			t.Errorf("%s: %v, want a limit error", c.name, err)
		} else if c.at > 0 && e.Pos.Offset != c.at {
			t.Errorf("%s: error at %d, want %d", c.name, e.Pos.Offset, c.at)
		}
	}
}

// Parse may be called from several goroutines: they share the pool of parsers.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			want := "[[a + " + strconv.Itoa(i) + "] * b]"
			for range 50 {
				src := "(a + " + strconv.Itoa(i) + ") * b"
				n, err := Parse(src, token.Lex(src), Options{})
				if err != nil || grouped(n) != want {
					t.Errorf("%q: %v", src, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func benchmark(b *testing.B, src string) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src, token.Lex(src), Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCondition(b *testing.B) { benchmark(b, "DOWN.price < PREV(DOWN.price)") }

func BenchmarkLongCondition(b *testing.B) {
	benchmark(b, "A.price > 1.1 * AVG(A.price) AND LAST(A.day, 1) - FIRST(A.day) < INTERVAL '5' DAY AND CLASSIFIER() IN ('X', 'Y', 'Z') OR note LIKE 'a%'")
}

func BenchmarkChain(b *testing.B) { benchmark(b, "a"+strings.Repeat(" OR a = 1", 5000)) }
