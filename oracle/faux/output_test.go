package faux

import "testing"

// atAll and atOne are measures with what the rows show: c, i, x.
const (
	all   = " ALL ROWS PER MATCH "
	whole = all + "WITH UNMATCHED ROWS "
	empty = "MEASURES 1 AS k, MATCH_NUMBER() AS n, CLASSIFIER() AS c, COUNT(*) AS t PATTERN (A*) DEFINE A AS x > 5"
)

var outputWitnesses = []clause{
	// 66
	{runningIsFinal, "MEASURES COUNT(*) AS c" + all + "PATTERN (A+) DEFINE A AS x > 0", "5 5", "1 1 5; 2 2 5", "2 1 5; 2 2 5"},
	{runningIsFinal, "MEASURES COUNT(*) AS c PATTERN (A+) DEFINE A AS x > 0", "5 5", "2", ""},
	{finalIsRunning, "MEASURES FINAL COUNT(*) AS c" + all + "PATTERN (A+) DEFINE A AS x > 0", "5 5", "2 1 5; 2 2 5", "1 1 5; 2 2 5"},
	{finalIsRunning, "MEASURES FINAL COUNT(*) AS c PATTERN (A+) DEFINE A AS x > 0", "5 5", "2", ""},
	// 66: row 2 is in the matches of rows 1, 2 and 2, 3.
	{finalOfOther, "MEASURES FINAL LAST(i) AS l" + all + "AFTER MATCH SKIP TO NEXT ROW PATTERN (A A) DEFINE A AS x > 0", "5 5 5",
		"2 1 5; 2 2 5; 3 2 5; 3 3 5", "2 1 5; 3 2 5; 3 2 5; 3 3 5"},
	{finalOfOther, "MEASURES FINAL LAST(i) AS l" + all + "PATTERN (A A) DEFINE A AS x > 0", "5 5", "2 1 5; 2 2 5", ""},
	// 67
	{classifierFirst, "MEASURES CLASSIFIER() AS c PATTERN (A B) DEFINE B AS x > 0", "5 5", "B", "A"},
	{classifierFirst, "MEASURES CLASSIFIER() AS c" + all + "PATTERN (A B) DEFINE B AS x > 0", "5 5", "A 1 5; B 2 5", ""},
	{classifierOfUnion, "MEASURES CLASSIFIER(U) AS c PATTERN (A B) SUBSET U = (A, B) DEFINE B AS x > 0", "5 5", "B", "U"},
	{classifierOfUnion, "MEASURES CLASSIFIER(A) AS c PATTERN (A B) SUBSET U = (A, B) DEFINE B AS x > 0", "5 5", "A", ""},
	{classifierAnyRow, "MEASURES CLASSIFIER(U) AS c PATTERN (A B C) SUBSET U = (A, B) DEFINE B AS x > 0", "5 5 5", "B", "C"},
	{classifierAnyRow, "MEASURES CLASSIFIER(U) AS c PATTERN (C A B) SUBSET U = (A, B) DEFINE B AS x > 0", "5 5 5", "B", ""},
	// 68
	{emptyConstantNull, empty, "1", "1 1 NULL 0", "NULL 1 NULL 0"},
	{emptyConstantNull, empty, "9", "1 1 A 1", ""},
	{emptyNumberNull, empty, "1", "1 1 NULL 0", "1 NULL NULL 0"},
	{emptyNumberNull, empty, "9", "1 1 A 1", ""},
	{emptyClassifierText, empty, "1", "1 1 NULL 0", "1 1 '' 0"},
	{emptyClassifierText, empty, "9", "1 1 A 1", ""},
	{emptyCountNull, empty, "1", "1 1 NULL 0", "1 1 NULL NULL"},
	{emptyCountNull, "MEASURES COUNT(B.*) AS b PATTERN (A B?) DEFINE B AS x > 9", "9", "0", ""},
	// 69
	{unmatchedConstant, "MEASURES 1 AS k, MATCH_NUMBER() AS n" + whole + "PATTERN (A) DEFINE A AS x > 5", "1", "NULL NULL 1 1", "1 NULL 1 1"},
	{unmatchedConstant, "MEASURES 1 AS k, MATCH_NUMBER() AS n" + whole + "PATTERN (A) DEFINE A AS x > 5", "9", "1 1 1 9", ""},
	{unmatchedNumber, "MEASURES 1 AS k, MATCH_NUMBER() AS n" + whole + "PATTERN (A) DEFINE A AS x > 5", "9 1", "1 1 1 9; NULL NULL 2 1", "1 1 1 9; NULL 1 2 1"},
	{unmatchedNumber, "MEASURES 1 AS k, MATCH_NUMBER() AS n" + whole + "PATTERN (A*) DEFINE A AS x > 5", "1", "1 1 1 1", ""},
	// 70
	{emptyAlsoUnmatched, "MEASURES MATCH_NUMBER() AS n" + whole + "PATTERN (A*) DEFINE A AS x > 5", "1", "1 1 1", "NULL 1 1; 1 1 1"},
	{emptyAlsoUnmatched, "MEASURES MATCH_NUMBER() AS n" + all + "PATTERN (A*) DEFINE A AS x > 5", "1", "1 1 1", ""},
	{unmatchedAsEmpty, "MEASURES COUNT(*) AS c" + whole + "PATTERN (A) DEFINE A AS x > 5", "1", "NULL 1 1", "0 1 1"},
	{unmatchedAsEmpty, "MEASURES COUNT(*) AS c" + whole + "PATTERN (A*) DEFINE A AS x > 5", "1", "0 1 1", ""},
	{overlapUnmatched, "MEASURES MATCH_NUMBER() AS n" + whole + "AFTER MATCH SKIP TO NEXT ROW PATTERN (A A) DEFINE A AS x > 5", "9 9", "1 1 9; 1 2 9", "1 1 9; 1 2 9; NULL 2 9"},
	{overlapUnmatched, "MEASURES MATCH_NUMBER() AS n" + whole + "PATTERN (A A) DEFINE A AS x > 5", "9 9", "1 1 9; 1 2 9", ""},
	// 71
	{excludedShown, "MEASURES MATCH_NUMBER() AS n" + all + "PATTERN (A {- B -}) DEFINE B AS x > 5", "1 9", "1 1 1", "1 1 1; 1 2 9"},
	{excludedShown, "MEASURES COUNT(*) AS n PATTERN (A {- B -}) DEFINE B AS x > 5", "1 9", "2", ""},
	{excludedNotCounted, "MEASURES FINAL COUNT(*) AS c" + all + "PATTERN (A {- B -}) DEFINE B AS x > 5", "1 9", "2 1 1", "1 1 1"},
	{excludedNotCounted, "MEASURES FINAL COUNT(*) AS c" + all + "PATTERN (A B) DEFINE B AS x > 5", "1 9", "2 1 1; 2 2 9", ""},
	{exclusionOneRow, "MEASURES COUNT(*) AS n PATTERN (A {- B -}) DEFINE B AS x > 5", "1 9", "2", "error semantic OUT-7 42000"},
	{exclusionOneRow, "MEASURES COUNT(*) AS n" + all + "PATTERN (A {- B -}) DEFINE B AS x > 5", "1 9", "1 1 1", ""},
	// 73
	{overlapOnce, "MEASURES MATCH_NUMBER() AS n" + all + "AFTER MATCH SKIP TO NEXT ROW PATTERN (A A) DEFINE A AS x > 5", "9 9 9", "1 1 9; 1 2 9; 2 2 9; 2 3 9", "1 1 9; 1 2 9; 2 3 9"},
	{overlapOnce, "MEASURES MATCH_NUMBER() AS n" + all + "PATTERN (A A) DEFINE A AS x > 5", "9 9", "1 1 9; 1 2 9", ""},
}

