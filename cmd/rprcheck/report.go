package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/crosscheck/reportmd"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

type reportFlags struct {
	engineFlags
	output   string
	recorded string
	check    bool
	record   bool
	minutes  float64
	n        int
	seed     uint64
	jobs     int
}

func newReport() *cobra.Command {
	var r reportFlags
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write REPORT.md, or say that it is stale",
		Long: `report writes REPORT.md: how to read it, the table of engines by theme, their
differences by rule with the smallest case and both answers, the cross-check of
patterns on which engines part, the rewrites of patterns, the mutants and what
exposes them, coverage, readings, and what our matchers share. Our own part is made
anew; engines outside are shown as they were recorded. Made twice from the same it is
the same, byte for byte.

With --check nothing is written; exit code 1 says that the file is stale. With
--record the suite and the cross-check are put to the engines, and their answers and
findings are kept in the folder of recordings.`,
		Example: "  rprcheck report\n  rprcheck report --check\n  rprcheck report --record --engine trino:jvm --minutes 10",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return r.main(cmd) },
	}
	r.engineFlags.register(cmd)
	f := cmd.Flags()
	f.StringVarP(&r.output, "output", "o", "REPORT.md", "the `FILE` to write or check")
	f.StringVar(&r.recorded, "recorded", "", "`FOLDER` of recordings; those that the program is built with if it is not given, for --record "+recordedFolder)
	f.BoolVar(&r.check, "check", false, "only say whether the file is what would be written")
	f.BoolVar(&r.record, "record", false, "ask the engines of --engine, and keep what they answer")
	f.Float64Var(&r.minutes, "minutes", 0, "with --record: how long to try generated inputs")
	f.IntVar(&r.n, "n", 0, "with --record: generated patterns, and as many queries, for each engine")
	f.Uint64Var(&r.seed, "seed", 1, "with --record: of what is generated")
	f.IntVarP(&r.jobs, "jobs", "j", runtime.NumCPU(), "cases at a time")
	return cmd
}

// recordedFolder is where the recordings of the program lie in its sources.
const recordedFolder = "crosscheck/reportmd/recorded"

func (r *reportFlags) main(cmd *cobra.Command) error {
	suite, err := loadSuite(nil)
	if err != nil {
		return err
	}
	if err := reportBadCases(cmd.ErrOrStderr(), suite.Errs); err != nil {
		return err
	}
	if r.record {
		return r.keep(cmd, suite)
	}
	if len(r.engines) > 0 {
		return usagef(cmd, "--engine is asked with --record only")
	}
	var dir fs.FS = reportmd.Embedded()
	if r.recorded != "" {
		dir = os.DirFS(r.recorded)
	}
	recordings, err := reportmd.Load(dir)
	if err != nil {
		return &wrongInput{err}
	}
	m := newMeter(cmd.ErrOrStderr())
	text, err := reportmd.Generate(cmd.Context(), reportmd.Options{Suite: suite, Matchers: matchers, Recordings: recordings, Jobs: r.jobs, Progress: m.doing})
	m.finish()
	if err != nil {
		return err
	}
	if !r.check {
		return os.WriteFile(r.output, text, 0o644)
	}
	old, err := os.ReadFile(r.output)
	if err != nil {
		return &wrongInput{err}
	}
	if !bytes.Equal(old, text) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s is stale from line %d on: rprcheck report writes it anew\n", diag.Escape(r.output), 1+bytes.Count(text[:firstDifference(old, text)], []byte("\n")))
		return exitCode(exitDifferent)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is up to date\n", diag.Escape(r.output))
	return nil
}

func firstDifference(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// keep records the engines.
func (r *reportFlags) keep(cmd *cobra.Command, suite *crosscheck.Suite) error {
	seeds, err := reportmd.Seeds()
	if err != nil {
		return err
	}
	r.noKnown = true // a report shows what is known as well
	engines, err := r.open(cmd)
	if err != nil {
		return err
	}
	defer closeAll(engines)
	m := newMeter(cmd.ErrOrStderr())
	cases := append(append([]*corpus.Case(nil), suite.Cases...), seeds...)
	report := diff.Run(cmd.Context(), diff.Options{
		Cases: cases, Head: crosscheck.Head{Corpus: suite.Hash},
		Engines: engines, Time: time.Duration(r.minutes * float64(time.Minute)), N: r.n, Seed: r.seed, Jobs: r.jobs, Timeout: caseTimeout, Progress: m.doing,
	})
	m.finish()
	if report.Interrupted {
		return cmd.Context().Err()
	}
	folder := r.recorded
	if folder == "" {
		folder = recordedFolder
	}
	written, err := reportmd.Save(folder, report, cases, time.Now().UTC().Format(time.DateOnly))
	if err != nil {
		return &wrongInput{err}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "recorded: %s\n", diag.Escape(strings.Join(written, ", ")))
	if len(report.Unreached) > 0 {
		for _, u := range report.Unreached {
			fmt.Fprintf(cmd.ErrOrStderr(), "rprcheck: %s\n", diag.Escape(u))
		}
		return exitCode(exitUnreached)
	}
	return nil
}
