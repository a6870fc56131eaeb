package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/semantics/readings"
)

func newReadings() *cobra.Command {
	return &cobra.Command{
		Use:   "readings",
		Short: "List what the standard leaves open, and how to choose",
		Long: `readings lists the questions that the standard leaves open or that its sources
answer differently, with the answer that rprcheck gives and the others that it
can give. Choose with --reading RULE=VALUE on any command that matches;
rprcheck rule RULE tells more.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := bufio.NewWriter(cmd.OutOrStdout())
			for i, r := range readings.All() {
				if i > 0 {
					fmt.Fprintln(w)
				}
				fmt.Fprintf(w, "%s  %s  (confidence: %s)\n", r.Rule, r.Question, r.Confidence)
				fmt.Fprintf(w, "  %-24s  %s\n", r.Rule+"=default", r.Default)
				for _, a := range r.Alternatives {
					fmt.Fprintf(w, "  %-24s  %s\n", r.Rule+"="+a.Name, a.Meaning)
				}
			}
			return w.Flush()
		},
	}
}
