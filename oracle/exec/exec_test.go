package exec

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rprcheck/rprcheck/oracle"
	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics/diag"
	"github.com/rprcheck/rprcheck/semantics/table"
	"github.com/rprcheck/rprcheck/semantics/value"
)

// TestMain makes the test program an engine, if it is started as one.
func TestMain(m *testing.M) {
	if how := os.Getenv("RPRCHECK_TEST_ENGINE"); how != "" {
		engine(how)
		return
	}
	os.Exit(m.Run())
}

// engine answers map with the first label of each row, and misbehaves on
// patterns that ask for it, and on hello as it is told.
func engine(how string) {
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, args ...any) {
		fmt.Fprintf(out, format+"\n", args...)
		out.Flush()
	}
	r := protocol.NewReader(os.Stdin, 0)
	for {
		line, err := r.Next()
		if err != nil {
			return
		}
		q, id, err := protocol.ParseQuestion(line)
		if err != nil {
			say(`{"id":%q,"error":{"stage":"syntax","message":%q}}`, id, err)
			continue
		}
		switch q := q.(type) {
		case *protocol.Hello:
			switch how {
			case "silent":
				time.Sleep(time.Minute)
			case "version":
				say(`{"protocol":2,"name":"x","ops":[]}`)
				continue
			case "refuses":
				say(`{"error":{"stage":"unsupported","message":"no"}}`)
				continue
			case "dies":
				fmt.Fprintln(os.Stderr, "no licence")
				os.Exit(3)
			case "dialect":
				say(`{"protocol":1,"name":"x","version":"1","dialect":"other","ops":["query","check"]}`)
				continue
			case "window":
				say(`{"protocol":1,"name":"x","version":"1","dialect":"iso","ops":["query","check"],"features":["R010"]}`)
				continue
			}
			say(`{"protocol":1,"name":"toy","version":"7 %s","ops":["map","query","check","prefer"]}`, strings.Join(q.Readings, " "))
		case *protocol.Map:
			toyMap(q, say)
		case *protocol.Prefer:
			say(`{"id":%q,"candidates":["A",""]}`, q.ID)
		case *protocol.Query:
			if strings.Contains(q.SQL, "TOO MANY") {
				say(`{"id":%q,"columns":[{"name":"N","type":"bigint"}],"rows":[[1,2]]}`, q.ID)
				continue
			}
			if strings.Contains(q.SQL, "NO NUMBER") {
				say(`{"id":%q,"columns":[{"name":"N","type":"bigint"}],"rows":[["x"]]}`, q.ID)
				continue
			}
			say(`{"id":%q,"columns":[{"name":"N","type":"bigint"}],"rows":[[%d]],"ordered":true}`, q.ID, len(q.Tables))
		case *protocol.Check:
			say(`{"id":%q,"accepted":true}`, q.ID)
		case *protocol.Bye:
			if mark := os.Getenv("RPRCHECK_TEST_MARK"); mark != "" {
				_ = os.WriteFile(mark, []byte("bye"), 0o600)
			}
			return
		}
	}
}

func toyMap(q *protocol.Map, say func(string, ...any)) {
	switch q.Pattern {
	case "DIE":
		fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 100_000)+"last words")
		os.Exit(1)
	case "HANG":
		time.Sleep(time.Minute)
	case "CHILD":
		child := exec.Command("sleep", "60")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		_ = child.Start()
		_ = os.WriteFile(os.Getenv("RPRCHECK_TEST_MARK"), []byte(strconv.Itoa(child.Process.Pid)), 0o600)
		time.Sleep(time.Minute)
	case "GARBAGE":
		say("Traceback")
		return
	case "HALF":
		fmt.Fprintf(os.Stdout, `{"id":%q,"mappings":[["A"`, q.ID)
		os.Exit(0)
	case "DRIP": // a byte now and then, and never a line
		for {
			fmt.Fprint(os.Stdout, " ")
			time.Sleep(10 * time.Millisecond)
		}
	case "GIGABYTE": // without a line end
		chunk := strings.Repeat("A", 1<<20)
		for range 1 << 10 {
			if _, err := fmt.Fprint(os.Stdout, chunk); err != nil {
				os.Exit(1)
			}
		}
		return
	case "NOISE": // and no answer
		for {
			if _, err := fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 10_000)); err != nil {
				os.Exit(1)
			}
		}
	case "TWICE A":
		say(`{"id":%q,"mappings":[["A"]]}`, q.ID)
	case "OTHER":
		say(`{"id":"x","mappings":[]}`)
		return
	case "LONG":
		say(`{"id":%q,"mappings":[[%s"A"]]}`, q.ID, strings.Repeat(`"A",`, 10_000))
		return
	case "FEW":
		say(`{"id":%q,"mappings":[]}`, q.ID)
		return
	case "STRANGE":
		say(`{"id":%q,"mappings":[["Z"]]}`, q.ID)
		return
	case "UNSUPPORTED", "LIMIT_", "SEMANTIC", "INTERNAL":
		say(`{"id":%q,"error":{"stage":%q,"rule":"PAT-4","message":"said so"}}`, q.ID, strings.Trim(strings.ToLower(q.Pattern), "_"))
		return
	}
	var rows []string
	for _, row := range q.Rows {
		switch {
		case row.IsText && row.Text == "-", !row.IsText && len(row.Names) == 0:
			rows = append(rows, "null")
		case row.IsText && row.Text == "X":
			rows = append(rows, "[]")
		case row.IsText:
			rows = append(rows, fmt.Sprintf("[%q]", row.Text[:1]))
		default:
			rows = append(rows, fmt.Sprintf("[%q]", "{"+row.Names[0]+"}"))
		}
	}
	say(`{"id":%q,"mappings":[%s]}`, q.ID, strings.Join(rows, ","))
}

