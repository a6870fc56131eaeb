// Package audit holds a live Trino against the rules on a person's own query and
// tables. Trino does the distributed work: it filters, samples, partitions and
// orders. Input and result come back partition by partition, each is recomputed
// here, and what differs is read a second time, made small and explained.
//
//	audit.go    the audit of one recognition
//	plan.go     the statements that are sent: SELECTs, and no others
//	stream.go   rows of a result, partition by partition
//	client.go   the server's HTTP protocol, page by page
//	values.go   the server's types and values
//	write.go    a report as text
//
// Memory is that of the largest partition. No file that the query names is read.
package audit
