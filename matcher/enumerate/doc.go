// Package enumerate is the parenthesised language of a row pattern itself:
// every candidate string, most preferred first, as a lazy sequence.
//
// It is written from the definition of the order, not from a search procedure,
// so that it can be an opinion of its own: each kind of node lists its strings
// in the order that its rule gives, and asks its operands for theirs.
//
//	language.go   the pattern, prepared for listing
//	order.go      PREF-1 to PREF-8 and PAT-7: a node's strings, one after another
//	candidate.go  a string with its derivation, and the notation of chapter 2
//	compare.go    two derivations: which is preferred, and which rule decides
//	list.go       Candidates, and Where for a part of the list
//	locate.go     where in the list a mapping stands
//	engine.go     MAT-1: the first feasible candidate, as a matcher.Engine
//
// The list is finite: a candidate has at most a given number of rows, and
// PREF-8 forbids more than the lower bound's number of empty iterations. Its
// length is exponential in general, and so is the engine's time; memory is
// that of one candidate.
package enumerate
