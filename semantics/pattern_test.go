package semantics

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// PAT-1, PAT-3, PAT-7, PAT-8: the tree, written out by hand with its operators.
func TestPatternTree(t *testing.T) {
	dump := func(p *Pattern) string {
		var f func(p *Pattern) string
		f = func(p *Pattern) string {
			names := map[Op]string{OpVariable: "", OpEmpty: "empty", OpPartitionStart: "start", OpPartitionEnd: "end",
				OpGroup: "group", OpExclude: "exclude", OpPermute: "permute", OpQuantified: "q" + p.Quantifier(), OpConcat: "concat", OpAlternate: "alt"}
			if p.Op == OpVariable {
				return p.Name.Text
			}
			var sub []string
			for _, s := range p.Sub {
				sub = append(sub, f(s))
			}
			return strings.TrimSpace("[" + strings.Join(append([]string{names[p.Op]}, sub...), " ") + "]")
		}
		return f(p)
	}
	for _, tc := range []struct{ src, tree string }{
		{"A B | C D*", "[alt [concat A B] [concat C [q* D]]]"}, // PAT-1
		{"A | B | C", "[alt A B C]"},
		{"(A | B) C", "[concat [group [alt A B]] C]"},
		{"A * ?", "[q*? A]"}, // PAT-2: white space between all tokens
		{"A{3}", "[q{3} A]"}, {"A{3,}", "[q{3,} A]"}, {"A{,3}", "[q{0,3} A]"}, {"A{,}", "[q* A]"},
		{"A{2,3}?", "[q{2,3}? A]"}, {"A??", "[q?? A]"}, {"A+?", "[q+? A]"}, {"A{0,1}", "[q? A]"}, {"A{1,}", "[q+ A]"},
		{"A{2}?", "[q{2,2}? A]"}, // PAT-5
		{"^ A $", "[concat [start] A [end]]"}, {"^*", "[q* [start]]"},
		{"()", "[empty]"}, {"A | ()", "[alt A [empty]]"}, {"()+", "[q+ [empty]]"},
		{"{- A B -}+", "[q+ [exclude [concat A B]]]"}, {"{- {- A -} -}", "[exclude [exclude A]]"},
		{"PERMUTE(A, B C, D?)", "[permute A [concat B C] [q? D]]"},
		{"PERMUTE (A)", "[permute A]"},
		{"permute B", "[concat PERMUTE B]"}, // GRAM-11: a name where no parenthesis follows
		{`"PERMUTE"(A)`, "[concat PERMUTE [group A]]"},
		{`a "b"+ C+`, "[concat A [q+ b] [q+ C]]"}, // GRAM-10
		{"FIRST LAST NEXT", "[concat FIRST LAST NEXT]"},
		{"A -- comment\n /* and /* nested */ */ B", "[concat A B]"},
	} {
		p, err := ParsePattern(tc.src)
		if err != nil {
			t.Errorf("%s: %v", tc.src, err)
			continue
		}
		if got := dump(p); got != tc.tree {
			t.Errorf("%s: is %s, should be %s", tc.src, got, tc.tree)
		}
		roundTrip(t, p)
	}
}

func roundTrip(t *testing.T, p *Pattern) {
	t.Helper()
	text := p.String()
	q, err := ParsePattern(text)
	if err != nil {
		t.Fatalf("%s does not parse: %v", text, err)
	}
	if !p.Equal(q) {
		t.Fatalf("%s prints as %s", text, q)
	}
}

// Random trees, made as the grammar makes them, print to what parses to them.
func TestPatternRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		roundTrip(t, randomPattern(rnd, 5, OpAlternate))
	}
}

// randomPattern makes a tree whose top may be printed where loosest stands.
func randomPattern(rnd *rand.Rand, depth int, loosest Op) *Pattern {
	list := func(n int, op Op) []*Pattern {
		out := make([]*Pattern, n)
		for i := range out {
			out[i] = randomPattern(rnd, depth-1, op)
		}
		return out
	}
	op := Op(1 + rnd.IntN(int(loosest)))
	if depth == 0 && op > OpPartitionEnd {
		op = OpVariable
	}
	switch op {
	case OpVariable:
		n := []Name{{Text: "A"}, {Text: "b", Quoted: true}, {Text: "a b\"c", Quoted: true}, {Text: "PERMUTE", Quoted: true}, {Text: "ORDER", Quoted: true}, {Text: "É"}}
		return &Pattern{Op: op, Name: n[rnd.IntN(len(n))]}
	case OpGroup, OpExclude:
		return &Pattern{Op: op, Sub: list(1, OpAlternate)}
	case OpPermute:
		return &Pattern{Op: op, Sub: list(1+rnd.IntN(3), OpAlternate)}
	case OpQuantified:
		b := [][2]int{{0, -1}, {1, -1}, {0, 1}, {2, 2}, {2, -1}, {0, 3}, {1, 1}, {2, 5}, {0, 2147483647}}
		q := b[rnd.IntN(len(b))]
		return &Pattern{Op: op, Sub: list(1, OpPermute), Min: q[0], Max: q[1], Reluctant: rnd.IntN(2) == 0}
	case OpConcat:
		return &Pattern{Op: op, Sub: list(2+rnd.IntN(2), OpQuantified)}
	case OpAlternate:
		return &Pattern{Op: op, Sub: list(2+rnd.IntN(2), OpConcat)}
	}
	return &Pattern{Op: op}
}

