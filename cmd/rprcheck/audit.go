package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/audit"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func newAudit() *cobra.Command {
	var engine, file, sample string
	var insecure, quiet bool
	var largest, reports int
	cmd := &cobra.Command{
		Use:   "audit --engine trino:ADDRESS -f FILE",
		Short: "Hold a live Trino against the standard on your own query and tables",
		Long: `audit finds the MATCH_RECOGNIZE of a query, lets the server filter, sample,
partition and order its input, reads input and result partition by partition and
recomputes each. A differing partition is read a second time before it is reported,
and made as small as it gets. Only SELECT statements are sent; they are shown. User,
password and token come from RPRCHECK_TRINO_USER, _PASSWORD and _TOKEN, or from
files named by _PASSWORD_FILE and _TOKEN_FILE.

Memory is that of the largest partition. A query with several recognitions, or with
row patterns in windows, is refused. Exit code 0: no partition differs; 1: some do; 3:
the server could not be reached.`,
		Example: "  rprcheck audit --engine trino:https://trino.example:8443 -f query.sql --sample 1%",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			sql, err := queryText(cmd, file, args)
			if err != nil {
				return err
			}
			share, err := parseShare(sample)
			if err != nil || largest < 0 || reports < 0 {
				return usagef(cmd, "--sample is a share such as 1%% or 0.01, --max-partition and --max-reports are not negative")
			}
			server, err := audit.NewServer(engine, audit.ServerOptions{Insecure: insecure})
			if err != nil {
				return &wrongInput{err}
			}
			if !quiet {
				server.Sent = func(sql string) { fmt.Fprintf(cmd.ErrOrStderr(), "sent: %s\n", diag.Escape(sql)) }
			}
			asked, err := diff.Open(engine, diff.Settings{Insecure: insecure})
			if err != nil {
				return &wrongInput{err}
			}
			defer asked.Close()
			m := newMeter(cmd.ErrOrStderr())
			report, err := audit.Run(cmd.Context(), server, sql, audit.Options{Matcher: matchers[0], Sample: share, MaxPartition: largest, MaxReports: reports, Engine: asked,
				Progress: func(_ int, rows int64) { m.doing("auditing rows", int(rows), 0) }})
			m.finish()
			if report != nil && (report.Partitions > 0 || err == nil) {
				if err := audit.Write(cmd.OutOrStdout(), report); err != nil {
					return err
				}
			}
			var gone *audit.Unreachable
			switch {
			case errors.As(err, &gone) && cmd.Context().Err() == nil:
				fmt.Fprintf(cmd.ErrOrStderr(), "rprcheck: %s\n", diag.Escape(gone.Error()))
				return exitCode(exitUnreached)
			case err != nil:
				return err
			case len(report.Differences) > 0:
				return exitCode(exitDifferent)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&engine, "engine", "", "the server: trino:http(s)://HOST:`PORT`")
	f.StringVarP(&file, "file", "f", "", "read the query from `FILE`; - is standard input")
	f.StringVar(&sample, "sample", "", "audit a `SHARE` of the partitions, such as 1%")
	f.IntVar(&largest, "max-partition", audit.DefaultMaxPartition, "rows of the largest partition that is audited")
	f.IntVar(&reports, "max-reports", audit.DefaultMaxReports, "differing partitions that are made small")
	f.BoolVar(&insecure, "insecure", false, "send secrets over plain http, and do not verify certificates")
	f.BoolVar(&quiet, "quiet", false, "do not show the statements that are sent")
	return cmd
}

// parseShare reads 1% or 0.01; "" is everything.
func parseShare(s string) (float64, error) {
	if s == "" {
		return 1, nil
	}
	text, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if percent {
		x /= 100
	}
	if err == nil && !(x > 0 && x <= 1) {
		err = errors.New("out of range")
	}
	return x, err
}
