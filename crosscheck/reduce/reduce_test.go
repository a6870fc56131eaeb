package reduce

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher/reference"
)

func decode(t *testing.T, text string) *corpus.Case {
	t.Helper()
	f, err := corpus.ReadItems("testdata/rpr/theme/topic", strings.NewReader("# Shows.\n\n"+text))
	if err != nil {
		t.Fatal(err)
	}
	cases, errs := corpus.Decode(f)
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	return cases[len(cases)-1]
}

// against reduces a case by the difference of a mutant: both answer, and the
// answers differ, or one of them refuses.
func against(t *testing.T, mutant string, c *corpus.Case) (*corpus.Case, int) {
	t.Helper()
	ctx := context.Background()
	ours := crosscheck.Local{Engine: reference.Engine{}}
	i := slices.IndexFunc(crosscheck.Mutants(), func(o crosscheck.Opinion) bool {
		return strings.HasPrefix(o.Name(), "faux-"+mutant+"-")
	})
	if i < 0 {
		t.Fatalf("there is no mutant %s", mutant)
	}
	engine := crosscheck.Mutants()[i]
	return Case(ctx, c, Options{
		Answer: ours.Answer,
		Same: func(ctx context.Context, c *corpus.Case) bool {
			r := engine.Ask(ctx, []*corpus.Case{c})[0]
			return r.Verdict == 0 && !crosscheck.SameAnswer(c, c.Answer, r.Lines)
		},
	})
}

// The smallest cases are known: each part is needed for the difference.
func TestSmallest(t *testing.T) {
	for _, tt := range []struct{ name, mutant, text, want string }{
		{"labels: PREF-8 needs an empty iteration, and a branch behind it", "1", `labels id=x rule=PREF-8
PATTERN (C? (A? | B | C{2,3})* C?)
SUBSET U = (A, B)
ROWS A B C AB - A
----
1: A
`, `labels id=x rule=PREF-8
PATTERN ((() | A)?)
ROWS A
----
1: ()
`},
		{"recognize: AGG-3 needs a sum over no rows", "63a", `table name=t cols=(id bigint, v bigint, note varchar)
1 10 'x'
2 20 'y'
3 30 'zz'
----
ok

recognize id=x rule=AGG-3
SELECT m.s, m.mn FROM t MATCH_RECOGNIZE (
  ORDER BY id
  MEASURES SUM(B.v) AS s, MATCH_NUMBER() AS mn, LAST(A.v) + COUNT(*) AS n
  ONE ROW PER MATCH
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (A+ B?)
  SUBSET U = (A, B)
  DEFINE A AS v > 5 AND id < 10, B AS v = 100) AS m
WHERE m.mn < 10
ORDER BY m.mn
----
S bigint, MN bigint
`, `table name=T cols=(V bigint)
0
----
ok

recognize id=x rule=AGG-3
SELECT * FROM t MATCH_RECOGNIZE (
  MEASURES SUM(B.v) AS s
  PATTERN (A B?)
  DEFINE B AS TRUE)
----
S bigint
NULL
`},
		{"refuse: what is wrong stays", "81a", `table name=t cols=(id bigint, v bigint)
1 10
----
ok

refuse id=x rule=DEF-2
SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES COUNT(*) AS n, LAST(v) AS l
PATTERN (A B+) DEFINE A AS v > 0, C AS v > 1) AS m
----
semantic DEF-2 42000 2:36
`, `table name=T cols=(V bigint)
----
ok

refuse id=x rule=DEF-2
SELECT * FROM t MATCH_RECOGNIZE (MEASURES v AS l
PATTERN (()) DEFINE C AS TRUE)
----
semantic DEF-2 42000 2:21
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, tries := against(t, tt.mutant, decode(t, tt.text))
			text := Text(got)
			if text != tt.want {
				t.Errorf("%d tries, reduced to\n%s\nnot\n%s", tries, text, tt.want)
			}
			again, _ := against(t, tt.mutant, decode(t, tt.text))
			if Text(again) != text {
				t.Error("another reduction gives another case")
			}
		})
	}
}

func TestTextReadsBack(t *testing.T) {
	c := decode(t, `table name=t cols=(id bigint, "b" varchar, d date)
1 'it''s' DATE '2026-01-02'
2 NULL NULL
----
ok

match id=x rule=(PREF-8,MAT-1) over=t order=(id,-d) partition="b" reading=PAT-5=alternative
PATTERN (A B*)
SUBSET U = (A, B)
DEFINE B AS d > PREV(d)
----
"b" = NULL
1: A
`)
	d := decode(t, Text(c))
	if d.SQL != c.SQL || Text(d) != Text(c) || !slices.Equal(d.Answer, c.Answer) || !slices.Equal(d.Rules, c.Rules) {
		t.Errorf("read back as\n%s", Text(d))
	}
}

// When the engine cannot be asked any more, the smallest case so far stands.
func TestEnds(t *testing.T) {
	c := decode(t, "labels id=x rule=PREF-1\nPATTERN (A B C)\nROWS A B C\n----\n1: A B C\n2: -\n3: -\n")
	ours := crosscheck.Local{Engine: reference.Engine{}}
	got, tries := Case(context.Background(), c, Options{Answer: ours.Answer, Same: func(context.Context, *corpus.Case) bool { return true }, Tries: 2})
	if tries != 2 || len(got.Rows) == 3 {
		t.Errorf("%d tries, %d rows", tries, len(got.Rows))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	got, tries = Case(ctx, c, Options{Answer: ours.Answer, Same: func(context.Context, *corpus.Case) bool { return true }})
	if tries != 0 || got.Pattern != c.Pattern {
		t.Errorf("after an interruption: %d tries, PATTERN (%s)", tries, got.Pattern)
	}
}

func TestSmallerExprs(t *testing.T) {
	for expr, want := range map[string][]string{
		"a AND NOT b":          {"a", "NOT b", "a AND b"},
		"SUM(A.x + 1) > 3":     {"SUM(A.x + 1)", "3", "A.x + 1 > 3", "SUM(A.x) > 3", "SUM(1) > 3", "SUM(x + 1) > 3"},
		"PREV(LAST(A.x), 2)":   {"LAST(A.x)", "2", "PREV(LAST(A.x))", "PREV(2)", "PREV(A.x, 2)", "PREV(LAST(x), 2)"},
		"'a AND b' || \"c,d\"": {"'a AND b'", "\"c,d\""},
	} {
		got := smallerExprs(expr)
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: no %s among %q", expr, w, got)
			}
		}
	}
}

func TestStrangeTextIsHarmless(t *testing.T) {
	for _, sql := range []string{"", "(", ")", "PATTERN (", "MATCH_RECOGNIZE (PATTERN (A) DEFINE", "'", "\"", "VALUES (1), (2", "SELECT", "AS", ") AS", "é\xff(", "((((((", "PATTERN (A) SUBSET U DEFINE A AS"} {
		c := &corpus.Case{Kind: corpus.Refuse, SQL: sql}
		for _, step := range []func(*corpus.Case) []*corpus.Case{fewerRows, smallerPatterns, smallerConditions, fewerClauses, fewerColumns, smallerValues} {
			step(c)
		}
		withoutStrangers(sql, []string{"A"})
		Text(c)
	}
}
