package tail

import (
	"fmt"
	"strings"
	"testing"
)

// TestTail: the end is kept, however it comes in.
func TestTail(t *testing.T) {
	var tail Tail
	if got := tail.String(); got != "" {
		t.Errorf("empty: %q", got)
	}
	for _, part := range []string{"first\n", strings.Repeat("x", Size-2), "", "last\n"} {
		if n, err := fmt.Fprint(&tail, part); n != len(part) || err != nil {
			t.Errorf("Write of %d bytes: %d, %v", len(part), n, err)
		}
	}
	if got, want := tail.String(), strings.Repeat("x", Size-5)+"last"; got != want {
		t.Errorf("got %d bytes, want %d, ending in %q", len(got), len(want), got[max(0, len(got)-10):])
	}
	fmt.Fprint(&tail, strings.Repeat("y", 3*Size)+"end")
	if got, want := tail.String(), strings.Repeat("y", Size-3)+"end"; got != want {
		t.Errorf("one large write: got %d bytes, ending in %q", len(got), got[max(0, len(got)-10):])
	}
}
