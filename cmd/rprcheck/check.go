package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck"
	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/reportmd"
	"github.com/rprcheck/rprcheck/oracle/perl"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// caseTimeout is how long one opinion may take for one case of a check.
const caseTimeout = 60 * time.Second

// selection are the flags that choose cases.
type selection struct {
	run, skip, rules, clauses []string
	failed                    string
	shard                     string
}

func (s *selection) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&s.run, "run", nil, "run only cases whose theme/file#id matches the `GLOB` (repeatable)")
	f.StringArrayVar(&s.skip, "skip", nil, "leave out cases that match the `GLOB` (repeatable)")
	f.StringArrayVar(&s.rules, "rule", nil, "only cases of the rule `ID`, or of a chapter such as PREF (repeatable)")
	f.StringArrayVar(&s.clauses, "clause", nil, "only cases of the TR `CLAUSE`, such as 7.2 (repeatable)")
	f.StringVar(&s.failed, "failed", "", "only cases that failed in the result stream `FILE`")
	f.StringVar(&s.shard, "shard", "", "only the I-th of N parts, written `I/N`")
}

func (s *selection) pick(cmd *cobra.Command, suite *crosscheck.Suite) ([]*corpus.Case, error) {
	sel := crosscheck.Select{Run: s.run, Skip: s.skip, Rules: s.rules, Clauses: s.clauses}
	if s.shard != "" {
		i, n, ok := strings.Cut(s.shard, "/")
		var err1, err2 error
		sel.Shard, err1 = strconv.Atoi(i)
		sel.Shards, err2 = strconv.Atoi(n)
		if !ok || err1 != nil || err2 != nil || sel.Shard < 1 || sel.Shard > sel.Shards {
			return nil, usagef(cmd, "--shard is written I/N with 1 <= I <= N, not %.40q", s.shard)
		}
	}
	if s.failed != "" {
		stream, err := readStream(s.failed)
		if err != nil {
			return nil, err
		}
		sel.Names = crosscheck.Failed(stream)
	}
	cases := sel.Cases(suite.Cases)
	if len(cases) == 0 && len(suite.Errs) == 0 {
		return nil, usagef(cmd, "no case is selected")
	}
	return cases, nil
}

func readStream(path string) (*crosscheck.Stream, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &wrongInput{err}
	}
	defer f.Close()
	stream, err := crosscheck.ReadStream(path, f)
	if err != nil {
		return nil, &wrongInput{err}
	}
	return stream, nil
}

// loadSuite loads the embedded cases, or a person's own.
func loadSuite(paths []string) (*crosscheck.Suite, error) {
	if len(paths) == 0 {
		return crosscheck.LoadFS(rprcheck.Corpus, rprcheck.CorpusRoot)
	}
	suite, err := crosscheck.LoadPaths(paths)
	if err != nil {
		return nil, &wrongInput{err}
	}
	return suite, nil
}

// badCases is the error of case files that are broken; what could be run was run.
type badCases struct{ errs []error }

func (b *badCases) Error() string { return fmt.Sprintf("%d broken cases", len(b.errs)) }

func reportBadCases(w io.Writer, errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	for _, err := range errs {
		io.WriteString(w, diag.From(err).Detail())
	}
	return &badCases{errs}
}

// checkFlags are the flags of check.
type checkFlags struct {
	selection
	mutants    bool
	noPerl     bool
	noRecorded bool
	jobs       int
	output     string
	junit      string
	format     string
}

func newCheck() *cobra.Command {
	var c checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH]...",
		Short: "Run the specification suite, or case files of your own",
		Long: `check runs every case of the specification suite, which is part of the program,
or of the case files and folders that are named, on every matcher and on Perl,
and prints a table of who agrees. With --mutants it shows that every wrong
engine of a list is found out by some case.`,
		Example: "  rprcheck check\n  rprcheck check --rule PREF-8\n  rprcheck check --mutants\n  rprcheck check my-cases/",
		RunE:    func(cmd *cobra.Command, args []string) error { return c.main(cmd, args) },
	}
	c.register(cmd)
	f := cmd.Flags()
	f.BoolVar(&c.mutants, "mutants", false, "ask every mutant too, and fail if one is not exposed")
	f.BoolVar(&c.noPerl, "no-perl", false, "do not ask Perl")
	f.BoolVar(&c.noRecorded, "no-recorded", false, "leave out what engines outside were recorded to answer")
	f.IntVarP(&c.jobs, "jobs", "j", runtime.NumCPU(), "cases at a time")
	f.StringVarP(&c.output, "output", "o", "", "write the result stream to `FILE`")
	f.StringVar(&c.junit, "junit", "", "write JUnit's XML to `FILE`")
	f.StringVar(&c.format, "format", "table", "format of the report: table, markdown, github, jsonl")
	complete(cmd, "format", "table", "markdown", "github", "jsonl")
	return cmd
}

