package drift

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rprcheck/rprcheck/fuzz/gen"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// MappingText writes a mapping in the rulebook's notation: 1A 2B for rows
// counted from 1, {2B} an excluded row; "empty" and "no match".
func MappingText(m oracle.Mapping, start int) string {
	switch {
	case !m.Found:
		return "no match"
	case len(m.Vars) == 0:
		return "empty"
	}
	out := make([]string, len(m.Vars))
	for i, name := range m.Vars {
		out[i] = fmt.Sprintf("%d%s", start+i+1, diag.Escape(name))
		if m.Excluded != nil && m.Excluded[i] {
			out[i] = "{" + out[i] + "}"
		}
	}
	return strings.Join(out, " ")
}

// String describes a drift in a few lines.
func (d *Drift) String() string {
	var b strings.Builder
	line := func(label, format string, args ...any) {
		fmt.Fprintf(&b, "  %-11s%s\n", label, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "drift: %s decides\n", d.Rule)
	line("pattern", "%s", d.Pattern)
	if d.Rewritten != "" {
		line("rewritten", "%s", d.Rewritten)
	}
	line("rows", "%s", gen.RowsText(d.Rows))
	line("at row", "%d", d.Start+1)
	want, is := MappingText(d.Preferred, d.Start), MappingText(d.Got, d.Start)
	width := max(len(want), len(is))
	line("should be", "%-*s  %s", width, want, d.Ours)
	line("is", "%-*s  %s", width, is, d.Theirs)
	line("because", "%s: %s", d.Rule, d.Why)
	line("to see", "rprcheck prefer %s --max-rows %d", quote(d.Pattern.String()), len(d.Rows)-d.Start)
	if d.Case >= 0 {
		line("found", "seed %d, case %d: %s on %s", d.Seed, d.Case, d.Drawn.Pattern, gen.RowsText(d.Drawn.Rows))
	} else {
		line("found", "among the kept inputs")
	}
	return b.String()
}

// quote puts a word of a command line in quotes.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// String gives notation and place of a candidate.
func (c Candidate) String() string {
	switch {
	case !c.Listed:
		return "(no candidate)"
	case c.Place == 0:
		return fmt.Sprintf("candidate %q", c.Text)
	}
	return fmt.Sprintf("candidate %d, %q", c.Place, c.Text)
}

// String sums a run up in one line and one for each reason of inputs that
// were not compared.
func (r *Report) String() string {
	head := fmt.Sprintf("%s: seed %d, %d patterns, %d inputs compared on %d rows, %d differ (%d different drifts)",
		strings.TrimSpace(diag.Escape(r.Subject+" "+r.Version)), r.Seed, r.Drawn, r.Compared, r.Rows, r.Differing, len(r.Drifts))
	text := summary(head, r.Failed, r.Interrupted, r.Unknown, r.Passed)
	for _, f := range r.Failures {
		text += fmt.Sprintf("  %s: %s\n", f.Input, f.Reason)
	}
	return text
}

func summary(head string, failed int, interrupted bool, unknown []string, passed map[string]int) string {
	var b strings.Builder
	b.WriteString(head)
	if failed > 0 {
		fmt.Fprintf(&b, ", %d failed", failed)
	}
	if interrupted {
		b.WriteString(", interrupted")
	}
	b.WriteByte('\n')
	if len(unknown) > 0 {
		fmt.Fprintf(&b, "  not asked, since the subject refuses it: %s\n", strings.Join(unknown, ", "))
	}
	reasons := slices.SortedFunc(maps.Keys(passed), func(x, y string) int {
		if passed[x] != passed[y] {
			return passed[y] - passed[x]
		}
		return strings.Compare(x, y)
	})
	for _, reason := range reasons {
		fmt.Fprintf(&b, "  %d %s\n", passed[reason], diag.Escape(reason))
	}
	return b.String()
}
