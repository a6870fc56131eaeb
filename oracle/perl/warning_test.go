package perl

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/oracle"
)

// TestWarning: Perl's matcher gives up on a loop of more than 65,534
// iterations with a warning, and says that there is no match. That is no
// opinion. The limits of supports.go keep such cases away, so the question is
// made by hand.
func TestWarning(t *testing.T) {
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skipf("no perl: %v", err)
	}
	const n = 70_000
	loop := &question{names: []string{"A", "B"}, classes: [][]int{{2}, {3}}, pattern: []byte("^ ( ( 0.0 ) q0,1,0 ) q0,-,0 1.2")}
	for range n {
		loop.rows = append(loop.rows, 2)
	}
	loop.rows = append(loop.rows, 3)
	short := &question{names: []string{"A"}, rows: []int{2}, classes: [][]int{{2}}, pattern: []byte("0.0")}

	p := New(Options{})
	defer p.Close()
	if err := p.running(context.Background()); err != nil {
		t.Fatal(err)
	}
	replies := make([]oracle.Reply, 3)
	batch := []asked{{short, &replies[0]}, {loop, &replies[1]}, {short, &replies[2]}}
	if done := p.exchange(context.Background(), batch); done != len(batch) {
		t.Fatalf("%d questions answered, should be 3: %+v", done, replies)
	}
	if v, reason := oracle.WhyNot(replies[1].Err); v != oracle.NotComparable || !strings.Contains(reason, "recursion limit") {
		t.Errorf("a loop over Perl's limit: %v %s", v, reason)
	}
	for _, i := range []int{0, 2} {
		if r := replies[i]; r.Err != nil || len(r.Answer.Mappings) != 1 || !r.Answer.Mappings[0].Found {
			t.Errorf("case %d beside it: %+v", i, r)
		}
	}
}
