// Package diag defines the one error type of rprcheck.
//
// Every failure that a user can cause, and every defect that we detect in
// ourselves, is an *Error: it says at which stage it was found, which rule of
// the rulebook it rests on, its SQLSTATE, where in the source it lies, what is
// wrong and what to change. Chapter 13 of the rulebook lists them.
package diag

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Stage tells when an error was found.
type Stage uint8

// The stages of the error table. Syntax errors are decidable from the tokens
// alone; semantic ones need names, types or the whole clause; runtime ones
// depend on the data. Limit is a budget or a size exceeded, Unsupported is
// legal SQL outside what rprcheck does, Internal is a defect of ours.
const (
	Syntax Stage = iota + 1
	Semantic
	Runtime
	Limit
	Unsupported
	Internal
)

var stageNames = [...]string{Syntax: "syntax", Semantic: "semantic", Runtime: "runtime",
	Limit: "limit", Unsupported: "unsupported", Internal: "internal"}

// String returns the stage's name as the protocol writes it.
func (s Stage) String() string {
	if int(s) < len(stageNames) && stageNames[s] != "" {
		return stageNames[s]
	}
	return fmt.Sprintf("stage(%d)", uint8(s))
}

// SQLSTATE values used by more than one package.
const (
	StateSyntaxOrAccess = "42000" // syntax and semantic errors
	StateUnsupported    = "0A000" // feature not supported
	StateLimit          = "54000" // ours: a budget or size was exceeded
	StateInternal       = "XX000" // ours: a defect of rprcheck
	StateNavigation     = "2202J" // invalid argument for row pattern navigation operation
	StateSkipNoRow      = "2202K" // skip to non-existent row
	StateSkipFirstRow   = "2202L" // skip to first row of match
)

// Pos is a place in a source text. The zero Pos means that the place is unknown.
type Pos struct {
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // in characters, from 1
}

// IsValid reports whether the place is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// Locate returns the Pos of a byte offset in src.
func Locate(src string, offset int) Pos {
	if offset > len(src) {
		offset = len(src)
	}
	line := 1 + strings.Count(src[:offset], "\n")
	start := strings.LastIndexByte(src[:offset], '\n') + 1
	return Pos{Offset: offset, Line: line, Column: 1 + utf8.RuneCountInString(src[start:offset])}
}

// Error is the error type of rprcheck.
type Error struct {
	Stage    Stage
	Rule     string // rule id of the rulebook, for example COL-2
	SQLSTATE string // five characters
	Pos      Pos    // place in Source; zero if it has none
	Source   string // the text that Pos refers to; may be empty
	File     string // name of the file that Source came from; may be empty
	Message  string // what is wrong
	Hint     string // what to change; may be empty
	Err      error  // cause; may be nil
}

// New makes an error with the stage's usual SQLSTATE.
func New(stage Stage, rule string, pos Pos, format string, args ...any) *Error {
	state := StateSyntaxOrAccess
	switch stage {
	case Unsupported:
		state = StateUnsupported
	case Limit:
		state = StateLimit
	case Internal:
		state = StateInternal
	case Runtime:
		state = "22000" // data exception; callers set the subclass
	}
	return &Error{Stage: stage, Rule: rule, SQLSTATE: state, Pos: pos, Message: fmt.Sprintf(format, args...)}
}

// WithHint sets the sentence that tells the user what to change, unless there
// is one already: the error of a token that is no SQL keeps its own, whatever
// the parser was looking for.
func (e *Error) WithHint(format string, args ...any) *Error {
	if e.Hint == "" {
		e.Hint = fmt.Sprintf(format, args...)
	}
	return e
}

// WithState sets the SQLSTATE.
func (e *Error) WithState(state string) *Error { e.SQLSTATE = state; return e }

// At sets the place if the error has none yet.
func (e *Error) At(pos Pos) *Error {
	if !e.Pos.IsValid() {
		e.Pos = pos
	}
	return e
}

