package token

import (
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// MaxSource is the largest number of bytes of one SQL text; a longer one is a
// limit error (LIM-1).
const MaxSource = 16 << 20

// Lex splits src into tokens. The last one is of kind EOF, or of kind Error if
// the text from there on cannot be split (LEX-1); there is no other Error token.
// It takes time linear in the length of src.
func Lex(src string) []Token {
	l := lexer{src: src, line: 1, col: 1}
	if len(src) > MaxSource {
		l.fail(diag.New(diag.Limit, "LIM-1", l.pos(), "the SQL text has %d bytes, the limit is %d", len(src), MaxSource).
			WithHint("split the text into several statements, or keep the data in a file"))
		return l.toks
	}
	l.toks = make([]Token, 0, 8+len(src)/5)
	for l.next() {
	}
	return l.toks
}

// lexer holds the state of Lex. The fields at, line and col move forward only:
// every character is counted once, so positions cost linear time.
type lexer struct {
	src   string
	toks  []Token
	at    int // offset of the next character
	line  int
	col   int
	space bool // white space or a comment stood before the next token
}

func (l *lexer) pos() diag.Pos { return diag.Pos{Offset: l.at, Line: l.line, Column: l.col} }

// moveTo goes forward to the byte offset end.
func (l *lexer) moveTo(end int) {
	for l.at < end {
		c := l.src[l.at]
		switch {
		case c == '\n':
			l.line++
			l.col = 1
			l.at++
		case c < utf8.RuneSelf:
			l.col++
			l.at++
		default:
			_, size := utf8.DecodeRuneInString(l.src[l.at:])
			l.col++
			l.at += size
		}
	}
}

// emit appends a token that reaches up to the byte offset end.
func (l *lexer) emit(kind Kind, text string, quoted bool, end int) {
	pos := l.pos()
	l.moveTo(end)
	l.toks = append(l.toks, Token{Kind: kind, Text: text, Quoted: quoted, Pos: pos, End: end, Space: l.space})
	l.space = false
}

// fail appends the Error token; it covers the rest of the source.
func (l *lexer) fail(e *diag.Error) bool {
	l.toks = append(l.toks, Token{Kind: Error, Pos: e.Pos, End: len(l.src), Space: l.space, Err: e.In(l.src)})
	return false
}

// lexError is an error at the next character.
func (l *lexer) lexError(format string, args ...any) *diag.Error {
	return diag.New(diag.Syntax, "LEX-1", l.pos(), format, args...)
}

// errorAt moves to the byte offset at and makes an error there.
func (l *lexer) errorAt(at int, format string, args ...any) *diag.Error {
	l.moveTo(at)
	return l.lexError(format, args...)
}

// peek returns the byte k places after the next character, 0 past the end.
func (l *lexer) peek(k int) byte {
	if l.at+k < len(l.src) {
		return l.src[l.at+k]
	}
	return 0
}

// next appends one token; it returns false after the last one.
func (l *lexer) next() bool {
	if !l.skip() {
		return false
	}
	if l.at == len(l.src) {
		l.emit(EOF, "", false, l.at)
		return false
	}
	c := l.src[l.at]
	switch {
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		return l.number()
	case c == '\'':
		return l.str(l.at)
	case c == '"':
		return l.delimited()
	case c == ':':
		return l.hostVariable()
	}
	if end := identEnd(l.src, l.at); end > l.at {
		return l.ident(end)
	}
	return l.operator()
}

// skip passes white space and comments.
func (l *lexer) skip() bool {
	end, unclosed := skipSpace(l.src, l.at)
	if unclosed >= 0 {
		return l.fail(l.errorAt(unclosed, "the comment that begins here is not closed").
			WithHint("end it with */; comments nest, so every /* needs a */ of its own"))
	}
	l.space = end > l.at
	l.moveTo(end)
	return true
}

// skipSpace returns the offset of the first character from at on that is not
// in white space or a comment, and the offset of an unclosed comment or -1.
func skipSpace(src string, at int) (end, unclosed int) {
	for at < len(src) {
		r, size := rune(src[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(src[at:])
		}
		switch {
		case unicode.IsSpace(r), r == '\ufeff' && at == 0: // a byte order mark may open a file
			at += size
		case strings.HasPrefix(src[at:], "--"):
			line := strings.IndexByte(src[at:], '\n')
			if line < 0 {
				return len(src), -1
			}
			at += line
		case strings.HasPrefix(src[at:], "/*"):
			close := commentEnd(src, at)
			if close < 0 {
				return at, at
			}
			at = close
		default:
			return at, -1
		}
	}
	return at, -1
}

// commentEnd returns the offset after the bracketed comment at offset at, or -1.
func commentEnd(src string, at int) int {
	depth := 0
	for i := at; i+1 < len(src); {
		switch {
		case src[i] == '/' && src[i+1] == '*':
			depth++
			i += 2
		case src[i] == '*' && src[i+1] == '/':
			depth--
			i += 2
			if depth == 0 {
				return i
			}
		default:
			i++
		}
	}
	return -1
}

// identEnd returns the offset after the regular identifier at offset at, or at.
func identEnd(src string, at int) int {
	for i := at; i < len(src); {
		r, size := rune(src[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(src[i:])
		}
		if !isLetter(r) && (i == at || !isExtend(r)) {
			return i
		}
		i += size
	}
	return len(src)
}

// ident takes a regular identifier, or a literal that a letter introduces.
func (l *lexer) ident(end int) bool {
	text := l.src[l.at:end]
	if end < len(l.src) && len(text) == 1 {
		switch after := l.src[end:]; {
		case after[0] == '\'':
			return l.prefixed(text, end)
		case strings.EqualFold(text, "U") && (strings.HasPrefix(after, "&'") || strings.HasPrefix(after, `&"`)):
			return l.fail(diag.New(diag.Unsupported, "LEX-1", l.pos(), "Unicode escapes (U&%c...) are not supported", after[1]).
				WithHint("write the characters themselves, the text is UTF-8"))
		}
	}
	l.emit(Ident, Fold(text), false, end)
	return true
}

// prefixed takes a literal X'...', and refuses the other letters before a quote.
func (l *lexer) prefixed(letter string, quote int) bool {
	switch letter {
	case "X", "x":
		return l.str(quote)
	case "N", "n":
		return l.fail(diag.New(diag.Unsupported, "LEX-1", l.pos(), "national character string literals (N'...') are not supported").
			WithHint("write '...': every character string is Unicode"))
	case "E", "e":
		return l.fail(l.lexError("E'...' is PostgreSQL's string with backslash escapes").
			WithHint("write '...'; a backslash is an ordinary character and a quote is doubled"))
	}
	return l.fail(l.lexError("%s'...' is no literal of SQL", letter).
		WithHint("write '...' for a character string, X'...' for a binary string"))
}

// str takes a character string literal or, if it does not begin with the quote,
// a binary one; quote is the offset of the opening quote. Parts of a literal
// that a line break separates are one literal.
func (l *lexer) str(quote int) bool {
	binary := quote > l.at
	var b strings.Builder
	end := quote
	for {
		from := end + 1
		for {
			i := strings.IndexByte(l.src[from:], '\'')
			if i < 0 {
				return l.fail(l.errorAt(end, "the string literal that begins here is not closed").
					WithHint("end it with a single quote; a quote inside is written twice"))
			}
			if bad := invalidUTF8(l.src[from : from+i]); bad >= 0 {
				return l.fail(l.notUTF8(from + bad))
			}
			b.WriteString(l.src[from : from+i])
			from += i + 1
			if from == len(l.src) || l.src[from] != '\'' {
				break
			}
			b.WriteByte('\'')
			from++
		}
		end = from
		again, unclosed := skipSpace(l.src, end)
		if unclosed >= 0 || again == len(l.src) || l.src[again] != '\'' || !strings.Contains(l.src[end:again], "\n") {
			break
		}
		end = again
	}
	if !binary {
		l.emit(Str, b.String(), false, end)
		return true
	}
	digits := strings.ReplaceAll(b.String(), " ", "")
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		return l.fail(l.lexError("X'%s' is no binary string literal", shorten(b.String())).
			WithHint("write an even number of hexadecimal digits, two for each byte"))
	}
	l.emit(BinaryStr, string(bytes), false, end)
	return true
}

// delimited takes a delimited identifier; what it holds is a name as it stands.
func (l *lexer) delimited() bool {
	var b strings.Builder
	from := l.at + 1
	for {
		i := strings.IndexByte(l.src[from:], '"')
		if i < 0 {
			return l.fail(l.lexError("the quoted name that begins here is not closed").
				WithHint("end it with a double quote; one inside is written twice"))
		}
		if bad := invalidUTF8(l.src[from : from+i]); bad >= 0 {
			return l.fail(l.notUTF8(from + bad))
		}
		b.WriteString(l.src[from : from+i])
		from += i + 1
		if from == len(l.src) || l.src[from] != '"' {
			break
		}
		b.WriteByte('"')
		from++
	}
	if b.Len() == 0 {
		return l.fail(l.lexError(`a quoted name cannot be empty`).
			WithHint("write a name between the double quotes; an empty string is ''"))
	}
	l.emit(Ident, b.String(), true, from)
	return true
}

// number takes an unsigned numeric literal: digits with an optional point
// anywhere, then an optional exponent.
func (l *lexer) number() bool {
	i := digitsEnd(l.src, l.at)
	if i < len(l.src) && l.src[i] == '.' {
		i = digitsEnd(l.src, i+1)
	}
	if i < len(l.src) && (l.src[i] == 'e' || l.src[i] == 'E') {
		j := i + 1
		if j < len(l.src) && (l.src[j] == '+' || l.src[j] == '-') {
			j++
		}
		k := digitsEnd(l.src, j)
		if k == j {
			return l.fail(l.lexError("the number %s has no digits after its E", shorten(l.src[l.at:j])).
				WithHint("write an exponent, for example 1E6"))
		}
		i = k
	}
	if end := identEnd(l.src, i); end > i {
		text := shorten(l.src[l.at:end])
		e := l.lexError("%s is no number and no name", text)
		switch c := l.src[i]; {
		case c == '_':
			e.WithHint("write the digits without underscores")
		case (c == 'x' || c == 'X') && l.src[l.at:i] == "0":
			e.WithHint("write the number in decimal digits; a binary string is X'...'")
		default:
			e.WithHint("put a space after the number, or write a name that begins with a digit in double quotes")
		}
		return l.fail(e)
	}
	l.emit(Number, l.src[l.at:i], false, i)
	return true
}

func digitsEnd(src string, i int) int {
	for i < len(src) && isDigit(src[i]) {
		i++
	}
	return i
}

// hostVariable takes :name or :1; a colon alone is an operator.
func (l *lexer) hostVariable() bool {
	if l.peek(1) == ':' {
		return l.fail(l.lexError(":: is PostgreSQL's and DuckDB's cast").WithHint("write CAST(value AS type)"))
	}
	end := identEnd(l.src, l.at+1)
	if end == l.at+1 {
		if end = digitsEnd(l.src, end); identEnd(l.src, end) > end {
			return l.fail(l.lexError("%s is no host variable", shorten(l.src[l.at:identEnd(l.src, end)])).
				WithHint("write :name or :1"))
		}
	}
	if end == l.at+1 {
		l.emit(Op, ":", false, end)
		return true
	}
	l.emit(HostVar, Fold(l.src[l.at+1:end]), false, end)
	return true
}

// foreign are the operators of other products, longest first.
var foreign = []struct{ op, what, hint string }{
	{"<=>", "<=> is MySQL's comparison", "write IS NOT DISTINCT FROM"},
	{"!=", "!= is the not-equal sign of PostgreSQL, MySQL and others, not of the standard", "write <>"},
	{"==", "== is the equals sign of DuckDB, SQLite and others, not of the standard", "write ="},
	{"->", "-> is access to JSON in PostgreSQL and MySQL and succession in Esper, not in the standard", "write A B for rows one after the other; a part of a JSON value is made a column of the input"},
	{"<<", "<< is the bit shift of PostgreSQL, MySQL and others, not in the standard", "multiply by a power of two"},
	{">>", ">> is the bit shift of PostgreSQL, MySQL and others, not in the standard", "divide by a power of two"},
	{"&&", "&& is MySQL's AND, not in the standard", "write AND"},
	{"&", "& is the bit operator of PostgreSQL, MySQL and others, not in the standard", "write AND between conditions; rows of a pattern follow one another without a sign"},
	{"!", "! is the negation of MySQL and others, not of the standard", "write NOT before a condition; a pattern has no negation, a variable's condition says it"},
	{"%", "% is the remainder operator of PostgreSQL, MySQL and others, not in the standard", "write MOD(a, b)"},
	{"#", "# opens a comment in MySQL and BigQuery only", "write -- before a comment"},
	{"`", "backquotes around names are MySQL's and BigQuery's, not the standard's", `write names in double quotes`},
	{"@", "@ is the sign of variables in MySQL, SQL Server and BigQuery, not in the standard", "write a host variable as :name"},
	{"~", "~ is PostgreSQL's match with a regular expression, not in the standard", "use LIKE"},
	{`\`, "a backslash is no token of SQL", "remove it; inside a string literal it is an ordinary character"},
}

// operators are the operators and punctuation of the standard, longest first.
var operators = []string{"||", "<>", "<=", ">=", "=>", "{-", "-}",
	"+", "-", "*", "/", "=", "<", ">", "(", ")", ",", ".", ";", "?", "[", "]", "|", "{", "}", "^", "$"}

// operator takes an operator, or refuses the character.
func (l *lexer) operator() bool {
	rest := l.src[l.at:]
	for _, f := range foreign {
		if strings.HasPrefix(rest, f.op) {
			return l.fail(l.lexError("%s", f.what).WithHint("%s", f.hint))
		}
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			l.emit(Op, op, false, l.at+len(op))
			return true
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size <= 1 {
		return l.fail(l.notUTF8(l.at))
	}
	hint, ok := lookAlikes[r]
	if !ok {
		hint = "remove it; in a name it needs double quotes around the name, in a string single ones"
	}
	return l.fail(l.lexError("the character %s (U+%04X) is no part of SQL", diag.Escape(string(r)), r).WithHint("%s", hint))
}

// lookAlikes are characters that word processors and web pages put in the place
// of those of SQL.
var lookAlikes = map[rune]string{
	'\u2018': "write straight quotes around a string: 'text'", '\u2019': "write straight quotes around a string: 'text'",
	'\u201a': "write straight quotes around a string: 'text'", '\u00b4': "write straight quotes around a string: 'text'",
	'\u201c': `write straight quotes around a name: "name"`, '\u201d': `write straight quotes around a name: "name"`,
	'\u201e': `write straight quotes around a name: "name"`,
	'\u2010': "write a hyphen: -", '\u2011': "write a hyphen: -", '\u2012': "write a hyphen: -", '\u2013': "write a hyphen: -",
	'\u2014': "write a hyphen: -", '\u2212': "write a hyphen: -", '\u00d7': "write an asterisk: *", '\u00f7': "write a slash: /",
	'\u2260': "write <>", '\u2264': "write <=", '\u2265': "write >=", '\u2026': "write the whole text, without an ellipsis",
	'\u200b': "remove this invisible character", '\ufeff': "remove this invisible character", '\u2060': "remove this invisible character",
}

// notUTF8 is the error of a byte that is no character, at offset at.
func (l *lexer) notUTF8(at int) *diag.Error {
	return l.errorAt(at, "the byte \\x%02x is no UTF-8 text", l.src[at]).WithHint("save the text as UTF-8")
}

// invalidUTF8 returns the offset of the first invalid byte of s, or -1.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size <= 1 {
				return i
			}
		}
	}
	return -1
}

// shorten cuts a piece of source for a message.
func shorten(s string) string {
	const limit = 40
	n := 0
	for i := range s {
		if n == limit {
			return s[:i] + "..."
		}
		n++
	}
	return s
}
