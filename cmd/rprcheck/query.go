package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/crosscheck/explain"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// pieceRows is how many input rows are matched before their result is written,
// where the result can come in pieces.
const pieceRows = 1 << 20

func newQuery() *cobra.Command {
	var (
		m      matching
		ts     = tables{files: true}
		st     statement
		params []string
		format string
		types  bool
		check  bool
	)
	cmd := &cobra.Command{
		Use:   "query [SQL]",
		Short: "Run a query over files",
		Long: `query runs a statement with MATCH_RECOGNIZE, or with a row pattern in a window,
and prints its result. Tables are files, named by --table or in quotes in FROM.
Types of columns are inferred (exact decimals, ISO dates and timestamps) or
given by --schema. An unquoted empty CSV field is NULL.

A large result with ALL ROWS PER MATCH is written as partitions are matched, in
the formats csv and jsonl, and so need not fit into memory.`,
		Example: `  rprcheck query --table ticker=testdata/sample/ticker.csv -f testdata/sample/ticker.sql
  rprcheck query "SELECT * FROM (VALUES (1, 90), (2, 80)) AS t(day, price)
    MATCH_RECOGNIZE (ORDER BY day MEASURES LAST(price) AS bottom
    PATTERN (DOWN+) DEFINE DOWN AS price < PREV(price)) AS m"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			out, ok := table.ParseFormat(format)
			switch {
			case !ok:
				return usagef(cmd, "there is no format %.60q; --format is one of %s", format, strings.Join(table.Formats, ", "))
			case types && (out == table.CSV || out == table.JSONLines):
				return usagef(cmd, "--types is for the formats table and markdown")
			}
			meter := newMeter(cmd.ErrOrStderr())
			defer meter.finish()
			ts.meter, ts.empty = meter, check
			run, err := prepare(cmd, args, &m, &ts, &st, params)
			if err != nil {
				return err
			}
			bound, err := run.bind(check && ts.none())
			if err != nil {
				return st.located(run.advised(err, &ts), run.sql)
			}
			if check {
				return writeAccepted(cmd.OutOrStdout(), bound)
			}
			size := math.MaxInt // what people read is aligned, and so comes whole
			if out == table.CSV || out == table.JSONLines {
				size = pieceRows
			}
			o := table.WriteOptions{Types: types}
			return st.located(bound.Pieces(cmd.Context(), size, func(piece *table.Table) error {
				meter.finish()
				err := piece.Write(cmd.OutOrStdout(), out, o)
				o.NoHeader = true
				return err
			}), run.sql)
		},
	}
	m.register(cmd, fastest.Name())
	ts.register(cmd)
	st.register(cmd)
	registerParams(cmd, &params)
	f := cmd.Flags()
	f.StringVar(&format, "format", table.Formats[0], "format of the result: "+strings.Join(table.Formats, ", "))
	f.BoolVar(&types, "types", false, "print the types of the columns under their names")
	f.BoolVar(&check, "check", false, "accept or refuse the statement, without running it")
	complete(cmd, "format", table.Formats...)
	return cmd
}

// prepared is a statement with all that it needs.
type prepared struct {
	sql     string
	options query.Options
	engine  matcher.Engine
	limits  matcher.Limits
}

// prepare reads the flags that query and explain share.
func prepare(cmd *cobra.Command, args []string, m *matching, ts *tables, st *statement, params []string) (*prepared, error) {
	p := &prepared{}
	var err error
	if p.engine, err = m.engine(cmd); err != nil {
		return nil, err
	}
	if p.limits, err = m.limits(cmd); err != nil {
		return nil, err
	}
	if p.options.Readings, err = m.set(cmd); err != nil {
		return nil, err
	}
	if p.options.Params, err = parseParams(cmd, params); err != nil {
		return nil, err
	}
	if p.sql, err = st.text(cmd, args); err != nil {
		return nil, err
	}
	if err = ts.prepare(cmd, st.file == stdinPath); err != nil {
		return nil, err
	}
	p.options.Tables, p.options.Names = ts.lookup, ts.names
	p.options.Recognizer = matcher.Using(ts.meter.watch(p.engine), p.limits)
	return p, nil
}

// bind parses and binds the statement.
func (p *prepared) bind(untyped bool) (*query.Bound, error) {
	st, err := query.Parse(p.sql, p.options.Readings)
	if err != nil {
		return nil, err
	}
	p.options.Untyped = untyped
	return query.Bind(st, p.options)
}

// advised gives an error of binding the place that it has in an input file, and
// adds what the command line can do about it: give a table that is missing,
// choose a reading under which the statement is accepted.
func (p *prepared) advised(err error, ts *tables) error {
	var e *diag.Error
	if !errors.As(err, &e) {
		return err
	}
	if ts.failed != nil && ts.failed.Pos.IsValid() && e.Rule == ts.failed.Rule {
		return ts.failed // the place is one in the file, not in the statement
	}
	more := *e
	switch {
	case ts.unknown && e.Rule == "NAME-1":
		more.Hint += "; a table is given as --table name=path, or as a file's name in double quotes"
	case e.Rule == "DATA-1", e.Stage != diag.Syntax && e.Stage != diag.Semantic:
		return err
	default:
		choices := explain.Acceptable(p.sql, p.options)
		if len(choices) == 0 {
			return err
		}
		more.Hint += "; the standard leaves this open, and it is accepted with --reading " + strings.Join(choices, " or --reading ")
	}
	more.Hint = strings.TrimPrefix(more.Hint, "; ")
	return &more
}

// writeAccepted says that a statement breaks no rule, and what columns it has.
func writeAccepted(w io.Writer, b *query.Bound) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "accepted")
	if b.Untyped {
		fmt.Fprintln(out, "no tables were given: their columns have no types, so what needs types was not checked")
	}
	width := 0
	for _, c := range b.Columns() {
		width = max(width, len([]rune(diag.Escape(c.Name))))
	}
	for _, c := range b.Columns() {
		fmt.Fprintf(out, "  %-*s  %s\n", width, diag.Escape(c.Name), c.Type)
	}
	return out.Flush()
}
