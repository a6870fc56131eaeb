// Package oracle defines outside opinions: engines and analogues that are not
// ours, asked the same questions as our matchers.
//
// An oracle is asked a Case and gives an Answer, or says why not. What the
// answer is worth, beside what our matchers say, is a Verdict. An oracle that
// cannot be asked a case says so, with the reason, before it is asked: nothing
// counts as passed in silence.
package oracle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Op is the kind of a question. The names are those of the engine protocol.
type Op string

// The kinds.
const (
	Map    Op = "map"    // a pattern over rows of labels: the preferred match at each row
	Prefer Op = "prefer" // a pattern: its candidates, most preferred first
	Query  Op = "query"  // a statement over tables: its result, or its error
	Check  Op = "check"  // a statement: is it legal?
)

// Case is one question.
type Case struct {
	ID       string // names the case in reports
	Op       Op
	Readings []string // choices that the answer rests on, such as WIN-10=alternative; others are the defaults

	// Map and Prefer.
	Pattern string             // as between the parentheses of PATTERN
	Tree    *semantics.Pattern // the same, parsed; nil: not parsed yet
	Subset  string             // as behind SUBSET; may be empty
	Rows    [][]string         // Map: the variables that hold on each row
	MaxRows int                // Prefer: rows of the longest candidate

	// Query and Check.
	SQL    string
	Tables []Table
	Params []Param
}

// Table is a named table of a case.
type Table struct {
	Name string // folded (GRAM-10a)
	Data *table.Table
}

// Param is the value of a host variable.
type Param struct {
	Name  string
	Type  value.Type
	Value value.Value
}

// ParsePattern returns the tree of the case's pattern.
func (c *Case) ParsePattern() (*semantics.Pattern, error) {
	if c.Tree != nil {
		return c.Tree, nil
	}
	return semantics.ParsePattern(c.Pattern)
}

// Answer is what an oracle says. One field is set, according to the Op, or Err
// where the oracle finds the case to be in error.
type Answer struct {
	Mappings   []Mapping    // Map: one a row, in order
	Candidates []string     // Prefer: in the notation of chapter 2
	Table      *table.Table // Query: the result
	Ordered    bool         // Query: the order of the rows is promised
	Accepted   bool         // Check: the statement is legal
	Err        *diag.Error  // the case is in error
}

// Mapping is the preferred match at one starting row of a Map case.
type Mapping struct {
	Found    bool     // false: no match starts here
	Vars     []string // variable of each row; none in an empty match
	Excluded []bool   // the row lies in {- -}; nil: none does, or the oracle does not tell
}

// String returns the variables of the rows, those of excluded rows in braces; ()
// for an empty match and - for none.
func (m Mapping) String() string {
	switch {
	case !m.Found:
		return "-"
	case len(m.Vars) == 0:
		return "()"
	}
	names := make([]string, len(m.Vars))
	for i, v := range m.Vars {
		names[i] = v
		if m.isExcluded(i) {
			names[i] = "{" + v + "}"
		}
	}
	return strings.Join(names, " ")
}

// Equal reports whether two mappings are the same.
func (m Mapping) Equal(o Mapping) bool {
	if m.Found != o.Found || len(m.Vars) != len(o.Vars) {
		return false
	}
	for i := range m.Vars {
		if m.Vars[i] != o.Vars[i] || m.isExcluded(i) != o.isExcluded(i) {
			return false
		}
	}
	return true
}

func (m Mapping) isExcluded(i int) bool { return m.Excluded != nil && m.Excluded[i] }

// DifferAt returns the first starting row, from 0, at which two answers to a
// Map case differ; -1 if they agree.
func DifferAt(a, b []Mapping) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !a[i].Equal(b[i]) {
			return i
		}
	}
	return -1
}

// Verdict is what came of a case.
type Verdict uint8

