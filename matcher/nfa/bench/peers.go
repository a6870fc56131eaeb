package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rprcheck/rprcheck/semantics/table"
)

// Peer is another engine, which is asked the same in the same run. It is given
// one statement at a time and answers with one number.
type Peer struct {
	Name string
	// Dialect says which of the statements below it understands.
	Dialect Dialect
	// Count runs a statement and returns the number in its result, and the time
	// that passed.
	Count func(ctx context.Context, sql string) (int64, time.Duration, error)
}

// Dialect is a way to ask for the matches of a workload.
type Dialect uint8

const (
	// TrinoSQL has MATCH_RECOGNIZE. The rows are made in the statement, since
	// nothing is written to a server; how long that takes alone is measured too.
	TrinoSQL Dialect = iota
	// DuckDBSQL has no pattern recognition: funnels are written as ASOF joins,
	// which is what people use instead. The table is made before.
	DuckDBSQL
)

// peerQuestions are the workloads that peers are asked, at sizes that they can
// do, and the input columns as expressions over i.
var peerQuestions = []struct {
	workload string
	rows     int
	columns  string
}{
	{"scan", 2_000_000, "i, i % 5 AS v"},
	{"partitions", 2_000_000, "i / 100 AS p, i, i % 5 AS v"},
	{"quantifier", 500_000, "i, i % 17 AS v"},
	{"navigation", 200_000, "i, i * 2654435761 % 1000 AS v"},
	{"aggregate_define", 100_000, "i, i * 2654435761 % 1000003 % 100 AS v"},
	{"merge_ranges", 200_000, "2 * i + i * 2654435761 % 1000003 % 3 AS s, 2 * i + i * 2654435761 % 1000003 % 3 + 1 + i * 2654435761 % 1000003 % 4 AS e"},
	{"funnel_three_step", 2_000_000, "i / 10 AS visitor, i AS seq, ELEMENT_AT(ARRAY['browse', 'select', 'checkout', 'idle'], CAST(i % 4 + 1 AS integer)) AS action"},
}

// perStep is the length of the sequences that rows are made of.
const perStep = 1000

// trinoCount returns the statement that counts the output rows of a clause over
// n rows, and the one that only makes these rows.
func trinoCount(columns, clause string, n int) (whole, alone string) {
	rows := fmt.Sprintf("(SELECT %s FROM (SELECT a * %d + b AS i FROM UNNEST(SEQUENCE(BIGINT '0', %d)) AS x (a) CROSS JOIN UNNEST(SEQUENCE(BIGINT '0', %d)) AS y (b)) AS r) AS t",
		columns, perStep, n/perStep-1, perStep-1)
	return "SELECT COUNT(*) FROM " + rows + " MATCH_RECOGNIZE (" + clause + ") AS m", "SELECT COUNT(*) FROM " + rows
}

// duckDBTable makes the rows of the funnels, in an order that has nothing to do
// with that of the keys.
const duckDBTable = `CREATE OR REPLACE TABLE events AS SELECT i // 10 AS visitor, i AS seq, ['browse', 'select', 'checkout', 'idle'][1 + i %% 4] AS action FROM range(%d) AS r (i) ORDER BY hash(i);
`

// duckDBSteps are the funnels as joins: for each first step the next row of the
// second one, and so on.
var duckDBSteps = map[string]string{
	"funnel_two_step": `SELECT COUNT(*) FROM (SELECT * FROM events WHERE action = 'browse') AS a
ASOF LEFT JOIN (SELECT * FROM events WHERE action = 'select') AS b ON a.visitor = b.visitor AND a.seq < b.seq;`,
	"funnel_three_step": `SELECT COUNT(*) FROM (SELECT * FROM events WHERE action = 'browse') AS a
ASOF JOIN (SELECT * FROM events WHERE action = 'select') AS b ON a.visitor = b.visitor AND a.seq < b.seq
ASOF JOIN (SELECT * FROM events WHERE action = 'checkout') AS c ON b.visitor = c.visitor AND b.seq < c.seq;`,
}

// peers compares with other engines that were found. A peer that fails is
// reported and left.
func peers(r *runner) error {
	for i := range r.o.Peers {
		p := &r.o.Peers[i]
		switch p.Dialect {
		case TrinoSQL:
			for _, q := range peerQuestions {
				w := named(q.workload)
				n := max(q.rows/r.o.Divide/perStep, 1) * perStep
				whole, alone := trinoCount(q.columns, w.Clause, n)
				made, passed, err := p.Count(r.ctx, alone)
				if err == nil && made != int64(n) {
					err = fmt.Errorf("it made %d rows instead of %d", made, n)
				}
				if !r.asked(p, w, err) {
					continue
				}
				note := fmt.Sprintf(", of which %.2f s for its rows alone", passed.Seconds())
				if err := r.against(p, w, n, whole, note); err != nil {
					return err
				}
			}
		case DuckDBSQL:
			for _, name := range []string{"funnel_two_step", "funnel_three_step"} {
				w := named(name)
				n := w.Rows / r.o.Divide
				if err := r.against(p, w, n, fmt.Sprintf(duckDBTable, n)+duckDBSteps[name], " as ASOF joins"); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// asked reports an error of a peer; false if there is one.
func (r *runner) asked(p *Peer, w *Workload, err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return err == nil
	}
	r.printf("| %s by %s: failed: %v | | | |\n", w.Name, p.Name, err)
	return false
}

// against asks engine and peer for the matches of a workload over n rows. Of
// either the time that passes counts.
func (r *runner) against(p *Peer, w *Workload, n int, sql, note string) error {
	in, err := w.Input(n)
	if err != nil {
		return err
	}
	var want int64
	cost, err := r.recognize(w.Clause, in, func(out *table.Table) { want = int64(out.NumRows()) })
	if err != nil {
		return err
	}
	got, passed, err := p.Count(r.ctx, sql)
	if !r.asked(p, w, err) {
		return r.ctx.Err()
	}
	verdict := fmt.Sprintf("%d matches", got)
	if got != want {
		verdict = fmt.Sprintf("differs: %d matches, not %d", got, want)
	}
	r.printf("| %s, %d rows, by %s: %.2f s%s; here %.3f s: %.1f times; %s | | | |\n", w.Name, n, p.Name, passed.Seconds(), note,
		cost.Wall.Seconds(), passed.Seconds()/cost.Wall.Seconds(), verdict)
	return nil
}
