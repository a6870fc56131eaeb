package reduce

import (
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// sql reduces a statement, or the clause of a case, and its tables.
func (r *reducer) sql() {
	first := mentioned(r.best)
	first.SQL = tidy(first.SQL)
	if lines, err := r.o.Answer(r.ctx, first); err == nil {
		first.Answer = lines
		r.best = first
	}
	for again := true; again && !r.spent(); {
		again = false
		for _, step := range []func(*corpus.Case) []*corpus.Case{fewerRows, smallerPatterns, smallerConditions, fewerClauses, fewerColumns, smallerValues} {
			again = r.improve(step) || again
		}
	}
}

func withSQL(c *corpus.Case, sql string) *corpus.Case {
	d := *c
	d.SQL = tidy(sql)
	return &d
}

// weighSQL measures a statement by its tokens, and a little by their length.
func weighSQL(sql string) int {
	n := 0
	for _, t := range scan(sql) {
		n += 10 + len(t.text)
		if t.kind == number && t.text != "0" && t.text != "1" {
			n++
		}
	}
	return n
}

// smallerPatterns changes the pattern, and takes out what is then too much:
// definitions of variables that are gone (DEF-2), members of unions (SUB-1) and
// measures that name them.
func smallerPatterns(c *corpus.Case) []*corpus.Case {
	s := split(c.SQL)
	var out []*corpus.Case
	for _, rec := range s.recognitions {
		at := rec.part("PATTERN").body
		if at.to-at.from < 3 {
			continue
		}
		inside := span{at.from + 1, at.to - 1}
		p, err := semantics.ParsePattern(s.text(inside))
		if err != nil {
			continue // a case of kind refuse, whose pattern is wrong
		}
		for _, q := range gen.SmallerPatterns(p) {
			out = append(out, withSQL(c, withoutStrangers(s.with(inside, q.String()), gen.Names(q))))
		}
	}
	return out
}

// withoutStrangers takes out definitions, members and measures of variables
// that the pattern has not.
func withoutStrangers(sql string, names []string) string {
	known := map[string]bool{}
	for _, n := range names {
		known[n] = true
	}
	for _, name := range []string{"DEFINE", "SUBSET"} {
		s := split(sql)
		if len(s.recognitions) == 0 {
			return sql
		}
		p := s.recognitions[0].part(name)
		if p == nil {
			continue
		}
		var left []string
		gone := 0
		for _, it := range s.items(p.body) {
			owner := table.FoldName(strings.Trim(s.toks[it.from].text, `"`))
			if name == "DEFINE" && !known[owner] {
				gone++
				continue
			}
			if name == "SUBSET" {
				if t := s.subsetItem(it, known); t == "" {
					gone++
					continue
				} else if t != s.text(it) {
					gone++
					left = append(left, t)
					continue
				}
			}
			left = append(left, s.text(it))
		}
		switch {
		case gone == 0:
		case len(left) > 0:
			sql = s.with(p.body, strings.Join(left, ", "))
		case name == "SUBSET":
			sql = s.with(p.span, "")
		case len(names) > 0: // GRAM-2: at least one definition
			sql = s.with(p.body, (semantics.Name{Text: names[0]}).String()+" AS TRUE")
		}
	}
	return sql
}

// subsetItem returns an item of SUBSET without members that are gone; "" if
// none is left.
func (s *statement) subsetItem(it span, known map[string]bool) string {
	var members []string
	for i := it.from + 3; i < it.to-1; i++ {
		if t := s.toks[i]; t.kind == word && known[table.FoldName(strings.Trim(t.text, `"`))] {
			members = append(members, t.text)
		}
	}
	if len(members) == 0 {
		return ""
	}
	return s.toks[it.from].text + " = (" + strings.Join(members, ", ") + ")"
}

// smallerConditions makes the conditions of DEFINE smaller, then the measures.
func smallerConditions(c *corpus.Case) []*corpus.Case {
	s := split(c.SQL)
	var out []*corpus.Case
	for _, rec := range s.recognitions {
		if p := rec.part("DEFINE"); p != nil {
			list := s.items(p.body)
			for i, it := range list {
				if len(list) > 1 {
					out = append(out, withSQL(c, s.without(list, i)))
				}
				if it.to-it.from > 2 { // NAME AS condition
					expr := span{it.from + 2, it.to}
					for _, e := range smallerExprs(s.text(expr), "TRUE") {
						out = append(out, withSQL(c, s.with(expr, e)))
					}
				}
			}
		}
		if p := rec.part("MEASURES"); p != nil {
			list := s.items(p.body)
			for i, it := range list {
				if len(list) > 1 {
					out = append(out, withSQL(c, s.without(list, i)))
				}
				if it.to-it.from > 3 { // expression AS NAME
					expr := span{it.from, it.to - 2}
					for _, e := range smallerExprs(s.text(expr)) {
						out = append(out, withSQL(c, s.with(expr, e)))
					}
				}
			}
		}
	}
	return out
}

// fewerClauses takes clauses and items of lists out, and simplifies the query
// around the recognition.
func fewerClauses(c *corpus.Case) []*corpus.Case {
	s := split(c.SQL)
	var out []*corpus.Case
	for _, rec := range s.recognitions {
		for _, p := range rec.parts {
			switch p.name {
			case "PATTERN", "DEFINE", "FRAME":
				continue
			case "ROWS":
				out = append(out, withSQL(c, s.with(p.span, "")))
				if p.to-p.from > 4 {
					out = append(out, withSQL(c, s.with(p.span, "ALL ROWS PER MATCH")))
				}
				continue
			case "AFTER":
				out = append(out, withSQL(c, s.with(p.span, "")), withSQL(c, s.with(p.span, "AFTER MATCH SKIP TO NEXT ROW")))
				continue
			}
			out = append(out, withSQL(c, s.with(p.span, "")))
			if list := s.items(p.body); len(list) > 1 {
				for i := range list {
					out = append(out, withSQL(c, s.without(list, i)))
				}
			}
		}
		if p := rec.part("FRAME"); p != nil {
			out = append(out, withSQL(c, s.with(p.span, "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING")))
		}
	}
	return append(out, s.outer(c)...)
}

// outer simplifies the query around the recognitions.
func (s *statement) outer(c *corpus.Case) []*corpus.Case {
	var out []*corpus.Case
	inside := func(i int) bool {
		return slices.ContainsFunc(s.recognitions, func(r recognition) bool { return i >= r.from && i < r.to })
	}
	for i, t := range s.toks {
		if inside(i) {
			continue
		}
		switch {
		case t.is("SELECT"):
			end := i + 1
			for end < len(s.toks) && !(s.toks[end].depth == t.depth && s.toks[end].is("FROM")) {
				end++
			}
			if end == len(s.toks) || end == i+1 {
				continue
			}
			list := s.items(span{i + 1, end})
			out = append(out, withSQL(c, s.with(span{i + 1, end}, "*")))
			if len(list) > 1 {
				for k := range list {
					out = append(out, withSQL(c, s.without(list, k)))
				}
			}
		case t.depth == 0 && t.is("WHERE", "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET", "FETCH"):
			end := i + 1
			for end < len(s.toks) && !(s.toks[end].depth == 0 && s.toks[end].is("WHERE", "ORDER", "GROUP", "HAVING", "LIMIT", "OFFSET", "FETCH", "WINDOW")) {
				end++
			}
			out = append(out, withSQL(c, s.with(span{i, end}, "")))
		case t.is("AS") && i > 0 && s.toks[i-1].text == ")" && i+1 < len(s.toks):
			out = append(out, withSQL(c, s.with(span{i, i + 2}, "")))
		}
	}
	return out
}
