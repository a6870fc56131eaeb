package crosscheck

import (
	"context"
	"sort"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// Matrix says which wrong engine answers which case differently.
type Matrix struct {
	Wrong []string            // names of the wrong engines, in order
	Kills map[string][]string // by wrong engine: the cases that expose it
	By    map[string][]string // by case: the wrong engines that it exposes
	Odd   []Result            // answers that are no answer: panics, failures
}

// KillMatrix asks wrong engines about cases. A case exposes an engine whose
// answer differs from the expected one, or that refuses a case which is legal.
// A limit exposes nothing.
func KillMatrix(ctx context.Context, cases []*corpus.Case, wrong []Opinion, jobs int, progress func(done, total int)) (*Matrix, error) {
	m := &Matrix{Kills: map[string][]string{}, By: map[string][]string{}}
	for _, w := range wrong {
		m.Wrong = append(m.Wrong, w.Name())
	}
	// Hostile cases exhaust engines by design: only those that mistake the end of
	// a budget for an answer are asked them.
	var plain, hostile []*corpus.Case
	for _, c := range cases {
		if c.IsHostile() {
			hostile = append(hostile, c)
		} else {
			plain = append(plain, c)
		}
	}
	var rash []Opinion
	for _, w := range wrong {
		if isRash(w.Name()) {
			rash = append(rash, w)
		}
	}
	o := Options{Jobs: jobs, Timeout: mutantTimeout, Progress: progress}
	results, interrupted := Run(ctx, plain, wrong, o)
	more, interruptedToo := Run(ctx, hostile, rash, o)
	if interrupted || interruptedToo {
		return m, ctx.Err()
	}
	results = append(results, more...)
	for _, r := range results {
		switch {
		case strings.Contains(r.Reason, "internal error"), r.Verdict == oracle.Failed.String():
			m.Odd = append(m.Odd, r)
		case r.Verdict == oracle.Differs.String(), r.Verdict == oracle.Refused.String():
			m.Kills[r.Opinion] = append(m.Kills[r.Opinion], r.Case)
			m.By[r.Case] = append(m.By[r.Case], r.Opinion)
		}
	}
	return m, nil
}

// isRash reports a mutant that says "no match" when a budget runs out.
func isRash(name string) bool { return strings.HasPrefix(name, "faux-28") }

// Survivors returns the wrong engines that no case exposes.
func (m *Matrix) Survivors() []string {
	var out []string
	for _, w := range m.Wrong {
		if len(m.Kills[w]) == 0 {
			out = append(out, w)
		}
	}
	return out
}

// readingOpinion answers like an engine that takes another reading everywhere.
type readingOpinion struct {
	LocalOpinion
	setting string
}

// AlternativeReadings are opinions that take one reading each whatever a case
// asks for: every alternative, which is wrong where the default is meant, and
// every default, which is wrong where a case names an alternative.
func AlternativeReadings(e matcher.Engine) []Opinion {
	var out []Opinion
	for _, r := range readings.All() {
		for _, v := range r.Values() {
			setting := r.Rule + "=" + v
			out = append(out, &readingOpinion{LocalOpinion{Label: setting, Answer: Local{Engine: e}}, setting})
		}
	}
	return out
}

// Ask answers with the reading switched.
func (o *readingOpinion) Ask(ctx context.Context, cases []*corpus.Case) []Reply {
	other := make([]*corpus.Case, len(cases))
	for i, c := range cases {
		copied := *c
		if err := copied.Readings.Apply(o.setting); err != nil {
			panic(err) // the setting comes from the list of readings
		}
		other[i] = &copied
	}
	return o.LocalOpinion.Ask(ctx, other)
}

// Lint is what corpus lint finds.
type Lint struct {
	Matrix    *Matrix
	Inert     []string   // cases that no wrong engine answers differently
	Same      [][]string // cases equal after renaming variables; all but the first count for nothing
	Alone     []string   // cases that rest on the reference alone
	Confirmed map[string][]string
	Counted   map[string]int // by kind: cases that are neither inert nor repeated
	Cases     int
}

// NewLint judges a suite by its kill matrix and by a run of the opinions that
// confirm it.
func NewLint(cases []*corpus.Case, m *Matrix, confirm []Result) *Lint {
	l := &Lint{Matrix: m, Confirmed: map[string][]string{}, Counted: map[string]int{}, Cases: len(cases)}
	for _, r := range confirm {
		if r.Verdict == oracle.Agrees.String() {
			l.Confirmed[r.Case] = append(l.Confirmed[r.Case], r.Opinion)
		}
	}
	drop := map[string]bool{}
	first := map[string]int{}
	for _, c := range cases {
		if len(m.By[c.Name]) == 0 {
			l.Inert = append(l.Inert, c.Name)
			drop[c.Name] = true
		}
		key := renamed(c)
		if at, ok := first[key]; ok {
			l.Same[at] = append(l.Same[at], c.Name)
			drop[c.Name] = true
		} else {
			first[key] = len(l.Same)
			l.Same = append(l.Same, []string{c.Name})
		}
		if rests := l.Confirmed[c.Name]; c.By == "" && len(rests) < 2 {
			l.Alone = append(l.Alone, c.Name)
		}
		if !drop[c.Name] {
			l.Counted[c.Kind]++
		}
	}
	groups := l.Same[:0]
	for _, g := range l.Same {
		if len(g) > 1 {
			groups = append(groups, g)
		}
	}
	l.Same = groups
	return l
}

// renamed writes a case so that two cases are written alike if they are equal
// after renaming row pattern variables: each word of the input is numbered by
// its first occurrence, except the words of the language.
func renamed(c *corpus.Case) string {
	if c.Kind != corpus.Labels && c.Kind != corpus.Prefer {
		return strings.Join([]string{c.Kind, c.SQL, strings.Join(c.Reading, ","), strings.Join(c.Answer, "\n"), strings.Join(c.Item.Get("param"), ","), tablesKey(c)}, "\x00")
	}
	numbers := map[string]string{}
	var b strings.Builder
	word := ""
	flush := func() {
		if word == "" {
			return
		}
		if word == "PERMUTE" || isDigits(word) {
			b.WriteString(word)
		} else {
			if numbers[word] == "" {
				numbers[word] = "\x01" + string(rune('a'+len(numbers)))
			}
			b.WriteString(numbers[word])
		}
		word = ""
	}
	for _, r := range c.Pattern + "\x00" + c.Subset {
		if isWordRune(r) {
			word += string(r)
			continue
		}
		flush()
		if r != ' ' && r != '\n' && r != '\t' {
			b.WriteRune(r)
		}
	}
	flush()
	// Rows as sets of numbered names; names that the pattern has not do nothing.
	rows, err := labelRows(c)
	if err != nil {
		return c.Name
	}
	for _, row := range rows {
		var names []string
		for _, n := range row {
			if k := numbers[strings.ToUpper(n)]; k != "" {
				names = append(names, k)
			} else if k := numbers[n]; k != "" {
				names = append(names, k)
			}
		}
		sort.Strings(names)
		b.WriteString("/" + strings.Join(names, ""))
	}
	return c.Kind + b.String() + strings.Join(c.Reading, ",")
}

func tablesKey(c *corpus.Case) string {
	var out []string
	for _, t := range c.Tables {
		if strings.Contains(strings.ToUpper(c.SQL+" "+c.Over), t.Name) {
			out = append(out, t.Name+strings.Join(TableLines(t.Data, true), "\n"))
		}
	}
	return strings.Join(out, "\x00")
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func isWordRune(r rune) bool {
	return r == '_' || r == '"' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x7f
}
