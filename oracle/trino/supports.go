package trino

import (
	"fmt"
	"regexp"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/dialect"
)

// What is asked of a server that others use. One small query with a huge bound
// can end a Trino by lack of memory, and the time of a search can be cubic in
// the rows.
const (
	politeBound = 1_000 // of a quantifier
	politeSize  = 1_000 // variables when bounds are written out
	politeRows  = 400   // of a Map case
)

// What is asked of no server: Trino writes out bounds and permutations before
// it looks at a row, and does not survive more.
const (
	mostSize = 10_000
	mostRows = 700
)

// Supports says why Trino cannot be asked a case; "" if it can.
func (o *Oracle) Supports(c *oracle.Case) string {
	if reason := o.profile.Conflict("Trino", c.Readings); reason != "" {
		return reason
	}
	polite := !o.opt.Hostile && !o.mayBeOwn()
	if polite && isHostile(c) {
		return "hostile cases are not put to a server that others use; --hostile does"
	}
	switch c.Op {
	case oracle.Map:
		_, reason := o.mapping(c, polite)
		return reason
	case oracle.Prefer:
		return "Trino gives the preferred match only, not the list of candidates"
	}
	if o.window {
		return "patterns alone are put as windows; statements are put as they are"
	}
	if bound := largestBound(c.SQL); polite && bound > politeBound {
		return fmt.Sprintf("a bound above %d is not put to a server that others use; --hostile does", politeBound)
	} else if bound > mostSize {
		return fmt.Sprintf("a bound above %d is put to no server: Trino writes bounds out", mostSize)
	}
	_, reason := o.product.Statement(c)
	return reason
}

// mapping translates a Map case, or says why it cannot be put.
func (o *Oracle) mapping(c *oracle.Case, polite bool) (*dialect.Mapping, string) {
	m, reason := o.product.Mapping(c)
	if reason != "" {
		return nil, reason
	}
	rows, size := mostRows, mostSize
	who := "Trino is asked"
	if polite {
		rows, size, who = politeRows, politeSize, "a server that others use is asked"
	}
	switch {
	case len(m.Holds) > rows:
		return nil, fmt.Sprintf("%s at most %d rows", who, rows)
	case m.Size > size:
		return nil, fmt.Sprintf("%s patterns of at most %d variables with bounds written out", who, size)
	case o.window && m.Anchors:
		return nil, "anchors are prohibited in windows (WIN-9)"
	case o.window && m.Excludes:
		return nil, "exclusion has no meaning in windows (WIN-9)"
	}
	return m, ""
}

var bounds = regexp.MustCompile(`\{[0-9,\s]*[0-9][0-9,\s]*\}`)

// largestBound returns the largest number between braces of a statement.
func largestBound(sql string) int {
	largest := 0
	for _, b := range bounds.FindAllString(sql, -1) {
		n := 0
		for _, d := range b {
			if d >= '0' && d <= '9' {
				n = min(n*10+int(d-'0'), dialect.MaxSize)
				largest = max(largest, n)
			} else {
				n = 0
			}
		}
	}
	return largest
}
