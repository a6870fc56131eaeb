// Package protocol holds the messages by which rprcheck talks to an engine in
// another process, and answers as one: a JSON object a line, answers in the
// order of the questions.
//
// Both sides are here. A Question is written by Append and read by
// ParseQuestion, an Answer by Append and ParseAnswer; Reader splits a stream
// into lines of bounded length and goes on behind one that is too long. The
// folder schema has a JSON schema of every message, against which tests check
// both sides.
//
// Reading is strict, since a message that is half understood gives a wrong
// verdict: invalid UTF-8, duplicate keys, unknown keys of a question, values of
// the wrong type and numbers that do not fit their type exactly are errors.
// Unknown keys of an answer are passed over, so that an engine may say more.
// Numbers never go through a binary double unless their type is one.
//
//	scan.go      a strict JSON scanner
//	lines.go     lines of bounded length
//	question.go  hello, query, check, map, prefer, bye
//	answer.go    what is answered to each
//	tables.go    tables in messages (GRAM-10a, chapter 18)
//	errors.go    errors in messages (chapter 13)
package protocol
