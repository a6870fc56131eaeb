package main

import (
	"bufio"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/semantics"
)

func newPrefer() *cobra.Command {
	var rows, most int
	cmd := &cobra.Command{
		Use:   "prefer PATTERN",
		Short: "List the candidates of a pattern, most preferred first",
		Long: `prefer lists the strings of the parenthesised language of a pattern (PREF-1 to
PREF-8), most preferred first: rows one after another, each iteration of a
quantified group in brackets ([] took no row), excluded rows in braces, "" for
the candidate without anything.`,
		Example: `  rprcheck prefer '(A? | B)*' --max-rows 2`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if rows < 0 || most < 0 {
				return usagef(cmd, "--max-rows and --max-lines are not negative")
			}
			p, err := semantics.ParsePattern(args[0])
			if err != nil {
				return err
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			defer w.Flush()
			n := 0
			for c, err := range enumerate.Candidates(p, rows) {
				if err != nil {
					return err
				}
				if cmd.Context().Err() != nil {
					return cmd.Context().Err()
				}
				if n++; n > most && most > 0 {
					fmt.Fprintf(w, "... and more (--max-lines shows them)\n")
					return nil
				}
				text := c.String()
				if text == "" {
					text = `""`
				}
				fmt.Fprintln(w, text)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&rows, "max-rows", 3, "rows of the longest candidate")
	cmd.Flags().IntVar(&most, "max-lines", 1000, "candidates shown; 0 for all")
	return cmd
}
