package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// command runs a command line, and returns its exit code and what it prints.
func command(t *testing.T, args ...string) (int, string, string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestCommandsThatAskEngines(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "known.txt")
	if err := os.WriteFile(list, []byte("class 1\n  rule PREF-8\n  why discarded\n  witness empty/discarding#plus-of-a-opt-or-b-on-a-b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sql := filepath.Join(dir, "q.sql")
	if err := os.WriteFile(sql, []byte("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY k MEASURES COUNT(*) AS n PATTERN ((A?)*) DEFINE A AS x > 0)"), 0o644); err != nil {
		t.Fatal(err)
	}
	suite := []string{"--run", "empty/discarding#*"}
	for _, tt := range []struct {
		args []string
		code int
		want string // in what is printed
	}{
		{append([]string{"diff", "--engine", "faux:1"}, suite...), exitDifferent, "rule PREF-8"},
		{append([]string{"diff", "--engine", "faux:"}, suite...), exitOK, "0 findings"},
		{append([]string{"diff", "--engine", "faux:1", "--known", list}, suite...), exitOK, "known-difference"},
		{append([]string{"diff", "--engine", "exec:/no/such/program"}, suite...), exitUnreached, "gives no opinion"},
		{[]string{"diff", "--engine", "faux:66a", "--no-suite", "--n", "30", "--seed", "1"}, exitDifferent, "MEA-1"},
		{append([]string{"diff"}, suite...), exitUsage, "--engine names no engine"},
		{append([]string{"diff", "--engine", "oracle"}, suite...), exitUsage, "there is no engine"},
		{append([]string{"diff", "--engine", "faux:1", "--known", filepath.Join(dir, "none")}, suite...), exitUsage, "none"},
		{[]string{"reduce", "--engine", "faux:1", "empty/discarding#plus-of-a-opt-or-b-on-a-b"}, exitDifferent, "PATTERN ((() | A)?)"},
		{[]string{"reduce", "--engine", "faux:", "empty/discarding#plus-of-a-opt-or-b-on-a-b"}, exitOK, "faux agrees"},
		{[]string{"engines"}, exitOK, "adapters/template"},
		{[]string{"engines", "--engine", "exec:/no/such/program"}, exitUnreached, "cannot be started"},
		{[]string{"lint", "-f", sql}, exitDifferent, "safe: write A* for (A?)*"},
		{[]string{"lint", "SELECT 1 FROM t MATCH_RECOGNIZE (PATTERN () DEFINE A AS TRUE)"}, exitDifferent, "PAT-6"},
		{[]string{"lint"}, exitUsage, "one query is needed"},
		{[]string{"report", "--engine", "faux:1"}, exitUsage, "--record"},
		{[]string{"audit", "--engine", "perl", "-f", sql}, exitUsage, "an audit needs a Trino"},
		{[]string{"audit", "--engine", "trino:http://127.0.0.1:1", "-f", sql}, exitUnreached, "could not be reached"},
		{[]string{"audit", "--engine", "trino:http://127.0.0.1:1", "-f", sql, "--sample", "2"}, exitUsage, "--sample"},
	} {
		code, out, errs := command(t, tt.args...)
		if code != tt.code || !strings.Contains(out+errs, tt.want) {
			t.Errorf("%s: code %d, not %d with %q\n%.600s\n%.600s", strings.Join(tt.args, " "), code, tt.code, tt.want, out, errs)
		}
	}
}
