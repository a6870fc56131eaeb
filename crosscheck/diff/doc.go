// Package diff holds engines against the rules: the cases of the suite first,
// then generated patterns and queries. Every difference is made as small as it
// gets and explained, and differences of one cause are one finding.
//
//	engines.go   engines by their names: exec:CMD, perl, faux:ID, trino...
//	opinion.go   an engine as an opinion on cases: refusals, profile, ties
//	compare.go   when two answers are the same
//	viaquery.go  patterns put as queries to engines that run nothing else
//	explain.go   the rule by which an answer is wrong
//	run.go       a run: suite, generated inputs, findings
//	patterns.go  generated patterns: differences in piles by cause, reduced at the end
//	find.go      from differences to findings
//	queries.go   generated queries
//	write.go     table and findings as text, findings as JSON lines
package diff
