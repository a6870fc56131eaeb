package table

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// Format is an output format.
type Format uint8

// The formats. Text and Markdown are for people: control characters are
// escaped in them. CSV and JSONLines are for programs and keep every value.
const (
	Text Format = iota
	CSV
	JSONLines
	Markdown
)

// Formats lists the names of the formats.
var Formats = []string{"table", "csv", "jsonl", "markdown"}

// ParseFormat returns the format of a name of Formats.
func ParseFormat(name string) (Format, bool) {
	for i, f := range Formats {
		if f == name {
			return Format(i), true
		}
	}
	return Text, false
}

// WriteOptions says how a table is written.
type WriteOptions struct {
	Types    bool // Text and Markdown: types under the names
	NoHeader bool // CSV: the rows alone, for the pieces of a table behind the first
}

// Write writes the table in a format.
func (t *Table) Write(w io.Writer, f Format, o WriteOptions) error {
	out := bufio.NewWriterSize(w, 64<<10)
	switch f {
	case CSV:
		t.writeCSV(out, o)
	case JSONLines:
		t.writeJSONLines(out)
	case Markdown:
		t.writeMarkdown(out, o)
	default:
		t.writeText(out, o)
	}
	return out.Flush() // a bufio.Writer keeps its first error
}

// WriteCSV writes a header line and a line for each row. NULL is an empty
// field, the empty string a quoted one; binary strings are hexadecimal digits,
// arrays are JSON. ReadCSV with the schema t.Fields() reads it back.
func (t *Table) WriteCSV(w io.Writer) error { return t.Write(w, CSV, WriteOptions{}) }

// WriteJSONLines writes a JSON object for each row, with exact digits.
func (t *Table) WriteJSONLines(w io.Writer) error { return t.Write(w, JSONLines, WriteOptions{}) }

// WriteMarkdown writes a table in Markdown.
func (t *Table) WriteMarkdown(w io.Writer) error { return t.Write(w, Markdown, WriteOptions{}) }

// WriteText writes aligned columns, numbers to the right.
func (t *Table) WriteText(w io.Writer) error { return t.Write(w, Text, WriteOptions{}) }

// appendPlain appends a value that is not NULL as it stands between the quotes
// of its literal.
func (c *Column) appendPlain(dst []byte, row int) []byte {
	switch {
	case c.store == storeStrings && c.Type.Kind == value.Varchar:
		return append(dst, c.StringAt(row)...)
	case c.store == storeInts && c.Type.IsInteger():
		return strconv.AppendInt(dst, c.ints[row], 10)
	}
	return value.AppendFormat(dst, c.Value(row), c.Type)
}

// writeNames writes the header line of CSV.
func (t *Table) writeNames(w *bufio.Writer) {
	var line []byte
	for i, c := range t.cols {
		if i > 0 {
			line = append(line, ',')
		}
		at := len(line)
		line = quoteField(append(line, c.Name...), at)
	}
	w.Write(append(line, '\n'))
}

func (t *Table) writeCSV(w *bufio.Writer, o WriteOptions) {
	if !o.NoHeader {
		t.writeNames(w)
	}
	var line []byte
	for row := range t.n {
		line = line[:0]
		for i, c := range t.cols {
			if i > 0 {
				line = append(line, ',')
			}
			if c.IsNull(row) {
				continue
			}
			at := len(line)
			switch c.Type.Kind {
			case value.Array:
				line = value.AppendJSON(line, c.Value(row), c.Type)
			default:
				line = c.appendPlain(line, row)
			}
			line = quoteField(line, at)
		}
		line = append(line, '\n')
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// quoteField puts quotation marks around line[at:], the last field of line, if
// it needs them.
func quoteField(line []byte, at int) []byte {
	field := line[at:]
	if len(field) > 0 && !needsQuotes(field) {
		return line
	}
	text := strings.ReplaceAll(string(field), `"`, `""`)
	line = append(line[:at], '"')
	line = append(line, text...)
	return append(line, '"')
}

func needsQuotes(field []byte) bool {
	for _, b := range field {
		if csvStop[b] {
			return true
		}
	}
	return strings.HasPrefix(unsafeString(field), byteOrder)
}

func (t *Table) writeJSONLines(w *bufio.Writer) {
	keys := make([][]byte, len(t.cols))
	for i, c := range t.cols {
		keys[i] = append(value.AppendJSON(nil, value.String(c.Name), value.TypeVarchar), ':')
	}
	var line []byte
	for row := range t.n {
		line = append(line[:0], '{')
		for i, c := range t.cols {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(line, keys[i]...)
			line = value.AppendJSON(line, c.Value(row), c.Type)
		}
		line = append(line, '}', '\n')
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}
