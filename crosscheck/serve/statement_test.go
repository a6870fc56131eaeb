package serve_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rprcheck/rprcheck/crosscheck/serve"
	"github.com/rprcheck/rprcheck/matcher/reference"
	"github.com/rprcheck/rprcheck/oracle/protocol"
	"github.com/rprcheck/rprcheck/semantics/readings"
)

const ticks = `"tables":[{"name":"ticks","columns":[{"name":"day","type":"bigint"},{"name":"price","type":"decimal(5,2)"}],"rows":[[1,90],[2,80.50],[3,70],[4,null]]}]`

// fall matches falling prices: rows 2 and 3 of ticks.
const fall = `FROM ticks MATCH_RECOGNIZE (ORDER BY day MEASURES LAST(price) AS l, COUNT(*) AS n PATTERN (DOWN+) DEFINE DOWN AS price < PREV(price)) AS m`

func TestQuery(t *testing.T) {
	for _, c := range []struct{ name, question, want string }{
		{"recognition", `"op":"query","id":"1","sql":"SELECT * ` + fall + `",` + ticks,
			`{"id":"1","columns":[{"name":"L","type":"decimal(5,2)"},{"name":"N","type":"bigint"}],"rows":[[70.00,2]],"ordered":false}`},
		{"ordered", `"op":"query","id":"1","sql":"SELECT day FROM ticks ORDER BY day DESC LIMIT 1",` + ticks,
			`{"id":"1","columns":[{"name":"DAY","type":"bigint"}],"rows":[[4]],"ordered":true}`},
		{"values need no tables", `"op":"query","id":"1","sql":"SELECT x, \"y z\" FROM (VALUES (1, NULL)) AS t(x, \"y z\")"`,
			`{"id":"1","columns":[{"name":"X","type":"integer"},{"name":"y z","type":"unknown"}],"rows":[[1,null]],"ordered":false}`},
		{"host variables", `"op":"query","id":"1","sql":"SELECT :n AS n, :Big AS b, :s AS s","params":{"n":1.50,"BIG":9007199254740993,"s":"x"}`,
			`{"id":"1","columns":[{"name":"N","type":"decimal(3,2)"},{"name":"B","type":"bigint"},{"name":"S","type":"varchar"}],"rows":[[1.50,9007199254740993,"x"]],"ordered":false}`},
		{"types of values", `"op":"query","id":"1","sql":"SELECT DATE '2026-11-30' AS d, TIMESTAMP '2026-11-30 12:00:00.5' AS t, INTERVAL '1 02:00:00' DAY TO SECOND AS i, ARRAY[1, NULL] AS a, TRUE AS b, CAST('NaN' AS double precision) AS f"`,
			`{"id":"1","columns":[{"name":"D","type":"date"},{"name":"T","type":"timestamp(1)"},{"name":"I","type":"interval day to second"},{"name":"A","type":"integer array"},{"name":"B","type":"boolean"},{"name":"F","type":"double precision"}],"rows":[["2026-11-30","2026-11-30 12:00:00.5","1 02:00:00",[1,null],true,"NaN"]],"ordered":false}`},
		{"check", `"op":"check","id":"1","sql":"SELECT l ` + fall + `",` + ticks,
			`{"id":"1","accepted":true,"columns":[{"name":"L","type":"decimal(5,2)"}]}`},
		{"check without tables", `"op":"check","id":"1","sql":"SELECT n, l ` + fall + `"`,
			`{"id":"1","accepted":true,"untyped":true,"columns":[{"name":"N","type":"bigint"},{"name":"L","type":"unknown"}]}`},
		{"check that needs no tables", `"op":"check","id":"1","sql":"SELECT 1 / 0 AS x"`,
			`{"id":"1","accepted":true,"columns":[{"name":"X","type":"integer"}]}`},
	} {
		got := ask(t, &serve.Server{}, `{`+c.question+`}`)
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	for _, c := range []struct {
		name, question, stage, rule, state string
		line, column                       int
	}{
		{"mixed qualifiers", `"op":"check","sql":"SELECT * FROM t MATCH_RECOGNIZE (\n MEASURES LAST(A.x + B.x) AS l PATTERN (A B) DEFINE A AS TRUE)"`, "semantic", "COL-2", "42000", 2, 22},
		{"skip to the first row", `"op":"query","sql":"SELECT * FROM (VALUES (1)) AS t(x) MATCH_RECOGNIZE (MEASURES 1 AS o AFTER MATCH SKIP TO A PATTERN (A) DEFINE A AS TRUE) AS m"`, "runtime", "SKIP-3", "2202L", 1, 89},
		{"unknown table", `"op":"query","sql":"SELECT * FROM nowhere"`, "semantic", "NAME-1", "42000", 1, 15},
		{"file", `"op":"query","sql":"SELECT * FROM \"statement_test.go\""`, "semantic", "NAME-1", "42000", 1, 15},
		{"steps", `"op":"query","max_steps":3,"sql":"SELECT * FROM (VALUES (1), (2), (3)) AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES 1 AS o PATTERN ((A+)+ B) DEFINE B AS FALSE) AS m"`, "limit", "LIM-1", "54000", 1, 0},
		{"join", `"op":"check","sql":"SELECT * FROM a, b"`, "unsupported", "SQL-1", "0A000", 1, 16},
	} {
		r := decode(t, ask(t, &serve.Server{}, `{"id":"x",`+c.question+`}`)[0])
		if r.ID != "x" || r.Error == nil || r.Error.Stage != c.stage || r.Error.Rule != c.rule || r.Error.SQLSTATE != c.state ||
			r.Error.Line != c.line || c.column > 0 && r.Error.Column != c.column {
			t.Errorf("%s: %+v %+v", c.name, r, r.Error)
		}
	}
}

// Readings of hello are added to those of the server, and end with the next hello.
func TestReadingsOfHello(t *testing.T) {
	set, err := readings.Parse("IMP-AVG=double")
	if err != nil {
		t.Fatal(err)
	}
	const check = `{"op":"check","sql":"SELECT 1 / 2 AS q, AVG(x) AS a FROM (VALUES (1)) AS t(x)"}`
	got := ask(t, &serve.Server{Readings: set}, check,
		`{"op":"hello","protocol":1,"readings":["IMP-QUOTIENT=exact","imp-avg=default"]}`, check, hello, check)
	for i, want := range map[int][2]string{0: {"integer", "double precision"}, 2: {"decimal", "decimal"}, 4: {"integer", "double precision"}} {
		if line := `{"accepted":true,"columns":[{"name":"Q","type":"` + want[0] + `"},{"name":"A","type":"` + want[1] + `"}]}`; got[i] != line {
			t.Errorf("answer %d\n got %s\nwant %s", i, got[i], line)
		}
	}
}

// max_steps of 0 lifts the server's limit for one question.
func TestMaxStepsZero(t *testing.T) {
	const sql = `"sql":"SELECT n FROM (VALUES (1), (2), (3)) AS t(x) MATCH_RECOGNIZE (ORDER BY x MEASURES COUNT(*) AS n PATTERN (A+) DEFINE A AS x > 0) AS m"`
	s := &serve.Server{}
	s.Limits.Steps = 1
	got := ask(t, s, `{"op":"query","max_steps":0,`+sql+`}`, `{"op":"query",`+sql+`}`)
	if !strings.Contains(got[0], `"rows":[[3]]`) || !strings.Contains(got[1], `"limit"`) {
		t.Errorf("%q", got)
	}
}

// What the server says is what the other side of the protocol understands.
func TestAnswersAreUnderstood(t *testing.T) {
	for _, question := range []string{
		hello,
		`{"op":"query","id":"1","sql":"SELECT * FROM ticks",` + ticks + `}`,
		`{"op":"check","id":"1","sql":"SELECT * ` + fall + `"}`,
		`{"op":"check","id":"1","sql":"SELECT"}`,
		`{"op":"map","id":"1","pattern":"{- A -} | B?","rows":["A","B","-"]}`,
		`{"op":"prefer","id":"1","pattern":"(A?)*","max_rows":2}`,
	} {
		q, _, err := protocol.ParseQuestion([]byte(question))
		if err != nil {
			t.Fatal(err)
		}
		line := ask(t, &serve.Server{}, question)[0]
		a, err := protocol.ParseAnswer(q, []byte(line))
		if err != nil {
			t.Errorf("%s\n%s: %v", question, line, err)
			continue
		}
		if again := string(a.Append(nil, 0)); again != line && !strings.Contains(line, `"error"`) {
			t.Errorf("%s\n%s", line, again)
		}
	}
}

// No question makes the server read a file: what is named in FROM is no path.
func TestNoFileIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	in := hello + "\n" + `{"op":"query","sql":"SELECT * FROM \"` + path + `\""}` + "\n"
	if err := (&serve.Server{Engine: reference.Engine{}}).Serve(context.Background(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"rule":"NAME-1"`) {
		t.Error(out.String())
	}
}
