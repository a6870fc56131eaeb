// Package reportmd writes REPORT.md: what the suite is worth, what our matchers
// share, and where engines leave the standard. It is made from the suite, from
// our own matchers and mutants, which are asked anew, and from recorded result
// streams and findings of engines. Nothing in it depends on the time, the machine
// or the order in which things were asked: made twice it is the same, byte for
// byte.
//
//	recorded.go   result streams and findings of engines, kept as files
//	recorded/     those files
//	seeds/        the cross-check of patterns and features, as case files
//	front.go      the first page
//	report.go     the chapters
//	seeds.go      the chapter of the cross-check
//	gates.go      the rewrites of PREF-11 and whether they hold
package reportmd
