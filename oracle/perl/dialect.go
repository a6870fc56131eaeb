package perl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics"
)

// question is a case in the numbers and marks that ask.pl reads.
type question struct {
	names   []string // of the variables, in the order of their first place
	rows    []int    // the character of each row
	classes [][]int  // of each variable: the characters of rows on which it holds
	pattern []byte   // tokens
	depth   int      // of parentheses
	deepest int
}

// absent is a character that no row has: the class of a variable that holds on
// no row. Rows have the characters from absent + 1 on.
const absent = 1

// newQuestion numbers the variables and the sets of labels of a case. A
// reason is given if the pattern is out of Perl's reach.
func newQuestion(p *semantics.Pattern, rows [][]string) (q *question, reason string) {
	q = &question{rows: make([]int, len(rows))}
	if reason = q.print(p, false); reason != "" {
		return nil, reason
	}
	if q.deepest > maxDepth {
		return nil, "the pattern is nested deeper than Perl allows"
	}
	q.classes = make([][]int, len(q.names))
	seen := map[string]int{}
	key := make([]byte, 0, 16)
	for i, labels := range rows {
		key = q.labelSet(key[:0], labels)
		char, ok := seen[string(key)]
		if !ok {
			char = absent + 1 + len(seen)
			seen[string(key)] = char
			for v := range q.names {
				if key[v/8]&(1<<(v%8)) != 0 {
					q.classes[v] = append(q.classes[v], char)
				}
			}
		}
		q.rows[i] = char
	}
	return q, ""
}

// labelSet appends the set of the pattern's variables that a row lists, a bit
// each. Other names are ignored.
func (q *question) labelSet(dst []byte, labels []string) []byte {
	for range (len(q.names) + 7) / 8 {
		dst = append(dst, 0)
	}
	for _, label := range labels {
		if v := slices.Index(q.names, semantics.LabelName(label)); v >= 0 {
			dst[v/8] |= 1 << (v % 8)
		}
	}
	return dst
}

func (q *question) variable(name string) int {
	v := slices.Index(q.names, name)
	if v < 0 {
		v = len(q.names)
		q.names = append(q.names, name)
	}
	return v
}

func (q *question) token(text string) {
	if len(q.pattern) > 0 {
		q.pattern = append(q.pattern, ' ')
	}
	q.pattern = append(q.pattern, text...)
}

func (q *question) open() {
	q.token("(")
	q.depth++
	q.deepest = max(q.deepest, q.depth)
}

func (q *question) close() {
	q.token(")")
	q.depth--
}

// print writes the tokens of p, and stops with a reason where Perl, or the
// size of a question, does not allow it.
func (q *question) print(p *semantics.Pattern, excluded bool) (reason string) {
	if len(q.pattern) > maxPattern {
		return "the pattern is too long for Perl when PERMUTE is written out"
	}
	switch p.Op {
	case semantics.OpVariable:
		v := q.variable(p.Name.Text)
		record := 2 * v
		if excluded {
			record++
		}
		q.token(strconv.Itoa(v) + "." + strconv.Itoa(record))
	case semantics.OpEmpty:
		q.token("e")
	case semantics.OpPartitionStart:
		q.token("^")
	case semantics.OpPartitionEnd:
		q.token("$")
	case semantics.OpGroup, semantics.OpExclude:
		return q.group(p.Sub[0], excluded || p.Op == semantics.OpExclude)
	case semantics.OpPermute:
		return q.permute(p, excluded)
	case semantics.OpQuantified:
		return q.quantify(p, excluded)
	case semantics.OpConcat:
		for _, sub := range p.Sub {
			if reason := q.operand(sub, excluded, sub.Op == semantics.OpAlternate); reason != "" {
				return reason
			}
		}
	case semantics.OpAlternate:
		for i, sub := range p.Sub {
			if i > 0 {
				q.token("|")
			}
			if reason := q.print(sub, excluded); reason != "" {
				return reason
			}
		}
	}
	return ""
}

