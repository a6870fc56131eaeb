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
	if s.handle != nil {
		s.handle(w, r)
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
		s.mu.Lock()
		s.sent = append(s.sent, string(body))
		n = len(s.sent) - 1
		s.mu.Unlock()
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
		json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"errorName": "SYNTAX_ERROR", "message": err.Error()}})
		return
	}
	p := map[string]any{}
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

func run(t *testing.T, s *server, sql string, o Options) (*Report, error) {
	t.Helper()
	client, err := NewServer("trino:"+s.URL, ServerOptions{Limit: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	o.Matcher = reference.Engine{}
	return Run(context.Background(), client, sql, o)
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
	if len(s.sent) != 4 {
		t.Errorf("%d statements, not two readings of two", len(s.sent))
	}
	var b bytes.Buffer
	if err := Write(&b, r); err != nil || !strings.Contains(b.String(), `partition "b", 3 rows`) {
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
	p, err := newPlan(nullable, 1)
	if err != nil {
		t.Fatal(err)
	}
	a := &auditor{ctx: context.Background(), plan: p, o: Options{Matcher: reference.Engine{}, Engine: engine}, report: &Report{}}
	if err := a.bind(&shape{names: []string{"SYM", "DAY", "PRICE"}, types: []value.Type{value.TypeVarchar, value.TypeBigint, value.TypeBigint}, known: []bool{true, true, true}}); err != nil {
		t.Fatal(err)
	}
	found, why := a.shrink(s.table)
	if found == nil || found.Rule != "PREF-8" || len(found.Case) > 600 {
		t.Errorf("%s, %+v", why, found)
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
	if err != nil || len(r.NotAudited) != 1 || r.NotAudited[0].Rows != 3 || len(r.Differences) != 0 || r.Partitions != 4 {
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
		nullable + " UNION ALL " + nullable: "2 recognitions",
		"SELECT * FROM ticks MATCH_RECOGNIZE (MEASURES 1 AS n PATTERN (A) DEFINE B AS TRUE, A AS TRUE)": "DEF-2",
	} {
		if _, err := run(t, s, sql, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not an error with %q", sql, err, want)
		}
	}
	if _, err := run(t, s, "SELECT * FROM ticks MATCH_RECOGNIZE (MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE)", Options{Sample: 0.01}); err == nil {
		t.Error("a sample of a recognition without partitions is taken")
	}
}

func TestSampleAndWith(t *testing.T) {
	p, err := newPlan("WITH x AS (SELECT * FROM ticks WHERE 'SELECT' <> note) SELECT * FROM x AS i MATCH_RECOGNIZE (PARTITION BY i.sym, day ORDER BY price DESC MEASURES 1 AS n PATTERN (A) DEFINE A AS TRUE) AS m", 0.01)
	if err != nil {
		t.Fatal(err)
	}
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
		{"401", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, "does not let us in", true},
		{"half a JSON", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"columns":[`) }, "no JSON", false},
		{"garbage", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }, "no JSON", false},
		{"another host", func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"nextUri":"%s/v1/page"}`, other.URL)
		}, "not followed", false},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, "307", true},
		{"busy for ever", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, "busy", true},
		{"no columns", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }, "without columns", false},
		{"an error", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"error":{"errorName":"TABLE_NOT_FOUND","message":"no ticks"}}`)
		}, "TABLE_NOT_FOUND", false},
		{"a short row", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"columns":[{"name":"sym","type":"varchar"},{"name":"day","type":"bigint"},{"name":"price","type":"bigint"}],"data":[["a"]]}`)
		}, "row of 1 values", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newServer(t, "", ticks...)
			s.handle = tt.handle
			r, err := run(t, s, nullable, Options{})
			var gone *Unreachable
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
	client, err := NewServer(s.URL, ServerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	r, err := Run(ctx, client, nullable, Options{Matcher: reference.Engine{}})
	if !errors.Is(err, context.DeadlineExceeded) || !r.Interrupted {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestSecrets(t *testing.T) {
	t.Setenv("RPRCHECK_TRINO_PASSWORD", "geheim")
	if _, err := NewServer("http://h:1", ServerOptions{}); err == nil || strings.Contains(err.Error(), "geheim") {
		t.Errorf("a password over plain http: %v", err)
	}
	if _, err := NewServer("https://h:1", ServerOptions{}); err != nil {
		t.Error(err)
	}
	for _, spec := range []string{"https://me:geheim@h:1", "trino:jvm", "trino", "ftp://h", ""} {
		if _, err := NewServer(spec, ServerOptions{}); err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%q: %v", spec, err)
		}
	}
	seen := ""
	s := newServer(t, "", ticks...)
	s.handle = func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
	}
	t.Setenv("RPRCHECK_TRINO_USER", "me")
	client, err := NewServer(s.URL, ServerOptions{Insecure: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), client, nullable, Options{Matcher: reference.Engine{}}); err == nil || strings.Contains(err.Error(), "geheim") || seen == "" {
		t.Errorf("%v, authorization %q", err, seen)
	}
}
