package explain

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// Effect is what another choice of a reading would do to a statement.
type Effect struct {
	Reading readings.Reading
	Choice  readings.Choice
	What    string // what is different
	// OtherData says that nothing is different on the given data, or that there
	// are none, but that it can be on other data.
	OtherData bool
}

// Effects tries every other choice of every reading on a statement: whether it
// is accepted, the types of its columns and, where run is set, its result. What
// is not tried within the budget is returned as untried, as RULE=VALUE.
func Effects(ctx context.Context, sql string, o query.Options, run bool, budget time.Duration) (effects []Effect, untried []string, err error) {
	ctx2, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	set := o.Readings
	base := try(ctx2, sql, o, run)
	for _, r := range readings.All() {
		for c := range readings.Choice(len(r.Alternatives) + 1) {
			if c == set.Choice(r.ID) {
				continue
			}
			o.Readings = set.With(r.ID, c)
			other := try(ctx2, sql, o, run)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if base.cut || other.cut {
				untried = append(untried, r.Rule+"="+r.Value(c))
				continue
			}
			what := difference(base, other)
			e := Effect{Reading: r, Choice: c, What: what}
			if what == "" {
				if e.What = base.dependence(other, r.ID); e.What == "" {
					continue
				}
				e.OtherData = true
			}
			effects = append(effects, e)
		}
	}
	return effects, untried, nil
}

// outcome is what became of a statement.
type outcome struct {
	err     *diag.Error
	cut     bool // the budget ran out
	columns []semantics.Field
	clauses []*semantics.Clause
	rows    int
	digest  [sha256.Size]byte // of all rows in their order
}

func try(ctx context.Context, sql string, o query.Options, run bool) outcome {
	st, err := query.Parse(sql, o.Readings)
	if err != nil {
		return outcome{err: diag.From(err)}
	}
	b, err := query.Bind(st, o)
	if err != nil {
		return outcome{err: diag.From(err)}
	}
	out := outcome{columns: b.Columns(), clauses: b.Recognitions()}
	if !run {
		return out
	}
	r, err := b.Run(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		out.cut = true
	case err != nil:
		out.err = diag.From(err)
	default:
		out.rows, out.digest = r.Table.NumRows(), digest(r.Table)
	}
	return out
}

// digest tells tables apart by their values.
func digest(t *table.Table) (sum [sha256.Size]byte) {
	h := sha256.New()
	var line []byte
	for row := range t.NumRows() {
		line = line[:0]
		for _, c := range t.Columns() {
			line = append(value.AppendJSON(line, c.Value(row), c.Type), ',')
		}
		h.Write(append(line, '\n'))
	}
	h.Sum(sum[:0])
	return sum
}

// difference says what is different in other, or "".
func difference(base, other outcome) string {
	switch {
	case other.err != nil && base.err == nil:
		verb := "refused"
		if other.err.Stage == diag.Runtime {
			verb = "fails"
		}
		return fmt.Sprintf("%s by %s: %s", verb, other.err.Rule, other.err.Message)
	case other.err == nil && base.err != nil:
		return "accepted"
	case other.err != nil:
		if other.err.Rule != base.err.Rule || other.err.Pos != base.err.Pos {
			return fmt.Sprintf("another error, %s: %s", other.err.Rule, other.err.Message)
		}
		return ""
	}
	var changed []string
	for i, c := range base.columns {
		if i < len(other.columns) && other.columns[i] != c && !other.columns[i].Type.Equal(c.Type) {
			changed = append(changed, fmt.Sprintf("column %s is %s instead of %s", semantics.Name{Text: c.Name}, other.columns[i].Type, c.Type))
		}
	}
	switch {
	case len(changed) > 0:
	case len(other.columns) != len(base.columns):
		changed = append(changed, fmt.Sprintf("%d columns instead of %d", len(other.columns), len(base.columns)))
	case other.rows != base.rows:
		changed = append(changed, fmt.Sprintf("another result: %d rows instead of %d", other.rows, base.rows))
	case other.digest != base.digest:
		changed = append(changed, "another result, of as many rows")
	}
	return strings.Join(changed, "; ")
}

