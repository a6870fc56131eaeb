package main

import (
	"encoding/csv"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/explain"
	"github.com/rprcheck/rprcheck/semantics/query"
)

// effectsBudget is how long the readings are tried for.
const effectsBudget = 10 * time.Second

func newExplain() *cobra.Command {
	var (
		m         matching
		ts        = tables{empty: true}
		st        statement
		params    []string
		at        int
		number    int
		partition string
		maxLines  int
		plan      bool
	)
	cmd := &cobra.Command{
		Use:   "explain [SQL]",
		Short: "Show how a recognition is understood, and how its search goes",
		Long: `explain shows the recognitions of a statement in the standard's terms, each part
with its rule and its clause, and the readings that matter: those whose other
choice is refused, accepted, or gives another result.

With --plan it shows how the matcher of query goes about each recognition: its
tier, how the conditions are classified, and why.

With --at N it shows the search of the reference matcher from row N of a
partition instead, in preference order, one line a step.`,
		Example: `  rprcheck explain --table ticker=testdata/sample/ticker.csv -f testdata/sample/ticker.sql
  rprcheck explain --table ticker=testdata/sample/ticker.csv -f testdata/sample/ticker.sql --at 2 --partition XYZ`,
		RunE: func(cmd *cobra.Command, args []string) error {
			searching := cmd.Flags().Changed("at")
			switch {
			case !searching && (cmd.Flags().Changed("partition") || cmd.Flags().Changed("recognition") || cmd.Flags().Changed("max-lines")):
				return usagef(cmd, "--partition, --recognition and --max-lines belong to --at")
			case searching && plan:
				return usagef(cmd, "--plan and --at are two ways to explain; give one of them")
			case maxLines < 0:
				return usagef(cmd, "--max-lines is not negative; 0 means no limit")
			}
			values, err := partitionValues(cmd, partition)
			if err != nil {
				return err
			}
			ts.meter = newMeter(cmd.ErrOrStderr())
			defer ts.meter.finish()
			ts.empty = !searching
			run, err := prepare(cmd, args, &m, &ts, &st, params)
			if err != nil {
				return err
			}
			if searching {
				o := explain.SearchOptions{Row: at, Partition: values, MaxLines: maxLines, Limits: run.limits}
				return st.located(search(cmd, run, number, o, &ts), run.sql)
			}
			if plan {
				return st.located(explainPlans(cmd, run, &ts), run.sql)
			}
			return st.located(explainTree(cmd, run, &ts), run.sql)
		},
	}
	m.registerSearch(cmd)
	ts.register(cmd)
	st.register(cmd)
	registerParams(cmd, &params)
	f := cmd.Flags()
	f.BoolVar(&plan, "plan", false, "show which tier of the matcher nfa each recognition takes, and why")
	f.IntVar(&at, "at", 0, "show the search from row `N` of a partition, counted from 1 in its order")
	f.IntVar(&number, "recognition", 1, "the recognition to search with, counted from 1")
	f.StringVar(&partition, "partition", "", "the partition to search in, by the `values` of its PARTITION BY columns, separated by commas (default: the first)")
	f.IntVar(&maxLines, "max-lines", 200, "steps that are shown; 0 for all")
	return cmd
}

// partitionValues splits --partition as a line of CSV.
func partitionValues(cmd *cobra.Command, text string) ([]string, error) {
	if !cmd.Flags().Changed("partition") {
		return nil, nil
	}
	values, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil || text == "" {
		return nil, usagef(cmd, "--partition is a list of values separated by commas, not %.60q", text)
	}
	return values, nil
}

// explainTree shows the recognitions and the readings that matter.
func explainTree(cmd *cobra.Command, p *prepared, ts *tables) error {
	bound, err := p.bind(ts.none())
	if err != nil {
		return p.advised(err, ts)
	}
	out := cmd.OutOrStdout()
	if bound.Untyped {
		fmt.Fprint(out, "no tables were given: their columns have no types\n\n")
	}
	if err := explain.Tree(out, bound.Recognitions()); err != nil {
		return err
	}
	run := !bound.Untyped && !ts.emptied
	effects, untried, err := explain.Effects(cmd.Context(), p.sql, p.options, run, effectsBudget)
	if err != nil {
		return err
	}
	ts.meter.finish()
	fmt.Fprintln(out)
	return explain.WriteEffects(out, p.options.Readings, effects, untried, run)
}

// explainPlans shows how the matcher of query goes about each recognition.
func explainPlans(cmd *cobra.Command, p *prepared, ts *tables) error {
	bound, err := p.bind(false)
	if err != nil {
		return p.advised(err, ts)
	}
	ts.meter.finish()
	out := cmd.OutOrStdout()
	clauses := bound.Recognitions()
	if len(clauses) == 0 {
		fmt.Fprintln(out, "the statement has no row pattern recognition")
	}
	for i, c := range clauses {
		text, err := fastest.Explain(c, p.limits)
		if err != nil {
			return err
		}
		if len(clauses) > 1 {
			fmt.Fprintf(out, "recognition %d\n", i+1)
		}
		fmt.Fprintln(out, text)
	}
	return nil
}

// search shows the search from one row.
func search(cmd *cobra.Command, p *prepared, number int, o explain.SearchOptions, ts *tables) error {
	st, err := query.Parse(p.sql, p.options.Readings)
	if err != nil {
		return err
	}
	clause, in, err := explain.Input(cmd.Context(), st, p.options, number)
	if err != nil {
		return p.advised(err, ts)
	}
	ts.meter.finish()
	return explain.Search(cmd.Context(), cmd.OutOrStdout(), clause, in, o)
}
