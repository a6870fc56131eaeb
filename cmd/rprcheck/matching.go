package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/enumerate"
	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

// fastest is the matcher for data, whose answers are those of the reference.
var fastest = nfa.Engine{Fallback: reference.Engine{}}

// matchers are what --matcher selects from; the first is the authority.
var matchers = []matcher.Engine{reference.Engine{}, enumerate.Engine{}, fastest}

// matching are the flags of every command that matches.
type matching struct {
	matcher  string
	readings []string
	steps    int64
	rows     int64
	permute  int
}

// register registers the flags; name is the default of --matcher.
func (m *matching) register(cmd *cobra.Command, name string) {
	m.registerSearch(cmd)
	cmd.Flags().StringVar(&m.matcher, "matcher", name, "matcher that searches: "+strings.Join(matcherNames(), ", "))
	complete(cmd, "matcher", matcherNames()...)
}

// registerSearch registers the flags of a command that searches with the
// reference matcher only.
func (m *matching) registerSearch(cmd *cobra.Command) {
	m.matcher = matchers[0].Name()
	f := cmd.Flags()
	f.Int64Var(&m.steps, "max-steps", matcher.DefaultSteps, "condition tests of the search from one row; 0 for no limit")
	f.Int64Var(&m.rows, "max-rows", matcher.DefaultRows, "rows of one match; 0 for no limit")
	f.IntVar(&m.permute, "max-permute", matcher.DefaultPermute, "elements of one PERMUTE; 0 for no limit")
	f.StringArrayVar(&m.readings, "reading", nil, "choose a `RULE=VALUE` that the standard leaves open (repeatable; rprcheck readings lists them)")
	var values []string
	for _, r := range readings.All() {
		for _, v := range r.Values() {
			values = append(values, r.Rule+"="+v)
		}
	}
	complete(cmd, "reading", values...)
}

// complete offers fixed words as completions of a flag.
func complete(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist
	}
}

func matcherNames() []string {
	var names []string
	for _, e := range matchers {
		names = append(names, e.Name())
	}
	return names
}

func (m *matching) engine(cmd *cobra.Command) (matcher.Engine, error) {
	for _, e := range matchers {
		if e.Name() == m.matcher {
			return e, nil
		}
	}
	return nil, usagef(cmd, "there is no matcher %.60q; --matcher is one of %s", m.matcher, strings.Join(matcherNames(), ", "))
}

func (m *matching) limits(cmd *cobra.Command) (matcher.Limits, error) {
	if m.steps < 0 || m.rows < 0 || m.permute < 0 {
		return matcher.Limits{}, usagef(cmd, "a limit is not negative; 0 means none")
	}
	// A limit of 0 is none here, and the default there.
	none := func(n int64) int64 {
		if n == 0 {
			return -1
		}
		return n
	}
	return matcher.Limits{Steps: none(m.steps), Rows: none(m.rows), Permute: int(none(int64(m.permute)))}, nil
}

func (m *matching) set(cmd *cobra.Command) (readings.Set, error) {
	set, err := readings.Parse(m.readings...)
	if err != nil {
		return set, &wrongInput{err}
	}
	return set, nil
}
