package reportmd

import (
	"context"
	"fmt"
	"hash/fnv"

	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/reduce"
	"github.com/rprcheck/rprcheck/oracle"
)

// hashOf tells states of a case apart: its question and its answer.
func hashOf(c *corpus.Case) string {
	h := fnv.New32a()
	fmt.Fprint(h, reduce.Text(c))
	return fmt.Sprintf("%08x", h.Sum32())
}

// hashesOf are the hashes of cases by their names.
func hashesOf(cases []*corpus.Case) map[string]string {
	out := make(map[string]string, len(cases))
	for _, c := range cases {
		out[c.Name] = hashOf(c)
	}
	return out
}

// Opinion returns the recording as an opinion on the cases that were recorded
// in the state that they have now. A difference counts as known, since nobody
// can be asked again; the live engine is held against the list of what is known.
func (r *Recording) Opinion() crosscheck.Opinion {
	o := &opinion{of: r.Engine(), results: map[string]*crosscheck.Result{}}
	for i := range r.Stream.Results {
		o.results[r.Stream.Results[i].Case] = &r.Stream.Results[i]
	}
	return o
}

type opinion struct {
	of      crosscheck.Speaker
	results map[string]*crosscheck.Result
}

// Name says that the engine is not asked: its version, and the date.
func (o *opinion) Name() string { return o.of.Name + " " + o.of.Version + " recorded " + o.of.Recorded }

// Version is that of the engine.
func (o *opinion) Version(context.Context) (string, error) { return o.of.Version, nil }

// Batch is 1: cases are independent.
func (o *opinion) Batch() int { return 1 }

// Close does nothing.
func (o *opinion) Close() error { return nil }

// Ask gives what was recorded.
func (o *opinion) Ask(_ context.Context, cases []*corpus.Case) []crosscheck.Reply {
	out := make([]crosscheck.Reply, len(cases))
	for i, c := range cases {
		out[i] = o.reply(c)
	}
	return out
}

func (o *opinion) reply(c *corpus.Case) crosscheck.Reply {
	r := o.results[c.Name]
	if r == nil || r.Hash != hashOf(c) {
		return crosscheck.Reply{Verdict: oracle.NotComparable, Reason: "the case was not recorded as it is now"}
	}
	switch v, _ := oracle.ParseVerdict(r.Verdict); v {
	case oracle.Agrees:
		return crosscheck.Reply{Lines: c.Answer, Reason: r.Reason}
	case oracle.NotComparable:
		return crosscheck.Reply{Verdict: v, Reason: "REPORT.md says why"}
	default:
		return crosscheck.Reply{Verdict: oracle.KnownDifference, Reason: r.Verdict + ", see REPORT.md"}
	}
}

// Changes says where the results of a live run, in the same state of the cases,
// are not those of the recording: a case a line. Cases that only one of them has
// are left aside.
func (r *Recording) Changes(live []crosscheck.Result, cases []*corpus.Case) []string {
	hashes := hashesOf(cases)
	then := map[string]*crosscheck.Result{}
	for i, old := range r.Stream.Results {
		if old.Hash == hashes[old.Case] {
			then[old.Case] = &r.Stream.Results[i]
		}
	}
	var out []string
	for i := range live {
		now := &live[i]
		old := then[now.Case]
		if now.Opinion != r.Engine().Name || old == nil {
			continue
		}
		if kindOf(old) != kindOf(now) {
			out = append(out, fmt.Sprintf("%s: recorded as %s, now %s", now.Case, old.Verdict, now.Verdict))
		}
	}
	return out
}

// kindOf is what a verdict says of an engine, whether it is known or not.
func kindOf(r *crosscheck.Result) string {
	switch v, _ := oracle.ParseVerdict(r.Verdict); v {
	case oracle.Agrees, oracle.NotComparable, oracle.TimedOut:
		return r.Verdict
	}
	return "a difference"
}
