package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/audit"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

func newAudit() *cobra.Command {
	var engine, file, sample, catalog, schema string
	var insecure, quiet bool
	var largest, reports int
	cmd := &cobra.Command{
		Use:   "audit --engine trino:ADDRESS -f FILE",
		Short: "Hold a live Trino against the standard on your own query and tables",
		Long: `audit finds each MATCH_RECOGNIZE of a query, lets the server filter, sample,
partition and order its input, reads input and result partition by partition and
recomputes each. A differing partition is read a second time before it is reported,
and the first ones are made as small as they get. Only SELECT statements are sent;
they are shown. User, password and token come from RPRCHECK_TRINO_USER, _PASSWORD and
_TOKEN, or from files named by _PASSWORD_FILE and _TOKEN_FILE.

Memory is that of the largest partition. Several recognitions are audited one by one;
a query with row patterns in windows is refused. Exit code 0: no partition differs;
1: some do, or the server refuses the query; 3: the server could not be reached.`,
		Example: "  rprcheck audit --engine trino:https://trino.example:8443 --catalog hive --schema sales -f query.sql --sample 1%",
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
			var sent atomic.Int64
			starts.Store(true)
			asked, err := diff.Open(engine, diff.Settings{Insecure: insecure, Catalog: catalog, Schema: schema, Sent: func(string) { sent.Add(1) }})
			if err != nil {
				return &wrongInput{err}
			}
			defer asked.Close()
			server, ok := asked.Subject.(*trino.Oracle)
			if !ok || asked.Name != "trino" {
				return usagef(cmd, "an audit needs a Trino: --engine trino:http(s)://HOST:PORT")
			}
			m := newMeter(cmd.ErrOrStderr())
			own := int64(0)
			reports, err := audit.Run(cmd.Context(), server, sql, audit.Options{Matcher: fastest, Confirm: matchers[0], Sample: share, MaxPartition: largest, MaxReports: reports, Engine: asked,
				Sent: func(sql string) {
					if own++; !quiet {
						m.above(cmd.ErrOrStderr(), "sent: "+diag.Escape(sql))
					}
				},
				Progress:  func(_ int, rows int64) { m.doing("auditing rows", int(rows), 0) },
				Shrinking: func(n, of int) { m.doing("making partitions small", n, of) }})
			m.finish()
			if other := sent.Load() - own; other > 0 && !quiet {
				fmt.Fprintf(cmd.ErrOrStderr(), "sent: SELECT 1, to see whether the server answers; and %d SELECTs over VALUES, to make differences small\n", other-1)
			}
			if len(reports) > 0 && (reports[0].Partitions > 0 || err == nil) {
				if err := audit.Write(cmd.OutOrStdout(), reports); err != nil {
					return err
				}
			}
			var gone *trino.Unreachable
			switch {
			case errors.As(err, &gone) && cmd.Context().Err() == nil:
				fmt.Fprintf(cmd.ErrOrStderr(), "rprcheck: %s\n", diag.Escape(gone.Error()))
				return exitCode(exitUnreached)
			case err != nil:
				return err
			}
			for _, r := range reports {
				if len(r.Differences) > 0 {
					return exitCode(exitDifferent)
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&engine, "engine", "", "the server: trino:http(s)://HOST:`PORT`")
	f.StringVarP(&file, "file", "f", "", "read the query from `FILE`; - is standard input")
	f.StringVar(&catalog, "catalog", "", "`CATALOG` of tables that are named without one")
	f.StringVar(&schema, "schema", "", "`SCHEMA` of tables that are named without one")
	f.StringVar(&sample, "sample", "", "audit a `SHARE` of the partitions, such as 1%")
	f.IntVar(&largest, "max-partition", audit.DefaultMaxPartition, "rows of the largest partition that is audited")
	f.IntVar(&reports, "max-reports", audit.DefaultMaxReports, "differing partitions that are shown in detail and made small")
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
