package faux

import "testing"

func clauseWitnesses() []clause {
	var out []clause
	for _, list := range [][]clause{scanWitnesses, conditionWitnesses, aggregateWitnesses, outputWitnesses} {
		out = append(out, list...)
	}
	return out
}

func statementWitnesses() []statement {
	var out []statement
	for _, list := range [][]statement{partitionWitnesses, columnWitnesses, windowWitnesses, nameWitnesses} {
		out = append(out, list...)
	}
	return out
}

// count is what a scan shows: number, rows and first row of each match.
const count = "MEASURES MATCH_NUMBER() AS n, COUNT(*) AS c, FIRST(i) AS f "

// scanWitnesses: rows are n, c, f with ONE ROW, n and i, x with ALL ROWS.
var scanWitnesses = []clause{
	// 24: 1A reaches C at row 2 and fails; 1B does not get there any more.
	{failureRemembered, count + "PATTERN ((A | B) C) DEFINE C AS PREV(CLASSIFIER()) = 'B'", "1 1", "1 2 1", "nothing"},
	{failureRemembered, count + "PATTERN ((A | B) C) DEFINE B AS x > 0, A AS x > 1, C AS x = 2", "1 2", "1 2 1", ""},
	// 29: the match at row 1 makes row 2 the first of what remains.
	{anchorAtResume, count + "PATTERN (^ A) DEFINE A AS x > 0", "1 1", "1 1 1", "1 1 1; 2 1 2"},
	{anchorAtResume, count + "PATTERN (^ A) DEFINE A AS x > 1", "1 2", "", ""},
	// 31: the empty match at row 1 is found again; or one that takes the row is sought there.
	{emptyResumesSame, count + "PATTERN (A*) DEFINE A AS x > 5", "1 9", "1 0 NULL; 2 1 2", "1 0 NULL; 2 0 NULL; 3 1 2"},
	{emptyResumesSame, count + "PATTERN (A+) DEFINE A AS x > 5", "1 9", "1 1 2", ""},
	{emptyTriesAgain, count + "PATTERN (() | A) DEFINE A AS x > 5", "9", "1 0 NULL", "1 0 NULL; 2 1 1"},
	{emptyTriesAgain, count + "PATTERN (A*) DEFINE A AS x > 5", "1 9", "1 0 NULL; 2 1 2", ""},
	// 32
	{emptyNotNumbered, count + "PATTERN (A*) DEFINE A AS x > 5", "1 9", "1 0 NULL; 2 1 2", "0 0 NULL; 1 1 2"},
	{emptyNotNumbered, count + "PATTERN (A+) DEFINE A AS x > 5", "1 9", "1 1 2", ""},
	{emptyNotReported, count + "PATTERN (A*) DEFINE A AS x > 5", "1 9", "1 0 NULL; 2 1 2", "2 1 2"},
	{emptyNotReported, count + "PATTERN (A+) DEFINE A AS x > 5", "1 9", "1 1 2", ""},
	// 33
	{omitRenumbers, "MEASURES MATCH_NUMBER() AS n ALL ROWS PER MATCH OMIT EMPTY MATCHES PATTERN (A*) DEFINE A AS x > 5", "1 9", "2 2 9", "1 2 9"},
	{omitRenumbers, "MEASURES MATCH_NUMBER() AS n ALL ROWS PER MATCH PATTERN (A*) DEFINE A AS x > 5", "1 9", "1 1 1; 2 2 9", ""},
	{omitSearchesOn, "MEASURES MATCH_NUMBER() AS n ALL ROWS PER MATCH OMIT EMPTY MATCHES PATTERN (() | A) DEFINE A AS x > 5", "9", "", "1 1 9"},
	{omitSearchesOn, "MEASURES MATCH_NUMBER() AS n ALL ROWS PER MATCH OMIT EMPTY MATCHES PATTERN (A | ()) DEFINE A AS x > 5", "1 9", "2 2 9", ""},
	// 35
	{nextRowIsPast, count + "AFTER MATCH SKIP TO NEXT ROW PATTERN (A A) DEFINE A AS x > 0", "1 1 1", "1 2 1; 2 2 2", "1 2 1"},
	{nextRowIsPast, count + "PATTERN (A A) DEFINE A AS x > 0", "1 1 1", "1 2 1", ""},
	{nextRowIsSecond, count + "AFTER MATCH SKIP TO NEXT ROW PATTERN (A A) DEFINE A AS x > 0", "1 1 1 1", "1 2 1; 2 2 2; 3 2 3", "1 2 1; 2 2 3"},
	{nextRowIsSecond, count + "PATTERN (A A) DEFINE A AS x > 0", "1 1 1 1", "1 2 1; 2 2 3", ""},
	// 36: X B B on rows 1 to 3; from row 2 there is X B, from row 3 nothing.
	{skipFirstIsLast, count + "AFTER MATCH SKIP TO FIRST B PATTERN (X B+) DEFINE B AS x = 2", "1 2 2", "1 3 1; 2 2 2", "1 3 1"},
	{skipFirstIsLast, count + "AFTER MATCH SKIP TO LAST B PATTERN (X B+) DEFINE B AS x = 2", "1 2 2", "1 3 1", ""},
	{skipPlainIsFirst, count + "AFTER MATCH SKIP TO B PATTERN (X B+) DEFINE B AS x = 2", "1 2 2", "1 3 1", "1 3 1; 2 2 2"},
	{skipPlainIsFirst, count + "AFTER MATCH SKIP TO LAST B PATTERN (X B+) DEFINE B AS x = 2", "1 2 2", "1 3 1", ""},
	// 37
	{skipUnmappedPast, count + "AFTER MATCH SKIP TO B PATTERN (X B?) DEFINE B AS x = 2", "1 1", "error runtime SKIP-2 2202K", "1 1 1; 2 1 2"},
	{skipUnmappedPast, count + "AFTER MATCH SKIP TO FIRST X PATTERN (X B?) DEFINE B AS x = 2", "1 1", "error runtime SKIP-3 2202L", ""},
	// 38
	{skipFirstAdvances, count + "AFTER MATCH SKIP TO X PATTERN (X B) DEFINE B AS x = 2", "1 2", "error runtime SKIP-3 2202L", "1 2 1"},
	{skipFirstAdvances, count + "AFTER MATCH SKIP TO C PATTERN (X B C?) DEFINE B AS x = 2, C AS x = 3", "1 2", "error runtime SKIP-2 2202K", ""},
	// 39: nothing matches, so nothing is wrong.
	{skipErrorsEarly, count + "AFTER MATCH SKIP TO B PATTERN (X B? C) DEFINE B AS x = 2, C AS x = 3", "1 1", "", "error semantic SKIP-2 42000"},
	{skipErrorsEarly, count + "AFTER MATCH SKIP TO X PATTERN (X C) DEFINE C AS x = 3", "1 1", "", "error semantic SKIP-3 42000"},
	{skipErrorsEarly, count + "AFTER MATCH SKIP TO B PATTERN (X B C) DEFINE B AS x = 2, C AS x = 3", "1 2 3", "1 3 1", ""},
	{skipErrorsAlways, count + "AFTER MATCH SKIP TO B PATTERN (X B C) DEFINE B AS x = 2, C AS x = 3", "1 1", "", "error runtime SKIP-2 2202K"},
	{skipErrorsAlways, count + "AFTER MATCH SKIP TO B PATTERN (X B C) DEFINE B AS x = 2, C AS x = 3", "1 2 3", "1 3 1", ""},
	// 40: the row of U is mapped to its second member.
	{skipFirstMember, count + "AFTER MATCH SKIP TO U PATTERN (X (A | B)) SUBSET U = (A, B) DEFINE A AS x = 5, B AS x = 2", "1 2", "1 2 1", "error runtime SKIP-2 2202K"},
	{skipFirstMember, count + "AFTER MATCH SKIP TO U PATTERN (X (A | B)) SUBSET U = (A, B) DEFINE A AS x = 5, B AS x = 2", "1 5", "1 2 1", ""},
	// 41
	{skipIgnoresHidden, count + "AFTER MATCH SKIP TO B PATTERN (X {- B -} C) DEFINE B AS x = 2, C AS x = 3", "1 2 3", "1 3 1", "error runtime SKIP-2 2202K"},
	{skipIgnoresHidden, count + "AFTER MATCH SKIP TO B PATTERN (X B {- C -}) DEFINE B AS x = 2, C AS x = 3", "1 2 3", "1 3 1", ""},
	// 42: the attempt at row 1 fails at row 3, so row 2 is not tried.
	{openAttemptBlocks, count + "PATTERN (A A B) DEFINE A AS x = 1, B AS x = 2", "1 1 1 2", "1 3 2", "nothing"},
	{openAttemptBlocks, count + "PATTERN (A A B) DEFINE A AS x = 1, B AS x = 2", "3 1 1 2", "1 3 2", ""},
	// 43
	{startsAfterEnd, count + "PATTERN (A*) DEFINE A AS x > 5", "9", "1 1 1", "1 1 1; 2 0 NULL"},
	{startsAfterEnd, count + "PATTERN (A+) DEFINE A AS x > 5", "9", "1 1 1", ""},
	// 44
	{onlyFirstMatch, count + "PATTERN (A) DEFINE A AS x > 5", "9 9", "1 1 1; 2 1 2", "1 1 1"},
	{onlyFirstMatch, count + "PATTERN (A) DEFINE A AS x > 5", "1 9", "1 1 2", ""},
}

