package protocol

import (
	"strconv"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// stages are the names of the stages, as messages spell them.
var stages = map[string]diag.Stage{}

func init() {
	for s := diag.Syntax; s <= diag.Internal; s++ {
		stages[s.String()] = s
	}
}

// appendError appends an error as an object. What to change follows what is
// wrong in one text. Without a place line and column are left out, and so are
// an unknown rule and SQLSTATE.
func appendError(dst []byte, e *diag.Error) []byte {
	dst = appendString(append(dst, `{"stage":`...), e.Stage.String())
	if e.Rule != "" {
		dst = appendString(append(dst, `,"rule":`...), e.Rule)
	}
	if e.SQLSTATE != "" {
		dst = appendString(append(dst, `,"sqlstate":`...), e.SQLSTATE)
	}
	if e.Pos.IsValid() {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(e.Pos.Line), 10)
		dst = strconv.AppendInt(append(dst, `,"column":`...), int64(e.Pos.Column), 10)
	}
	message := e.Message
	if e.Hint != "" {
		message += "; " + e.Hint
	}
	return append(appendString(append(dst, `,"message":`...), message), '}')
}

// readError reads an error; only stage and message are mandatory.
func readError(f *fields) (*diag.Error, error) {
	e := &diag.Error{}
	stage, err := f.text("stage", true)
	if err != nil {
		return nil, err
	}
	ok := false
	if e.Stage, ok = stages[stage]; !ok {
		return nil, malformed("the error has an unknown stage %.60q", stage)
	}
	if e.Message, err = f.text("message", true); err != nil {
		return nil, err
	}
	if e.Rule, err = f.text("rule", false); err != nil {
		return nil, err
	}
	if e.SQLSTATE, err = f.text("sqlstate", false); err != nil {
		return nil, err
	}
	line, err := f.integer("line", false)
	if err != nil {
		return nil, err
	}
	column, err := f.integer("column", false)
	if err != nil {
		return nil, err
	}
	if line < 0 || column < 0 || line > 1<<31 || column > 1<<31 {
		return nil, malformed("the error has an impossible place")
	}
	e.Pos.Line, e.Pos.Column = int(line), int(column)
	return e, nil
}
