package perl_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/perl"
)

// open returns the oracle; the test is skipped, visibly, where there is no perl.
func open(t testing.TB, o perl.Options) *perl.Oracle {
	t.Helper()
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skipf("no perl: %v", err)
	}
	p := perl.New(o)
	t.Cleanup(func() { p.Close() })
	return p
}

// mapCase reads rows like "A, AB, -".
func mapCase(pattern, rows string) *oracle.Case {
	c := &oracle.Case{Op: oracle.Map, Pattern: pattern}
	if rows == "" {
		return c
	}
	for _, row := range strings.Split(rows, ",") {
		row = strings.TrimSpace(row)
		if row == "-" {
			c.Rows = append(c.Rows, nil)
		} else {
			c.Rows = append(c.Rows, strings.Split(row, ""))
		}
	}
	return c
}

// show writes a match that starts at row start as the rulebook does: 1A 2B,
// {2B} for an excluded row, "empty" and "none".
func show(start int, m oracle.Mapping) string {
	switch {
	case !m.Found:
		return "none"
	case len(m.Vars) == 0:
		return "empty"
	}
	var out []string
	for i, v := range m.Vars {
		s := fmt.Sprintf("%d%s", start+i, v)
		if m.Excluded != nil && m.Excluded[i] {
			s = "{" + s + "}"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// TestChapter2 puts the rulebook's examples of matches to Perl.
func TestChapter2(t *testing.T) {
	p := open(t, perl.Options{})
	for _, c := range []struct {
		rule, pattern, rows string
		start               int
		want                string
	}{
		{"PREF-8", "(A? | B)*", "A, B", 1, "1A"},
		{"PREF-8", "(A? | B)* C", "A, B, C", 1, "1A 2B 3C"},
		{"PREF-8", "(A | ())+", "A, A, -", 1, "1A 2A"},
		{"PREF-8", "(() | A)*", "A", 1, "empty"},
		{"PREF-8", "(() | A){2,}", "A, A", 1, "empty"},
		{"PREF-8", "((() | A)+ B)", "A, A, B", 1, "1A 2A 3B"},
		{"PREF-8", "(A??)* B", "B", 1, "1B"},
		{"PREF-8", "(A??)* B", "A, B", 1, "1A 2B"},
		{"PREF-8", "(A??)+", "A, A", 1, "empty"},
		{"PREF-8", "(A*?){2,}", "A, A", 1, "empty"},
		{"PREF-8", "(A?){2,3}", "A, A, A, A", 1, "1A 2A 3A"},
		{"PREF-8", "(A?){2,3}", "A, A", 1, "1A 2A"},
		{"PREF-8", "(A?){2,3}", "-", 1, "empty"},
		{"PREF-8", "(A+ | B){2}", "A, A, A", 1, "1A 2A 3A"},
		{"PREF-8", "(A* B*)*", "A, B, A, B", 1, "1A 2B 3A 4B"},
		{"PREF-8", "((A? | B){3} C)", "B, AC, C", 1, "1B 2C"},
		{"PREF-8", "(A | ^)*", "A, A", 1, "1A 2A"},
		{"PREF-8", "(^ | A)*", "A, A", 1, "empty"},
		{"PREF-8", "(A?)+?", "A, A", 1, "1A"},
		{"PREF-8", "(A?)*?", "A, A", 1, "empty"},
		{"PREF-8", "(){2,}", "A", 1, "empty"},
		{"PREF-8", "^{3,10}", "A", 1, "empty"},
		{"PREF-8", "((A? ())|(B|B|B??)){1,3} A", "B, A, A", 1, "1B 2A 3A"},
		{"PREF-8", "(B?|A){3} (B|A A)", "A, B, B", 1, "1A 2B"},
		{"PREF-8", "(A?|B|B){3,4} A", "A, B, A, A, A", 1, "1A 2B 3A 4A"},
		{"PREF-11", "(A? | B){1,2} A", "B, A, A", 1, "1B 2A 3A"},
		{"PREF-11", "(A | B B)+ (A | B B)+", "A, AB, B, A", 1, "1A 2B 3B 4A"},
		{"PREF-11", "(A | B B){2,}", "A, AB, B, A", 1, "1A 2A"},
		{"PREF-11", "((A* B){1,3}){2,2}", "B, AB, B", 1, "1B 2B 3B"},
		{"PREF-2", "A{1,2} | B{2,3}", "AB, AB, B, B, B", 1, "1A 2A"},
		{"PREF-2", "A | A B", "A, B", 1, "1A"},
		{"PREF-4", "(A|B){1,2}", "AB, B", 1, "1A 2B"},
		{"PREF-4", "(A|B){1,2}?", "AB, B", 1, "1A"},
		{"PREF-4", "(A{2,3}){1,2}", "A, A, A, A", 1, "1A 2A 3A"},
		{"PREF-4", "A{2,6}", "A, A, A, A", 1, "1A 2A 3A 4A"},
		{"PREF-4", "((A?){2}?)", "A, A", 1, "1A 2A"},
		{"PREF-4", "((A??){2})", "A, A", 1, "empty"},
		{"PREF-5", "({- A -} | A)", "A", 1, "{1A}"},
		{"PREF-5", "(A | {- A -})", "A", 1, "1A"},
		{"PREF-5", "A {- B+ {- A -}? -} C", "A, B, A, C", 1, "1A {2B} {3A} 4C"},
		{"PREF-5", "({- A -} | A) C | A B", "A, B", 1, "1A 2B"},
		{"PAT-7", "PERMUTE(A, B?)", "B, A", 1, "1B 2A"},
		{"PAT-7", "PERMUTE(A, B?)", "AB, AB", 1, "1A 2B"},
		{"PAT-7", "PERMUTE(A, B | C, D)", "ABCD, ABCD, ABCD", 1, "1A 2B 3D"},
		{"PAT-7", "PERMUTE(A, B, C)+", "C, A, B, B, A, C", 1, "1C 2A 3B 4B 5A 6C"},
		{"MAT-1", "A? B+", "B, B, B", 1, "1B 2B 3B"},
		{"MAT-1", "A A", "A", 1, "none"},
		{"ANCH-1", "^ A", "A, A", 2, "none"},
		{"ANCH-1", "A $", "A, A", 1, "none"},
		{"ANCH-1", "A $", "A, A", 2, "2A"},
		{"ANCH-1", "A ^", "A, A", 1, "none"},
		{"ANCH-1", "^ A* $", "A, A", 1, "1A 2A"},
		{"ANCH-1", "A* $", "A, -, A", 3, "3A"},
		{"ANCH-1", "^* A B", "-, A, B", 2, "2A 3B"},
		{"MAT-4", "$", "-, -", 2, "none"},
		{"MAT-4", "^", "-, -", 1, "empty"},
		// Names are compared folded; others than the pattern's are ignored.
		{"GRAM-10", "a b*", "a, b, X", 1, "1A 2B"},
	} {
		q := mapCase(c.pattern, c.rows)
		if reason := p.Supports(q); reason != "" {
			t.Errorf("%s is not supported: %s", c.pattern, reason)
			continue
		}
		a, err := p.Ask(context.Background(), q)
		if err != nil {
			t.Errorf("%s on %s: %v", c.pattern, c.rows, err)
			continue
		}
		if len(a.Mappings) != len(q.Rows) {
			t.Errorf("%s on %s: %d mappings", c.pattern, c.rows, len(a.Mappings))
			continue
		}
		if got := show(c.start, a.Mappings[c.start-1]); got != c.want {
			t.Errorf("%s: %s on %s from row %d is %s, should be %s", c.rule, c.pattern, c.rows, c.start, got, c.want)
		}
	}
}

// TestNames: nothing of a name reaches Perl, however it looks.
func TestNames(t *testing.T) {
	p := open(t, perl.Options{})
	name := `(?{ print STDERR "code"; exit 9 })` + "\t\n"
	c := &oracle.Case{Op: oracle.Map, Pattern: `"` + strings.ReplaceAll(name, `"`, `""`) + `"+ ü`, Rows: [][]string{{name}, {name, "ü"}, {"Ü"}, nil}}
	a, err := p.Ask(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	want := []oracle.Mapping{{Found: true, Vars: []string{name, name, "Ü"}}, {Found: true, Vars: []string{name, "Ü"}}, {}, {}}
	if at := oracle.DifferAt(a.Mappings, want); at >= 0 {
		t.Errorf("row %d: %+v, should be %+v", at+1, a.Mappings[at], want[at])
	}
}

// TestNoRows: a case without rows has an answer without mappings.
func TestNoRows(t *testing.T) {
	p := open(t, perl.Options{})
	if a, err := p.Ask(context.Background(), mapCase("A*", "")); err != nil || len(a.Mappings) != 0 {
		t.Errorf("%v %v", a.Mappings, err)
	}
}

// TestManyRows: many different sets of labels, and matches of many rows.
func TestManyRows(t *testing.T) {
	p := open(t, perl.Options{})
	const n = 600
	c := &oracle.Case{Op: oracle.Map}
	var names []string
	for v := range 10 {
		names = append(names, fmt.Sprintf("V%d", v))
	}
	c.Pattern = "(" + strings.Join(names, " | ") + ")+ $"
	for i := range n {
		var row []string
		for v, name := range names {
			if (i+1)&(1<<v) != 0 {
				row = append(row, name)
			}
		}
		c.Rows = append(c.Rows, row)
	}
	a, err := p.Ask(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for start, m := range a.Mappings {
		if len(m.Vars) != n-start {
			t.Fatalf("row %d: %d rows, should be %d", start+1, len(m.Vars), n-start)
		}
		for i, v := range m.Vars {
			if want := c.Rows[start+i][0]; v != want { // the first alternative that holds (PREF-2)
				t.Fatalf("row %d is mapped to %s, should be %s", start+i+1, v, want)
			}
		}
	}
}

// TestSupports: what cannot be asked is said, with the reason.
func TestSupports(t *testing.T) {
	p := open(t, perl.Options{})
	many := make([][]string, 5000)
	for _, c := range []struct {
		c      *oracle.Case
		reason string
	}{
		{&oracle.Case{Op: oracle.Query, SQL: "SELECT 1"}, "conditions that read the match"},
		{&oracle.Case{Op: oracle.Check, SQL: "SELECT 1"}, "conditions that read the match"},
		{&oracle.Case{Op: oracle.Prefer, Pattern: "A", MaxRows: 3}, "not the list"},
		{&oracle.Case{Op: oracle.Map, Pattern: "A{2}?", Readings: []string{"PAT-5=alternative"}}, "reading PAT-5=alternative"},
		{mapCase("A{40000}", "A"), "larger than 32766"},
		{mapCase("A{1,2147483647}", "A"), "larger than 32766"},
		{mapCase("PERMUTE(A,B,C,D,E,F,G,H)", "A"), "more than 7 elements"},
		{mapCase("PERMUTE(PERMUTE(A,B,C,D,E),PERMUTE(A,B,C,D,E),B,C,D,E)", "A"), "too long"},
		{mapCase(strings.Repeat("(", 950)+"A"+strings.Repeat(")", 950), "A"), "nested deeper"},
		{mapCase("A |", "A"), "in error"},
		{&oracle.Case{Op: oracle.Map, Pattern: "A", Rows: many}, "at most 4000 rows"},
	} {
		if got := p.Supports(c.c); !strings.Contains(got, c.reason) {
			t.Errorf("%.40s %s: %q, should say %q", c.c.Pattern, c.c.Op, got, c.reason)
		}
		if _, err := p.Ask(context.Background(), c.c); err == nil {
			t.Errorf("%.40s %s is answered all the same", c.c.Pattern, c.c.Op)
		} else if v, _ := oracle.WhyNot(err); v != oracle.NotComparable {
			t.Errorf("%.40s %s: %v", c.c.Pattern, c.c.Op, err)
		}
	}
	for _, c := range []*oracle.Case{
		mapCase("A{32766}", "A"), mapCase("PERMUTE(A,B,C,D,E,F,G)", "A"),
		mapCase(strings.Repeat("(", 890)+"A"+strings.Repeat(")", 890), "A"),
	} {
		if reason := p.Supports(c); reason != "" {
			t.Errorf("%.40s: %s", c.Pattern, reason)
		}
		if a, err := p.Ask(context.Background(), c); err != nil || len(a.Mappings) != 1 {
			t.Errorf("%.40s: %v %v", c.Pattern, a.Mappings, err)
		}
	}
}

// orFailed gives an answered case a verdict as well.
func orFailed(err error) error {
	if err == nil {
		return oracle.NoAnswer(oracle.Agrees, "answered")
	}
	return err
}

// TestTimeout: a case that takes too long is given up, the others are answered
// by a new process.
func TestTimeout(t *testing.T) {
	p := open(t, perl.Options{Timeout: 500 * time.Millisecond})
	slow := mapCase("(A | A){1,60} B", strings.Repeat("A,", 60)+"-,B")
	cases := []*oracle.Case{mapCase("A", "A"), slow, mapCase("B", "B"), slow, mapCase("C", "C")}
	for i, r := range p.AskAll(context.Background(), cases) {
		if v, reason := oracle.WhyNot(orFailed(r.Err)); cases[i] == slow {
			if v != oracle.TimedOut {
				t.Errorf("the slow case: %v %s", v, reason)
			}
		} else if v != oracle.Agrees || !r.Answer.Mappings[0].Found {
			t.Errorf("case %d: %v %s", i, v, reason)
		}
	}
}

// TestInterrupt: a context that ends gives back what there is.
func TestInterrupt(t *testing.T) {
	p := open(t, perl.Options{})
	slow := mapCase("(A | A){1,60} B", strings.Repeat("A,", 60)+"-,B")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	replies := p.AskAll(ctx, []*oracle.Case{mapCase("A", "A"), slow, mapCase("B", "B")})
	if replies[0].Err != nil {
		t.Errorf("before: %v", replies[0].Err)
	}
	for _, r := range replies[1:] {
		if v, reason := oracle.WhyNot(orFailed(r.Err)); v != oracle.Failed || !strings.Contains(reason, "interrupted") {
			t.Errorf("after: %v %s", v, reason)
		}
	}
	if a, err := p.Ask(context.Background(), mapCase("A", "A")); err != nil || !a.Mappings[0].Found {
		t.Errorf("the next: %v", err)
	}
}

func TestVersion(t *testing.T) {
	p := open(t, perl.Options{})
	v, err := p.Version(context.Background())
	if err != nil || !strings.HasPrefix(v, "5.") {
		t.Errorf("version %q %v", v, err)
	}
}
