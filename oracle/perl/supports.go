package perl

import (
	"fmt"

	"github.com/rprcheck/rprcheck/oracle"
)

// What a question may be. Perl 5.30 and later have larger bounds, and its
// matcher gives up on loops of more than 65,534 iterations, with a warning.
const (
	maxBound   = 32_766    // of a quantifier
	maxDepth   = 900       // of parentheses: Perl allows 1,000
	maxPermute = 7         // elements, written out in all orders
	maxPattern = 500_000   // bytes
	maxRows    = 4_000     // an answer may have a number for each pair of rows
	maxClasses = 1_000_000 // characters in the classes of all variables
)

// Supports says why Perl cannot be asked a case; "" if it can. Conditions that
// read the match have no counterpart in Perl, nor have statements.
func (o *Oracle) Supports(c *oracle.Case) string {
	_, reason := o.question(c)
	return reason
}

func (o *Oracle) question(c *oracle.Case) (*question, string) {
	switch {
	case o.missing != nil:
		return nil, "no perl: " + o.missing.Error()
	case c.Op == oracle.Query || c.Op == oracle.Check:
		return nil, "Perl is asked patterns over rows of labels only: it has no conditions that read the match"
	case c.Op != oracle.Map:
		return nil, "Perl gives the preferred match only, not the list of candidates"
	case len(c.Readings) > 0:
		return nil, "the case rests on the reading " + c.Readings[0] + ", Perl is asked under the defaults only"
	case len(c.Rows) > maxRows:
		return nil, fmt.Sprintf("Perl is asked at most %d rows", maxRows)
	}
	p, err := c.ParsePattern()
	if err != nil {
		return nil, "the pattern is in error: " + err.Error()
	}
	q, reason := newQuestion(p, c.Rows)
	if reason != "" {
		return nil, reason
	}
	n := 0
	for _, class := range q.classes {
		n += len(class)
	}
	if n > maxClasses {
		return nil, "too many variables hold on too many different rows for Perl"
	}
	return q, ""
}
