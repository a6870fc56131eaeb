package faux

// The lies about row patterns in windows (chapter 10).
const (
	skippedKeepsMatch lie = "74"
	pastFrameEnd      lie = "75"
	seekIsInitial     lie = "76a"
	initialLooksAhead lie = "76b"
	advancedTwice     lie = "77"
	framesAccepted    lie = "78a"
	anchorsAccepted   lie = "78b"
)

var windowFaults = []Fault{
	fault(skippedKeepsMatch, AreaWindow, "skipped-row-keeps-match", "WIN-4 WIN-5",
		"A skipped row has the reduced frame of the match that skips it."),
	fault(pastFrameEnd, AreaWindow, "past-frame-end", "WIN-2",
		"A match runs past the end of its full window frame."),
	fault(seekIsInitial, AreaWindow, "seek-is-initial", "WIN-3",
		"SEEK finds only a match that starts at the row."),
	fault(initialLooksAhead, AreaWindow, "initial-looks-ahead", "WIN-3",
		"INITIAL takes a match that starts at a later row of the frame."),
	fault(advancedTwice, AreaWindow, "window-advanced-twice", "WIN-5 WIN-11",
		"Two functions over one window move its search two rows on for every row."),
	fault(framesAccepted, AreaWindow, "frames-accepted", "WIN-1",
		"Any frame is accepted with a row pattern."),
	fault(anchorsAccepted, AreaWindow, "window-anchors-accepted", "WIN-9 ANCH-2",
		"Anchors are accepted in the pattern of a window."),
}

// The lies about accepting and refusing (chapters 1 and 13).
const (
	patternDropped        lie = "79"
	secondQuantifier      lie = "80a"
	quantifiersMultiplied lie = "80b"
	zeroBoundAccepted     lie = "80c"
	crossedBoundsAccepted lie = "80d"
	strangerDefined       lie = "81a"
	definedTwice          lie = "81b"
	unionDefined          lie = "81c"
	finalInDefine         lie = "82"
	mixedNavigation       lie = "83a"
	mixedAggregate        lie = "83b"
	nestedNavigation      lie = "84a"
	nestedAggregate       lie = "84b"
	quotedNamesConfused   lie = "85a"
	aliasTakesVariable    lie = "85b"
	measureTwice          lie = "86a"
	skipTargetUnknown     lie = "86b"
	unionOfUnions         lie = "86c"
	parenthesesLost       lie = "87a"
	questionMarkApart     lie = "87b"
	exclusionLost         lie = "87c"
)

var acceptFaults = []Fault{
	fault(patternDropped, AreaAccept, "pattern-dropped", "PAT-2 PAT-5 PAT-6",
		"A pattern that cannot be parsed is dropped, and the input comes back as it is."),
	fault(secondQuantifier, AreaAccept, "second-quantifier-ignored", "PAT-5",
		"A second quantifier on one primary is accepted and ignored."),
	fault(quantifiersMultiplied, AreaAccept, "quantifiers-multiplied", "PAT-5",
		"Two quantifiers on one primary are accepted, and their bounds multiplied."),
	fault(zeroBoundAccepted, AreaAccept, "zero-bound-accepted", "PAT-4",
		"An upper bound of 0 is accepted."),
	fault(crossedBoundsAccepted, AreaAccept, "crossed-bounds-accepted", "PAT-4",
		"A lower bound above the upper one is accepted, and the two are exchanged."),
	fault(strangerDefined, AreaAccept, "stranger-defined", "DEF-2",
		"The definition of a variable that PATTERN has not is accepted."),
	fault(definedTwice, AreaAccept, "defined-twice", "DEF-3",
		"A second definition of a variable is accepted and ignored."),
	fault(unionDefined, AreaAccept, "union-defined", "DEF-4",
		"The definition of a union variable is accepted and ignored."),
	fault(finalInDefine, AreaAccept, "final-in-define", "DEF-7",
		"FINAL in DEFINE is accepted and read as RUNNING."),
	fault(mixedNavigation, AreaAccept, "mixed-navigation", "COL-2",
		"References to several variables in one navigation are accepted: the first variable is used for all."),
	fault(mixedAggregate, AreaAccept, "mixed-aggregate", "COL-2",
		"References to several variables in one aggregate are accepted: the first variable is used for all."),
	fault(nestedNavigation, AreaAccept, "nested-navigation", "NAV-3",
		"A navigation nested wrongly in a navigation is accepted; the outer one is ignored."),
	fault(nestedAggregate, AreaAccept, "nested-aggregate", "AGG-5",
		"An aggregate in an aggregate or navigation, or a navigation in an aggregate, is accepted; the outer one is ignored."),
	fault(quotedNamesConfused, AreaAccept, "quoted-names-confused", "GRAM-10",
		"Variables in quotes compare without regard to case."),
	fault(aliasTakesVariable, AreaAccept, "alias-takes-variable", "GRAM-12 COL-1",
		"Where the input name is also a variable, it qualifies the input's columns instead of the variable's."),
	fault(measureTwice, AreaAccept, "measure-twice", "GRAM-6",
		"Two measures of one name are accepted."),
	fault(skipTargetUnknown, AreaAccept, "skip-target-unknown", "SKIP-1",
		"SKIP TO a name that is no variable is accepted and behaves as PAST LAST ROW."),
	fault(unionOfUnions, AreaAccept, "union-of-unions", "SUB-1",
		"A union variable is accepted as a member of another."),
	fault(parenthesesLost, AreaAccept, "parentheses-lost", "PAT-1",
		"A pattern is printed without the parentheses around an alternation, and parsed again: (A | B) C becomes A | B C."),
	fault(questionMarkApart, AreaAccept, "question-mark-apart", "PAT-2 PAT-3",
		"A reluctant quantifier is printed with a blank before its question mark.").
		cannot("it concerns a parser of another shape: by PAT-2 a blank inside a quantifier changes nothing"),
	fault(exclusionLost, AreaAccept, "exclusion-lost", "OUT-7 PAT-8",
		"A pattern is printed without {- -}, and parsed again."),
}
