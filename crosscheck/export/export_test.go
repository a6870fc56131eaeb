package export

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/semantics/query"
)

func cases(t *testing.T) []*corpus.Case {
	t.Helper()
	s, err := crosscheck.LoadFS(os.DirFS("../../testdata"), "rpr")
	if err != nil || len(s.Errs) > 0 {
		t.Fatal(err, s.Errs)
	}
	return s.Cases
}

// A statement written for Trino is a statement of the standard as well, so that
// the reference can run it: it must give the rows that are written beside it.
func TestExportedLabelsGiveTheirRows(t *testing.T) {
	p := dialect.Trino()
	compared := 0
	for _, c := range cases(t) {
		if c.Kind != corpus.Labels {
			continue
		}
		x, reason := script(p, c)
		if reason != "" {
			continue
		}
		res, err := query.Run(context.Background(), x.sql, query.Options{Recognizer: matcher.Using(reference.Engine{}, matcher.Limits{})})
		if err != nil {
			t.Errorf("%s: %v\n%s", c.Name, err, x.sql)
			continue
		}
		got := crosscheck.TableLines(res.Table, false)[1:]
		want := slices.Clone(x.rows)
		sort.Strings(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: rows %q, written %q\n%s", c.Name, got, want, x.sql)
		}
		compared++
	}
	if compared < 1000 {
		t.Errorf("only %d cases could be compared", compared)
	}
}

// Every form writes each case or counts why not; JSON lines write all of them.
func TestWrite(t *testing.T) {
	all := cases(t)
	for _, format := range Formats {
		var b bytes.Buffer
		sum, ok, err := Write(&b, format, all)
		if !ok || err != nil {
			t.Fatal(format, ok, err)
		}
		left := 0
		for _, n := range sum.Left {
			left += n
		}
		if sum.Written+left != len(all) || sum.Written == 0 {
			t.Errorf("%s: %d written and %d left out of %d", format, sum.Written, left, len(all))
		}
		if format == "jsonl" {
			if sum.Written != len(all) {
				t.Errorf("jsonl leaves cases out: %v", sum.Left)
			}
			for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
				var r Record
				if err := json.Unmarshal([]byte(line), &r); err != nil || r.Case == "" {
					t.Fatalf("%v: %s", err, line)
				}
			}
		}
	}
	if _, ok, _ := Write(&bytes.Buffer{}, "nosuch", all); ok {
		t.Error("a form that does not exist is written")
	}
}

// A sqllogictest record: statement, dashes, one line a row with tabs.
func TestLogic(t *testing.T) {
	c := &corpus.Case{Name: "demo/one#a", Rules: []string{"MAT-1"}, Comment: "why"}
	var b bytes.Buffer
	statement{sql: "SELECT 1\n\nFROM t", columns: 3, rows: []string{"1 'x y' NULL", "2.5 DATE '2026-01-02' TRUE"}, ordered: true}.logic(&b, c)
	want := "# demo/one#a (MAT-1)\n# why\nquery TTT nosort\nSELECT 1\nFROM t\n----\n1\tx y\tNULL\n2.5\t2026-01-02\ttrue\n\n"
	if b.String() != want {
		t.Errorf("is:\n%s\nshould be:\n%s", b.String(), want)
	}
	b.Reset()
	statement{sql: "SELECT 1", refused: "syntax PAT-5", check: true}.logic(&b, c)
	if !strings.Contains(b.String(), "statement error\nSELECT 1\n") {
		t.Error(b.String())
	}
}
