package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func newEngines() *cobra.Command {
	var e engineFlags
	var start bool
	cmd := &cobra.Command{
		Use:   "engines",
		Short: "Say which engines can be reached, and how to get the others",
		Long: `engines lists the engines that diff, reduce and audit can ask: what answers here,
its version, and what is missing for the others. Engines named by --engine are
tried as well; one of them that cannot be reached gives exit code 3. With --start
the ways that start a server are tried too, which takes some seconds.`,
		Example: "  rprcheck engines\n  rprcheck engines --engine 'exec:python3 adapter.py' --start",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			starts.Store(true)
			list := diff.Survey(cmd.Context(), e.engines, start, diff.Settings{Timeout: e.timeout, Insecure: e.insecure})
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			code := exitOK
			for _, r := range list {
				state := r.Version
				if r.Problem != "" {
					state = "no: " + r.Problem
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", diag.Escape(r.Spec), diag.Escape(state), diag.Escape(r.Help))
				for _, spec := range e.engines {
					if spec == r.Spec && r.Problem != "" {
						code = exitUnreached
					}
				}
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if code != exitOK {
				return exitCode(code)
			}
			return nil
		},
	}
	e.register(cmd)
	cmd.Flags().BoolVar(&start, "start", false, "also try what has to be started: Trino in a container, and in a JVM")
	return cmd
}