// TestOutputWitnesses: faults of measures and output.
func TestOutputWitnesses(t *testing.T) {
	for _, w := range outputWitnesses {
		w.run(t)
	}
}

// wide has the partition column in the middle.
var wide = []string{"w(i bigint, p varchar, x bigint): 1 a 5"}

const wideAll = "FROM w MATCH_RECOGNIZE (PARTITION BY p ORDER BY x MEASURES 7 AS k ALL ROWS PER MATCH PATTERN (A) DEFINE A AS x > 0) AS m"

// columnWitnesses: the columns are p, x, k, i (OUT-2).
var columnWitnesses = []statement{
	{columnsInInputOrder, "SELECT * " + wideAll, wide, "a 5 7 1", "1 a 5 7"},
	{columnsInInputOrder, "SELECT p, x, k, i " + wideAll, wide, "a 5 7 1", ""},
	{orderColumnsTwice, "SELECT m.* " + wideAll, wide, "a 5 7 1", "a 5 7 1 5"},
	{orderColumnsTwice, "SELECT * FROM w MATCH_RECOGNIZE (PARTITION BY p ORDER BY x MEASURES 7 AS k PATTERN (A) DEFINE A AS x > 0)", wide, "a 7", ""},
	{partitionMissing, "SELECT * " + wideAll, wide, "a 5 7 1", "5 7 1"},
	{partitionMissing, "SELECT * FROM w MATCH_RECOGNIZE (PARTITION BY p ORDER BY x MEASURES 7 AS k PATTERN (A) DEFINE A AS x > 0)", wide, "a 7", "7"},
	{partitionMissing, "SELECT * FROM w MATCH_RECOGNIZE (ORDER BY x MEASURES 7 AS k PATTERN (A) DEFINE A AS x > 0)", wide, "7", ""},
}

