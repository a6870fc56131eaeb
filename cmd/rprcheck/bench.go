package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/matcher/nfa/bench"
	"github.com/rprcheck/rprcheck/matcher/reference"
)

// quickDivisor makes the sizes of bench small enough for every change.
const quickDivisor = 10

func newBench() *cobra.Command {
	var (
		only  []string
		quick bool
		times int
		csv   string
		peers []string
	)
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the matcher nfa on published workloads, and its gates",
		Long: `bench runs the workloads that peers publish figures for, in their shapes and
sizes, checks every answer, and prints nanoseconds a row of CPU time, allocations,
peak memory and how many times as long the reference takes; then the gates:
growth from n to 2n, allocations a row, and ratios against what is available in
the same run (Go's regexp; PCRE2's JIT in a build with the tag pcre2; the sort of
the keys alone; DuckDB, where the command duckdb is found; Trino, where
RPRCHECK_TRINO_URL names a server).

Exit code 1: an answer is wrong, or a gate of growth, of a ratio or of allocations
is not met. Times alone are printed only, since machines differ.`,
		Example: "  rprcheck bench\n  rprcheck bench --quick\n  rprcheck bench --only funnel --only growth\n  rprcheck bench --only labels --csv events.csv",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o := bench.Options{Engine: fastest, Reference: reference.Engine{}, Only: only, Times: times, Divide: 1, CSV: csv}
			switch {
			case times < 1:
				return usagef(cmd, "--times is at least 1")
			case !bench.Has(only):
				return usagef(cmd, "no workload and no gate has such a name; leave --only out to see them all")
			}
			if quick {
				o.Divide = quickDivisor
			}
			var end func()
			var err error
			if o.Peers, end, err = benchPeers(peers, cmd.Flags().Changed("peer")); err != nil {
				return err
			}
			defer end()
			report, err := bench.Run(cmd.Context(), cmd.OutOrStdout(), o)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			fmt.Fprintf(out, "\n%d wrong answers; %d gates of growth, ratios and allocations not met, %d of times\n", report.Wrong, report.Unmet, report.Absolute)
			if report.Wrong > 0 || report.Unmet > 0 {
				return exitCode(exitDifferent)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&only, "only", nil, "only the workloads and gates whose name contains the `TEXT` (repeatable)")
	f.StringVar(&csv, "csv", "", "measure a query over a large CSV `FILE` too; it is made, of about 500 MB, if it is not there")
	f.StringArrayVar(&peers, "peer", nil, "compare with `ENGINE` too: duckdb[:PATH], or trino... as in diff (repeatable); by default those that are found, \"\" for none")
	f.BoolVar(&quick, "quick", false, "a tenth of the rows")
	f.IntVar(&times, "times", 3, "runs of each, of which the best counts")
	return cmd
}
