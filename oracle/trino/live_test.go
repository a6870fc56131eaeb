package trino

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
)

// Tests of a live server run where one is named or wished for:
//
//	RPRCHECK_TRINO_URL     a server that runs
//	RPRCHECK_LIVE=1        a server in a JVM, started by the test
//	RPRCHECK_TRINO_IMAGE   a server in a container of this image
const (
	envLive  = "RPRCHECK_LIVE"
	envImage = "RPRCHECK_TRINO_IMAGE"
)

func live(t *testing.T, spec string) *Oracle {
	t.Helper()
	o, err := New(spec, Options{Log: t.Logf})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	if _, err := o.Version(t.Context()); err != nil {
		t.Fatal(err)
	}
	return o
}

// named returns the live server that the environment names.
func named(t *testing.T) *Oracle {
	t.Helper()
	switch {
	case os.Getenv(EnvURL) != "":
		return live(t, "trino:"+os.Getenv(EnvURL))
	case os.Getenv(envLive) != "":
		return live(t, "trino:jvm")
	}
	t.Skipf("no live server: set %s, or %s=1 to start one", EnvURL, envLive)
	return nil
}

// The two views of a live server, and what it is known to do wrong (PREF-8).
func TestLivePatterns(t *testing.T) {
	patterns(t, named(t))
}

func patterns(t *testing.T, o *Oracle) {
	t.Helper()
	tests := []struct {
		pattern string
		rows    string
		want    string
		anchors bool // or exclusion: not in windows
	}{
		{"A B+", "A B B A", "A B B; -; -; -", false},
		{"A*?", "A A", "(); ()", false},
		{"A | A B", "A B", "A; -", false},
		{"^ A $", "A", "A", true},
		{"A {- B+ -} A", "A B B A", "A {B} {B} A; -; -; -", true},
		{"{- A+ -}", "A A", "{A} {A}; {A}", true},
		{"PERMUTE(A, B)", "B A", "B A; -", false},
		{"(A+ | B){2}", "A A A", "A A A; A A; -", false},
		{`(A? | "b")*`, "A A", "A A; A", false},
		{"()", "A", "()", false},
	}
	var cases []*oracle.Case
	for _, x := range tests {
		cases = append(cases, mapping(x.pattern, strings.Fields(x.rows)...))
	}
	for i, r := range oracle.AskAll(t.Context(), o, cases) {
		if got := mappingText(r.Answer.Mappings); r.Err != nil || got != tests[i].want {
			t.Errorf("%s on %s: %s, %v; want %s", tests[i].pattern, tests[i].rows, got, r.Err, tests[i].want)
		}
	}
	for i, r := range oracle.AskAll(t.Context(), o.Window(), cases) {
		if tests[i].anchors {
			continue
		}
		if got := mappingText(r.Answer.Mappings); r.Err != nil || got != tests[i].want {
			t.Errorf("%s on %s as a window: %s, %v; want %s", tests[i].pattern, tests[i].rows, got, r.Err, tests[i].want)
		}
	}
}

func TestLiveStatements(t *testing.T) {
	o := named(t)
	const rows = "FROM (VALUES (1, 90), (2, 80), (3, 70)) AS t (id, x) MATCH_RECOGNIZE (ORDER BY id "
	for _, x := range []struct {
		sql  string
		want oracle.Verdict
		rule string
	}{
		{"SELECT * " + rows + "MEASURES LAST(x) AS l PATTERN (A B+) DEFINE B AS x < PREV(x))", oracle.Agrees, ""},
		{"SELECT * " + rows + "MEASURES 1 AS one AFTER MATCH SKIP TO A PATTERN (A B+) DEFINE B AS x < PREV(x))", oracle.Agrees, "SKIP-3"},
		{"SELECT * " + rows + "MEASURES 1 AS one AFTER MATCH SKIP TO C PATTERN (A C* B) DEFINE C AS FALSE)", oracle.Agrees, "SKIP-2"},
		{"SELECT * " + rows + "MEASURES COUNT(DISTINCT x) AS n PATTERN (A) DEFINE A AS TRUE)", oracle.Refused, ""},
		{"SELECT 1 / 0", oracle.Agrees, "EVAL-1"},
	} {
		a, v, reason := verdict(t, o, statement(x.sql))
		rule := ""
		if a.Err != nil {
			rule = a.Err.Rule
		}
		if v != x.want || rule != x.rule {
			t.Errorf("%s: %v %s (%s), want %v %s", x.sql, v, rule, reason, x.want, x.rule)
		}
	}
}

// Speed: a thousand pattern cases well below 90 seconds on a server that runs.
func TestLiveSpeed(t *testing.T) {
	o := named(t)
	var cases []*oracle.Case
	for i := range 1_000 {
		cases = append(cases, mapping(fmt.Sprintf("(A? | B){%d,} C?%s", i%7, strings.Repeat(" B?", i%9)), "A", "AB", "B", "C", "-", "AB"))
	}
	begin := time.Now()
	for i, r := range oracle.AskAll(t.Context(), o, cases) {
		if r.Err != nil {
			t.Fatalf("case %d: %v", i, r.Err)
		}
	}
	d := time.Since(begin)
	t.Logf("1000 pattern cases in %v", d.Round(time.Millisecond))
	if d > 90*time.Second {
		t.Errorf("1000 pattern cases take %v", d)
	}
}

// A server in a JVM is stopped by Close, and its folder goes with it.
func TestLiveJVMStops(t *testing.T) {
	if os.Getenv(envLive) == "" {
		t.Skipf("no live server: set %s=1 to start one", envLive)
	}
	o := live(t, "trino:jvm")
	v := o.host.(*jvm)
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-v.done:
	default:
		t.Error("the server runs on")
	}
	if _, err := os.Stat(v.dir); err == nil {
		t.Errorf("%s is left", v.dir)
	}
}

// The container way: started, asked, and gone after Close.
func TestLiveContainer(t *testing.T) {
	image := os.Getenv(envImage)
	if image == "" {
		t.Skipf("no container: set %s to an image", envImage)
	}
	o := live(t, "trino:docker:"+image)
	patterns(t, o)
	id := o.host.(*container).c.GetContainerID()
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("docker", "ps", "-a", "-q", "--no-trunc").Output()
	if err != nil {
		t.Skipf("docker cannot be asked what is left: %v", err)
	}
	if strings.Contains(string(out), id) {
		t.Error("the container is left")
	}
}

// An image that is not there is said, not waited for.
func TestLiveMissingImage(t *testing.T) {
	if os.Getenv(envImage) == "" {
		t.Skipf("no container: set %s to an image", envImage)
	}
	o, err := New("trino:docker:rprcheck.invalid/nothing:1", Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = o.Version(t.Context())
	if err == nil || !strings.Contains(err.Error(), "cannot be pulled") {
		t.Errorf("%v", err)
	}
}
