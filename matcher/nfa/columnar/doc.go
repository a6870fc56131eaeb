// Package columnar evaluates row-local conditions of DEFINE a block of rows at
// a time, on the vectors of the columns, into bitsets. It has its own
// evaluation: package scalar gives the trees, package value the arithmetic of
// the rarer types only.
//
// # Which file says what
//
//	kernel.go    Compile, Kernel, Set: what an engine calls
//	leaf.go      what the leaves of other packages are on the current row
//	plan.go      nodes, sharing of equal ones, folding of constants
//	compile.go   expressions to nodes
//	run.go       blocks, bounds of partitions, errors
//	load.go      columns to vectors, at the row or at a distance from it
//	vector.go    vectors and masks
//	compare.go   comparisons; loops.go their inner loops
//	logic.go     AND, OR, NOT, IS, BETWEEN, IN
//	arith.go     integers and decimals; inexact.go double; temporal.go dates
//	quotient.go  quotients of exact numbers, compared with a constant
//	choose.go    CASE, COALESCE, NULLIF, IF, GREATEST, LEAST
//	text.go      strings by their first eight bytes; like.go LIKE
//	boxed.go     everything else, value by value
//
// # Truth
//
// A condition is two masks, the rows on which it is TRUE and those on which it
// is FALSE; UNKNOWN is neither. AND, OR and NOT are one or two instructions for
// 64 rows (chapter 18 of the rulebook, NUL-1).
//
// # Errors
//
// Each node is evaluated for a mask of rows that need it: the right side of AND
// only where the left side is not FALSE, a branch of CASE only where it is taken
// (DEF-15). A node may compute other rows as well, but an error counts in the
// rows of the mask only. So a row is reported as raising exactly if evaluation
// row by row raises there; which error it is remains to be asked there.
//
// # Decimals
//
// Decimals with a scale are computed with 64-bit coefficients. Where these do
// not suffice, the block is evaluated again with every decimal as a value.
package columnar
