package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/crosscheck/known"
	"github.com/rprcheck/rprcheck/crosscheck/reportmd"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// engineFlags are the flags of every command that asks engines.
type engineFlags struct {
	engines  []string
	readings []string
	known    []string
	noKnown  bool
	timeout  time.Duration
	hostile  bool
	insecure bool
}

func (e *engineFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&e.engines, "engine", nil, "`ENGINE` to ask, repeatable: "+diff.Forms)
	f.StringArrayVar(&e.readings, "reading", nil, "a `RULE=VALUE` that the engines choose where the standard leaves a choice (repeatable)")
	f.StringArrayVar(&e.known, "known", nil, "`FILE` of known differences, or ENGINE=FILE for one of several engines (repeatable)")
	f.BoolVar(&e.noKnown, "no-known", false, "set the lists of known differences that are part of the program aside")
	f.DurationVar(&e.timeout, "timeout", 0, "for the answer to one question; 0 for the engine's own")
	f.BoolVar(&e.hostile, "hostile", false, "put cases that can bring an engine down, also to servers that others use")
	f.BoolVar(&e.insecure, "insecure", false, "send secrets over plain http, and do not verify certificates")
}

// open makes the engines with their lists of known differences.
func (e *engineFlags) open(cmd *cobra.Command) ([]*diff.Engine, error) {
	if len(e.engines) == 0 {
		return nil, usagef(cmd, "--engine names no engine; write %s", diff.Forms)
	}
	log := func(format string, args ...any) {
		fmt.Fprintf(cmd.ErrOrStderr(), "rprcheck: %s\n", diag.Escape(fmt.Sprintf(format, args...)))
	}
	starts.Store(true)
	var out []*diff.Engine
	for _, spec := range e.engines {
		engine, err := diff.Open(spec, diff.Settings{Timeout: e.timeout, Hostile: e.hostile, Insecure: e.insecure, Readings: e.readings, Log: log})
		if err != nil {
			closeAll(out)
			return nil, &wrongInput{err}
		}
		if kind, _, _ := strings.Cut(spec, ":"); !e.noKnown {
			if engine.Known, err = known.Builtin(kind); err != nil {
				closeAll(append(out, engine))
				return nil, &wrongInput{err}
			}
		}
		out = append(out, engine)
	}
	for _, k := range e.known {
		name, file, one := strings.Cut(k, "=")
		if !one {
			name, file = "", k
		}
		list, err := known.ReadFile(file)
		if err != nil {
			closeAll(out)
			return nil, &wrongInput{err}
		}
		hit := false
		for _, engine := range out {
			if name == "" && len(out) == 1 || name == engine.Spec || name == engine.Name {
				engine.Known, hit = list, true
			}
		}
		if !hit {
			closeAll(out)
			return nil, usagef(cmd, "--known of several engines is written ENGINE=FILE, with one of %s", strings.Join(e.engines, ", "))
		}
	}
	return out, nil
}

func closeAll(engines []*diff.Engine) {
	for _, e := range engines {
		e.Close()
	}
}

type diffFlags struct {
	selection
	engineFlags
	minutes  float64
	n        int
	seed     uint64
	jobs     int
	tries    int
	noSuite  bool
	recorded bool
	output   string
	findings string
	junit    string
}

func newDiff() *cobra.Command {
	var d diffFlags
	cmd := &cobra.Command{
		Use:   "diff --engine ENGINE [PATH]...",
		Short: "Hold engines against the standard, and show where they leave it",
		Long: `diff puts the specification suite, or the case files named, to the engines, then
generated patterns and queries for --minutes, or --n of each. Every difference is
made as small as it gets and explained by the rule that decides, or by the
published fault that alone gives the same answer; differences of one cause are one
finding. What an engine refuses, though it is legal, is a finding too.

Known differences are listed in a file (--known):

  case skip/errors#no-row       one case
    versions <=483              versions of the engine; * for all
    rule     SKIP-2
    why      the target is ignored
    issue    https://...        optional
  class 1                       all cases on which the mutant 1 is wrong: the
    rule     PREF-8             engine must answer as the mutant does
    why      empty iterations are discarded
    witness  empty/discarding#star
  refusal DISTINCT in           legal SQL that is refused with this text
    rule     AGG-6
    why      not implemented
    witness  aggregate/distinct-filter-order#count-distinct
  failure COMPILER_ERROR        legal SQL on which the engine fails so
    rule     WIN-1
    why      its compiler fails
    witness  window/frames#constant-of-the-frame

Exit code 0: no difference that is not known; 1: differences, or an entry that no
longer holds; 3: an engine could not be reached; 130: interrupted, with what was
found until then.`,
		Example: "  rprcheck diff --engine trino:jvm --minutes 5\n  rprcheck diff --engine 'exec:python3 adapter.py' --n 1000",
		RunE:    func(cmd *cobra.Command, args []string) error { return d.main(cmd, args) },
	}
	d.selection.register(cmd)
	d.engineFlags.register(cmd)
	f := cmd.Flags()
	f.Float64Var(&d.minutes, "minutes", 0, "how long to try generated patterns and queries, all engines together")
	f.IntVar(&d.n, "n", 0, "generated patterns, and as many queries, for each engine")
	f.Uint64Var(&d.seed, "seed", 0, "of what is generated; 0 draws one, which is printed")
	f.IntVarP(&d.jobs, "jobs", "j", runtime.NumCPU(), "cases at a time, for engines within this process")
	f.IntVar(&d.tries, "tries", 0, "how often an engine is asked to make one case small; 0 for the default")
	f.BoolVar(&d.recorded, "recorded", false, "fail where an engine answers the suite otherwise than it was recorded to")
	f.BoolVar(&d.noSuite, "no-suite", false, "only generated inputs")
	f.StringVarP(&d.output, "output", "o", "", "write the result stream of the suite to `FILE`")
	f.StringVar(&d.findings, "findings", "", "write the findings as JSON lines to `FILE`")
	f.StringVar(&d.junit, "junit", "", "write the results of the suite as JUnit's XML to `FILE`")
	return cmd
}

