package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// stdinPath stands for standard input.
const stdinPath = "-"

// inputFormats are the values of --input-format.
var inputFormats = []string{"csv", "jsonl"}

// tables are the flags that say which tables a statement can name, and what
// has been read of them.
type tables struct {
	flags   []string    // --table
	schema  []string    // --schema
	format  string      // --input-format
	files   bool        // a file named in quotes in FROM is read
	empty   bool        // a table that has a schema but no file is one without rows
	emptied bool        // such a table was used
	unknown bool        // a table was looked for that is not there
	failed  *diag.Error // of a file that could not be read
	ctx     context.Context
	stdin   io.Reader
	meter   *meter
	names   []string // as --table and --schema give them, folded
	paths   map[string]string
	schemas map[string][]table.Field
	read    map[string]*table.Table // by name, or by path for files named in FROM
}

func (ts *tables) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&ts.flags, "table", nil, "`name=path` of a table: .csv with a header, .jsonl, .ndjson or .json with an object a line, also packed as .gz; - is standard input (repeatable)")
	f.StringArrayVar(&ts.schema, "schema", nil, "types of a table's columns, which are inferred otherwise: `'t(id bigint, price decimal(10,2))'` (repeatable)")
	f.StringVar(&ts.format, "input-format", "", "csv or jsonl, for all tables, instead of what their names say")
	complete(cmd, "input-format", inputFormats...)
}

// prepare checks the flags.
func (ts *tables) prepare(cmd *cobra.Command, stdinTaken bool) error {
	ts.ctx, ts.stdin = cmd.Context(), cmd.InOrStdin()
	ts.paths, ts.schemas, ts.read = map[string]string{}, map[string][]table.Field{}, map[string]*table.Table{}
	if ts.format != "" && !slices.Contains(inputFormats, ts.format) {
		return usagef(cmd, "there is no input format %.60q; --input-format is csv or jsonl", ts.format)
	}
	for _, s := range ts.flags {
		name, path, ok := strings.Cut(s, "=")
		if name = table.FoldName(strings.TrimSpace(name)); !ok || name == "" || path == "" {
			return usagef(cmd, "--table is written name=path, not %.60q", s)
		}
		if _, ok := ts.paths[name]; ok {
			return usagef(cmd, "--table gives the table %s twice", name)
		}
		if path == stdinPath {
			if stdinTaken {
				return usagef(cmd, "standard input cannot be read twice")
			}
			stdinTaken = true
		}
		ts.paths[name] = path
		ts.names = append(ts.names, name)
	}
	// A file that is not there is said at once, whether or not the statement names
	// its table.
	for _, name := range ts.names {
		if path := ts.paths[name]; path != stdinPath {
			if _, err := os.Stat(path); err != nil {
				return &wrongInput{unreadable(path, err)}
			}
		}
	}
	for _, s := range ts.schema {
		if err := ts.parseSchema(cmd, s); err != nil {
			return err
		}
	}
	slices.Sort(ts.names)
	ts.names = slices.Compact(ts.names)
	return nil
}

// parseSchema reads name(columns) or name=columns.
func (ts *tables) parseSchema(cmd *cobra.Command, s string) error {
	wrong := usagef(cmd, "--schema is written 'table(column type, ...)', not %.60q", s)
	name, rest := s, ""
	if strings.HasPrefix(s, `"`) {
		end := strings.Index(s[1:], `"`)
		if end < 0 {
			return wrong
		}
		name, rest = s[1:1+end], strings.TrimSpace(s[2+end:])
	} else if i := strings.IndexAny(s, "(="); i >= 0 {
		name, rest = table.FoldName(strings.TrimSpace(s[:i])), s[i:]
	}
	columns, inBrackets := strings.CutPrefix(rest, "(")
	if inBrackets {
		closed := false
		if columns, closed = strings.CutSuffix(strings.TrimSpace(columns), ")"); !closed {
			return wrong
		}
	} else if columns, _ = strings.CutPrefix(rest, "="); columns == rest {
		return wrong
	}
	if _, ok := ts.schemas[name]; ok || name == "" {
		return wrong
	}
	fields, err := table.ParseSchema(columns)
	if err != nil {
		return &wrongInput{err}
	}
	ts.schemas[name] = fields
	if ts.empty {
		ts.names = append(ts.names, name)
	}
	return nil
}

// none reports that no table was given in any way.
func (ts *tables) none() bool { return len(ts.names) == 0 }

