package trino

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/dialect"
	"github.com/rprcheck/rprcheck/semantics"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/readings"
	"github.com/rprcheck/rprcheck/semantics/scalar"
	"github.com/rprcheck/rprcheck/semantics/table"
)

// DefaultTimeout is how long a server may take for one statement.
const DefaultTimeout = 30 * time.Second

// Options say how a server is asked. The zero value is the usual way.
type Options struct {
	Credentials                      // empty fields: from the address and the environment
	Insecure    bool                 // send secrets over plain http, and do not verify certificates
	Hostile     bool                 // put hostile cases to a server that was not started here
	Timeout     time.Duration        // of one statement; 0: DefaultTimeout
	Clients     int                  // statements at a time, to a server started here; 0: two
	Catalog     string               // where tables without one are looked up
	Schema      string               // likewise
	Sent        func(sql string)     // told of every statement that is sent; may be nil
	Memory      bool                 // JVM: with the memory connector as catalog memory
	CacheDir    string               // JVM: where the jars are kept; "": the user's cache folder
	Log         func(string, ...any) // told of slow steps; may be nil
}

func (o *Options) log(format string, args ...any) {
	if o.Log != nil {
		o.Log(format, args...)
	}
}

// Oracle is a Trino server. It implements oracle.Batcher.
type Oracle struct {
	*session
	product *dialect.Product
	profile *dialect.Profile
	window  bool // ask patterns by the window form
}

var _ oracle.Batcher = (*Oracle)(nil)

// New returns the oracle of a spec: see the package comment. Nothing is started
// before the first question. The error is a *diag.Error about spec or options.
func New(name string, o Options) (*Oracle, error) {
	sp, err := parseSpec(name)
	if err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Clients == 0 {
		o.Clients = 2
	}
	open, err := attempts(sp, o)
	if err != nil {
		return nil, err
	}
	return &Oracle{session: &session{spec: name, open: open, opt: o}, product: dialect.Trino(), profile: Profile()}, nil
}

// Window returns a second witness of the same server: it puts patterns in the
// window form (R020) and nothing else. Closing either closes both.
func (o *Oracle) Window() *Oracle {
	w := *o
	w.window = true
	return &w
}

// Name returns "trino", or "trino-window" for the second witness.
func (o *Oracle) Name() string {
	if o.window {
		return "trino-window"
	}
	return "trino"
}

// Profile returns the choices that Trino makes where the standard leaves one.
func (o *Oracle) Profile() *dialect.Profile { return o.profile }

// Version reaches the server and returns its version, such as 483. The error
// is an *Unreachable.
func (o *Oracle) Version(ctx context.Context) (string, error) {
	if _, err := o.connect(ctx); err != nil {
		return "", err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.version, nil
}

// Close stops a server that was started here.
func (o *Oracle) Close() error { return o.session.close() }

// mayBeOwn reports that the server is, or will be, one that is started here.
func (o *Oracle) mayBeOwn() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.host != nil || o.client == nil && len(o.open) == 1 && o.open[0].own
}

// Ask puts one case.
func (o *Oracle) Ask(ctx context.Context, c *oracle.Case) (oracle.Answer, error) {
	r := o.AskAll(ctx, []*oracle.Case{c})[0]
	return r.Answer, r.Err
}

// SQL returns the statement by which a case is put alone, for a report.
func (o *Oracle) SQL(c *oracle.Case) (string, error) {
	var sql, reason string
	if c.Op == oracle.Map {
		var m *dialect.Mapping
		if m, reason = o.mapping(c, false); reason == "" {
			sql = o.product.SQL(m)
		}
	} else {
		sql, reason = o.product.Statement(c)
	}
	if reason != "" {
		return "", oracle.NoAnswer(oracle.NotComparable, "%s", reason)
	}
	return sql, nil
}

// put runs a statement on the server, which is reached, or started again, when
// it must be.
func (o *Oracle) put(ctx context.Context, sql string, limit time.Duration) (*result, error) {
	c, err := o.connect(ctx)
	if err != nil {
		return nil, err
	}
	return c.run(ctx, sql, limit)
}

// check asks whether a statement is accepted. It is analysed, not run.
func (o *Oracle) check(ctx context.Context, c *oracle.Case, limit time.Duration) (oracle.Answer, error) {
	sql, reason := o.product.Statement(c)
	if reason != "" {
		return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "%s", reason)
	}
	_, err := o.put(ctx, "EXPLAIN (TYPE VALIDATE) "+sql, limit)
	var qe *queryError
	if errors.As(err, &qe) {
		d, none := meaning(qe)
		if none != nil {
			return oracle.Answer{}, none
		}
		return oracle.Answer{Err: d}, nil
	}
	if err != nil {
		return oracle.Answer{}, noAnswer(ctx, err)
	}
	return oracle.Answer{Accepted: true}, nil
}

// params gives the host variables of a case.
func params(c *oracle.Case) map[string]scalar.Param {
	m := map[string]scalar.Param{}
	for _, p := range c.Params {
		m[p.Name] = scalar.Param{Type: p.Type, Value: p.Value}
	}
	return m
}

// query asks for the result of a statement.
func (o *Oracle) query(ctx context.Context, c *oracle.Case, limit time.Duration) (oracle.Answer, error) {
	sql, reason := o.product.Statement(c)
	if reason != "" {
		return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "%s", reason)
	}
	res, err := o.put(ctx, sql, limit)
	var qe *queryError
	if errors.As(err, &qe) {
		d, none := meaning(qe)
		switch {
		case none != nil:
			return oracle.Answer{}, none
		case qe.Name == "FUNCTION_NOT_FOUND":
			return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "%s", d.Message)
		case d.Stage == diag.Runtime:
			return oracle.Answer{Err: d}, nil
		}
		return oracle.Answer{}, &oracle.Unanswered{Verdict: oracle.Refused, Reason: d.Message, Err: d}
	}
	if err != nil {
		return oracle.Answer{}, noAnswer(ctx, err)
	}
	fields, ordered := expectation(c)
	t, err := toTable(res, fields)
	if err != nil {
		return oracle.Answer{}, oracle.NoAnswer(oracle.NotComparable, "%s", err.Error())
	}
	return oracle.Answer{Table: t, Ordered: ordered}, nil
}

// expectation binds a statement by the rules, to know the names and types that
// the standard gives to its columns; nil if it cannot be bound.
func expectation(c *oracle.Case) (fields []semantics.Field, ordered bool) {
	ordered = dialect.Ordered(c.SQL)
	set, err := readings.Parse(c.Readings...)
	if err != nil {
		return nil, ordered
	}
	st, err := query.Parse(c.SQL, set)
	if err != nil {
		return nil, ordered
	}
	opt := query.Options{Readings: set, Params: params(c), Tables: func(name string, _ bool) (*table.Table, bool, error) {
		for _, t := range slices.Backward(c.Tables) {
			if t.Name == name {
				return t.Data, true, nil
			}
		}
		return nil, false, nil
	}}
	b, err := query.Bind(st, opt)
	if err != nil {
		return nil, ordered
	}
	return b.Columns(), ordered
}
