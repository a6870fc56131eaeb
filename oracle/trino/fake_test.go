package trino

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
)

// fake is a server that behaves as Trino should, except where a test replaces
// a part of it.
type fake struct {
	*httptest.Server
	mu         sync.Mutex
	statements []string
	requests   []*http.Request
	deleted    int

	answer func(sql string) string                                  // the page that answers a statement
	post   func(w http.ResponseWriter, r *http.Request, sql string) // instead of answer
	get    func(w http.ResponseWriter, r *http.Request)             // pages behind nextUri
	info   string
}

// page writes a page of a result.
func onePage(columns string, rows ...string) string {
	return `{"id":"q1","columns":[` + columns + `],"data":[` + strings.Join(rows, ",") + `],"stats":{"state":"FINISHED"}}`
}

func failed(name, typ, message string) string {
	e, _ := json.Marshal(map[string]any{"errorName": name, "errorType": typ, "message": message})
	return `{"id":"q1","stats":{"state":"FAILED"},"error":` + string(e) + `}`
}

const oneColumn = `{"name":"_col0","type":"integer"}`

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{info: `{"nodeVersion":{"version":"483"},"starting":false}`}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Server.Close)
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.requests = append(f.requests, r)
	f.mu.Unlock()
	switch {
	case r.URL.Path == "/v1/info":
		io.WriteString(w, f.info)
	case r.Method == http.MethodDelete:
		f.mu.Lock()
		f.deleted++
		f.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPost:
		body, _ := io.ReadAll(r.Body)
		sql := string(body)
		f.mu.Lock()
		f.statements = append(f.statements, sql)
		f.mu.Unlock()
		switch {
		case sql == "SELECT 1":
			io.WriteString(w, onePage(oneColumn, "[1]"))
		case f.post != nil:
			f.post(w, r, sql)
		case f.answer != nil:
			io.WriteString(w, f.answer(sql))
		default:
			http.Error(w, "no answer", http.StatusInternalServerError)
		}
	case f.get != nil:
		f.get(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (f *fake) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.statements...)
}

func (f *fake) cancelled() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.deleted
}

// ask opens an oracle at the fake server.
func (f *fake) oracle(t *testing.T, o Options) *Oracle {
	t.Helper()
	t.Setenv(envPassword, "")
	t.Setenv(envToken, "")
	if o.Timeout == 0 {
		o.Timeout = 2 * time.Second
	}
	or, err := New("trino:"+f.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { or.Close() })
	return or
}

func mapping(pattern string, rows ...string) *oracle.Case {
	c := &oracle.Case{ID: "t/t#" + pattern, Op: oracle.Map, Pattern: pattern}
	for _, r := range rows {
		var labels []string
		for _, l := range strings.Trim(r, "-") {
			labels = append(labels, string(l))
		}
		c.Rows = append(c.Rows, labels)
	}
	return c
}

func statement(sql string) *oracle.Case {
	return &oracle.Case{ID: "t/t#sql", Op: oracle.Query, SQL: sql}
}

// verdict asks one case and gives what came of it.
func verdict(t *testing.T, o *Oracle, c *oracle.Case) (oracle.Answer, oracle.Verdict, string) {
	t.Helper()
	if reason := o.Supports(c); reason != "" {
		return oracle.Answer{}, oracle.NotComparable, reason
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	a, err := o.Ask(ctx, c)
	if err != nil {
		v, reason := oracle.WhyNot(err)
		return a, v, reason
	}
	return a, oracle.Agrees, ""
}

func mappingText(list []oracle.Mapping) string {
	var out []string
	for _, m := range list {
		out = append(out, m.String())
	}
	return strings.Join(out, "; ")
}
