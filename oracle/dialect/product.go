package dialect

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// Product describes the SQL of a product as far as cases need it. It is
// immutable.
type Product struct {
	// Name is the product's name in messages.
	Name string
	// reserved holds the words that are no names without quotes, in upper case.
	reserved map[string]bool
	// neverKeyword holds those reserved words that have no part in the
	// statements of cases: they can only be meant as names (GRAM-15), and are
	// put in quotes.
	neverKeyword map[string]bool
	// lowerCase: unquoted names are folded to lower case, so that a quoted name
	// must be written in lower case to mean the same.
	lowerCase bool
	// functions gives other names of functions; "" where there is no such
	// function.
	functions map[string]string
	// bigNumber writes an integer literal that fits no integer type; nil: as it is.
	bigNumber func(digits string) string
	// listagg is the reason why LISTAGG without WITHIN GROUP cannot be asked;
	// empty if it can.
	listagg string
	// typeName writes a type; false if the product has none like it.
	typeName func(value.Type) (string, bool)
	// literal writes a value where SQL's own form will not do; "": SQL's form.
	literal func(value.Value, value.Type) string
	// dual is what stands behind the values of a row, where a product has no
	// VALUES as a table.
	dual string
	// noBooleans: there is no type boolean, labels are the numbers 1 and 0.
	noBooleans bool
	// lacks tells what the product has not, by the shape of a pattern or a
	// statement; see lacking.go.
	lacks features
}

// Quote writes a folded name: without quotes if the product reads that as the
// same name.
func (p *Product) Quote(name string) string {
	if p.plain(name) {
		return strings.ToLower(name)
	}
	if p.lowerCase && p.reserved[name] {
		name = strings.ToLower(name)
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// plain reports a name that needs no quotes.
func (p *Product) plain(name string) bool {
	if name == "" || p.reserved[name] {
		return false
	}
	for i, r := range name {
		switch {
		case r >= 'A' && r <= 'Z', r == '_' && i > 0, r >= '0' && r <= '9' && i > 0:
		default:
			return false
		}
	}
	return true
}

// Reserved reports a word that the product does not take as a name.
func (p *Product) Reserved(word string) bool { return p.reserved[strings.ToUpper(word)] }

// Literal writes a value of a type.
func (p *Product) Literal(v value.Value, t value.Type) string {
	if p.literal != nil {
		if s := p.literal(v, t); s != "" {
			return s
		}
	}
	return value.SQL(v, t)
}

// typed writes a value so that it has exactly the type t.
func (p *Product) typed(v value.Value, t value.Type) (string, bool) {
	name, ok := p.typeName(t)
	if !ok {
		return "", false
	}
	return "CAST(" + p.Literal(v, t) + " AS " + name + ")", true
}

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}
