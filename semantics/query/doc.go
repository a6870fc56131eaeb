// Package query runs the statement around a recognition: a small outer SQL, so
// that real queries with MATCH_RECOGNIZE or a row pattern window can be pasted
// and run. What it does not do is refused by name (stage unsupported, rule
// SQL-1), together with what to write instead.
//
// # What it does
//
//	statement  = query [;]
//	query      = [WITH item, ...] term {UNION ALL term} [ORDER BY ...] [OFFSET n ROWS] [LIMIT n | FETCH FIRST n ROWS ONLY]
//	term       = SELECT block | VALUES (...), ... | TABLE name | ( query )
//	block      = SELECT [DISTINCT | ALL] list [FROM factor] [WHERE ...] [GROUP BY ...] [HAVING ...] [WINDOW w AS (...), ...]
//	factor     = (name | ( query )) [[AS] name [(column, ...)]] [MATCH_RECOGNIZE (...) [[AS] name [(column, ...)]]]
//
// Subqueries are uncorrelated. Window functions and measures need a window with
// a row pattern (chapter 10). LIMIT is accepted although the standard has only
// FETCH FIRST.
//
// A result column is called by its alias, else by the column or measure that it
// is, else _COLn, where n is its place among the columns of the result, from 1.
//
// # Files
//
//	syntax.go                                       the syntax tree
//	parse.go parse_select.go parse_from.go          the parser, by hand
//	parse_expr.go parse_first.go                    expressions; which syntax error is the first
//	foreign.go                                      forms that are refused by name
//	names.go                                        scopes and the resolution of names (NAME-1, NEST-2, DEF-13)
//	bind.go bind_from.go bind_select.go bind_order.go   names, types and rules
//	leaves.go group.go window.go                    columns, aggregates and window functions in expressions
//	plan.go run_select.go run_window.go             evaluation over columnar tables
//
// The matcher is handed in as a Recognizer: imports run downward, and this
// package lies below package matcher.
package query
