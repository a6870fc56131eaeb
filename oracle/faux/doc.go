// Package faux is an engine that lies on purpose: one Mutant for each published
// fault of a real engine, wrong in exactly that way and right everywhere else.
// A suite of cases is as good as the share of mutants that it exposes.
//
// The engine is a second implementation of the whole language behind the
// parser: its own search, its own evaluation of conditions, navigation and
// aggregates, its own scan, output and window procedure. A fault is a switch in
// it, so that no other package has a hook for lying. With no switch set (the
// mutant without a name) it is an honest third opinion, and must agree with the
// reference on everything; what both share is the parser, the binder, and the
// arithmetic of values.
//
//	fault.go, faults_*.go  what the faults are
//	mutant.go              a mutant as an engine
//	rewrite.go             pattern    faults that change the pattern before the search
//	tree.go                the pattern as the search reads it
//	search.go, loop.go     PREF-1 to PREF-10, MAT-1, PAT-7
//	threads.go             the search of one fault in breadth
//	candidates.go          the list of candidates, in the notation of the rulebook
//	scene.go, compile.go   DEF, COL, NAV, AGG, MEA: evaluation
//	navigate.go            NAV
//	aggregate.go           AGG
//	scan.go, skip.go       MAT-2 to MAT-4, SKIP
//	partition.go           NUL-1, NUL-2
//	output.go, columns.go  OUT, MEA
//	window.go              WIN
//	statement.go           whole statements
//	repair.go, lex.go      GRAM, ERR: mutants that accept what must be refused
//
// Searching is recursive and nothing is shared between attempts, so mutants are
// for small cases; a search that takes too long is an error of stage limit.
package faux
