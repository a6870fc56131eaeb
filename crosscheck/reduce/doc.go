// Package reduce makes a case smaller as long as an engine's difference on it
// stays the same difference: fewer rows, then a smaller pattern, smaller
// conditions, fewer clauses, smaller values.
//
// It asks two questions of its caller for every try: what the rules say, and
// whether the difference is still the same. Every try is a legal case by the
// first (or, for cases of kind refuse, an illegal one with the same error), so
// that changes of the text may be bold. The order of the tries is fixed, and
// each that is kept is smaller than the one before: the result depends on the
// case and the answers alone, and the search ends.
//
//	reduce.go  the search
//	labels.go  patterns over rows of labels
//	scan.go    the tokens of a statement
//	clause.go  the parts of a recognition
//	sql.go     smaller statements
//	expr.go    smaller expressions
//	rows.go    smaller tables
//	text.go    a case in the format of the case files
package reduce