// lookup finds a table by its name in the statement and reads it once.
func (ts *tables) lookup(name string, quoted bool) (*table.Table, bool, error) {
	if t, ok := ts.read[name]; ok {
		return t, true, nil
	}
	path, ok := ts.paths[name]
	fields, typed := ts.schemas[name]
	var t *table.Table
	var err error
	switch {
	case ok:
		t, err = ts.open(path, fields)
	case typed && ts.empty:
		ts.emptied = true
		t, err = emptyTable(fields)
	case quoted && ts.files && isFile(name):
		t, err = ts.open(name, fields)
	default:
		ts.unknown = true
		return nil, false, nil
	}
	if err != nil {
		failed := *diag.From(err) // as it is: a place in it is one in the file
		ts.failed = &failed
		return nil, false, err
	}
	ts.read[name] = t
	return t, true, nil
}

func emptyTable(fields []table.Field) (*table.Table, error) {
	columns := make([]*table.Column, len(fields))
	for i, f := range fields {
		columns[i] = table.NewBuilder(f.Name, f.Type).Column()
	}
	return table.New(columns...)
}

// isFile reports whether a name in quotes means a file: one that exists, or one
// that looks like a data file.
func isFile(name string) bool {
	if format, _ := formatOf(name); format != "" {
		return true
	}
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// formatOf tells format and packing by the ending of a file's name.
func formatOf(path string) (format string, packed bool) {
	path, packed = strings.CutSuffix(strings.ToLower(path), ".gz")
	switch filepath.Ext(path) {
	case ".csv":
		return "csv", packed
	case ".jsonl", ".ndjson", ".json":
		return "jsonl", packed
	}
	return "", packed
}

// open reads a file, or standard input.
func (ts *tables) open(path string, fields []table.Field) (*table.Table, error) {
	o := table.ReadOptions{File: path, Schema: fields}
	format, packed := formatOf(path)
	if ts.format != "" {
		format = ts.format
	}
	if path == stdinPath {
		o.File = "standard input"
		in := ts.meter.reading(o.File, 0, cancellable{ts.ctx, ts.stdin})
		switch format {
		case "csv":
			return table.ReadCSV(in, o)
		case "jsonl":
			return table.ReadJSONLines(in, o)
		}
		return table.Read(in, o)
	}
	if format == "" {
		return nil, diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "the name of the file %.200q does not tell its format", path).
			WithHint("say --input-format csv or --input-format jsonl")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close()
	size := int64(0)
	if info, err := file.Stat(); err == nil {
		size = info.Size()
	}
	in := ts.meter.reading(path, size, cancellable{ts.ctx, file})
	if packed {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, unreadable(path, err)
		}
		defer z.Close()
		in, o.MaxBytes = z, table.DefaultMaxUnpacked
	}
	if format == "csv" {
		return table.ReadCSV(in, o)
	}
	return table.ReadJSONLines(in, o)
}

// cancellable ends an input when the command is interrupted.
type cancellable struct {
	ctx context.Context
	io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

func unreadable(path string, err error) error {
	var cause *os.PathError
	if errors.As(err, &cause) {
		err = cause.Err
	}
	return diag.New(diag.Runtime, "DATA-1", diag.Pos{}, "the file %.200q cannot be read: %s", path, err).
		WithHint("check the path, and that the file is what its name says")
}

// wrongInput is wrong usage that has a place in the text of a flag.
type wrongInput struct{ error }

// maxStatement is how much of a file or of standard input is read as a
// statement; the lexer sets the limit of its size.
const maxStatement = 64 << 20

// statement are the flags that give an SQL statement.
type statement struct{ file string }

func (s *statement) register(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&s.file, "file", "f", "", "file with the statement; - is standard input")
}

// text returns the statement, from the argument or from the file.
func (s *statement) text(cmd *cobra.Command, args []string) (string, error) {
	switch {
	case len(args) > 1:
		return "", usagef(cmd, "one statement is run at a time; put it in quotes for the shell")
	case len(args) == 1 && s.file != "":
		return "", usagef(cmd, "the statement is given twice: as an argument and by -f")
	case len(args) == 1:
		return args[0], nil
	case s.file == "":
		return "", usagef(cmd, "a statement is missing; write it in quotes, or -f FILE")
	}
	in := cmd.InOrStdin()
	if s.file != stdinPath {
		file, err := os.Open(s.file)
		if err != nil {
			return "", unreadable(s.file, err)
		}
		defer file.Close()
		in = file
	}
	sql, err := io.ReadAll(io.LimitReader(in, maxStatement))
	if err != nil {
		return "", unreadable(s.file, err)
	}
	return string(bytes.TrimPrefix(sql, []byte("\ufeff"))), nil
}

// located says which file an error lies in, if it has a place in the statement.
func (s *statement) located(err error, sql string) error {
	var e *diag.Error
	if s.file == "" || !errors.As(err, &e) || e.File != "" || e.Source != sql {
		return err
	}
	named := *e
	if named.File = s.file; s.file == stdinPath {
		named.File = "standard input,"
	}
	return &named
}
