package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
)

// ReadOptions says how an input file is read. Its zero value infers every type.
type ReadOptions struct {
	File       string  // name of the file, for errors
	Schema     []Field // names and types of columns; those that are not listed are inferred
	NoHeader   bool    // CSV without a header line: Schema names its columns in order
	MaxColumns int     // 0: DefaultMaxColumns
	MaxLine    int     // bytes of one record; 0: DefaultMaxLine
	MaxBytes   int64   // bytes of the whole, unpacked; 0: DefaultMaxBytes, for gzip DefaultMaxUnpacked
}

// The limits that hold if ReadOptions sets no others (LIM-1).
const (
	DefaultMaxColumns  = 4096
	DefaultMaxLine     = 16 << 20
	DefaultMaxBytes    = 16 << 30
	DefaultMaxUnpacked = 4 << 30
)

func (o ReadOptions) withDefaults() ReadOptions {
	if o.MaxColumns <= 0 {
		o.MaxColumns = DefaultMaxColumns
	}
	if o.MaxLine <= 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	return o
}

// ReadFile reads a file by the ending of its name: .csv is CSV; .jsonl,
// .ndjson and .json are JSON lines; .gz behind any of them is packed by gzip.
func ReadFile(path string, o ReadOptions) (*Table, error) {
	if o.File == "" {
		o.File = path
	}
	name, packed := strings.CutSuffix(strings.ToLower(path), ".gz")
	var read func(io.Reader, ReadOptions) (*Table, error)
	switch {
	case strings.HasSuffix(name, ".csv"):
		read = ReadCSV
	case strings.HasSuffix(name, ".jsonl"), strings.HasSuffix(name, ".ndjson"), strings.HasSuffix(name, ".json"):
		read = ReadJSONLines
	default:
		e := dataError("the kind of file %s is not known by its name", show(path))
		return nil, e.WithHint("name it .csv, .jsonl, .ndjson or .json, with .gz behind if it is packed")
	}
	file, err := os.Open(path)
	if err != nil {
		e := dataError("%s", err)
		e.Err = err
		return nil, e
	}
	defer file.Close()
	if packed {
		return readPacked(file, o, read)
	}
	return read(file, o)
}

// Read reads a table from a stream without a name: JSON lines if the first
// character that is not blank is a brace, else CSV; either may be packed by
// gzip.
func Read(r io.Reader, o ReadOptions) (*Table, error) {
	b := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return readPacked(b, o, readSniffed)
	}
	return readSniffed(b, o)
}

func readSniffed(r io.Reader, o ReadOptions) (*Table, error) {
	b, ok := r.(*bufio.Reader)
	if !ok {
		b = bufio.NewReaderSize(r, 64<<10)
	}
	start, _ := b.Peek(4 << 10)
	start = bytes.TrimLeft(bytes.TrimPrefix(start, []byte(byteOrder)), " \t\r\n")
	if bytes.HasPrefix(start, []byte("{")) {
		return ReadJSONLines(b, o)
	}
	return ReadCSV(b, o)
}

func readPacked(r io.Reader, o ReadOptions, read func(io.Reader, ReadOptions) (*Table, error)) (*Table, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxUnpacked
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		e := dataError("the file is not packed by gzip: %s", err)
		e.File, e.Err = o.File, err
		return nil, e
	}
	defer z.Close()
	return read(z, o)
}
