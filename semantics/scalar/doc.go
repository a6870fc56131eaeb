// Package scalar binds syntactic expressions to types and evaluates them by
// the book: the value expressions and predicates of DEFINE, MEASURES and the
// outer query, the scalar functions, and the aggregate functions.
//
// What it knows: three-valued logic (DEF-5), strict types (TYPE-1 to TYPE-8),
// lazy evaluation (DEF-15), uncorrelated subqueries as constants (DEF-13).
// What it does not know: columns, row pattern variables, navigation and the
// rows of an aggregate. These are leaves: whoever binds an expression supplies
// a Leaves and gets its own nodes back in the tree.
//
// A bound tree holds everything that an engine needs to compile an evaluator
// of its own: every concrete node and its fields are exported, implicit
// conversions are nodes (Coercion), and Children walks any tree.
//
// Files: expr.go interfaces and helpers; node.go the nodes; arith.go,
// predicate.go, like.go, condition.go, subquery.go evaluation; print.go SQL
// text; bind*.go binding; function*.go scalar functions; aggregate*.go
// aggregates.
package scalar
