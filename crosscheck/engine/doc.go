// Package engine is the opinion of a live engine on the cases of the suite. It
// asks what package crosscheck asks of any oracle, and match cases whose
// conditions read the match as statements. Then it settles what only looks like
// a difference: the standard leaves some choices to the implementation, and an
// answer that makes another choice than the reference is no fault.
//
//	engine.go  the opinion, and the order in which things are settled
//	match.go   match cases as statements
//	ties.go    the orders that ORDER BY leaves open
//
// What is settled as agreement says so in the reason of its result, so that it
// is counted apart.
package engine
