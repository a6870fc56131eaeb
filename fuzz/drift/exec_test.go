package drift_test

import (
	"os/exec"
	"slices"
	"testing"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	process "github.com/rprcheck/rprcheck/oracle/exec"
)

// TestEngineInAnotherLanguage: an engine in Python, plugged in as a command, is
// shown its published mistake, with the rule that decides.
func TestEngineInAnotherLanguage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skipf("no python3: %v", err)
	}
	for _, c := range []struct {
		mistake string
		rules   []string
	}{
		{"none", nil},
		{"javascript", []string{"PREF-8"}},
		{"java", []string{"PREF-2", "PREF-4", "PREF-8"}}, // whichever the two candidates part by
		{"longest", []string{"PREF-2", "PREF-4"}},
	} {
		t.Run(c.mistake, func(t *testing.T) {
			e := process.New(process.Options{Command: []string{python, "testdata/engine.py", c.mistake}})
			defer e.Close()
			n := 20_000
			if c.rules == nil {
				n = 500
			}
			r := run(t, drift.Options{Seed: *seed, N: n}, e)
			if r.Failed > 0 {
				t.Errorf("seed %d: failed: %v", *seed, r.Passed)
			}
			switch {
			case c.rules == nil && len(r.Drifts) > 0:
				t.Error("an engine without a mistake drifts")
			case c.rules != nil && (len(r.Drifts) != 1 || !slices.Contains(c.rules, r.Drifts[0].Rule)):
				t.Errorf("seed %d: should be found by %q", *seed, c.rules)
			}
		})
	}
}
