// Package semantics is the language of SQL row pattern recognition: features
// R010 (MATCH_RECOGNIZE in FROM), R020 (row patterns in windows) and R030 (all
// aggregates) of ISO/IEC 9075-2, as ISO/IEC TR 19075-5 explains them.
//
// It parses and binds a clause, evaluates DEFINE and MEASURES by the book, and
// writes the output table. It does not search: a matcher (package matcher and
// below) finds the rows of each match and comes back here with a Mapping.
//
// Where the rules live, by clause of TR 19075-5:2021:
//
//	4.5 to 4.9     syntax, PARTITION BY, ORDER BY     parse.go, bind.go
//	4.10, 4.15     variables, SUBSET                  bind.go (PAT-9, SUB-1)
//	4.11, 5.1-5.9  MEASURES, navigation, aggregates   leaves.go (syntax rules), eval.go, navigation.go
//	4.12, 4.17     ROWS PER MATCH, output             output.go
//	4.13           AFTER MATCH SKIP                   skip.go
//	4.14           PATTERN                            parse_pattern.go, pattern.go
//	4.16           DEFINE                             bind.go, eval.go (Conditions)
//	6              windows                            window.go
//	7              preferment                         package matcher/reference
//
// Packages below: diag (the error type), value (types and values), table
// (columnar tables), scalar (typed expressions), rulebook (the rules in our
// words), readings (the choices that can be switched), query (the SQL around a
// clause).
//
// Evaluation is by the book: navigation and aggregates are recomputed from the
// mapping each time. An aggregate in DEFINE therefore costs time proportional
// to the rows mapped so far, and a match of n rows with one costs O(n^2).
package semantics
