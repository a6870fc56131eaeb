package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// TestPlaces: where a column gives places, rows have equal ones exactly if
// their strings are equal, NULL having one of its own; and every row holds what
// was appended, however many strings there are.
func TestPlaces(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct {
		name     string
		distinct int
		length   int
		interned bool
	}{
		{"few", 5, 12, true},
		{"none but NULL and empty", 0, 0, true},
		{"many", maxInterned + 50, 12, false},
		{"large", 100, 4000, false},
		{"nearly too many", maxInterned - 1, 20, true},
	} {
		words := []string{""}
		for i := range tc.distinct {
			// Some differ in the middle or at the end only.
			words = append(words, strings.Repeat("x", rnd.IntN(tc.length))+fmt.Sprint(i)+strings.Repeat("y", rnd.IntN(tc.length)))
		}
		b, csv := NewBuilder("S", value.TypeVarchar), strings.Builder{}
		csv.WriteString("S,T\n")
		var want []string
		for i := range 4000 {
			w := words[rnd.IntN(len(words))]
			switch {
			case i < len(words):
				w = words[i]
			case rnd.IntN(10) == 0:
				w = "NULL"
			}
			want = append(want, w)
			switch {
			case w == "NULL":
				b.AppendNull()
				csv.WriteString(",1\n")
				continue
			case i%2 == 0:
				b.AppendString(w)
			default:
				b.AppendBytes([]byte(w))
			}
			fmt.Fprintf(&csv, "%q,1\n", w)
		}
		read, err := ReadCSV(strings.NewReader(csv.String()), ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for from, c := range map[string]*Column{"built": b.Column(), "read": read.Column(0), "gathered": b.Column().Gather(read.AllRows()[:2000], read.AllRows()[2000:])} {
			spans, size := c.Places()
			if (spans != nil) != tc.interned && tc.distinct > 0 {
				t.Errorf("%s, %s: places are given: %v", tc.name, from, spans != nil)
			}
			at := map[string]int{}
			of := map[int]string{}
			for row, w := range want {
				got := "NULL"
				if !c.IsNull(row) {
					got = c.StringAt(row)
				}
				if got != w {
					t.Fatalf("%s, %s, row %d: %q, want %q", tc.name, from, row, got, w)
				}
				if spans == nil {
					continue
				}
				p := spans[row].Place()
				if q, seen := at[w]; p >= size || seen && q != p {
					t.Fatalf("%s, %s, row %d: %q lies at %d and %d of %d", tc.name, from, row, w, p, q, size)
				}
				if v, seen := of[p]; seen && v != w {
					t.Fatalf("%s, %s, row %d: %q and %q lie at %d", tc.name, from, row, w, v, p)
				}
				at[w], of[p] = p, w
			}
		}
	}
}
