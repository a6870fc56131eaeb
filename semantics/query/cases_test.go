package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// TestCases runs the shared cases: whole statements over VALUES with their
// rows, columns compared without case, or their error.
func TestCases(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(data) {
		var c struct {
			ID    string
			SQL   string
			Rows  []map[string]json.RawMessage
			Error *struct{ Stage, Rule, SQLState string }
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			res, err := query.Run(context.Background(), c.SQL, options(t))
			if c.Error != nil {
				var e *diag.Error
				if !errors.As(err, &e) {
					t.Fatalf("got %v", err)
				}
				if e.Stage.String() != c.Error.Stage || e.Rule != c.Error.Rule || c.Error.SQLState != "" && e.SQLSTATE != c.Error.SQLState {
					t.Fatalf("got %v, want %+v", e, *c.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if res.Table.NumRows() != len(c.Rows) {
				t.Fatalf("got %s, want %d rows", show(res.Table), len(c.Rows))
			}
			for r, want := range c.Rows {
				if len(want) != res.Table.NumColumns() {
					t.Errorf("row %d has %d columns, want %d", r, res.Table.NumColumns(), len(want))
				}
				for name, raw := range want {
					i := res.Table.Index(strings.ToUpper(name))
					if i < 0 {
						t.Fatalf("no column %s", name)
					}
					got := value.AppendJSON(nil, res.Table.Value(r, i), res.Table.Column(i).Type)
					if !bytes.Equal(got, raw) {
						t.Errorf("row %d %s: got %s, want %s", r, name, got, raw)
					}
				}
			}
		})
	}
	if n < 10 {
		t.Errorf("only %d cases", n)
	}
}
