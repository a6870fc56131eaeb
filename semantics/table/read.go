package table

import (
	"io"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// ReadOptions says how an input file is read. Its zero value infers every type.
type ReadOptions struct {
	File       string  // name of the file, for errors
	Schema     []Field // names and types of columns; those that are not listed are inferred
	NoHeader   bool    // CSV without a header line: Schema names its columns in order
	MaxColumns int     // 0: DefaultMaxColumns
	MaxLine    int     // bytes of one record; 0: DefaultMaxLine
	MaxBytes   int64   // bytes of the whole, unpacked; 0: DefaultMaxBytes
}

// ReadCSV reads a table.
func ReadCSV(r io.Reader, o ReadOptions) (*Table, error) {
	return nil, diag.New(diag.Unsupported, "DATA-1", diag.Pos{}, "CSV is not read yet")
}

// ReadJSONLines reads a table.
func ReadJSONLines(r io.Reader, o ReadOptions) (*Table, error) {
	return nil, diag.New(diag.Unsupported, "DATA-1", diag.Pos{}, "JSON lines are not read yet")
}

// ReadFile reads a table.
func ReadFile(path string, o ReadOptions) (*Table, error) {
	return nil, diag.New(diag.Unsupported, "DATA-1", diag.Pos{}, "files are not read yet")
}

// ParseSchema reads a schema string.
func ParseSchema(s string) ([]Field, error) {
	return nil, diag.New(diag.Unsupported, "DATA-1", diag.Pos{}, "schemas are not read yet")
}
