package main

import (
	"bufio"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle/perl"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func newCorpus() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "corpus",
		Short: "List, show and judge the cases of the specification suite",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCorpusList(), newCorpusShow(), newCorpusLint(), newCorpusCoverage(), newCorpusExport())
	return cmd
}

func newCorpusList() *cobra.Command {
	var sel selection
	cmd := &cobra.Command{
		Use:   "list [PATH]...",
		Short: "List cases with kind, rules and clause",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, cases, err := selected(cmd, &sel, args)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			for _, c := range cases {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", diag.Escape(c.Name), c.Kind, strings.ReplaceAll(corpus.RuleText(c.Rules), " ", ""), c.Clause)
			}
			return w.Flush()
		},
	}
	sel.register(cmd)
	return cmd
}

// selected loads a suite and picks cases; broken cases are reported.
func selected(cmd *cobra.Command, sel *selection, paths []string) (*crosscheck.Suite, []*corpus.Case, error) {
	suite, err := loadSuite(paths)
	if err != nil {
		return nil, nil, err
	}
	if err := reportBadCases(cmd.ErrOrStderr(), suite.Errs); err != nil {
		return nil, nil, err
	}
	cases, err := sel.pick(cmd, suite)
	return suite, cases, err
}

func newCorpusShow() *cobra.Command {
	return &cobra.Command{
		Use:     "show CASE",
		Short:   "Show a case, and what each matcher says of it",
		Example: "  rprcheck corpus show 'skip/worked-table#no-row'",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sel := selection{run: args[:1]}
			_, cases, err := selected(cmd, &sel, nil)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			for _, c := range cases {
				showCase(w, c)
				for _, e := range matchers {
					reply := crosscheck.NewLocalOpinion(e, version()).Ask(cmd.Context(), []*corpus.Case{c})[0]
					fmt.Fprintf(w, "\n%s says:\n", e.Name())
					if reply.Verdict != 0 {
						fmt.Fprintf(w, "  %s: %s\n", reply.Verdict, diag.Escape(reply.Reason))
					}
					for _, l := range reply.Lines {
						fmt.Fprintf(w, "  %s\n", diag.Escape(l))
					}
				}
				if c.Kind == corpus.Recognize {
					fmt.Fprintf(w, "\nto see the search: rprcheck explain --at 1 with the statement and its tables\n")
				}
			}
			return nil
		},
	}
}

func showCase(w io.Writer, c *corpus.Case) {
	fmt.Fprintf(w, "%s (%s), rules %s, clause %s, %s:%d\n", diag.Escape(c.Name), c.Kind, corpus.RuleText(c.Rules), c.Clause, diag.Escape(c.File), c.Line)
	if len(c.Reading) > 0 {
		fmt.Fprintf(w, "under the reading %s\n", strings.Join(c.Reading, ", "))
	}
	for _, l := range strings.Split(c.Comment, "\n") {
		if l != "" {
			fmt.Fprintf(w, "# %s\n", diag.Escape(l))
		}
	}
	for _, l := range strings.Split(c.Item.Input, "\n") {
		fmt.Fprintln(w, diag.Escape(l))
	}
	fmt.Fprintln(w, "should be:")
	for _, l := range c.Answer {
		fmt.Fprintf(w, "  %s\n", diag.Escape(l))
	}
}

