package query

import (
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// computeWindows computes the calls over the windows of a block, a column each.
// All calls over one window share its matches (WIN-11).
func computeWindows(x *execution, t *table.Table, calls []*windowCall, o value.Options) ([]*table.Column, error) {
	if x.recognizer == nil {
		return nil, noRecognizer()
	}
	frames := map[*window]*semantics.Frames{}
	out := make([]*table.Column, len(calls))
	for i, c := range calls {
		f, ok := frames[c.win]
		if !ok {
			var err error
			if f, err = x.recognizer.Frames(x.ctx, c.win.clause, t); err != nil {
				return nil, err
			}
			frames[c.win] = f
		}
		var err error
		if out[i], err = c.column(x, t, f, o); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// column computes a call for every row of the table.
func (c *windowCall) column(x *execution, t *table.Table, f *semantics.Frames, o value.Options) (*table.Column, error) {
	if c.kind == callMeasure {
		return c.win.clause.MeasureColumn(c.measure, f, t.NumRows())
	}
	values := make([]value.Value, t.NumRows())
	env := &rowEnv{t: t}
	for i, p := range f.Partitions {
		var err error
		switch c.kind {
		case callAggregate:
			err = c.aggregates(x, p, f.Frames[i], env, values)
		case callValue:
			err = c.frameValues(x, p, f.Frames[i], env, values)
		case callRank:
			err = c.ranks(x, p, env, values, o)
		}
		if err != nil {
			if x.ctx.Err() != nil {
				return nil, x.ctx.Err()
			}
			return nil, diag.From(err).At(c.pos)
		}
	}
	b := table.NewBuilder(c.name, c.typ)
	b.Reserve(len(values))
	for _, v := range values {
		if err := b.Append(v); err != nil {
			return nil, diag.From(err).At(c.pos)
		}
	}
	return b.Column(), nil
}

// aggregates computes an aggregate over the reduced frame of each row of a
// partition. An empty frame gives what the aggregate gives of no rows (WIN-6).
func (c *windowCall) aggregates(x *execution, p *semantics.Partition, frames []semantics.Frame, env *rowEnv, values []value.Value) error {
	for pos, f := range frames {
		if err := x.alive(pos); err != nil {
			return err
		}
		run := c.agg.Start()
		for i := range rowsOf(f) {
			if err := x.alive(i + 1); err != nil {
				return err
			}
			env.row = int(p.Rows[f.Match.Start+i])
			if err := run.Add(env); err != nil {
				return err
			}
		}
		v, err := run.Result()
		if err != nil {
			return err
		}
		values[p.Rows[pos]] = v
	}
	return nil
}

// rowsOf returns how many rows a reduced frame has: those of a match that is
// not empty (WIN-2).
func rowsOf(f semantics.Frame) int {
	if f.Kind != semantics.FrameMatched {
		return 0
	}
	return len(f.Match.Vars)
}

// frameValues computes FIRST_VALUE, LAST_VALUE or NTH_VALUE.
func (c *windowCall) frameValues(x *execution, p *semantics.Partition, frames []semantics.Frame, env *rowEnv, values []value.Value) error {
	for pos, f := range frames {
		if err := x.alive(pos); err != nil {
			return err
		}
		n := int64(rowsOf(f))
		nth := int64(1)
		switch c.name {
		case "LAST_VALUE":
			nth = n
		case "NTH_VALUE":
			env.row = int(p.Rows[pos])
			v, err := c.positive(c.args[1], env, "22016") // invalid argument for NTH_VALUE function
			if err != nil {
				return err
			}
			nth = v
		}
		if nth == 0 || nth > n {
			continue // no such row: NULL
		}
		env.row = int(p.Rows[f.Match.Start+int(nth)-1])
		v, err := c.args[0].Eval(env)
		if err != nil {
			return err
		}
		values[p.Rows[pos]] = v
	}
	return nil
}

// positive evaluates an argument that is a positive number; 0 stands for NULL.
func (c *windowCall) positive(e scalar.Expr, env *rowEnv, state string) (int64, error) {
	v, err := e.Eval(env)
	if err != nil || v.IsNull() {
		return 0, err
	}
	if v.Raw() <= 0 {
		return 0, diag.New(diag.Runtime, "EVAL-1", e.Pos(), "%s counts rows from 1, and its number is %d", c.name, v.Raw()).
			WithState(state).WithHint("give a positive number")
	}
	return v.Raw(), nil
}

// ranks computes a function that ignores the frame, over the window partition
// (WIN-6=alternative).
func (c *windowCall) ranks(x *execution, p *semantics.Partition, env *rowEnv, values []value.Value, o value.Options) error {
	peers, err := c.peers(x, p, env, o)
	if err != nil {
		return err
	}
	n := p.Len()
	dense := int64(0)
	for pos := range n {
		if err := x.alive(pos); err != nil {
			return err
		}
		env.row = int(p.Rows[pos])
		if peers[pos].first == pos {
			dense++
		}
		v := value.Null
		switch c.name {
		case "ROW_NUMBER":
			v = value.Int(int64(pos) + 1)
		case "RANK":
			v = value.Int(int64(peers[pos].first) + 1)
		case "DENSE_RANK":
			v = value.Int(dense)
		case "PERCENT_RANK":
			v = value.Float(float64(peers[pos].first) / float64(max(n-1, 1)))
		case "CUME_DIST":
			v = value.Float(float64(peers[pos].end) / float64(n))
		case "NTILE":
			tiles, err := c.positive(c.args[0], env, "22014") // invalid argument for NTILE function
			if err != nil {
				return err
			}
			if tiles > 0 {
				v = value.Int(tile(int64(pos), int64(n), tiles))
			}
		default:
			if v, err = c.neighbour(p, pos, env); err != nil {
				return err
			}
		}
		values[p.Rows[pos]] = v
	}
	return nil
}

// tile returns the number of the tile, from 1, of row pos of n: the tiles that
// are larger by one row come first.
func tile(pos, n, tiles int64) int64 {
	size, larger := n/tiles, n%tiles
	if pos < larger*(size+1) {
		return pos/(size+1) + 1
	}
	return larger + (pos-larger*(size+1))/size + 1
}

// peerGroup is the stretch of rows that are equal in the ordering of the window.
type peerGroup struct{ first, end int }

// peers finds the peers of every row of a partition.
func (c *windowCall) peers(x *execution, p *semantics.Partition, env *rowEnv, o value.Options) ([]peerGroup, error) {
	out := make([]peerGroup, p.Len())
	keys := func(pos int) ([]value.Value, error) {
		env.row = int(p.Rows[pos])
		vs := make([]value.Value, len(c.win.keys))
		for i, k := range c.win.keys {
			var err error
			if vs[i], err = k.expr.Eval(env); err != nil {
				return nil, err
			}
		}
		return vs, nil
	}
	var last []value.Value
	first := 0
	closeGroup := func(end int) {
		for i := first; i < end; i++ {
			out[i] = peerGroup{first, end}
		}
		first = end
	}
	for pos := range out {
		if err := x.alive(pos); err != nil {
			return nil, err
		}
		vs, err := keys(pos)
		if err != nil {
			return nil, err
		}
		if pos > 0 && !samePeers(last, vs, c.win.keys, o) {
			closeGroup(pos)
		}
		last = vs
	}
	closeGroup(len(out))
	return out, nil
}

func samePeers(a, b []value.Value, keys []sortKey, o value.Options) bool {
	for i := range a {
		if scalar.CompareKeys(a[i], b[i], keys[i].descending, keys[i].nullsFirst, o) != 0 {
			return false
		}
	}
	return true
}

// neighbour computes LAG and LEAD at a position of the partition.
func (c *windowCall) neighbour(p *semantics.Partition, pos int, env *rowEnv) (value.Value, error) {
	offset := int64(1)
	if len(c.args) > 1 {
		v, err := c.args[1].Eval(env)
		if err != nil || v.IsNull() {
			return value.Null, err
		}
		if offset = v.Raw(); offset < 0 {
			return value.Null, diag.New(diag.Runtime, "EVAL-1", c.args[1].Pos(), "the offset of %s is %d", c.name, offset).
				WithState("22023").WithHint("give 0 or a positive number of rows")
		}
	}
	target := int64(-1)
	switch {
	case c.name == "LAG" && offset <= int64(pos):
		target = int64(pos) - offset
	case c.name == "LEAD" && offset < int64(p.Len()-pos):
		target = int64(pos) + offset
	}
	if target < 0 {
		if len(c.args) < 3 {
			return value.Null, nil
		}
		return c.args[2].Eval(env)
	}
	env.row = int(p.Rows[target])
	return c.args[0].Eval(env)
}