// A tree made without groups prints with the brackets that it needs (PAT-1).
func TestPatternPrintsNeededBrackets(t *testing.T) {
	a, b, c := &Pattern{Op: OpVariable, Name: Name{Text: "A"}}, &Pattern{Op: OpVariable, Name: Name{Text: "B"}}, &Pattern{Op: OpVariable, Name: Name{Text: "C"}}
	alt := &Pattern{Op: OpAlternate, Sub: []*Pattern{a, b}}
	if got := (&Pattern{Op: OpConcat, Sub: []*Pattern{alt, c}}).String(); got != "(A | B) C" {
		t.Error(got)
	}
	star := &Pattern{Op: OpQuantified, Sub: []*Pattern{a}, Max: Unbounded, Reluctant: true}
	if got := (&Pattern{Op: OpQuantified, Sub: []*Pattern{star}, Min: 2, Max: 2}).String(); got != "(A*?){2}" {
		t.Error(got)
	}
}

// LIM-1: sizes are capped with an error, not with a crash.
func TestPatternLimits(t *testing.T) {
	for _, src := range []string{
		strings.Repeat("(", 100_000) + "A" + strings.Repeat(")", 100_000),
		strings.Repeat("{-", 100_000),
		strings.Repeat("PERMUTE(", 50_000),
		strings.Repeat("A ", 300_000),
	} {
		_, err := ParsePattern(src)
		if err == nil || diag.From(err).Stage != diag.Limit {
			t.Errorf("%.20s...: %v, should be a limit error", src, err)
		}
	}
	deep := strings.Repeat("(", MaxPatternDepth) + "A" + strings.Repeat(")", MaxPatternDepth)
	if _, err := ParsePattern(deep); err != nil {
		t.Error(err)
	}
}

func TestCanBeEmpty(t *testing.T) {
	for src, want := range map[string]bool{"A": false, "A*": true, "A+": false, "(A?)+": true, "A | ()": true, "A B?": false,
		"A? B?": true, "^": true, "PERMUTE(A?, B?)": true, "PERMUTE(A?, B)": false, "{- A* -}": true, "A{0,3}": true} {
		p, err := ParsePattern(src)
		if err != nil || p.CanBeEmpty() != want {
			t.Errorf("%s: %v, should be %v", src, p.CanBeEmpty(), want)
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, s := range []string{"(A? | B)* C", "A{2,3}? {- B -} PERMUTE(A, \"b\") ^ $ ()", "A||B", "A{-1}", "A??)", "((("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := ParsePattern(src)
		if err != nil {
			checkError(t, src, err)
			return
		}
		roundTrip(t, p)
	})
}

// checkError checks what every error owes its reader.
func checkError(t *testing.T, src string, err error) {
	t.Helper()
	e, ok := err.(*diag.Error)
	if !ok || e.Rule == "" || len(e.SQLSTATE) != 5 || e.Message == "" || e.Stage == diag.Internal {
		t.Fatalf("%q: %#v", src, err)
	}
	if !e.Pos.IsValid() || e.Pos.Offset < 0 || e.Pos.Offset > len(src) {
		t.Fatalf("%q: %v: place %+v", src, e, e.Pos)
	}
	if e.Detail() == "" {
		t.Fatal("no detail")
	}
}

func FuzzClause(f *testing.F) {
	for _, tc := range clauseErrors {
		f.Add(strings.Replace(tc.sql, mark, "", 1))
	}
	f.Fuzz(func(t *testing.T, src string) {
		_, err := Parse(src, ticks(), Options{})
		if err != nil {
			checkError(t, src, err)
		}
		printed(t, src)
	})
}

// printed checks that a clause which parses prints to one that parses alike.
func printed(t *testing.T, src string) {
	t.Helper()
	parse := func(src string) *Syntax {
		s := token.NewStream(src, token.Lex(src))
		if !s.At("MATCH_RECOGNIZE") {
			return nil
		}
		syn, err := ParseRecognition(s, readings.Set{})
		if err != nil || !s.Done() {
			return nil
		}
		return syn
	}
	one := parse(src)
	if one == nil {
		return
	}
	text := one.SQL()
	two := parse(text)
	if two == nil {
		t.Fatalf("%q prints as %q, which does not parse", src, text)
	}
	if !one.Pattern.Equal(two.Pattern) || two.SQL() != text {
		t.Fatalf("%q prints as %q, and that as %q", src, text, two.SQL())
	}
}

// Every accepted clause of the error table prints to one that parses to it.
func TestClauseRoundTrip(t *testing.T) {
	for _, tc := range clauseErrors {
		printed(t, strings.Replace(tc.sql, mark, "", 1))
	}
}
