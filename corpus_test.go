package rprcheck_test

import (
	"context"
	"flag"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
	"github.com/rprcheck/rprcheck"
	"github.com/rprcheck/rprcheck/crosscheck"
	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// engines are the matchers that every case is run on.
var engines = []matcher.Engine{reference.Engine{}, enumerate.Engine{}, nfa.Engine{Fallback: reference.Engine{}}}

// caseFiles reads every case file of the suite.
func caseFiles(t *testing.T) []*corpus.File {
	t.Helper()
	names, err := corpus.Walk(rprcheck.Corpus, rprcheck.CorpusRoot)
	if err != nil || len(names) == 0 {
		t.Fatalf("no case files: %v", err)
	}
	var files []*corpus.File
	for _, name := range names {
		data, err := fs.ReadFile(rprcheck.Corpus, name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := corpus.ReadItems(name, strings.NewReader(string(data)))
		if err != nil {
			t.Error(err)
			continue
		}
		files = append(files, f)
	}
	return files
}

// hostileTimeout is how long a matcher may take for a hostile case.
const hostileTimeout = time.Second

// TestCorpus runs every case of testdata/rpr on every matcher. With -rewrite the
// expected texts of pattern cases become what the reference says.
func TestCorpus(t *testing.T) {
	for _, f := range caseFiles(t) {
		cases, errs := corpus.Decode(f)
		for _, err := range errs {
			t.Error(err)
		}
		for _, c := range cases {
			if len(c.Rules) == 0 {
				t.Errorf("%s rests on no rule", c.Name)
			}
		}
		t.Run(f.Name, func(t *testing.T) {
			changed := false
			for _, c := range cases {
				for _, e := range engines {
					t.Run("#"+c.ID+"/"+e.Name(), func(t *testing.T) {
						ctx := t.Context()
						if c.IsHostile() {
							var cancel context.CancelFunc
							ctx, cancel = context.WithTimeout(ctx, hostileTimeout)
							defer cancel()
						}
						got, err := crosscheck.Local{Engine: e}.Answer(ctx, c)
						switch e := diag.From(err); {
						case e == nil:
						case e.Stage == diag.Unsupported:
							t.Skip(e.Message)
						case c.Limit && e.Stage == diag.Limit:
							got, err = []string{"limit"}, nil
						case c.IsHostile() && (ctx.Err() != nil || e.Stage == diag.Limit):
							// A budget that runs out is no answer.
							t.Skip("not comparable: limit")
						default:
							got = []string{err.Error()}
						}
						if crosscheck.SameAnswer(c, c.Answer, got) {
							return
						}
						if rewriting() && c.IsPattern() && c.By == "" && err == nil && e.Name() == "reference" {
							c.Item.Expected = strings.Join(got, "\n") + "\n"
							changed = true
							return
						}
						t.Errorf("%s:%d: %s (%s)\n%s\nshould be (-) and is (+):\n%s", c.File, c.Line, c.Name, strings.Join(c.Rules, ", "), c.Item.Input, cmp.Diff(c.Answer, got))
					})
				}
			}
			if changed {
				rewriteFile(t, f)
			}
		})
	}
}

// rewriting reports datadriven's flag -rewrite.
func rewriting() bool {
	f := flag.Lookup("rewrite")
	return f != nil && f.Value.String() == "true"
}

func rewriteFile(t *testing.T, f *corpus.File) {
	t.Helper()
	source, err := os.ReadFile(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := corpus.Write(&b, string(source), f); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadersAgree holds the command's reader of case files against datadriven's:
// both see the same directives, arguments, inputs and expected texts.
func TestReadersAgree(t *testing.T) {
	type item struct {
		Kind, Input, Expected string
		Args                  []corpus.Arg
	}
	for _, f := range caseFiles(t) {
		var ours, theirs []item
		for _, it := range f.Items {
			ours = append(ours, item{it.Kind, it.Input, it.Expected, it.Args})
		}
		datadriven.RunTest(t, f.Path, func(t *testing.T, d *datadriven.TestData) string {
			it := item{Kind: d.Cmd, Input: d.Input, Expected: d.Expected}
			for _, a := range d.CmdArgs {
				it.Args = append(it.Args, corpus.Arg{Key: a.Key, Vals: a.Vals})
			}
			theirs = append(theirs, it)
			return d.Expected
		})
		if diff := cmp.Diff(ours, theirs); diff != "" {
			t.Errorf("%s: ours (-) and datadriven's (+):\n%s", f.Path, diff)
		}
	}
}