// The verdicts.
const (
	Agrees          Verdict = iota + 1
	Differs                 // the answers differ
	KnownDifference         // they differ as a list of known differences says
	NotComparable           // the oracle cannot be asked this, a limit of ours was met, or the case has no single answer
	Refused                 // the engine rejects a legal case
	Failed                  // the engine died, or its answer makes no sense
	TimedOut
)

var verdictNames = [...]string{Agrees: "agrees", Differs: "differs", KnownDifference: "known-difference",
	NotComparable: "not-comparable", Refused: "refused", Failed: "failed", TimedOut: "timed-out"}

// String returns the verdict's name in reports and result streams.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) && verdictNames[v] != "" {
		return verdictNames[v]
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}

// ParseVerdict is the inverse of String; false if there is no such verdict.
func ParseVerdict(s string) (Verdict, bool) {
	for v, name := range verdictNames {
		if name == s && name != "" {
			return Verdict(v), true
		}
	}
	return 0, false
}

// Oracle is an outside opinion. It is used by one goroutine at a time.
type Oracle interface {
	// Name is the name by which the oracle is selected and reported.
	Name() string
	// Version is the version that answers; the error says why nobody does.
	Version(ctx context.Context) (string, error)
	// Supports says why the oracle cannot be asked a case; "" if it can.
	Supports(c *Case) string
	// Ask puts a supported case. The error is an *Unanswered.
	Ask(ctx context.Context, c *Case) (Answer, error)
	// Close ends what the oracle started.
	Close() error
}

// Batcher is an Oracle that answers many cases faster together.
type Batcher interface {
	Oracle
	// AskAll puts supported cases, and returns one reply a case, in order.
	AskAll(ctx context.Context, cases []*Case) []Reply
}

// Reply is what Ask returns.
type Reply struct {
	Answer Answer
	Err    error
}

// Unanswered is the error of a case that got no answer.
type Unanswered struct {
	Verdict Verdict // NotComparable, Refused, Failed or TimedOut
	Reason  string
	Err     error // cause; may be nil
}

// NoAnswer makes an Unanswered.
func NoAnswer(v Verdict, format string, args ...any) *Unanswered {
	return &Unanswered{Verdict: v, Reason: fmt.Sprintf(format, args...)}
}

// Error gives verdict and reason.
func (e *Unanswered) Error() string { return e.Verdict.String() + ": " + e.Reason }

// Unwrap returns the cause.
func (e *Unanswered) Unwrap() error { return e.Err }

// Interrupted is the reply to a case that the context ended: timed-out if it
// was its deadline, otherwise failed.
func Interrupted(ctx context.Context) *Unanswered {
	v := Failed
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		v = TimedOut
	}
	return &Unanswered{Verdict: v, Reason: "interrupted: " + ctx.Err().Error(), Err: ctx.Err()}
}

// WhyNot returns verdict and reason of an error of Ask; any error that is not
// an Unanswered is a failure.
func WhyNot(err error) (Verdict, string) {
	var u *Unanswered
	if errors.As(err, &u) {
		return u.Verdict, u.Reason
	}
	return Failed, err.Error()
}

// AskAll puts cases to an oracle: those that it supports, together if it can
// answer them together. The others get a reply of verdict NotComparable.
func AskAll(ctx context.Context, o Oracle, cases []*Case) []Reply {
	replies := make([]Reply, len(cases))
	var asked []*Case
	var at []int
	for i, c := range cases {
		if reason := o.Supports(c); reason != "" {
			replies[i].Err = NoAnswer(NotComparable, "%s", reason)
			continue
		}
		asked, at = append(asked, c), append(at, i)
	}
	if b, ok := o.(Batcher); ok {
		for k, r := range b.AskAll(ctx, asked) {
			replies[at[k]] = r
		}
		return replies
	}
	for k, c := range asked {
		if ctx.Err() != nil {
			replies[at[k]].Err = Interrupted(ctx)
			continue
		}
		replies[at[k]].Answer, replies[at[k]].Err = o.Ask(ctx, c)
	}
	return replies
}
