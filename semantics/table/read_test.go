package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/value"
)

func pack(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, s); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadFile(t *testing.T) {
	const csv, jsonl = "a,b\n1,x\n", `{"a":1,"b":"x"}` + "\n"
	const want = "A:bigint B:varchar\n1 'x'"
	dir := t.TempDir()
	for name, text := range map[string]string{"t.csv": csv, "T.CSV": csv, "t.jsonl": jsonl, "t.ndjson": jsonl, "t.json": jsonl,
		"t.csv.gz": pack(t, csv), "t.jsonl.gz": pack(t, jsonl), "two.csv.gz": pack(t, "a,b\n1,") + pack(t, "x\n")} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tab, err := ReadFile(path, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := dump(tab); got != want {
			t.Errorf("%s gives\n%s\nshould be\n%s", name, got, want)
		}
	}
	for _, test := range []struct {
		name, text string
		o          ReadOptions
		stage      diag.Stage
		rule       string
		line       int
		part       string
	}{
		{"t.parquet", "", ReadOptions{}, diag.Runtime, "DATA-1", 0, "kind of file"},
		{"plain.csv.gz", csv, ReadOptions{}, diag.Runtime, "DATA-1", 0, "not packed by gzip"},
		{"cut.csv.gz", pack(t, strings.Repeat(csv, 100))[:30], ReadOptions{}, diag.Runtime, "DATA-1", 1, "cannot be read"},
		{"bomb.csv.gz", pack(t, "a\n"+strings.Repeat("\n", 10<<20)), ReadOptions{MaxBytes: 1 << 20}, diag.Limit, "LIM-1", 0, "more than 1048576 bytes"},
		{"bad.csv", "a,b\n1\n", ReadOptions{}, diag.Runtime, "DATA-1", 2, "bad.csv:2:1"},
	} {
		path := filepath.Join(dir, test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := ReadFile(path, test.o)
		var e *diag.Error
		if test.line == 0 && errors.As(err, &e) {
			e.Pos = diag.Pos{}
		}
		wantError(t, err, test.stage, test.rule, test.line, test.part)
	}
	_, err := ReadFile(filepath.Join(dir, "missing.csv"), ReadOptions{})
	wantError(t, err, diag.Runtime, "DATA-1", 0, "missing.csv")
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error of a missing file is %v", err)
	}
}

func TestReadSniffs(t *testing.T) {
	const want = "A:bigint\n1"
	for _, text := range []string{"a\n1\n", `{"a":1}`, " \n {\"a\":1}", "\ufeff{\"a\":1}", pack(t, "a\n1\n"), pack(t, `{"a":1}`)} {
		tab, err := Read(strings.NewReader(text), ReadOptions{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := dump(tab); got != want {
			t.Errorf("%q gives\n%s", text, got)
		}
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("cable cut") }

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

func TestReadErrorOfReader(t *testing.T) {
	_, err := ReadCSV(io.MultiReader(strings.NewReader("a\n1\n2"), brokenReader{}), ReadOptions{})
	wantError(t, err, diag.Runtime, "DATA-1", 1, "cable cut")
	_, err = ReadJSONLines(idleReader{}, ReadOptions{})
	wantError(t, err, diag.Runtime, "DATA-1", 1)
	if !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error is %v", err)
	}
}

func TestParseFloatRounds(t *testing.T) {
	// The fast path divides two numbers that a double holds exactly; beyond
	// 2^53 it must not be taken.
	tab, err := ReadCSV(strings.NewReader("a\n0.1\n9007199254740993\n9007199254740993.0\n-0\n123456789012345678\n1e0\n"),
		ReadOptions{Schema: []Field{{"A", value.TypeDouble}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0.1, 9007199254740992, 9007199254740992, 0, 123456789012345680, 1}
	for i, f := range tab.Column(0).Float64s() {
		if f != want[i] {
			t.Errorf("row %d is %v, should be %v", i, f, want[i])
		}
	}
}
