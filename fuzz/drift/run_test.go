package drift_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

var (
	seed  = flag.Uint64("fuzz.seed", 1, "seed of the random inputs")
	count = flag.Int("fuzz.n", 20_000, "patterns within which a wrong rewrite is found; a right one is tried on a quarter of them")
)

var lim = matcher.Limits{Steps: 8_000}

func run(t *testing.T, o drift.Options, s drift.Subject) *drift.Report {
	t.Helper()
	r, err := drift.Run(context.Background(), o, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", r)
	for _, d := range r.Drifts {
		t.Logf("%s", d)
	}
	return r
}

// TestPREF11WrongRewrites: each is found within 20,000 patterns, most of them
// within a few thousand.
func TestPREF11WrongRewrites(t *testing.T) {
	for _, w := range drift.Rewrites {
		if w.Valid {
			continue
		}
		t.Run(w.Name, func(t *testing.T) {
			r := run(t, drift.Options{Seed: *seed, N: *count}, drift.FromRewrite(w.Name, w.Apply, lim))
			if len(r.Drifts) != 1 {
				t.Fatalf("seed %d: not found within %d patterns", *seed, r.Drawn)
			}
			if d := r.Drifts[0]; d.Rule == drift.Unexplained || d.Rewritten == "" || len(d.Rows) > 5 {
				t.Errorf("seed %d: %s", *seed, d)
			}
		})
	}
}

// TestPREF11RightRewrites: none is ever found to drift. The laws of package fuzz
// try them on more patterns in which there is something to rewrite.
func TestPREF11RightRewrites(t *testing.T) {
	for _, w := range drift.Rewrites {
		if !w.Valid {
			continue
		}
		t.Run(w.Name, func(t *testing.T) {
			r := run(t, drift.Options{Seed: *seed, N: *count / 4, All: true}, drift.FromRewrite(w.Name, w.Apply, lim))
			if len(r.Drifts) > 0 {
				t.Errorf("seed %d: %s", *seed, r.Drifts[0])
			}
			if r.Compared < *count/50 {
				t.Errorf("weak run: %d inputs compared", r.Compared)
			}
		})
	}
}

// TestRewriteExamples: the rewrites on the examples of PREF-11.
func TestRewriteExamples(t *testing.T) {
	for _, c := range []struct{ name, from, to string }{
		{"flatten", "(A{2,3}){1,2}", "A{2,6}"},
		{"flatten-minimum", "(A{2,3}){1,2}", "(A{2,3}){1,2}"},
		{"flatten-minimum", "((A* B){1,3}){2,2}", "(A* B){2,6}"},
		{"flatten-fixed", "((A* B){1,3}){2,2}", "((A* B){1,3}){2,2}"},
		{"flatten-fixed", "((A | B){1,3}){2,2}", "(A | B){2,6}"},
		{"merge", "(A | B B)+ (A | B B)+", "(A | B B){2,}"},
		{"merge-fixed", "(A | B B)+ (A | B B)+", "(A | B B)+ (A | B B)+"},
		{"merge-fixed", "(A | B){1,2} (A | B)", "(A | B){2,3}"},
		{"unroll-nullable", "(A? | B){1,2} A", "((A? | B) (A? | B)?) A"},
		{"unroll", "A{1,3}", "(A (A A?)?)"},
		{"unroll", "A{2,}?", "(A A A*?)"},
		{"unroll", "(A?){1,3}", "(A?){1,3}"},
		{"merge-leading", "A A{0,2}", "A{1,3}"},
		{"merge-leading", "(A?) (A?){0,2}", "(A?) (A?){0,2}"},
		{"merge-leading", "(A?) (A?)+", "(A?){2,}"},
		{"merge-greeds", "A? A??", "A{0,2}"},
		{"drop-minimum", "(A{2,})*", "A*"},
		{"clear-reluctance", "A{2,2}? B{1,2}?", "A{2} B{1,2}?"},
		{"repeat", "A A A B B", "A{3} B{2}"},
		{"once", "(A B){1,1} C{1}", "(A B) (C)"},
		{"copies", "(A | B){2}", "((A | B) (A | B))"},
		{"write-permute", "PERMUTE(A, B?)+", "((A) (B?) | (B?) (A))+"},
	} {
		w, ok := drift.LookupRewrite(c.name)
		if !ok {
			t.Fatalf("no rewrite %s", c.name)
		}
		p := parse(t, c.from)
		q := w.Apply(p)
		// Groups around groups have no meaning.
		if want := parse(t, c.to); !sameButGroups(q, want) {
			t.Errorf("%s: %s becomes %s, should be %s", c.name, c.from, q, c.to)
		}
		if p.String() != parse(t, c.from).String() {
			t.Errorf("%s changes its argument to %s", c.name, p)
		}
	}
	if _, ok := drift.LookupRewrite("none"); ok {
		t.Error("there is a rewrite none")
	}
}

func sameButGroups(p, q *semantics.Pattern) bool {
	p, q = gen.Bare(p), gen.Bare(q)
	if p.Op != q.Op || len(p.Sub) != len(q.Sub) || p.Min != q.Min || p.Max != q.Max || p.Reluctant != q.Reluctant || p.Name.Text != q.Name.Text {
		return false
	}
	for i := range p.Sub {
		if !sameButGroups(p.Sub[i], q.Sub[i]) {
			return false
		}
	}
	return true
}

// TestEnumeratorDoesNotDrift: a second matcher of ours as subject.
func TestEnumeratorDoesNotDrift(t *testing.T) {
	r := run(t, drift.Options{Seed: *seed, N: 3_000, All: true}, drift.FromEngine(enumerate.Engine{}, matcher.Limits{}))
	if len(r.Drifts) > 0 || r.Failed > 0 || r.Compared < 8_000 {
		t.Errorf("seed %d: %s", *seed, r)
	}
}

// wrong is PREF-9 with a mistake.
type wrong struct {
	rows      [][]string
	vars      []string
	jumps     bool // an empty iteration above the lower bound fails (JavaScript)
	longest   bool // of all matches the longest is taken
	fuel      int
	best      []string
	bestFound bool
}

type outOfFuel struct{}

func (w *wrong) match(p *semantics.Pattern, pos int, k func(int) bool) bool {
	if w.fuel--; w.fuel < 0 {
		panic(outOfFuel{})
	}
	switch p.Op {
	case semantics.OpVariable:
		if pos >= len(w.rows) || !slices.Contains(w.rows[pos], p.Name.Text) {
			return false
		}
		w.vars = append(w.vars, p.Name.Text)
		if k(pos + 1) {
			return true
		}
		w.vars = w.vars[:len(w.vars)-1]
		return false
	case semantics.OpEmpty:
		return k(pos)
	case semantics.OpGroup:
		return w.match(p.Sub[0], pos, k)
	case semantics.OpConcat:
		return w.sequence(p.Sub, pos, k)
	case semantics.OpAlternate:
		return slices.ContainsFunc(p.Sub, func(sub *semantics.Pattern) bool { return w.match(sub, pos, k) })
	}
	return w.loop(p, 0, pos, k)
}

func (w *wrong) sequence(list []*semantics.Pattern, pos int, k func(int) bool) bool {
	if len(list) == 0 {
		return k(pos)
	}
	return w.match(list[0], pos, func(p2 int) bool { return w.sequence(list[1:], p2, k) })
}

func (w *wrong) loop(q *semantics.Pattern, c, p int, k func(int) bool) bool {
	again := func() bool {
		return (q.Max == semantics.Unbounded || c < q.Max) && w.match(q.Sub[0], p, func(p2 int) bool {
			if p2 == p && c+1 >= q.Min {
				if w.jumps && c >= q.Min {
					return false
				}
				return k(p2)
			}
			return w.loop(q, c+1, p2, k)
		})
	}
	switch {
	case c < q.Min:
		return again()
	case q.Reluctant:
		return k(p) || again()
	}
	return again() || k(p)
}

func (w wrong) subject(name string) drift.Subject {
	return drift.FromFunc(name, func(p *semantics.Pattern, rows [][]string, start int) (vars []string, excluded []bool, ok bool, err error) {
		bad := p.Has(semantics.OpPartitionStart) || p.Has(semantics.OpPartitionEnd) || p.Has(semantics.OpExclude) || p.Has(semantics.OpPermute)
		if bad {
			return nil, nil, false, diag.New(diag.Unsupported, "", diag.Pos{}, "not known")
		}
		x := w
		x.rows, x.fuel = rows, 100_000
		defer func() {
			if e := recover(); e == (outOfFuel{}) {
				err = diag.New(diag.Limit, "LIM-1", diag.Pos{}, "out of fuel")
			} else if e != nil {
				panic(e)
			}
		}()
		found := x.match(p, start, func(end int) bool {
			if !x.longest {
				return true
			}
			if !x.bestFound || len(x.vars) > len(x.best) {
				x.best, x.bestFound = slices.Clone(x.vars), true
			}
			return false
		})
		if x.longest {
			return x.best, nil, x.bestFound, nil
		}
		return x.vars, nil, found, nil
	})
}

// TestPublishedMistakes: what is shown of a matcher with one mistake.
func TestPublishedMistakes(t *testing.T) {
	for _, c := range []struct {
		name  string
		w     wrong
		rules []string
	}{
		{"right", wrong{}, nil},
		{"javascript", wrong{jumps: true}, []string{"PREF-8"}},
		{"longest", wrong{longest: true}, []string{"PREF-2", "PREF-4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, drift.Options{Seed: *seed, N: 5_000}, c.w.subject(c.name))
			if !slices.Equal(r.Unknown, []string{"anchors", "exclusion", "PERMUTE"}) {
				t.Errorf("not known: %q", r.Unknown)
			}
			switch {
			case c.rules == nil && len(r.Drifts) > 0:
				t.Error("a right matcher drifts")
			case c.rules != nil && (len(r.Drifts) != 1 || !slices.Contains(c.rules, r.Drifts[0].Rule)):
				t.Errorf("seed %d: should be found by %q", *seed, c.rules)
			}
		})
	}
}

// TestDeterministic: the same seed gives the same drifts, whatever the order
// in which a subject is asked.
func TestDeterministic(t *testing.T) {
	w, _ := drift.LookupRewrite("flatten")
	var texts [2]string
	for i := range texts {
		r := run(t, drift.Options{Seed: 5, N: 400, All: true}, drift.FromRewrite(w.Name, w.Apply, lim))
		for _, d := range r.Drifts {
			texts[i] += d.String()
		}
	}
	if texts[0] != texts[1] || texts[0] == "" {
		t.Error("two runs differ")
	}
}

// TestKept: what is found is kept as a labels case, and tried first next time.
func TestKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	w, _ := drift.LookupRewrite("flatten")
	first := run(t, drift.Options{Seed: 1, N: 2_000, All: true, Dir: dir}, drift.FromRewrite(w.Name, w.Apply, lim))
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != len(first.Drifts) || len(files) == 0 {
		t.Fatalf("%d files for %d drifts, %v", len(files), len(first.Drifts), err)
	}
	again := run(t, drift.Options{Seed: 2, N: 1, All: true, Dir: dir}, drift.FromRewrite(w.Name, w.Apply, lim))
	if again.Replayed != len(files) || again.Differing < len(files) {
		t.Errorf("%d replayed, %d differ, of %d kept", again.Replayed, again.Differing, len(files))
	}
	text, err := os.ReadFile(filepath.Join(dir, files[0].Name()))
	if err != nil || !strings.Contains(string(text), "\nlabels id="+files[0].Name()+" rule=PREF-") {
		t.Errorf("%s, %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "other"), []byte("labels id=x rule=PREF-2\nPATTERN (A |)\nROWS A\n----\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = drift.Run(context.Background(), drift.Options{Dir: dir}, drift.FromRewrite(w.Name, w.Apply, lim))
	if e := diag.From(err); e.Rule != "DATA-1" || e.Pos.Line != 2 || !strings.HasSuffix(e.File, "other") {
		t.Errorf("a broken file: %v", err)
	}
}

// TestBadRewrites: what a rewrite may do wrong besides drifting. One that fails
// on everything ends the run.
func TestBadRewrites(t *testing.T) {
	for name, apply := range map[string]func(*semantics.Pattern) *semantics.Pattern{
		"nothing": func(*semantics.Pattern) *semantics.Pattern { return nil },
		"illegal": func(p *semantics.Pattern) *semantics.Pattern { return gen.Quantify(p, 3, 2, false) },
		"panics":  func(p *semantics.Pattern) *semantics.Pattern { panic("oops") },
	} {
		r, err := drift.Run(context.Background(), drift.Options{N: 1000, All: true}, drift.FromRewrite(name, apply, lim))
		if v, reason := oracle.WhyNot(err); err == nil || v != oracle.Failed || !strings.Contains(reason, "fails on everything") {
			t.Errorf("%s: %v", name, err)
		}
		if r.Failed < 30 || r.Drawn > 64 || len(r.Drifts) > 0 || len(r.Failures) == 0 {
			t.Errorf("%s: %s", name, r)
		}
	}
}

// fickle answers every second question with no match.
type fickle struct {
	drift.Subject
	asked int
}

func (f *fickle) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	a, err := f.Subject.Ask(ctx, c)
	if f.asked++; f.asked%2 == 0 {
		a.Mappings = make([]oracle.Mapping, len(c.Rows))
	}
	return a, err
}

// TestFickleSubject: a subject that answers the same question in two ways ends
// no run in a loop.
func TestFickleSubject(t *testing.T) {
	r := run(t, drift.Options{N: 96, All: true}, &fickle{Subject: drift.FromEngine(enumerate.Engine{}, lim)})
	if r.Differing == 0 {
		t.Error("nothing found")
	}
}

// TestInterrupted: the report of an interrupted run is there, and says so.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w, _ := drift.LookupRewrite("copies")
	o := drift.Options{N: 1 << 30, Progress: func(r *drift.Report) {
		if r.Drawn > 500 {
			cancel()
		}
	}}
	r, err := drift.Run(ctx, o, drift.FromRewrite(w.Name, w.Apply, lim))
	if !errors.Is(err, context.Canceled) || !r.Interrupted || r.Drawn < 500 || r.Drawn > 600 {
		t.Errorf("%v, %v", r, err)
	}
}

// TestTimeLimit: no new inputs are drawn after it.
func TestTimeLimit(t *testing.T) {
	w, _ := drift.LookupRewrite("copies")
	began := time.Now()
	r := run(t, drift.Options{Time: 50 * time.Millisecond}, drift.FromRewrite(w.Name, w.Apply, lim))
	if time.Since(began) > 10*time.Second || r.Drawn == 0 {
		t.Errorf("%d patterns in %v", r.Drawn, time.Since(began))
	}
}
