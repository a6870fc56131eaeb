package trino

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
)

// Every fault of a server ends in failed or timed-out for the case, never in
// an answer, a panic or a hang.
func TestFaultsOfAServer(t *testing.T) {
	write := func(text string) func(http.ResponseWriter, *http.Request, string) {
		return func(w http.ResponseWriter, _ *http.Request, _ string) { io.WriteString(w, text) }
	}
	tests := []struct {
		name   string
		post   func(http.ResponseWriter, *http.Request, string)
		get    func(http.ResponseWriter, *http.Request)
		want   oracle.Verdict
		reason string
	}{
		{name: "half a JSON", post: write(`{"id":"q1","stats":{"state":"RUN`), want: oracle.Failed, reason: "no JSON"},
		{name: "garbage", post: write("\x1b[2J<html>"), want: oracle.Failed, reason: `\x1b[2J<html>`},
		{name: "JSON that is not Trino's", post: write(`{"hello":1}`), want: oracle.Failed, reason: "not one of Trino's"},
		{name: "an array", post: write(`[1,2]`), want: oracle.Failed, reason: "no JSON of Trino's"},
		{name: "wrong number of columns", post: write(onePage(oneColumn, "[1,2]")), want: oracle.Failed, reason: "has 2 values, there are 1 columns"},
		{name: "rows without columns", post: write(`{"id":"q1","data":[[1]],"stats":{"state":"FINISHED"}}`), want: oracle.Failed, reason: "there are 0 columns"},
		{name: "status 500", post: func(w http.ResponseWriter, _ *http.Request, _ string) {
			http.Error(w, "broken \x1b[31m", http.StatusInternalServerError)
		}, want: oracle.Failed, reason: `500: broken \x1b[31m`},
		{name: "nextUri to another host", post: write(`{"id":"q1","nextUri":"http://198.51.100.1/v1/statement/x/1","stats":{"state":"QUEUED"}}`),
			want: oracle.Failed, reason: "nextUri leads to http://198.51.100.1"},
		{name: "nextUri to another scheme", post: write(`{"id":"q1","nextUri":"file:///etc/passwd","stats":{"state":"QUEUED"}}`),
			want: oracle.Failed, reason: "nextUri leads to file://"},
		{name: "redirect", post: func(w http.ResponseWriter, r *http.Request, _ string) {
			http.Redirect(w, r, "http://198.51.100.1/", http.StatusTemporaryRedirect)
		}, want: oracle.Failed, reason: "redirects (307)"},
		{name: "never an answer", post: func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() },
			want: oracle.TimedOut, reason: "no complete answer within"},
		{name: "slow drip", post: func(w http.ResponseWriter, r *http.Request, _ string) {
			io.WriteString(w, `{"id":"q1"`)
			for r.Context().Err() == nil {
				io.WriteString(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		}, want: oracle.TimedOut, reason: "no complete answer within"},
		{name: "the connection ends", post: func(w http.ResponseWriter, _ *http.Request, _ string) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"id":"q1"`)
			w.(http.Flusher).Flush()
			c, _, _ := w.(http.Hijacker).Hijack()
			c.Close()
		}, want: oracle.Failed, reason: "ended in the middle"},
		{name: "an answer without end", post: func(w http.ResponseWriter, _ *http.Request, _ string) {
			io.WriteString(w, `{"id":"q1","columns":[`+oneColumn+`],"data":[`)
			row := strings.Repeat("[1],", 1<<14)
			for {
				if _, err := io.WriteString(w, row); err != nil {
					return
				}
			}
		}, want: oracle.Failed, reason: "larger than"},
		{name: "memory", post: write(failed("CLUSTER_OUT_OF_MEMORY", "INSUFFICIENT_RESOURCES", "no memory")), want: oracle.Failed, reason: "CLUSTER_OUT_OF_MEMORY"},
		{name: "time limit", post: write(failed("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES", "too long")), want: oracle.TimedOut, reason: "EXCEEDED_TIME_LIMIT"},
		{name: "a type without counterpart", post: write(onePage(`{"name":"x","type":"map(varchar, bigint)"}`, "[{}]")), want: oracle.NotComparable, reason: "map(varchar, bigint)"},
		{name: "a value of another type", post: write(onePage(oneColumn, `["x"]`)), want: oracle.NotComparable, reason: "integer"},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			f := newFake(t)
			f.post, f.get = x.post, x.get
			o := f.oracle(t, Options{Timeout: 300 * time.Millisecond})
			if _, err := o.Version(context.Background()); err != nil {
				t.Fatal(err)
			}
			o.client.maxBody, o.client.maxTotal = 1<<20, 2<<20
			begin := time.Now()
			_, v, reason := verdict(t, o, statement("SELECT 2"))
			if v != x.want || !strings.Contains(reason, x.reason) {
				t.Errorf("%v: %s; want %v: %s", v, reason, x.want, x.reason)
			}
			if d := time.Since(begin); d > 10*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// A query that stays in the queue is ended here and there.
func TestQueuedForEver(t *testing.T) {
	f := newFake(t)
	queued := func(w http.ResponseWriter) {
		fmt.Fprintf(w, `{"id":"q1","nextUri":"%s/v1/statement/queued/q1/1","stats":{"state":"QUEUED"}}`, f.URL)
	}
	f.post = func(w http.ResponseWriter, _ *http.Request, _ string) { queued(w) }
	f.get = func(w http.ResponseWriter, _ *http.Request) { queued(w) }
	o := f.oracle(t, Options{Timeout: 100 * time.Millisecond})
	_, v, reason := verdict(t, o, statement("SELECT 2"))
	if v != oracle.TimedOut {
		t.Errorf("%v: %s", v, reason)
	}
	if f.cancelled() == 0 {
		t.Error("the query is not cancelled")
	}
}

// An interrupted statement is cancelled on the server.
func TestInterrupted(t *testing.T) {
	f := newFake(t)
	ctx, cancel := context.WithCancel(context.Background())
	f.post = func(w http.ResponseWriter, _ *http.Request, _ string) {
		fmt.Fprintf(w, `{"id":"q1","nextUri":"%s/v1/statement/executing/q1/1","stats":{"state":"RUNNING"}}`, f.URL)
	}
	f.get = func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() }
	o := f.oracle(t, Options{Timeout: 20 * time.Second})
	replies := o.AskAll(ctx, []*oracle.Case{mapping("A", "A"), mapping("B", "B")})
	for _, r := range replies {
		if v, _ := oracle.WhyNot(r.Err); r.Err == nil || v != oracle.Failed || !errors.Is(r.Err, context.Canceled) {
			t.Errorf("reply %v", r.Err)
		}
	}
	if f.cancelled() != 1 {
		t.Errorf("%d statements are cancelled, want 1", f.cancelled())
	}
}

// Pages of a result are put together, however many there are.
func TestPages(t *testing.T) {
	f := newFake(t)
	n := 0
	next := func(w http.ResponseWriter) {
		n++
		uri := fmt.Sprintf(`"nextUri":"%s/v1/statement/executing/q1/%d",`, f.URL, n)
		if n == 4 {
			uri = ""
		}
		fmt.Fprintf(w, `{"id":"q1",%s"columns":[%s],"data":[[%d]],"stats":{"state":"RUNNING"}}`, uri, oneColumn, n)
	}
	f.post = func(w http.ResponseWriter, _ *http.Request, _ string) { next(w) }
	f.get = func(w http.ResponseWriter, _ *http.Request) { next(w) }
	a, v, reason := verdict(t, f.oracle(t, Options{}), statement("SELECT 2"))
	if v != oracle.Agrees || a.Table.NumRows() != 4 || a.Table.Value(3, 0).Raw() != 4 {
		t.Errorf("%v %s: %v", v, reason, a.Table)
	}
}

// A server that is not ready is asked again.
func TestNotReadyIsAskedAgain(t *testing.T) {
	f := newFake(t)
	n := 0
	f.post = func(w http.ResponseWriter, _ *http.Request, _ string) {
		if n++; n < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, onePage(oneColumn, "[2]"))
	}
	if _, v, reason := verdict(t, f.oracle(t, Options{}), statement("SELECT 2")); v != oracle.Agrees {
		t.Errorf("%v: %s", v, reason)
	}
}

func TestUnreachable(t *testing.T) {
	refusing := httptest.NewServer(http.NotFoundHandler())
	address := refusing.URL
	refusing.Close()
	notTrino := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"a":1}`) }))
	defer notTrino.Close()
	unauthorized := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer unauthorized.Close()
	selfSigned := httptest.NewTLSServer(http.NotFoundHandler())
	defer selfSigned.Close()
	for _, x := range []struct{ url, want string }{
		{address, "refused"},
		{notTrino.URL, "no Trino server"},
		{unauthorized.URL, "refuses the user me (401)"},
		{selfSigned.URL, "certificate does not verify"},
	} {
		o, err := New("trino:"+x.url, Options{Credentials: Credentials{User: "me"}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = o.Version(context.Background())
		var un *Unreachable
		if !errors.As(err, &un) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %s", x.url, err, x.want)
		}
		// The cases of a run get a verdict all the same.
		_, v, reason := verdict(t, o, mapping("A", "A"))
		if v != oracle.Failed || !strings.Contains(reason, x.want) {
			t.Errorf("%s: %v: %s", x.url, v, reason)
		}
	}
}

// With --insecure, and only then, a certificate need not verify.
func TestInsecureAsksAllTheSame(t *testing.T) {
	f := newFake(t)
	secure := httptest.NewTLSServer(http.HandlerFunc(f.serve))
	defer secure.Close()
	o, err := New("trino:"+secure.URL, Options{Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := o.Version(context.Background()); err != nil || v != "483" {
		t.Errorf("%q, %v", v, err)
	}
}

// Secrets go into the header that is theirs, and nowhere else.
func TestSecretsStaySecret(t *testing.T) {
	f := newFake(t)
	secure := httptest.NewTLSServer(http.HandlerFunc(f.serve))
	defer secure.Close()
	const password = "hunter2-\x1bsecret"
	f.answer = func(string) string { return failed("GENERIC_INTERNAL_ERROR", "INTERNAL_ERROR", "you said "+password) }
	o, err := New("trino:"+secure.URL, Options{Insecure: true, Credentials: Credentials{User: "me", Password: password}})
	if err != nil {
		t.Fatal(err)
	}
	_, v, reason := verdict(t, o, statement("SELECT 2"))
	if v != oracle.Failed || !strings.Contains(reason, "you said ***") || strings.Contains(reason, "hunter2") {
		t.Errorf("%v: %s", v, reason)
	}
	for _, r := range f.requests {
		user, pass, ok := r.BasicAuth()
		if !ok || user != "me" || pass != password {
			t.Errorf("%s %s without the password", r.Method, r.URL)
		}
		if r.Header.Get("X-Trino-Source") != "rprcheck" || r.Header.Get("X-Trino-User") != "me" {
			t.Errorf("%s %s: headers %v", r.Method, r.URL, r.Header)
		}
	}
	if len(f.requests) < 3 {
		t.Errorf("%d requests", len(f.requests))
	}
	session := f.requests[len(f.requests)-1].Header.Get("X-Trino-Session")
	if !strings.Contains(session, "query_max_run_time=30000ms") {
		t.Errorf("session %q", session)
	}
}
