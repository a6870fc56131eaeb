package main

import (
	"testing"
	"time"
)

// TestReadDuckDB: of what DuckDB prints, the last result and the last time count.
func TestReadDuckDB(t *testing.T) {
	for _, tc := range []struct {
		out    string
		n      int64
		passed time.Duration
		fails  bool
	}{
		{out: "Run Time (s): real 1.014 user 0.009503 sys 0.000000\n2500000\nRun Time (s): real 0.250 user 0.4 sys 0.1\n", n: 2500000, passed: 250 * time.Millisecond},
		{out: "2500000\n", fails: true},
		{out: "Run Time (s): real 0.250 user 0.4 sys 0.1\n", fails: true},
		{out: "Error: out of memory\nRun Time (s): real 0.250 user 0.4 sys 0.1\n", fails: true},
		{out: "", fails: true},
	} {
		n, passed, err := readDuckDB(tc.out)
		if n != tc.n || passed != tc.passed || (err != nil) != tc.fails {
			t.Errorf("%q: %d in %v, %v", tc.out, n, passed, err)
		}
	}
}
