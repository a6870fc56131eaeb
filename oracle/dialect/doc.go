// Package dialect writes cases as the SQL of other products: inline tables for
// the tables of a case, a statement for the preferred match at every row, and
// the few words of a statement that a product spells otherwise. What a product
// lacks is said, with the reason, before anything is written.
//
// A dialect changes the spelling of a question, never the question: a rewrite
// that could change the answer is not made, and the product refuses instead.
//
//	product.go    what is known of a product's SQL
//	products.go   Trino, DuckDB, Oracle, PostgreSQL
//	scan.go       the tokens of a statement
//	statement.go  statements over tables
//	inline.go     tables as part of a statement
//	mapping.go    a pattern over rows of labels as one statement
//	ties.go       the orders of rows that ORDER BY leaves open
package dialect
