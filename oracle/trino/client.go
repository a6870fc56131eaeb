package trino

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Limits of what a server may answer.
const (
	defaultMaxBody  = 64 << 20  // bytes of one response, unpacked
	defaultMaxTotal = 256 << 20 // bytes of all responses to a statement
	maxColumns      = 10_000
	maxMessage      = 2_000 // bytes of an error message that are kept
)

// source is what the server's lists of queries show.
const source = "rprcheck"

// client speaks Trino's HTTP protocol: a statement is posted, and its result
// is read page by page behind nextUri, which is followed on the same scheme,
// host and port only. It is safe for concurrent use.
type client struct {
	base     *url.URL
	user     string
	password string
	token    string
	http     *http.Client
	catalog  string // where tables without one are looked up; "": the server's choice
	schema   string
	sent     func(sql string) // told of every statement; may be nil
	maxBody  int64
	maxTotal int64
}

func newClient(base *url.URL, c Credentials, insecure bool) *client {
	t := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 2 * time.Minute,
		MaxIdleConnsPerHost:   8,
		IdleConnTimeout:       time.Minute,
	}
	if insecure {
		t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	}
	user := c.User
	if user == "" {
		user = source
	}
	return &client{base: base, user: user, password: c.Password, token: c.Token, maxBody: defaultMaxBody, maxTotal: defaultMaxTotal,
		http: &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// column is a column of a result.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// result is the whole result of a statement.
type result struct {
	columns []column
	rows    [][]json.RawMessage
}

// queryError is an error that the server reports.
type queryError struct {
	Message  string `json:"message"`
	Name     string `json:"errorName"`
	Type     string `json:"errorType"`
	Location *struct {
		Line   int `json:"lineNumber"`
		Column int `json:"columnNumber"`
	} `json:"errorLocation"`
}

func (e *queryError) Error() string { return e.Name + ": " + e.Message }

// clientError says that a server could not be talked to, or talked nonsense.
type clientError struct {
	timeout bool // the time was up
	fatal   bool // nothing else will be answered either: wrong credentials, no connection
	reason  string
}

func (e *clientError) Error() string { return e.reason }

// page is one response.
type page struct {
	ID      string              `json:"id"`
	NextURI string              `json:"nextUri"`
	Columns []column            `json:"columns"`
	Data    [][]json.RawMessage `json:"data"`
	Error   *queryError         `json:"error"`
	Stats   *struct {
		State string `json:"state"`
	} `json:"stats"`
}

// run puts a statement and reads its whole result. The server is told to end
// it after limit, and is not waited for much longer. The error is a
// *queryError, a *clientError, or the context's.
func (c *client) run(ctx context.Context, sql string, limit time.Duration) (*result, error) {
	pages := c.put(ctx, sql, limit, fmt.Sprintf("query_max_run_time=%dms,task_concurrency=1", limit.Milliseconds()))
	defer pages.end()
	res := &result{}
	for pages.at != nil {
		if err := pages.next(res, c.maxTotal); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// pages are the pages of the result of one statement, read one after another.
type pages struct {
	client *client
	parent context.Context
	ctx    context.Context // the parent's, ended a little after the limit
	end    context.CancelFunc
	limit  time.Duration
	header http.Header
	at     *url.URL // of the page that comes next; nil: none is left
	method string
	body   []byte
	read   int64 // bytes
}

// put returns the pages of a statement, which is sent with the first of them. end
// must be called.
func (c *client) put(ctx context.Context, sql string, limit time.Duration, properties string) *pages {
	if c.sent != nil {
		c.sent(sql)
	}
	p := &pages{client: c, parent: ctx, limit: limit, header: http.Header{}, at: c.base.JoinPath("v1", "statement"), method: http.MethodPost, body: []byte(sql)}
	p.header.Set("X-Trino-Session", properties)
	p.ctx, p.end = context.WithTimeout(ctx, limit+2*time.Second)
	return p
}

// next adds the next page to the result. All pages together may have most bytes;
// 0: any number. A page that fails is the last.
func (s *pages) next(res *result, most int64) error {
	c, from := s.client, s.at
	var p page
	n, err := c.exchange(s.ctx, s.method, from, s.header, s.body, &p)
	if err == nil {
		s.read += n
		err = c.take(res, &p, s.read, most)
	}
	s.at = nil
	if err == nil && p.NextURI != "" {
		s.at, err = c.follow(p.NextURI)
	}
	if err != nil {
		if p.Error == nil {
			c.cancel(from, s.method)
		}
		s.at = nil
		return c.explain(s.parent, s.ctx, err, s.limit)
	}
	if s.at != nil && s.at.String() == from.String() {
		// A server that answers the same page at once is not asked in a tight loop.
		select {
		case <-s.ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
	s.method, s.body = http.MethodGet, nil
	return nil
}

// explain turns the end of a context into its reason.
func (c *client) explain(parent, ctx context.Context, err error, limit time.Duration) error {
	switch {
	case parent.Err() != nil:
		return parent.Err()
	case ctx.Err() != nil:
		return &clientError{timeout: true, reason: fmt.Sprintf("no complete answer within %v", limit)}
	}
	return err
}

// take adds a page to the result, of which total bytes are read and most may be
// (0: any number).
func (c *client) take(res *result, p *page, total, most int64) error {
	switch {
	case p.Error != nil:
		p.Error.Message = c.clean(p.Error.Message)
		p.Error.Name, p.Error.Type = c.clean(p.Error.Name), c.clean(p.Error.Type)
		return p.Error
	case most > 0 && total > most:
		return &clientError{reason: fmt.Sprintf("the answer is larger than %d bytes", most)}
	case p.Stats == nil || p.ID == "":
		return &clientError{reason: "the answer is not one of Trino's: it has no id or state"}
	case len(p.Columns) > maxColumns:
		return &clientError{reason: fmt.Sprintf("the answer has more than %d columns", maxColumns)}
	case p.Columns != nil && res.columns != nil && len(p.Columns) != len(res.columns):
		return &clientError{reason: "the answer changes its columns"}
	}
	if p.Columns != nil {
		res.columns = p.Columns
	}
	for _, row := range p.Data {
		if res.columns == nil || len(row) != len(res.columns) {
			return &clientError{reason: fmt.Sprintf("a row of the answer has %d values, there are %d columns", len(row), len(res.columns))}
		}
	}
	res.rows = append(res.rows, p.Data...)
	return nil
}

// follow checks where the next page is said to be.
func (c *client) follow(uri string) (*url.URL, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return nil, &clientError{reason: "nextUri is no address"}
	}
	if u.Scheme != c.base.Scheme || !strings.EqualFold(u.Hostname(), c.base.Hostname()) || port(u) != port(c.base) || u.User != nil {
		return nil, &clientError{reason: "nextUri leads to " + c.clean(u.Scheme+"://"+u.Host) + ", it is not followed: only the same scheme, host and port are"}
	}
	return u, nil
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// retries is how often a server that is not ready is asked again.
const retries = 5

// exchange sends one request and decodes the answer into v. It returns the size
// of the answer.
func (c *client) exchange(ctx context.Context, method string, u *url.URL, header http.Header, body []byte, v any) (int64, error) {
	for attempt := 0; ; attempt++ {
		n, again, err := c.once(ctx, method, u, header, body, v)
		if !again || attempt == retries || ctx.Err() != nil {
			return n, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(50<<attempt) * time.Millisecond):
		}
	}
}

func (c *client) once(ctx context.Context, method string, u *url.URL, header http.Header, body []byte, v any) (n int64, again bool, err error) {
	req, err := c.request(ctx, method, u, body)
	if err != nil {
		return 0, false, &clientError{fatal: true, reason: "the address cannot be asked"}
	}
	for k, vs := range header {
		req.Header[k] = vs
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, false, c.transport(err)
	}
	defer resp.Body.Close()
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return 0, false, &clientError{fatal: true, reason: fmt.Sprintf("the server refuses the user %s (%d): name a user and give a password or a token", c.clean(c.user), code)}
	case code == http.StatusTooManyRequests || code == http.StatusBadGateway || code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout:
		return 0, true, &clientError{reason: fmt.Sprintf("the server is not ready (%d)", code)}
	case code >= 300 && code < 400:
		return 0, false, &clientError{fatal: true, reason: fmt.Sprintf("the server redirects (%d), which is not followed: give the address where it answers", code)}
	case code != http.StatusOK:
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return 0, false, &clientError{reason: fmt.Sprintf("the server answers %d: %s", code, c.clean(string(text)))}
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, c.maxBody+1))
	switch {
	case err != nil:
		return 0, false, c.transport(err)
	case int64(len(data)) > c.maxBody:
		return 0, false, &clientError{reason: fmt.Sprintf("the answer is larger than %d bytes", c.maxBody)}
	}
	if err := json.Unmarshal(data, v); err != nil {
		return 0, false, &clientError{reason: fmt.Sprintf("the answer is no JSON of Trino's: %s", c.clean(string(data[:min(len(data), 60)])))}
	}
	return int64(len(data)), false, nil
}

func (c *client) request(ctx context.Context, method string, u *url.URL, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	h := req.Header
	h.Set("X-Trino-User", c.user)
	h.Set("X-Trino-Source", source)
	h.Set("X-Trino-Time-Zone", "UTC") // TYPE-6
	h.Set("X-Trino-Client-Capabilities", "PARAMETRIC_DATETIME")
	h.Set("User-Agent", source)
	if c.catalog != "" {
		h.Set("X-Trino-Catalog", c.catalog)
	}
	if c.schema != "" {
		h.Set("X-Trino-Schema", c.schema)
	}
	switch {
	case c.token != "":
		h.Set("Authorization", "Bearer "+c.token)
	case c.password != "":
		req.SetBasicAuth(c.user, c.password)
	}
	return req, nil
}

// cancel tells the server that a statement's result is not wanted.
func (c *client) cancel(u *url.URL, method string) {
	if method != http.MethodGet {
		return // it was not taken, or its name is not known
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if req, err := c.request(ctx, http.MethodDelete, u, nil); err == nil {
		if resp, err := c.http.Do(req); err == nil {
			resp.Body.Close()
		}
	}
}

// info asks what the server is.
func (c *client) info(ctx context.Context) (version string, starting bool, err error) {
	var i struct {
		Starting    *bool `json:"starting"`
		NodeVersion struct {
			Version string `json:"version"`
		} `json:"nodeVersion"`
	}
	if _, _, err := c.once(ctx, http.MethodGet, c.base.JoinPath("v1", "info"), nil, nil, &i); err != nil {
		return "", false, err
	}
	if i.Starting == nil || i.NodeVersion.Version == "" {
		return "", false, &clientError{reason: "what answers there is no Trino server"}
	}
	return c.clean(i.NodeVersion.Version), *i.Starting, nil
}

// transport explains an error of the connection. The address is not repeated.
func (c *client) transport(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	e := &clientError{fatal: true, reason: c.clean(err.Error())}
	var verify *tls.CertificateVerificationError
	var netErr net.Error
	switch {
	case errors.As(err, &verify):
		e.reason = "the certificate does not verify: " + c.clean(verify.Err.Error()) + "; --insecure asks all the same"
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		e.reason = "the connection ended in the middle of an answer"
	case errors.As(err, &netErr) && netErr.Timeout():
		e.timeout, e.reason = true, "the server does not answer"
	}
	return e
}

// clean makes text from a server fit for a report: without secrets, control
// characters and endless lines.
func (c *client) clean(s string) string {
	for _, secret := range []string{c.password, c.token} {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, "***")
		}
	}
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + "..."
	}
	return diag.Escape(s)
}
