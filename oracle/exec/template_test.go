package exec

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// The template is short, and works once run() is filled in: exact digits go in
// and come out, an exception is a failure of that question alone.
func TestTemplate(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "adapters", "template", "adapter.py"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n >= 60 {
		t.Errorf("the template has %d lines", n)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 in PATH")
	}
	const unwritten = `    raise Refused("unsupported", "run() is still to be written")`
	filled := strings.Replace(string(text), unwritten, `    if "oops" in sql: return 1 / 0
    print("what an engine prints must not disturb")
    return [("D", "decimal(20,2)"), ("S", "varchar"), ("N", "bigint")], [[Decimal("123456789012345678.10"), "it's \"x\" \\", None]], True`, 1)
	if filled == string(text) {
		t.Fatal("the template's run() is not where it is looked for")
	}
	path := filepath.Join(t.TempDir(), "adapter.py")
	if err := os.WriteFile(path, []byte(filled), 0o600); err != nil {
		t.Fatal(err)
	}
	e := New(Options{Command: []string{python, path}})
	t.Cleanup(func() { e.Close() })
	if _, err := e.Ask(context.Background(), &oracle.Case{Op: oracle.Query, SQL: "oops"}); err == nil {
		t.Error("an exception is an answer")
	} else if v, reason := oracle.WhyNot(err); v != oracle.Failed || !strings.Contains(reason, "ZeroDivisionError") {
		t.Errorf("%v, %s", v, reason)
	}
	a, err := e.Ask(context.Background(), &oracle.Case{Op: oracle.Query, SQL: "SELECT 1"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, c := range a.Table.Columns() {
		got = append(got, c.Type.String()+" "+value.SQL(a.Table.Value(0, i), c.Type))
	}
	if want := `decimal(20,2) 123456789012345678.10; varchar 'it''s "x" \'; bigint NULL`; strings.Join(got, "; ") != want || !a.Ordered {
		t.Errorf("%s, not %s", strings.Join(got, "; "), want)
	}
}
