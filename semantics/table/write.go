package table

import (
	"fmt"
	"io"
	"strings"

	"github.com/rprcheck/rprcheck/semantics/value"
)

// WriteCSV writes the table.
func (t *Table) WriteCSV(w io.Writer) error { return t.writeSimple(w, ",") }

// WriteJSONLines writes the table.
func (t *Table) WriteJSONLines(w io.Writer) error { return t.writeSimple(w, ",") }

// WriteMarkdown writes the table.
func (t *Table) WriteMarkdown(w io.Writer) error { return t.writeSimple(w, " | ") }

// WriteText writes the table.
func (t *Table) WriteText(w io.Writer) error { return t.writeSimple(w, " ") }

func (t *Table) writeSimple(w io.Writer, sep string) error {
	for i := range t.n {
		cells := make([]string, len(t.cols))
		for j, c := range t.cols {
			cells[j] = value.Format(c.Value(i), c.Type)
		}
		if _, err := fmt.Fprintln(w, strings.Join(cells, sep)); err != nil {
			return err
		}
	}
	return nil
}
