// Package corpus reads and writes the case files of testdata/rpr: datadriven's
// file format with the directives of this project. It needs no testing package,
// so that the command can run a person's own case files.
//
// A file belongs to a theme (its folder) and a topic (its name). It opens with
// comment lines that say what it shows. A case is a directive line with its
// arguments, the input up to a line of four dashes, and the expected text up to
// the first blank line, or, fenced, up to two successive lines of four dashes.
// Comment lines directly above a case hold its derivation.
//
// Directives:
//
//	table      a table for the cases below it: name=, cols=; rows as SQL literals
//	labels     PATTERN, SUBSET and ROWS as sets of variables, A*600 being 600 rows A; expected: the mapping
//	           at each starting row, or at those of starts= alone
//	match      PATTERN, SUBSET and DEFINE over a table: over=, order=, partition=; expected as for labels
//	prefer     PATTERN, rows=; expected: all candidates, most preferred first
//	recognize  a statement; expected: the output table, or "error STAGE RULE SQLSTATE"
//	window     the same, for statements with row patterns in windows
//	refuse     a statement, or a clause with over=; expected: "STAGE RULE SQLSTATE LINE:COLUMN" or "accepted"
//	plan       PATTERN; expected: a compiled program (of one matcher, not counted as conformance)
//
// Arguments of every case: id=, rule= (or unexplained, of what was generated),
// tr= or iso= (the clause), and optionally by= (who derived it), reading= (the
// reading it is run under).
package corpus