func (d *diffFlags) main(cmd *cobra.Command, args []string) error {
	suite, cases, err := selected(cmd, &d.selection, args)
	if err != nil {
		return err
	}
	if d.minutes < 0 || d.n < 0 {
		return usagef(cmd, "--minutes and --n are not negative")
	}
	if d.noSuite {
		cases = nil
	}
	engines, err := d.open(cmd)
	if err != nil {
		return err
	}
	defer closeAll(engines)
	if d.seed == 0 {
		d.seed = uint64(time.Now().UnixNano())
	}
	m := newMeter(cmd.ErrOrStderr())
	report := diff.Run(cmd.Context(), diff.Options{
		Cases: cases, Head: crosscheck.Head{Version: version(), Corpus: suite.Hash}, Engines: engines,
		Time: time.Duration(d.minutes * float64(time.Minute)), N: d.n, Seed: d.seed, Jobs: d.jobs, Tries: d.tries, Timeout: caseTimeout,
		Progress: m.doing,
	})
	m.finish()
	if err := d.write(cmd.OutOrStdout(), report); err != nil {
		return err
	}
	changed, err := d.againstRecorded(cmd, report, cases)
	if err != nil {
		return err
	}
	for _, u := range report.Unreached {
		fmt.Fprintf(cmd.ErrOrStderr(), "rprcheck: %s\n", diag.Escape(u))
	}
	code := report.Code()
	if code == exitOK && changed {
		code = exitDifferent
	}
	if code != exitOK {
		return exitCode(code)
	}
	return nil
}

// againstRecorded holds the engines against what was recorded of them.
func (d *diffFlags) againstRecorded(cmd *cobra.Command, r *diff.Report, cases []*corpus.Case) (changed bool, err error) {
	if !d.recorded {
		return false, nil
	}
	recordings, err := reportmd.Load(reportmd.Embedded())
	if err != nil {
		return false, err
	}
	out := cmd.OutOrStdout()
	for _, sp := range r.Stream.Head.Opinions {
		i := slices.IndexFunc(recordings, func(rec *reportmd.Recording) bool {
			e := rec.Engine()
			return e.Name == sp.Name && e.Version == sp.Version
		})
		if i < 0 {
			fmt.Fprintf(out, "\nnothing is recorded of %s %s\n", diag.Escape(sp.Name), diag.Escape(sp.Version))
			changed = changed || sp.Problem == ""
			continue
		}
		lines := recordings[i].Changes(r.Stream.Results, cases)
		fmt.Fprintf(out, "\n%s %s against its answers of %s: %d cases changed\n", diag.Escape(sp.Name), diag.Escape(sp.Version), recordings[i].Engine().Recorded, len(lines))
		for _, l := range lines {
			fmt.Fprintf(out, "  %s\n", diag.Escape(l))
		}
		changed = changed || len(lines) > 0
	}
	return changed, nil
}

func (d *diffFlags) write(out io.Writer, r *diff.Report) error {
	if err := diff.Write(out, r); err != nil {
		return err
	}
	files := []struct {
		path  string
		write func(io.Writer) error
	}{
		{d.output, r.Stream.Replay},
		{d.findings, func(w io.Writer) error { return diff.WriteFindings(w, r.Findings) }},
		{d.junit, func(w io.Writer) error { return crosscheck.WriteJUnit(w, r.Stream) }},
	}
	for _, f := range files {
		if f.path == "" {
			continue
		}
		if err := writeFile(f.path, f.write); err != nil {
			return &wrongInput{err}
		}
	}
	return nil
}

// doing shows what a run is at.
func (m *meter) doing(what string, done, total int) {
	if m == nil {
		return
	}
	m.mu.Lock()
	if m.what != what {
		m.what, m.unit = what, "done"
	}
	m.total = int64(total)
	m.mu.Unlock()
	m.done.Store(int64(done))
}
