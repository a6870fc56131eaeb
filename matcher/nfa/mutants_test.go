package nfa

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var mutants = flag.String("mutants", "", "check that the suite finds defects that are put into the engine: all, or those whose name has this")

// defects are changes of the engine, each of which the suite must find.
var defects = []struct{ name, file, from, to string }{
	{"drop the cut of duplicates", "automaton.go", "if c.seen[key] == c.round {", "if c.seen[key] == c.round && in.op != opTake {"},
	{"cut states that differ in which iterations are empty", "automaton.go", "key := s.at*c.depths + s.full", "key := s.at * c.depths"},
	{"forget the suffix of empty loops", "automaton.go", "if s.full < in.depth {", "if s.full < in.depth && in.depth < 2 {"},
	{"stop below the lower bound", "unroll.go", "for c := q.Min - 2; c >= 0 && !u.tooLarge; c-- {\n\t\tbefore := len(u.code)\n\t\tentry = u.node(body, entry, depth, excluded)",
		"for c := q.Min - 2; c >= 0 && !u.tooLarge; c-- {\n\t\tbefore := len(u.code)\n\t\tentry = iteration(entry)"},
	{"let ^ hold anywhere", "automaton.go", "if first {\n", "if true {\n"},
	{"let $ hold nowhere", "automaton.go", "_, a.endsLast[at] = c.list(in.next, in.depth, false, true)", "a.endsLast[at] = a.ends[at]"},
	{"nest the choices of PERMUTE", "unroll.go", "if fixed {", "if true {"},
	{"reuse failures of another start", "memo.go", "if live&readsStart != 0 {", "if false {"},
	{"keep failures of the attempt before", "memo.go", "func (m *memo) begin(start int) {\n", "func (m *memo) begin(start int) {\n\tif m.start != start {\n\t\treturn\n\t}\n"},
	{"forget a register in the key", "memo.go", "f.key = append(f.key, st.lo)\n", "\n"},
	{"forget a register of a frame in the key", "memo.go", "uint64(min(words[0], 1)), uint64(words[1]))", "uint64(min(words[0], 1)))"},
	{"skip the undo of aggregates", "registers.go", "r.aggs[a].cut(n)", "_ = a"},
	{"skip the undo of rows", "registers.go", "t.rows = t.rows[:n]\n", "\n"},
	{"begin a window frame one row late", "view.go", "!edge(a.Lo, a.Lo+plan.back)", "!edge(a.Lo+1, a.Lo+plan.back)"},
	{"end a window frame one row late", "view.go", "!edge(a.Hi-plan.ahead, a.Hi)", "!edge(a.Hi-plan.ahead+1, a.Hi)"},
	{"let $ hold at the end of a frame", "view.go", "f.newView(w, narrow, wide, a.Start, a.End == n), a", "f.newView(w, narrow, wide, a.Start, true), a"},
	{"take a run one row too far", "viable.go", "hi = i + most", "hi = i + most + 1"},
	{"leave a run early", "viable.go", "run.exits.prev(v.reach(i, run))", "run.exits.next(i + v.sets.a.positions[p].least)"},
	{"take an ambiguous step in T1", "forward.go", "!(a.ends[chosen] && a.endsLast[chosen])", "!(a.ends[chosen] || a.endsLast[chosen])"},
	{"pass over starts in T1", "forward.go", "if f.passed(state) {", "if false {"},
	{"carry the last row for the first", "carry.go", "to[1+2*t] = int32(i)\n", "\n"},
	{"carry a later of two equal values", "carry.go", "st[k].best, st[k].lo = x.best, x.lo", "st[k].best = x.best"},
	{"make a window one row too long", "window.go", "v.limit = int32(lo)", "v.limit = int32(lo + 1)"},
	{"take UNKNOWN for TRUE", "search.go", "all = all && t == value.True\n\t}\n\treturn all, nil", "}\n\treturn all, nil"},
	{"cut where an error may be passed over", "search.go", "prune: !raise[q] && !raises[v], ", "prune: true, "},
	{"evaluate aggregates that nobody reads", "raises.go", "return !r.interval(n).known\n}\n\n// interval follows", "return false\n}\n\n// interval follows"},
	{"output unmatched rows in a match", "scan.go", "s.covered = max(s.covered, end, start+1)", "s.covered = max(s.covered, start+1)"},
	{"order partitions by key", "scatter.go", "\t\t\tnumber[v-least] = g\n", "\t\t\tnumber[v-least] = g\n\t\t\tif g == 2 {\n\t\t\t\tcounts[0], counts[1] = counts[1], counts[0]\n\t\t\t}\n"},
	// PREF-10a: a list has each place of the pattern once, whatever iteration it
	// stands for. (A+ | B){2} shows it.
	{"drop the count of iterations from the state", "automaton.go", "		a.follow[at], a.ends[at] = c.list(in.next, in.depth, false, false)\n",
		`		a.follow[at], a.ends[at] = c.list(in.next, in.depth, false, false)
		seen, once := map[*semantics.Pattern]bool{}, []int32{}
		for _, q := range a.follow[at] {
			if q == accept || !seen[u.positions[q].of] {
				once = append(once, q)
			}
			if q != accept {
				seen[u.positions[q].of] = true
			}
		}
		a.follow[at] = once
`},
	{"remember failures of a run whatever its count", "search.go", "memo: ahead[q] <= startLocal && !run,", "memo: ahead[q] <= startLocal,"},
	{"skip the undo of one aggregate", "frame.go", "		updates[i].apply(s, frame, place)\n", `		updates[i].apply(s, frame, place)
		if at := f.top - f.stride + updates[i].slot; updates[i].kind == toSum && at >= 0 {
			copy(f.words[at:at+3], frame[updates[i].slot:])
		}
`},
	{"search one row past the frame", "view.go", "narrow = append(narrow, f.narrow[a.Start:a.End]...)", "narrow = append(narrow, f.narrow[a.Start:min(a.End+1, n)]...)"},
}

