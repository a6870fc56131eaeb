package exec

import (
	"strings"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Prefix marks an engine in another process on the command line: exec:CMD.
const Prefix = "exec:"

// SplitCommand splits a command line into program and arguments without a
// shell: at blanks, with '...' taken as it is, "..." in which \ quotes the next
// character, and \ outside of quotes likewise. Nothing is expanded. The error is
// a *diag.Error (DATA-1).
func SplitCommand(line string) ([]string, error) {
	var out []string
	var word strings.Builder
	inWord := false
	quote := rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && (r == ' ' || r == '\t' || r == '\n'):
			if inWord {
				out = append(out, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, diag.New(diag.Syntax, "DATA-1", diag.Pos{}, "the command %.80q ends within a quotation", line).
			WithHint("close the quotation marks; a backslash quotes the next character")
	}
	if inWord {
		out = append(out, word.String())
	}
	if len(out) == 0 {
		return nil, diag.New(diag.Syntax, "DATA-1", diag.Pos{}, "the command is empty").
			WithHint("write the program and its arguments, such as exec:python3 engine.py")
	}
	return out, nil
}
