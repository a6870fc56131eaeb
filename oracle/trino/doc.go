// Package trino asks a live Trino server. Trino has row pattern recognition in
// FROM and in windows (R010, R020), so it is an opinion on nearly every case;
// where it leaves the standard, its list of known differences says so.
//
// A server is reached in one of three ways, chosen by a spec:
//
//	trino:http(s)://HOST:PORT   a server that runs already
//	trino:docker[:IMAGE]        a container, started and stopped here
//	trino:jvm[:VERSION]         a server in a JVM of this machine, from Maven's jars
//	trino                       $RPRCHECK_TRINO_URL, else a container, else a JVM
//
// Files:
//
//	oracle.go      the oracle: what is asked, one statement or many cases in one
//	batch.go       many cases in one statement, halved when it fails
//	dialect.go     those statements, and how their rows become mappings
//	supports.go    what Trino is not asked, and why
//	values.go      Trino's types and values as ours
//	errors.go      its error names as stage and rule, or as no answer
//	profile.go     the readings of chapter 17 that Trino makes
//	client.go      the HTTP protocol, with everything a server can do wrong
//	spec.go        the ways to a server, and what is missing for them
//	server.go      a server that is reached: started, used, stopped
//	jvm.go         the server in a JVM      jars.go   what it needs, fetched once
//	container.go   the server in a container
package trino
