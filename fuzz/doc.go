// Package fuzz holds what must be true of every pattern and every query, as
// tests over random and over all small inputs.
//
//	gen/                  random inputs, and smaller ones
//	gen/gopters/          the same as gopter generators
//	drift/                the drift checker for other engines
//	differential_test.go  reference = enumerator = Perl, mapping by mapping
//	nfa_test.go           nfa = reference, patterns and whole queries, in every tier
//	exhaustive_test.go    all patterns and inputs up to a size
//	laws_test.go          laws of patterns
//	queries_test.go       laws of whole recognitions
//	readings_test.go      nfa = reference under the readings of chapter 17
//	concurrent_test.go    programs used from many goroutines at once
//	kept_test.go          inputs that failed once: testdata/kept, for ever
//
// The flags -fuzz.n, -fuzz.readings, -fuzz.seed and -fuzz.exhaustive (or RPRCHECK_FUZZ_N and
// RPRCHECK_FUZZ_SEED) set how much is tried:
//
//	go test ./fuzz -fuzz.n=1000000 -fuzz.seed=7 -timeout=0
//	go test ./fuzz -run 'NFA|Readings' -fuzz.n=800000 -fuzz.seed=7 -timeout=0
//	go test ./fuzz -run Exhaustive -fuzz.exhaustive -timeout=0
//
// The seed is printed; the same seed tries the same inputs again.
package fuzz
