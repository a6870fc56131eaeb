package token

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// show prints tokens as kind:text, the way the tables below write them.
func show(toks []Token) string {
	var b []string
	for _, t := range toks {
		switch t.Kind {
		case EOF:
		case Ident:
			if t.Quoted {
				b = append(b, "q:"+t.Text)
			} else {
				b = append(b, "i:"+t.Text)
			}
		case Number:
			b = append(b, "n:"+t.Text)
		case Str:
			b = append(b, "s:"+t.Text)
		case BinaryStr:
			b = append(b, fmt.Sprintf("x:%x", t.Text))
		case HostVar:
			b = append(b, "h:"+t.Text)
		case Op:
			b = append(b, t.Text)
		case Error:
			b = append(b, "ERR")
		}
	}
	return strings.Join(b, " ")
}

func TestLexTokens(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{``, ``},
		{` `, ``},
		{`select Price`, `i:SELECT i:PRICE`}, // GRAM-10: folded to upper case
		{`"Price" "a""b"`, `q:Price q:a"b`},  // GRAM-10: delimited names keep their case
		{`größe _x x1 été`, `i:GRÖSSE i:_X i:X1 i:ÉTÉ`}, // simple upper casing, letters of any script
		{`1 1.5 .5 1. 1e10 1.E-3 2.5e+07`, `n:1 n:1.5 n:.5 n:1. n:1e10 n:1.E-3 n:2.5e+07`},
		{`A.x`, `i:A . i:X`},
		{`'a' 'it''s' '' ''''`, `s:a s:it's s: s:'`},
		{"'a'\n'b'", `s:ab`}, // a line break joins the parts of a literal
		{"'a' -- c\n  'b'", `s:ab`},
		{`'a' 'b'`, `s:a s:b`},           // a blank does not
		{`'back\slash'`, `s:back\slash`}, // no escapes but the doubled quote
		{`X'0aFF' x'' X'0a 1f'`, `x:0aff x: x:0a1f`},
		{`:n :1 :Max_x : [`, `h:N h:1 h:MAX_X : [`},
		{`a--b` + "\n-c", `i:A - i:C`},
		{`a/* x /* y */ z */b`, `i:A i:B`},
		{`/*! 1 */ a /*+ h */`, `i:A`}, // comments of MySQL and Oracle are comments
		{`+ - * / || = <> < > <= >= => ( ) , . ; ? [ ] | ^ $`, `+ - * / || = <> < > <= >= => ( ) , . ; ? [ ] | ^ $`},
		{`a<>b<=c>=d<-1>-2`, `i:A <> i:B <= i:C >= i:D < - n:1 > - n:2`},
		// PAT-2
		{`{- A -}`, `{- i:A -}`},
		{`A{-1}`, `i:A {- n:1 }`},
		{`A{1,2}?`, `i:A { n:1 , n:2 } ?`},
		{`A{1.5}`, `i:A { n:1.5 }`},
		{`A * ?`, `i:A * ?`},
		{`A||B`, `i:A || i:B`},
		{`A|B`, `i:A | i:B`},
		{`(A??)`, `( i:A ? ? )`},
		{`A??(B)`, `i:A ? ? ( i:B )`},
		{`^ A$`, `^ i:A $`},
		{`$1`, `$ n:1`},
		{`{--}`, `{- -}`}, // an empty exclusion, no comment
		{`DATE'2026-01-02'`, `i:DATE s:2026-01-02`},
		{"\ufeffa", `i:A`},
	} {
		if got := show(Lex(c.src)); got != c.want {
			t.Errorf("Lex(%q) = %s, want %s", c.src, got, c.want)
		}
	}
}

// LEX-1: text that is no token, and what other products have, is refused at
// its place, with the standard's form as a hint.
func TestLexErrors(t *testing.T) {
	for _, c := range []struct {
		src  string
		at   int
		hint string
	}{
		{`a != b`, 2, `<>`},
		{`a == b`, 2, `write =`},
		{`a <=> b`, 2, `IS NOT DISTINCT FROM`},
		{`a::int`, 1, `CAST`},
		{`a # b`, 2, `--`},
		{"`a`", 0, `double quotes`},
		{`a -> b`, 2, ``},
		{`a % 2`, 2, `MOD(`},
		{`a && b`, 2, `AND`},
		{`!a`, 0, `NOT`},
		{`@v`, 0, `:name`},
		{`'abc`, 0, `single quote`},
		{`x = "abc`, 4, `double quote`},
		{`""`, 0, `''`},
		{`a /* b /* c */`, 2, `*/`},
		{`1e`, 0, `exponent`},
		{`1e+ 5`, 0, `exponent`},
		{`12ab`, 0, `space`},
		{`0x1F`, 0, `X'`},
		{`1_000`, 0, `underscores`},
		{`X'abc'`, 0, `even number`},
		{`X'zz'`, 0, `hexadecimal`},
		{`E'a\n'`, 0, `backslash`},
		{`B'01'`, 0, `X'`},
		{`:1a`, 0, `:name`},
		{"a \x00", 2, ``},
		{"a \xff", 2, `UTF-8`},
		{"'a\xff'", 2, `UTF-8`},
		{`"a` + "\xc3" + `"`, 2, `UTF-8`},
		{"a\u200bb", 1, `invisible`},
		{"a = ‘b’", 4, `straight`},
		{"é = €", 5, `quotes`},
	} {
		toks := Lex(c.src)
		last := toks[len(toks)-1]
		if last.Kind != Error || last.Err == nil {
			t.Errorf("Lex(%q) = %s, want an error", c.src, show(toks))
			continue
		}
		e := last.Err
		if e.Stage != diag.Syntax || e.Rule != "LEX-1" || e.SQLSTATE != "42000" || e.Source != c.src {
			t.Errorf("Lex(%q): %v", c.src, e)
		}
		if e.Pos != diag.Locate(c.src, c.at) || last.Pos != e.Pos {
			t.Errorf("Lex(%q): error at %+v, want offset %d", c.src, e.Pos, c.at)
		}
		if e.Hint == "" && c.hint != "" || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("Lex(%q): hint %q does not tell %q", c.src, e.Hint, c.hint)
		}
	}
	for _, src := range []string{`N'a'`, `n'a'`, `U&'a'`, `u&"a"`} {
		toks := Lex(src)
		if e := toks[len(toks)-1].Err; e == nil || e.Stage != diag.Unsupported || e.SQLSTATE != "0A000" || e.Hint == "" {
			t.Errorf("Lex(%q): %v, want an error of stage unsupported", src, e)
		}
	}
}

