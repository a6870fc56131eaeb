package enumerate_test

import (
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/matcher/enumerate"
)

func TestLocate(t *testing.T) {
	at := func(start, rows int) *enumerate.Place { return &enumerate.Place{Start: start, PartitionRows: rows} }
	for _, c := range []struct {
		pattern, names, excluded string // excluded: x for an excluded row; "": whatever
		at                       *enumerate.Place
		want                     string
	}{
		{"(A | B)*", "AB", "", nil, "[A][B]"},
		{"(A? | B)*", "AB", "", nil, "[A][B][]"},
		{"(A? | B)*", "", "", nil, "[]"},
		{"(A{2,3}){1,2}", "AAAA", "", nil, "[AA][AA]"},
		{"(A{2,3}){1,2}", "A", "", nil, "nowhere"},
		{"A B", "BA", "", nil, "nowhere"},
		{"A | {- A -}", "A", "", nil, "A"},
		{"A | {- A -}", "A", "x", nil, "{A}"},
		{"{- A -} B | A", "AB", "..", nil, "nowhere"},
		{"^* A $?", "A", "", nil, "^A$"},
		{"^* A $?", "A", "", at(1, 3), "A"},
		{"^* A $?", "A", "", at(2, 3), "A$"},
		{"^* A $", "A", "", at(1, 3), "nowhere"},
	} {
		var excluded []bool
		for _, x := range c.excluded {
			excluded = append(excluded, x == 'x')
		}
		names := strings.Split(c.names, "")
		if c.names == "" {
			names = nil
		}
		got := "nowhere"
		s, found, err := enumerate.Locate(parse(t, c.pattern), names, excluded, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if found {
			got = s.String()
		}
		if got != c.want {
			t.Errorf("%s: %s is at %s, should be at %s", c.pattern, c.names, got, c.want)
		}
	}
	// What makes the list endless makes the search end in an error.
	if _, _, err := enumerate.Locate(parse(t, "((A | A)*)* B"), strings.Split(strings.Repeat("A", 60), ""), nil, nil); err == nil {
		t.Error("a search through 2^60 candidates ends without error")
	}
}
