package trino

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A result is read page by page; tables without a catalog are the named one's;
// every statement is told.
func TestRows(t *testing.T) {
	f := newFake(t)
	f.post = func(w http.ResponseWriter, _ *http.Request, _ string) {
		fmt.Fprintf(w, `{"id":"q1","nextUri":"%s/v1/statement/q1/1","stats":{"state":"QUEUED"}}`, f.URL)
	}
	f.get = func(w http.ResponseWriter, r *http.Request) {
		next := ""
		if strings.HasSuffix(r.URL.Path, "/1") {
			next = fmt.Sprintf(`"nextUri":"%s/v1/statement/q1/2",`, f.URL)
		}
		fmt.Fprintf(w, `{"id":"q1",%s"columns":[%s],"data":[[1],[2]],"stats":{"state":"RUNNING"}}`, next, oneColumn)
	}
	var sent []string
	o, err := New("trino:"+f.URL, Options{Catalog: "hive", Schema: "sales", Sent: func(sql string) { sent = append(sent, sql) }})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	rows, err := o.Rows(t.Context(), "SELECT x FROM y", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if c := rows.Columns(); len(c) != 1 || c[0] != (Column{Name: "_col0", Type: "integer"}) {
		t.Errorf("columns %v", c)
	}
	var got []string
	for {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(row[0]))
	}
	rows.Close()
	if strings.Join(got, " ") != "1 2 1 2" {
		t.Errorf("rows %v", got)
	}
	if strings.Join(sent, "; ") != "SELECT 1; SELECT x FROM y" {
		t.Errorf("sent %q", sent)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	last := f.requests[len(f.requests)-1].Header
	if last.Get("X-Trino-Catalog") != "hive" || last.Get("X-Trino-Schema") != "sales" || last.Get("X-Trino-Source") != "rprcheck" || !strings.Contains(last.Get("X-Trino-Session"), "query_max_run_time=60s") {
		t.Errorf("headers %v", last)
	}
	if f.deleted != 0 {
		t.Error("a result that was read to its end is cancelled")
	}
}

// A result that is left in the middle is cancelled on the server.
func TestRowsCancelled(t *testing.T) {
	f := newFake(t)
	f.post = func(w http.ResponseWriter, _ *http.Request, _ string) {
		fmt.Fprintf(w, `{"id":"q1","nextUri":"%s/v1/statement/q1/1","columns":[%s],"data":[[1]],"stats":{"state":"RUNNING"}}`, f.URL, oneColumn)
	}
	o, err := New("trino:"+f.URL, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	rows, err := o.Rows(t.Context(), "SELECT 2", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	rows.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.deleted != 1 {
		t.Errorf("%d cancellations", f.deleted)
	}
}
