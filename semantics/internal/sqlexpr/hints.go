package sqlexpr

import (
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
)

// hint says what a word or character after an operand is, and how the standard writes it.
type hint struct {
	what, write string
	unsupported bool // the standard has it, we have not
}

var operatorWords = map[string]hint{
	"DIV":        {what: "DIV is MySQL's operator", write: "write a / b; the quotient of two integers is an integer"},
	"MOD":        {what: "MOD is a function, no operator", write: "write MOD(a, b)"},
	"XOR":        {what: "XOR is MySQL's operator", write: "compare two conditions: (a) <> (b)"},
	"REGEXP":     {what: "REGEXP is MySQL's operator", write: "use LIKE"},
	"RLIKE":      {what: "RLIKE is MySQL's operator", write: "use LIKE"},
	"GLOB":       {what: "GLOB is SQLite's operator", write: "use LIKE"},
	"ILIKE":      {what: "ILIKE is PostgreSQL's operator", write: "write LOWER(a) LIKE LOWER(b)"},
	"SIMILAR":    {what: "SIMILAR TO is not supported", write: "use LIKE", unsupported: true},
	"LIKE_REGEX": {what: "LIKE_REGEX is not supported", write: "use LIKE", unsupported: true},
	"OVERLAPS":   {what: "OVERLAPS is not supported", write: "compare the ends of the periods", unsupported: true},
	"MEMBER":     {what: "MEMBER OF is not supported", write: "use IN", unsupported: true},
	"COLLATE":    {what: "COLLATE is not supported", write: "leave it out: strings compare by code point", unsupported: true},
	"AT":         {what: "AT TIME ZONE is not supported", write: "timestamps have no zone; shift them with an interval", unsupported: true},
}

var operatorChars = map[string]hint{
	"^":  {what: "^ is PostgreSQL's power operator, not in the standard", write: "write POWER(a, b)"},
	"|":  {what: "| separates the branches of a pattern, and is no operator of expressions", write: "write || to concatenate, OR between conditions"},
	"[":  {what: "elements of arrays are not supported", write: "use a function of the whole array, or CARDINALITY", unsupported: true},
	"=>": {what: "=> is no comparison", write: "write >="},
	"?":  {what: "the parameter marker ? is not supported", write: "write a host variable such as :name, and give its value with --param name=value", unsupported: true},
	":":  {what: ": is no operator of expressions", write: "a host variable is written without a space: :name"},
}

// hintFor returns the hint for what stands at the current token, if it is one
// of another product's operators there.
func (r *rewriter) hintFor(t token.Token) (hint, bool) {
	if t.Kind == token.Op {
		h, ok := operatorChars[t.Text]
		return h, ok
	}
	if t.Kind != token.Ident || t.Quoted {
		return hint{}, false
	}
	h, ok := operatorWords[t.Text]
	return h, ok && (startsOperand(r.Peek(1)) || r.Peek(1).Is("TO"))
}

// foreignOperator reports another product's operator after an operand; before
// anything but an operand such a word may be an alias.
func (r *rewriter) foreignOperator() error {
	t := r.Peek(0)
	if h, ok := r.hintFor(t); ok && (t.Kind == token.Ident || t.Text != "=>") {
		return r.hinted(h)
	}
	return nil
}

// unexpected is the syntax error of the current token where want should stand.
func (r *rewriter) unexpected(want, hint string) *diag.Error {
	if h, ok := r.hintFor(r.Peek(0)); ok {
		return r.hinted(h)
	}
	return r.Expected("SQL-1", want, hint)
}

func (r *rewriter) hinted(h hint) *diag.Error {
	if h.unsupported {
		return r.unsupported(r.Pos(), "%s", h.what).WithHint("%s", h.write)
	}
	return r.Errorf("SQL-1", "%s", h.what).WithHint("%s", h.write)
}

// startsOperand reports whether an operand may begin with the token, signs
// aside. Of the words only those are left out that end or continue an expression.
func startsOperand(t token.Token) bool {
	switch t.Kind {
	case token.Number, token.Str, token.BinaryStr, token.HostVar:
		return true
	case token.Op:
		return t.Text == "("
	case token.Ident:
		if t.Quoted {
			return true
		}
		switch t.Text {
		case "CASE", "CAST", "EXISTS", "NULL", "TRUE", "FALSE", "ANY":
			return true
		case "OVER", "ESCAPE", "FOR", "ASC", "DESC", "NULLS", "TO":
			return false
		}
		return !token.Reserved(t.Text)
	}
	return false
}
