package faux

// The lies about scan, numbering and skipping (chapters 2 and 8).
const (
	emptyResumesSame  lie = "31a"
	emptyTriesAgain   lie = "31b"
	emptyNotNumbered  lie = "32a"
	emptyNotReported  lie = "32b"
	omitRenumbers     lie = "33a"
	omitSearchesOn    lie = "33b"
	numbersGoOn       lie = "34"
	nextRowIsPast     lie = "35a"
	nextRowIsSecond   lie = "35b"
	skipFirstIsLast   lie = "36a"
	skipPlainIsFirst  lie = "36b"
	skipUnmappedPast  lie = "37"
	skipFirstLoops    lie = "38a"
	skipFirstAdvances lie = "38b"
	skipErrorsEarly   lie = "39a"
	skipErrorsAlways  lie = "39b"
	skipFirstMember   lie = "40"
	skipIgnoresHidden lie = "41"
	openAttemptBlocks lie = "42"
	startsAfterEnd    lie = "43"
	onlyFirstMatch    lie = "44"
)

var scanFaults = []Fault{
	fault(emptyResumesSame, AreaScan, "empty-resumes-same-row", "MAT-2 SKIP-4",
		"After an empty match the search resumes at the same row; the second empty match there is noticed and stops it."),
	fault(emptyTriesAgain, AreaScan, "empty-tries-again", "MAT-2 SKIP-4",
		"After an empty match a match that takes rows is sought at the same row."),
	fault(emptyNotNumbered, AreaScan, "empty-not-numbered", "MAT-3",
		"Empty matches take no number: they have that of the match before."),
	fault(emptyNotReported, AreaScan, "empty-not-reported", "MAT-2 OUT-3 OUT-5",
		"Empty matches are numbered but never output."),
	fault(omitRenumbers, AreaScan, "omit-renumbers", "MAT-3 OUT-5",
		"OMIT EMPTY MATCHES numbers the matches that are left."),
	fault(omitSearchesOn, AreaScan, "omit-searches-on", "OUT-5 MAT-1",
		"OMIT EMPTY MATCHES looks for a less preferred match that takes rows where the preferred one is empty."),
	fault(numbersGoOn, AreaScan, "numbers-go-on", "MAT-3",
		"Match numbers go on from one partition to the next."),
	fault(nextRowIsPast, AreaScan, "next-row-is-past-last", "GRAM-3 SKIP-6 MAT-2",
		"SKIP TO NEXT ROW resumes past the last row of the match."),
	fault(nextRowIsSecond, AreaScan, "next-row-is-second", "SKIP-6 MAT-2",
		"SKIP TO NEXT ROW resumes two rows after the start."),
	fault(skipFirstIsLast, AreaScan, "skip-first-is-last", "SKIP-6",
		"SKIP TO FIRST v goes to the last row of v."),
	fault(skipPlainIsFirst, AreaScan, "skip-plain-is-first", "GRAM-3 SKIP-6",
		"SKIP TO v goes to the first row of v."),
	fault(skipUnmappedPast, AreaScan, "skip-unmapped-is-past-last", "SKIP-2",
		"SKIP TO a variable that has no row in the match behaves as PAST LAST ROW."),
	fault(skipFirstLoops, AreaScan, "skip-first-loops", "SKIP-3",
		"SKIP TO the first row of the match finds the same match for ever.").
		cannot("it concerns a resource: a scan that never ends gives no answer that could differ"),
	fault(skipFirstAdvances, AreaScan, "skip-first-advances", "SKIP-3",
		"SKIP TO the first row of the match silently goes on at the next row."),
	fault(skipErrorsEarly, AreaScan, "skip-errors-early", "SKIP-2 SKIP-3",
		"A skip target that some candidate leaves without a row, or has as its first row, is refused before any data are seen."),
	fault(skipErrorsAlways, AreaScan, "skip-errors-without-match", "SKIP-2",
		"SKIP TO a variable is an error for a partition in which no match is found."),
	fault(skipFirstMember, AreaScan, "skip-first-member", "SKIP-1 SUB-2",
		"SKIP TO a union variable looks only at its first member."),
	fault(skipIgnoresHidden, AreaScan, "skip-ignores-excluded", "SKIP-5 OUT-7",
		"Rows that are excluded from the output are no skip targets."),
	fault(openAttemptBlocks, AreaScan, "open-attempt-blocks", "MAT-2",
		"After an attempt that failed, the rows that it has read are no start rows."),
	fault(startsAfterEnd, AreaScan, "starts-after-end", "MAT-4",
		"A match is sought behind the last row of the partition as well."),
	fault(onlyFirstMatch, AreaScan, "only-first-match", "MAT-2",
		"The scan of a partition ends with its first match."),
}
