// Package table holds columnar tables: typed vectors with a null bitmap,
// stable sorting by the keys' real types, grouping, and the reading and
// writing of CSV and JSON lines.
//
// It knows types and values (package value) and how names from outside are
// folded (GRAM-10a), nothing of patterns or expressions.
//
//	column.go   Column: the vectors           builder.go  Builder: one column, row by row
//	table.go    Table, Field, names           sort.go     Sorter (NUL-2, NUL-3, TYPE-5, TYPE-7, TYPE-8)
//	radix.go    the sort of large inputs      group.go    Groups (NUL-1)
//	read.go     options, files, limits (LIM-1)
//	source.go   buffer, places of errors      csv.go      ReadCSV
//	jsonl.go    ReadJSONLines                 raw.go      texts of a column while it is read
//	infer.go    texts to vectors              schema.go   ParseSchema, declared types
//	lexical.go  numbers, dates, times         write.go    output formats, text.go those for people
package table
