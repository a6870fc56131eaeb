package diff

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// verdictOrder is the order of verdicts in tables.
var verdictOrder = []oracle.Verdict{oracle.Agrees, oracle.Differs, oracle.Refused, oracle.KnownDifference, oracle.NotComparable, oracle.Failed, oracle.TimedOut}

// cell writes the counts of one engine and theme.
func cell(counts map[string]int) string {
	var parts []string
	for _, v := range verdictOrder {
		if n := counts[v.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, ", ")
}

// Table returns the table of engines by theme as text cells, header first.
func Table(s *crosscheck.Stream) [][]string {
	g := crosscheck.NewGrid(s)
	head := []string{"theme", "cases"}
	for _, o := range s.Head.Opinions {
		head = append(head, strings.TrimSpace(o.Name+" "+o.Version))
	}
	out := [][]string{head}
	all := 0
	row := func(name string, cases int, counts func(engine string) map[string]int) {
		line := []string{name, fmt.Sprint(cases)}
		for _, o := range s.Head.Opinions {
			line = append(line, cell(counts(o.Name)))
		}
		out = append(out, line)
	}
	for _, theme := range g.Themes {
		all += g.Cases[theme]
		row(theme, g.Cases[theme], func(e string) map[string]int { return g.Cells[theme][e] })
	}
	row("all", all, func(e string) map[string]int { return g.Totals[e] })
	return out
}

// Write writes a report for people: the table, what could not be compared, and
// every finding.
func Write(out io.Writer, r *Report) error {
	w := bufio.NewWriter(out)
	writeTable(w, Table(r.Stream))
	for _, o := range r.Stream.Head.Opinions {
		if o.Problem != "" {
			fmt.Fprintf(w, "%s gives no opinion: %s\n", diag.Escape(o.Name), diag.Escape(o.Problem))
		}
	}
	for _, line := range notes(r.Stream) {
		fmt.Fprintln(w, diag.Escape(line))
	}
	for _, g := range r.Generated {
		fmt.Fprintf(w, "%s: %d random %s (seed %d): %d agree, %s, %d without an answer\n", diag.Escape(g.Engine), g.Tried, g.What, r.Seed, g.Agree, g.differing(), sum(g.Passed))
		if len(g.Unknown) > 0 {
			fmt.Fprintf(w, "  not drawn, since the engine refuses them: %s\n", diag.Escape(strings.Join(g.Unknown, ", ")))
		}
	}
	for _, e := range r.Stale {
		fmt.Fprintf(w, "%s:%d: the entry %s %s no longer holds: %s agrees\n", diag.Escape(e.File), e.Line, e.Kind, diag.Escape(e.Name), diag.Escape(e.Shows()))
	}
	fmt.Fprintf(w, "\n%s\n", diag.Counted(len(r.Findings), "finding"))
	for i, f := range r.Findings {
		fmt.Fprintf(w, "\n%d. ", i+1)
		WriteFinding(w, f)
	}
	if r.Interrupted {
		fmt.Fprintln(w, "\ninterrupted: this is what was found before")
	}
	return w.Flush()
}

func sum(m map[string]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

func writeTable(w io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], len(c))
		}
	}
	for n, row := range rows {
		line := ""
		for i, c := range row {
			if i > 0 {
				line += "  "
			}
			line += fmt.Sprintf("%-*s", widths[i], diag.Escape(c))
		}
		if n == len(rows)-1 {
			fmt.Fprintln(w, strings.Repeat("-", len([]rune(strings.TrimRight(line, " ")))))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	fmt.Fprintln(w)
}

// notes counts by engine what was not compared, and what agrees but for
// something, by reason.
func notes(s *crosscheck.Stream) []string {
	count := map[string]int{}
	for _, r := range s.Results {
		if r.Reason == "" || r.Verdict != oracle.NotComparable.String() && r.Verdict != oracle.Agrees.String() && r.Verdict != oracle.KnownDifference.String() {
			continue
		}
		reason := r.Reason
		if r.Verdict == oracle.NotComparable.String() {
			reason = shape(reason)
		}
		count[r.Opinion+": "+r.Verdict+": "+reason]++
	}
	var out []string
	for k, n := range count {
		out = append(out, fmt.Sprintf("%s (%d)", k, n))
	}
	sort.Strings(out)
	return out
}

// WriteFinding writes a finding so that it can be pasted into an issue.
func WriteFinding(w io.Writer, f *Finding) {
	fmt.Fprintf(w, "%s %s: %s, rule %s\n", diag.Escape(f.Engine), f.Verdict, f.View, f.Rule)
	var alone faux.Fault // explains the finding alone
	if len(f.Mutants) == 1 {
		alone, _ = faux.Lookup(f.Mutants[0])
	}
	if f.Why != "" && f.Why != alone.What {
		fmt.Fprintf(w, "   %s\n", diag.Escape(f.Why))
	}
	if f.Reason != "" {
		fmt.Fprintf(w, "   the engine says: %s\n", diag.Escape(f.Reason))
	}
	switch len(f.Mutants) {
	case 0:
	case 1:
		fmt.Fprintf(w, "   as mutant %s would: %s\n", faultNames(f.Mutants), alone.What)
	default:
		fmt.Fprintf(w, "   as an engine with the fault %s answers\n", faultNames(f.Mutants))
	}
	fmt.Fprintf(w, "   seen %d times", f.Count)
	if f.Generated > 0 {
		fmt.Fprintf(w, ", %d of them on random inputs", f.Generated)
	}
	if len(f.Cases) > 0 {
		shown := f.Cases
		more := ""
		if len(shown) > 3 {
			shown, more = shown[:3], " ..."
		}
		fmt.Fprintf(w, ": %s%s", diag.Escape(strings.Join(shown, " ")), more)
	}
	fmt.Fprintln(w)
	for line := range strings.Lines(f.Case) {
		fmt.Fprintf(w, "     %s\n", diag.Escape(strings.TrimRight(line, "\n")))
	}
	if len(f.Answer) > 0 {
		fmt.Fprintf(w, "   the engine answers:\n")
		for _, l := range f.Answer {
			fmt.Fprintf(w, "     %s\n", diag.Escape(l))
		}
	}
	if f.SQL != "" {
		fmt.Fprintf(w, "   as SQL:\n")
		for line := range strings.Lines(f.SQL) {
			fmt.Fprintf(w, "     %s\n", diag.Escape(strings.TrimRight(line, "\n")))
		}
	}
}

// faultNames writes faults with their names, the first few of them.
func faultNames(list []string) string {
	var out []string
	for i, id := range list {
		if i == 3 {
			out = append(out, fmt.Sprintf("%d others", len(list)-i))
			break
		}
		f, _ := faux.Lookup(id)
		out = append(out, strings.TrimSpace(id+" "+f.Name))
	}
	return strings.Join(out, ", or ")
}

// WriteFindings writes findings as JSON lines, from which a report is made.
func WriteFindings(w io.Writer, list []*Finding) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, f := range list {
		if err := enc.Encode(f); err != nil {
			return err
		}
	}
	return nil
}

// ReadFindings reads what WriteFindings wrote.
func ReadFindings(name string, r io.Reader) ([]*Finding, error) {
	var out []*Finding
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), 64<<20)
	for n := 1; sc.Scan(); n++ {
		f := &Finding{}
		err := json.Unmarshal(sc.Bytes(), f)
		if err == nil && f.Type != "finding" {
			err = fmt.Errorf("the line is of type %q, not finding", f.Type)
		}
		if err != nil {
			e := diag.New(diag.Syntax, "DATA-1", diag.Pos{Line: n, Column: 1}, "%v", err).WithHint("findings are what rprcheck diff --findings wrote")
			e.File = name
			return nil, e
		}
		out = append(out, f)
	}
	return out, sc.Err()
}

// differing says how many inputs differ, and how much of that is known.
func (g *Generated) differing() string {
	out := fmt.Sprintf("%d differ (%d of them known", g.Differing, g.Known)
	if g.Reduced > 0 {
		out += fmt.Sprintf("; %d were reduced", g.Reduced)
	}
	if g.Left > 0 {
		out += fmt.Sprintf(", %d more like some of these were not", g.Left)
	}
	return out + ")"
}
