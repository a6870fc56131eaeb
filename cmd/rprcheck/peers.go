package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/matcher/nfa/bench"
	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// peerLimit is how long a peer may take for one statement.
const peerLimit = 2 * time.Minute

// duckDB is the name of the command, and of the peer.
const duckDB = "duckdb"

// benchPeers returns the engines that bench compares with: those that specs
// name, or without any those that are at hand. end lets go of them.
func benchPeers(specs []string, chosen bool) (peers []bench.Peer, end func(), err error) {
	if !chosen {
		if path, err := exec.LookPath(duckDB); err == nil {
			specs = append(specs, duckDB+":"+path)
		}
		if os.Getenv(trino.EnvURL) != "" {
			specs = append(specs, "trino")
		}
	}
	var open []*trino.Oracle
	end = func() {
		for _, o := range open {
			_ = o.Close() // nothing can be done about it here
		}
	}
	for _, spec := range specs {
		kind, path, _ := strings.Cut(spec, ":")
		switch kind {
		case "":
		case duckDB:
			if path == "" {
				path = duckDB
			}
			peers = append(peers, bench.Peer{Name: "DuckDB", Dialect: bench.DuckDBSQL, Count: func(ctx context.Context, sql string) (int64, time.Duration, error) {
				return countInDuckDB(ctx, path, sql)
			}})
		case "trino":
			o, err := trino.New(spec, trino.Options{Timeout: peerLimit})
			if err != nil {
				end()
				return nil, nil, err
			}
			open = append(open, o)
			name := "Trino"
			if path == "jvm" || strings.HasPrefix(path, "jvm:") {
				name = "Trino (started here, with its quick compiler only)"
			}
			peers = append(peers, bench.Peer{Name: name, Dialect: bench.TrinoSQL, Count: func(ctx context.Context, sql string) (int64, time.Duration, error) {
				return countInTrino(ctx, o, sql)
			}})
		default:
			end()
			return nil, nil, diag.New(diag.Unsupported, "", diag.Pos{}, "bench cannot compare with %q", spec).
				WithHint("write duckdb, duckdb:PATH, trino, or trino:http://host:port")
		}
	}
	return peers, end, nil
}

// countInTrino returns the number that a statement has as its result.
func countInTrino(ctx context.Context, o *trino.Oracle, sql string) (int64, time.Duration, error) {
	if _, err := o.Version(ctx); err != nil { // connects, which is not measured
		return 0, 0, err
	}
	start := time.Now()
	rows, err := o.Rows(ctx, sql, peerLimit)
	if err != nil {
		return 0, 0, err
	}
	defer rows.Close()
	row, err := rows.Next()
	if err != nil {
		return 0, 0, err
	}
	var n int64
	if len(row) != 1 || json.Unmarshal(row[0], &n) != nil {
		return 0, 0, errors.New("the result is not one number")
	}
	return n, time.Since(start), nil
}

// countInDuckDB runs a script and returns the number that its last statement has
// as result, and the time that DuckDB says it took.
func countInDuckDB(ctx context.Context, path, sql string) (int64, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, peerLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "-no-init", "-batch", "-csv", "-noheader", ":memory:")
	cmd.Stdin = strings.NewReader(".timer on\n" + sql + "\n")
	out, err := cmd.Output()
	if err != nil {
		if e := new(exec.ExitError); errors.As(err, &e) {
			return 0, 0, fmt.Errorf("%w: %s", err, diag.Escape(strings.TrimSpace(string(e.Stderr))))
		}
		return 0, 0, err
	}
	return readDuckDB(string(out))
}

// readDuckDB reads what DuckDB prints: results, and a line of times behind each.
func readDuckDB(out string) (int64, time.Duration, error) {
	const timer = "Run Time (s): real "
	var count, passed string
	for line := range strings.Lines(out) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, timer):
			passed, _, _ = strings.Cut(strings.TrimPrefix(line, timer), " ")
		case line != "":
			count = line
		}
	}
	n, err := strconv.ParseInt(count, 10, 64)
	seconds, err2 := strconv.ParseFloat(passed, 64)
	if err := errors.Join(err, err2); err != nil {
		return 0, 0, fmt.Errorf("its output cannot be read: %w", err)
	}
	return n, time.Duration(seconds * float64(time.Second)), nil
}
