package reduce

import "strings"

// withBefore writes the items of WITH that a table named at a token can mean:
// those of the queries around it that are complete before it.
func (s *statement) withBefore(at int) string {
	var items []string
	recursive := false
	for i := range at {
		if !s.toks[i].is("WITH") || i > 0 && s.toks[i-1].text != "(" || i > 0 && s.enclosing(i-1) < at {
			continue // a word elsewhere, or of a query that ends before
		}
		k := i + 1
		if k < at && s.toks[k].is("RECURSIVE") {
			recursive = true
			k++
		}
		for {
			body := s.body(k, s.toks[i].depth)
			if body < 0 || body >= at {
				break // at is inside this item
			}
			items = append(items, s.text(span{k, body + 1}))
			if body+1 >= at || s.toks[body+1].text != "," {
				break
			}
			k = body + 2
		}
	}
	if len(items) == 0 {
		return ""
	}
	word := "WITH "
	if recursive {
		word = "WITH RECURSIVE "
	}
	return word + strings.Join(items, ",\n  ")
}

// enclosing returns the index of the parenthesis that closes the one at open.
func (s *statement) enclosing(open int) int {
	if end := closing(s.toks, open); end >= 0 {
		return end
	}
	return len(s.toks)
}

// body returns the index at which an item of WITH ends, which begins at from:
// the parenthesis behind AS; -1 if there is none.
func (s *statement) body(from, depth int) int {
	for i := from; i < len(s.toks); i++ {
		if s.toks[i].depth == depth && s.toks[i].is("AS") {
			for i++; i < len(s.toks); i++ {
				if s.toks[i].text == "(" {
					return closing(s.toks, i)
				}
			}
		}
	}
	return -1
}
