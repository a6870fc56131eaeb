package fuzz_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Readings that can change what a matcher answers, some of them by what the
// query may be: those that lenient queries need (gen.Queries.Lenient).
var (
	changing = []readings.ID{readings.DEF15, readings.OUT7, readings.WIN4, readings.WIN10, readings.IMPQuotient, readings.IMPNulls,
		readings.IMPAvg, readings.IMPStrings}
	allowing = []readings.ID{readings.GRAM5, readings.GRAM12, readings.SUB1, readings.WIN1}
)

// passed are the other readings, each with the reason why no matcher sees it.
var passed = map[readings.ID]string{
	readings.PAT2:        "it is about what the pattern's text means",
	readings.PAT5:        "it refuses queries",
	readings.GRAM6:       "it refuses queries",
	readings.AGG6:        "it refuses queries",
	readings.WIN6:        "it is about functions that see no match",
	readings.WIN9:        "it refuses queries",
	readings.AGG7:        "it refuses queries",
	readings.GRAM15:      "it refuses queries",
	readings.IMPInterval: "it refuses queries",
}

// readingsN is how many queries are put under other readings.
func readingsN() int {
	if *flagReadings > 0 {
		return *flagReadings
	}
	return max(*flagN/10, 100)
}

// drawReadings draws one reading that changes answers, or several at once.
func drawReadings(r *gen.Rand, lenient bool) readings.Set {
	var set readings.Set
	all := readings.All()
	more := 0
	if r.Chance(60) {
		more = 50
	}
	for {
		id := gen.Pick(r, changing)
		set = set.With(id, readings.Choice(r.Between(1, len(all[id].Alternatives))))
		if !r.Chance(more) {
			break
		}
	}
	if lenient {
		for _, id := range allowing {
			set = set.With(id, readings.First)
		}
	}
	return set
}

// drawFor draws a query, half of the time one of the kind that a reading is about.
func drawFor(r *gen.Rand, set readings.Set, lenient bool) *gen.Query {
	o := gen.ReadingQueries
	o.Lenient = lenient
	seek, excluded := set.Is(readings.WIN4), set.Is(readings.OUT7)
	if r.Chance(50) {
		return o.Draw(r)
	}
	switch {
	case seek:
		o.Windows, o.Seek = 100, 100
	case set.Is(readings.WIN10):
		o.Windows, o.Conditions.Physical = 100, 200
	case excluded:
		o.Windows, o.Patterns.Nullable, o.Patterns.Anchors = 0, 80, 0
	}
	if set.Is(readings.DEF15) {
		o.Conditions.Errors = 80
	}
	q := o.Draw(r)
	switch {
	case seek:
		q.Skip = "TO NEXT ROW"
	case excluded && q.Mode == "ALL ROWS PER MATCH":
		q.Pattern = gen.Exclude(q.Pattern)
	}
	return q
}

// TestReadings: under other readings than the default ones, alone and together,
// whole queries come out as with the reference in every tier (chapter 17): over
// strings with trailing blanks, NULLs, doubles that are no numbers, decimals,
// timestamps. Each reading must have changed the answer of the reference, or
// nothing was tried of it.
func TestReadings(t *testing.T) {
	for _, r := range readings.All() {
		lists := 0
		for _, is := range []bool{slices.Contains(changing, r.ID), slices.Contains(allowing, r.ID), passed[r.ID] != ""} {
			if is {
				lists++
			}
		}
		if lists != 1 {
			t.Errorf("%s stands in %d of the lists above", r.Rule, lists)
		}
	}
	seed, n := seedOf(t), readingsN()
	var mu sync.Mutex
	tried, mattered := map[string]int{}, map[string]int{}
	c := comparison{seen: func(q *gen.Query, in *table.Table, r readings.Set, answer []string) {
		for _, reading := range readings.All() {
			if !r.Is(reading.ID) {
				continue
			}
			without := inDetail(run(reference.Engine{}, wide, q, in, r.With(reading.ID, readings.Default)))
			name := reading.Rule + "=" + reading.Value(r.Choice(reading.ID))
			mu.Lock()
			tried[name]++
			if !slices.Equal(answer, without) {
				mattered[name]++
			}
			mu.Unlock()
		}
	}}
	parallel(n, func(i int) bool {
		rnd := gen.Case(seed, i)
		lenient := rnd.Chance(30)
		set := drawReadings(rnd, lenient)
		return c.compare(t, i, drawFor(rnd, set, lenient), set)
	})
	c.checkShares(t, n)
	if t.Failed() {
		return
	}
	text := ""
	for _, reading := range readings.All() {
		if passed[reading.ID] != "" {
			continue
		}
		for i := range reading.Alternatives {
			name := reading.Rule + "=" + reading.Value(readings.Choice(i+1))
			text += fmt.Sprintf(", %s %d of %d", name, mattered[name], tried[name])
			if mattered[name] < n/1000 {
				t.Errorf("weak run: %s changes the answers of %d of %d queries", name, mattered[name], n)
			}
		}
	}
	t.Logf("answers that a reading changes, of those under it: %s", text[2:])
}
