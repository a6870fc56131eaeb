package oracle_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
)

func TestVerdictNames(t *testing.T) {
	names := []string{"agrees", "differs", "known-difference", "not-comparable", "refused", "failed", "timed-out"}
	for i, name := range names {
		v := oracle.Verdict(i + 1)
		if v.String() != name {
			t.Errorf("verdict %d is %s, should be %s", i+1, v, name)
		}
		if back, ok := oracle.ParseVerdict(name); !ok || back != v {
			t.Errorf("%s is read as %v", name, back)
		}
	}
	for _, name := range []string{"", "passed", "verdict(0)"} {
		if v, ok := oracle.ParseVerdict(name); ok {
			t.Errorf("%q is read as %v", name, v)
		}
	}
}

func TestDifferAt(t *testing.T) {
	match := func(vars string, excluded ...bool) oracle.Mapping {
		return oracle.Mapping{Found: true, Vars: strings.Fields(vars), Excluded: excluded}
	}
	none := oracle.Mapping{}
	for _, c := range []struct {
		a, b []oracle.Mapping
		want int
	}{
		{nil, nil, -1},
		{[]oracle.Mapping{match("A B"), none, match("")}, []oracle.Mapping{match("A B"), none, match("")}, -1},
		{[]oracle.Mapping{none, match("")}, []oracle.Mapping{none, none}, 1},
		{[]oracle.Mapping{match("A")}, []oracle.Mapping{match("B")}, 0},
		{[]oracle.Mapping{match("A")}, []oracle.Mapping{match("A A")}, 0},
		{[]oracle.Mapping{match("A", true)}, []oracle.Mapping{match("A")}, 0},
		{[]oracle.Mapping{match("A", false)}, []oracle.Mapping{match("A")}, -1},
		{[]oracle.Mapping{none}, []oracle.Mapping{none, none}, 1},
	} {
		if got := oracle.DifferAt(c.a, c.b); got != c.want {
			t.Errorf("%+v and %+v differ at %d, should be %d", c.a, c.b, got, c.want)
		}
	}
}

func TestWhyNot(t *testing.T) {
	if v, reason := oracle.WhyNot(oracle.NoAnswer(oracle.Refused, "no %s", "PERMUTE")); v != oracle.Refused || reason != "no PERMUTE" {
		t.Errorf("%v %q", v, reason)
	}
	if v, reason := oracle.WhyNot(errors.New("broken")); v != oracle.Failed || reason != "broken" {
		t.Errorf("%v %q", v, reason)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	if u := oracle.Interrupted(ctx); u.Verdict != oracle.TimedOut || !errors.Is(u, context.DeadlineExceeded) {
		t.Errorf("a deadline gives %v", u)
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
	cancel()
	if u := oracle.Interrupted(ctx); u.Verdict != oracle.Failed || !errors.Is(u, context.Canceled) {
		t.Errorf("a cancelled context gives %v", u)
	}
}

// single answers one case at a time, and not all.
type single struct{ asked []string }

func (*single) Name() string                            { return "single" }
func (*single) Version(context.Context) (string, error) { return "1", nil }
func (*single) Close() error                            { return nil }
func (*single) Supports(c *oracle.Case) string {
	if c.Op == oracle.Query {
		return "no statements"
	}
	return ""
}

func (s *single) Ask(_ context.Context, c *oracle.Case) (oracle.Answer, error) {
	s.asked = append(s.asked, c.ID)
	if c.ID == "bad" {
		return oracle.Answer{}, oracle.NoAnswer(oracle.Refused, "no")
	}
	return oracle.Answer{Candidates: []string{c.ID}}, nil
}

// TestAskAll: unsupported cases are not asked, and keep their place.
func TestAskAll(t *testing.T) {
	s := &single{}
	cases := []*oracle.Case{{ID: "a", Op: oracle.Prefer}, {ID: "q", Op: oracle.Query}, {ID: "bad", Op: oracle.Prefer}, {ID: "b", Op: oracle.Prefer}}
	replies := oracle.AskAll(context.Background(), s, cases)
	if got := strings.Join(s.asked, " "); got != "a bad b" {
		t.Errorf("asked %s", got)
	}
	for i, want := range []oracle.Verdict{0, oracle.NotComparable, oracle.Refused, 0} {
		if want == 0 {
			if replies[i].Err != nil || replies[i].Answer.Candidates[0] != cases[i].ID {
				t.Errorf("case %d: %+v", i, replies[i])
			}
		} else if v, _ := oracle.WhyNot(replies[i].Err); v != want {
			t.Errorf("case %d: %v, should be %v", i, v, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.asked = nil
	for _, r := range oracle.AskAll(ctx, s, cases[:1]) {
		if v, _ := oracle.WhyNot(r.Err); v != oracle.Failed {
			t.Errorf("after the end of the context: %v", v)
		}
	}
	if len(s.asked) != 0 {
		t.Errorf("asked %v after the end of the context", s.asked)
	}
}
