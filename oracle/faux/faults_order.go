package faux

// The lies about candidates and their order (chapter 2).
const (
	emptyDiscarded    lie = "1"
	emptyStopsEarly   lie = "2"
	emptyAtBoundGoes  lie = "3"
	boundsUnrolled    lie = "4"
	guardWithoutCount lie = "5"
	emptyPathLost     lie = "6"
	noForcedEmpty     lie = "7"
	emptyRanksAsNone  lie = "8"
	groupGreedDecides lie = "9"
	longestWins       lie = "10"
	earliestEndWins   lie = "11"
	branchLeaks       lie = "12"
	flattened         lie = "13"
	neighboursMerged  lie = "14a"
	flattenGate       lie = "14b"
	trailingFolded    lie = "15"
	optionalsMerged   lie = "16"
	starOfAtLeast     lie = "17"
	reluctantAsGreedy lie = "18a"
	reluctantWrapped  lie = "18b"
	greedyAsReluctant lie = "19"
	tailTakesRow      lie = "20a"
	lastRowTaken      lie = "20b"
	openLowerIsOne    lie = "21a"
	openLowerLiteral  lie = "21b"
	openUpperExact    lie = "21c"
	permuteReversed   lie = "22a"
	permuteDistinct   lie = "22b"
	permuteFixed      lie = "22c"
	permuteSkipsOnce  lie = "22d"
	permuteOfOne      lie = "22e"
	headNotSkipped    lie = "23"
	failureRemembered lie = "24"
	threadsMerged     lie = "25"
	absorbed          lie = "26a"
	analysisHangs     lie = "26b"
	lastDerivation    lie = "27"
	budgetIsNoMatch   lie = "28a"
	depthIsNoMatch    lie = "28b"
	anchorAtAttempt   lie = "29a"
	anchorAtResume    lie = "29b"
	fillerReadsOn     lie = "30"
)

