package drift_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/oracle"
)

// differences runs and collects what is handed over.
func differences(t *testing.T, o drift.Options, s drift.Subject) (*drift.Report, []*drift.Difference) {
	t.Helper()
	var list []*drift.Difference
	o.Differs = func(d *drift.Difference) { list = append(list, d) }
	return run(t, o, s), list
}

// TestDifferencesAreHandedOver: what differs is not made small in the stream, and
// is the same however many patterns are asked together. Made small later, it is
// what it would have been.
func TestDifferencesAreHandedOver(t *testing.T) {
	w, _ := drift.LookupRewrite("flatten")
	subject := drift.FromRewrite(w.Name, w.Apply, lim)
	o := drift.Options{Seed: 5, N: 150, All: true, Sets: 7}
	var texts []string
	var list []*drift.Difference
	for _, together := range []int{1, 40, 150} {
		o.Together = together
		r, found := differences(t, o, subject)
		passed := 0
		for _, n := range r.Passed {
			passed += n
		}
		if r.Drawn != o.N || r.Compared+passed != o.N*o.Sets || r.Differing != len(found) || len(found) == 0 || len(r.Drifts) > 0 {
			t.Errorf("%d together: %d patterns, %d and %d inputs, %d of %d handed over, %d drifts", together, r.Drawn, r.Compared, passed, len(found), r.Differing, len(r.Drifts))
		}
		text := ""
		for _, d := range found {
			if oracle.DifferAt(d.Preferred, d.Got) < 0 {
				t.Errorf("%s does not differ", d.Input)
			}
			text += d.Input.String() + "\n"
		}
		texts, list = append(texts, text), found
	}
	if texts[0] != texts[1] || texts[1] != texts[2] {
		t.Error("what differs depends on how many are asked together")
	}
	r := run(t, drift.Options{Seed: 5, N: 150, All: true, Sets: 7}, subject)
	var want, got []string
	for _, d := range r.Drifts {
		want = append(want, d.Input.String())
	}
	for _, d := range list {
		small, err := drift.Small(t.Context(), o, subject, d)
		if err != nil {
			t.Fatal(err)
		}
		if text := small.Input.String(); !slices.Contains(got, text) {
			got = append(got, text)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("made small later: %q, at once: %q", got, want)
	}
}

// TestSmallOfNone: an input on which nothing differs is not made small, nor is
// one when the time is over.
func TestSmallOfNone(t *testing.T) {
	p := gen.Var("A")
	d := &drift.Difference{Input: gen.Input{Pattern: p, Rows: [][]string{{"A"}}}}
	s := drift.FromEngine(enumerate.Engine{}, lim)
	if _, err := drift.Small(t.Context(), drift.Options{}, s, d); err == nil || !strings.Contains(err.Error(), "two ways") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := drift.Small(ctx, drift.Options{}, s, d); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
