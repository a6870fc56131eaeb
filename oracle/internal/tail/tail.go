// Package tail keeps the end of what a process says of its troubles.
package tail

import (
	"strings"
	"sync"
)

// Size is how many bytes are kept.
const Size = 1000

// Tail is a writer that keeps the last Size bytes. The zero value is empty. It
// is safe for concurrent use.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

// Write takes all of b.
func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b[max(0, len(b)-Size):]...)
	if len(t.text) > Size {
		t.text = append(t.text[:0], t.text[len(t.text)-Size:]...)
	}
	return len(b), nil
}

// String returns what is kept, without white space at either end.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}
