package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/lintsql"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// maxQueryFile is the size of the largest query that is read.
const maxQueryFile = 16 << 20

func newLint() *cobra.Command {
	var file string
	var choose []string
	cmd := &cobra.Command{
		Use:   "lint -f FILE | QUERY",
		Short: "Say which known differences of which engines a query can meet",
		Long: `lint looks at a query without any engine and without its tables: patterns on which
engines are known to prefer another match, what they refuse, and choices that the
standard leaves open. Each remark names the rule and, where there is one that changes
nothing by the rules, a rewrite. It reads no file that the query names.

Exit code 0: nothing by which an engine could silently return other rows; 1: there
is, or the query is in error.`,
		Example: "  rprcheck lint -f query.sql",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sql, err := queryText(cmd, file, args)
			if err != nil {
				return err
			}
			set, err := readings.Parse(choose...)
			if err != nil {
				return &wrongInput{err}
			}
			list, err := lintsql.Lint(sql, set)
			if err != nil {
				return err
			}
			lintsql.Write(cmd.OutOrStdout(), sql, list)
			for _, m := range list {
				if m.Kind == lintsql.Silent {
					return exitCode(exitDifferent)
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "read the query from `FILE`; - is standard input")
	cmd.Flags().StringArrayVar(&choose, "reading", nil, "choose a `RULE=VALUE` that the standard leaves open (repeatable)")
	return cmd
}

// queryText is the query of a command: of the file, or of the argument.
func queryText(cmd *cobra.Command, file string, args []string) (string, error) {
	if (file == "") == (len(args) == 0) {
		return "", usagef(cmd, "one query is needed, by -f FILE or as the argument")
	}
	if file == "" {
		return args[0], nil
	}
	in := cmd.InOrStdin()
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", &wrongInput{err}
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxQueryFile+1))
	if err != nil {
		return "", &wrongInput{err}
	}
	if len(data) > maxQueryFile {
		return "", usagef(cmd, "the query has more than %d bytes", maxQueryFile)
	}
	return string(data), nil
}
