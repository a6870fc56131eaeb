// Command rprcheck runs SQL row pattern recognition (MATCH_RECOGNIZE) exactly
// as ISO/IEC 9075-2:2016 defines it.
//
// Each subcommand has a file of its own, which reads flags and calls the
// package that does the work. Exit codes: 0 as expected; 1 a query was refused,
// failed or went over a limit; 2 wrong usage or an input that cannot be read;
// 3 an engine could not be reached; 130 interrupted, by Ctrl-C or by being told to
// end or to hang up.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// How long a command may take to end after Ctrl-C, for example to write what it
// has. A second signal ends it at once.
const (
	grace        = time.Second
	graceToClear = 20 * time.Second // where what was started has to be stopped
)

// starts is set by a command before it starts a server, container or program.
var starts atomic.Bool

// ending are the signals that end a command in good order. Under nohup a hang-up
// stays ignored.
func ending() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), ending()...)
	done := make(chan int, 1)
	go func() { done <- run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }()
	code := exitInterrupted
	select {
	case code = <-done:
	case <-ctx.Done():
		stop()
		limit := grace
		if starts.Load() {
			limit = graceToClear
		}
		select {
		case code = <-done:
		case <-time.After(limit): // for example, it waits for standard input
			fmt.Fprintln(os.Stderr, "rprcheck: interrupted")
		}
	}
	os.Exit(code)
}
