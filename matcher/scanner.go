package matcher

import (
	"context"

	"github.com/rprcheck/rprcheck/semantics/table"
)

// Scanner is a Program of the FROM form that takes a whole table to its output
// by itself: partitions, scan, measures and output (MAT-2, chapter 7), without
// a Mapping for each match. The output, the order of its rows and the error are
// those that the other way gives. Recognize uses it where it is there.
type Scanner interface {
	Program
	// Recognize returns the output table.
	Recognize(ctx context.Context, in *table.Table) (*table.Table, error)
}
