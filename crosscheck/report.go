package crosscheck

import (
	"encoding/xml"
	"fmt"
	"io"
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// tally counts verdicts.
type tally map[string]int

// cell writes the counts of a table cell: agreements, and the rest by name.
func (t tally) cell() string {
	parts := []string{fmt.Sprint(t[oracle.Agrees.String()])}
	for v := oracle.Differs; v <= oracle.TimedOut; v++ {
		if n := t[v.String()]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(parts, ", ")
}

// Grid is the table of a run: themes by opinions.
type Grid struct {
	Themes []string
	Cases  map[string]int // cases of a theme
	Cells  map[string]map[string]tally
	Totals map[string]tally
	Kinds  map[string]int // cases by kind
}

// NewGrid counts a stream.
func NewGrid(s *Stream) *Grid {
	g := &Grid{Cases: map[string]int{}, Cells: map[string]map[string]tally{}, Totals: map[string]tally{}, Kinds: map[string]int{}}
	seen := map[string]bool{}
	for _, r := range s.Results {
		theme, _, _ := strings.Cut(r.Case, "/")
		if g.Cells[theme] == nil {
			g.Cells[theme] = map[string]tally{}
			g.Themes = append(g.Themes, theme)
		}
		if !seen[r.Case] {
			seen[r.Case] = true
			g.Cases[theme]++
			g.Kinds[r.Kind]++
		}
		if g.Cells[theme][r.Opinion] == nil {
			g.Cells[theme][r.Opinion] = tally{}
		}
		if g.Totals[r.Opinion] == nil {
			g.Totals[r.Opinion] = tally{}
		}
		g.Cells[theme][r.Opinion][r.Verdict]++
		g.Totals[r.Opinion][r.Verdict]++
	}
	sort.Strings(g.Themes)
	return g
}

// rows returns the grid as text cells, header first.
func (g *Grid) rows(s *Stream) [][]string {
	head := []string{"theme", "cases"}
	for _, o := range s.Head.Opinions {
		head = append(head, o.Name)
	}
	out := [][]string{head}
	all := 0
	for _, theme := range g.Themes {
		row := []string{theme, fmt.Sprint(g.Cases[theme])}
		all += g.Cases[theme]
		for _, o := range s.Head.Opinions {
			row = append(row, g.Cells[theme][o.Name].cell())
		}
		out = append(out, row)
	}
	row := []string{"all", fmt.Sprint(all)}
	for _, o := range s.Head.Opinions {
		row = append(row, g.Totals[o.Name].cell())
	}
	return append(out, row)
}

// WriteTerminal writes the table, the reasons of what could not be compared,
// and every failure in full.
func WriteTerminal(w io.Writer, s *Stream) {
	g := NewGrid(s)
	rows := g.rows(s)
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], len(c))
		}
	}
	for n, row := range rows {
		if n == len(rows)-1 {
			fmt.Fprintln(w, strings.Repeat("-", sum(widths)+2*(len(widths)-1)))
		}
		for i, c := range row {
			if i > 0 {
				fmt.Fprint(w, "  ")
			}
			if i == len(row)-1 {
				fmt.Fprint(w, c)
			} else {
				fmt.Fprintf(w, "%-*s", widths[i], c)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	var kinds []string
	for k, n := range g.Kinds {
		kinds = append(kinds, fmt.Sprintf("%d %s", n, k))
	}
	sort.Strings(kinds)
	fmt.Fprintf(w, "cases by kind: %s\n", strings.Join(kinds, ", "))
	for _, o := range s.Head.Opinions {
		if o.Problem != "" {
			fmt.Fprintf(w, "%s gives no opinion: %s\n", o.Name, diag.Escape(o.Problem))
		}
	}
	for _, line := range reasons(s) {
		fmt.Fprintln(w, diag.Escape(line))
	}
	for _, r := range s.Results {
		if failing(r) {
			fmt.Fprintln(w)
			writeFailure(w, r)
		}
	}
	if s.Foot.Interrupted {
		fmt.Fprintln(w, "\ninterrupted: the table holds what was answered before")
	}
}

func sum(list []int) int {
	n := 0
	for _, x := range list {
		n += x
	}
	return n
}

// reasons counts what could not be compared, by opinion and reason.
func reasons(s *Stream) []string {
	count := map[string]int{}
	for _, r := range s.Results {
		if r.Verdict == oracle.NotComparable.String() || r.Verdict == oracle.KnownDifference.String() {
			reason := r.Reason
			if i := strings.Index(reason, ":"); i > 0 && strings.HasPrefix(reason, "limit") {
				reason = "limit"
			}
			count[r.Opinion+": "+r.Verdict+": "+reason]++
		}
	}
	var out []string
	for k, n := range count {
		out = append(out, fmt.Sprintf("%s (%d)", k, n))
	}
	sort.Strings(out)
	return out
}

func failing(r Result) bool {
	switch r.Verdict {
	case oracle.Agrees.String(), oracle.NotComparable.String(), oracle.KnownDifference.String():
		return false
	}
	return true
}

// writeFailure shows a failure: what should be, what is, and where they part.
func writeFailure(w io.Writer, r Result) {
	fmt.Fprintf(w, "%s: %s by %s (%s)\n", r.Case, r.Verdict, r.Opinion, corpus.RuleText(r.Rules))
	if r.File != "" {
		fmt.Fprintf(w, "  %s:%d\n", diag.Escape(r.File), r.Line)
	}
	if r.Reason != "" {
		fmt.Fprintf(w, "  %s\n", diag.Escape(r.Reason))
	}
	for i := range max(len(r.Expected), len(r.Answer)) {
		want, got := at(r.Expected, i), at(r.Answer, i)
		if want == got {
			continue
		}
		fmt.Fprintf(w, "  should be: %s\n  is:        %s\n             %s^\n", diag.Escape(want), diag.Escape(got), strings.Repeat(" ", commonPrefix(want, got)))
	}
	fmt.Fprintf(w, "  rprcheck corpus show '%s'\n", r.Case)
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// WriteMarkdown writes the table and the failures as Markdown.
func WriteMarkdown(w io.Writer, s *Stream) {
	rows := NewGrid(s).rows(s)
	for n, row := range rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = markdownEscape(c)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
		if n == 0 {
			fmt.Fprintln(w, "|"+strings.Repeat("---|", len(row)))
		}
	}
	fmt.Fprintln(w)
	for _, line := range reasons(s) {
		fmt.Fprintf(w, "- %s\n", markdownEscape(line))
	}
	for _, r := range s.Results {
		if failing(r) {
			fmt.Fprintf(w, "\n### %s: %s by %s\n\nRules: %s. %s\n\n```\nshould be:\n%s\nis:\n%s\n```\n", markdownEscape(r.Case), r.Verdict, markdownEscape(r.Opinion),
				corpus.RuleText(r.Rules), markdownEscape(r.Reason), fenced(r.Expected), fenced(r.Answer))
		}
	}
}

// markdownEscape makes text harmless in a Markdown table.
func markdownEscape(s string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`).Replace(diag.Escape(s))
}

// fenced makes lines harmless in a fenced block.
func fenced(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.ReplaceAll(diag.Escape(l), "```", "` ` `")
	}
	return strings.Join(out, "\n")
}

// WriteGitHub writes each failure as a workflow command of GitHub Actions.
func WriteGitHub(w io.Writer, s *Stream) {
	esc := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	for _, r := range s.Results {
		if failing(r) {
			fmt.Fprintf(w, "::error file=%s,line=%d,title=%s::%s\n", esc.Replace(diag.Escape(r.File)), r.Line, esc.Replace(diag.Escape(r.Case)),
				text.Replace(diag.Escape(fmt.Sprintf("%s by %s (%s) %s", r.Verdict, r.Opinion, corpus.RuleText(r.Rules), r.Reason))))
		}
	}
	total := tally{}
	for _, r := range s.Results {
		total[r.Verdict]++
	}
	fmt.Fprintf(w, "::notice title=rprcheck::%s\n", text.Replace(total.cell()))
}

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the stream as JUnit's XML: a suite for each opinion; what
// cannot be compared is skipped, with its reason.
func WriteJUnit(w io.Writer, s *Stream) error {
	var out junitSuites
	for _, o := range s.Head.Opinions {
		suite := junitSuite{Name: diag.Escape(o.Name)}
		for _, r := range s.Results {
			if r.Opinion != o.Name {
				continue
			}
			theme, _, _ := strings.Cut(r.Case, "/")
			c := junitCase{Class: theme, Name: diag.Escape(r.Case), Time: fmt.Sprintf("%.6f", float64(r.Micros)/1e6)}
			switch {
			case failing(r):
				suite.Failures++
				c.Failure = &junitMessage{Message: diag.Escape(r.Verdict + " " + r.Reason), Text: "should be:\n" + fenced(r.Expected) + "\nis:\n" + fenced(r.Answer)}
			case r.Verdict != oracle.Agrees.String():
				suite.Skipped++
				c.Skipped = &junitMessage{Message: diag.Escape(r.Verdict + ": " + r.Reason)}
			}
			suite.Tests++
			suite.Cases = append(suite.Cases, c)
		}
		out.Suites = append(out.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
