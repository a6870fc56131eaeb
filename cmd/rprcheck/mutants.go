package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
)

// wrongEngines are the engines that the suite must expose: the mutants, the
// reference where it takes another reading of one rule, and engines that accept
// or refuse too much.
func wrongEngines(cases []*corpus.Case) []crosscheck.Opinion {
	return slices.Concat(crosscheck.Mutants(), crosscheck.AlternativeReadings(matchers[0]), crosscheck.Accepting(cases))
}

// checkMutants asks every wrong engine about the cases. With the whole suite
// each must be exposed; the names of those that are not end the command.
func checkMutants(ctx context.Context, cmd *cobra.Command, cases []*corpus.Case, jobs int, own bool) error {
	meter := newMeter(cmd.ErrOrStderr())
	matrix, err := crosscheck.KillMatrix(ctx, cases, wrongEngines(cases), jobs, meter.cases)
	meter.finish()
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	survivors := matrix.Survivors()
	fmt.Fprintf(out, "\nwrong engines exposed: %d of %d\n", len(matrix.Wrong)-len(survivors), len(matrix.Wrong))
	listNames(out, "not exposed", survivors)
	for _, r := range matrix.Odd {
		fmt.Fprintf(out, "no answer: %s: %s\n", r, r.Reason)
	}
	if len(matrix.Odd) > 0 || len(survivors) > 0 && !own {
		return exitCode(exitDifferent)
	}
	return nil
}

func listNames(w io.Writer, head string, names []string) {
	for _, n := range names {
		fmt.Fprintf(w, "%s: %s\n", head, n)
	}
}
