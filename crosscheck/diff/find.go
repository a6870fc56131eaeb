package diff

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/reduce"
	"github.com/rprcheck/rprcheck/fuzz/drift"
	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/semantics"
)

// Finding is one way in which an engine leaves the rules, with the smallest case
// that shows it. As a JSON line it is what a report is made from.
type Finding struct {
	Type      string   `json:"type"` // finding
	ID        string   `json:"id"`   // the same for the same case of the same engine
	Engine    string   `json:"engine"`
	Version   string   `json:"version,omitempty"`
	Verdict   string   `json:"verdict"`           // differs, refused, failed, timed-out
	View      string   `json:"view"`              // pattern, query, refuse
	Rule      string   `json:"rule"`              // or unexplained
	Why       string   `json:"why,omitempty"`     // why the rule decides
	Mutants   []string `json:"mutants,omitempty"` // faults that alone give this answer
	Reason    string   `json:"reason,omitempty"`  // the engine's message
	Count     int      `json:"count"`             // differences with this cause
	Cases     []string `json:"cases,omitempty"`   // of the suite: the first ones
	Generated int      `json:"generated,omitempty"`
	Kind      string   `json:"kind"`
	Case      string   `json:"case"`          // in the format of the case files
	SQL       string   `json:"sql,omitempty"` // as the engine got it
	Expected  []string `json:"expected"`      // of the rules
	Answer    []string `json:"answer,omitempty"`
	size      int
}

// The views of a case: what kind of question it is.
const (
	ViewPattern = "pattern"
	ViewQuery   = "query"
	ViewRefuse  = "refuse"
)

func viewOf(kind string) string {
	switch kind {
	case corpus.Labels, corpus.Match, corpus.Prefer:
		return ViewPattern
	case corpus.Refuse:
		return ViewRefuse
	}
	return ViewQuery
}

// mostCases is how many cases of the suite a finding names.
const mostCases = 12

// difference is a case on which an engine is not what it should be.
type difference struct {
	c         *corpus.Case
	reply     crosscheck.Reply
	cause     Cause
	generated bool
}

// finder makes findings of the differences of one engine.
type finder struct {
	engine   *Engine
	mutants  *Mutants
	tries    int
	late     context.Context // for explanations: ends a moment after the run's
	buckets  []*bucket       // not reduced yet
	findings []*Finding
	progress func(done, total int)
}

// verdict of a reply that is a difference.
func verdictOf(r crosscheck.Reply) oracle.Verdict {
	if r.Verdict == 0 {
		return oracle.Differs
	}
	return r.Verdict
}

// explain says why a difference is one. What has no answer is told apart by its
// message.
func (f *finder) explain(ctx context.Context, c *corpus.Case, r crosscheck.Reply) Cause {
	if r.Verdict == 0 {
		cause := f.mutants.Explain(ctx, c, r.Lines)
		if ctx.Err() != nil { // not every mutant was asked
			cause = Cause{Rule: drift.Unexplained}
		}
		return cause
	}
	cause := Cause{Rule: drift.Unexplained}
	if len(c.Rules) > 0 {
		cause.Rule = c.Rules[0]
	}
	switch r.Verdict {
	case oracle.Refused:
		cause.Why = "legal SQL is refused"
	case oracle.TimedOut:
		cause.Why = "no answer in time"
	default:
		cause.Why = "the engine fails"
	}
	return cause
}

// sameCause reports that two differences have one cause.
func sameCause(a crosscheck.Reply, ca Cause, b crosscheck.Reply, cb Cause) bool {
	if verdictOf(a) != verdictOf(b) {
		return false
	}
	if a.Verdict != 0 {
		return shape(a.Reason) == shape(b.Reason)
	}
	if len(ca.Mutants) > 0 && len(cb.Mutants) > 0 {
		return ca.Rule == cb.Rule && len(common(ca.Mutants, cb.Mutants)) > 0
	}
	return ca.Rule == cb.Rule && len(ca.Mutants) == len(cb.Mutants)
}