// newEngine returns this program as an engine.
func newEngine(t *testing.T, how string, o Options) *Oracle {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("RPRCHECK_TEST_ENGINE", how)
	o.Command = []string{self}
	e := New(o)
	t.Cleanup(func() { e.Close() })
	return e
}

func mapCase(pattern string, rows ...string) *oracle.Case {
	c := &oracle.Case{Op: oracle.Map, Pattern: pattern}
	for _, row := range rows {
		c.Rows = append(c.Rows, strings.Split(strings.Trim(row, "-"), ""))
		if row == "-" {
			c.Rows[len(c.Rows)-1] = nil
		}
	}
	return c
}

func show(list []oracle.Mapping) string {
	var out []string
	for _, m := range list {
		switch {
		case !m.Found:
			out = append(out, "-")
		case len(m.Vars) == 0:
			out = append(out, "()")
		default:
			text := strings.Join(m.Vars, " ")
			if m.Excluded != nil && m.Excluded[0] {
				text = "{" + text + "}"
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

// TestMap: rows of letters and of names, matches, empty ones, none, excluded rows.
func TestMap(t *testing.T) {
	e := newEngine(t, "toy", Options{Readings: []string{"WIN-10=alternative"}})
	ctx := context.Background()
	if v, err := e.Version(ctx); err != nil || v != "toy 7 WIN-10=alternative" {
		t.Errorf("version %q, %v", v, err)
	}
	a, err := e.Ask(ctx, mapCase("(A | B)* X", "AB", "-", "X", "B"))
	if got := show(a.Mappings); err != nil || got != "A, -, (), B" {
		t.Errorf("%s, %v", got, err)
	}
	long := &oracle.Case{Op: oracle.Map, Pattern: "up DOWN", Rows: [][]string{{"UP", "DOWN"}, {}}}
	a, err = e.Ask(ctx, long)
	if got := show(a.Mappings); err != nil || got != "{UP}, -" {
		t.Errorf("%s, %v", got, err)
	}
}

// TestOtherOperations: what the engine says of statements and candidates.
func TestOtherOperations(t *testing.T) {
	e := newEngine(t, "toy", Options{})
	ctx := context.Background()
	b := table.NewBuilder("X", value.TypeBigint)
	b.AppendInt64(1)
	in, err := table.New(b.Column())
	if err != nil {
		t.Fatal(err)
	}
	q := &oracle.Case{Op: oracle.Query, SQL: "SELECT x FROM t", Tables: []oracle.Table{{Name: "T", Data: in}}}
	if a, err := e.Ask(ctx, q); err != nil || !a.Ordered || a.Table.NumRows() != 1 || a.Table.Value(0, 0).Raw() != 1 {
		t.Errorf("query: %v, %v", a, err)
	}
	if a, err := e.Ask(ctx, &oracle.Case{Op: oracle.Check, SQL: "SELECT 1"}); err != nil || !a.Accepted {
		t.Errorf("check: %v, %v", a, err)
	}
	if a, err := e.Ask(ctx, &oracle.Case{Op: oracle.Prefer, Pattern: "A?", MaxRows: 1}); err != nil || !slices.Equal(a.Candidates, []string{"A", ""}) {
		t.Errorf("prefer: %v, %v", a, err)
	}
}

// TestTroubles: each bad case is told what happened to it, and the cases around
// it are answered all the same, by a new process where need be.
func TestTroubles(t *testing.T) {
	e := newEngine(t, "toy", Options{Timeout: time.Second, MaxLine: 10_000})
	for _, c := range []struct {
		pattern string
		verdict oracle.Verdict
		says    string
	}{
		{"DIE", oracle.Failed, "last words"},
		{"HANG", oracle.TimedOut, "no answer in time"},
		{"GARBAGE", oracle.Failed, "cannot be read"},
		{"OTHER", oracle.Failed, "cannot be read"},
		{"HALF", oracle.Failed, "cannot be read"},
		{"DRIP", oracle.TimedOut, "no answer in time"},
		{"NOISE", oracle.TimedOut, "no answer in time"},
		{"LONG", oracle.Failed, "more than 10000 bytes"},
		{"FEW", oracle.Failed, "0 mappings for 1 rows"},
		{"STRANGE", oracle.Failed, `"Z"`},
		{"UNSUPPORTED", oracle.NotComparable, "said so"},
		{"LIMIT_", oracle.NotComparable, "said so"},
		{"INTERNAL", oracle.Failed, "said so"},
		{"A |", oracle.NotComparable, "the pattern is in error"},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			replies := e.AskAll(context.Background(), []*oracle.Case{mapCase("A", "A"), mapCase(c.pattern, "A"), mapCase("A B", "B")})
			verdict, reason := oracle.WhyNot(replies[1].Err)
			if verdict != c.verdict || !strings.Contains(reason, c.says) || len(reason) > 2_000 {
				t.Errorf("%v, %.300s", verdict, reason)
			}
			for i, want := range map[int]string{0: "A", 2: "B"} {
				if got := show(replies[i].Answer.Mappings); replies[i].Err != nil || got != want {
					t.Errorf("case %d: %s, %v", i, got, replies[i].Err)
				}
			}
		})
	}
	a, err := e.Ask(context.Background(), mapCase("SEMANTIC", "A"))
	if err != nil || a.Err == nil || a.Err.Rule != "PAT-4" || a.Err.Stage != diag.Semantic {
		t.Errorf("an error that the engine finds: %v, %v", a, err)
	}
}

// A gigabyte without a line end is not kept: it ends with its engine, or when
// the time is up.
func TestGigabyte(t *testing.T) {
	e := newEngine(t, "toy", Options{Timeout: time.Second, MaxLine: 10_000})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := e.Ask(context.Background(), mapCase("GIGABYTE", "A"))
	runtime.ReadMemStats(&after)
	if v, reason := oracle.WhyNot(err); err == nil || v != oracle.Failed && v != oracle.TimedOut || len(reason) > 2_000 {
		t.Errorf("%v, %.300s", v, reason)
	}
	if grown := after.HeapSys - before.HeapSys; after.HeapSys > before.HeapSys && grown > 50<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	if a, err := e.Ask(context.Background(), mapCase("A", "A")); err != nil || show(a.Mappings) != "A" {
		t.Errorf("afterwards: %v, %v", a, err)
	}
}

// A table with rows of another width, or values that are not of their type, is no
// answer; an answer too many is not taken for that of the next question.
func TestWrongTables(t *testing.T) {
	e := newEngine(t, "toy", Options{Timeout: 2 * time.Second})
	for _, sql := range []string{"TOO MANY", "NO NUMBER"} {
		_, err := e.Ask(context.Background(), &oracle.Case{Op: oracle.Query, SQL: sql})
		if v, reason := oracle.WhyNot(err); v != oracle.Failed {
			t.Errorf("%s: %v, %s", sql, v, reason)
		}
	}
	replies := e.AskAll(context.Background(), []*oracle.Case{mapCase("TWICE A", "A"), mapCase("B", "B"), mapCase("C", "C")})
	for i, want := range []string{"A", "B", "C"} {
		switch r := replies[i]; {
		case r.Err == nil && show(r.Answer.Mappings) != want:
			t.Errorf("case %d: %s", i, show(r.Answer.Mappings))
		case r.Err != nil:
			if v, reason := oracle.WhyNot(r.Err); v != oracle.Failed {
				t.Errorf("case %d: %v, %s", i, v, reason)
			}
		}
	}
}

// TestNoEngine: the reason is that of the version and of every case.
func TestNoEngine(t *testing.T) {
	for how, says := range map[string]string{
		"silent": "no answer in time", "version": "version 2", "refuses": "refuses hello", "dies": "no licence",
	} {
		t.Run(how, func(t *testing.T) {
			e := newEngine(t, how, Options{StartTimeout: time.Second})
			_, err := e.Version(context.Background())
			if _, reason := oracle.WhyNot(err); !strings.Contains(reason, says) {
				t.Errorf("version: %v", err)
			}
			if _, err := e.Ask(context.Background(), mapCase("A", "A")); err == nil {
				t.Error("answered")
			}
			if reason := e.Supports(mapCase("A", "A")); reason != "" {
				t.Errorf("a failure is hidden: %s", reason)
			}
		})
	}
	e := New(Options{Command: []string{filepath.Join(t.TempDir(), "missing")}})
	if _, err := e.Version(context.Background()); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("missing program: %v", err)
	}
	if _, err := New(Options{}).Version(context.Background()); err == nil {
		t.Error("no command")
	}
}

// TestSupports: by the operations, dialect and features that the engine lists.
func TestSupports(t *testing.T) {
	const from = "SELECT * FROM t MATCH_RECOGNIZE (MEASURES 1 AS m PATTERN (A) DEFINE A AS TRUE)"
	const window = "SELECT COUNT(*) OVER w AS n FROM t WINDOW w AS (ORDER BY x ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING PATTERN (A) DEFINE A AS TRUE)"
	query := func(sql string) *oracle.Case { return &oracle.Case{Op: oracle.Query, SQL: sql} }
	for _, c := range []struct {
		how  string
		q    *oracle.Case
		says string
	}{
		{"toy", mapCase("A", "A"), ""},
		{"toy", query(window), ""},
		{"window", query(from), ""},
		{"window", query(window), "R020"},
		{"window", query("SELECT FROM"), ""},
		{"window", mapCase("A", "A"), "does not answer map"},
		{"dialect", query(from), "dialect other"},
	} {
		reason := newEngine(t, c.how, Options{}).Supports(c.q)
		if c.says == "" && reason != "" || !strings.Contains(reason, c.says) {
			t.Errorf("%s: %s%s: %q", c.how, c.q.SQL, c.q.Pattern, reason)
		}
	}
}

// TestInterrupted: the context ends the waiting, and the engine with it.
func TestInterrupted(t *testing.T) {
	e := newEngine(t, "toy", Options{})
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	replies := e.AskAll(ctx, []*oracle.Case{mapCase("A", "A"), mapCase("HANG", "A"), mapCase("A", "A")})
	if replies[0].Err != nil || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", replies[0].Err, time.Since(began))
	}
	for _, r := range replies[1:] {
		if v, _ := oracle.WhyNot(r.Err); v != oracle.TimedOut {
			t.Errorf("%v", r.Err)
		}
	}
	if a, err := e.Ask(context.Background(), mapCase("A", "A")); err != nil || show(a.Mappings) != "A" {
		t.Errorf("afterwards: %v, %v", a, err)
	}
}

