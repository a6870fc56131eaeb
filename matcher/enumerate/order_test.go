package enumerate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/semantics"
)

// counts holds how many strings of each number of rows a pattern has.
type counts []int

func (a counts) times(b counts) counts {
	out := make(counts, len(a))
	for i, x := range a {
		for j, y := range b {
			if i+j < len(out) {
				out[i+j] += x * y
			}
		}
	}
	return out
}

func (a counts) plus(b counts) counts {
	out := append(counts(nil), a...)
	for i, y := range b {
		out[i] += y
	}
	return out
}

// countStrings counts the strings of at most maxRows rows by generating
// functions, which know nothing of order.
func countStrings(p *semantics.Pattern, maxRows int) counts {
	zero := make(counts, maxRows+1)
	one := append(counts{1}, zero[1:]...)
	switch p.Op {
	case semantics.OpVariable:
		out := append(counts(nil), zero...)
		if maxRows > 0 {
			out[1] = 1
		}
		return out
	case semantics.OpEmpty, semantics.OpPartitionStart, semantics.OpPartitionEnd:
		return one
	case semantics.OpGroup, semantics.OpExclude:
		return countStrings(p.Sub[0], maxRows)
	case semantics.OpAlternate:
		out := zero
		for _, s := range p.Sub {
			out = out.plus(countStrings(s, maxRows))
		}
		return out
	case semantics.OpConcat, semantics.OpPermute:
		out, orders := one, 1
		for i, s := range p.Sub {
			out = out.times(countStrings(s, maxRows))
			if p.Op == semantics.OpPermute {
				orders *= i + 1
			}
		}
		return out.times(append(counts{orders}, zero[1:]...))
	}
	// PREF-8: the i-th of k iterations may be empty only if i < n or i = k.
	any := countStrings(p.Sub[0], maxRows)
	some := append(counts(nil), any...)
	some[0] = 0
	most := p.Min + maxRows + 1 // every iteration from the n-th on maps a row, but for the last
	if p.Max != semantics.Unbounded {
		most = min(most, p.Max)
	}
	out := zero
	for k := p.Min; k <= most; k++ {
		sequences := one
		for i := 1; i <= k; i++ {
			if i < p.Min || i == k {
				sequences = sequences.times(any)
			} else {
				sequences = sequences.times(some)
			}
		}
		out = out.plus(sequences)
	}
	return out
}

func total(c counts) int {
	n := 0
	for _, x := range c {
		n += x
	}
	return n
}

// checkList checks that the list is complete, and that every candidate is
// preferred to the next by the comparison of derivations.
func checkList(t *testing.T, p *semantics.Pattern, maxRows, most int) (checked bool) {
	t.Helper()
	want := total(countStrings(p, maxRows))
	if want > most {
		return false
	}
	n := 0
	var last enumerate.Candidate
	for c, err := range enumerate.Candidates(p, maxRows) {
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if n++; n > 1 {
			d, differ := enumerate.Compare(last.Derivation, c.Derivation)
			if !differ || d.Order >= 0 {
				t.Fatalf("%s: %q is listed before %q, but %v (order %d)", p, last, c, d, d.Order)
			}
			if back, _ := enumerate.Compare(c.Derivation, last.Derivation); back.Order <= 0 {
				t.Fatalf("%s: comparing %q with %q the other way round gives order %d", p, c, last, back.Order)
			}
		}
		if len(c.Rows) > maxRows {
			t.Fatalf("%s: %q has more than %d rows", p, c, maxRows)
		}
		last = c
	}
	if n != want {
		t.Fatalf("%s of at most %d rows: %d candidates, should be %d", p, maxRows, n, want)
	}
	return true
}

func quantified(p *semantics.Pattern, lo, hi int, reluctant bool) *semantics.Pattern {
	if p.Op == semantics.OpConcat || p.Op == semantics.OpAlternate || p.Op == semantics.OpQuantified {
		p = &semantics.Pattern{Op: semantics.OpGroup, Sub: []*semantics.Pattern{p}}
	}
	return &semantics.Pattern{Op: semantics.OpQuantified, Sub: []*semantics.Pattern{p}, Min: lo, Max: hi, Reluctant: reluctant}
}

func randomPattern(r *rand.Rand, size int) *semantics.Pattern {
	many := func(op semantics.Op) *semantics.Pattern {
		n := 2 + r.IntN(2)
		p := &semantics.Pattern{Op: op}
		for range n {
			p.Sub = append(p.Sub, randomPattern(r, size/n))
		}
		return p
	}
	if size <= 1 {
		switch k := r.IntN(10); k {
		case 7, 8:
			return &semantics.Pattern{Op: semantics.OpEmpty}
		case 9:
			return &semantics.Pattern{Op: semantics.OpPartitionStart + semantics.Op(r.IntN(2))}
		default:
			return &semantics.Pattern{Op: semantics.OpVariable, Name: semantics.Name{Text: string(rune('A' + k%3))}, Var: semantics.VarID(k % 3)}
		}
	}
	switch r.IntN(9) {
	case 0, 1, 2:
		return many(semantics.OpConcat)
	case 3, 4:
		return many(semantics.OpAlternate)
	case 5:
		if r.IntN(3) == 0 {
			return many(semantics.OpPermute)
		}
		return &semantics.Pattern{Op: semantics.OpExclude, Sub: []*semantics.Pattern{randomPattern(r, size-1)}}
	}
	bounds := [][2]int{{0, -1}, {1, -1}, {0, 1}, {2, -1}, {0, 2}, {1, 2}, {2, 2}, {2, 3}, {1, 3}, {3, 4}}
	b := bounds[r.IntN(len(bounds))]
	return quantified(randomPattern(r, size-1), b[0], b[1], r.IntN(2) == 0)
}

// TestRandomListsAreOrderedAndComplete: the order of the list is the order of
// the derivations, and the number of candidates that of the generating function.
func TestRandomListsAreOrderedAndComplete(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, 0))
	done := 0
	for range 20_000 {
		if checkList(t, randomPattern(r, 2+r.IntN(8)), r.IntN(4), 400) {
			done++
		}
	}
	if done < 10_000 {
		t.Errorf("only %d lists were short enough to be checked", done)
	}
	t.Logf("seed %d: %d lists", seed, done)
}
