package audit

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rprcheck/rprcheck/semantics/diag"
)

// Limits of what a server may answer.
const (
	maxPage    = 256 << 20 // bytes of one response
	maxColumns = 10_000
	maxRetries = 5
)

// Server is a Trino that runs already.
type Server struct {
	base     *url.URL
	user     string
	password string
	token    string
	limit    time.Duration
	http     *http.Client
	Sent     func(sql string) // told of every statement; may be nil
}

// ServerOptions say how a server is asked.
type ServerOptions struct {
	Insecure bool          // send secrets over plain http, do not verify certificates
	Limit    time.Duration // of one statement; 0: an hour
}

// NewServer returns the server of an address, or of trino:ADDRESS. User, password
// and token come from the environment, as for every engine of this kind: a
// password in the address is refused, and so is a secret over plain http.
func NewServer(spec string, o ServerOptions) (*Server, error) {
	u, err := url.Parse(strings.TrimPrefix(spec, "trino:"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, usage("an audit needs a server that runs: trino:http(s)://HOST:PORT")
	}
	s := &Server{limit: o.Limit, user: os.Getenv("RPRCHECK_TRINO_USER")}
	if u.User != nil {
		if _, has := u.User.Password(); has {
			return nil, usage("a password does not belong into an address: put it into RPRCHECK_TRINO_PASSWORD, or into a file named by RPRCHECK_TRINO_PASSWORD_FILE")
		}
		s.user, u.User = u.User.Username(), nil
	}
	if s.limit == 0 {
		s.limit = time.Hour
	}
	for name, to := range map[string]*string{"RPRCHECK_TRINO_PASSWORD": &s.password, "RPRCHECK_TRINO_TOKEN": &s.token} {
		if *to = os.Getenv(name); *to == "" && os.Getenv(name+"_FILE") != "" {
			data, err := os.ReadFile(os.Getenv(name + "_FILE"))
			if err != nil {
				return nil, usage("the file that %s names cannot be read", name+"_FILE")
			}
			*to = strings.TrimSpace(string(data))
		}
	}
	if (s.password != "" || s.token != "") && u.Scheme == "http" && !o.Insecure {
		return nil, usage("a password or token would be sent over plain http, for everyone on the way to read; use https, or allow it by --insecure")
	}
	if s.user == "" {
		s.user = "rprcheck"
	}
	u.Path, u.RawQuery, u.Fragment = "", "", ""
	s.base = u
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = 2 * time.Minute
	if o.Insecure {
		t.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	}
	s.http = &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return s, nil
}

func usage(format string, args ...any) error {
	return diag.New(diag.Semantic, "DATA-1", diag.Pos{}, format, args...).WithHint("rprcheck audit --help shows what can be written")
}

// Unreachable is the error of a server that cannot be talked to.
type Unreachable struct{ Reason string }

func (e *Unreachable) Error() string { return "the server could not be reached: " + e.Reason }

// column is a column of a result.
type column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// page is one response.
type page struct {
	NextURI string              `json:"nextUri"`
	Columns []column            `json:"columns"`
	Data    [][]json.RawMessage `json:"data"`
	Error   *struct {
		Message string `json:"message"`
		Name    string `json:"errorName"`
	} `json:"error"`
}

// pages is a result that is read page by page: the server holds what has not
// been read yet.
type pages struct {
	s       *Server
	ctx     context.Context
	next    *url.URL
	columns []column
	data    [][]json.RawMessage
}

// query puts a statement, and waits until its columns are known.
func (s *Server) query(ctx context.Context, sql string) (*pages, error) {
	if s.Sent != nil {
		s.Sent(sql)
	}
	p := &pages{s: s, ctx: ctx}
	if err := p.exchange(http.MethodPost, s.base.JoinPath("v1", "statement"), []byte(sql)); err != nil {
		return nil, err
	}
	for p.columns == nil {
		if p.next == nil {
			return nil, errors.New("the server answers without columns")
		}
		if err := p.exchange(http.MethodGet, p.next, nil); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// row returns the next row; io.EOF behind the last one.
func (p *pages) row() ([]json.RawMessage, error) {
	for len(p.data) == 0 {
		if p.next == nil {
			return nil, io.EOF
		}
		if err := p.exchange(http.MethodGet, p.next, nil); err != nil {
			return nil, err
		}
	}
	r := p.data[0]
	p.data = p.data[1:]
	if len(r) != len(p.columns) {
		return nil, fmt.Errorf("the server answers a row of %d values, for %d columns", len(r), len(p.columns))
	}
	return r, nil
}

// close tells the server that nothing more is wanted.
func (p *pages) close() {
	if p == nil || p.next == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), 2*time.Second)
	defer cancel()
	if req, err := p.s.request(ctx, http.MethodDelete, p.next, nil); err == nil {
		if resp, err := p.s.http.Do(req); err == nil {
			resp.Body.Close()
		}
	}
	p.next = nil
}

func (s *Server) request(ctx context.Context, method string, target *url.URL, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-Trino-User", s.user)
	req.Header.Set("X-Trino-Source", "rprcheck")
	req.Header.Set("X-Trino-Session", fmt.Sprintf("query_max_run_time=%ds", int(s.limit.Seconds())))
	switch {
	case s.token != "":
		req.Header.Set("Authorization", "Bearer "+s.token)
	case s.password != "":
		req.SetBasicAuth(s.user, s.password)
	}
	return req, nil
}

// exchange reads one page. A server that is busy is asked again.
func (p *pages) exchange(method string, target *url.URL, body []byte) error {
	for try := 0; ; try++ {
		wait, err := p.once(method, target, body)
		if err == nil || !wait || try >= maxRetries {
			return err
		}
		select {
		case <-p.ctx.Done():
			return p.ctx.Err()
		case <-time.After(time.Duration(50<<try) * time.Millisecond):
		}
	}
}

func (p *pages) once(method string, target *url.URL, body []byte) (again bool, err error) {
	req, err := p.s.request(p.ctx, method, target, body)
	if err != nil {
		return false, err
	}
	resp, err := p.s.http.Do(req)
	if err != nil {
		if p.ctx.Err() != nil {
			return false, p.ctx.Err()
		}
		// The address is known to who asks; what else the error holds is not shown.
		var ue *url.Error
		if errors.As(err, &ue) {
			err = ue.Err
		}
		return false, &Unreachable{err.Error()}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxPage+1))
	switch {
	case p.ctx.Err() != nil:
		return false, p.ctx.Err()
	case err != nil:
		return false, &Unreachable{"the connection broke: " + err.Error()}
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		return false, &Unreachable{"the server does not let us in: " + resp.Status}
	case resp.StatusCode == http.StatusServiceUnavailable, resp.StatusCode == http.StatusBadGateway, resp.StatusCode == http.StatusGatewayTimeout, resp.StatusCode == http.StatusTooManyRequests:
		return true, &Unreachable{"the server is busy: " + resp.Status}
	case resp.StatusCode != http.StatusOK:
		return false, &Unreachable{"the server answers " + resp.Status}
	case len(data) > maxPage:
		return false, fmt.Errorf("the server answers a page of more than %d bytes", maxPage)
	}
	var x page
	if err := json.Unmarshal(data, &x); err != nil {
		return false, fmt.Errorf("the server's answer is no JSON of its protocol: %w", err)
	}
	if x.Error != nil {
		return false, fmt.Errorf("the server says: %s: %.500s", x.Error.Name, x.Error.Message)
	}
	if p.columns == nil && x.Columns != nil {
		if len(x.Columns) > maxColumns {
			return false, fmt.Errorf("the server answers %d columns", len(x.Columns))
		}
		p.columns = x.Columns
	}
	p.data, p.next = x.Data, nil
	if x.NextURI == "" {
		return false, nil
	}
	next, err := url.Parse(x.NextURI)
	// An answer must not lead elsewhere: the next request has the same secrets.
	if err != nil || next.Scheme != p.s.base.Scheme || next.Host != p.s.base.Host {
		return false, errors.New("the server names another host for its next page, which is not followed")
	}
	p.next = next
	if len(p.data) == 0 && method == http.MethodGet {
		select { // a server that has nothing yet is not asked in a tight loop
		case <-p.ctx.Done():
			return false, p.ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return false, nil
}
