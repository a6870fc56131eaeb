package value

import "github.com/rprcheck/rprcheck/semantics/diag"

// SQLSTATEs of data exceptions that values raise.
const (
	stateTruncation   = "22001" // string data, right truncation
	stateOutOfRange   = "22003" // numeric value out of range
	stateDateFormat   = "22007" // invalid datetime format
	stateDateOverflow = "22008" // datetime field overflow
	stateZeroDivide   = "22012" // division by zero
	stateInterval     = "22015" // interval field overflow
	stateBadCast      = "22018" // invalid character value for cast
)

// typeError is the error of types that do not fit (TYPE-1). Its place is set
// by the caller, who knows the expression.
func typeError(format string, args ...any) *diag.Error {
	return diag.New(diag.Semantic, "TYPE-1", diag.Pos{}, format, args...)
}

// runtimeError is a data exception of an expression (EVAL-1).
func runtimeError(state, format string, args ...any) *diag.Error {
	return diag.New(diag.Runtime, "EVAL-1", diag.Pos{}, format, args...).WithState(state)
}

// misuse reports operands that do not have the types that the caller named: a
// defect of ours, never of the input.
func misuse(format string, args ...any) *diag.Error {
	return diag.New(diag.Internal, "TYPE-1", diag.Pos{}, format, args...)
}

// problem says why a text is no value of a type. The text may be a literal, an
// operand of CAST or an item of an input file, and each has an error of its own.
type problem struct{ state, message, hint string }

// literal is the error of a literal of the statement: decidable from the
// tokens alone, hence syntax (chapter 13).
func (p *problem) literal() error {
	e := diag.New(diag.Syntax, "LEX-1", diag.Pos{}, "%s", p.message).WithState(p.state)
	e.Hint = p.hint
	return e
}

// cast is the error of an operand of CAST.
func (p *problem) cast() error {
	e := runtimeError(p.state, "%s", p.message)
	e.Hint = p.hint
	return e
}

// data is the error of an item of input data.
func (p *problem) data() error {
	e := diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "%s", p.message).WithState(p.state)
	e.Hint = p.hint
	return e
}

// shownText is how much of an offending text a message repeats.
const shownText = 60

// quote repeats an offending text in a message, cut to a bearable length.
func quote(s string) string {
	n := 0
	for i := range s {
		if n == shownText {
			return "'" + s[:i] + "...'"
		}
		n++
	}
	return "'" + s + "'"
}
