package enumerate

import (
	"iter"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// MaxParts is the largest number of parts of a derivation: rows, anchors,
// iterations, operands. It bounds memory where a lower bound forces millions
// of empty iterations.
const MaxParts = 1 << 20

// DefaultSteps is how many steps a listing may take: strings of variables and
// anchors, and iterations begun, over all candidates.
const DefaultSteps = 1 << 30

// pollEvery is after how many steps a walk asks whether it was cancelled.
const pollEvery = 1 << 12

// Filter restricts a list to the candidates for which it holds. A candidate is
// passed over as soon as one of its rows or anchors fails, together with all
// others that begin likewise, so what a function says must depend on its
// arguments alone. Nil functions hold always.
type Filter struct {
	// Variable reports whether the last of rows may stand where it stands, in a
	// candidate that begins with rows. An error ends the list.
	Variable func(rows []*semantics.Pattern) (bool, error)
	// Anchor reports whether an OpPartitionStart or OpPartitionEnd may stand
	// after the given number of rows.
	Anchor func(op semantics.Op, rows int) bool
}

func (f Filter) anchor(op semantics.Op, rows int) bool {
	return f.Anchor == nil || f.Anchor(op, rows)
}

// Candidates lists the candidate strings of a pattern that have at most
// maxRows rows, most preferred first (PREF-1 to PREF-8). Strings that are
// derived in several ways occur several times. The list is made as it is
// read. It ends with an error of stage limit (LIM-1) if a candidate has more
// than MaxParts parts or the reading takes more than DefaultSteps steps.
func Candidates(p *semantics.Pattern, maxRows int) iter.Seq2[Candidate, error] {
	return Where(p, maxRows, DefaultSteps, Filter{})
}

// Where lists those of the Candidates for which the filter holds, in at most
// maxSteps steps.
func Where(p *semantics.Pattern, maxRows int, maxSteps int64, f Filter) iter.Seq2[Candidate, error] {
	return func(yield func(Candidate, error) bool) {
		t := newTerm(p, true)
		spaced := !oneLetterNames(p)
		l := &lister{filter: f, maxSteps: maxSteps}
		for root := l.open(t, max(maxRows, 0)); l.next(root); {
			if l.err != nil || !yield(newCandidate(l, root, spaced), nil) {
				break
			}
		}
		if l.err != nil {
			yield(Candidate{}, l.err)
		}
	}
}

func tooManyParts(p *semantics.Pattern) error {
	return diag.New(diag.Limit, "LIM-1", p.Pos, "a candidate of the pattern has more than %d parts", MaxParts).
		WithHint("lower the bounds of quantifiers, or the number of rows")
}

func tooManySteps(n int64) error {
	return diag.New(diag.Limit, "LIM-1", diag.Pos{}, "listing the candidates of the pattern takes more than %d steps", n).
		WithHint("lower the number of rows, or simplify the pattern")
}
