// Package nfa is the optimised matcher: exact like the reference, and linear in
// the rows wherever conditions do not read how earlier rows are mapped.
//
// # Which file says what
//
//	engine.go       compiling a clause, choosing a tier, the walk of a match
//	unroll.go       pattern to instructions: bounds unrolled, runs counted
//	automaton.go    instructions to positions and ordered lists
//	classify.go     conjuncts of DEFINE: row-local, start-determined, match-dependent
//	facts.go        what all paths to a position have in common
//	labels.go       row-local conditions to one class a row
//	sets.go, dfa.go the reverse pass over classes: which positions are viable
//	viable.go       the same with words of bits (T2b), and with runs (T2c)
//	view.go         the viability of an attempt, window frames included
//	search.go       backtracking for conditions that read the match (T3)
//	frame.go        what these conditions read of the path, as words
//	registers.go    the same as rows, with undo, where words cannot hold it
//	memo.go         failures, with what later conditions still read
//	forward.go      one path, found going forward (T1)
//	carry.go        overlapping matches (T2n)
//	window.go       windows that begin at the first row (T2w), and frames
//	scene.go        what rewritten expressions are evaluated in
//	places.go       one class for each string of a column of categories
//	partition.go    partitions and their order; scatter.go where they lie apart
//	scan.go         whole tables: chunks of partitions, in parallel
//	output.go       measures to columns; batch.go where rows say it all
//
// # Tiers
//
// n rows, m positions. Row numbers (4 bytes a row, of a chunk where the table is
// in order) and the output come on top.
//
//	tier  chosen when                                  time        bytes a row
//	T0    no row satisfies what every match needs      n           1 (classes)
//	T1    each class of rows leaves one way            n           1
//	T2    conditions are row-local, few states         n           1 + 2 (states)
//	T2b   more than 4,096 states or 1,024 positions    n m/64      1, and blocks of sets
//	T2c   A{n,m} with a large bound                    n m         1, and blocks of sets
//	T2n   matches overlap much, measures can be
//	      carried; T2 found out while it ran           n m         m words in all
//	T2w   all other conditions are windows from the
//	      first row on                                 n m         1 + 4 m
//	T3    a condition reads how rows are mapped        no bound    1 + 2, the path,
//	                                                               remembered failures
//
// T3 has no polynomial bound in general: SUM(A.v) = t over (A | B)* is subset
// sum. What it gives is n m times the number of different values that live
// registers have; with one path a start it is linear where matches are found.
// Its budget of tests ends it with an error, never with a wrong answer.
//
// # Positions and lists
//
// A position is an occurrence of a variable in the unrolled pattern. For the
// start of an attempt, and for each position, there is one ordered list of what
// may come next: positions that take the next row, and the end of the match,
// called accept. A match is a path through the lists whose rows satisfy the
// conditions of their positions; the first path in lexicographic order of the
// lists is the match of the rulebook. Five things must hold for that.
//
// (a) Taking a row makes every open iteration a non-empty one, for the row lies
// in all of them. So after a row no iteration needs to be remembered as empty,
// and the stop rule (PREF-8) matters only between two rows. There, an iteration
// that has taken a row lies in iterations that have: the empty ones are the
// innermost, and their number describes them. The list of a position is found
// by walking the instructions behind it with that number, once, at compilation:
// the automaton that runs has neither counters nor guards.
//
// (b) When conditions are row-local, the same position at the same row has the
// same future, whatever came before: the list decides, the conditions read the
// rows around, and (a) has left nothing else to know. The iterations done in an
// open quantifier (PREF-10a) are part of the position, since bounds are
// unrolled; for a run (see below) they are where it began.
//
// (c) Of two entries of a list that are the same position, the later one is
// dropped: all that it could lead to, the earlier one has led to before. This
// holds also for conditions that read the match, as both stand behind the same
// mapping. After accept the list is cut: accept never fails, so nothing behind
// it is ever preferred.
//
// (d) A position is viable at a row if its condition holds there and the match
// can be completed behind it. Viability is computed from the last row to the
// first. A match begins at a row exactly if some entry of the start list is
// accept or viable; following the first such entry of each list never ends in a
// dead end, and since all entries before it have no completion at all, it is the
// preferred match. The walk reports a dead end as an internal error.
//
// (e) Lists depend on anchors. ^ can hold only in the start list of an attempt
// at the first row, $ only where no row follows. Hence two start lists, and two
// notes whether a match may end behind a position: behind the last row, and
// elsewhere. An accept that needs $ is no entry of a list that is used where
// rows follow, so it does not cut it.
//
// # Runs
//
// A{n,m} with a large bound is one position that takes n to m rows. It is
// viable at a row if among the places n to m rows on, before the first row that
// is no A, there is one from which the match can be completed. Greedy leaves at
// the last such place, reluctant at the first: the strings of A{n,m} differ in
// length only, in that order (PREF-4).
//
// # Conditions that read the match
//
// T3 backtracks over what viability leaves. What conditions read of the path is
// held in registers: a few machine words behind each mapped row (see layout), or
// the rows themselves where words cannot hold it. A failure is remembered with
// the values of the registers that some later condition still reads (PREF-10).
//
// # Errors
//
// Row-local conditions are evaluated on all rows, the reference evaluates what
// it meets. So a partition in which one of them is a run-time error goes to the
// engine that the fallback names. In T3 viability cuts a path only where no
// condition is passed over that could be an error.
package nfa
