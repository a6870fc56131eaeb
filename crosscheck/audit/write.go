package audit

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Write writes a report for people.
func Write(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d partitions with %d rows: %d differ, %d were not audited\n", r.Partitions, r.Rows, len(r.Differences), len(r.NotAudited))
	if r.Moving > 0 {
		fmt.Fprintf(w, "%d partitions differed on the first reading alone: the data move\n", r.Moving)
	}
	if r.Tied > 0 {
		fmt.Fprintf(w, "%d partitions have rows that ORDER BY leaves in no order (NUL-3)", r.Tied)
		if r.TiedDiffer > 0 {
			fmt.Fprintf(w, ", %d of them fit none", r.TiedDiffer)
		}
		if len(r.Settle) > 0 {
			fmt.Fprintf(w, "; one of these columns behind the others would settle it: %s", diag.Escape(strings.Join(r.Settle, ", ")))
		}
		fmt.Fprintln(w)
	}
	for i, s := range r.NotAudited {
		if i == 20 {
			fmt.Fprintf(w, "... and %d others\n", len(r.NotAudited)-i)
			break
		}
		fmt.Fprintf(w, "not audited: %s (%d rows): %s\n", diag.Escape(s.Key), s.Rows, diag.Escape(s.Reason))
	}
	for _, d := range r.Differences {
		fmt.Fprintf(w, "\npartition %s, %d rows: %d rows of output by the rules, %d by the server\n", diag.Escape(d.Key), d.Rows, d.Expected, d.Got)
		for _, l := range d.Missing {
			fmt.Fprintf(w, "  should be there: %s\n", diag.Escape(l))
		}
		for _, l := range d.Surplus {
			fmt.Fprintf(w, "  should not be:   %s\n", diag.Escape(l))
		}
		if d.Finding != nil {
			fmt.Fprint(w, "  the few rows that show it: ")
			diff.WriteFinding(w, d.Finding)
		} else {
			fmt.Fprintf(w, "  not made smaller: %s\n", diag.Escape(d.NotShrunk))
		}
	}
	if r.Interrupted {
		fmt.Fprintln(w, "\ninterrupted: this is what was found before")
	}
	return w.Flush()
}
