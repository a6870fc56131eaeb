package trino

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/semantics/diag"
)

// What goes into one statement. A pattern costs the server some 20 ms of planning
// and compiling, whether it has one case or forty: that is the bound. With the
// number of patterns in a statement the cost of each falls until about 12, where
// the statement's own cost is spread, and grows again, as the planner is not
// linear in the branches of UNION ALL. The text must stay below the server's
// query.max-length of a million characters.
const (
	batchPatterns = 12
	batchRows     = 6_000
	batchText     = 400_000
	// A case whose pattern or rows are larger than these goes alone.
	aloneSize = 300
	aloneRows = 150
	// heavyTimeout is the time for one that goes alone: Trino's search can be
	// cubic in the rows, and what it cannot do in this time it hardly does later.
	heavyTimeout = 10 * time.Second
)

// mapCase is a Map case on its way.
type mapCase struct {
	*dialect.Mapping
	reply *oracle.Reply
}

// text estimates the length of the case in a statement.
func (m *mapCase) text() int {
	return 2*len(m.Pattern) + len(m.Define) + len(m.Holds)*(12+6*len(m.Vars))
}

// AskAll puts supported cases: Map cases many in one statement, others one by
// one, several statements at a time if the server was started here. Cases that
// may be more than the server can do go last, one at a time, so that what they
// do to the server costs the others nothing.
func (o *Oracle) AskAll(ctx context.Context, cases []*oracle.Case) []oracle.Reply {
	replies := make([]oracle.Reply, len(cases))
	if _, err := o.connect(ctx); err != nil {
		for i := range replies {
			replies[i].Err = noAnswer(ctx, err)
		}
		return replies
	}
	own := o.own()
	var light, heavy []func()
	var maps []*mapCase
	for i, c := range cases {
		jobs, limit := &light, o.opt.Timeout
		if isHostile(c) {
			jobs, limit = &heavy, min(limit, heavyTimeout)
		}
		switch c.Op {
		case oracle.Map:
			m, reason := o.mapping(c, !own && !o.opt.Hostile)
			switch {
			case reason != "":
				replies[i].Err = oracle.NoAnswer(oracle.NotComparable, "%s", reason)
			case isHostile(c) || m.Size > aloneSize || len(m.Holds) > aloneRows:
				heavy = append(heavy, func() { o.askBatch(ctx, []*mapCase{{m, &replies[i]}}, min(o.opt.Timeout, heavyTimeout)) })
			default:
				maps = append(maps, &mapCase{m, &replies[i]})
			}
		case oracle.Check:
			*jobs = append(*jobs, func() { replies[i].Answer, replies[i].Err = o.check(ctx, c, limit) })
		default:
			*jobs = append(*jobs, func() { replies[i].Answer, replies[i].Err = o.query(ctx, c, limit) })
		}
	}
	for _, batch := range batches(maps) {
		light = append(light, func() { o.askBatch(ctx, batch, o.opt.Timeout) })
	}
	clients := 1
	if own {
		clients = o.opt.Clients
	}
	work(clients, light)
	for i, job := range heavy {
		job()
		if i+1 < len(heavy) {
			o.recover(ctx)
		}
	}
	if len(heavy) > 0 {
		o.recover(ctx)
	}
	return replies
}

// isHostile reports a case that is made to break engines.
func isHostile(c *oracle.Case) bool { return strings.HasPrefix(c.ID, "hostile/") }

// recover waits until the server answers again after a case that was too much
// for it, and starts it anew if it is ours and does not.
func (o *Oracle) recover(ctx context.Context) {
	for range 10 {
		if ctx.Err() != nil {
			return
		}
		_, err := o.put(ctx, "SELECT 1", 3*time.Second)
		if err == nil {
			return
		}
		if o.abandon() {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(3 * time.Second):
		}
	}
}

// work runs jobs, n at a time.
func work(n int, jobs []func()) {
	ch := make(chan func())
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for job := range ch {
				job()
			}
		})
	}
	for _, job := range jobs {
		ch <- job
	}
	close(ch)
	wg.Wait()
}

// batches divides cases into statements. Cases of the same pattern stay together
// if they come one after another.
func batches(list []*mapCase) [][]*mapCase {
	var out [][]*mapCase
	var batch []*mapCase
	patterns, rows, text := map[string]bool{}, 0, 0
	flush := func() {
		if len(batch) > 0 {
			out = append(out, batch)
		}
		batch, patterns, rows, text = nil, map[string]bool{}, 0, 0
	}
	for _, m := range list {
		if !patterns[m.Pattern] && len(patterns) == batchPatterns || rows+len(m.Holds) > batchRows || text+m.text() > batchText {
			flush()
		}
		patterns[m.Pattern] = true
		rows += len(m.Holds)
		text += m.text()
		batch = append(batch, m)
	}
	flush()
	return out
}

// askBatch puts cases in one statement. If it fails, its halves are put, down
// to single cases, so that a case that the server cannot do costs the others no
// answer.
func (o *Oracle) askBatch(ctx context.Context, batch []*mapCase, limit time.Duration) {
	answers, err := o.putBatch(ctx, batch, limit)
	switch {
	case err == nil:
		for i, m := range batch {
			m.reply.Answer = oracle.Answer{Mappings: answers[i]}
		}
	case len(batch) == 1 || ctx.Err() != nil || isFatal(err) && !o.own():
		for _, m := range batch {
			m.reply.Err = o.failure(ctx, err)
		}
	case refused(err) && onePattern(batch):
		for _, m := range batch {
			m.reply.Err = o.failure(ctx, err)
		}
	default:
		half := len(batch) / 2
		o.askBatch(ctx, batch[:half], limit)
		o.askBatch(ctx, batch[half:], limit)
	}
}

// refused reports that a statement was refused before it ran: the rows have no
// part in it.
func refused(err error) bool {
	var qe *queryError
	if !errors.As(err, &qe) {
		return false
	}
	d, none := meaning(qe)
	return none == nil && d.Stage != diag.Runtime
}

// onePattern reports that the cases of a batch differ in their rows only.
func onePattern(batch []*mapCase) bool {
	for _, m := range batch[1:] {
		if m.Pattern != batch[0].Pattern || m.Subset != batch[0].Subset {
			return false
		}
	}
	return true
}

func (o *Oracle) putBatch(ctx context.Context, batch []*mapCase, limit time.Duration) ([][]oracle.Mapping, error) {
	res, err := o.put(ctx, batchSQL(batch, o.window), limit)
	if err != nil {
		return nil, err
	}
	return mappings(batch, res.rows, o.window)
}

// failure is the reply to a pattern case that was put alone.
func (o *Oracle) failure(ctx context.Context, err error) error {
	var qe *queryError
	if !errors.As(err, &qe) {
		return noAnswer(ctx, err)
	}
	d, none := meaning(qe)
	if none != nil {
		return none
	}
	return &oracle.Unanswered{Verdict: oracle.Refused, Reason: d.Message, Err: d}
}