// TestManyQuestions: more than fits into the pipes in either direction.
func TestManyQuestions(t *testing.T) {
	e := newEngine(t, "toy", Options{})
	rows := slices.Repeat([]string{"A"}, 1000)
	cases := make([]*oracle.Case, 300)
	for i := range cases {
		cases[i] = mapCase("A", rows...)
	}
	for i, r := range e.AskAll(context.Background(), cases) {
		if r.Err != nil || len(r.Answer.Mappings) != len(rows) {
			t.Fatalf("case %d: %v", i, r.Err)
		}
	}
}

// TestGoodbye: an engine is told that it is not needed any more.
func TestGoodbye(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	t.Setenv("RPRCHECK_TEST_MARK", mark)
	e := newEngine(t, "toy", Options{})
	if _, err := e.Version(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(mark); string(text) != "bye" {
		t.Errorf("%q", text)
	}
}

// TestProcessGroup: what the engine has started ends with it.
func TestProcessGroup(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	t.Setenv("RPRCHECK_TEST_MARK", mark)
	e := newEngine(t, "toy", Options{Timeout: 500 * time.Millisecond})
	began := time.Now()
	_, err := e.Ask(context.Background(), mapCase("CHILD", "A"))
	if v, _ := oracle.WhyNot(err); v != oracle.TimedOut || time.Since(began) > 5*time.Second {
		t.Fatalf("%v after %v", err, time.Since(began))
	}
	text, err := os.ReadFile(mark)
	if err != nil {
		t.Fatal(err)
	}
	for wait := 0; isRunning(string(text)); wait++ {
		if wait > 100 {
			t.Fatalf("the child %s still runs", text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// isRunning reports a process that exists and is not a zombie.
func isRunning(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"python3 engine.py":            {"python3", "engine.py"},
		`  a  'b c' "d \" e" f\ g '' `: {"a", "b c", `d " e`, "f g", ""},
		"a $HOME;ls *":                 {"a", "$HOME;ls", "*"},
		`a'b'c`:                        {"abc"},
	} {
		if got, err := SplitCommand(line); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	for _, line := range []string{"", "  ", "a 'b", `a "b`, `a\`} {
		if got, err := SplitCommand(line); err == nil || diag.From(err).Rule != "DATA-1" {
			t.Errorf("%q: %q, %v", line, got, err)
		}
	}
}
