package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func newReduce() *cobra.Command {
	var e engineFlags
	var from []string
	var tries int
	cmd := &cobra.Command{
		Use:   "reduce --engine ENGINE CASE...",
		Short: "Make a difference of an engine as small as it gets",
		Long: `reduce takes cases on which an engine leaves the standard and makes them smaller
as long as the difference stays the same: fewer rows, then a smaller pattern,
smaller conditions, fewer clauses, smaller values. It prints the case in the format
of the case files, the rule that decides, both answers, and the engine's SQL. The
same case and engine always give the same result.`,
		Example: "  rprcheck reduce --engine faux:1 'empty/discarding#star'\n  rprcheck reduce --engine trino --from my-cases/ '*#big'",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sel := selection{run: args}
			_, cases, err := selected(cmd, &sel, from)
			if err != nil {
				return err
			}
			engines, err := e.open(cmd)
			if err != nil {
				return err
			}
			defer closeAll(engines)
			out := cmd.OutOrStdout()
			code := exitOK
			for _, engine := range engines {
				if err := engine.Connect(cmd.Context()); err != nil {
					if cmd.Context().Err() != nil {
						return cmd.Context().Err()
					}
					fmt.Fprintf(cmd.ErrOrStderr(), "rprcheck: %s: %s\n", diag.Escape(engine.Spec), diag.Escape(err.Error()))
					code = exitUnreached
					continue
				}
				for _, c := range cases {
					finding, reply := diff.Reduce(cmd.Context(), engine, c, tries)
					switch {
					case cmd.Context().Err() != nil:
						return cmd.Context().Err()
					case finding != nil:
						diff.WriteFinding(out, finding)
						code = max(code, exitDifferent)
					case reply.Verdict == oracle.NotComparable:
						fmt.Fprintf(out, "%s: %s is not comparable: %s\n", diag.Escape(c.Name), diag.Escape(engine.Name), diag.Escape(reply.Reason))
					default:
						fmt.Fprintf(out, "%s: %s agrees\n", diag.Escape(c.Name), diag.Escape(strings.TrimSpace(engine.Name+" "+engine.Version)))
					}
				}
			}
			if code != exitOK {
				return exitCode(code)
			}
			return nil
		},
	}
	e.register(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&from, "from", nil, "case file or folder of your own, in place of the suite (repeatable)")
	f.IntVar(&tries, "tries", 0, "how often the engine is asked for one case; 0 for the default")
	return cmd
}
