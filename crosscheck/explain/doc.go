// Package explain shows how a recognition is understood and how its search
// goes: what `rprcheck explain` prints.
//
//	tree.go        the sub-clauses in the standard's terms, each with rule and clause
//	pattern.go     the row pattern
//	expression.go  what DEFINE and MEASURES read of a match
//	effects.go     which readings of chapter 17 change the answer
//	search.go      the search from one row, in preference order
//	input.go       the input tables of a statement's recognitions
//
// Names and data are escaped: the text is safe for a terminal.
package explain
