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
	"fmt"
	"os"
	"os/signal"
	"time"
)

// grace is how long a command may take to end after Ctrl-C, for example to
// write what it has. A second Ctrl-C ends it at once.
const grace = time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	done := make(chan int, 1)
	go func() { done <- run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }()
	code := exitInterrupted
	select {
	case code = <-done:
	case <-ctx.Done():
		stop()
		select {
		case code = <-done:
		case <-time.After(grace): // for example, it waits for standard input
			fmt.Fprintln(os.Stderr, "rprcheck: interrupted")
		}
	}
	os.Exit(code)
}
