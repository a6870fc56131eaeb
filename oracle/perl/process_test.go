package perl_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/perl"
)

// fake makes a program that stands in for perl.
func fake(t *testing.T, script string) *perl.Oracle {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	path := filepath.Join(t.TempDir(), "perl")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	p := perl.New(perl.Options{Command: path, Timeout: 300 * time.Millisecond})
	t.Cleanup(func() { p.Close() })
	return p
}

// TestBadPerl: a perl that is missing, dies, hangs or talks nonsense costs the
// cases concerned, and nothing else.
func TestBadPerl(t *testing.T) {
	const hello = `printf 'perl\t5.0.0\n'` + "\n"
	for _, c := range []struct {
		name, script string
		verdicts     string // of three cases
		reason       string // of the second
	}{
		{"cannot start", "echo broken >&2; exit 3", "failed failed failed", "broken"},
		{"starts silently", "sleep 60", "timed-out timed-out timed-out", "says nothing"},
		{"is something else", "echo hello; cat >/dev/null", "failed failed failed", "cannot be started"},
		{"dies at each case", hello + "read q; echo dead >&2; exit 3", "failed failed failed", "dead"},
		{"hangs at each case", hello + "read q; sleep 60", "timed-out timed-out timed-out", "no answer within"},
		{"dies at the second", hello + `n=0
while read -r id rest; do
  n=$((n+1)); [ $n = 2 ] && exit 3
  printf '%s\tok\t-\n' "$id"
done`, "agrees failed agrees", "exit status 3"},
		{"hangs at the second", hello + `n=0
while read -r id rest; do
  n=$((n+1)); [ $n = 2 ] && sleep 60
  printf '%s\tok\t-\n' "$id"
done`, "agrees timed-out agrees", "no answer within"},
		{"out of step", hello + `while read -r id rest; do printf '7\tok\t-\n'; done`, "failed failed failed", "out of step"},
		{"nonsense", hello + `while read -r id rest; do printf '%s\tok\t5.x\n' "$id"; done`, "failed failed failed", "makes no sense"},
		{"too few matches", hello + `while read -r id rest; do printf '%s\tok\t\n' "$id"; done`, "failed failed failed", "makes no sense"},
		{"an unknown variable", hello + `while read -r id rest; do printf '%s\tok\t2\n' "$id"; done`, "failed failed failed", "makes no sense"},
		{"an unknown word", hello + `while read -r id rest; do printf '%s\tyes\t-\n' "$id"; done`, "failed failed failed", "makes no sense"},
		{"half a line", hello + `read -r id rest; printf '%s\tok' "$id"`, "failed failed failed", "perl ended"},
		{"a warning", hello + `while read -r id rest; do printf '%s\twarning\tgave up\n' "$id"; done`, "not-comparable not-comparable not-comparable", "gave up"},
		{"an error", hello + `while read -r id rest; do printf '%s\terror\ttoo deep\n' "$id"; done`, "not-comparable not-comparable not-comparable", "too deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := fake(t, c.script)
			replies := p.AskAll(context.Background(), []*oracle.Case{mapCase("A", "A"), mapCase("A", "A"), mapCase("A", "A")})
			var verdicts []string
			for _, r := range replies {
				v, _ := oracle.WhyNot(orFailed(r.Err))
				verdicts = append(verdicts, v.String())
			}
			if got := strings.Join(verdicts, " "); got != c.verdicts {
				t.Errorf("%s, should be %s", got, c.verdicts)
			}
			if _, reason := oracle.WhyNot(orFailed(replies[1].Err)); !strings.Contains(reason, c.reason) {
				t.Errorf("reason %q, should say %q", reason, c.reason)
			}
		})
	}
}

// TestNoPerl: a machine without perl has a reason for every case, and no error
// else.
func TestNoPerl(t *testing.T) {
	p := perl.New(perl.Options{Command: "no-such-perl"})
	if reason := p.Supports(mapCase("A", "A")); !strings.HasPrefix(reason, "no perl: ") {
		t.Errorf("supports: %q", reason)
	}
	if _, err := p.Version(context.Background()); err == nil {
		t.Error("there is a version")
	}
	for _, r := range oracle.AskAll(context.Background(), p, []*oracle.Case{mapCase("A", "A"), mapCase("B", "B")}) {
		if v, reason := oracle.WhyNot(orFailed(r.Err)); v != oracle.NotComparable || !strings.HasPrefix(reason, "no perl: ") {
			t.Errorf("%v %s", v, reason)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}
