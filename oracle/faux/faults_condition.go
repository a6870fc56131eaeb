package faux

// The lies about conditions, navigation and the order of the input (chapters
// 3, 5 and 11).
const (
	rowNotCounted      lie = "45"
	unknownIsTrue      lie = "46a"
	unknownIsError     lie = "46b"
	undefinedIsFalse   lie = "47a"
	undefinedIsError   lie = "47b"
	firstLooksAhead    lie = "48"
	offsetIgnored      lie = "49a"
	offsetFromOne      lie = "49b"
	offsetInMatchRows  lie = "49c"
	lastOfAnyVariable  lie = "50"
	prevFromCurrent    lie = "51"
	stopsAtMatch       lie = "52a"
	stepsOverExcluded  lie = "52b"
	nothingBeforeMatch lie = "52c"
	outsideIsNullRow   lie = "53"
	physicalIgnored    lie = "54a"
	offsetsExchanged   lie = "54b"
	foreignPrevIsLag   lie = "55"
	nextIsNull         lie = "56"
	classifierOutside  lie = "57"
	nullIsMissing      lie = "58"
	nullKeysSplit      lie = "59a"
	nullsFirstAlways   lie = "59b"
	secondKeyAscending lie = "60"
)

var conditionFaults = []Fault{
	fault(rowNotCounted, AreaCondition, "tested-row-not-counted", "DEF-6 DEF-12 AGG-4",
		"In DEFINE the row under test is not yet mapped for FIRST, LAST and aggregates."),
	fault(unknownIsTrue, AreaCondition, "unknown-is-true", "DEF-5",
		"A condition that is UNKNOWN counts as TRUE."),
	fault(unknownIsError, AreaCondition, "unknown-is-error", "DEF-5",
		"A condition that is UNKNOWN is a run-time error."),
	fault(undefinedIsFalse, AreaCondition, "undefined-is-false", "DEF-1",
		"A variable without definition takes no row."),
	fault(undefinedIsError, AreaCondition, "undefined-is-error", "DEF-1",
		"A variable without definition is refused."),
	fault(firstLooksAhead, AreaCondition, "first-looks-ahead", "NAV-1",
		"FIRST with an offset sees rows behind the current one under running semantics."),
	fault(offsetIgnored, AreaCondition, "offset-ignored", "NAV-1",
		"The offset of FIRST and LAST is ignored."),
	fault(offsetFromOne, AreaCondition, "offset-from-one", "NAV-1",
		"The offset of FIRST and LAST counts from 1."),
	fault(offsetInMatchRows, AreaCondition, "offset-in-match-rows", "NAV-1",
		"The offset of FIRST and LAST counts rows of the match instead of rows of the variable."),
	fault(lastOfAnyVariable, AreaCondition, "last-of-any-variable", "COL-4 NAV-1",
		"A.x and LAST(A.x) give the last row of the match so far, whatever it is mapped to."),
	fault(prevFromCurrent, AreaCondition, "prev-from-current", "NAV-2",
		"PREV(A.x) and NEXT(A.x) step from the current row instead of the last row of A."),
	fault(stopsAtMatch, AreaCondition, "steps-stop-at-match", "NAV-2 MAT-6",
		"PREV and NEXT give NULL for rows outside the match so far."),
	fault(stepsOverExcluded, AreaCondition, "steps-over-excluded", "NAV-2 OUT-7",
		"PREV and NEXT do not count rows that are excluded from the output."),
	fault(nothingBeforeMatch, AreaCondition, "nothing-before-match", "NAV-2 MAT-6",
		"PREV gives NULL for rows before the first row of the match."),
	fault(outsideIsNullRow, AreaCondition, "outside-is-null-row", "NAV-2",
		"PREV and NEXT to a row outside the partition evaluate their argument on a row of NULLs."),
	fault(physicalIgnored, AreaCondition, "nested-step-ignored", "NAV-3",
		"PREV(FIRST(x, n), m) gives x on the row of FIRST."),
	fault(offsetsExchanged, AreaCondition, "nested-offsets-exchanged", "NAV-3",
		"PREV(FIRST(x, n), m) takes n for the step and m for the offset."),
	fault(foreignPrevIsLag, AreaCondition, "foreign-prev-is-lag", "NAV-2 DEF-8",
		"In the condition of another variable PREV(B.x) steps from the current row."),
	fault(nextIsNull, AreaCondition, "next-is-null", "DEF-11",
		"NEXT in DEFINE is always NULL."),
	fault(classifierOutside, AreaCondition, "classifier-outside", "DEF-10 MEA-9 NAV-6",
		"CLASSIFIER of a row outside the match is that of the nearest row of the match."),
	fault(nullIsMissing, AreaCondition, "null-is-missing", "NAV-4",
		"Navigation passes over rows on which its argument is NULL."),
	fault(nullKeysSplit, AreaCondition, "null-keys-split", "NUL-1",
		"Rows with a NULL partition key are each a partition of their own."),
	fault(nullsFirstAlways, AreaCondition, "nulls-first-always", "NUL-2",
		"ORDER BY puts NULLs first where they were asked for last."),
	fault(secondKeyAscending, AreaCondition, "second-key-ascending", "NUL-2 GRAM-5",
		"DESC of the second ordering key, and of those behind it, is ignored."),
}