func newCorpusLint() *cobra.Command {
	var sel selection
	var jobs int
	var all bool
	cmd := &cobra.Command{
		Use:   "lint [PATH]...",
		Short: "Judge the cases: what each of them exposes, and what it rests on",
		Long: `lint asks every wrong engine (the mutants, and the reference under each
alternative reading) about every case and prints the kill matrix: the cases that
expose each. A case that exposes nothing is inert. Cases equal after renaming
variables count once. A pattern case rests on two of reference, enumerator and
Perl; other cases are derived by hand.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			_, cases, err := selected(cmd, &sel, args)
			if err != nil {
				return err
			}
			meter := newMeter(cmd.ErrOrStderr())
			defer meter.finish()
			ctx := cmd.Context()
			matrix, err := crosscheck.KillMatrix(ctx, cases, wrongEngines(cases), jobs, meter.cases)
			if err != nil {
				return err
			}
			opinions := []crosscheck.Opinion{&crosscheck.OracleOpinion{Oracle: perl.New(perl.Options{})}}
			for _, e := range matchers {
				opinions = append(opinions, crosscheck.NewLocalOpinion(e, version()))
			}
			confirm, interrupted := crosscheck.Run(ctx, cases, opinions, crosscheck.Options{Jobs: jobs, Timeout: caseTimeout, Progress: meter.cases})
			for _, o := range opinions {
				o.Close()
			}
			if interrupted {
				return ctx.Err()
			}
			meter.finish()
			return writeLint(cmd.OutOrStdout(), crosscheck.NewLint(cases, matrix, confirm), all)
		},
	}
	sel.register(cmd)
	cmd.Flags().IntVarP(&jobs, "jobs", "j", runtime.NumCPU(), "cases at a time")
	cmd.Flags().BoolVar(&all, "all", false, "list every case of the matrix, not the first few")
	return cmd
}

// mostInert is the largest share of cases that may expose nothing: one in ten.
const mostInert = 0.1

func writeLint(w io.Writer, l *crosscheck.Lint, all bool) error {
	fmt.Fprintln(w, "kill matrix: wrong engine, number of cases that expose it, the first of them")
	for _, name := range l.Matrix.Wrong {
		kills := l.Matrix.Kills[name]
		shown := kills
		if !all && len(shown) > 3 {
			shown = shown[:3]
		}
		fmt.Fprintf(w, "  %-34s %5d  %s\n", name, len(kills), strings.Join(shown, " "))
	}
	fmt.Fprintf(w, "\ncases: %d, counted (neither inert nor repeated):", l.Cases)
	kinds := make([]string, 0, len(l.Counted))
	for k := range l.Counted {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		fmt.Fprintf(w, " %d %s", l.Counted[k], k)
	}
	share := float64(len(l.Inert)) / float64(max(l.Cases, 1))
	fmt.Fprintf(w, "\ninert: %d (%.1f%%)\n", len(l.Inert), 100*share)
	listNames(w, "  inert", l.Inert)
	fmt.Fprintf(w, "equal after renaming variables: %d groups\n", len(l.Same))
	for _, g := range l.Same {
		fmt.Fprintf(w, "  equal: %s\n", strings.Join(g, " "))
	}
	fmt.Fprintf(w, "resting on one opinion alone: %d\n", len(l.Alone))
	listNames(w, "  alone", l.Alone)
	survivors := l.Matrix.Survivors()
	fmt.Fprintf(w, "wrong engines that no case exposes: %d of %d\n", len(survivors), len(l.Matrix.Wrong))
	listNames(w, "  not exposed", survivors)
	for _, r := range l.Matrix.Odd {
		fmt.Fprintf(w, "no answer: %s: %s\n", r, diag.Escape(r.Reason))
	}
	if share > mostInert || len(l.Alone) > 0 || len(survivors) > 0 || len(l.Matrix.Odd) > 0 {
		return exitCode(exitDifferent)
	}
	return nil
}

func newCorpusCoverage() *cobra.Command {
	var sel selection
	cmd := &cobra.Command{
		Use:   "coverage [PATH]...",
		Short: "List every rule with its number of cases",
		Long:  "coverage lists every rule of the rulebook with the cases that show it at work (hits)\nand those where it narrowly does not apply (near misses). An executable rule without\neither is an error.",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, cases, err := selected(cmd, &sel, args)
			if err != nil {
				return err
			}
			missing := crosscheck.WriteCoverage(cmd.OutOrStdout(), crosscheck.NewCoverage(cases))
			fmt.Fprintf(cmd.OutOrStdout(), "\nexecutable rules that lack a case: %d\n", missing)
			if missing > 0 {
				return exitCode(exitDifferent)
			}
			return nil
		},
	}
	sel.register(cmd)
	return cmd
}