// TestColumnWitnesses: faults of the output's columns show through an asterisk.
func TestColumnWitnesses(t *testing.T) {
	for _, w := range columnWitnesses {
		w.run(t)
	}
}

func overWindow(id lie, list, spec, rows, right, wrong string) statement {
	return statement{id, "SELECT i, " + list + " FROM t WINDOW w AS (ORDER BY i ROWS BETWEEN CURRENT ROW AND " + spec + ")", []string{"t(i bigint, x bigint): " + rows}, right, wrong}
}

var windowWitnesses = []statement{
	// 74
	overWindow(skippedKeepsMatch, "COUNT(*) OVER w", "UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS x > 5", "1 9; 2 9", "1 2; 2 0", "1 2; 2 2"),
	overWindow(skippedKeepsMatch, "COUNT(*) OVER w", "UNBOUNDED FOLLOWING PATTERN (A+) DEFINE A AS x > 5", "1 9; 2 1", "1 1; 2 0", ""),
	// 75: A{3} has no place in a frame of two rows.
	overWindow(pastFrameEnd, "COUNT(*) OVER w", "1 FOLLOWING PATTERN (A{3} | A) DEFINE A AS x > 5", "1 9; 2 9; 3 9", "1 1; 2 1; 3 1", "1 3; 2 0; 3 0"),
	overWindow(pastFrameEnd, "COUNT(*) OVER w", "1 FOLLOWING PATTERN (A{2} | A) DEFINE A AS x > 5", "1 9; 2 9; 3 9", "1 2; 2 0; 3 1", ""),
	// 76: only row 2 starts a match.
	overWindow(seekIsInitial, "COUNT(*) OVER w", "UNBOUNDED FOLLOWING SEEK PATTERN (A) DEFINE A AS x > 5", "1 1; 2 9", "1 1; 2 0", "1 0; 2 1"),
	overWindow(seekIsInitial, "COUNT(*) OVER w", "UNBOUNDED FOLLOWING SEEK PATTERN (A) DEFINE A AS x > 5", "1 9; 2 1", "1 1; 2 0", ""),
	overWindow(initialLooksAhead, "COUNT(*) OVER w", "UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS x > 5", "1 1; 2 9", "1 0; 2 1", "1 1; 2 0"),
	overWindow(initialLooksAhead, "COUNT(*) OVER w", "UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS x > 5", "1 9; 2 1", "1 1; 2 0", ""),
	// 77: row 2 gets what belongs to row 3.
	overWindow(advancedTwice, "COUNT(*) OVER w, FIRST_VALUE(i) OVER w", "UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS x > 5", "1 9; 2 1; 3 9", "1 1 1; 2 0 NULL; 3 1 3", "1 1 1; 2 1 3; 3 0 NULL"),
	overWindow(advancedTwice, "FIRST_VALUE(i) OVER w", "UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS x > 5", "1 9; 2 1; 3 9", "1 1; 2 NULL; 3 3", ""),
}

// TestWindowWitnesses: faults of windows.
func TestWindowWitnesses(t *testing.T) {
	for _, w := range windowWitnesses {
		w.run(t)
	}
}
