package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/export"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func newCorpusExport() *cobra.Command {
	var sel selection
	var format string
	cmd := &cobra.Command{
		Use:   "export [PATH]...",
		Short: "Write the cases as others can run them",
		Long: `export writes the cases as JSON lines, as a sqllogictest file, or as a script in
the SQL of a product, with tables inline and the expected rows beside each
statement. What the form or the product lacks is left out, with the reason counted
on standard error.`,
		Example: "  rprcheck corpus export --format trino > cases.sql",
		RunE: func(cmd *cobra.Command, args []string) error {
			_, cases, err := selected(cmd, &sel, args)
			if err != nil {
				return err
			}
			sum, ok, err := export.Write(cmd.OutOrStdout(), format, cases)
			switch {
			case !ok:
				return usagef(cmd, "there is no format %.40q; --format is one of %s", format, strings.Join(export.Formats, ", "))
			case err != nil:
				return err
			}
			w := cmd.ErrOrStderr()
			fmt.Fprintf(w, "%d of %d cases written\n", sum.Written, len(cases))
			for _, line := range sum.Reasons() {
				fmt.Fprintln(w, diag.Escape(line))
			}
			return nil
		},
	}
	sel.register(cmd)
	cmd.Flags().StringVar(&format, "format", export.Formats[0], "form: "+strings.Join(export.Formats, ", "))
	complete(cmd, "format", export.Formats...)
	return cmd
}
