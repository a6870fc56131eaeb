package reduce

import "strings"

// smallerExprs returns expressions that are parts of one, largest changes
// first: constants, the operands of its operators, the inside of parentheses,
// the arguments of its calls, and the same within its parts. Whether they fit
// where they stand is for the parser to say.
func smallerExprs(expr string, constants ...string) []string {
	out := append([]string(nil), constants...)
	seen := map[string]bool{expr: true}
	add := func(s string) {
		s = strings.TrimSpace(s)
		if s != "" && len(s) < len(expr) && !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	s := &statement{sql: expr, toks: scan(expr)}
	for _, in := range s.operands() {
		add(s.text(in))
	}
	// Within: a parenthesis or the arguments of a call in place of the whole.
	for i, t := range s.toks {
		if t.text != "(" {
			continue
		}
		end := closing(s.toks, i)
		if end < 0 || end == i+1 {
			continue
		}
		from := i
		if i > 0 && s.toks[i-1].kind == word {
			from = i - 1
		}
		for _, arg := range s.items(span{i + 1, end}) {
			add(s.sql[:s.toks[from].start] + s.text(arg) + s.sql[s.toks[end].end:])
			for _, in := range s.operandsOf(arg) {
				add(s.sql[:s.toks[arg.from].start] + s.text(in) + s.sql[s.toks[arg.to-1].end:])
			}
		}
		if list := s.items(span{i + 1, end}); len(list) > 1 {
			for k := range list {
				add(s.without(list, k))
			}
		}
	}
	// A word less: NOT, RUNNING, FINAL, DISTINCT, or a qualifier.
	for i, t := range s.toks {
		if t.is("NOT", "RUNNING", "FINAL", "DISTINCT") {
			add(s.sql[:t.start] + strings.TrimLeft(s.sql[t.end:], " "))
		}
		if t.text == "." && i > 0 {
			add(s.sql[:s.toks[i-1].start] + s.sql[t.end:])
		}
	}
	return out
}

// operators by which an expression is taken apart, loosest first.
var operators = [][]string{{"OR"}, {"AND"}, {"=", "<", ">"}, {"|"}, {"+", "-"}, {"*", "/"}}

// operands returns the operands of the loosest operator of the expression.
func (s *statement) operands() []span { return s.operandsOf(span{0, len(s.toks)}) }

func (s *statement) operandsOf(in span) []span {
	if in.from >= in.to {
		return nil
	}
	depth := s.toks[in.from].depth
	for _, ops := range operators {
		var out []span
		from := in.from
		for i := in.from; i < in.to; i++ {
			if s.toks[i].depth != depth || !s.toks[i].is(ops...) {
				continue
			}
			if i > from {
				out = append(out, span{from, i})
			}
			from = i + 1
		}
		if from > in.from && from < in.to {
			return append(out, span{from, in.to})
		}
	}
	return nil
}