var orderFaults = []Fault{
	fault(emptyDiscarded, AreaOrder, "empty-iteration-discarded", "PREF-8",
		"An empty iteration begun with the lower bound met is thrown away, and one that meets the bound does not end the loop: less preferred strings of the body are tried."),
	fault(emptyStopsEarly, AreaOrder, "empty-iteration-stops-early", "PREF-8",
		"An empty iteration ends the loop even while the lower bound is not met."),
	fault(emptyAtBoundGoes, AreaOrder, "empty-at-bound-goes-on", "PREF-8",
		"An empty iteration that just meets the lower bound does not end the loop; only one after it does."),
	fault(boundsUnrolled, AreaOrder, "bounded-unrolled", "PREF-8 PREF-11",
		"A quantifier with an upper bound is copied out: the copies behind an empty one are still tried."),
	fault(guardWithoutCount, AreaOrder, "cycle-guard-without-count", "PREF-10a",
		"Coming back to the same variable before the next row counts as a cycle, whatever the number of iterations."),
	fault(emptyPathLost, AreaOrder, "empty-path-lost", "PREF-8 PREF-10a",
		"A loop without upper bound that comes back to its head at the same row has been there, so an empty iteration behind others is lost."),
	fault(noForcedEmpty, AreaOrder, "no-forced-empty", "PREF-8",
		"An iteration that the lower bound asks for cannot be empty."),
	fault(emptyRanksAsNone, AreaOrder, "empty-ranks-as-none", "PREF-8",
		"An empty first iteration has the rank of no iteration, behind all first iterations that take rows."),
	fault(groupGreedDecides, AreaOrder, "group-greed-decides", "PREF-4",
		"With equal bounds the greed written at the group replaces that of the quantifier in its body."),
	fault(longestWins, AreaOrder, "longest-wins", "PREF-2 MAT-1",
		"The longest feasible candidate is the match, not the preferred one."),
	fault(earliestEndWins, AreaOrder, "earliest-end-wins", "PREF-2",
		"Among the branches of an alternation the one whose match ends at the earliest row wins."),
	fault(branchLeaks, AreaOrder, "branch-leaks", "PREF-2",
		"A group or alternation at the end of a branch becomes a branch of its own besides, behind the others."),
	fault(flattened, AreaOrder, "nested-quantifiers-flattened", "PREF-4 PREF-11",
		"(P{a,b}){c,d} is turned into P{ac,bd}."),
	fault(neighboursMerged, AreaOrder, "equal-neighbours-merged", "PREF-4 PREF-11",
		"Neighbouring quantifiers over the same body are added into one, though the body's length varies."),
	fault(flattenGate, AreaOrder, "flatten-gate-too-wide", "PREF-4 PREF-11",
		"(P{a,b}){c,d} is turned into P{ac,bd} whenever a is at most 1, though the length of P varies."),
	fault(trailingFolded, AreaOrder, "trailing-copy-folded", "PREF-4 PREF-11",
		"A copy of a group's body behind the group is counted as one more iteration of it."),
	fault(optionalsMerged, AreaOrder, "optionals-merged", "PREF-3 PREF-4",
		"Two neighbouring optional copies are merged into {0,2} with the greed of the first, though the second is of the other greed."),
	fault(starOfAtLeast, AreaOrder, "star-of-at-least", "PREF-4 PREF-11",
		"A star over P{n,} is taken for P*."),
	fault(reluctantAsGreedy, AreaOrder, "reluctant-as-greedy", "PREF-4 PAT-3",
		"A reluctant quantifier is treated as the greedy one."),
	fault(reluctantWrapped, AreaOrder, "reluctant-as-optional", "PREF-4 PAT-3 PAT-5",
		"The question mark behind a quantifier is read as a second quantifier around it: A+? as (A+)?."),
	fault(greedyAsReluctant, AreaOrder, "greedy-as-reluctant", "PREF-4",
		"One reluctant quantifier makes all quantifiers of the pattern reluctant."),
	fault(tailTakesRow, AreaOrder, "reluctant-tail-takes-row", "PREF-4",
		"A reluctant quantifier at the end of the pattern takes one row more than it must."),
	fault(lastRowTaken, AreaOrder, "reluctant-takes-last-row", "PREF-4",
		"A reluctant quantifier that stands at the last row of the input takes it."),
	fault(openLowerIsOne, AreaOrder, "open-lower-bound-is-one", "PAT-3",
		"{,m} is read as {1,m}."),
	fault(openLowerLiteral, AreaOrder, "open-lower-bound-literal", "PAT-3",
		"{,m} is read as text that must follow, which no row is."),
	fault(openUpperExact, AreaOrder, "open-upper-bound-exact", "PAT-3",
		"{n,} is read as {n}."),
	fault(permuteReversed, AreaOrder, "permute-reversed", "PAT-7",
		"The orders of PERMUTE are tried from the last in lexicographic order to the first."),
	fault(permuteDistinct, AreaOrder, "permute-duplicates-dropped", "PAT-7",
		"Equal elements of PERMUTE are taken for one."),
	fault(permuteFixed, AreaOrder, "permute-order-fixed", "PAT-7",
		"All iterations of a quantified PERMUTE have the same order."),
	fault(permuteSkipsOnce, AreaOrder, "permute-skips-once", "PAT-7",
		"At most one optional element of PERMUTE can be skipped."),
	fault(permuteOfOne, AreaOrder, "permute-of-one-is-variable", "GRAM-11 PAT-7",
		"PERMUTE with one element is read as a variable of that name, before a group."),
	fault(headNotSkipped, AreaOrder, "head-group-not-skipped", "PREF-4",
		"An optional group at the head of the pattern cannot be skipped as a whole."),
	fault(failureRemembered, AreaOrder, "failure-remembered", "PREF-10",
		"A failure is remembered by pattern position and row, though a condition reads what was mapped before."),
	fault(threadsMerged, AreaOrder, "threads-merged", "PREF-3 PREF-10",
		"Paths that reach the same pattern position at the same row become one, which keeps the mapping of the later."),
	fault(absorbed, AreaOrder, "attempt-absorbed", "MAT-1 MAT-2",
		"A start row inside the leading loop of the attempt before it is given up together with the match of another branch that it has."),
	fault(analysisHangs, AreaOrder, "analysis-hangs", "PREF-11",
		"The analysis of a pattern with a {1,1} group that is not the first element never ends.").
		cannot("it concerns a resource: an engine that never ends gives no answer that could differ"),
	fault(lastDerivation, AreaOrder, "last-derivation-excludes", "PREF-5",
		"Rows that can be derived in several ways are excluded as the least preferred of the derivations says."),
	fault(budgetIsNoMatch, AreaOrder, "budget-is-no-match", "MAT-1 LIM-1",
		"A search that uses up its budget says that there is no match."),
	fault(depthIsNoMatch, AreaOrder, "depth-is-no-match", "MAT-1 LIM-1",
		"A path that is nested too deep for the stack counts as infeasible."),
	fault(anchorAtAttempt, AreaOrder, "anchor-at-attempt", "ANCH-1 PREF-6",
		"^ holds at the start row of every attempt."),
	fault(anchorAtResume, AreaOrder, "anchor-at-resume", "ANCH-1 PREF-6",
		"^ also holds where the scan resumes after a match."),
	fault(fillerReadsOn, AreaOrder, "filler-reads-on", "MAT-6",
		"A quantified undefined variable at the end of the pattern goes on into the rows of the next partition."),
}
