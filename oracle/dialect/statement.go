package dialect

import (
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Statement writes the statement of a Query or Check case, with its tables
// inline and its host variables as literals. A reason is given if the product
// cannot be asked; the statement itself is not checked, it may be in error.
func (p *Product) Statement(c *oracle.Case) (sql, reason string) {
	pieces := scan(strings.TrimRight(strings.TrimSpace(c.SQL), ";"))
	if reason := p.lacks.statement(p, pieces); reason != "" {
		return "", reason
	}
	if reason := p.respell(pieces, c.Params); reason != "" {
		return "", reason
	}
	tables := mentioned(c, pieces)
	if len(tables) == 0 {
		return joined(pieces), ""
	}
	items := make([]string, len(tables))
	for i, t := range tables {
		item, err := p.inline(t)
		if err != nil {
			return "", err.Error()
		}
		items[i] = item
	}
	list := strings.Join(items, ",\n")
	// A WITH of the statement's own goes on with the tables before it.
	first := slices.IndexFunc(pieces, func(x piece) bool { return x.kind != blank })
	if first >= 0 && isWord(pieces[first], "WITH") {
		end := first + 1
		if k := after(pieces, first); k >= 0 && isWord(pieces[k], "RECURSIVE") {
			end = k + 1
		}
		return joined(pieces[:end]) + " " + list + "," + joined(pieces[end:]), ""
	}
	return "WITH " + list + "\n" + joined(pieces), ""
}

func isWord(p piece, w string) bool { return p.kind == word && strings.EqualFold(p.text, w) }

// after returns the piece behind i that is not blank; -1 if there is none.
func after(pieces []piece, i int) int {
	for k := i + 1; k < len(pieces); k++ {
		if pieces[k].kind != blank {
			return k
		}
	}
	return -1
}

// respell puts the product's names for functions, and literals for host
// variables. A reason is given where the product has no such function.
func (p *Product) respell(pieces []piece, params []oracle.Param) (reason string) {
	for i := range pieces {
		switch x := &pieces[i]; x.kind {
		case word:
			k := after(pieces, i)
			if k < 0 || pieces[k].text != "(" {
				continue
			}
			name := strings.ToUpper(x.text)
			renamed, ok := p.functions[name]
			if ok && renamed == "" {
				return p.Name + " has no function " + name
			}
			if ok {
				x.text = renamed
			}
		case param:
			for _, v := range params {
				if table.FoldName(x.text[1:]) == v.Name {
					x.text = p.Literal(v.Value, v.Type)
				}
			}
			if x.kind == param && strings.HasPrefix(x.text, ":") {
				return "a host variable has no value"
			}
		}
	}
	return ""
}

// Ordered reports that a statement ends with an ORDER BY of its own, so that
// the order of its rows is part of its answer (OUT-8).
func Ordered(sql string) bool {
	depth := 0
	pieces := scan(sql)
	for i, p := range pieces {
		switch {
		case p.kind == other && p.text == "(":
			depth++
		case p.kind == other && p.text == ")":
			depth--
		case depth == 0 && isWord(p, "ORDER"):
			if k := after(pieces, i); k >= 0 && isWord(pieces[k], "BY") {
				return true
			}
		}
	}
	return false
}
