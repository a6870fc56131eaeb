// Package gen makes random inputs for row pattern recognition, and makes
// failing ones smaller: patterns, rows of labels, typed tables, conditions,
// whole queries.
//
//	rand.go       the source of randomness: one seed, one stream a case
//	build.go      pattern trees as the parser makes them
//	pattern.go    Patterns: random patterns, biased to what plain ones hardly reach
//	rows.go       Rows: random sets of labels, some of them fitted to a pattern
//	input.go      a pattern with rows
//	all.go        every pattern and every input of a size
//	smaller.go    smaller patterns and rows; Minimize
//	tables.go     Tables: typed columns with NULLs, ties and partitions
//	condition.go  conditions of DEFINE, and measures
//	query.go      Queries: every output mode, skip form and window form
//	shapes.go     queries of large bounds, and of windows that begin at the first row
//	smaller_query.go  simpler queries
//
// Package gopters gives them as gopter generators.
//
// The drawing functions take a *Rand and use nothing else, so that a seed and
// the number of a case give the same input again on every machine.
package gen
