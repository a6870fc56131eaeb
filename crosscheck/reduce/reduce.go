package reduce

import (
	"context"
	"strings"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
)

// Options are what a reduction rests on.
type Options struct {
	// Answer says what the rules say of a case, as lines of its expected text;
	// an error rejects the case.
	Answer func(ctx context.Context, c *corpus.Case) ([]string, error)
	// Same says whether the engine shows the same difference on a case, whose
	// Answer is set.
	Same func(ctx context.Context, c *corpus.Case) bool
	// Tries bounds the calls of Same; 0: DefaultTries.
	Tries int
}

// DefaultTries is how often an engine is asked for one case.
const DefaultTries = 600

// Case makes a case as small as it gets. The result has the expected answer of
// the rules. When the context ends, or the tries are used up, it is the smallest
// one found so far; tries counts them.
func Case(ctx context.Context, c *corpus.Case, o Options) (smallest *corpus.Case, tries int) {
	if o.Tries == 0 {
		o.Tries = DefaultTries
	}
	r := &reducer{ctx: ctx, o: o, best: plain(c), seen: map[string]bool{}}
	switch c.Kind {
	case corpus.Labels, corpus.Prefer:
		r.labels()
	case corpus.Match, corpus.Recognize, corpus.Window, corpus.Refuse:
		r.sql()
	}
	return r.best, r.tries
}

type reducer struct {
	ctx   context.Context
	o     Options
	best  *corpus.Case
	seen  map[string]bool // tries that were rejected, as text
	tries int
}

// plain is a copy of a case that can be changed: without the text from which it
// was read, which no longer fits. The arguments of its directive stay.
func plain(c *corpus.Case) *corpus.Case {
	d := *c
	d.Comment, d.By = "", ""
	return &d
}

// spent reports that the search has to end.
func (r *reducer) spent() bool { return r.tries >= r.o.Tries || r.ctx.Err() != nil }

// accept takes a case as the smallest one if it is legal and shows the same
// difference.
func (r *reducer) accept(c *corpus.Case) bool {
	key := Input(c)
	if r.seen[key] || r.spent() {
		return false
	}
	lines, err := r.o.Answer(r.ctx, c)
	if err != nil {
		r.seen[key] = true
		return false
	}
	c.Answer = lines
	r.tries++
	if !r.o.Same(r.ctx, c) || r.ctx.Err() != nil {
		r.seen[key] = true
		return false
	}
	r.best = c
	return true
}

// improve tries candidates, made anew after each success, until none is left
// that helps. It reports whether any did.
func (r *reducer) improve(candidates func(c *corpus.Case) []*corpus.Case) bool {
	any := false
	for again := true; again && !r.spent(); {
		again = false
		for _, c := range candidates(r.best) {
			if size(c) < size(r.best) && r.accept(c) {
				any, again = true, true
				break
			}
		}
	}
	return any
}

// size orders cases: rows weigh most, then the length of the text.
func size(c *corpus.Case) int {
	n := len(c.Rows)*1000 + len(c.Pattern)*4 + len(strings.Join(c.Rows, ""))*2 + len(c.Subset)
	for _, t := range c.Tables {
		n += t.Data.NumRows()*1000 + t.Data.NumColumns()*50 + weigh(t.Data)
	}
	return n + weighSQL(c.SQL)
}
