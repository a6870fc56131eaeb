package reference

// chunkBits is the logarithm of the size of a full chunk.
const (
	chunkBits  = 12
	chunkSize  = 1 << chunkBits
	firstChunk = 8
)

// stack is a stack that grows in chunks, so that a million entries are neither
// copied nor held twice while it grows. The first chunk starts small, for
// tables of many small partitions.
type stack[T any] struct {
	chunks [][]T
	n      int32 // entries
}

// at returns the i-th entry, counted from 0. The pointer is valid until the next push.
func (s *stack[T]) at(i int32) *T { return &s.chunks[i>>chunkBits][i&(chunkSize-1)] }

// top returns the last entry. The stack must not be empty.
func (s *stack[T]) top() *T { return s.at(s.n - 1) }

// push adds an entry and returns its index.
func (s *stack[T]) push(v T) int32 {
	i := s.n
	if c := int(i >> chunkBits); c == len(s.chunks) || c == 0 && int(i) == len(s.chunks[0]) {
		s.grow(c)
	}
	s.n++
	*s.at(i) = v
	return i
}

// grow makes room in chunk c.
func (s *stack[T]) grow(c int) {
	switch {
	case c > 0:
		s.chunks = append(s.chunks, make([]T, chunkSize))
	case len(s.chunks) == 0:
		s.chunks = append(s.chunks, make([]T, firstChunk))
	default:
		larger := make([]T, 2*len(s.chunks[0]))
		copy(larger, s.chunks[0])
		s.chunks[0] = larger
	}
}

// truncate drops the entries from the n-th on.
func (s *stack[T]) truncate(n int32) { s.n = n }
