package corpus

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// labelsCase decodes a case of its directive's arguments and its rows.
func labelsCase(t *testing.T, args, rows string) (*Case, error) {
	t.Helper()
	text := "# Shows.\n\nlabels id=x rule=PREF-1 " + args + "\nPATTERN (A)\nROWS " + rows + "\n----\n1: A\n"
	f, err := ReadItems("testdata/rpr/theme/topic", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	cases, errs := Decode(f)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	return cases[0], nil
}

func TestRepeatedRows(t *testing.T) {
	for _, tt := range []struct{ rows, want string }{
		{"A B", "A B"},
		{"A*3 B", "A A A B"},
		{"- AB*2 -*1", "- AB AB -"},
		{"UP,DOWN*2", "UP,DOWN UP,DOWN"},
		{"", ""},
	} {
		c, err := labelsCase(t, "", tt.rows)
		if err != nil {
			t.Errorf("ROWS %s: %v", tt.rows, err)
			continue
		}
		if got := strings.Join(c.Rows, " "); got != tt.want {
			t.Errorf("ROWS %s are %s, not %s", tt.rows, got, tt.want)
		}
	}
	for _, rows := range []string{"A*", "*3", "A*0", "A*-1", "A*x", "A*2*2", "A*100001", "A*100000 A", "A*99999999999999999999"} {
		if c, err := labelsCase(t, "", rows); err == nil {
			t.Errorf("ROWS %s are accepted, as %d rows", rows, len(c.Rows))
		} else if !strings.Contains(err.Error(), "rows") && !strings.Contains(err.Error(), "A*600") {
			t.Errorf("ROWS %s: the error does not say what is wrong: %v", rows, err)
		}
	}
}

func TestStartingRows(t *testing.T) {
	for _, tt := range []struct {
		args string
		want []int
	}{
		{"", nil},
		{"starts=4", []int{4}},
		{"starts=(1,4)", []int{1, 4}},
		{"starts=(1, 2, 4)", []int{1, 2, 4}},
	} {
		c, err := labelsCase(t, tt.args, "A*4")
		if err != nil {
			t.Errorf("%s: %v", tt.args, err)
			continue
		}
		if diff := cmp.Diff(tt.want, c.Starts); diff != "" {
			t.Errorf("%s: %s", tt.args, diff)
		}
	}
	for _, args := range []string{"starts=0", "starts=5", "starts=(2,1)", "starts=(1,1)", "starts=first", "starts=()"} {
		if _, err := labelsCase(t, args, "A*4"); err == nil {
			t.Errorf("%s is accepted", args)
		} else if !strings.Contains(err.Error(), "from 1 to 4") {
			t.Errorf("%s: the error does not say what is wrong: %v", args, err)
		}
	}
}
