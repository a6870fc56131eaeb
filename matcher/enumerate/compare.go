package enumerate

import (
	"fmt"

	"github.com/rprcheck/rprcheck/semantics"
)

// Departure is the first place, from the left, where two derivations from the
// same pattern part. What they do there decides which of them is preferred.
type Departure struct {
	Kind    DepartureKind
	Pattern *semantics.Pattern // the alternation, PERMUTE or quantifier at which they part
	Rows    int                // rows mapped before, the same in both
	Order   int                // negative: the first is preferred; positive: the second

	// What each does there: index of the operand (DifferentBranch), of the
	// element (DifferentOrder), or 1 for iterating and 0 for stopping (IterateOrStop).
	First, Second int

	// The innermost iteration in which they part: one that encloses the
	// departure, or that one of the two begins there and the other leaves out.
	// Iteration counts from 1; it is 0 where no quantifier is concerned.
	Quantifier              *semantics.Pattern
	Iteration               int
	FirstEmpty, SecondEmpty bool // the iteration is there, and empty (PREF-8)
}

// DepartureKind is what two derivations do differently where they part.
type DepartureKind uint8

// The kinds.
const (
	DifferentBranch DepartureKind = iota + 1 // two operands of an alternation (PREF-2)
	DifferentOrder                           // two orders of a PERMUTE (PAT-7)
	IterateOrStop                            // one iterates where the other stops (PREF-4)
)

// Rule returns the rule that decides between the two: PREF-8 if the first goes
// through an empty iteration there, otherwise the rule of the kind.
func (d Departure) Rule() string {
	switch {
	case d.FirstEmpty:
		return "PREF-8"
	case d.Kind == DifferentBranch:
		return "PREF-2"
	case d.Kind == DifferentOrder:
		return "PAT-7"
	}
	return "PREF-4"
}

// String says in a sentence how the two part.
func (d Departure) String() string {
	where := fmt.Sprintf("after %d rows", d.Rows)
	if d.Rows == 1 {
		where = "after 1 row"
	}
	if d.Quantifier != nil {
		where += fmt.Sprintf(", in iteration %d of %s", d.Iteration, d.Quantifier)
	}
	empty := func(is bool) string {
		if is {
			return " (the iteration is empty)"
		}
		return ""
	}
	switch d.Kind {
	case DifferentBranch:
		return fmt.Sprintf("%s, the first takes %s%s and the second %s%s", where,
			d.Pattern.Sub[d.First], empty(d.FirstEmpty), d.Pattern.Sub[d.Second], empty(d.SecondEmpty))
	case DifferentOrder:
		return fmt.Sprintf("%s, the first takes the element %s of %s next%s and the second %s%s", where,
			d.Pattern.Sub[d.First], d.Pattern, empty(d.FirstEmpty), d.Pattern.Sub[d.Second], empty(d.SecondEmpty))
	}
	act := func(iterates int, isEmpty bool) string {
		if iterates == 1 {
			return "iterates" + empty(isEmpty)
		}
		return "stops"
	}
	return fmt.Sprintf("%s, at %s, the first %s and the second %s", where, d.Pattern,
		act(d.First, d.FirstEmpty), act(d.Second, d.SecondEmpty))
}

// Compare finds the departure of two derivations from the same pattern; false
// if they are the same. It is the order of PREF-2 to PREF-4 and PAT-7, said of
// two strings rather than of a list.
func Compare(first, second *Derivation) (Departure, bool) {
	return compare(first, second, Departure{})
}

// compare is given the innermost enclosing iteration in the last fields of in.
func compare(a, b *Derivation, in Departure) (Departure, bool) {
	switch a.Pattern.Op {
	case semantics.OpAlternate:
		if a.Branch != b.Branch {
			return in.parted(a, DifferentBranch, a.Branch, b.Branch, a.Branch-b.Branch), true
		}
	case semantics.OpPermute:
		// PAT-7: an alternation of the orders, so the order decides before the
		// strings of the elements do.
		for i, element := range a.Order {
			if other := b.Order[i]; element != other {
				return in.parted(a, DifferentOrder, element, other, element-other), true
			}
		}
	case semantics.OpQuantified:
		return compareIterations(a, b, in)
	}
	return compareParts(a, b, in)
}

// compareParts: the first part that differs decides (PREF-3).
func compareParts(a, b *Derivation, in Departure) (Departure, bool) {
	for i := range a.Parts {
		if d, parted := compare(a.Parts[i], b.Parts[i], in); parted {
			return d, true
		}
	}
	return Departure{}, false
}

// compareIterations: iteration by iteration, by the operand's order; if one is
// a proper prefix of the other, the quantifier's kind decides (PREF-4).
func compareIterations(a, b *Derivation, in Departure) (Departure, bool) {
	both := min(len(a.Parts), len(b.Parts))
	for i := range both {
		inner := Departure{Quantifier: a.Pattern, Iteration: i + 1,
			FirstEmpty: a.Parts[i].IsEmpty(), SecondEmpty: b.Parts[i].IsEmpty()}
		if d, parted := compare(a.Parts[i], b.Parts[i], inner); parted {
			return d, true
		}
	}
	if len(a.Parts) == len(b.Parts) {
		return Departure{}, false
	}
	var first, second int
	if len(a.Parts) > both {
		first = 1
	} else {
		second = 1
	}
	order := second - first
	if a.Pattern.Reluctant {
		order = -order
	}
	if !in.FirstEmpty && !in.SecondEmpty { // otherwise stopping here makes the enclosing iteration empty
		in.Quantifier, in.Iteration = a.Pattern, both+1
		in.FirstEmpty = first == 1 && a.Parts[both].IsEmpty()
		in.SecondEmpty = second == 1 && b.Parts[both].IsEmpty()
	}
	d := in.parted(a, IterateOrStop, first, second, order)
	if both < len(a.Parts) {
		d.Rows = a.Parts[both].Start
	} else {
		d.Rows = b.Parts[both].Start
	}
	return d, true
}

// parted completes the departure of two derivations, of which at is the first.
func (d Departure) parted(at *Derivation, kind DepartureKind, first, second, order int) Departure {
	d.Kind, d.Pattern, d.Rows = kind, at.Pattern, at.Start
	d.First, d.Second, d.Order = first, second, order
	return d
}
