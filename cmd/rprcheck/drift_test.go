package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDriftRewrites: a wrong rewrite is found, with the exit code of a
// difference; a right one is not.
func TestDriftRewrites(t *testing.T) {
	got := rpr(t, "", "drift", "--rewrite", "flatten", "--seed", "7")
	if got.code != exitDifferent || !strings.HasPrefix(got.out, "drift: PREF-") || !strings.Contains(got.out, "flatten: seed 7, ") {
		t.Errorf("%+v", got)
	}
	if again := rpr(t, "", "drift", "--rewrite", "flatten", "--seed", "7"); again.out != got.out {
		t.Errorf("the same seed gives %s, then %s", got.out, again.out)
	}
	got = rpr(t, "", "drift", "--rewrite", "copies", "--n", "200")
	if got.code != exitOK || !strings.Contains(got.out, "200 patterns") || !strings.Contains(got.out, " 0 differ") {
		t.Errorf("%+v", got)
	}
}

// TestDriftEngine: an engine in another process is shown its mistake.
func TestDriftEngine(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("no python3: %v", err)
	}
	got := rpr(t, "", "drift", "--engine", "exec:python3 ../../fuzz/drift/testdata/engine.py javascript")
	if got.code != exitDifferent || !strings.HasPrefix(got.out, "drift: PREF-8 decides\n") {
		t.Errorf("%+v", got)
	}
}

// TestDriftQueries: an engine that answers whole statements; here our own.
func TestDriftQueries(t *testing.T) {
	self := filepath.Join(t.TempDir(), "rprcheck")
	if out, err := exec.Command("go", "build", "-o", self, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := rpr(t, "", "drift", "--queries", "--engine", "exec:"+self+" engine", "--n", "200", "--seed", "3")
	if got.code != exitOK || !strings.Contains(got.out, "200 queries") || !strings.Contains(got.out, " 0 differ") {
		t.Errorf("%+v", got)
	}
	// Under another reading of WIN-10 the same engine is a wrong one.
	got = rpr(t, "", "drift", "--queries", "--engine", "exec:"+self+" engine --reading WIN-10=alternative", "--seed", "3")
	if got.code != exitDifferent || !strings.HasPrefix(got.out, "drift: ") || !strings.Contains(got.out, "ROWS BETWEEN CURRENT ROW") {
		t.Errorf("%+v", got)
	}
}

// TestDriftKeep: what is found is written as case files that check runs.
func TestDriftKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "found")
	got := rpr(t, "", "drift", "--rewrite", "flatten", "--keep", dir)
	files, err := os.ReadDir(dir)
	if got.code != exitDifferent || err != nil || len(files) != 1 {
		t.Fatalf("%+v, %d files, %v", got, len(files), err)
	}
	if got := rpr(t, "", "check", "--no-perl", dir); got.code != exitOK || !strings.Contains(got.out, "1 labels") {
		t.Errorf("%+v", got)
	}
	broken := write(t, "broken", "labels id=x rule=PREF-2\nPATTERN (A\n----\n")
	if got := rpr(t, "", "drift", "--rewrite", "flatten", "--keep", filepath.Dir(broken)); got.code != exitUsage || !strings.Contains(got.errs, "broken 2") {
		t.Errorf("%+v", got)
	}
}

// TestDriftUsage: exit 2 for wrong use, 3 for an engine that cannot be reached.
func TestDriftUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, exitUsage, "--engine"},
		{[]string{"--engine", "reference", "--rewrite", "copies"}, exitUsage, "one of"},
		{[]string{"--rewrite", "copies", "--queries"}, exitUsage, "--queries"},
		{[]string{"--rewrite", "none"}, exitUsage, "no rewrite"},
		{[]string{"--engine", "none"}, exitUsage, "no engine"},
		{[]string{"--engine", "exec:"}, exitUsage, "empty"},
		{[]string{"--engine", "exec:a 'b"}, exitUsage, "quotation"},
		{[]string{"--rewrite", "copies", "--n", "-1"}, exitUsage, "negative"},
		{[]string{"--rewrite", "copies", "extra"}, exitUsage, "unknown command"},
		{[]string{"--engine", "exec:./no-such-engine"}, exitUnreached, "cannot be started"},
		{[]string{"--engine", "exec:true"}, exitUnreached, "has ended"},
	} {
		got := rpr(t, "", append([]string{"drift"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.errs, c.says) || got.out != "" {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
}
