// Package token splits SQL text into the tokens of ISO/IEC 9075-2 with their
// places, and offers a cursor over them. It knows no grammar beyond that:
// which words are keywords is decided where they stand (GRAM-11, GRAM-15).
// What ISO has not, but other products have, is refused by name (LEX-1).
//
//	token.go   the types, names and their folding (GRAM-10)
//	lex.go     the lexer
//	words.go   reserved words (GRAM-15)
//	stream.go  the cursor
package token

import (
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	EOF       Kind = iota
	Ident          // regular or delimited identifier, or keyword: see Word
	Number         // unsigned numeric literal: Text as written
	Str            // character string literal: Text is its contents, quotes undoubled
	BinaryStr      // X'...': Text is the decoded bytes
	HostVar        // :name or :1: Text is the name, folded
	Op             // operator or punctuation: Text
	Error          // the rest of the source cannot be split into tokens: Err
)

// Token is one token with its place in the source.
type Token struct {
	Kind   Kind
	Text   string   // identifiers: the folded name; see Kind for the others
	Quoted bool     // delimited identifier
	Pos    diag.Pos // of the first character
	End    int      // byte offset after the last character
	Space  bool     // white space or a comment stands before the token
	Err    *diag.Error
}

// Is reports whether the token is an unquoted identifier with this text; word is in upper case.
func (t Token) Is(word string) bool { return t.Kind == Ident && !t.Quoted && t.Text == word }

// IsOp reports whether the token is this operator.
func (t Token) IsOp(op string) bool { return t.Kind == Op && t.Text == op }

// Word returns the identifier that the token is.
func (t Token) Word() Word { return Word{Text: t.Text, Quoted: t.Quoted, Pos: t.Pos, End: t.End} }

// Word is an identifier as it was written: a name of GRAM-10.
type Word struct {
	Text   string // folded to upper case unless Quoted
	Quoted bool
	Pos    diag.Pos
	End    int
}

// String returns the name as SQL: in double quotes if it was written so, or if
// it would not be the same name without them.
func (w Word) String() string {
	if !w.Quoted && IsRegular(w.Text) && Fold(w.Text) == w.Text && !Reserved(w.Text) {
		return w.Text
	}
	return Quote(w.Text)
}

// Quote returns name as a delimited identifier.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Fold returns the case-normal form of a regular identifier (GRAM-10): every
// letter becomes its upper-case equivalent, which may be a sequence (the German
// sharp s becomes SS).
func Fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return cases.Upper(language.Und).String(s)
		}
	}
	return strings.ToUpper(s)
}

// IsRegular reports whether s has the form of a regular identifier (GRAM-10a):
// a letter or underscore, then letters, digits, underscores and combining marks.
func IsRegular(s string) bool {
	for i, r := range s {
		if !isLetter(r) && (i == 0 || !isExtend(r)) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_'
	}
	return unicode.In(r, unicode.L, unicode.Nl)
}

// isExtend reports whether r, no letter, may continue a regular identifier.
// Combining marks are in 9075-2's identifier extend, and folding makes them: the
// upper-case equivalent of U+0390 is a letter with two marks.
func isExtend(r rune) bool { return unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// SQL prints tokens as SQL text that splits into the same tokens again. White
// space and comments become single blanks.
func SQL(toks []Token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.Space {
			b.WriteByte(' ')
		}
		switch t.Kind {
		case Ident:
			if t.Quoted {
				b.WriteString(Quote(t.Text))
			} else {
				b.WriteString(t.Text)
			}
		case Str:
			b.WriteString(QuoteString(t.Text))
		case BinaryStr:
			b.WriteString("X'" + hex.EncodeToString([]byte(t.Text)) + "'")
		case HostVar:
			b.WriteString(":" + t.Text)
		default:
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// Written returns a piece of SQL as it was written, with white space and
// comments as single blanks, so that it fits into one line of a message.
func Written(sql string) string {
	var b strings.Builder
	for i, t := range Lex(sql) {
		if i > 0 && t.Space && t.Kind != EOF {
			b.WriteByte(' ')
		}
		b.WriteString(sql[t.Pos.Offset:t.End])
	}
	return b.String()
}

// QuoteString returns s as a character string literal.
func QuoteString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