// also are the other edits of defects that need more than one.
var also = map[string][]edit{
	"drop the count of iterations from the state": {
		{"unroll.go", "return u.take(position{v: p.Var, ", "return u.take(position{of: p, v: p.Var, "},
		{"unroll.go", "	v           semantics.VarID\n	excluded ", "	of          *semantics.Pattern\n	v           semantics.VarID\n	excluded "},
	},
}

// edit replaces a text that stands once in a file.
type edit struct{ file, from, to string }

// TestMutants runs the suite on the engine with each defect. It compiles the
// package once for each of them.
func TestMutants(t *testing.T) {
	if *mutants == "" {
		t.Skip("-mutants is not set")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, d := range defects {
		if *mutants != "all" && !strings.Contains(d.name, *mutants) {
			continue
		}
		tried++
		dir := t.TempDir()
		changed := map[string]string{}
		for _, e := range append([]edit{{d.file, d.from, d.to}}, also[d.name]...) {
			if _, ok := changed[e.file]; !ok {
				source, err := os.ReadFile(e.file)
				if err != nil {
					t.Fatal(err)
				}
				changed[e.file] = string(source)
			}
			if n := strings.Count(changed[e.file], e.from); n != 1 {
				t.Errorf("%s: %q stands %d times in %s", d.name, e.from, n, e.file)
			}
			changed[e.file] = strings.Replace(changed[e.file], e.from, e.to, 1)
		}
		replaced := map[string]string{}
		for name, source := range changed {
			replaced[filepath.Join(here, name)] = filepath.Join(dir, name)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		overlay, err := json.Marshal(map[string]any{"Replace": replaced})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "overlay.json")
		if err := os.WriteFile(file, overlay, 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		out, err := exec.CommandContext(t.Context(), "go", "test", "-overlay", file, "-failfast", "-seed", "1", "-timeout", "120s", ".").CombinedOutput()
		took := time.Since(start).Round(time.Second)
		switch {
		case err == nil:
			t.Errorf("%s: not found, after %s", d.name, took)
		case strings.Contains(string(out), "[build failed]"):
			t.Errorf("%s: does not compile:\n%s", d.name, out)
		default:
			t.Logf("%s: found after %s", d.name, took)
		}
	}
	if tried == 0 {
		t.Errorf("no defect has %q in its name", *mutants)
	}
}
