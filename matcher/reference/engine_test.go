package reference

import (
	"strings"
	"sync"
	"testing"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// finderOf compiles a labelled pattern and prepares its only partition.
func finderOf(t *testing.T, e Engine, pattern string, rows ...string) (matcher.Finder, *semantics.Clause, int) {
	t.Helper()
	prog, c, part := programOf(t, e, pattern, rows...)
	f, err := prog.Partition(part)
	if err != nil {
		t.Fatal(err)
	}
	return f, c, part.Len()
}

func programOf(t *testing.T, e Engine, pattern string, rows ...string) (matcher.Program, *semantics.Clause, *semantics.Partition) {
	t.Helper()
	sets := make([][]string, len(rows))
	for i, row := range rows {
		sets[i] = strings.Split(row, "")
	}
	c, in, err := semantics.Labelled(pattern, "", sets)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := e.Compile(c, matcher.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := c.Partitions(in)
	if err != nil || len(parts) != 1 {
		t.Fatalf("%d partitions, %v", len(parts), err)
	}
	return prog, c, parts[0]
}

// TestEngine finds through the agreed interface; each Find is an attempt of its
// own, in any order of starting rows.
func TestEngine(t *testing.T) {
	f, c, n := finderOf(t, Engine{}, "^ A B+ $ | {- B -} B | ()", "A", "B", "B")
	for _, tc := range []struct {
		start int
		want  string
	}{{0, "1A 2B 3B"}, {1, "2{B} 3B"}, {2, "empty"}, {0, "1A 2B 3B"}, {1, "2{B} 3B"}} {
		m, found, err := f.Find(t.Context(), matcher.Attempt{Start: tc.start, End: n, Hi: n, MatchNumber: 1})
		if err != nil || !found {
			t.Fatalf("row %d: %v, %v", tc.start+1, found, err)
		}
		names := make([]string, c.Primaries)
		for v := range names {
			names[v] = c.Name(semantics.VarID(v))
		}
		if got := mappingText(m, names); got != tc.want || m.Start != tc.start {
			t.Errorf("row %d: got %s from row %d, want %s", tc.start+1, got, m.Start+1, tc.want)
		}
		if (m.Excluded != nil) != strings.Contains(tc.want, "{") {
			t.Errorf("row %d: Excluded is %v", tc.start+1, m.Excluded)
		}
	}
	if got := (Engine{}).Name(); got != "reference" {
		t.Errorf("the name is %q", got)
	}
}

// TestProgramIsShared: finders of one program search at the same time.
func TestProgramIsShared(t *testing.T) {
	rows := make([]string, 300)
	for i := range rows {
		rows[i] = "AB"
	}
	prog, _, part := programOf(t, Engine{}, "(A | {- B -})+ $", rows...)
	var wg sync.WaitGroup
	for g := range 4 {
		f, err := prog.Partition(part)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for start := g; start < len(rows); start += 4 {
				m, found, err := f.Find(t.Context(), matcher.Attempt{Start: start, End: len(rows), Hi: len(rows)})
				if err != nil || !found || m.End() != len(rows) || m.Start != start {
					t.Errorf("row %d: %v, %v, ends at %d", start+1, found, err, m.End())
				}
			}
		})
	}
	wg.Wait()
}

// TestEngineTrace: the tracer of an engine sees the searches of its finders.
func TestEngineTrace(t *testing.T) {
	var lines []string
	f, _, n := finderOf(t, Engine{Trace: func(e Event) { lines = append(lines, e.String()) }}, "A | B", "B")
	if _, found, err := f.Find(t.Context(), matcher.Attempt{End: n, Hi: n}); !found || err != nil {
		t.Fatal(found, err)
	}
	want := "row 1: alternative 1 of 2: A (PREF-2)\nrow 1 as A: fails\nback to row 1, A | B\n" +
		"row 1: alternative 2 of 2: B (PREF-2)\nrow 1 as B: holds\nmatch of 1 rows (MAT-1)"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLimitErrorPlace: limit errors point into the statement.
func TestLimitErrorPlace(t *testing.T) {
	c, in, err := semantics.Labelled("  PERMUTE(A, B, C)", "", [][]string{{"A"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Engine{}.Compile(c, matcher.Limits{Permute: 2})
	if e := diag.From(err); e == nil || e.Pos.Column != 3 || e.Source != c.Source {
		t.Errorf("PERMUTE: got %v in %q", e, c.Source)
	}
	prog, err := Engine{}.Compile(c, matcher.Limits{Steps: 1})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := c.Partitions(in)
	if err != nil {
		t.Fatal(err)
	}
	f, err := prog.Partition(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	// A holds, B finds no row; B C A fails on row 1: the second test is one too many.
	_, _, err = f.Find(t.Context(), matcher.Attempt{End: 1, Hi: 1})
	wantLimit(t, err, "tested 1 conditions")
	if e := diag.From(err); e.Pos.Column != 3 || e.Source != c.Source {
		t.Errorf("steps: error at %v in %q", e.Pos, e.Source)
	}
}