// TestScanWitnesses: faults of scan, numbers and skipping show in statements.
func TestScanWitnesses(t *testing.T) {
	for _, w := range scanWitnesses {
		w.run(t)
	}
}

// letters is a table of partitions.
const letters = "u(p varchar, i bigint, x bigint): "

var partitionWitnesses = []statement{
	// 30: B goes on into the rows of partition b.
	{fillerReadsOn, "SELECT * FROM u MATCH_RECOGNIZE (PARTITION BY p MEASURES COUNT(*) AS c PATTERN (A B*) DEFINE A AS x = 1)",
		[]string{letters + "a 1 1; a 2 2; b 3 2; b 4 2"}, "a 2", "a 4"},
	{fillerReadsOn, "SELECT * FROM u MATCH_RECOGNIZE (PARTITION BY p MEASURES COUNT(*) AS c PATTERN (A B*) DEFINE A AS x = 1, B AS x = 2)",
		[]string{letters + "a 1 1; a 2 2; b 3 2; b 4 2"}, "a 2", ""},
	// 34
	{numbersGoOn, "SELECT * FROM u MATCH_RECOGNIZE (PARTITION BY p MEASURES MATCH_NUMBER() AS n PATTERN (A) DEFINE A AS x > 0)",
		[]string{letters + "a 1 1; b 2 1"}, "a 1; b 1", "a 1; b 2"},
	{numbersGoOn, "SELECT * FROM u MATCH_RECOGNIZE (PARTITION BY p MEASURES MATCH_NUMBER() AS n PATTERN (A) DEFINE A AS x > 0)",
		[]string{letters + "a 1 1; a 2 1"}, "a 1; a 2", ""},
	// 59
	{nullKeysSplit, "SELECT * FROM u MATCH_RECOGNIZE (PARTITION BY p MEASURES COUNT(*) AS c PATTERN (A+) DEFINE A AS x > 0)",
		[]string{letters + "NULL 1 1; NULL 2 1"}, "NULL 2", "NULL 1; NULL 1"},
	{nullKeysSplit, "SELECT * FROM u MATCH_RECOGNIZE (PARTITION BY p MEASURES COUNT(*) AS c PATTERN (A+) DEFINE A AS x > 0)",
		[]string{letters + "a 1 1; a 2 1"}, "a 2", ""},
	{nullsFirstAlways, "SELECT * FROM u MATCH_RECOGNIZE (ORDER BY x MEASURES FIRST(i) AS f PATTERN (A+) DEFINE A AS i > 0)",
		[]string{letters + "a 1 NULL; a 2 5"}, "2", "1"},
	{nullsFirstAlways, "SELECT * FROM u MATCH_RECOGNIZE (ORDER BY x NULLS FIRST MEASURES FIRST(i) AS f PATTERN (A+) DEFINE A AS i > 0)",
		[]string{letters + "a 1 5; a 2 NULL"}, "2", ""},
	// 60
	{secondKeyAscending, "SELECT * FROM u MATCH_RECOGNIZE (ORDER BY p, x DESC MEASURES FIRST(x) AS f PATTERN (A+) DEFINE A AS i > 0)",
		[]string{letters + "a 1 1; a 2 2"}, "2", "1"},
	{secondKeyAscending, "SELECT * FROM u MATCH_RECOGNIZE (ORDER BY p DESC, x MEASURES FIRST(x) AS f PATTERN (A+) DEFINE A AS i > 0)",
		[]string{letters + "a 1 2; a 2 1; b 3 9"}, "9", ""},
}

// TestPartitionWitnesses: faults that need partitions or an order.
func TestPartitionWitnesses(t *testing.T) {
	for _, w := range partitionWitnesses {
		w.run(t)
	}
}