func TestLexLimit(t *testing.T) {
	toks := Lex(strings.Repeat(" ", MaxSource+1))
	if e := toks[len(toks)-1].Err; len(toks) != 1 || e == nil || e.Stage != diag.Limit || e.Rule != "LIM-1" {
		t.Errorf("got %v", e)
	}
	if toks := Lex(strings.Repeat(" ", MaxSource)); len(toks) != 1 || toks[0].Kind != EOF {
		t.Error("a text of MaxSource bytes is refused")
	}
}

func TestPositions(t *testing.T) {
	src := "é\n  'a\nb' /* x\n */ zö+\r\n  q"
	checkCover(t, src, Lex(src))
	toks := Lex(src)
	if got := show(toks); got != "i:É s:a\nb i:ZÖ + i:Q" {
		t.Fatal(got)
	}
	if p := toks[2].Pos; p.Line != 4 || p.Column != 5 || !toks[2].Space || toks[3].Space {
		t.Errorf("%+v", toks[2:4])
	}
}

// checkCover checks that the tokens lie in the source in order, at the places
// that diag.Locate tells, with nothing but white space and comments between.
func checkCover(t *testing.T, src string, toks []Token) {
	t.Helper()
	if len(toks) == 0 {
		t.Fatal("no token")
	}
	end := 0
	for i, tok := range toks {
		if tok.Pos.Offset < end || tok.End < tok.Pos.Offset || tok.End > len(src) {
			t.Fatalf("token %d at %d..%d, the one before ends at %d", i, tok.Pos.Offset, tok.End, end)
		}
		if len(src) < 4096 && tok.Pos != diag.Locate(src, tok.Pos.Offset) {
			t.Fatalf("token %d: %+v, want %+v", i, tok.Pos, diag.Locate(src, tok.Pos.Offset))
		}
		gap, unclosed := skipSpace(src, end)
		if tok.Kind != Error && (unclosed >= 0 || gap != tok.Pos.Offset || tok.Space != (gap > end)) {
			t.Fatalf("token %d at %d: the gap before it is not white space", i, tok.Pos.Offset)
		}
		if last := i == len(toks)-1; last != (tok.Kind == EOF || tok.Kind == Error) {
			t.Fatalf("token %d of %d has kind %d", i, len(toks), tok.Kind)
		}
		if (tok.Kind == Error) != (tok.Err != nil) {
			t.Fatalf("token %d: kind %d, error %v", i, tok.Kind, tok.Err)
		}
		end = tok.End
	}
	if end != len(src) {
		t.Fatalf("the tokens end at %d of %d", end, len(src))
	}
}

// Folding stays within the regular identifiers and is done once (GRAM-10): what
// CLASSIFIER returns can be written again without quotes.
func TestFoldIsClosed(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		name := "A" + string(r)
		if !IsRegular(name) {
			continue
		}
		folded := Fold(name)
		if !IsRegular(folded) || Fold(folded) != folded {
			t.Errorf("%+q is folded to %+q, which is no folded regular identifier", name, folded)
		}
		if toks := Lex(name); len(toks) != 2 || toks[0].Text != folded {
			t.Errorf("%+q is not one token", name)
		}
	}
}

// FuzzLex: no panic; the tokens cover the source (LEX-1); printed they split
// into the same tokens again.
func FuzzLex(f *testing.F) {
	for _, s := range []string{"SELECT a.\"b\" FROM t -- c\n", "X'00' 'a'\n'b' 1.5e3 :n {- A -}?", "/*/**/", "é\xff", "ΰ", "A{2,3}?||$", "'it''s'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		toks := Lex(src)
		checkCover(t, src, toks)
		printed := SQL(toks)
		if toks[len(toks)-1].Kind == EOF {
			again := Lex(printed)
			if show(again) != show(toks) || len(again) != len(toks) {
				t.Fatalf("%q prints as %q", src, printed)
			}
		}
		for _, tok := range toks {
			if tok.Kind != Ident {
				continue
			}
			again := Lex(tok.Word().String())
			if len(again) != 2 || again[0].Kind != Ident || again[0].Text != tok.Text {
				t.Fatalf("name %q prints as %s", tok.Text, tok.Word())
			}
			if !utf8.ValidString(tok.Text) {
				t.Fatalf("name %q is no UTF-8", tok.Text)
			}
		}
	})
}

func BenchmarkLex(b *testing.B) {
	src := strings.Repeat("DEFINE DOWN AS DOWN.price < PREV(DOWN.price, 1) AND note <> 'it''s' /* c */\n", 100)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Lex(src)
	}
}
