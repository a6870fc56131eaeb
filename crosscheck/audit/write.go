package audit

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Write writes the reports of a statement for people.
func Write(out io.Writer, list []*Report) error {
	w := bufio.NewWriter(out)
	for i, r := range list {
		if len(list) > 1 {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "recognition %d: %.70s ...\n", i+1, diag.Escape(strings.Join(strings.Fields(r.Clause), " ")))
		}
		r.write(w)
	}
	return w.Flush()
}

func (r *Report) write(w *bufio.Writer) {
	fmt.Fprintf(w, "%s with %s: %d differ", diag.Counted(r.Partitions, "partition"), diag.Counted(int(r.Rows), "row"), len(r.Differences))
	fmt.Fprintf(w, ", %d not audited\n", r.Skipped)
	if r.Moving > 0 {
		fmt.Fprintf(w, "%s differed on the first reading alone: the data move\n", diag.Counted(r.Moving, "partition"))
	}
	if r.Tied > 0 {
		fmt.Fprintf(w, "%s with rows that ORDER BY leaves in no order (NUL-3)", diag.Counted(r.Tied, "partition"))
		if r.TiedDiffer > 0 {
			fmt.Fprintf(w, ", %d of them fit none of their orders", r.TiedDiffer)
		}
		if len(r.Settle) > 0 {
			fmt.Fprintf(w, "; to settle it add one of these to ORDER BY: %s", diag.Escape(strings.Join(r.Settle, ", ")))
		} else {
			fmt.Fprint(w, "; no single column settles it")
		}
		fmt.Fprintln(w)
	}
	for i, s := range r.NotAudited {
		if i == 20 {
			fmt.Fprintf(w, "... and %d others\n", r.Skipped-i)
			break
		}
		fmt.Fprintf(w, "not audited: %s (%s): %s\n", diag.Escape(s.Key), diag.Counted(s.Rows, "row"), diag.Escape(s.Reason))
	}
	for _, d := range r.Differences {
		if d.Finding != nil || len(d.Missing)+len(d.Surplus) > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "partition %s (%s): %s of output by the rules, %d by the server\n", diag.Escape(d.Key), diag.Counted(d.Rows, "row"), diag.Counted(d.Expected, "row"), d.Got)
		for _, l := range d.Missing {
			fmt.Fprintf(w, "  should be there: %s\n", diag.Escape(l))
		}
		for _, l := range d.Surplus {
			fmt.Fprintf(w, "  should not be:   %s\n", diag.Escape(l))
		}
		switch {
		case d.Finding != nil:
			fmt.Fprint(w, "  the few rows that show it: ")
			diff.WriteFinding(w, d.Finding)
		case len(d.Missing)+len(d.Surplus) > 0:
			fmt.Fprintf(w, "  not made smaller: %s\n", diag.Escape(d.NotShrunk))
		}
	}
	if r.Interrupted {
		fmt.Fprintln(w, "\ninterrupted: this is what was found before")
	}
}
