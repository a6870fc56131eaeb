package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// Options say what is run.
type Options struct {
	Engine    matcher.Engine
	Reference matcher.Engine // nil: answers that are not known are not checked
	Only      []string       // names of workloads and gates, in part; none: all
	Divide    int            // the sizes are divided by it; 0: 1
	Times     int            // runs of each, of which the best counts; 0: 3
	Limits    matcher.Limits // of the engine
	Peers     []Peer         // asked the same
	CSV       string         // a large CSV file, made if it is not there; "": its gates are left out
}

// Report is what Run found.
type Report struct {
	Wrong    int // answers that are not right
	Unmet    int // gates of growth, ratios and allocations that are not met
	Absolute int // gates of times alone that are not met: machines differ
}

// Run measures workloads and gates and writes a table.
func Run(ctx context.Context, w io.Writer, o Options) (Report, error) {
	if o.Divide == 0 {
		o.Divide = 1
	}
	if o.Times == 0 {
		o.Times = 3
	}
	r := &runner{ctx: ctx, w: w, o: o}
	r.printf("| workload | rows | ns/row | allocs | peak MB | reference / nfa | answer |\n|---|---|---|---|---|---|---|\n")
	for i := range Workloads {
		if r.wanted(Workloads[i].Name) {
			if err := r.workload(&Workloads[i]); err != nil {
				return r.report, fmt.Errorf("%s: %w", Workloads[i].Name, err)
			}
		}
	}
	r.printf("\n| gate | measured | bound | |\n|---|---|---|---|\n")
	for _, g := range gates {
		if !r.wanted(g.name) {
			continue
		}
		if err := g.run(r); err != nil {
			return r.report, fmt.Errorf("%s: %w", g.name, err)
		}
	}
	if o.CSV != "" {
		if err := r.largeCSV(o.CSV); err != nil {
			return r.report, err
		}
	}
	return r.report, r.err
}

// Has reports whether each part occurs in the name of a workload or gate.
func Has(parts []string) bool {
	for _, p := range parts {
		named := func(name string) bool { return p != "" && strings.Contains(name, p) }
		if !slices.ContainsFunc(Workloads, func(w Workload) bool { return named(w.Name) }) && !slices.ContainsFunc(gates, func(g gate) bool { return named(g.name) }) {
			return false
		}
	}
	return true
}

// runner runs and prints.
type runner struct {
	ctx    context.Context
	w      io.Writer
	o      Options
	report Report
	err    error // of writing

	funnelPCRE float64 // nanoseconds a row of PCRE2 on the funnel; 0: not measured
}

// perRow is the CPU time of a row, in nanoseconds.
func perRow(c Cost, rows int) float64 { return float64(c.CPU.Nanoseconds()) / float64(rows) }

func (r *runner) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(r.w, format, args...); err != nil && r.err == nil {
		r.err = err
	}
}

func (r *runner) wanted(name string) bool {
	if len(r.o.Only) == 0 {
		return true
	}
	return slices.ContainsFunc(r.o.Only, func(part string) bool { return strings.Contains(name, part) })
}

// workload measures one workload and checks its answer.
func (r *runner) workload(w *Workload) error {
	n := w.Rows
	if r.o.Divide > 1 && w.Name != "optional_prefix" {
		n = max(n/r.o.Divide, min(n, 1000))
	}
	in, err := w.Input(n)
	if err != nil {
		return err
	}
	var answer []int64
	cost, err := r.recognize(w.Clause, in, func(out *table.Table) { answer = w.Answer(out) })
	if err != nil {
		return err
	}
	small, err := r.beside(w, min(w.Small, n))
	if err != nil {
		return err
	}
	r.printf("| %s | %d | %.1f | %d | %d | %s | %s |\n", w.Name, n, perRow(cost, n), cost.Allocs, cost.Peak>>20, small.ratio(), r.verdict(w, n, answer, small))
	return nil
}

// comparison is what engine and reference, in this order, make of one input.
type comparison struct {
	rows    int
	answers [2][]int64
	cpu     [2]time.Duration
}

// ratio is how many times as long the reference takes.
func (c *comparison) ratio() string {
	if c == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f at %d rows", float64(max(c.cpu[1], time.Microsecond))/float64(max(c.cpu[0], time.Microsecond)), c.rows)
}

// beside runs engine and reference on n rows; nil if the reference is not asked.
func (r *runner) beside(w *Workload, n int) (*comparison, error) {
	if r.o.Reference == nil || n == 0 {
		return nil, nil
	}
	in, err := w.Input(n)
	if err != nil {
		return nil, err
	}
	c, err := bindClause(w.Clause, in)
	if err != nil {
		return nil, err
	}
	out := &comparison{rows: n}
	for i, e := range []matcher.Engine{r.o.Engine, r.o.Reference} {
		var result *table.Table
		cost, err := measure(1, func() (err error) {
			result, err = matcher.Recognize(r.ctx, e, c, in, matcher.Limits{Steps: -1})
			return err
		})
		if err != nil {
			return nil, err
		}
		out.answers[i], out.cpu[i] = w.Answer(result), cost.CPU
	}
	return out, nil
}

// verdict checks an answer: against the one known, or at a small size against
// the reference.
func (r *runner) verdict(w *Workload, n int, answer []int64, small *comparison) string {
	switch {
	case n == w.Rows && w.Want != nil:
		if !slices.Equal(answer, w.Want) {
			r.report.Wrong++
			return fmt.Sprintf("WRONG: %v, not %v", answer, w.Want)
		}
		return fmt.Sprintf("right: %v", answer)
	case small == nil:
		return fmt.Sprintf("not checked: %v", answer)
	case !slices.Equal(small.answers[0], small.answers[1]):
		r.report.Wrong++
		return fmt.Sprintf("WRONG at %d rows: %v, not %v", small.rows, small.answers[0], small.answers[1])
	}
	return fmt.Sprintf("%v; as the reference at %d rows", answer, small.rows)
}

func bindClause(text string, in *table.Table) (*semantics.Clause, error) {
	return semantics.Parse("MATCH_RECOGNIZE ("+text+")", semantics.RowTypeOf(in, ""), semantics.Options{})
}

// recognize measures columns to output table.
func (r *runner) recognize(clause string, in *table.Table, see func(*table.Table)) (Cost, error) {
	f, err := r.recognizer(clause, in, see)
	if err != nil {
		return Cost{}, err
	}
	return measure(r.o.Times, f)
}

// recognizer returns a run of a query, for measuring.
func (r *runner) recognizer(clause string, in *table.Table, see func(*table.Table)) (func() error, error) {
	c, err := bindClause(clause, in)
	if err != nil {
		return nil, err
	}
	return func() error {
		out, err := matcher.Recognize(r.ctx, r.o.Engine, c, in, r.o.Limits)
		if err == nil {
			see(out)
		}
		return err
	}, nil
}
