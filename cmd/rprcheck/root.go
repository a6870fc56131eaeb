package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// The exit codes.
const (
	exitOK          = 0
	exitDifferent   = 1 // for a query: refused, failed, or over a limit
	exitUsage       = 2 // usage, or an input that cannot be read
	exitInterrupted = 130
)

// run runs the command line and returns the exit code. Results go to out,
// everything else to errs.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintln(errs, "rprcheck: interrupted")
		return exitInterrupted
	}
	return report(errs, err)
}

// newRoot makes the command tree.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "rprcheck",
		Short: "Run SQL row pattern recognition exactly as the standard defines it",
		Long: `rprcheck runs SQL row pattern recognition (MATCH_RECOGNIZE, ISO/IEC 9075-2:2016,
features R010, R020 and R030) exactly as the standard defines it, over CSV and
JSON lines files, or says which rule a statement breaks and where.`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return defaultCheck().main(cmd, nil) },
	}
	root.SetVersionTemplate("rprcheck {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef(cmd, "%s", err)
	})
	root.AddCommand(newDiff(), newReduce(), newEngines(), newReport(), newLint(), newAudit(), newCheck(), newCorpus(), newPrefer(), newDrift(), newQuery(), newExplain(), newBench(), newEngine(), newReadings(), newRule())
	return root
}

// usageError is a wrong use of the command line.
type usageError struct {
	command string
	message string
}

func (e *usageError) Error() string { return e.message }

func usagef(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{cmd.CommandPath(), fmt.Sprintf(format, args...)}
}

// report prints an error and returns the exit code that it stands for.
func report(w io.Writer, err error) int {
	var e *diag.Error
	var usage *usageError
	var input *wrongInput
	var code exitCode
	var bad *badCases
	switch {
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &bad):
		return exitUsage
	case errors.As(err, &input):
		io.WriteString(w, diag.From(input.error).Detail())
		return exitUsage
	case errors.As(err, &e):
		io.WriteString(w, e.Detail())
		if e.Rule == "DATA-1" { // an input that cannot be read as what it should be
			return exitUsage
		}
		return exitDifferent
	case errors.As(err, &usage):
		fmt.Fprintf(w, "rprcheck: %s\n", diag.Escape(usage.message))
		fmt.Fprintf(w, "  help: %s --help shows what can be written\n", usage.command)
		return exitUsage
	}
	// What cobra finds itself: unknown commands, wrong numbers of arguments.
	message, suggestions, _ := strings.Cut(err.Error(), "\n")
	fmt.Fprintf(w, "rprcheck: %s\n", diag.Escape(message))
	for _, line := range strings.Split(strings.TrimSpace(suggestions), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			fmt.Fprintf(w, "  %s\n", diag.Escape(line))
		}
	}
	return exitUsage
}
