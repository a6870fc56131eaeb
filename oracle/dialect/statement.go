package dialect

import (
	"slices"
	"strconv"
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
	first := slices.IndexFunc(pieces, func(x piece) bool { return x.kind != blank })
	if first < 0 || !isWord(pieces[first], "WITH") {
		return "WITH " + list + "\n" + joined(pieces), ""
	}
	// A WITH of the statement's own goes on with the tables before it, unless an
	// item of it hides a table: then the statement is nested in one that has the
	// tables.
	if hides(pieces, tables) {
		if Ordered(c.SQL) {
			return "", "the statement orders its rows, and an item of its WITH has the name of a table"
		}
		return "WITH " + list + "\nSELECT * FROM (" + joined(pieces) + ")", ""
	}
	end := first + 1
	if k := after(pieces, first); k >= 0 && isWord(pieces[k], "RECURSIVE") {
		end = k + 1
	}
	return joined(pieces[:end]) + " " + list + "," + joined(pieces[end:]), ""
}

// hides reports an item of WITH, a name followed by AS ( or by a list of columns
// and AS (, that has the name of a table.
func hides(pieces []piece, tables []oracle.Table) bool {
	for i, x := range pieces {
		if x.kind != word {
			continue
		}
		named := slices.ContainsFunc(tables, func(t oracle.Table) bool { return t.Name == table.FoldName(x.text) })
		if !named {
			continue
		}
		k := after(pieces, i)
		if k >= 0 && isWord(pieces[k], "AS") {
			if k = after(pieces, k); k >= 0 && pieces[k].text == "(" {
				return true
			}
		}
	}
	return false
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

// respell puts the product's names for functions, its form of large numbers,
// quotes around names that it would take for keywords, and literals for host
// variables. A reason is given where the product has nothing of the kind.
func (p *Product) respell(pieces []piece, params []oracle.Param) (reason string) {
	for i := range pieces {
		switch x := &pieces[i]; x.kind {
		case word:
			if reason := p.respellWord(pieces, i); reason != "" {
				return reason
			}
		case number:
			if p.bigNumber != nil && len(x.text) >= 19 && strings.Trim(x.text, "0123456789") == "" {
				if _, err := strconv.ParseInt(x.text, 10, 64); err != nil {
					x.text = p.bigNumber(x.text)
				}
			}
		case param:
			at := slices.IndexFunc(params, func(v oracle.Param) bool { return table.FoldName(x.text[1:]) == v.Name })
			if at < 0 {
				return "the host variable " + x.text + " has no value"
			}
			x.text = p.Literal(params[at].Value, params[at].Type)
		}
	}
	return ""
}

// respellWord writes a function's name, or a name that the product reserves.
func (p *Product) respellWord(pieces []piece, i int) (reason string) {
	x := &pieces[i]
	name := strings.ToUpper(x.text)
	if p.neverKeyword[name] {
		x.text = p.Quote(name)
		return ""
	}
	open := after(pieces, i)
	if open < 0 || pieces[open].text != "(" {
		return ""
	}
	renamed, ok := p.functions[name]
	switch {
	case ok && renamed == "":
		return p.Name + " has no function " + name
	case ok:
		x.text = renamed
	case name == "LISTAGG" && p.listagg != "":
		end := closing(pieces, open)
		if k := after(pieces, end); end < 0 || k < 0 || !isWord(pieces[k], "WITHIN") {
			return p.listagg
		}
	}
	return ""
}

// closing returns the parenthesis that closes the one at i; -1 if none does.
func closing(pieces []piece, i int) int {
	depth := 0
	for k := i; k < len(pieces); k++ {
		switch pieces[k].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
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
