// Package drift finds out whether a matcher, or a rewrite of patterns, prefers
// other matches than the rules do, and which rule decides.
//
// Random patterns, biased to what breaks matchers, are put to the subject and
// to the reference, row by row. Where the preferred match differs, pattern and
// rows are made as small as they get, both mappings are looked up in the
// candidate order of the pattern, and the place where their derivations part
// gives the rule. A rule that cannot be found so is never guessed.
//
//	subject.go       what can be checked: engines, functions, rewrites, other processes
//	rewrites.go      the rewrites of PREF-11, right and wrong, by name
//	run.go           Run: draw, ask, compare, reduce
//	adapt.go         what a subject does not know is not drawn
//	explain.go       the rule that decides between two mappings
//	text.go          a drift as text
//	keep.go          found inputs as case files, and back
//	queries.go       the same for whole queries
//
// A third party writes, for example:
//
//	report, err := drift.Run(ctx, drift.Options{N: 20_000}, drift.FromRewrite("mine", simplify, matcher.Limits{}))
package drift
