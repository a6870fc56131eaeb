package exec

import (
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// reported makes a reply of an error that the engine reports (chapter 13).
func reported(e *diag.Error) (oracle.Answer, error) {
	message := diag.Escape(e.Message)
	switch e.Stage {
	case diag.Unsupported:
		return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "the engine does not support this: %.200s", message)
	case diag.Limit:
		return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "a limit of the engine: %.200s", message)
	case diag.Internal:
		return oracle.Answer{}, oracle.NoAnswer(oracle.Failed, "internal error: %.200s", message)
	}
	return oracle.Answer{Err: e}, nil
}

// reason is the text of an error without what belongs to a source.
func reason(err error) string { return diag.Escape(diag.From(err).Message) }
