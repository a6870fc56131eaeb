// Package reference is the matcher that defines the answer: the preference
// order of the row pattern standard, searched by backtracking (PREF-9) on an
// explicit stack. It is written to be read beside the standard, not to be fast.
//
// # The search
//
// A search matches a pattern node at a row with a continuation: what is left
// to do once the node has succeeded. Continuations are frames, linked from the
// innermost outward, in an arena; where the rules allow more than one way to go
// on, a choice point is left that remembers what to try next. The next failure
// returns to the latest choice point, which cuts arena and mapping back to what
// they were. The first path that runs out of continuations is the match (MAT-1).
//
// A state of the search is what PREF-10a says: the place in the pattern, for
// every open quantifier the number of iterations done and the row at which the
// current one began (so that an empty one is known), and the row. The arena
// holds exactly that. States are never compared, and no failure is remembered:
// a condition may read everything mapped before it (PREF-10).
//
// # Where the rules are
//
//	PREF-1, MAT-1   a variable takes a row            machine.variable
//	PREF-2          alternation                       machine.alternation
//	PREF-3          concatenation                     machine.concatenation
//	PREF-4          quantification                    machine.quantification, again
//	PREF-5          exclusion                         compile: node.excluded
//	PREF-6, ANCH-1  anchors                           machine.anchor
//	PREF-7          empty pattern                     machine.enter
//	PREF-8          empty iterations                  machine.iterationDone
//	PAT-7           permutation                       machine.permutation
//	DEF-*           conditions                        semantics.Conditions
//
// # What it costs
//
// Nothing is unrolled: A{2000000000} compiles to two nodes. Memory is a frame
// and a choice point for each decision that can still be taken back, some 20 to
// 100 bytes a row of the match.
//
// Time is exponential in the worst case, for two reasons. A row sequence can
// have exponentially many derivations, and a search that fails goes through all
// of them: (A+)+ B on n rows that are A and not B tries each of the 2^(n-1) ways
// to cut them into iterations. And conditions that read the path cannot be
// shared between paths: with C AS SUM(A.x) = 100, (A | B)* C is the subset sum
// problem. PERMUTE of n elements stands for n! alternatives. Besides, a
// condition with an aggregate is recomputed from the mapping at each test, so
// that a match of n rows costs n*n/2 row visits. The budgets of matcher.Limits
// end such a search with an error of stage limit (LIM-1), never with "no match".
package reference
