package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/crosscheck/corpus"
	"github.com/rprcheck/rprcheck/crosscheck/diff"
	"github.com/rprcheck/rprcheck/matcher"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle/faux"
	"github.com/rprcheck/rprcheck/oracle/trino"
	"github.com/rprcheck/rprcheck/semantics/query"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// server speaks Trino's protocol over a table, with a matcher that may be wrong.
type server struct {
	*httptest.Server
	t      *testing.T
	table  *table.Table
	engine matcher.Engine
	mu     sync.Mutex
	sent   []string
	// change alters a page before it is sent; may be nil.
	change func(n int, p map[string]any)
	// handle answers in place of the server; may be nil.
	handle http.HandlerFunc
}

func newServer(t *testing.T, mutant string, rows ...string) *server {
	t.Helper()
	data, err := corpus.ParseTable("sym varchar, day bigint, price bigint", rows)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, table: data, engine: reference.Engine{}}
	if mutant != "" {
		if s.engine, err = faux.New(mutant); err != nil {
			t.Fatal(err)
		}
	}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/info" {
		io.WriteString(w, `{"nodeVersion":{"version":"483"},"starting":false}`)
		return
	}
	if r.Method == http.MethodDelete {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if r.Header.Get("X-Trino-Source") != "rprcheck" {
		s.t.Error("the source is not tagged")
	}
	n, at := 0, 0
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		if string(body) == "SELECT 1" { // to see whether the server answers
			io.WriteString(w, `{"id":"q","stats":{"state":"FINISHED"},"columns":[{"name":"_col0","type":"integer"}],"data":[[1]]}`)
			return
		}
		if s.handle != nil {
			s.handle(w, r)
			return
		}
		s.mu.Lock()
		s.sent = append(s.sent, string(body))
		n = len(s.sent) - 1
		s.mu.Unlock()
	} else if s.handle != nil {
		s.handle(w, r)
		return
	} else if _, err := fmt.Sscanf(r.URL.Path, "/v1/page/%d/%d", &n, &at); err != nil {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	sql := s.sent[n]
	s.mu.Unlock()
	s.page(w, sql, n, at)
}

// page answers three rows at a time.
func (s *server) page(w http.ResponseWriter, sql string, n, at int) {
	res, err := query.Run(context.Background(), sql, query.Options{Recognizer: matcher.Using(s.engine, matcher.Limits{}),
		Tables: func(name string, _ bool) (*table.Table, bool, error) { return s.table, name == "TICKS", nil }})
	if err != nil {
		json.NewEncoder(w).Encode(map[string]any{"id": "q", "stats": map[string]string{"state": "FAILED"}, "error": map[string]string{"errorName": "SYNTAX_ERROR", "message": err.Error()}})
		return
	}
	p := map[string]any{"id": "q", "stats": map[string]string{"state": "RUNNING"}}
	var cols []map[string]string
	for _, c := range res.Table.Columns() {
		cols = append(cols, map[string]string{"name": strings.ToLower(c.Name), "type": c.Type.String()})
	}
	p["columns"] = cols
	var data [][]json.RawMessage
	for r := 3 * at; r < min(3*at+3, res.Table.NumRows()); r++ {
		var row []json.RawMessage
		for i, c := range res.Table.Columns() {
			row = append(row, value.AppendJSON(nil, res.Table.Value(r, i), c.Type))
		}
		data = append(data, row)
	}
	p["data"] = data
	if 3*at+3 < res.Table.NumRows() {
		p["nextUri"] = fmt.Sprintf("%s/v1/page/%d/%d", s.URL, n, at+1)
	}
	if s.change != nil {
		s.change(n, p)
	}
	json.NewEncoder(w).Encode(p)
}

// ticks are three partitions; on the middle one an empty iteration has a less
// preferred branch behind it.
var ticks = []string{"'a' 1 90", "'a' 2 80", "'b' 1 5", "'b' 2 70", "'b' 3 60", "'c' 1 90", "'c' 2 91", "NULL 1 90", "NULL 2 80"}

