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
	r := &runner{ctx: ctx, w: w, o: o, costs: map[string]result{}}
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
	costs  map[string]result
	report Report
	err    error // of writing

	funnelPCRE float64 // nanoseconds a row of PCRE2 on the funnel; 0: not measured
}

// result is the cost of a workload at a size.
type result struct {
	rows int
	cost Cost
}

func (r result) perRow() float64 { return float64(r.cost.CPU.Nanoseconds()) / float64(r.rows) }

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
	r.costs[w.Name] = result{n, cost}
	ratio, err := r.againstReference(w)
	if err != nil {
		return err
	}
	verdict, err := r.verdict(w, n, answer)
	if err != nil {
		return err
	}
	r.printf("| %s | %d | %.1f | %d | %d | %s | %s |\n", w.Name, n, r.costs[w.Name].perRow(), cost.Allocs, cost.Peak>>20, ratio, verdict)
	return nil
}

// againstReference is how many times as long the reference takes, at the size
// at which it is asked.
func (r *runner) againstReference(w *Workload) (string, error) {
	if r.o.Reference == nil || w.Small == 0 {
		return "-", nil
	}
	in, err := w.Input(w.Small)
	if err != nil {
		return "", err
	}
	c, err := bindClause(w.Clause, in)
	if err != nil {
		return "", err
	}
	var cpu [2]float64
	for i, e := range []matcher.Engine{r.o.Engine, r.o.Reference} {
		cost, err := measure(1, func() error {
			_, err := matcher.Recognize(r.ctx, e, c, in, matcher.Limits{Steps: -1})
			return err
		})
		if err != nil {
			return "", err
		}
		cpu[i] = float64(max(cost.CPU, time.Microsecond))
	}
	return fmt.Sprintf("%.1f at %d rows", cpu[1]/cpu[0], in.NumRows()), nil
}

// verdict checks an answer: against the one known, or at a small size against
// the reference.
func (r *runner) verdict(w *Workload, n int, answer []int64) (string, error) {
	if n == w.Rows && w.Want != nil {
		if !slices.Equal(answer, w.Want) {
			r.report.Wrong++
			return fmt.Sprintf("WRONG: %v, not %v", answer, w.Want), nil
		}
		return fmt.Sprintf("right: %v", answer), nil
	}
	if r.o.Reference == nil || w.Small == 0 {
		return fmt.Sprintf("not checked: %v", answer), nil
	}
	in, err := w.Input(min(w.Small, n))
	if err != nil {
		return "", err
	}
	var both [2][]int64
	for i, e := range []matcher.Engine{r.o.Engine, r.o.Reference} {
		c, err := bindClause(w.Clause, in)
		if err != nil {
			return "", err
		}
		out, err := matcher.Recognize(r.ctx, e, c, in, matcher.Limits{Steps: -1})
		if err != nil {
			return "", err
		}
		both[i] = w.Answer(out)
	}
	if !slices.Equal(both[0], both[1]) {
		r.report.Wrong++
		return fmt.Sprintf("WRONG at %d rows: %v, not %v", in.NumRows(), both[0], both[1]), nil
	}
	return fmt.Sprintf("%v; as the reference at %d rows", answer, in.NumRows()), nil
}

func bindClause(text string, in *table.Table) (*semantics.Clause, error) {
	return semantics.Parse("MATCH_RECOGNIZE ("+text+")", semantics.RowTypeOf(in, ""), semantics.Options{})
}

// recognize measures columns to output table.
func (r *runner) recognize(clause string, in *table.Table, see func(*table.Table)) (Cost, error) {
	c, err := bindClause(clause, in)
	if err != nil {
		return Cost{}, err
	}
	times := r.o.Times
	return measure(times, func() error {
		start := time.Now()
		out, err := matcher.Recognize(r.ctx, r.o.Engine, c, in, r.o.Limits)
		if err != nil {
			return err
		}
		if time.Since(start) > 20*time.Second {
			times = 1
		}
		see(out)
		return nil
	})
}
