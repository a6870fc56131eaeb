package known

import (
	"fmt"
	"strconv"
	"strings"
)

// Range is a range of versions: "*" or "" for all, or conditions separated by
// blanks that all hold: "483", "<=483", ">=470 <478".
type Range struct{ conditions []condition }

type condition struct {
	op      string
	version string
}

// ParseRange reads a range.
func ParseRange(s string) (Range, error) {
	var r Range
	for word := range strings.FieldsSeq(s) {
		if word == "*" {
			continue
		}
		c := condition{op: "=", version: word}
		for _, op := range []string{"<=", ">=", "<", ">", "="} {
			if v, ok := strings.CutPrefix(word, op); ok {
				c = condition{op, v}
				break
			}
		}
		if c.version == "" || strings.ContainsAny(c.version, "<>=") {
			return Range{}, fmt.Errorf("%.40q is no version or range, such as 483, <=483 or >=470", word)
		}
		r.conditions = append(r.conditions, c)
	}
	return r, nil
}

// Holds reports whether a version is in the range.
func (r Range) Holds(version string) bool {
	for _, c := range r.conditions {
		d := compareVersions(version, c.version)
		ok := c.op == "=" && d == 0 || c.op == "<" && d < 0 || c.op == "<=" && d <= 0 || c.op == ">" && d > 0 || c.op == ">=" && d >= 0
		if !ok {
			return false
		}
	}
	return true
}

// compareVersions compares dotted versions part by part: as numbers where both
// are numbers, a missing part being 0.
func compareVersions(a, b string) int {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '-' || r == '+' || r == ' ' })
	}
	x, y := split(a), split(b)
	for i := range max(len(x), len(y)) {
		p, q := part(x, i), part(y, i)
		m, err1 := strconv.Atoi(p)
		n, err2 := strconv.Atoi(q)
		switch {
		case err1 == nil && err2 == nil && m != n:
			return m - n
		case err1 == nil && err2 == nil:
		case p != q:
			return strings.Compare(p, q)
		}
	}
	return 0
}

func part(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "0"
}