func common(a, b []string) []string {
	var out []string
	for _, x := range a {
		if slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

var (
	quotedText = regexp.MustCompile(`'[^']*'|"[^"]*"|` + "`[^`]*`")
	digits     = regexp.MustCompile(`[0-9]+`)
)

// shape is what a message has in common with others of its kind: names, texts
// and numbers are left out.
func shape(message string) string {
	s := digits.ReplaceAllString(quotedText.ReplaceAllString(message, "'...'"), "#")
	if i := strings.Index(s, ". Did you mean"); i > 0 {
		s = s[:i]
	}
	if len(s) > 120 {
		s = s[:120]
	}
	return strings.ToLower(strings.Join(strings.Fields(s), " "))
}

// bucket are differences that seem to have one cause before they are reduced.
type bucket struct {
	smallest difference
	weight   int
	count    int
	cases    []string
	random   int
}

// add makes findings of differences.
func (f *finder) add(ctx context.Context, list []difference) {
	for _, d := range list {
		f.put(d)
	}
	f.settle(ctx)
}

// put puts a difference to those of the same seeming cause. Of each cause the
// smallest is kept and all are counted, so that a frequent one crowds out none.
func (f *finder) put(d difference) {
	d.cause = f.explain(f.late, d.c, d.reply)
	weight := len(reduce.Input(d.c))
	i := slices.IndexFunc(f.buckets, func(b *bucket) bool {
		return viewOf(b.smallest.c.Kind) == viewOf(d.c.Kind) && sameCause(b.smallest.reply, b.smallest.cause, d.reply, d.cause) &&
			(d.reply.Verdict != 0 || d.cause.Rule != drift.Unexplained || sameRule(b.smallest.c, d.c) && signature(b.smallest.c.Answer, b.smallest.reply.Lines) == signature(d.c.Answer, d.reply.Lines))
	})
	if i < 0 {
		f.buckets = append(f.buckets, &bucket{smallest: d, weight: weight})
		i = len(f.buckets) - 1
	}
	b := f.buckets[i]
	b.count++
	if d.generated {
		b.random++
	} else if len(b.cases) < mostCases {
		b.cases = append(b.cases, d.c.Name)
	}
	// A case that says what rule it is about stands before one that does not.
	named, other := d.cause.Rule != drift.Unexplained, b.smallest.cause.Rule != drift.Unexplained
	if named && !other || named == other && weight < b.weight {
		b.smallest, b.weight = d, weight
	}
}

// settle reduces the smallest difference of each seeming cause and explains it
// anew; what then has one cause is one finding. After an interruption the
// differences stand as they are.
func (f *finder) settle(ctx context.Context) {
	for i, b := range f.buckets {
		if f.progress != nil {
			f.progress(i, len(f.buckets))
		}
		f.merge(f.reduced(ctx, b))
	}
	f.buckets = nil
}

const (
	patientTries     = 6
	longestReduction = 40 * time.Second
)

// sameRule puts unexplained differences together by what their cases are about;
// generated ones are about no rule.
func sameRule(a, b *corpus.Case) bool {
	return slices.Equal(a.Rules[:min(1, len(a.Rules))], b.Rules[:min(1, len(b.Rules))]) && a.Theme() == b.Theme()
}

// reduced reduces the smallest case of a bucket to a finding.
func (f *finder) reduced(ctx context.Context, b *bucket) *Finding {
	d := b.smallest
	if ctx.Err() != nil {
		return f.finding(d, b)
	}
	unexplained := d.reply.Verdict == 0 && d.cause.Rule == drift.Unexplained
	kind := signature(d.c.Answer, d.reply.Lines)
	last := d
	tries := f.tries
	if d.reply.Verdict == oracle.TimedOut {
		tries = patientTries // each of them takes as long as the engine may think
	}
	limited, cancel := context.WithTimeout(ctx, longestReduction)
	defer cancel()
	smallest, _ := reduce.Case(limited, d.c, reduce.Options{
		Tries:  tries,
		Answer: rules.Answer,
		Same: func(ctx context.Context, c *corpus.Case) bool {
			if !sameQuestion(d.c, c) {
				return false
			}
			r := f.engine.Ask(ctx, c)
			if ctx.Err() != nil || !isDifference(c, r) || verdictOf(r) != verdictOf(d.reply) {
				return false
			}
			cause := f.explain(ctx, c, r)
			if !unexplained && !sameCause(d.reply, d.cause, r, cause) || unexplained && signature(c.Answer, r.Lines) != kind {
				return false
			}
			last = difference{c: c, reply: r, cause: cause}
			return true
		},
	})
	if last.c != smallest { // nothing could be left out
		last.c = smallest
	}
	return f.finding(last, b)
}

// sameQuestion keeps a reduction with the question: a refusal stays the refusal
// by the same rule, and a legal case stays legal.
func sameQuestion(from, to *corpus.Case) bool {
	if from.Kind != corpus.Refuse {
		return true
	}
	return slices.Equal(errorOf(from.Answer), errorOf(to.Answer))
}

// errorOf is stage and rule of the expected error, without its place.
func errorOf(lines []string) []string {
	words := strings.Fields(strings.Join(lines, " "))
	return words[:min(2, len(words))]
}

// isDifference reports that a reply to a case is not as it should be.
func isDifference(c *corpus.Case, r crosscheck.Reply) bool {
	switch r.Verdict {
	case 0:
		same, _ := Compare(c, c.Answer, r.Lines)
		return !same
	case oracle.Refused, oracle.Failed, oracle.TimedOut, oracle.Differs:
		return true
	}
	return false
}

func (f *finder) finding(d difference, b *bucket) *Finding {
	if d.cause.Rule != drift.Unexplained && d.c.Kind != corpus.Refuse {
		d.c.Rules = []string{d.cause.Rule}
	}
	d.c.ID = strings.ToLower(d.cause.Rule)
	out := &Finding{Type: "finding", Engine: f.engine.Name, Version: f.engine.Version, Verdict: verdictOf(d.reply).String(),
		View: viewOf(d.c.Kind), Rule: d.cause.Rule, Why: d.cause.Why, Mutants: d.cause.Mutants, Reason: d.reply.Reason, Count: b.count, Cases: b.cases, Generated: b.random,
		Kind: d.c.Kind, Case: reduce.Text(d.c), Expected: d.c.Answer, Answer: d.reply.Lines}
	out.size = len(out.Case)
	if q := questionOf(d.c); q != nil {
		out.SQL = f.engine.SQL(q)
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%s\n%s", out.Engine, out.Case)
	out.ID = fmt.Sprintf("%08x", h.Sum32())
	return out
}

// questionOf is a case as it is put to an engine, for its SQL.
func questionOf(c *corpus.Case) *oracle.Case {
	q := &oracle.Case{ID: c.Name, Readings: c.Reading}
	for _, t := range c.Tables {
		q.Tables = append(q.Tables, oracle.Table{Name: t.Name, Data: t.Data})
	}
	for _, p := range c.Params {
		q.Params = append(q.Params, oracle.Param{Name: p.Name, Type: p.Value.Type, Value: p.Value.Value})
	}
	switch c.Kind {
	case corpus.Labels:
		rows, err := reduce.Rows(c)
		if err != nil {
			return nil
		}
		q.Op, q.Pattern, q.Subset, q.Rows, q.Tables = oracle.Map, c.Pattern, c.Subset, rows, nil
	case corpus.Match, corpus.Refuse:
		q.Op, q.SQL = oracle.Query, c.SQL
		if c.Over != "" {
			q.SQL = "SELECT * FROM " + c.Over + " " + c.SQL
		}
	case corpus.Recognize, corpus.Window:
		q.Op, q.SQL = oracle.Query, c.SQL
	default:
		return nil
	}
	return q
}

// faces puts together the findings that are faces of one fault. One that a single
// mutant explains takes those that this mutant explains as well: cases that other
// mutants explain too, and the same fault in patterns and in whole queries.
func (f *finder) faces() {
	for i := 0; i < len(f.findings); i++ {
		one := f.findings[i]
		if one.fault() == "" {
			continue
		}
		var rest []*Finding
		for _, other := range f.findings {
			if other == one || other.View == ViewRefuse || other.Verdict != one.Verdict || !slices.Contains(other.Mutants, one.fault()) {
				rest = append(rest, other)
			}
		}
		at := slices.Index(rest, one)
		for _, other := range f.findings {
			if slices.Contains(rest, other) {
				continue
			}
			if other.fault() == rest[at].fault() && other.size < rest[at].size {
				rest[at] = other.with(rest[at], rest[at].Cases, other.Cases)
			} else {
				rest[at] = rest[at].with(other, rest[at].Cases, other.Cases)
			}
		}
		f.findings, i = rest, at
	}
}

// fault is the mutant that explains a finding alone; "" if there is none.
func (f *Finding) fault() string {
	if len(f.Mutants) != 1 || f.View == ViewRefuse {
		return ""
	}
	if fault, _ := faux.Lookup(f.Mutants[0]); !slices.Contains(fault.Rules, f.Rule) {
		return ""
	}
	return f.Mutants[0]
}

// with returns the finding as that of the differences of another one, too.
func (f *Finding) with(other *Finding, cases ...[]string) *Finding {
	f.Count, f.Generated = f.Count+other.Count, f.Generated+other.Generated
	f.Cases = slices.Concat(cases...)
	f.Cases = f.Cases[:min(len(f.Cases), mostCases)]
	if both := common(f.Mutants, other.Mutants); len(both) > 0 {
		f.Mutants = both
	}
	return f
}

// merge adds a finding to those of the same cause; the smaller case stands.
func (f *finder) merge(n *Finding) {
	for i, old := range f.findings {
		a := crosscheck.Reply{Reason: old.Reason}
		b := crosscheck.Reply{Reason: n.Reason}
		if old.Verdict != oracle.Differs.String() {
			a.Verdict, _ = oracle.ParseVerdict(old.Verdict)
		}
		if n.Verdict != oracle.Differs.String() {
			b.Verdict, _ = oracle.ParseVerdict(n.Verdict)
		}
		if old.View != n.View || !sameCause(a, Cause{Rule: old.Rule, Mutants: old.Mutants}, b, Cause{Rule: n.Rule, Mutants: n.Mutants}) ||
			n.Rule == drift.Unexplained && n.Verdict == oracle.Differs.String() && skeleton(old) != skeleton(n) {
			continue
		}
		small, other := old, n
		if n.size < old.size {
			small, other = n, old
		}
		f.findings[i] = small.with(other, old.Cases, n.Cases)
		return
	}
	f.findings = append(f.findings, n)
}

var (
	ownNames = regexp.MustCompile(`\b[a-z][a-z0-9_]*\b`)
	blanks   = regexp.MustCompile(`\s+`)
)

// skeleton is what the questions of two unexplained findings have in common if
// they are the same but for names of tables and columns, texts and numbers.
func skeleton(f *Finding) string {
	_, question, _ := strings.Cut(f.Case[strings.LastIndex(f.Case, " rule=")+1:], "\n")
	question, _, _ = strings.Cut(question, "\n----")
	s := digits.ReplaceAllString(ownNames.ReplaceAllString(quotedText.ReplaceAllString(question, "''"), "x"), "#")
	return signature(f.Expected, f.Answer) + " " + blanks.ReplaceAllString(s, " ")
}

// labelsCase makes a case of a pattern over rows of labels, with the answer of
// the rules.
func labelsCase(ctx context.Context, name string, p *semantics.Pattern, rows [][]string) (*corpus.Case, error) {
	c := reduce.Labelled(name, p.String(), rows)
	lines, err := rules.Answer(ctx, c)
	c.Answer = lines
	return c, err
}

// random names a generated case by its text.
func randomName(kind, input string) string {
	h := fnv.New32a()
	h.Write([]byte(input))
	return fmt.Sprintf("generated/%s#%08x", kind, h.Sum32())
}

// Reduce makes the difference of an engine on a case small. There is no finding
// where the engine does not differ; the reply says what it answers then.
func Reduce(ctx context.Context, e *Engine, c *corpus.Case, tries int) (*Finding, crosscheck.Reply) {
	f := &finder{engine: e, mutants: NewMutants(), tries: tries, late: ctx}
	reply := e.Ask(ctx, c)
	if ctx.Err() != nil || !isDifference(c, reply) {
		return nil, reply
	}
	d := difference{c: c, reply: reply, cause: f.explain(ctx, c, reply)}
	return f.reduced(ctx, &bucket{smallest: d, count: 1, cases: []string{c.Name}}), reply
}