const nullable = `SELECT m.n FROM ticks AS i MATCH_RECOGNIZE (PARTITION BY i.sym ORDER BY day
  MEASURES COUNT(*) AS n AFTER MATCH SKIP PAST LAST ROW
  PATTERN ((UP? | LOW)*) DEFINE UP AS price > 50, LOW AS price < 10) AS m WHERE m.n > 0`

func connect(t *testing.T, s *server, o trino.Options) *trino.Oracle {
	t.Helper()
	client, err := trino.New("trino:"+s.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// run audits a statement of one recognition.
func run(t *testing.T, s *server, sql string, o Options) (*Report, error) {
	t.Helper()
	o.Matcher = reference.Engine{}
	list, err := Run(t.Context(), connect(t, s, trino.Options{}), sql, o)
	if len(list) == 0 {
		return &Report{}, err
	}
	return list[0], err
}

// Exactly the partition that meets the deviation is reported, made small, with
// its rule; of a query that does not meet it, none.
func TestFindsTheDeviatingPartition(t *testing.T) {
	s := newServer(t, "1", ticks...)
	engine, err := diff.Open("faux:1", diff.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := run(t, s, nullable, Options{Engine: engine})
	if err != nil {
		t.Fatal(err)
	}
	if r.Partitions != 4 || r.Rows != 9 || len(r.NotAudited) != 0 || r.Moving != 0 {
		t.Errorf("%+v", r)
	}
	if len(r.Differences) != 1 || r.Differences[0].Key != `"b"` {
		t.Fatalf("differences: %+v", r.Differences)
	}
	d := r.Differences[0]
	if d.Finding == nil || d.Finding.Rule != "PREF-8" || len(d.Missing) == 0 {
		t.Errorf("the difference is not explained: %+v", d)
	}
	for _, sql := range s.sent {
		if !strings.HasPrefix(sql, "SELECT ") {
			t.Errorf("sent: %s", sql)
		}
	}
	if len(s.sent) != 5 {
		t.Errorf("%d statements, not two readings of input and result and the rows that are made small", len(s.sent))
	}
	var b bytes.Buffer
	if err := Write(&b, []*Report{r}); err != nil || !strings.Contains(b.String(), `partition "b" (3 rows): 2 rows of output by the rules, 1 by the server`) {
		t.Errorf("%v\n%s", err, b.String())
	}
	plain := strings.Replace(nullable, "(UP? | LOW)*", "(UP | LOW)*", 1)
	if r, err := run(t, s, plain, Options{Engine: engine}); err != nil || len(r.Differences) != 0 || r.Partitions != 4 {
		t.Errorf("a query that does not meet the deviation: %+v, %v", r, err)
	}
}

// A long partition is put again by stretches, until one shows the difference.
func TestLongPartitionsAreMadeSmall(t *testing.T) {
	var rows []string
	for i := range 1000 {
		price := 90
		if i == 700 {
			price = 5
		}
		rows = append(rows, fmt.Sprintf("'a' %d %d", i, price))
	}
	s := newServer(t, "1", rows...)
	engine, err := diff.Open("faux:1", diff.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := run(t, s, nullable, Options{Engine: engine})
	if err != nil || len(r.Differences) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if found := r.Differences[0].Finding; found == nil || found.Rule != "PREF-8" || len(found.Case) > 600 {
		t.Errorf("%+v", r.Differences[0])
	}
}

func TestWholeTableIsOnePartition(t *testing.T) {
	s := newServer(t, "", ticks...)
	r, err := run(t, s, "SELECT * FROM ticks MATCH_RECOGNIZE (ORDER BY sym, day MEASURES COUNT(*) AS n PATTERN (A B+) DEFINE B AS price < PREV(price)) AS m", Options{})
	if err != nil || r.Partitions != 1 || r.Rows != 9 || len(r.Differences) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLargePartitionsAreNotAudited(t *testing.T) {
	s := newServer(t, "1", ticks...)
	r, err := run(t, s, nullable, Options{MaxPartition: 2})
	if err != nil || r.Skipped != 1 || len(r.NotAudited) != 1 || r.NotAudited[0].Rows != 3 || len(r.Differences) != 0 || r.Partitions != 4 {
		t.Errorf("%+v, %v", r, err)
	}
}

// NUL-3: rows 2 and 3 are tied; which comes first decides the measure.
func TestTies(t *testing.T) {
	s := newServer(t, "", "'a' 1 1", "'a' 1 2", "'a' 2 3")
	sql := "SELECT * FROM ticks MATCH_RECOGNIZE (PARTITION BY sym ORDER BY day MEASURES FIRST(price) AS f PATTERN (A A A) DEFINE A AS TRUE) AS m"
	s.change = func(n int, p map[string]any) {
		if rows := p["data"].([][]json.RawMessage); len(rows) == 1 { // the result: as if row 2 came first
			rows[0][1] = json.RawMessage("2")
		}
	}
	r, err := run(t, s, sql, Options{})
	if err != nil || len(r.Differences) != 0 || r.Tied != 1 || r.TiedDiffer != 0 || strings.Join(r.Settle, " ") != "PRICE" {
		t.Errorf("%+v, %v", r, err)
	}
	s.change = func(n int, p map[string]any) {
		if rows := p["data"].([][]json.RawMessage); len(rows) == 1 {
			rows[0][1] = json.RawMessage("3")
		}
	}
	if r, err = run(t, s, sql, Options{}); err != nil || len(r.Differences) != 1 || r.TiedDiffer != 1 {
		t.Errorf("no order gives 3: %+v, %v", r, err)
	}
}

// What differs on one reading only is no difference.
func TestMovingData(t *testing.T) {
	s := newServer(t, "", ticks...)
	s.change = func(n int, p map[string]any) {
		if rows := p["data"].([][]json.RawMessage); n == 1 && len(rows) > 0 {
			rows[0][1] = json.RawMessage("77")
		}
	}
	r, err := run(t, s, nullable, Options{})
	if err != nil || len(r.Differences) != 0 || r.Moving == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRefusedQueries(t *testing.T) {
	s := newServer(t, "", ticks...)
	for sql, want := range map[string]string{
		"SELECT * FROM ticks": "no MATCH_RECOGNIZE",
		"SELECT COUNT(*) OVER w FROM ticks WINDOW w AS (ORDER BY day ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS TRUE)": "in a window",
		"SELECT * FROM ticks MATCH_RECOGNIZE (MEASURES 1 AS n PATTERN (A) DEFINE B AS TRUE, A AS TRUE)":                                              "DEF-2",
	} {
		if _, err := run(t, s, sql, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not an error with %q", sql, err, want)
		}
	}
	if _, err := run(t, s, "SELECT * FROM ticks MATCH_RECOGNIZE (MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE)", Options{Sample: 0.01}); err == nil {
		t.Error("a sample of a recognition without partitions is taken")
	}
}

func planOf(t *testing.T, sql string, sample float64) *plan {
	t.Helper()
	list, err := newPlans(sql, sample)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func TestSampleAndWith(t *testing.T) {
	p := planOf(t, "WITH x AS (SELECT * FROM ticks WHERE 'SELECT' <> note) SELECT * FROM x AS i MATCH_RECOGNIZE (PARTITION BY i.sym, day ORDER BY price DESC MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE) AS m", 0.01)
	rows, result := p.rows(""), p.result("")
	for _, want := range []string{"WITH x AS (SELECT * FROM ticks WHERE 'SELECT' <> note)\nSELECT * FROM (SELECT * FROM x AS i WHERE mod(", "< 1000) AS i", "ORDER BY i.sym ASC NULLS LAST, day ASC NULLS LAST, price DESC"} {
		if !strings.Contains(rows, want) {
			t.Errorf("the input is asked by %s, without %s", rows, want)
		}
	}
	if !strings.Contains(result, "ORDER BY sym ASC NULLS LAST, day ASC NULLS LAST") || !strings.Contains(result, "MATCH_RECOGNIZE (PARTITION BY i.sym") {
		t.Errorf("the result is asked by %s", result)
	}
}

// Whatever a server does ends in an error, never in agreement or a hang.
func TestBadServers(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another host was asked") }))
	defer other.Close()
	for _, tt := range []struct {
		name   string
		handle http.HandlerFunc
		want   string
		gone   bool
	}{
		{"401", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "refuses the user", true},
		{"half a JSON", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"columns":[`) }, "no JSON", false},
		{"garbage", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }, "no JSON", false},
		{"another host", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"id":"q","stats":{"state":"QUEUED"},"nextUri":"%s/v1/page"}`, other.URL)
		}, "not followed", false},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, "307", true},
		{"busy for ever", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, "not ready (503)", false},
		{"no columns", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"id":"q","stats":{"state":"FINISHED"}}`)
		}, "no columns", false},
		{"an error", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"id":"q","stats":{"state":"FAILED"},"error":{"errorName":"TABLE_NOT_FOUND","message":"no ticks"}}`)
		}, "TABLE_NOT_FOUND", false},
		{"a short row", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"id":"q","stats":{"state":"FINISHED"},"columns":[{"name":"sym","type":"varchar"},{"name":"day","type":"bigint"},{"name":"price","type":"bigint"}],"data":[["a"]]}`)
		}, "has 1 values, there are 3 columns", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, "", ticks...)
			s.handle = tt.handle
			r, err := run(t, s, nullable, Options{})
			var gone *trino.Unreachable
			if err == nil || !strings.Contains(err.Error(), tt.want) || errors.As(err, &gone) != tt.gone {
				t.Errorf("%v, not an error with %q", err, tt.want)
			}
			if len(r.Differences) > 0 {
				t.Error("it counts as a difference")
			}
		})
	}
	s := newServer(t, "", ticks...)
	s.Close()
	if _, err := run(t, s, nullable, Options{}); err == nil {
		t.Error("a server that is gone is audited")
	}
}

// A hanging server is left when the context ends.
func TestInterrupted(t *testing.T) {
	s := newServer(t, "", ticks...)
	stop := make(chan struct{})
	s.handle = func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	}
	defer close(stop)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	r, err := Run(ctx, connect(t, s, trino.Options{}), nullable, Options{Matcher: reference.Engine{}})
	if !errors.Is(err, context.DeadlineExceeded) || len(r) != 1 || !r[0].Interrupted {
		t.Errorf("%v, %+v", err, r)
	}
}

// A password goes to the server, and nowhere else.
func TestSecrets(t *testing.T) {
	t.Setenv("RPRCHECK_TRINO_PASSWORD", "geheim")
	t.Setenv("RPRCHECK_TRINO_USER", "me")
	if _, err := trino.New("trino:http://h:1", trino.Options{}); err == nil || strings.Contains(err.Error(), "geheim") {
		t.Errorf("a password over plain http: %v", err)
	}
	seen := ""
	s := newServer(t, "", ticks...)
	s.handle = func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		io.WriteString(w, `{"id":"q","stats":{"state":"FAILED"},"error":{"errorName":"X","message":"not geheim"}}`)
	}
	var sent []string
	_, err := Run(t.Context(), connect(t, s, trino.Options{Insecure: true}), nullable, Options{Matcher: reference.Engine{}, Sent: func(sql string) { sent = append(sent, sql) }})
	if err == nil || strings.Contains(err.Error()+strings.Join(sent, ""), "geheim") || seen == "" || len(sent) != 1 {
		t.Errorf("%v, authorization %q, sent %q", err, seen, sent)
	}
}
