package fuzz_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/perl"
	"github.com/rprcheck/rprcheck/semantics"
)

// TestKept replays the inputs on which a matcher or a rewrite once preferred
// another match: labels cases, as the drift checker writes them. The answers
// are those of both matchers, and of Perl where there is one.
func TestKept(t *testing.T) {
	p := perl.New(perl.Options{})
	defer p.Close()
	cases := 0
	datadriven.Walk(t, "testdata/kept", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "labels" {
				d.Fatalf(t, "no labels case")
			}
			cases++
			var id string
			d.ScanArgs(t, "id", &id)
			pattern, rows := keptInput(t, d)
			var first string
			for _, e := range []matcher.Engine{reference.Engine{}, enumerate.Engine{}} {
				got, ok := answer(e, pattern, rows)
				if !ok {
					d.Fatalf(t, "%s: %s", e.Name(), got)
				}
				if first == "" {
					first = got
				}
				if got != first {
					t.Errorf("%s: reference %s, %s %s", id, first, e.Name(), got)
				}
			}
			c := &oracle.Case{ID: id, Op: oracle.Map, Pattern: pattern.String(), Tree: pattern, Rows: rows}
			if p.Supports(c) == "" {
				a, err := p.Ask(context.Background(), c)
				if err != nil {
					t.Errorf("%s: %v", id, err)
				} else if got := oracleText(a.Mappings); got != first {
					t.Errorf("%s: reference %s, perl %s", id, first, got)
				}
			}
			var b strings.Builder
			for i, m := range strings.Split(first, "; ") {
				fmt.Fprintf(&b, "%d: %s\n", i+1, m)
			}
			return b.String()
		})
	})
	if cases == 0 {
		t.Error("nothing is kept")
	}
	t.Logf("%d cases", cases)
}

func keptInput(t *testing.T, d *datadriven.TestData) (*semantics.Pattern, [][]string) {
	t.Helper()
	pattern, rest, ok := strings.Cut(d.Input, "\nROWS ")
	pattern, isPattern := strings.CutPrefix(pattern, "PATTERN ")
	p, err := semantics.ParsePattern(pattern)
	if !ok || !isPattern || err != nil {
		d.Fatalf(t, "PATTERN and ROWS are needed: %v", err)
	}
	var rows [][]string
	for _, row := range strings.Fields(rest) {
		rows = append(rows, strings.Split(strings.Trim(row, "-"), ""))
	}
	return p, rows
}

func oracleText(list []oracle.Mapping) string {
	out := make([]string, len(list))
	for i, m := range list {
		switch {
		case !m.Found:
			out[i] = "-"
		case len(m.Vars) == 0:
			out[i] = "()"
		default:
			names := append([]string(nil), m.Vars...)
			for j := range names {
				if m.Excluded != nil && m.Excluded[j] {
					names[j] = "{" + names[j] + "}"
				}
			}
			out[i] = strings.Join(names, " ")
		}
	}
	return strings.Join(out, "; ")
}