// dependence says why a choice that makes no difference here can make one on
// other data, or "".
func (o outcome) dependence(other outcome, id readings.ID) string {
	for i, c := range o.clauses {
		if i < len(other.clauses) && !sameOrder(c, other.clauses[i]) {
			return "NULLs in the ordering columns are sorted elsewhere"
		}
		switch id {
		case readings.OUT7:
			if c.Rows.IsAll() && c.HasExclusion() && c.Pattern.CanBeEmpty() {
				return "empty matches of a pattern with exclusion"
			}
		case readings.WIN4:
			if c.Window != nil && c.Seek && c.Skip.To == semantics.ToNextRow {
				return "where the search goes on after a match that starts behind the current row"
			}
		case readings.WIN10:
			if c.Window != nil && someExpr(c, isPhysical) {
				return "what PREV and NEXT read beyond the frame"
			}
		case readings.DEF15:
			if someCondition(c, canFail) {
				return "conditions that cannot be evaluated on some row"
			}
		case readings.IMPStrings:
			if someExpr(c, comparesStrings) {
				return "strings with blanks at their end"
			}
		}
	}
	return ""
}

func sameOrder(a, b *semantics.Clause) bool {
	for i, k := range a.OrderBy {
		if i < len(b.OrderBy) && k.NullsFirst != b.OrderBy[i].NullsFirst {
			return false
		}
	}
	return true
}

// someCondition reports whether f holds for a node of a DEFINE condition.
func someCondition(c *semantics.Clause, f func(scalar.Expr) bool) bool {
	for i := range c.Vars {
		if e := c.Vars[i].Define; e != nil && some(e, f) {
			return true
		}
	}
	return false
}

func someExpr(c *semantics.Clause, f func(scalar.Expr) bool) bool {
	for _, m := range c.Measures {
		if some(m.Expr, f) {
			return true
		}
	}
	return someCondition(c, f)
}

func some(e scalar.Expr, f func(scalar.Expr) bool) bool {
	found := false
	scalar.Walk(e, func(x scalar.Expr) bool {
		found = found || f(x)
		return !found
	})
	return found
}

func isPhysical(e scalar.Expr) bool {
	n, ok := e.(*semantics.Navigation)
	return ok && n.Physical != semantics.NoStep
}

// canFail reports the operations that have run-time errors.
func canFail(e scalar.Expr) bool {
	switch e.(type) {
	case *scalar.Binary, *scalar.Unary, *scalar.Cast, *scalar.Func, *semantics.AggregateCall:
		return true
	}
	return false
}

func comparesStrings(e scalar.Expr) bool {
	switch e.(type) {
	case *scalar.Compare, *scalar.In, *scalar.Between, *scalar.IsDistinct:
		children := e.Children()
		return len(children) > 0 && children[0].Type().IsString()
	}
	return false
}

// WriteEffects writes the readings in effect and those that matter.
func WriteEffects(w io.Writer, set readings.Set, effects []Effect, untried []string, run bool) error {
	out := bufio.NewWriter(w)
	inEffect := set.String()
	if inEffect == "" {
		inEffect = "the defaults"
	}
	fmt.Fprintf(out, "readings in effect: %s\n", inEffect)
	here := "here"
	if run {
		here = "with these data"
	}
	section := func(head string, otherData bool) {
		first := true
		for _, e := range effects {
			if e.OtherData != otherData {
				continue
			}
			if first {
				fmt.Fprintf(out, "%s\n", head)
				first = false
			}
			fmt.Fprintf(out, "  %-20s  %s\n", e.Reading.Rule+"="+e.Reading.Value(e.Choice), e.Reading.Question)
			fmt.Fprintf(out, "  %-20s  %s: %s\n", "", meaning(e.Reading, e.Choice), diag.Escape(e.What))
		}
		if first && !otherData {
			fmt.Fprintf(out, "no reading matters %s\n", here)
		}
	}
	section("readings that matter "+here+":", false)
	section("readings that can matter with other data:", true)
	if len(untried) > 0 {
		fmt.Fprintf(out, "not tried, for lack of time: %s\n", strings.Join(untried, ", "))
	}
	return out.Flush()
}

func meaning(r readings.Reading, c readings.Choice) string {
	if c == readings.Default {
		return r.Default
	}
	return r.Alternatives[c-1].Meaning
}

// Acceptable returns the readings, as RULE=VALUE, each of which alone makes a
// refused statement acceptable.
func Acceptable(sql string, o query.Options) []string {
	var out []string
	set := o.Readings
	for _, r := range readings.All() {
		for c := range readings.Choice(len(r.Alternatives) + 1) {
			if c == set.Choice(r.ID) {
				continue
			}
			o.Readings = set.With(r.ID, c)
			if try(context.Background(), sql, o, false).err == nil {
				out = append(out, r.Rule+"="+r.Value(c))
			}
		}
	}
	return out
}