func (q *question) group(p *semantics.Pattern, excluded bool) (reason string) {
	q.open()
	defer q.close()
	return q.print(p, excluded)
}

func (q *question) operand(p *semantics.Pattern, excluded, grouped bool) (reason string) {
	if grouped {
		return q.group(p, excluded)
	}
	return q.print(p, excluded)
}

// quantify groups the operand, since a variable is two things to Perl: the
// class and the record.
func (q *question) quantify(p *semantics.Pattern, excluded bool) (reason string) {
	if p.Min > maxBound || p.Max > maxBound {
		return "a bound of a quantifier is larger than " + strconv.Itoa(maxBound) + ", which not every Perl allows"
	}
	if reason := q.group(p.Sub[0], excluded); reason != "" {
		return reason
	}
	upper, reluctant := "-", ",0"
	if p.Max != semantics.Unbounded {
		upper = strconv.Itoa(p.Max)
	}
	if p.Reluctant {
		reluctant = ",1"
	}
	q.token("q" + strconv.Itoa(p.Min) + "," + upper + reluctant)
	return ""
}

// permute writes the alternation of all orders, the written order first and
// the others lexicographically by place (PAT-7).
func (q *question) permute(p *semantics.Pattern, excluded bool) (reason string) {
	if len(p.Sub) > maxPermute {
		return "PERMUTE has more than " + strconv.Itoa(maxPermute) + " elements, too many to be written out"
	}
	first := true
	used := make([]bool, len(p.Sub))
	order := make([]*semantics.Pattern, 0, len(p.Sub))
	var orders func() string
	orders = func() string {
		if len(order) == len(p.Sub) {
			if !first {
				q.token("|")
			}
			first = false
			for _, element := range order {
				if reason := q.group(element, excluded); reason != "" {
					return reason
				}
			}
			return ""
		}
		for i, element := range p.Sub {
			if used[i] {
				continue
			}
			used[i] = true
			order = append(order, element)
			if reason := orders(); reason != "" {
				return reason
			}
			order = order[:len(order)-1]
			used[i] = false
		}
		return ""
	}
	q.open()
	defer q.close()
	return orders()
}

// appendTo writes the question behind its id.
func (q *question) appendTo(dst []byte) []byte {
	dst = append(dst, '\t')
	dst = appendNumbers(dst, q.rows, ' ')
	dst = append(dst, '\t')
	for v, class := range q.classes {
		if v > 0 {
			dst = append(dst, ' ')
		}
		if len(class) == 0 {
			class = []int{absent}
		}
		dst = appendNumbers(dst, class, ',')
	}
	dst = append(dst, '\t')
	dst = append(dst, q.pattern...)
	return append(dst, '\n')
}

func appendNumbers(dst []byte, numbers []int, separator byte) []byte {
	for i, n := range numbers {
		if i > 0 {
			dst = append(dst, separator)
		}
		dst = strconv.AppendInt(dst, int64(n), 10)
	}
	return dst
}

// mappings reads what Perl recorded, one match a row.
func (q *question) mappings(text string) ([]oracle.Mapping, bool) {
	out := make([]oracle.Mapping, 0, len(q.rows))
	if text == "" {
		return out, len(q.rows) == 0
	}
	for match := range strings.SplitSeq(text, ",") {
		var m oracle.Mapping
		switch match {
		case "-":
		case "=":
			m.Found = true
		default:
			m.Found = true
			for record := range strings.SplitSeq(match, ".") {
				n, err := strconv.Atoi(record)
				if err != nil || n < 0 || n/2 >= len(q.names) {
					return nil, false
				}
				if n%2 == 1 && m.Excluded == nil {
					m.Excluded = make([]bool, len(m.Vars))
				}
				m.Vars = append(m.Vars, q.names[n/2])
				if m.Excluded != nil {
					m.Excluded = append(m.Excluded, n%2 == 1)
				}
			}
		}
		out = append(out, m)
	}
	return out, len(out) == len(q.rows)
}
