package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/exec"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// exitUnreached is the exit code where an engine cannot be reached.
const exitUnreached = 3

// driftFlags are the flags of drift.
type driftFlags struct {
	engine, rewrite string
	queries         bool
	minutes         float64
	timeout         time.Duration
	drift.Options
}

func newDrift() *cobra.Command {
	var d driftFlags
	cmd := &cobra.Command{
		Use:   "drift (--engine exec:COMMAND | --rewrite NAME)",
		Short: "Find the smallest pattern on which an engine prefers another match",
		Long: `drift puts random patterns and rows to an engine, or to the reference after a
rewrite of the pattern, and compares the preferred match at each row. A
difference is made small and shown with both matches, their places in the
candidate order, and the rule that decides between them.

An engine is a command that answers hello and map of the engine protocol on its
standard input and output. It is started without a shell. What it says to be
unsupported is not asked again. With --queries it is asked whole statements
(query of the protocol), and the rules are those of the mutants of the suite
that alone give the engine's answer.

Rewrites of PREF-11:
` + rewriteList(),
		Example: "  rprcheck drift --engine 'exec:python3 engine.py'\n  rprcheck drift --engine 'exec:./engine' --all --minutes 5 --keep found/\n  rprcheck drift --rewrite flatten",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return d.main(cmd) },
	}
	f := cmd.Flags()
	f.StringVar(&d.engine, "engine", "", "engine to check: exec:`COMMAND`, or a matcher: "+strings.Join(matcherNames(), ", "))
	f.StringVar(&d.rewrite, "rewrite", "", "rewrite to check: a `NAME` of the list")
	f.IntVar(&d.N, "n", 0, fmt.Sprintf("patterns to try (default %d, of --queries %d, or as many as --minutes allows)", drift.DefaultN, drift.DefaultQueryN))
	f.Uint64Var(&d.Seed, "seed", 0, "seed of the random patterns (default: a new one, which is printed)")
	f.Float64Var(&d.minutes, "minutes", 0, "minutes after which no new patterns are tried")
	f.BoolVar(&d.All, "all", false, "go on after the first difference")
	f.StringVar(&d.Dir, "keep", "", "`FOLDER` of inputs that were found: they are tried first, and new ones are added as case files")
	f.BoolVar(&d.queries, "queries", false, "ask the engine whole statements over tables instead of patterns")
	f.DurationVar(&d.timeout, "timeout", 2*time.Second, "time for one answer of the engine")
	var names []string
	for _, r := range drift.Rewrites {
		names = append(names, r.Name)
	}
	complete(cmd, "rewrite", names...)
	return cmd
}

func rewriteList() string {
	var b strings.Builder
	for _, r := range drift.Rewrites {
		kind := "wrong"
		if r.Valid {
			kind = "right"
		}
		fmt.Fprintf(&b, "  %-18s%s  %s\n", r.Name, kind, r.Says)
	}
	return b.String()
}

// subject is what the flags say to check.
func (d *driftFlags) subject(cmd *cobra.Command) (drift.Subject, error) {
	command, isCommand := strings.CutPrefix(d.engine, exec.Prefix)
	switch {
	case (d.engine == "") == (d.rewrite == ""):
		return nil, usagef(cmd, "one of --engine and --rewrite is needed")
	case d.N < 0 || d.minutes < 0 || math.IsNaN(d.minutes) || d.minutes > 1e6 || d.timeout <= 0:
		return nil, usagef(cmd, "--n and --minutes are not negative, --timeout is positive")
	case d.queries && (!isCommand || d.Dir != ""):
		return nil, usagef(cmd, "--queries needs --engine exec:COMMAND, and goes without --keep")
	case d.rewrite != "":
		r, ok := drift.LookupRewrite(d.rewrite)
		if !ok {
			return nil, usagef(cmd, "there is no rewrite %.40q; %s --help lists them", d.rewrite, cmd.CommandPath())
		}
		return drift.FromRewrite(r.Name, r.Apply, matcher.Limits{Steps: 4 * drift.DefaultSteps}), nil
	case isCommand:
		words, err := exec.SplitCommand(command)
		if err != nil {
			return nil, &wrongInput{err}
		}
		starts.Store(true)
		return exec.New(exec.Options{Command: words, Name: d.engine, Timeout: d.timeout}), nil
	}
	for _, e := range matchers {
		if e.Name() == d.engine {
			return drift.FromEngine(e, matcher.Limits{}), nil
		}
	}
	return nil, usagef(cmd, "there is no engine %.60q; write exec: and a command, or one of %s", d.engine, strings.Join(matcherNames(), ", "))
}

func (d *driftFlags) main(cmd *cobra.Command) error {
	s, err := d.subject(cmd)
	if err != nil {
		return err
	}
	defer s.Close()
	if !cmd.Flags().Changed("seed") {
		d.Seed = uint64(time.Now().UnixNano()) % 1_000_000_000
	}
	d.Time = time.Duration(d.minutes * float64(time.Minute))
	out := cmd.OutOrStdout()
	meter := newMeter(cmd.ErrOrStderr())
	defer meter.finish()
	var report fmt.Stringer
	var different bool
	if d.queries {
		o := drift.QueryOptions{N: d.N, Seed: d.Seed, Time: d.Time, All: d.All,
			Progress: func(r *drift.QueryReport) { meter.tried(r.Drawn, d.N, "queries") },
			Found:    func(found *drift.QueryDrift) { fmt.Fprintf(out, "%s\n", found) }}
		var r *drift.QueryReport
		r, err = drift.RunQueries(cmd.Context(), o, s)
		report, different = r, len(r.Drifts) > 0 || r.Failed > 0
	} else {
		d.Progress = func(r *drift.Report) { meter.tried(r.Drawn, d.N, "patterns") }
		d.Found = func(found *drift.Drift) { fmt.Fprintf(out, "%s\n", found) }
		var r *drift.Report
		r, err = drift.Run(cmd.Context(), d.Options, s)
		report, different = r, len(r.Drifts) > 0 || r.Failed > 0
	}
	meter.finish()
	var unreached *oracle.Unanswered
	switch {
	case errors.As(err, &unreached):
		fmt.Fprintf(cmd.ErrOrStderr(), "rprcheck: %s: %s\n", diag.Escape(s.Name()), unreached.Reason)
		return exitCode(exitUnreached)
	case err != nil && cmd.Context().Err() == nil: // the folder of kept inputs
		return &wrongInput{err}
	}
	io.WriteString(out, report.String())
	switch {
	case err != nil:
		return err
	case different:
		return exitCode(exitDifferent)
	}
	return nil
}

// tried shows how many inputs have been tried; total 0: no end is known.
func (m *meter) tried(done, total int, unit string) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.what, m.unit, m.total = "trying", unit, int64(total)
	m.mu.Unlock()
	m.done.Store(int64(done))
}