// In sets the source text that the place refers to, if there is none yet. A
// place in a file stays what it is.
func (e *Error) In(source string) *Error {
	if e.Source == "" && e.File == "" {
		e.Source = source
	}
	return e
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Error gives the error in one line, without the source text.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File + ":")
	}
	if e.Pos.IsValid() {
		fmt.Fprintf(&b, "%d:%d:", e.Pos.Line, e.Pos.Column)
	}
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%s error %s (SQLSTATE %s): %s", e.Stage, e.Rule, e.SQLSTATE, e.Message)
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

// Detail gives the error over several lines: the sentence, the source line
// with a caret under the place, and what to change. Control characters of the
// source are escaped, so that the text is safe for a terminal.
func (e *Error) Detail() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s error %s (SQLSTATE %s): %s\n", e.Stage, e.Rule, e.SQLSTATE, Escape(e.Message))
	if e.Pos.IsValid() {
		file := e.File
		if file == "" {
			file = "line"
		}
		fmt.Fprintf(&b, "  --> %s %d, column %d\n", Escape(file), e.Pos.Line, e.Pos.Column)
		if text, indent, ok := excerpt(e.Source, e.Pos); ok {
			num := fmt.Sprint(e.Pos.Line)
			fmt.Fprintf(&b, "  %s | %s\n", num, text)
			fmt.Fprintf(&b, "  %s | %s^\n", strings.Repeat(" ", len(num)), strings.Repeat(" ", indent))
		}
	}
	if e.Hint != "" {
		fmt.Fprintf(&b, "  help: %s\n", Escape(e.Hint))
	}
	return b.String()
}

// excerptWidth is how many characters of a long source line are shown.
const excerptWidth = 100

// excerpt returns the source line of pos, cut to a window around it, and the
// number of characters before the caret.
func excerpt(source string, pos Pos) (text string, indent int, ok bool) {
	lines := strings.Split(source, "\n")
	if source == "" || pos.Line > len(lines) {
		return "", 0, false
	}
	line := []rune(strings.TrimSuffix(lines[pos.Line-1], "\r"))
	at := min(pos.Column-1, len(line))
	from := 0
	if len(line) > excerptWidth && at > excerptWidth/2 {
		from = min(at-excerptWidth/2, len(line)-excerptWidth)
	}
	to := min(len(line), from+excerptWidth)
	return Escape(string(line[from:to])), utf8.RuneCountInString(Escape(string(line[from:at]))), true
}

// Escape replaces control characters (also those of Unicode's C1 range,
// bidirectional overrides and invalid bytes) by visible escapes.
func Escape(s string) string {
	clean := true
	for i, r := range s {
		if needsEscape(r, s[i:]) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case !needsEscape(r, s[i:]):
			b.WriteRune(r)
		case r == utf8.RuneError || r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func needsEscape(r rune, rest string) bool {
	switch {
	case r == utf8.RuneError:
		_, size := utf8.DecodeRuneInString(rest)
		return size <= 1
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x200e && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// From returns err as an *Error; one of another type becomes an internal error.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	e = New(Internal, "LIM-1", Pos{}, "%s", err.Error())
	e.Err = err
	return e
}

// List collects the errors of one statement. Its zero value is ready for use.
type List struct{ errs []*Error }

// Add appends an error; a nil error is ignored.
func (l *List) Add(err error) {
	if err != nil {
		l.errs = append(l.errs, From(err))
	}
}

// Len returns the number of errors collected.
func (l *List) Len() int { return len(l.errs) }

// All returns the errors in the order of chapter 13: syntax errors before the
// others, then by position; equal ones in the order in which they were added.
func (l *List) All() []*Error {
	out := append([]*Error(nil), l.errs...)
	class := func(e *Error) int {
		switch e.Stage {
		case Syntax:
			return 0
		case Semantic, Unsupported:
			return 1
		}
		return 2
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if class(a) != class(b) {
			return class(a) < class(b)
		}
		return a.Pos.Offset < b.Pos.Offset
	})
	return out
}

// First returns the error to report, or nil if there is none.
func (l *List) First() error {
	if len(l.errs) == 0 {
		return nil
	}
	return l.All()[0]
}

// Distance is the number of letters to insert, delete or replace that turn a
// into b, for suggestions. Of long texts only the first 64 bytes count.
func Distance(a, b string) int {
	const longest = 64
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}
			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// Counted returns a number of things in words: 1 row, 2 rows.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
