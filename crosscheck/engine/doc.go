// Package engine is the opinion of a live engine on the cases of the suite. It
// asks what package crosscheck asks of any oracle, and match cases whose
// conditions read the match as statements. Where ORDER BY leaves ties it tells
// whether an answer fits one of the orders.
//
//	engine.go  the opinion
//	match.go   match cases as statements
//	ties.go    the orders that ORDER BY leaves open
package engine
