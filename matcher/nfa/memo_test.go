package nfa

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestFailureTable compares the table of failures with a map, while attempts move
// on and drop what lies behind them.
func TestFailureTable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	var f failures
	want := map[string]int{} // the row of each key
	hits := 0
	for start := 0; start < 3000; start++ {
		f.pass(start)
		for range 20 {
			row, position := start+rnd.IntN(40), rnd.IntN(5)
			f.key = append(f.key[:0], uint64(position)<<32|uint64(row))
			for range rnd.IntN(3) {
				f.key = append(f.key, uint64(rnd.IntN(4)))
			}
			text := fmt.Sprint(f.key)
			_, known := want[text]
			found := false
			if f.mayHave(int32(position), row) {
				_, found = f.find()
			}
			if found != known {
				t.Fatalf("start %d: key %s is found: %v, was added: %v", start, text, found, known)
			}
			if found {
				hits++
			}
			if rnd.IntN(2) == 0 {
				f.add()
				want[text] = row
			}
		}
	}
	if hits < 1000 || f.count == 0 || f.count > len(want)/2 {
		t.Errorf("%d keys found, %d of %d left: nothing was dropped, or too much", hits, f.count, len(want))
	}
}
