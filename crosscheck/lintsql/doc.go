// Package lintsql says, without any engine, which known differences of which
// engines a query can meet: patterns on which they are known to prefer another
// match, what they refuse, and choices that the standard leaves open. Each remark
// has its rule and, where there is a rewrite that changes nothing by the rules,
// that rewrite.
//
//	lint.go      a statement and its remarks
//	pattern.go   what the pattern can meet
//	clause.go    what conditions, measures and clauses can meet
//	rewrite.go   rewrites that keep the preferred match
//
// What engines do is taken from their documentation and from what this project
// has seen of them; a remark is about what can happen, not what will.
package lintsql
