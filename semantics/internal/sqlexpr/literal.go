package sqlexpr

import (
	"encoding/hex"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/internal/token"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// maxDigits is the largest length of a numeric literal; the largest double has 309 digits.
const maxDigits = 400

// literal rewrites a literal that is not an interval.
func (r *rewriter) literal() error {
	t := r.Next()
	n := &Node{Kind: Literal, Pos: t.Pos, End: t.End, Text: t.Text}
	var err error
	switch t.Kind {
	case token.Number:
		if len(t.Text) > maxDigits {
			return diag.New(diag.Limit, "LIM-1", t.Pos, "a number has more than %d characters", maxDigits).In(r.Source()).
				WithHint("exact numbers have at most %d digits; write others with an exponent", value.MaxPrecision)
		}
		n.Value, n.Type, err = value.ParseNumber(t.Text)
	case token.Str:
		n.Value, n.Type, n.Text = value.String(t.Text), value.TypeVarchar, token.QuoteString(t.Text)
	case token.BinaryStr:
		n.Value, n.Type, n.Text = value.Bytes([]byte(t.Text)), value.TypeBinary, "X'"+hex.EncodeToString([]byte(t.Text))+"'"
	default:
		switch t.Text {
		case "TRUE", "FALSE":
			n.Value, n.Type = value.Bool(t.Text == "TRUE"), value.TypeBoolean
		case "UNKNOWN":
			n.Type = value.TypeBoolean
		case "DATE", "TIME", "TIMESTAMP":
			err = r.datetime(n, r.Next())
		}
	}
	if err != nil {
		return diag.From(err).At(t.Pos).In(r.Source())
	}
	r.leaf(n)
	return nil
}

// datetime gives a node the value of DATE, TIME or TIMESTAMP 'text'.
func (r *rewriter) datetime(n *Node, t token.Token) (err error) {
	switch n.Text {
	case "DATE":
		n.Type = value.TypeDate
		n.Value, err = value.ParseDate(t.Text)
	case "TIME":
		n.Value, n.Type, err = value.ParseTime(t.Text)
	case "TIMESTAMP":
		n.Value, n.Type, err = value.ParseTimestamp(t.Text)
	}
	n.Text += " " + token.QuoteString(t.Text)
	n.End = t.End
	return err
}

// isField reports whether t is a datetime field.
func isField(t token.Token) bool {
	return t.Is("YEAR") || t.Is("MONTH") || t.Is("DAY") || t.Is("HOUR") || t.Is("MINUTE") || t.Is("SECOND")
}

// interval rewrites INTERVAL [sign] 'text' field [TO field].
func (r *rewriter) interval() error {
	first := r.Next()
	sign := ""
	if t := r.Peek(0); t.Kind == token.Op {
		sign = r.Next().Text
	}
	text := r.Next().Text
	n := &Node{Kind: Literal, Pos: first.Pos, Text: "INTERVAL " + sign + token.QuoteString(text)}
	if !isField(r.Peek(0)) {
		return r.Expected("SQL-1", "YEAR, MONTH, DAY, HOUR, MINUTE or SECOND after the interval", intervalHint(sign, text, r.Peek(0)))
	}
	from, err := r.field()
	if err != nil {
		return err
	}
	n.Text += " " + from
	to := ""
	if r.At("TO") && isField(r.Peek(1)) {
		r.Next()
		if to, err = r.field(); err != nil {
			return err
		}
		n.Text += " TO " + to
	}
	n.End = r.lastEnd()
	if n.Value, n.Type, err = value.ParseInterval(signed(sign, text), from, to); err != nil {
		return diag.From(err).At(first.Pos).In(r.Source())
	}
	r.leaf(n)
	return nil
}

// intervalHint shows how the standard writes an interval whose unit is
// missing, or stands inside the quotes as in PostgreSQL and DuckDB.
func intervalHint(sign, text string, next token.Token) string {
	const rule = "the unit stands outside the quotes, in the singular: "
	words := strings.Fields(text)
	if len(words) == 1 && next.Kind == token.Ident && !next.Quoted {
		words = append(words, next.Text)
	}
	if len(words) == 2 {
		unit := strings.TrimSuffix(strings.ToUpper(words[1]), "S")
		if isField(token.Token{Kind: token.Ident, Text: unit}) {
			return rule + "INTERVAL " + sign + token.QuoteString(words[0]) + " " + unit + "; INTERVAL '5 minutes' is PostgreSQL's and DuckDB's form"
		}
	}
	return rule + "INTERVAL '5' MINUTE, INTERVAL '1 12' DAY TO HOUR; INTERVAL '5 minutes' is PostgreSQL's and DuckDB's form"
}

// field takes a datetime field. Its precision is refused: every interval has
// room for any number of days or months and for microseconds.
func (r *rewriter) field() (string, error) {
	name := r.Next().Text
	if r.AtOp("(") {
		return "", r.unsupported(r.Pos(), "the precision of an interval field is not supported").WithHint("leave it out")
	}
	return name, nil
}

// signed joins the sign before the quotes with the text in them.
func signed(sign, text string) string {
	if sign != "-" {
		return text
	}
	if len(text) > 0 && text[0] == '-' {
		return text[1:]
	}
	if len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	return "-" + text
}
