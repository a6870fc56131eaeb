// Command rprcheck runs SQL row pattern recognition (MATCH_RECOGNIZE) exactly
// as ISO/IEC 9075-2:2016 defines it.
//
// Each subcommand has a file of its own, which reads flags and calls the
// package that does the work. Exit codes: 0 as expected; 1 a query was refused,
// failed or went over a limit; 2 wrong usage or an input that cannot be read;
// 3 an engine could not be reached; 130 interrupted.
package main

import (
	"context"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
