package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/serve"
	"github.com/rprcheck/rprcheck/oracle/protocol"
)

func newEngine() *cobra.Command {
	var m matching
	maxLine := protocol.DefaultMaxLine
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Answer questions in JSON lines on standard input",
		Long: `engine answers questions in JSON, one a line, on standard input, with one answer
a line on standard output, until {"op":"bye"} or the end. The first question is
{"op":"hello","protocol":1}. The folder oracle/protocol/schema of the repository
describes every message.`,
		Example: `  printf '%s\n' '{"op":"hello","protocol":1}' \
    '{"op":"map","id":"1","pattern":"(A? | B)*","rows":["A","B"]}' | rprcheck engine`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			engine, err := m.engine(cmd)
			if err != nil {
				return err
			}
			limits, err := m.limits(cmd)
			if err != nil {
				return err
			}
			set, err := m.set(cmd)
			if err != nil {
				return err
			}
			if maxLine <= 0 {
				return usagef(cmd, "--max-line is a positive number of bytes")
			}
			s := &serve.Server{Engine: engine, Limits: limits, Readings: set, Version: version(), MaxLine: maxLine}
			err = s.Serve(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
			if errors.Is(err, serve.ErrVersion) {
				return usagef(cmd, "%s", err)
			}
			return err
		},
	}
	m.register(cmd, matchers[0].Name())
	cmd.Flags().IntVar(&maxLine, "max-line", maxLine, "bytes of one message")
	return cmd
}
