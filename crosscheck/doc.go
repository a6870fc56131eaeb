// Package crosscheck puts cases to matchers and oracles, compares what they say
// with what is expected, and reports it.
//
// A run asks every opinion about every case and writes a stream of results: a
// head with versions and the corpus hash, one line a result, and a footer.
// Every report is made from the stream, so that a report can be made again
// without asking anybody.
package crosscheck
