package bench

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/matcher/nfa"
	"github.com/rprcheck/rprcheck/matcher/reference"
)

// TestPeers: an answer that differs and a failure are said, and the other
// questions are asked all the same.
func TestPeers(t *testing.T) {
	var sent []string
	peer := func(d Dialect) Peer {
		return Peer{"Peer", d, func(_ context.Context, sql string) (int64, time.Duration, error) {
			sent = append(sent, sql)
			switch {
			case strings.Contains(sql, "i / 100 AS p"):
				return 0, 0, errors.New("no such function")
			case !strings.Contains(sql, "MATCH_RECOGNIZE") && d == TrinoSQL:
				if strings.Contains(sql, "% 17") {
					return 999, time.Second, nil
				}
				if strings.Contains(sql, "BIGINT '0', 1)") {
					return 2000, time.Second, nil
				}
				return 1000, time.Second, nil
			case strings.Contains(sql, "v = 1"): // scan: a match in every five rows
				return 400, time.Second, nil
			}
			return 7, time.Second, nil
		}}
	}
	var out strings.Builder
	report, err := Run(t.Context(), &out, Options{Engine: nfa.Engine{Fallback: reference.Engine{}}, Divide: 1000, Times: 1,
		Only: []string{"peers"}, Peers: []Peer{peer(TrinoSQL), peer(DuckDBSQL)}})
	if err != nil || report != (Report{}) {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, want := range []string{
		"scan, 2000 rows, by Peer: 1.00 s, of which 1.00 s for its rows alone", "400 matches",
		"partitions by Peer: failed: no such function",
		"quantifier by Peer: failed: it made 999 rows instead of 1000",
		"navigation, 1000 rows", "differs: 7 matches, not ",
		"funnel_two_step, 10000 rows, by Peer: 1.00 s as ASOF joins",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &out)
		}
	}
	if len(sent) < len(peerQuestions)+2 {
		t.Errorf("%d statements only", len(sent))
	}
}
