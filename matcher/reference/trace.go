package reference

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics"
)

// Kind is what happens in a step of the search.
type Kind uint8

// The kinds of steps.
const (
	Try         Kind = iota + 1 // a row is tried as a variable (MAT-1); Holds tells the outcome
	NoRow                       // a variable finds no row left in the search area: the path fails
	Anchor                      // an anchor is tried (PREF-6); Holds tells the outcome
	Alternative                 // the N-th operand of an alternation is entered (PREF-2)
	Iteration                   // the N-th iteration of a quantifier begins (PREF-4)
	EmptyStop                   // the N-th iteration was empty and the lower bound is met: the quantifier stops (PREF-8)
	EmptyAgain                  // the N-th iteration was empty and the lower bound is not met: the quantifier goes on (PREF-8)
	EmptyRepeat                 // the N-th iteration is empty with its first string: so are all up to the lower bound (PREF-8)
	EmptySkip                   // the N-th iteration is empty again, which has been tried: on to its next string
	Leave                       // a quantifier ends after N iterations (PREF-4)
	Permutation                 // an order of a PERMUTE is entered: Order (PAT-7)
	Backtrack                   // the path has failed: back to the latest choice, at Node and Row
	Accept                      // the candidate is feasible: it is the match (MAT-1)
	Exhausted                   // no candidate is left: no match starts here
)

// Event is one step of a search. Slices are valid during the call only.
type Event struct {
	Kind  Kind
	Node  *semantics.Pattern // the node of the pattern; nil for Accept and Exhausted
	Row   int                // position in the partition, from 0, at which the step happens
	Start int                // the starting row of the attempt
	Vars  []semantics.VarID  // rows Start, Start+1, ... are mapped to these; for Try the row under test included
	N     int                // which iteration, alternative; counted from 1
	Order []int32            // Permutation: the elements, from 0, in the order tried
	Holds bool               // Try, Anchor
}

// String describes the step in one line, rows counted from 1.
func (e Event) String() string {
	row := e.Row + 1
	verdict := "fails"
	if e.Holds {
		verdict = "holds"
	}
	switch e.Kind {
	case Try:
		return fmt.Sprintf("row %d as %s: %s", row, e.Node.Name, verdict)
	case NoRow:
		return fmt.Sprintf("no row %d for %s", row, e.Node.Name)
	case Anchor:
		return fmt.Sprintf("anchor %s before row %d: %s (PREF-6)", e.Node, row, verdict)
	case Alternative:
		return fmt.Sprintf("row %d: alternative %d of %d: %s (PREF-2)", row, e.N, len(e.Node.Sub), e.Node.Sub[e.N-1])
	case Iteration:
		return fmt.Sprintf("row %d: iteration %d of %s (PREF-4)", row, e.N, e.Node)
	case EmptyStop:
		return fmt.Sprintf("row %d: iteration %d of %s is empty: stop (PREF-8)", row, e.N, e.Node)
	case EmptyAgain:
		return fmt.Sprintf("row %d: iteration %d of %s is empty, below the lower bound: go on (PREF-8)", row, e.N, e.Node)
	case EmptyRepeat:
		return fmt.Sprintf("row %d: iteration %d of %s is empty, and so are all up to the lower bound %d (PREF-8)", row, e.N, e.Node, e.Node.Min)
	case EmptySkip:
		return fmt.Sprintf("row %d: iteration %d of %s: the empty string has been tried", row, e.N, e.Node)
	case Leave:
		return fmt.Sprintf("row %d: leave %s after %d iterations (PREF-4)", row, e.Node, e.N)
	case Permutation:
		s := fmt.Sprintf("row %d: order", row)
		for _, i := range e.Order {
			s += " " + e.Node.Sub[i].String()
		}
		return s + " (PAT-7)"
	case Backtrack:
		return fmt.Sprintf("back to row %d, %s", row, e.Node)
	case Accept:
		return fmt.Sprintf("match of %d rows (MAT-1)", len(e.Vars))
	case Exhausted:
		return fmt.Sprintf("no candidate is left: no match starts at row %d (MAT-1)", e.Start+1)
	}
	return ""
}

// emit reports a step that happens at the current row.
func (m *machine) emit(kind Kind, n *node, count int, holds bool) {
	e := Event{Kind: kind, Row: m.pos, Start: m.start, N: count, Holds: holds, Vars: m.vars[:m.pos-m.start]}
	if n != nil {
		e.Node = n.pattern
	}
	if kind == Try {
		e.Vars = m.vars[:m.pos-m.start+1]
	}
	m.trace(e)
}
