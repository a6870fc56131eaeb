package faux

import "testing"

var conditionWitnesses = []clause{
	// 45: counts 1, 2, 3 should be tested; lagging, they are 0, 1, 2.
	{rowNotCounted, count + "PATTERN (A+) DEFINE A AS COUNT(*) < 3", "1 1 1 1", "1 2 1; 2 2 3", "1 3 1; 2 1 4"},
	{rowNotCounted, count + "PATTERN (A+) DEFINE A AS LAST(A.x) < 3", "1 9", "1 1 1", "nothing"},
	{rowNotCounted, count + "PATTERN (A+) DEFINE A AS x < 3", "1 1 9", "1 2 1", ""},
	// 46
	{unknownIsTrue, count + "PATTERN (A) DEFINE A AS x > 5", "NULL", "", "1 1 1"},
	{unknownIsTrue, count + "PATTERN (A) DEFINE A AS x > 5", "3 9", "1 1 2", ""},
	{unknownIsError, count + "PATTERN (A) DEFINE A AS x > 5", "NULL 9", "1 1 2", "error runtime DEF-5 22000"},
	{unknownIsError, count + "PATTERN (A) DEFINE A AS x > 5", "3 9", "1 1 2", ""},
	// 47
	{undefinedIsFalse, count + "PATTERN (A B) DEFINE B AS x > 5", "1 9", "1 2 1", "nothing"},
	{undefinedIsFalse, count + "PATTERN (A B) DEFINE A AS TRUE, B AS x > 5", "1 9", "1 2 1", ""},
	{undefinedIsError, count + "PATTERN (A B) DEFINE B AS x > 5", "1 9", "1 2 1", "error semantic DEF-1 42000"},
	{undefinedIsError, count + "PATTERN (A B) DEFINE A AS TRUE, B AS x > 5", "1 9", "1 2 1", ""},
	// 48: at row 1 there is no second row yet.
	{firstLooksAhead, "MEASURES FIRST(x, 1) AS f ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS x > 0", "10 20", "NULL 1 10; 20 2 20", "20 1 10; 20 2 20"},
	{firstLooksAhead, "MEASURES LAST(x, 1) AS f ALL ROWS PER MATCH PATTERN (A+) DEFINE A AS x > 0", "10 20", "NULL 1 10; 10 2 20", ""},
	// 49
	{offsetIgnored, "MEASURES LAST(x, 1) AS l PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "20", "30"},
	{offsetIgnored, "MEASURES LAST(x) AS l, PREV(x, 2) AS p PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "30 10", ""},
	{offsetFromOne, "MEASURES FIRST(x, 2) AS l PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "30", "20"},
	{offsetFromOne, "MEASURES FIRST(x) AS l PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "10", ""},
	{offsetInMatchRows, "MEASURES LAST(A.x, 1) AS l PATTERN (A B A) DEFINE B AS x = 20", "10 20 30", "10", "20"},
	{offsetInMatchRows, "MEASURES LAST(A.x, 1) AS l PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "20", ""},
	// 50
	{lastOfAnyVariable, "MEASURES A.x AS a, LAST(A.x) AS l PATTERN (A B) DEFINE B AS x = 20", "10 20", "10 10", "20 20"},
	{lastOfAnyVariable, "MEASURES B.x AS b, FIRST(A.x) AS f PATTERN (A B) DEFINE B AS x = 20", "10 20", "20 10", ""},
	// 51: A is row 2, the current row 3.
	{prevFromCurrent, "MEASURES PREV(A.x) AS p PATTERN (X A B) DEFINE A AS x = 20", "10 20 30", "10", "20"},
	{prevFromCurrent, "MEASURES PREV(B.x) AS p PATTERN (X A B) DEFINE A AS x = 20", "10 20 30", "20", ""},
	// 52: the match is row 2 alone; or row 2 of three is excluded.
	{stopsAtMatch, "MEASURES PREV(x) AS p, NEXT(x) AS q PATTERN (A) DEFINE A AS x = 20", "10 20 30", "10 30", "NULL NULL"},
	{stopsAtMatch, "MEASURES PREV(x) AS p PATTERN (A B) DEFINE B AS x = 20", "10 20", "10", ""},
	{stepsOverExcluded, "MEASURES PREV(x) AS p PATTERN (A {- B -} C) DEFINE B AS x = 20", "10 20 30", "20", "10"},
	{stepsOverExcluded, "MEASURES PREV(x) AS p PATTERN ({- A -} B C) DEFINE B AS x = 20", "10 20 30", "20", ""},
	{nothingBeforeMatch, "MEASURES PREV(x) AS p, NEXT(x) AS q PATTERN (A) DEFINE A AS x = 20", "10 20 30", "10 30", "NULL 30"},
	{nothingBeforeMatch, "MEASURES PREV(x) AS p PATTERN (A B) DEFINE B AS x = 20", "10 20", "10", ""},
	// 53
	{outsideIsNullRow, "MEASURES PREV(COALESCE(x, -1)) AS p PATTERN (A) DEFINE A AS x = 10", "10", "NULL", "-1"},
	{outsideIsNullRow, "MEASURES PREV(COALESCE(x, -1)) AS p PATTERN (A) DEFINE A AS x = 10", "NULL 10", "-1", ""},
	// 54: FIRST(x, 2) is row 3, the row before it 2; exchanged, row 2 and two rows back.
	{physicalIgnored, "MEASURES PREV(FIRST(x, 2)) AS p PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "20", "30"},
	{physicalIgnored, "MEASURES FIRST(x, 2) AS f, PREV(x) AS p PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "30 20", ""},
	{offsetsExchanged, "MEASURES PREV(FIRST(x, 2), 1) AS p PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "20", "NULL"},
	{offsetsExchanged, "MEASURES PREV(FIRST(x, 1), 1) AS p PATTERN (A+) DEFINE A AS x > 0", "10 20 30", "10", ""},
	// 55: the row before B is 1, before the row under test 3.
	{foreignPrevIsLag, count + "PATTERN (X B Y C) DEFINE B AS x = 20, C AS PREV(B.x) = 10", "10 20 30 40", "1 4 1", "nothing"},
	{foreignPrevIsLag, count + "PATTERN (X B) DEFINE B AS PREV(B.x) = 10", "10 20", "1 2 1", ""},
	{foreignPrevIsLag, "MEASURES PREV(B.x) AS p PATTERN (X B Y) DEFINE B AS x = 20", "10 20 30", "10", ""},
	// 56
	{nextIsNull, count + "PATTERN (A) DEFINE A AS NEXT(x) > x", "10 20", "1 1 1", "nothing"},
	{nextIsNull, "MEASURES NEXT(x) AS q PATTERN (A) DEFINE A AS x = 10", "10 20", "20", ""},
	// 57
	{classifierOutside, "MEASURES NEXT(CLASSIFIER()) AS q PATTERN (A) DEFINE A AS x = 10", "10 20", "NULL", "A"},
	{classifierOutside, "MEASURES PREV(CLASSIFIER()) AS q PATTERN (A B) DEFINE A AS x = 10", "10 20", "A", ""},
	// 58
	{nullIsMissing, "MEASURES LAST(x) AS l PATTERN (A+) DEFINE A AS i > 0", "10 NULL", "NULL", "10"},
	{nullIsMissing, "MEASURES PREV(x) AS p PATTERN (A+) DEFINE A AS i > 0", "10 NULL 30", "NULL", "10"},
	{nullIsMissing, "MEASURES LAST(x) AS l PATTERN (A+) DEFINE A AS i > 0", "NULL 20", "20", ""},
}

// TestConditionWitnesses: faults of conditions and navigation.
func TestConditionWitnesses(t *testing.T) {
	for _, w := range conditionWitnesses {
		w.run(t)
	}
}

// pair has a variable B without rows.
const pair = " PATTERN (A+ B?) DEFINE A AS i > 0, B AS x > 100"

var aggregateWitnesses = []clause{
	// 61: A A A, then A A and A alone leave B at rows 3 and 2; COUNT(A.*) is to be 1 there.
	{givenBackKept, count + "PATTERN (A+ B) DEFINE B AS COUNT(A.*) = 1", "1 1 1", "1 2 1", "nothing"},
	{givenBackKept, count + "PATTERN (A+ B) DEFINE B AS FIRST(A.i) = 1 AND x > 0", "1 1 1", "1 3 1", ""},
	// 62: X A C has SUM(A.x) = 20, then A C has 10, of one row as well.
	{rebuiltByCount, count + "PATTERN (X? A C) DEFINE C AS SUM(A.x) = 10", "10 20 30", "1 2 1", "nothing"},
	{rebuiltByCount, count + "PATTERN (X? A C) DEFINE C AS FIRST(A.x) = 10", "10 20 30", "1 2 1", ""},
	// 63
	{sumOfNoneIsZero, "MEASURES SUM(B.x) AS s" + pair, "1 2", "NULL", "0"},
	{sumOfNoneIsZero, "MEASURES SUM(A.x) AS s, MAX(B.x) AS b" + pair, "1 2", "3 NULL", ""},
	{countOfNoneIsNull, "MEASURES COUNT(B.x) AS s" + pair, "1 2", "0", "NULL"},
	{countOfNoneIsNull, "MEASURES COUNT(A.x) AS s" + pair, "NULL", "0", ""},
	{minKeepsStart, "MEASURES MIN(B.x) AS s" + pair, "1 2", "NULL", "9223372036854775807"},
	{minKeepsStart, "MEASURES MIN(A.x) AS s, MAX(B.x) AS b" + pair, "1 2", "1 NULL", ""},
	// 64
	{countStarNonNull, "MEASURES COUNT(A.*) AS s" + pair, "NULL 1", "2", "1"},
	{countStarNonNull, "MEASURES COUNT(A.*) AS s, COUNT(*) AS t" + pair, "1 1", "2 2", ""},
	{countValueRows, "MEASURES COUNT(A.x) AS s" + pair, "NULL 1", "1", "2"},
	{countValueRows, "MEASURES COUNT(A.x) AS s, SUM(A.x) AS t" + pair, "1 1", "2 2", ""},
	{countStarOne, "MEASURES COUNT(*) AS s PATTERN (A B) DEFINE B AS x = 2", "1 2", "2", "1"},
	{countStarOne, "MEASURES COUNT(*) AS s" + pair, "1 1", "2", ""},
	// 65
	{distinctDropped, "MEASURES COUNT(DISTINCT x) AS s" + pair, "5 5", "1", "2"},
	{distinctDropped, "MEASURES COUNT(x) AS s" + pair, "5 5", "2", ""},
	{filterDropped, "MEASURES COUNT(*) FILTER (WHERE x > 5) AS s" + pair, "1 9", "1", "2"},
	{filterDropped, "MEASURES COUNT(*) FILTER (WHERE x > 5) AS s" + pair, "9 9", "2", ""},
	{aggregateUnordered, "MEASURES ARRAY_AGG(x ORDER BY x DESC) AS s" + pair, "1 2", "[2, 1]", "[1, 2]"},
	{aggregateUnordered, "MEASURES ARRAY_AGG(x) AS s" + pair, "1 2", "[1, 2]", ""},
}

// TestAggregateWitnesses: faults of aggregates.
func TestAggregateWitnesses(t *testing.T) {
	for _, w := range aggregateWitnesses {
		w.run(t)
	}
}
