// Package matcher says what a matcher is, and drives one over a table: the
// scan of MAT-2, the windows of WIN-5 and the per-start view of a partition.
//
// A matcher finds, for one starting row, the first feasible candidate of the
// pattern in preference order (MAT-1). Three of them exist, in packages of
// their own that share no search code: reference, enumerate and nfa.
package matcher

import (
	"context"
	"iter"

	"github.com/rprcheck/rprcheck/semantics"
)

// Attempt asks for the match that starts at one row. Positions count from 0 in
// the partition; the anchors ^ and $ refer to the partition, not to the search
// area (ANCH-1).
type Attempt struct {
	Start       int   // the starting row
	End         int   // rows at and after End are never mapped: the partition's length, or the end of the window frame (WIN-2)
	Lo, Hi      int   // rows Lo <= p < Hi are what PREV and NEXT can read (MAT-6, WIN-10)
	MatchNumber int64 // what MATCH_NUMBER() is during the attempt (DEF-9)
}

// Reach returns the attempt's part that conditions depend on.
func (a Attempt) Reach() semantics.Reach {
	return semantics.Reach{Lo: a.Lo, Hi: a.Hi, MatchNumber: a.MatchNumber}
}

// Engine is a matcher.
type Engine interface {
	// Name is the name by which --matcher selects the engine.
	Name() string
	// Compile prepares a bound clause. The Program is safe for concurrent use.
	Compile(c *semantics.Clause, lim Limits) (Program, error)
}

// Program is a compiled clause.
type Program interface {
	// Partition prepares the search in one partition. The Finder must be used
	// by one goroutine at a time.
	Partition(p *semantics.Partition) (Finder, error)
}

// Finder finds matches in one partition.
type Finder interface {
	// Find returns the preferred match that starts at a.Start, or false if no
	// candidate is feasible. The slices of the Mapping are valid until the next
	// call. Errors are *diag.Error: run-time errors of conditions, stage limit
	// when a budget runs out, or the context's error.
	Find(ctx context.Context, a Attempt) (semantics.Mapping, bool, error)
}

// Lister is a Finder that can go on after the match: All yields every feasible
// candidate of an attempt in preference order, the match first.
type Lister interface {
	Finder
	All(ctx context.Context, a Attempt) iter.Seq2[semantics.Mapping, error]
}

// Limits are the budgets of a search. Exceeding one is an error of stage
// limit, never "no match". The zero value means the defaults. Steps also bounds,
// in proportion, what an engine does besides testing conditions and the memory
// that it takes, so that no pattern hangs.
type Limits struct {
	Steps   int64 // condition tests of one attempt; 0: DefaultSteps, negative: no limit
	Rows    int64 // rows mapped by one match; 0: DefaultRows, negative: no limit
	Permute int   // elements of one PERMUTE; 0: DefaultPermute, negative: no limit
}

// Default budgets.
const (
	DefaultSteps   = 10_000_000
	DefaultRows    = 100_000_000
	DefaultPermute = 10
)

// WithDefaults replaces zero fields by the defaults, and negative ones by
// values that are never reached.
func (l Limits) WithDefaults() Limits {
	pick := func(v, def int64) int64 {
		switch {
		case v == 0:
			return def
		case v < 0:
			return 1<<63 - 1
		}
		return v
	}
	return Limits{
		Steps:   pick(l.Steps, DefaultSteps),
		Rows:    pick(l.Rows, DefaultRows),
		Permute: int(min(pick(int64(l.Permute), DefaultPermute), 1<<31-1)),
	}
}