// defaultCheck is what the command does without a subcommand.
func defaultCheck() *checkFlags { return &checkFlags{jobs: runtime.NumCPU(), format: "table"} }

// checkMemory is the size of heap, in bytes, at which check collects garbage more
// often: hostile cases leave much of it, and the run is to stay under 300 MB.
const checkMemory = 160 << 20

func (c *checkFlags) main(cmd *cobra.Command, paths []string) error {
	if _, own := os.LookupEnv("GOMEMLIMIT"); !own {
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(checkMemory))
	}
	ctx := cmd.Context()
	suite, err := loadSuite(paths)
	if err != nil {
		return err
	}
	cases, err := c.pick(cmd, suite)
	if err != nil {
		return err
	}
	var opinions []crosscheck.Opinion
	for _, e := range matchers {
		opinions = append(opinions, crosscheck.NewLocalOpinion(e, version()))
	}
	opinions = append(opinions, crosscheck.HonestMutant(version()))
	if !c.noPerl {
		opinions = append(opinions, &crosscheck.OracleOpinion{Oracle: perl.New(perl.Options{})})
	}
	if !c.noRecorded {
		recordings, err := reportmd.Load(reportmd.Embedded())
		if err != nil {
			return err
		}
		for _, r := range recordings {
			if r.Engine().Name != "perl" { // which is asked, or left out
				opinions = append(opinions, r.Opinion())
			}
		}
	}
	stream, err := c.ask(ctx, cmd, suite, cases, opinions)
	if err != nil {
		return err
	}
	if err := c.write(cmd, stream); err != nil {
		return err
	}
	if c.mutants && !stream.Foot.Interrupted {
		if err := checkMutants(ctx, cmd, cases, c.jobs, len(paths) > 0); err != nil {
			return err
		}
	}
	if err := reportBadCases(cmd.ErrOrStderr(), suite.Errs); err != nil {
		return err
	}
	if code := stream.Worst(); code != exitOK {
		return exitCode(code)
	}
	return nil
}

// exitCode is an error that has been reported already.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// ask runs the cases; the stream of results goes to --output as it comes.
func (c *checkFlags) ask(ctx context.Context, cmd *cobra.Command, suite *crosscheck.Suite, cases []*corpus.Case, opinions []crosscheck.Opinion) (*crosscheck.Stream, error) {
	head := crosscheck.Head{Version: version(), Corpus: suite.Hash, Cases: len(cases)}
	var live []crosscheck.Opinion
	for _, o := range opinions {
		sp := crosscheck.Speaker{Name: o.Name()}
		v, err := o.Version(ctx)
		if sp.Version = v; err != nil {
			sp.Problem = err.Error()
		} else {
			live = append(live, o)
		}
		head.Opinions = append(head.Opinions, sp)
		defer o.Close()
	}
	meter := newMeter(cmd.ErrOrStderr())
	defer meter.finish()
	results, interrupted := crosscheck.Run(ctx, cases, live, crosscheck.Options{Jobs: c.jobs, Timeout: caseTimeout,
		Progress: func(done, total int) { meter.cases(done, total) }})
	stream := &crosscheck.Stream{Head: head, Results: results, Foot: crosscheck.Foot{Interrupted: interrupted}}
	if c.output != "" {
		if err := writeFile(c.output, stream.Replay); err != nil {
			return nil, err
		}
	}
	return stream, nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return &wrongInput{err}
	}
	return errors.Join(write(f), f.Close())
}

func (c *checkFlags) write(cmd *cobra.Command, stream *crosscheck.Stream) error {
	if c.junit != "" {
		if err := writeFile(c.junit, func(w io.Writer) error { return crosscheck.WriteJUnit(w, stream) }); err != nil {
			return err
		}
	}
	out := cmd.OutOrStdout()
	switch c.format {
	case "table":
		crosscheck.WriteTerminal(out, stream)
	case "markdown":
		crosscheck.WriteMarkdown(out, stream)
	case "github":
		crosscheck.WriteGitHub(out, stream)
	case "jsonl":
		return stream.Replay(out)
	default:
		return usagef(cmd, "there is no format %.40q; --format is table, markdown, github or jsonl", c.format)
	}
	return nil
}
