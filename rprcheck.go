// Package rprcheck is the exact, executable reference for SQL row pattern
// recognition (MATCH_RECOGNIZE, ISO/IEC 9075-2 features R010, R020 and R030),
// and a harness that holds engines against it.
//
// The packages, from the bottom up:
//
//   - semantics: parse, validate and evaluate a clause, write its output;
//   - matcher: what a matcher is; matcher/reference finds matches by
//     preference-ordered backtracking, to be read beside the standard;
//     matcher/enumerate enumerates the parenthesised language itself;
//   - oracle: opinions from outside, such as Perl or any engine that speaks the
//     protocol;
//   - crosscheck: cases against matchers and oracles;
//   - cmd/rprcheck: the command.
package rprcheck

import "embed"

// CorpusRoot is the folder of the case files in Corpus.
const CorpusRoot = "testdata/rpr"

// Corpus holds the case files of the specification suite.
//
//go:embed testdata/rpr
var Corpus embed.FS
