package table

import (
	"bufio"
	"fmt"
	"strings"
	"unicode"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// cell returns a value for people: NULL as NULL, control characters escaped.
func (c *Column) cell(row int) string {
	if c.IsNull(row) {
		return "NULL"
	}
	return diag.Escape(string(c.appendPlain(nil, row)))
}

func (t *Table) writeText(w *bufio.Writer, o WriteOptions) {
	heads := make([][]string, 1, 2)
	for _, c := range t.cols {
		heads[0] = append(heads[0], diag.Escape(c.Name))
	}
	if o.Types {
		heads = append(heads, t.typeNames())
	}
	widths := make([]int, len(t.cols))
	for i, c := range t.cols {
		for _, h := range heads {
			widths[i] = max(widths[i], textWidth(h[i]))
		}
		for row := range t.n {
			widths[i] = max(widths[i], textWidth(c.cell(row)))
		}
	}
	for _, h := range heads {
		t.writeLine(w, widths, func(i int) string { return h[i] })
	}
	for i, n := range widths {
		switch {
		case len(widths) == 1:
			w.WriteString(strings.Repeat("-", n))
		case i == 0:
			w.WriteString(strings.Repeat("-", n+1))
		case i == len(widths)-1:
			w.WriteString("+" + strings.Repeat("-", n+1))
		default:
			w.WriteString("+" + strings.Repeat("-", n+2))
		}
	}
	w.WriteByte('\n')
	for row := range t.n {
		if t.writeLine(w, widths, func(i int) string { return t.cols[i].cell(row) }) != nil {
			return
		}
	}
	fmt.Fprintf(w, "(%s)\n", diag.Counted(t.n, "row"))
}

// writeLine writes one line of aligned columns, without blanks at its end.
func (t *Table) writeLine(w *bufio.Writer, widths []int, text func(i int) string) error {
	pad := 0
	for i, c := range t.cols {
		if i > 0 {
			writeBlanks(w, pad)
			w.WriteString(" | ")
		}
		s := text(i)
		pad = widths[i] - textWidth(s)
		if c.Type.IsNumeric() {
			writeBlanks(w, pad)
			pad = 0
		}
		w.WriteString(s)
	}
	return w.WriteByte('\n')
}

func writeBlanks(w *bufio.Writer, n int) {
	for range n {
		w.WriteByte(' ')
	}
}

func (t *Table) typeNames() []string {
	names := make([]string, len(t.cols))
	for i, c := range t.cols {
		names[i] = c.Type.String()
	}
	return names
}

// textWidth returns the columns that a text takes on a terminal, nearly.
func textWidth(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x300:
			n++
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// isWide reports the large blocks of characters that terminals show two
// columns wide.
func isWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6,
		r >= 0x1f300 && r <= 0x1f64f, r >= 0x1f680 && r <= 0x1f6ff, r >= 0x1f900 && r <= 0x1f9ff,
		r >= 0x20000 && r <= 0x3fffd:
		return true
	}
	return false
}

// markdownEscapes makes the characters literal that Markdown takes as markup
// within a cell.
var markdownEscapes = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `*`, `\*`, "`", "\\`", `<`, `\<`)

func (t *Table) writeMarkdown(w *bufio.Writer, o WriteOptions) {
	line := func(text func(i int) string) error {
		for i := range t.cols {
			w.WriteString("| ")
			w.WriteString(text(i))
			w.WriteByte(' ')
		}
		_, err := w.WriteString("|\n")
		return err
	}
	line(func(i int) string { return diag.Escape(markdownEscapes.Replace(t.cols[i].Name)) })
	line(func(i int) string {
		if t.cols[i].Type.IsNumeric() {
			return "---:"
		}
		return "---"
	})
	if o.Types {
		names := t.typeNames()
		line(func(i int) string { return "*" + names[i] + "*" })
	}
	for row := range t.n {
		if line(func(i int) string {
			c := t.cols[i]
			if c.IsNull(row) {
				return "NULL"
			}
			return diag.Escape(markdownEscapes.Replace(string(c.appendPlain(nil, row))))
		}) != nil {
			return
		}
	}
}
