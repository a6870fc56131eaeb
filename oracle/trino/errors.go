package trino

import (
	"context"
	"errors"
	"strings"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// runtimeErrors are the names of Trino's errors of evaluation, with the
// SQLSTATE that the standard gives to the same thing (EVAL-1).
var runtimeErrors = map[string]string{
	"DIVISION_BY_ZERO":           "22012",
	"NUMERIC_VALUE_OUT_OF_RANGE": "22003",
	"INVALID_CAST_ARGUMENT":      "22018",
	"INVALID_FUNCTION_ARGUMENT":  "22023",
	"SUBQUERY_MULTIPLE_ROWS":     "21000",
	"INVALID_WINDOW_FRAME":       "22013",
}

// semanticErrors gives the rule behind the names that only patterns have.
var semanticErrors = map[string]string{
	"INVALID_ROW_PATTERN":                  "OUT-7",
	"INVALID_LABEL":                        "DEF-2",
	"INVALID_PATTERN_RECOGNITION_FUNCTION": "NEST-5",
	"INVALID_PROCESSING_MODE":              "DEF-7",
	"INVALID_NAVIGATION_NESTING":           "NAV-3",
	"NESTED_AGGREGATION":                   "AGG-5",
	"NESTED_ROW_PATTERN_RECOGNITION":       "NEST-1",
	"NESTED_WINDOW":                        "DEF-14",
	"INVALID_COLUMN_REFERENCE":             "GRAM-5",
	"INVALID_COPARTITIONING":               "GRAM-4",
	"INVALID_WINDOW_MEASURE":               "WIN-7",
	"MISSING_VARIABLE_DEFINITIONS":         "GRAM-2",
	"MISSING_ROW_PATTERN":                  "GRAM-14",
	"INVALID_WINDOW_FRAME":                 "WIN-1",
	"COLUMN_NOT_FOUND":                     "COL-1",
	"TABLE_NOT_FOUND":                      "NAME-1",
	"FUNCTION_NOT_FOUND":                   "NAME-1",
	"TYPE_MISMATCH":                        "TYPE-1",
	"DUPLICATE_COLUMN_NAME":                "GRAM-6",
	"COLUMN_ALIAS_MISMATCH":                "GRAM-12",
	"MISMATCHED_COLUMN_ALIASES":            "GRAM-12",
	"INVALID_ARGUMENTS":                    "COL-2",
	"INVALID_FUNCTION_ARGUMENT":            "NAV-5",
	"NUMERIC_VALUE_OUT_OF_RANGE":           "PAT-4",
}

// meaning says what an error of the server is: an error of the case (a
// *diag.Error), or the reason why there is no answer.
func meaning(e *queryError) (*diag.Error, *oracle.Unanswered) {
	say := e.Name + ": " + e.Message
	switch {
	case e.Name == "SYNTAX_ERROR":
		return located(diag.New(diag.Syntax, "SQL-1", diag.Pos{}, "%s", say), e), nil
	case e.Name == "EXCEEDED_TIME_LIMIT" || e.Name == "ABANDONED_QUERY" || e.Name == "EXCEEDED_CPU_LIMIT":
		return nil, oracle.NoAnswer(oracle.TimedOut, "%s", say)
	case e.Name == "QUERY_TEXT_TOO_LARGE":
		return nil, oracle.NoAnswer(oracle.NotComparable, "%s", say)
	case e.Type != "USER_ERROR":
		return nil, oracle.NoAnswer(oracle.Failed, "%s", say)
	case strings.Contains(e.Message, "pattern variable is not present in match"):
		return diag.New(diag.Runtime, "SKIP-2", diag.Pos{}, "%s", say).WithState(diag.StateSkipNoRow), nil
	case strings.Contains(e.Message, "cannot skip to first row of match"):
		return diag.New(diag.Runtime, "SKIP-3", diag.Pos{}, "%s", say).WithState(diag.StateSkipFirstRow), nil
	case e.Name == "NOT_SUPPORTED":
		return located(diag.New(diag.Unsupported, "SQL-1", diag.Pos{}, "%s", say), e), nil
	}
	// The same names serve for analysis and evaluation; only analysis knows a place.
	if state, ok := runtimeErrors[e.Name]; ok && e.Location == nil {
		return diag.New(diag.Runtime, "EVAL-1", diag.Pos{}, "%s", say).WithState(state), nil
	}
	if e.Name == "GENERIC_USER_ERROR" {
		return diag.New(diag.Runtime, "EVAL-1", diag.Pos{}, "%s", say), nil
	}
	rule := semanticErrors[e.Name]
	if rule == "" {
		rule = "SQL-1"
	}
	return located(diag.New(diag.Semantic, rule, diag.Pos{}, "%s", say), e), nil
}

func located(d *diag.Error, e *queryError) *diag.Error {
	if e.Location != nil {
		d.Pos = diag.Pos{Line: e.Location.Line, Column: e.Location.Column}
	}
	return d
}

// noAnswer turns an error of the client, or of the way to a server, into a
// verdict.
func noAnswer(ctx context.Context, err error) *oracle.Unanswered {
	var u *oracle.Unanswered
	var ce *clientError
	switch {
	case errors.As(err, &u):
		return u
	case ctx.Err() != nil:
		return oracle.Interrupted(ctx)
	case errors.As(err, &ce) && ce.timeout:
		return &oracle.Unanswered{Verdict: oracle.TimedOut, Reason: ce.reason, Err: err}
	}
	return &oracle.Unanswered{Verdict: oracle.Failed, Reason: err.Error(), Err: err}
}

// isFatal reports an error after which other statements fail in the same way.
func isFatal(err error) bool {
	var ce *clientError
	var un *Unreachable
	return errors.As(err, &un) || errors.As(err, &ce) && ce.fatal
}
