package faux

// The lies about aggregates (chapter 6).
const (
	givenBackKept      lie = "61"
	rebuiltByCount     lie = "62"
	sumOfNoneIsZero    lie = "63a"
	countOfNoneIsNull  lie = "63b"
	minKeepsStart      lie = "63c"
	countStarNonNull   lie = "64a"
	countValueRows     lie = "64b"
	countStarOne       lie = "64c"
	distinctDropped    lie = "65a"
	filterDropped      lie = "65b"
	aggregateUnordered lie = "65c"
)

var aggregateFaults = []Fault{
	fault(givenBackKept, AreaAggregate, "given-back-kept", "AGG-8",
		"Rows that backtracking gave back stay in the aggregates of DEFINE."),
	fault(rebuiltByCount, AreaAggregate, "rebuilt-by-count", "AGG-8 AGG-4",
		"An aggregate in DEFINE is computed anew only when the number of its rows has changed."),
	fault(sumOfNoneIsZero, AreaAggregate, "sum-of-none-is-zero", "AGG-3",
		"SUM over no values is 0."),
	fault(countOfNoneIsNull, AreaAggregate, "count-of-none-is-null", "AGG-3",
		"COUNT over no rows is NULL."),
	fault(minKeepsStart, AreaAggregate, "min-keeps-start", "AGG-3",
		"MIN over no values is the largest value of its type, with which it began."),
	fault(countStarNonNull, AreaAggregate, "count-star-of-variable-non-null", "AGG-2",
		"COUNT(A.*) leaves out rows that have a NULL."),
	fault(countValueRows, AreaAggregate, "count-of-values-counts-rows", "AGG-2",
		"COUNT(A.x) counts rows on which x is NULL as well."),
	fault(countStarOne, AreaAggregate, "count-star-of-one-variable", "AGG-2",
		"COUNT(*) counts only the rows of one variable: the one defined, in MEASURES the first of the pattern."),
	fault(distinctDropped, AreaAggregate, "distinct-dropped", "AGG-6",
		"DISTINCT in an aggregate is ignored."),
	fault(filterDropped, AreaAggregate, "filter-dropped", "AGG-6",
		"FILTER of an aggregate is ignored."),
	fault(aggregateUnordered, AreaAggregate, "aggregate-order-dropped", "AGG-7",
		"ORDER BY in an aggregate is ignored."),
}

// The lies about measures and output (chapters 4 and 7).
const (
	runningIsFinal      lie = "66a"
	finalIsRunning      lie = "66b"
	finalOfOther        lie = "66c"
	classifierFirst     lie = "67a"
	classifierOfUnion   lie = "67b"
	classifierAnyRow    lie = "67c"
	emptyConstantNull   lie = "68a"
	emptyNumberNull     lie = "68b"
	emptyClassifierText lie = "68c"
	emptyCountNull      lie = "68d"
	unmatchedConstant   lie = "69a"
	unmatchedNumber     lie = "69b"
	emptyAlsoUnmatched  lie = "70a"
	unmatchedAsEmpty    lie = "70b"
	overlapUnmatched    lie = "70c"
	excludedShown       lie = "71a"
	excludedNotCounted  lie = "71b"
	excludedUnmatched   lie = "71c"
	exclusionOneRow     lie = "71d"
	exclusionUnmatched  lie = "71e"
	columnsInInputOrder lie = "72a"
	orderColumnsTwice   lie = "72b"
	partitionMissing    lie = "72c"
	overlapOnce         lie = "73"
)

var outputFaults = []Fault{
	fault(runningIsFinal, AreaOutput, "running-is-final", "MEA-1 MEA-3",
		"FIRST, LAST and aggregates are FINAL in ALL ROWS PER MATCH."),
	fault(finalIsRunning, AreaOutput, "final-is-running", "MEA-1 MEA-3",
		"FINAL is RUNNING in ALL ROWS PER MATCH."),
	fault(finalOfOther, AreaOutput, "final-of-other-match", "MEA-1 SKIP-7 OUT-4",
		"A row of several matches has the FINAL values of the last of them in all."),
	fault(classifierFirst, AreaOutput, "classifier-of-first-row", "MEA-4",
		"CLASSIFIER() under ONE ROW PER MATCH gives the variable of the first row."),
	fault(classifierOfUnion, AreaOutput, "classifier-names-union", "MEA-4",
		"CLASSIFIER(U) of a union gives U."),
	fault(classifierAnyRow, AreaOutput, "classifier-of-any-row", "MEA-4",
		"CLASSIFIER(U) of a union gives the variable of the current row, though it is not in U."),
	fault(emptyConstantNull, AreaOutput, "empty-match-constant-null", "MEA-6",
		"Constant measures of an empty match are NULL."),
	fault(emptyNumberNull, AreaOutput, "empty-match-number-null", "MEA-6",
		"MATCH_NUMBER() of an empty match is NULL."),
	fault(emptyClassifierText, AreaOutput, "empty-match-classifier-text", "MEA-6",
		"CLASSIFIER of an empty match is a string without characters."),
	fault(emptyCountNull, AreaOutput, "empty-match-count-null", "MEA-6 AGG-3",
		"COUNT of an empty match is NULL."),
	fault(unmatchedConstant, AreaOutput, "unmatched-constant", "MEA-7",
		"Constant measures of an unmatched row have their value."),
	fault(unmatchedNumber, AreaOutput, "unmatched-number", "MEA-7",
		"MATCH_NUMBER() of an unmatched row is that of the match before, or 0."),
	fault(emptyAlsoUnmatched, AreaOutput, "empty-also-unmatched", "OUT-6",
		"The starting row of an empty match is output as an unmatched row as well."),
	fault(unmatchedAsEmpty, AreaOutput, "unmatched-as-empty", "OUT-6 MEA-7",
		"An unmatched row is output with the measures of an empty match."),
	fault(overlapUnmatched, AreaOutput, "overlapped-row-unmatched", "OUT-6",
		"A row at which no match starts is output as unmatched though an earlier match holds it."),
	fault(excludedShown, AreaOutput, "excluded-shown", "OUT-7",
		"Excluded rows are output."),
	fault(excludedNotCounted, AreaOutput, "excluded-not-counted", "OUT-7",
		"Measures do not see excluded rows."),
	fault(excludedUnmatched, AreaOutput, "excluded-is-unmatched", "OUT-6 OUT-7",
		"Excluded rows count as unmatched.").
		cannot("only WITH UNMATCHED ROWS shows what is unmatched, and it refuses exclusion (OUT-7): no legal statement shows the difference"),
	fault(exclusionOneRow, AreaOutput, "exclusion-refused-one-row", "OUT-7",
		"Exclusion is refused with ONE ROW PER MATCH."),
	fault(exclusionUnmatched, AreaOutput, "exclusion-with-unmatched", "OUT-7",
		"Exclusion is accepted with ALL ROWS PER MATCH WITH UNMATCHED ROWS."),
	fault(columnsInInputOrder, AreaOutput, "columns-in-input-order", "OUT-1 OUT-2",
		"The output has the input columns in input order, the measures behind them."),
	fault(orderColumnsTwice, AreaOutput, "order-columns-twice", "OUT-2",
		"The ordering columns stand among the remaining columns again."),
	fault(partitionMissing, AreaOutput, "partition-columns-missing", "OUT-1 OUT-2",
		"The partition columns are not in the output."),
	fault(overlapOnce, AreaOutput, "overlapped-row-once", "OUT-4",
		"A row of several matches is output for the first of them only."),
}
